"""Probes with planes: both bodies against a plane through three points, a point against their planes, scaled space.

A round body has a tangent plane at each point of its surface. The one at the nearest point decides.

Scaling space turns an ellipsoid and a plane into a unit sphere and a plane. Along each of the ellipsoid's axes, the
coordinate is divided by `radius^share`. So share 0 is the world, and share 1 the space in which the ellipsoid is a unit
sphere. This map transforms points; its inverse transpose transforms normals. A common mistake, which is also shown, is
a normal transformed like a point.
"""

from __future__ import annotations

from math import acos, degrees

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.closed_form import closed_form
from core.geometry.plane import Plane, plane_through
from core.geometry.tolerances import ROUNDING
from core.geometry.triple import ZERO, Triple, triple
from core.geometry.vector import Array, cross, dot, dots, length, product
from core.gjk.gjk_epa import signed_distance
from core.pair.support import support_maps
from core.scene import Body, Scene
from core.shapes import Hull

from ..shapes import face_name
from ..words.digits import in_degrees, plain, signed
from ..words.names import shown_name
from . import PlaneProbe

LEAST_ANGLE = 0.1
"""Least angle between the true and the mistaken normal, degrees, at which both are drawn."""


class BodySide(Struct, frozen=True, eq=False):
    """A body's signed distances from a plane: of its position (`centre`), of its `lowest` and its `highest` point.

    `vertices` (n,): the distances of a polyhedron's vertices, in order, else empty. `lowest` and `highest` may be
    infinite for a half-space.
    """

    centre: float
    lowest: float
    highest: float
    vertices: Array

    @property
    def words(self) -> str:
        """The side of the plane on which the body is, in words."""
        if self.lowest >= 0.0:
            return "in front of the plane"
        return "behind the plane" if self.highest <= 0.0 else "cut by the plane"


class ThreePoints(Struct, frozen=True, eq=False):
    """The plane through three `points` (3, 3), and both bodies against it.

    `product` (3,): `(b − a) × (c − a)`, not unit, negated for a flipped probe. `plane`: None if the points span no
    plane; `fault` is then the reason, as a sentence. `sides`: of A and B, empty without a plane.
    """

    probe: PlaneProbe
    points: Array
    product: Array
    plane: Plane | None
    fault: str
    sides: tuple[BodySide, ...]


def through(scene: Scene, probe: PlaneProbe) -> ThreePoints:
    """The plane of a probe against both bodies of a scene."""
    points = np.array(probe.points)
    product = cross(points[1] - points[0], points[2] - points[0]) * (-1.0 if probe.flipped else 1.0)
    try:
        plane = plane_through(*points)
    except ValueError as refusal:
        return ThreePoints(probe, points, product, None, f"{str(refusal).capitalize()}.", ())
    if probe.flipped:
        plane = plane.flipped()
    return ThreePoints(probe, points, product, plane, "", tuple(_side(b, plane) for b in (scene.a, scene.b)))


def plane_start(scene: Scene) -> PlaneProbe:
    """A new plane probe, with points near three corners of the first bounded body."""
    bounded = next(body for body in (scene.a, scene.b) if body.shape.plane is None)
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    a, b, c = (middle + half * np.array(corner) for corner in ((-1.2, 0.9, 1.1), (1.3, 1.0, 0.9), (0.1, 1.4, -1.2)))
    return PlaneProbe((triple(a), triple(b), triple(c)))


def side_words(index: int, side: BodySide) -> str:
    """The side of the plane on which a body is, as `A is behind the plane`; `index`: 0 for A, 1 for B."""
    return f"{'AB'[index]} is {side.words}"


def _side(body: Body, plane: Plane) -> BodySide:
    centre = plane.signed_distance(body.pose.position)
    along = body.pose.direction_to_local(plane.normal)
    up, down = (float(body.shape.reach(way)) for way in (along, -along))
    solid = body.shape.polyhedron
    local = np.zeros((0, 3)) if solid is None else solid.vertices
    return BodySide(centre, centre - down, centre + up, centre + dots(local, along))


class PlaneSide(Struct, frozen=True, eq=False):
    """A point against one plane of a body.

    `face`: the plane's face in the body's polyhedron, 0 for a half-space. `name`: the face's in the picture.
    `distance`: the point's, signed, positive on the side to which the normal points. `normal` (3,): unit, world.
    """

    face: int
    name: str
    distance: float
    normal: Array


class NearestOnSurface(Struct, frozen=True, eq=False):
    """The point of a round body's surface nearest a probe's point.

    `point` (3,): world. `normal` (3,): outward, unit, of the tangent plane there. `distance`: of the probe's point,
    signed, negative inside. `sharp`: whether `point` is on a rim or an apex, which has many planes; this one is
    perpendicular to the line to the probe's point.
    """

    point: Array
    normal: Array
    distance: float
    sharp: bool


class PointAgainst(Struct, frozen=True, eq=False):
    """A point against one body.

    `sides`: one for each of the body's planes, in the order of falling distance. A round body has none, but has the
    `nearest` point of its surface, which is None for other bodies. `tolerance`: the point counts as on a plane within
    this distance, scene units.
    """

    body: Body
    sides: tuple[PlaneSide, ...]
    tolerance: float
    nearest: NearestOnSurface | None = None

    @property
    def outside(self) -> tuple[PlaneSide, ...]:
        """The planes that the point is in front of."""
        return tuple(side for side in self.sides if side.distance > self.tolerance)

    @property
    def worst(self) -> PlaneSide | None:
        """The plane with the largest signed distance of the point, which decides; None for a round body."""
        return self.sides[0] if self.sides else None

    @property
    def on(self) -> bool:
        """Whether the point is on the body's surface, to rounding."""
        if self.nearest is not None:
            return abs(self.nearest.distance) <= self.tolerance
        return bool(self.sides) and abs(self.sides[0].distance) <= self.tolerance


def point_against(body: Body, at: Triple) -> PointAgainst:
    """The world point `at` against every plane of a body, or against the nearest point of a round body's surface."""
    local = body.pose.to_local(np.array(at))
    planes = _planes(body)
    sides = [
        PlaneSide(face, _plane_name(body, face), plane.signed_distance(local), dots(body.pose.matrix, plane.normal))
        for face, plane in enumerate(planes)
    ]
    size = body.shape.bounding_radius
    reach = length(local) + (size if np.isfinite(size) else max(abs(plane.offset) for plane in planes))
    # Rounding also grows with the distance from the world's origin.
    tolerance = ROUNDING * (reach + length(np.array(at)) + length(body.pose.position))
    ordered = tuple(sorted(sides, key=lambda side: -side.distance))
    return PointAgainst(body, ordered, tolerance, None if sides else _nearest(body, np.array(at), tolerance))


def _plane_name(body: Body, face: int) -> str:
    """The name of the plane number `face`; for an edge of a flat polygon such as `edge2`."""
    solid = body.shape.polyhedron
    flat = solid is not None and len(solid.faces) == 2
    return f"edge{face - 2}" if flat and face > 1 else face_name(body.shape, face)


def point_start(scene: Scene) -> Triple:
    """The point of a new point probe: near the first bounded body, in front of one or two planes of a box."""
    bounded = next(body for body in (scene.a, scene.b) if body.shape.plane is None)
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    return triple(middle + half * np.array((0.9, 1.2, 0.7)))


def verdict_words(index: int, against: PointAgainst) -> str:
    """Whether the point is inside or outside, in words, with the reason: the planes that it is in front of.

    `index`: of the body, 0 for A, 1 for B. "" for a body without planes whose nearest point is not known.
    """
    letter, count = "AB"[index], len(against.sides)
    worst = against.worst
    if against.nearest is not None:
        bare = against.body.shape.polyhedron is not None
        return _round_words(
            letter, against.nearest, f"a {against.body.shape.word}" if bare else "which is round", on=against.on
        )
    if worst is None:
        return ""
    if against.body.shape.plane is not None:
        if against.on:
            return f"On the plane of {letter}."
        if worst.distance > 0.0:
            return f"On the positive side of {letter}'s plane: outside."
        return f"On the negative side of {letter}'s plane: inside the half-space."
    name = shown_name(f"{letter}.{worst.name}")
    if against.on:
        return f"On the surface of {letter}: it is in front of no plane and lies on {name}."
    seeing = len(against.outside)
    if seeing:
        return f"Outside {letter}: it is in front of {seeing} of {count} planes."
    nearest = f"Nearest: {name}, {plain(-worst.distance)} away."
    return f"Inside {letter}: it is behind all {count} planes. {nearest}"


def _round_words(letter: str, nearest: NearestOnSurface, what: str, *, on: bool) -> str:
    if on:
        return f"On the surface of {letter}, {what}."
    side = "Outside" if nearest.distance > 0.0 else "Inside"
    place = "nearest plane at its rim or apex" if nearest.sharp else "nearest tangent plane"
    return f"{side} {letter}, {what}: {plain(abs(nearest.distance))} from its {place}."


def _nearest(body: Body, at: Array, tolerance: float) -> NearestOnSurface:
    """The nearest point of a round body's surface: in closed form if there is one, else by GJK and EPA."""
    # Computed relative to the body's position, which may be far from the world's origin.
    here, there = replace(body, position=ZERO), Body(Hull(((0.0, 0.0, 0.0),)), triple(at - body.pose.position))
    known = closed_form(here, there)
    if known is not None:
        normal, surface, distance = known.normal, known.witness_a, known.separation
    else:
        found = signed_distance(support_maps(here, there))
        normal, surface, distance = found.normal, found.witness_a, found.separation
    feature = body.shape.support_feature(body.pose.direction_to_local(normal), tolerance)
    sharp = feature.kind in ("rim", "vertex")
    return NearestOnSurface(body.pose.position + surface, normal, distance, sharp)


def _planes(body: Body) -> list[Plane]:
    plane, solid = body.shape.plane, body.shape.polyhedron
    if plane is not None:
        return [plane]
    if solid is None:
        return []
    # A flat polygon also has a plane at each edge.
    solid = solid.with_rim()
    return [Plane(normal, float(offset)) for normal, offset in zip(solid.normals, solid.offsets, strict=True)]


class ScaledSpace(Struct, frozen=True, eq=False):
    """Ellipsoid and plane in space scaled by `share` about the ellipsoid's centre. All vectors have world axes.

    `matrix` (3, 3): transforms points relative to the centre. `inverse_transpose` (3, 3): transforms normals, which
    must then be normalised. `normal` (3,): the plane's, unit, out of the half-space. `mistaken` (3,): the normal
    transformed like a point, unit. `distance`: signed, of the centre from the plane. `reach`: the ellipsoid's support
    value along the normal. `contact` (3,): the ellipsoid's deepest point, world.

    `mistaken_distance`: of the centre from the plane with the mistaken normal, through the centre's foot on the plane.
    `magnified`: the factor by which the picture of the scaled space is enlarged, so that the ellipsoid keeps its
    volume. No other field includes it.
    """

    share: float
    matrix: Array
    inverse_transpose: Array
    normal: Array
    mistaken: Array
    distance: float
    reach: float
    contact: Array
    mistaken_distance: float
    magnified: float

    @property
    def gap(self) -> float:
        """The signed gap between ellipsoid and plane in this space; only its sign is the same as in the world."""
        return self.distance - self.reach

    @property
    def angle(self) -> float:
        """The angle between the true normal and the mistaken one, degrees."""
        return degrees(acos(min(1.0, max(-1.0, dot(self.normal, self.mistaken)))))

    @property
    def normals_differ(self) -> bool:
        """Whether the mistaken normal is so far from the true one that both are drawn."""
        return self.angle > LEAST_ANGLE

    @property
    def gap_words(self) -> str:
        """The gap in symbols and digits, such as `s0′ − h′ = −0.353`; without primes in the world."""
        prime = "′" if self.share > 0.0 else ""
        return f"s0{prime} − h{prime} = {signed(self.gap)}"

    @property
    def mistake_words(self) -> str:
        """The angle between both normals, and the distance that follows from the mistaken one, in words."""
        says = "more than h′: apart" if self.mistaken_distance > self.reach else "no more than h′: overlapping"
        distance = plain(self.mistaken_distance)
        return f"{in_degrees(self.angle)} off the true one; with it the distance would be {distance}, {says}."


class Scaling(Struct, frozen=True, eq=False):
    """An ellipsoid and a plane before scaling, world.

    `index`: of the ellipsoid, 0 for A, 1 for B. `centre` (3,), `radii` (3,), `axes` (3, 3), columns: the ellipsoid's p,
    S and R. `normal` (3,): the plane's unit normal n. `distance`: of the centre, signed, s0 = n·p − d. `stretch`: the
    ellipsoid's support value h = |S Rᵀ n|. `contact` (3,): its deepest point, p − R S² Rᵀ n / h.
    """

    index: int
    centre: Array
    radii: Array
    axes: Array
    normal: Array
    distance: float
    stretch: float
    contact: Array

    @staticmethod
    def of(scene: Scene) -> Scaling | None:
        """The pair of a scene; None if it is not an ellipsoid and a half-space."""
        for index in (0, 1):
            body, other = scene.body(index), scene.body(1 - index)
            radii, plane = body.shape.radii, other.shape.plane
            if radii is not None and plane is not None:
                return _scaling(index, body, np.array(radii), other, plane)
        return None

    def at(self, share: float) -> ScaledSpace:
        """The pair with space scaled by `share`."""
        factors, rest = self.radii**-share, self.radii ** (1.0 - share)
        matrix = product(self.axes * factors, self.axes.T)
        inverse_transpose = product(self.axes / factors, self.axes.T)
        grown = dots(inverse_transpose, self.normal)
        stretch = length(grown)
        normal, distance = grown / stretch, self.distance / stretch
        reach = length(rest * product(normal, self.axes))
        wrong = dots(matrix, self.normal)
        mistaken = wrong / length(wrong)
        off = -dot(mistaken, dots(matrix, -self.distance * self.normal))
        contact = self.centre + dots(matrix, self.contact - self.centre)
        found = share, matrix, inverse_transpose, normal, mistaken, distance, reach, contact, off
        return ScaledSpace(*found, float(self.radii.prod()) ** (share / 3.0))


def _scaling(index: int, body: Body, radii: Array, plane_body: Body, plane: Plane) -> Scaling:
    centre, axes = body.pose.position, body.pose.matrix
    normal = dots(plane_body.pose.matrix, plane.normal)
    distance = dot(normal, centre - plane_body.pose.position) - plane.offset
    along = radii * product(normal, axes)
    stretch = length(along)
    contact = centre - dots(axes, radii * along) / stretch
    return Scaling(
        index=index,
        centre=centre,
        radii=radii,
        axes=axes,
        normal=normal,
        distance=distance,
        stretch=stretch,
        contact=contact,
    )

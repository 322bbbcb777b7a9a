"""Probes with planes: both bodies against a plane through three points, a point against their planes, scaled space.

A round body has a plane for every point of its surface: the tangent plane at the nearest point decides.

An ellipsoid and a plane meet as a unit sphere and a plane do once space is scaled. In the ellipsoid's own axes every
coordinate is divided by a power of its radius: `radius^share`, so that the share 0 is the world and 1 the space in
which the ellipsoid is a unit sphere. That map moves points, its inverse transpose normals; a normal that is scaled like
a point is the mistake shown beside the true one.
"""

from __future__ import annotations

from math import acos, degrees

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.closed_form import closed_form
from core.geometry.plane import Plane, plane_through
from core.geometry.tolerances import ROUNDING
from core.geometry.triple import ZERO, triple
from core.geometry.vector import Array, cross, dot, dots, length, product
from core.gjk.gjk_epa import signed_distance
from core.pair.support import support_maps
from core.scene import Body, Scene, Triple
from core.shapes import Hull

from ..shapes import face_name
from ..words.digits import plain
from ..words.names import shown_name
from . import PlaneProbe


class BodySide(Struct, frozen=True, eq=False):
    """A body's signed distances to a plane: of its position (`centre`), and the `lowest` and `highest` of its points.

    `vertices` (n,): distances of a polyhedron's vertices, in order, else empty. A half-space's are infinite but along
    its normal.
    """

    centre: float
    lowest: float
    highest: float
    vertices: Array

    @property
    def words(self) -> str:
        """Words for the side of the plane that the body is on."""
        if self.lowest >= 0.0:
            return "in front of the plane"
        return "behind the plane" if self.highest <= 0.0 else "cut by the plane"


class ThreePoints(Struct, frozen=True, eq=False):
    """The plane that three points span, None if they span none, and `fault`: why, as a sentence.

    `product` (3,): `(b − a) × (c − a)`, not unit; `sides`: both bodies against the plane.
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
    """The first points of a plane probe: near three corners of the first bounded body."""
    bounded = next(body for body in (scene.a, scene.b) if body.shape.plane is None)
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    a, b, c = (middle + half * np.array(corner) for corner in ((-1.2, 0.9, 1.1), (1.3, 1.0, 0.9), (0.1, 1.4, -1.2)))
    return PlaneProbe((triple(a), triple(b), triple(c)))


def _side(body: Body, plane: Plane) -> BodySide:
    centre = plane.signed_distance(body.pose.position)
    along = body.pose.direction_to_local(plane.normal)
    up, down = (float(body.shape.reach(way)) for way in (along, -along))
    solid = body.shape.polyhedron
    local = np.zeros((0, 3)) if solid is None else solid.vertices
    return BodySide(centre, centre - down, centre + up, centre + dots(local, along))


class PlaneSide(Struct, frozen=True, eq=False):
    """A point against one plane: signed `distance`, positive on the side the normal points to.

    `face`: its number in the body's polyhedron, 0 for a half-space; `name` as in the picture; `normal` (3,), world.
    """

    face: int
    name: str
    distance: float
    normal: Array


class NearestOnSurface(Struct, frozen=True, eq=False):
    """The nearest `point` (3,) of a round body's surface, world, and the signed `distance` from it, negative inside.

    `normal` (3,): outward, unit, of the tangent plane there. `sharp`: the point is on a rim or an apex, where there are
    many planes; this one is perpendicular to the line to the point that is probed.
    """

    point: Array
    normal: Array
    distance: float
    sharp: bool


class PointAgainst(Struct, frozen=True, eq=False):
    """A point against one body: `sides` for its planes, the one that has the point farthest in front first.

    `sides` is empty for a round body, which no finite number of planes bounds: it has a `nearest` point of its surface
    instead. `band`: distance within which the point counts as on a plane.
    """

    body: Body
    sides: tuple[PlaneSide, ...]
    band: float
    nearest: NearestOnSurface | None = None

    @property
    def outside(self) -> tuple[PlaneSide, ...]:
        """The planes that have the point in front."""
        return tuple(side for side in self.sides if side.distance > self.band)

    @property
    def worst(self) -> PlaneSide | None:
        """The plane that has the point farthest in front, which decides; None for a round body."""
        return self.sides[0] if self.sides else None

    @property
    def on(self) -> bool:
        """Whether the point is on the surface, to rounding."""
        if self.nearest is not None:
            return abs(self.nearest.distance) <= self.band
        return bool(self.sides) and abs(self.sides[0].distance) <= self.band


def point_against(body: Body, at: Triple) -> PointAgainst:
    """The point `at` of the world against every plane of a body."""
    local = body.pose.to_local(np.array(at))
    planes = _planes(body)
    sides = [
        PlaneSide(face, _plane_name(body, face), plane.signed_distance(local), dots(body.pose.matrix, plane.normal))
        for face, plane in enumerate(planes)
    ]
    size = body.shape.bounding_radius
    reach = length(local) + (size if np.isfinite(size) else max(abs(plane.offset) for plane in planes))
    # Rounding grows with the coordinates of a point far from the world's origin, too.
    band = ROUNDING * (reach + length(np.array(at)) + length(body.pose.position))
    ordered = tuple(sorted(sides, key=lambda side: -side.distance))
    return PointAgainst(body, ordered, band, None if sides else _nearest(body, np.array(at), band))


def _plane_name(body: Body, face: int) -> str:
    """The face's name; `edge2` for an edge of a flat polygon."""
    solid = body.shape.polyhedron
    flat = solid is not None and len(solid.faces) == 2
    return f"edge{face - 2}" if flat and face > 1 else face_name(body.shape, face)


def point_start(scene: Scene) -> Triple:
    """The first point of a point probe: beside the first bounded body, in front of a plane or two."""
    bounded = next(body for body in (scene.a, scene.b) if body.shape.plane is None)
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    return triple(middle + half * np.array((0.9, 1.2, 0.7)))


def verdict_words(index: int, against: PointAgainst) -> str:
    """Inside or outside in words, with the reason: which planes have the point on their positive side."""
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


def _nearest(body: Body, at: Array, band: float) -> NearestOnSurface:
    """The nearest point of a round body's surface: in closed form, or without one by GJK and EPA."""
    # Relative to the body, whose position may lie far from the world's origin.
    here, there = replace(body, position=ZERO), Body(Hull(((0.0, 0.0, 0.0),)), triple(at - body.pose.position))
    known = closed_form(here, there)
    if known is not None:
        normal, surface, distance = known.normal, known.witness_a, known.separation
    else:
        found = signed_distance(support_maps(here, there))
        normal, surface, distance = found.normal, found.witness_a, found.separation
    feature = body.shape.support_feature(body.pose.direction_to_local(normal), band)
    sharp = feature.kind in ("rim", "vertex")
    return NearestOnSurface(body.pose.position + surface, normal, distance, sharp)


def _planes(body: Body) -> list[Plane]:
    plane, solid = body.shape.plane, body.shape.polyhedron
    if plane is not None:
        return [plane]
    if solid is None:
        return []
    # A flat polygon is bounded by its edges, too.
    solid = solid.with_rim()
    return [Plane(normal, float(offset)) for normal, offset in zip(solid.normals, solid.offsets, strict=True)]


class ScaledSpace(Struct, frozen=True, eq=False):
    """Ellipsoid and plane with space scaled by `share`. All in world axes, about the ellipsoid's centre.

    `matrix` (3, 3): maps points relative to the centre; `inverse_transpose`: maps normals, which then need to be made
    unit vectors. `normal` (3,): of the plane, out of the solid side; `mistaken` (3,): the normal scaled like a point.
    `distance`: signed, of the centre from the plane; `reach`: how far the ellipsoid extends along the normal; `contact`
    (3,): its deepest point. `mistaken_distance`: of the centre from the plane with the mistaken normal through the foot
    of the true one. `magnified`: factor by which the space is drawn larger, so that the ellipsoid keeps its volume in
    the picture; no number includes it.
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
        """The signed gap between ellipsoid and plane in this space: its sign is that in the world, its size is not."""
        return self.distance - self.reach

    @property
    def angle(self) -> float:
        """Degrees between the true normal and the mistaken one."""
        return degrees(acos(min(1.0, max(-1.0, dot(self.normal, self.mistaken)))))


class Scaling(Struct, frozen=True, eq=False):
    """The unscaled pair: `index` of the ellipsoid, its `centre`, `radii` (3,) and `axes` (3, 3, columns); the plane.

    `distance`: s0 = n·p − d, signed; `stretch`: h = |S Rᵀ n|; `contact` (3,), world: p − R S² Rᵀ n / h.
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

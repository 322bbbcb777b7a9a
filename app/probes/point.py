"""A point against the planes of both bodies: signed distances, and whether it is inside.

A round body has a plane for every point of its surface: the one that decides is the tangent plane at the nearest.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.closed_form import closed_form
from core.geometry.plane import Plane
from core.geometry.tolerances import ROUNDING
from core.geometry.vector import Array, length
from core.gjk.gjk_epa import signed_distance
from core.pair.support import support_maps
from core.scene import Body, Scene, Triple
from core.shapes import Sphere

from ..draw.meshes.shape_kinds import face_name
from ..words.axis_words import plain


class PlaneSide(Struct, frozen=True, eq=False):
    """A point against one plane: signed `distance`, positive on the side the normal points to.

    `face`: its number in the body's polyhedron, 0 for a half-space; `name` as in the picture; `normal` (3,), world.
    """

    face: int
    name: str
    distance: float
    normal: Array


class Nearest(Struct, frozen=True, eq=False):
    """The nearest `point` (3,) of a round body's surface, world, and the signed `distance` from it, negative inside.

    `normal` (3,): outward, unit, of the tangent plane there. `sharp`: the point is on a rim or an apex, where there are
    many planes; this one is across the way to the nearest point.
    """

    point: Array
    normal: Array
    distance: float
    sharp: bool


class PointAgainst(Struct, frozen=True, eq=False):
    """A point against one body: its planes, the one that has the point farthest in front first.

    `sides` is empty for a round body, which no finite number of planes bounds: it has a `nearest` point of its surface
    instead. `band`: what counts as on a plane.
    """

    body: Body
    sides: tuple[PlaneSide, ...]
    band: float
    nearest: Nearest | None = None

    @property
    def outside(self) -> tuple[PlaneSide, ...]:
        """The planes that see the point outside."""
        return tuple(side for side in self.sides if side.distance > self.band)

    @property
    def worst(self) -> PlaneSide | None:
        """The plane that has the point farthest in front: it decides."""
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
        PlaneSide(face, _plane_name(body, face), plane.signed_distance(local), body.pose.matrix @ plane.normal)
        for face, plane in enumerate(planes)
    ]
    size = body.shape.bounding_radius
    reach = length(local) + (size if np.isfinite(size) else max(abs(plane.offset) for plane in planes))
    # Where the point lies far from the world's origin, its own digits end there.
    band = ROUNDING * (reach + length(np.array(at)) + length(body.pose.position))
    ordered = tuple(sorted(sides, key=lambda side: -side.distance))
    return PointAgainst(body, ordered, band, None if sides else _nearest(body, np.array(at), band))


def _plane_name(body: Body, face: int) -> str:
    """As the face is called; of a flat polygon's edge `edge2`."""
    solid = body.shape.polyhedron
    flat = solid is not None and len(solid.faces) == 2
    return f"edge{face - 2}" if flat and face > 1 else face_name(body.shape, face)


def start_of(scene: Scene) -> Triple:
    """Where a point begins: beside the pair, seen from outside by a plane or two."""
    bounded = next(body for body in (scene.a, scene.b) if body.shape.plane is None)
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    x, y, z = (middle + half * np.array((0.9, 1.2, 0.7))).tolist()
    return x, y, z


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
    if against.on:
        return f"On the surface of {letter}: no plane has it in front, {worst.name} has it on itself."
    seeing = len(against.outside)
    if seeing:
        return f"Outside {letter}: {seeing} of {count} planes {'has' if seeing == 1 else 'have'} it in front."
    nearest = f"Nearest: {worst.name}, {plain(-worst.distance)} away."
    return f"Inside {letter}: none of {count} planes has it in front. {nearest}"


def _round_words(letter: str, nearest: Nearest, what: str, *, on: bool) -> str:
    if on:
        return f"On the surface of {letter}, {what}."
    side = "Outside" if nearest.distance > 0.0 else "Inside"
    place = "nearest plane at its rim or apex" if nearest.sharp else "nearest tangent plane"
    return f"{side} {letter}, {what}: {plain(abs(nearest.distance))} from its {place}."


def _nearest(body: Body, at: Array, band: float) -> Nearest:
    """Of a round body, as to a sphere without a radius: in closed form, or without one by GJK and EPA."""
    # Relative to the body, whose position may lie far from the world's origin.
    x, y, z = (at - body.pose.position).tolist()
    here, there = replace(body, position=(0.0, 0.0, 0.0)), Body(Sphere(0.0), (x, y, z))
    known = closed_form(here, there)
    if known is not None:
        normal, surface, distance = known.normal, known.point_first, known.separation
    else:
        found = signed_distance(support_maps(here, there))
        normal, surface, distance = found.normal, found.witness_a, found.separation
    feature = body.shape.support_feature(body.pose.direction_to_local(normal), band)
    sharp = feature.kind in ("rim", "vertex")
    return Nearest(body.pose.position + surface, normal, distance, sharp)


def _planes(body: Body) -> list[Plane]:
    """The planes of a body in its own frame."""
    plane, solid = body.shape.plane, body.shape.polyhedron
    if plane is not None:
        return [plane]
    if solid is None:
        return []
    # A flat polygon ends at its edges, too.
    solid = solid.with_rim()
    return [Plane(normal, float(offset)) for normal, offset in zip(solid.normals, solid.offsets, strict=True)]

"""A point against the planes of both bodies: signed distances, and whether it is inside (article V: V1, V2, V4)."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.plane import Plane
from core.geometry.tolerances import ROUNDING
from core.geometry.vector import Array, length
from core.scene import Body, Scene, Triple
from core.shapes import Box, HalfSpace

from ..meshes.shape_kinds import BOX_FACES
from ..words.axis_words import plain


class PlaneSide(Struct, frozen=True, eq=False):
    """A point against one plane: signed `distance`, positive on the side the normal points to.

    `face`: its number in the body's polyhedron, 0 for a half-space; `name` as in the picture; `normal` (3,), world.
    """

    face: int
    name: str
    distance: float
    normal: Array


class PointAgainst(Struct, frozen=True, eq=False):
    """A point against one body: its planes, the one that has the point farthest in front first.

    `sides` is empty for a round body, which no finite number of planes bounds. `band`: what counts as on a plane.
    """

    body: Body
    sides: tuple[PlaneSide, ...]
    band: float

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
        return bool(self.sides) and abs(self.sides[0].distance) <= self.band


def point_against(body: Body, at: Triple) -> PointAgainst:
    """The point `at` of the world against every plane of a body."""
    local = body.pose.to_local(np.array(at))
    planes = _planes(body)
    sides = [
        PlaneSide(face, plane_name(body, face), plane.signed_distance(local), body.pose.matrix @ plane.normal)
        for face, plane in enumerate(planes)
    ]
    size = body.shape.bounding_radius
    reach = length(local) + (size if np.isfinite(size) else max(abs(plane.offset) for plane in planes))
    # Where the point lies far from the world's origin, its own digits end there.
    band = ROUNDING * (reach + length(np.array(at)) + length(body.pose.position))
    return PointAgainst(body, tuple(sorted(sides, key=lambda side: -side.distance)), band)


def start_of(scene: Scene) -> Triple:
    """Where a point begins: beside the pair, seen from outside by a plane or two."""
    bounded = next(body for body in (scene.a, scene.b) if not isinstance(body.shape, HalfSpace))
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    x, y, z = (middle + half * np.array((0.9, 1.2, 0.7))).tolist()
    return x, y, z


def plane_name(body: Body, face: int) -> str:
    """`+x` of a box, `plane` of a half-space, `face7` of a hull."""
    if isinstance(body.shape, HalfSpace):
        return "plane"
    return BOX_FACES[face] if isinstance(body.shape, Box) else f"face{face}"


def verdict_words(index: int, against: PointAgainst) -> str:
    """Inside or outside in words, with the reason: which planes have the point on their positive side."""
    letter, count = "AB"[index], len(against.sides)
    worst = against.worst
    if worst is None:
        return f"{letter} is round: no finite number of planes bounds it."
    if isinstance(against.body.shape, HalfSpace):
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


def _planes(body: Body) -> list[Plane]:
    """The planes of a body in its own frame."""
    if isinstance(body.shape, HalfSpace):
        return [body.shape.plane]
    solid = body.shape.polyhedron
    if solid is None:
        return []
    return [Plane(normal, float(offset)) for normal, offset in zip(solid.normals, solid.offsets, strict=True)]

"""Contact vertices: the feature of each body nearest the separating plane (article P, systems P3 and P10).

A box's supporting feature has one free sign per axis that is perpendicular to the direction: a vertex, an edge or a
face. "Perpendicular" needs a tolerance, which the article lacks: a turn by 90 degrees leaves 2e-16. And each body's
plane passes through its own supporting vertex, where the article anchors it at any point of B.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.tolerances import SUPPORT
from ..geometry.vector import Array, frozen
from ..scene import Body
from ..shapes import Sphere
from ..shapes.box import VERTEX_SIGNS


@dataclass(frozen=True, eq=False, slots=True)
class SupportFeature:
    """The supporting feature of a body in a direction: `kind` is "vertex", "edge", "face" or "surface" (a sphere).

    `points` (k, 3) in the world, in loop order for a face; `indices`: their vertex numbers (empty for a sphere).
    `name`: `v3`, `v1-v4`, `+x`, `surface`.
    """

    kind: str
    points: Array
    indices: tuple[int, ...]
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class ContactVertices:
    """The two supporting features along the normal: of A towards B, and of B towards A."""

    a: SupportFeature
    b: SupportFeature


def support_feature(body: Body, direction: Array) -> SupportFeature:
    """The feature of `body` farthest along the unit vector `direction` (3,), world.

    Vertices within SUPPORT of the body's bounding radius share it.
    """
    shape, pose = body.shape, body.pose
    if isinstance(shape, Sphere):
        point = pose.position + shape.radius * direction
        return SupportFeature("surface", frozen(point.reshape(1, 3)), (), "surface")
    local = pose.direction_to_local(direction)
    drops = np.abs(local) * shape.half_extents * 2.0
    free = drops <= SUPPORT * shape.bounding_radius
    # The steepest axis decides on which side the feature lies, also for a needle that is thinner than the tolerance.
    free[int(np.argmax(np.abs(local)))] = False
    signs = np.sign(local)
    indices = _vertices(tuple(free.tolist()), tuple(np.where(free, 0.0, signs).tolist()), shape.polyhedron.faces)
    points = pose.to_world(shape.polyhedron.vertices[list(indices)])
    kind = {1: "vertex", 2: "edge", 4: "face"}[len(indices)]
    if kind == "face":
        axis = int(np.flatnonzero(~free)[0])
        name = ("+" if signs[axis] > 0 else "-") + "xyz"[axis]
    else:
        name = "-".join(f"v{k}" for k in indices)
    return SupportFeature(kind, frozen(points), indices, name)


def contact_vertices(a: Body, b: Body, normal: Array) -> ContactVertices:
    """Supporting features of both bodies on the two sides of the separating plane; `normal` (3,) from A to B."""
    return ContactVertices(support_feature(a, normal), support_feature(b, -normal))


def _vertices(free: tuple[bool, ...], signs: tuple[float, ...], faces: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Numbers of the box vertices with the given signs on the axes that are not free; a face in loop order."""
    matches = np.equal(VERTEX_SIGNS, signs) | np.array(free)
    found = tuple(np.flatnonzero(matches.all(axis=1)).tolist())
    if len(found) == 4:
        return next(face for face in faces if set(face) == set(found))
    return found

"""A shape as a core grown by a radius. In this form, spheres and capsules are exact."""

from __future__ import annotations

from msgspec import Struct

from ..geometry.vector import Array
from .polyhedron import Polyhedron


class RoundedCore(Struct, frozen=True, eq=False):
    """All points within `radius` of the convex hull of `points` (k, 3), in the body's frame.

    `points`: one for a sphere, two for a capsule, the vertices for a box or hull, whose `radius` is 0. `solid`: the
    convex hull with `points` as its vertices, flat if it has two faces; None for a point, and in 3D for a segment.
    `boxed`: whether the core is a box about the position; its opposite faces then share a candidate axis.
    """

    points: Array
    radius: float
    solid: Polyhedron | None = None
    boxed: bool = False

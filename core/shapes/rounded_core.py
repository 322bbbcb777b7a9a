"""A shape as a core grown by a radius: the form in which spheres and capsules are exact."""

from __future__ import annotations

from msgspec import Struct

from ..geometry.vector import Array
from .polyhedron import Polyhedron


class RoundedCore(Struct, frozen=True, eq=False):
    """All points within `radius` of the convex hull of `points` (k, 3), in the body's frame.

    One point for a sphere, two for a capsule, the vertices with radius 0 for a box or hull. `solid`: the hull itself,
    whose vertices are `points`, flat if it has two faces; None for one point, and in space for two. `boxed`: whether
    the core is a box about the position, whose opposite faces share an axis.
    """

    points: Array
    radius: float
    solid: Polyhedron | None = None
    boxed: bool = False

"""A shape as a core grown by a radius: the form in which spheres and capsules are exact."""

from __future__ import annotations

from msgspec import Struct

from ..geometry.vector import Array


class RoundedCore(Struct, frozen=True, eq=False):
    """All points within `radius` of the convex hull of `points` (k, 3), in the body's frame.

    One point for a sphere, two for a capsule, the vertices with radius 0 for a box or hull.
    """

    points: Array
    radius: float

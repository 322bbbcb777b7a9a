"""The point nearest the origin of a point, a segment or a triangle: the sub-distances of space, in the plane z = 0.

In a plane through the origin Voronoi regions and Signed Volumes are the same sums with a zero in each, so there is
nothing to write a second time; only the region of all three points now means that the origin is inside.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..algorithms.simplex import SubDistance, nearest_on_simplex
from .support import DifferencePoint2
from .vec2 import ORIGIN, Vec2


class Nearest2(Struct, frozen=True):
    """The nearest `point`. `region`: numbers of the points whose feature holds it; `weights`: theirs, with sum 1."""

    region: tuple[int, ...]
    weights: tuple[float, ...]
    point: Vec2


def nearest_on_simplex2(simplex: Sequence[DifferencePoint2], method: SubDistance = SubDistance.VORONOI) -> Nearest2:
    """Of one to three points. All three in the region mean that the origin is strictly inside."""
    found = nearest_on_simplex([(*corner.w, 0.0) for corner in simplex], method)
    inside = len(found.region) == 3
    return Nearest2(found.region, found.weights, ORIGIN if inside else found.point[:2])


def blend(points: Sequence[Vec2], weights: Sequence[float]) -> Vec2:
    """The point with these weights."""
    return (
        sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
    )

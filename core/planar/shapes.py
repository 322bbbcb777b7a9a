"""The shapes of the plane, in their body's frame: a convex polygon and a circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import isfinite

from msgspec import Struct

from .convex_loop import convex_ring
from .vec2 import ORIGIN, Vec2, length, right_of, sub, turn


class Polygon(Struct, frozen=True, dict=True):
    """A convex polygon whose `points` run round it, either way.

    A vertex goes by the number of its point, so numbers stay those of the file; doubled points and points on a side
    keep theirs, but are no vertices. Edge k leads from `ring[k]` to the next, counter-clockwise. Two polygons are
    equal if their points are, in the same order.

    Raises ValueError, with one sentence, for points that span no area or run round no convex polygon.
    """

    points: tuple[Vec2, ...]

    def __post_init__(self) -> None:
        """Refuses what is none."""
        assert self.ring

    @staticmethod
    def of(points: Iterable[Sequence[float]]) -> Polygon:
        """From rows of two numbers."""
        return Polygon(tuple((float(x), float(y)) for x, y in points))

    @staticmethod
    def hull_of(points: Iterable[Vec2]) -> Polygon:
        """The convex hull of points in any order (Andrew's monotone chain). Raises ValueError if it has no area."""
        ordered = sorted(set(points))
        below, above = _chain(ordered), _chain(ordered[::-1])
        return Polygon((*below[:-1], *above[:-1]))

    @cached_property
    def ring(self) -> tuple[int, ...]:
        """Numbers of the vertices, counter-clockwise, the lowest first."""
        return convex_ring(self.points)

    @cached_property
    def normals(self) -> tuple[Vec2, ...]:
        """Unit outward normal of every edge, in the order of `ring`."""
        found = []
        for place, number in enumerate(self.ring):
            following = self.ring[(place + 1) % len(self.ring)]
            out = right_of(sub(self.points[following], self.points[number]))
            size = length(out)
            found.append((out[0] / size, out[1] / size))
        return tuple(found)

    @cached_property
    def bounding_radius(self) -> float:
        """Radius of the smallest circle about the body's position that holds the shape."""
        return max(length(self.points[number]) for number in self.ring)

    @cached_property
    def largest_half_extent(self) -> float:
        """Half of the largest extent along the frame's axes (theory.md, ℓ)."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return 0.5 * max(max(xs) - min(xs), max(ys) - min(ys))


class Circle(Struct, frozen=True):
    """A disc about the body's position. Raises ValueError for a radius that is not positive and finite."""

    radius: float

    def __post_init__(self) -> None:
        """Refuses what is none."""
        if not (self.radius > 0.0 and isfinite(self.radius)):
            raise ValueError(f"a circle needs a positive radius, got {self.radius:g}")

    @property
    def bounding_radius(self) -> float:
        """The radius."""
        return self.radius

    @property
    def largest_half_extent(self) -> float:
        """The radius."""
        return self.radius


Shape2 = Polygon | Circle

CENTRE: tuple[Vec2, ...] = (ORIGIN,)
"""All of a circle but its radius."""


def _chain(ordered: Sequence[Vec2]) -> list[Vec2]:
    """The points of one side of the hull, from end to end."""
    chain: list[Vec2] = []
    for point in ordered:
        while len(chain) > 1 and turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain

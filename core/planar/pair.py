"""A pair of the plane as every algorithm wants it: both cores relative to A's position, and the scale of tolerances."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec import Struct

from ..algorithms.pair import PairScale
from ..geometry.vector import Array, frozen
from .scene import Body2
from .shapes import CENTRE, Polygon
from .vec2 import ORIGIN, Vec2, add, length, sub


class Core2(Struct, frozen=True, eq=False):
    """A placed shape less its radius: a polygon's corners, or a circle's centre.

    `ring`: the corners counter-clockwise, relative to A's position, `points` (k, 2) the same as an array; `numbers`:
    the vertex that each is (0 for a centre). `normals`: unit outward normal of edge k, from corner k to the next; none
    for a centre. `listed` (k, 2) and `listed_numbers`: the same corners by rising number, so that of equally far ones
    the first listed is taken.
    """

    ring: tuple[Vec2, ...]
    numbers: tuple[int, ...]
    normals: tuple[Vec2, ...]
    radius: float
    points: Array
    listed: Array
    listed_numbers: tuple[int, ...]

    @staticmethod
    def of(ring: tuple[Vec2, ...], numbers: tuple[int, ...], normals: tuple[Vec2, ...], radius: float) -> Core2:
        """From all that the rest follows from; the arrays take their precision from the numbers."""
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        points = frozen(np.array(ring))
        return Core2(ring, numbers, normals, radius, points, frozen(points[order]), tuple(numbers[k] for k in order))

    def corner(self, number: int) -> Vec2:
        """The corner with this vertex number."""
        return self.ring[self.numbers.index(number)]

    def edge(self, k: int) -> tuple[Vec2, Vec2]:
        """Both ends of edge k, counter-clockwise."""
        return self.ring[k], self.ring[(k + 1) % len(self.ring)]


class Pair2(Struct, frozen=True, eq=False):
    """Both cores relative to A's position. `offset`: B's position minus A's (T)."""

    a: Core2
    b: Core2
    offset: Vec2
    scale: PairScale

    @staticmethod
    @lru_cache(maxsize=4)
    def of(a: Body2, b: Body2) -> Pair2:
        """Two placed bodies; kept, as every algorithm asks for it again."""
        offset = sub(b.position, a.position)
        larger = max(a.shape.bounding_radius, b.shape.bounding_radius)
        smaller = min(a.shape.largest_half_extent, b.shape.largest_half_extent)
        scale = PairScale(frozen(np.array(offset)), larger, smaller, larger + length(offset))
        return Pair2(_core(a, ORIGIN), _core(b, offset), offset, scale)

    @property
    def radius(self) -> float:
        """Sum of both radii."""
        return self.a.radius + self.b.radius


def _core(body: Body2, offset: Vec2) -> Core2:
    shape = body.shape
    if isinstance(shape, Polygon):
        numbers, radius = shape.ring, 0.0
        ring = tuple(add(body.turned(shape.points[number]), offset) for number in numbers)
        normals = tuple(body.turned(normal) for normal in shape.normals)
    else:
        numbers, radius, ring, normals = (0,), shape.radius, CENTRE if offset == ORIGIN else (offset,), ()
    return Core2.of(ring, numbers, normals, radius)

"""A pair of the plane as its algorithms want it: both cores relative to A's position, and the scale of tolerances."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin

import numpy as np
from msgspec import Struct

from ..geometry.vec2 import ORIGIN, Vec2, add, dropped, rotated
from ..geometry.vector import Array, frozen
from ..scene import Body
from ..shapes import Shape
from .pair import PairScale


class FlatCore(Struct, frozen=True, eq=False):
    """A shape of the plane less its radius, in its body's frame: `corners`, `numbers` and `normals` as in PlaneCore."""

    corners: tuple[Vec2, ...]
    numbers: tuple[int, ...]
    normals: tuple[Vec2, ...]
    radius: float

    @staticmethod
    def of(shape: Shape) -> FlatCore:
        """Raises TypeError for a shape of space."""
        core = shape.core
        if shape.dimension != 2 or core is None:
            raise TypeError(f"the {shape.word} is no shape of the plane")
        points, numbers = core.points.tolist(), (0,) if core.solid is None else core.solid.faces[0]
        corners = tuple((points[number][0], points[number][1]) for number in numbers)
        return FlatCore(corners, numbers, tuple((x, y) for x, y, _ in shape.face_normals.tolist()), core.radius)


class PlaneCore(Struct, frozen=True, eq=False):
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
    def of(ring: tuple[Vec2, ...], numbers: tuple[int, ...], normals: tuple[Vec2, ...], radius: float) -> PlaneCore:
        """From all that the rest follows from; the arrays take their precision from the numbers."""
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        points = frozen(np.array(ring))
        return PlaneCore(
            ring, numbers, normals, radius, points, frozen(points[order]), tuple(numbers[k] for k in order)
        )

    @staticmethod
    def placed(body: Body, position: Vec2) -> PlaneCore:
        """The body's core with its position at `position`. Raises TypeError for a shape of space."""
        flat = FlatCore.of(body.shape)
        ring = tuple(add(rotated(corner, body.angle), position) for corner in flat.corners)
        normals = tuple(rotated(normal, body.angle) for normal in flat.normals)
        return PlaneCore.of(ring, flat.numbers, normals, flat.radius)

    def corner(self, number: int) -> Vec2:
        """The corner with this vertex number."""
        return self.ring[self.numbers.index(number)]

    def edge(self, k: int) -> tuple[Vec2, Vec2]:
        """Both ends of edge k, counter-clockwise."""
        return self.ring[k], self.ring[(k + 1) % len(self.ring)]


class PlanePair(Struct, frozen=True, eq=False):
    """Both cores relative to A's position. `offset`: B's position minus A's (T)."""

    a: PlaneCore
    b: PlaneCore
    offset: Vec2
    scale: PairScale

    @staticmethod
    @lru_cache(maxsize=4)
    def of(a: Body, b: Body) -> PlanePair:
        """Two placed bodies; kept, as every algorithm asks for it again. Raises TypeError for shapes of space."""
        scale = PairScale.of(a, b)
        offset = dropped(scale.offset)
        return PlanePair(PlaneCore.placed(a, ORIGIN), PlaneCore.placed(b, offset), offset, scale)

    @property
    def sharp(self) -> bool:
        """Whether both are polygons without a border: all of their boundary is edges."""
        return bool(self.a.normals and self.b.normals) and self.radius == 0.0

    @property
    def radius(self) -> float:
        """Sum of both radii."""
        return self.a.radius + self.b.radius


def to_world(body: Body, point: Vec2) -> Vec2:
    """A point of the body's frame in the world; the body is one of the plane."""
    return add(rotated(point, body.angle), body.position[:2])


def to_local(body: Body, point: Vec2) -> Vec2:
    """A world point in the body's frame; the body is one of the plane."""
    x, y = point[0] - body.position[0], point[1] - body.position[1]
    c, s = cos(body.angle), sin(body.angle)
    return (c * x + s * y, c * y - s * x)

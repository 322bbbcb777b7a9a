"""Support maps of the plane: all that GJK and EPA know of a pair is the farthest point of A - B in a direction (G3).

Polygon and circle each supply only "farthest point in direction"; of equally far vertices the first listed is taken.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..algorithms.support import Rounding
from .pair import Core2, Pair2
from .scene import Body2
from .vec2 import Vec2, along, length, negated, sub


class DifferencePoint2(Struct, frozen=True):
    """A point `w = a - b` of the difference, all relative to A's position.

    `vertex_a`, `vertex_b`: its source vertices (0 for a circle's centre, -1 on a circle's arc). `direction`: the one
    it is the support along.
    """

    w: Vec2
    a: Vec2
    b: Vec2
    vertex_a: int
    vertex_b: int
    direction: Vec2


class Difference2(Struct, frozen=True, eq=False):
    """The difference of two cores; the bodies' difference is this one grown by both radii.

    `arcs`: whether circles are asked as curved shapes, and not as a centre whose radius is kept apart. `offset`: B's
    position minus A's. `larger`: L; `extent`: L + |T| (see PairScale).
    """

    a: Core2
    b: Core2
    offset: Vec2
    larger: float
    extent: float
    arcs: bool = False

    @staticmethod
    def of(a: Body2, b: Body2, *, rounded: Rounding = "core") -> Difference2:
        """Of two placed bodies, circles as their "core" (a point: exact) or "full" (as a curve, like any other)."""
        pair = Pair2.of(a, b)
        return Difference2(pair.a, pair.b, pair.offset, pair.scale.larger, pair.scale.extent, rounded == "full")

    @property
    def radius_a(self) -> float:
        """A's radius, as far as it is kept apart."""
        return 0.0 if self.arcs else self.a.radius

    @property
    def radius_b(self) -> float:
        """B's radius, as far as it is kept apart."""
        return 0.0 if self.arcs else self.b.radius

    @property
    def radius(self) -> float:
        """Sum of both radii."""
        return self.radius_a + self.radius_b

    def support(self, direction: Vec2) -> DifferencePoint2:
        """The point of the difference farthest along `direction`, of any length but zero, with both sources."""
        a, vertex_a = self._farthest(self.a, direction)
        b, vertex_b = self._farthest(self.b, negated(direction))
        x, y = sub(a, b)
        return DifferencePoint2((x + 0.0, y + 0.0), a, b, vertex_a, vertex_b, direction)

    def _farthest(self, core: Core2, direction: Vec2) -> tuple[Vec2, int]:
        if not core.normals:
            if self.arcs:
                return along(core.ring[0], core.radius / length(direction), direction), -1
            return core.ring[0], 0
        place = int((core.listed @ np.array(direction)).argmax())
        number = core.listed_numbers[place]
        return core.corner(number), number

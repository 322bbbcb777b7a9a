"""What every closed form answers with."""

from __future__ import annotations

from msgspec import Struct

from ..geometry.vector import Array, vec

X_AXIS = vec(1.0, 0.0, 0.0)
"""The normal where every direction is as good as any other."""


class Proximity(Struct, frozen=True, eq=False):
    """Signed distance between two bodies, first to second.

    `separation` positive apart; `normal` (3,) unit, from the first to the second; `point_first`, `point_second` (3,)
    on the surfaces, `point_second - point_first = separation * normal`.
    """

    separation: float
    normal: Array
    point_first: Array
    point_second: Array

    def swapped(self) -> Proximity:
        """The same pair, second to first."""
        return Proximity(self.separation, -self.normal, self.point_second, self.point_first)

    def grown(self, first: float, second: float) -> Proximity:
        """The same bodies, each grown by a ball of its radius: along the normal, apart and overlapping."""
        if first == second == 0.0:
            return self
        point_first = self.point_first + first * self.normal
        point_second = self.point_second - second * self.normal
        return Proximity(self.separation - first - second, self.normal, point_first, point_second)

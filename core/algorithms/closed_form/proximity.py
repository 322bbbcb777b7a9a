"""What every closed form answers with."""

from __future__ import annotations

from msgspec import Struct

from ...geometry.vector import Array, vec

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

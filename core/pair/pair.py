"""The scale of a pair: what every tolerance about two bodies is measured by (core/README.md, "Tolerances")."""

from __future__ import annotations

from functools import lru_cache
from math import inf

from msgspec import Struct

from ..geometry import tolerances
from ..geometry.vector import Array, frozen, length
from ..scene import Body


class PairScale(Struct, frozen=True, eq=False):
    """`offset` (3,): B's position minus A's (T), world. `larger`: L. `smaller`: ℓ. `extent`: L + |T|, scene units.

    A half-space's plane may lie far from both positions: how far it is from its own counts for the extent as well.
    """

    offset: Array
    larger: float
    smaller: float
    extent: float

    @staticmethod
    @lru_cache(maxsize=4)
    def of(a: Body, b: Body) -> PairScale:
        """The scale of two placed bodies; kept, as every algorithm asks for it again.

        Raises ValueError for two half-spaces, which have none.
        """
        offset = frozen(b.pose.position - a.pose.position)
        radii = (a.shape.bounding_radius, b.shape.bounding_radius)
        # A half-space has no size: the other body's measures the pair.
        larger = max((radius for radius in radii if radius < inf), default=inf)
        if larger == inf:
            raise ValueError("only one of the two bodies may be a half-space")
        smaller = min(a.shape.largest_half_extent, b.shape.largest_half_extent)
        return PairScale(offset, larger, smaller, larger + length(offset) + _plane_distance(a, b))

    @property
    def band(self) -> float:
        """Half width of the TOUCHING band."""
        return tolerances.touching_band(self.smaller, self.larger, self.extent - self.larger)

    @property
    def rounding(self) -> float:
        """What one projection may be off by; separations closer than this are not told apart."""
        return tolerances.ROUNDING * self.extent

    @property
    def tie(self) -> float:
        """Separations closer than this tie."""
        return tolerances.TIE * self.extent

    @property
    def agreement(self) -> float:
        """Two algorithms' numbers further apart than this disagree."""
        return tolerances.AGREEMENT * self.extent


def _plane_distance(a: Body, b: Body) -> float:
    """How far a half-space's plane is from its body's position; 0 for bounded bodies."""
    return sum(abs(plane.offset) for plane in (a.shape.plane, b.shape.plane) if plane is not None)

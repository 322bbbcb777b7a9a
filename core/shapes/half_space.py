"""Half-space: all points behind a plane."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import number, three_numbers
from ..geometry.plane import Plane
from ..geometry.tolerances import FRAME_ROUNDING
from ..geometry.triple import Triple
from ..geometry.vector import Array, cross_rows, dots, frozen, length, length_rows
from .contract import SupportFeature
from .curved import Curved
from .line_spans import Line, LineSpan, half_space_span


class HalfSpace(Curved, Struct, frozen=True):
    """All points p of the body's frame with `normal·p <= offset`.

    `normal` has any length but zero, and `offset` scales with that length; `plane` has both for the unit normal. A
    half-space has no size: its bounding radius and ℓ are infinite. It has a farthest point along its normal only.
    Raises ValueError for numbers that are not finite, TypeError for values that are no numbers; a zero normal is
    refused by `plane` only.
    """

    word: ClassVar[str] = "half-space"
    radii: ClassVar[None] = None
    farthest: ClassVar[None] = None

    normal: Triple
    offset: float

    def __post_init__(self) -> None:
        """Checks the numbers. A zero normal is refused only when `plane` is read."""
        force_setattr(self, "normal", three_numbers("the normal of a half-space", self.normal))
        force_setattr(self, "offset", number("the offset of a half-space", self.offset))

    @property
    def plane(self) -> Plane:
        """The boundary plane with its unit normal, body frame.

        Raises ValueError for a normal that is zero, or whose length is beyond doubles.
        """
        normal = np.array(self.normal, dtype=np.float64)
        size = length(normal)
        if not 0.0 < size < inf:
            raise ValueError("the normal of a half-space must not be zero")
        return Plane(frozen(normal / size), self.offset / size)

    @property
    def bounding_radius(self) -> float:
        """Infinite: no ball contains a half-space."""
        return inf

    @property
    def largest_half_extent(self) -> float:
        """Infinite: the touching band is a share of the other body's ℓ."""
        return inf

    @property
    def core(self) -> None:
        """None: a half-space is not the hull of finitely many points."""
        return None

    def support(self, direction: Array) -> Array:
        """The point (3,) of the plane nearest the frame's origin, if `direction` (3,) is along the normal or zero.

        Raises ValueError for every other direction, along which a half-space is unbounded: a point at infinity in an
        answer would be worse. GJK and EPA do not accept half-spaces; every shape against one has a closed form.
        """
        if not np.isfinite(self.reach(direction)):
            raise ValueError("a half-space has a farthest point along its normal only")
        return self.plane.point()

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:  # noqa: ARG002 (the common contract)
        """The plane, for every direction. Its only point is the one nearest the frame's origin."""
        return SupportFeature("plane", frozen(self.plane.point().reshape(1, 3)), (), "plane")

    def line_span(self, line: Line, grow: float) -> LineSpan | None:  # noqa: ARG002 (the common contract)
        """The stretch of a line behind the plane, infinite at one end or both; None for a parallel line in front of it.

        `grow` is ignored: only a parallel line grazes a plane.
        """
        return half_space_span(line, self.plane)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...).

        The value is finite along the normal (to rounding of a turned frame) and for the zero vector, else infinite.
        """
        plane = self.plane
        # Divided by powers of two, which is exact, no square leaves the range of doubles.
        _, exponents = np.frexp(np.abs(directions).max(axis=-1, keepdims=True))
        ways = np.ldexp(directions, -exponents)
        sizes = length_rows(ways)
        along = dots(ways, plane.normal)
        off = length_rows(cross_rows(ways, plane.normal))
        meets = (off <= FRAME_ROUNDING * sizes) & (along >= 0.0)
        reach: Array = np.where(meets, np.ldexp(sizes, exponents[..., 0]) * plane.offset, inf)
        return reach

"""Capsule: a segment along Y with a radius."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import number
from ..geometry.vector import Array, frozen, length_rows
from .contract import SupportFeature, round_feature
from .curved import Curved
from .directions import unit_about_y, unit_triple
from .line_spans import Line, LineSpan, capsule_span
from .rounded_core import RoundedCore


class Capsule(Curved, Struct, frozen=True):
    """All points within `radius` of a segment of `length` along the body's Y, centred at its position; both > 0.

    The whole capsule is `length + 2 radius` long. Raises ValueError for other sizes, TypeError for one that is no
    number.
    """

    word: ClassVar[str] = "capsule"
    plane: ClassVar[None] = None
    radii: ClassVar[None] = None
    farthest: ClassVar[None] = None

    radius: float
    length: float

    def __post_init__(self) -> None:
        """Checks the sizes."""
        force_setattr(self, "radius", number(f"the radius of a {self.word}", self.radius, positive=True))
        force_setattr(self, "length", number(f"the length of a {self.word}", self.length, positive=True))

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape."""
        return 0.5 * self.length + self.radius

    @property
    def largest_half_extent(self) -> float:
        """ℓ: the largest half extent along the frame's axes; the touching band is a share of it."""
        return 0.5 * self.length + self.radius

    @property
    def core(self) -> RoundedCore:
        """The two ends of the segment, lower first, grown by the radius."""
        half = 0.5 * self.length
        return RoundedCore(frozen(np.array(((0.0, -half, 0.0), (0.0, half, 0.0)))), self.radius)

    def support(self, direction: Array) -> Array:
        """The point farthest along `direction` (3,) of any length, body frame; the upper one if two tie."""
        x, y, z = unit_triple(direction)
        r, half = self.radius, 0.5 * self.length
        return np.array((r * x, r * y + (half if y >= 0.0 else -half), r * z))

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """`side`, a line, if all of it is within `tolerance` of the farthest point, else one point of a `cap`.

        `direction` (3,): unit.
        """
        x, y, z = unit_triple(direction)
        ux, uz, across = unit_about_y(x, z)
        r, half = self.radius, 0.5 * self.length
        if abs(y) * self.length <= tolerance and r * (1.0 - across) <= tolerance:
            return round_feature("edge", "side", (r * ux, -half, r * uz), (r * ux, half, r * uz))
        end, name = (half, "cap +y") if y >= 0.0 else (-half, "cap -y")
        return round_feature("surface", name, (r * x, r * y + end, r * z))

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the shape enlarged by `grow` all round; None if it misses."""
        return capsule_span(line, self.radius, self.length, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        reach: Array = self.radius * length_rows(directions) + 0.5 * self.length * np.abs(directions[..., 1])
        return reach

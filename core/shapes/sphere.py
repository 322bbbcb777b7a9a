"""Sphere: a ball about the body's position."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import number
from ..geometry.vector import Array, frozen, length_rows
from .contract import SupportFeature, round_feature
from .curved import Curved
from .directions import unit_triple
from .line_spans import Line, LineSpan, sphere_span
from .rounded_core import RoundedCore


class Sphere(Curved, Struct, frozen=True):
    """Solid sphere of `radius` about the body's position.

    Raises ValueError unless `radius` is > 0 and finite, TypeError if it is no number.
    """

    word: ClassVar[str] = "sphere"
    plane: ClassVar[None] = None
    radii: ClassVar[None] = None
    farthest: ClassVar[None] = None

    radius: float

    def __post_init__(self) -> None:
        """Checks the radius."""
        force_setattr(self, "radius", number(f"the radius of a {self.word}", self.radius, positive=True))

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape."""
        return self.radius

    @property
    def largest_half_extent(self) -> float:
        """ℓ: the largest half extent along the frame's axes; the touching band is a share of it."""
        return self.radius

    @property
    def core(self) -> RoundedCore:
        """The centre, grown by the radius."""
        return RoundedCore(frozen(np.zeros((1, 3))), self.radius)

    def support(self, direction: Array) -> Array:
        """The point farthest along `direction` (3,) of any length, body frame."""
        x, y, z = unit_triple(direction)
        r = self.radius
        return np.array((r * x, r * y, r * z))

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:  # noqa: ARG002 (the common contract)
        """The surface point farthest along `direction` (3,)."""
        x, y, z = unit_triple(direction)
        r = self.radius
        return round_feature("surface", "surface", (r * x, r * y, r * z))

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the shape enlarged by `grow` all round; None if it misses."""
        return sphere_span(line, self.radius, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        return self.radius * length_rows(directions)

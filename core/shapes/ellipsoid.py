"""Ellipsoid: a sphere scaled along the body's axes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import three_numbers
from ..geometry.triple import Triple
from ..geometry.vector import Array, length_rows
from .contract import SupportFeature, round_feature
from .curved import Curved
from .directions import scaled_to_unit, unit_along
from .line_spans import Line, LineSpan, ellipsoid_span


class Ellipsoid(Curved, Struct, frozen=True):
    """Solid ellipsoid with `radii` along the body's axes.

    Raises ValueError unless each is > 0 and finite, TypeError for radii that hold no numbers.
    """

    word: ClassVar[str] = "ellipsoid"
    plane: ClassVar[None] = None

    radii: Triple

    def __post_init__(self) -> None:
        """Checks the radii."""
        force_setattr(self, "radii", three_numbers("the radii of an ellipsoid", self.radii, positive=True))

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape."""
        return max(self.radii)

    @property
    def largest_half_extent(self) -> float:
        """ℓ: the largest half extent along the frame's axes; the touching band is a share of it."""
        return max(self.radii)

    @property
    def core(self) -> None:
        """None: an ellipsoid is not the hull of finitely many points, grown by a radius."""
        return None

    def farthest(self, x: float, y: float, z: float) -> Triple:
        """The point farthest along d = (x, y, z), in the precision of these numbers: `r² d / |r d|` by component."""
        a, b, c = self.radii
        x, y, z = unit_along(x, y, z)
        x, y, z = scaled_to_unit(a * x, b * y, c * z)
        return (a * x, b * y, c * z)

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:  # noqa: ARG002 (the common contract)
        """The surface point farthest along `direction` (3,)."""
        return round_feature("surface", "surface", self.farthest(*direction.tolist()))

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the ellipsoid with its radii enlarged by `grow`; None if it misses."""
        return ellipsoid_span(line, self.radii, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        return length_rows(directions * np.array(self.radii))

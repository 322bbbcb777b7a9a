"""Cylinder: a disc swept along Y, with two flat ends."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..geometry.triple import Triple
from ..geometry.vector import Array, length_rows
from .contract import SupportFeature, round_feature
from .curved import SolidOfRevolution
from .directions import in_range, unit_about_y, unit_triple
from .line_spans import Line, LineSpan, cylinder_span


class Cylinder(SolidOfRevolution, frozen=True):
    """Solid cylinder of `radius` about the body's Y and full `height` along it, centred at its position; both > 0.

    Raises ValueError for other sizes, TypeError for one that is no number.
    """

    word: ClassVar[str] = "cylinder"

    def farthest(self, x: float, y: float, z: float) -> Triple:
        """The point farthest along (x, y, z), in the precision of these numbers; on a rim, the upper one if two tie."""
        x, y, z = in_range(x, y, z)
        ux, uz, _ = unit_about_y(x, z)
        half = 0.5 * self.height
        return (self.radius * ux, half if y >= 0.0 else -half, self.radius * uz)

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """A whole `cap`, a line of the `side`, or one point of a `rim`.

        A cap or line is returned if all of it is within `tolerance` of the farthest point along the unit `direction`
        (3,). A cap must also be within 45° of the direction, a line must not: a whole small cylinder may be within the
        tolerance.
        """
        x, y, z = unit_triple(direction)
        ux, uz, across = unit_about_y(x, z)
        r, half = self.radius, 0.5 * self.height
        end, sign = (half, "+y") if y >= 0.0 else (-half, "-y")
        if abs(y) >= across and 2.0 * r * across <= tolerance:
            return disc(r, end, f"cap {sign}")
        if across > abs(y) and self.height * abs(y) <= tolerance:
            return round_feature("edge", "side", (r * ux, -half, r * uz), (r * ux, half, r * uz))
        return round_feature("rim", f"rim {sign}", (r * ux, end, r * uz))

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the shape enlarged by `grow` all round; None if it misses."""
        return cylinder_span(line, self.radius, self.height, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        across = length_rows(directions[..., ::2])
        reach: Array = self.radius * across + 0.5 * self.height * np.abs(directions[..., 1])
        return reach


def disc(radius: float, y: float, name: str) -> SupportFeature:
    """The feature of a flat end at height `y`: four points of its rim, counter-clockwise seen from outside."""
    turn = radius if y >= 0.0 else -radius
    return round_feature("disc", name, (radius, y, 0.0), (0.0, y, -turn), (-radius, y, 0.0), (0.0, y, turn))

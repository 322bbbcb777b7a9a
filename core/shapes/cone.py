"""Cone: the hull of a disc and an apex above it along Y."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..geometry.triple import Triple
from ..geometry.vector import Array, length_rows
from .contract import SupportFeature, round_feature
from .curved import SolidOfRevolution
from .cylinder import disc
from .directions import in_range, unit_about_y, unit_triple
from .line_spans import Line, LineSpan, cone_span


class Cone(SolidOfRevolution, frozen=True):
    """Solid cone with its apex up: `radius` of the base, `height` along the body's Y; both > 0.

    The body's position is at half height: the apex is at `+height/2`, the base at `-height/2`. Raises ValueError for
    other sizes, TypeError for one that is no number.
    """

    word: ClassVar[str] = "cone"

    def farthest(self, x: float, y: float, z: float) -> Triple:
        """The point farthest along (x, y, z), in the precision of these numbers: the apex or a point of the rim."""
        x, y, z = in_range(x, y, z)
        ux, uz, across = unit_about_y(x, z)
        half = 0.5 * self.height
        if self.height * y >= self.radius * across:
            return (0.0, half, 0.0)
        return (self.radius * ux, -half, self.radius * uz)

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """The `apex`, the whole `base`, a line of the `side` from rim to apex, or one point of the `rim`.

        The base or line is returned if all of it is within `tolerance` of the farthest point along the unit `direction`
        (3,). The direction must also be within 45° of -y for the base: all of a small base may be within the tolerance.
        """
        x, y, z = unit_triple(direction)
        ux, uz, across = unit_about_y(x, z)
        r, half = self.radius, 0.5 * self.height
        lead = self.height * y - r * across
        if -y >= across and 2.0 * r * across <= tolerance:
            return disc(r, -half, "base")
        if abs(lead) <= tolerance and across > 0.0:
            return round_feature("edge", "side", (r * ux, -half, r * uz), (0.0, half, 0.0))
        if lead > 0.0:
            return round_feature("vertex", "apex", (0.0, half, 0.0))
        return round_feature("rim", "rim -y", (r * ux, -half, r * uz))

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the shape enlarged by `grow` all round; None if it misses."""
        return cone_span(line, self.radius, self.height, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        across = length_rows(directions[..., ::2])
        up = 0.5 * self.height * directions[..., 1]
        reach: Array = np.maximum(up, self.radius * across - up)
        return reach

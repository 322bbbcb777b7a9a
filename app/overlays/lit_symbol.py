"""Rings the point of the picture that the symbol under the pointer names: `v`, `w₁` or `d` of the card "Step".

The point is found by its label, which contains the symbol as a word before any `=`.
"""

from __future__ import annotations

import re

from ..draw.draw_list import DrawList, Marker, Subject
from ..draw.theme import faded
from .context import Build, Context

KIND = "symbol "
RING_RADIUS, RING_WIDTH, LABEL_FACTOR = 11.0, 2.6, 1.25
"""Radius and width of the ring, points, and the factor by which the label grows."""


def symbol_subject(symbol: str) -> Subject:
    """The subject that is pointed at while the pointer is on a symbol."""
    return Subject(f"{KIND}{symbol}")


def lit(build: Build) -> Build:
    """Wraps a picture: while the pointer is on a symbol, the point that it names is ringed, and its label larger."""

    def drawn(context: Context, draw: DrawList) -> None:
        before = len(draw.labels)
        build(context, draw)
        hover = context.view.hover
        if hover is None or not hover.kind.startswith(KIND):
            return
        symbol = hover.kind.removeprefix(KIND)
        for label in draw.labels[before:]:
            if symbol in re.split("[ ,:]+", label.text.partition("=")[0]):
                label.size, label.bold = LABEL_FACTOR * label.size, True
                draw.spots(label.point, faded(label.rgba, 0.0), RING_RADIUS, label.rgba, RING_WIDTH, shape=Marker.RING)

    return drawn

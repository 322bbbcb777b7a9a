"""What a symbol of the step's card names, ringed in the picture while the pointer is on it: `v`, `w₁`, `d`.

The picture has a label at each of them that begins with the symbol, so that it is found there.
"""

from __future__ import annotations

import re

from ..draw.draw_list import DrawList, Marker, Subject
from ..draw.theme import faded
from .context import Build, Context

KIND = "symbol "
RING, RIM, LARGER = 11.0, 2.6, 1.25
"""Radius and width of the ring, points, and how much larger the label is."""


def symbol_subject(symbol: str) -> Subject:
    """What pointing at a symbol points at."""
    return Subject(f"{KIND}{symbol}")


def lit(build: Build) -> Build:
    """The same picture, with that ringed which the symbol pointed at names."""

    def drawn(context: Context, draw: DrawList) -> None:
        before = len(draw.labels)
        build(context, draw)
        hover = context.view.hover
        if hover is None or not hover.kind.startswith(KIND):
            return
        symbol = hover.kind.removeprefix(KIND)
        for label in draw.labels[before:]:
            if symbol in re.split("[ ,:]+", label.text.partition("=")[0]):
                label.size, label.bold = LARGER * label.size, True
                draw.spots(label.point, faded(label.rgba, 0.0), RING, label.rgba, RIM, shape=Marker.RING)

    return drawn

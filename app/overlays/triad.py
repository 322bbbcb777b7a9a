"""World axes with letters in a corner, so that they are not taken for candidate axes."""

from __future__ import annotations

import numpy as np

from ..draw.draw_list import DrawList, Hidden
from ..words.terms import terms_of
from .context import Context, Overlay
from .text_sizes import PLAIN


def _triad(context: Context, draw: DrawList) -> None:
    theme = context.theme
    colours = (theme.world_x, theme.world_y, theme.world_z)
    for axis, (name, rgba) in enumerate(zip(terms_of(context.scene.dimension).axes, colours, strict=False)):
        tip = np.zeros(3)
        tip[axis] = 0.72
        draw.lines(np.zeros(3), tip, rgba, 2.2, hidden=Hidden.SHOW, arrow_end=8.0)
        draw.label(name.upper(), tip * 1.32, rgba, size=PLAIN, offset=(0.0, 0.0), priority=50, bold=True)


OVERLAY = Overlay("triad", "World axes", "I", "The world's X, Y and Z in the corner", triad=_triad)

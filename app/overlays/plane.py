"""The separating plane: half way across the gap, perpendicular to the shortest way between the bodies."""

from __future__ import annotations

from core.verdict import Verdict

from ..draw.draw_list import DrawList, Hidden
from ..draw.theme import faded
from ..words.terms import terms_of
from .context import Context, Overlay
from .extent import square_of
from .text_sizes import PLAIN


def _world(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is Verdict.OVERLAPPING:
        return
    middle = 0.5 * (analysis.witness_a + analysis.witness_b)
    corners = square_of(middle, analysis.normal, 0.9 * context.extent.reach(analysis.normal, middle))
    draw.sheet(corners, faded(context.theme.gap, 0.16))
    draw.polyline(corners, faded(context.theme.gap, 0.8), 1.2, closed=True, hidden=Hidden.FAINT)
    name = f"separating {terms_of(context.scene.dimension).plane}"
    draw.label(name, corners[0], context.theme.gap, size=PLAIN, offset=(0.0, -10.0), priority=25)


OVERLAY = Overlay(
    "plane",
    "Separating plane",
    "P",
    "A plane with A on one side and B on the other; none when they overlap",
    world=_world,
    of_answer=True,
)

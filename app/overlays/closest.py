"""The closest points of two separated bodies and the distance between them."""

from __future__ import annotations

from core.verdict import Verdict

from ..draw.draw_list import DrawList, Subject
from ..words.axis_words import plain
from .context import Context, Overlay
from .text_sizes import STRONG


def _world(context: Context, draw: DrawList) -> None:
    analysis, theme = context.analysis, context.theme
    if analysis.verdict is Verdict.OVERLAPPING:
        return
    if analysis.verdict is Verdict.SEPARATED:
        draw.strong(analysis.witness_a, analysis.witness_b, theme.gap, 2.6, subject=Subject("closest"))
        word = f"distance {plain(analysis.separation)}"
    else:
        word = "touching"
    middle = 0.5 * (analysis.witness_a + analysis.witness_b)
    draw.label(
        word, middle, theme.gap, size=STRONG, offset=(52.0, -16.0), priority=80, subject=Subject("closest"), bold=True
    )
    for index, point in enumerate((analysis.witness_a, analysis.witness_b)):
        draw.spots(point, theme.edge(index), 5.0, theme.halo, 1.5, subject=Subject("closest", index))


OVERLAY = Overlay(
    "closest",
    "Closest points",
    "C",
    "The two nearest points of separated bodies and their distance",
    world=_world,
    of_answer=True,
)

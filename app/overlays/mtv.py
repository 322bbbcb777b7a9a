"""The penetration depth as an arrow: the minimum translation vector, from B's deepest point to A's surface."""

from __future__ import annotations

from core.verdict import Verdict

from ..draw.draw_list import DrawList, Subject
from ..words.axis_words import plain
from .context import Context, Overlay
from .text_sizes import STRONG


def _world(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is not Verdict.OVERLAPPING or analysis.mtv is None:
        return
    rgba, subject = context.theme.overlap, Subject("mtv")
    draw.strong(analysis.witness_b, analysis.witness_b + analysis.mtv, rgba, 3.2, subject=subject, arrow_end=14.0)
    words, middle = f"depth {plain(-analysis.separation)}", analysis.witness_b + 0.5 * analysis.mtv
    draw.label(words, middle, rgba, size=STRONG, offset=(58.0, -16.0), priority=80, subject=subject, bold=True)


OVERLAY = Overlay(
    "mtv",
    "Penetration depth",
    "D",
    "The shortest move of B that ends the overlap, with its length",
    world=_world,
    of_answer=True,
)

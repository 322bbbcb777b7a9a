"""The second line of the verdict: what the bodies' motion comes to, in the colour of its outcome."""

from __future__ import annotations

from imgui_bundle import imgui

from core.toi import MotionOutcome
from core.verdict import Verdict

from ..draw.draw_list import Rgba
from ..draw.theme import Theme
from ..state.panel_state import PanelState
from ..words.axis_words import full
from ..words.motion_words import verdict_of_motion
from .motion_bar import waiting_words
from .panel import Ask
from .widgets import HEAD_GAP, coloured, copies_on_click, cramped, em, verdict_mark

MARKS = {
    MotionOutcome.HIT: Verdict.OVERLAPPING,
    MotionOutcome.INITIAL_OVERLAP: Verdict.OVERLAPPING,
    MotionOutcome.SEPARATED: Verdict.SEPARATED,
    MotionOutcome.ITERATION_LIMIT: Verdict.TOUCHING,
}
"""The shape beside the words."""

NOTE = "In motion; t runs from 0 at the start to 1 at the end. Separations are signed: positive apart, negative deep."


def outcome_colour(outcome: MotionOutcome, theme: Theme) -> Rgba:
    """Colour beside word and shape; never the only carrier."""
    return {
        MotionOutcome.HIT: theme.overlap,
        MotionOutcome.INITIAL_OVERLAP: theme.overlap,
        MotionOutcome.SEPARATED: theme.gap,
        MotionOutcome.ITERATION_LIMIT: theme.winner,
    }[outcome]


def draw_motion_verdict(ui: PanelState, inner: float, ask: Ask) -> None:
    """Of bodies that move; while the answer waits, that it does. `inner`: how wide the line may be."""
    sweep = ui.sweep
    if sweep is None:
        imgui.text_disabled(f"In motion: {waiting_words(ui)[0].lower()}{waiting_words(ui)[1:]}.")
        return
    head, rest = verdict_of_motion(sweep)
    verdict_mark(MARKS[sweep.outcome], ui.theme)
    imgui.same_line(0.0, HEAD_GAP * em())
    rest_wide = imgui.calc_text_size(rest).x
    # What would take more than one line of its own stands in the tooltip.
    short = cramped(ui.viewport) or rest_wide > inner
    with coloured(outcome_colour(sweep.outcome, ui.theme)):
        imgui.text_unformatted(head if short else f"{head}:")
    note = f"{head}: {rest}\n{NOTE}" if short else NOTE
    value = sweep.motion.start.separation if sweep.result.time is None else sweep.result.time
    what = "separation at the start" if sweep.result.time is None else "time of impact"
    copies_on_click(full(value), what, ask, note)
    if short:
        return
    if imgui.calc_text_size(f"{head}: ").x + rest_wide + (1.0 + HEAD_GAP) * em() <= inner:
        imgui.same_line(0.0, imgui.calc_text_size(" ").x)
    imgui.text_unformatted(rest)

"""The docked panel of the motion: the outcome, the axes' bars, the distance over time, every method's answer."""

from __future__ import annotations

from imgui_bundle import imgui
from msgspec.structs import replace

from core.algorithms.motion import MotionOutcome, MotionResult
from core.answer import Verdict
from core.motion_answers import SweepAnswer

from ..draw_list import Rgba
from ..motion_times import moves
from ..panel_state import PanelState
from ..requests import Invoke, Look
from ..theme import Theme
from ..words.axis_words import full, number, plain, shown_part
from ..words.motion_words import KNOWN, answer_words, frame_test_words, outcome_words
from .layout import AXES_TITLE, MOTION_TITLE
from .motion_articles import MotionArticles
from .motion_axes import draw_axes
from .motion_bar import NO_MOTION, waiting_words
from .motion_chart import draw_distance
from .numbers import short_vector, vector17
from .panel import Ask
from .side_panel import SidePanel
from .widgets import HEAD_GAP, coloured, copyable, em, explain, say, verdict_mark, wrapped_at

SAME_TIME = 1e-6
"""Times no farther apart are one: advancement, where it answers, knows no more."""

_MARKS = {
    MotionOutcome.HIT: Verdict.OVERLAPPING,
    MotionOutcome.INITIAL_OVERLAP: Verdict.OVERLAPPING,
    MotionOutcome.SEPARATED: Verdict.SEPARATED,
    MotionOutcome.ITERATION_LIMIT: Verdict.TOUCHING,
}


def outcome_colour(outcome: MotionOutcome, theme: Theme) -> Rgba:
    """Colour beside word and shape; never the only carrier."""
    return {
        MotionOutcome.HIT: theme.overlap,
        MotionOutcome.INITIAL_OVERLAP: theme.overlap,
        MotionOutcome.SEPARATED: theme.gap,
        MotionOutcome.ITERATION_LIMIT: theme.winner,
    }[outcome]


class MotionPanel:
    """Docked, while the motion is shown."""

    def __init__(self) -> None:
        self._window = SidePanel(MOTION_TITLE, AXES_TITLE)
        self._articles = MotionArticles()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Words, charts, methods."""
        scene = ui.document.scene
        wanted = ui.settings.panels and ui.view.shows_motion(scene)
        visible, still_open = self._window.begin(wanted=wanted)
        if not wanted:
            return
        if visible:
            if ui.sweep is not None:
                self._draw_answer(ui, ui.sweep, ask)
            elif moves(scene.a) or moves(scene.b):
                say(f"{waiting_words(ui)}: with these shapes it takes longer than a frame may.", ui.theme.dim_text)
            else:
                say(NO_MOTION, ui.theme.dim_text)
        imgui.end()
        if not still_open:
            ask.append(Invoke("motion.show"))

    def _draw_answer(self, ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
        verdict_mark(_MARKS[sweep.outcome], ui.theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        with coloured(outcome_colour(sweep.outcome, ui.theme)), wrapped_at():
            imgui.text_unformatted(f"{outcome_words(sweep)}.")
        say(frame_test_words(sweep), ui.theme.dim_text)
        for sentence in sweep.disagreements:
            say(f"Methods disagree: {sentence}", ui.theme.overlap)
        _draw_numbers(ui, sweep.result, len(sweep.contacts), ask)
        if sweep.axes is not None and len(sweep.axes.candidates):
            imgui.separator_text("Each axis from entry to exit")
            draw_axes(ui, sweep.axes, ask)
            if note := axes_note(sweep):
                say(note, ui.theme.dim_text)
        imgui.separator_text("Distance over time")
        clicked, chosen = draw_distance(ui, sweep)
        if clicked and chosen != ui.view.time:
            ask.append(Look(replace(ui.view, time=chosen)))
        imgui.separator_text("Every method")
        _draw_methods(ui, sweep)
        self._articles.draw(ui, sweep, ask)


def axes_note(sweep: SweepAnswer) -> str:
    """Why the latest entry is not the time of impact, in a sentence; empty where it is, or nothing meets."""
    axes, time = sweep.axes, sweep.result.time
    if axes is None or axes.latest_entry is None or time is None or sweep.outcome is not MotionOutcome.HIT:
        return ""
    if time - float(axes.entries[axes.latest_entry]) <= SAME_TIME:
        return ""
    return "Round surfaces have more axes than these: before the latest entry they cannot meet, but they meet later."


def _draw_numbers(ui: PanelState, result: MotionResult, contacts: int, ask: Ask) -> None:
    if not imgui.begin_table("##numbers", 2, imgui.TableFlags_.none):
        return
    imgui.table_setup_column("name", imgui.TableColumnFlags_.width_fixed, imgui.calc_text_size("contacts").x)
    imgui.table_setup_column("value", imgui.TableColumnFlags_.width_stretch)
    if result.time is not None:
        _row("time", "Of the first contact, as a fraction of the motion.")
        copyable(f"{plain(result.time)}, {KNOWN[result.provenance]}", full(result.time), "time of impact", ask)
        _row("left", "The signed distance that is left there, in scene units.")
        left = result.separation or 0.0
        copyable(number(left), full(left), "distance left", ask)
    if result.normal is not None:
        _row("normal", "Unit vector from A towards B, at the contact; or along which they stay apart.")
        normal = shown_part(ui.analysis, result.normal)
        copyable(short_vector(normal.tolist()), vector17(normal), "normal", ask)
    if result.normal is not None and result.axis:
        _row("axis", "The candidate axis that the normal is.")
        imgui.text_unformatted(result.axis)
    if result.time is not None:
        _row("contacts", "Points of the contact manifold there.")
        imgui.text_unformatted(str(contacts))
    imgui.end_table()


def _row(name: str, note: str) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    imgui.text_disabled(name)
    explain(note)
    imgui.table_next_column()


def _draw_methods(ui: PanelState, sweep: SweepAnswer) -> None:
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
    if not imgui.begin_table("##methods", 3, flags):
        return
    for name, weight in (("method", 3.0), ("answer", 2.4), ("steps", 0.7)):
        imgui.table_setup_column(name, imgui.TableColumnFlags_.width_stretch, weight)
    imgui.table_headers_row()
    for trace in sweep.traces:
        answer = answer_words(trace.result)
        _method(trace.method.value, answer, str(len(trace.steps)), outcome_colour(trace.result.outcome, ui.theme))
    if sweep.swept is not None:
        yes = "they meet" if sweep.swept.meets else f"apart, {sweep.swept.labels[sweep.swept.row or 0]}"
        outcome = MotionOutcome.HIT if sweep.swept.meets else MotionOutcome.SEPARATED
        _method("yes or no on 21 axes", yes, str(len(sweep.swept_steps)), outcome_colour(outcome, ui.theme))
    imgui.end_table()


def _method(name: str, answer: str, steps: str, rgba: Rgba) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    imgui.text_wrapped(name)
    imgui.table_next_column()
    with coloured(rgba), wrapped_at():
        imgui.text_unformatted(answer)
    imgui.table_next_column()
    imgui.text_unformatted(steps)

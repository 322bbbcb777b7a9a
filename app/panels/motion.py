"""The docked panel of the motion: the outcome, the axes' bars, the distance over time, every method's answer.

Below stand the articles' mistakes about it, beside what is right; a click shows the bodies at a mistaken time. Of two
boxes they take 2 ms: computed once for each motion, while nothing is dragged.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer
from core.articles import ArticleAnswer, motion_articles
from core.query.motion_steps import PHASE_OF
from core.query.query import Phase
from core.toi.motion import MotionOutcome, MotionResult

from ..draw.draw_list import Rgba
from ..state.panel_state import PanelState
from ..state.playback import moves, place_of, scrubbed
from ..state.requests import Look, Play
from ..words.axis_words import shown_part
from ..words.digits import full, number, tabular, told
from ..words.motion_words import KNOWN, answer_words, frame_test_words, outcome_words
from ..words.names import shown_name
from .motion_bar import MARKS, NO_MOTION, nearest_step, outcome_colour, waiting_words
from .motion_charts import draw_axes, draw_distance
from .numbers import short_vector, vector17
from .panel import Ask, Docked
from .text import (
    ARTICLES_TITLE,
    copyable,
    draw_right,
    draw_sentence,
    em,
    explain,
    folded,
    hand,
    say,
    table_row,
    tell_beside,
)
from .widgets import HEAD_GAP, verdict_mark


class MotionArticles:
    """The last part of the panel of the motion."""

    def __init__(self) -> None:
        self._of: SweepAnswer | None = None
        self._answers: tuple[ArticleAnswer, ...] = ()

    def draw(self, ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
        """Those that are wrong with their reasons, and how many are right; nothing where none is about such bodies."""
        dragged = ui.document.preview is not None
        if self._of is not sweep and not dragged:
            self._of, self._answers = sweep, motion_articles(ui.document.scene, sweep)
        if not self._answers:
            return
        imgui.separator_text(ARTICLES_TITLE)
        late = self._of is not sweep
        imgui.begin_disabled(late)
        if late:
            say("Still the previous motion: this is updated when you let go.", ui.theme.dim_text)
        wrong = [answer for answer in self._answers if not answer.right]
        for answer in wrong:
            draw_sentence(answer.title, told(answer.words), ui.theme.overlap)
            if answer.time is not None:
                hand()
                explain("Click to show the bodies at that time")
                if imgui.is_item_clicked():
                    ask.append(Look(replace(ui.view, time=answer.time)))
            imgui.dummy(imgui.ImVec2(0.0, 0.15 * em()))
        right = [answer.title for answer in self._answers if answer.right]
        draw_right(right, len(wrong), "this motion", ui.theme)
        imgui.end_disabled()


SAME_TIME = 1e-6
"""Times no farther apart are one: advancement, where it answers, knows no more."""


class MotionPanel(Docked):
    """Docked, while the motion is shown; a lesson leaves out what only an engineer reads."""

    def __init__(self) -> None:
        self._articles = MotionArticles()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Words, charts, methods."""
        scene = ui.document.scene
        if not ui.reveal.verdict:
            say("The answer comes with the verdict, at the last of these steps.", ui.theme.dim_text)
        elif ui.sweep is not None:
            self._draw_answer(ui, ui.sweep, ask)
        elif moves(scene.a) or moves(scene.b):
            say(f"{waiting_words(ui)}: for these shapes the answer takes longer than one frame.", ui.theme.dim_text)
        else:
            say(NO_MOTION, ui.theme.dim_text)

    def _draw_answer(self, ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
        if not ui.reveal.numbers:
            # Of the answer a lesson may show its bars alone.
            if sweep.axes is not None and len(sweep.axes.candidates):
                draw_axes(ui, sweep.axes, ask)
            return
        verdict_mark(MARKS[sweep.outcome], ui.theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        say(f"{outcome_words(sweep)}.", outcome_colour(sweep.outcome, ui.theme))
        say(frame_test_words(sweep), ui.theme.dim_text)
        for sentence in sweep.disagreements:
            say(f"Methods disagree: {told(sentence)}", ui.theme.overlap)
        if ui.lesson is None:
            _draw_numbers(ui, sweep.result, len(sweep.contacts), ask)
        if sweep.axes is not None and len(sweep.axes.candidates):
            imgui.separator_text("Each axis from entry to exit")
            draw_axes(ui, sweep.axes, ask)
            if note := axes_note(sweep):
                say(note, ui.theme.dim_text)
        imgui.separator_text("Distance over time")
        clicked, chosen = draw_distance(ui, sweep)
        if clicked and ui.query is not None:
            # To the look of advancement that is nearest to the time; None is the impact.
            wanted = sweep.result.time if chosen is None else chosen
            place = None if wanted is None else nearest_step(ui.query, Phase.ADVANCEMENT, wanted)
            if place is not None and place != place_of(ui.playback, ui.query):
                ask.append(Play(scrubbed(ui.playback, ui.query, place)))
        elif clicked and chosen != ui.view.time:
            ask.append(Look(replace(ui.view, time=chosen)))
        if ui.lesson is not None:
            return
        imgui.separator_text("Every method")
        _draw_methods(ui, sweep, ask)
        self._articles.draw(ui, sweep, ask)


def axes_note(sweep: SweepAnswer) -> str:
    """Why the latest entry is not the time of impact, in a sentence; empty where it is, or nothing meets."""
    axes, time = sweep.axes, sweep.result.time
    if axes is None or axes.latest_entry is None or time is None or sweep.outcome is not MotionOutcome.HIT:
        return ""
    if time - float(axes.entries[axes.latest_entry]) <= SAME_TIME:
        return ""
    return "Round surfaces have more axes than these, so the bodies touch later than the latest entry, not before."


def _draw_numbers(ui: PanelState, result: MotionResult, contacts: int, ask: Ask) -> None:
    if not imgui.begin_table("##numbers", 2, imgui.TableFlags_.none):
        return
    imgui.table_setup_column("name", imgui.TableColumnFlags_.width_fixed, imgui.calc_text_size("contacts").x)
    imgui.table_setup_column("value", imgui.TableColumnFlags_.width_stretch)
    if result.time is not None:
        table_row("time", "Time of the first contact: 0 at the start, 1 at the end of the motion.")
        copyable(
            folded(f"{tabular(result.time)}, {KNOWN[result.provenance]}"), full(result.time), "time of impact", ask
        )
        table_row("left", "The signed separation left there, in scene units.")
        left = result.separation or 0.0
        copyable(number(left), full(left), "distance left", ask)
    if result.normal is not None:
        table_row("normal", "Unit vector from A towards B at the contact, or along which they stay apart.")
        normal = shown_part(ui.analysis, result.normal)
        copyable(folded(short_vector(normal.tolist())), vector17(normal), "normal", ask)
    if result.normal is not None and result.axis:
        table_row("axis", "The candidate axis of this normal.")
        imgui.text_unformatted(shown_name(result.axis))
    if result.time is not None:
        table_row("contacts", "Points of the contact manifold there.")
        imgui.text_unformatted(str(contacts))
    imgui.end_table()


def _draw_methods(ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
    if not imgui.begin_table("##methods", 3, flags):
        return
    for name, weight in (("method", 3.0), ("answer", 2.4), ("steps", 0.7)):
        imgui.table_setup_column(name, imgui.TableColumnFlags_.width_stretch, weight)
    imgui.table_headers_row()
    for trace in sweep.traces:
        answer, rgba = answer_words(trace.result), outcome_colour(trace.result.outcome, ui.theme)
        time = "" if trace.result.time is None else f"t = {full(trace.result.time)}\n"
        _method(ui, trace.method.value, answer, rgba, len(trace.steps), PHASE_OF[trace.method], ask, time)
    if sweep.swept is not None:
        yes = "they touch" if sweep.swept.meets else f"apart, {sweep.swept.labels[sweep.swept.row or 0]}"
        outcome = MotionOutcome.HIT if sweep.swept.meets else MotionOutcome.SEPARATED
        rgba = outcome_colour(outcome, ui.theme)
        _method(ui, "yes or no on 21 axes", yes, rgba, len(sweep.swept_steps), Phase.SWEPT, ask)
    imgui.end_table()


def _method(
    ui: PanelState, name: str, answer: str, rgba: Rgba, steps: int, phase: Phase, ask: Ask, note: str = ""
) -> None:
    """A row, `note` before its tooltip; where the method has steps a click opens the timeline at the first of them."""
    imgui.table_next_row()
    imgui.table_next_column()
    start, width = imgui.get_cursor_pos(), imgui.get_content_region_avail().x
    imgui.table_set_column_index(1)
    room = imgui.get_content_region_avail().x
    imgui.table_set_column_index(0)
    high = max(imgui.calc_text_size(words, False, wide).y for words, wide in ((name, width), (answer, room)))
    shown = ui.moment is not None and ui.moment.phase is phase
    usable = steps > 0
    flags = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
    imgui.begin_disabled(not usable)
    if imgui.selectable(f"##{name}", shown, flags, ImVec2(0.0, high))[0]:
        ask.append(Play(replace(ui.playback, open=True, playing=False, phase=phase, index=0)))
    imgui.end_disabled()
    if imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled):
        tell_beside(note + ("Click to show its steps on the timeline" if usable else "It took no step."))
    hand()
    imgui.set_cursor_pos(start)
    imgui.text_wrapped(name)
    imgui.table_next_column()
    say(answer, rgba)
    imgui.table_next_column()
    imgui.text_unformatted(str(steps))

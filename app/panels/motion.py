"""The docked panel of the motion: the outcome, the axes' bars, the distance over time, every method's answer.

Below are the mistakes of articles about this motion, and what is right; a click shows the bodies at a wrong time.
The mistakes take 2 ms for two boxes; they are computed once for each motion, while nothing is dragged.
"""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import imgui
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer
from core.query.motion_steps import PHASE_OF
from core.query.query import Phase
from core.study.articles import ArticleAnswer, motion_articles
from core.toi.motion import MotionOutcome, MotionResult, moves

from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.playback import place_of, scrubbed
from ..words.axis_words import shown_part
from ..words.digits import full, sentence_text, tabular
from ..words.motion_words import PROVENANCE_WORDS, answer_words, frame_test_words, outcome_words
from ..words.names import named_axis
from .motion_bar import MARK_VERDICTS, NO_MOTION, nearest_step, outcome_colour, waiting_words
from .motion_charts import draw_axes, draw_distance
from .panel import Docked
from .rows import Value, draw_values
from .table import Column, TableRow, draw_table
from .text import ARTICLES_TITLE, draw_right, draw_sentence, em, explain, hand, say
from .widgets import HEAD_GAP, verdict_mark


class MotionArticles:
    """The last part of the motion panel: what articles say wrongly and rightly about the motion."""

    def __init__(self) -> None:
        self._of: SweepAnswer | None = None
        self._answers: tuple[ArticleAnswer, ...] = ()

    def draw(self, ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
        """Draws the wrong answers with their reasons, and the right ones' titles; nothing if no article applies."""
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
            draw_sentence(answer.title, sentence_text(answer.words), ui.theme.overlap)
            if answer.time is not None:
                hand()
                explain("Click to show the bodies at that time")
                if imgui.is_item_clicked():
                    ask.look(replace(ui.view, time=answer.time))
            imgui.dummy(imgui.ImVec2(0.0, 0.15 * em()))
        right = [answer.title for answer in self._answers if answer.right]
        draw_right(right, len(wrong), "this motion", ui.theme)
        imgui.end_disabled()


SAME_TIME = 1e-6
"""Times at most this far apart count as equal, since advancement is no more precise."""


class MotionPanel(Docked):
    """The docked motion panel; a lesson shows no table of numbers, no methods and no articles."""

    def __init__(self) -> None:
        self._articles = MotionArticles()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the outcome, the charts and the methods."""
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
            # A lesson may show only the bars of the answer.
            if sweep.axes is not None and len(sweep.axes.candidates):
                draw_axes(ui, sweep.axes, ask)
            return
        verdict_mark(MARK_VERDICTS[sweep.outcome], ui.theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        say(f"{outcome_words(sweep)}.", outcome_colour(sweep.outcome, ui.theme))
        say(frame_test_words(sweep), ui.theme.dim_text)
        for sentence in sweep.disagreements:
            say(f"Methods disagree: {sentence_text(sentence)}", ui.theme.overlap)
        if ui.lesson is None:
            draw_values(_numbers(ui, sweep.result, len(sweep.contacts)), ask)
        if sweep.axes is not None and len(sweep.axes.candidates):
            imgui.separator_text("Each axis from entry to exit")
            draw_axes(ui, sweep.axes, ask)
            if note := axes_note(sweep):
                say(note, ui.theme.dim_text)
        imgui.separator_text("Distance over time")
        clicked, chosen = draw_distance(ui, sweep)
        if clicked and ui.query is not None:
            # Shows the step of advancement nearest to the chosen time; None is the time of impact.
            wanted = sweep.result.time if chosen is None else chosen
            place = None if wanted is None else nearest_step(ui.query, Phase.ADVANCEMENT, wanted)
            if place is not None and place != place_of(ui.playback, ui.query):
                ask.play(scrubbed(ui.playback, ui.query, place))
        elif clicked and chosen != ui.view.time:
            ask.look(replace(ui.view, time=chosen))
        if ui.lesson is not None:
            return
        imgui.separator_text("Every method")
        _draw_methods(ui, sweep, ask)
        self._articles.draw(ui, sweep, ask)


def axes_note(sweep: SweepAnswer) -> str:
    """A sentence on why the latest entry is not the time of impact; empty if it is, or if nothing meets."""
    axes, time = sweep.axes, sweep.result.time
    if axes is None or axes.latest_entry is None or time is None or sweep.outcome is not MotionOutcome.HIT:
        return ""
    if time - float(axes.entries[axes.latest_entry]) <= SAME_TIME:
        return ""
    return "Round surfaces have more axes than these, so the bodies touch later than the latest entry, not before."


def _numbers(ui: PanelState, result: MotionResult, contacts: int) -> Iterator[Value]:
    """Yields the rows with the numbers of the motion's outcome."""
    if result.time is not None:
        note = "Time of the first contact: 0 at the start, 1 at the end of the motion."
        shown = f"{tabular(result.time)}, {PROVENANCE_WORDS[result.provenance]}"
        yield Value("time", note, shown, full(result.time), "time of impact")
        note = "The signed separation left there, in scene units."
        yield Value.number("left", note, result.separation or 0.0, "distance left")
    if result.normal is not None:
        note = "Unit vector from A towards B at the contact, or along which they stay apart."
        yield Value.vector("normal", note, shown_part(ui.analysis, result.normal))
    if result.normal is not None and result.axis:
        yield Value("axis", "The candidate axis of this normal.", named_axis(result.axis))
    if result.time is not None:
        yield Value("contacts", "Points of the contact manifold there.", str(contacts))


COLUMNS = Column("method", weight=3.0), Column("answer", weight=2.4), Column("steps", weight=0.7)


def _draw_methods(ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
    """Draws a row for each method; a click on a method that has steps opens the timeline at its first step."""
    rows = [(t.method.value, PHASE_OF[t.method], len(t.steps), t.result) for t in sweep.traces]
    lines = [
        _method(ui, name, answer_words(found), found.outcome, steps, phase, found.time)
        for name, phase, steps, found in rows
    ]
    phases = {name: phase for name, phase, *_ in rows}
    if sweep.swept is not None:
        yes = "they touch" if sweep.swept.meets else f"apart, {sweep.swept.labels[sweep.swept.row or 0]}"
        outcome = MotionOutcome.HIT if sweep.swept.meets else MotionOutcome.SEPARATED
        phases[SWEPT_NOTE] = Phase.SWEPT
        lines.append(_method(ui, SWEPT_NOTE, yes, outcome, len(sweep.swept_steps), Phase.SWEPT))
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
    clicked = draw_table("##methods", COLUMNS, lines, flags)
    if clicked:
        ask.play(replace(ui.playback, open=True, playing=False, phase=phases[clicked], index=0))


SWEPT_NOTE = "yes or no on 21 axes"


def _method(
    ui: PanelState,
    name: str,
    answer: str,
    outcome: MotionOutcome,
    steps: int,
    phase: Phase,
    time: float | None = None,
) -> TableRow:
    tip = "" if time is None else f"t = {full(time)}\n"
    tip += "Click to show its steps on the timeline" if steps else "It took no step."
    cells = (name, None), (answer, outcome_colour(outcome, ui.theme)), (str(steps), None)
    return TableRow(name, cells, tip, ui.moment is not None and ui.moment.phase is phase, steps > 0)

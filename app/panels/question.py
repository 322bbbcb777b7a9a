"""The open question as a card in place of the notes: text, hint, buttons, and the outcome.

Until it is answered, other panels replace those that would give the answer away.
"""

from __future__ import annotations

from functools import partial

from imgui_bundle import ImVec2, imgui

from core.sat.sat import AxisStatus

from ..draw.draw_list import Subject
from ..draw.placed import Rect
from ..draw.theme import faded
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.prediction import CurrentQuestion, Outcome
from ..state.reveal import AnswerShown
from ..words.axis_words import verdict_line
from ..words.names import named_axis
from ..words.terms import terms_of
from .cards import Card, cramped
from .rows import Button, Ends, Flow, Least, Row, Space, Words, command
from .text import coloured, em, say
from .viewport_bottom import QUESTION_WINDOW, draw_in_corner
from .viewport_top import MARGIN_EMS, VERDICT_WINDOW, draw_at_top, widest_at_top
from .widgets import HEAD_GAP, button_width, family_mark, mark, u32, verdict_colour

CARD_EMS = 27.0
"""Largest width of the card, ems."""
NARROWEST_EMS = 16.0

FEEDBACK_LINES = 3
"""Lines reserved for the reply to a wrong answer, so that the card does not grow under the pointer."""
SCARCE_EMS = 34.0
"""In a viewport narrower or lower than this, ems, the hint is a tooltip."""


class QuestionCard:
    """The question's card; it replaces the scene's notes, which may give the answer away."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card while a question is asked."""
        asked = ui.asked
        if asked is None:
            return
        width, alone = _width(ui), "" if not _scarce(ui.viewport) else f"{asked.question.hint}\n{asked.question.how}"
        inner = width - 2.0 * imgui.get_style().window_padding.x
        rows: list[Row] = [_head(ui, asked), Words(asked.question.text, tip=alone), _words(ui, asked, inner)]
        if asked.question.buttons and asked.open:
            rows += [answer_buttons(asked), Space()]
        rows.append(_commands(asked))
        card = Card(QUESTION_WINDOW, rows, width, highest=ui.viewport.height, alpha=0.92)
        draw_in_corner(ui.viewport, card, ask)


def _width(ui: PanelState) -> float:
    """The card's width in pixels. With a pane to the right it fits the first pane, if NARROWEST_EMS allows."""
    widest = min(CARD_EMS * em(), ui.viewport.width - 2.0 * MARGIN_EMS * em())
    beside = len(ui.panes) > 1 and ui.panes[1][1].x > ui.panes[0][1].x
    if not beside:
        return widest
    return min(widest, max(NARROWEST_EMS * em(), ui.panes[0][1].width - 2.0 * MARGIN_EMS * em()))


def _scarce(area: Rect) -> bool:
    return cramped(area) or min(area.width, area.height) < SCARCE_EMS * em()


def _head(ui: PanelState, asked: CurrentQuestion) -> Row:
    """The question's number, the score so far, and a button to stop."""
    prediction = asked.prediction
    progress = f"Question {prediction.number + 1} of {asked.count}"
    if prediction.settled:
        progress += f"    {prediction.at_once} of {prediction.settled} right first time"
    return Ends(Words(progress, ui.theme.dim_text), (Button("×", command("predict.stop"), "Stop asking (Esc)"),))


def _words(ui: PanelState, asked: CurrentQuestion, inner: float) -> Row:
    """The hint and the reply to the last answer, or the explanation; as high as the longest of them."""
    question = asked.question
    # The hint below, if shown, says what to click.
    hint = question.hint if ui.settings.hint else f"{question.hint} {question.how}"
    hint = "" if _scarce(ui.viewport) else hint
    rows = [Words(hint, ui.theme.dim_text)] if asked.open and hint else []
    if asked.words:
        settled = ui.theme.text if asked.prediction.outcome is Outcome.SHOWN else ui.theme.gap
        rows.append(Words(f"No. {asked.words}", ui.theme.overlap) if asked.open else Words(asked.words, settled))
    if not hint:
        return Least(tuple(rows), 0.0)
    gap, line = imgui.get_style().item_spacing.y, imgui.get_text_line_height()
    room = Words(hint).measure(inner)[1] + gap + FEEDBACK_LINES * line
    return Least(tuple(rows), max(room, Words(f"Right. {question.explanation}").measure(inner)[1]))


def _commands(asked: CurrentQuestion) -> Row:
    show, stop = ("Show the answer", "predict.show"), ("Stop asking", "predict.stop")
    further = ("First question again" if asked.last else "Next question", "predict.next")
    wanted = [show if asked.open else stop, *([further] if asked.count > 1 else [])]
    return Flow(tuple(Button(label, command(name), small=False) for label, name in wanted))


def answer_buttons(asked: CurrentQuestion) -> Row:
    """A button for each answer of an open question; an answered one has none."""
    question = asked.question
    named = [(subject, question.candidates[subject]) for subject in question.buttons if asked.open]
    width = 2.0 * em()
    return Flow(
        tuple(
            Button(label, partial(_guess, subject), small=False, width=max(button_width(label), width))
            for subject, label in named
        )
    )


def _guess(subject: Subject, ask: Ask) -> None:
    ask.guess(subject)


class WithoutVerdict:
    """Replaces the verdict's bar while the verdict or its number is hidden."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws a bar in the verdict's place. The viewport's free part, and so the cameras' framing, stays the same."""
        row: Row = Words(_hidden_words(ui), ui.theme.dim_text)
        if ui.reveal.lesson is AnswerShown.WORD:
            word = verdict_line(ui.analysis).partition(":")[0]
            known = Words(word, verdict_colour(ui.analysis.verdict, ui.theme))
            row = Flow((mark(ui.analysis.verdict, ui.theme), known), (HEAD_GAP,))
        draw_at_top(ui.viewport, Card(VERDICT_WINDOW, [row], widest_at_top(ui.viewport)), ask)


def _hidden_words(ui: PanelState) -> str:
    step = None if ui.lesson is None else ui.lesson.step
    if ui.reveal.lesson is AnswerShown.NEVER:
        return "The verdict is hidden in this step."
    if step is None or step.ask is not None or step.options:
        return "The verdict is hidden until you answer."
    return f"The verdict is hidden {'until the goal is met' if step.goals else 'in this step'}."


class AxesToChoose:
    """Replaces the axis table while that is hidden: names to choose from, without numbers."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws a row for each axis that has a direction; a click on one answers which axis wins."""
        say("The numbers are hidden until you answer.", ui.theme.dim_text)
        sat = ui.analysis.sat
        rows = [row for row, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE]
        clipper = imgui.ListClipper()
        clipper.begin(len(rows))
        while clipper.step():
            for row in rows[clipper.display_start : clipper.display_end]:
                _draw_row(ui, row, ask)


def _draw_row(ui: PanelState, row: int, ask: Ask) -> None:
    candidate, subject, asked = ui.analysis.sat.candidates[row], Subject("axis", row), ui.asked
    at, line = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
    lit = ui.view.hover == subject
    if lit:
        end = ImVec2(at.x + imgui.get_content_region_avail().x, at.y + line)
        imgui.get_window_draw_list().add_rect_filled(at, end, u32(faded(ui.theme.hover, 0.16)))
    imgui.push_id(row)
    imgui.dummy(ImVec2(1.2 * em(), line))
    family_mark(ImVec2(at.x + 0.5 * em(), at.y + 0.5 * line), 0.32 * em(), candidate.kind, ui.theme)
    imgui.same_line()
    tried = asked is not None and subject in asked.prediction.tried
    with coloured(ui.theme.dim_text if tried else ui.theme.text):
        kind = terms_of(ui.analysis.scene.dimension).worded(candidate.kind)
        words = f"{named_axis(candidate.label)}, {kind}" + (": no" if tried else "")
        if imgui.selectable(words, False)[0]:
            ask.guess(subject)
    if imgui.is_item_hovered():
        ask.point(subject)
    imgui.pop_id()

"""The question that is asked, as a card where the notes stand: text, what to look at, buttons, and what came of it.

Until it is answered something else stands in the place of a panel that would give the answer away.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from core.sat.sat import AxisStatus

from ..draw.draw_list import Subject
from ..draw.placed import Rect
from ..draw.theme import faded
from ..state.panel_state import PanelState
from ..state.prediction import Asked, Outcome
from ..state.requests import Guess, Invoke, Point
from ..state.reveal import LessonAnswer
from ..words.axis_words import verdict_line
from ..words.names import shown_name
from ..words.terms import terms_of
from .panel import Ask
from .text import coloured, em, explain, flow, say, wrapped_at, write
from .viewport_bottom import QUESTION_WINDOW, corner_place
from .viewport_top import MARGIN, VERDICT_WINDOW
from .widgets import HEAD_GAP, button_width, card, cramped, family_mark, u32, verdict_colour, verdict_mark

CARD_EMS = 27.0
"""Widest card, ems."""
NARROWEST_EMS = 16.0

FEEDBACK_LINES = 3
"""Lines kept free for what is said about a wrong answer, so that the card does not grow under the pointer."""
SCARCE_EMS = 34.0
"""In a viewport narrower or lower than this the hint stands in a tooltip."""


class QuestionCard:
    """Where the scene's notes stand at other times; they may tell the answer."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while a question stands."""
        asked = ui.asked
        if asked is None:
            return
        width = _width(ui)
        imgui.set_next_window_size_constraints(ImVec2(width, 0.0), ImVec2(width, ui.viewport.height))
        with card(QUESTION_WINDOW, *corner_place(ui.viewport), alpha=0.92):
            inner = width - 2.0 * imgui.get_style().window_padding.x
            _draw_head(ui, asked, inner, ask)
            _draw_words(ui, asked, inner)
            _draw_buttons(asked, ask)


def _width(ui: PanelState) -> float:
    """As wide as the pane above it, within limits: the pane beside it is where the answer may be."""
    widest = min(CARD_EMS * em(), ui.viewport.width - 2.0 * MARGIN * em())
    beside = len(ui.panes) > 1 and ui.panes[1][1].x > ui.panes[0][1].x
    if not beside:
        return widest
    return min(widest, max(NARROWEST_EMS * em(), ui.panes[0][1].width - 2.0 * MARGIN * em()))


def _scarce(area: Rect) -> bool:
    return cramped(area) or min(area.width, area.height) < SCARCE_EMS * em()


def _draw_head(ui: PanelState, asked: Asked, inner: float, ask: Ask) -> None:
    """Which question of how many, the score so far, and the way out of it."""
    prediction, left = asked.prediction, imgui.get_cursor_pos_x()
    progress = f"Question {prediction.number + 1} of {asked.count}"
    if prediction.settled:
        progress += f"    {prediction.at_once} of {prediction.settled} right first time"
    write(progress, ui.theme.dim_text)
    imgui.same_line(left + inner - imgui.calc_text_size("×").x - 0.4 * em())
    if imgui.small_button("×"):
        ask.append(Invoke("predict.stop"))
    explain("Stop asking (Esc)")
    with wrapped_at(left + inner):
        imgui.text_unformatted(asked.question.text)
    if _scarce(ui.viewport):
        explain(f"{asked.question.hint}\n{asked.question.how}")


def _draw_words(ui: PanelState, asked: Asked, inner: float) -> None:
    """What to look at and what came of the last answer, or the explanation; as high as the longest of them."""
    question, left, top = asked.question, imgui.get_cursor_pos_x(), imgui.get_cursor_pos_y()
    # What to click stands in the hint below, where there is one.
    hint = question.hint if ui.settings.hint else f"{question.hint} {question.how}"
    hint = "" if _scarce(ui.viewport) else hint
    gap, line = imgui.get_style().item_spacing.y, imgui.get_text_line_height()
    with wrapped_at(left + inner):
        if asked.open and hint:
            write(hint, ui.theme.dim_text)
        if asked.words:
            settled = ui.theme.text if asked.prediction.outcome is Outcome.SHOWN else ui.theme.gap
            write(f"No. {asked.words}" if asked.open else asked.words, ui.theme.overlap if asked.open else settled)
    if not hint:
        return
    room = imgui.calc_text_size(hint, False, inner).y + gap + FEEDBACK_LINES * line
    room = max(room, imgui.calc_text_size(f"Right. {question.explanation}", False, inner).y)
    rest = top + room + gap - imgui.get_cursor_pos_y()
    if rest > gap:
        imgui.dummy(ImVec2(1.0, rest - gap))


def _draw_buttons(asked: Asked, ask: Ask) -> None:
    question = asked.question
    draw_choices(asked, ask)
    if question.buttons and asked.open:
        imgui.spacing()
    _command("Show the answer" if asked.open else "Stop asking", "predict.show" if asked.open else "predict.stop", ask)
    if asked.count > 1:
        label = "First question again" if asked.last else "Next question"
        flow(button_width(label))
        _command(label, "predict.next", ask)


def draw_choices(asked: Asked, ask: Ask) -> None:
    """The buttons of a question that waits."""
    question, begun = asked.question, False
    for subject in question.buttons if asked.open else ():
        label = question.candidates[subject]
        width = max(button_width(label), 2.0 * em())
        if begun:
            flow(width)
        begun = True
        if imgui.button(label, ImVec2(width, 0.0)):
            ask.append(Guess(subject))


def _command(label: str, name: str, ask: Ask) -> None:
    if imgui.button(label):
        ask.append(Invoke(name))


class WithoutVerdict:
    """The bar with the verdict, without it."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Where the verdict stands at other times, so that the cameras keep what they were framed for."""
        area = ui.viewport
        at = ImVec2(area.x + 0.5 * area.width, area.y + MARGIN * em())
        with card(VERDICT_WINDOW, at, ImVec2(0.5, 0.0)):
            if ui.reveal.lesson is LessonAnswer.WORD:
                verdict_mark(ui.analysis.verdict, ui.theme)
                imgui.same_line(0.0, HEAD_GAP * em())
                write(verdict_line(ui.analysis).partition(":")[0], verdict_colour(ui.analysis.verdict, ui.theme))
            else:
                write(_hidden_words(ui), ui.theme.dim_text)


def _hidden_words(ui: PanelState) -> str:
    step = None if ui.lesson is None else ui.lesson.step
    if ui.reveal.lesson is LessonAnswer.NEVER:
        return "The verdict is hidden in this step."
    if step is None or step.ask is not None or step.choices:
        return "The verdict is hidden until you answer."
    return f"The verdict is hidden {'until the goal is met' if step.goals else 'in this step'}."


class AxesToChoose:
    """The axis table without a number: names to choose from, in the table's own order."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """A row answers where it is asked which axis wins."""
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
        kind = terms_of(ui.analysis.scene.dimension).said(candidate.kind)
        words = f"{shown_name(candidate.label)}, {kind}" + (": no" if tried else "")
        if imgui.selectable(words, False)[0]:
            ask.append(Guess(subject))
    if imgui.is_item_hovered():
        ask.append(Point(subject))
    imgui.pop_id()

"""What stands in the place of a panel that would give the answer away, until the question is answered."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from core.sat.sat import AxisStatus

from ..draw.draw_list import Subject
from ..draw.theme import faded
from ..state.panel_state import PanelState
from ..state.prediction import Asked
from ..state.requests import Guess, Point
from ..words.terms import terms_of
from .layout import ANSWERS_TITLE, AXES_TITLE, COMPARE_TITLE, PAIRS_TITLE, STEP_TITLE, THROUGH_ZERO_TITLE, dock_beside
from .panel import Ask, Panel
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .vertex_pairs import SETTLING
from .widgets import OVERLAY, coloured, docked, em, family_mark, say, translucent, u32

HELD_BACK = "Held back until the question is answered."


WIDE_EMS = 64.0
"""In a window narrower than this no step card stands beside the question: the picture needs the room."""


class Nothing:
    """No panel at all: the scene's notes, which may tell the answer, and whose place the card takes."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing."""


class Verdict:
    """The bar with the verdict, without it."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Where the verdict stands at other times, so that the cameras keep what they were framed for."""
        area = ui.viewport
        at = ImVec2(area.x + 0.5 * area.width, area.y + MARGIN * em())
        imgui.set_next_window_pos(at, imgui.Cond_.always, ImVec2(0.5, 0.0))
        imgui.push_style_color(imgui.Col_.window_bg, translucent(0.86))
        if imgui.begin(VERDICT_WINDOW, None, OVERLAY)[0]:
            with coloured(ui.theme.dim_text):
                imgui.text_unformatted("The verdict is held back.")
        imgui.end()
        imgui.pop_style_color()


class Blank:
    """A docked panel without its contents."""

    def __init__(self, title: str) -> None:
        self._title = title

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Its tab, and why there is nothing under it."""
        if self._title in (STEP_TITLE, PAIRS_TITLE):
            dock_beside(AXES_TITLE)
        if imgui.begin(self._title, None, docked(self._title))[0]:
            say(HELD_BACK, ui.theme.dim_text)
        imgui.end()


class Pairs(Blank):
    """The table of pairs of vertices without its contents: a new tab, which does not keep the axes from the front."""

    def __init__(self) -> None:
        super().__init__(PAIRS_TITLE)
        self._frames = 0

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Its tab, behind that of the axes unless it is chosen."""
        if imgui.internal.find_window_by_name(PAIRS_TITLE) is None:
            self._frames = 0
        super().draw(ui, ask)
        if self._frames < SETTLING:
            self._frames += 1
            imgui.set_window_focus(AXES_TITLE)


class Axes:
    """The axis table without a number: names to choose from, in the table's own order."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """A row answers where it is asked which axis wins."""
        if imgui.begin(AXES_TITLE, None, docked(AXES_TITLE))[0]:
            say("The numbers are held back until the question is answered.", ui.theme.dim_text)
            sat = ui.analysis.sat
            rows = [row for row, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE]
            clipper = imgui.ListClipper()
            clipper.begin(len(rows))
            while clipper.step():
                for row in rows[clipper.display_start : clipper.display_end]:
                    _draw_row(ui, row, ask)
        imgui.end()


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
        words = f"{candidate.label}, {kind}" + (": no" if tried else "")
        if imgui.selectable(words, False)[0]:
            ask.append(Guess(subject))
    if imgui.is_item_hovered():
        ask.append(Point(subject))
    imgui.pop_id()


NOTHING = Nothing()

COVERS: dict[str, tuple[str, Panel]] = {
    "VerdictBar": ("verdict", Verdict()),
    "Answers": ("answers", Blank(ANSWERS_TITLE)),
    "SideBySide": ("answers", Blank(COMPARE_TITLE)),
    "ThroughZero": ("answers", Blank(THROUGH_ZERO_TITLE)),
    "VertexPairs": ("pairs", Pairs()),
    "StepCard": ("steps", Blank(STEP_TITLE)),
    "AxisTable": ("table", Axes()),
}
"""By a panel's name: which word of Question.covers means it, and what stands there instead."""


def cover_of(name: str, asked: Asked) -> Panel | None:
    """What stands in the place of the panel `name`, if it is covered."""
    if name == "Notes" or (name == "StepCard" and imgui.get_main_viewport().size.x < WIDE_EMS * em()):
        return NOTHING
    word, cover = COVERS.get(name, ("", None))
    return cover if word in asked.covers else None

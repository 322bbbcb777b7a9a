"""What stands in the place of a panel that would give the answer away, until the question is answered."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from core.sat.sat import AxisStatus

from ..draw.draw_list import Subject
from ..draw.theme import faded
from ..state.panel_state import PanelState
from ..state.requests import Guess, Point
from ..words.terms import terms_of
from .panel import Ask
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .widgets import OVERLAY, coloured, em, family_mark, say, translucent, u32


class WithoutVerdict:
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


class AxesToChoose:
    """The axis table without a number: names to choose from, in the table's own order."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """A row answers where it is asked which axis wins."""
        say("The numbers are held back until the question is answered.", ui.theme.dim_text)
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
        words = f"{candidate.label}, {kind}" + (": no" if tried else "")
        if imgui.selectable(words, False)[0]:
            ask.append(Guess(subject))
    if imgui.is_item_hovered():
        ask.append(Point(subject))
    imgui.pop_id()

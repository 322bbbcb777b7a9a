"""The algorithm of the step's phase in a dozen lines, the line that the step ended on marked."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..draw.theme import faded
from ..stages import entry_of, stage_of
from ..stages.stage import At
from ..state.panel_state import PanelState
from .panel import Ask, Docked
from .widgets import coloured, em, u32, wrapped_at

INDENT = 1.2
"""Width of a level of indentation, ems."""
LINE_GAP = 0.22
"""Air between lines, ems."""
LEVEL = 4
"""Spaces of a level in the listing."""


class Algorithm(Docked):
    """The docked panel, there while a step is shown and the setting `algorithm` is on."""

    def draw(self, ui: PanelState, _ask: Ask) -> None:
        """It asks for nothing: it follows the steps."""
        if ui.query is None or ui.moment is None:
            return
        stage, at = stage_of(ui.moment.phase), At[object](ui.query, ui.moment)
        listing = stage.listing_of(at)
        rgba = entry_of(ui.moment.phase).colour(ui.theme)
        with coloured(rgba):
            imgui.text_unformatted(listing.title)
        current = stage.line(at.step)
        imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(0.0, LINE_GAP * em()))
        for name, line in listing.lines.items():
            _draw_line(line, faded(rgba, 0.30) if name == current else None)
            if name == current and not imgui.is_item_visible():
                imgui.set_scroll_here_y()
        imgui.pop_style_var()


def _draw_line(line: str, ground: tuple[float, float, float, float] | None) -> None:
    """One line, wrapped under its own indentation; on a `ground` where it is the current one."""
    code = line.lstrip(" ")
    left = imgui.get_cursor_pos_x() + (len(line) - len(code)) // LEVEL * INDENT * em()
    width = imgui.get_content_region_avail().x
    right = imgui.get_cursor_pos_x() + width
    at = imgui.get_cursor_screen_pos()
    if ground is not None:
        height = imgui.calc_text_size(code, False, right - left).y
        pad = 0.5 * imgui.get_style().item_spacing.y
        imgui.get_window_draw_list().add_rect_filled(
            ImVec2(at.x - pad, at.y - pad), ImVec2(at.x + width + pad, at.y + height + pad), u32(ground), 0.25 * em()
        )
    imgui.set_cursor_pos_x(left)
    with wrapped_at(right):
        imgui.text_unformatted(code)

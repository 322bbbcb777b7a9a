"""The name of each pane in its corner; a click shows that pane alone, another both again."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from ..state.panel_state import Area, PanelState
from ..state.requests import Look
from ..state.view import Panes
from .panel import Ask
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .widgets import OVERLAY, coloured, drawn_height, em, explain, hand


class PaneTitles:
    """Small and dim, over the picture."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """One title for each pane that is shown."""
        for k, (title, area) in enumerate(ui.panes):
            _draw_title(ui, k, title, area, ask)


def _draw_title(ui: PanelState, number: int, title: str, area: Area, ask: Ask) -> None:
    # Under the verdict; a pane below another has its name at its own upper edge.
    below = MARGIN * em() + drawn_height(VERDICT_WINDOW) if area.y == ui.viewport.y else 0.0
    imgui.set_next_window_pos(ImVec2(area.x + 0.4 * em(), area.y + below), imgui.Cond_.always)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0.4 * em(), 0.2 * em()))
    if imgui.begin(f"##pane{number}", None, OVERLAY | imgui.WindowFlags_.no_background)[0]:
        with coloured(ui.theme.dim_text):
            imgui.text_unformatted(title)
        hand()
        alone = len(ui.panes) == 1
        explain("Click to show both panes" if alone else "Click to show this pane alone")
        if imgui.is_item_clicked():
            panes = Panes.BOTH if alone else (Panes.WORLD, Panes.DIFFERENCE)[min(number, 1)]
            ask.append(Look(replace(ui.view, panes=panes)))
    imgui.end()
    imgui.pop_style_var()

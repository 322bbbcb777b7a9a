"""A sentence in the viewport where the picture could not be drawn because of a fault in the program."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import PanelState
from .panel import Ask
from .widgets import OVERLAY, em, say

WIDEST_EMS = 26.0
SENTENCE = (
    "The picture cannot be drawn because of a fault in the program. Undo the last change, or look at something else."
)


class PictureFault:
    """Stands in the middle of the viewport; the notice beside it has the report."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Nothing while the picture stands."""
        if not ui.picture_fault:
            return
        area = ui.viewport
        width = min(WIDEST_EMS * em(), 0.9 * area.width)
        middle = ImVec2(area.x + 0.5 * area.width, area.y + 0.5 * area.height)
        imgui.set_next_window_pos(middle, imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(ImVec2(width, 0.0), imgui.Cond_.always)
        if imgui.begin("##picture fault", None, OVERLAY & ~imgui.WindowFlags_.always_auto_resize)[0]:
            say(SENTENCE)
        imgui.end()

"""How far a large screenshot has come, with a way out of it."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import PanelState
from ..state.requests import CancelPicture
from .panel import Ask
from .widgets import FLOATING, em, say

SHOWN_AFTER = 0.3
"""Seconds: a picture that takes less shows nothing."""


class PictureProgress:
    """In the middle of the viewport, while a picture is being taken."""

    def __init__(self) -> None:
        self._since: float | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing without a picture."""
        if ui.picture is None:
            self._since = None
            return
        now = float(imgui.get_time())
        self._since = now if self._since is None else self._since
        if now - self._since < SHOWN_AFTER:
            return
        area = ui.viewport
        middle = ImVec2(area.x + 0.5 * area.width, area.y + 0.5 * area.height)
        imgui.set_next_window_pos(middle, imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(ImVec2(22.0 * em(), 0.0))
        fixed = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        if imgui.begin("Taking the picture###picture", None, FLOATING | fixed)[0]:
            drawn = ui.picture < 1.0
            imgui.progress_bar(ui.picture, ImVec2(-1.0, 0.0), f"{100.0 * ui.picture:.0f} %" if drawn else "")
            if drawn:
                if imgui.button("Cancel"):
                    ask.append(CancelPicture())
            else:
                say("Writing the file …", ui.theme.dim_text)
        imgui.end()

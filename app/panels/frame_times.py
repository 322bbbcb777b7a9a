"""Where the last frame's time went, for those who want to know."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import PanelState
from .panel import CARD_WINDOWS, Ask
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .widgets import OVERLAY, coloured, drawn_height, em, translucent

TITLE_EMS = 1.9
"""Height of the panes' names, which the cards stand below."""


class FrameTimes:
    """A small card at the top right of the viewport, under the verdict and the cards that may reach as far."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Shown by the setting `show_frame_times`."""
        if not ui.settings.show_frame_times:
            return
        area, margin = ui.viewport, MARGIN * em()
        cards = sum(height + margin for window in CARD_WINDOWS if (height := drawn_height(window)))
        below = 2.0 * margin + drawn_height(VERDICT_WINDOW) + (cards + TITLE_EMS * em() if cards else 0.0)
        at = ImVec2(area.x + area.width - margin, area.y + below)
        imgui.set_next_window_pos(at, imgui.Cond_.always, ImVec2(1.0, 0.0))
        imgui.push_style_color(imgui.Col_.window_bg, translucent(0.7))
        if imgui.begin("##frame times", None, OVERLAY | imgui.WindowFlags_.no_inputs)[0]:
            with coloured(ui.theme.dim_text):
                for part, milliseconds in ui.frame_times.items():
                    imgui.text_unformatted(f"{milliseconds:6.2f} ms  {part}")
                imgui.text_unformatted(f"{sum(ui.frame_times.values()):6.2f} ms  in all")
                if ui.labels_dropped:
                    imgui.text_unformatted(f"{ui.labels_dropped} labels left out for want of room")
        imgui.end()
        imgui.pop_style_color()

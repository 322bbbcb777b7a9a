"""What is still missing of the answers, under the verdict, while a drag or the computing lasts."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import PanelState
from .panel import Ask
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .widgets import OVERLAY, coloured, drawn_height, em, explain, translucent, wrapped_at

TITLES = 1.8
"""Room for the panes' names between the verdict and the note, ems."""

COMPUTING = "Computing SAT's table and the Minkowski difference…"
WHY = "So many vertices take longer than a frame. The verdict, GJK and EPA are of the bodies as they stand."


class WaitingNote:
    """A small line; what it announces comes by itself."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Shown while something is left out."""
        if not ui.analysis.left_out:
            return
        area, words = ui.viewport, COMPUTING if ui.computing else ui.analysis.left_out
        widest = max(8.0 * em(), area.width - 2.0 * MARGIN * em())
        below = area.y + (MARGIN + TITLES) * em() + drawn_height(VERDICT_WINDOW)
        imgui.set_next_window_pos(ImVec2(area.x + 0.5 * area.width, below), imgui.Cond_.always, ImVec2(0.5, 0.0))
        imgui.set_next_window_size_constraints(ImVec2(0.0, 0.0), ImVec2(widest, 1e6))
        imgui.push_style_color(imgui.Col_.window_bg, translucent(0.7))
        if imgui.begin("##waiting", None, OVERLAY)[0]:
            with (
                wrapped_at(widest - imgui.get_style().window_padding.x),
                coloured(ui.theme.winner if ui.computing else ui.theme.dim_text),
            ):
                imgui.text_unformatted(words)
            explain(WHY)
        imgui.end()
        imgui.pop_style_color()

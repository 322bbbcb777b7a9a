"""Stepping through an open log of scenes (.jsonl)."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import LogPosition, PanelState
from ..state.requests import Step
from .hint_line import HINT_WINDOW, LOG_EMS, LOG_WINDOW
from .panel import Ask
from .widgets import OVERLAY, button_width, drawn_height, em, explain, say, translucent


class LogStepper:
    """A bar at the bottom of the viewport, above the hint, while a log is open."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing without a log."""
        if ui.log is None:
            return
        area = ui.viewport
        width = min(LOG_EMS * em(), area.width - 1.2 * em())
        imgui.set_next_window_pos(
            ImVec2(area.x + 0.5 * area.width, area.y + area.height - em() - drawn_height(HINT_WINDOW)),
            imgui.Cond_.always,
            ImVec2(0.5, 1.0),
        )
        imgui.set_next_window_size(ImVec2(width, 0.0), imgui.Cond_.always)
        imgui.push_style_color(imgui.Col_.window_bg, translucent(0.92))
        flags = OVERLAY & ~imgui.WindowFlags_.always_auto_resize
        if imgui.begin(LOG_WINDOW, None, flags)[0]:
            _draw_controls(ui.log, ask)
            if ui.log.fault:
                say(ui.log.fault, ui.theme.overlap)
            else:
                say(ui.log.title)
        imgui.end()
        imgui.pop_style_color()


def _draw_controls(log: LogPosition, ask: Ask) -> None:
    previous, following = "‹ Previous", "Next ›"
    imgui.begin_disabled(log.index <= 0)
    if imgui.button(previous):
        ask.append(Step(log.index - 1))
    imgui.end_disabled()
    imgui.same_line()
    imgui.set_next_item_width(
        imgui.get_content_region_avail().x - button_width(following) - imgui.get_style().item_spacing.x
    )
    moved, number = imgui.slider_int("##entry", log.index + 1, 1, max(1, log.count), f"%d of {log.count}")
    explain("Drag, or Ctrl and click to type a number")
    number = min(max(number, 1), log.count)
    if moved and number - 1 != log.index:
        ask.append(Step(number - 1))
    imgui.same_line()
    imgui.begin_disabled(log.index >= log.count - 1)
    if imgui.button(following):
        ask.append(Step(log.index + 1))
    imgui.end_disabled()

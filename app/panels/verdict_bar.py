"""The answer in one line at the top of the viewport: shape, word, number, and how the number is known."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from core.analysis.analysis import Analysis
from core.verdict import Verdict

from ..state.panel_state import PanelState
from ..state.playback import moves
from ..state.requests import Invoke
from ..words.axis_words import full, plain, verdict_line
from .panel import Ask
from .step_icons import forth
from .widgets import (
    HEAD_GAP,
    OVERLAY,
    coloured,
    copies_on_click,
    cramped,
    em,
    explain,
    translucent,
    verdict_colour,
    verdict_mark,
    wrapped_at,
)

VERDICT_WINDOW = "##verdict"
MARGIN = 0.6
"""Distance from the viewport's edges, ems."""


class VerdictBar:
    """Floats over the viewport, never wider than it: long sentences wrap."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Always shown."""
        area, margin = ui.viewport, MARGIN * em()
        line = verdict_in_short(ui.analysis) if cramped(area) else verdict_line(ui.analysis)
        widest = max(8.0 * em(), area.width - 2.0 * margin)
        inner = widest - 2.0 * imgui.get_style().window_padding.x
        imgui.set_next_window_pos(
            ImVec2(area.x + 0.5 * area.width, area.y + margin), imgui.Cond_.always, ImVec2(0.5, 0.0)
        )
        imgui.set_next_window_size_constraints(ImVec2(0.0, 0.0), ImVec2(widest, 1e6))
        imgui.push_style_color(imgui.Col_.window_bg, translucent(0.86))
        if imgui.begin(VERDICT_WINDOW, None, OVERLAY)[0]:
            self._draw_line(ui, line, inner, ask)
            with wrapped_at(imgui.get_cursor_pos_x() + inner):
                if _under_way(ui):
                    from .motion_verdict import draw_motion_verdict

                    draw_motion_verdict(ui, inner, ask)
                for sentence in ui.analysis.disagreements:
                    with coloured(ui.theme.overlap):
                        imgui.text_unformatted(f"Algorithms disagree: {sentence}")
        imgui.end()
        imgui.pop_style_color()

    def _draw_line(self, ui: PanelState, line: str, inner: float, ask: Ask) -> None:
        verdict_mark(ui.analysis.verdict, ui.theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        word, colon, rest = line.partition(":")
        if _under_way(ui):
            word, line = f"{word} at the start", f"{word} at the start:{rest}"
        rgba = verdict_colour(ui.analysis.verdict, ui.theme)
        whole = imgui.calc_text_size(line).x + (1.0 + HEAD_GAP) * em()
        with coloured(rgba):
            imgui.text_unformatted(word + colon)
        if whole + imgui.get_style().item_spacing.x <= inner:
            imgui.same_line(0.0, imgui.calc_text_size(" ").x)
        with wrapped_at(imgui.get_style().window_padding.x + inner):
            imgui.text_unformatted(rest.strip())
        note = "Separation is signed: positive apart, negative overlapping; in scene units."
        if cramped(ui.viewport):
            note = f"{verdict_line(ui.analysis)}\n{note}"
        copies_on_click(full(ui.analysis.separation), "separation", ask, note)
        if not ui.playback.open:
            _draw_way_in("" if cramped(ui.viewport) else "Step through", whole, inner, ask)


def _under_way(ui: PanelState) -> bool:
    """Whether a motion is shown, and there is any: then the verdict is about the start alone."""
    scene = ui.document.scene
    return ui.view.shows_motion(scene) and (moves(scene.a) or moves(scene.b))


def verdict_in_short(analysis: Analysis) -> str:
    """The verdict with its number alone."""
    word = verdict_line(analysis).partition(":")[0]
    return word if analysis.verdict is Verdict.TOUCHING else f"{word}: {plain(abs(analysis.separation))}"


def _draw_way_in(text: str, line: float, inner: float, ask: Ask) -> None:
    """The button that opens the timeline: after the line, or under it where there is no room; without text its icon."""
    icon, padding = (1.2 if text else 0.7) * em(), 0.6 * em()
    width = icon + imgui.calc_text_size(text).x + 2.0 * padding
    if line + 1.2 * em() + width + imgui.get_style().item_spacing.x <= inner:
        imgui.same_line(0.0, 1.2 * em())
    elif not text:
        return
    if imgui.button("##step through", ImVec2(width, imgui.get_text_line_height())):
        ask.append(Invoke("steps.timeline"))
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw, colour, middle = imgui.get_window_draw_list(), imgui.get_color_u32(imgui.Col_.text), 0.5 * (low.y + high.y)
    forth(draw, round(low.x + padding + 0.35 * em()), round(middle), round(0.32 * em()), colour)
    draw.add_text(ImVec2(round(low.x + padding + icon), round(middle - 0.5 * em())), colour, text)
    explain("Step through the query: SAT axis by axis, GJK, EPA, the contacts, the motion. Space plays the steps.")

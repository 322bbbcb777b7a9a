"""The free axis against the winner, in a calm card: what it shows, the best of this try, and where to start."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.scene import Scene, Triple

from ..draw.draw_list import Subject
from ..probes.free_axis import Attempt, nearest_words, standing, value_words, why
from ..state.panel_state import PanelState
from ..state.requests import Invoke, Look, Point
from .knob_chip import CHIP_WINDOW
from .panel import Ask
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .widgets import OVERLAY, button_width, coloured, cramped, drawn_height, em, explain, translucent, wrapped_at

CARD_WINDOW = "##free axis"
CARD_EMS = 27.5
"""Widest card, ems."""
PANE_TITLE_EMS = 1.9
"""Room for the panes' names above the card."""


class Best(Struct, frozen=True):
    """The axis of this try that shows most: a try lasts while the scene stays and a free axis is there."""

    scene: Scene
    free: Triple
    separation: float


def best_of(best: Best | None, analysis: Analysis, free: Triple, separation: float) -> Best:
    """The best so far after this axis; another scene begins another try."""
    if best is not None and best.scene == analysis.scene and best.separation >= separation:
        return best
    return Best(analysis.scene, free, separation)


class FreeAxisCard:
    """At the top left of the last pane, where no inset stands."""

    def __init__(self) -> None:
        self._best: Best | None = None
        self._attempt: Attempt | None = None
        self._key: tuple[object, ...] = ()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while there is a free axis."""
        if ui.view.free is None:
            self._best, self._attempt = None, None
            return
        attempt = self._attempt_at(ui.analysis, ui.view.free)
        self._best = best_of(self._best, ui.analysis, ui.view.free, attempt.separation)
        asking = ui.asked is not None and ui.asked.open
        if cramped(ui.viewport) or not ui.panes or asking:
            return
        area, margin = ui.panes[-1][1], MARGIN * em()
        at_top = area.y == ui.viewport.y
        below = margin + (drawn_height(VERDICT_WINDOW) if at_top else 0.0) + PANE_TITLE_EMS * em()
        chip = drawn_height(CHIP_WINDOW) if len(ui.panes) == 1 else 0.0
        below += chip + margin if chip else 0.0
        width = min(CARD_EMS * em(), area.width - 2.0 * margin)
        imgui.set_next_window_pos(ImVec2(area.x + margin, area.y + below), imgui.Cond_.always)
        imgui.push_style_color(imgui.Col_.window_bg, translucent(0.86))
        if imgui.begin(CARD_WINDOW, None, OVERLAY)[0]:
            with wrapped_at(width - imgui.get_style().window_padding.x):
                self._draw_words(ui, attempt, width, ask)
        imgui.end()
        imgui.pop_style_color()

    def _attempt_at(self, analysis: Analysis, free: Triple) -> Attempt:
        if self._attempt is None or self._attempt.analysis is not analysis or self._key != free:
            self._attempt, self._key = Attempt.of(analysis, free), free
        return self._attempt

    def _draw_words(self, ui: PanelState, attempt: Attempt, width: float, ask: Ask) -> None:
        theme, gap = ui.theme, imgui.get_style().item_spacing.x
        with coloured(theme.winner if attempt.beats or attempt.ties else theme.text):
            imgui.text_unformatted(standing(attempt))
        with coloured(theme.dim_text):
            imgui.text_unformatted(why(attempt))
        words, start = nearest_words(attempt), "start from the winner"
        if words:
            if imgui.small_button(f"{words}##nearest"):
                ask.append(Invoke("free.nearest"))
            if imgui.is_item_hovered() and attempt.nearest is not None:
                ask.append(Point(Subject("axis", attempt.nearest)))
            explain("Click to put your axis on it")
            if button_width(words) + gap + button_width(start) <= width:
                imgui.same_line()
        if imgui.small_button(start):
            ask.append(Invoke("free.winner"))
        explain("Put your axis on the winner, and try to do better from there")
        self._draw_best(ui, attempt, ask)

    def _draw_best(self, ui: PanelState, attempt: Attempt, ask: Ask) -> None:
        best = self._best
        if best is None or best.separation <= attempt.separation:
            # Its line stays, so that the card does not jump.
            imgui.text_disabled("this is the best of your try")
            return
        if imgui.small_button(f"best of this try {value_words(best.separation)}##best"):
            ask.append(Look(replace(ui.view, free=best.free)))
        explain("Click to put your axis back there")

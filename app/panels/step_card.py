"""The step shown, in words and numbers: known, decided, why, the formulas with its numbers, the bounds, the stop."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from core.query import Moment, Query

from ..panel_state import PanelState
from ..step_words import StepText, Stop, step_text
from ..theme import Theme
from .bounds_chart import BoundsChart
from .formula import Formulas
from .layout import AXES_TITLE, STEP_TITLE, dock_beside
from .panel import Ask
from .widgets import DOCKED, HEAD_GAP, coloured, em, say, u32

NAME_EMS = 4.1
"""Width of the column with the names of the parts."""


class StepCard:
    """The docked panel, there while a step is shown."""

    def __init__(self) -> None:
        self._formulas = Formulas()
        self._chart = BoundsChart()
        self._moment: Moment | None = None
        self._text: StepText | None = None
        self._steady = Steady()
        self._shown = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown with the timeline, whether the other panels are or not; in front of its tabs when it comes."""
        query, moment = ui.query, ui.moment
        if query is None or moment is None:
            self._shown = False
            return
        text = self._words(query, moment)
        dock_beside(AXES_TITLE)
        if not self._shown:
            self._shown = True
            imgui.set_next_window_focus()
        if imgui.begin(STEP_TITLE, None, DOCKED)[0]:
            self._draw_text(ui, query, moment, text, ask)
        imgui.end()

    def _words(self, query: Query, moment: Moment) -> StepText:
        if self._text is None or moment is not self._moment:
            self._moment, self._text = moment, step_text(query, moment)
        return self._text

    def _draw_text(self, ui: PanelState, query: Query, moment: Moment, text: StepText, ask: Ask) -> None:
        theme = ui.theme
        self._steady.begin(moment)
        _draw_title(text, theme.phase(moment.phase))
        for name, words in (("known", text.known), ("decided", text.decided), ("why", text.why)):
            imgui.text_disabled(name)
            imgui.same_line(imgui.get_style().window_padding.x + NAME_EMS * em())
            say(words)
            self._steady.fill(name)
        width = imgui.get_content_region_avail().x
        for formula in text.formulas:
            self._formulas.draw(formula, theme.text, width)
        self._steady.fill("formulas")
        self._chart.draw(ui, query, moment, ask)
        if text.stop is not None:
            _draw_stop(text.stop, theme)


class Steady:
    """Keeps each part of the card as high as it has been in this phase, so that nothing jumps from step to step."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._heights: dict[str, float] = {}
        self._top = 0.0

    def begin(self, moment: Moment) -> None:
        """The card begins; another phase or width begins anew."""
        key = (moment.phase, imgui.get_content_region_avail().x, em())
        if key != self._key:
            self._key, self._heights = key, {}
        self._top = imgui.get_cursor_pos_y()

    def fill(self, name: str) -> None:
        """The part ends here, or lower where it was once higher."""
        height = imgui.get_cursor_pos_y() - self._top
        highest = self._heights[name] = max(self._heights.get(name, 0.0), height)
        if highest > height:
            imgui.dummy(ImVec2(0.0, highest - height - imgui.get_style().item_spacing.y))
        self._top = imgui.get_cursor_pos_y()


def _draw_title(text: StepText, rgba: tuple[float, float, float, float]) -> None:
    """The title behind a bar in the phase's colour."""
    at, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
    bar = 0.3 * em()
    imgui.get_window_draw_list().add_rect_filled(at, ImVec2(at.x + bar, at.y + height), u32(rgba), 0.5 * bar)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + bar + HEAD_GAP * em())
    with coloured(rgba):
        say(text.title)


def _draw_stop(stop: Stop, theme: Theme) -> None:
    """The reason, green or red, and below it what it means."""
    imgui.separator()
    with coloured(theme.gap if stop.good else theme.overlap):
        imgui.text_unformatted(stop.name)
    say(stop.meaning, None if stop.good else theme.overlap)

"""The step shown, in words and numbers: known, decided, why, the formulas with its numbers, the bounds, the stop.

Another panel has the algorithm of its phase in a dozen lines, the line that the step ended on marked.
"""

from __future__ import annotations

from functools import lru_cache

from imgui_bundle import ImVec2, imgui

from core.query.query import Moment, Query

from ..draw.theme import Theme, faded
from ..stages import entry_of, stage_of, step_text
from ..stages.stage import At
from ..stages.word_parts import StepText, Stop
from ..state.panel_state import PanelState
from ..words.axis_words import MINUS
from .bounds_chart import BoundsChart
from .formula import Formulas
from .panel import Ask, Docked
from .widgets import HEAD_GAP, coloured, em, say, u32, wrapped_at, write

NAME_EMS = 4.1
"""Width of the column with the names of the parts."""
MOST_FOR_STOP = 0.4
"""Share of the card's height that the stop may take from the rest."""
FORMULA_GAP = 0.1
"""Air over the formulas beside the usual, ems."""


class StepCard(Docked):
    """There while a step is shown, whether the other panels are or not."""

    def __init__(self) -> None:
        self._formulas = Formulas()
        self._chart = BoundsChart()
        self._moment: Moment | None = None
        self._text: StepText | None = None
        self._steady = Steady()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """What the step does, in words, formulas and a chart of the bounds."""
        if ui.query is not None and ui.moment is not None:
            self._draw_text(ui, ui.query, ui.moment, self._words(ui.query, ui.moment), ask)

    def _words(self, query: Query, moment: Moment) -> StepText:
        if self._text is None or moment is not self._moment:
            self._moment, self._text = moment, step_text(query, moment)
        return self._text

    def _draw_text(self, ui: PanelState, query: Query, moment: Moment, text: StepText, ask: Ask) -> None:
        # The stop stays in sight below what scrolls, unless the card is so low that nothing else would.
        foot = 0.0 if text.stop is None else _stop_height(text.stop)
        room = imgui.get_content_region_avail()
        pinned = 0.0 < foot <= MOST_FOR_STOP * room.y
        highest = max(1.0, room.y - (foot if pinned else 0.0))
        self._formulas.begin(imgui.get_cursor_screen_pos().y + highest)
        imgui.set_next_window_size_constraints(ImVec2(room.x, 1.0), ImVec2(room.x, highest))
        imgui.begin_child("##step", ImVec2(room.x, 0.0), imgui.ChildFlags_.auto_resize_y)
        self._draw_body(ui, query, moment, text, ask)
        if text.stop is not None and not pinned:
            _draw_stop(text.stop, ui.theme)
        imgui.end_child()
        if text.stop is not None and pinned:
            _draw_stop(text.stop, ui.theme)

    def _draw_body(self, ui: PanelState, query: Query, moment: Moment, text: StepText, ask: Ask) -> None:
        theme = ui.theme
        self._steady.begin((moment.phase, type(moment.step), len(text.formulas) > 1))
        _draw_title(text, entry_of(moment.phase).colour(theme))
        for name, words in (("known", text.known), ("decided", text.decided), ("why", text.why)):
            imgui.text_disabled(name)
            imgui.same_line(imgui.get_cursor_start_pos().x + NAME_EMS * em())
            say_whole(words)
            self._steady.fill(name)
        imgui.dummy(ImVec2(0.0, FORMULA_GAP * em()))
        width = imgui.get_content_region_avail().x
        for formula in text.formulas:
            self._formulas.draw(formula, theme.text, width, ask)
        self._steady.fill("formulas")
        self._chart.draw(ui, query, moment, ask)


class Steady:
    """Keeps each part of the card as high as it has been for this kind of step, so that nothing jumps between steps."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._heights: dict[str, float] = {}
        self._top = 0.0

    def begin(self, kind: tuple[object, ...]) -> None:
        """The card begins; another kind of step or width begins anew."""
        key = (*kind, imgui.get_content_region_avail().x, em())
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


@lru_cache(maxsize=64)
def lines_of(words: str, width: float, _size: float) -> str:
    """The words in lines no wider than `width`, at the text's `_size`: names and differences are never torn apart.

    imgui itself breaks after every full stop, and A.v3 has one.
    """
    whole = (
        words.replace(f" {MINUS} ", f"\u00a0{MINUS}\u00a0")
        .replace(" = ", "\u00a0=\u00a0")
        .replace(" | ", "\u00a0|\u00a0")
    )
    lines = [""]
    for word in whole.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and imgui.calc_text_size(longer).x > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def say_whole(words: str) -> None:
    """Text wrapped by `lines_of` at the window's right edge."""
    imgui.text_unformatted(lines_of(words, imgui.get_content_region_avail().x, em()))


def _draw_title(text: StepText, rgba: tuple[float, float, float, float]) -> None:
    """The title behind a bar in the phase's colour."""
    at, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
    bar = 0.3 * em()
    imgui.get_window_draw_list().add_rect_filled(at, ImVec2(at.x + bar, at.y + height), u32(rgba), 0.5 * bar)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + bar + HEAD_GAP * em())
    with coloured(rgba):
        say(text.title)


def _stop_height(stop: Stop) -> float:
    """What `_draw_stop` takes, with the air over it."""
    lines = lines_of(stop.meaning, imgui.get_content_region_avail().x, em()).count("\n") + 1
    air = 4.0 * imgui.get_style().item_spacing.y
    return (1 + lines) * imgui.get_text_line_height() + air


def _draw_stop(stop: Stop, theme: Theme) -> None:
    """The reason, green or red, and below it what it means."""
    imgui.separator()
    write(stop.name, theme.gap if stop.good else theme.overlap)
    with coloured(theme.text if stop.good else theme.overlap):
        say_whole(stop.meaning)


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
        listing, rgba = stage.listing(at.dimension), entry_of(ui.moment.phase).colour(ui.theme)
        write(listing.title, rgba)
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

"""The step shown, in words and numbers: so far, this step, why, the formulas with its numbers, the bounds, the stop.

The bounds of its algorithm stand against the iterations: a band that closes on the answer, or its width on a log scale.
GJK and EPA have bounds of a distance; the ray cast and advancement the distance that is left; and entry and exit times,
axis by axis, the stretch of time in which all axes so far meet.

Another panel has the algorithm of its phase in a dozen lines, the line that the step ended on marked.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor, isfinite, log10
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot
from msgspec import Struct

from core.geometry.vector import Array, frozen
from core.query.query import Moment, Phase, Query

from ..draw.theme import Theme, faded
from ..stages import entry_of, part_of, stage_of, step_text
from ..stages.stage import At
from ..stages.word_parts import StepText, Stop
from ..state.panel_state import PanelState
from ..state.playback import scrubbed
from ..state.requests import Play
from ..state.view import WHOLE
from ..words.axis_words import MINUS, plain
from .formula import Formulas
from .panel import Ask, Docked
from .step_room import StepRoom
from .text import coloured, em, larger, say, tell_beside, wrapped_at, write
from .widgets import FIXED_AXIS, HEAD_GAP, line_spec, u32

HEIGHT = 6.6
"""Height of the chart, ems."""
MOST_MARKED = 30
"""Points of more iterations than this would touch each other."""
BELOW = 0.1
"""A gap of 0 has no place on a log scale: it stands at this share of the smallest that has one."""
FLOOR = 1e-17
"""And nothing stands below this."""
TOLD_APART = 1e-4
"""A range of values below this share of their size has the same number at all its ticks."""


class Bounds(Struct, frozen=True, eq=False):
    """What an algorithm's steps knew: per step that has bounds its `places` in the query, iteration `numbers`, bounds.

    Arrays (k,), float64 but for the places. `what` is bounded, in which `unit`: the distance or the depth of the cores.
    `counted`: what an iteration is called. Where `lower` is above `upper`, the axes have no time in common.
    """

    places: tuple[int, ...]
    numbers: Array
    lower: Array
    upper: Array
    what: str
    unit: str
    counted: str

    @staticmethod
    def of(query: Query, phase: Phase) -> Bounds | None:
        """The bounds of a phase; None where it has none."""
        bounds = stage_of(phase).bounds
        if bounds is None:
            return None
        found = []
        for place, moment in enumerate(query.moments):
            if moment.phase is phase:
                step = At[Any](query, moment).step
                lower, upper = bounds.of(step)
                if lower is not None and upper is not None and isfinite(lower) and isfinite(upper):
                    found.append((place, float(getattr(step, "number", moment.index + 1)), lower, upper))
        if not found:
            return None
        places, numbers, lowers, uppers = zip(*found, strict=True)
        return Bounds(places, _array(numbers), _array(lowers), _array(uppers), bounds.what, bounds.unit, bounds.counted)

    @property
    def gap(self) -> Array:
        """How far the bounds are apart (k,), never below 0."""
        found: Array = np.maximum(self.upper - self.lower, 0.0)
        return found

    def nearest(self, number: float) -> int:
        """Index of the iteration nearest to a place on the axis."""
        return int(np.argmin(np.abs(self.numbers - number)))

    def told(self, index: int) -> str:
        """What an iteration knew, in lines."""
        lower, upper = float(self.lower[index]), float(self.upper[index])
        head = f"{self.counted} {self.numbers[index]:.0f}"
        if lower > upper:
            return f"{head}\nentry {plain(lower)} after exit {plain(upper)}: apart"
        return f"{head}\n{plain(lower)} ≤ {self.what} ≤ {plain(upper)}\ngap {plain(upper - lower)}"


def on_log_scale(gap: Array) -> Array:
    """The gaps (k,) with those that are 0 moved just below the smallest other."""
    positive = gap[gap > 0.0]
    bottom = max(BELOW * float(positive.min()), FLOOR) if len(positive) else FLOOR
    shown: Array = np.maximum(gap, bottom)
    return shown


class BoundsChart:
    """The chart, with the switch between band and gap."""

    def __init__(self) -> None:
        self._log = False
        self._query: Query | None = None
        self._phase: Phase | None = None
        self._bounds: Bounds | None = None

    def bounds(self, query: Query, phase: Phase) -> Bounds | None:
        """The bounds to show, kept for as long as query and phase stay."""
        if query is not self._query or phase is not self._phase:
            self._query, self._phase, self._bounds = query, phase, Bounds.of(query, phase)
        return self._bounds

    def draw(self, ui: PanelState, query: Query, moment: Moment, ask: Ask) -> None:
        """Draws it where the phase has bounds; a click on an iteration shows that step."""
        bounds = self.bounds(query, moment.phase)
        if bounds is None:
            return
        if implot.get_current_context() is None:
            implot.create_context()
        self._draw_head(bounds)
        current = next((k for k, place in enumerate(bounds.places) if query.moments[place] is moment), None)
        flags = implot.Flags_.canvas_only | implot.Flags_.no_frame
        implot.push_style_var(implot.StyleVar_.plot_padding, ImVec2(0.2 * em(), 0.4 * em()))
        implot.push_style_var(implot.StyleVar_.label_padding, ImVec2(0.3 * em(), 0.2 * em()))
        if implot.begin_plot("##bounds", ImVec2(-1.0, round(HEIGHT * em())), flags):
            self._plot(ui.theme, bounds, moment.phase, current)
            _follow_pointer(ui, query, bounds, ask)
            implot.end_plot()
        implot.pop_style_var(2)

    def _draw_head(self, bounds: Bounds) -> None:
        """The name of the upright axis, which has no room beside it, and the switch at the right."""
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(0.15 * em(), 0.05 * em()))
        imgui.align_text_to_frame_padding()
        imgui.text_disabled(f"{'gap' if self._log else bounds.what} / {bounds.unit}")
        label = "gap, log scale"
        room = imgui.get_frame_height() + imgui.get_style().item_inner_spacing.x + imgui.calc_text_size(label).x
        imgui.same_line(imgui.get_cursor_pos_x() + max(0.0, imgui.get_content_region_avail().x - room))
        _, self._log = imgui.checkbox(label, self._log)
        imgui.pop_style_var()

    def _plot(self, theme: Theme, bounds: Bounds, phase: Phase, current: int | None) -> None:
        lower, upper = bounds.lower, bounds.upper
        values = on_log_scale(bounds.gap) if self._log else np.concatenate((lower, upper))
        self._set_up(bounds, values)
        colour, line = entry_of(phase).colour(theme), max(1.0, 0.12 * em())
        style = line_spec(colour, line, 0.17 * em() if len(bounds.numbers) <= MOST_MARKED else 0.0)
        if self._log:
            implot.plot_line("##gap", bounds.numbers, values, style)
        else:
            fill = implot.Spec(fill_color=ImVec4(*colour), fill_alpha=0.35)
            implot.plot_shaded("##band", bounds.numbers, lower, upper, fill)
            for name, side in (("##lower", lower), ("##upper", upper)):
                implot.plot_line(name, bounds.numbers, side, style)
        if current is None:
            return
        here = np.array([bounds.numbers[current]])
        implot.plot_inf_lines("##now", here, line_spec(faded(theme.text, 0.55), line))
        marks = np.array([values[current]] if self._log else [lower[current], upper[current]])
        implot.plot_scatter("##marks", np.repeat(here, len(marks)), marks, line_spec(theme.text, line, 0.32 * em()))

    def _set_up(self, bounds: Bounds, values: Array) -> None:
        implot.setup_axes(bounds.counted, "", FIXED_AXIS, FIXED_AXIS | implot.AxisFlags_.no_label)
        first, last = float(bounds.numbers[0]), float(bounds.numbers[-1])
        implot.setup_axis_limits(implot.ImAxis_.x1, first - 0.5, last + 0.5, implot.Cond_.always)
        # Whole numbers, at most eight of them.
        step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if (last - first) / s < 8.0 or s == 1000)
        ticks = [float(n) for n in range(int(first), int(last) + 1) if n % step == 0 or n == first]
        implot.setup_axis_ticks(implot.ImAxis_.x1, ticks, [f"{tick:.0f}" for tick in ticks])
        low, high = float(values.min()), float(values.max())
        if self._log:
            implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
            low, high = low / 3.0, high * 3.0
            decades = log_ticks(low, high)
            implot.setup_axis_ticks(implot.ImAxis_.y1, decades, [plain(tick) for tick in decades])
        else:
            low, high = band_limits(low, high)
        implot.setup_axis_limits(implot.ImAxis_.y1, low, high, implot.Cond_.always)


def _array(values: tuple[float, ...]) -> Array:
    return frozen(np.array(values, dtype=np.float64))


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten within the limits, four at most."""
    first, last = ceil(log10(low)), floor(log10(high))
    step = max(1, -(-(last - first + 1) // 4))
    return [10.0**power for power in range(last, first - 1, -step)][::-1]


def band_limits(low: float, high: float) -> tuple[float, float]:
    """Ends of the upright axis round values from low to high; bounds that differ by rounding lie on one another."""
    size = max(abs(low), abs(high))
    margin = 0.08 * (high - low) if high - low > TOLD_APART * size else 0.1 * size or 0.1
    return low - margin, high + margin


def _follow_pointer(ui: PanelState, query: Query, bounds: Bounds, ask: Ask) -> None:
    if not implot.is_plot_hovered():
        return
    index = bounds.nearest(implot.get_plot_mouse_pos().x)
    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    tell_beside(f"{bounds.told(index)}\nClick to go there")
    if imgui.is_mouse_clicked(imgui.MouseButton_.left):
        ask.append(Play(scrubbed(ui.playback, query, bounds.places[index])))


NAME_EMS = 4.6
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
        self._shown: tuple[Moment, str] | None = None
        self._text: StepText | None = None
        self._steady = Steady()
        self._room = StepRoom()

    def unseen(self, _ui: PanelState, _ask: Ask, *, wanted: bool) -> None:
        """Gives the room back to the other panels."""
        self._room.update("Step", "Bodies", shown=wanted)

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """What the step does, in words, formulas and a chart of the bounds."""
        self._room.update("Step", "Bodies", shown=True)
        if ui.query is None or ui.moment is None:
            return
        if self._text is None or self._shown is None or self._shown != (ui.moment, ui.part):
            self._shown, self._text = (ui.moment, ui.part), step_text(ui.query, ui.moment, ui.part)
        if ui.lesson is not None and ui.lesson.step is not None and "step" not in ui.lesson.step.look.panels:
            # The step of a lesson wants the bounds alone: the words would tell what it asks.
            self._chart.draw(ui, ui.query, ui.moment, ask)
            return
        self._draw_text(ui, ui.query, ui.moment, self._text, ask)

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
        self._steady.begin((moment.phase, type(moment.step), len(text.formulas) > 1, ui.part == WHOLE))
        _draw_title(text, entry_of(moment.phase).colour(theme))
        for name, words in (("So far", text.known), ("This step", text.decided), ("Why", text.why)):
            if not words:
                continue
            imgui.text_disabled(name)
            imgui.same_line(imgui.get_cursor_start_pos().x + NAME_EMS * em())
            say_whole(words)
            self._steady.fill(name)
        # The bounds before the formulas: they stay in sight where the card is low.
        self._chart.draw(ui, query, moment, ask)
        imgui.dummy(ImVec2(0.0, FORMULA_GAP * em()))
        width = imgui.get_content_region_avail().x
        for formula in text.formulas:
            self._formulas.draw(formula, theme.text, width, ask)
        self._steady.fill("formulas")


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
    with larger(), coloured(rgba):
        at, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
        bar = 0.3 * em()
        imgui.get_window_draw_list().add_rect_filled(at, ImVec2(at.x + bar, at.y + height), u32(rgba), 0.5 * bar)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + bar + HEAD_GAP * em())
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
        listing, rgba = stage.listing_of(at), entry_of(ui.moment.phase).colour(ui.theme)
        write(listing.title, rgba)
        part = part_of(ui.query, ui.moment, ui.part)
        current = stage.line(at.step) if part is None else part.line
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

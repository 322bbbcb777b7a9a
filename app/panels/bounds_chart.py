"""The chart of an algorithm's bounds over its iterations: a closing band, or its width on a log scale.

GJK and EPA have bounds of a distance; the ray cast and advancement have the remaining distance; the test of entry and
exit times has the interval of time in which all axes so far overlap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from math import ceil, floor, isfinite, log10
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from core.geometry.vector import Array, frozen
from core.query.query import GJK_EPA, Moment, Phase, Query

from ..draw.draw_list import Rgba
from ..draw.theme import faded
from ..stages import spec_of, stage_of
from ..stages.stage import At
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.playback import scrubbed
from ..words.digits import superscript, told_together, tolerance, written
from .chart import Axis, Curve, Part, Upright, draw_chart, draw_chart_key
from .text import em, tell_beside

HEIGHT_EMS, ALONE_EMS = 7.6, 20.0
"""Height of the chart, ems: together with other things, and at most if the chart is alone in the card."""
BELOW_AXIS, TICK_EMS, MOST_TICKS = 3.2, 1.4, 6
"""The height of the horizontal axis and of a tick at the vertical axis, ems; the most ticks at the vertical axis."""
MOST_MARKED = 30
"""The most iterations with marked points; with more the marks would touch."""
BELOW = 0.1
"""An uncertainty of 0 is drawn on the log scale at this share of the smallest positive one."""
FLOOR = 1e-17
"""The lowest value on the log scale."""
TOLD_APART = 1e-4
"""A range below this share of the largest value is widened, since all its ticks would have the same number."""


class BoundsSeries(Struct, frozen=True, eq=False):
    """The bounds of the k steps of an algorithm that have both: `places` in the query, `numbers` and bounds.

    The arrays (k,) are float64; a number is that of the step on its phase's timeline, from 1. `what`: the bounded
    quantity, in `unit`. `sides`: the words for the two bounds. Where `lower` is above `upper`, the axes have no time in
    common.
    """

    places: tuple[int, ...]
    numbers: Array
    lower: Array
    upper: Array
    what: str
    unit: str
    sides: tuple[str, str]

    @staticmethod
    def of(query: Query, phase: Phase) -> BoundsSeries | None:
        """The bounds of a phase; None if it has none."""
        moments = ((place, moment) for place, moment in enumerate(query.moments) if moment.phase is phase)
        return BoundsSeries._of(phase, ((place, At[Any](query, moment).step) for place, moment in moments))

    @staticmethod
    def in_double(query: Query, phase: Phase) -> BoundsSeries | None:
        """The bounds of the run in double, for a query in single precision; None for other queries or phases.

        They end with the last iteration in single precision. Their `places` count the steps of that phase.
        """
        double = query.in_double
        if double is None or phase not in GJK_EPA:
            return None
        mine: list[Any] = [moment.step for moment in query.moments if moment.phase is phase]
        if not mine:
            return None
        kind, last = type(mine[0]), mine[-1].number
        steps = (step for step in double.steps if isinstance(step, kind) and step.number <= last)
        return BoundsSeries._of(phase, enumerate(steps))

    @staticmethod
    def _of(phase: Phase, steps: Iterable[tuple[int, Any]]) -> BoundsSeries | None:
        """The series of the bounds of `steps`, pairs of a place and a step; None without bounds."""
        bounds = stage_of(phase).bounds
        if bounds is None:
            return None
        found = []
        for index, (place, step) in enumerate(steps):
            lower, upper = bounds.of(step)
            if lower is not None and upper is not None and isfinite(lower) and isfinite(upper):
                found.append((place, float(index + 1), lower, upper))
        if not found:
            return None
        places, numbers, lowers, uppers = zip(*found, strict=True)
        values = _array(numbers), _array(lowers), _array(uppers)
        return BoundsSeries(places, *values, bounds.what, bounds.unit, bounds.sides)

    def known_at(self, place: int) -> int:
        """The number of iterations with bounds up to a place of the query, that place included."""
        return bisect_right(self.places, place)

    @property
    def uncertainty(self) -> Array:
        """The differences (k,) of the bounds, at least 0."""
        found: Array = np.maximum(self.upper - self.lower, 0.0)
        return found

    def nearest(self, number: float, known: int) -> int:
        """The index of the iteration, among the first `known` (1 or more), nearest to a number on the axis."""
        return int(np.argmin(np.abs(self.numbers[:known] - number)))

    def tooltip(self, index: int) -> str:
        """The lines of the tooltip of an iteration, by its index among those with bounds."""
        lower, upper = float(self.lower[index]), float(self.upper[index])
        head = f"step {self.numbers[index]:.0f}"
        least, most = told_together(lower, upper)
        if lower > upper:
            return f"{head}\nentry {least} after exit {most}: apart"
        return f"{head}\n{least} ≤ {self.what} ≤ {most}\nuncertainty {tolerance(upper - lower)}"


def on_log_scale(uncertainty: Array) -> Array:
    """The uncertainties (k,), with 0 replaced by a value below the smallest positive one."""
    positive = uncertainty[uncertainty > 0.0]
    bottom = max(BELOW * float(positive.min()), FLOOR) if len(positive) else FLOOR
    shown: Array = np.maximum(uncertainty, bottom)
    return shown


class BoundsChart:
    """The chart, with the switch between band and uncertainty."""

    def __init__(self) -> None:
        self._query: Query | None = None
        self._phase: Phase | None = None
        self._bounds: BoundsSeries | None = None
        self._double: BoundsSeries | None = None

    def bounds(self, query: Query, phase: Phase) -> BoundsSeries | None:
        """The bounds to show, cached for a query and a phase; None for a phase without bounds."""
        if query is not self._query or phase is not self._phase:
            self._query, self._phase, self._bounds = query, phase, BoundsSeries.of(query, phase)
            self._double = BoundsSeries.in_double(query, phase)
        return self._bounds

    def draw(self, ui: PanelState, query: Query, moment: Moment, ask: Ask, height: float = HEIGHT_EMS) -> None:
        """Draws the chart, `height` ems high, if the phase has bounds; a click on an iteration shows that step."""
        bounds = self.bounds(query, moment.phase)
        if bounds is None:
            return
        self._draw_head(ui, bounds, moment.phase)
        here = next(place for place, other in enumerate(query.moments) if other is moment)
        # In a lesson, or while the verdict is hidden, only the bounds known at the shown sub-step are drawn.
        told = ui.lesson is None and ui.settings.verdict_told
        known = len(bounds.places) if told else bounds.known_at(here - comes_before_bounds(moment.phase, ui.part))
        current = bounds.places.index(here) if here in bounds.places[:known] else None
        most = min(MOST_TICKS, max(2, int((height - BELOW_AXIS) / TICK_EMS)))
        parts = self._parts(ui, bounds, known, spec_of(moment.phase).colour(ui.theme), current)
        axes = self._axes(bounds, most, log=ui.dialogs.log_scale)
        pointed = draw_chart("##bounds", axes, parts, ui.theme, height, framed=False)
        if pointed is None or not known:
            return
        index = bounds.nearest(pointed.x, known)
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        tell_beside(f"{bounds.tooltip(index)}\nClick to go there")
        if imgui.is_mouse_clicked(imgui.MouseButton_.left):
            ask.play(scrubbed(ui.playback, query, bounds.places[index]))

    def _draw_head(self, ui: PanelState, bounds: BoundsSeries, phase: Phase) -> None:
        """Draws the vertical axis' title above the chart, the switch at the right, and the bounds' names."""
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(0.15 * em(), 0.05 * em()))
        imgui.align_text_to_frame_padding()
        theme, log = ui.theme, ui.dialogs.log_scale
        head, label = f"{'uncertainty' if log else bounds.what} / {bounds.unit}", "uncertainty, log scale"
        imgui.text_disabled(head)
        room = imgui.get_frame_height() + imgui.get_style().item_inner_spacing.x + imgui.calc_text_size(label).x
        spare = imgui.get_content_region_avail().x - room
        if spare > imgui.calc_text_size(head).x + em():
            imgui.same_line(imgui.get_cursor_pos_x() + spare)
        _, ui.dialogs.log_scale = imgui.checkbox(label, log)
        imgui.pop_style_var()
        if not log:
            draw_chart_key(zip(bounds.sides, (theme.lower, theme.upper), strict=True))
        elif self._double is not None:
            draw_chart_key([("float32", spec_of(phase).colour(theme)), ("double", theme.text)])

    def _parts(self, ui: PanelState, bounds: BoundsSeries, known: int, colour: Rgba, current: int | None) -> list[Part]:
        """The curves of the first `known` iterations, with marks at the current one."""
        theme = ui.theme
        numbers, lower, upper = bounds.numbers[:known], bounds.lower[:known], bounds.upper[:known]
        dot = 0.17 if len(bounds.numbers) <= MOST_MARKED else 0.0
        if ui.dialogs.log_scale:
            sides = [on_log_scale(bounds.uncertainty)[:known]]
            parts: list[Part] = [Curve("##uncertainty", numbers, sides[0], colour, 0.12, dot)]
            if (double := self._double) is not None and known:
                made = double.numbers <= numbers[-1]
                parts.append(
                    Curve("##double", double.numbers[made], on_log_scale(double.uncertainty)[made], theme.text, 0.08)
                )
        else:
            sides = [lower, upper]
            parts = [Curve("##band", numbers, lower, colour, how="band", upper=upper)]
            named = zip(("##lower", "##upper"), sides, (theme.lower, theme.upper), strict=True)
            parts += [Curve(name, numbers, side, rgba, 0.12, dot) for name, side, rgba in named]
        if current is not None:
            here = float(bounds.numbers[current])
            marks = np.array([side[current] for side in sides])
            parts.append(Upright("##now", here, faded(theme.text, 0.55), 0.12))
            parts.append(
                Curve(
                    name="##marks",
                    x=np.repeat(here, len(marks)),
                    y=marks,
                    rgba=theme.text,
                    width=0.12,
                    discs=0.32,
                    how="dots",
                )
            )
        return parts

    def _axes(self, bounds: BoundsSeries, most: int, *, log: bool) -> tuple[Axis, Axis]:
        """The axes for the whole run, so that they never change between steps; at most `most` vertical ticks.

        The horizontal one begins at step 1 as the timeline does, though the bounds may begin later. `log`: of the
        uncertainty on a log scale.
        """
        first, last = 1.0, float(bounds.numbers[-1])
        # Ticks at whole numbers, at most about eight.
        step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if (last - first) / s < 8.0 or s == 1000)
        whole = {float(n): str(n) for n in range(int(first), int(last) + 1) if n % step == 0 or n == first}
        level = Axis("step", first - 0.5, last + 0.5, whole)
        if log:
            uncertainty = on_log_scale(bounds.uncertainty)
            if self._double is not None:
                uncertainty = np.concatenate((uncertainty, on_log_scale(self._double.uncertainty)))
            low, high = float(uncertainty.min()) / 3.0, float(uncertainty.max()) * 3.0
            ticks = {tick: f"10{superscript(round(log10(tick)))}" for tick in log_ticks(low, high, min(most, 4))}
        else:
            low = float(min(bounds.lower.min(), bounds.upper.min()))
            low, high = band_limits(low, float(max(bounds.lower.max(), bounds.upper.max())))
            ticks = {tick: written(tick, 6) for tick in band_ticks(low, high, most)}
        return level, Axis("", low, high, ticks, log, named=False)


def comes_before_bounds(phase: Phase, part: str) -> bool:
    """Whether a sub-step comes before the sub-step `bounds`; false for a whole step."""
    names = spec_of(phase).parts
    return part in names and "bounds" in names and names.index(part) < names.index("bounds")


def _array(values: tuple[float, ...]) -> Array:
    return frozen(np.array(values, dtype=np.float64))


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Powers of ten from `low` to `high`, at most `most`, evenly spaced down from the largest.

    Empty if there is none; both limits are above 0.
    """
    first, last = ceil(round(log10(low), 9)), floor(round(log10(high), 9))
    step = max(1, -(-(last - first + 1) // most))
    return [10.0**power for power in range(last, first - 1, -step)][::-1]


def band_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from `low` to `high`, with the finest step that gives at most `most` (2 or more).

    `low` is below `high`.
    """
    power = 10.0 ** floor(log10(high - low))
    for step in (0.1 * power, 0.2 * power, 0.5 * power, power, 2.0 * power, 5.0 * power, 10.0 * power):
        first, last = ceil(round(low / step, 9)), floor(round(high / step, 9))
        if last - first < most:
            break
    return [step * k for k in range(first, last + 1)]


def band_limits(low: float, high: float) -> tuple[float, float]:
    """The vertical axis' ends for values from low to high, with a larger margin for a range below TOLD_APART."""
    size = max(abs(low), abs(high))
    margin = 0.08 * (high - low) if high - low > TOLD_APART * size else 0.1 * size or 0.1
    return low - margin, high + margin


def bounds_words(query: Query, moment: Moment) -> str:
    """The bounds at a step in words: `0.1 ≤ distance ≤ 0.2`.

    "" if a bound is missing or infinite, or the lower one is above the upper one.
    """
    bounds = stage_of(moment.phase).bounds
    if bounds is None:
        return ""
    lower, upper = bounds.of(At[Any](query, moment).step)
    if lower is None or upper is None or not (isfinite(lower) and isfinite(upper)) or lower > upper:
        return ""
    least, most = told_together(lower, upper)
    return f"{least} ≤ {bounds.what} ≤ {most}"

"""Charts: two axes, curves and lines, a key, and the pointer's place. One function draws a chart.

A panel describes its chart by records, in the units of the axes; widths of lines are in ems (text.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, Protocol

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot
from msgspec import Struct

from core.geometry.vector import Array

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from .text import em, explain, flow, hand, write
from .widgets import u32

HEIGHT_EMS = 12.0
"""The height of a chart, in ems."""


class Axis(Struct, frozen=True, eq=False):
    """An axis from `low` to `high`, with its title. `ticks`: values with their labels; None for round numbers.

    `log`: a logarithmic scale. `named`: whether the title is drawn beside the axis; else the panel writes it.
    """

    title: str
    low: float
    high: float
    ticks: Mapping[float, str] | None = None
    log: bool = False
    named: bool = True

    @staticmethod
    def round(title: str, *values: Array, air: float = 0.08, below: float = 0.0) -> Axis:
        """An axis that contains 0 and all `values`, with margins; NaN is ignored.

        `air`, at both ends, and `below`, at the low end, are shares of the range. If all values are 0, a margin of 1
        replaces `air`.
        """
        known = np.concatenate((np.zeros(1), *(np.ravel(each) for each in values)))
        low, high = float(np.nanmin(known)), float(np.nanmax(known))
        margin = air * (high - low) or 1.0
        return Axis(title, low - margin - below * (high - low + 2.0 * margin), high + margin)


class Part(Protocol):
    """A drawing in a chart, in the units of its axes."""

    def draw(self) -> None:
        """Draws into the open chart."""


class Curve(Struct, frozen=True, eq=False):
    """A curve through the points (`x`, `y`), arrays (n,) with NaN for gaps.

    `how`: a line, `stairs`, separate `dots`, or the `band` from `y` to `upper`. `width`: of the line,
    ems, at least a pixel; `discs`: radius of the discs at its points, ems, 0 for none.
    """

    name: str
    x: Array
    y: Array
    rgba: Rgba
    width: float = 0.12
    discs: float = 0.0
    how: Literal["line", "stairs", "dots", "band"] = "line"
    upper: Array | None = None

    def draw(self) -> None:
        """Draws into the open chart."""
        spec = _line_spec(self.rgba, self.width, self.discs)
        match self.how:
            case "band":
                assert self.upper is not None
                fill = implot.Spec(fill_color=ImVec4(*self.rgba), fill_alpha=0.35)
                implot.plot_shaded(self.name, self.x, self.y, self.upper, fill)
            case "dots":
                implot.plot_scatter(self.name, self.x, self.y, spec)
            case "stairs":
                implot.plot_stairs(self.name, self.x, self.y, spec)
            case "line":
                implot.plot_line(self.name, self.x, self.y, spec)


class Upright(Struct, frozen=True):
    """A vertical line over the whole height at `x`."""

    name: str
    x: float
    rgba: Rgba
    width: float = 0.08

    def draw(self) -> None:
        """Draws into the open chart."""
        implot.plot_inf_lines(self.name, np.array([self.x]), _line_spec(self.rgba, self.width))


class Pointed(Struct, frozen=True):
    """The pointer's place in a chart, in the units of its axes; `em`: the length of an em along x."""

    x: float
    y: float
    em: float


_FIXED = implot.AxisFlags_.lock | implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight


def draw_chart(
    name: str,
    axes: tuple[Axis, Axis],
    parts: Iterable[Part],
    theme: Theme,
    height: float = HEIGHT_EMS,
    *,
    framed: bool = True,
    over: Callable[[], None] = lambda: None,
) -> Pointed | None:
    """Draws a chart as wide as the panel and `height` ems high; returns the pointer's place in it, else None.

    `axes`: the horizontal and the vertical axis. `parts`: from back to front. `framed`: with a border. `over`: draws
    more on top, with implot.
    """
    _push_style(theme)
    pointed = None
    flags = implot.Flags_.canvas_only if framed else implot.Flags_.canvas_only | implot.Flags_.no_frame
    if implot.begin_plot(name, ImVec2(-1.0, round(height * em())), flags):
        _set_up(*axes)
        for part in parts:
            part.draw()
        over()
        if implot.is_plot_hovered():
            at, limits = implot.get_plot_mouse_pos(), implot.get_plot_limits().x
            share = em() / max(implot.get_plot_size().x, 1.0)
            pointed = Pointed(at.x, at.y, share * (limits.max - limits.min))
        implot.end_plot()
    implot.pop_style_var(2)
    implot.pop_style_color(3)
    return pointed


@contextmanager
def aligned_charts(name: str) -> Iterator[None]:
    """A context in which charts have the same left edge, whatever the width of their tick labels."""
    _wake()
    begun = implot.begin_aligned_plots(name)
    yield
    if begun:
        implot.end_aligned_plots()


def _wake() -> None:
    if implot.get_current_context() is None:
        implot.create_context()


def _set_up(x: Axis, y: Axis) -> None:
    flags = [_FIXED if axis.named else _FIXED | implot.AxisFlags_.no_label for axis in (x, y)]
    implot.setup_axes(x.title if x.named else "", y.title if y.named else "", *flags)
    for place, axis in ((implot.ImAxis_.x1, x), (implot.ImAxis_.y1, y)):
        if axis.log:
            implot.setup_axis_scale(place, implot.Scale_.log10)
        if axis.ticks is not None:
            implot.setup_axis_ticks(place, list(axis.ticks), list(axis.ticks.values()))
        implot.setup_axis_limits(place, axis.low, axis.high, implot.Cond_.always)


def _line_spec(rgba: Rgba, width: float, discs: float = 0.0) -> implot.Spec:
    colour, weight = ImVec4(*rgba), max(1.0, width * em())
    if not discs:
        return implot.Spec(line_color=colour, line_weight=weight)
    return implot.Spec(
        line_color=colour,
        line_weight=weight,
        marker=implot.Marker_.circle,
        marker_size=discs * em(),
        marker_fill_color=colour,
        marker_line_color=colour,
    )


def _push_style(theme: Theme) -> None:
    """Pushes the style of charts: no background, a thin border, little room round the labels."""
    _wake()
    clear = ImVec4(0.0, 0.0, 0.0, 0.0)
    implot.push_style_color(implot.Col_.frame_bg, clear)
    implot.push_style_color(implot.Col_.plot_bg, clear)
    implot.push_style_color(implot.Col_.plot_border, ImVec4(*faded(theme.text, 0.2)))
    implot.push_style_var(implot.StyleVar_.plot_padding, ImVec2(0.3 * em(), 0.3 * em()))
    implot.push_style_var(implot.StyleVar_.label_padding, ImVec2(0.3 * em(), 0.2 * em()))


def draw_chart_key(words: Iterable[tuple[str, Rgba]], sign: str = "—") -> None:
    """Draws the key of a chart's lines by colour, wrapped into rows. `sign`: before each word."""
    for number, (word, rgba) in enumerate(words):
        if number:
            flow(imgui.calc_text_size(f"{sign} {word}").x)
        write(f"{sign} {word}", rgba)


def draw_switches(title: str, curves: Sequence[Curve], hidden: set[str], theme: Theme) -> None:
    """Draws a key in which a click on a name hides or shows its line; `hidden` is updated."""
    imgui.text_disabled(f"{title}:")
    side = 0.62 * em()
    for curve in curves:
        flow(1.5 * side + imgui.calc_text_size(curve.name).x)
        imgui.begin_group()
        at = imgui.get_cursor_screen_pos()
        top, away = at.y + 0.5 * (imgui.get_text_line_height() - side), curve.name in hidden
        imgui.get_window_draw_list().add_rect_filled(
            ImVec2(at.x, top),
            ImVec2(at.x + side, top + side),
            u32(faded(curve.rgba, 0.25 if away else 1.0)),
            0.1 * side,
        )
        imgui.set_cursor_screen_pos(ImVec2(at.x + 1.5 * side, at.y))
        write(curve.name, theme.dim_text if away else theme.text)
        imgui.end_group()
        hand()
        explain("Click to show this line" if away else "Click to hide this line")
        if imgui.is_item_clicked():
            hidden ^= {curve.name}

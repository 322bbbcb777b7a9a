"""The charts of the motion: each axis from entry to exit on a common time axis, and the distance over time.

On each axis the two intervals overlap during one interval of time, from entry to exit. The bodies can touch only while
the intervals overlap on all axes. So polyhedra touch first at the latest entry, unless an exit comes before it.

Each step of conservative advancement computes the distance, and goes on to the earliest time at which the bodies can
touch. In the chart it is a line from the distance at its time down to zero at that next time.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, isfinite

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer
from core.geometry.vector import Array, dot, length_rows
from core.query.query import Phase
from core.sat.sat import SatTable
from core.toi.intervals import MovingAxes

from ..draw.draw_list import Rgba, Subject
from ..draw.theme import Theme, faded
from ..overlays.style import family_style
from ..stages import spec_of
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.playback import advancement_looks, impact_of
from ..words.digits import instant, plain, signed, told_together
from ..words.names import axis_name, named_axis
from .chart import Axis, Curve, Part, Pointed, Upright, draw_chart, draw_chart_key
from .text import em, tell_beside
from .widgets import family_mark, u32

MOST_ROWS = 18
"""Most axes shown: those entered last or left first."""
ROW_EMS = 1.2
HEAD_EMS = 1.25
LABEL_EMS = 6.4
LABELS_SHARE = 0.45
"""Greatest share of the width for labels; longer labels run under the bars."""
TIME_MARGIN = 0.18
"""The length of the time axis below t = 0 and above t = 1, in units of t."""


class Lines(Struct, frozen=True):
    """The time axis on the screen, in pixels: x of time 0 and of time 1, and of its ends."""

    zero: float
    one: float
    left: float
    right: float

    @staticmethod
    def between(left: float, right: float) -> Lines:
        """The time axis from x `left` to `right`: the interval from 0 to 1 with `TIME_MARGIN` on both sides."""
        unit = (right - left) / (1.0 + 2.0 * TIME_MARGIN)
        return Lines(left + TIME_MARGIN * unit, left + (1.0 + TIME_MARGIN) * unit, left, right)

    def x_of(self, time: float) -> float:
        """The x of a time, limited to the axis' ends."""
        if not isfinite(time):
            return self.left if time < 0.0 else self.right
        return min(max(self.zero + time * (self.one - self.zero), self.left), self.right)


def shown_rows(axes: MovingAxes) -> list[int]:
    """Rows with a direction, in the table's order: at most MOST_ROWS, those entered last or left first."""
    known = np.flatnonzero(length_rows(axes.axes) > 0.0).tolist()
    if len(known) <= MOST_ROWS:
        return known
    late = sorted(known, key=lambda row: -float(axes.entries[row]))
    early = sorted(known, key=lambda row: float(axes.exits[row]))
    chosen: list[int] = []
    for pair in zip(late, early, strict=True):
        chosen += [row for row in pair if row not in chosen]
        if len(chosen) >= MOST_ROWS:
            break
    return sorted(chosen[:MOST_ROWS])


@lru_cache(maxsize=2)
def rows_in_table(axes: MovingAxes, table: SatTable) -> dict[int, int]:
    """Maps rows of the motion's axes to rows of the axis table with the same name, along the same line.

    A row without such a counterpart is left out.
    """
    found: dict[int, int] = {}
    names = {candidate.label: row for row, candidate in enumerate(table.candidates)}
    for row, candidate in enumerate(axes.candidates):
        other = names.get(candidate.label)
        if other is not None and abs(dot(axes.axes[row], table.axes[other])) > 1.0 - 1e-9:
            found[row] = other
    return found


def deciding_ends(axes: MovingAxes) -> list[tuple[int, float, str]]:
    """Row, time and name of the latest entry and of the earliest exit, if there is one."""
    known = (axes.latest_entry, axes.entries, "latest entry"), (axes.earliest_exit, axes.exits, "earliest exit")
    return [(row, float(times[row]), name) for row, times, name in known if row is not None]


def end_colour(name: str, theme: Theme) -> Rgba:
    """The colour of one of `deciding_ends`, by its name."""
    return theme.winner if name == "latest entry" else theme.gap


def draw_axes(ui: PanelState, axes: MovingAxes, ask: Ask) -> None:
    """Draws the chart as wide as the panel; while the numbers are hidden, without latest entry and earliest exit."""
    rows = shown_rows(axes)
    at, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    widest = max((imgui.calc_text_size(axis_name(axes, row)).x for row in rows), default=0.0)
    labels = max(LABEL_EMS * em(), min(widest + 1.5 * em(), LABELS_SHARE * width))
    lines = Lines.between(at.x + labels, at.x + width - 0.3 * em())
    top = at.y + 2.0 * HEAD_EMS * em()
    foot = top + ROW_EMS * em() * len(rows)
    imgui.dummy(ImVec2(width, foot - at.y + HEAD_EMS * em()))
    _draw_ground(ui, axes, lines, (top, foot))
    subjects = rows_in_table(axes, ui.analysis.sat)
    for place, row in enumerate(rows):
        _draw_row(ui, axes, row, lines, top + place * ROW_EMS * em(), subjects.get(row), ask)
    if ui.reveal.numbers:
        _draw_ends(ui.theme, axes, lines, (at.y, foot))
    if len(rows) < len(axes.candidates):
        zero = int((length_rows(axes.axes) == 0.0).sum())
        left_out = f", {zero} without a direction" if zero else ""
        imgui.text_disabled(f"{len(rows)} of {len(axes.candidates)} axes{left_out}")


def _draw_ground(ui: PanelState, axes: MovingAxes, lines: Lines, span: tuple[float, float]) -> None:
    """Draws the unit interval, the interval in which all axes overlap, and the time shown."""
    draw, theme, (top, foot) = imgui.get_window_draw_list(), ui.theme, span
    draw.add_rect_filled(ImVec2(lines.zero, top), ImVec2(lines.one, foot), u32(faded(theme.text, 0.06)))
    last, first = axes.latest_entry, axes.earliest_exit
    met = last is not None and first is not None and float(axes.entries[last]) <= float(axes.exits[first])
    if met and ui.reveal.numbers:
        low, high = lines.x_of(float(axes.entries[last])), lines.x_of(float(axes.exits[first]))
        draw.add_rect_filled(ImVec2(low, top), ImVec2(high, foot), u32(faded(theme.overlap, 0.20)))
    for time in (0.0, 0.5, 1.0):
        x = round(lines.x_of(time))
        draw.add_line(ImVec2(x, top), ImVec2(x, foot), u32(faded(theme.text, 0.22)), 1.0)
        words = f"t = {time:g}" if time == 0.0 else f"{time:g}"
        wide = imgui.calc_text_size(words).x
        draw.add_text(ImVec2(round(x - 0.5 * wide), round(foot + 0.1 * em())), u32(theme.dim_text), words)
    x = round(lines.x_of(ui.time))
    draw.add_line(ImVec2(x, top), ImVec2(x, foot + 0.2 * em()), u32(theme.text), max(1.5, 0.11 * em()))


def _draw_row(
    ui: PanelState, axes: MovingAxes, row: int, lines: Lines, top: float, subject: int | None, ask: Ask
) -> None:
    draw, theme, candidate = imgui.get_window_draw_list(), ui.theme, axes.candidates[row]
    start, height = imgui.get_window_pos().x + imgui.get_style().window_padding.x, ROW_EMS * em()
    low, high = ImVec2(start, top), ImVec2(lines.right, top + height)
    if not imgui.is_rect_visible(low, high):
        return
    hovered = imgui.is_window_hovered() and imgui.is_mouse_hovering_rect(low, high)
    lit = hovered or (subject is not None and Subject("axis", subject) in (ui.view.hover, ui.view.pin))
    if lit:
        draw.add_rect_filled(low, high, u32(faded(theme.text, 0.10)), 0.25 * em())
    entry, leave = float(axes.entries[row]), float(axes.exits[row])
    decides = ui.reveal.numbers and row in (axes.latest_entry, axes.earliest_exit)
    style, middle = family_style(candidate.kind, theme), top + 0.5 * height
    family_mark(ImVec2(start + 0.5 * em(), middle), 0.28 * em(), candidate.kind, theme)
    ink = theme.text if decides or lit else theme.dim_text
    draw.add_text(ImVec2(round(start + em()), round(middle - 0.5 * em())), u32(ink), named_axis(candidate.label))
    _draw_bar(theme, (entry, leave), lines, middle, style.rgba, strong=decides or lit)
    if not hovered:
        return
    words = f"{named_axis(candidate.label)}: {stretch_words(entry, leave)}"
    if subject is None:
        tell_beside(words)
        return
    subject_of_axis = Subject("axis", subject)
    ask.point(subject_of_axis)
    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    tell_beside(f"{words}\nClick to pin the axis")
    if imgui.is_mouse_clicked(imgui.MouseButton_.left):
        ask.look(replace(ui.view, pin=None if ui.view.pin == subject_of_axis else subject_of_axis))


def _draw_bar(
    theme: Theme, stretch: tuple[float, float], lines: Lines, middle: float, rgba: Rgba, *, strong: bool
) -> None:
    """Draws an axis' bar from entry to exit; a thin line if the intervals never overlap.

    An arrowhead replaces an end that is beyond the time axis. `stretch`: times of entry and exit. `strong`: less
    transparent.
    """
    draw, half, (entry, leave) = imgui.get_window_draw_list(), 0.30 * em(), stretch
    colour = u32(faded(rgba, 0.95 if strong else 0.6))
    if entry > leave:
        line = faded(theme.gap, 0.8)
        draw.add_line(ImVec2(lines.left, middle), ImVec2(lines.right, middle), u32(line), max(1.0, 0.07 * em()))
        words = "never overlap"
        wide = imgui.calc_text_size(words).x
        x = 0.5 * (lines.zero + lines.one - wide)
        ground = imgui.get_style().color_(imgui.Col_.window_bg)
        box = ImVec2(x - 0.3 * em(), middle - 0.5 * em()), ImVec2(x + wide + 0.3 * em(), middle + 0.5 * em())
        draw.add_rect_filled(*box, u32((ground.x, ground.y, ground.z, 1.0)))
        draw.add_text(ImVec2(round(x), round(middle - 0.5 * em())), u32(theme.gap), words)
        return
    low, high = lines.x_of(entry), lines.x_of(leave)
    tip = 0.5 * em()
    body_low = low + tip if lines.zero + entry * (lines.one - lines.zero) < lines.left else low
    body_high = high - tip if lines.zero + leave * (lines.one - lines.zero) > lines.right else high
    if body_high <= body_low:
        # The whole bar is beyond one end of the time axis.
        outwards = -1.0 if leave < 0.0 else 1.0
        x = lines.left + tip if outwards < 0.0 else lines.right - tip
        _draw_point(x, x + outwards * tip, middle, half, colour)
        return
    draw.add_rect_filled(ImVec2(body_low, middle - half), ImVec2(body_high, middle + half), colour, 0.1 * em())
    if body_low > low:
        _draw_point(body_low, low, middle, half, colour)
    if body_high < high:
        _draw_point(body_high, high, middle, half, colour)


def _draw_point(base: float, tip: float, middle: float, half: float, colour: int) -> None:
    up = half if tip > base else -half
    imgui.get_window_draw_list().add_triangle_filled(
        ImVec2(base, middle - up), ImVec2(tip, middle), ImVec2(base, middle + up), colour
    )


def _draw_ends(theme: Theme, axes: MovingAxes, lines: Lines, heights: tuple[float, float]) -> None:
    """Draws the latest entry and the earliest exit as lines through all bars, with their names on two lines above.

    The name of the earlier one is left of its line, that of the later one right.
    """
    draw, (head, foot) = imgui.get_window_draw_list(), heights
    ends = [end for end in deciding_ends(axes) if isfinite(end[1])]
    first = min((time for _, time, _ in ends), default=0.0)
    labels = []
    for line, (row, time, name) in enumerate(ends):
        x, y, rgba = round(lines.x_of(time)), round(head + line * HEAD_EMS * em()), end_colour(name, theme)
        if -TIME_MARGIN < time < 1.0 + TIME_MARGIN:
            draw.add_line(ImVec2(x, y), ImVec2(x, foot), u32(rgba), max(1.5, 0.12 * em()))
        words = f"{name} {instant(time)}, {axis_name(axes, row)}"
        wide, gap = imgui.calc_text_size(words).x, 0.35 * em()
        start = x - gap - wide if time == first else x + gap
        left = imgui.get_window_pos().x + imgui.get_style().window_padding.x
        labels.append((round(min(max(start, left), lines.right - wide)), y, wide, words, rgba))
    ground = imgui.get_style().color_(imgui.Col_.window_bg)
    for start, y, wide, words, rgba in labels:
        # The background hides the other line, which runs through a label that had no room beside its own.
        corner = ImVec2(start + wide, y + 1.1 * em())
        draw.add_rect_filled(ImVec2(start, y), corner, u32((ground.x, ground.y, ground.z, 1.0)))
        draw.add_text(ImVec2(start, y), u32(rgba), words)


def stretch_words(entry: float, leave: float) -> str:
    """An axis' time of overlap in words: `the intervals overlap from t = 0.2 to 0.7`."""
    if entry > leave:
        return "no motion along it; the intervals never overlap"
    if entry == -inf and leave == inf:
        return "no motion along it; the intervals always overlap"
    return f"the intervals overlap from t = {' to '.join(told_together(entry, leave))}"


TIME_DECIMALS = 4
"""Decimals to which a time chosen with the mouse is rounded."""
NEAR_EMS = 0.5
"""A click at most this far from the impact, ems, selects the impact."""


def advancement_path(sweep: SweepAnswer) -> tuple[Array, Array, Array, Array]:
    """Advancement's steps as a sawtooth curve (times and distances), and as points (times and distances); each (n,).

    From each step's distance the curve falls towards zero at the step's `next_time`, at most to t = 1, and rises to the
    next step's distance.
    """
    steps = advancement_looks(sweep)
    times, values = [], []
    for step in steps:
        times += [step.time, min(step.next_time, 1.0)]
        slope = step.distance / (step.next_time - step.time) if step.next_time > step.time else 0.0
        values += [step.distance, max(step.distance - slope * (min(step.next_time, 1.0) - step.time), 0.0)]
        if step.stop is not None:
            times, values = times[:-1], values[:-1]
    looks, seen = np.array([step.time for step in steps]), np.array([step.distance for step in steps])
    return np.array(times), np.array(values), looks, seen


def draw_distance(ui: PanelState, sweep: SweepAnswer) -> tuple[bool, float | None]:
    """Draws the chart of the distance; returns whether the mouse button is down on it, and the time there.

    The time None stands for the impact. Before the curve is known it draws nothing and returns False and None.
    """
    if ui.curve is None:
        return False, None
    times, values = ui.curve.points
    if len(times) < 2:
        return False, None
    theme, impact = ui.theme, impact_of(sweep)
    saw_times, saw_values, looks, seen = advancement_path(sweep)
    advancing = spec_of(Phase.ADVANCEMENT).colour(theme)
    parts: list[Part] = [
        Curve("##zero", np.array((0.0, 1.0)), np.zeros(2), faded(theme.text, 0.5), 0.0),
        Curve("##curve", times, values, theme.gap, 0.16),
    ]
    if len(saw_times):
        parts.append(Curve("##steps", saw_times, saw_values, advancing, 0.09))
        parts.append(Curve(name="##looks", x=looks, y=seen, rgba=advancing, width=0.0, discs=0.24, how="dots"))
    if impact is not None:
        parts.append(Upright("##impact", impact, theme.winner, 0.12))
    parts.append(Upright("##now", ui.time, theme.text))
    axes = Axis("t", 0.0, 1.0), Axis.round("distance, units", values)
    pointed = draw_chart("##distance", axes, parts, theme)
    clicked = (False, None) if pointed is None else _clicked(pointed, impact, times, values)
    words = [("distance", theme.gap), ("impact", theme.winner)]
    if len(looks):
        words.insert(1, (f"advancement, {len(looks)} {'step' if len(looks) == 1 else 'steps'}", advancing))
    draw_chart_key(words)
    return clicked


def _clicked(pointed: Pointed, impact: float | None, times: Array, values: Array) -> tuple[bool, float | None]:
    time = min(max(pointed.x, 0.0), 1.0)
    caught = impact is not None and abs(time - impact) <= NEAR_EMS * pointed.em
    place = impact if caught and impact is not None else time
    distance = float(np.interp(place, times, values))
    what = f"the impact, t = {plain(place)}" if caught else f"t = {instant(place)}: separation {signed(distance)}"
    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    tell_beside(f"{what}\nClick to show the bodies at that time")
    return imgui.is_mouse_down(imgui.MouseButton_.left), None if caught else round(place, TIME_DECIMALS)

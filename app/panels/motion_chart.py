"""Distance against time, with the steps of conservative advancement over it.

Each step looks at the distance and goes on until the bodies can meet at the earliest: down the slope of the fastest
closing to zero, and there it looks again.
"""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, imgui, implot

from core.analysis.motion_answers import SweepAnswer
from core.geometry.vector import Array
from core.query.query import Phase

from ..draw.theme import Theme, faded
from ..stages import entry_of
from ..state.panel_state import PanelState
from ..state.playback import advancement_looks, impact_of
from ..words.axis_words import instant, number, plain
from .plot_style import line_spec, pop_plot_style, push_plot_style
from .widgets import beside, coloured, em

HEIGHT_EMS = 12.0
DIGITS = 4
NEAR_EMS = 0.5
"""A click this close to the impact means the impact."""


def advancement_path(sweep: SweepAnswer) -> tuple[Array, Array, Array, Array]:
    """The steps as a saw (times, distances), and the looks themselves (times, distances).

    The saw goes down to zero at the time proved free, and up to the distance there.
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
    """The chart; whether a time was clicked, and which: None is the impact."""
    if ui.curve is None:
        return False, None
    times, values = ui.curve.points
    if len(times) < 2:
        return False, None
    if implot.get_current_context() is None:
        implot.create_context()
    theme = ui.theme
    saw_times, saw_values, looks, seen = advancement_path(sweep)
    push_plot_style(theme)
    flags = (
        implot.Flags_.no_menus
        | implot.Flags_.no_box_select
        | implot.Flags_.no_title
        | implot.Flags_.no_mouse_text
        | implot.Flags_.no_legend
    )
    clicked, chosen = False, None
    if implot.begin_plot("##distance", ImVec2(-1.0, HEIGHT_EMS * em()), flags):
        fixed = implot.AxisFlags_.lock | implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight
        implot.setup_axes("t", "distance, units", fixed, fixed)
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        margin = 0.08 * (high - low) or 1.0
        implot.setup_axis_limits(implot.ImAxis_.x1, 0.0, 1.0, implot.Cond_.always)
        implot.setup_axis_limits(implot.ImAxis_.y1, low - margin, high + margin, implot.Cond_.always)
        implot.plot_line("##zero", np.array((0.0, 1.0)), np.zeros(2), line_spec(faded(theme.text, 0.5), 1.0))
        implot.plot_line("##curve", times, values, line_spec(theme.gap, max(1.5, 0.16 * em())))
        if len(saw_times):
            colour = entry_of(Phase.ADVANCEMENT).colour(theme)
            style = line_spec(colour, max(1.0, 0.09 * em()))
            implot.plot_line("##steps", saw_times, saw_values, style)
            implot.plot_scatter("##looks", looks, seen, line_spec(colour, 1.0, 0.24 * em()))
        if (impact := impact_of(sweep)) is not None:
            line = line_spec(theme.winner, max(1.5, 0.12 * em()))
            implot.plot_inf_lines("##impact", np.array([impact]), line)
        now = np.array([ui.time])
        implot.plot_inf_lines("##now", now, line_spec(theme.text, max(1.0, 0.08 * em())))
        clicked, chosen = _clicked(sweep, times, values)
        implot.end_plot()
    pop_plot_style()
    _draw_key(theme, len(looks))
    return clicked, chosen


def _clicked(sweep: SweepAnswer, times: Array, values: Array) -> tuple[bool, float | None]:
    if not implot.is_plot_hovered():
        return False, None
    pointer = min(max(implot.get_plot_mouse_pos().x, 0.0), 1.0)
    near = NEAR_EMS * em() / max(implot.get_plot_size().x, 1.0)
    impact = impact_of(sweep)
    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    caught = impact is not None and abs(pointer - impact) <= near
    place = impact if caught and impact is not None else pointer
    distance = float(np.interp(place, times, values))
    what = f"the impact, t = {plain(place)}" if caught else f"t = {instant(place)}: {number(distance)}"
    beside()
    imgui.set_tooltip(f"{what}\nClick: the bodies at that time")
    return imgui.is_mouse_down(imgui.MouseButton_.left), None if caught else round(place, DIGITS)


def _draw_key(theme: Theme, looks: int) -> None:
    count = f"{looks} {'step' if looks == 1 else 'steps'}"
    words = [("distance", theme.gap), ("impact", theme.winner)]
    if looks:
        words.insert(1, (f"advancement, {count}", entry_of(Phase.ADVANCEMENT).colour(theme)))
    for place, (word, ink) in enumerate(words):
        if place:
            imgui.same_line()
        with coloured(ink):
            imgui.text_unformatted(f"— {word}")

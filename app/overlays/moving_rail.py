"""The rail of an axis that is pointed at or pinned while the bodies are on their way: both intervals as they are then.

The rail stands where it would stand at the start, and the bars slide along it: when they meet is the axis's entry,
when they part its exit.
"""

from __future__ import annotations

from math import isfinite

import numpy as np
from msgspec.structs import replace

from core.algorithms.sat import AxisStatus
from core.motion_answers import SweepAnswer

from ..draw_list import DrawList, Layer
from ..motion_times import scene_at
from ..words.axis_words import instant, plain
from .context import Context
from .families import family_style
from .rail import Rail, Spans
from .text_sizes import STRONG


def draw_moving_rail(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """Nothing where no axis is meant, or bodies turn: then their axes turn with them."""
    meant = any(subject is not None and subject.kind == "axis" for subject in (context.view.hover, context.view.pin))
    sat, row, theme = context.analysis.sat, context.focus, context.theme
    if not meant or sweep.motion.rotates or sat.statuses[row] is AxisStatus.DEGENERATE:
        return
    axis, scene = sat.axes[row], context.scene
    interval_a = sat.interval_a[row] + time * float(axis @ np.array(scene.a.displacement))
    interval_b = sat.interval_b[row] + time * float(axis @ np.array(scene.b.displacement))
    ahead, behind = float(interval_b[0] - interval_a[1]), float(interval_a[0] - interval_b[1])
    separation, side = (ahead, 1) if ahead >= behind else (behind, -1)
    spans = Spans.along(context, axis, side, interval_a, interval_b)
    size = context.extent.radius
    lift, step = context.extent.reach(spans.direction) + 0.16 * size, 0.075 * size
    low, high = spans.whole
    outermost = tuple((end, lift + 3.3 * step) for end in (low, *spans.way, high) if isfinite(end))
    rail = Rail.on(draw, context, spans.direction, row, outermost)
    style = family_style(sat.candidates[row].kind, theme)
    tip = high + 0.22 * size
    rail.line((low - 0.16 * size, tip), lift, style.rgba, 1.6, Layer.NORMAL, dash=style.dash, arrow_end=10.0)
    rail.bars(replace(context, scene=scene_at(scene, time)), spans, lift, step)
    label = sat.candidates[row].label
    if not isfinite(separation):
        rail.label(label, 0.0, lift + 2.6 * step, style.rgba, size=STRONG, offset=(0.0, 16.0), priority=84, bold=True)
        return
    way = "touching" if abs(separation) <= sweep.motion.band else _way_word(separation)
    rgba = theme.overlap if separation < -sweep.motion.band else theme.gap
    outer = rail.bracket(spans.way, lift, step, rgba)
    words = f"{label} {way} at t = {instant(time)}"
    rail.label(words, 0.5 * sum(spans.way), outer, rgba, size=STRONG, offset=(0.0, 16.0), priority=84, bold=True)


def _way_word(separation: float) -> str:
    return f"{'gap' if separation > 0.0 else 'overlap'} {plain(abs(separation))}"

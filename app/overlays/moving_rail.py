"""The rail of an axis that is pointed at or pinned while the bodies are on their way: both intervals as they are then.

The rail stands where it would stand at the start, and the bars slide along it: when they meet is the axis's entry,
when they part its exit.
"""

from __future__ import annotations

from math import isfinite

import numpy as np
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer
from core.pair.candidate_axes import AxisKind
from core.sat.sat import AxisStatus, SatTable
from core.toi import MovingAxes

from ..draw.draw_list import Dash, DrawList, Layer
from ..state.playback import scene_at
from ..words.axis_words import instant, plain
from .axis_families import family_style
from .context import Context
from .rail import Rail, Spans
from .text_sizes import STRONG


def draw_moving_rail(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """Nothing where no axis is meant, or bodies turn: then their axes turn with them."""
    meant = any(subject is not None and subject.kind == "axis" for subject in (context.view.hover, context.view.pin))
    sat, row = context.analysis.sat, context.focus
    if not meant or sweep.motion.rotates or sat.statuses[row] is AxisStatus.DEGENERATE:
        return
    draw_rail_at(context, draw, sat, row, sweep.motion.band, time)


def draw_rail_at(
    context: Context, draw: DrawList, table: SatTable | MovingAxes, row: int, band: float, time: float
) -> None:
    """A's bar and B's on an axis of the table as they are at that time, and the gap or overlap between them."""
    axis, candidate, scene, theme = table.axes[row], table.candidates[row], context.scene, context.theme
    interval_a = table.interval_a[row] + time * float(axis @ np.array(scene.a.displacement))
    interval_b = table.interval_b[row] + time * float(axis @ np.array(scene.b.displacement))
    ahead, behind = float(interval_b[0] - interval_a[1]), float(interval_a[0] - interval_b[1])
    separation, side = (ahead, 1) if ahead >= behind else (behind, -1)
    spans = Spans.along(context, axis, side, interval_a, interval_b)
    rail, lift, pitch = rail_beside(context, draw, spans, row, candidate.kind)
    rail.bars(replace(context, scene=scene_at(scene, time)), spans, lift, pitch)
    if not isfinite(separation):
        rgba, above = family_style(candidate.kind, theme).rgba, lift + 2.6 * pitch
        rail.label(candidate.label, 0.0, above, rgba, size=STRONG, offset=(0.0, 16.0), priority=84, bold=True)
        return
    way = (
        "touching"
        if abs(separation) <= band
        else f"{'gap' if separation > 0.0 else 'overlap'} {plain(abs(separation))}"
    )
    rgba = theme.overlap if separation < -band else theme.gap
    outer = rail.bracket(spans.way, lift, pitch, rgba)
    words = f"{candidate.label} {way} at t = {instant(time)}"
    rail.label(words, 0.5 * sum(spans.way), outer, rgba, size=STRONG, offset=(0.0, 16.0), priority=84, bold=True)


def rail_beside(
    context: Context, draw: DrawList, spans: Spans, row: int, kind: AxisKind | None
) -> tuple[Rail, float, float]:
    """The rail of an axis beside the bodies, its lift, and how far its bars stand from it."""
    size = context.extent.radius
    lift, pitch = context.extent.reach(spans.direction) + 0.16 * size, 0.075 * size
    low, high = spans.whole
    outermost = tuple((end, lift + 3.3 * pitch) for end in (low, *spans.way, high) if isfinite(end))
    rail = Rail.on(draw, context, spans.direction, row, outermost)
    rgba, dash = (context.theme.winner, Dash.SOLID)
    if kind is not None:
        style = family_style(kind, context.theme)
        rgba, dash = style.rgba, style.dash
    ends = low - 0.16 * size, high + 0.22 * size
    rail.line(ends, lift, rgba, 1.6, Layer.NORMAL, dash=dash, arrow_end=10.0)
    return rail, lift, pitch

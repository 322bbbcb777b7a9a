"""A motion's steps on SAT's axes: the bodies' intervals on a rail, and the axis as a slab that the origin passes."""

from __future__ import annotations

from math import isfinite

import numpy as np

from core.geometry.vector import Array, dot
from core.toi import IntervalStep, Motion, SweptAxisStep
from core.toi.swept_axes import BOX_AXES

from ...draw.draw_list import DrawList, Hidden, Layer, Rgba
from ...draw.theme import faded
from ...overlays.context import Context, square_of
from ...overlays.motion import draw_arrow, draw_rail_at, swept_points
from ...overlays.rail import Spans, rail_beside
from ...overlays.solids import draw_outline
from ...overlays.style import PLAIN, STRONG, family_style
from ...words.axis_words import plain, signed
from .picture_parts import BEYOND, draw_bodies_on_their_way, draw_path, draw_way_marks, measured, time_words


def draw_intervals_world(context: Context, draw: DrawList, step: IntervalStep, motion: Motion, time: float) -> None:
    """A's bar and B's on the axis at its entry, or at the start where that lies before."""
    draw_bodies_on_their_way(context, draw, time)
    if step.table.axes[step.row].any():
        draw_rail_at(context, draw, step.table, step.row, motion.band, time)


def draw_intervals_difference(
    context: Context, draw: DrawList, step: IntervalStep, motion: Motion, time: float
) -> None:
    """The slab between both faces of A - B across the axis: the origin's path enters it and leaves it."""
    draw_path(context, draw, motion, time)
    table, row = step.table, step.row
    axis = table.axes[row]
    if not axis.any():
        return
    low, high = _slab(table.interval_a[row], table.interval_b[row])
    rgba = family_style(table.candidates[row].kind, context.theme).rgba
    _draw_slab(context, draw, axis, (low, high), rgba)
    times = [
        (time, word) for time, word in ((step.entry, "entry"), (step.exit, "exit")) if -BEYOND <= time <= 1 + BEYOND
    ]
    if times:
        places = np.array([time * motion.displacement for time, _ in times])
        words = [f"{word} {time_words(time)}" for time, word in times]
        draw_way_marks(draw, context, places, words, context.theme.winner)


def _slab(interval_a: Array, interval_b: Array) -> tuple[float, float]:
    """From where to where A - B reaches along the axis."""
    return float(interval_a[0] - interval_b[1]), float(interval_a[1] - interval_b[0])


def _draw_slab(context: Context, draw: DrawList, axis: Array, ends: tuple[float, float], rgba: Rgba) -> None:
    """Two squares across the axis where A - B ends along it."""
    half = 0.55 * context.extent.radius
    centre = np.array(context.scene.a.position) - np.array(context.scene.b.position)
    beside = centre - dot(centre, axis) * axis
    for end in ends:
        if isfinite(end):
            corners = square_of(beside + end * axis, axis, half)
            draw.sheet(corners, faded(rgba, 0.13))
            draw.polyline(corners, faded(rgba, 0.7), 1.2, closed=True, hidden=Hidden.FAINT)


# Twenty-one axes.


def draw_swept_world(context: Context, draw: DrawList, step: SweptAxisStep, motion: Motion, _time: float) -> None:
    """The volume that B sweeps as A sees it, and on the rail A's bar beside B's at the start and at the end."""
    theme = context.theme
    draw_outline(draw, motion.world(swept_points(motion), 0.0), theme.edge_b, 1.6)
    start = motion.world(motion.offset, 0.0)
    tip = start + motion.displacement
    for index, body in enumerate((context.scene.a, context.scene.b)):
        if any(body.displacement):
            draw_arrow(context, draw, index, named=False)
    if any(context.scene.a.displacement):
        draw.strong(start, tip, theme.text, 1.8, arrow_end=12.0)
    draw.label("d, as A sees it", tip, theme.text, size=PLAIN, offset=(0.0, -18.0), priority=70)
    if not step.axis.any():
        return
    whole = np.array((min(step.start_b[0], step.end_b[0]), max(step.start_b[1], step.end_b[1])))
    ahead, behind = float(whole[0] - step.interval_a[1]), float(step.interval_a[0] - whole[1])
    side = 1 if ahead >= behind else -1
    spans = Spans.along(context, step.axis, side, step.interval_a, whole)
    kind = context.analysis.sat.candidates[step.row].kind if step.row < BOX_AXES else None
    rail, lift, pitch = rail_beside(context, draw, spans, step.row, kind)
    rail.line(spans.a, lift - pitch, theme.edge_a, 7.0, Layer.STRONG)
    rail.line(spans.b, lift + pitch, faded(theme.edge_b, 0.55), 3.0, Layer.NORMAL)
    for interval in (step.start_b, step.end_b):
        stood = Spans.along(context, step.axis, side, step.interval_a, interval)
        rail.line(stood.b, lift + pitch, theme.edge_b, 7.0, Layer.STRONG)
    rgba = theme.gap if step.separates else theme.overlap
    outer = rail.bracket(spans.way, lift, pitch, rgba)
    what = "gap" if step.gap > 0.0 else "overlap"
    words = f"{step.label} {what} {plain(abs(step.gap))}"
    rail.label(words, 0.5 * sum(spans.way), outer, rgba, size=STRONG, offset=(0.0, 16.0), priority=84, bold=True)


def draw_swept_difference(context: Context, draw: DrawList, step: SweptAxisStep, motion: Motion, _time: float) -> None:
    """The slab of A - B across the axis, and how far the whole path stays out of it."""
    theme = context.theme
    way = motion.displacement
    draw_path(context, draw, motion, 0.0)
    if not step.axis.any():
        return
    low, high = _slab(step.interval_a, step.start_b)
    kind = context.analysis.sat.candidates[step.row].kind if step.row < BOX_AXES else None
    _draw_slab(context, draw, step.axis, (low, high), theme.winner if kind is None else family_style(kind, theme).rgba)
    if step.gap <= 0.0:
        return
    ends = (0.0, dot(step.axis, way))
    # The end of the path that is nearer to the slab, and the face of the slab that it is near to.
    if min(ends) > high:
        start, level = (np.zeros(3) if ends[0] <= ends[1] else way), high
    else:
        start, level = (np.zeros(3) if ends[0] >= ends[1] else way), low
    foot = start + (level - dot(step.axis, start)) * step.axis
    measured(draw, context, start, foot, theme.gap, f"{step.label} {signed(step.gap)}")

"""Candidate axes with both projection intervals drawn along them, and the gap or overlap marked.

Fifteen pairs of bars through one centre are a hedgehog in which nothing can be read. So an axis stands beside the
bodies as a *rail* turned towards the viewer: A's bar and B's bar side by side, a bracket with the number on the gap
or overlap, dotted lines dropped from the extreme vertices. One rail is in focus; the others come as a cage of
hairlines round the pair, as one family of it, or as a fan of parallel rails on one scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.algorithms.sat import AxisStatus
from core.geometry.vector import Array

from ..axis_words import plain
from ..draw_list import Dash, DrawList, Hidden, Layer, Rgba, Subject
from ..theme import faded
from ..view import AxisView
from .context import Context, Overlay
from .extent import outer_points, pair_centre, pair_radius, reach
from .families import family_style


@dataclass(frozen=True, slots=True)
class Spans:
    """Projections on one axis as distances from the pair's centre along it."""

    a: tuple[float, float]
    b: tuple[float, float]
    way: tuple[float, float]
    """From one inner end to the other: the gap, or the stretch that B must be moved by."""


def _world(context: Context, draw: DrawList) -> None:
    view, sat = context.view, context.analysis.sat
    focus = context.focus
    if view.axis_view is AxisView.FAN:
        _draw_fan(context, draw)
    elif view.axis_view is not AxisView.FOCUSED:
        for row, candidate in enumerate(sat.candidates):
            if row != focus and (view.axis_view is AxisView.CAGE or candidate.kind.value == view.family):
                _draw_cage_rail(context, draw, row)
    if sat.statuses[focus] is not AxisStatus.DEGENERATE:
        _draw_focus(context, draw, focus)


def spans_of(context: Context, row: int, centre: Array) -> Spans:
    """The two intervals and the way out of one axis, measured from `centre` along it."""
    sat = context.analysis.sat
    # The table measures from A's position.
    shift = float((centre - np.array(context.scene.a.position)) @ sat.axes[row])
    a0, a1 = (sat.interval_a[row] - shift).tolist()
    b0, b1 = (sat.interval_b[row] - shift).tolist()
    return Spans((a0, a1), (b0, b1), (a1, b0) if sat.sides[row] > 0 else (b1, a0))


def _draw_focus(context: Context, draw: DrawList, row: int) -> None:
    sat, theme = context.analysis.sat, context.theme
    centre, axis, subject = pair_centre(context.scene), sat.axes[row], Subject("axis", row)
    size = pair_radius(context.scene)
    spans = spans_of(context, row, centre)
    style = family_style(sat.candidates[row].kind, theme)
    is_winner = row == sat.winner
    group = draw.turned(centre, axis)
    lift = reach(context.scene, centre, axis) + 0.16 * size
    step = 0.075 * size
    low, high = min(spans.a[0], spans.b[0]), max(spans.a[1], spans.b[1])

    def at(distance: float) -> Array:
        point: Array = centre + distance * axis
        return point

    draw.lines(
        at(low - 0.16 * size),
        at(high + 0.22 * size),
        theme.winner if is_winner else style.rgba,
        1.6,
        lift=lift,
        dash=style.dash if not is_winner else Dash.SOLID,
        hidden=Hidden.SHOW,
        layer=Layer.NORMAL,
        subject=subject,
        group=group,
        arrow_end=10.0,
    )
    draw.label(
        f"{sat.candidates[row].label}{'  winner' if is_winner else ''}",
        at(high + 0.22 * size),
        theme.winner if is_winner else style.rgba,
        size=14.0,
        offset=(30.0, -8.0),
        priority=70,
        subject=subject,
        lift=lift,
        group=group,
        bold=True,
    )
    for index, (span, offset) in enumerate(((spans.a, -step), (spans.b, step))):
        draw.lines(
            at(span[0]),
            at(span[1]),
            theme.edge(index),
            7.0,
            lift=lift + offset,
            hidden=Hidden.SHOW,
            layer=Layer.STRONG,
            subject=subject,
            group=group,
        )
        _draw_drops(context, draw, index, axis, span, lift + offset, group)
    _draw_way(context, draw, row, spans, centre, group, lift, step)


def _draw_drops(
    context: Context, draw: DrawList, index: int, axis: Array, span: tuple[float, float], lift: float, group: int
) -> None:
    centre = pair_centre(context.scene)
    points, radius = outer_points(context.scene.body(index))
    heights = (points - centre) @ axis
    rgba = faded(context.theme.edge(index), 0.55)
    for end, row, sign in ((span[0], int(heights.argmin()), -1.0), (span[1], int(heights.argmax()), 1.0)):
        extreme = points[row] + sign * radius * axis
        draw.lines(
            extreme, centre + end * axis, rgba, 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW, lift=(0.0, lift), group=group
        )


def _draw_way(
    context: Context, draw: DrawList, row: int, spans: Spans, centre: Array, group: int, lift: float, step: float
) -> None:
    sat, theme = context.analysis.sat, context.theme
    separation = float(sat.separations[row])
    apart = separation > context.analysis.band
    rgba = theme.gap if apart else theme.overlap
    first, second = (centre + end * sat.axes[row] for end in spans.way)
    subject = Subject("axis", row)
    outer = lift + 2.6 * step
    draw.lines(
        first, second, rgba, 2.2, lift=outer, hidden=Hidden.SHOW, layer=Layer.STRONG, subject=subject, group=group
    )
    for end in (first, second):
        draw.lines(
            end,
            end,
            rgba,
            1.4,
            lift=(lift - step, outer + 0.7 * step),
            hidden=Hidden.SHOW,
            layer=Layer.STRONG,
            subject=subject,
            group=group,
        )
    word = "gap" if apart else "touching" if separation >= -context.analysis.band else "overlap"
    draw.label(
        f"{word} {plain(abs(separation))}" if word != "touching" else word,
        0.5 * (first + second),
        rgba,
        size=14.0,
        offset=(0.0, 14.0),
        priority=75,
        subject=subject,
        lift=outer,
        group=group,
        bold=True,
    )


def _draw_cage_rail(context: Context, draw: DrawList, row: int) -> None:
    sat, theme = context.analysis.sat, context.theme
    if sat.statuses[row] is AxisStatus.DEGENERATE:
        return
    centre, axis, subject = pair_centre(context.scene), sat.axes[row], Subject("axis", row)
    size = pair_radius(context.scene)
    strength = _closeness(context, row, size)
    style = family_style(sat.candidates[row].kind, theme)
    group = draw.turned(centre, axis)
    lift = 1.08 * size
    spans = spans_of(context, row, centre)
    low, high = min(spans.a[0], spans.b[0]), max(spans.a[1], spans.b[1])
    draw.lines(
        centre + low * axis,
        centre + high * axis,
        faded(style.rgba, 0.25 + 0.6 * strength),
        1.0,
        lift=lift,
        dash=style.dash,
        hidden=Hidden.SHOW,
        layer=Layer.BACK,
        subject=subject,
        group=group,
    )
    for index, (span, offset) in enumerate(((spans.a, -0.022 * size), (spans.b, 0.022 * size))):
        draw.lines(
            centre + span[0] * axis,
            centre + span[1] * axis,
            faded(theme.edge(index), 0.2 + 0.55 * strength),
            2.2,
            lift=lift + offset,
            hidden=Hidden.SHOW,
            layer=Layer.BACK,
            subject=subject,
            group=group,
        )
    draw.label(
        sat.candidates[row].label,
        centre + high * axis,
        faded(style.rgba, 0.5 + 0.5 * strength),
        size=11.0,
        offset=(12.0, 0.0),
        priority=int(20 * strength),
        subject=subject,
        lift=lift,
        group=group,
    )


def _closeness(context: Context, row: int, size: float) -> float:
    # 1 for an axis that ties with the winner, falling to 0 one pair radius away from it.
    sat = context.analysis.sat
    return float(np.clip(1.0 - (sat.separations[sat.winner] - sat.separations[row]) / size, 0.0, 1.0)) ** 2


def _draw_fan(context: Context, draw: DrawList) -> None:
    sat, theme = context.analysis.sat, context.theme
    rows = [
        row for row, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE and row != context.focus
    ]
    rows.sort(key=lambda row: -float(sat.separations[row]))
    centre, size = pair_centre(context.scene), pair_radius(context.scene)
    along = sat.axes[context.focus]
    group = draw.turned(centre, along)
    start = reach(context.scene, centre, along) + 0.62 * size
    for place, row in enumerate(rows):
        spans = spans_of(context, row, centre)
        lift, subject = start + 0.15 * size * place, Subject("axis", row)
        style = family_style(sat.candidates[row].kind, theme)
        for index, (span, offset) in enumerate(((spans.a, -0.022 * size), (spans.b, 0.022 * size))):
            draw.lines(
                centre + span[0] * along,
                centre + span[1] * along,
                faded(theme.edge(index), 0.75),
                2.6,
                lift=lift + offset,
                hidden=Hidden.SHOW,
                layer=Layer.NORMAL,
                subject=subject,
                group=group,
            )
        draw.lines(
            centre + spans.way[0] * along,
            centre + spans.way[1] * along,
            _way_rgba(context, row),
            1.6,
            lift=lift,
            hidden=Hidden.SHOW,
            layer=Layer.STRONG,
            subject=subject,
            group=group,
        )
        draw.label(
            sat.candidates[row].label,
            centre + 1.25 * size * along,
            style.rgba,
            size=11.0,
            offset=(0.0, 0.0),
            priority=20,
            subject=subject,
            lift=lift,
            group=group,
        )


def _way_rgba(context: Context, row: int) -> Rgba:
    apart = float(context.analysis.sat.separations[row]) > context.analysis.band
    return faded(context.theme.gap if apart else context.theme.overlap, 0.8)


OVERLAY = Overlay(
    "axes", "Candidate axes", "A", "Projection intervals of both bodies along the candidate axes", world=_world
)

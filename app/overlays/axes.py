"""Candidate axes with both projection intervals drawn along them, and the gap or overlap marked.

Fifteen pairs of bars through one centre are a hedgehog in which nothing can be read. So an axis stands beside the
bodies as a *rail* turned towards the viewer: A's bar and B's bar side by side, a bracket with the number on the gap
or overlap, dotted lines dropped from the extreme vertices. One rail is in focus; the others come as a cage of
hairlines round the pair, as one family of it, or as a fan of parallel rails on one scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.algorithms.sat import AxisKind, AxisStatus
from core.geometry.vector import Array

from ..axis_words import plain
from ..draw_list import Dash, DrawList, Hidden, Layer, Rgba, Subject
from ..theme import faded
from ..view import AxisView, View
from .context import Context, Overlay
from .extent import outer_points, pair_centre, pair_radius, reach
from .families import family_style


@dataclass(frozen=True, eq=False, slots=True)
class Spans:
    """Projections on one axis as distances from the pair's centre along `direction`, which runs from A towards B."""

    direction: Array
    a: tuple[float, float]
    b: tuple[float, float]
    way: tuple[float, float]
    """From A's inner end to B's: the gap, or (turned round) the stretch that B must be moved by."""


def _world(context: Context, draw: DrawList) -> None:
    sat, focus = context.analysis.sat, context.focus
    rows = [
        row
        for row, candidate in enumerate(sat.candidates)
        if sat.statuses[row] is not AxisStatus.DEGENERATE and row != focus and _is_wanted(context.view, candidate.kind)
    ]
    rows.sort(key=lambda row: -float(sat.separations[row]))
    draw_row = _draw_fan_row if context.view.axis_view is AxisView.FAN else _draw_cage_rail
    for place, row in enumerate(rows):
        draw_row(context, draw, row, place)
    if sat.statuses[focus] is not AxisStatus.DEGENERATE:
        _draw_focus(context, draw, focus)


def _is_wanted(view: View, kind: AxisKind) -> bool:
    if view.axis_view is AxisView.FAMILY:
        return kind.value == view.family
    return view.axis_view is not AxisView.FOCUSED


def spans_of(context: Context, row: int, centre: Array) -> Spans:
    """The two intervals and the way out of one axis, measured from `centre` along it."""
    sat = context.analysis.sat
    side = float(sat.sides[row])
    # The table measures from A's position.
    shift = float((centre - np.array(context.scene.a.position)) @ sat.axes[row])
    a0, a1 = sorted((side * (sat.interval_a[row] - shift)).tolist())
    b0, b1 = sorted((side * (sat.interval_b[row] - shift)).tolist())
    return Spans(side * sat.axes[row], (a0, a1), (b0, b1), (a1, b0))


def _draw_focus(context: Context, draw: DrawList, row: int) -> None:
    sat, theme = context.analysis.sat, context.theme
    centre, subject = pair_centre(context.scene), Subject("axis", row)
    size = pair_radius(context.scene)
    spans = spans_of(context, row, centre)
    axis = spans.direction
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
    sat = context.analysis.sat
    separation = float(sat.separations[row])
    rgba = _way_rgba(context, row)
    first, second = (centre + end * spans.direction for end in spans.way)
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
    word = "overlap" if separation < 0.0 else "gap"
    touching = abs(separation) <= context.analysis.band
    draw.label(
        "touching" if touching else f"{word} {plain(abs(separation))}",
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


def _draw_cage_rail(context: Context, draw: DrawList, row: int, place: int) -> None:
    # Rails go by turns above and below the pair, the closer to winning the nearer, so that no two share a line.
    sat, theme = context.analysis.sat, context.theme
    centre, subject, size = pair_centre(context.scene), Subject("axis", row), pair_radius(context.scene)
    spans = spans_of(context, row, centre)
    strength = _closeness(context, row, size)
    style = family_style(sat.candidates[row].kind, theme)
    group = draw.turned(centre, spans.direction)
    arm = reach(context.scene, centre, spans.direction)
    lift = arm + (0.55 + 0.03 * place) * size if place % 2 else -arm - (0.15 + 0.03 * place) * size
    start, end = (centre + at * spans.direction for at in _whole(spans))
    draw.lines(
        start,
        end,
        faded(style.rgba, 0.35 + 0.5 * strength),
        1.0,
        lift=lift,
        dash=style.dash,
        hidden=Hidden.SHOW,
        layer=Layer.BACK,
        subject=subject,
        group=group,
    )
    _draw_thin_bars(context, draw, row, spans, spans.direction, lift, group, 0.25 + 0.6 * strength)
    draw.label(
        sat.candidates[row].label,
        end,
        faded(style.rgba, 0.55 + 0.45 * strength),
        size=11.0,
        offset=(12.0, 0.0),
        priority=int(20 * strength),
        subject=subject,
        lift=lift,
        group=group,
    )


def _whole(spans: Spans) -> tuple[float, float]:
    return min(spans.a[0], spans.b[0]), max(spans.a[1], spans.b[1])


def _draw_thin_bars(
    context: Context, draw: DrawList, row: int, spans: Spans, along: Array, lift: float, group: int, alpha: float
) -> None:
    # A's bar and B's side by side, and the gap or overlap between them.
    centre, step = pair_centre(context.scene), 0.02 * pair_radius(context.scene)
    for (first, second), offset, rgba in (
        (spans.a, -step, context.theme.edge_a),
        (spans.b, step, context.theme.edge_b),
        (spans.way, 0.0, _way_rgba(context, row)),
    ):
        draw.lines(
            centre + first * along,
            centre + second * along,
            faded(rgba, alpha),
            2.4 if offset else 1.6,
            lift=lift + offset,
            hidden=Hidden.SHOW,
            layer=Layer.BACK,
            subject=Subject("axis", row),
            group=group,
        )


def _closeness(context: Context, row: int, size: float) -> float:
    # 1 for an axis that ties with the winner, falling to 0 one pair radius away from it.
    sat = context.analysis.sat
    return float(np.clip(1.0 - (sat.separations[sat.winner] - sat.separations[row]) / size, 0.0, 1.0)) ** 2


def _draw_fan_row(context: Context, draw: DrawList, row: int, place: int) -> None:
    # Every axis laid along the focused one, below its rail: intervals of different axes on one scale.
    sat, scene = context.analysis.sat, context.scene
    along = spans_of(context, context.focus, pair_centre(scene)).direction
    centre, size = pair_centre(scene), pair_radius(scene)
    group = draw.turned(centre, along)
    lift = reach(scene, centre, along) + (0.62 + 0.1 * place) * size
    spans = spans_of(context, row, centre)
    _draw_thin_bars(context, draw, row, spans, along, lift, group, 0.85)
    draw.label(
        sat.candidates[row].label,
        centre + (_whole(spans)[1] + 0.05 * size) * along,
        family_style(sat.candidates[row].kind, context.theme).rgba,
        size=11.0,
        offset=(18.0, -4.0),
        priority=20,
        subject=Subject("axis", row),
        lift=lift,
        group=group,
    )


def _way_rgba(context: Context, row: int) -> Rgba:
    overlaps = float(context.analysis.sat.separations[row]) < -context.analysis.band
    return context.theme.overlap if overlaps else context.theme.gap


OVERLAY = Overlay(
    "axes", "Candidate axes", "A", "Projection intervals of both bodies along the candidate axes", world=_world
)

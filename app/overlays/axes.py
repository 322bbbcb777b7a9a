"""Candidate axes with both projection intervals drawn along them, and the gap or overlap marked.

Fifteen pairs of bars through one centre could not be read. An axis is therefore drawn as a rail beside the bodies,
turned towards the viewer: A's bar and B's bar side by side, the gap or overlap between them, and dotted lines from the
extreme vertices. One rail is in focus. The others are drawn as thin rails round the pair, as those of one family, or as
a fan of parallel rails on one scale.
"""

from __future__ import annotations

from math import inf

import numpy as np

from core.geometry.vector import Array
from core.sat.sat import AxisStatus

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Subject
from ..draw.theme import faded, mixed
from ..state.view import AxisView
from ..words.names import axis_name, named_axis
from .context import Context, Overlay
from .rail import (
    Rail,
    Span,
    Spans,
    family_look,
    free_axis_is_shown,
    rail_beside,
    separation_rgba,
    side_of_focus,
    way_words,
)
from .style import FINE, STRONG, family_shown, family_style

MOST_RAILS = 24
"""Most rails besides the one in focus, because two hulls of 100 corners have hundreds of axes."""
NUMBER_DISTANCE = 70.0
"""Largest distance of a rail's number from its gap or overlap, points."""


def _world(context: Context, draw: DrawList) -> None:
    if context.lit is None:
        return
    if context.sat_progress.stepping:
        # Only the axis that SAT tries: other rails would give away axes that come later.
        _draw_main(context, draw, context.focus, 0)
        return
    # Rails keep their places while one of them is pointed at; that one is lit in its place.
    sat, resting = context.analysis.sat, context.resting_focus
    # The rows of one family or of all, the closest to winning first.
    family = family_shown(context.view.family, sat) if context.view.axis_view is AxisView.FAMILY else None
    wanted = [
        row
        for row in (context.nearest_axes if context.view.axis_view is not AxisView.FOCUSED else ())
        if row != resting and family in (None, sat.candidates[row].kind.value)
    ]
    rows = wanted[:MOST_RAILS] + [row for row in wanted[MOST_RAILS:] if row == context.focus]
    left_out = len(wanted) - len(rows)
    if context.view.axis_view is AxisView.FAN and sat.statuses[resting] is not AxisStatus.DEGENERATE:
        along = Spans.of(context, resting).direction
        outermost = tuple((end, _fan_lift(context, along, len(rows) - 1)) for end in Spans.of(context, resting).whole)
        _draw_fan(context, draw, rows, outermost)
        _draw_main(context, draw, resting, left_out, outermost)
    else:
        _draw_cage(context, draw, rows)
        # A free axis's rail takes the place of the winner's rail; the winner's gap is marked on it.
        if not free_axis_is_shown(context) or context.moment is not None or context.axis_pointed_at:
            _draw_main(context, draw, context.focus, left_out)


def _draw_main(context: Context, draw: DrawList, row: int, left_out: int, outermost: tuple[Span, ...] = ()) -> None:
    # The one large rail. `left_out`: the number of rails that are not drawn. `outermost`: as in TurnedGroup, of the
    # rails that lie beyond it.
    sat, theme, size = context.analysis.sat, context.theme, context.extent.radius
    if sat.statuses[row] is AxisStatus.DEGENERATE:
        return
    spans, side, wins = Spans.of(context, row), side_of_focus(context), row == context.leader
    look, subject = family_look(context, None if wins else sat.candidates[row].kind), Subject("axis", row)
    rail, lift, step = rail_beside(context, draw, spans, subject, look, side=side, outermost=outermost)
    name, brief = axis_name(sat, row), way_words(context, row)
    word, (low, high) = brief, spans.whole
    if context.moment is None:
        title, offset = name + ("  decides" if wins else ""), (30.0, -8.0 * side)
        tip = high + 0.22 * size
        rail.label(
            title, tip, lift, look[0], size=STRONG, offset=offset, priority=70, bold=True, brief=name, kind="axis-names"
        )
    else:
        # At a step the whole title is placed at the number: the rail was not chosen to fit into the pane.
        place = f", {'decides' if context.sat_progress.last else 'best so far'}" if wins else ""
        brief = f"{name}  {brief}"
        word = f"{brief}{place}"
    # The number alone belongs to its place on the rail; with the name it may be the rail's title, at its end.
    max_distance = NUMBER_DISTANCE if context.moment is None else inf
    if left_out:
        words = f"{left_out:,} more in the table"
        rail.label(
            words,
            low - 0.16 * size,
            lift,
            theme.dim_text,
            size=FINE,
            offset=(0.0, 14.0),
            priority=60,
            kind="interval-numbers",
        )
    rail.bars(context, spans, lift, step, context.sat_progress.bars(row))
    if context.sat_progress.part and row == context.sat_progress.row:
        # Until both intervals are compared no gap or overlap is marked, and the name is placed away from their ends.
        offset = (0.0, -14.0 * side)
        rail.label(
            name,
            high + 0.22 * size,
            lift,
            look[0],
            size=STRONG,
            offset=offset,
            priority=75,
            bold=True,
            kind="axis-names",
        )
        return
    rail.mark(spans.between, lift, step, separation_rgba(context, float(sat.separations[row])))
    rail.label(
        word,
        0.5 * sum(spans.between),
        lift,
        theme.text,
        size=STRONG,
        # Away from the bodies; the layout moves it off the bars.
        offset=(0.0, 16.0 * side),
        priority=75,
        bold=True,
        brief=brief,
        max_distance=max_distance,
        clear=True,
        kind="interval-numbers",
    )


def _draw_cage(context: Context, draw: DrawList, rows: list[int]) -> None:
    # Rails alternate above and below the pair, those closer to winning nearer to it, so that no two lie on one line.
    size, place = context.extent.radius, np.arange(len(rows))
    axes, intervals = Spans.table(context, rows)
    arms = context.extent.radii_about(axes)
    lifts = np.where(place % 2, arms + (0.55 + 0.03 * place) * size, -arms - (0.15 + 0.03 * place) * size)
    closeness = [_closeness(context, row) for row in rows]
    strengths = [1.0 if row == context.focus else close for row, close in zip(rows, closeness, strict=True)]
    rails = [Rail.on(draw, context, axis, Subject("axis", row)) for row, axis in zip(rows, axes, strict=True)]
    _draw_thin(context, draw, rails, intervals, lifts, strengths, lines=True)
    ends = _whole(intervals)[:, 1].tolist()
    for rail, end, lift, close, strength in zip(rails, ends, lifts.tolist(), closeness, strengths, strict=True):
        candidate = context.analysis.sat.candidates[rail.subject.number]
        # Names of axes far from winning fade by colour: a transparent name could not be read on a body.
        rgba = mixed(context.theme.dim_text, family_style(candidate.kind, context.theme).rgba, strength)
        # The priority does not depend on being lit, so that the label stays under the pointer.
        name, priority = named_axis(candidate.label), int(20 * close)
        rail.label(name, end, lift, rgba, size=FINE, offset=(12.0, 0.0), priority=priority, kind="axis-names")


def _closeness(context: Context, row: int) -> float:
    # 1 for an axis that ties with the best known one, falling to 0 for one whose separation is less by the pair's
    # radius.
    sat, leader = context.analysis.sat, context.leader
    if leader is None:
        return 0.0
    behind = float(sat.separations[leader] - sat.separations[row]) / context.extent.radius
    return min(max(1.0 - behind, 0.0), 1.0) ** 2


def _fan_lift(context: Context, along: Array, place: int) -> float:
    return context.extent.radius_about(along) + (0.62 + 0.1 * place) * context.extent.radius


def _draw_fan(context: Context, draw: DrawList, rows: list[int], outermost: tuple[Span, ...]) -> None:
    # Every axis is drawn parallel to the main one, beyond its rail: intervals of different axes on one scale.
    along = Spans.of(context, context.resting_focus).direction
    _, intervals = Spans.table(context, rows)
    rails = [Rail.on(draw, context, along, Subject("axis", row), outermost) for row in rows]
    lifts = np.array([_fan_lift(context, along, place) for place in range(len(rows))])
    _draw_thin(context, draw, rails, intervals, lifts, [1.0] * len(rows), lines=False)
    ends = (_whole(intervals)[:, 1] + 0.05 * context.extent.radius).tolist()
    for rail, end, lift in zip(rails, ends, lifts.tolist(), strict=True):
        row = rail.subject.number
        candidate, lit = context.analysis.sat.candidates[row], row == context.focus
        rgba, name = family_style(candidate.kind, context.theme).rgba, named_axis(candidate.label)
        words = f"{name}  {way_words(context, row)}" if lit else name
        rail.label(
            words,
            end,
            lift,
            rgba,
            size=FINE,
            offset=(18.0, -4.0),
            priority=20,
            brief=name if lit else "",
            kind="interval-numbers" if lit else "axis-names",
        )


def _whole(intervals: Array) -> Array:
    # The lowest and the highest finite end of both intervals: (k, 2, 2) to (k, 2).
    finite = np.isfinite(intervals)
    low = np.where(finite, intervals, np.inf).min(axis=(1, 2))
    return np.stack((low, np.where(finite, intervals, -np.inf).max(axis=(1, 2))), axis=1)


def _draw_thin(
    context: Context,
    draw: DrawList,
    rails: list[Rail],
    intervals: Array,
    lifts: Array,
    strengths: list[float],
    *,
    lines: bool,
) -> None:
    """Draws on each rail A's bar and B's side by side, and the gap or overlap between them; twice as wide if in focus.

    `intervals` (k, 2, 2) of A and B, `lifts` (k,), `strengths` from 0 to 1. `lines`: draws the rail's own line too, in
    its family's style. All lines are one batch: drawn one by one they took a third of the time of all overlays.
    """
    if not rails:
        return
    sat, theme, step = context.analysis.sat, context.theme, 0.02 * context.extent.radius
    colours, widths, dashes = [], [], []
    for rail, strength in zip(rails, strengths, strict=True):
        row, alpha = rail.subject.number, 0.25 + 0.6 * strength
        style = family_style(sat.candidates[row].kind, theme)
        bar = separation_rgba(context, float(sat.separations[row]))
        colours.append(faded(style.rgba, 0.35 + 0.5 * strength))
        colours += [faded(rgba, alpha) for rgba in (theme.edge_a, theme.edge_b, bar)]
        wide = 4.8 if row == context.focus else 2.4
        widths += [1.0, wide, wide, 1.6]
        dashes += [style.dash, Dash.SOLID, Dash.SOLID, Dash.SOLID]
    ways, limit = np.stack((intervals[:, 0, 1], intervals[:, 1, 0]), axis=1), rails[0].limit
    ends = np.stack((_whole(intervals), intervals[:, 0], intervals[:, 1], ways), axis=1).clip(-limit, limit)
    places = rails[0].centre + ends[..., None] * np.array([rail.direction for rail in rails])[:, None, None]
    chosen = np.arange(4 * len(rails)).reshape(-1, 4)[:, 0 if lines else 1 :].ravel()
    draw.lines(
        places[:, :, 0].reshape(-1, 3)[chosen],
        places[:, :, 1].reshape(-1, 3)[chosen],
        np.array(colours)[chosen],
        np.array(widths)[chosen],
        lift=(lifts[:, None] + (0.0, -step, step, 0.0)).ravel()[chosen],
        dash=np.array(dashes)[chosen],
        hidden=Hidden.SHOW,
        layer=Layer.BACK,
        subject=[rails[number // 4].subject for number in chosen.tolist()],
        group=np.array([rail.group for rail in rails])[chosen // 4],
    )


OVERLAY = Overlay(
    "axes",
    "Candidate axes",
    "A",
    "Projection intervals of both bodies along the candidate axes",
    world=_world,
    of_answer=True,
)

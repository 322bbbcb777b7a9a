"""MPR's steps: the ray from v0 through the origin, the portal that it passes through, and the point found beyond it."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from core.geometry.vector import Array, length, unit
from core.mpr.answer import MprAction, MprResult, MprStep
from core.pair.support import DifferencePoint
from core.query.query import Phase

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ..picture_parts import (
    draw_body_directions,
    draw_bounds,
    draw_search,
    draw_sources,
    draw_witnesses,
    point_name,
)
from ..word_parts import numbered


def draw_difference(context: Context, draw: DrawList, step: MprStep) -> None:
    """The ray, the portal, the search and what it found; at the end the depth."""
    points = step.points or step.after
    if points:
        draw_ray(context, draw, points[0].w)
        draw_portal(context, draw, points)
    if step.support is not None:
        start = points[0].w if len(points) < 4 else np.array([point.w for point in points[1:]]).mean(axis=0)
        draw_search(context, draw, start, step.support, "d", cores=False)
        if step.upper is not None:
            draw_bounds(draw, context.theme, step.support.direction, ((step.upper, "depth ≤"),))
        again = any(step.support.xyz == point.xyz for point in step.points)
        name = "w: again" if again else point_name(context, "w", None, step.support)
        draw.label(name, step.support.w, context.theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)
    if step.stop is not None:
        _draw_answer(context, draw)
    draw_origin(context, draw)


def draw_ray(context: Context, draw: DrawList, start: Array) -> None:
    """From v0 through the origin and on."""
    rgba, way = context.theme.normal, unit(-start)
    if way is None:
        return
    reach = length(start) + 0.5 * context.extent.radius
    draw.lines(start, start + reach * way, rgba, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_end=9.0)


def draw_portal(context: Context, draw: DrawList, named: tuple[DifferencePoint, ...]) -> None:
    """v0 and the corners: the triangle of three is the portal, that of two with v0 the plane beside the ray."""
    theme, points = context.theme, np.array([point.w for point in named])
    corners = points[1:]
    if len(corners) == 3:
        draw.sheet(corners, faded(theme.winner, 0.34))
    elif len(corners) == 2:
        draw.sheet(points, faded(theme.winner, 0.13))
    for first, second in combinations(range(len(corners)), 2):
        draw.lines(corners[first], corners[second], theme.winner, 3.0, hidden=Hidden.SHOW, layer=Layer.STRONG)
    for corner in corners:
        draw.lines(points[0], corner, faded(theme.winner, 0.6), 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW)
    for number, point in enumerate(named):
        fill, rim = (theme.winner, theme.halo) if number else (theme.halo, theme.winner)
        draw.spots(point.w, fill, 5.0, rim, 1.5 if number else 2.0)
        word = point_name(context, "v", number, point) if number else numbered("v", 0)
        draw.label(word, point.w, theme.winner, size=PLAIN, offset=(0.0, -14.0), priority=66)


def _result(context: Context) -> MprResult | None:
    found: MprResult | None = None if context.query is None else context.query.results.get(Phase.MPR)
    return found


def _draw_answer(context: Context, draw: DrawList) -> None:
    """The way from the origin to the portal's nearest point, which MPR calls the depth."""
    found = _result(context)
    if found is None or found.depth is None or found.normal is None or found.depth <= 0.0:
        return
    rgba, tip = context.theme.gap, found.depth * found.normal
    draw.strong(np.zeros(3), tip, rgba, 2.8)
    draw.points(tip, rgba, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
    draw.label("MPR's depth", tip, rgba, size=STRONG, offset=(40.0, 14.0), priority=82, bold=True)


def draw_world(context: Context, draw: DrawList, step: MprStep) -> None:
    """The points of A and B behind the corners; at the end those behind the portal's nearest point."""
    points: list[tuple[int | None, DifferencePoint]] = list(enumerate(step.points or step.after))
    newest = None
    if step.support is not None:
        draw_body_directions(context, draw, step.support, "d")
        if not any(step.support.xyz == point.xyz for _, point in points):
            newest = len(points)
            points.append((step.placed if step.action is MprAction.FIRST else None, step.support))
    draw_sources(context, draw, points, newest)
    found = _result(context)
    if step.stop is not None and found is not None and found.witness_a is not None and found.witness_b is not None:
        draw_witnesses(context, draw, found.witness_a, found.witness_b, None)

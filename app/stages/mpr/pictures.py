"""Pictures of MPR's steps and sub-steps: the ray, the portal, and the point found beyond it."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from core.geometry.vector import Array, unit
from core.mpr import MprAction, MprResult, MprStep
from core.pair.support import DifferencePoint
from core.query.query import Phase, Query

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ...words.names import numbered
from .. import sub_step_drawing
from ..stage import steps_of
from ..step_drawing import (
    draw_bounds,
    draw_found_sources,
    draw_search,
    draw_sources,
    draw_witnesses,
    found_name,
)
from ..word_parts import point_words

Points = tuple[DifferencePoint, ...]
"""v0 and the corners known so far."""


def draw_difference(context: Context, draw: DrawList, step: MprStep) -> None:
    """Draws the ray, the portal, the search and the point found; at the end the depth."""
    points = step.points or step.after
    if points:
        draw_portal(context, draw, points)
    if step.support is not None:
        if step.upper is not None:
            draw_bounds(draw, context.theme, step.support.direction, ((step.upper, "depth", "≤"),))
        name = found_name(context, step.support, step.points)
        draw_search(context, draw, start_of(points), step.support, "d", name, cores=False)
    if step.stop is not None:
        _draw_answer(context, draw)
    draw_origin(context, draw)


def start_of(points: Points) -> Array:
    """The start (3,) of a search: v0, or the middle of the portal if all corners are known."""
    middle: Array = np.array([point.w for point in (points[:1] if len(points) < 4 else points[1:])]).mean(axis=0)
    return middle


def draw_ray(context: Context, draw: DrawList, start: Array) -> None:
    """Draws the ray from v0, `start` (3,), through the origin and on; draws nothing if v0 is the origin."""
    rgba, way = context.theme.normal, unit(-start)
    if way is None:
        return
    end = ray_end(context, way)
    draw.lines(start, end, rgba, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_end=9.0)
    draw.label("ray", end, rgba, size=PLAIN, offset=(14.0, 0.0), priority=48)


def ray_end(context: Context, way: Array) -> Array:
    """The end (3,) of the ray as drawn, beyond the origin along the unit `way` (3,)."""
    end: Array = 0.5 * context.extent.radius * way
    return end


def draw_portal(context: Context, draw: DrawList, named: Points) -> None:
    """Draws the ray, v0 and the corners: three corners are the portal, two form a triangle with v0."""
    theme, points = context.theme, np.array([point.w for point in named])
    draw_ray(context, draw, points[0])
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
        word = point_words(context.scene, "v", number, point) if number else numbered("v", 0)
        draw.label(word, point.w, theme.winner, size=PLAIN, offset=(0.0, -14.0), priority=66, kind="point-names")


def _result(context: Context) -> MprResult | None:
    return None if context.query is None else context.query.results.get(Phase.MPR)


def _draw_answer(context: Context, draw: DrawList) -> None:
    """Draws the line from the origin to the portal's nearest point, if MPR found a depth, which is its length."""
    found = _result(context)
    if found is None or found.depth is None or found.normal is None or found.depth <= 0.0:
        return
    rgba, tip = context.theme.gap, found.depth * found.normal
    draw.strong(np.zeros(3), tip, rgba, 2.8)
    draw.points(tip, rgba, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
    draw.label("MPR's depth", tip, rgba, size=STRONG, offset=(40.0, 14.0), priority=82, bold=True, kind="depth")


def draw_world(context: Context, draw: DrawList, step: MprStep) -> None:
    """Draws on the bodies the sources of the corners; at the end also those of the portal's nearest point."""
    points, number = list(enumerate(step.points or step.after)), step.placed if step.action is MprAction.FIRST else None
    draw_found_sources(context, draw, points, step.support, "d", number)
    found = _result(context)
    if step.stop is not None and found is not None and found.witness_a is not None and found.witness_b is not None:
        draw_witnesses(context, draw, found.witness_a, found.witness_b, None)


def fit_points(context: Context, query: Query) -> tuple[Array, Array]:
    """The points of all steps that fitted cameras keep in view, in the world and in the difference: (n, 3) each."""
    steps = [step for _, step in steps_of(query, MprStep)]
    world, difference = sub_step_drawing.fit_points_of_search(context, [step.support for step in steps])
    for step in steps:
        points, way = step.points or step.after, None
        if points and (way := unit(-points[0].w)) is not None:
            difference.append(ray_end(context, way)[None])
    inside = [(step.support, step.value) for step in steps if step.inside and step.support is not None and step.value]
    ways = [value * point.direction for point, value in inside if value > 0.0]
    return np.concatenate((*world, sub_step_drawing.fit_points_of_move(context, ways))), np.concatenate(difference)


# Pictures of sub-steps, each showing only what is known at that sub-step.


def draw_known(context: Context, draw: DrawList, points: Points) -> None:
    """Draws the ray and the portal in the difference."""
    draw_portal(context, draw, points)
    draw_origin(context, draw)


def draw_corners(context: Context, draw: DrawList, points: Points) -> None:
    """Draws the sources of the corners on the bodies."""
    draw_sources(context, draw, list(enumerate(points)))

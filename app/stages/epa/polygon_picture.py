"""EPA's steps in the plane: the polygon round the origin, its nearest edge, and the point that makes it grow."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array
from core.gjk.plane_epa import EpaPolygonStep
from core.gjk.simplex import nearest_on_simplex

from ...draw.draw_list import Dash, DrawList, Hidden, Marker, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.flat_shapes import outwards
from ...overlays.style import PLAIN, STRONG
from ..picture_parts import draw_body_directions, draw_bounds, draw_search, draw_sources, draw_witnesses, point_name
from ..word_parts import numbered


def draw_polygon_difference(context: Context, draw: DrawList, step: EpaPolygonStep) -> None:
    """The polygon, its nearest edge and the two edges that will be."""
    theme = context.theme
    points = np.array([point.w for point in step.vertices])
    loop = points[[edge.start for edge in step.edges]] if step.edges else points
    if len(loop) > 2:
        draw.sheet(loop, faded(theme.winner, 0.22))
    if len(loop) > 1:
        draw.polyline(loop, theme.winner, 2.0, closed=len(loop) > 2, hidden=Hidden.SHOW)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    for number, point in enumerate(step.vertices):
        name = point_name(context, "p", number, point) if step.nearest is None else numbered("p", number)
        offset = outwards(points[number] - points.mean(axis=0), len(name))
        draw.label(name, points[number], theme.winner, size=PLAIN, offset=offset, priority=50)
    if step.nearest is not None:
        _draw_growth(context, draw, step, points)
    draw_origin(context, draw)


def _draw_growth(context: Context, draw: DrawList, step: EpaPolygonStep, points: Array) -> None:
    """The nearest edge with its distance, the search along its normal, and the two edges that will be."""
    theme = context.theme
    assert step.nearest is not None
    assert step.closest is not None
    assert step.support is not None
    ends, closest = points[[step.nearest.start, step.nearest.end]], step.closest
    draw.strong(ends[0], ends[1], theme.winner, 4.0)
    draw.strong(np.zeros(3), closest, theme.gap, 2.8)
    draw.points(closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW, subject=Subject("difference"))
    brief = f"{numbered('p', step.nearest.start)}{numbered('p', step.nearest.end)}"
    word = f"nearest edge {brief}"
    draw.label(word, closest, theme.gap, size=STRONG, offset=(40.0, 14.0), priority=82, bold=True, brief=brief)
    support = step.support
    if step.lower is not None and step.upper is not None:
        draw_bounds(draw, theme, support.direction, ((step.upper, "depth ≤"), (step.lower, "depth ≥")))
    draw_search(context, draw, closest, support, "n")
    if step.added:
        draw.lines(ends, support.w, theme.winner, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)
    name = point_name(context, "p", len(step.vertices), support) if step.stop is None else "w"
    draw.label(name, support.w, theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)


def draw_polygon_world(context: Context, draw: DrawList, step: EpaPolygonStep) -> None:
    """The sources of the nearest edge and of the new point, and the witness points."""
    numbers = range(len(step.vertices)) if step.nearest is None else (step.nearest.start, step.nearest.end)
    sources = [(number, step.vertices[number]) for number in numbers]
    newest = None
    if step.support is not None:
        support = step.support
        draw_body_directions(context, draw, support, "n")
        if step.stop is None:
            newest = len(sources)
            sources.append((len(step.vertices), support))
    draw_sources(context, draw, sources, newest)
    if step.nearest is not None:
        ends = (step.vertices[step.nearest.start], step.vertices[step.nearest.end])
        nearest = nearest_on_simplex([end.xyz for end in ends])
        shares, points = np.array(nearest.weights), [ends[k] for k in nearest.region]
        on_a, on_b = shares @ np.array([p.a for p in points]), shares @ np.array([p.b for p in points])
        draw_witnesses(context, draw, on_a, on_b, raised(step.nearest.normal))

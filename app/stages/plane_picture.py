"""Steps that only the plane has: an edge's line and its two sides, the article's simplex, EPA's growing polygon."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, length
from core.gjk.article_gjk import ArticleStep, EdgeTest
from core.gjk.plane_epa import EpaPolygonStep
from core.gjk.simplex import nearest_on_simplex
from core.pair.support import DifferencePoint
from core.query.query import Phase, Query
from core.sat.planes_test import PlaneStep
from core.verdict import Verdict

from ..draw.draw_list import Dash, DrawList, Hidden, Marker, Subject
from ..draw.theme import faded
from ..overlays.context import Context, step_overlay
from ..overlays.difference import draw_origin
from ..overlays.flat_shapes import outwards
from ..overlays.text_sizes import PLAIN, STRONG
from ..words.axis_words import signed
from .picture_parts import (
    ARROW,
    draw_body_directions,
    draw_bounds,
    draw_search,
    draw_sources,
    draw_witnesses,
    point_name,
)
from .plane_words import letters
from .word_parts import numbered

# The planes test.


def _plane_world(context: Context, draw: DrawList) -> None:
    step = context.step_of(PlaneStep)
    if step is None:
        return
    theme, reach = context.theme, 1.5 * context.extent.radius
    rgba = theme.gap if step.verdict is not Verdict.OVERLAPPING else theme.overlap
    start, end, normal = raised(step.start), raised(step.end), raised(step.plane.normal)
    middle, along = 0.5 * (start + end), np.array((-step.plane.normal[1], step.plane.normal[0], 0.0))
    draw.lines(middle - reach * along, middle + reach * along, rgba, 1.4, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.strong(start, end, theme.edge(step.body), 4.0)
    tip = _plane_tip(context, step)
    draw.strong(middle, tip, theme.normal, 2.4, arrow_end=12.0)
    draw.label(f"{step.label}: in front", tip, theme.normal, size=PLAIN, offset=(0.0, -12.0), priority=80)
    _draw_distances(context, draw, step, normal)


def _plane_tip(context: Context, step: PlaneStep) -> Array:
    """Where the normal of an edge ends, (3,)."""
    middle: Array = 0.5 * (raised(step.start) + raised(step.end))
    return middle + 0.3 * context.extent.radius * raised(step.plane.normal)


def plane_tips(context: Context, query: Query) -> Array:
    """Where the normals of all steps of the planes test end beside the bodies, (n, 3)."""
    planar = (moment.step for moment in query.moments)
    tips = [_plane_tip(context, step) for step in planar if isinstance(step, PlaneStep)]
    return np.array(tips).reshape(-1, 3)


def _draw_distances(context: Context, draw: DrawList, step: PlaneStep, normal: Array) -> None:
    """Every corner of the other polygon with its signed distance: the one least in front strong."""
    theme, other = context.theme, context.scene.body(1 - step.body)
    corners = other.pose.to_world(other.shape.core.points) if other.shape.core is not None else np.zeros((0, 3))
    for number, distance in zip(step.numbers, step.distances, strict=True):
        point, least = corners[number], number == step.nearest
        rgba = theme.gap if distance >= 0.0 else theme.overlap
        if least:
            foot = point - distance * normal
            draw.strong(foot, point, rgba, 2.8)
        draw.spots(point, rgba, 5.0 if least else 3.6, theme.halo, 1.2)
        words = f"{'BA'[step.body]}.v{number} {signed(distance)}"
        offset, size = outwards(point - corners.mean(axis=0), len(words)), STRONG if least else PLAIN
        draw.label(words, point, rgba, size=size, offset=offset, priority=78 if least else 40)


def _plane_difference(context: Context, draw: DrawList) -> None:
    if context.step_of(PlaneStep) is not None:
        draw_origin(context, draw)


# The article's GJK.


def _article_difference(context: Context, draw: DrawList) -> None:
    step = context.step_of(ArticleStep)
    if step is None or context.query is None:
        return
    theme, corners = context.theme, np.array([point.w for point in step.simplex])
    if len(corners) == 3:
        draw.sheet(corners, faded(theme.winner, 0.25))
    if len(corners) > 1:
        draw.polyline(corners, theme.winner, 2.4, closed=len(corners) > 2, hidden=Hidden.SHOW)
    for place, point in enumerate(step.simplex):
        rgba = theme.overlap if place == 0 else theme.winner
        draw.spots(point.w, rgba, 5.4, theme.halo, 1.5)
        if point.xy in [newer.xy for newer in step.simplex[:place]]:
            continue
        x, y = point.xy
        name = letters(context.query, point)
        words, bold = f"{name} ({signed(x).lstrip('+')}, {signed(y).lstrip('+')})", place == 0
        # Away from the others, so as to stand clear of the edges that meet there.
        offset = outwards(corners[place] - corners.mean(axis=0), len(words))
        draw.label(words, point.w, rgba, size=PLAIN, offset=offset, priority=82, bold=bold, brief=name)
    for test in step.tests:
        chosen = test.direction == step.next_direction
        edge = f"{letters(context.query, test.start)}{letters(context.query, test.end)}"
        word = f"beyond {edge}" if test.product > 0.0 else f"not beyond {edge}"
        if len(step.tests) == 1 and chosen:
            word = "next d"
        _arrow(context, draw, _middle(test), raised(test.direction), word, strong=chosen)
    if step.next_direction is not None and not step.tests:
        _arrow(context, draw, np.zeros(3), raised(step.next_direction), "next d", strong=True)
    draw_origin(context, draw)


def _middle(test: EdgeTest) -> Array:
    middle: Array = 0.5 * (test.start.w + test.end.w)
    return middle


def _tip(context: Context, start: Array, way: Array) -> Array:
    """Where the arrow from `start` along `way`, of any length but 0, ends."""
    tip: Array = start + (ARROW * context.extent.radius / length(way)) * way
    return tip


def _arrow(context: Context, draw: DrawList, start: Array, way: Array, word: str, *, strong: bool) -> None:
    if not way.any():
        return
    rgba, tip = context.theme.overlap if strong else context.theme.dim_text, _tip(context, start, way)
    draw.strong(start, tip, rgba, 2.6 if strong else 1.6, arrow_end=11.0)
    draw.label(word, tip, rgba, size=PLAIN, offset=(0.0, 12.0), priority=70)


def article_tips(context: Context, query: Query) -> Array:
    """Where the arrows of all steps of the article's GJK end in the difference, (n, 3)."""
    planar = (moment.step for moment in query.moments)
    steps = [step for step in planar if isinstance(step, ArticleStep)]
    ways = [(_middle(test), raised(test.direction)) for step in steps for test in step.tests]
    return np.array([_tip(context, start, way) for start, way in ways if way.any()]).reshape(-1, 3)


def epa_supports(query: Query) -> list[DifferencePoint]:
    """The support points of all steps of EPA in the plane."""
    planar = (moment.step for moment in query.moments)
    return [s.support for s in planar if isinstance(s, EpaPolygonStep) and s.support is not None]


def _article_world(context: Context, draw: DrawList) -> None:
    step = context.step_of(ArticleStep)
    if step is None:
        return
    newest = len(step.simplex) - 1
    points = [(newest - place, point) for place, point in enumerate(step.simplex)]
    draw_sources(context, draw, points, 0)


# EPA.


def _epa_difference(context: Context, draw: DrawList) -> None:
    step = context.step_of(EpaPolygonStep)
    if step is None:
        return
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


def _epa_world(context: Context, draw: DrawList) -> None:
    step = context.step_of(EpaPolygonStep)
    if step is None:
        return
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


PLANES = step_overlay(
    "step_planes",
    "The planes test's steps",
    "An edge's line, and the distances of the other polygon's corners",
    Phase.PLANES,
    _plane_world,
    _plane_difference,
)
ARTICLE = step_overlay(
    "step_article",
    "The article's GJK",
    "Its simplex, its perpendiculars and where the origin is",
    Phase.ARTICLE,
    _article_world,
    _article_difference,
)
EPA = step_overlay(
    "step_flat_epa",
    "EPA's steps in the plane",
    "The polygon, its nearest edge and the point that makes it grow",
    Phase.EPA,
    _epa_world,
    _epa_difference,
)
FLAT_STEPS = (PLANES, ARTICLE, EPA)
"""One for each phase that differs from space."""

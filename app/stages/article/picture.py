"""The article's GJK: its simplex, its perpendiculars and where the origin is."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, length
from core.gjk.article_gjk import ArticleStep, EdgeTest
from core.query.query import Query

from ...draw.draw_list import DrawList, Hidden
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.flat_shapes import outwards
from ...overlays.style import PLAIN
from ...words.axis_words import signed
from ..picture_parts import ARROW, draw_sources
from ..stage import steps_of
from .words import letters


def draw_difference(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """The simplex with its letters, the perpendiculars that it tests, and the next direction."""
    assert context.query is not None
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
    ways = [(_middle(t), raised(t.direction)) for _, step in steps_of(query, ArticleStep) for t in step.tests]
    return np.array([_tip(context, start, way) for start, way in ways if way.any()]).reshape(-1, 3)


def draw_world(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """The sources of the simplex, the newest ringed."""
    newest = len(step.simplex) - 1
    points = [(newest - place, point) for place, point in enumerate(step.simplex)]
    draw_sources(context, draw, points, 0)

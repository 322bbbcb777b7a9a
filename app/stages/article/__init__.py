"""The article's GJK of the plane, as it is printed: yes or no."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, unit
from core.gjk.article_gjk import ArticleStep, ArticleStop
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...draw.draw_list import DrawList, Hidden
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...state.prediction import Asked, Kind
from ...words.axis_words import listed
from ..picture_parts import ARROW, draw_arrow, spread_out
from ..stage import Leaving, Listing, Questions, Search, Stage, steps_of
from .picture import article_tips, draw_difference, draw_world
from .words import article_text, letters


def _searches(query: Query) -> tuple[Search, ...]:
    """All steps; their directions have any length."""
    ways = ((place, unit(raised(step.direction))) for place, step in steps_of(query, ArticleStep))
    return tuple(Search(place, way, "step_article") for place, way in ways if way is not None)


def _leavings(query: Query) -> tuple[Leaving, ...]:
    """The steps that let the third point of a triangle go."""
    steps = steps_of(query, ArticleStep)
    return tuple(_leaving(query, place, step) for place, step in steps if len(step.kept) < len(step.simplex))


def _leaving(query: Query, place: int, step: ArticleStep) -> Leaving:
    names = tuple(letters(query, point) for point in step.simplex)
    gone = tuple(k for k, point in enumerate(step.simplex) if point not in step.kept)
    edge, told = "".join(name for k, name in enumerate(names) if k not in gone), listed([names[k] for k in gone])
    return Leaving(
        place=place,
        names=names,
        points=np.array([point.w for point in step.simplex]),
        gone=gone,
        stays={
            k: f"{name} stays: it is an end of the edge {edge}, and the origin is beyond that edge."
            for k, name in enumerate(names)
            if k not in gone
        },
        hint=f"{names[0]} is the newest point of the triangle. Is the origin beyond one of its two edges there? Then "
        "both ends of that edge stay, and the third point is let go.",
        explanation=f"{told} leaves: the origin is beyond the edge {edge}, on the other side of it than {told}.",
        overlay="step_article",
    )


def _draw(context: Context, draw: DrawList, asked: Asked, step: ArticleStep) -> None:
    if asked.question.kind is Kind.LEAVES:
        _draw_triangle(context, draw, step)
    else:
        _draw_search(context, draw, step)
    draw_origin(context, draw)


def _draw_triangle(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """The simplex with its support point, and no edge of it before another."""
    corners = np.array([point.w for point in step.simplex])
    draw.sheet(corners, faded(context.theme.winner, 0.25))
    draw.polyline(corners, context.theme.winner, 2.4, closed=True, hidden=Hidden.SHOW)
    _draw_points(context, draw, step.simplex, corners)


def _draw_search(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """The simplex before the support point, and the direction that it is sought in."""
    before = step.simplex[1:]
    corners = np.array([point.w for point in before]).reshape(-1, 3)
    if len(corners) > 1:
        draw.polyline(corners, context.theme.winner, 2.4, hidden=Hidden.SHOW)
    _draw_points(context, draw, before, corners)
    way = unit(raised(step.direction))
    if way is not None:
        start = corners.mean(axis=0) if len(corners) else np.zeros(3)
        draw_arrow(draw, start, start + ARROW * context.extent.radius * way, context.theme.overlap, "d")


def _draw_points(context: Context, draw: DrawList, points: Sequence[DifferencePoint], corners: Array) -> None:
    theme = context.theme
    for point, corner, offset in zip(points, corners, spread_out(corners), strict=True):
        draw.spots(corner, theme.winner, 5.0, theme.halo, 1.5)
        if context.query is not None:
            word = letters(context.query, point)
            draw.label(word, corner, theme.winner, size=PLAIN, offset=offset, priority=82)


QUESTIONS = Questions(_draw, _searches, _leavings, rank=1)


_LISTING = Listing(
    "The article's GJK: yes or no",
    {
        "start": "w ← support in the first direction;  d ← −first direction",
        "repeat": "repeat:",
        "support": "    w ← support along d",
        ArticleStop.NOT_PAST_ORIGIN: "    if w·d ≤ 0:  NOT_PAST_ORIGIN, they do not meet",
        "segment": "    if a segment:  d ← its perpendicular, towards the origin",
        "triangle": "    if a triangle, for both edges at w:",
        "beyond": "        if the origin is beyond it:  drop the third point,",
        "turn": "            d ← the edge's perpendicular, away from that point",
        ArticleStop.ENCLOSED: "        if beyond neither:  ENCLOSED, they meet",
    },
)


def _line(step: ArticleStep) -> str:
    if step.stop is not None:
        return ArticleStop.NOT_PAST_ORIGIN if step.stop is ArticleStop.NOT_PAST_ORIGIN else ArticleStop.ENCLOSED
    return ("start", "start", "segment", "turn")[len(step.simplex)]


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    tips = article_tips(context, query)
    return tips[:0], tips


STAGE = Stage(
    lambda _dimension: _LISTING,
    _line,
    article_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    reach=_reach,
    questions=QUESTIONS,
)

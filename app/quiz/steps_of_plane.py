"""The steps of the plane that can be asked about: those of the article's GJK, and of EPA's growing polygon."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import unit
from core.gjk.article_gjk import ArticleStep
from core.gjk.plane_epa import EpaPolygonStep, PolygonEdge
from core.query.query import Query

from ..draw.draw_list import Subject
from ..stages.plane_words import letters
from ..stages.word_parts import numbered
from ..words.axis_words import listed
from .steps import Growth, Leaving, Piece, Search


def article_steps(query: Query) -> Iterator[tuple[int, ArticleStep]]:
    """The steps of the article's GJK with their places."""
    for place, moment in enumerate(query.moments):
        if isinstance(moment.step, ArticleStep):
            yield place, moment.step


def article_searches(query: Query) -> tuple[Search, ...]:
    """The steps of the article's GJK, whose directions have any length."""
    ways = ((place, unit(raised(step.direction))) for place, step in article_steps(query))
    return tuple(Search(place, way, "step_article") for place, way in ways if way is not None)


def article_leavings(query: Query) -> tuple[Leaving, ...]:
    """The steps of the article's GJK that let the third point of a triangle go."""
    return tuple(
        _leaving(query, place, step) for place, step in article_steps(query) if len(step.kept) < len(step.simplex)
    )


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


def polygon_growths(query: Query) -> Iterator[Growth]:
    """EPA's steps that expand an edge."""
    for place, moment in enumerate(query.moments):
        step = moment.step
        if isinstance(step, EpaPolygonStep) and step.nearest is not None and step.stop is None:
            pieces = tuple(
                Piece(Subject("polygon_edge", k), edge_name(edge), edge.offset) for k, edge in enumerate(step.edges)
            )
            yield Growth(place, pieces, pieces[step.edges.index(step.nearest)], "step_flat_epa")


def edge_name(edge: PolygonEdge) -> str:
    """`edge p₀p₂`, by its ends as the picture names them."""
    return f"edge {numbered('p', edge.start)}{numbered('p', edge.end)}"

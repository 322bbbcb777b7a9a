"""The steps of the plane that can be asked about: the article's GJK's searches, and EPA's that expand a polygon."""

from __future__ import annotations

from collections.abc import Iterator

from core.geometry.vector import unit
from core.in_space import raised
from core.planar.article_gjk import ArticleStep
from core.planar.epa import EpaStep2, PolygonEdge
from core.query import PlanarStep, Query

from ..draw_list import Subject
from ..step_words.parts import numbered
from .steps import Growth, Piece, Search


def article_steps(query: Query) -> Iterator[tuple[int, ArticleStep]]:
    """The steps of the article's GJK with their places."""
    for place, moment in enumerate(query.moments):
        if isinstance(moment.step, PlanarStep) and isinstance(moment.step.planar, ArticleStep):
            yield place, moment.step.planar


def article_searches(query: Query) -> tuple[Search, ...]:
    """The steps of the article's GJK, whose directions have any length."""
    ways = ((place, unit(raised(step.direction))) for place, step in article_steps(query))
    return tuple(Search(place, way, "step_article") for place, way in ways if way is not None)


def polygon_growths(query: Query) -> Iterator[Growth]:
    """EPA's steps that expand an edge."""
    for place, moment in enumerate(query.moments):
        step = moment.step.planar if isinstance(moment.step, PlanarStep) else None
        if isinstance(step, EpaStep2) and step.nearest is not None and step.stop is None:
            pieces = tuple(
                Piece(Subject("polygon_edge", k), edge_name(edge), edge.offset) for k, edge in enumerate(step.edges)
            )
            yield Growth(place, pieces, pieces[step.edges.index(step.nearest)], "step_flat_epa")


def edge_name(edge: PolygonEdge) -> str:
    """`edge p₀p₂`, by its ends as the picture names them."""
    return f"edge {numbered('p', edge.start)}{numbered('p', edge.end)}"

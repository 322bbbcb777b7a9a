"""What a question at a step of the plane needs in the picture while it waits: simplex or polygon, and no answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, unit
from core.gjk.article_gjk import ArticleStep
from core.gjk.plane_epa import EpaPolygonStep
from core.pair.support import DifferencePoint
from core.trace import PlanarStep

from ..draw.draw_list import Dash, DrawList, Hidden, Layer
from ..draw.theme import faded
from ..overlays.context import Context
from ..overlays.difference import draw_origin
from ..overlays.text_sizes import PLAIN
from ..stages.picture_parts import ARROW, draw_arrow
from ..stages.plane_words import letters
from ..stages.word_parts import numbered
from ..state.prediction import Asked, Kind

CLEAR = 18.0
"""How far from its corner a name stands, in points: clear of the ring about it."""


def searched(step: PlanarStep) -> Array | None:
    """The unit direction (3,) in which the step looks for a support point, if it does."""
    return unit(raised(step.direction)) if isinstance(step, ArticleStep) else None


def draw_open(context: Context, draw: DrawList, asked: Asked, step: PlanarStep) -> None:
    """The step in the difference, as far as it was known before its answer."""
    match step:
        case ArticleStep() if asked.question.kind is Kind.LEAVES:
            _draw_triangle(context, draw, step)
        case ArticleStep():
            _draw_article(context, draw, step)
        case EpaPolygonStep():
            _draw_polygon(context, draw, asked, step)
        case _:
            return
    draw_origin(context, draw)


def _draw_triangle(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """The simplex with its support point, and no edge of it before another."""
    corners = np.array([point.w for point in step.simplex])
    draw.sheet(corners, faded(context.theme.winner, 0.25))
    draw.polyline(corners, context.theme.winner, 2.4, closed=True, hidden=Hidden.SHOW)
    _draw_points(context, draw, step.simplex, corners)


def _draw_article(context: Context, draw: DrawList, step: ArticleStep) -> None:
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
    for point, corner, offset in zip(points, corners, _outwards(corners), strict=True):
        draw.spots(corner, theme.winner, 5.0, theme.halo, 1.5)
        if context.query is not None:
            word = letters(context.query, point)
            draw.label(word, corner, theme.winner, size=PLAIN, offset=offset, priority=82)


def _outwards(corners: Array) -> list[tuple[float, float]]:
    """For each of the corners (k, 3) where its name stands clear of the others, in points right and down."""
    ways = corners - corners.mean(axis=0) if len(corners) else corners
    sizes = np.sqrt((ways**2).sum(axis=1))
    return [
        (0.0, -CLEAR) if size == 0.0 else (float(CLEAR * way[0] / size), float(-CLEAR * way[1] / size))
        for way, size in zip(ways, sizes, strict=True)
    ]


def _draw_polygon(context: Context, draw: DrawList, asked: Asked, step: EpaPolygonStep) -> None:
    """EPA's polygon, every edge alike but the one pointed at and those tried in vain."""
    theme, hover, tried = context.theme, context.view.hover, asked.prediction.tried
    points = np.array([point.w for point in step.vertices])
    draw.sheet(points[[edge.start for edge in step.edges]], faded(theme.winner, 0.22))
    for subject, edge in zip(asked.question.candidates, step.edges, strict=True):
        pointed, wrong = subject == hover, subject in tried
        rgba = theme.hover if pointed else theme.dim_text if wrong else theme.winner
        ends = points[[edge.start, edge.end]]
        draw.lines(
            ends[0], ends[1], rgba, 4.4 if pointed else 2.8, hidden=Hidden.SHOW, layer=Layer.NORMAL, subject=subject
        )
        if pointed or wrong:
            name = asked.question.candidates[subject]
            word, outward = f"not {name}" if wrong else name, raised(edge.normal)
            offset = (34.0 * float(outward[0]), -20.0 * float(outward[1]))
            draw.label(word, ends.mean(axis=0), rgba, size=PLAIN, offset=offset, priority=86, bold=True)
        if pointed:
            foot = edge.offset * raised(edge.normal)
            draw.strong(np.zeros(3), foot, theme.gap, 1.6, dash=Dash.DASHED)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    for number, (point, offset) in enumerate(zip(points, _outwards(points), strict=True)):
        draw.label(numbered("p", number), point, theme.winner, size=PLAIN, offset=offset, priority=70)

"""The difference of two bodies of the plane built by hand: its edges so far, and the letters of the points."""

from __future__ import annotations

from core.geometry.vec2 import raised, raised_rows
from core.minkowski.build_steps import BuildStep
from core.minkowski.plane import MinkowskiEdge, MinkowskiPolygon
from core.pair.candidate_axes import AxisKind

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.families import family_style
from ...overlays.flat_shapes import MOST_LETTERS, grown_outline, outwards
from ...overlays.text_sizes import FINE, PLAIN
from ...words.axis_words import plain


def draw_flat_build(context: Context, draw: DrawList, polygon: MinkowskiPolygon, step: BuildStep) -> None:
    """All that the step has but the points: edges in their families' colours, the newest stronger; in the end A - B."""
    theme = context.theme
    if step.on_hull is not None:
        draw.sheet(grown_outline(polygon), faded(theme.difference, 0.28), Subject("difference"))
        if polygon.radius > 0.0:
            _draw_grown(context, draw, polygon)
    for k in step.faces:
        edge = polygon.edges[k]
        fresh = step.family is None or _family(edge) is step.family
        start, end = raised(polygon.corners[k]), raised(polygon.corners[(k + 1) % len(polygon.corners)])
        rgba = faded(family_style(_family(edge), theme).rgba, 1.0 if fresh else 0.55)
        draw.lines(start, end, rgba, 3.0 if fresh else 2.0, hidden=Hidden.SHOW)
    _draw_letters(context, draw, polygon, step)


def _family(edge: MinkowskiEdge) -> AxisKind:
    return AxisKind.FACE_B if edge.edge_a is None else AxisKind.FACE_A


def _draw_grown(context: Context, draw: DrawList, polygon: MinkowskiPolygon) -> None:
    """The outline of A − B about the polygon of the cores, and how far out it lies, at the top."""
    theme, outline = context.theme, grown_outline(polygon)
    draw.polyline(outline, faded(theme.difference_edge, 0.8), 1.4, closed=True, hidden=Hidden.SHOW, layer=Layer.EDGES)
    top = max(raised_rows(polygon.corners), key=lambda corner: float(corner[1]))
    end = top + polygon.radius * raised((0.0, 1.0))
    draw.strong(top, end, theme.normal, 2.0, dash=Dash.DASHED)
    draw.label(f"+ radius {plain(polygon.radius)}", end, theme.normal, size=FINE, offset=(0.0, -12.0), priority=72)


def _draw_letters(context: Context, draw: DrawList, polygon: MinkowskiPolygon, step: BuildStep) -> None:
    """Of the newest points, and in the end of the hull's corners, as in the table of pairs."""
    if step.on_hull is None and not 0 < step.newest <= MOST_LETTERS:
        return
    first = len(step.points) - step.newest
    chosen = [
        number
        for number in range(len(step.points))
        if (number >= first if step.on_hull is None else bool(step.on_hull[number]))
    ]
    middle = step.points[chosen].mean(axis=0)
    for number in chosen:
        # Away from the others, so as to stand clear of the edges that meet there.
        words = polygon.table[number].name
        offset = outwards(step.points[number] - middle, len(words))
        draw.label(words, step.points[number], context.theme.text, size=PLAIN, offset=offset, priority=50)

"""Draws a question: rings on the points that may be clicked, and the step without its answer.

While the question is open, the step's own picture is hidden, and the stage draws the state before the step. Afterwards
the right answers are marked in the step's picture.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, dots

from ..draw.draw_list import NO_SUBJECT, DrawList, Hidden, Layer, Subject
from ..draw.theme import faded
from ..overlays.axis_sources import edge_in_plane, features
from ..overlays.context import Context, Overlay
from ..overlays.flat_shapes import edge_ends
from ..overlays.solids import EDGE_WIDTH
from ..overlays.style import PLAIN, bound_colours
from ..stages import stage_of
from ..stages.stage import StepQuestions
from ..stages.step_drawing import draw_arrow
from ..state.prediction import CurrentQuestion, QuestionKind
from ..words.names import axis_name, named_axis

RING_RADIUS = 6.5
"""Radius in points of the ring on a point that may be clicked."""
VERTEX_KINDS = (QuestionKind.VERTEX_A, QuestionKind.VERTEX_B)


def _world(context: Context, draw: DrawList) -> None:
    asked = context.asked
    if asked is None:
        return
    named = asked.open and asked.question.named
    if named and asked.question.kind is QuestionKind.AXIS and context.analysis.polygon is not None:
        _name_edges(context, draw)
    if asked.question.kind not in VERTEX_KINDS:
        return
    _draw_marks(context, draw, asked)
    asking = _questions(context)
    searches = () if asking is None or context.query is None else asking.searches(context.query)
    direction = next((search.direction for search in searches if search.place == context.place), None)
    if asked.open and direction is not None:
        _draw_body_direction(context, draw, asked, direction)


def _name_edges(context: Context, draw: DrawList) -> None:
    """Names the edges of 2D bodies after their axes; edges and names can be clicked like the table's rows."""
    for row, candidate in enumerate(context.analysis.sat.candidates):
        for index, edge in enumerate(features(context, row)):
            if edge is not None:
                ends = edge_in_plane(context.scene.body(index), edge)[0]
                middle = ends.mean(axis=0)
                outward = middle - context.scene.body(index).pose.position
                away = 16.0 * outward[:2] / max(float(np.hypot(*outward[:2])), 1e-300)
                rgba, subject = context.theme.edge(index), Subject("axis", row)
                offset = (float(away[0]), -float(away[1]))
                pointed = subject == context.view.hover
                line, width = (context.theme.hover, 3.2) if pointed else (rgba, EDGE_WIDTH)
                draw.lines(ends[0], ends[1], line, width, hidden=Hidden.SHOW, layer=Layer.STRONG, subject=subject)
                draw.label(
                    named_axis(candidate.label),
                    middle,
                    rgba,
                    size=PLAIN,
                    offset=offset,
                    priority=84,
                    subject=subject,
                    kind="axis-names",
                )


def _questions(context: Context) -> StepQuestions | None:
    return None if context.moment is None else stage_of(context.moment.phase).questions


def _difference(context: Context, draw: DrawList) -> None:
    asked, asking = context.asked, _questions(context)
    if asked is None:
        return
    polygon = context.analysis.polygon
    if asked.open and asked.question.named and asked.question.kind is QuestionKind.AXIS and polygon is not None:
        for k, edge in enumerate(polygon.edges):
            name = axis_name(context.analysis.sat, edge.row)
            middle, (x, y) = edge_ends(polygon, k).mean(axis=0) + polygon.radius * raised(edge.normal), edge.normal
            rgba, subject = context.theme.difference_edge, Subject("axis", edge.row)
            draw.label(
                name,
                middle,
                rgba,
                size=PLAIN,
                offset=(16.0 * x, -16.0 * y),
                priority=84,
                subject=subject,
                kind="axis-names",
            )
    if asked.open and asked.question.place is not None and asking is not None and context.moment is not None:
        asking.draw(context, draw, asked, context.moment.step)
    if asked.question.kind is QuestionKind.LEAVES:
        _draw_marks(context, draw, asked)


def _draw_marks(context: Context, draw: DrawList, asked: CurrentQuestion) -> None:
    """Draws a ring on each candidate that is a point, after the question on the right ones. Wrong tries are dim."""
    theme, question, tried = context.theme, asked.question, asked.prediction.tried
    hover = context.view.hover
    for subject, point in question.marks.items():
        right = subject in question.right
        if not asked.open and not right:
            continue
        pointed, wrong = subject == hover and asked.open, subject in tried and not right
        rgba = theme.hover if pointed else theme.dim_text if wrong else theme.winner
        fill, strong = faded(rgba, 0.9 if pointed else 0.25 if asked.open else 0.0), pointed or not asked.open
        size, width = (RING_RADIUS + 1.5, 2.4) if strong else (RING_RADIUS, 1.8)
        draw.spots(point, fill, size, rgba, width, subject=subject if asked.open else NO_SUBJECT)
        word = _mark_word(asked, subject, pointed=pointed, wrong=wrong)
        if word:
            draw.label(word, point, rgba, size=PLAIN, offset=(0.0, -18.0), priority=86, bold=True)


def _mark_word(asked: CurrentQuestion, subject: Subject, *, pointed: bool, wrong: bool) -> str:
    name = asked.question.candidates[subject]
    if not asked.open:
        # The picture of the step names the point.
        return ""
    if wrong:
        return f"not {name}"
    return name if (pointed or asked.question.named) and asked.question.kind is not QuestionKind.LEAVES else ""


def _draw_body_direction(context: Context, draw: DrawList, asked: CurrentQuestion, direction: Array) -> None:
    """Draws the search direction from the middle of the body's vertices; at the support point it shows the answer."""
    index = VERTEX_KINDS.index(asked.question.kind)
    corners, way = np.array(list(asked.question.marks.values())), (1.0, -1.0)[index] * direction
    start = corners.mean(axis=0)
    # The tip is a little outside the body, so that the direction can be seen.
    reach = float(dots(corners - start, way).max())
    tip = start + (1.15 * reach + 0.05 * context.extent.radius) * way
    rgba, _ = bound_colours(context.moment, context.theme)
    draw_arrow(draw, start, tip, rgba, ("d", "−d")[index])


OVERLAY = Overlay(
    "prediction",
    "Prediction",
    "",
    "What may be clicked to answer the question, and then the right answer",
    world=_world,
    difference=_difference,
)

"""What a question needs in the picture: rings on the points that may be clicked, the polytope without its answer.

While it waits the step's own overlay is held back, so this one draws what the step knew. Afterwards it marks the right
answers in the picture of the step.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.trace import PlanarStep

from ..draw.draw_list import NOTHING, Dash, DrawList, Hidden, Layer, Subject
from ..draw.theme import faded
from ..overlays.context import Context, Overlay
from ..overlays.difference import draw_origin
from ..overlays.text_sizes import PLAIN
from ..stages.epa.picture import draw_polytope
from ..stages.gjk.picture import draw_closest, draw_names, draw_simplex
from ..stages.picture_parts import ARROW, draw_arrow
from ..stages.word_parts import numbered
from ..state.prediction import Asked, Kind

RING = 6.5
"""Radius in points of the ring on a point that may be clicked."""

VERTEX_KINDS = (Kind.VERTEX_A, Kind.VERTEX_B)


def _world(context: Context, draw: DrawList) -> None:
    asked = context.asked
    if asked is None or asked.question.kind not in VERTEX_KINDS:
        return
    _draw_marks(context, draw, asked)
    direction = _searched(context)
    if asked.open and direction is not None:
        _draw_body_direction(context, draw, asked, direction)


def _searched(context: Context) -> Array | None:
    """The unit direction (3,) in which the step shown looks for a support point."""
    planar, step = context.step_of(PlanarStep), context.step_of(GjkStep)
    if planar is not None:
        # Imported with the first scene of the plane.
        from .plane_picture import searched

        return searched(planar)
    return None if step is None else step.direction


def _difference(context: Context, draw: DrawList) -> None:
    asked = context.asked
    step = None if context.moment is None else context.moment.step
    if asked is None:
        return
    if asked.open and isinstance(step, PlanarStep):
        from .plane_picture import draw_open

        draw_open(context, draw, asked, step)
    if asked.question.kind is Kind.LEAVES:
        if asked.open and isinstance(step, GjkStep):
            draw_simplex(context, draw, step, np.array([point.w for point in step.simplex]), answered=False)
            draw_names(context, draw, step, np.array([point.w for point in step.simplex]))
            draw_origin(context, draw)
        _draw_marks(context, draw, asked)
    elif asked.open and asked.question.kind in VERTEX_KINDS and isinstance(step, GjkStep):
        _draw_search(context, draw, step)
    elif asked.open and isinstance(step, EpaStep):
        _draw_polytope(context, draw, asked, step)


def _draw_marks(context: Context, draw: DrawList, asked: Asked) -> None:
    """A ring on each candidate while it is open, on the right ones afterwards; what was tried in vain is dim."""
    theme, question, tried = context.theme, asked.question, asked.prediction.tried
    hover = context.view.hover
    for subject, point in question.marks.items():
        right = subject in question.right
        if not asked.open and not right:
            continue
        pointed, wrong = subject == hover and asked.open, subject in tried and not right
        rgba = theme.hover if pointed else theme.dim_text if wrong else theme.winner
        fill, strong = faded(rgba, 0.9 if pointed else 0.25 if asked.open else 0.0), pointed or not asked.open
        size, width = (RING + 1.5, 2.4) if strong else (RING, 1.8)
        draw.spots(point, fill, size, rgba, width, subject=subject if asked.open else NOTHING)
        word = _mark_word(asked, subject, pointed=pointed, wrong=wrong)
        if word:
            draw.label(word, point, rgba, size=PLAIN, offset=(0.0, -18.0), priority=86, bold=True)


def _mark_word(asked: Asked, subject: Subject, *, pointed: bool, wrong: bool) -> str:
    name = asked.question.candidates[subject]
    if not asked.open:
        # The picture of the step names it.
        return ""
    if wrong:
        return f"not {name}"
    return name if pointed and asked.question.kind is not Kind.LEAVES else ""


def _draw_body_direction(context: Context, draw: DrawList, asked: Asked, direction: Array) -> None:
    """The search direction from the body's middle: at its farthest point it would tell which that is."""
    index = VERTEX_KINDS.index(asked.question.kind)
    corners, way = np.array(list(asked.question.marks.values())), (1.0, -1.0)[index] * direction
    start = corners.mean(axis=0)
    # A little beyond the body, so that one can see where it points.
    reach = float(((corners - start) @ way).max())
    tip = start + (1.15 * reach + 0.05 * context.extent.radius) * way
    draw_arrow(draw, start, tip, context.theme.overlap, ("d", "−d")[index])


def _draw_search(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The simplex with its nearest point, and the direction from there towards the origin."""
    corners = np.array([point.w for point in step.simplex])
    draw_simplex(context, draw, step, corners, answered=True)
    draw_names(context, draw, step, corners)
    draw_closest(context, draw, step)
    if step.direction is not None:
        tip = step.closest + ARROW * context.extent.radius * step.direction
        draw_arrow(draw, step.closest, tip, context.theme.overlap, "d")
    draw_origin(context, draw)


def _draw_polytope(context: Context, draw: DrawList, asked: Asked, step: EpaStep) -> None:
    """Every face alike but the one pointed at and those tried in vain."""
    theme, hover, tried = context.theme, context.view.hover, asked.prediction.tried
    points = np.array([point.w for point in step.vertices])
    subjects = [Subject("face", face.number) for face in step.faces]
    fills = {True: faded(theme.winner, 0.55), False: faded(theme.winner, 0.14)}
    rgba = [faded(theme.dim_text, 0.3) if s in tried and s != hover else fills[s == hover] for s in subjects]
    corners = points[np.array([face.vertices for face in step.faces])]
    draw_polytope(draw, step, np.array(rgba), subjects, theme.winner)
    for subject, loop in zip(subjects, corners, strict=True):
        if subject == hover:
            draw.polyline(loop, theme.hover, 3.0, closed=True, hidden=Hidden.SHOW, layer=Layer.STRONG)
        if subject == hover or subject in tried:
            name = asked.question.candidates[subject]
            word = f"not {name}" if subject in tried else name
            draw.label(word, loop.mean(axis=0), theme.text, size=PLAIN, offset=(0.0, 0.0), priority=84)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    for number, point in enumerate(points):
        draw.label(numbered("p", number), point, theme.winner, size=PLAIN, offset=(0.0, -13.0), priority=70)
    draw_origin(context, draw)
    for face in step.faces if hover in subjects else ():
        if Subject("face", face.number) == hover:
            foot = face.offset * np.array(face.normal)
            draw.strong(np.zeros(3), foot, theme.gap, 1.6, dash=Dash.DASHED)


OVERLAY = Overlay(
    "prediction",
    "Prediction",
    "",
    "What may be clicked to answer the question, and then the right answer",
    world=_world,
    difference=_difference,
)

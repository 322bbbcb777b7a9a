"""The closest points with their distance and a separating plane, or the depth and B moved out by the MTV."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.geometry.vector import Array
from core.verdict import Verdict

from ..draw.draw_list import Dash, DrawList, Subject
from ..draw.theme import faded
from ..words.axis_words import distance_words
from ..words.terms import terms_of
from .context import Context, Overlay, patch, square_of
from .solids import draw_sheet, main_edges
from .style import PLAIN, STRONG, points_along

NEAR = 0.12
"""The closest points are small if their distance is below this share of the pair's radius."""


def _draw_closest(context: Context, draw: DrawList) -> None:
    analysis, theme, subject = context.analysis, context.theme, Subject("closest")
    if analysis.verdict is Verdict.OVERLAPPING:
        return
    if analysis.verdict is Verdict.SEPARATED:
        draw.strong(analysis.witness_a, analysis.witness_b, theme.gap, 2.6, subject=subject)
        word = f"distance {distance_words(analysis)}"
    else:
        word = "touching"
    middle = 0.5 * (analysis.witness_a + analysis.witness_b)
    draw.label(
        word,
        middle,
        theme.gap,
        size=STRONG,
        offset=(52.0, -16.0),
        priority=80,
        subject=subject,
        bold=True,
        kind="distance",
        other_anchors=points_along(analysis.witness_a, analysis.witness_b),
    )
    # Two points so near to each other would cover one another.
    small = 0.0 < analysis.separation < NEAR * context.extent.radius
    for index, point in enumerate((analysis.witness_a, analysis.witness_b)):
        size, rim = (3.0, 1.0) if small else (5.0, 1.5)
        draw.spots(point, theme.edge(index), size, theme.halo, rim, subject=Subject("closest", index))


CLOSEST = Overlay(
    "closest",
    "Closest points",
    "C",
    "The two nearest points of separated bodies and their distance",
    world=_draw_closest,
    of_answer=True,
)


def _draw_depth(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is not Verdict.OVERLAPPING or analysis.mtv is None:
        return
    rgba, subject = context.theme.overlap, Subject("mtv")
    draw.strong(analysis.witness_b, analysis.witness_b + analysis.mtv, rgba, 3.2, subject=subject, arrow_end=14.0)
    words, middle = f"depth {distance_words(analysis)}", analysis.witness_b + 0.5 * analysis.mtv
    draw.label(
        words,
        middle,
        rgba,
        size=STRONG,
        offset=(58.0, -16.0),
        priority=80,
        subject=subject,
        bold=True,
        kind="depth",
        other_anchors=points_along(analysis.witness_b, analysis.witness_b + analysis.mtv),
    )


DEPTH = Overlay(
    "mtv",
    "Penetration depth",
    "D",
    "The shortest move of B that ends the overlap, with its length",
    world=_draw_depth,
    of_answer=True,
)


def _draw_plane(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is Verdict.OVERLAPPING:
        return
    middle = 0.5 * (analysis.witness_a + analysis.witness_b)
    corners = square_of(middle, analysis.normal, 0.9 * context.extent.radius_about(analysis.normal, middle))
    draw_sheet(draw, corners, context.theme.gap, 0.16, 0.8)
    name = f"separating {terms_of(context.scene.dimension).plane}"
    draw.label(name, corners[0], context.theme.gap, size=PLAIN, offset=(0.0, -10.0), priority=25)


PLANE = Overlay(
    "plane",
    "Separating plane",
    "P",
    "A plane with A on one side and B on the other; none when they overlap",
    world=_draw_plane,
    of_answer=True,
)


def _draw_resolved(context: Context, draw: DrawList) -> None:
    analysis = context.analysis
    if analysis.verdict is not Verdict.OVERLAPPING or analysis.mtv is None:
        return
    shape, pose = context.scene.b.shape, context.scene.b.pose
    rgba, subject = faded(context.theme.edge_b, 0.75), Subject("resolved", 1)
    if shape.plane is not None:
        square = patch(context.scene.b, context.scene.a) + analysis.mtv
        draw.polyline(square, rgba, 1.2, closed=True, dash=Dash.DASHED, subject=subject)
    elif shape.polyhedron is not None:
        ghost = shape.polyhedron.placed(pose.matrix, pose.position + analysis.mtv)
        start, end = ghost.vertices[ghost.edges[:, 0]], ghost.vertices[ghost.edges[:, 1]]
        creases = main_edges(ghost)
        # If only the outline is drawn, layout finds it by the faces' normals.
        normals = None if creases is None else ghost.normals[ghost.edge_faces]
        draw.lines(start, end, rgba, 1.2, dash=Dash.DASHED, normals=normals, creases=creases, subject=subject)
    else:
        for loop in round_outlines(shape.support):
            moved = pose.to_world(loop) + analysis.mtv
            draw.polyline(moved, rgba, 1.2, closed=True, dash=Dash.DASHED, subject=subject)
    # On the side of B away from A, where nothing else is drawn.
    along = pose.direction_to_local(analysis.normal)
    tip = square[0] if shape.plane is not None else pose.to_world(shape.support(along)) + analysis.mtv
    draw.label("B moved out", tip, context.theme.edge_b, size=PLAIN, offset=(0.0, 12.0), priority=46, subject=subject)


def round_outlines(support: Callable[[Array], Array]) -> list[Array]:
    """Three loops (48, 3) on a round shape: its farthest points along the directions within each coordinate plane."""
    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    flat = np.column_stack((np.cos(turn), np.sin(turn), np.zeros_like(turn)))
    return [np.array([support(direction) for direction in np.roll(flat, axis, axis=1)]) for axis in range(3)]


RESOLVED = Overlay(
    "resolved",
    "B moved by the MTV",
    "U",
    "B moved by the minimum translation vector, so that it just touches A",
    world=_draw_resolved,
    of_answer=True,
)

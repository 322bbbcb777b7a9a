"""EPA's steps: the polytope round the origin, the face it is nearest on, and what one more point does to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.geometry.vector import Array
from core.gjk.epa import EpaStep
from core.gjk.polytope import PolytopeFace
from core.pair.support import DifferencePoint

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ..picture_parts import draw_body_directions, draw_bounds, draw_search, draw_sources, draw_witnesses, point_name
from ..word_parts import numbered

MOST_NAMED = 8
"""A polytope with more vertices has names at the nearest face only."""

MOST_SEEN_THROUGH = 24
"""Of a polytope with more faces the edges behind are left out, and the others are fine."""


def draw_difference(context: Context, draw: DrawList, step: EpaStep) -> None:
    """The polytope, its nearest face and what one more point does to it."""
    points = np.array([point.w for point in step.vertices])
    if step.faces:
        _draw_polytope(context, draw, step)
    else:
        _draw_flat(context, draw, points)
    _draw_vertices(context, draw, step, points)
    closest = step.closest
    if step.nearest is not None and closest is not None and step.support is not None:
        _draw_nearest(context, draw, step, step.nearest, closest)
        _draw_growth(context, draw, step, step.support, points, closest)
    draw_origin(context, draw)


def _draw_polytope(context: Context, draw: DrawList, step: EpaStep) -> None:
    """All faces; strong the nearest, in the new point's colour those that it will hide."""
    theme = context.theme
    removed = {face.number for face in step.removed}
    nearest = None if step.nearest is None else step.nearest.number
    rgba = np.zeros((len(step.faces), 4))
    for row, face in enumerate(step.faces):
        if face.number == nearest:
            rgba[row] = faded(theme.winner, 0.62)
        else:
            rgba[row] = faded(theme.overlap, 0.34) if face.number in removed else faded(theme.winner, 0.14)
    many = len(step.faces) > MOST_SEEN_THROUGH
    share, width, hidden = (0.75, 1.0, Hidden.DROP) if many else (1.0, 1.8, Hidden.FAINT)
    draw_polytope(draw, step, rgba, Subject("difference"), faded(theme.winner, share), width, hidden)


def draw_polytope(
    draw: DrawList,
    step: EpaStep,
    rgba: Array,
    subject: Subject | Sequence[Subject],
    edge: Rgba,
    width: float = 1.8,
    hidden: Hidden = Hidden.FAINT,
) -> None:
    """The faces, each in its row of `rgba` (f, 4), and the edges between them."""
    points = np.array([point.w for point in step.vertices])
    corners = points[np.array([face.vertices for face in step.faces])]
    normals = np.array([face.normal for face in step.faces])
    edges, beside = edges_of(step.faces)
    planes = np.column_stack((normals, [face.offset for face in step.faces]))
    flat = np.repeat(normals[:, None], 3, axis=1)
    solid = draw.solid(corners, flat, rgba, subject=subject, planes=planes, plane_pairs=beside)
    start, end, sides = points[edges[:, 0]], points[edges[:, 1]], normals[beside]
    draw.lines(start, end, edge, width, hidden=hidden, layer=Layer.EDGES, solid=solid, normals=sides)


def edges_of(faces: tuple[PolytopeFace, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The closed surface's edges (e, 2) by vertex, and the faces (e, 2) beside each by their places in `faces`."""
    owner = {}
    for row, face in enumerate(faces):
        i, j, k = face.vertices
        owner[i, j] = owner[j, k] = owner[k, i] = row
    pairs = [(start, end) for start, end in owner if start < end]
    return np.array(pairs), np.array([(owner[start, end], owner[end, start]) for start, end in pairs])


def _draw_flat(context: Context, draw: DrawList, points: Array) -> None:
    # Cores whose difference has no volume: the points that span what there is.
    rgba = context.theme.winner
    if len(points) == 3:
        draw.sheet(points, faded(rgba, 0.3))
    if len(points) > 1:
        draw.polyline(points, rgba, 2.0, closed=len(points) > 2, hidden=Hidden.SHOW)


def _draw_vertices(context: Context, draw: DrawList, step: EpaStep, points: Array) -> None:
    theme, many = context.theme, len(points) > MOST_NAMED
    shown = set(range(len(points))) if not many or step.nearest is None else set(step.nearest.vertices)
    size, hidden = (2.6, Hidden.DROP) if many else (4.4, Hidden.FAINT)
    draw.points(points, theme.winner, size, stroke=theme.halo, stroke_width=1.2, hidden=hidden)
    for number in sorted(shown):
        point = step.vertices[number]
        name = point_name(context, "p", number, point) if step.nearest is None else numbered("p", number)
        draw.label(name, points[number], theme.winner, size=PLAIN, offset=(0.0, -13.0), priority=50)


def _draw_nearest(context: Context, draw: DrawList, step: EpaStep, face: PolytopeFace, closest: Array) -> None:
    theme = context.theme
    loop = np.array([step.vertices[k].w for k in face.vertices])
    draw.polyline(loop, theme.winner, 3.0, closed=True, hidden=Hidden.SHOW, layer=Layer.STRONG)
    draw.strong(np.zeros(3), closest, theme.gap, 2.8)
    draw.points(closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
    brief = "".join(numbered("p", k) for k in sorted(face.vertices))
    word = f"nearest face {brief}"
    draw.label(word, closest, theme.gap, size=STRONG, offset=(40.0, 14.0), priority=82, bold=True, brief=brief)


def _draw_growth(
    context: Context, draw: DrawList, step: EpaStep, support: DifferencePoint, points: Array, closest: Array
) -> None:
    """The search along the face's normal, the point found, the horizon, and the faces that will be."""
    theme = context.theme
    if step.lower is not None and step.upper is not None:
        draw_bounds(draw, theme, support.direction, ((step.upper, "depth ≤"), (step.lower, "depth ≥")))
    draw_search(context, draw, closest, support, "n")
    if step.horizon:
        rim = np.array(step.horizon)
        draw.strong(points[rim[:, 0]], points[rim[:, 1]], theme.overlap, 4.0)
        ends = np.unique(rim)
        new = np.broadcast_to(support.w, (len(ends), 3))
        draw.lines(points[ends], new, theme.winner, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)
    word = _found_name(context, step, support)
    draw.label(word, support.w, theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)


def _found_name(context: Context, step: EpaStep, support: DifferencePoint) -> str:
    if any(support.xyz == point.xyz for point in step.vertices):
        return "w: again"
    if step.stop is not None:
        return point_name(context, "w", None, support)
    return point_name(context, "p", len(step.vertices), support)


def draw_world(context: Context, draw: DrawList, step: EpaStep) -> None:
    """The sources of the nearest face and of the new point, and the witness points."""
    held = step.held
    numbers: Sequence[int] = range(len(step.vertices)) if step.nearest is None else step.nearest.vertices
    if held is not None:
        numbers = sorted({*numbers, *(held[0][k] for k in held[1].region)})
    points: list[tuple[int | None, DifferencePoint]] = [(k, step.vertices[k]) for k in numbers]
    newest = None
    if step.support is not None:
        draw_body_directions(context, draw, step.support, "n")
        if not any(step.support.xyz == point.xyz for _, point in points):
            newest = len(points)
            points.append((len(step.vertices) if step.stop is None else None, step.support))
    draw_sources(context, draw, points, newest)
    if held is not None and step.support is not None:
        rows = [step.vertices[held[0][k]] for k in held[1].region]
        weights = np.array(held[1].weights)
        on_a, on_b = (weights @ np.array(ends) for ends in zip(*((row.a, row.b) for row in rows), strict=True))
        draw_witnesses(context, draw, on_a, on_b, step.support.direction)

"""EPA, the depth of the overlap, by a polytope in space and a polygon in the plane.

In the picture it is round the origin, with the face or edge it is nearest on, and what one more point does to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, dot
from core.gjk.epa import EpaStep, EpaStop
from core.gjk.plane_epa import EpaPolygonStep
from core.gjk.polytope import PolytopeFace
from core.gjk.simplex import NearestOnSimplex, nearest_on_simplex
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...draw.draw_list import NOTHING, Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.flat_shapes import outwards
from ...overlays.style import PLAIN, STRONG
from ...state.prediction import Asked
from ...words.names import numbered
from .. import picture_parts as parts
from ..part_pictures import moved_reach, ring_reach, search_reach
from ..stage import Bounds, Growth, Listing, Piece, Questions, Stage, steps_of
from ..word_parts import point_words
from .words import epa_text

Step: TypeAlias = EpaStep | EpaPolygonStep
MOST_NAMED = 8
"""A polytope with more vertices has names at the nearest face only."""
MOST_SEEN_THROUGH = 24
"""Of a polytope with more faces the edges behind are left out, and the others are fine."""


def draw_difference(context: Context, draw: DrawList, step: Step) -> None:
    """The polytope or polygon, its nearest face or edge, and what one more point does to it."""
    points = np.array([point.w for point in step.vertices])
    if isinstance(step, EpaPolygonStep):
        _draw_polygon(context, draw, step, points)
    else:
        if step.faces:
            _draw_polytope(context, draw, step)
        else:
            draw_span(context, draw, points, 0.3)
        _draw_vertices(context, draw, step, points)
    if step.closest is not None and step.support is not None:
        _draw_growth(context, draw, step, step.support, points, step.closest)
    draw_origin(context, draw)


def _draw_polygon(context: Context, draw: DrawList, step: EpaPolygonStep, points: Array) -> None:
    theme = context.theme
    draw_span(context, draw, points[[edge.start for edge in step.edges]] if step.edges else points, 0.22)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    for number, point in enumerate(step.vertices):
        name = point_words(context.scene, "p", number, point) if step.nearest is None else numbered("p", number)
        offset = outwards(points[number] - points.mean(axis=0), len(name))
        draw.label(name, points[number], theme.winner, size=PLAIN, offset=offset, priority=50)


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


def draw_span(context: Context, draw: DrawList, loop: Array, alpha: float) -> None:
    """A polygon, or of fewer than three points what they span."""
    rgba = context.theme.winner
    if len(loop) > 2:
        draw.sheet(loop, faded(rgba, alpha))
    if len(loop) > 1:
        draw.polyline(loop, rgba, 2.0, closed=len(loop) > 2, hidden=Hidden.SHOW)


def _draw_vertices(context: Context, draw: DrawList, step: EpaStep, points: Array) -> None:
    theme, many = context.theme, len(points) > MOST_NAMED
    shown = set(range(len(points))) if not many or step.nearest is None else set(step.nearest.vertices)
    size, hidden = (2.6, Hidden.DROP) if many else (4.4, Hidden.FAINT)
    draw.points(points, theme.winner, size, stroke=theme.halo, stroke_width=1.2, hidden=hidden)
    for number in sorted(shown):
        point = step.vertices[number]
        name = point_words(context.scene, "p", number, point) if step.nearest is None else numbered("p", number)
        draw.label(name, points[number], theme.winner, size=PLAIN, offset=(0.0, -13.0), priority=50)


def _draw_growth(
    context: Context, draw: DrawList, step: Step, support: DifferencePoint, points: Array, closest: Array
) -> None:
    """The nearest face or edge with its distance, the search along its normal, the point found, and what will be."""
    theme = context.theme
    assert step.nearest is not None
    corners: Sequence[int]
    if isinstance(step, EpaPolygonStep):
        kind, subject, corners = "edge", Subject("difference"), (step.nearest.start, step.nearest.end)
        draw.strong(points[corners[0]], points[corners[1]], theme.winner, 4.0)
    else:
        kind, subject, corners = "face", NOTHING, sorted(step.nearest.vertices)
        loop = points[list(step.nearest.vertices)]
        draw.polyline(loop, theme.winner, 3.0, closed=True, hidden=Hidden.SHOW, layer=Layer.STRONG)
    draw.strong(np.zeros(3), closest, theme.gap, 2.8)
    draw.points(closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW, subject=subject)
    brief = "".join(numbered("p", k) for k in corners)
    word = f"nearest {kind} {brief}"
    draw.label(word, closest, theme.gap, size=STRONG, offset=(40.0, 14.0), priority=82, bold=True, brief=brief)
    if step.lower is not None and step.upper is not None:
        parts.draw_bounds(draw, theme, support.direction, ((step.upper, "depth ≤"), (step.lower, "depth ≥")))
    name = "w" if isinstance(step, EpaPolygonStep) else parts.found_name(context, support, step.vertices)
    if step.stop is None:
        name = point_words(context.scene, "p", len(step.vertices), support)
    parts.draw_search(context, draw, closest, support, "n", name)
    if isinstance(step, EpaStep) and step.horizon:
        rim = np.array(step.horizon)
        draw.strong(points[rim[:, 0]], points[rim[:, 1]], theme.overlap, 4.0)
        corners = np.unique(rim).tolist()
    if step.added:
        ends = points[list(corners)]
        new = np.broadcast_to(support.w, ends.shape)
        draw.lines(ends, new, theme.winner, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)


def draw_world(context: Context, draw: DrawList, step: Step) -> None:
    """The sources of the nearest face or edge and of the new point, and the witness points."""
    numbers: Sequence[int] = range(len(step.vertices))
    if isinstance(step, EpaPolygonStep):
        held: tuple[tuple[int, ...], NearestOnSimplex] | None = None
        if step.nearest is not None:
            numbers = ends = (step.nearest.start, step.nearest.end)
            held = ends, nearest_on_simplex([step.vertices[k].xyz for k in ends])
    else:
        held = step.held
        numbers = numbers if step.nearest is None else step.nearest.vertices
        if held is not None:
            numbers = sorted({*numbers, *(held[0][k] for k in held[1].region)})
    points = [(k, step.vertices[k]) for k in numbers]
    if isinstance(step, EpaPolygonStep) and step.stop is not None and step.support is not None:
        parts.draw_body_directions(context, draw, step.support, "n")
        parts.draw_sources(context, draw, points)
    else:
        number = len(step.vertices) if step.stop is None else None
        parts.draw_found_sources(context, draw, points, step.support, "n", number)
    if held is not None and step.support is not None:
        rows = [step.vertices[held[0][k]] for k in held[1].region]
        parts.draw_witnesses(context, draw, *parts.weighted_sources(rows, held[1].weights), step.support.direction)


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    """The arrows on the bodies and B moved out; in the difference what lies across n, and the rings of the bounds."""
    steps: list[Step] = [step for _, step in steps_of(query, EpaStep)]
    steps += [step for _, step in steps_of(query, EpaPolygonStep)]
    world, difference = search_reach(context, [step.support for step in steps])
    found = [(step.support, step.upper) for step in steps if step.support is not None and step.upper is not None]
    difference += [ring_reach(context, point.direction, upper) for point, upper in found]
    radius = 0.0 if query.support_maps is None else query.support_maps.radius
    ways = [(dot(point.direction, point.w) + radius) * point.direction for point, _ in found]
    return np.concatenate((*world, moved_reach(context, ways))), np.concatenate(difference)


def _growths(query: Query) -> tuple[Growth, ...]:
    """The steps that expand a face, or in the plane an edge."""
    found = []
    for place, step in steps_of(query, EpaStep):
        if step.nearest is not None and step.stop is None:
            names = (f"face {''.join(numbered('p', k) for k in sorted(face.vertices))}" for face in step.faces)
            pieces = zip(step.faces, names, strict=True)
            faces = {f.number: Piece(Subject("face", f.number), name, f.offset) for f, name in pieces}
            found.append(Growth(place, tuple(faces.values()), faces[step.nearest.number], "step_epa"))
    for place, polygon in steps_of(query, EpaPolygonStep):
        if polygon.nearest is not None and polygon.stop is None:
            ends = (f"edge {numbered('p', edge.start)}{numbered('p', edge.end)}" for edge in polygon.edges)
            sides = enumerate(zip(polygon.edges, ends, strict=True))
            edges = [Piece(Subject("polygon_edge", k), name, edge.offset) for k, (edge, name) in sides]
            nearest = edges[polygon.edges.index(polygon.nearest)]
            found.append(Growth(place, tuple(edges), nearest, "step_flat_epa"))
    return tuple(found)


def _draw(context: Context, draw: DrawList, asked: Asked, step: Step) -> None:
    """Every face or edge alike but the one pointed at and those tried in vain."""
    if isinstance(step, EpaStep):
        _draw_faces(context, draw, asked, step)
    else:
        _draw_edges(context, draw, asked, step)
        draw_origin(context, draw)


def _draw_faces(context: Context, draw: DrawList, asked: Asked, step: EpaStep) -> None:
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
    for subject, face in zip(subjects, step.faces, strict=True):
        if subject == hover:
            draw.strong(np.zeros(3), face.offset * np.array(face.normal), theme.gap, 1.6, dash=Dash.DASHED)


def _draw_edges(context: Context, draw: DrawList, asked: Asked, step: EpaPolygonStep) -> None:
    """EPA's polygon, every edge alike but the one pointed at and those tried in vain."""
    theme, hover, tried = context.theme, context.view.hover, asked.prediction.tried
    points = np.array([point.w for point in step.vertices])
    draw.sheet(points[[edge.start for edge in step.edges]], faded(theme.winner, 0.22))
    for subject, edge in zip(asked.question.candidates, step.edges, strict=True):
        pointed, wrong = subject == hover, subject in tried
        rgba = theme.hover if pointed else theme.dim_text if wrong else theme.winner
        ends, width = points[[edge.start, edge.end]], 4.4 if pointed else 2.8
        draw.lines(ends[0], ends[1], rgba, width, hidden=Hidden.SHOW, layer=Layer.NORMAL, subject=subject)
        if pointed or wrong:
            name = asked.question.candidates[subject]
            word, outward = f"not {name}" if wrong else name, raised(edge.normal)
            offset = (34.0 * float(outward[0]), -20.0 * float(outward[1]))
            draw.label(word, ends.mean(axis=0), rgba, size=PLAIN, offset=offset, priority=86, bold=True)
        if pointed:
            draw.strong(np.zeros(3), edge.offset * raised(edge.normal), theme.gap, 1.6, dash=Dash.DASHED)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    for number, (point, offset) in enumerate(zip(points, parts.spread_out(points), strict=True)):
        draw.label(numbered("p", number), point, theme.winner, size=PLAIN, offset=offset, priority=70)


QUESTIONS = Questions(_draw, growths=_growths)
_LOOP = {
    "bounds": "    lower ← distance of F,  upper ← min(upper, n·w)",
    EpaStop.ORIGIN_OUTSIDE: "    if n·w < 0:  ORIGIN_OUTSIDE, the bodies are apart",
    EpaStop.CONVERGED: "    if n·w − lower is 0 within rounding:  CONVERGED",
    EpaStop.REPEATED_SUPPORT: "    if w is a corner of P already:  REPEATED_SUPPORT",
    EpaStop.ITERATION_LIMIT: "    if no iteration is left:  ITERATION_LIMIT",
}
_IN_SPACE = Listing(
    "EPA: depth of the overlap",
    {
        "start": "P ← tetrahedron from GJK's last simplex",
        EpaStop.FLAT_POLYTOPE: "    if none has a volume:  FLAT_POLYTOPE",
        "repeat": "repeat:",
        "nearest": "    F ← face of P nearest the origin, n its normal",
        "support": "    w ← support point along n",
        **_LOOP,
        "horizon": "    remove the faces that w sees; their rim is the horizon",
        "grow": "    join w to each edge of the horizon",
    },
)
_IN_PLANE = Listing(
    _IN_SPACE.title,
    {
        "start": "P ← triangle from GJK's last simplex",
        EpaStop.FLAT_POLYTOPE: "    if none has an area:  FLAT_POLYTOPE",
        "repeat": "repeat:",
        "nearest": "    F ← edge of P nearest the origin, n its normal",
        "support": "    w ← support point along n",
        **_LOOP,
        "grow": "    put w between the two ends of F",
    },
)


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    lambda step: step.stop or ("start" if step.nearest is None else "grow"),
    epa_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop is EpaStop.ITERATION_LIMIT,
    bounds=Bounds("depth", lambda step: (step.lower, step.upper), counted="expansion"),
    reach=_reach,
    questions=QUESTIONS,
    colours={
        "winner": "polytope",
        "gap": "nearest face, lower bound",
        "overlap": "normal n, support point w and its plane, upper bound",
        "normal": "border radius",
    },
)

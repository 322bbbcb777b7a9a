"""The stage of EPA: the depth of the overlap, by a polytope in space and by a polygon in the plane.

The picture shows the polytope round the origin, its nearest face or edge, and its growth by one more point.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised
from core.gjk.epa import EpaStep, EpaStop
from core.gjk.plane_epa import EpaPolygonStep
from core.query.query import Phase, Query

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...state.prediction import CurrentQuestion
from .. import step_drawing
from ..point_names import point_names
from ..single import parting_flag
from ..stage import AlgorithmListing, Expansion, Facet, Stage, StepBounds, StepQuestions, steps_of
from .pictures import Step, draw_difference, draw_polytope, draw_world, fit_points
from .steps import epa_text


def _growths(query: Query) -> tuple[Expansion, ...]:
    """The steps that expand a face, or an edge in the plane, as questions need them."""
    found, named = [], point_names(query, Phase.EPA)
    for place, step in steps_of(query, EpaStep):
        if step.nearest is not None and step.stop is None:
            corners = named.of(step.vertices)
            names = (f"face {''.join(corners[k] for k in sorted(face.vertices))}" for face in step.faces)
            pieces = zip(step.faces, names, strict=True)
            faces = {f.number: Facet(Subject("face", f.number), name, f.offset) for f, name in pieces}
            found.append(Expansion(place, tuple(faces.values()), faces[step.nearest.number], "step_epa"))
    for place, polygon in steps_of(query, EpaPolygonStep):
        if polygon.nearest is not None and polygon.stop is None:
            corners = named.of(polygon.vertices)
            ends = (f"edge {corners[edge.start]}{corners[edge.end]}" for edge in polygon.edges)
            sides = enumerate(zip(polygon.edges, ends, strict=True))
            edges = [Facet(Subject("polygon_edge", k), name, edge.offset) for k, (edge, name) in sides]
            nearest = edges[polygon.edges.index(polygon.nearest)]
            found.append(Expansion(place, tuple(edges), nearest, "step_flat_epa"))
    return tuple(found)


def _draw(context: Context, draw: DrawList, asked: CurrentQuestion, step: Step) -> None:
    """Draws an open question: all faces or edges alike, but for the one pointed at and those tried without success."""
    if isinstance(step, EpaStep):
        _draw_faces(context, draw, asked, step)
    else:
        _draw_edges(context, draw, asked, step)
        draw_origin(context, draw)


def _draw_faces(context: Context, draw: DrawList, asked: CurrentQuestion, step: EpaStep) -> None:
    theme, hover, tried = context.theme, context.view.hover, asked.prediction.tried
    points = np.array([point.w for point in step.vertices])
    subjects = [Subject("face", face.number) for face in step.faces]
    fills = {True: faded(theme.winner, 0.55 if theme.dark_panels else 0.34), False: faded(theme.winner, 0.14)}
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
    for name, point in zip(step_drawing.names_in(context).of(step.vertices), points, strict=True):
        draw.label(name, point, theme.winner, size=PLAIN, offset=(0.0, -13.0), priority=70, kind="point-names")
    draw_origin(context, draw)
    for subject, face in zip(subjects, step.faces, strict=True):
        if subject == hover:
            draw.strong(np.zeros(3), face.offset * np.array(face.normal), theme.lower, 1.6, dash=Dash.DASHED)


def _draw_edges(context: Context, draw: DrawList, asked: CurrentQuestion, step: EpaPolygonStep) -> None:
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
            draw.strong(np.zeros(3), edge.offset * raised(edge.normal), theme.lower, 1.6, dash=Dash.DASHED)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    names = step_drawing.names_in(context).of(step.vertices)
    for name, point, offset in zip(names, points, step_drawing.spread_out(points), strict=True):
        draw.label(name, point, theme.winner, size=PLAIN, offset=offset, priority=70, kind="point-names")


QUESTIONS = StepQuestions(_draw, growths=_growths)
_LOOP = {
    "bounds": "    lower ← distance of F,  upper ← min(upper, n·w)",
    EpaStop.ORIGIN_OUTSIDE: "    if n·w < 0:  ORIGIN_OUTSIDE, the bodies are apart",
    EpaStop.CONVERGED: "    if n·w − lower is 0 within rounding:  CONVERGED",
    EpaStop.REPEATED_SUPPORT: "    if w is a corner of P already:  REPEATED_SUPPORT",
    EpaStop.ITERATION_LIMIT: "    if no iteration is left:  ITERATION_LIMIT",
}
_IN_SPACE = AlgorithmListing(
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
_IN_PLANE = AlgorithmListing(
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
    bounds=StepBounds("depth", lambda step: (step.lower, step.upper)),
    fit_points=fit_points,
    flag=parting_flag,
    questions=QUESTIONS,
    colours=step_drawing.PROVES_UPPER
    | {
        "winner": "polytope",
        "winner.disc": "corner of the polytope",
        "gap": "distance of the nearest face",
        "overlap.face": "faces that w sees",
        "overlap.bold": "horizon",
    },
)

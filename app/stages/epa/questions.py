"""What can be asked about EPA's steps: which face of the polytope, or edge of the polygon, is expanded."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised
from core.gjk.epa import EpaStep
from core.gjk.plane_epa import EpaPolygonStep, PolygonEdge
from core.gjk.polytope import PolytopeFace
from core.query.query import Query

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.text_sizes import PLAIN
from ...state.prediction import Asked
from ..picture_parts import spread_out
from ..stage import Growth, Piece, Questions, steps_of
from ..word_parts import numbered
from .picture import draw_polytope


def _growths(query: Query) -> tuple[Growth, ...]:
    """The steps that expand a face, or in the plane an edge."""
    found = []
    for place, step in steps_of(query, EpaStep):
        if step.nearest is not None and step.stop is None:
            faces = {
                face.number: Piece(Subject("face", face.number), face_name(face), face.offset) for face in step.faces
            }
            found.append(Growth(place, tuple(faces.values()), faces[step.nearest.number], "step_epa"))
    for place, polygon in steps_of(query, EpaPolygonStep):
        if polygon.nearest is not None and polygon.stop is None:
            edges = [Piece(Subject("polygon_edge", k), _edge_name(e), e.offset) for k, e in enumerate(polygon.edges)]
            nearest = edges[polygon.edges.index(polygon.nearest)]
            found.append(Growth(place, tuple(edges), nearest, "step_flat_epa"))
    return tuple(found)


def face_name(face: PolytopeFace) -> str:
    """`face p₀p₁p₃`, by its points as the picture names them."""
    return f"face {''.join(numbered('p', number) for number in sorted(face.vertices))}"


def _edge_name(edge: PolygonEdge) -> str:
    """`edge p₀p₂`, by its ends as the picture names them."""
    return f"edge {numbered('p', edge.start)}{numbered('p', edge.end)}"


def _draw(context: Context, draw: DrawList, asked: Asked, step: EpaStep | EpaPolygonStep) -> None:
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
    for face in step.faces if hover in subjects else ():
        if Subject("face", face.number) == hover:
            foot = face.offset * np.array(face.normal)
            draw.strong(np.zeros(3), foot, theme.gap, 1.6, dash=Dash.DASHED)


def _draw_edges(context: Context, draw: DrawList, asked: Asked, step: EpaPolygonStep) -> None:
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
    for number, (point, offset) in enumerate(zip(points, spread_out(points), strict=True)):
        draw.label(numbered("p", number), point, theme.winner, size=PLAIN, offset=offset, priority=70)


QUESTIONS = Questions(_draw, growths=_growths)

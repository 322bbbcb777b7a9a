"""A small copy of A in the middle of its Gauss map, with an arrow along each face's normal to the face's point.

If the axis in focus lights an arc, the arc's edge is lit on the copy.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, dots, length_rows
from core.pair.cores import core_of, has_core
from core.shapes.polyhedron import Polyhedron

from ..draw.draw_list import DrawList, Hidden, Layer, Subject
from ..draw.theme import faded
from ..state.view import GAUSS_BODY
from .context import Context, Overlay
from .gauss_drawing import RADIUS, crossings_of, lit_edges, same_direction
from .globe import GAUSS, MAPS
from .solids import draw_polyhedron

COPY_RADIUS = 0.46
"""Distance of the copy's farthest corner from the middle, as a share of the sphere's radius."""
MOST_FACES = 40
"""A body with more faces has no copy: its arrows would cover each other."""


def _globe(context: Context, draw: DrawList) -> None:
    body, theme = context.scene.a, context.theme
    core = core_of(body, "A", np.zeros(3)) if has_core(body) and MAPS & context.view.shown else None
    if core is None or not 0 < core.area_faces <= MOST_FACES or len(core.solid.normals) > core.area_faces:
        return
    corners = core.solid.vertices
    middle = corners.mean(axis=0)
    size = COPY_RADIUS * RADIUS / float(length_rows(corners - middle).max())
    solid = core.solid
    offsets = size * (solid.offsets - dots(solid.normals, middle))
    small = Polyhedron(size * (corners - middle), solid.faces, solid.normals, offsets, solid.edges, solid.edge_faces)
    rows = core.face_lines.tolist()
    lit = [same_direction(context, row, context.lit) for row in rows]
    fill = np.array([faded(theme.winner if on else theme.body_a, 0.85) for on in lit])
    draw_polyhedron(draw, small, fill, theme.edge_a, [Subject("axis", row) for row in rows])
    for edge in sorted(lit_edges(context, crossings_of(context), 0)):
        first, second = small.vertices[small.edges[edge]]
        draw.lines(first, second, theme.winner, 4.0, hidden=Hidden.SHOW, layer=Layer.STRONG)
    for face, normal, row, on in zip(small.faces, core.solid.normals, rows, lit, strict=False):
        start: Array = small.vertices[list(face)].mean(axis=0)
        draw.lines(
            start,
            RADIUS * normal,
            theme.winner if on else theme.edge_a,
            2.6 if on else 1.8,
            hidden=Hidden.FAINT,
            layer=Layer.STRONG,
            subject=Subject("axis", row),
            arrow_end=9.0,
        )


OVERLAY = Overlay(
    GAUSS_BODY,
    "A alone in the Gauss map",
    "",
    "The Gauss map of A alone, with A small in its middle, and the arrow from each face to its point",
    globe=_globe,
    of_answer=True,
    unavailable_in=GAUSS.unavailable_in,
)

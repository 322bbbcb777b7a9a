"""Draws polyhedra, balls, outlines and sheets.

Edges carry the normals of both their faces, by which hidden edges are found exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, radians

import numpy as np

from core.geometry.vector import Array, dots
from core.shapes.polyhedron import Polyhedron

from ..draw.draw_list import BoolArray, DrawList, Hidden, Layer, Rgba, Subject
from ..draw.meshes.mesh import ball_mesh, face_sides, polyhedron_mesh, sphere_triangles
from ..draw.theme import Theme, faded, on_ground

EDGE_WIDTH = 1.8
FINE_EDGE_WIDTH = 1.0
"""Widths of edges, points: EDGE_WIDTH in general, FINE_EDGE_WIDTH if a solid has many (MANY_EDGES)."""

BARE_WIDTH = 2.4
SPOT = 4.5
"""BARE_WIDTH: width of a segment without faces, and radius of its two ends; SPOT: radius of a lone vertex; points."""
MANY_EDGES = 120
"""With more edges than this, up to MOST_EDGES, edges are drawn fine: wider ones would cover the faces between them."""
MOST_EDGES = 600
"""With more edges than this only the outline and the creases are lines, other edges faint seams of the faces.

Thousands of lines would hide everything behind them, and take longer than a frame may.
"""
CREASE_COSINE = cos(radians(40.0))
"""The edge between two faces is a crease if the cosine of the angle between their normals is less than this."""


def main_edges(polyhedron: Polyhedron) -> BoolArray | None:
    """The mask (e,) of the creases of a polyhedron; None with at most MOST_EDGES edges, which are all drawn."""
    if len(polyhedron.edges) <= MOST_EDGES:
        return None
    left, right = polyhedron.edge_faces.T
    normals = polyhedron.normals
    turns = dots(normals.take(left, axis=0), normals.take(right, axis=0))
    creases: BoolArray = turns < CREASE_COSINE
    return creases


def draw_polyhedron(
    draw: DrawList,
    polyhedron: Polyhedron,
    fill: Rgba | Array,
    edge: Rgba,
    subject: Subject | Sequence[Subject],
    width: float = EDGE_WIDTH,
    *,
    glass: bool = False,
) -> None:
    """Draws faces in `fill`, one colour or one per face (f, 4), with one subject or one per face.

    With one subject per face, the edges' subject is the difference. `width`: of the edges, points; FINE_EDGE_WIDTH
    replaces it for more than MANY_EDGES edges, up to MOST_EDGES. A segment, which has no faces, is a line in the colour
    `edge` with a spot at each end; a point is a spot. `glass`: as in Solid.
    """
    if not polyhedron.faces:
        draw_bare(draw, polyhedron.vertices, edge, subject if isinstance(subject, Subject) else Subject("difference"))
        return
    mesh, creases = polyhedron_mesh(polyhedron), main_edges(polyhedron)
    colours, pairs = np.asarray(fill), polyhedron.edge_faces
    rgba = fill if colours.ndim == 1 else colours[mesh.faces]
    named = subject if isinstance(subject, Subject) else [subject[face] for face in mesh.faces.tolist()]
    planes = np.column_stack((polyhedron.normals, polyhedron.offsets))
    seams = None if creases is None else face_sides(polyhedron.faces)
    number = draw.solid(
        mesh.corners, mesh.normals, rgba, subject=named, planes=planes, plane_pairs=pairs, glass=glass, seams=seams
    )
    start, end = polyhedron.vertices.take(polyhedron.edges.T, axis=0)
    width = FINE_EDGE_WIDTH if creases is None and len(start) > MANY_EDGES else width
    whole = subject if isinstance(subject, Subject) else Subject("difference")
    layer, beside = Layer.EDGES, polyhedron.normals.take(pairs, axis=0)
    draw.lines(
        start, end, edge, width, layer=layer, subject=whole, solid_number=number, normals=beside, creases=creases
    )


def draw_bare(draw: DrawList, points: Array, rgba: Rgba, subject: Subject) -> None:
    """Draws a segment between two points (2, 3), or one point (1, 3)."""
    if len(points) == 2:
        draw.lines(points[:1], points[1:], rgba, BARE_WIDTH, hidden=Hidden.SHOW, layer=Layer.EDGES, subject=subject)
    draw.points(points, rgba, BARE_WIDTH if len(points) == 2 else SPOT, hidden=Hidden.SHOW, subject=subject)


def draw_sheet(
    draw: DrawList,
    loop: Array,
    rgba: Rgba,
    fill: float,
    edge: float,
    width: float = 1.2,
    *,
    hidden: Hidden = Hidden.FAINT,
    layer: Layer = Layer.NORMAL,
) -> None:
    """Draws a convex piece of a plane, corners (k, 3) in loop order; `fill`, `edge`: factors for the opacity.

    `width`, in points, `hidden` and `layer` are those of the edge. The sheet has no subject.
    """
    draw.sheet(loop, faded(rgba, fill))
    draw.polyline(loop, faded(rgba, edge), width, closed=True, hidden=hidden, layer=layer)


def draw_sphere(draw: DrawList, theme: Theme, radius: float, alpha: float) -> int:
    """Draws the ball in the middle of an inset, which bears the globe's pins or the Gauss map's arcs; its number.

    `radius`: a ball of radius 1 fills the inset. `alpha`: a factor for the opacity.
    """
    mesh, fill, ball = ball_mesh(np.zeros(3), radius), faded(theme.difference, alpha), (0.0, 0.0, 0.0, radius)
    edge = on_ground(theme.background_top, theme.difference_edge, 0.6)
    return draw.solid(mesh.corners, mesh.normals, fill, ball=ball, smooth=True, outline=edge, outline_width=1.2)


def draw_hull_outline(draw: DrawList, points: Array, rgba: Rgba, width: float) -> None:
    """Draws the outline of the convex hull of points (n, 3) on the screen.

    Layout takes the outline from a clear smooth solid, whose triangles have no area and only carry the points. `width`:
    points.
    """
    corners = np.repeat(points[:, None, :], 3, axis=1)
    clear = (*rgba[:3], 0.0)
    draw.solid(corners, np.zeros_like(corners), clear, smooth=True, outline=rgba, outline_width=width, glass=True)


@lru_cache(maxsize=1)
def round_points() -> Array:
    """Unit vectors (n, 3) in all directions, dense enough that their hull looks like a ball."""
    return np.unique(np.round(sphere_triangles(8).reshape(-1, 3), 12), axis=0)

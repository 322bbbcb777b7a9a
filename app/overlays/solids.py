"""How a polyhedron is drawn: its faces, and its edges with both face normals, so that it hides its own exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.geometry.vector import Array
from core.shapes.polyhedron import Polyhedron

from ..draw_list import DrawList, Hidden, Layer, Rgba, Subject
from ..mesh import polyhedron_mesh

EDGE_WIDTH = 1.8
FINE_EDGE_WIDTH = 1.0
MANY_EDGES = 120
"""Beyond this many edges they are drawn fine, or the faces between them would not be seen."""
MOST_SEEN_THROUGH = 600
"""Beyond this many edges those behind are left out: through so many others they tell nothing, and take as long."""


def draw_polyhedron(
    draw: DrawList,
    polyhedron: Polyhedron,
    fill: Rgba | Array,
    edge: Rgba,
    subject: Subject | Sequence[Subject],
    width: float = EDGE_WIDTH,
) -> int:
    """Faces in `fill`, one colour or one per face (f, 4), with one subject or one per face; returns the solid."""
    mesh = polyhedron_mesh(polyhedron)
    colours = np.asarray(fill)
    solid = draw.solid(
        mesh.corners,
        mesh.normals,
        fill if colours.ndim == 1 else colours[mesh.faces],
        subject=subject if isinstance(subject, Subject) else [subject[face] for face in mesh.faces.tolist()],
        planes=np.column_stack((polyhedron.normals, polyhedron.offsets)),
        plane_pairs=polyhedron.edge_faces,
    )
    vertices, edges = polyhedron.vertices, polyhedron.edges
    width = width if len(edges) <= MANY_EDGES else FINE_EDGE_WIDTH
    draw.lines(
        vertices[edges[:, 0]],
        vertices[edges[:, 1]],
        edge,
        width,
        hidden=Hidden.FAINT if len(edges) <= MOST_SEEN_THROUGH else Hidden.DROP,
        layer=Layer.EDGES,
        subject=subject if isinstance(subject, Subject) else Subject("difference"),
        solid=solid,
        normals=polyhedron.normals[polyhedron.edge_faces],
    )
    return solid

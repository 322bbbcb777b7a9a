"""The difference as the hull of all differences of two vertices: for Gauss maps that do not close.

A body's own Gauss map is folded when rounding has bent it, as slivers of a mesh can be; no such hull has been met.
Slower and less sharp than the overlay: which triangles are one face is for numbers to tell, and each face is given
the SAT row whose axis is nearest its normal.
"""

from __future__ import annotations

import numpy as np

from ..pair.polyhedron_axes import PairAxes
from ..shapes.hull_topology import convex_hull
from .polyhedron_difference import Overlay, share_faces


def hull_difference(pair: PairAxes) -> Overlay:
    """The difference of two cores of which at least one is a polyhedron."""
    at_a, at_b = pair.core_a.solid.vertices, pair.core_b.solid.vertices
    points = (at_a[:, None] - at_b[None, :]).reshape(-1, 3)
    solid = convex_hull(points)
    number = {tuple(point): k for k, point in enumerate(points.tolist())}
    sources = np.array([number[tuple(vertex)] for vertex in solid.vertices.tolist()], dtype=np.int64)
    products = solid.normals @ pair.axes.T
    rows = np.abs(products).argmax(axis=1)
    sides = np.where(products[np.arange(len(rows)), rows] < 0.0, -1, 1)
    axis_faces = np.full((len(pair.axes), 2), -1, dtype=np.int64)
    axis_faces[rows, np.where(sides > 0, 0, 1)] = np.arange(len(rows))
    share_faces(axis_faces, pair)
    return Overlay(solid, sources // len(at_b), sources % len(at_b), rows, sides, axis_faces)

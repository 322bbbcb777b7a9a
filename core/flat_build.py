"""The difference of two bodies of the plane built by hand: all differences of vertices, then the edges round them."""

from __future__ import annotations

import numpy as np

from .algorithms.candidate_axes import AxisKind
from .algorithms.difference_steps import BuildStep, build_steps
from .geometry.vector import frozen
from .planar.minkowski import MinkowskiPolygon


def flat_build_steps(polygon: MinkowskiPolygon) -> tuple[BuildStep, ...]:
    """Every step of the construction of a difference; its edges go by their numbers, first those that A gives."""
    table = polygon.table
    points = frozen(np.array([(*pair.point, 0.0) for pair in table]))
    sources = np.array([(pair.vertex_a, pair.vertex_b) for pair in table])
    kinds = [AxisKind.FACE_B if edge.edge_a is None else AxisKind.FACE_A for edge in polygon.edges]
    return tuple(build_steps(points, sources, len(polygon.core_b.ring), kinds, set(polygon.sources)))

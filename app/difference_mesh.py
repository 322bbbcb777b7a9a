"""The Minkowski difference of any two bounded bodies as triangles, where it is no explicit polyhedron.

For every direction of a fine sphere the farthest point of A less the farthest one of B the other way is a point of
the boundary; the sphere's triangles carry over. For the eye only; no number on the screen comes from it.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians

import numpy as np

from core.geometry.vector import Array, cross_rows, length_rows
from core.shapes.polyhedron import Indices

from .mesh import Mesh, sphere_triangles

FLAT_COSINE = cos(radians(9.0))
"""Where a triangle's own normal is farther from its corners' directions than this, it spans a flat face or an edge."""

Cloud = tuple[Array, float]
"""World points (n, 3) and a radius: their hull grown by the radius is the body."""


def support_mesh(cloud_a: Cloud, cloud_b: Cloud) -> Mesh:
    """Triangles of A - B; where the surface is curved their corners have its own normals."""
    directions, rows = _directions()
    points = _farthest(cloud_a, directions) - _farthest(cloud_b, -directions)
    corners, normals = points[rows], directions[rows]
    faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = length_rows(faces)
    real = sizes > 1e-12 * sizes.max()
    corners, normals, faces = corners[real], normals[real], faces[real] / sizes[real][:, None]
    bent = np.einsum("ijk,ik->ij", normals, faces).min(axis=1) < FLAT_COSINE
    normals[bent] = faces[bent][:, None, :]
    return Mesh(corners, normals, np.full(len(corners), -1))


def _farthest(cloud: Cloud, directions: Array) -> Array:
    points, radius = cloud
    found: Array = points[(directions @ points.T).argmax(axis=1)] + radius * directions
    return found


@lru_cache(maxsize=1)
def _directions() -> tuple[Array, Indices]:
    # Every direction once, and the sphere's triangles as rows of three of them.
    triangles = sphere_triangles(16)
    unique, rows = np.unique(np.round(triangles.reshape(-1, 3), 12), axis=0, return_inverse=True)
    return unique, rows.reshape(-1, 3)

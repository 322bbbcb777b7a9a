"""The Minkowski difference of any two bounded bodies as triangles, where it is no explicit polyhedron.

For every direction of a fine sphere the farthest point of A less the farthest one of B the other way is a point of
the boundary; the sphere's triangles carry over. For the eye only; no number on the screen comes from it.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians

import numpy as np

from core.geometry.vector import Array, cross_rows, length_rows
from core.scene import Body
from core.shapes import Cone, Cylinder, Ellipsoid, Shape, sharp_of
from core.shapes.polyhedron import Indices

from .mesh import Mesh, sphere_triangles

FLAT_COSINE = cos(radians(9.0))
"""Where a triangle's own normal is farther from its corners' directions than this, it spans a flat face or an edge."""

MOST_FOLDED = 24
"""Triangles that are unfolded, the largest: that takes time."""


def support_mesh(a: Body, b: Body, *, coarse: bool = False) -> Mesh:
    """Triangles of A - B, where it is curved with its own normals at their corners; `coarse`: a quarter of them."""
    directions, rows = _directions(8 if coarse else 16)
    return _spanned(_farthest(a, directions) - _farthest(b, -directions), directions, rows)


def shape_mesh(shape: Shape) -> Mesh:
    """Triangles of a bounded shape in its body's frame, where it is curved with its own normals at their corners."""
    directions, rows = _directions(16)
    return _spanned(_farthest_of(shape, directions), directions, rows)


def _spanned(points: Array, directions: Array, rows: Indices) -> Mesh:
    """The sphere's triangles, rows (m, 3) of `directions` (n, 3), carried over to the farthest `points` (n, 3)."""
    rows = _unfolded(points, directions, rows)
    corners, normals = points[rows], directions[rows]
    faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = length_rows(faces)
    real = sizes > 1e-12 * sizes.max()
    corners, normals, faces = corners[real], normals[real], faces[real] / sizes[real][:, None]
    bent = np.einsum("ijk,ik->ij", normals, faces).min(axis=1) < FLAT_COSINE
    normals[bent] = faces[bent][:, None, :]
    return Mesh(corners, normals, np.full(len(corners), -1))


def _unfolded(points: Array, directions: Array, rows: Indices) -> Indices:
    """The triangles' rows (m, 3) with those that are folded over joined to their neighbours the other way.

    Beside a flat face a few thin triangles turn inward: their longest side, and not the one across it, lies too deep.
    """
    corners = points[rows]
    faces = cross_rows(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    folded = np.nonzero(np.einsum("ij,ij->i", faces, directions[rows].sum(axis=1)) < 0.0)[0]
    if not len(folded):
        return rows
    # Between two flat faces there are hundreds, as small as they are many.
    folded = folded[np.argsort(-length_rows(faces[folded]))][:MOST_FOLDED]
    beside, mended = _neighbours(len(rows)), rows.copy()
    done: set[int] = set()
    for triangle in folded.tolist():
        sides = points[np.roll(rows[triangle], -1)] - points[rows[triangle]]
        k = int(np.argmax(length_rows(sides)))
        first, second, third = np.roll(rows[triangle], -k).tolist()
        other = beside[second, first]
        if done & {triangle, other}:
            continue
        done |= {triangle, other}
        (fourth,) = set(rows[other].tolist()) - {first, second}
        mended[triangle], mended[other] = (third, first, fourth), (third, fourth, second)
    return mended


def _farthest(body: Body, directions: Array) -> Array:
    """The world points (n, 3) of a bounded body farthest along unit `directions` (n, 3)."""
    return body.pose.to_world(_farthest_of(body.shape, directions @ body.pose.matrix))


def _farthest_of(shape: Shape, directions: Array) -> Array:
    # As each shape's `support`, for many directions at once.
    core, (shape, border) = shape.core, sharp_of(shape)
    if core is not None:
        found: Array = core.points[(directions @ core.points.T).argmax(axis=1)] + core.radius * directions
        return found
    if border:
        return _farthest_of(shape, directions) + border * directions
    if isinstance(shape, Ellipsoid):
        radii = np.array(shape.radii)
        stretched = directions * radii
        points: Array = radii * stretched / length_rows(stretched)[:, None]
        return points
    if not isinstance(shape, Cylinder | Cone):
        return np.array([shape.support(direction) for direction in directions])
    rim, up = directions * (1.0, 0.0, 1.0), directions[:, 1]
    across = length_rows(rim)
    rim *= (shape.radius / np.where(across > 0.0, across, 1.0))[:, None]
    if isinstance(shape, Cylinder):
        rim[:, 1] = np.copysign(0.5 * shape.height, up)
        return rim
    rim[:, 1] = -0.5 * shape.height
    rim[shape.height * up >= shape.radius * across] = (0.0, 0.5 * shape.height, 0.0)
    return rim


@lru_cache(maxsize=2)
def _neighbours(count: int) -> dict[tuple[int, int], int]:
    """Of the sphere of so many triangles the one with the side from one direction to another."""
    rows = next(rows for steps in (8, 16) if len(rows := _directions(steps)[1]) == count)
    return {
        (int(start), int(end)): triangle
        for triangle, row in enumerate(rows)
        for start, end in zip(row, np.roll(row, -1), strict=True)
    }


@lru_cache(maxsize=2)
def _directions(steps: int) -> tuple[Array, Indices]:
    # Every direction once, and the sphere's triangles as rows of three of them.
    triangles = sphere_triangles(steps)
    unique, rows = np.unique(np.round(triangles.reshape(-1, 3), 12), axis=0, return_inverse=True)
    return unique, rows.reshape(-1, 3)

"""SAT of two polyhedra in single precision, as an engine computes it: vertices projected on unit axes.

Two boxes: the fifteen axes. Hulls: all face normals, and the edge pairs whose arcs cross on the Gauss map by the signs
that floats give (Gregorius 2013); unlike in core/pair/gauss_map.py nothing is settled exactly, and products of
nearly parallel edges are formed plainly.
"""

from __future__ import annotations

import numpy as np

from ..batch.answers import Reals, crosses, dots
from ..pair.pair import two_boxes
from ..shapes import Polyhedron
from .bodies import SingleBody, unit_columns

_BLOCK = 1 << 20
"""Projections at once."""


def single_sat(a: SingleBody, b: SingleBody) -> tuple[np.float32, Reals]:
    """The largest signed separation of two polyhedra over their axes, and its unit axis (3,) from A to B."""
    assert a.points is not None
    assert b.points is not None
    axes = unit_columns(np.concatenate((_faces(a), _faces(b), _products(a, b)), axis=1))
    best, normal = np.float32(-np.inf), axes[:, 0]
    size = max(1, _BLOCK // (len(a.points) + len(b.points)))
    for start in range(0, axes.shape[1], size):
        some = axes[:, start : start + size]
        on_a, on_b = a.points @ some, b.points @ some
        beyond, before = on_b.min(axis=0) - on_a.max(axis=0), on_a.min(axis=0) - on_b.max(axis=0)
        gaps = np.maximum(beyond, before)
        row = int(gaps.argmax())
        if gaps[row] > best:
            best, normal = gaps[row], some[:, row] if beyond[row] >= before[row] else -some[:, row]
    return best, normal


def _solid(body: SingleBody) -> Polyhedron:
    """The polyhedron, a flat one with the normals of its edges within its plane."""
    solid = body.shape.polyhedron
    assert solid is not None
    return solid.with_rim()


def _faces(body: SingleBody) -> Reals:
    """Face normals (3, f) in the world; a box's once for both sides."""
    solid = _solid(body)
    normals: Reals = (solid.normals.astype(np.float32) @ body.axes).T
    return normals[:, ::2] if body.shape.half_extents is not None else normals


def _products(a: SingleBody, b: SingleBody) -> Reals:
    """Products (3, n) of edges."""
    if two_boxes(a, b) is not None:
        return crosses(a.axes.T[:, :, None], b.axes.T[:, None, :]).reshape(3, -1)
    (edges_a, left_a, right_a), (edges_b, left_b, right_b) = _arcs(a), _arcs(b)
    left_b, right_b = -left_b, -right_b
    plane_a, plane_b = crosses(right_a, left_a), crosses(right_b, left_b)
    # c·(b×a), d·(b×a), a·(d×c), b·(d×c) for every pair of arcs.
    c, d = plane_a.T @ left_b, plane_a.T @ right_b
    at_a, at_b = left_a.T @ plane_b, right_a.T @ plane_b
    rows_a, rows_b = np.nonzero((c * d < 0.0) & (at_a * at_b < 0.0) & (c * at_b > 0.0))
    return crosses(edges_a[:, rows_a], edges_b[:, rows_b])


def _arcs(body: SingleBody) -> tuple[Reals, Reals, Reals]:
    """Unit edges (3, e), and the normals (3, e) of the faces on their left and right, in the world."""
    solid = _solid(body)
    vertices = solid.vertices.astype(np.float32)
    ends = vertices[solid.edges]
    edges = ((ends[:, 1] - ends[:, 0]) @ body.axes).T
    sizes = np.sqrt(dots(edges, edges))
    normals = (solid.normals.astype(np.float32) @ body.axes).T
    left, right = (normals[:, faces] for faces in solid.edge_faces.T)
    return edges / np.where(sizes > 0.0, sizes, 1), left, right

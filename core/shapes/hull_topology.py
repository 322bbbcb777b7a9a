"""From points to the convex polyhedron they span: the hull's triangles, merged into true faces.

A flat face of a turned mesh is flat to rounding only, so its hull is many triangles, slivers among them. They are
merged from the largest outwards: a neighbour joins if its corners lie in the plane of the triangle that the face began
with, which is why a chain of small angles never bends a face. A vertex left with fewer than three faces, or no further
from its neighbour than rounding, is none; it is dropped and the hull is taken again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry.accurate import area_vectors
from ..geometry.tolerances import HULL_FLATNESS
from ..geometry.vector import Array, length_rows
from .polyhedron import Indices, Polyhedron
from .quickhull import hull_triangles


def convex_hull(points: Array) -> Polyhedron:
    """The hull of `points` (n, 3), its vertices in the order of the points.

    Raises ValueError with one sentence if they are fewer than four, not finite, or span no solid.
    """
    rows = _checked(points)
    while True:
        scaled = _scaled(rows)
        _refuse_flat(scaled)
        triangles, neighbours = hull_triangles(scaled)
        areas = area_vectors(*(scaled[triangles[:, k]] for k in range(3)))
        face_of = _merged(scaled, triangles, neighbours, areas)
        loops = _loops(triangles, neighbours, face_of)
        if loops is None:
            face_of = np.arange(len(triangles))
            loops = triangles.tolist()
        real = _real_vertices(scaled, loops)
        if real.all():
            break
        rows = rows[real]
    # The plane of the largest triangle and no mean of all: the rest lies in it, and slivers would tilt a small face.
    sizes = length_rows(areas)
    order = np.argsort(sizes, kind="stable")
    largest = np.zeros(len(loops), dtype=np.int64)
    largest[face_of[order]] = order
    return Polyhedron.from_faces(rows, loops, areas[largest] / sizes[largest][:, None])


def _checked(points: Array) -> Array:
    """The different points in their order; raises ValueError if there are not enough or they are not finite."""
    strange = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(strange):
        raise ValueError(f"points[{strange[0]}] of the hull is not finite")
    if len(points) < 4:
        raise ValueError(f"a hull needs at least four points, got {len(points)}")
    _, first = np.unique(points, axis=0, return_index=True)
    rows = points[np.sort(first)]
    if len(rows) < 4:
        raise ValueError(f"a hull needs at least four different points, got {len(rows)}")
    return rows


def _refuse_flat(points: Array) -> None:
    """Raises ValueError if all points lie in one place, line or plane, to rounding of their coordinates."""
    flat = _flat(points)
    first = points[0]
    distances = length_rows(points - first)
    second = points[distances.argmax()]
    if distances.max() <= flat:
        raise ValueError("all points of the hull are the same to rounding")
    areas = area_vectors(*np.broadcast_arrays(first, second, points))
    sizes = length_rows(areas)
    if sizes.max() <= flat * distances.max():
        raise ValueError("all points of the hull lie on one line")
    normal = areas[sizes.argmax()] / sizes.max()
    if np.abs((points - first) @ normal).max() <= flat:
        raise ValueError("all points of the hull lie in one plane")


def _real_vertices(points: Array, loops: list[list[int]]) -> NDArray[np.bool_]:
    """Which points (n,) are vertices: corners of three faces, and of those that rounding has doubled the first."""
    corners = [k for loop in loops for k in loop]
    real = np.bincount(corners, minlength=len(points)) >= 3
    following = [k for loop in loops for k in (*loop[1:], loop[0])]
    short = length_rows(points[following] - points[corners]) <= _flat(points)
    for start, end in sorted({(a, b) for a, b, s in zip(corners, following, short, strict=True) if s and a < b}):
        if real[start]:
            real[end] = False
    return real


def _scaled(rows: Array) -> Array:
    """The points with the largest coordinate at about 1, by a power of two, which touches no digit."""
    scaled: Array = np.ldexp(rows, -int(np.frexp(np.abs(rows).max())[1]))
    return scaled


def _flat(points: Array) -> float:
    """How far from a plane a point still lies in it."""
    return HULL_FLATNESS * float(np.abs(points).max())


def _merged(points: Array, triangles: Indices, neighbours: Indices, areas: Array) -> Indices:
    """Per triangle the number of its face, (t,); faces are numbered from the largest triangle down."""
    flat = _flat(points)
    sizes = length_rows(areas)
    normals = areas / sizes[:, None]
    corners = points[triangles]
    level = (_heights(corners[neighbours], corners[:, None, :1], normals[:, None]) <= flat).tolist()
    across = neighbours.tolist()
    face_of = [-1] * len(triangles)
    faces = 0
    for seed in np.argsort(-sizes, kind="stable").tolist():
        if face_of[seed] >= 0:
            continue
        face_of[seed] = faces
        pending = [other for other, joins in zip(across[seed], level[seed], strict=True) if joins]
        while pending:
            triangle = pending.pop()
            if face_of[triangle] < 0 and _heights(corners[triangle], corners[seed, :1], normals[seed]) <= flat:
                face_of[triangle] = faces
                pending += across[triangle]
        faces += 1
    return np.array(face_of, dtype=np.int64)


def _heights(corners: Array, foot: Array, normal: Array) -> Array:
    """Largest distance of a triangle's corners (..., 3, 3) from the plane through `foot` (..., 1, 3), shape (...)."""
    heights: Array = np.abs(((corners - foot) @ normal[..., None])[..., 0]).max(axis=-1)
    return heights


def _loops(triangles: Indices, neighbours: Indices, face_of: Indices) -> list[list[int]] | None:
    """Corners of every face in order, counter-clockwise from outside; None if a face has a hole or pinches.

    That takes a body hardly thicker than what counts as flat; it keeps its triangles.
    """
    faces = face_of.tolist()
    follows: list[dict[int, int]] = [{} for _ in range(max(faces) + 1)]
    rims = [0] * len(follows)
    for t, (corners, others) in enumerate(zip(triangles.tolist(), neighbours.tolist(), strict=True)):
        for k in range(3):
            if faces[others[k]] != faces[t]:
                follows[faces[t]][corners[k]] = corners[(k + 1) % 3]
                rims[faces[t]] += 1
    loops = [_loop(steps) for steps in follows]
    return loops if [len(loop) for loop in loops] == rims else None


def _loop(follows: dict[int, int]) -> list[int]:
    """The corners in order from the lowest, as far as they run without meeting again."""
    loop: dict[int, None] = {}
    corner = min(follows)
    while corner not in loop:
        loop[corner] = None
        corner = follows[corner]
    return list(loop)

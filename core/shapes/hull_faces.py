"""The faces of a convex hull from Qhull's facets (Quickhull: Barber, Dobkin, Huhdanpaa 1996), checked before use.

Qhull merges facets whose planes are equal to rounding, and cuts the merged facets into triangles again. On meshes
turned by an odd angle such triangles may fold over, so no single triangle is trusted. Triangles with the same plane
equation are one facet. The rim of their union is the facet's polygon, and its plane is computed again from three of the
polygon's corners.

Facets that lie in the plane of a larger neighbour, to rounding, join its face. Each is compared with the plane of the
face's first facet, so that a chain of small angles never bends a face. The result is None if the faces contradict each
other or the points.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from msgspec import Struct

from ..geometry.hierarchy import reach
from ..geometry.vector import Array, Indices, area_vectors, cross_rows, dots, length_rows
from .polyhedron import Rim, twins_of

Loops = list[list[int]]

_THIN = 1000.0
"""A solid is thin if its thickness is at most this many flatness tolerances.

At the sharp edges of such a solid, a point may be within rounding of both faces' planes and yet far beyond the edge.
Qhull was seen to leave out such points at up to 100 tolerances.
"""

_NO_LENGTH = 1e-300
"""The least divisor, instead of zero; different points of size about 1 are farther apart."""


class HullFaces(Struct, frozen=True):
    """Point indices of each face's corners, counter-clockwise seen from outside, and outward unit normals (f, 3)."""

    loops: Loops
    normals: Array


class _Facets(Struct, frozen=True):
    """Qhull's triangles: point indices (t, 3), neighbouring triangles (t, 3), and the facet of each (t,).

    Neighbour k is across the edge from corner k to corner k + 1.
    """

    triangles: Indices
    neighbours: Indices
    facet_of: Indices


def hull_faces(points: Array, flat: float, options: str) -> HullFaces | None:
    """The hull of `points` (n, 3), as Qhull finds it with `options`. The points differ and are of size about 1.

    Points within `flat` of a plane lie in it. None if Qhull fails, or if its faces are not a closed convex surface
    around all points, to twice `flat`.
    """
    facets = _facets(points, options)
    if facets is None:
        return None
    # Faces that fail the check are used unmerged. They fail at angles or sizes just above the flatness tolerance.
    merged = _merged(points, facets, flat)
    whole = None if merged is None else _checked(points, facets, merged, flat)
    return whole or _checked(points, facets, facets.facet_of, flat)


_TETRAHEDRON = np.array(((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)))
"""Corners of a tetrahedron's faces: the face in row k lacks corner k."""


def _facets(points: Array, options: str) -> _Facets | None:
    if len(points) == 4:
        # The neighbour across the edge from corner k to k + 1 is the face that lacks the triangle's third corner.
        return _Facets(_TETRAHEDRON, np.roll(_TETRAHEDRON, 1, axis=1), np.arange(4))
    # Imported on demand: it takes a third of a second, and scenes of round bodies and boxes do not need it.
    from scipy.spatial import ConvexHull, QhullError

    middle = 0.5 * (points.max(axis=0) + points.min(axis=0))  # Qhull's own tolerances grow with the coordinates
    try:
        hull = ConvexHull(points - middle, qhull_options=options)
    except QhullError:
        return None
    _, facet_of = np.unique(hull.equations, axis=0, return_inverse=True)
    # SciPy's neighbour k lies across from corner k, which is across the edge from corner k + 1 to k + 2.
    neighbours = np.roll(hull.neighbors, 1, axis=1)
    return _Facets(hull.simplices.astype(np.int64), neighbours.astype(np.int64), facet_of.ravel())


_FROM_LOWEST = np.array(((0, 1, 2), (1, 0, 2), (2, 1, 0)))
"""The order of a triangle's corners if corner k has the lowest index: the order in which `_loop` returns a face."""


def _loops(facets: _Facets, face_of: Indices) -> Loops | None:
    """Returns the corners of each face in order, of either sense.

    None if a face has a hole or touches itself at a corner. `face_of` (t,): the face of each triangle.
    """
    alone = np.bincount(face_of)[face_of] == 1
    rows = facets.triangles[alone]
    turned = np.take_along_axis(rows, _FROM_LOWEST[rows.argmin(axis=1)], axis=1)
    loops = dict(zip(face_of[alone].tolist(), turned.tolist(), strict=True))
    outside = (face_of[facets.neighbours] != face_of[:, None]) & ~alone[:, None]
    beside: dict[int, dict[int, list[int]]] = {face: defaultdict(list) for face in face_of[~alone].tolist()}
    of, k = np.nonzero(outside)
    starts, ends = facets.triangles[of, k], facets.triangles[of, (k + 1) % 3]
    for face, start, end in zip(face_of[of].tolist(), starts.tolist(), ends.tolist(), strict=True):
        beside[face][start].append(end)
        beside[face][end].append(start)
    for face, corners in beside.items():
        loops[face] = _loop(corners)
        if not len(loops[face]) == len(corners) >= 3:
            return None
    return [loops[face] for face in range(len(loops))] if max(loops) < len(loops) else None


def _loop(beside: dict[int, list[int]]) -> list[int]:
    """The corners of one loop in order from the lowest, by the neighbours of each corner on the rim.

    Empty unless each corner has two neighbours. If the rim has several loops, only one is returned.
    """
    if any(len(ends) != 2 for ends in beside.values()) or not beside:
        return []
    start = min(beside)
    loop, corner = [start], beside[start][0]
    while corner != start:
        first, second = beside[corner]
        following = second if first == loop[-1] else first
        loop.append(corner)
        corner = following
    return loop


def face_planes(points: Array, loops: Loops) -> tuple[Array, Array]:
    """Returns unit normals (f, 3) of the faces, inwards or outwards, and lengths (f,) of their area vectors.

    A face without area has length 0 and the zero vector as its normal. Both come from three corners that span a large
    triangle, not from a mean over all corners, which slivers would tilt.
    """
    three = np.array([loop if len(loop) == 3 else _far_apart(points, loop) for loop in loops])
    areas = area_vectors(*(points[three[:, k]] for k in range(3)))
    sizes = length_rows(areas)
    return areas / np.where(sizes > 0.0, sizes, 1.0)[:, None], sizes


def _far_apart(points: Array, loop: list[int]) -> list[int]:
    corners = points[loop]
    a = length_rows(corners - corners[0]).argmax()
    away = corners - corners[a]
    b = length_rows(away).argmax()
    c = length_rows(cross_rows(away[b], away)).argmax()
    return [loop[a], loop[b], loop[c]]


def _merged(points: Array, facets: _Facets, flat: float) -> Indices | None:
    """The face of each triangle, (t,), if facets in one plane are merged into faces; None if no facets merge.

    Faces grow from the facets, the largest first.
    """
    loops = _loops(facets, facets.facet_of)
    if loops is None:
        return None
    normals, sizes = face_planes(points, loops)
    first = _first(points, loops)
    own, others = facets.facet_of[:, None], facets.facet_of[facets.neighbours]
    away = points[facets.triangles[facets.neighbours]] - first[own, None]
    level = np.abs(dots(away, normals[own, None])).max(axis=-1) <= flat
    if not (level & (others != own)).any():
        return None
    beside: list[set[int]] = [set() for _ in loops]
    joining: list[set[int]] = [set() for _ in loops]
    for facet, row, joins in zip(facets.facet_of.tolist(), others.tolist(), level.tolist(), strict=True):
        beside[facet].update(row)
        joining[facet].update(other for other, join in zip(row, joins, strict=True) if join)
    face_of = [-1] * len(loops)
    faces = 0
    for seed in np.argsort(-sizes, kind="stable").tolist():
        if face_of[seed] >= 0:
            continue
        face_of[seed] = faces
        pending = sorted(joining[seed])
        while pending:
            facet = pending.pop()
            if face_of[facet] < 0 and np.abs(dots(points[loops[facet]] - first[seed], normals[seed])).max() <= flat:
                face_of[facet] = faces
                pending += sorted(beside[facet])
        faces += 1
    return np.array(face_of, dtype=np.int64)[facets.facet_of] if faces < len(loops) else None


def _checked(points: Array, facets: _Facets, face_of: Indices, flat: float) -> HullFaces | None:
    """The faces made of the triangles that have the same `face_of` (t,); None if they are no hull, to twice `flat`."""
    loops = _loops(facets, face_of)
    if loops is None:
        return None
    normals, sizes = face_planes(points, loops)
    lowest, highest = _heights(points, loops, normals)
    normals *= np.where(highest <= -lowest, 1.0, -1.0)[:, None]
    loops = _counter_clockwise(points, loops, normals)
    rim = Rim.of(loops)
    errors = [np.minimum(highest, -lowest), _bends(points, rim, normals), _heights_of_idle_corners(points, rim)]
    thickness = np.maximum(highest, -lowest)
    if thickness.min() <= _THIN * flat:
        errors.append(_lost(points, rim, normals[thickness.argmin()]))
    holds = bool(sizes.all()) and np.concatenate(errors).max() <= 2.0 * flat and _closed(rim, len(points))
    return HullFaces(loops, normals) if holds else None


def _heights(points: Array, loops: Loops, normals: Array) -> tuple[Array, Array]:
    """Returns the least and the largest signed distance of the points from each face's plane, both (f,)."""
    offsets = dots(_first(points, loops), normals)
    return -reach(points.T, -normals) - offsets, reach(points.T, normals) - offsets


def _bends(points: Array, rim: Rim, normals: Array) -> Array:
    """The distance of each corner of each face from the face's plane, (c,)."""
    starts = rim.corners[np.flatnonzero(np.diff(rim.face, prepend=-1))]
    away = points[rim.corners] - points[starts][rim.face]
    bends: Array = np.abs(dots(away, normals[rim.face]))
    return bends


def _heights_of_idle_corners(points: Array, rim: Rim) -> Array:
    """The distances of corners with only two faces from the line through the corners before and after them.

    Two faces share a line only, so such a corner must lie on it.
    """
    idle = np.bincount(rim.corners)[rim.corners] == 2
    a, p, b = (points[corners[idle]] for corners in (rim.before, rim.corners, rim.after))
    across = length_rows(cross_rows(b - a, p - a))
    return np.minimum(across / np.maximum(length_rows(b - a), _NO_LENGTH), length_rows(p - a))


def _lost(points: Array, rim: Rim, normal: Array) -> Array:
    """Distances (c,) of points beyond a thin solid's corners, along each edge's outward vector across `normal` (3,)."""
    outward = cross_rows(points[rim.after] - points[rim.corners], normal)
    outward /= np.maximum(length_rows(outward), _NO_LENGTH)[:, None]
    return reach(points.T, outward) - reach(points[np.unique(rim.corners)].T, outward)


def _counter_clockwise(points: Array, loops: Loops, normals: Array) -> Loops:
    """The loops, reversed if they run clockwise seen from the side to which their normals point."""
    rim, first = Rim.of(loops), _first(points, loops)
    areas = cross_rows(points[rim.corners] - first[rim.face], points[rim.after] - first[rim.face])
    turning = np.bincount(rim.face, dots(areas, normals[rim.face]))
    return [loop if turn > 0.0 else [loop[0], *loop[:0:-1]] for loop, turn in zip(loops, turning.tolist(), strict=True)]


def _first(points: Array, loops: Loops) -> Array:
    """The first corner of each face, (f, 3)."""
    first: Array = points[[loop[0] for loop in loops]]
    return first


def _closed(rim: Rim, points: int) -> bool:
    """Whether every edge has one face on each side, and the surface has no handles (Euler's formula)."""
    corners, faces = len(np.unique(rim.corners)), int(rim.face[-1]) + 1
    both = twins_of(rim.corners, rim.after, points) is not None
    return both and corners - len(rim.corners) // 2 + faces == 2

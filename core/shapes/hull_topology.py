"""From points to the convex polyhedron they span: Qhull's triangles, merged into true faces.

Qhull (Barber, Dobkin, Huhdanpaa 1996) finds the hull; its triangulation cuts a face of many corners into triangles
whose normals differ by rounding, and slivers among them have no normal worth the name. So triangles are merged from
the largest outwards: a neighbour joins if its vertices lie in the plane of the triangle that the face began with,
which is why a chain of small angles never bends a face. A vertex left with fewer than three faces is no vertex; it is
dropped and the hull is taken again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry.tolerances import HULL_FLATNESS
from ..geometry.vector import Array, any_perpendicular, cross_rows, length_rows
from .polyhedron import Indices, Polyhedron


def convex_hull(points: Array) -> Polyhedron:
    """The hull of `points` (n, 3), its vertices in the order of the points.

    Raises ValueError with one sentence if they are fewer than four, not finite, or span no solid.
    """
    rows = _checked(points)
    while True:
        scale = _power_of_two(rows)
        flat = HULL_FLATNESS * float(np.abs(rows).max()) * scale
        triangles, neighbours = _triangles(rows * scale)
        loops = _face_loops(rows * scale, triangles, neighbours, flat)
        corners = np.bincount([i for loop in loops for i in loop], minlength=len(rows))
        real = corners >= 3
        if real.all() or real.sum() < 4:
            break
        rows = rows[real]
    return Polyhedron.from_faces(rows, loops)


def _checked(points: Array) -> Array:
    """The different points in their order; raises ValueError if they span no solid."""
    for k, point in enumerate(points.tolist()):
        if not all(map(np.isfinite, point)):
            raise ValueError(f"points[{k}] is not finite")
    if len(points) < 4:
        raise ValueError(f"a hull needs at least four points, got {len(points)}")
    _, first = np.unique(points, axis=0, return_index=True)
    rows = points[np.sort(first)]
    if len(rows) < 4:
        raise ValueError(f"a hull needs at least four different points, got {len(rows)}")
    _refuse_flat(rows)
    return rows


def _refuse_flat(rows: Array) -> None:
    """Raises ValueError if all points lie in a point, a line or a plane, to rounding of their coordinates."""
    scaled = rows * _power_of_two(rows)
    flat = HULL_FLATNESS * float(np.abs(scaled).max())
    from_first = scaled - scaled[0]
    distances = length_rows(from_first)
    if distances.max() <= flat:
        raise ValueError("all points of the hull are the same to rounding")
    along = from_first[distances.argmax()] / distances.max()
    across = from_first - np.outer(from_first @ along, along)
    widths = length_rows(across)
    if widths.max() <= flat:
        raise ValueError("all points of the hull lie on one line")
    side = across[widths.argmax()] / widths.max()
    if np.abs(from_first @ _normal(along, side)).max() <= flat:
        raise ValueError("all points of the hull lie in one plane")


def _normal(along: Array, side: Array) -> Array:
    normal: Array = cross_rows(along, side)
    size = float(length_rows(normal))
    return normal / size if size > 0.0 else any_perpendicular(along)


def _power_of_two(rows: Array) -> float:
    """A factor that brings the largest coordinate to about 1 without touching a digit."""
    largest = float(np.abs(rows).max())
    return float(np.ldexp(1.0, -int(np.frexp(largest)[1]))) if largest > 0.0 else 1.0


def _triangles(points: Array) -> tuple[Indices, Indices]:
    """Qhull's triangles (t, 3), counter-clockwise from outside, and per triangle the neighbour across from each corner.

    Neighbour k of a row lies across the edge that does not touch corner k.
    """
    # scipy takes a third of a second to load: it is needed for hulls only, never at start-up.
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points)
    except QhullError:
        raise ValueError("the points of the hull lie so nearly in one plane that they enclose no volume") from None
    triangles = np.array(hull.simplices, dtype=np.int64)
    neighbours = np.array(hull.neighbors, dtype=np.int64)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    inwards = np.einsum("ti,ti->t", cross_rows(b - a, c - a), hull.equations[:, :3]) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    neighbours[inwards] = neighbours[inwards][:, ::-1]
    return triangles, neighbours


def _face_loops(points: Array, triangles: Indices, neighbours: Indices, flat: float) -> list[list[int]]:
    """Corners of every face in order, counter-clockwise from outside; triangles within `flat` of a plane are one."""
    face_of = _merged(points, triangles, neighbours, flat)
    follows: list[dict[int, int]] = [{} for _ in range(int(face_of.max()) + 1)]
    for t, (corners, others) in enumerate(zip(triangles.tolist(), neighbours.tolist(), strict=True)):
        for k in range(3):
            if face_of[others[k]] != face_of[t]:
                follows[face_of[t]][corners[(k + 1) % 3]] = corners[(k + 2) % 3]
    return [_loop(steps) for steps in follows]


def _merged(points: Array, triangles: Indices, neighbours: Indices, flat: float) -> NDArray[np.int64]:
    """Per triangle the number of its face, (t,)."""
    corner = points[triangles]
    normals = cross_rows(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    areas = length_rows(normals)
    normals = normals / np.where(areas > 0.0, areas, 1.0)[:, None]
    face_of = np.full(len(triangles), -1, dtype=np.int64)
    for face, seed in enumerate(np.argsort(-areas, kind="stable").tolist()):
        if face_of[seed] >= 0:
            continue
        face_of[seed] = face
        pending = [seed]
        while pending:
            for other in neighbours[pending.pop()].tolist():
                if face_of[other] < 0 and np.abs((corner[other] - corner[seed, 0]) @ normals[seed]).max() <= flat:
                    face_of[other] = face
                    pending.append(other)
    _, renumbered = np.unique(face_of, return_inverse=True)
    return renumbered.astype(np.int64)


def _loop(follows: dict[int, int]) -> list[int]:
    start = min(follows)
    loop = [start]
    while (corner := follows[loop[-1]]) != start:
        loop.append(corner)
    return loop

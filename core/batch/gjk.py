"""GJK on many differences at once, with the same two bounds as for one (core/gjk/gjk.py).

What ends a pair here is simpler: its bounds have met, its support point has come before, the origin is enclosed or on
the simplex, or the iterations are used up. Whoever asks looks at the gap that is left, and asks the single algorithm
about the few pairs where it is too wide.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .answers import Reals, Scale, crosses, dots, lengths
from .nearest import Rows, Supports, nearest

ITERATIONS = 64


class GjkFound(Struct, frozen=True, eq=False):
    """Per pair (m,): `upper` and `lower` bounds of the distance, the `normals` (m, 3) that prove the lower one.

    `overlapping`: the origin is in the simplex, to rounding. `simplices` (m, 4, 3) with `counts` (m,) points each.
    `steps` (m,): supports asked for.
    """

    upper: Reals
    lower: Reals
    normals: Reals
    overlapping: NDArray[np.bool_]
    simplices: Reals
    counts: NDArray[np.int64]
    steps: NDArray[np.int64]


def gjk(supports: Supports, offsets: Reals, scale: Scale) -> GjkFound:
    """`offsets` (m, 3): B less A, for the first direction."""
    count = len(offsets)
    everyone = np.arange(count)
    first = np.where(lengths(offsets.T)[:, None] > 0.0, offsets, np.eye(1, 3, dtype=offsets.dtype))
    points = supports(first, everyone)
    simplices = np.zeros((count, 4, 3), dtype=offsets.dtype)
    simplices[:, 0] = points
    found = GjkFound(
        np.full(count, np.inf, dtype=offsets.dtype),
        np.zeros(count, dtype=offsets.dtype),
        np.zeros_like(offsets),
        np.zeros(count, dtype=np.bool_),
        simplices,
        np.ones(count, dtype=np.int64),
        np.ones(count, dtype=np.int64),
    )
    rows = everyone
    for _ in range(ITERATIONS):
        rows, points = _step(supports, scale, found, rows, points)
        if not len(rows):
            break
    found.lower[:] = np.minimum(found.lower, found.upper)
    return found


def _step(supports: Supports, scale: Scale, found: GjkFound, rows: Rows, points: Reals) -> tuple[Rows, Reals]:
    """One step of the pairs `rows` (k,), whose simplices are nearest at `points` (k, 3): those that go on, likewise."""
    distances = np.sqrt(dots(points.T, points.T))
    found.upper[rows] = np.minimum(found.upper[rows], distances)
    touching = distances <= scale.rounding[rows]
    found.overlapping[rows[touching]] = True
    rows, points, distances = rows[~touching], points[~touching], distances[~touching]
    directions = _directions(scale, found, rows, points, distances)
    corners = supports(directions, rows)
    found.steps[rows] += 1
    proofs = -dots(directions.T, corners.T)
    # The first direction is a normal for those who never prove anything.
    better = (proofs > found.lower[rows]) | ~found.normals[rows].any(axis=1)
    found.normals[rows[better]] = directions[better]
    found.lower[rows] = np.maximum(found.lower[rows], proofs)
    known = np.arange(4) < found.counts[rows][:, None]
    repeated = (same_points(found.simplices[rows], corners) & known).any(axis=1)
    going = ~repeated & (found.upper[rows] - found.lower[rows] > scale.rounding[rows])
    rows, corners = rows[going], corners[going]
    found.simplices[rows, found.counts[rows]] = corners
    found.counts[rows] += 1
    return _reduce(found, rows)


def same_points(points: Reals, point: Reals) -> NDArray[np.bool_]:
    """Which of the points (k, n, 3) are the `point` (k, 3) of their row, (k, n)."""
    x, y, z = point.T[:, :, None]
    return np.asarray((points[:, :, 0] == x) & (points[:, :, 1] == y) & (points[:, :, 2] == z))


def _directions(scale: Scale, found: GjkFound, rows: Rows, points: Reals, distances: Reals) -> Reals:
    """Unit directions (k, 3) from the nearest points towards the origin.

    Close by the rounding of the point turns its own: there it is that of the triangle's normal, or made perpendicular
    to the edge (core/gjk/gjk.py).
    """
    directions: Reals = -points / distances[:, None]
    nearby = 64 * float(np.finfo(points.dtype).eps) ** 0.5
    close = (distances <= nearby * scale.larger[rows]) & (found.counts[rows] > 1)
    if not close.any():
        return directions
    simplices = found.simplices[rows[close]].transpose(2, 1, 0)
    way = directions[close].T
    side = simplices[:, 1] - simplices[:, 0]
    across = way - (dots(way, side) / dots(side, side)) * side
    normal = crosses(side, simplices[:, 2] - simplices[:, 0])
    normal = np.where(dots(normal, simplices[:, 0]) <= 0.0, normal, -normal)
    turned = np.where(found.counts[rows[close]] == 3, normal, across)
    sizes = np.sqrt(dots(turned, turned))
    directions[close] = np.where(sizes > 0.0, turned / np.where(sizes > 0.0, sizes, 1), way).T
    return directions


def _reduce(found: GjkFound, rows: Rows) -> tuple[Rows, Reals]:
    """Leaves in each simplex the feature nearest the origin: those that do not enclose it, and their nearest points."""
    points = np.zeros((len(rows), 3), dtype=found.upper.dtype)
    going = np.ones(len(rows), dtype=np.bool_)
    counts = found.counts[rows]
    for size in (2, 3, 4):
        some = np.flatnonzero(counts == size)
        if not len(some):
            continue
        whole = found.simplices[rows[some], :size]
        answer = nearest(whole)
        inside = answer.enclosed
        found.overlapping[rows[some[inside]]] = True
        going[some[inside]] = False
        left = np.flatnonzero(~inside)
        points[some[left]] = answer.points[left]
        found.simplices[rows[some[left]], :3] = whole[left[:, None], answer.corners[left]]
        found.counts[rows[some[left]]] = answer.counts[left]
    return rows[going], points[going]

"""GJK on many differences at once, with the same two bounds as for one (core/gjk/gjk.py).

What ends a pair here is simpler: its bounds have met, its support point has come before, the origin is enclosed or on
the simplex, or the iterations are used up. Whoever asks looks at the gap that is left, and asks the single algorithm
about the few pairs where it is too wide.

The points of many simplices nearest the origin: every edge and every face of each is tried.

Slower a simplex than Voronoi regions, but without a branch, so that one call serves all simplices of one size.

Support points of many differences A - B at once: all that the batched GJK and EPA know of the bodies.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .answers import Reals, Scale, crosses, dots, lengths

_EDGES = {2: ((0, 1),), 3: ((0, 1), (0, 2), (1, 2)), 4: ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))}
_FACES = {2: (), 3: ((0, 1, 2),), 4: ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))}
_OPPOSITE = (3, 2, 1, 0)
"""The corner that each face of a tetrahedron lacks."""


class Nearest(Struct, frozen=True, eq=False):
    """Per simplex the nearest point (g, 3), and the feature that holds it.

    `corners` (g, 3): numbers of the feature's points, of which the first `counts` (g,) count. `enclosed` (g,): the
    origin is strictly inside a tetrahedron, and the rest is that of its surface.
    """

    points: Reals
    corners: NDArray[np.int64]
    counts: NDArray[np.int64]
    enclosed: NDArray[np.bool_]


def nearest(simplices: Reals) -> Nearest:
    """For simplices (g, k, 3) with k from 2 to 4."""
    size = simplices.shape[1]
    corners = simplices.transpose(2, 1, 0)
    points, features, counts = _on_edges(corners, _EDGES[size])
    enclosed = np.zeros(len(simplices), dtype=np.bool_)
    if _FACES[size]:
        enclosed = _see_faces(corners, _FACES[size], points, features, counts)
    return Nearest(points.T, features.T, counts, enclosed)


def _on_edges(corners: Reals, edges: tuple[tuple[int, int], ...]) -> tuple[Reals, NDArray[np.int64], NDArray[np.int64]]:
    """The nearest point (3, g) of all edges of simplices (3, k, g), its feature's corners (3, g), and how many."""
    ends = np.array(edges).T
    a, b = corners[:, ends[0]], corners[:, ends[1]]
    sides = b - a
    wholes = dots(sides, sides)
    shares = np.clip(-dots(a, sides) / np.where(wholes > 0.0, wholes, 1), 0, 1)
    points = np.where(shares <= 0.5, a + shares * sides, b + (shares - 1) * sides)
    best = dots(points, points).argmin(axis=0)
    columns = np.arange(len(best))
    share = shares[best, columns]
    features = np.zeros((3, len(best)), dtype=np.int64)
    features[0] = np.where(share == 1.0, ends[1][best], ends[0][best])
    features[1] = ends[1][best]
    counts = np.where((share > 0.0) & (share < 1.0), 2, 1)
    return np.ascontiguousarray(points[:, best, columns]), features, counts


def _see_faces(
    corners: Reals,
    faces: tuple[tuple[int, int, int], ...],
    points: Reals,
    features: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Takes the faces that hold a nearer point; whether the origin is strictly inside, where there are four."""
    loops = np.array(faces).T
    a, b, c = (corners[:, k] for k in loops)
    normals = crosses(b - a, c - a)
    squares = dots(normals, normals)
    heights = dots(a, normals)
    weights = np.stack((dots(crosses(b, c), normals), dots(crosses(c, a), normals), dots(crosses(a, b), normals)))
    within = (weights > 0.0).all(axis=0) & (squares > 0.0)
    feet = normals * (heights / np.where(squares > 0.0, squares, 1))
    distances = np.where(within, dots(feet, feet), np.inf)
    best = distances.argmin(axis=0)
    columns = np.arange(len(best))
    closer = distances[best, columns] <= dots(points, points)
    np.copyto(points, feet[:, best, columns], where=closer)
    np.copyto(features, loops[:, best], where=closer)
    np.copyto(counts, 3, where=closer)
    if len(faces) == 1:
        return np.zeros(len(best), dtype=np.bool_)
    across = dots(corners[:, _OPPOSITE] - a, normals)
    return np.asarray((across * -heights > 0.0).all(axis=0))


Rows = NDArray[np.intp]


class Supports(Protocol):
    """m differences of convex bodies."""

    def __call__(self, directions: Reals, rows: Rows) -> Reals:
        """The points (k, 3) of the differences `rows` (k,) farthest along `directions` (k, 3), of any length but 0."""


class PointClouds(Struct, frozen=True, eq=False):
    """Differences of the hulls of points: coordinates (3, m, ka) of A's and (3, m, kb) of B's, in one frame."""

    points_a: Reals
    points_b: Reals

    def take(self, rows: Rows) -> PointClouds:
        """Some of the differences."""
        return PointClouds(self.points_a.take(rows, axis=1), self.points_b.take(rows, axis=1))

    def __call__(self, directions: Reals, rows: Rows) -> Reals:
        """See Supports. Of equally far points the first is taken."""
        out: Reals = farthest(self.points_a, directions, rows) - farthest(self.points_b, -directions, rows)
        return out


def farthest(points: Reals, directions: Reals, rows: Rows) -> Reals:
    """The points (k, 3) of the clouds `rows` (k,) farthest along `directions` (k, 3); `points` (3, m, c)."""
    x, y, z = directions.T[:, :, None]
    part = points if len(rows) == points.shape[1] else points.take(rows, axis=1)
    heights = part[0] * x
    heights += part[1] * y
    heights += part[2] * z
    out: Reals = part[:, np.arange(len(rows)), heights.argmax(axis=1)].T
    return out


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

"""Simplifies a hull or polygon to fewer corners, and measures how far its hull moves.

Points are kept greedily, in rounds. Each facet of the hull of the kept points has a farthest point above it. A round
keeps the farthest of these, at most half as many as are kept already.

The hull of the kept points lies inside the hull of all points. So their Hausdorff distance is the distance of the
farthest omitted point from the smaller hull. A point's distance is at least its height over any facet's plane, and at
most its distance from any one facet. Only points whose upper bound is above the largest distance so far are measured
against every facet.

For a polygon, keeping one corner at a time is fast. An omitted corner is nearest to the side that replaced it, as it is
inside of all other sides.
"""

from __future__ import annotations

from heapq import heapify, heappush, heapreplace

import numpy as np
from msgspec import Struct

from ..geometry.hierarchy import AT_ONCE
from ..geometry.tolerances import HULL_FLATNESS
from ..geometry.vector import Array, Indices, cross_rows, dots, length_rows, product

FEWEST_CORNERS = 4
"""The fewest corners of a solid hull."""
FEWEST_OF_POLYGON = 3
GROWTH = 2
"""A round keeps at most one new point for this many kept ones. One point in each round would be best, but slow."""


class Simplified(Struct, frozen=True):
    """The result: indices (k,), rising, of the kept points, and the distance of the farthest other from their hull."""

    kept: Indices
    distance: float


class _Hull(Struct, frozen=True):
    """Corners (t, 3, 3) of a hull's triangles, and their planes: outward unit normals (t, 3), offsets (t,)."""

    corners: Array
    normals: Array
    offsets: Array


def extreme(points: Array) -> Indices:
    """Indices, rising, of the points (n, 3) that are corners of their hull by Qhull; of all for points in one plane."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.sort(ConvexHull(points).vertices.astype(np.int64))
    except QhullError:
        return np.arange(len(points))


def simplified(points: Array, most: int) -> Simplified:
    """Chooses at most `most` >= 4 of the distinct points (n, 3), so that their hull approximates the hull of all.

    The distance is in the points' units, to rounding. Raises ValueError with one sentence for points in one plane, and
    for a smaller `most`.
    """
    if most < FEWEST_CORNERS:
        raise ValueError(f"a simplified hull needs at least {FEWEST_CORNERS} corners, got {most}")
    kept = _first_four(points)
    flat = HULL_FLATNESS * float(np.abs(points).max())
    outside = np.setdiff1d(np.arange(len(points)), kept)
    while True:
        hull = _hull(points[kept])
        facet, height = _heights(points[outside], hull)
        # A point inside this hull is inside all later hulls too.
        beyond = height > flat
        outside, facet, height = outside[beyond], facet[beyond], height[beyond]
        room = min(most - len(kept), max(len(kept) // GROWTH, 1))
        if not room or not len(outside):
            return Simplified(np.sort(kept), _farthest(points[outside], facet, height, hull))
        order = np.argsort(-height, kind="stable")
        _, first = np.unique(facet[order], return_index=True)
        chosen = np.zeros(len(outside), dtype=bool)
        chosen[order[np.sort(first)[:room]]] = True
        kept, outside = np.concatenate((kept, outside[chosen])), outside[~chosen]


def simplified_loop(points: Array, most: int) -> Simplified:
    """Chooses at most `most` >= 3 corners of a convex polygon with the corners `points` (n, 2), in loop order.

    The distance is in the points' units, to rounding. Raises ValueError with one sentence if `most` or n is below 3.
    """
    if min(most, len(points)) < FEWEST_OF_POLYGON:
        raise ValueError(f"a simplified polygon has at least {FEWEST_OF_POLYGON} corners")
    if len(points) <= most:
        return Simplified(np.arange(len(points)), 0.0)
    a = int(points[:, 0].argmin())
    b = int(length_rows(points - points[a]).argmax())
    first, last = min(a, b), max(a, b)
    # The points are scaled, because squares of tiny coordinates would underflow.
    scale = float(np.abs(points).max())
    # A heap of sides, each as `_beyond` returns it. Indices go on past the end of the loop, so the points are doubled.
    round_it = np.concatenate((points, points)) / scale
    sides = [_beyond(round_it, first, last), _beyond(round_it, last, first + len(points))]
    heapify(sides)
    kept = {a, b}
    while len(kept) < most and sides[0][1] >= 0:
        _, corner, start, end = sides[0]
        kept.add(corner % len(points))
        heapreplace(sides, _beyond(round_it, start, corner))
        heappush(sides, _beyond(round_it, corner, end))
    return Simplified(np.array(sorted(kept)), -sides[0][0] * scale)


def _beyond(points: Array, start: int, end: int) -> tuple[float, int, int, int]:
    """Returns minus the distance of the farthest corner from the side `start` to `end`, its index, `start` and `end`.

    Only corners between `start` and `end` count. Without any, the distance is 0 and the index -1.
    """
    if end - start < 2:
        return 0.0, -1, start, end
    side, arms = points[end] - points[start], points[start + 1 : end] - points[start]
    share = np.clip(dots(arms, side) / dots(side, side), 0.0, 1.0)
    distances = length_rows(arms - share[:, None] * side)
    row = int(distances.argmax())
    return -float(distances[row]), start + 1 + row, start, end


def _first_four(points: Array) -> Indices:
    """Indices of four points that span a large tetrahedron. Raises ValueError for points in one plane."""
    a = int(points[:, 0].argmin())
    away = points - points[a]
    b = int(length_rows(away).argmax())
    areas = cross_rows(away, away[b])
    c = int(length_rows(areas).argmax())
    heights = np.abs(dots(away, areas[c]))
    d = int(heights.argmax())
    if heights[d] <= HULL_FLATNESS * np.abs(points).max() * length_rows(areas[[c]])[0]:
        raise ValueError("the points lie in one plane: their hull cannot be simplified")
    return np.array((a, b, c, d))


def _hull(points: Array) -> _Hull:
    from scipy.spatial import ConvexHull

    middle = points.mean(axis=0)  # Qhull's own tolerances grow with the coordinates
    found = ConvexHull(points - middle)
    normals = found.equations[:, :3]
    return _Hull(points[found.simplices], normals, dots(normals, middle) - found.equations[:, 3])


def _heights(points: Array, hull: _Hull) -> tuple[Indices, Array]:
    """Returns, for each point (n, 3), the facet over whose plane it is highest, index (n,), and that height (n,)."""
    facet, height = np.zeros(len(points), dtype=np.int64), np.zeros(len(points))
    size = max(AT_ONCE // len(hull.offsets), 1)
    for first in range(0, len(points), size):
        part = slice(first, first + size)
        heights = product(points[part], hull.normals.T) - hull.offsets
        facet[part] = heights.argmax(axis=1)
        height[part] = np.take_along_axis(heights, facet[part, None], axis=1)[:, 0]
    return facet, height


def _farthest(points: Array, facet: Indices, height: Array, hull: _Hull) -> float:
    """The largest distance of points (n, 3) outside the hull from it; 0 without points.

    `facet` (n,), `height` (n,): as `_heights` returns them.
    """
    most = _to_triangles(points, hull.corners[facet])
    found = float(height.max(initial=0.0))
    for number in np.argsort(-most, kind="stable").tolist():
        if most[number] <= found:
            break
        row = np.broadcast_to(points[number], (len(hull.corners), 3))
        found = max(found, float(_to_triangles(row, hull.corners).min()))
    return found


def _to_triangles(points: Array, corners: Array) -> Array:
    """The distance (n,) of each point (n, 3) from the triangle (n, 3, 3) of the same row."""
    sides = np.roll(corners, -1, axis=1) - corners
    away = points[:, None, :] - corners
    squares = dots(sides, sides)
    share = np.clip(dots(sides, away) / np.where(squares > 0.0, squares, 1.0), 0.0, 1.0)
    to_sides = length_rows(away - share[..., None] * sides).min(axis=1)
    normals = cross_rows(sides[:, 0], sides[:, 1])
    above = (dots(cross_rows(sides, away), normals[:, None]) >= 0.0).all(axis=1)
    areas = length_rows(normals)
    heights = np.abs(dots(away[:, 0], normals)) / np.where(areas > 0.0, areas, 1.0)
    distances: Array = np.where(above & (areas > 0.0), heights, to_sides)
    return distances

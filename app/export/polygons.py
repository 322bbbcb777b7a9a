"""Cuts batches of convex polygons by half-planes, joins polygons to outlines, and thins outlines.

A batch (n, k, 2) has n polygons of up to k corners; a polygon with fewer repeats its last corner.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, dots

from ..draw.draw_list import BoolArray, IntArray
from .operations import Loops

GRID = 64.0
"""Corners are rounded to 1/GRID of a fine pixel (see operations.py); corners with equal results are one."""
TOLERANCE = 0.12
"""The largest distance of a thinned outline from the full one, fine pixels; at two to a pixel, 0.06 of a pixel."""


def cut(polygons: Array, lines: Array) -> tuple[Array, IntArray]:
    """Cuts each polygon to the part where a x + b y + c >= 0; `lines` (n, 3): a, b, c for each polygon.

    Returns the m non-empty parts (m, k + 1, 2), and the rows (m,) of the polygons that they are parts of.
    """
    count = polygons.shape[1]
    value = polygons[..., 0] * lines[:, :1] + polygons[..., 1] * lines[:, 1:2] + lines[:, 2:]
    following, after = np.roll(polygons, -1, axis=1), np.roll(value, -1, axis=1)
    inside = value >= 0.0
    crossing = inside != (after >= 0.0)
    share = np.where(crossing, value / np.where(crossing, value - after, 1.0), 0.0)[..., None]
    corners = np.stack((polygons, polygons + share * (following - polygons)), axis=2).reshape(-1, 2 * count, 2)
    kept = np.stack((inside, crossing), axis=2).reshape(-1, 2 * count)
    rows = np.flatnonzero(kept.sum(axis=1) >= 3)
    corners, kept = corners[rows], kept[rows]
    order = np.argsort(~kept, axis=1, kind="stable")[:, : count + 1]
    corners = np.take_along_axis(corners, order[..., None], axis=1)
    last = np.minimum(kept.sum(axis=1), count + 1) - 1
    place = np.minimum(np.arange(count + 1), last[:, None])
    return np.take_along_axis(corners, place[..., None], axis=1), rows


def areas(polygons: Array) -> Array:
    """Signed areas (n,), positive if the corners turn from +x to +y."""
    x, y = polygons[..., 0], polygons[..., 1]
    doubled: Array = (x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)
    return 0.5 * doubled


def wound(polygons: Array) -> Array:
    """The polygons, with the corners of those with negative area in reversed order."""
    turned: Array = np.where((areas(polygons) < 0.0)[:, None, None], polygons[:, ::-1], polygons)
    return turned


def edge_lines(polygons: Array, side: int) -> Array:
    """For polygons of positive area, the lines (n, 3) through corners `side` and `side` + 1; positive inside."""
    start, end = polygons[:, side], polygons[:, (side + 1) % polygons.shape[1]]
    a, b = start[:, 1] - end[:, 1], end[:, 0] - start[:, 0]
    return np.stack((a, b, -a * start[:, 0] - b * start[:, 1]), axis=1)


def union_outlines(batches: list[Array], tolerance: float = TOLERANCE) -> Loops:
    """The outlines of the union of adjacent polygons, without the sides that two polygons share.

    Corners are rounded to GRID, and outlines thinned by `tolerance`. Outlines of fewer than three corners are omitted.
    """
    starts, ends = [], []
    for batch in batches:
        grid = np.rint(wound(batch) * GRID).astype(np.int64)
        starts.append(grid.reshape(-1, 2))
        ends.append(np.roll(grid, -1, axis=1).reshape(-1, 2))
    if not sum(map(len, starts)):
        return ()
    points, ids = np.unique(np.concatenate((*starts, *ends)), axis=0, return_inverse=True)
    start, end = ids.reshape(2, -1)
    start, end = _uncancelled(start, end, len(points))
    loops = [thinned(points[loop] / GRID, tolerance) for loop in _chained(start, end)]
    return tuple([loop for loop in loops if len(loop) >= 3])


def _uncancelled(start: IntArray, end: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """The starts (m,) and ends (m,) of the sides that remain when each pair of opposite sides is removed.

    Sides are given by the indices of their corners; `count`: the number of corners. Sides of zero length are removed
    too.
    """
    low, high = np.minimum(start, end), np.maximum(start, end)
    sides, which = np.unique(low * count + high, return_inverse=True)
    net = np.rint(np.bincount(which, weights=np.sign(end - start))).astype(np.int64)
    rows = np.repeat(np.arange(len(sides)), np.abs(net))
    low, high = sides[rows] // count, sides[rows] % count
    forwards = net[rows] > 0
    return np.where(forwards, low, high), np.where(forwards, high, low)


def _chained(start: IntArray, end: IntArray) -> list[list[int]]:
    """Joins sides to loops of corners. At each corner, as many sides must start as end."""
    onward: dict[int, list[int]] = {}
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        onward.setdefault(first, []).append(last)
    loops = []
    for first in list(onward):
        while onward[first]:
            loop, here = [first], onward[first].pop()
            while here != first:
                loop.append(here)
                here = onward[here].pop()
            loops.append(loop)
    return loops


def thinned(loop: Array, tolerance: float) -> Array:
    """The loop (k, 2) with fewer corners (Douglas, Peucker); removed corners are within `tolerance` of the new sides.

    The first corner and the one farthest from it are kept.
    """
    if len(loop) < 4:
        return loop
    kept = np.zeros(len(loop) + 1, dtype=bool)
    whole = np.concatenate((loop, loop[:1]))
    farthest = int(np.argmax(((loop - loop[0]) ** 2).sum(axis=1)))
    kept[[0, farthest, len(loop)]] = True
    spans = [(0, farthest), (farthest, len(loop))]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        off = distances_to_segment(whole[first + 1 : last], whole[first], whole[last])
        worst = int(np.argmax(off))
        if off[worst] > tolerance:
            middle = first + 1 + worst
            kept[middle] = True
            spans += [(first, middle), (middle, last)]
    return loop[kept[:-1]]


def distances_to_segment(points: Array, start: Array, end: Array) -> Array:
    """Distances (n,) of points (n, 2) from the segment from `start` to `end`."""
    way = end - start
    size = float(dots(way, way))
    t = np.clip(dots(points - start, way) / size, 0.0, 1.0) if size > 0.0 else np.zeros(len(points))
    off = points - start - t[:, None] * way
    gaps: Array = np.sqrt((off * off).sum(axis=1))
    return gaps


def at_least(corners: Array, values: Array, least: float) -> list[Array]:
    """The parts of triangles (n, 3, 2) where a linear function is at least `least`; `values` (n, 3): at the corners.

    Returns two batches: whole triangles, and parts of triangles that are cut.
    """
    above = values >= least
    whole, none = above.all(axis=1), ~above.any(axis=1)
    some = ~(whole | none)
    return [corners[whole], cut(corners[some], level_lines(corners[some], values[some] - least))[0]]


def level_lines(corners: Array, values: Array) -> Array:
    """Linear functions a x + b y + c, rows (n, 3), with `values` (n, 3) at the corners of triangles (n, 3, 2).

    For a triangle without area the function is constant: the value at its first corner.
    """
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    inverse = np.where(np.abs(area) > 1e-9, 1.0 / np.where(np.abs(area) > 1e-9, area, 1.0), 0.0)
    rise, other = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    a = (rise * second[:, 1] - other * first[:, 1]) * inverse
    b = (other * first[:, 0] - rise * second[:, 0]) * inverse
    return np.stack((a, b, values[:, 0] - a * corners[:, 0, 0] - b * corners[:, 0, 1]), axis=1)


def boxes_meet(first: Array, second: Array) -> BoolArray:
    """Whether the bounding boxes of polygons (n, k, 2) and (m, l, 2) overlap, (n, m); a common border is not enough."""
    low, high = first.min(axis=1), first.max(axis=1)
    other_low, other_high = second.min(axis=1), second.max(axis=1)
    meets: BoolArray = ((low[:, None] < other_high) & (other_low < high[:, None])).all(axis=2)
    return meets

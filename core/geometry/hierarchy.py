"""Bounding volume hierarchies: find overlapping boxes of many, and the farthest of many points along directions.

The rows are bisected repeatedly, across their widest extent. All groups of a level have the same number of rows, so a
level is one array. A search goes down level by level. At each level it tests together all pairs of groups that may
still have an answer. Rounding loses nothing: the answers are the same as from testing every pair.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from .tolerances import EPS
from .vector import Array, Indices, length_rows, product

AT_ONCE = 2**18
"""The most numbers that one step computes, so that no step takes more than about 20 MB."""
WHOLE = 2**20
"""Up to this number of products of points and directions, computing all is quicker than a search for the heights."""
SMALL = 2**14
"""As WHOLE, for a search that also needs the index of the farthest point."""
IN_CACHE = 2**14
"""The products that are computed at a time, if all are computed: these stay in the processor's cache."""
LEAF = 32
"""The largest group that is not split further: larger ones need more products, smaller ones more Python steps."""


def bisected(points: Array, most: int) -> Indices:
    """Indices of the points (n, 3), n > 0, in 2^d groups of equal size, at most `most`, as rows.

    Some points are in the groups twice, to fill them. The first half of the groups contains one half of the points, and
    so on at each level.
    """
    count = len(points)
    depth = ((count - 1) // most).bit_length()
    slots = -(-count >> depth) << depth
    order = np.arange(slots) * count // slots
    for level in range(depth):
        groups = order.reshape(1 << level, -1)
        rows = np.arange(len(groups))[:, None]
        corners = points[groups]
        widest = np.ptp(corners, axis=1).argmax(axis=1)[:, None]
        keys = corners[rows, np.arange(groups.shape[1]), widest]
        order = groups[rows, keys.argsort(axis=1, kind="stable")]
    return order.reshape(1 << depth, -1)


class _Hierarchy(Struct, frozen=True, eq=False):
    """Bounding boxes by level, the largest box first: `lows` and `highs` (3, 2^level).

    `numbers` (2^depth,): the indices of the given boxes that form the last level.
    """

    lows: list[Array]
    highs: list[Array]
    numbers: Indices

    @property
    def depth(self) -> int:
        return len(self.lows) - 1


def _hierarchy(low: Array, high: Array) -> _Hierarchy:
    numbers = bisected(low + high, 1)[:, 0]
    second = np.ones(len(numbers), dtype=bool)
    second[np.unique(numbers, return_index=True)[1]] = False
    lows, highs = [np.ascontiguousarray(low[numbers].T)], [np.ascontiguousarray(high[numbers].T)]
    # A box that fills a second slot gets an empty extent there, so that it overlaps nothing.
    lows[0][:, second], highs[0][:, second] = np.inf, -np.inf
    while lows[-1].shape[1] > 1:
        lows.append(np.minimum(lows[-1][:, ::2], lows[-1][:, 1::2]))
        highs.append(np.maximum(highs[-1][:, ::2], highs[-1][:, 1::2]))
    return _Hierarchy(lows[::-1], highs[::-1], numbers)


def overlapping(low_a: Array, high_a: Array, low_b: Array, high_b: Array) -> Iterator[tuple[Indices, Indices]]:
    """Yields the overlapping pairs of n boxes A and m boxes B, as two arrays of indices (k,).

    `low_a`, `high_a` (n, 3), `low_b`, `high_b` (m, 3): the boxes' least and largest coordinates. Each pair is yielded
    once, at most some tens of thousands at a time.
    """
    if not (len(low_a) and len(low_b)):
        return
    a, b = _hierarchy(low_a, high_a), _hierarchy(low_b, high_b)
    start = np.zeros(1, dtype=np.int64)
    waiting = [(0, start, start)]
    while waiting:
        level, i, j = waiting.pop()
        of_a, of_b = min(level, a.depth), min(level, b.depth)
        meet = np.ones(len(i), dtype=bool)
        for axis in range(3):
            meet &= a.lows[of_a][axis][i] <= b.highs[of_b][axis][j]
            meet &= b.lows[of_b][axis][j] <= a.highs[of_a][axis][i]
        i, j = i[meet], j[meet]
        if len(i) > AT_ONCE // 4:
            half = len(i) // 2
            waiting += [(level, i[:half], j[:half]), (level, i[half:], j[half:])]
            continue
        if level == max(a.depth, b.depth):
            yield a.numbers[i], b.numbers[j]
            continue
        level += 1
        if level <= a.depth:
            i, j = _halves(i), np.repeat(j, 2)
        if level <= b.depth:
            i, j = np.repeat(i, 2), _halves(j)
        waiting.append((level, i, j))


def _halves(groups: Indices) -> Indices:
    return (2 * groups[:, None] + (0, 1)).ravel()


def farthest(points: Array, directions: Array) -> tuple[Indices, Array]:
    """Returns, for each of the directions (m, 3), the index (m,) of the farthest of points (n, 3), and its height (m,).

    The search splits the directions into groups and drops points for a whole group. Let c be the group's centre and w
    the farthest point along c. For each direction d within `spread` of c, `d·(v - w) <= c·(v - w) + spread |v - w|`. A
    point v for which the right side is negative is not the farthest along any such d.
    """
    columns, ways = np.ascontiguousarray(points.T), np.ascontiguousarray(directions.T)
    if len(points) * len(directions) <= SMALL:
        return _highest(columns, ways)
    numbers, heights = np.zeros(len(directions), dtype=np.int64), np.zeros(len(directions))
    slack = 8.0 * EPS * float(length_rows(points).max() * length_rows(directions).max())
    rows, everywhere = bisected(directions, LEAF).ravel(), np.arange(len(points))
    waiting = [(rows, ways.take(rows, axis=1), everywhere, columns)]
    while waiting:
        rows, ways, near, places = waiting.pop()
        if len(rows) <= LEAF or len(near) <= LEAF:
            best, heights[rows] = _highest(places, ways)
            numbers[rows] = near[best]
            continue
        centre = np.add.reduce(ways, axis=1) / len(rows)
        spread = float(_distances(ways, centre).max())
        along = product(centre, places)
        top = along.argmax()
        kept = np.flatnonzero(along[top] - along <= spread * _distances(places, places[:, top]) + slack)
        near, places, half = near.take(kept), places.take(kept, axis=1), len(rows) // 2
        waiting += [(rows[:half], ways[:, :half], near, places), (rows[half:], ways[:, half:], near, places)]
    return numbers, heights


def _distances(columns: Array, point: Array) -> Array:
    """The distances (n,) of points, given as columns (3, n), from one point (3,)."""
    away = columns - point[:, None]
    away *= away
    distances: Array = np.sqrt(away[0] + away[1] + away[2])
    return distances


def _highest(columns: Array, ways: Array) -> tuple[Indices, Array]:
    """As `farthest`, by all products; points (3, n) and directions (3, m) are columns."""
    products = product(ways.T, columns)
    best = products.argmax(axis=1)
    return best, products[np.arange(len(best)), best]


def reach(columns: Array, directions: Array) -> Array:
    """The largest height (...) of points, given as columns (3, n), along each of the directions (..., 3)."""
    count, number = directions.size // 3, columns.shape[1]
    if count * number <= IN_CACHE:
        most: Array = product(directions, columns).max(axis=-1)
        return most
    rows = directions.reshape(-1, 3)
    if count * number > WHOLE:
        most = farthest(columns.T, rows)[1]
    else:
        most = np.concatenate([heights.max(axis=1) for heights in _in_parts(columns, rows)])
    return most.reshape(directions.shape[:-1])


def extreme_heights(columns: Array, directions: Array) -> tuple[Array, Array]:
    """Returns least and largest heights (m,) of points, given as columns (3, n), along directions (m, 3)."""
    if len(directions) * columns.shape[1] > WHOLE:
        return -farthest(columns.T, -directions)[1], farthest(columns.T, directions)[1]
    both = [(heights.min(axis=1), heights.max(axis=1)) for heights in _in_parts(columns, directions)]
    low, high = zip(*both, strict=True)
    return np.concatenate(low), np.concatenate(high)


def _in_parts(columns: Array, directions: Array) -> Iterator[Array]:
    """Yields the heights of points, given as columns (3, n), along directions (m, 3): arrays (some directions, n)."""
    columns = np.ascontiguousarray(columns)
    size = max(IN_CACHE // columns.shape[1], 1)
    for first in range(0, max(len(directions), 1), size):
        yield product(directions[first : first + size], columns)

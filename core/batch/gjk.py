"""GJK on many differences at once, with the same two bounds as for one (core/gjk/gjk.py).

The rules for ending are simpler here: a pair ends if its bounds have met, its support point is repeated, the origin is
enclosed or on the simplex, or the iterations are used up. The caller looks at the gap that is left, and gives the few
pairs with a wide one to the single algorithm.

All arrays have the pairs last, so that numpy works along them for any number of points. Each step separates the pairs
that go on from those that end.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .answers import Reals, Scale, crosses, dots, lengths

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]


@cache
def _countdown(last: int) -> NDArray[np.unsignedinteger[Any]]:
    """The integers from `last` to 0, of the smallest type that holds them, as a column."""
    return np.arange(last, -1, -1).astype(np.min_scalar_type(last))[:, None]


def lowest(values: Reals) -> tuple[Rows, Reals]:
    """Indices (k,) of the lowest of values (c, k), the first of equal ones, and that value (k,).

    Several times as fast as argmin.
    """
    last, low = len(values) - 1, np.minimum.reduce(values)
    # The index is counted from the last row.
    return last - np.maximum.reduce((values == low) * _countdown(last)).astype(np.intp), low


def spots(numbers: Rows) -> Rows:
    """Flat indices (..., k) of the values (c, k) that have the indices `numbers` (..., k) along the first axis."""
    out: Rows = numbers * numbers.shape[-1] + np.arange(numbers.shape[-1])
    return out


def picked(values: Reals, at: Rows) -> Reals:
    """The values (..., c, k) at the flat indices `at` (..., k) of their last two axes (see `spots`)."""
    out: Reals = values.reshape(*values.shape[:-2], -1).take(at, axis=-1)
    return out


class Nearest(Struct, frozen=True, eq=False):
    """The nearest points (3, k) of k simplices, and the features that hold them.

    `corners` (3, k): indices of each feature's points, of which the first `counts` (k,) count; the others are the
    newest point's. `enclosed` (k,): whether the origin is strictly inside a tetrahedron; the other numbers then are
    about its surface.
    """

    points: Reals
    corners: Rows
    counts: Rows
    enclosed: Flags


_SECOND = np.array((1, 2, 0))
"""Second corners of the faces of a tetrahedron that have its last corner as their third; the first ones count up."""


def nearest(simplices: Reals) -> Nearest:
    """The nearest points of simplices (3, c, k), c from 2 to 4, on the features that have the last corner.

    The feature always has GJK's newest corner, which leads nearer than the nearest point of the others. Every edge and
    every face is tried, which is slower for one simplex than Voronoi regions, but has no branch. A smaller simplex may
    repeat its newest corner at the end: faces and edges without a size are never the nearest.
    """
    size, count = simplices.shape[1:]
    newest = simplices[:, -1:]
    sides = simplices[:, :-1] - newest
    tiny = np.finfo(sides.dtype).tiny
    shares = dots(-newest, sides)
    shares /= np.maximum(dots(sides, sides), tiny)
    np.minimum(np.maximum(shares, 0, out=shares), 1, out=shares)
    reached = shares * sides
    reached += newest
    edge = lowest(dots(reached, reached))[0]
    at, corners = spots(edge), np.full((3, count), size - 1)
    share = picked(shares, at)
    # The point is computed from the nearer end, which loses fewer digits.
    beyond, some = share > 0.5, share > 0.0
    points = picked(simplices, spots(np.where(beyond, edge, size - 1))) + (share - beyond) * picked(sides, at)
    np.copyto(corners[0], edge, where=some)
    counts = 1 + (some & (share < 1.0))
    if size == 2:
        return Nearest(points, corners, counts, np.zeros(count, dtype=np.bool_))
    first = slice(1 if size == 3 else 3)
    second = _SECOND[first]
    normals = crosses(sides[:, first], sides.take(second, axis=1))
    squares, heights = dots(normals, normals), dots(newest, normals)
    # Barycentric weights of the origin's foot on each face, times the squares.
    across = crosses(newest, sides)
    weights = -dots(across.take(second, axis=1), normals), dots(across[:, first], normals)
    within = np.minimum(np.minimum(*weights), squares - weights[0] - weights[1]) > 0.0
    ratios = heights / np.maximum(squares, tiny)
    face, distances = lowest(np.where(within, heights * ratios, np.inf))
    closer, at = distances <= dots(points, points), spots(face)
    np.copyto(points, picked(normals, at) * picked(ratios, at), where=closer)
    np.copyto(corners[0], face, where=closer)
    np.copyto(corners[1], second.take(face), where=closer)
    np.copyto(counts, 3, where=closer)
    enclosed = np.zeros(count, dtype=np.bool_)
    if size == 4:
        a = simplices[:, 0]
        old = crosses(simplices[:, 1] - a, simplices[:, 2] - a)
        enclosed = np.logical_and.reduce(dots(sides.take((2, 0, 1), axis=1), normals) * heights < 0.0)
        enclosed &= dots(sides[:, 0], old) * dots(a, old) > 0.0
    return Nearest(points, corners, counts, enclosed)


def weights_of(corners: Reals, counts: Rows) -> Reals:
    """Weights (3, k), none negative, sum 1, of the points (3, 3, k) whose weighted mean is nearest the origin.

    The first `counts` (k,) points of each span a feature that holds its own foot, to rounding. The second of two rounds
    corrects the rounding errors that a sliver leaves in the first.
    """
    first = corners[:, 0]
    side, across = (corners[:, 1] - first) * (counts > 1), (corners[:, 2] - first) * (counts > 2)
    normals = crosses(side, across)
    squares, along = dots(normals, normals), dots(side, side)
    flat = squares <= 0.0
    squares, along = np.where(flat, 1, squares), np.where(along > 0.0, along, 1)
    second, third = np.zeros_like(squares), np.zeros_like(squares)
    for _ in range(2):
        left = -(first + second * side + third * across)
        second = second + np.where(flat, dots(left, side) / along, dots(crosses(left, across), normals) / squares)
        third = third + np.where(flat, 0, dots(crosses(side, left), normals) / squares)
    weights = np.maximum(np.stack((1 - second - third, second, third)), 0)
    out: Reals = weights / weights.sum(axis=0)
    return out


class PointClouds(Struct, frozen=True, eq=False):
    """m differences of hulls, in the form that GJK and EPA use.

    `points` (3, ka + kb, m): A's, `count_a` of them, then B's negated, in one frame.
    """

    points: Reals
    count_a: int

    def take(self, rows: Rows) -> PointClouds:
        """The record of some of the differences."""
        return PointClouds(self.points.take(rows, axis=2), self.count_a)

    def __call__(self, directions: Reals, rows: Rows) -> tuple[Reals, Rows]:
        """The points (3, k) of the differences `rows` (k,) farthest along `directions` (3, k), of any length but 0.

        The rows must ascend. Each point comes with a number (k,), from which `sources` finds its points of A and of B.
        Of equally far points the first is taken.
        """
        split, points = self.count_a, self.points
        if len(rows) < points.shape[2]:
            points = points.take(rows, axis=2)
        found = heights(points, -directions)
        on_a, on_b = lowest(found[:split])[0], lowest(found[split:])[0]
        out: Reals = picked(points, spots(on_a)) + picked(points, spots(on_b + split))
        return out, on_a * (len(found) - split) + on_b

    def sources(self, numbers: Rows, weights: Reals) -> tuple[Reals, Reals]:
        """Points of A and of B (3, m): means with `weights` (3, m) of the sources of the supports `numbers` (3, m)."""
        on_a, on_b = np.divmod(numbers, self.points.shape[1] - self.count_a)
        ends = ((picked(self.points, spots(on)) * weights).sum(axis=1) for on in (on_a, on_b + self.count_a))
        return next(ends), -next(ends)


def heights(points: Reals, directions: Reals) -> Reals:
    """Scalar products (c, k) of points (3, c, k) with directions (3, k)."""
    out: Reals = points[0] * directions[0]
    out += points[1] * directions[1]
    out += points[2] * directions[2]
    return out


ITERATIONS = 64


class GjkFound(Struct, frozen=True, eq=False):
    """For each pair (m,) `upper` and `lower` bounds of the distance, and the `normals` (3, m) that prove the lower one.

    `rows`: indices of the pairs, ascending. `overlapping`: 1 if the origin is in the simplex, to rounding, else 0.
    `simplices` (3, 4, m): of `counts` (m,) points each, `numbers` (4, m): their support numbers; the other places
    repeat the newest point. `points` (3, m): nearest the origin. All are views of `reals` (20, m) and `wholes` (7, m),
    so that two calls select pairs.
    """

    reals: Reals
    wholes: Rows
    simplices: Reals
    points: Reals
    normals: Reals
    upper: Reals
    lower: Reals
    numbers: Rows
    counts: Rows
    rows: Rows
    overlapping: Rows

    @staticmethod
    def of(reals: Reals, wholes: Rows) -> GjkFound:
        """The record of views on both arrays."""
        parts = reals[:12].reshape(3, 4, -1), reals[12:15], reals[15:18], reals[18], reals[19]
        return GjkFound(reals, wholes, *parts, wholes[:4], wholes[4], wholes[5], wholes[6])

    def take(self, some: Rows) -> GjkFound:
        """The record of some of the pairs."""
        return GjkFound.of(self.reals.take(some, axis=1), self.wholes.take(some, axis=1))

    def features(self, rows: Rows) -> tuple[Rows, Reals]:
        """Support numbers and weights (3, k) of the points whose mean is nearest the origin, in simplices `rows`."""
        numbers, counts = self.numbers[:3, rows], self.counts[rows]
        corners = self.simplices[:, :3].take(rows, axis=2)
        whole = np.flatnonzero(counts == 4)
        if len(whole):
            simplices = self.simplices.take(rows[whole], axis=2)
            # Every feature of a tetrahedron has a last corner.
            answers = [nearest(simplices[:, :size]) for size in (2, 3, 4)]
            best = spots(lowest(np.stack([dots(answer.points, answer.points) for answer in answers]))[0])
            features = spots(picked(np.stack([answer.corners for answer in answers], axis=1), best))
            corners[:, :, whole] = picked(simplices, features)
            numbers[:, whole] = picked(self.numbers.take(rows[whole], axis=1), features)
            counts[whole] = picked(np.stack([answer.counts for answer in answers]), best)
        return numbers, weights_of(corners, counts)


def gjk(supports: PointClouds, offsets: Reals, scale: Scale) -> GjkFound:
    """GJK for m differences; `offsets` (3, m): B less A, for the first direction."""
    rows = np.arange(offsets.shape[1])
    first = offsets.copy()
    first[0] += lengths(offsets) == 0.0
    points, numbers = supports(first, rows)
    going = GjkFound.of(np.zeros((20, len(rows)), dtype=offsets.dtype), np.zeros((7, len(rows)), dtype=np.intp))
    going.simplices[:], going.points[:], going.numbers[:] = points[:, None], points, numbers
    going.upper[:], going.lower[:], going.counts[:], going.rows[:] = np.inf, -np.inf, 1, rows
    ended: list[GjkFound] = []
    for _ in range(ITERATIONS):
        corners, numbers, on = _bounds(supports, scale, going)
        some = np.flatnonzero(on)
        ended.append(going.take(np.flatnonzero(~on)))
        if len(some):
            going = going.take(some)
            _approach(going, corners.take(some, axis=1), numbers.take(some))
            some, inside = np.flatnonzero(going.overlapping == 0), np.flatnonzero(going.overlapping)
            if len(inside):
                ended.append(going.take(inside))
                going = going.take(some)
        if not len(some):
            break
    else:
        ended.append(going)
    found = GjkFound.of(*(np.concatenate([getattr(it, name) for it in ended], axis=1) for name in ("reals", "wholes")))
    order = np.zeros_like(rows)
    order[found.rows] = rows
    np.minimum(np.maximum(found.lower, 0), found.upper, out=found.lower)
    return found.take(order)


def _bounds(supports: PointClouds, scale: Scale, going: GjkFound) -> tuple[Reals, Rows, Flags]:
    """Finds the next support points and improves the bounds by them.

    Returns the points (3, k), their numbers (k,), and whether each pair goes on (k,).
    """
    noise, distances = scale.rounding.take(going.rows), lengths(going.points)
    going.overlapping[:] = overlapping = distances <= noise
    directions = _directions(scale, going, distances)
    corners, numbers = supports(directions, going.rows)
    proofs = -dots(directions, corners)
    # A pair that never proves a bound keeps its first direction as normal.
    np.copyto(going.normals, directions, where=proofs > going.lower)
    np.maximum(going.lower, proofs, out=going.lower)
    np.minimum(going.upper, distances, out=going.upper)
    repeated = same_points(going.simplices, corners)
    return corners, numbers, ~(overlapping | repeated) & (going.upper - going.lower > noise)


def _approach(going: GjkFound, corners: Reals, numbers: Rows) -> None:
    """Adds the corners (3, k) to the simplices, and reduces each to the feature nearest the origin.

    All are treated as if they had as many points as the largest, which is quicker than one size after the other.
    """
    size = int(going.counts.max()) + 1
    free = np.arange(4)[:, None] >= going.counts
    np.copyto(going.simplices, corners[:, None], where=free)
    np.copyto(going.numbers, numbers, where=free)
    answer = nearest(going.simplices[:, :size])
    # A simplex that encloses the origin keeps its corners.
    np.copyto(answer.corners, np.arange(3)[:, None], where=answer.enclosed)
    at = spots(answer.corners)
    going.simplices[:, :3], going.numbers[:3] = picked(going.simplices, at), picked(going.numbers, at)
    going.counts[:], going.points[:], going.overlapping[:] = answer.counts, answer.points, answer.enclosed
    going.counts[answer.enclosed] = 4


def same_points(points: Reals, point: Reals) -> Flags:
    """Whether (k,) the `point` (3, k) is one of the points (3, c, k)."""
    return np.asarray(np.logical_or.reduce(np.logical_and.reduce(points == point[:, None])))


def _directions(scale: Scale, going: GjkFound, distances: Reals) -> Reals:
    """Unit directions (3, k) from the nearest points towards the origin; zero for a point at the origin.

    Close to the origin the rounding of the point turns its direction: then the triangle's normal is taken, or the
    direction made perpendicular to the edge (core/gjk/gjk.py).
    """
    directions: Reals = going.points / -np.maximum(distances, np.finfo(distances.dtype).tiny)
    # At larger distances the angle, rounding over the distance, is less than the certified gap, in doubles.
    nearby = min(4096 * sqrt(float(np.finfo(distances.dtype).eps)), sqrt(2**-11))
    near = distances <= nearby * scale.larger.take(going.rows)
    close = np.flatnonzero(near & (going.counts > 1) & (going.overlapping == 0))
    if not len(close):
        return directions
    corners, way = going.simplices.take(close, axis=2), directions[:, close]
    side = corners[:, 1] - corners[:, 0]
    across = way - (dots(way, side) / dots(side, side)) * side
    normal = crosses(side, corners[:, 2] - corners[:, 0])
    normal = np.where(dots(normal, corners[:, 0]) <= 0.0, normal, -normal)
    turned = np.where(going.counts[close] == 3, normal, across)
    sizes = lengths(turned)
    directions[:, close] = np.where(sizes > 0.0, turned / np.where(sizes > 0.0, sizes, 1), way)
    return directions

"""GJK on many differences at once, with the same two bounds as for one (core/gjk/gjk.py).

The stopping rules are simpler here. A pair ends if its bounds have met, its support point is repeated, the origin is
enclosed or on the simplex, or the iterations are used up. The caller passes the few pairs with a wide gap between the
bounds to the single algorithm.

The last axis of all arrays is the pair, so that numpy works along it for any number of points. Each step separates the
pairs that go on from those that end.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.vector import BoolArray
from .answers import Reals, Scale, crosses, dots, lengths

Integers = NDArray[np.intp]


@cache
def _countdown(last: int) -> NDArray[np.unsignedinteger[Any]]:
    """The integers from `last` down to 0 as a column, of the smallest unsigned type."""
    return np.arange(last, -1, -1).astype(np.min_scalar_type(last))[:, None]


def lowest(values: Reals) -> tuple[Integers, Reals]:
    """Returns, for values (c, k), the index (k,) of the lowest, the first of equal ones, and that value (k,).

    Several times as fast as argmin.
    """
    last, low = len(values) - 1, np.minimum.reduce(values)
    # The countdown of the first lowest row is the largest.
    return last - np.maximum.reduce((values == low) * _countdown(last)).astype(np.intp), low


def spots(numbers: Integers) -> Integers:
    """Flat indices (..., k), in an array (c, k), of the elements with first indices `numbers` (..., k)."""
    out: Integers = numbers * numbers.shape[-1] + np.arange(numbers.shape[-1])
    return out


def picked(values: Reals, at: Integers) -> Reals:
    """The values (..., c, k) at the flat indices `at` (..., k) of their last two axes (see `spots`)."""
    out: Reals = values.reshape(*values.shape[:-2], -1).take(at, axis=-1)
    return out


class Nearest(Struct, frozen=True, eq=False):
    """The points (3, k) of k simplices nearest the origin, and the features on which they lie.

    `corners` (3, k): indices of each feature's corners; the first `counts` (k,) are used, the others repeat the newest.
    `enclosed` (k,): whether the origin is strictly inside a tetrahedron; the other fields are then about its surface.
    """

    points: Reals
    corners: Integers
    counts: Integers
    enclosed: BoolArray


_SECOND = np.array((1, 2, 0))
"""Second corners of the three faces of a tetrahedron that have corner 3 as their third; the first are 0, 1, 2."""


def nearest(simplices: Reals) -> Nearest:
    """The points of simplices (3, c, k) nearest the origin, c from 2 to 4, on the features that have the last corner.

    The last corner is GJK's newest. It is nearer to the origin along the search direction than the others, so the
    feature always contains it. Every edge and every face with it is tried: for one simplex this is slower than Voronoi
    regions, but it has no branch. A smaller simplex may repeat its newest corner at the end: edges and faces without a
    size are never the nearest.
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
    # Computed from the nearer end of the edge, which loses fewer digits.
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
    # Barycentric weights of the origin's foot on each face, multiplied by `squares`.
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


def weights_of(corners: Reals, counts: Integers) -> Reals:
    """Weights (3, k) of points (3, 3, k) whose weighted mean is nearest the origin; none is negative, their sum is 1.

    The first `counts` (k,) points of each span a feature that contains the origin's foot, to rounding. A second round
    corrects the rounding errors of the first, which are large for slivers.
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
    """m differences of hulls, as GJK and EPA use them.

    `points` (3, ka + kb, m): A's points, `count_a` = ka of them, then B's points negated, in one frame.
    """

    points: Reals
    count_a: int

    def take(self, rows: Integers) -> PointClouds:
        """The differences with the numbers `rows` (m,) only."""
        return PointClouds(self.points.take(rows, axis=2), self.count_a)

    def __call__(self, directions: Reals, rows: Integers) -> tuple[Reals, Integers]:
        """Returns support points (3, k) of the differences `rows` (k,) along `directions` (3, k), and their numbers.

        The rows must ascend. A direction has any length but 0. A support number (k,) is a code of A's and B's vertex,
        which `sources` decodes. Of equally far points the first is taken.
        """
        split, points = self.count_a, self.points
        if len(rows) < points.shape[2]:
            points = points.take(rows, axis=2)
        found = heights(points, -directions)
        on_a, on_b = lowest(found[:split])[0], lowest(found[split:])[0]
        out: Reals = picked(points, spots(on_a)) + picked(points, spots(on_b + split))
        return out, on_a * (len(found) - split) + on_b

    def sources(self, numbers: Integers, weights: Reals) -> tuple[Reals, Reals]:
        """Returns points of A and of B (3, m): weighted means of the vertices behind three support points each.

        `numbers`, `weights` (3, m): the support points' numbers and weights.
        """
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
    """The distances of m pairs: `upper` and `lower` bounds (m,), and `normals` (3, m), which prove the lower ones.

    `rows` (m,): indices of the pairs. `overlapping` (m,): 1 if the origin is in the simplex, to rounding, else 0.
    `simplices` (3, 4, m): the first `counts` (m,) points of each are used, the other places repeat the newest.
    `numbers` (4, m): the points' support numbers. `points` (3, m): the simplices' points nearest the origin. All fields
    are views of `reals` (20, m) and `wholes` (7, m), so that two calls select pairs.
    """

    reals: Reals
    wholes: Integers
    simplices: Reals
    points: Reals
    normals: Reals
    upper: Reals
    lower: Reals
    numbers: Integers
    counts: Integers
    rows: Integers
    overlapping: Integers

    @staticmethod
    def of(reals: Reals, wholes: Integers) -> GjkFound:
        """The record whose fields are views of both arrays."""
        parts = reals[:12].reshape(3, 4, -1), reals[12:15], reals[15:18], reals[18], reals[19]
        return GjkFound(reals, wholes, *parts, wholes[:4], wholes[4], wholes[5], wholes[6])

    def take(self, some: Integers) -> GjkFound:
        """The pairs at the places `some` (m,) only."""
        return GjkFound.of(self.reals.take(some, axis=1), self.wholes.take(some, axis=1))

    def features(self, rows: Integers) -> tuple[Integers, Reals]:
        """Returns support numbers and weights (3, k) of the simplices' points nearest the origin; `rows`: of pairs."""
        numbers, counts = self.numbers[:3, rows], self.counts[rows]
        corners = self.simplices[:, :3].take(rows, axis=2)
        whole = np.flatnonzero(counts == 4)
        if len(whole):
            simplices = self.simplices.take(rows[whole], axis=2)
            # Each feature of a tetrahedron has a highest corner: the last one of the first 2, 3 or 4 corners.
            answers = [nearest(simplices[:, :size]) for size in (2, 3, 4)]
            best = spots(lowest(np.stack([dots(answer.points, answer.points) for answer in answers]))[0])
            features = spots(picked(np.stack([answer.corners for answer in answers], axis=1), best))
            corners[:, :, whole] = picked(simplices, features)
            numbers[:, whole] = picked(self.numbers.take(rows[whole], axis=1), features)
            counts[whole] = picked(np.stack([answer.counts for answer in answers]), best)
        return numbers, weights_of(corners, counts)


def gjk(supports: PointClouds, offsets: Reals, scale: Scale) -> GjkFound:
    """GJK for m differences. `offsets` (3, m): B's position minus A's, the first direction."""
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


def _bounds(supports: PointClouds, scale: Scale, going: GjkFound) -> tuple[Reals, Integers, BoolArray]:
    """Finds the next support points and improves the bounds in `going` by them.

    Returns the points (3, k), their support numbers (k,), and whether each pair goes on (k,).
    """
    noise, distances = scale.rounding.take(going.rows), lengths(going.points)
    going.overlapping[:] = overlapping = distances <= noise
    directions = _directions(scale, going, distances)
    corners, numbers = supports(directions, going.rows)
    proofs = -dots(directions, corners)
    # The first proof is always larger than the initial bound, minus infinity: so each pair has a normal.
    np.copyto(going.normals, directions, where=proofs > going.lower)
    np.maximum(going.lower, proofs, out=going.lower)
    np.minimum(going.upper, distances, out=going.upper)
    repeated = same_points(going.simplices, corners)
    return corners, numbers, ~(overlapping | repeated) & (going.upper - going.lower > noise)


def _approach(going: GjkFound, corners: Reals, numbers: Integers) -> None:
    """Adds the corners (3, k) to the simplices in `going`, and reduces each to the feature nearest the origin.

    All simplices are padded to the size of the largest, which is quicker than one size after another.
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


def same_points(points: Reals, point: Reals) -> BoolArray:
    """For each pair (k,), whether its `point` (3, k) equals one of its points (3, c, k)."""
    return np.asarray(np.logical_or.reduce(np.logical_and.reduce(points == point[:, None])))


def _directions(scale: Scale, going: GjkFound, distances: Reals) -> Reals:
    """Unit directions (3, k) from the nearest points towards the origin; zero for a point at the origin.

    Close to the origin, rounding of the point turns the direction. Then the direction is the triangle's normal, or is
    made perpendicular to the edge (core/gjk/gjk.py). `distances` (k,): of the nearest points from the origin.
    """
    directions: Reals = going.points / -np.maximum(distances, np.finfo(distances.dtype).tiny)
    # At larger distances the error of the direction, rounding over distance, costs less than the certified gap.
    nearby = min(4096 * sqrt(float(np.finfo(distances.dtype).eps)), sqrt(2**-11))
    near = distances <= nearby * scale.largest_radius.take(going.rows)
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

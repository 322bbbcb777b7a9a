"""GJK on many differences at once, with the same two bounds as for one (core/gjk/gjk.py).

What ends a pair here is simpler: its bounds have met, its support point has come before, the origin is enclosed or on
the simplex, or the iterations are used up. Whoever asks looks at the gap that is left, and asks the single algorithm
about the few pairs where it is too wide.

All arrays have the pairs last: numpy then works along them, whatever the number of points. In each step the pairs that
go on are taken out of those that end, by the size of their simplices, so that one call serves all simplices of a size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .answers import Reals, Scale, crosses, dots, lengths

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]


def lowest(values: Reals) -> Rows:
    """Numbers (k,) of the lowest of values (c, k), the first of equal ones: several times as fast as argmin."""
    last = len(values) - 1
    # Counted from the last, in the smallest integers that hold them.
    from_last = np.arange(last, -1, -1).astype(np.min_scalar_type(last))[:, None]
    numbers: Rows = last - ((values == values.min(axis=0)) * from_last).max(axis=0).astype(np.intp)
    return numbers


def picked(values: Reals, numbers: Rows) -> Reals:
    """Of values (..., c, k) those with the numbers (..., k) along the axis before the last: all leading ones alike."""
    count = values.shape[-1]
    flat = values.reshape(*values.shape[:-2], -1)
    out: Reals = flat.take(numbers * count + np.arange(count), axis=-1)
    return out


class Nearest(Struct, frozen=True, eq=False):
    """Per simplex the nearest point (3, k), and the feature that holds it.

    `corners` (3, k): numbers of the feature's points, of which the first `counts` (k,) count; the others are the
    newest. `enclosed` (k,): the origin is strictly inside a tetrahedron, and the rest is that of its surface.
    """

    points: Reals
    corners: Rows
    counts: Rows
    enclosed: Flags


_FACES = {3: ((0,), (1,)), 4: ((0, 1, 2), (1, 2, 0))}
"""By the size of a simplex: first and second corners of the faces that have the newest, its last, as their third."""


def nearest(simplices: Reals) -> Nearest:
    """For simplices (3, c, k) with c from 2 to 4: among the features that have the last corner.

    GJK's newest corner is always one of those: from the nearest point of the others it leads nearer. Every edge and
    every face is tried, which is slower a simplex than Voronoi regions, but without a branch.
    """
    size, count = simplices.shape[1:]
    newest = simplices[:, -1]
    sides = simplices[:, :-1] - newest[:, None]
    points, edges, shares = _on_edges(simplices, sides)
    corners = np.full((3, count), size - 1)
    np.copyto(corners[0], edges, where=shares > 0.0)
    counts = 1 + ((shares > 0.0) & (shares < 1.0))
    enclosed = np.zeros(count, dtype=np.bool_)
    if size == 2:
        return Nearest(points, corners, counts, enclosed)
    first, second = map(np.array, _FACES[size])
    one, other = sides[:, first], sides[:, second]
    normals = crosses(one, other)
    squares, heights = dots(normals, normals), dots(newest[:, None], normals)
    # Weights of the corners in the foot of the origin, times the squares.
    turned = crosses(np.broadcast_to(newest[:, None], sides.shape), sides)
    weights = -dots(turned[:, second], normals), dots(turned[:, first], normals)
    within = np.minimum(np.minimum(*weights), squares - weights[0] - weights[1]) > 0.0
    ratios = heights / np.maximum(squares, np.finfo(squares.dtype).tiny)
    distances = np.where(within, heights * ratios, np.inf)
    face = lowest(distances)
    closer = picked(distances, face) <= dots(points, points)
    np.copyto(points, picked(normals, face) * picked(ratios, face), where=closer)
    np.copyto(corners[0], first[face], where=closer)
    np.copyto(corners[1], second[face], where=closer)
    np.copyto(counts, 3, where=closer)
    if size == 4:
        across = dots(sides[:, [2, 0, 1]], normals)
        a, b, c = simplices[:, 0], simplices[:, 1], simplices[:, 2]
        old = crosses(b - a, c - a)
        enclosed = (across * heights < 0.0).all(axis=0) & (dots(sides[:, 0], old) * dots(a, old) > 0.0)
    return Nearest(points, corners, counts, enclosed)


def _on_edges(simplices: Reals, sides: Reals) -> tuple[Reals, Rows, Reals]:
    """The nearest point (3, k) of the edges from the last corner, its edge (k,) and its share (k,) of the way along it.

    `sides` (3, c - 1, k): the edges, from the last corner to the others.
    """
    newest = simplices[:, -1:]
    wholes = np.maximum(dots(sides, sides), np.finfo(sides.dtype).tiny)
    shares = np.minimum(np.maximum(-dots(newest, sides) / wholes, 0), 1)
    reached = newest + shares * sides
    edges = lowest(dots(reached, reached))
    share = picked(shares, edges)
    # From the nearer end on, which loses fewer digits.
    beyond = share > 0.5
    ends = np.where(beyond, edges, simplices.shape[1] - 1)
    return picked(simplices, ends) + (share - beyond) * picked(sides, edges), edges, share


def weights_of(corners: Reals, counts: Rows) -> Reals:
    """Weights (3, k), none negative, sum 1, of the points (3, 3, k) whose mean is nearest the origin.

    Of each the first `counts` (k,) points span a feature that holds its own foot, to rounding. Two rounds: the
    second takes up what a sliver's rounding has left of the first.
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


class Supports(Protocol):
    """m differences of convex bodies: all that the batched GJK and EPA know of the bodies."""

    def __call__(self, directions: Reals, rows: Rows) -> tuple[Reals, Rows]:
        """The points (3, k) of the differences `rows` (k,) farthest along `directions` (3, k), of any length but 0.

        With each comes a number (k,), by which the bodies find the points again that it is the difference of.
        """


AT_ONCE = 16384
"""Heights found at once: as many as stay in the processor's cache beside the points."""


class PointClouds(Struct, frozen=True, eq=False):
    """Differences of the hulls of points: coordinates (3, ka, m) of A's and (3, kb, m) of B's, in one frame."""

    points_a: Reals
    points_b: Reals

    def take(self, rows: Rows) -> PointClouds:
        """Some of the differences."""
        return PointClouds(self.points_a.take(rows, axis=2), self.points_b.take(rows, axis=2))

    def __call__(self, directions: Reals, rows: Rows) -> tuple[Reals, Rows]:
        """See Supports. Of equally far points the first is taken."""
        everyone = len(rows) == self.points_a.shape[2] and bool((rows[1:] > rows[:-1]).all())
        some = self if everyone else self.take(rows)
        on_a, on_b = farthest(some.points_a, -directions), farthest(some.points_b, directions)
        points: Reals = picked(some.points_a, on_a) - picked(some.points_b, on_b)
        return points, on_a * self.points_b.shape[1] + on_b

    def sources(self, numbers: Rows, weights: Reals) -> tuple[Reals, Reals]:
        """Points of A and B (3, m): means, by `weights` (3, m), of the points of the supports `numbers` (3, m)."""
        on_a = numbers // self.points_b.shape[1]
        on_b = numbers - on_a * self.points_b.shape[1]
        return _mean(self.points_a, on_a, weights), _mean(self.points_b, on_b, weights)


def _mean(points: Reals, numbers: Rows, weights: Reals) -> Reals:
    out: Reals = (picked(points, numbers) * weights).sum(axis=1)
    return out


def farthest(points: Reals, directions: Reals) -> Rows:
    """Numbers (k,) of the points (3, c, k) farthest against `directions` (3, k)."""
    x, y, z = directions
    heights = np.zeros(points.shape[1:], dtype=points.dtype)
    step = max(AT_ONCE // max(len(x), 1), 1)
    for start in range(0, len(heights), step):
        part, out = points[:, start : start + step], heights[start : start + step]
        np.multiply(part[0], x, out=out)
        out += part[1] * y
        out += part[2] * z
    return lowest(heights)


ITERATIONS = 64


class GjkFound(Struct, frozen=True, eq=False):
    """Per pair (m,): `upper` and `lower` bounds of the distance, the `normals` (3, m) that prove the lower one.

    `rows`: numbers of the pairs. `overlapping`: the origin is in the simplex, to rounding. `simplices` (3, 4, m) of
    `counts` (m,) points each, and the numbers (4, m) that came with them; the places left hold the newest once more.
    `points` (3, m): nearest the origin.
    """

    rows: Rows
    upper: Reals
    lower: Reals
    normals: Reals
    overlapping: Flags
    simplices: Reals
    numbers: Rows
    counts: Rows
    points: Reals

    def take(self, some: Rows) -> GjkFound:
        """Some of the pairs."""
        return GjkFound(*(getattr(self, name).take(some, axis=-1) for name in self.__struct_fields__))

    @staticmethod
    def joined(parts: Sequence[GjkFound]) -> GjkFound:
        """All pairs of the parts."""
        names = GjkFound.__struct_fields__
        return GjkFound(*(np.concatenate([getattr(part, name) for part in parts], axis=-1) for name in names))

    def features(self, rows: Rows) -> tuple[Rows, Reals]:
        """Numbers and weights (3, k) of the points whose mean is the nearest to the origin of the simplices `rows`."""
        numbers, counts = self.numbers[:3, rows], self.counts[rows]
        corners = self.simplices[:, :3].take(rows, axis=2)
        whole = np.flatnonzero(counts == 4)
        if len(whole):
            simplices = self.simplices.take(rows[whole], axis=2)
            # Every feature of a tetrahedron has a last corner.
            answers = [nearest(simplices[:, :size]) for size in (2, 3, 4)]
            best = lowest(np.stack([dots(answer.points, answer.points) for answer in answers]))
            features = picked(np.stack([answer.corners for answer in answers], axis=1), best)
            corners[:, :, whole] = picked(simplices, features)
            numbers[:, whole] = picked(self.numbers.take(rows[whole], axis=1), features)
            counts[whole] = picked(np.stack([answer.counts for answer in answers]), best)
        return numbers, weights_of(corners, counts)


def gjk(supports: Supports, offsets: Reals, scale: Scale) -> GjkFound:
    """`offsets` (3, m): B less A, for the first direction."""
    rows = np.arange(offsets.shape[1])
    first = offsets.copy()
    first[0] += lengths(offsets) == 0.0
    points, numbers = supports(first, rows)
    going = GjkFound(
        rows,
        np.full_like(first[0], np.inf),
        np.full_like(first[0], -np.inf),
        np.zeros_like(first),
        np.zeros(len(rows), dtype=np.bool_),
        np.repeat(points[:, None], 4, axis=1),
        np.repeat(numbers[None], 4, axis=0),
        np.ones(len(rows), dtype=np.intp),
        points,
    )
    ended: list[GjkFound] = []
    for _ in range(ITERATIONS):
        parts = list(_step(supports, scale, going, ended))
        if not parts:
            break
        going = GjkFound.joined(parts)
    else:
        ended.append(going)
    found = GjkFound.joined(ended)
    order = np.zeros_like(rows)
    order[found.rows] = rows
    np.minimum(np.maximum(found.lower, 0), found.upper, out=found.lower)
    return found.take(order)


def _step(supports: Supports, scale: Scale, going: GjkFound, ended: list[GjkFound]) -> Iterator[GjkFound]:
    """One step: those that go on, by the size of their simplices; the others go to the `ended` ones."""
    noise, distances = scale.rounding[going.rows], lengths(going.points)
    np.less_equal(distances, noise, out=going.overlapping)
    directions = _directions(scale, going, distances)
    corners, numbers = supports(directions, going.rows)
    proofs = -dots(directions, corners)
    # The first direction is a normal for those who never prove anything.
    np.copyto(going.normals, directions, where=proofs > going.lower)
    np.maximum(going.lower, proofs, out=going.lower)
    np.minimum(going.upper, distances, out=going.upper)
    repeated = same_points(going.simplices, corners).any(axis=0)
    on = ~going.overlapping & ~repeated & (going.upper - going.lower > noise)
    ended.append(going.take(np.flatnonzero(~on)))
    for size in (2, 3, 4):
        some = np.flatnonzero(on & (going.counts == size - 1))
        if not len(some):
            continue
        part = going.take(some)
        part.simplices[:, size - 1 :] = corners.take(some, axis=1)[:, None]
        part.numbers[size - 1 :] = numbers.take(some)
        answer = nearest(part.simplices[:, :size])
        inside = np.flatnonzero(answer.enclosed)
        whole = part.take(inside)
        whole.overlapping[:], whole.counts[:] = True, 4
        ended.append(whole)
        part.simplices[:, :3] = picked(part.simplices, answer.corners)
        part.numbers[:3] = picked(part.numbers, answer.corners)
        part.counts[:], part.points[:] = answer.counts, answer.points
        if len(inside) < len(some):
            yield part.take(np.flatnonzero(~answer.enclosed)) if len(inside) else part


def same_points(points: Reals, point: Reals) -> Flags:
    """Which of the points (3, c, k) are the `point` (3, k) of their pair, (c, k)."""
    return np.asarray((points[0] == point[0]) & (points[1] == point[1]) & (points[2] == point[2]))


def _directions(scale: Scale, going: GjkFound, distances: Reals) -> Reals:
    """Unit directions (3, k) from the nearest points towards the origin; zero if they are the same.

    Close by the rounding of the point turns its own: there it is that of the triangle's normal, or made perpendicular
    to the edge (core/gjk/gjk.py).
    """
    directions: Reals = going.points / -np.maximum(distances, np.finfo(distances.dtype).tiny)
    nearby = 64 * float(np.finfo(distances.dtype).eps) ** 0.5
    close = np.flatnonzero((distances <= nearby * scale.larger[going.rows]) & (going.counts > 1) & ~going.overlapping)
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

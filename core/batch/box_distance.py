"""The distance of many separated pairs of boxes, certified.

The nearest points of two boxes are a vertex and a point of the other box, or lie inside two edges. Sixteen vertices
are drawn in to the other box. Of the 144 edge pairs one can matter: where the nearest points lie inside two edges,
their distance is the gap on the product of the edges, so that axis wins SAT; and the edges are those that lie farthest
along it. What comes out is the distance of two points of the bodies, an upper bound; the direction between them, and
SAT's gap, give a lower one. Where rounding has picked another axis or edge the two differ, and all 144 are tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from .answers import Found, Reals, Scale, dots, lengths
from .boxes import BoxPairs, BoxSat

_ALL_EDGES = 512
"""Pairs at once when all edge pairs are tried."""


@dataclass(frozen=True, eq=False, slots=True)
class _Best:
    """The shortest way so far: its square (m,) and its components in A's frame (3, m), from A to B."""

    squares: Reals
    ways: Reals

    def see(self, squares: Reals, ways: Reals, rows: NDArray[np.intp] | slice = slice(None)) -> None:
        """Takes in other ways (3, k) of some rows, and their squares (k,)."""
        nearer = squares < self.squares[rows]
        self.squares[rows] = np.where(nearer, squares, self.squares[rows])
        self.ways[:, rows] = np.where(nearer, ways, self.ways[:, rows])


def box_distances(pairs: BoxPairs, sat: BoxSat, scale: Scale) -> Found:
    """Distances of pairs whose SAT gap is positive."""
    best = _nearest_vertices(pairs)
    lower, normals = sat.separations.copy(), sat.normals.copy()
    _prove(pairs, best, lower, normals, scale)
    rows = np.flatnonzero((sat.winners >= 6) & (np.sqrt(best.squares) - lower > scale.rounding))
    if len(rows):
        _see_winning_edges(pairs.take(rows), sat.winners[rows] - 6, best, rows)
        _prove(pairs, best, lower, normals, scale)
    doubtful = np.flatnonzero(np.sqrt(best.squares) - lower > scale.rounding)
    for start in range(0, len(doubtful), _ALL_EDGES):
        rows = doubtful[start : start + _ALL_EDGES]
        _see_every_edge(pairs.take(rows), best, rows)
    if len(doubtful):
        _prove(pairs, best, lower, normals, scale)
        _prove_across_edges(pairs, best, lower, normals, scale)
    distances = np.maximum(np.sqrt(best.squares), lower)
    return Found(distances, normals, distances - lower, np.zeros(len(lower), dtype=np.bool_))


def _prove(pairs: BoxPairs, best: _Best, lower: Reals, normals: Reals, scale: Scale) -> None:
    """Raises `lower` (m,) and turns `normals` (3, m), world, where the nearest way proves more than was known."""
    rows = np.flatnonzero(np.sqrt(best.squares) - lower > scale.rounding)
    _improve(pairs, lower, normals, rows, best.ways[:, rows])


def _prove_across_edges(pairs: BoxPairs, best: _Best, lower: Reals, normals: Reals, scale: Scale) -> None:
    """At small distances the rounding of the nearest points turns the way between them.

    If one of them lies on an edge, the way is known to be perpendicular to it.
    """
    own = np.eye(3, dtype=lower.dtype)
    for k in range(6):
        rows = np.flatnonzero(np.sqrt(best.squares) - lower > scale.rounding)
        if not len(rows):
            return
        along = own[:, k, None] if k < 3 else pairs.relative[:, k - 3, rows]
        ways = best.ways[:, rows]
        _improve(pairs, lower, normals, rows, ways - dots(ways, along) * along)


def _improve(pairs: BoxPairs, lower: Reals, normals: Reals, rows: NDArray[np.intp], ways: Reals) -> None:
    """Takes the directions of `ways` (3, k), A's frame, for those of the `rows` (k,) where they prove more."""
    if not len(rows):
        return
    sizes = lengths(ways)
    ways = ways / np.where(sizes > 0.0, sizes, 1)
    some = pairs.take(rows)
    reach_b = dots(np.abs(dots(some.relative, ways[:, None])), some.half_b)
    proofs = dots(ways, some.offset_a) - dots(np.abs(ways), some.half_a) - reach_b
    better = proofs > lower[rows]
    lower[rows[better]] = proofs[better]
    world = dots(some.axes_a[:, :, better], ways[:, None, better])
    normals[:, rows[better]] = world / lengths(world)


def _nearest_vertices(pairs: BoxPairs) -> _Best:
    """The nearest way from a vertex of either box to the other."""
    relative = pairs.relative
    squares, ways = _corner_ways(pairs.offset_a, relative.swapaxes(0, 1), pairs.half_b, pairs.half_a)
    best = _Best(squares, ways)
    squares, ways = _corner_ways(-pairs.offset_b, relative, pairs.half_a, pairs.half_b)
    best.see(squares, -dots(relative.swapaxes(0, 1), ways[:, None]))
    return best


def _corner_ways(middle: Reals, axes: Reals, half: Reals, other_half: Reals) -> tuple[Reals, Reals]:
    """From the other box about the origin, with half extents `other_half` (3, m), to the nearest corner of this one.

    This one has its centre at `middle` (3, m) and `axes` (3 axes, 3, m), in the other's frame. The squares (m,) of the
    lengths of the ways, and the ways (3, m).
    """
    corners = middle[:, None]
    for k in range(3):
        arm = (half[k] * axes[k])[:, None]
        corners = np.concatenate((corners - arm, corners + arm), axis=1)
    beyond = np.abs(corners)
    beyond -= other_half[:, None]
    np.maximum(beyond, 0, out=beyond)
    beyond *= beyond
    squares = beyond[0]
    squares += beyond[1]
    squares += beyond[2]
    nearest = squares.argmin(axis=0)
    columns = np.arange(len(nearest))
    corner = corners[:, nearest, columns]
    return squares[nearest, columns], corner - np.clip(corner, -other_half, other_half)


def _see_winning_edges(pairs: BoxPairs, edges: NDArray[np.int64], best: _Best, rows: NDArray[np.intp]) -> None:
    """The edges that lie farthest along SAT's axis, of A towards B and of B towards A; `edges` (k,) is 3 i + j."""
    for edge in range(9):
        some = np.flatnonzero(edges == edge)
        if not len(some):
            continue
        part = pairs.take(some)
        relative, half_a, half_b = part.relative, part.half_a, part.half_b
        i, j = divmod(edge, 3)
        u, v, p, q = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        # A.i × B.j has the components -relative[v, j] and relative[u, j] along A.u and A.v, and likewise in B's frame.
        towards_b = relative[u, j] * part.offset_a[v] - relative[v, j] * part.offset_a[u]
        middle_a = np.zeros_like(half_a)
        middle_a[u] = np.copysign(half_a[u], -relative[v, j] * towards_b)
        middle_a[v] = np.copysign(half_a[v], relative[u, j] * towards_b)
        arm_p = np.copysign(half_b[p], relative[i, q] * towards_b)
        arm_q = np.copysign(half_b[q], -relative[i, p] * towards_b)
        middle_b = part.offset_a - arm_p * relative[:, p] - arm_q * relative[:, q]
        best.see(*_edge_ways(part, i, j, middle_b - middle_a), rows[some])


def _see_every_edge(pairs: BoxPairs, best: _Best, rows: NDArray[np.intp]) -> None:
    """All 144 edge pairs."""
    for i, j in product(range(3), range(3)):
        u, v, p, q = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        arm_p, arm_q = (pairs.half_b[k] * pairs.relative[:, k] for k in (p, q))
        for sign_u, sign_v, sign_p, sign_q in product((-1, 1), repeat=4):
            between = pairs.offset_a + sign_p * arm_p + sign_q * arm_q
            between[u] -= sign_u * pairs.half_a[u]
            between[v] -= sign_v * pairs.half_a[v]
            best.see(*_edge_ways(pairs, i, j, between), rows)


def _edge_ways(pairs: BoxPairs, i: int, j: int, between: Reals) -> tuple[Reals, Reals]:
    """The nearest way (3, m) from an edge along A.i to one along B.j, whose middles are `between` (3, m) apart.

    Of the lines, drawn in to the edges' ends (Ericson 2004, section 5.1.9). First its square (m,).
    """
    along_b = pairs.relative[:, j]
    cosine = along_b[i]
    squares = along_b[i - 2] * along_b[i - 2] + along_b[i - 1] * along_b[i - 1]
    at_a, at_b = between[i], dots(between, along_b)
    reach_a, reach_b = pairs.half_a[i], pairs.half_b[j]
    on_a = np.clip((at_a - cosine * at_b) / np.where(squares > 0.0, squares, 1), -reach_a, reach_a)
    on_b = np.clip(cosine * on_a - at_b, -reach_b, reach_b)
    on_a = np.clip(at_a + cosine * on_b, -reach_a, reach_a)
    ways = between + on_b * along_b
    ways[i] -= on_a
    return dots(ways, ways), ways

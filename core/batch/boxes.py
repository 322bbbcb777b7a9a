"""SAT for many pairs of boxes: fifteen axes in the radius form (Gottschalk, Lin, Manocha 1996), here with unit axes.

All is computed in A's frame. There, the product of A's edge i and B's edge j has two entries of the relative rotation
as components. Departures: products of nearly parallel edges are computed again from the axes themselves, as
`e1 × (e2 ∓ e1)`, because those entries have lost digits. The axis is divided by its length, because the radius form
with an axis of another length is known to report false separations.

The nearest points of pairs apart, and the deepest points of pairs that overlap, are found with a proof. B is moved
along the normal by minus the separation. It then touches A in a vertex of A or B, or where two edges cross. If that
point is in both boxes, it gives the witness points. If not, they are found by projecting it from box to box. The
distance of the two points is an upper bound. The direction between them, and SAT's gap, prove a lower bound. If the
bounds differ, all vertices are tried, then all 144 edge pairs.
"""

from __future__ import annotations

from itertools import product
from typing import Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..geometry.tolerances import EPS, FRAME_ROUNDING
from .answers import Found, Positive, Reals, Scale, crosses, dots, lengths

RETRY_SIN = 0.03
"""Below this sine of two edges' angle, their axis is computed again.

The error of a component is eps, that of the unit axis eps over the sine. With a larger limit, aligned boxes take more
time; with a smaller one, digits are lost.
"""

_NEXT, _LAST = [1, 2, 0], [2, 0, 1]
_OTHERS = slice(1, 3), slice(2, None, -2), slice(0, 2)
_SWAPPED = slice(2, 0, -1), slice(0, None, 2), slice(1, None, -1)
"""The two other axes of each axis as slices, which copy nothing.

`_OTHERS`: in cyclic order, (1, 2), (2, 0), (0, 1). `_SWAPPED`: each pair reversed.
"""


class _Columns(Struct, frozen=True, eq=False):
    """A record of arrays with m pairs on the last axis."""

    def take(self, pairs: NDArray[np.intp]) -> Self:
        """The record of the pairs with the numbers `pairs` (m,) only."""
        return type(self)(*(getattr(self, name).take(pairs, axis=-1) for name in self.__struct_fields__))


class BoxPairs(_Columns, frozen=True, eq=False):
    """A chunk of m box pairs: half extents `half_a`, `half_b` (3, m), and B's pose relative to A.

    `relative` (3, 3, m): entry (i, j) is the component of B's axis j along A's axis i. `offsets` (3, m): B's position
    minus A's, in A's frame.
    """

    half_a: Reals
    half_b: Reals
    relative: Reals
    offsets: Reals

    @staticmethod
    def of(half_a: Reals, half_b: Reals, frames: Frames) -> BoxPairs:
        """The pairs with these half extents (3, m) and poses."""
        relative = _along(frames.axes_a, frames.axes_b.swapaxes(0, 1))
        return BoxPairs(half_a, half_b, relative, _along(frames.axes_a, frames.offsets))

    def scale(self) -> Scale:
        """The scale of the pairs, of which tolerances are shares."""
        radii = lengths(self.half_a), lengths(self.half_b)
        return Scale.of(self.offsets, *radii, self.half_a.max(axis=0), self.half_b.max(axis=0))

    def from_b(self, ways: Reals) -> Reals:
        """Transforms vectors (3, ..., m) from B's frame to A's."""
        return _along(self.relative, ways)

    def to_b(self, ways: Reals) -> Reals:
        """Transforms vectors (3, ..., m) from A's frame to B's."""
        return _along(self.relative.swapaxes(0, 1), ways)


def _along(axes: Reals, ways: Reals) -> Reals:
    """Components (3, ..., m) of vectors (3, ..., m) along axes (3 axes, 3, m).

    The terms are summed in a fixed order, so that every processor gives the same digits; `einsum` does not.
    """
    between = (3, *(1,) * (ways.ndim - 2), ways.shape[-1])
    out: Reals = axes[:, 0].reshape(between) * ways[0]
    part = axes[:, 1].reshape(between) * ways[1]
    out += part
    np.multiply(axes[:, 2].reshape(between), ways[2], out=part)
    out += part
    return out


def _within(values: Reals, reach: Reals) -> Reals:
    """The values clamped to [-reach, reach]."""
    out: Reals = np.minimum(np.maximum(values, -reach), reach)
    return out


class Frames(_Columns, frozen=True, eq=False):
    """The poses of m pairs in the world: `axes_a`, `axes_b` (3 axes, 3, m), and `offsets` (3, m).

    `offsets`: B's position minus A's.
    """

    axes_a: Reals
    axes_b: Reals
    offsets: Reals

    def to_world(self, ways: Reals) -> Reals:
        """Transforms vectors (3, m) from A's frame to the world."""
        return _along(self.axes_a.swapaxes(0, 1), ways)

    def edge_axes(self, edges: NDArray[np.intp]) -> tuple[Reals, Reals]:
        """Returns unit cross products (3, m), world, of edge pairs, and the sines of their angles (m,).

        `edges` (m,): 3 i + j for A's axis i and B's axis j, which must not be parallel.
        """
        columns = np.arange(len(edges))
        i, j = np.divmod(edges, 3)
        along_a, along_b = self.axes_a[i, :, columns].T, self.axes_b[j, :, columns].T
        flips = np.where(dots(along_a, along_b) < 0.0, -1, 1).astype(along_a.dtype)
        products = crosses(along_a, flips * along_b - along_a)
        sines = lengths(products)
        return products * (flips / sines), sines


class BoxSat(Struct, frozen=True, eq=False):
    """The deciding axis of each pair.

    `separations` (m,): signed, along that axis; the largest of fifteen, to rounding. `winners` (m,): the row of the
    axis in the order A.x A.y A.z B.x B.y B.z A.x×B.x ... A.z×B.z; the lowest of rows that tie within rounding.
    `normals` (3, m): the axis, unit and from A to B, A's frame. `normals_b` (3, m): the same direction in B's frame, of
    any length.
    """

    separations: Reals
    winners: NDArray[np.intp]
    normals: Reals
    normals_b: Reals


def _direction_tables() -> tuple[NDArray[np.intp], NDArray[np.int8]]:
    """Returns tables of the fifteen axes' components: an index of an entry for each, and a sign.

    An index 0 to 8 is an entry of the flattened `relative`, 9 is the number 1. Both tables are (6, 15): three
    components in A's frame, then three in B's.
    """
    rows, signs = np.full((6, 15), 9), np.zeros((6, 15), dtype=np.int8)
    for k, j in product(range(3), range(3)):
        signs[k, k] = signs[3 + k, 3 + k] = 1
        rows[3 + j, k], signs[3 + j, k] = 3 * k + j, 1
        rows[k, 3 + j], signs[k, 3 + j] = 3 * k + j, 1
    for i, j in product(range(3), range(3)):
        u, v, p, q = _NEXT[i], _LAST[i], _NEXT[j], _LAST[j]
        for place, row, sign in ((u, 3 * v + j, -1), (v, 3 * u + j, 1), (3 + p, 3 * i + q, 1), (3 + q, 3 * i + p, -1)):
            rows[place, 6 + 3 * i + j], signs[place, 6 + 3 * i + j] = row, sign
    return rows, signs


_ROWS, _TURNS = _direction_tables()

_EDGES = [(i, _NEXT[i], _LAST[i], j) for i, j in product(range(3), range(3))]
_ALONG = np.array([(3 * i + j, 3 * u + j, 3 * v + j) for i, u, v, j in _EDGES]).T
"""Three rows of the flattened `relative` for each edge pair 3 i + j.

They hold B's axis j along A's axes i, i + 1 and i + 2, cyclically.
"""
_ENDS = np.array([(i, u, v, 3 + u, 3 + v) for i, u, v, _ in _EDGES]).T
"""Rows of (vertex of B, vertex of A) for each edge pair 3 i + j, (5, 9): B's along A.i and the other two axes, A's
along the other two."""


def box_sat(pairs: BoxPairs, frames: Frames, scale: Scale) -> BoxSat:
    """The deciding axis of each pair, and its separation."""
    gaps = _gaps(pairs, frames, scale)
    below = (gaps < gaps.max(axis=0) - scale.rounding).view(np.int8)
    # The deciding row is the first that is not below. Its index is the number of rows before it.
    so_far = below[0].copy()
    first = so_far.copy()
    for row in below[1:]:
        so_far &= row
        first += so_far
    winners = first.astype(np.intp)
    count = len(winners)
    columns = np.arange(count)
    rows = np.concatenate((pairs.relative.reshape(9, count), np.ones((1, count), dtype=gaps.dtype)))
    axes = rows.take((_ROWS * count).take(winners, axis=1) + columns)
    axes *= _TURNS.astype(gaps.dtype).take(winners, axis=1)
    normals, normals_b = axes[:3], axes[3:]
    sizes = lengths(normals)
    normals /= sizes
    close = np.flatnonzero(sizes < RETRY_SIN)
    if len(close):
        some = frames.take(close)
        again, _ = some.edge_axes(winners[close] - 6)
        normals[:, close], normals_b[:, close] = _along(some.axes_a, again), _along(some.axes_b, again)
    # The normal has the sign of its product with the offset; a product of 0 or -0 counts as positive.
    axes *= np.copysign(1, dots(normals, pairs.offsets) + 0)
    return BoxSat(gaps.take(winners * count + columns), winners, normals, normals_b)


def _gaps(pairs: BoxPairs, frames: Frames, scale: Scale) -> Reals:
    """Signed separations along fifteen unit axes, (15, m)."""
    gaps = _undivided(pairs, frames)
    sines = np.zeros_like(pairs.relative)
    for i, two in enumerate(_OTHERS):
        first, second = pairs.relative[two]
        np.multiply(first, first, out=sines[i])
        sines[i] += second * second
    np.sqrt(sines, out=sines)
    close = np.flatnonzero(sines < RETRY_SIN)
    small = sines.take(close)
    sines.reshape(-1)[close] = 1.0
    gaps[6:] /= sines.reshape(9, -1)
    _form_again(pairs, frames, scale, gaps, close, small)
    return gaps


def _undivided(pairs: BoxPairs, frames: Frames) -> Reals:
    """The separations (15, m); those along products of edges are not yet divided by the sines."""
    half_a, half_b, relative, offsets = pairs.half_a, pairs.half_b, pairs.relative, pairs.offsets
    size = np.abs(relative)
    gaps = np.zeros((15, half_a.shape[1]), dtype=half_a.dtype)
    gaps[0:3], gaps[3:6] = offsets, _along(frames.axes_b, frames.offsets)
    of_edges = gaps[6:].reshape(relative.shape)
    for i, (u, v) in enumerate(zip(_NEXT, _LAST, strict=True)):
        np.multiply(relative[u], offsets[v], out=of_edges[i])
        of_edges[i] -= relative[v] * offsets[u]
    np.abs(gaps, out=gaps)
    across = size.swapaxes(0, 1)
    gaps[0:3] -= half_a
    _lessen(gaps[0:3], half_b, across)
    gaps[3:6] -= half_b
    _lessen(gaps[3:6], half_a, size)
    for k, (two, swapped) in enumerate(zip(_OTHERS, _SWAPPED, strict=True)):
        _lessen(of_edges[k], half_a[two], size[swapped])
        _lessen(of_edges[:, k], half_b[two], across[swapped])
    return gaps


def _lessen(gaps: Reals, halves: Reals, sizes: Reals) -> None:
    """Subtracts half extents (k, m) times components (k, 3, m) from the gaps (3, m), in place, one k after another."""
    part = halves[0] * sizes[0]
    gaps -= part
    for half, size in zip(halves[1:], sizes[1:], strict=True):
        np.multiply(half, size, out=part)
        gaps -= part


def _form_again(
    pairs: BoxPairs, frames: Frames, scale: Scale, gaps: Reals, close: NDArray[np.intp], sines: Reals
) -> None:
    """Computes the separations along products of nearly parallel edges again, from the axes themselves.

    Changes `gaps` (15, m). `close` (k,): flat indices into its edge pairs (9, m), whose separations are not divided by
    the `sines` (k,) yet. A separation becomes -inf if the edges are parallel to rounding, or if it cannot be the
    largest even with its rounding error.
    """
    edges, where = np.divmod(close, gaps.shape[1])
    best = gaps[:6].take(where, axis=1).max(axis=0)
    parallel = FRAME_ROUNDING * float(np.finfo(gaps.dtype).eps) / EPS
    # The margins allow for rounding errors of the separations and sines.
    may_win = gaps[6 + edges, where] + 2.0 * scale.rounding.take(where) >= best * sines
    again = np.flatnonzero(may_win & (2.0 * sines > parallel))
    gaps[6 + edges, where] = -np.inf
    if len(again):
        edges, where = edges[again], where[again]
        some = frames.take(where)
        axes, sines = some.edge_axes(edges)
        beyond = np.abs(dots(axes, some.offsets))
        beyond -= dots(np.abs(_along(some.axes_a, axes)), pairs.half_a.take(where, axis=1))
        beyond -= dots(np.abs(_along(some.axes_b, axes)), pairs.half_b.take(where, axis=1))
        beyond[sines <= parallel] = -np.inf
        gaps[6 + edges, where] = beyond


_SIGNS = np.array(list(product((-1, 1), repeat=4))).T[:, :, None]
"""Signs of the four half extents that place an edge of each of two boxes: (4, 16, 1)."""

_ALL_EDGES = 512
"""The most box pairs for which all edge pairs are tried at once."""


class _Nearest(Struct, frozen=True, eq=False):
    """The bounds of m pairs' distances so far, and the nearest points, A's frame.

    `ways` (3, m): the shortest vectors from A to B so far, the upper bounds. `squares` (m,): their squared lengths.
    `starts` (3, m): their start points on A. `lower` (m,): the lower bounds, proved by the unit `normals` (3, m).
    """

    squares: Reals
    ways: Reals
    starts: Reals
    lower: Reals
    normals: Reals

    def unmet(self, rows: NDArray[np.intp], rounding: Reals) -> NDArray[np.intp]:
        """The part of `rows` (m,) whose bounds have not met, to `rounding` (n,)."""
        return rows[np.sqrt(self.squares.take(rows)) - self.lower.take(rows) > rounding.take(rows)]

    def see(self, ways: Reals, starts: Reals, rows: NDArray[np.intp]) -> None:
        """Records the shortest of n vectors `ways` (3, n, k) of each of `rows` (k,), if it is shorter than before.

        `starts` (3, n, k): the vectors' start points on A.
        """
        squares, columns = dots(ways, ways), np.arange(len(rows))
        shortest = squares.argmin(axis=0)
        squares = squares[shortest, columns]
        nearer = np.flatnonzero(squares < self.squares.take(rows))
        _put(self.squares[None], squares[None], nearer, rows)
        _put(self.ways, ways[:, shortest, columns], nearer, rows)
        _put(self.starts, starts[:, shortest, columns], nearer, rows)

    def prove(self, pairs: BoxPairs, ways: Reals, rows: NDArray[np.intp]) -> None:
        """Records the directions of `ways` (3, k) that prove a larger lower bound. `pairs`: of `rows` (k,) only.

        Boxes that overlap, and were moved until they touch, keep SAT's normal and the lower bound 0.
        """
        sizes = lengths(ways)
        ways = ways / np.where(sizes > 0.0, sizes, 1)
        proofs = dots(ways, pairs.offsets)
        proofs -= dots(np.abs(ways), pairs.half_a)
        proofs -= dots(np.abs(pairs.to_b(ways)), pairs.half_b)
        lower = self.lower.take(rows)
        better = np.flatnonzero((proofs > lower) & (lower > 0.0))
        _put(self.lower[None], proofs[None], better, rows)
        _put(self.normals, ways, better, rows)


def _put(into: Reals, values: Reals, some: NDArray[np.intp], rows: NDArray[np.intp]) -> None:
    """Writes the columns `some` of `values` (c, k) into the columns `rows[some]` of `into`.

    Each row is written alone, which is twice as fast.
    """
    places = rows[some]
    for own, value in zip(into, values, strict=True):
        own[places] = value[some]


def box_answers(pairs: BoxPairs, frames: Frames, scale: Scale, positive: Positive) -> Found:
    """The answers by SAT, with the distance and nearest points of pairs apart, and the deepest points of the others.

    With Positive.BOUND, the distance is computed only if SAT's gap is within the touching band, and the verdict open.
    """
    sat = box_sat(pairs, frames, scale)
    inside, lower = np.minimum(sat.separations, 0), np.maximum(sat.separations, 0)
    bounds = (lower > scale.bands) & (positive is Positive.BOUND)
    # Overlapping boxes: B moved along the normal by the depth touches A, in the deepest points.
    out = inside * sat.normals
    moved = replace(pairs, offsets=pairs.offsets - out)
    ways, starts = _projected(moved, _winning_points(pairs, sat))
    nearest = _Nearest(dots(ways, ways), ways, starts, lower, sat.normals)
    rows = np.flatnonzero((np.sqrt(nearest.squares) - lower > scale.rounding) & ~bounds)
    if len(rows):
        _look_on(moved, nearest, rows, scale.rounding)
    gaps = (np.sqrt(nearest.squares) - nearest.lower) * ((nearest.lower > 0.0) & ~bounds)
    # Rounding may make the upper bound less than the lower one.
    separations = inside + nearest.lower + np.maximum(gaps, 0)
    on_a = frames.to_world(nearest.starts)
    on_b = on_a + frames.to_world(nearest.ways + out)
    if positive is Positive.BOUND:
        np.copyto(on_a, np.nan, where=bounds)
        np.copyto(on_b, np.nan, where=bounds)
    return Found(separations, frames.to_world(nearest.normals), gaps, bounds, on_a, on_b)


def _winning_points(pairs: BoxPairs, sat: BoxSat) -> Reals:
    """The point (3, m), A's frame, where A and B touch if B is moved along the normal by minus the separation.

    By the winning axis, it is a vertex of B on a face of A, a vertex of A on a face of B, or the crossing of two edges.
    For some pairs the point is not in both boxes: for boxes apart that are nearest at a vertex and an edge or vertex,
    and for some with parallel edges or faces.
    """
    half_a, relative = pairs.half_a, pairs.relative
    count = half_a.shape[1]
    # Rows 0 to 2: the vertex of B; rows 3 to 5: the vertex of A.
    vertices = np.zeros((6, count), dtype=half_a.dtype)
    np.subtract(pairs.offsets, pairs.from_b(np.copysign(pairs.half_b, sat.normals_b)), out=vertices[:3])
    vertices[:3] -= sat.separations * sat.normals
    np.copysign(half_a, sat.normals, out=vertices[3:])
    chosen = (3 * count) * (sat.winners >= 3) + np.arange(count)
    points: Reals = vertices.take(chosen + count * np.arange(3)[:, None])
    rows = np.flatnonzero(sat.winners >= 6)
    edges = sat.winners[rows] - 6
    places = count * _ENDS.take(edges, axis=1) + rows
    b, b_u, b_v, a_u, a_v = vertices.take(places)
    along, along_u, along_v = relative.take(count * _ALONG.take(edges, axis=1) + rows)
    squares = along_u * along_u + along_v * along_v
    slid = ((a_u - b_u) * along_u + (a_v - b_v) * along_v) / np.where(squares > 0.0, squares, 1)
    points.reshape(-1)[places[0]] = b + slid * along
    return points


def _projected(pairs: BoxPairs, points: Reals) -> tuple[Reals, Reals]:
    """Projects points (3, ..., m) to A, then to B, then to A. Returns the vectors from the last point to that on B.

    Returns also the last points, on A.
    """
    on_a = _within(points, pairs.half_a)
    on_b = pairs.offsets + pairs.from_b(_within(pairs.to_b(on_a - pairs.offsets), pairs.half_b))
    on_a = _within(on_b, pairs.half_a)
    return on_b - on_a, on_a


def _look_on(pairs: BoxPairs, nearest: _Nearest, rows: NDArray[np.intp], rounding: Reals) -> None:
    """Searches the nearest points of pairs apart or touching: by vertices, then by edges, until the bounds meet."""
    nearest.prove(pairs.take(rows), nearest.ways.take(rows, axis=1), rows)
    for look, size in ((_see_vertices, len(rows)), (_see_every_edge, _ALL_EDGES)):
        rows = nearest.unmet(rows, rounding)
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            part = pairs.take(some)
            look(part, nearest, some)
            nearest.prove(part, nearest.ways[:, some], some)
        _prove_across_edges(pairs, nearest, rows, rounding)


def _prove_across_edges(pairs: BoxPairs, nearest: _Nearest, rows: NDArray[np.intp], rounding: Reals) -> None:
    """Tries to prove lower bounds by the vector between the nearest points made perpendicular to each edge direction.

    At small distances, rounding of the points turns that vector. If a point is on an edge, the vector must be
    perpendicular to the edge.
    """
    own = np.eye(3, dtype=rounding.dtype)
    for k in range(6):
        rows = nearest.unmet(rows, rounding)
        if not len(rows):
            return
        along = own[:, k, None] if k < 3 else pairs.relative[:, k - 3, rows]
        ways = nearest.ways[:, rows]
        nearest.prove(pairs.take(rows), ways - dots(ways, along) * along, rows)


def _see_vertices(pairs: BoxPairs, nearest: _Nearest, rows: NDArray[np.intp]) -> None:
    """Records the shortest vectors between the vertices of each box and the other box, for eight vertices at once."""
    half_a, half_b, offsets = pairs.half_a[:, None], pairs.half_b[:, None], pairs.offsets[:, None]
    signs = _SIGNS[:3, ::2].astype(half_a.dtype)
    several = BoxPairs(half_a, half_b, pairs.relative, offsets)
    for vertices in (signs * half_a, offsets + pairs.from_b(signs * half_b)):
        nearest.see(*_projected(several, vertices), rows)


def _see_every_edge(pairs: BoxPairs, nearest: _Nearest, rows: NDArray[np.intp]) -> None:
    """Records the shortest vectors of all 144 edge pairs: sixteen at once for each pair of edge directions.

    The nearest points of the lines are clamped to the edges (Ericson 2005, section 5.1.9).
    """
    relative, half_a, half_b = pairs.relative, pairs.half_a, pairs.half_b
    sign_u, sign_v, sign_p, sign_q = _SIGNS.astype(half_a.dtype)
    for i, u, v, j in _EDGES:
        p, q, along, cosine = _NEXT[j], _LAST[j], relative[:, None, j], relative[i, j]
        starts = np.zeros((3, 16, len(rows)), dtype=half_a.dtype)
        starts[u], starts[v] = sign_u * half_a[u], sign_v * half_a[v]
        # First from the middle of A's edge to the middle of B's, at last between the edges' nearest points.
        ways = pairs.offsets[:, None] + sign_p * (half_b[p] * relative[:, p])[:, None]
        ways += sign_q * (half_b[q] * relative[:, q])[:, None] - starts
        at_a, at_b = ways[i].copy(), dots(ways, along)
        squares = relative[u, j] * relative[u, j] + relative[v, j] * relative[v, j]
        on_a = _within((at_a - cosine * at_b) / np.where(squares > 0.0, squares, 1), half_a[i])
        on_b = _within(cosine * on_a - at_b, half_b[j])
        starts[i] = _within(at_a + cosine * on_b, half_a[i])
        ways += on_b * along
        ways[i] -= starts[i]
        nearest.see(ways, starts, rows)

"""SAT for many pairs of boxes: fifteen axes in the radius form (Gottschalk, Lin, Manocha 1996), made unit.

Everything is seen from A's frame, where the product of A's edge i and B's edge j has two components of the relative
rotation. Departures: nearly parallel edges are formed once more from the axes themselves, as `e1 × (e2 ∓ e1)`, because
those components have lost their digits there; and the axis is divided by its length, without which the radius form is
known for false separations.

The distance of many separated pairs of boxes, certified.

The nearest points of two boxes lie inside two edges, or one of them is a vertex. Inside two edges their distance is
the gap on the product of the edges, so that axis wins SAT, and the edges are those that lie farthest along it. A vertex
is found by projecting from box to box, or else among all sixteen. What comes out is the distance of two points of the
bodies, an upper bound; the direction between them, and SAT's gap, give a lower one. Where rounding has picked another
axis or edge the two differ, and all 144 edge pairs are tried.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import EPS, FRAME_ROUNDING
from .answers import Found, Reals, Scale, crosses, dots, lengths

RETRY_SIN = 0.03
"""Below this sine of two edges' angle their axis is formed once more. Its components are good to eps, the axis to
eps over the sine: larger, and aligned boxes cost more; smaller, and digits are lost."""

_NEXT, _LAST = [1, 2, 0], [2, 0, 1]


class BoxPairs(Struct, frozen=True, eq=False):
    """A chunk of m box pairs: `half_a`, `half_b` (3, m); `axes_a`, `axes_b` (3 axes, 3, m), world.

    `offsets` (3, m): B less A. `relative` (3, 3, m): component along A's axis i of B's axis j; `offset_a`, `offset_b`
    (3, m): the offset in A's and in B's frame.
    """

    half_a: Reals
    half_b: Reals
    axes_a: Reals
    axes_b: Reals
    offsets: Reals
    relative: Reals
    offset_a: Reals
    offset_b: Reals

    @staticmethod
    def of(half_a: Reals, half_b: Reals, axes_a: Reals, axes_b: Reals, offsets: Reals) -> BoxPairs:
        """Works out the relative pose."""
        a, b = axes_a.swapaxes(0, 1), axes_b.swapaxes(0, 1)
        relative = dots(a[:, :, None], b[:, None, :])
        offset_a, offset_b = dots(a, offsets[:, None]), dots(b, offsets[:, None])
        return BoxPairs(half_a, half_b, axes_a, axes_b, offsets, relative, offset_a, offset_b)

    def take(self, pairs: NDArray[np.intp]) -> BoxPairs:
        """Some of the pairs."""
        return BoxPairs(*(getattr(self, name).take(pairs, axis=-1) for name in self.__struct_fields__))

    def scale(self) -> Scale:
        """What tolerances are measured by."""
        return Scale.of(
            self.offsets, lengths(self.half_a), lengths(self.half_b), self.half_a.max(axis=0), self.half_b.max(axis=0)
        )


class BoxSat(Struct, frozen=True, eq=False):
    """Per pair the largest signed separation (m,) over fifteen axes, and the unit axis (3, m) from A to B.

    `winners` (m,): its row in the order A.x A.y A.z B.x B.y B.z A.x×B.x ... A.z×B.z, the lowest of those that rounding
    cannot tell apart.
    """

    separations: Reals
    normals: Reals
    winners: NDArray[np.int64]

    def take(self, pairs: NDArray[np.intp]) -> BoxSat:
        """Some of the pairs."""
        return BoxSat(self.separations[pairs], self.normals[:, pairs], self.winners[pairs])


def box_sat(pairs: BoxPairs, scale: Scale) -> BoxSat:
    """The winning axis of every pair."""
    gaps = _gaps(pairs)
    threshold = gaps.max(axis=0) - scale.rounding
    first = np.zeros(gaps.shape[1], dtype=np.int8)
    for row in range(14, -1, -1):
        np.copyto(first, row, where=gaps[row] >= threshold)
    winners = first.astype(np.int64)
    columns = np.arange(len(winners))
    normals = _axis(pairs, winners)
    # B lies towards +axis unless the smaller way out is the other one; with both ways equal it counts as towards.
    normals *= np.where(dots(normals, pairs.offsets) < 0.0, -1, 1).astype(normals.dtype)
    return BoxSat(gaps[winners, columns], normals, winners)


def _gaps(pairs: BoxPairs) -> Reals:
    """Signed separations on fifteen axes, (15, m)."""
    half_a, half_b, relative = pairs.half_a, pairs.half_b, pairs.relative
    size = np.abs(relative)
    out = np.zeros((15, half_a.shape[1]), dtype=half_a.dtype)
    out[0:3] = np.abs(pairs.offset_a) - half_a - dots(size.swapaxes(0, 1), half_b[:, None])
    out[3:6] = np.abs(pairs.offset_b) - half_b - dots(size, half_a[:, None])
    for i, own in enumerate(out[6:].reshape(3, 3, -1)):
        u, v = _NEXT[i], _LAST[i]
        np.abs(pairs.offset_a[v] * relative[u] - pairs.offset_a[u] * relative[v], out=own)
        own -= half_a[u] * size[v] + half_a[v] * size[u]
        for j, along in enumerate(own):
            p, q = _NEXT[j], _LAST[j]
            along -= half_b[p] * size[i, q] + half_b[q] * size[i, p]
        squares = relative[u] * relative[u] + relative[v] * relative[v]
        close = squares < RETRY_SIN * RETRY_SIN
        np.copyto(squares, 1.0, where=close)
        own /= np.sqrt(squares, out=squares)
        if close.any():
            of_b, where = np.nonzero(close)
            own[of_b, where] = _close_gaps(pairs, np.full_like(of_b, i), of_b, where)
    return out


def _close_gaps(pairs: BoxPairs, i: NDArray[np.intp], j: NDArray[np.intp], where: NDArray[np.intp]) -> Reals:
    """Separations on the products of nearly parallel edges; -inf where rounding leaves them no direction."""
    axes, sines = edge_axes(pairs.axes_a[i, :, where].T, pairs.axes_b[j, :, where].T)
    gaps = np.abs(dots(axes, pairs.offsets[:, where]))
    for k in range(3):
        gaps -= pairs.half_a[k, where] * np.abs(dots(axes, pairs.axes_a[k][:, where]))
        gaps -= pairs.half_b[k, where] * np.abs(dots(axes, pairs.axes_b[k][:, where]))
    spacing = float(np.finfo(sines.dtype).eps) / EPS
    gaps[sines <= FRAME_ROUNDING * spacing] = -np.inf
    return gaps


def edge_axes(along_a: Reals, along_b: Reals) -> tuple[Reals, Reals]:
    """Unit products (3, k) of unit edges (3, k), zero where exactly parallel, and the sines (k,)."""
    flips = np.where(dots(along_a, along_b) < 0.0, -1, 1).astype(along_a.dtype)
    products = crosses(along_a, flips * along_b - along_a)
    sines = lengths(products)
    return products * (flips / np.where(sines > 0.0, sines, 1)), sines


def _axis(pairs: BoxPairs, winners: NDArray[np.int64]) -> Reals:
    """The winning axes (3, m), unit, either way round."""
    edges = np.maximum(winners - 6, 0)
    of_a = _chosen(pairs.axes_a, np.where(winners < 3, winners, edges // 3))
    of_b = _chosen(pairs.axes_b, np.where(winners < 6, np.maximum(winners - 3, 0), edges % 3))
    axes = np.where(winners < 3, of_a, of_b)
    crossed = np.flatnonzero(winners >= 6)
    axes[:, crossed] = edge_axes(of_a[:, crossed], of_b[:, crossed])[0]
    return axes


def _chosen(axes: Reals, which: NDArray[np.int64]) -> Reals:
    """Of axes (3 axes, 3, m) the one (3, m) that is `which` (m,)."""
    out: Reals = np.where(which == 0, axes[0], np.where(which == 1, axes[1], axes[2]))
    return out


_SIGNS = np.array(list(product((-1, 1), repeat=4))).T[:, :, None]
"""Of the four half extents that place an edge of each of two boxes: (4, 16, 1)."""

_ALL_EDGES = 512
"""Pairs at once when all edge pairs are tried."""

ROUNDS = 2
"""Projections from box to box: two find the vertex of nearly all pairs that are far apart."""


class _Best(Struct, frozen=True, eq=False):
    """The shortest way so far from A to B: its square (m,), its components and where it starts (3, m), A's frame."""

    squares: Reals
    ways: Reals
    starts: Reals

    def see(self, squares: Reals, ways: Reals, starts: Reals, rows: NDArray[np.intp]) -> None:
        """Takes in other ways (3, k) of some rows, their squares (k,) and where they start (3, k)."""
        nearer = np.flatnonzero(squares < self.squares[rows])
        better = rows[nearer]
        self.squares[better] = squares[nearer]
        self.ways[:, better] = ways[:, nearer]
        self.starts[:, better] = starts[:, nearer]


def box_distances(pairs: BoxPairs, sat: BoxSat, scale: Scale) -> Found:
    """Distances of pairs whose SAT gap is positive: what each way of looking has certified, the next leaves out."""
    lower, normals = sat.separations.copy(), sat.normals.copy()
    everyone = np.arange(len(lower))
    best = _nearest_projections(pairs)
    _improve(pairs, lower, normals, everyone, best.ways)

    def left(rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the rows that are not certified yet."""
        return rows[np.sqrt(best.squares[rows]) - lower[rows] > scale.rounding[rows]]

    rows = left(everyone[sat.winners >= 6])
    _see_winning_edges(pairs.take(rows), sat.winners[rows] - 6, best, rows)
    rows = everyone
    for look, size in ((_see_vertices, len(rows)), (_see_every_edge, _ALL_EDGES)):
        rows = left(rows)
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            part = pairs.take(some)
            look(part, best, some)
            _improve(part, lower, normals, some, best.ways[:, some])
    _prove_across_edges(pairs, best, lower, normals, scale)
    distances = np.maximum(np.sqrt(best.squares), lower)
    on_a, on_b = (dots(pairs.axes_a, points[:, None]) for points in (best.starts, best.starts + best.ways))
    return Found(distances, normals, distances - lower, np.zeros(len(lower), dtype=np.bool_), on_a, on_b)


def deepest_points(pairs: BoxPairs, sat: BoxSat, scale: Scale) -> tuple[Reals, Reals]:
    """Witnesses (3, m) on A and on B, relative to A's position, of pairs that overlap or touch.

    Moved out along the normal by the depth B only touches A. Where it does lie the nearest points of the two.
    """
    out = sat.separations * sat.normals
    moved = BoxPairs.of(pairs.half_a, pairs.half_b, pairs.axes_a, pairs.axes_b, pairs.offsets - out)
    found = box_distances(moved, BoxSat(np.zeros_like(sat.separations), sat.normals, sat.winners), scale)
    assert found.points_a is not None
    assert found.points_b is not None
    return found.points_a, found.points_b + out


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
        _improve(pairs.take(rows), lower, normals, rows, ways - dots(ways, along) * along)


def _improve(pairs: BoxPairs, lower: Reals, normals: Reals, rows: NDArray[np.intp], ways: Reals) -> None:
    """Takes the directions of `ways` (3, k), A's frame, for those of the `rows` (k,) where they prove more.

    `pairs`: of these rows only.
    """
    sizes = lengths(ways)
    ways = ways / np.where(sizes > 0.0, sizes, 1)
    reach_b = dots(np.abs(dots(pairs.relative, ways[:, None])), pairs.half_b)
    proofs = dots(ways, pairs.offset_a) - dots(np.abs(ways), pairs.half_a) - reach_b
    better = np.flatnonzero(proofs > lower[rows])
    world = dots(pairs.axes_a.take(better, axis=-1), ways[:, None].take(better, axis=-1))
    lower[rows[better]] = proofs[better]
    normals[:, rows[better]] = world / lengths(world)


def _nearest_projections(pairs: BoxPairs) -> _Best:
    """From B's centre to A, from there to B, and so on: each time the nearest point of the other box.

    Once the right vertex is found nothing moves any more, which takes two or three rounds.
    """
    limit_a, limit_b = pairs.half_a, pairs.half_b
    on_a = on_b = pairs.offset_a
    for _ in range(ROUNDS):
        on_a = np.minimum(np.maximum(on_b, -limit_a), limit_a)
        local = dots(pairs.relative, (on_a - pairs.offset_a)[:, None])
        local = np.minimum(np.maximum(local, -limit_b), limit_b)
        on_b = pairs.offset_a + dots(pairs.relative.swapaxes(0, 1), local[:, None])
    on_a = np.minimum(np.maximum(on_b, -limit_a), limit_a)
    ways = on_b - on_a
    return _Best(dots(ways, ways), ways, on_a)


def _see_vertices(pairs: BoxPairs, best: _Best, rows: NDArray[np.intp]) -> None:
    """The nearest way from a vertex of either box to the other."""
    relative = pairs.relative
    squares, ways, corners = _corner_ways(pairs.offset_a, relative.swapaxes(0, 1), pairs.half_b, pairs.half_a)
    best.see(squares, ways, corners - ways, rows)
    squares, ways, corners = _corner_ways(-pairs.offset_b, relative, pairs.half_a, pairs.half_b)
    ways, corners = (dots(relative.swapaxes(0, 1), columns[:, None]) for columns in (ways, corners))
    best.see(squares, -ways, pairs.offset_a + corners, rows)


def _corner_ways(middle: Reals, axes: Reals, half: Reals, other_half: Reals) -> tuple[Reals, Reals, Reals]:
    """From the other box about the origin, with half extents `other_half` (3, m), to the nearest corner of this one.

    This one has its centre at `middle` (3, m) and `axes` (3 axes, 3, m), in the other's frame. The squares (m,) of the
    lengths of the ways, the ways (3, m) and the corners (3, m).
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
    return squares[nearest, columns], corner - np.clip(corner, -other_half, other_half), corner


def _see_winning_edges(pairs: BoxPairs, edges: NDArray[np.int64], best: _Best, rows: NDArray[np.intp]) -> None:
    """The edges that lie farthest along SAT's axis, of A towards B and of B towards A; `edges` (k,) is 3 i + j."""
    relative, half_a, half_b, columns = pairs.relative, pairs.half_a, pairs.half_b, np.arange(len(rows))
    i, j = np.divmod(edges, 3)
    u, v, p, q = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    # A.i × B.j has the components -relative[v, j] and relative[u, j] along A.u and A.v, and likewise in B's frame.
    along_u, along_v = -relative[v, j, columns], relative[u, j, columns]
    towards_b = along_u * pairs.offset_a[u, columns] + along_v * pairs.offset_a[v, columns]
    arm_p = np.copysign(half_b[p, columns], relative[i, q, columns] * towards_b)
    arm_q = np.copysign(half_b[q, columns], -relative[i, p, columns] * towards_b)
    starts = np.zeros_like(pairs.offset_a)
    starts[u, columns] = np.copysign(half_a[u, columns], along_u * towards_b)
    starts[v, columns] = np.copysign(half_a[v, columns], along_v * towards_b)
    between = pairs.offset_a - arm_p * relative[:, p, columns] - arm_q * relative[:, q, columns] - starts
    edge = _Edge(relative[:, j, columns], relative[i, j, columns], half_a[i, columns], half_b[j, columns])
    ways, on_a = edge.ways(between, between[i, columns], along_u * along_u + along_v * along_v)
    ways[i, columns] -= on_a
    starts[i, columns] = on_a
    best.see(dots(ways, ways), ways, starts, rows)


def _see_every_edge(pairs: BoxPairs, best: _Best, rows: NDArray[np.intp]) -> None:
    """All 144 edge pairs: of each two directions sixteen at once."""
    relative, half_a, half_b, columns = pairs.relative, pairs.half_a, pairs.half_b, np.arange(len(rows))
    sign_u, sign_v, sign_p, sign_q = _SIGNS.astype(half_a.dtype)
    for i, j in product(range(3), range(3)):
        u, v, p, q = _NEXT[i], _LAST[i], _NEXT[j], _LAST[j]
        arm_p, arm_q = half_b[p] * relative[:, p], half_b[q] * relative[:, q]
        edge = _Edge(relative[:, None, j], relative[i, j], half_a[i], half_b[j])
        squares = relative[u, j] * relative[u, j] + relative[v, j] * relative[v, j]
        starts = np.zeros((3, 16, len(rows)), dtype=half_a.dtype)
        starts[u], starts[v] = sign_u * half_a[u], sign_v * half_a[v]
        between = pairs.offset_a[:, None] + sign_p * arm_p[:, None] + sign_q * arm_q[:, None] - starts
        ways, starts[i] = edge.ways(between, between[i], squares)
        ways[i] -= starts[i]
        lengths_squared = dots(ways, ways)
        nearest = lengths_squared.argmin(axis=0)
        found = (lengths_squared[nearest, columns], ways[:, nearest, columns], starts[:, nearest, columns])
        best.see(*found, rows)


class _Edge(Struct, frozen=True, eq=False):
    """An edge of A and one of B, in A's frame, for each of k pairs.

    `along_b` (3, k): B's direction; `cosine` (k,): its component along A's; `reach_a`, `reach_b` (k,): half lengths.
    """

    along_b: Reals
    cosine: Reals
    reach_a: Reals
    reach_b: Reals

    def ways(self, between: Reals, at_a: Reals, squares: Reals) -> tuple[Reals, Reals]:
        """From A's middle to the nearest point on B's edge (3, k), and how far along A's edge the nearest point is.

        `between` (3, k): between the edges' middles, `at_a` (k,) its component along A's edge; `squares` (k,): of the
        sine. Of the lines, drawn in to the edges' ends (Ericson 2005, section 5.1.9).
        """
        at_b = dots(between, self.along_b)
        on_a = (at_a - self.cosine * at_b) / np.where(squares > 0.0, squares, 1)
        on_a = np.minimum(np.maximum(on_a, -self.reach_a), self.reach_a)
        on_b = np.minimum(np.maximum(self.cosine * on_a - at_b, -self.reach_b), self.reach_b)
        on_a = np.minimum(np.maximum(at_a + self.cosine * on_b, -self.reach_a), self.reach_a)
        return between + on_b * self.along_b, on_a

"""The arcs of two Gauss maps: on which side of each arc the other map's points lie, and which pairs of arcs may cross.

With a, b the ends of an arc of A and c, d the ends of an arc of -B, they cross if `det(a,b,c)` and `det(a,b,d)` differ
in sign, `det(c,d,a)` and `det(c,d,b)` differ, and `det(a,b,c)` and `det(c,d,a)` differ too (gauss_map). Signs that
doubles cannot decide are settled by exact integers. If there are few pairs, all are tested; else only pairs of arcs
that lie near each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.hierarchy import AT_ONCE, overlapping
from ..geometry.tolerances import COVERED_SIN, GAUSS_SIGN
from ..geometry.vector import Array, BoolArray, Indices, cross_rows, dots, length_rows, product
from .cores import Core
from .pair import TooLargeError

ALL_PAIRS = 2**17
"""The largest number of edge pairs for which testing all is quicker than a search."""
PIECES_OF_MEAN = 8
"""The mean arc of a map divided by this is the length below which its arcs are cut no further.

Pieces are made by halving, so an arc of mean length is cut into up to twice as many.
"""
_MOST_HALVINGS = 8
"""The most halvings of an arc: half a circle, the longest, is cut into 256 pieces of 0.012 radians."""
MOST_PAIRS = 1_000_000
"""The largest number of pairs of arcs that may cross. More raise TooLargeError before their signs and axes take memory,
430 bytes a pair."""


class Arcs(Struct, frozen=True, eq=False, dict=True):
    """One body's Gauss map, B's reflected in the origin.

    `normals` (f, 3): of the faces, negated for B. `edge_faces` (e, 2): the faces at the ends of every edge's arc.
    `perturbed`: whether `exact` is perturbed; only B's is.
    """

    normals: Array
    edge_faces: Indices
    perturbed: bool

    @cached_property
    def planes(self) -> Array:
        """Normals (e, 3) of the planes of the arcs' great circles; their lengths are the sines of the arcs."""
        first, second = self.edge_faces.T
        return cross_rows(self.normals[first], self.normals[second])

    @cached_property
    def exact(self) -> NDArray[np.object_]:
        """The face normals (f, 3) as integers; perturbed if `perturbed`."""
        exact = _in_whole_units(self.normals)
        return _perturbed(exact) if self.perturbed else exact


class ArcSides(Struct, frozen=True, eq=False, dict=True):
    """The sides of the `own` arcs on which the points of the `other` map lie.

    `at_once`: whether the signs of all arcs and points are computed at once, as `signs`.
    """

    own: Arcs
    other: Arcs
    at_once: bool

    @cached_property
    def signs(self) -> tuple[BoolArray, BoolArray]:
        """The answer of `at` for every arc and every point, (e, f) each."""
        dets = product(self.own.planes, self.other.normals.T)
        positive, doubtful = dets > 0.0, np.abs(dets) <= GAUSS_SIGN
        edges, faces = np.nonzero(doubtful)
        if len(edges):
            positive[edges, faces] = self._settled(edges, faces)
        return positive, doubtful

    def at(self, edges: Indices, faces: Indices, *, settled: bool = True) -> tuple[BoolArray, BoolArray]:
        """Returns whether points lie on the positive sides of arcs, and which of these signs are in doubt.

        `edges`: of the arcs; `faces`: of the points. Both results have the shape of `faces`. A sign is in doubt if
        doubles cannot decide it, also when exact integers have settled it; unless `settled`, it may be wrong.
        """
        if self.at_once:
            positive, doubtful = self.signs
            return positive[edges, faces], doubtful[edges, faces]
        dets = dots(self.own.planes[edges], self.other.normals[faces])
        positive, doubtful = dets > 0.0, np.abs(dets) <= GAUSS_SIGN
        if settled and doubtful.any():
            # Each determinant is computed once: a product of integers takes as long as a hundred of doubles.
            count = len(self.other.normals)
            keys, places = np.unique((edges * count + faces)[doubtful], return_inverse=True)
            positive[doubtful] = self._settled(*np.divmod(keys, count))[places]
        return positive, doubtful

    def _settled(self, edges: Indices, faces: Indices) -> BoolArray:
        """Whether the exact determinants are positive, (k,)."""
        exact, ends = self.own.exact, self.own.edge_faces
        used, places = np.unique(edges, return_inverse=True)
        (ax, ay, az), (bx, by, bz) = exact[ends[used, 0]].T, exact[ends[used, 1]].T
        px, py, pz = self.other.exact[faces].T
        x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        dets = x[places] * px + y[places] * py + z[places] * pz
        return np.asarray(dets > 0, dtype=bool)


def both_sides(a: Core, b: Core, *, at_once: bool | None = None) -> tuple[ArcSides, ArcSides]:
    """The sides of A's arcs for the points of -B, and of the arcs of -B for A's points.

    `at_once`: as in `ArcSides`; None decides by the number of pairs.
    """
    arcs_a = Arcs(a.solid.normals, a.solid.edge_faces, perturbed=False)
    # Reflected in the origin, the left and the right of an edge change places.
    arcs_b = Arcs(-b.solid.normals, b.solid.edge_faces[:, ::-1], perturbed=True)
    if at_once is None:
        at_once = len(arcs_a.edge_faces) * len(arcs_b.edge_faces) <= ALL_PAIRS
    return ArcSides(arcs_a, arcs_b, at_once), ArcSides(arcs_b, arcs_a, at_once)


class PairSigns(Struct, frozen=True, eq=False):
    """Which determinants of k pairs of arcs are positive.

    `of_b` (k, 2): det(a,b,c) and det(a,b,d); `of_a` (k, 2): det(c,d,a) and det(c,d,b). `doubts_b`, `doubts_a`: which
    of these signs doubles cannot decide.
    """

    of_b: BoolArray
    of_a: BoolArray
    doubts_b: BoolArray
    doubts_a: BoolArray

    @staticmethod
    def of(on_a: ArcSides, on_b: ArcSides, pairs: Indices, *, settled: bool = True) -> PairSigns:
        """The signs of pairs (k, 2), an edge of A and one of B each."""
        ea, eb = pairs.T
        of_b, doubts_b = on_a.at(ea[:, None], on_b.own.edge_faces[eb], settled=settled)
        of_a, doubts_a = on_b.at(eb[:, None], on_a.own.edge_faces[ea], settled=settled)
        return PairSigns(of_b, of_a, doubts_b, doubts_a)

    def may_cross(self) -> BoolArray:
        """Whether the arcs cross if each sign in doubt may be either, (k,)."""
        return (
            _crossing_ways(_ways(self.of_b, self.doubts_b)) & _crossing_ways(_ways(self.of_a, self.doubts_a)[:, ::-1])
        ) > 0


def pairs_that_may_cross(on_a: ArcSides, on_b: ArcSides) -> Indices:
    """Pairs (k, 2) of edges whose arcs may cross, in the order of A's edges and then of B's.

    Of many edges, only pairs of arcs near each other are returned. This leaves out arcs of one great circle that lie
    apart: their edges are parallel, and have no row in SAT's table. Raises TooLargeError for more than MOST_PAIRS.
    """
    width = max(len(on_b.own.edge_faces), 1)
    if on_a.at_once:
        across_a = _crossing_ways(_ways(*on_a.signs)[:, on_b.own.edge_faces])
        across_b = _crossing_ways(_ways(*on_b.signs)[:, on_a.own.edge_faces[:, ::-1]])
        # A flat search is fifteen times as fast as one for rows and columns.
        keys = np.flatnonzero(((across_a & across_b.T) > 0).ravel())
    else:
        keys, fresh = np.zeros(0, dtype=np.int64), [np.zeros(0, dtype=np.int64)]
        for pairs in _near(on_a.own, on_b.own):
            ea, eb = pairs[PairSigns.of(on_a, on_b, pairs, settled=False).may_cross()].T
            fresh.append(ea * width + eb)
            if sum(map(len, fresh)) > AT_ONCE:
                keys, fresh = _joined(keys, fresh), []
        keys = _joined(keys, fresh)
    return np.stack(np.divmod(keys, width), axis=1)


def _joined(keys: Indices, fresh: list[Indices]) -> Indices:
    """All keys in rising order, each once: a pair of arcs that cross where both are cut occurs more than once.

    Raises TooLargeError for more than MOST_PAIRS.
    """
    # np.unique hashes, which takes seconds for keys such as these.
    every = np.sort(np.concatenate((keys, *fresh)))
    joined: Indices = every[np.diff(every, prepend=-1) > 0]
    if len(joined) > MOST_PAIRS:
        raise TooLargeError(f"More than {MOST_PAIRS:,} pairs of edges may build a face of A − B.")
    return joined


def _ways(positive: BoolArray, doubtful: BoolArray) -> NDArray[np.uint8]:
    """1 for the positive side, 2 for the negative side, 3 if in doubt."""
    return np.where(doubtful, np.uint8(3), np.where(positive, np.uint8(1), np.uint8(2)))


_SWAPPED = np.array((0, 2, 1, 3), dtype=np.uint8)


def _crossing_ways(ways: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The ways in which arcs may cross, from the `_ways` (..., 2) of their two ends.

    1: from the positive side to the negative; 2: from the negative to the positive; 3: either; 0: not at all.
    """
    across: NDArray[np.uint8] = ways[..., 0] & _SWAPPED[ways[..., 1]]
    return across


def _near(a: Arcs, b: Arcs) -> Iterator[Indices]:
    """Yields all pairs (k, 2) of arcs of both maps that lie near each other, some more than once.

    Arcs are cut into pieces about as long as the mean arc of the map with the shorter arcs, as a long arc has a wide
    box; none is made shorter than the PIECES_OF_MEAN-th part of its own map's mean arc. Pieces are near if their boxes
    overlap.
    """
    means = [float(length_rows(np.subtract(*_ends(arcs))).mean()) for arcs in (a, b)]
    (low_a, high_a, edges_a), (low_b, high_b, edges_b) = (
        _boxes(arcs, max(min(means), mean / PIECES_OF_MEAN)) for arcs, mean in zip((a, b), means, strict=True)
    )
    for pieces_a, pieces_b in overlapping(low_a, high_a, low_b, high_b):
        yield np.stack((edges_a[pieces_a], edges_b[pieces_b]), axis=1)


def _ends(arcs: Arcs) -> tuple[Array, Array]:
    """The starts and the ends of the arcs, (e, 3) each."""
    first, second = arcs.edge_faces.T
    return arcs.normals[first], arcs.normals[second]


def _boxes(arcs: Arcs, longest: float) -> tuple[Array, Array, Indices]:
    """Boxes, lows and highs (n, 3), round pieces of the arcs, and each piece's edge (n,).

    Pieces have chords up to `longest`, or longer ones after _MOST_HALVINGS. A box also holds the points beside the
    piece whose determinants with its great circle are in doubt.
    """
    start, end = _ends(arcs)
    edges = np.arange(len(start))
    for _ in range(_MOST_HALVINGS):
        long = np.flatnonzero(length_rows(start - end) > longest)
        if not len(long):
            break
        middle = start[long] + end[long]
        middle /= np.maximum(length_rows(middle), np.finfo(float).tiny)[:, None]
        start, end = np.concatenate((start, start[long])), np.concatenate((end, middle))
        edges = np.concatenate((edges, edges[long]))
        start[long] = middle
    doubt = np.minimum(4.0 * GAUSS_SIGN / np.maximum(length_rows(arcs.planes), GAUSS_SIGN), 2.0)[edges]
    # An arc is farthest from its chord in the middle.
    beside = (1.0 - 0.5 * length_rows(start + end) + doubt + COVERED_SIN)[:, None]
    return np.minimum(start, end) - beside, np.maximum(start, end) + beside, edges


_PERTURBATION = np.array(((3, 641, -257), (-409, 5, 577), (331, -773, 7)), dtype=object)


def _in_whole_units(normals: Array) -> NDArray[np.object_]:
    """The normals in whole units of 2^-54, as Python integers, (f, 3)."""
    return np.rint(normals * 2.0**54).astype(np.int64).astype(object)


def _perturbed(points: NDArray[np.object_]) -> NDArray[np.object_]:
    """The points plus 2^-200 times their images under a fixed linear map, in units that make them integers.

    The sum is linear too, so arcs stay arcs and the perturbed Gauss map is as valid as the given one. Only determinants
    that are zero get another sign.
    """
    moved: NDArray[np.object_] = points * 2**200 + sum(points[:, k, None] * _PERTURBATION[:, k] for k in range(3))
    return moved

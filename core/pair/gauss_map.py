"""Which edge pairs build a face of the Minkowski difference: arcs that cross on the Gauss map (Gregorius, GDC 2013).

Every face of a polyhedron is a point of the unit sphere, its outward normal, every edge the arc between the normals
of its two faces, every vertex the region between arcs. The difference A - B is the overlay of A's map and the map of
-B: an edge of A and one of B build a face exactly where their arcs cross. With a, b the normals at A's edge and c, d
the negated normals at B's, the arcs cross if `det(a,b,c)` and `det(a,b,d)` differ in sign, `det(c,d,a)` and
`det(c,d,b)` do, and `det(a,b,c)` and `det(c,d,a)` do too (the crossing is on the near side of the sphere).

Departures. Signs that doubles cannot decide are settled by exact integers, with the map of -B sheared by 2^-200 so
that none is zero: all signs together are then those of one true overlay, which makes the difference a closed
solid whatever is parallel. And pairs whose arcs touch only to rounding are looked at once more: if the axis is that of
a neighbouring face it is covered, if there is none the edges are parallel, and otherwise it is kept, because every
direction is a legitimate test.

The candidate axes of two cores: faces, and the edge pairs that build a face of the difference (Gregorius 2013).

The other edge pairs cannot win: their axis is the normal of no face of the difference, so another one is better. What
the pruned rows say is what all of them would say.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from math import atan2, pi

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import COVERED_SIN, FRAME_ROUNDING, GAUSS_SIGN, NEARLY_PARALLEL_SIN
from ..geometry.vector import Array, cross, cross_rows, dot, length_rows
from ..scene import Body
from .candidate_axes import AxisKind, CandidateAxis, same_lines
from .cores import Core, cores_of

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]


class ArcReason(IntEnum):
    """Why an edge pair builds a face of the difference, or why not.

    A's arc joins the normals of the two faces at A's edge, B's arc the negated normals at B's.
    """

    BUILDS_FACE = 0
    """The arcs cross."""
    A_ON_ONE_SIDE = 1
    """A's arc lies on one side of the great circle of B's."""
    B_ON_ONE_SIDE = 2
    """B's arc lies on one side of the great circle of A's."""
    FAR_SIDE = 3
    """Each arc crosses the other's great circle, but on opposite sides of the sphere."""
    PARALLEL = 4
    """The edges are parallel: the arcs share a great circle, and the faces at their ends stand in."""
    COVERED = 5
    """The arcs touch at an end of one: the axis is the normal of that face."""
    BORDERLINE = 6
    """The arcs just miss, by no more than rounding: kept as a test."""


class GaussMap(Struct, frozen=True, eq=False):
    """The overlay of A's Gauss map and that of -B.

    `positive_a` (ea, fb): whether B's (negated) face normal lies on the positive side of the arc of A's edge,
    `positive_b` (eb, fa) likewise; `doubtful_a`, `doubtful_b`: where doubles could not tell. `pairs` (k, 2): edge
    of A and edge of B whose arcs cross, or may; `axes` (k, 3): the unit vectors e_a × e_b (zero for parallel edges),
    `sines` (k,) of the angle between the edges; `crossing` (k,): whether the settled arcs cross; `turns` (k,): +1
    where the outward normal there is +axis, -1 where it is -axis; `normals` (k, 3): that outward normal, of a covered
    pair the covering face's, of parallel edges zero; `reasons` (k,): ArcReason of those pairs.
    `supports_a` (fb,): A's vertex farthest against each face normal of B, `supports_b` (fa,) B's against A's; -1 for
    none or several (only if rounding folded a body's own map).
    """

    edge_faces_a: Indices
    edge_faces_b: Indices
    positive_a: Flags
    positive_b: Flags
    doubtful_a: Flags
    doubtful_b: Flags
    pairs: Indices
    axes: Array
    sines: Array
    crossing: Flags
    turns: Indices
    normals: Array
    reasons: NDArray[np.int8]
    supports_a: Indices
    supports_b: Indices

    def all_reasons(self) -> NDArray[np.int8]:
        """ArcReason of every edge pair, (ea, eb)."""
        c, d = (self.positive_a[:, faces] for faces in self.edge_faces_b.T[::-1])
        a, b = (self.positive_b[:, faces].T for faces in self.edge_faces_a.T)
        reasons = np.full(c.shape, ArcReason.FAR_SIDE, dtype=np.int8)
        reasons[c == d] = ArcReason.B_ON_ONE_SIDE
        reasons[a == b] = ArcReason.A_ON_ONE_SIDE
        reasons[self.pairs[:, 0], self.pairs[:, 1]] = self.reasons
        return reasons


def gauss_map(a: Core, b: Core) -> GaussMap:
    """The overlay for two placed cores."""
    normals_a, normals_b = a.solid.normals, -b.solid.normals
    # Reflected in the origin, the left and the right of an edge change places.
    faces_a, faces_b = a.solid.edge_faces, b.solid.edge_faces[:, ::-1]
    sides = positive_a, positive_b, doubtful_a, doubtful_b = _sides(normals_a, faces_a, normals_b, faces_b)
    # det(a,b,c) > 0 > det(a,b,d) and det(c,d,a) < 0 < det(c,d,b), or all four the other way round.
    of_b = _ways_across(positive_a, doubtful_a, faces_b)
    of_a = _ways_across(positive_b, doubtful_b, faces_a[:, ::-1])
    crossed = ((of_b & of_a.T) > 0).ravel()
    # A flat search is fifteen times as fast as one for rows and columns.
    pairs = np.stack(np.divmod(np.flatnonzero(crossed), max(len(faces_b), 1)), axis=1)
    ea, eb = pairs.T
    c, d = positive_a[ea, faces_b[eb, 0]], positive_a[ea, faces_b[eb, 1]]
    at_a, at_b = positive_b[eb, faces_a[ea, 0]], positive_b[eb, faces_a[ea, 1]]
    crossing = (c != d) & (at_a != at_b) & (c != at_a)
    axes, sines = edge_products(a.edge_units[ea], b.edge_units[eb])
    # Where det(c,d,a) > 0 the outward normal is e_a × (-e_b): B's edge runs the other way in -B.
    turns = np.where(at_a, -1, 1)
    reasons = np.where(crossing, ArcReason.BUILDS_FACE, ArcReason.BORDERLINE).astype(np.int8)
    clear = ~(doubtful_a[ea[:, None], faces_b[eb]] | doubtful_b[eb[:, None], faces_a[ea]]).any(axis=1)
    normals = turns[:, None] * axes
    unsure = np.flatnonzero(~clear | (sines < NEARLY_PARALLEL_SIN))
    if len(unsure):
        ends = np.concatenate((normals_a[faces_a[ea[unsure]]], normals_b[faces_b[eb[unsure]]]), axis=1)
        true_ends = np.array((a.has_volume, a.has_volume, b.has_volume, b.has_volume))
        covering, covered = _covering(normals[unsure], ends, true_ends, crossing[unsure])
        reasons[unsure[covered]] = ArcReason.COVERED
        normals[unsure[covered]] = covering[covered]
        parallel = sines <= FRAME_ROUNDING + a.edge_noise[ea] + b.edge_noise[eb]
        reasons[~clear & parallel] = ArcReason.PARALLEL
        normals[~clear & parallel] = 0.0
    supports = _supports(a, positive_a, normals_a, faces_a), _supports(b, positive_b, normals_b, faces_b)
    return GaussMap(
        a.solid.edge_faces, b.solid.edge_faces, *sides, pairs, axes, sines, crossing, turns, normals, reasons, *supports
    )


def edge_products(units_a: Array, units_b: Array) -> tuple[Array, Array]:
    """Unit vectors (k, 3) along e_a × e_b of the rows, zero where that is exactly zero, and the sines (k,).

    Formed as `e1 × (e2 ∓ e1)`: the shorter difference is exact where the edges nearly agree.
    """
    flips = np.where(np.einsum("ki,ki->k", units_a, units_b) < 0.0, -1.0, 1.0)[:, None]
    products = flips * cross_rows(units_a, flips * units_b - units_a)
    sines = length_rows(products)
    return products / np.where(sines > 0.0, sines, 1.0)[:, None], sines


_SWAPPED = np.array((0, 2, 1, 3), dtype=np.uint8)


def _ways_across(positive: Flags, doubtful: Flags, edge_faces: Indices) -> NDArray[np.uint8]:
    """How the other body's arcs may cross the great circle of each of this one's edges, (e, other edges).

    Bit 1: from its positive to its negative side; bit 2: the other way. A doubtful end may lie on either side.
    """
    sides = np.where(doubtful, np.uint8(3), np.where(positive, np.uint8(1), np.uint8(2)))
    ways: NDArray[np.uint8] = sides[:, edge_faces[:, 0]] & _SWAPPED[sides][:, edge_faces[:, 1]]
    return ways


def _sides(normals_a: Array, faces_a: Indices, normals_b: Array, faces_b: Indices) -> tuple[Flags, Flags, Flags, Flags]:
    """On which side of every arc of one map the other's points lie: positive (ea, fb), (eb, fa), and both doubts."""
    dets_a = cross_rows(normals_a[faces_a[:, 0]], normals_a[faces_a[:, 1]]) @ normals_b.T
    dets_b = cross_rows(normals_b[faces_b[:, 0]], normals_b[faces_b[:, 1]]) @ normals_a.T
    positive_a, positive_b = dets_a > 0.0, dets_b > 0.0
    doubtful_a, doubtful_b = np.abs(dets_a) <= GAUSS_SIGN, np.abs(dets_b) <= GAUSS_SIGN
    if doubtful_a.any() or doubtful_b.any():
        exact_a, exact_b = _exact(normals_a), _sheared(_exact(normals_b))
        _settle(positive_a, doubtful_a, exact_a, faces_a, exact_b)
        _settle(positive_b, doubtful_b, exact_b, faces_b, exact_a)
    return positive_a, positive_b, doubtful_a, doubtful_b


_SHEAR = np.array(((3, 641, -257), (-409, 5, 577), (331, -773, 7)), dtype=object)


def _exact(normals: Array) -> NDArray[np.object_]:
    """The normals in whole units of 2^-54, as Python integers, (f, 3)."""
    return np.rint(normals * 2.0**54).astype(np.int64).astype(object)


def _sheared(points: NDArray[np.object_]) -> NDArray[np.object_]:
    """The points moved by 2^-200 of themselves under one fixed linear map, in units so small that they are integers.

    A linear map takes arcs to arcs, so the moved map is as sound as the given one, and no determinant that was not
    zero changes its sign.
    """
    moved: NDArray[np.object_] = points * 2**200 + points.dot(_SHEAR.T)
    return moved


def _settle(
    positive: Flags, doubtful: Flags, own: NDArray[np.object_], edge_faces: Indices, other: NDArray[np.object_]
) -> None:
    """Writes the exact signs of the doubtful determinants into `positive`."""
    edges, points = np.nonzero(doubtful)
    if not len(edges):
        return
    used, places = np.unique(edges, return_inverse=True)
    (ax, ay, az), (bx, by, bz) = own[edge_faces[used, 0]].T, own[edge_faces[used, 1]].T
    px, py, pz = other[points].T
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    dets = x[places] * px + y[places] * py + z[places] * pz
    positive[edges, points] = (dets > 0).astype(bool)


def _covering(normals: Array, ends: Array, true_ends: Flags, crossing: Flags) -> tuple[Array, Flags]:
    """The normal (k, 3) of the face that may stand in for each crossing of two arcs, and whether it has to.

    `normals` (k, 3): the crossings; `ends` (k, 4, 3): the arcs' ends, of A's arc first; `true_ends` (4,): whether they
    are faces, and not where the great circle of a segment was cut into arcs. Covered is what lies at an
    end, and what the product of nearly parallel edges, short of digits, has put beyond one although the arcs cross:
    then the end that is farthest back lies on both arcs.
    """
    # The dot product cannot resolve such angles: the difference of two unit vectors can.
    away = np.minimum(length_rows(ends - normals[:, None]), length_rows(ends + normals[:, None]))
    away[:, ~true_ends] = np.inf
    at_end = away.min(axis=1) < COVERED_SIN
    first, second, here = ends[:, ::2], ends[:, 1::2], normals[:, None]
    plane = cross_rows(first, second)
    beyond = np.zeros(away.shape, dtype=bool)
    beyond[:, ::2] = np.einsum("kci,kci->kc", cross_rows(first, here), plane) < 0.0
    beyond[:, 1::2] = np.einsum("kci,kci->kc", cross_rows(here, second), plane) < 0.0
    beyond[:, ~true_ends] = False
    outside = beyond.any(axis=1) & crossing
    chosen = np.where(outside, np.where(beyond, away, -1.0).argmax(axis=1), away.argmin(axis=1))
    return ends[np.arange(len(ends)), chosen], at_end | outside


def _supports(core: Core, positive: Flags, normals: Array, edge_faces: Indices) -> Indices:
    """The core's vertex farthest along each of the directions that `positive` (e, n) was found for."""
    if core.has_volume or not len(edge_faces):
        return _lowest(positive, core.solid.edges, len(core.solid.vertices))
    # A segment's three arcs are one great circle but for rounding, a triangle as it is: one side of it is convex.
    first, second, third = _exact(normals)[[*edge_faces[0], 3 - edge_faces[0].sum()]]
    convex = first.dot(cross(second, third)) > 0
    climbs: Indices = np.asarray(positive.all(axis=0) if convex else positive.any(axis=0), dtype=np.int64)
    return climbs


def _lowest(positive: Flags, edges: Indices, vertices: int) -> Indices:
    """Per column of `positive` (e, n) the one vertex that is the higher end of all its edges, -1 if there is none.

    `positive` says of a direction whether the edge climbs towards its second vertex along it.
    """
    count = positive.shape[1]
    if not len(edges):
        return np.zeros(count, dtype=np.int64)
    lower = np.where(positive, edges[:, :1], edges[:, 1:])
    beaten = np.zeros((vertices, count), dtype=bool)
    beaten[lower, np.arange(count)] = True
    found = np.argmin(beaten, axis=0)
    return np.where((~beaten).sum(axis=0) == 1, found, -1)


class PairAxes(Struct, frozen=True, eq=False):
    """Two placed cores, their overlaid Gauss maps and the SAT rows that follow.

    `candidates`, `axes` (n, 3), `same_as` (n,): as in SatTable; A's face lines first, then B's, then edge pairs.
    `pair_rows` (k,): the row of each of the Gauss map's pairs, -1 for those without one (parallel or covered);
    `pair_sides` (k,): +1 where the outward normal of the difference is along that row's axis, else -1.
    """

    core_a: Core
    core_b: Core
    overlay: GaussMap
    candidates: tuple[CandidateAxis, ...]
    axes: Array
    same_as: Indices
    pair_rows: Indices
    pair_sides: Indices


@lru_cache(maxsize=4)
def pair_axes(a: Body, b: Body) -> PairAxes:
    """The rows for two bodies that have cores; remembered, because the table and the difference both ask.

    Raises TypeError for other shapes.
    """
    return axes_of_cores(*cores_of(a, b))


def axes_of_cores(a: Core, b: Core) -> PairAxes:
    """The rows for two placed cores."""
    overlay = gauss_map(a, b)
    kept = np.isin(overlay.reasons, (ArcReason.BUILDS_FACE, ArcReason.BORDERLINE))
    lines_a, lines_b = a.edge_lines[overlay.pairs[:, 0]], b.edge_lines[overlay.pairs[:, 1]]
    sides = a.edge_sides[overlay.pairs[:, 0]] * b.edge_sides[overlay.pairs[:, 1]]
    # A box's parallel edges are one row.
    width = int(lines_b.max()) + 1 if len(lines_b) else 1
    _, first, rows = np.unique((lines_a * width + lines_b)[kept], return_index=True, return_inverse=True)
    first = np.flatnonzero(kept)[first]
    faces = len(a.line_axes) + len(b.line_axes)
    axes = np.concatenate((a.line_axes, b.line_axes, overlay.axes[first] * sides[first, None]))
    pair_rows = np.full(len(kept), -1, dtype=np.int64)
    pair_rows[kept] = faces + rows
    same_as = same_lines(axes)
    candidates = (
        *_face_candidates(a, AxisKind.FACE_A),
        *_face_candidates(b, AxisKind.FACE_B),
        *_edge_candidates(a, b, overlay, first, same_as),
    )
    return PairAxes(a, b, overlay, candidates, axes, same_as, pair_rows, overlay.turns * sides)


def _face_candidates(core: Core, kind: AxisKind) -> list[CandidateAxis]:
    of_a = kind is AxisKind.FACE_A
    return [
        CandidateAxis(core.line_label(k), kind, k if of_a else None, None if of_a else k, 1.0, False, ())
        for k in range(len(core.line_axes))
    ]


def _edge_candidates(a: Core, b: Core, overlay: GaussMap, pairs: Indices, same_as: Indices) -> list[CandidateAxis]:
    names_a = [a.edge_line_label(k) for k in range(int(a.edge_lines.max(initial=-1)) + 1)]
    names_b = [b.edge_line_label(k) for k in range(int(b.edge_lines.max(initial=-1)) + 1)]
    edges_a, edges_b = overlay.pairs[pairs].T
    columns = (pairs, a.edge_lines[edges_a], b.edge_lines[edges_b], overlay.sines[pairs])
    out = []
    for pair, i, j, sine in zip(*(column.tolist() for column in columns), strict=True):
        nearly = sine < NEARLY_PARALLEL_SIN
        covered = _covering_faces(a, b, overlay, pair, same_as) if nearly else ()
        out.append(CandidateAxis(f"{names_a[i]}×{names_b[j]}", AxisKind.EDGES, i, j, sine, nearly, covered))
    return out


def _covering_faces(a: Core, b: Core, overlay: GaussMap, pair: int, same_as: Indices) -> tuple[int, ...]:
    """Rows of the faces on either side of the axis of nearly parallel edges, of the four that meet there.

    Those of a segment are none.
    """
    edge_a, edge_b = overlay.pairs[pair].tolist()
    axis, along = overlay.axes[pair], a.edge_units[edge_a]
    outward = overlay.turns[pair] * axis
    ahead = cross(along, outward)
    turns = []
    for core, edge, first, sign in ((a, edge_a, 0, 1.0), (b, edge_b, len(a.line_axes), -1.0)):
        for face in core.solid.edge_faces[edge].tolist() if core.has_volume else ():
            normal = sign * core.solid.normals[face]
            row = int(same_as[first + core.face_lines[face]])
            turns.append((atan2(dot(ahead, normal), dot(outward, normal)) % (2.0 * pi), row))
    return tuple(sorted({min(turns)[1], max(turns)[1]})) if turns else ()

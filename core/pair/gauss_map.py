"""The edge pairs that build a face of the Minkowski difference: arcs that cross on the Gauss map (Gregorius, GDC 2013).

On the Gauss map, the unit sphere, a face of a polyhedron is the point of its outward normal, an edge the arc between
the normals of its two faces, a vertex the region between arcs. The difference A - B has the overlay of A's map and the
map of -B: an edge of A and one of B build a face exactly where their arcs cross. Let a, b be the normals at A's edge
and c, d the negated normals at B's. The arcs cross if `det(a,b,c)` and `det(a,b,d)` differ in sign, `det(c,d,a)` and
`det(c,d,b)` differ, and `det(a,b,c)` and `det(c,d,a)` differ too (the crossing is on the near side of the sphere).

Departures. Signs that doubles cannot decide are settled by exact integers, with the map of -B perturbed by 2^-200 so
that none is zero. All signs together then belong to one true overlay, so the difference is a closed solid even with
parallel edges or faces. A pair whose arcs just touch, to rounding, is judged again. It is covered if its axis is the
normal of a neighbouring face, parallel if its edges have no axis, and kept otherwise, because every direction is a
legitimate test.

`PairAxes` has the candidate axes of two cores: faces, and the edge pairs that build a face of the difference. The other
edge pairs can be left out: their axis is the normal of no face of the difference, so that another axis is at least as
good. SAT over the remaining rows gives the same answer as over all.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.hierarchy import AT_ONCE, farthest
from ..geometry.tolerances import COVERED_SIN, FRAME_ROUNDING, NEARLY_PARALLEL_SIN
from ..geometry.vec2 import heading
from ..geometry.vector import Array, BoolArray, Indices, cross, cross_rows, dot, dots, length_rows
from ..scene import Body
from .arcs import ArcSides, PairSigns, both_sides, pairs_that_may_cross
from .candidate_axes import AxisKind, CandidateAxis, same_lines
from .cores import Core, CoreKind, cores_of
from .pair import TooLargeError

MOST_CROSSINGS = 200_000
"""The largest number of edge pairs that are kept. More raise TooLargeError before their rows, faces and vertices take
memory, 1.3 kB a pair."""


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
    """The edges are parallel: the arcs share a great circle. The faces at the arcs' ends are tested instead."""
    COVERED = 5
    """The arcs touch at an end of one: the axis is the normal of that face."""
    BORDERLINE = 6
    """The arcs miss each other by no more than rounding: the axis is tested all the same."""


class GaussMap(Struct, frozen=True, eq=False):
    """The overlay of A's Gauss map and that of -B.

    `pairs` (k, 2): edge of A and edge of B whose arcs cross, or may by rounding; `axes` (k, 3): the unit vectors along
    e_a × e_b (zero for exactly parallel edges); `sines` (k,): of the angle between the edges; `crossing` (k,): whether
    the arcs cross, with the signs in doubt settled by integers; `turns` (k,): +1 where the outward normal of A - B is
    +axis, -1 where it is -axis; `normals` (k, 3): that outward normal, or for a covered pair the covering face's (of B
    negated), or zero for parallel edges; `reasons` (k,): ArcReason of the pairs. `supports_a` (fb,): the vertex of A
    farthest against each face normal of B; `supports_b` (fa,): the vertex of B farthest against each of A. -1 if there
    is none, which happens only if rounding folded a body's own map.
    """

    pairs: Indices
    axes: Array
    sines: Array
    crossing: BoolArray
    turns: Indices
    normals: Array
    reasons: NDArray[np.int8]
    supports_a: Indices
    supports_b: Indices


def gauss_map(a: Core, b: Core) -> GaussMap:
    """The overlay for two placed cores. Raises TooLargeError if too many arcs may cross."""
    on_a, on_b = both_sides(a, b)
    pairs = pairs_that_may_cross(on_a, on_b)
    found = _judged(a, b, on_a, on_b, pairs, PairSigns.of(on_a, on_b, pairs))
    return GaussMap(pairs, *found, _supports(a, on_a, 1.0), _supports(b, on_b, -1.0))


def reasons_of_arcs(
    a: Core, b: Core, edges_a: Indices | None = None, edges_b: Indices | None = None
) -> NDArray[np.int8]:
    """ArcReason of every pair of an edge of A and one of B, (ea, eb).

    `edges_a`, `edges_b`: indices of the edges that are paired; None for all.
    """
    on_a, on_b = both_sides(a, b, at_once=False)
    rows = np.arange(len(a.solid.edges)) if edges_a is None else edges_a
    columns = np.arange(len(b.solid.edges)) if edges_b is None else edges_b
    pairs = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=2).reshape(-1, 2)
    signs = PairSigns.of(on_a, on_b, pairs)
    reasons = np.full(len(pairs), ArcReason.FAR_SIDE, dtype=np.int8)
    reasons[signs.of_b[:, 0] == signs.of_b[:, 1]] = ArcReason.B_ON_ONE_SIDE
    reasons[signs.of_a[:, 0] == signs.of_a[:, 1]] = ArcReason.A_ON_ONE_SIDE
    may = signs.may_cross()
    reasons[may] = _judged(a, b, on_a, on_b, pairs[may], PairSigns.of(on_a, on_b, pairs[may]))[-1]
    return reasons.reshape(len(rows), len(columns))


def _judged(
    a: Core, b: Core, on_a: ArcSides, on_b: ArcSides, pairs: Indices, signs: PairSigns
) -> tuple[Array, Array, BoolArray, Indices, Array, NDArray[np.int8]]:
    """GaussMap's axes, sines, crossing, turns, normals and reasons for pairs (k, 2) that may cross."""
    ea, eb = pairs.T
    of_b, of_a = signs.of_b, signs.of_a
    crossing = (of_b[:, 0] != of_b[:, 1]) & (of_a[:, 0] != of_a[:, 1]) & (of_b[:, 0] != of_a[:, 0])
    axes, sines = edge_products(a.edge_units[ea], b.edge_units[eb])
    # If det(c,d,a) > 0, the outward normal is e_a × (-e_b): B's edge runs the other way in -B.
    turns = np.where(of_a[:, 0], -1, 1)
    reasons = np.where(crossing, ArcReason.BUILDS_FACE, ArcReason.BORDERLINE).astype(np.int8)
    clear = ~(signs.doubts_b | signs.doubts_a).any(axis=1)
    normals = turns[:, None] * axes
    unsure = np.flatnonzero(~clear | (sines < NEARLY_PARALLEL_SIN))
    if len(unsure):
        faces_a, faces_b = on_a.own.edge_faces[ea[unsure]], on_b.own.edge_faces[eb[unsure]]
        ends = np.concatenate((on_a.own.normals[faces_a], on_b.own.normals[faces_b]), axis=1)
        true_ends = np.concatenate((faces_a < a.area_faces, faces_b < b.area_faces), axis=1)
        covering, covered = _covering(normals[unsure], ends, true_ends, crossing[unsure])
        reasons[unsure[covered]] = ArcReason.COVERED
        normals[unsure[covered]] = covering[covered]
        parallel = sines <= FRAME_ROUNDING + a.edge_noise[ea] + b.edge_noise[eb]
        reasons[~clear & parallel] = ArcReason.PARALLEL
        normals[~clear & parallel] = 0.0
    return axes, sines, crossing, turns, normals, reasons


def edge_products(units_a: Array, units_b: Array) -> tuple[Array, Array]:
    """Unit vectors (k, 3) along e_a × e_b of the rows, zero for a product that is exactly zero, and the sines (k,).

    The product is formed as `e1 × (e2 ∓ e1)`: the shorter difference is exact where the edges nearly agree.
    """
    flips = np.where(dots(units_a, units_b) < 0.0, -1.0, 1.0)[:, None]
    products = flips * cross_rows(units_a, flips * units_b - units_a)
    sines = length_rows(products)
    return products / np.where(sines > 0.0, sines, 1.0)[:, None], sines


def _covering(normals: Array, ends: Array, true_ends: BoolArray, crossing: BoolArray) -> tuple[Array, BoolArray]:
    """The normal (k, 3) of the face that may cover each crossing of two arcs, and whether it covers it (k,).

    `normals` (k, 3): the crossings; `ends` (k, 4, 3): the arcs' ends, A's first; `true_ends` (k, 4): whether an end is
    a face with an area, and no cut in the great circle of a segment or of a polygon's edge. A crossing is covered if it
    lies at an end. It is also covered if the arcs cross but it lies beyond an end, since the product of nearly parallel
    edges has few digits. Then the end that it is farthest beyond lies on both arcs.
    """
    # The dot product cannot resolve such angles: the difference of two unit vectors can.
    away = np.minimum(length_rows(ends - normals[:, None]), length_rows(ends + normals[:, None]))
    away[~true_ends] = np.inf
    at_end = away.min(axis=1) < COVERED_SIN
    first, second, here = ends[:, ::2], ends[:, 1::2], normals[:, None]
    plane = cross_rows(first, second)
    beyond = np.zeros(away.shape, dtype=bool)
    beyond[:, ::2] = dots(cross_rows(first, here), plane) < 0.0
    beyond[:, 1::2] = dots(cross_rows(here, second), plane) < 0.0
    beyond[~true_ends] = False
    outside = beyond.any(axis=1) & crossing
    chosen = np.where(outside, np.where(beyond, away, -1.0).argmax(axis=1), away.argmin(axis=1))
    return ends[np.arange(len(ends)), chosen], at_end | outside


def _supports(core: Core, sides: ArcSides, way: float) -> Indices:
    """The core's vertex (n,) farthest along each point of the other map times `way`, by the settled signs.

    The search starts at the vertex farthest in doubles. It moves along an edge to a higher vertex while there is one.
    """
    edges, count = core.solid.edges, len(sides.other.normals)
    if not len(edges):
        return np.zeros(count, dtype=np.int64)
    if core.kind is CoreKind.SEGMENT:
        return _ends_of_segment(sides)
    if sides.at_once:
        return _lowest(sides.signs[0], edges, len(core.solid.vertices))
    vertices = core.solid.vertices
    found = farthest(vertices, way * sides.other.normals)[0]
    at_vertex = np.argsort(edges, axis=None, kind="stable") // 2
    degrees = np.bincount(edges.ravel(), minlength=len(vertices))
    left = np.arange(count)
    for _ in vertices:
        rounds = 1 + int(degrees[found[left]].sum()) // AT_ONCE
        parts = [left] if rounds == 1 else np.array_split(left, rounds)
        left = np.concatenate([_climbed(found, rows, sides, edges, at_vertex, degrees) for rows in parts])
        if not len(left):
            return found
    found[left] = -1
    return found


def _climbed(
    found: Indices, rows: Indices, sides: ArcSides, edges: Indices, at_vertex: Indices, degrees: Indices
) -> Indices:
    """Moves the vertices `found` of these rows to a higher neighbour; returns the rows that had one."""
    at = found[rows]
    sizes = degrees[at]
    owners = rows.repeat(sizes)
    shifts = (np.cumsum(degrees) - degrees)[at] - (np.cumsum(sizes) - sizes)
    beside = at_vertex[np.arange(len(owners)) + shifts.repeat(sizes)]
    climbs, _ = sides.at(beside, owners)
    higher = edges[beside, climbs.view(np.int8)]
    beaten = np.flatnonzero(higher != at.repeat(sizes))
    moved = owners[beaten]
    found[moved] = higher[beaten]
    risen: Indices = moved[np.diff(moved, prepend=-1) > 0]
    return risen


def _lowest(positive: BoolArray, edges: Indices, vertices: int) -> Indices:
    """For each direction, the one vertex that is the higher end of all its edges; -1 if there is not exactly one.

    `positive` (e, n): whether each edge climbs towards its second vertex along each direction.
    """
    count = positive.shape[1]
    lower = np.where(positive, edges[:, :1], edges[:, 1:])
    beaten = np.zeros((vertices, count), dtype=bool)
    beaten[lower, np.arange(count)] = True
    found = np.argmin(beaten, axis=0)
    return np.where((~beaten).sum(axis=0) == 1, found, -1)


def _ends_of_segment(sides: ArcSides) -> Indices:
    """The end of a segment farthest along each point of the other map, by the settled signs.

    Its three arcs are one great circle but for rounding; as rounded they are a triangle, one side of which is convex.
    """
    positive, _ = sides.signs
    arcs = sides.own
    first, second, third = arcs.exact[[*arcs.edge_faces[0], 3 - arcs.edge_faces[0].sum()]]
    convex = dots(first, cross(second, third)) > 0
    climbs: Indices = np.asarray(positive.all(axis=0) if convex else positive.any(axis=0), dtype=np.int64)
    return climbs


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
    """The SAT rows for two bodies that have cores; cached, because the SAT table and the difference both use them.

    Raises TypeError for other shapes, TooLargeError for rows that would take too much memory.
    """
    return axes_of_cores(*cores_of(a, b))


def axes_of_cores(a: Core, b: Core) -> PairAxes:
    """The SAT rows for two placed cores.

    Raises TooLargeError for more than MOST_CROSSINGS edge pairs that are kept, and as `gauss_map`.
    """
    overlay = gauss_map(a, b)
    kept = np.isin(overlay.reasons, (ArcReason.BUILDS_FACE, ArcReason.BORDERLINE))
    if (count := int(kept.sum())) > MOST_CROSSINGS:
        raise TooLargeError(f"{count:,} pairs of edges build a face of A − B, more than {MOST_CROSSINGS:,}.")
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
    return PairAxes(
        core_a=a,
        core_b=b,
        overlay=overlay,
        candidates=candidates,
        axes=axes,
        same_as=same_as,
        pair_rows=pair_rows,
        pair_sides=overlay.turns * sides,
    )


def _face_candidates(core: Core, kind: AxisKind) -> list[CandidateAxis]:
    of_a, with_area = kind is AxisKind.FACE_A, set(core.face_lines.tolist())
    faces = [(core.line_label(k), k if k in with_area else None) for k in range(len(core.line_axes))]
    return [
        CandidateAxis(
            label=label,
            kind=kind,
            feature_a=face if of_a else None,
            feature_b=None if of_a else face,
            sine=1.0,
            nearly_parallel=False,
            covered_by=(),
        )
        for label, face in faces
    ]


def _edge_candidates(a: Core, b: Core, overlay: GaussMap, pairs: Indices, same_as: Indices) -> list[CandidateAxis]:
    names_a = [a.edge_line_label(k) for k in range(int(a.edge_lines.max(initial=-1)) + 1)]
    names_b = [b.edge_line_label(k) for k in range(int(b.edge_lines.max(initial=-1)) + 1)]
    edges_a, edges_b = overlay.pairs[pairs].T
    columns = (pairs, a.edge_lines[edges_a], b.edge_lines[edges_b], overlay.sines[pairs])
    out = []
    for pair, i, j, sine in zip(*(column.tolist() for column in columns), strict=True):
        nearly = sine < NEARLY_PARALLEL_SIN
        covered = _covering_faces_at_edges(a, b, overlay, pair, same_as) if nearly else ()
        out.append(
            CandidateAxis(
                label=f"{names_a[i]}×{names_b[j]}",
                kind=AxisKind.EDGES,
                feature_a=i,
                feature_b=j,
                sine=sine,
                nearly_parallel=nearly,
                covered_by=covered,
            )
        )
    return out


def _covering_faces_at_edges(a: Core, b: Core, overlay: GaussMap, pair: int, same_as: Indices) -> tuple[int, ...]:
    """Rows of the faces that cover the axis of two nearly parallel edges: the nearest one on either side of the axis.

    They are chosen among the four faces at the two edges. Faces without area do not count.
    """
    edge_a, edge_b = overlay.pairs[pair].tolist()
    axis, along = overlay.axes[pair], a.edge_units[edge_a]
    outward = overlay.turns[pair] * axis
    ahead = cross(along, outward)
    turns = []
    for core, edge, first, sign in ((a, edge_a, 0, 1.0), (b, edge_b, len(a.line_axes), -1.0)):
        for face in core.solid.edge_faces[edge].tolist():
            if face >= core.area_faces:
                continue
            normal = sign * core.solid.normals[face]
            row = int(same_as[first + core.face_lines[face]])
            turns.append((heading((dot(outward, normal), dot(ahead, normal))) % 4.0, row))
    return tuple(sorted({min(turns)[1], max(turns)[1]})) if turns else ()

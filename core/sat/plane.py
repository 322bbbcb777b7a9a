"""SAT in the plane: the edges' normals of both polygons, and for a circle the axis to the closest vertex.

Two polygons that are apart are apart along the normal of some edge; so it is as many axes as edges, and no products.
A circle adds one: from the polygon's vertex nearest the centre to the centre; so do polygons with borders. The rules
are those of the table of space (`core.sat.table`): every axis is tried, the way out of a contained interval
is the shorter of both, touching is a verdict of its own, ties are said.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..geometry.tolerances import SAME_AXIS_SIN
from ..geometry.vec2 import Vec2, dot, length, sub, unit
from ..geometry.vector import Array, dots, frozen, product
from ..minkowski.plane import difference_of_pair, nearest_of_pair
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..pair.cores import PlaneCore, PlanePair
from ..scene import Body
from .table import Projections, SatTable, between, centres_coincide, table_of


def plane_sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies: A's edges, B's edges, the axis of the closest points.

    An edge's axis is its outward normal. Of rows that rounding cannot tell apart the winner is the lowest that faces
    the other body. Two circles with one centre have a DEGENERATE row alone, and `normal` is +x of all ways out.
    """
    return sat_of_pair(PlanePair.of(a, b), a.position[:2])


def sat_of_pair(pair: PlanePair, origin: Vec2) -> SatTable:
    """The axis table of two cores, in the precision of their numbers; `origin`: A's position in the world."""
    candidates, axes = _candidates(pair)
    rows = np.array(axes)
    if not rows.any():
        return centres_coincide(-pair.radius, pair.scale)
    projected = between(*(_intervals(core, rows) for core in (pair.a, pair.b)))
    table = table_of(
        projected,
        pair.scale,
        candidates,
        np.column_stack((rows, np.zeros(len(rows), rows.dtype))),
        _same_lines(rows),
        dots(rows, np.array(origin)),
        sensible=[any(axis) for axis in axes],
        preferred=_facing(candidates, projected),
    )
    if pair.radius or max(len(pair.a.ring), len(pair.b.ring)) > 2 or abs(table.separation) > pair.scale.rounding:
        return table
    # Of a difference without area either side may be the way out: the answer's.
    side = 1 if dot(nearest_of_pair(pair).normal, axes[table.winner]) >= 0.0 else -1
    sides = table.sides.copy()
    sides[table.winner] = side
    return replace(table, sides=sides, normal=frozen(side * table.axes[table.winner] + 0.0))


def _candidates(pair: PlanePair) -> tuple[tuple[CandidateAxis, ...], list[Vec2]]:
    candidates: list[CandidateAxis] = []
    axes: list[Vec2] = []
    for name, kind, core in (("A", AxisKind.FACE_A, pair.a), ("B", AxisKind.FACE_B, pair.b)):
        of_a, of_b = kind is AxisKind.FACE_A, kind is AxisKind.FACE_B
        candidates += [
            CandidateAxis(
                label=f"{name}.edge{k}",
                kind=kind,
                feature_a=k if of_a else None,
                feature_b=k if of_b else None,
                sine=1.0,
                nearly_parallel=False,
                covered_by=(),
            )
            for k in range(len(core.normals))
        ]
        axes += core.normals
    # Two segments on one line are parted by no edge's normal.
    two_segments = len(pair.a.ring) == len(pair.b.ring) == 2
    if (two_segments or not pair.sharp) and (closest := _closest(pair)) is not None:
        candidates.append(closest[0])
        axes.append(closest[1])
    return tuple(candidates), axes


def _closest(pair: PlanePair) -> tuple[CandidateAxis, Vec2] | None:
    """The axis between a circle's centre and the closest vertex (of equally close ones the lowest), or both centres.

    Of two rounded polygons between the vertices that are the closest points; None where an edge holds one of them.
    """
    if pair.a.normals and pair.b.normals:
        nearest = nearest_of_pair(pair)
        if nearest.edge is not None:
            return None
        vertex_a, vertex_b = difference_of_pair(pair).sources[nearest.corner]
        return _centres(f"A.v{vertex_a}→B.v{vertex_b}"), nearest.normal
    if pair.b.normals:
        place = _nearest_place(pair.b, pair.a.ring[0])
        number = pair.b.numbers[place]
        candidate = _centres(f"A→B.v{number}", number)
        return candidate, unit(sub(pair.b.ring[place], pair.a.ring[0])) or (0.0, 0.0)
    if pair.a.normals:
        place = _nearest_place(pair.a, pair.b.ring[0])
        number = pair.a.numbers[place]
        candidate = _centres(f"A.v{number}→B", number)
        return candidate, unit(sub(pair.b.ring[0], pair.a.ring[place])) or (0.0, 0.0)
    return _centres("A→B"), unit(sub(pair.b.ring[0], pair.a.ring[0])) or (0.0, 0.0)


def _centres(label: str, vertex: int | None = None) -> CandidateAxis:
    return CandidateAxis(
        label=label,
        kind=AxisKind.CENTRES,
        feature_a=None,
        feature_b=None,
        sine=1.0,
        nearly_parallel=False,
        covered_by=(),
        vertex=vertex,
    )


def _nearest_place(core: PlaneCore, centre: Vec2) -> int:
    return min(range(len(core.ring)), key=lambda k: (length(sub(core.ring[k], centre)), core.numbers[k]))


def _facing(candidates: tuple[CandidateAxis, ...], projected: Projections) -> list[bool]:
    """Which rows are an edge whose front is towards the other body by the shorter way out, or no edge at all.

    Of opposite sides of one body, on one line, the one that faces the other body wins; of equal ways out both do.
    """
    of_a = np.array([candidate.kind is AxisKind.FACE_A for candidate in candidates])
    of_b = np.array([candidate.kind is AxisKind.FACE_B for candidate in candidates])
    beyond = projected.interval_b[:, 0] - projected.interval_a[:, 1]
    before = projected.interval_a[:, 0] - projected.interval_b[:, 1]
    towards: list[bool] = np.where(of_a, beyond >= before, ~of_b | (before >= beyond)).tolist()
    return towards


def _intervals(core: PlaneCore, axes: Array) -> Array:
    """Projections `[min, max]` (n, 2) on unit vectors (n, 2)."""
    heights = product(axes, core.points.T)
    return np.stack((heights.min(axis=1) - core.radius, heights.max(axis=1) + core.radius), axis=1)


def _same_lines(axes: Array) -> NDArray[np.int64]:
    known: NDArray[np.bool_] = np.any(axes != 0.0, axis=1)
    turns = np.abs(axes[:, None, 0] * axes[None, :, 1] - axes[:, None, 1] * axes[None, :, 0])
    same = (turns <= SAME_AXIS_SIN) & known[:, None] & known[None, :] | np.eye(len(axes), dtype=bool)
    lowest: NDArray[np.int64] = same.argmax(axis=1).astype(np.int64)
    return lowest

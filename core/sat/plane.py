"""SAT in the plane: the edges' normals of both polygons, and for a circle the axis to the closest vertex.

Two polygons that are apart are apart along the normal of some edge; so it is as many axes as edges, and no products.
A circle adds one: from the polygon's vertex nearest the centre to the centre; so do polygons with borders. The rules
are those of the table of space (`core.sat.table`): every axis is tried, the way out of a contained interval
is the shorter of both, touching is a verdict of its own, ties are said.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry.tolerances import SAME_AXIS_SIN
from ..geometry.vec2 import Vec2, length, sub, unit
from ..geometry.vector import Array, dots, product
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..pair.cores import PlaneCore, PlanePair
from ..scene import Body
from .table import Projections, SatTable, between, centres_candidate, centres_coincide, table_of, towards_b


def plane_sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies: A's edges, B's edges, the axis of the closest points.

    An edge's axis is its outward normal. Of rows that rounding cannot tell apart the winner is the lowest that faces
    the other body. Two circles with one centre have a DEGENERATE row alone, and `normal` is +x of all ways out.
    """
    return sat_of_pair(PlanePair.of(a, b), a.position[:2])


def sat_of_pair(pair: PlanePair, origin: Vec2) -> SatTable:
    """The axis table of two cores, in the precision of their numbers; `origin`: A's position in the world."""
    candidates, axes = _edges(pair)
    # Of polygons that are grown, and of two segments on one line, no edge's normal may tell the distance.
    two_segments = len(pair.a.ring) == len(pair.b.ring) == 2
    needed = two_segments or not pair.sharp
    if needed and (closest := _closest(pair, axes)) is not None:
        candidates.append(closest[0])
        axes.append(closest[1])
    rows = np.array(axes)
    if not rows.any():
        return centres_coincide(-pair.radius, pair.scale)
    projected = _projected(pair, rows)
    table = table_of(
        projected,
        pair.scale,
        tuple(candidates),
        np.column_stack((rows, np.zeros(len(rows), rows.dtype))),
        _same_lines(rows),
        dots(rows, np.array(origin)),
        preferred=_facing(candidates, projected),
        exact=needed,
    )
    return towards_b(table, (0.0, 0.0), pair.scale, len(rows)) if two_segments and pair.sharp else table


def _edges(pair: PlanePair) -> tuple[list[CandidateAxis], list[Vec2]]:
    """The rows of the edges, A's before B's."""
    candidates: list[CandidateAxis] = []
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
    return candidates, [*pair.a.normals, *pair.b.normals]


def _closest(pair: PlanePair, edges: list[Vec2]) -> tuple[CandidateAxis, Vec2] | None:
    """The axis between a circle's centre and the closest vertex (of equally close ones the lowest), or both centres.

    Of two polygons between their closest vertices, if that parts them more than the normals of the `edges` do, else
    None: then an edge holds one of the closest points, or they overlap.
    """
    if pair.a.normals and pair.b.normals:
        away = pair.b.points - pair.a.points[:, None]
        place_a, place_b = divmod(int(dots(away, away).argmin()), len(pair.b.ring))
        axis = unit(sub(pair.b.ring[place_b], pair.a.ring[place_a]))
        if axis is None:
            return None
        *others, own = _projected(pair, np.array([*edges, axis])).separations.tolist()
        if own <= max(others) + pair.scale.rounding:
            return None
        return centres_candidate(f"A.v{pair.a.numbers[place_a]}→B.v{pair.b.numbers[place_b]}"), axis
    if pair.b.normals:
        place = _nearest_place(pair.b, pair.a.ring[0])
        number = pair.b.numbers[place]
        candidate = centres_candidate(f"A→B.v{number}", vertex=number)
        return candidate, unit(sub(pair.b.ring[place], pair.a.ring[0])) or (0.0, 0.0)
    if pair.a.normals:
        place = _nearest_place(pair.a, pair.b.ring[0])
        number = pair.a.numbers[place]
        candidate = centres_candidate(f"A.v{number}→B", vertex=number)
        return candidate, unit(sub(pair.b.ring[0], pair.a.ring[place])) or (0.0, 0.0)
    return centres_candidate("A→B"), unit(sub(pair.b.ring[0], pair.a.ring[0])) or (0.0, 0.0)


def _nearest_place(core: PlaneCore, centre: Vec2) -> int:
    return min(range(len(core.ring)), key=lambda k: (length(sub(core.ring[k], centre)), core.numbers[k]))


def _facing(candidates: list[CandidateAxis], projected: Projections) -> list[bool]:
    """Which rows are an edge whose front is towards the other body by the shorter way out, or no edge at all.

    Of opposite sides of one body, on one line, the one that faces the other body wins; of equal ways out both do.
    """
    of_a = np.array([candidate.kind is AxisKind.FACE_A for candidate in candidates])
    of_b = np.array([candidate.kind is AxisKind.FACE_B for candidate in candidates])
    beyond = projected.interval_b[:, 0] - projected.interval_a[:, 1]
    before = projected.interval_a[:, 0] - projected.interval_b[:, 1]
    towards: list[bool] = np.where(of_a, beyond >= before, ~of_b | (before >= beyond)).tolist()
    return towards


def _projected(pair: PlanePair, axes: Array) -> Projections:
    """Both bodies on unit vectors (n, 2)."""
    return between(*(_intervals(core, axes) for core in (pair.a, pair.b)))


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

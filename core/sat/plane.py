"""SAT in the plane: the axes are the edge normals of both polygons, and for a circle the axis to the closest vertex.

Two polygons that are apart are separated by the normal of some edge, so the table has one axis for each edge and no
cross products. A circle adds the axis between its centre and the polygon's vertex nearest to it; polygons with rounded
borders, and two segments on one line, add the axis between their closest vertices. The rules are those of the table in
space (`core.sat.table`): every axis is tried; if an interval contains the other, the shorter way out counts; touching
is a verdict of its own; ties are listed.
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
from .table import Projections, SatTable, centres_candidate, centres_coincide, projections_of, table_of, towards_b


def plane_sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies: A's edges, B's edges, and the axis of the closest points if it is needed.

    An edge's axis is its outward normal. Among rows that are equal up to rounding, the first that faces the other body
    wins. Two circles with one centre have a single DEGENERATE row: all ways out are equal, and `normal` is +x. Raises
    TypeError for shapes of space.
    """
    return sat_of_pair(PlanePair.of(a, b), a.position[:2])


def sat_of_pair(pair: PlanePair, origin: Vec2) -> SatTable:
    """The axis table of two cores, in the precision of their numbers; `origin`: A's position in the world."""
    candidates, axes = _edges(pair)
    # For polygons with a radius, and for two segments on one line, the distance may lie along no edge's normal.
    needed = pair.two_segments or not pair.edged
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
        preferred=_faces_other(candidates, projected),
        exact=needed,
    )
    return towards_b(table, (0.0, 0.0), pair.scale, len(rows)) if pair.two_segments and pair.edged else table


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

    For two polygons it is the axis between their closest vertices, if it separates them more than all normals `edges`.
    Else the result is None: one of the closest points lies within an edge, or the polygons overlap. For a centre at a
    vertex the axis is the zero vector.
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


def _faces_other(candidates: list[CandidateAxis], projected: Projections) -> list[bool]:
    """For each row, whether its edge faces the other body along the shorter way out; True for an axis without an edge.

    Of a body's two parallel edges, the one that faces the other body is preferred; both are if the ways out are equal.
    """
    of_a = np.array([candidate.kind is AxisKind.FACE_A for candidate in candidates])
    of_b = np.array([candidate.kind is AxisKind.FACE_B for candidate in candidates])
    beyond = projected.interval_b[:, 0] - projected.interval_a[:, 1]
    before = projected.interval_a[:, 0] - projected.interval_b[:, 1]
    towards: list[bool] = np.where(of_a, beyond >= before, ~of_b | (before >= beyond)).tolist()
    return towards


def _projected(pair: PlanePair, axes: Array) -> Projections:
    """The projections of both bodies on the unit vectors `axes` (n, 2), radii included."""
    return projections_of(*(_intervals(core, axes) for core in (pair.a, pair.b)))


def _intervals(core: PlaneCore, axes: Array) -> Array:
    """The projections `[min, max]` (n, 2) of a core with its radius on the unit vectors `axes` (n, 2)."""
    heights = product(axes, core.points.T)
    return np.stack((heights.min(axis=1) - core.radius, heights.max(axis=1) + core.radius), axis=1)


def _same_lines(axes: Array) -> NDArray[np.int64]:
    known: NDArray[np.bool_] = np.any(axes != 0.0, axis=1)
    turns = np.abs(axes[:, None, 0] * axes[None, :, 1] - axes[:, None, 1] * axes[None, :, 0])
    same = (turns <= SAME_AXIS_SIN) & known[:, None] & known[None, :] | np.eye(len(axes), dtype=bool)
    lowest: NDArray[np.int64] = same.argmax(axis=1).astype(np.int64)
    return lowest

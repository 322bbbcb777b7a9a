"""SAT in the plane: the edges' normals of both polygons, and for a circle the axis to the closest vertex.

Two polygons that are apart are apart along the normal of some edge; so it is as many axes as edges, and no products.
A circle adds one: from the polygon's vertex nearest the centre to the centre. The rules are those of the table of
space (`core.algorithms.sat_table`): every axis is tried, the way out of a contained interval is the shorter of both,
touching is a verdict of its own, ties are said.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..algorithms.candidate_axes import AxisKind, CandidateAxis
from ..algorithms.plane_cores import PlaneCore, PlanePair
from ..algorithms.sat_table import SatTable, status_of
from ..answer import verdict_of
from ..geometry.tolerances import SAME_AXIS_SIN
from ..geometry.vec2 import Vec2, length, raised, sub, unit
from ..geometry.vector import Array, frozen
from ..scene import Body


def plane_sat(a: Body, b: Body) -> SatTable:
    """The axis table of two placed bodies: A's edges, B's edges, the axis of the closest points.

    An edge's axis is its outward normal. Of rows that rounding cannot tell apart the winner is the lowest that faces
    the other body. Two circles with one centre have a DEGENERATE row alone, and `normal` is +x of all ways out.
    """
    return sat_of_pair(PlanePair.of(a, b), a.position[:2])


def sat_of_pair(pair: PlanePair, origin: Vec2) -> SatTable:
    """The axis table of two cores, in the precision of their numbers; `origin`: A's position in the world."""
    candidates, axes = _candidates(pair)
    known = np.array([any(axis) for axis in axes])
    rows = np.array(axes)
    interval_a, interval_b = (np.where(known[:, None], _intervals(core, rows), np.nan) for core in (pair.a, pair.b))
    beyond, before = interval_b[:, 0] - interval_a[:, 1], interval_a[:, 0] - interval_b[:, 1]
    separations = np.maximum(beyond, before)
    sides = np.where(before > beyond, -1, 1)
    scale = pair.scale
    if known.any():
        ranked = np.where(known, separations, -np.inf)
        best = ranked >= ranked.max() - scale.rounding
        # Of opposite sides of one body, on one line, the one that faces the other body.
        facing = best & _facing(candidates, beyond, before)
        winner = int(np.argmax(facing if facing.any() else best))
        separation = float(separations[winner])
        x, y = (sides[winner] * rows[winner]).tolist()
        ties = np.flatnonzero(np.abs(ranked - separation) <= scale.tie).tolist()
    else:
        winner, separation, (x, y), ties = 0, -pair.radius, (1.0, 0.0), []
    return SatTable(
        candidates=candidates,
        axes=frozen(np.column_stack((rows, np.zeros(len(rows), rows.dtype)))),
        interval_a=frozen(interval_a),
        interval_b=frozen(interval_b),
        offset=frozen(rows @ np.array(origin)),
        separations=frozen(separations),
        sides=sides,
        statuses=tuple(status_of(s, scale.band) for s in separations.tolist()),
        same_as=_same_lines(rows, known),
        winner=winner,
        ties=tuple(k for k in ties if k != winner),
        separation=separation,
        normal=raised((x + 0.0, y + 0.0)),
        verdict=verdict_of(separation, scale.band),
        exact=separation <= 0.0,
    )


def _candidates(pair: PlanePair) -> tuple[tuple[CandidateAxis, ...], list[Vec2]]:
    candidates: list[CandidateAxis] = []
    axes: list[Vec2] = []
    for name, kind, core in (("A", AxisKind.FACE_A, pair.a), ("B", AxisKind.FACE_B, pair.b)):
        of_a, of_b = kind is AxisKind.FACE_A, kind is AxisKind.FACE_B
        candidates += [
            CandidateAxis(f"{name}.edge{k}", kind, k if of_a else None, k if of_b else None, 1.0, False, ())
            for k in range(len(core.normals))
        ]
        axes += core.normals
    if not (pair.a.normals and pair.b.normals):
        candidate, axis = _closest(pair)
        candidates.append(candidate)
        axes.append(axis)
    return tuple(candidates), axes


def _closest(pair: PlanePair) -> tuple[CandidateAxis, Vec2]:
    """The axis between a circle's centre and the closest vertex (of equally close ones the lowest), or both centres."""
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
    return _centres("A→B"), unit(pair.offset) or (0.0, 0.0)


def _centres(label: str, vertex: int | None = None) -> CandidateAxis:
    return CandidateAxis(label, AxisKind.CENTRES, None, None, 1.0, False, (), vertex)


def _nearest_place(core: PlaneCore, centre: Vec2) -> int:
    return min(range(len(core.ring)), key=lambda k: (length(sub(core.ring[k], centre)), core.numbers[k]))


def _facing(candidates: tuple[CandidateAxis, ...], beyond: Array, before: Array) -> NDArray[np.bool_]:
    """Which rows are an edge whose front is towards the other body by the shorter way out, or no edge at all."""
    of_a = np.array([candidate.kind is AxisKind.FACE_A for candidate in candidates])
    of_b = np.array([candidate.kind is AxisKind.FACE_B for candidate in candidates])
    towards: NDArray[np.bool_] = np.where(of_a, beyond >= before, ~of_b | (before >= beyond))
    return towards


def _intervals(core: PlaneCore, axes: Array) -> Array:
    """Projections `[min, max]` (n, 2) on unit vectors (n, 2)."""
    heights = axes @ core.points.T
    return np.stack((heights.min(axis=1) - core.radius, heights.max(axis=1) + core.radius), axis=1)


def _same_lines(axes: Array, known: NDArray[np.bool_]) -> NDArray[np.int64]:
    turns = np.abs(axes[:, None, 0] * axes[None, :, 1] - axes[:, None, 1] * axes[None, :, 0])
    same = (turns <= SAME_AXIS_SIN) & known[:, None] & known[None, :] | np.eye(len(axes), dtype=bool)
    lowest: NDArray[np.int64] = same.argmax(axis=1).astype(np.int64)
    return lowest

"""SAT in the plane: the edges' normals of both polygons, and for a circle the axis to the closest vertex.

Two polygons that are apart are apart along the normal of some edge; so it is as many axes as edges, and no products.
A circle adds one: from the polygon's vertex nearest the centre to the centre. The rules are those of the table of
space (`core.algorithms.sat_table`): every axis is tried, the way out of a contained interval is the shorter of both,
touching is a verdict of its own, ties are said.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..algorithms.sat_table import AxisStatus
from ..answer import Verdict, verdict_of
from ..geometry.tolerances import SAME_AXIS_SIN
from ..geometry.vector import Array, frozen
from .pair import Core2, Pair2
from .scene import Body2
from .vec2 import Vec2, length, sub, unit


class AxisKind2(StrEnum):
    """Where a candidate axis comes from."""

    EDGE_A = "edge of A"
    EDGE_B = "edge of B"
    CENTRES = "closest points"
    """From a circle's centre to the closest vertex, or to the other centre."""


class CandidateAxis2(Struct, frozen=True):
    """One candidate. `label`: `A.edge0`, `B.edge2`, `A.v3→B`, `A→B.v1`, `A→B`.

    `edge`: number of the edge on its polygon, `vertex` of the closest vertex; None for the other kinds.
    """

    label: str
    kind: AxisKind2
    edge: int | None = None
    vertex: int | None = None


class SatTable2(Struct, frozen=True, eq=False):
    """All candidate axes of a pair, one row each: A's edges, B's edges, the closest vertex; as `SatTable` in space.

    `axes` (n, 2): unit vectors in the world, an edge's outward; a DEGENERATE row (a centre on the vertex, or two on one
    point) is zero. `interval_a`, `interval_b` (n, 2): projections `[min, max]` relative to A's position (`offset` (n,)
    added gives world values). `separations` (n,): `max(minB - maxA, minA - maxB)`, NaN on degenerate rows. `sides`
    (n,): +1 where B lies towards +axis by the shorter way out, else -1. `same_as` (n,): per row the lowest row with
    the same line. `ties`: rows (winner excluded) as good as the winner. `winner`: row of the largest separation, of
    rows that rounding cannot tell apart the lowest that faces the other body. `exact`: whether `separation` is the true
    signed distance (always when overlapping), else it is a lower bound of it. Two circles with one centre have a
    DEGENERATE row alone, and `normal` is +x of all ways out.
    """

    candidates: tuple[CandidateAxis2, ...]
    axes: Array
    interval_a: Array
    interval_b: Array
    offset: Array
    separations: Array
    sides: NDArray[np.int64]
    statuses: tuple[AxisStatus, ...]
    same_as: NDArray[np.int64]
    winner: int
    ties: tuple[int, ...]
    separation: float
    normal: Vec2
    verdict: Verdict
    exact: bool

    def against(self, distance: float, tolerance: float) -> SatTable2:
        """The table with `exact` judged by the true signed distance of the bodies."""
        return replace(self, exact=abs(distance - self.separation) <= tolerance)


def sat2(a: Body2, b: Body2) -> SatTable2:
    """The axis table of two placed bodies."""
    return sat_of_pair(Pair2.of(a, b), a.position)


def sat_of_pair(pair: Pair2, origin: Vec2) -> SatTable2:
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
    return SatTable2(
        candidates=candidates,
        axes=frozen(rows),
        interval_a=frozen(interval_a),
        interval_b=frozen(interval_b),
        offset=frozen(rows @ np.array(origin)),
        separations=frozen(separations),
        sides=sides,
        statuses=tuple(_status(s, scale.band) for s in separations.tolist()),
        same_as=_same_lines(rows, known),
        winner=winner,
        ties=tuple(k for k in ties if k != winner),
        separation=separation,
        normal=(x + 0.0, y + 0.0),
        verdict=verdict_of(separation, scale.band),
        exact=separation <= 0.0,
    )


def _candidates(pair: Pair2) -> tuple[tuple[CandidateAxis2, ...], list[Vec2]]:
    candidates: list[CandidateAxis2] = []
    axes: list[Vec2] = []
    for name, kind, core in (("A", AxisKind2.EDGE_A, pair.a), ("B", AxisKind2.EDGE_B, pair.b)):
        candidates += [CandidateAxis2(f"{name}.edge{k}", kind, edge=k) for k in range(len(core.normals))]
        axes += core.normals
    if not (pair.a.normals and pair.b.normals):
        candidate, axis = _closest(pair)
        candidates.append(candidate)
        axes.append(axis)
    return tuple(candidates), axes


def _closest(pair: Pair2) -> tuple[CandidateAxis2, Vec2]:
    """The axis between a circle's centre and the closest vertex (of equally close ones the lowest), or both centres."""
    if pair.b.normals:
        place = _nearest_place(pair.b, pair.a.ring[0])
        number = pair.b.numbers[place]
        candidate = CandidateAxis2(f"A→B.v{number}", AxisKind2.CENTRES, vertex=number)
        return candidate, unit(sub(pair.b.ring[place], pair.a.ring[0])) or (0.0, 0.0)
    if pair.a.normals:
        place = _nearest_place(pair.a, pair.b.ring[0])
        number = pair.a.numbers[place]
        candidate = CandidateAxis2(f"A.v{number}→B", AxisKind2.CENTRES, vertex=number)
        return candidate, unit(sub(pair.b.ring[0], pair.a.ring[place])) or (0.0, 0.0)
    return CandidateAxis2("A→B", AxisKind2.CENTRES), unit(pair.offset) or (0.0, 0.0)


def _nearest_place(core: Core2, centre: Vec2) -> int:
    return min(range(len(core.ring)), key=lambda k: (length(sub(core.ring[k], centre)), core.numbers[k]))


def _facing(candidates: tuple[CandidateAxis2, ...], beyond: Array, before: Array) -> NDArray[np.bool_]:
    """Which rows are an edge whose front is towards the other body by the shorter way out, or no edge at all."""
    of_a = np.array([candidate.kind is AxisKind2.EDGE_A for candidate in candidates])
    of_b = np.array([candidate.kind is AxisKind2.EDGE_B for candidate in candidates])
    towards: NDArray[np.bool_] = np.where(of_a, beyond >= before, ~of_b | (before >= beyond))
    return towards


def _intervals(core: Core2, axes: Array) -> Array:
    """Projections `[min, max]` (n, 2) on unit vectors (n, 2)."""
    heights = axes @ core.points.T
    return np.stack((heights.min(axis=1) - core.radius, heights.max(axis=1) + core.radius), axis=1)


def _same_lines(axes: Array, known: NDArray[np.bool_]) -> NDArray[np.int64]:
    turns = np.abs(axes[:, None, 0] * axes[None, :, 1] - axes[:, None, 1] * axes[None, :, 0])
    same = (turns <= SAME_AXIS_SIN) & known[:, None] & known[None, :] | np.eye(len(axes), dtype=bool)
    lowest: NDArray[np.int64] = same.argmax(axis=1).astype(np.int64)
    return lowest


_STATUS = {
    Verdict.SEPARATED: AxisStatus.SEPARATING,
    Verdict.TOUCHING: AxisStatus.TOUCHING,
    Verdict.OVERLAPPING: AxisStatus.OVERLAPPING,
}


def _status(separation: float, band: float) -> AxisStatus:
    return AxisStatus.DEGENERATE if separation != separation else _STATUS[verdict_of(separation, band)]

"""The axis table: what SAT answers with, and how a set of axes becomes one.

The result is its own trace: every axis with both intervals, whatever the verdict. Departures from the article: the
way out of one interval from another is `min(maxA - minB, maxB - minA)`, which stays right under containment; the
normal is turned by the smaller way out and not by who owns the lowest end; touching is a verdict of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from math import inf, isnan

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple, replace
from numpy.typing import NDArray

from ..geometry.hierarchy import extents
from ..geometry.tolerances import FRAME_ROUNDING
from ..geometry.vector import Array, dots, frozen, product
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..pair.pair import PairScale, two_boxes
from ..scene import Body
from ..shapes import Shape
from ..verdict import Verdict, verdict_of


class AxisStatus(StrEnum):
    """The status of one axis."""

    SEPARATING = "SEPARATING"
    TOUCHING = "TOUCHING"
    OVERLAPPING = "OVERLAPPING"
    DEGENERATE = "DEGENERATE"
    """No direction at all: parallel edges have an exactly zero cross product."""


class Directed(Struct, frozen=True, eq=False):
    """Axes turned from A towards B, the way B would be pushed: so the separation is `min B - max A` on every one.

    `axes` (..., 3): unit, `sides * axes` of a table; `interval_a`, `interval_b` (..., 2): projections `[min, max]` on
    them, relative to A's position; `offset` (...): added, they are world values. One axis, or a table of them.
    """

    axes: Array
    interval_a: Array
    interval_b: Array
    offset: Array

    @staticmethod
    def of(
        axes: Array, sides: NDArray[np.int64] | int, interval_a: Array, interval_b: Array, offset: Array | float = 0.0
    ) -> Directed:
        """From axes that run either way, with their `sides` (...) and intervals as in SatTable."""
        turns = np.asarray(sides)[..., None]
        ends = turns * np.array((interval_a, interval_b)) + 0.0
        ends.sort(axis=-1)  # turned, the end that was the highest is the lowest
        return Directed(turns * axes + 0.0, ends[0], ends[1], np.asarray(sides * offset) + 0.0)


class SatTable(Struct, frozen=True, eq=False, dict=True):
    """All candidate axes of a pair, one row each.

    `axes` (n, 3): unit vectors in the world; a DEGENERATE row is zero. `interval_a`, `interval_b` (n, 2): projections
    `[min, max]` relative to A's position (`offset` (n,) added gives world values). `separations` (n,): signed,
    `max(minB - maxA, minA - maxB)`; NaN on degenerate rows. `sides` (n,): +1 where B lies towards +axis by the
    smaller way out (also when both ways are equal), else -1, so `sides[k] * axes[k]` runs from A to B. `same_as` :
    per row the lowest row index with the same line (itself if none). `ties`: rows (winner excluded) whose separation
    equals the winner's within tolerances.TIE. `winner`: row of the largest separation; of rows that rounding cannot
    tell apart the lowest, and never edges that are parallel to rounding. `exact`: whether `separation` is the true
    signed distance (always when overlapping; when apart only if the winner's face holds the closest point), else a
    lower bound of the distance. Two spheres with one centre have a single DEGENERATE row, and every direction is a
    way out: `normal` is +x. `applies`: False where there are infinitely many axes (cylinder, cone, ellipsoid) and the
    one row is the final normal, which GJK or EPA found. A half-space's interval has an infinite end.
    """

    candidates: tuple[CandidateAxis, ...]
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
    normal: Array
    verdict: Verdict
    exact: bool
    applies: bool = True

    @cached_property
    def directed(self) -> Directed:
        """Every row turned from A towards B, as it is shown: `separations` are `min B - max A` to the last digit."""
        return Directed.of(self.axes, self.sides, self.interval_a, self.interval_b, self.offset)

    def against(self, distance: float, tolerance: float) -> SatTable:
        """The table with `exact` judged by the true signed distance of the bodies."""
        return replace(self, exact=abs(distance - self.separation) <= tolerance)


class Projections(Struct, frozen=True, eq=False):
    """Two bodies on n axes: `interval_a`, `interval_b` (n, 2), `separations` (n,), `sides` (n,), all as in SatTable.

    Along an axis on which a half-space has no end the separation is minus infinity.
    """

    interval_a: Array
    interval_b: Array
    separations: Array
    sides: NDArray[np.int64]

    def and_of(self, more: Projections) -> Projections:
        """The rows of this table and then those of `more`."""
        pairs = zip(astuple(self), astuple(more), strict=True)
        return Projections(*(np.concatenate(pair) for pair in pairs))


def sat_table(
    a: Body,
    b: Body,
    scale: PairScale,
    candidates: tuple[CandidateAxis, ...],
    axes: Array,
    same_as: NDArray[np.int64],
    *,
    exact: bool = False,
    applies: bool = True,
) -> SatTable:
    """Projects both bodies on every axis, `axes` (n, 3) unit or zero, and picks the winner."""
    projected, offset = projections_and_offset(a, b, axes)
    return table_of(projected, scale, candidates, axes, same_as, offset, exact=exact, applies=applies)


def table_of(
    projected: Projections,
    scale: PairScale,
    candidates: tuple[CandidateAxis, ...],
    axes: Array,
    same_as: NDArray[np.int64],
    offset: Array,
    *,
    preferred: Sequence[bool] | None = None,
    exact: bool = False,
    applies: bool = True,
) -> SatTable:
    """The table of bodies that are projected already, which takes the projections' arrays over.

    `preferred` (n,): of rows that rounding cannot tell apart those that win before the others.
    """
    interval_a, interval_b, separations = projected.interval_a, projected.interval_b, projected.separations
    # Edges that are parallel as far as doubles can tell span a direction that is noise: it is tested and shown, but
    # among boxes that are apart, where many a direction separates, it would be a strange one to name as the winner.
    unknown = np.array(~axes.any(axis=1))
    sines = np.array([candidate.sine for candidate in candidates])
    sensible: list[bool] = ((sines > FRAME_ROUNDING) & ~unknown).tolist()
    if not all(sensible):
        for numbers in (interval_a, interval_b, separations):
            numbers[unknown] = np.nan
    told, tie, band = separations.tolist(), scale.tie, scale.band
    ranked = told if all(sensible) else [own if may else -inf for own, may in zip(told, sensible, strict=True)]
    level = max(ranked) - scale.rounding
    # Where what is no number is the highest, nothing is as high, and the first row stands for all.
    best = [row for row, own in enumerate(ranked) if own >= level] or [0]
    winner = best[0] if preferred is None else next((row for row in best if preferred[row]), best[0])
    separation = told[winner]
    return SatTable(
        candidates=candidates,
        axes=frozen(axes),
        interval_a=frozen(interval_a),
        interval_b=frozen(interval_b),
        offset=frozen(offset),
        separations=frozen(separations),
        sides=projected.sides,
        statuses=tuple([AxisStatus.OVERLAPPING if own < -band else _status(own, band) for own in told]),
        same_as=same_as,
        winner=winner,
        ties=tuple([k for k, own in enumerate(told) if abs(own - separation) <= tie and k != winner]),
        separation=separation,
        normal=frozen(projected.sides[winner] * axes[winner] + 0.0),
        verdict=verdict_of(separation, band),
        exact=exact or separation <= 0.0,
        applies=applies,
    )


def towards_b(table: SatTable, radii: tuple[float, float], scale: PairScale, rows: int) -> SatTable:
    """The table of bodies whose cores lie in one plane (two segments: on one line) and touch: its normal is towards B.

    That is B's position: of both ways out along the winning axis neither is shorter. Where the position is on neither
    side, the axis itself. `radii`: A's and B's; of the first `rows` of the table one is across that plane, if any.
    """
    if abs(table.separation + sum(radii)) > scale.rounding:
        return table
    intervals = zip((table.interval_a[:rows], table.interval_b[:rows]), radii, strict=True)
    widths = [interval[:, 1] - interval[:, 0] - 2.0 * radius for interval, radius in intervals]
    if not (np.maximum(*widths) <= scale.tie).any():
        return table
    axis = table.axes[table.winner]
    side = -1 if dots(axis[: len(scale.offset)], scale.offset) < -scale.rounding else 1
    sides = table.sides.copy()
    sides[table.winner] = side
    return replace(table, sides=sides, normal=frozen(side * axis + 0.0))


def centres_coincide(separation: float, scale: PairScale) -> SatTable:
    """The table of two balls about one centre: a single row without a direction, and of all ways out +x."""
    unknown, axis = np.full((1, 2), np.nan), np.zeros((1, 3))
    return SatTable(
        candidates=(centres_candidate("A→B"),),
        axes=frozen(axis),
        interval_a=frozen(unknown),
        interval_b=frozen(unknown),
        offset=frozen(np.zeros(1)),
        separations=frozen(np.full(1, np.nan)),
        sides=np.ones(1, dtype=np.int64),
        statuses=(AxisStatus.DEGENERATE,),
        same_as=np.zeros(1, dtype=np.int64),
        winner=0,
        ties=(),
        separation=separation,
        normal=frozen(np.array((1.0, 0.0, 0.0))),
        verdict=verdict_of(separation, scale.band),
        exact=True,
    )


def centres_candidate(
    label: str,
    *,
    features: tuple[int | None, int | None] = (None, None),
    covered_by: tuple[int, ...] = (),
    vertex: int | None = None,
) -> CandidateAxis:
    """The candidate between two centres, or what stands for them: closest points, the answer's normal.

    `features`: of A and of B, as in CandidateAxis, like the others.
    """
    return CandidateAxis(
        label=label,
        kind=AxisKind.CENTRES,
        feature_a=features[0],
        feature_b=features[1],
        sine=1.0,
        nearly_parallel=False,
        covered_by=covered_by,
        vertex=vertex,
    )


def projections(a: Body, b: Body, axes: Array) -> Projections:
    """Both bodies on any unit vectors `axes` (n, 3), candidates or not."""
    return projections_and_offset(a, b, axes)[0]


def projections_and_offset(a: Body, b: Body, axes: Array) -> tuple[Projections, Array]:
    """The same, and A's position on the axes, (n,).

    The axes are unit vectors: the false separations that the radius form is known for come from axes that are not.
    """
    here, there = a.pose, b.pose
    # At once, as a call of numpy takes longer than what it does about so few numbers.
    places = (there.position - here.position)[:, None], here.position[:, None]
    along = product(axes, np.concatenate((here.matrix, there.matrix, *places), axis=1))
    if (halves := two_boxes(a, b)) is not None:
        # A box reaches as far the other way.
        reaches = dots(np.abs(along[:, :6].reshape(-1, 2, 3)), np.array(halves))[:, :, None] * _BOTH_WAYS
        interval_a, interval_b = reaches[:, 0], reaches[:, 1]
    else:
        interval_a, interval_b = _extents(a.shape, along[:, :3]), _extents(b.shape, along[:, 3:6])
    return between(interval_a, interval_b + along[:, 6:7]), along[:, 7].copy()


_BOTH_WAYS = np.array((-1.0, 1.0))


def between(interval_a: Array, interval_b: Array) -> Projections:
    """Intervals (n, 2) with what lies between them, none of their ends a negative zero."""
    # Which zero is the least of both goes by the processor.
    interval_a, interval_b = interval_a + 0.0, interval_b + 0.0
    beyond = interval_b[:, 0] - interval_a[:, 1]
    before = interval_a[:, 0] - interval_b[:, 1]
    return Projections(interval_a, interval_b, np.maximum(beyond, before), np.where(before > beyond, -1, 1))


def _extents(shape: Shape, local: Array) -> Array:
    """Intervals `[min, max]` (n, 2) of a shape about its position, on axes (n, 3) in its own frame."""
    if shape.polyhedron is not None:
        return np.array(extents(shape.polyhedron.vertices.T, local)).T.copy()
    return np.array((-shape.reach(-local), shape.reach(local))).T.copy()


def _status(separation: float, band: float) -> AxisStatus:
    """The status of an axis with this separation; NaN is an axis without a direction."""
    if separation > band:
        return AxisStatus.SEPARATING
    if separation >= -band:
        return AxisStatus.TOUCHING
    return AxisStatus.DEGENERATE if isnan(separation) else AxisStatus.OVERLAPPING

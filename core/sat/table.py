"""The axis table, which is SAT's result, and the functions that make it from a set of axes.

The table has every axis with both intervals, whatever the verdict, so it is also the record of the steps. Departures
from the article: the way out of one interval from another is `min(maxA - minB, maxB - minA)`, which is right even if
one contains the other; the normal points along the shorter way out; touching is a verdict of its own.
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

from ..geometry.hierarchy import extreme_heights
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
    """The axis is the zero vector, such as the cross product of parallel edges."""


class Directed(Struct, frozen=True, eq=False):
    """One axis or several, turned to point from A towards B: the separation on each is `min B - max A`.

    `axes` (..., 3): unit, `sides * axes` of a table. `interval_a`, `interval_b` (..., 2): projections `[min, max]` on
    them, relative to A's position. `offset` (...): the projections of A's position; add them for world values.
    """

    axes: Array
    interval_a: Array
    interval_b: Array
    offset: Array

    @staticmethod
    def of(
        axes: Array, sides: NDArray[np.int64] | int, interval_a: Array, interval_b: Array, offset: Array | float = 0.0
    ) -> Directed:
        """Reverses the axes with `sides` (...) -1; `interval_a`, `interval_b`, `offset` are as in SatTable."""
        turns = np.asarray(sides)[..., None]
        ends = turns * np.array((interval_a, interval_b)) + 0.0
        ends.sort(axis=-1)  # on a reversed axis, min and max change places
        return Directed(turns * axes + 0.0, ends[0], ends[1], np.asarray(sides * offset) + 0.0)


class SatTable(Struct, frozen=True, eq=False, dict=True):
    """All candidate axes of a pair, one row each.

    `axes` (n, 3): unit vectors in the world; a DEGENERATE row is zero. `interval_a`, `interval_b` (n, 2): projections
    `[min, max]` relative to A's position; an end is infinite for a half-space, NaN on degenerate rows. `offset` (n,):
    the projections of A's position; add them for world values. `separations` (n,): signed, `max(minB - maxA, minA -
    maxB)`; NaN on degenerate rows. `sides` (n,): +1 if the shorter way out pushes B along +axis, or both ways are
    equal, else -1; so `sides[k] * axes[k]` points from A to B. `same_as` (n,): the lowest row with the same line, the
    row itself if there is no other. `winner`: the row of the largest separation. Of rows equal up to rounding it is one
    that the pair prefers, else the lowest. Edges that are parallel up to rounding do not win. `separation`, `verdict`
    and `normal` (3,), unit, from A to B, are the winner's. `ties`: the other rows whose separation equals the
    winner's within tolerances.TIE. `exact`: whether `separation` is known to be the signed distance, as it is if the
    bodies overlap; if False, it is a lower bound of the distance. Two spheres with one centre have a single DEGENERATE
    row; all ways out are equal, and `normal` is +x. `applies`: False for a pair with infinitely many axes (cylinder,
    cone, ellipsoid); its one row is the final normal, which GJK or EPA found.
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
        """Every row turned from A towards B; `separations` are exactly `min B - max A`."""
        return Directed.of(self.axes, self.sides, self.interval_a, self.interval_b, self.offset)

    def against(self, distance: float, tolerance: float) -> SatTable:
        """The table with `exact` set to whether the separation equals the true signed `distance` within `tolerance`."""
        return replace(self, exact=abs(distance - self.separation) <= tolerance)


class Projections(Struct, frozen=True, eq=False):
    """The projections of two bodies on n axes.

    `interval_a`, `interval_b` (n, 2), `separations` (n,), `sides` (n,): as in SatTable. The separation is minus
    infinity on an axis along which a half-space is unbounded in both directions.
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
    """The table of two bodies: projects both on every axis, `axes` (n, 3) unit or zero, and chooses the winner.

    `same_as` (n,): the lowest row on the same line. `exact`, `applies`: as in `SatTable`.
    """
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
    """The table from projections, whose arrays are used by the table and may be changed.

    `axes` (n, 3), `same_as` (n,), `offset` (n,), `exact`, `applies`: as in SatTable. `preferred` (n,): whether each row
    wins among rows equal up to rounding; None for no row.
    """
    interval_a, interval_b, separations = projected.interval_a, projected.interval_b, projected.separations
    # The cross product of edges that are parallel up to rounding has a random direction. Its row is in the table, but
    # does not win: for bodies that are apart, many directions separate, and a random one has no meaning.
    unknown = np.array(~axes.any(axis=1))
    sines = np.array([candidate.sine for candidate in candidates])
    sensible: list[bool] = ((sines > FRAME_ROUNDING) & ~unknown).tolist()
    if not all(sensible):
        for numbers in (interval_a, interval_b, separations):
            numbers[unknown] = np.nan
    values, tie, band = separations.tolist(), scale.tie, scale.touching_band()
    ranked = values if all(sensible) else [own if may else -inf for own, may in zip(values, sensible, strict=True)]
    level = max(ranked) - scale.rounding
    # If the maximum is NaN, no row reaches it: the first row wins.
    best = [row for row, own in enumerate(ranked) if own >= level] or [0]
    winner = best[0] if preferred is None else next((row for row in best if preferred[row]), best[0])
    separation = values[winner]
    return SatTable(
        candidates=candidates,
        axes=frozen(axes),
        interval_a=frozen(interval_a),
        interval_b=frozen(interval_b),
        offset=frozen(offset),
        separations=frozen(separations),
        sides=projected.sides,
        statuses=tuple([AxisStatus.OVERLAPPING if own < -band else _status(own, band) for own in values]),
        same_as=same_as,
        winner=winner,
        ties=tuple([k for k, own in enumerate(values) if abs(own - separation) <= tie and k != winner]),
        separation=separation,
        normal=frozen(projected.sides[winner] * axes[winner] + 0.0),
        verdict=verdict_of(separation, band),
        exact=exact or separation <= 0.0,
        applies=applies,
    )


def towards_b(table: SatTable, radii: tuple[float, float], scale: PairScale, rows: int) -> SatTable:
    """The table with its normal towards B's position, if both cores touch and lie in one plane (or on one line).

    In this case both ways out along the winning axis are equal. If B's position is on neither side, the normal is the
    axis. `radii`: A's and B's. Only the first `rows` of the table are searched for the plane's normal. Any other table
    is returned unchanged.
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
    """The table of two balls with one centre: a single row without a direction; its normal is +x."""
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
        verdict=verdict_of(separation, scale.touching_band()),
        exact=True,
    )


def centres_candidate(
    label: str,
    *,
    features: tuple[int | None, int | None] = (None, None),
    covered_by: tuple[int, ...] = (),
    vertex: int | None = None,
) -> CandidateAxis:
    """The candidate axis between two centres or two closest points, or the normal of an answer.

    `features`: of A and of B, as in CandidateAxis, None for none; `covered_by` and `vertex` likewise.
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
    """The projections of both bodies on any unit vectors `axes` (n, 3), candidates or not."""
    return projections_and_offset(a, b, axes)[0]


def projections_and_offset(a: Body, b: Body, axes: Array) -> tuple[Projections, Array]:
    """The projections of both bodies on unit vectors `axes` (n, 3), and those of A's position, (n,).

    The axes must be unit vectors: on others, the interval of a shape with a radius would be false.
    """
    pose_a, pose_b = a.pose, b.pose
    # One product for all columns: for so few numbers the call of numpy costs more than the arithmetic.
    places = (pose_b.position - pose_a.position)[:, None], pose_a.position[:, None]
    along = product(axes, np.concatenate((pose_a.matrix, pose_b.matrix, *places), axis=1))
    if (halves := two_boxes(a, b)) is not None:
        # A box reaches equally far both ways.
        reaches = dots(np.abs(along[:, :6].reshape(-1, 2, 3)), np.array(halves))[:, :, None] * _BOTH_WAYS
        interval_a, interval_b = reaches[:, 0], reaches[:, 1]
    else:
        interval_a, interval_b = _interval_on(a.shape, along[:, :3]), _interval_on(b.shape, along[:, 3:6])
    return projections_of(interval_a, interval_b + along[:, 6:7]), along[:, 7].copy()


_BOTH_WAYS = np.array((-1.0, 1.0))


def projections_of(interval_a: Array, interval_b: Array) -> Projections:
    """The intervals (n, 2) with their separations and sides; no end is a negative zero."""
    # Processors differ in which of +0 and -0 is the minimum.
    interval_a, interval_b = interval_a + 0.0, interval_b + 0.0
    beyond = interval_b[:, 0] - interval_a[:, 1]
    before = interval_a[:, 0] - interval_b[:, 1]
    return Projections(interval_a, interval_b, np.maximum(beyond, before), np.where(before > beyond, -1, 1))


def _interval_on(shape: Shape, local: Array) -> Array:
    """Intervals `[min, max]` (n, 2) of a shape about its position, on axes (n, 3) in its own frame."""
    if shape.polyhedron is not None:
        return np.array(extreme_heights(shape.polyhedron.vertices.T, local)).T.copy()
    return np.array((-shape.reach(-local), shape.reach(local))).T.copy()


def _status(separation: float, band: float) -> AxisStatus:
    """The status of an axis with this separation, which is NaN for an axis without a direction."""
    if separation > band:
        return AxisStatus.SEPARATING
    if separation >= -band:
        return AxisStatus.TOUCHING
    return AxisStatus.DEGENERATE if isnan(separation) else AxisStatus.OVERLAPPING

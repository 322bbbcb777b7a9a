"""Two bodies in motion on SAT's axes, by entry and exit times (Eberly, "Dynamic Collision Detection").

On each axis, the two projection intervals meet during one interval of time. The bodies meet while their projections
meet on all axes: first at the latest entry, if that is no later than the earliest exit. For two polyhedra the face
normals of the Minkowski difference suffice, for any direction of motion. These are the face normals of both bodies and
the products of their edges; for a flat polygon also the normals of its edges within its plane.

Departures from the article, whose formula is wrong on every hit: The side of approach decides which ends meet. Exits
are not entries. An axis perpendicular to the motion (l·d = 0) separates never or always. Grown bodies (spheres,
capsules), segments and points have more axes than these. For them the latest entry is a lower bound of the time, and
the result is AXES_DO_NOT_SUFFICE if the bodies do not meet then.

`swept_axis_steps` tests only whether two moving boxes meet, on twenty-one axes: A against the volume that B sweeps. On
an axis, B's interval sweeps from its place at time 0 to that at time 1. The bodies never meet if on some axis A's
interval is apart from the swept one. The swept volume has edges along the motion d, so six products `d × u` with the
edge directions u join the fifteen axes. The fifteen axes with entry and exit times give the same answer, and the time.
Swept intervals on only fifteen axes give false hits.

Departures from the article: it omits an absolute value, here the larger of two gaps. Touching bodies meet.
"""

from __future__ import annotations

from math import inf

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.vector import Array, cross_rows, dots, frozen, length_rows
from ..pair.candidate_axes import AXIS_NAMES, CandidateAxis, axes_of_boxes, box_candidates, same_lines
from ..pair.cores import has_core
from ..pair.pair import TooLargeError, two_boxes
from ..sat.table import projections
from ..shapes import corners_of
from ..trace import Steps, run
from ..verdict import Provenance
from .motion import Motion, MotionResult, MotionStop, apart, at_start, met, undecided


class MovingAxes(Struct, frozen=True, eq=False):
    """The axis table of a motion, with one row for each axis.

    `candidates`, `axes` (n, 3): as in SatTable, with zero rows for exactly parallel edges. `interval_a`, `interval_b`
    (n, 2): projections at time 0, relative to A's position. `speeds` (n,): of B's interval, `l·d`, 0 within rounding.

    `entries`, `exits` (n,): the times from which and until which the intervals meet, not limited to [0, 1]. They are
    -inf and inf if the intervals always meet, inf and -inf if they never meet. `sides` (n,): +1 if B comes from the
    positive side, else -1; `sides[k] * axes[k]` points from A to B before the entry. `faces` (n,): whether the origin
    may enter the difference through a face of this row. In 2D the two sides of an axis may have a row each; the origin
    enters through one and leaves through the other. `band`: the largest gap that counts as meeting.
    """

    candidates: tuple[CandidateAxis, ...]
    axes: Array
    interval_a: Array
    interval_b: Array
    speeds: Array
    entries: Array
    exits: Array
    sides: Array
    faces: NDArray[np.bool_]
    band: float

    @property
    def latest_entry(self) -> int | None:
        """Row of the latest entry; of equal ones the lowest row in `faces`, else the lowest. None without axes."""
        if not len(self.entries):
            return None
        last = self.entries == self.entries.max()
        return int(np.argmax(last & self.faces if (last & self.faces).any() else last))

    @property
    def earliest_exit(self) -> int | None:
        """Row of the earliest exit; of equal ones the lowest row not in `faces`, else the lowest. None without axes."""
        if not len(self.exits):
            return None
        first = self.exits == self.exits.min()
        return int(np.argmax(first & ~self.faces if (first & ~self.faces).any() else first))

    def separation(self, time: float) -> float:
        """The largest signed gap of all axes at `time`; for polyhedra that overlap, minus their depth.

        Minus infinity without axes.
        """
        moved = self.interval_b + (time * self.speeds)[:, None]
        gaps = np.maximum(moved[:, 0] - self.interval_a[:, 1], self.interval_a[:, 0] - moved[:, 1])
        return float(np.where(self.axes.any(axis=1), gaps, -inf).max(initial=-inf))


class IntervalStep(Struct, frozen=True, eq=False):
    """One row of `table`.

    `entry`, `exit`: the times of this row. `latest`, `earliest`: the latest entry and the earliest exit of the rows so
    far. `latest_row`, `earliest_row`: their rows, None while the intervals always meet on every axis so far.
    `separated`: whether the rows so far prove the bodies apart during the whole interval.
    """

    row: int
    table: MovingAxes
    entry: float
    exit: float
    latest: float
    latest_row: int | None
    earliest: float
    earliest_row: int | None
    separated: bool


class IntervalResult(Struct, frozen=True, eq=False):
    """The answer and its axis table."""

    answer: MotionResult
    table: MovingAxes


def intervals_apply(motion: Motion) -> bool:
    """Whether both bodies have cores, neither visibly turns, and the axes are few enough for memory."""
    if motion.rotates or not (has_core(motion.a) and has_core(motion.b)):
        return False
    try:
        motion.candidate_axes()
    except TooLargeError:
        return False
    return True


def axis_times(
    interval_a: Array, interval_b: Array, speeds: Array, still: float, grow: float, band: float
) -> tuple[Array, Array]:
    """Returns the entry and the exit times (...,) of B's intervals (..., 2), which move at `speeds` (...,).

    The speeds are relative to A's intervals. A speed of at most `still` counts as 0: the axis always separates if the
    gap is more than `band`, else never. On the other axes, gaps of at most `grow` count as meeting.
    """
    beyond = interval_b[..., 0] - interval_a[..., 1]
    before = interval_a[..., 0] - interval_b[..., 1]
    moving = np.abs(speeds) > still
    pace = np.where(moving, np.abs(speeds), 1.0)
    ahead, behind = np.where(speeds > 0.0, before, beyond) - grow, np.where(speeds > 0.0, beyond, before) - grow
    never = ~moving & (np.maximum(beyond, before) > band)
    # For speeds of about 1e-308 the times overflow.
    with np.errstate(over="ignore"):
        entries = np.where(moving, ahead / pace, np.where(never, inf, -inf))
        exits = np.where(moving, -behind / pace, np.where(never, -inf, inf))
    return entries, exits


def moving_axes(motion: Motion) -> MovingAxes:
    """The table of all axes.

    Raises TypeError for shapes without a core, ValueError if a body visibly turns, TooLargeError for too many axes.
    """
    if motion.rotates:
        raise ValueError("intervals on fixed axes are for bodies that do not turn")
    candidates, axes = motion.candidate_axes()
    found = projections(motion.a, motion.b, axes)
    speeds = dots(axes, motion.displacement)
    still = np.abs(speeds) <= motion.still
    known = length_rows(axes) > 0.0
    entries, exits = axis_times(found.interval_a, found.interval_b, speeds, motion.still, 0.0, motion.band)
    beyond = found.interval_b.sum(axis=1) >= found.interval_a.sum(axis=1)
    sides = np.where(still, np.where(beyond, 1.0, -1.0), np.where(speeds < 0.0, 1.0, -1.0))
    return MovingAxes(
        candidates=candidates,
        axes=frozen(axes),
        interval_a=frozen(found.interval_a),
        interval_b=frozen(found.interval_b),
        speeds=frozen(np.where(still, 0.0, speeds)),
        entries=frozen(np.where(known, entries, -inf)),
        exits=frozen(np.where(known, exits, inf)),
        sides=frozen(sides),
        faces=motion.facing(candidates, sides),
        band=motion.band,
    )


def interval_steps(motion: Motion) -> Steps[IntervalStep, IntervalResult]:
    """Yields a step for each row of the axis table, then returns the answer. Raises as `moving_axes`."""
    table = moving_axes(motion)
    latest, latest_row, earliest, earliest_row = -inf, None, inf, None
    for row, (entry, leave) in enumerate(zip(table.entries.tolist(), table.exits.tolist(), strict=True)):
        if entry > latest:
            latest, latest_row = entry, row
        if leave < earliest:
            earliest, earliest_row = leave, row
        separated = latest > min(earliest, 1.0) or earliest < 0.0
        yield IntervalStep(
            row=row,
            table=table,
            entry=entry,
            exit=leave,
            latest=latest,
            latest_row=latest_row,
            earliest=earliest,
            earliest_row=earliest_row,
            separated=separated,
        )
    start = at_start(motion)
    return IntervalResult(start or _answer(motion, table), table)


def interval_motion(motion: Motion) -> IntervalResult:
    """The result of `interval_steps` alone. Raises as `moving_axes`."""
    return run(interval_steps(motion))


def _answer(motion: Motion, table: MovingAxes) -> MotionResult:
    """The answer from the table for two bodies that are apart at the start."""
    if motion.travel == 0.0:
        return apart(MotionStop.NO_MOTION)
    last, first = table.latest_entry, table.earliest_exit
    if last is None or first is None:
        # Two spheres have only the axis between their centres, which turns as they move.
        return undecided(MotionStop.AXES_DO_NOT_SUFFICE, 0.0, Provenance.BOUND)
    latest, earliest = float(table.entries[last]), float(table.exits[first])
    stop = _stop(latest, earliest)
    time = latest
    if stop is not MotionStop.HIT and _grazes(motion, table):
        stop, time = MotionStop.GRAZING, _nearest_time(table, last, first)
    if stop.outcome is not MotionStop.HIT.outcome:
        return _kept_apart(table, stop, last, first)
    row = last if np.isfinite(latest) else first
    normal, label = table.sides[row] * table.axes[row], table.candidates[row].label
    if _more_axes(motion):
        near = motion.near(max(time, 0.0))
        if time < 0.0 or near.separation > motion.band + near.certainty.gap + motion.scale.rounding:
            return undecided(MotionStop.AXES_DO_NOT_SUFFICE, max(time, 0.0), Provenance.BOUND)
        return met(motion, stop, time, Provenance.EXACT, normal=normal, row=row, axis=label, near=near)
    if time < 0.0:
        # The bodies are apart by slightly more than the touching band, along an axis with a constant gap. By rounding,
        # the table's gap on that axis is within the band.
        return met(motion, MotionStop.TOUCHING_AT_START, 0.0, Provenance.EXACT, near=motion.start)
    return met(motion, stop, time, Provenance.EXACT, normal=normal, row=row, axis=label)


def _stop(latest: float, earliest: float) -> MotionStop:
    if latest <= earliest and earliest >= 0.0 and latest <= 1.0:
        return MotionStop.HIT
    if -inf < earliest < 0.0:
        return MotionStop.MOVING_AWAY
    return MotionStop.PASSES_BY if latest > earliest else MotionStop.OUT_OF_TIME


def _grazes(motion: Motion, table: MovingAxes) -> bool:
    """Whether bodies that miss each other do so by at most the touching band: gaps up to the band count as meeting."""
    entries, exits = axis_times(
        table.interval_a, table.interval_b, table.speeds, motion.still, motion.band, motion.band
    )
    known = length_rows(table.axes) > 0.0
    latest, earliest = float(entries[known].max()), float(exits[known].min())
    return latest <= earliest and earliest >= 0.0 and latest <= 1.0


def _nearest_time(table: MovingAxes, last: int, first: int) -> float:
    """The time in [0, 1] at which the axis of the latest entry and the axis of the earliest exit have equal gaps."""
    latest, earliest = float(table.entries[last]), float(table.exits[first])
    if latest <= earliest:
        return min(max(latest, 0.0), 1.0)
    slow, fast = abs(float(table.speeds[first])), abs(float(table.speeds[last]))
    return min(max((fast * latest + slow * earliest) / (fast + slow), 0.0), 1.0)


def _kept_apart(table: MovingAxes, stop: MotionStop, last: int, first: int) -> MotionResult:
    """The result "apart", with an axis that separates the bodies during the whole interval, if one does."""
    if table.entries[last] > 1.0:
        row, side = last, float(table.sides[last])
    elif table.exits[first] < 0.0:
        # The exit was before the start: B is already on the side to which it moves.
        row, side = first, -float(table.sides[first])
    else:
        return apart(stop)
    return apart(stop, normal=side * table.axes[row], row=row, axis=table.candidates[row].label)


BOX_AXES = 15
"""The number of SAT's axes, which come first of the twenty-one; the other six are products of motion and edges."""


class SweptAxisStep(Struct, frozen=True, eq=False):
    """One of the twenty-one axes. `row`, `label`: its place in SweptAxes, and its name.

    `axis` (3,): unit; zero if the edge is along the motion, or the two edges are parallel. `interval_a`: A's, and
    `start_b`, `end_b`: B's at time 0 and time 1, (2,) each. `gap`: signed, between A's interval and the one that B's
    sweeps; -inf for a zero axis. `separates`: whether the gap is more than the touching band.
    """

    row: int
    label: str
    axis: Array
    interval_a: Array
    start_b: Array
    end_b: Array
    gap: float
    separates: bool


class SweptAxes(Struct, frozen=True, eq=False):
    """The answer: whether the boxes meet. `row`: the lowest row that separates, None if they meet.

    `axes` (21, 3), `labels`: the fifteen of SAT, then `d×A.x` ... `d×B.z`. `gaps` (21,): as in the steps.
    """

    meets: bool
    row: int | None
    labels: tuple[str, ...]
    axes: Array
    gaps: Array


def swept_gaps(interval_a: Array, interval_b: Array, speeds: Array) -> Array:
    """Signed gaps (...,) between A's intervals (..., 2) and those that B's (..., 2) sweep at `speeds` (...,).

    B's intervals move for one unit of time.
    """
    low = interval_b[..., 0] + np.minimum(speeds, 0.0)
    high = interval_b[..., 1] + np.maximum(speeds, 0.0)
    return np.maximum(low - interval_a[..., 1], interval_a[..., 0] - high)


def swept_axis_steps(motion: Motion) -> Steps[SweptAxisStep, SweptAxes]:
    """Yields a step for each of two boxes' twenty-one axes. Raises TypeError for other shapes, ValueError for turns."""
    a, b = motion.a, motion.b
    if two_boxes(a, b) is None:
        raise TypeError("the twenty-one axes are those of two boxes")
    if motion.rotates:
        raise ValueError("the swept volume is that of bodies that do not turn")
    axes, sines = axes_of_boxes(a, b)
    candidates = box_candidates(axes, sines, same_lines(axes))
    labels = (*(it.label for it in candidates), *(f"d×{body}.{name}" for body in "AB" for name in AXIS_NAMES))
    axes = np.concatenate((axes, _across(motion)))
    found = projections(a, b, axes)
    speeds = dots(axes, motion.displacement)
    speeds = np.where(np.abs(speeds) <= motion.still, 0.0, speeds)
    gaps = np.where(length_rows(axes) > 0.0, swept_gaps(found.interval_a, found.interval_b, speeds), -np.inf)
    ends = found.interval_b + speeds[:, None]
    separates = gaps > motion.band
    for row, label in enumerate(labels):
        axis, on_a, start, end = (frozen(rows[row]) for rows in (axes, found.interval_a, found.interval_b, ends))
        yield SweptAxisStep(
            row=row,
            label=label,
            axis=axis,
            interval_a=on_a,
            start_b=start,
            end_b=end,
            gap=float(gaps[row]),
            separates=bool(separates[row]),
        )
    first = int(np.argmax(separates)) if separates.any() else None
    return SweptAxes(first is None, first, labels, frozen(axes), frozen(gaps))


def swept_axes(motion: Motion) -> SweptAxes:
    """The result of `swept_axis_steps` alone. Raises as its steps."""
    return run(swept_axis_steps(motion))


def _across(motion: Motion) -> Array:
    """The six unit axes (6, 3) perpendicular to the motion and an edge; zero if the edge is along the motion."""
    edges = np.concatenate((motion.a.pose.matrix.T, motion.b.pose.matrix.T))
    products = cross_rows(motion.displacement, edges)
    lengths = length_rows(products)
    long = lengths > motion.still
    return np.where(long[:, None], products / np.where(long, lengths, 1.0)[:, None], 0.0)


def _more_axes(motion: Motion) -> bool:
    """Whether the bodies need more axes than the table has: grown bodies, segments and points do."""
    shapes = (motion.a.shape, motion.b.shape)
    grown = any(shape.core is not None and shape.core.radius > 0.0 for shape in shapes)
    return grown or any(len(corners_of(shape)) <= 2 for shape in shapes)

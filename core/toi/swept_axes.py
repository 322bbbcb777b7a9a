"""Whether two moving boxes meet at all, on twenty-one axes: A against the volume that B sweeps.

B's shadow on an axis sweeps from its interval at time 0 to that at time 1. The bodies never meet if on some axis A's
interval is clear of all of it: apart at both ends of the motion, on the same side. The swept volume has edges along
the motion, so six products `d × u` join the fifteen axes. Its question is yes or no; the fifteen with entry and exit
times (`intervals`) answer the same, and when. The yes or no on fifteen alone finds hits that are none.

Departures from the article: the absolute value that it drops is here the choice of the larger gap, and touching meets.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..geometry.vector import Array, cross_rows, frozen, length_rows
from ..pair.candidate_axes import AXIS_NAMES, axes_of_boxes, box_candidates, same_lines
from ..pair.pair import two_boxes
from ..sat.table import projections
from ..trace import Steps, run
from .relative import Motion

BOX_AXES = 15
"""So many of the twenty-one are SAT's; the others lie across the motion and an edge."""


class SweptAxisStep(Struct, frozen=True, eq=False):
    """One axis: A's interval, B's at the start and at the end (2,), and the gap between A's and all of B's way.

    `axis` (3,): unit, zero where the edge runs along the motion or two edges are parallel. `gap`: positive where the
    axis separates; -inf for a zero axis. `separates`: by more than the touching band.
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
    """The answer: `meets`, or the lowest row that separates.

    `axes` (21, 3) with their `labels`: the fifteen, then `d×A.x` ... `d×B.z`. `gaps` (21,): as in the steps.
    """

    meets: bool
    row: int | None
    labels: tuple[str, ...]
    axes: Array
    gaps: Array


def swept_gaps(interval_a: Array, interval_b: Array, speeds: Array) -> Array:
    """Gap (...,) between intervals of A (..., 2) and all that B's (..., 2) pass at `speeds` (...,) in unit time."""
    low = interval_b[..., 0] + np.minimum(speeds, 0.0)
    high = interval_b[..., 1] + np.maximum(speeds, 0.0)
    gaps: Array = np.maximum(low - interval_a[..., 1], interval_a[..., 0] - high)
    return gaps


def swept_axis_steps(motion: Motion) -> Steps[SweptAxisStep, SweptAxes]:
    """Two boxes that do not turn; every axis is looked at. TypeError for other shapes, ValueError for a turn."""
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
    speeds = axes @ motion.displacement
    speeds = np.where(np.abs(speeds) <= motion.still, 0.0, speeds)
    gaps = np.where(length_rows(axes) > 0.0, swept_gaps(found.interval_a, found.interval_b, speeds), -np.inf)
    ends = found.interval_b + speeds[:, None]
    separates = gaps > motion.band
    for row, label in enumerate(labels):
        yield SweptAxisStep(
            row,
            label,
            frozen(axes[row]),
            frozen(found.interval_a[row]),
            frozen(found.interval_b[row]),
            frozen(ends[row]),
            float(gaps[row]),
            bool(separates[row]),
        )
    first = int(np.argmax(separates)) if separates.any() else None
    return SweptAxes(first is None, first, labels, frozen(axes), frozen(gaps))


def swept_axes(motion: Motion) -> SweptAxes:
    """The result of `swept_axis_steps` alone."""
    return run(swept_axis_steps(motion))


def _across(motion: Motion) -> Array:
    """The six axes across the motion and an edge (6, 3), unit; zero where the edge runs along it, to rounding."""
    edges = np.concatenate((motion.a.pose.matrix.T, motion.b.pose.matrix.T))
    products = cross_rows(motion.displacement, edges)
    lengths = length_rows(products)
    long = lengths > motion.still
    across: Array = np.where(long[:, None], products / np.where(long, lengths, 1.0)[:, None], 0.0)
    return across

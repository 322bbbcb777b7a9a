"""Appends the steps of every method about two bodies' motion to the query about the bodies at their positions.

The phases keep one order, whichever method answers best, so that steps keep their places while a body is dragged. These
phases come last, so that the indices of all other steps are the same with and without a motion.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from msgspec.structs import replace

from ..analysis.motion_answers import SweepAnswer
from ..geometry.vector import Array
from ..rays.raycast import GjkRaycastStep
from ..toi import MotionMethod
from ..toi.intervals import IntervalStep, SweptAxisStep
from ..toi.spheres import SphereBoxStep, SpheresStep
from .query import MotionStep, Phase, Query, moments_of

PHASE_OF = {
    MotionMethod.SCALED_PLANE: Phase.SCALED,
    MotionMethod.PLANE: Phase.PLANE,
    MotionMethod.SPHERES: Phase.SPHERES,
    MotionMethod.SPHERE_BOX: Phase.REGIONS,
    MotionMethod.DIFFERENCE: Phase.ROUNDED,
    MotionMethod.INTERVALS: Phase.INTERVALS,
    MotionMethod.RAY: Phase.RAY,
    MotionMethod.ADVANCEMENT: Phase.ADVANCEMENT,
}
"""The phase of each method's steps. The test on twenty-one axes is no MotionMethod; its phase is Phase.SWEPT."""


def with_motion(query: Query, sweep: SweepAnswer | None) -> Query:
    """The query with the steps of all methods of `sweep` appended; the query itself if there are none, as for None."""
    if sweep is None:
        return query
    steps = {PHASE_OF[trace.method]: trace.steps for trace in sweep.traces} | {Phase.SWEPT: sweep.swept_steps}
    found = [
        moment
        for phase in Phase
        for moment in moments_of(phase, tuple(MotionStep(step, time_of(step)) for step in steps.get(phase, ())))
    ]
    results = {**query.results, **{PHASE_OF[trace.method]: trace.result for trace in sweep.traces}}
    return replace(query, moments=(*query.moments, *found), results=results, sweep=sweep) if found else query


def axis_of(step: MotionStep) -> Array | None:
    """The unit axis (3,) of a step on an axis; None for other steps, and for an axis without a direction."""
    of = step.motion
    if isinstance(of, IntervalStep):
        axis = of.table.axes[of.row]
    elif isinstance(of, SweptAxisStep):
        axis = of.axis
    else:
        return None
    return axis if axis.any() else None


def time_of(step: Any) -> float:
    """The time of the motion, 0 to 1, that a step is about: the time that it found or tests; 0 if it has none."""
    time = _TIMES[type(step)](step) if type(step) in _TIMES else step.time
    return 0.0 if time is None else min(max(time, 0.0), 1.0)


_TIMES: dict[type, Callable[[Any], float | None]] = {
    SpheresStep: lambda step: step.closest_time if step.time is None else step.time,
    SphereBoxStep: lambda step: step.nearest_time if step.time is None else step.time,
    # An axis on which the intervals never meet is shown at the start.
    IntervalStep: lambda step: 0.0 if step.entry == inf else step.entry,
    # The step tests the whole interval at once.
    SweptAxisStep: lambda _step: 0.0,
    GjkRaycastStep: lambda step: step.t,
}
"""For each kind of step, the function that returns its time; the steps of other kinds have a field `time`."""

"""Two moving spheres: the quadratic in the relative motion, its smaller root, and before it the closest approach.

Departures from the article: the relative velocity is a difference, where it prints a sum; an initial overlap and
no relative motion are answered first; the smaller root is the first contact because time runs forwards.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ..geometry.vector import Array, length
from ..pair.pair import two_balls
from ..trace import Steps, run
from ..verdict import Provenance
from .closing import Approach, approach
from .outcome import MotionResult, MotionStop, apart, at_start, met
from .relative import Motion


class SpheresStage(StrEnum):
    """What a step has just found."""

    START = "START"
    CLOSEST = "CLOSEST"
    """The closest approach within the interval."""
    ROOT = "ROOT"


class SpheresStep(Struct, frozen=True, eq=False):
    """What is known so far; None is not known yet.

    `offset` (3,) from centre to centre at time 0, `velocity` (3,) of B relative to A, `reach`: both radii added.
    `closest_time`, clamped to 0..1, and `closest`: the centres' least distance in the interval. `discriminant`: of the
    quadratic; `time`: its smaller root, wherever in time it lies.
    """

    stage: SpheresStage
    offset: Array
    velocity: Array
    reach: float
    closest_time: float | None = None
    closest: float | None = None
    discriminant: float | None = None
    time: float | None = None
    stop: MotionStop | None = None


def spheres_steps(motion: Motion) -> Steps[SpheresStep, MotionResult]:
    """Two spheres. TypeError for other pairs."""
    offset, velocity, reach = motion.offset, motion.displacement, two_balls(motion.a, motion.b)
    if reach is None:
        raise TypeError("both bodies must be spheres")
    start = at_start(motion)
    yield SpheresStep(SpheresStage.START, offset, velocity, reach, stop=None if start is None else start.stop)
    if start is not None:
        return start
    found = approach(offset, velocity, reach)
    when = min(max(found.when, 0.0), 1.0)
    closest = found.nearest if when == found.when else length(offset + when * velocity)
    stop = _misses(motion, found, closest - reach)
    yield SpheresStep(SpheresStage.CLOSEST, offset, velocity, reach, when, closest, stop=stop)
    if stop is not None:
        return apart(stop)
    grazing = found.enter is None or found.enter > when
    time = when if grazing else found.enter
    assert time is not None
    stop = MotionStop.GRAZING if grazing else MotionStop.HIT
    yield SpheresStep(SpheresStage.ROOT, offset, velocity, reach, when, closest, found.discriminant, time, stop)
    return met(motion, stop, time, Provenance.EXACT)


def spheres_motion(motion: Motion) -> MotionResult:
    """The result of `spheres_steps` alone."""
    return run(spheres_steps(motion))


def _misses(motion: Motion, found: Approach, gap: float) -> MotionStop | None:
    """Why the closest approach, `gap` apart, is no contact; None if it is one."""
    if gap <= motion.band:
        return None
    if motion.travel == 0.0:
        return MotionStop.NO_MOTION
    if found.when <= 0.0:
        return MotionStop.MOVING_AWAY
    return MotionStop.OUT_OF_TIME if found.enter is not None and found.enter > 1.0 else MotionStop.PASSES_BY

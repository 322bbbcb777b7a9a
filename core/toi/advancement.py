"""Conservative advancement (Mirtich 1996): any two shapes, moving and turning, by their distance alone.

At time t the bodies are d apart along the unit normal n. Until the gap along n has closed nothing can touch, and how
fast it closes at most is known: `t += d / ((vA - vB)·n + |ωA × n| rA + |ωB × n| rB)`. So every t on the way is proved
free, and a gap that never closes proves that the bodies stay apart. Without rotation this is Newton's method on a
convex function, and arrives in a few steps.

Departures: the rate counts the rotation vector's part across n, which is all that moves a point along n; where bodies
turn, tighter bounds go farther (`closing`); the lower bound of the distance advances time, not the distance.
"""

from __future__ import annotations

from itertools import count
from math import isfinite

from msgspec import Struct

from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, frozen
from ..trace import Steps, run
from ..verdict import Provenance
from .closing import ClosingBound, closing
from .outcome import MotionResult, MotionStop, apart, at_start, met, undecided
from .relative import Motion, Nearness


class AdvancementSettings(Struct, frozen=True):
    """The knobs. `tolerance`: a distance that counts as arrived, as a fraction of L; `iterations`: at most so many.

    `supports`: whether the bounds by supports help the plain rate, which alone may need thousands of steps.
    """

    tolerance: float = 1e-8
    iterations: int = 256
    supports: bool = True


DEFAULTS = AdvancementSettings()


class AdvancementStep(Struct, frozen=True, eq=False):
    """One look at the bodies at time `time`, up to which they are proved apart.

    `distance`: signed, and `lower`, its lower bound, that closes at `rate` at most; `straight` and `turning` are its
    parts, at first. `normal` (3,): unit, A to B; `point_a`, `point_b` (3,): world, on the surfaces. `next_time`: up to
    when the gap holds, by `bound`; inf where it never closes, or not before the interval's end.
    """

    number: int
    time: float
    distance: float
    lower: float
    normal: Array
    point_a: Array
    point_b: Array
    straight: float
    turning: float
    rate: float
    bound: ClosingBound
    next_time: float
    stop: MotionStop | None


def advancement_steps(motion: Motion, settings: AdvancementSettings = DEFAULTS) -> Steps[AdvancementStep, MotionResult]:
    """Any two bodies; no steps where they meet at once, or nothing moves."""
    start = at_start(motion)
    if start is not None:
        return start
    if motion.travel == 0.0 and not motion.rotates:
        return apart(MotionStop.NO_MOTION)
    arrived = settings.tolerance * motion.scale.larger
    time, near = 0.0, motion.start
    facing = near.proximity.normal
    for number in count(1):
        found = near.proximity
        lower = _lower(motion, near, time)
        pace = closing(motion, found.normal, max(lower, 0.0), time, supports=settings.supports)
        ahead = time + pace.lasting
        stop = _stop(motion, near, time, ahead, arrived, closes=not pace.never)
        if stop is None and number >= settings.iterations:
            stop = MotionStop.ITERATION_LIMIT
        yield AdvancementStep(
            number=number,
            time=time,
            distance=near.separation,
            lower=lower,
            normal=frozen(found.normal.copy()),
            point_a=motion.world(found.point_first, time),
            point_b=motion.world(found.point_second, time),
            straight=pace.straight,
            turning=pace.turning,
            rate=pace.rate,
            bound=pace.bound,
            next_time=ahead,
            stop=stop,
        )
        if stop is not None:
            return _result(motion, stop, time, near, facing)
        assert isfinite(ahead)
        time, facing = ahead, found.normal
        near = motion.near(time, near.warm)
    raise AssertionError("counting ended")


def advancement(motion: Motion, settings: AdvancementSettings = DEFAULTS) -> MotionResult:
    """The result of `advancement_steps` alone."""
    return run(advancement_steps(motion, settings))


def _result(motion: Motion, stop: MotionStop, time: float, near: Nearness, facing: Array) -> MotionResult:
    """`facing` (3,): the normal whose gap has led to `time`."""
    if stop is MotionStop.HIT:
        # Bodies that touch at an edge or a corner have many a normal: this one has kept them apart until now, if it did
        # not turn meanwhile.
        normal = facing if near.separation <= motion.band and not motion.rotates else None
        return met(motion, stop, time, Provenance.CERTIFIED, normal=normal, near=near)
    if stop in (MotionStop.ITERATION_LIMIT, MotionStop.NO_PROGRESS):
        return undecided(stop, time, Provenance.CERTIFIED)
    return apart(stop, Provenance.CERTIFIED)


def _stop(
    motion: Motion, near: Nearness, time: float, ahead: float, arrived: float, *, closes: bool
) -> MotionStop | None:
    """Whether this is the end. At a distance that counts as arrived the bodies must still be coming nearer."""
    if near.separation <= motion.band:
        return MotionStop.HIT
    if not closes:
        return MotionStop.MOVING_AWAY if time == 0.0 else MotionStop.PASSES_BY
    if ahead > 1.0:
        return MotionStop.OUT_OF_TIME
    if near.separation <= arrived:
        return MotionStop.HIT
    return MotionStop.NO_PROGRESS if ahead <= time else None


def _lower(motion: Motion, near: Nearness, time: float) -> float:
    """What the distance is at least: by its gap, and by the rounding of the poses."""
    reach = motion.scale.extent + time * motion.travel
    return near.separation - near.certainty.gap - ROUNDING * reach

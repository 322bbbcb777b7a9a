"""Conservative advancement (Mirtich 1996): any two shapes, moving and turning, by their distance alone.

At time t the bodies are d apart along the unit normal n. Until the gap along n has closed nothing can touch, and it
closes no faster than `(vA - vB)·n + |ωA × n| rA + |ωB × n| rB`, r being how far a body's points are from its position:
so time moves on by the gap over that rate, and every t on the way is proved free. A rate that is not positive never
closes the gap. Without rotation this is Newton's method on a convex function, and arrives in a few steps.

Departures: the rotation vector enters by its part across n, which is all that moves a point along n (its length is as
right, and slower); the lower bound of the distance advances time, not the distance. A turning half-space has no r:
in the plane's own frame the other body swings about its position, its rate growing by `bend` at most, and the gap lasts
for the root of `rate h + bend h² = gap`.
"""

from __future__ import annotations

from itertools import count
from math import sqrt

import numpy as np
from msgspec import Struct

from ...answer import Provenance
from ...geometry.tolerances import ROUNDING
from ...geometry.vector import Array, cross, dot, frozen, length
from ...scene import Body
from ...trace import Steps, run
from .impact import apart, at_start, met, undecided
from .outcome import MotionResult, MotionStop
from .relative import Motion, Nearness, half_space_of, nearness


class AdvancementSettings(Struct, frozen=True):
    """The knobs. `tolerance`: a distance that counts as arrived, as a fraction of L; `iterations`: at most so many."""

    tolerance: float = 1e-8
    iterations: int = 256


DEFAULTS = AdvancementSettings()


class AdvancementStep(Struct, frozen=True, eq=False):
    """One look at the bodies at time `time`, up to which they are proved apart.

    `distance`: signed, and `lower`, its lower bound, that closes at `rate` at most; `straight` and `turning` are its
    parts. `bend`: by how much the rate may grow per unit of time, 0 but where a half-space turns. `normal` (3,): unit,
    A to B; `point_a`, `point_b` (3,): world, on the surfaces. `next_time`: None where the gap never closes.
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
    bend: float
    next_time: float | None
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
        lower = _lower(motion, near, time)
        straight, turning, bend = _rates(motion, near, time)
        rate = straight + turning
        lasting = _lasting(max(lower, 0.0), rate, bend)
        ahead = None if lasting is None else time + lasting
        stop = _stop(motion, near, time, ahead, arrived)
        if stop is None and number >= settings.iterations:
            stop = MotionStop.ITERATION_LIMIT
        found = near.proximity
        yield AdvancementStep(
            number=number,
            time=time,
            distance=near.separation,
            lower=lower,
            normal=frozen(found.normal.copy()),
            point_a=motion.world(found.point_first, time),
            point_b=motion.world(found.point_second, time),
            straight=straight,
            turning=turning,
            rate=rate,
            bend=bend,
            next_time=ahead,
            stop=stop,
        )
        if stop is not None:
            return _result(motion, stop, time, near, facing)
        assert ahead is not None
        time, facing = ahead, found.normal
        near = nearness(*motion.at(time))
    raise AssertionError("counting ended")


def advancement(motion: Motion, settings: AdvancementSettings = DEFAULTS) -> MotionResult:
    """The result of `advancement_steps` alone."""
    return run(advancement_steps(motion, settings))


def _result(motion: Motion, stop: MotionStop, time: float, near: Nearness, facing: Array) -> MotionResult:
    """`facing` (3,): the normal whose gap has led to `time`."""
    if stop is MotionStop.HIT:
        # Bodies that touch at an edge or a corner have many a normal: this one has kept them apart until now.
        normal = facing if near.separation <= motion.band else None
        return met(motion, stop, time, Provenance.CERTIFIED, normal=normal, near=near)
    if stop in (MotionStop.ITERATION_LIMIT, MotionStop.NO_PROGRESS):
        return undecided(stop, time, Provenance.CERTIFIED)
    return apart(stop, Provenance.CERTIFIED)


def _stop(motion: Motion, near: Nearness, time: float, ahead: float | None, arrived: float) -> MotionStop | None:
    """Whether this is the end. At a distance that counts as arrived the bodies must still be coming nearer."""
    if near.separation <= motion.band:
        return MotionStop.HIT
    if ahead is None:
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


def _lasting(gap: float, rate: float, bend: float) -> float | None:
    """How long a gap lasts that closes at `rate` now and at `rate + bend h` after h at most; None for ever."""
    if bend > 0.0:
        root = sqrt(rate * rate + 4.0 * bend * gap)
        # The two forms of the root: either loses its digits where the other keeps them.
        return 2.0 * gap / (root + rate) if rate > 0.0 else (root - rate) / (2.0 * bend)
    return gap / rate if rate > 0.0 else None


def _rates(motion: Motion, near: Nearness, time: float) -> tuple[float, float, float]:
    """How fast the gap along the normal closes at most: by moving, by turning, and how much the rate may grow."""
    normal = near.proximity.normal
    found = half_space_of(motion)
    if found is not None and any(motion.turn_a if found[2] > 0.0 else motion.turn_b):
        return _about_a_turning_plane(motion, found[1], found[2], normal, time)
    straight = -dot(normal, motion.displacement)
    if abs(straight) <= motion.still:
        straight = 0.0
    turning = sum(
        length(cross(np.array(turn), normal)) * body.shape.bounding_radius
        for body, turn in ((motion.a, motion.turn_a), (motion.b, motion.turn_b))
        if any(turn)
    )
    return straight, turning, 0.0


def _about_a_turning_plane(
    motion: Motion, body: Body, side: float, normal: Array, time: float
) -> tuple[float, float, float]:
    """The same where the half-space turns; `side`: +1 where it is A, -1 where it is B. `body`: the other one.

    With n the plane's normal and x the body's position about the half-space's, the gap changes by `n·v + (ω × n)·x`,
    and by the body's tumbling in the plane's frame. n turns by |ω| h in the time h, and `ω × n` keeps its length.
    """
    spin, other = (motion.turn_a, motion.turn_b) if side > 0.0 else (motion.turn_b, motion.turn_a)
    outward, place = side * normal, side * (motion.offset + time * motion.displacement)
    swing = cross(np.array(spin), outward)
    straight = -side * dot(outward, motion.displacement)
    tumbling = length(np.array(other) - np.array(spin)) * body.shape.bounding_radius
    farthest = length(place) + (1.0 - time) * motion.travel
    turned, speed = length(np.array(spin)), length(swing)
    bend = turned * motion.travel + speed * (turned * farthest + motion.travel)
    return straight, tumbling - dot(swing, place), bend

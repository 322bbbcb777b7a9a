"""Conservative advancement (Mirtich 1996): any two shapes, moving and turning, by their distance alone.

At time t the bodies are d apart along the unit normal n. They cannot touch before the gap along n has closed. The rate
at which it closes has an upper bound: `t += d / ((vA - vB)·n + |ωA × n| rA + |ωB × n| rB)`. So the bodies are proved
apart at every t on the way, and a gap that never closes proves that they stay apart. Without rotation this is Newton's
method on a convex function, and needs few steps.

Departures: the rate uses only the part of the rotation vector perpendicular to n, as only this part moves a point along
n. For bodies that turn, tighter bounds allow longer steps. Time advances by the lower bound of the distance, not by the
distance.

`closing` computes a lower bound of how long a gap lasts. Two parallel planes support the bodies, `gap` apart along the
unit normal n. The plain bound (Mirtich 1996) keeps n fixed. Turning at ω moves a point of a body along n by at most
`|ω × n| r` per unit of time; r is the largest distance of a point from the body's position. Straight motion closes the
gap at `(vA - vB)·n`.

The other bounds use the bodies' support maps, and n turns at some Ω: zero; A's or B's ω, as a face's normal turns with
its body; or the Ω that keeps n perpendicular to an edge of each body. With m = n × (ω - Ω), a point q relative to its
body's position moves along n at `q·m`. B's position x relative to A's moves along n at `n·v + (Ω × n)·x`, with B's
relative velocity v. After a time h, both are off by at most `h²/2` times the largest second derivative. So a body
extends no farther than its support value along `n + h m` plus that error. Support functions are convex, so the gap left
is concave in h: if it is positive at 0 and at h, it is positive between. Any Ω gives a valid bound; the best is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import count
from math import frexp, inf, isfinite, ldexp

import numpy as np
from msgspec import Struct

from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, cross, dot, frozen, length, unit
from ..pair.features import SupportFeature, support_feature
from ..pair.pair import half_space_of
from ..scene import Body
from ..trace import Steps, run
from ..verdict import Provenance
from .motion import Motion, MotionResult, MotionStop, Nearness, apart, at_start, met, undecided

GRID = 16
"""About the number of times at which a round evaluates a bound; there are two rounds, the first with up to twice as
many.

More are not needed: the next step corrects a root that is off by a hundredth.
"""


class ClosingBound(StrEnum):
    """The bound that proves how long a gap lasts: RATE is the plain one, the others name the rotation of the planes."""

    RATE = "RATE"
    STILL = "STILL"
    WITH_A = "WITH_A"
    WITH_B = "WITH_B"
    WITH_EDGES = "WITH_EDGES"


class Closing(Struct, frozen=True):
    """The closing of a gap: its largest rate at first, and the least time that the gap lasts.

    `straight`, `turning`: the parts of the rate by straight motion and by turning, scene units per unit of time.
    `lasting`: the time that the gap lasts at least, by `bound`; inf, or any time beyond, if it lasts to the interval's
    end. `never`: whether the rate proves that the gap never closes.
    """

    straight: float
    turning: float
    lasting: float
    bound: ClosingBound
    never: bool

    @property
    def rate(self) -> float:
        """The sum of both parts of the rate."""
        return self.straight + self.turning


def closing(motion: Motion, normal: Array, gap: float, time: float, *, supports: bool = True) -> Closing:
    """Bounds how long a gap lasts from `time` on, along the unit `normal` (3,) from A to B; `gap` >= 0, scene units.

    `supports`: whether to use the bounds by support maps besides the plain one. For a half-space that turns, only the
    bound with planes that turn with it exists, and is used in both cases.
    """
    straight = -dot(normal, motion.displacement)
    if abs(straight) <= motion.still:
        straight = 0.0
    if not motion.rotates:
        return Closing(straight, 0.0, gap / straight if straight > 0.0 else inf, ClosingBound.RATE, straight <= 0.0)
    limit, planes = 1.0 - time, _Planes.of(motion, normal, time)
    space = half_space_of(motion.a, motion.b)
    if space is not None and any(motion.turn_a if space.side > 0.0 else motion.turn_b):
        bound, turn = (ClosingBound.WITH_A, planes.turn_a) if space.side > 0.0 else (ClosingBound.WITH_B, planes.turn_b)
        leading = planes.turning(turn)
        return Closing(straight, leading.rate - straight, _lasting(leading, gap, 0.0, limit), bound, False)
    turning = sum(
        length(cross(turn, normal)) * body.shape.bounding_radius
        for body, turn in ((planes.a, planes.turn_a), (planes.b, planes.turn_b))
        if turn.any()
    )
    rate = straight + turning
    best, bound = (gap / rate if rate > 0.0 else inf), ClosingBound.RATE
    # A half-space that does not turn has its own plane as its only supporting plane, so the planes do not turn.
    ways = [(ClosingBound.STILL, np.zeros(3))] if space is not None else planes.candidates()
    for name, turn in ways if supports else ():
        if best <= limit and (longer := _lasting(planes.turning(turn), gap, best, limit)) > best:
            best, bound = longer, name
    return Closing(straight, turning, best, bound, rate <= 0.0)


class _Reach(Struct, frozen=True, eq=False):
    """A body's support value along `facing + h across` as a function of the time h.

    `facing`, `across` (3,): body frame. `now`: the support value at h = 0.
    """

    body: Body
    facing: Array
    across: Array
    now: float

    def grown(self, after: Array) -> Array:
        """The growth (n,) of the support value after the times `after` (n,), without the second-order error."""
        reach: Array = self.body.shape.reach(self.facing + after[:, None] * self.across)
        return reach - self.now


class _Leading(Struct, frozen=True, eq=False):
    """The gap between two supporting planes that turn.

    `approach`: the rate at which B's position approaches A's along the normal. `reaches`: the support values that grow.
    `curve`: a bound of the second derivative.
    """

    approach: float
    reaches: tuple[_Reach, ...]
    curve: float

    @property
    def rate(self) -> float:
        """The largest rate at which the gap closes at first."""
        swings = (length(it.across) * it.body.shape.bounding_radius for it in self.reaches)
        return self.approach + sum(swings)

    def closed(self, after: Array) -> Array:
        """The largest length (n,) by which the gap may have closed after the times `after` (n,)."""
        closed = after * (self.approach + 0.5 * after * self.curve)
        for it in self.reaches:
            closed += it.grown(after)
        return closed


class _Planes(Struct, frozen=True, eq=False):
    """Two bodies at one time, and the supporting planes between them with unit `normal` (3,) from A to B.

    `turn_a`, `turn_b` (3,): rotation vectors. `offset` (3,): B's position relative to A's. `farthest`: the greatest
    length of `offset` until time 1.
    """

    motion: Motion
    a: Body
    b: Body
    normal: Array
    turn_a: Array
    turn_b: Array
    offset: Array
    farthest: float

    @staticmethod
    def of(motion: Motion, normal: Array, time: float) -> _Planes:
        a, b = motion.at(time)
        offset = motion.offset + time * motion.displacement
        farthest = max(length(offset), length(motion.offset + motion.displacement))
        return _Planes(
            motion=motion,
            a=a,
            b=b,
            normal=normal,
            turn_a=np.array(motion.turn_a),
            turn_b=np.array(motion.turn_b),
            offset=offset,
            farthest=farthest,
        )

    def candidates(self) -> Iterator[tuple[ClosingBound, Array]]:
        """Yields bounds with their planes' rotations Ω (3,), the likely best first."""
        features = [support_feature(body, facing) for body, facing in ((self.a, self.normal), (self.b, -self.normal))]
        turns = {ClosingBound.WITH_A: self.turn_a, ClosingBound.WITH_B: self.turn_b, ClosingBound.STILL: np.zeros(3)}
        if (both := self._across_edges(features)) is not None:
            yield ClosingBound.WITH_EDGES, both
        order = [ClosingBound.WITH_A, ClosingBound.WITH_B, ClosingBound.STILL]
        if features[1].kind in ("face", "disc"):
            order = [ClosingBound.WITH_B, ClosingBound.WITH_A, ClosingBound.STILL]
        elif features[0].kind not in ("face", "disc"):
            order = [ClosingBound.STILL, ClosingBound.WITH_A, ClosingBound.WITH_B]
        for name in order:
            if name is ClosingBound.STILL or turns[name].any():
                yield name, turns[name]

    def turning(self, leading: Array) -> _Leading:
        """The gap between planes that turn at `leading` (3,), the Ω of the module's text."""
        normal, way = self.normal, self.motion.displacement
        swing = cross(leading, normal)
        speed = length(swing)
        approach = -dot(normal, way) - dot(swing, self.offset)
        curve = speed * (2.0 * self.motion.travel + length(leading) * self.farthest)
        reaches = []
        for body, turn, facing in ((self.a, self.turn_a, normal), (self.b, self.turn_b, -normal)):
            relative = turn - leading
            if not relative.any():
                continue
            across, pose = cross(facing, relative), body.pose
            bend = length(turn) * length(across) + speed * length(relative)
            curve += bend * body.shape.bounding_radius
            local = pose.direction_to_local(facing)
            reaches.append(_Reach(body, local, pose.direction_to_local(across), float(body.shape.reach(local))))
        return _Leading(approach, tuple(reaches), curve)

    def _across_edges(self, features: list[SupportFeature]) -> Array | None:
        """The Ω (3,) that keeps n perpendicular to an edge e of each body: `e·(n × Ω) = e·(n × ω)`.

        None unless both features are edges, or if the edges are nearly parallel.
        """
        edges = [
            along
            for feature in features
            if feature.kind == "edge" and (along := unit(feature.points[1] - feature.points[0])) is not None
        ]
        if len(edges) < 2:
            return None
        first, second = edges
        across = dot(self.normal, cross(first, second))
        if abs(across) < 0.1:
            # Nearly parallel edges: the planes would have to turn fast.
            return None
        wanted = [
            dot(edge, cross(self.normal, turn)) for edge, turn in zip(edges, (self.turn_a, self.turn_b), strict=True)
        ]
        # n × Ω from its products with both edges, by their dual basis; then Ω, perpendicular to n.
        product = (wanted[0] * cross(second, self.normal) + wanted[1] * cross(self.normal, first)) / across
        return cross(product, self.normal)


def _lasting(leading: _Leading, gap: float, sure: float, limit: float) -> float:
    """The time that the gap lasts by this bound, or `sure` if that is longer; inf if longer than `limit`."""
    at_sure, at_limit = (gap - leading.closed(np.array((sure, limit)))).tolist()
    if at_limit >= 0.0:
        return inf
    if at_sure <= 0.0:
        return sure
    # If `sure` is 0, the root may be anywhere between rounding and the limit.
    first = _geometric(max(sure, 1e-12 * limit), limit, GRID if sure > 0.0 else 2 * GRID)[1:]
    low, high, at_low, at_high = _bracket(leading, gap, first, sure, at_sure)
    second = np.linspace(low, high, GRID)[1:]
    low, high, at_low, at_high = _bracket(leading, gap, second, low, at_low)
    # The chord of a concave function lies below it, so the chord's root is a safe time.
    return low + (high - low) * at_low / (at_low - at_high)


def _geometric(first: float, last: float, count: int) -> Array:
    """Times (count,) from `first` to `last` in a geometric sequence, like `np.geomspace`, but without a power function.

    The common factor is a root, found by Newton's method from above.
    """
    steps, ratio = count - 1, last / first
    factor, following = inf, ldexp(1.0, -(-frexp(ratio)[1] // steps))
    while following < factor:
        factor = following
        others = 1.0
        for _ in range(steps - 1):
            others *= factor
        following = ((steps - 1) * factor + ratio / others) / steps
    return np.append(np.multiply.accumulate(np.array((first, *(factor,) * (steps - 1)))), last)


def _bracket(
    leading: _Leading, gap: float, times: Array, low: float, at_low: float
) -> tuple[float, float, float, float]:
    """Returns the last time with a gap left, of `low` and rising `times` (n,), the next time, and the gaps at both.

    `at_low`: the gap left at `low`.
    """
    left = gap - leading.closed(times)
    gone = int(np.argmax(left <= 0.0)) if (left <= 0.0).any() else len(times) - 1
    if gone > 0:
        low, at_low = float(times[gone - 1]), float(left[gone - 1])
    return low, float(times[gone]), at_low, min(float(left[gone]), 0.0)


class AdvancementSettings(Struct, frozen=True):
    """The settings of advancement.

    `tolerance`: the distance that counts as a hit, in units of L. `iterations`: the most steps. `supports`: whether to
    use the bounds by support maps; the plain rate alone may need thousands of steps.
    """

    tolerance: float = 1e-8
    iterations: int = 256
    supports: bool = True


DEFAULTS = AdvancementSettings()


class AdvancementStep(Struct, frozen=True, eq=False):
    """The bodies at `time`, before which they are proved apart.

    `number`: counts from 1. `distance`: signed. `lower`: the lower bound of the distance, which is the gap. `normal`
    (3,): unit, from A to B. `witness_a`, `witness_b` (3,): world, on the surfaces. `straight`, `turning`, `rate`: as in
    `Closing`. `next_time`: the time until which the gap lasts, by `bound`; inf, or any time above 1, if it
    lasts to the interval's end. `stop`: None unless the run ends with this step.
    """

    number: int
    time: float
    distance: float
    lower: float
    normal: Array
    witness_a: Array
    witness_b: Array
    straight: float
    turning: float
    rate: float
    bound: ClosingBound
    next_time: float
    stop: MotionStop | None


def advancement_steps(motion: Motion, settings: AdvancementSettings = DEFAULTS) -> Steps[AdvancementStep, MotionResult]:
    """The steps of advancement for any two bodies; none if they meet at the start, or nothing moves."""
    start = at_start(motion)
    if start is not None:
        return start
    if motion.travel == 0.0 and not motion.rotates:
        return apart(MotionStop.NO_MOTION)
    arrived = settings.tolerance * motion.scale.largest_radius
    time, near = 0.0, motion.start
    facing = near.proximity.normal
    for number in count(1):
        found = near.proximity
        # The lower bound is less than the distance by the certainty's gap and by the rounding of the poses.
        lower = near.separation - near.certainty.gap - ROUNDING * (motion.scale.extent + time * motion.travel)
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
            witness_a=motion.world(found.witness_a, time),
            witness_b=motion.world(found.witness_b, time),
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
    """The result at the end. `facing` (3,): the normal of the gap of the step before, which ended at `time`."""
    if stop is MotionStop.HIT:
        # Bodies that touch at an edge or a corner have many normals. If nothing turns, `facing` separated them until
        # now, and is used.
        normal = facing if near.separation <= motion.band and not motion.rotates else None
        return met(motion, stop, time, Provenance.CERTIFIED, normal=normal, near=near)
    if stop in (MotionStop.ITERATION_LIMIT, MotionStop.NO_PROGRESS):
        return undecided(stop, time, Provenance.CERTIFIED)
    return apart(stop, Provenance.CERTIFIED)


def _stop(
    motion: Motion, near: Nearness, time: float, ahead: float, arrived: float, *, closes: bool
) -> MotionStop | None:
    """The reason to stop, or None. A distance of at most `arrived` is a hit only if the bodies still come nearer.

    `ahead`: the time until which the gap lasts.
    """
    if near.separation <= motion.band:
        return MotionStop.HIT
    if not closes:
        return MotionStop.MOVING_AWAY if time == 0.0 else MotionStop.PASSES_BY
    if ahead > 1.0:
        return MotionStop.OUT_OF_TIME
    if near.separation <= arrived:
        return MotionStop.HIT
    return MotionStop.NO_PROGRESS if ahead <= time else None

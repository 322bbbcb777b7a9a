"""Conservative advancement (Mirtich 1996): any two shapes, moving and turning, by their distance alone.

At time t the bodies are d apart along the unit normal n. They cannot touch before the gap along n has closed, and the
rate at which it closes has an upper bound: `t += d / ((vA - vB)·n + |ωA × n| rA + |ωB × n| rB)`. So every t on the way
is proved free, and a gap that never closes proves that the bodies stay apart. Without rotation this is Newton's method
on a convex function, and arrives in a few steps.

Departures: the rate has only the rotation vector's part perpendicular to n, as only that moves a point along n; for
bodies that turn, tighter bounds allow longer steps; time advances by the lower bound of the distance, not the distance.

`closing` bounds how long a gap between two bodies lasts at least. Two parallel planes support the bodies, `gap` apart
along the unit normal n. The plain bound (Mirtich 1996) keeps n fixed. Turning at ω moves no point of a body along n by
more than `|ω × n| r` per unit of time; r is the largest distance of a point from the body's position. Straight motion
closes the gap at `(vA - vB)·n`.

The other bounds use the body's support map, and let n turn at some Ω: not at all, with A, with B (a face's normal turns
with its body), or so that it stays perpendicular to an edge of each. A point q about its body's position then moves
along n by `q·m`, m = n × (ω - Ω), and B's position by `n·v + (Ω × n)·x`; after the time h these are off by at most
`h²/2` times the largest second derivative. So a body extends no farther than its support along `n + h m`, and the gap
left is concave in h, because support functions are convex: if it is positive at 0 and at h, it is positive between. Any
Ω gives a valid bound; the best counts.
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
"""Times tried at once for a bound, in two rounds. A root that is a hundredth off is corrected by the next step."""


class ClosingBound(StrEnum):
    """The bound that gave how long the gap lasts: the plain rate, or one with planes that turn as its name tells."""

    RATE = "RATE"
    STILL = "STILL"
    WITH_A = "WITH_A"
    WITH_B = "WITH_B"
    WITH_EDGES = "WITH_EDGES"


class Closing(Struct, frozen=True):
    """The largest rate at which a gap closes at first: `straight` by moving and `turning` by turning.

    `lasting`: the least time that it lasts, by `bound`; inf if it never closes, or not before the interval ends.
    `never`: whether it does not close at all.
    """

    straight: float
    turning: float
    lasting: float
    bound: ClosingBound
    never: bool

    @property
    def rate(self) -> float:
        """The sum of both parts."""
        return self.straight + self.turning


def closing(motion: Motion, normal: Array, gap: float, time: float, *, supports: bool = True) -> Closing:
    """Bounds how long a gap lasts from `time` on, along the unit `normal` (3,) from A to B; `gap` >= 0.

    `supports`: whether to use the bounds by support maps beside the plain one. A half-space that turns has no other.
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
    # A half-space that does not turn is supported by its own plane only, so the planes stand still.
    ways = [(ClosingBound.STILL, np.zeros(3))] if space is not None else planes.candidates()
    for name, turn in ways if supports else ():
        if best <= limit and (longer := _lasting(planes.turning(turn), gap, best, limit)) > best:
            best, bound = longer, name
    return Closing(straight, turning, best, bound, rate <= 0.0)


class _Reach(Struct, frozen=True, eq=False):
    """A body's support values along `facing + h across` (3,), both in its frame; `now`: that along `facing`."""

    body: Body
    facing: Array
    across: Array
    now: float

    def grown(self, after: Array) -> Array:
        """The growth (n,) of the support value after those times (n,), without second-order terms."""
        reach: Array = self.body.shape.reach(self.facing + after[:, None] * self.across)
        return reach - self.now


class _Leading(Struct, frozen=True, eq=False):
    """Planes that turn: B's position approaches at `approach`, support values grow, `curve` bounds the second order."""

    approach: float
    reaches: tuple[_Reach, ...]
    curve: float

    @property
    def rate(self) -> float:
        """The largest rate at which the gap closes at first."""
        swings = (length(it.across) * it.body.shape.bounding_radius for it in self.reaches)
        return self.approach + sum(swings)

    def closed(self, after: Array) -> Array:
        """The largest part (n,) of the gap that may be closed after those times (n,)."""
        closed = after * (self.approach + 0.5 * after * self.curve)
        for it in self.reaches:
            closed += it.grown(after)
        return closed


class _Planes(Struct, frozen=True, eq=False):
    """Bodies and planes at one time; `offset` (3,): B's position relative to A's, `farthest`: its greatest length."""

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
        """Yields rotations of the planes, the one most likely to be best first: the others are soon rejected then."""
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
        """The bound for planes that turn at `leading` (3,)."""
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
        """The Ω that keeps n perpendicular to edges e of A and B: `e·(n × Ω) = e·(n × ω)`; None without edges."""
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
            # For nearly parallel edges the planes would have to turn fast.
            return None
        wanted = [
            dot(edge, cross(self.normal, turn)) for edge, turn in zip(edges, (self.turn_a, self.turn_b), strict=True)
        ]
        # n × Ω in the edges' dual basis; from it Ω, perpendicular to n.
        product = (wanted[0] * cross(second, self.normal) + wanted[1] * cross(self.normal, first)) / across
        return cross(product, self.normal)


def _lasting(leading: _Leading, gap: float, sure: float, limit: float) -> float:
    """The time that the gap lasts by this bound: at least `sure`, which is known; inf if longer than `limit`."""
    at_sure, at_limit = (gap - leading.closed(np.array((sure, limit)))).tolist()
    if at_limit >= 0.0:
        return inf
    if at_sure <= 0.0:
        return sure
    # Without a known time the root may be anywhere between rounding and the limit.
    first = _geometric(max(sure, 1e-12 * limit), limit, GRID if sure > 0.0 else 2 * GRID)[1:]
    low, high, at_low, at_high = _bracket(leading, gap, first, sure, at_sure)
    second = np.linspace(low, high, GRID)[1:]
    low, high, at_low, at_high = _bracket(leading, gap, second, low, at_low)
    # The chord of a concave function lies below it, so the chord's root is a safe time.
    return low + (high - low) * at_low / (at_low - at_high)


def _geometric(first: float, last: float, count: int) -> Array:
    """Times (count,) from `first` to `last` in a geometric sequence, as by `np.geomspace`, but without a power.

    The factor is a root, found by Newton's steps from above.
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
    """The last of `low` and rising times (n,) with a gap left, the next time, and the gaps left at both."""
    left = gap - leading.closed(times)
    gone = int(np.argmax(left <= 0.0)) if (left <= 0.0).any() else len(times) - 1
    if gone > 0:
        low, at_low = float(times[gone - 1]), float(left[gone - 1])
    return low, float(times[gone]), at_low, min(float(left[gone]), 0.0)


class AdvancementSettings(Struct, frozen=True):
    """Settings. `tolerance`: the distance that counts as a hit, a fraction of L; `iterations`: the most steps.

    `supports`: whether to use the bounds by support maps; the plain rate alone may need thousands of steps.
    """

    tolerance: float = 1e-8
    iterations: int = 256
    supports: bool = True


DEFAULTS = AdvancementSettings()


class AdvancementStep(Struct, frozen=True, eq=False):
    """The bodies at time `time`, up to which they are proved apart.

    `distance`: signed; `lower`: its lower bound, a gap that closes at `rate` at most, the sum of `straight` and
    `turning`. `normal` (3,): unit, A to B; `witness_a`, `witness_b` (3,): world, on the surfaces. `next_time`: the time
    until which the gap lasts, by `bound`; inf if it never closes, or not before the interval's end.
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
    """Advancement of any two bodies; no steps if they meet at the start, or nothing moves."""
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
        # The lower bound of the distance allows for its gap and for the rounding of the poses.
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
    """The result at the end; `facing` (3,): the normal of the gap that led to `time`."""
    if stop is MotionStop.HIT:
        # Bodies that touch at an edge or a corner have many normals. If nothing turns, the last normal separated them
        # until now, and is kept.
        normal = facing if near.separation <= motion.band and not motion.rotates else None
        return met(motion, stop, time, Provenance.CERTIFIED, normal=normal, near=near)
    if stop in (MotionStop.ITERATION_LIMIT, MotionStop.NO_PROGRESS):
        return undecided(stop, time, Provenance.CERTIFIED)
    return apart(stop, Provenance.CERTIFIED)


def _stop(
    motion: Motion, near: Nearness, time: float, ahead: float, arrived: float, *, closes: bool
) -> MotionStop | None:
    """The reason to stop, or None. A distance within the tolerance is a hit only if the bodies still come nearer."""
    if near.separation <= motion.band:
        return MotionStop.HIT
    if not closes:
        return MotionStop.MOVING_AWAY if time == 0.0 else MotionStop.PASSES_BY
    if ahead > 1.0:
        return MotionStop.OUT_OF_TIME
    if near.separation <= arrived:
        return MotionStop.HIT
    return MotionStop.NO_PROGRESS if ahead <= time else None

"""Where two methods contradict each other about a motion.

Times are not compared as they are: in a grazing contact no method knows the time to many digits. What must agree is the
distance: at each one's time, and between two of them, it is zero but for what they promise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..geometry.tolerances import ROUNDING
from ..toi.advancement import DEFAULTS
from ..toi.intervals import MovingAxes
from ..toi.outcome import MotionOutcome, MotionResult
from ..toi.relative import Motion
from ..toi.swept_axes import SweptAxes
from ..trace import Parts

Named = tuple[str, MotionResult]
Distance = Callable[[float], float]
"""Signed, of the two bodies at a time."""

SEARCHES = 56
"""Steps in the search for the least distance; only made where one method says hit and another says none."""

GOLDEN = 0.5 * (5.0**0.5 - 1.0)


def disagreements(
    motion: Motion, best: Named, others: Sequence[Named], swept: SweptAxes | None, axes: MovingAxes | None = None
) -> Parts[tuple[str, ...]]:
    """One sentence for each contradiction; none if all is well. `axes`: of two polyhedra, whose depth they know."""
    polyhedra = all(body.shape.polyhedron is not None for body in (motion.a, motion.b))
    distance = axes.separation if axes is not None and polyhedra else lambda time: motion.near(time).separation
    said = [_of_itself(motion, best)]
    yield
    for other in others:
        said.append((yield from _of_two(motion, best, other, distance)))
        yield
    if swept is not None:
        said.append((yield from _of_swept(motion, best, swept, distance)))
    return tuple(sentence for sentence in said if sentence)


def slack(motion: Motion) -> float:
    """How far from zero the distance at a reported time may be: what conservative advancement leaves, and rounding.

    After a long way the positions themselves are no better than its last places.
    """
    rounding = motion.scale.agreement + ROUNDING * motion.travel
    return DEFAULTS.tolerance * motion.scale.larger + rounding + motion.start.certainty.gap


def _of_itself(motion: Motion, best: Named) -> str:
    name, result = best
    allowed = slack(motion)
    if result.outcome is MotionOutcome.HIT and result.time is not None:
        left = motion.near(result.time).separation
        if not abs(left) <= allowed:
            return f"{name} says the bodies meet at {result.time:.17g}, where their separation is {left:.17g}."
    if result.outcome is MotionOutcome.SEPARATED:
        left = motion.near(1.0).separation
        if not left >= -allowed:
            return f"{name} says the bodies stay apart, but at the end their separation is {left:.17g}."
    return ""


def _of_two(motion: Motion, best: Named, other: Named, distance: Distance) -> Parts[str]:
    (name, result), (other_name, found) = best, other
    outcomes = {result.outcome, found.outcome}
    if MotionOutcome.ITERATION_LIMIT in outcomes:
        return _free_too_long(motion, best, other)
    if result.time is not None and found.time is not None:
        return _two_times(motion, best, other)
    if len(outcomes) == 1:
        return ""
    time = result.time if result.time is not None else found.time
    assert time is not None
    least = yield from _least(distance, time)
    if least >= -slack(motion):
        return ""
    return f"{name} says {result.outcome}, {other_name} says {found.outcome}."


def _free_too_long(motion: Motion, best: Named, other: Named) -> str:
    """A method that cannot decide must not have proved the bodies free beyond another's contact."""
    for (name, hit), (other_name, found) in ((best, other), (other, best)):
        if hit.time is not None and found.outcome is MotionOutcome.ITERATION_LIMIT and found.free > hit.time:
            middle = 0.5 * (hit.time + found.free)
            if motion.near(middle).separation < -slack(motion):
                meet = f"{name} says the bodies meet at {hit.time:.17g}"
                return f"{meet}, {other_name} has them free until {found.free:.17g}."
    return ""


def _two_times(motion: Motion, best: Named, other: Named) -> str:
    (name, result), (other_name, found) = best, other
    assert result.time is not None
    assert found.time is not None
    if abs(result.time - found.time) * motion.travel <= slack(motion) and not motion.rotates:
        return ""
    middle = motion.near(0.5 * (result.time + found.time)).separation
    if abs(middle) <= slack(motion):
        return ""
    return f"{name} says the bodies meet at {result.time:.17g}, {other_name} says at {found.time:.17g}."


def _of_swept(motion: Motion, best: Named, swept: SweptAxes, distance: Distance) -> Parts[str]:
    name, result = best
    meets = result.time is not None
    if result.outcome is MotionOutcome.ITERATION_LIMIT or meets == swept.meets:
        return ""
    least = yield from _least(distance, result.time or 0.0)
    if abs(least) <= slack(motion):
        return ""
    yes = "meet" if swept.meets else "do not meet"
    return f"{name} says {result.outcome}, the twenty-one axes say that the bodies {yes}."


def _least(distance: Distance, start: float) -> Parts[float]:
    """The least signed distance from the time `start` on: of bodies that do not turn it falls and then rises."""
    low, high = start, 1.0
    first, second = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_first, at_second = distance(first), distance(second)
    for _ in range(SEARCHES):
        yield
        if at_first <= at_second:
            high, second, at_second = second, first, at_first
            first = high - GOLDEN * (high - low)
            at_first = distance(first)
        else:
            low, first, at_first = first, second, at_second
            second = low + GOLDEN * (high - low)
            at_second = distance(second)
    return min(at_first, at_second)

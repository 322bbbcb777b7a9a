"""Where two methods contradict each other about a motion.

Times are not compared as they are: in a grazing contact no method knows the time to many digits. What must agree is the
distance: at each one's time, and between two of them, it is zero but for what they promise.
"""

from __future__ import annotations

from collections.abc import Sequence

from .algorithms.motion.advancement import DEFAULTS
from .algorithms.motion.outcome import MotionOutcome, MotionResult
from .algorithms.motion.relative import Motion, nearness
from .algorithms.motion.swept_axes import SweptAxes

Named = tuple[str, MotionResult]

SEARCHES = 48
"""Halvings in the search for the least distance; only made where one method says hit and another says none."""


def disagreements(motion: Motion, best: Named, others: Sequence[Named], swept: SweptAxes | None) -> tuple[str, ...]:
    """One sentence for each contradiction; none if all is well."""
    said = [_of_itself(motion, best), *(_of_two(motion, best, other) for other in others)]
    if swept is not None:
        said.append(_of_swept(motion, best, swept))
    return tuple(sentence for sentence in said if sentence)


def slack(motion: Motion) -> float:
    """How far from zero the distance at a reported time may be: what conservative advancement leaves, and rounding."""
    return DEFAULTS.tolerance * motion.scale.larger + motion.scale.agreement + motion.start.certainty.gap


def _of_itself(motion: Motion, best: Named) -> str:
    name, result = best
    allowed = slack(motion)
    if result.outcome is MotionOutcome.HIT and result.time is not None:
        left = nearness(*motion.at(result.time)).separation
        if not abs(left) <= allowed:
            return f"{name} says the bodies meet at {result.time:.17g}, where their separation is {left:.17g}."
    if result.outcome is MotionOutcome.SEPARATED:
        left = nearness(*motion.at(1.0)).separation
        if not left >= -allowed:
            return f"{name} says the bodies stay apart, but at the end their separation is {left:.17g}."
    return ""


def _of_two(motion: Motion, best: Named, other: Named) -> str:
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
    if _least(motion, time) >= -slack(motion):
        return ""
    return f"{name} says {result.outcome}, {other_name} says {found.outcome}."


def _free_too_long(motion: Motion, best: Named, other: Named) -> str:
    """A method that cannot decide must not have proved the bodies free beyond another's contact."""
    for (name, hit), (other_name, found) in ((best, other), (other, best)):
        if hit.time is not None and found.outcome is MotionOutcome.ITERATION_LIMIT and found.free > hit.time:
            middle = 0.5 * (hit.time + found.free)
            if nearness(*motion.at(middle)).separation < -slack(motion):
                meet = f"{name} says the bodies meet at {hit.time:.17g}"
                return f"{meet}, {other_name} has them free until {found.free:.17g}."
    return ""


def _two_times(motion: Motion, best: Named, other: Named) -> str:
    (name, result), (other_name, found) = best, other
    assert result.time is not None
    assert found.time is not None
    if abs(result.time - found.time) * motion.travel <= slack(motion) and not motion.rotates:
        return ""
    middle = nearness(*motion.at(0.5 * (result.time + found.time))).separation
    if abs(middle) <= slack(motion):
        return ""
    return f"{name} says the bodies meet at {result.time:.17g}, {other_name} says at {found.time:.17g}."


def _of_swept(motion: Motion, best: Named, swept: SweptAxes) -> str:
    name, result = best
    meets = result.time is not None
    if result.outcome is MotionOutcome.ITERATION_LIMIT or meets == swept.meets:
        return ""
    if abs(_least(motion, result.time or 0.0)) <= slack(motion):
        return ""
    yes = "meet" if swept.meets else "do not meet"
    return f"{name} says {result.outcome}, the twenty-one axes say that the bodies {yes}."


def _least(motion: Motion, start: float) -> float:
    """The least signed distance from the time `start` on: of bodies that do not turn it falls and then rises."""
    low, high = start, 1.0
    for _ in range(SEARCHES):
        first, second = low + 0.45 * (high - low), low + 0.55 * (high - low)
        if nearness(*motion.at(first)).separation <= nearness(*motion.at(second)).separation:
            high = second
        else:
            low = first
    return nearness(*motion.at(0.5 * (low + high))).separation

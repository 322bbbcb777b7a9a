"""`sweep(scene)`: when two moving bodies first meet, by every method that applies, and their disagreements.

The strongest method gives the answer: a closed form, else entry and exit times on SAT's axes (two polyhedra, and
rounded bodies that meet along one of those axes), else the GJK ray cast, else conservative advancement. Conservative
advancement is the only method for bodies that turn. The other methods are kept with their steps, and compared with the
answer.

Times are not compared directly, as in a grazing contact no method has many digits of the time. Instead the distance
must be zero, within the tolerance `slack`, at the answer's time and halfway between two methods' times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import Proximity
from ..contact.contact import Contact
from ..geometry.tolerances import ROUNDING
from ..geometry.vector import frozen
from ..naming import plain
from ..pair.pair import two_boxes
from ..scene import Scene
from ..toi import Method, MotionMethod
from ..toi.advancement import DEFAULTS
from ..toi.intervals import IntervalResult, MovingAxes, SweptAxes, SweptAxisStep, swept_axis_steps
from ..toi.motion import Motion, MotionOutcome, MotionResult, Nearness, moves
from ..trace import Parts, Recording, record, record_in_parts, run
from ..verdict import Sentence
from .analysis import of

NamedResult = tuple[str, MotionResult]
SeparationAt = Callable[[float], float]
"""The signed distance of the two bodies as a function of time."""

SEARCHES = 56
"""The number of steps in the search for the least distance. The search runs only if one method says hit and another
does not."""

GOLDEN = 0.5 * (sqrt(5.0) - 1.0)


def disagreements(
    motion: Motion,
    best: NamedResult,
    others: Sequence[NamedResult],
    swept: SweptAxes | None,
    axes: MovingAxes | None = None,
) -> Parts[tuple[Sentence, ...]]:
    """One sentence for each contradiction; empty if there is none.

    `best`, `others`: names and results of the strongest method and of the others. `axes`: its separation is used for
    polyhedra, if given. `swept`: the yes-or-no test, None if it was not run.
    """
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
    """The largest distance that is allowed at a reported time of contact, scene units.

    It is the tolerance of conservative advancement plus rounding: after a long displacement, the positions are only
    good to the displacement's last digits.
    """
    rounding = motion.scale.agreement + ROUNDING * motion.travel
    return DEFAULTS.tolerance * motion.scale.largest_radius + rounding + motion.start.certainty.gap


def _surely(near: Nearness) -> float:
    """The signed distance with its size reduced by the gap between its bounds."""
    return copysign(max(abs(near.separation) - near.certainty.gap, 0.0), near.separation)


def _of_itself(motion: Motion, best: NamedResult) -> Sentence | None:
    name, result = best
    allowed = slack(motion)
    if result.outcome is MotionOutcome.HIT and result.time is not None:
        left = _surely(motion.near(result.time))
        if not abs(left) <= allowed:
            words = f"{name} says the bodies touch at {{:.17g}}, where their separation is {{:.17g}}."
            return Sentence(words, (result.time, left))
    if result.outcome is MotionOutcome.SEPARATED:
        left = _surely(motion.near(1.0))
        if not left >= -allowed:
            return Sentence(
                f"{name} says the bodies stay apart, but at the end their separation is {{:.17g}}.", (left,)
            )
    return None


def _of_two(motion: Motion, best: NamedResult, other: NamedResult, distance: SeparationAt) -> Parts[Sentence | None]:
    (name, result), (other_name, found) = best, other
    outcomes = {result.outcome, found.outcome}
    if MotionOutcome.ITERATION_LIMIT in outcomes:
        return _free_too_long(motion, best, other)
    if result.time is not None and found.time is not None:
        return _two_times(motion, best, other)
    if len(outcomes) == 1:
        return None
    time = result.time if result.time is not None else found.time
    assert time is not None
    least = yield from _least(distance, time)
    if least >= -slack(motion):
        return None
    return Sentence(f"{name} says {result.outcome}, {other_name} says {found.outcome}.")


def _free_too_long(motion: Motion, best: NamedResult, other: NamedResult) -> Sentence | None:
    """A sentence if a method that cannot decide has the bodies free beyond another's time of contact; else None."""
    for (name, hit), (other_name, found) in ((best, other), (other, best)):
        if hit.time is not None and found.outcome is MotionOutcome.ITERATION_LIMIT and found.free > hit.time:
            middle = 0.5 * (hit.time + found.free)
            if _surely(motion.near(middle)) < -slack(motion):
                words = f"{name} says the bodies touch at {{:.17g}}, {other_name} has them free until {{:.17g}}."
                return Sentence(words, (hit.time, found.free))
    return None


def _two_times(motion: Motion, best: NamedResult, other: NamedResult) -> Sentence | None:
    (name, result), (other_name, found) = best, other
    assert result.time is not None
    assert found.time is not None
    if abs(result.time - found.time) * motion.travel <= slack(motion) and not motion.rotates:
        return None
    middle = _surely(motion.near(0.5 * (result.time + found.time)))
    if abs(middle) <= slack(motion):
        return None
    words = f"{name} says the bodies touch at {{:.17g}}, {other_name} says at {{:.17g}}."
    return Sentence(words, (result.time, found.time))


def _of_swept(motion: Motion, best: NamedResult, swept: SweptAxes, distance: SeparationAt) -> Parts[Sentence | None]:
    name, result = best
    meets = result.time is not None
    if result.outcome is MotionOutcome.ITERATION_LIMIT or meets == swept.meets:
        return None
    least = yield from _least(distance, result.time or 0.0)
    if abs(least) <= slack(motion):
        return None
    yes = "touch" if swept.meets else "do not touch"
    return Sentence(f"{name} says {result.outcome}, the twenty-one axes say that the bodies {yes}.")


def _least(distance: SeparationAt, start: float) -> Parts[float]:
    """The least signed distance from the time `start` to 1, by golden section search.

    For bodies that do not turn, the distance falls and then rises.
    """
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


class MotionTrace(Struct, frozen=True, eq=False):
    """One method's answer, with its steps."""

    method: MotionMethod
    steps: tuple[Any, ...]
    result: MotionResult


class SweepAnswer(Struct, frozen=True, eq=False):
    """Everything about one motion, world space.

    `method` and `result`: of the strongest method that decides; if none does, of the one that proves the bodies free
    for the longest time. `traces`: all methods that apply, that one first, then the others from the strongest to the
    weakest. `axes`: the table of entry and exit times, None if there are no such axes. `swept`: whether two boxes that
    do not turn meet, by the twenty-one axes; None for other pairs. `swept_steps`: its steps, one per axis. `contacts`:
    at the time of impact, or at the start for an initial overlap; empty for bodies that stay apart. `disagreements`:
    one sentence per contradiction.
    """

    motion: Motion
    method: MotionMethod
    result: MotionResult
    traces: tuple[MotionTrace, ...]
    axes: MovingAxes | None
    swept: SweptAxes | None
    swept_steps: tuple[SweptAxisStep, ...]
    contacts: tuple[Contact, ...]
    disagreements: tuple[Sentence, ...]

    @property
    def outcome(self) -> MotionOutcome:
        """Whether the bodies meet."""
        return self.result.outcome

    def to_dict(self) -> dict[str, Any]:
        """The answer in the types of JSON, with the keys of `sweep` in the output of the command `check`."""
        result = self.result
        found = {
            "outcome": self.outcome,
            "time": result.time,
            "axis": result.axis,
            "normal": result.normal,
            "contacts": self.contacts,
            "separation": result.separation,
            "free_until": result.free,
            "method": self.method,
        }
        return {name: plain(value) for name, value in found.items()}

    def __repr__(self) -> str:
        """The answer in one line."""
        time = "" if self.result.time is None else f" at {self.result.time:.6g}"
        return f"SweepAnswer({self.outcome}{time} ({self.result.provenance}), by {self.method})"


def sweep(scene: Scene) -> SweepAnswer | None:
    """The answer about a scene; None if neither body moves or turns. Raises ValueError as `Motion.of`."""
    return run(sweep_in_parts(scene))


def sweep_in_parts(scene: Scene) -> Parts[SweepAnswer | None]:
    """`sweep` in parts, each one step of a method or one distance; grazing curved bodies need hundreds of parts.

    The answer is None if neither body moves or turns. Raises as `sweep`.
    """
    if not (moves(scene.a) or moves(scene.b)):
        return None
    dimension = of(scene.dimension)
    motion = dimension.motion_of(scene.a, scene.b)
    return (yield from answered(motion, dimension.motion_methods(motion)))


def answered(motion: Motion, methods: Sequence[Method]) -> Parts[SweepAnswer]:
    """The answer about a motion by these methods, the strongest first; one at least must apply to every motion."""
    traces, axes = [], None
    for method, steps in methods:
        recording: Recording[Any, Any] = yield from record_in_parts(steps(motion))
        result = recording.result
        if isinstance(result, IntervalResult):
            axes, result = result.table, result.answer
        assert isinstance(result, MotionResult)
        traces.append(MotionTrace(method, recording.steps, result))
    # The strongest method is the first that decides, else the one that proves the bodies free for the longest time.
    decided = (trace for trace in traces if trace.result.outcome is not MotionOutcome.ITERATION_LIMIT)
    best = next(decided, None) or max(traces, key=lambda trace: trace.result.free)
    swept, swept_steps = _swept(motion)
    yield
    contacts = impact_contacts(motion, best.result)
    yield
    others = [(trace.method.value, trace.result) for trace in traces if trace is not best]
    return SweepAnswer(
        motion=motion,
        method=best.method,
        result=best.result,
        traces=(best, *(trace for trace in traces if trace is not best)),
        axes=axes,
        swept=swept,
        swept_steps=swept_steps,
        contacts=contacts,
        disagreements=(yield from disagreements(motion, (best.method.value, best.result), others, swept, axes)),
    )


def _swept(motion: Motion) -> tuple[SweptAxes | None, tuple[SweptAxisStep, ...]]:
    if motion.rotates or two_boxes(motion.a, motion.b) is None:
        return None, ()
    recording = record(swept_axis_steps(motion))
    return recording.result, recording.steps


def impact_contacts(motion: Motion, result: MotionResult) -> tuple[Contact, ...]:
    """The contacts where the bodies meet, world space: the manifold's, or else the middle of the witness points.

    For a hit, B is first moved along the normal by the distance that is left, so that the surfaces touch. Bodies that
    overlap at the start are not moved. Empty for bodies that do not meet.
    """
    if result.time is None or result.normal is None or result.separation is None or result.contact is None:
        return ()
    a, b = motion.at(result.time)
    if result.outcome is MotionOutcome.HIT:
        x, y, z = (b.pose.position - result.separation * result.normal).tolist()
        b = replace(b, position=(x, y, z))
    assert result.witness_a is not None
    assert result.witness_b is not None
    apart = result.separation if result.outcome is MotionOutcome.HIT else 0.0
    start = motion.world(np.zeros(3), result.time)
    points = result.witness_a - start, result.witness_b - start - apart * result.normal
    found = motion.contacts(a, b, Proximity(result.separation - apart, result.normal, *points))
    if found:
        return tuple(replace(it, position=motion.world(it.position, result.time)) for it in found)
    middle = frozen(0.5 * (result.witness_a + result.witness_b))
    return (Contact(middle, -result.separation, result.contact.a.name, result.contact.b.name),)

"""`sweep(scene)`: when two bodies first meet on their way, by every method that applies, and where the methods differ.

The strongest answers: a closed form, else entry and exit times on SAT's axes (two polyhedra, and rounded bodies that
meet along one of those axes), else the GJK ray cast, else conservative advancement, which alone knows bodies that turn.
The others are kept with their steps, and held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..contact.contact import Contact
from ..geometry.vector import frozen
from ..pair.special_pairs import two_boxes
from ..scene import Scene
from ..toi.intervals import IntervalResult, MovingAxes
from ..toi.methods import Method, MotionMethod
from ..toi.outcome import MotionOutcome, MotionResult
from ..toi.relative import Motion, moves
from ..toi.swept_axes import SweptAxes, SweptAxisStep, swept_axis_steps
from ..trace import Parts, Recording, record, record_in_parts, run
from .dimensions import of
from .motion_checks import disagreements


class MotionTrace(Struct, frozen=True, eq=False):
    """One method's answer, with its steps."""

    method: MotionMethod
    steps: tuple[Any, ...]
    result: MotionResult


class SweepAnswer(Struct, frozen=True, eq=False):
    """Everything about one motion, world space.

    `method` and `result`: the strongest method's. `traces`: all that apply, the strongest first. `axes`: the table of
    entry and exit times, None where there are no such axes. `swept`: the yes or no on twenty-one axes, with
    `swept_steps`, None but for two boxes that do not turn. `contacts`: at the time of impact, or at the start of an
    initial overlap; empty for bodies that stay apart. `disagreements`: one sentence per contradiction.
    """

    motion: Motion
    method: MotionMethod
    result: MotionResult
    traces: tuple[MotionTrace, ...]
    axes: MovingAxes | None
    swept: SweptAxes | None
    swept_steps: tuple[SweptAxisStep, ...]
    contacts: tuple[Contact, ...]
    disagreements: tuple[str, ...]

    @property
    def outcome(self) -> MotionOutcome:
        """Whether the bodies meet."""
        return self.result.outcome


def sweep(scene: Scene) -> SweepAnswer | None:
    """The answer about a scene; None where neither body moves or turns. ValueError for two half-spaces."""
    return run(sweep_in_parts(scene))


def sweep_in_parts(scene: Scene) -> Parts[SweepAnswer | None]:
    """`sweep`, a step of a method or a look at the distance a part: grazing curved bodies need hundreds of them."""
    if not moves(scene.a, scene.b):
        return None
    dimension = of(scene.dimension)
    motion = dimension.motion_of(scene.a, scene.b)
    return (yield from answered(motion, dimension.motion_methods(motion)))


def answered(motion: Motion, methods: Sequence[Method]) -> Parts[SweepAnswer]:
    """The answer about a motion by these methods, the strongest first; one of them must always decide."""
    traces, axes = [], None
    for method, steps in methods:
        recording: Recording[Any, Any] = yield from record_in_parts(steps(motion))
        if recording.error is not None:
            raise recording.error
        result = recording.result
        if isinstance(result, IntervalResult):
            axes, result = result.table, result.answer
        assert isinstance(result, MotionResult)
        traces.append(MotionTrace(method, recording.steps, result))
    # The strongest is the first that decides; else the one that has proved the bodies free for the longest time.
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
    if recording.error is not None:
        raise recording.error
    return recording.result, recording.steps


def impact_contacts(motion: Motion, result: MotionResult) -> tuple[Contact, ...]:
    """The contacts where the bodies meet, world space: the manifold's, or the one pair of nearest points.

    B is moved along the normal by what distance is left, so that the surfaces touch. An initial overlap stays as it is.
    """
    if result.time is None or result.normal is None or result.separation is None or result.contact is None:
        return ()
    a, b = motion.at(result.time)
    if result.outcome is MotionOutcome.HIT:
        x, y, z = (b.pose.position - result.separation * result.normal).tolist()
        b = replace(b, position=(x, y, z))
    found = motion.contacts(a, b, result.normal)
    if found:
        return tuple(replace(it, position=motion.world(it.position, result.time)) for it in found)
    assert result.point_a is not None
    assert result.point_b is not None
    middle = frozen(0.5 * (result.point_a + result.point_b))
    return (Contact(middle, -result.separation, result.contact.a.name, result.contact.b.name),)

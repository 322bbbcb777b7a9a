"""How algorithms are consumed: the only file that knows that steps come from a generator.

An algorithm is a generator of complete, frozen steps that returns its result. `run` wants the result alone, `record`
the whole trace; one algorithm that continues another does so with `yield from`. There is no second, untraced path.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Generic, TypeVar

from msgspec import Struct

Step = TypeVar("Step")
Result = TypeVar("Result")

Steps = Generator[Step, None, Result]
"""A generator of steps that ends with a result."""

Parts = Generator[None, None, Result]
"""Work in parts, none of which takes long: between two of them who waits for the result may turn to other things."""


class PlanarStep(Struct, frozen=True):
    """A step that only the plane has: an edge's plane, the article's GJK, EPA's polygon."""


class Recording(Struct, Generic[Step, Result], frozen=True, eq=False):
    """All steps of one run, in order, and what it found."""

    steps: tuple[Step, ...]
    result: Result


def run(steps: Steps[Step, Result]) -> Result:
    """The result alone; whatever the algorithm raises comes through."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def record(steps: Steps[Step, Result]) -> Recording[Step, Result]:
    """Every step and the result; whatever the algorithm raises comes through."""
    return run(record_in_parts(steps))


def record_in_parts(steps: Steps[Step, Result]) -> Parts[Recording[Step, Result]]:
    """`record`, a step a part."""
    taken: list[Step] = []
    while True:
        try:
            taken.append(next(steps))
        except StopIteration as end:
            return Recording(tuple(taken), end.value)
        yield

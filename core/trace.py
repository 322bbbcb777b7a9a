"""Runs the algorithms. Each is a generator that yields complete, frozen steps and returns its result.

`run` returns the result alone, `record` the steps too. An algorithm that continues another uses `yield from`. No
algorithm has a second implementation without steps.
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
"""A generator that works in short parts and yields after each, so that its caller can do other work; returns the result
at the end."""


class PlanarStep(Struct, frozen=True):
    """Base of the steps of algorithms for the plane only: the planes test, the article's GJK, EPA with a polygon."""


class Recording(Struct, Generic[Step, Result], frozen=True, eq=False):
    """All steps of one run, in order, and its result."""

    steps: tuple[Step, ...]
    result: Result


def run(steps: Steps[Step, Result]) -> Result:
    """Returns the result alone; passes on any exception of the algorithm."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def record(steps: Steps[Step, Result]) -> Recording[Step, Result]:
    """Returns every step and the result; passes on any exception of the algorithm."""
    return run(record_in_parts(steps))


def record_in_parts(steps: Steps[Step, Result]) -> Parts[Recording[Step, Result]]:
    """`record` in parts of one step each."""
    taken: list[Step] = []
    while True:
        try:
            taken.append(next(steps))
        except StopIteration as end:
            return Recording(tuple(taken), end.value)
        yield

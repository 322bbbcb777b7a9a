"""A fixed piece of work of plain Python, timed beside each frame: the machine's speed drifts by a third."""

from __future__ import annotations

from time import thread_time

ADDITIONS = 30_000
"""About a millisecond of a core at rest of the machine whose figures stand in tests/README.md."""


def seconds() -> float:
    """Processor time of one loop, the shorter of two."""
    return min(_timed(), _timed())


def _timed() -> float:
    began, total = thread_time(), 0
    for number in range(ADDITIONS):
        total += number
    return thread_time() - began

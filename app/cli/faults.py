"""A fault of the program about one scene, file or engine is one sentence in its place, and the rest is answered."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import TracebackType

from core.scene import Scene

from ..io.fault_report import keep_in_short
from .report import printable

PASSED = (OSError, ImportError)
"""A full disk, a pipe that nobody reads and a missing library are not about one scene: they end the command."""

LONGEST = 120
"""Characters of an exception's own words that a sentence has."""

AT_FIRST = 3
"""Sentences of a kind that are told one by one."""


class Attempt:
    """The work on one thing, named by its `place`: a file, a line of a log, an engine.

    After an exception that nobody expected the report is written, with the `scene`, and `fault` is the sentence that
    says so, which is `tell`'s as well; "" after none.
    """

    def __init__(self, place: str, scene: Scene | None = None, tell: Callable[[str], object] | None = None) -> None:
        self.place, self.scene = place, scene
        self.fault = ""
        self._tell = tell

    def __enter__(self) -> Attempt:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, PASSED):
            return False
        if isinstance(error, MemoryError):
            self.fault = f"{self.place}: {str(error) or 'there is not enough memory'}"
        else:
            kept = keep_in_short(self.place, error, self.scene)
            self.fault = f"{self.place}: failed because of a fault in the program ({named(error)}); {details(*kept)}"
        if self._tell is not None:
            self._tell(self.fault)
        return True


def named(error: Exception) -> str:
    """What was raised, on one line."""
    said = printable(str(error))
    said = said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def details(log: object, written: bool) -> str:
    """Where the report is, as `keep_report` answers."""
    return f"the details are in {log}" if written else f"the details could not be written to {log}"


class Sentences:
    """Sentences about scenes: of each kind the first few are told as they come, and at the end how many more came.

    Two are of a kind if they differ in the place and in numbers alone.
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def is_told(self, sentence: str, place: str) -> bool:
        """Whether this one is told by itself. `place`: where it is from, as the sentence says."""
        kind = re.sub(r"\d+", "#", sentence.replace(place, "", 1))
        self._counts[kind] += 1
        self._first.setdefault(kind, place)
        return self._counts[kind] <= AT_FIRST

    def attempt(self, place: str, scene: Scene | None = None) -> Attempt:
        """An attempt whose fault is told on standard error."""

        def tell(sentence: str) -> None:
            if self.is_told(sentence, place):
                print(printable(sentence), file=sys.stderr)

        return Attempt(place, scene, tell)

    @property
    def any(self) -> bool:
        """Whether there were any."""
        return bool(self._counts)

    def rest(self) -> Iterator[str]:
        """One sentence for each kind of which there were more."""
        for kind, count in self._counts.items():
            if (more := count - AT_FIRST) > 0:
                scenes = "scene has" if more == 1 else "scenes have"
                yield f"{more} more {scenes} the same fault as {self._first[kind]}"

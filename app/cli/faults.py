"""Turns a fault of the program about one scene, file or engine into one sentence, so that the rest is answered."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import TracebackType

from core.scene import Scene

from ..io.fault_report import keep_in_short
from .report import printable

FATAL = (OSError, ImportError)
"""Exceptions that end the command: a full disk, a closed pipe or a missing library is not about one scene."""

LONGEST_MESSAGE = 120
"""The most characters of an exception's message in a sentence."""

AT_FIRST = 3
"""The number of sentences of each kind that are printed one by one."""


class FaultGuard:
    """Context of the work on one thing, named by `place`: a file, a line of a log, an engine.

    After an unexpected exception it writes the fault report, with `scene`, sets `fault` to a sentence about it and
    calls `tell` with the sentence. A MemoryError has no report. `fault` is "" if nothing failed. Exceptions in FATAL
    are raised further.
    """

    def __init__(self, place: str, scene: Scene | None = None, tell: Callable[[str], object] | None = None) -> None:
        self.place, self.scene = place, scene
        self.fault = ""
        self._tell = tell

    def __enter__(self) -> FaultGuard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, FATAL):
            return False
        if isinstance(error, MemoryError):
            self.fault = f"{self.place}: {str(error) or 'there is not enough memory'}"
        else:
            kept = keep_in_short(self.place, error, self.scene)
            self.fault = (
                f"{self.place}: failed because of a fault in the program ({exception_words(error)}); {details(*kept)}"
            )
        if self._tell is not None:
            self._tell(self.fault)
        return True


def exception_words(error: Exception) -> str:
    """The exception's type and message on one line, the message shortened to LONGEST_MESSAGE."""
    said = printable(str(error))
    said = said if len(said) <= LONGEST_MESSAGE else said[: LONGEST_MESSAGE - 1] + "…"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def details(log: object, written: bool) -> str:
    """Words on where the report is, from the result of `keep_report`."""
    return f"the details are in {log}" if written else f"the details could not be written to {log}"


class Sentences:
    """Counts sentences about scenes: the first AT_FIRST of each kind are printed, the others summed up at the end.

    Two sentences are of one kind if they differ only in the place and in numbers.
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def is_told(self, sentence: str, place: str) -> bool:
        """Counts the sentence; returns whether to print it. `place`: the place named in the sentence."""
        kind = re.sub(r"\d+", "#", sentence.replace(place, "", 1))
        self._counts[kind] += 1
        self._first.setdefault(kind, place)
        return self._counts[kind] <= AT_FIRST

    def attempt(self, place: str, scene: Scene | None = None) -> FaultGuard:
        """A FaultGuard that prints its fault on standard error, for the first AT_FIRST of its kind.

        `scene`: for the report, if one is known.
        """

        def tell(sentence: str) -> None:
            if self.is_told(sentence, place):
                print(printable(sentence), file=sys.stderr)

        return FaultGuard(place, scene, tell)

    @property
    def any(self) -> bool:
        """Whether any sentence was counted."""
        return bool(self._counts)

    def rest(self) -> Iterator[str]:
        """Yields a sentence for each kind with more than AT_FIRST sentences."""
        for kind, count in self._counts.items():
            if (more := count - AT_FIRST) > 0:
                scenes = "scene has" if more == 1 else "scenes have"
                yield f"{more} more {scenes} the same fault as {self._first[kind]}"

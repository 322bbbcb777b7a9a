"""One line on the terminal that shows how far `check`, `picture` and `film` are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import IO, TypeVar

T = TypeVar("T")
UPDATE_SECONDS = 0.1
"""Seconds between two updates of the bar; a short log ends before the first."""
BAR_CHARACTERS = 24
_CLEAR = "\r\x1b[K"


class ProgressBar:
    """The bar for files that are read from start to end, on standard error if that is a terminal.

    There is no bar if standard output is a terminal too, because the answers are printed there.
    """

    def __init__(self) -> None:
        self._wanted = _is_terminal(sys.stderr) and not _is_terminal(sys.stdout)
        self._shown = False

    def through(self, lines: Iterator[T], file: IO[bytes]) -> Iterator[T]:
        """Yields the `lines` of `file` and moves the bar; erases the bar at the end or after an exception."""
        size = os.fstat(file.fileno()).st_size if self._wanted else 0
        due = monotonic() + UPDATE_SECONDS
        try:
            for count, line in enumerate(lines):
                if size and monotonic() >= due:
                    # The file may grow while it is read.
                    self._show(min(1.0, file.tell() / size), count)
                    due = monotonic() + UPDATE_SECONDS
                yield line
        finally:
            self.clear()

    def clear(self) -> None:
        """Erases the bar, so that other text can be written there; the next update draws it again."""
        if self._shown:
            self._shown = False
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()

    def _show(self, share: float, count: int) -> None:
        full = int(share * BAR_CHARACTERS)
        bar = "#" * full + "." * (BAR_CHARACTERS - full)
        sys.stderr.write(f"{_CLEAR}[{bar}] {100.0 * share:3.0f} %, {count:,} scenes")
        sys.stderr.flush()
        self._shown = True


@contextmanager
def status_line() -> Iterator[Callable[[str], object]]:
    """Yields a function that puts words in the place of the last ones; the line is erased at the end.

    It writes on standard error, and nothing unless that is a terminal.
    """

    def say(words: str) -> None:
        if _is_terminal(sys.stderr):
            sys.stderr.write(f"{_CLEAR}{words}")
            sys.stderr.flush()

    try:
        yield say
    finally:
        say("")


def _is_terminal(stream: IO[str] | None) -> bool:
    return stream is not None and stream.isatty()

"""Reads logs of scenes, one on each line (.jsonl), and decks, which are logs with a head line (deck_file.py).

Logs are streamed from start to end, or read at random. Each line that is not blank is an entry, also a refused one,
which raises an error instead of returning a scene. Lines are numbered from 1, as in editors, entries from 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from msgspec import Struct

from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of
from ..storage.strict_json import DataError
from .deck_file import MOST_SLIDES, DeckHead, head_of, read_slide
from .scene_file import Loaded, SceneError, decoded, read

LOG_SUFFIXES = (".jsonl", ".ndjson")


class LogLine(Struct, frozen=True):
    """A line of a log: its number, from 1, and bytes. `cut`: it is longer than a scene may be; `data` is its start."""

    number: int
    data: bytes
    cut: bool = False


def is_log(path: Path | str) -> bool:
    """Whether the file's name has the ending of a log."""
    return Path(path).suffix.lower() in LOG_SUFFIXES


def log_lines(file: IO[bytes]) -> Iterator[LogLine]:
    """Yields the lines that are not blank. Only one line is in memory at a time."""
    number = 0
    while data := file.readline(SCENE_LIMIT + 1):
        number += 1
        cut = len(data) > SCENE_LIMIT and not data.endswith(b"\n")
        if cut:
            while (rest := file.readline(MEGABYTE)) and not rest.endswith(b"\n"):
                pass
        if cut or data.strip():
            yield LogLine(number, data, cut)


def read_line(line: LogLine, file: str, *, is_slide: bool = False) -> Loaded:
    """The scene on a line; a `Slide` if `is_slide`, for a deck's line.

    Raises SceneError, with the file's name and the line's number, for a line that is refused.
    """
    try:
        if line.cut:
            raise DataError("", f"is longer than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
        return (read_slide if is_slide else read)(decoded(line.data))
    except DataError as error:
        raise SceneError(error.path, error.message, f"{file}:{line.number}") from None


def read_head(line: LogLine, file: str) -> DeckHead | None:
    """The head in the first line of a deck; None for a plain log.

    `file`: the deck's name, for errors. Raises SceneError for a bad one, as `read_line` does.
    """
    try:
        return None if line.cut else head_of(line.data)
    except DataError as error:
        raise SceneError(error.path, error.message, f"{file}:{line.number}") from None


def slides(lines: Iterator[LogLine], file: str) -> Iterator[tuple[LogLine, bool]]:
    """Yields each line but a deck's head, and whether it is a slide of a deck.

    `file`: the log's name, for errors. Raises SceneError for a bad first line of a deck.
    """
    first = next(lines, None)
    if first is None:
        return
    deck = read_head(first, file) is not None
    if not deck:
        yield first, False
    for line in lines:
        yield line, deck


class SceneLog:
    """Random access to the entries of a log. Only their offsets and line numbers are in memory.

    `deck`: the head in a deck's first line, which is not an entry; None for a plain log.
    """

    def __init__(self, path: Path | str) -> None:
        """Scans the file.

        Raises SceneError if it cannot be read, for a bad first line of a deck, and for too many slides.
        """
        self.path = Path(path)
        self._starts = array("Q")
        self._numbers = array("Q")
        try:
            self._file = open_file(self.path)
        except (OSError, ValueError) as error:
            raise SceneError("", reason_of(error), str(path)) from None
        try:
            self._scan()
            self.deck = self._take_head()
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._starts)

    def scene(self, index: int) -> Loaded:
        """The scene of entry `index`, from 0. Raises SceneError for a refused line, IndexError beyond the end."""
        line = self._line(index)
        return read_line(line, str(self.path), is_slide=self.deck is not None)

    def title(self, index: int) -> str:
        """The name of the scene of entry `index`; `line 12` without a name, `line 12, refused` without a scene.

        Raises IndexError beyond the end.
        """
        place = f"line {self._numbers[index]}"
        try:
            return self.scene(index).scene.name or place
        except SceneError:
            return f"{place}, refused"

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _take_head(self) -> DeckHead | None:
        """The deck's head; None for a plain log. Removes the head's line from the entries.

        Raises SceneError for a bad head or too many slides.
        """
        head = read_head(self._line(0), str(self.path)) if len(self) else None
        if head is not None:
            del self._starts[0], self._numbers[0]
            if len(self) > MOST_SLIDES:
                raise SceneError("", f"must have at most {MOST_SLIDES} slides, got {len(self)}", str(self.path))
        return head

    def _line(self, index: int) -> LogLine:
        number = int(self._numbers[index])
        try:
            self._file.seek(self._starts[index])
            data = self._file.readline(SCENE_LIMIT + 1)
        except (OSError, ValueError) as error:
            raise SceneError("", reason_of(error), f"{self.path}:{number}") from None
        return LogLine(number, data, len(data) > SCENE_LIMIT and not data.endswith(b"\n"))

    def _scan(self) -> None:
        """Finds the lines that are not blank. Raises SceneError if the file cannot be read."""
        start = number = 0
        try:
            while data := self._file.readline(MEGABYTE):
                number += 1
                blank = not data.strip()
                size = len(data)
                while not data.endswith(b"\n") and (data := self._file.readline(MEGABYTE)):
                    blank = blank and not data.strip()
                    size += len(data)
                if not blank:
                    self._starts.append(start)
                    self._numbers.append(number)
                start += size
        except OSError as error:
            raise SceneError("", reason_of(error), str(self.path)) from None

"""Streams the scenes that `check` is asked about: from files, logs and standard input, one after another."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO

from msgspec import Struct

from ..forms.files import load_pair, pair_in
from ..forms.form import NotUnderstoodError
from ..forms.text_log import TextLog, log_in, text_log
from ..io.scene_file import Loaded, SceneError, decoded, read
from ..io.scene_log import LogLine, is_log, log_lines, read_line, slides
from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of
from ..storage.strict_json import DataError, parse
from .progress_bar import ProgressBar

STDIN = "-"

LONG_LOG = 200_000
"""The size of a log, in bytes, from which worker processes save time: some 300 pairs of boxes."""


class SceneEntry(Struct, frozen=True):
    """A scene with the name it is reported by, or the sentence that refuses it. `loaded`: None if it is refused.

    `line`: its line in a log, from 1; None for another file.
    """

    name: str
    loaded: Loaded | None
    error: str = ""
    line: int | None = None


class UnreadLine(Struct, frozen=True):
    """A line of a log that is not read yet, and whether it is a slide of a deck."""

    line: LogLine
    is_slide: bool


def location_of(file: str, line: int | None) -> str:
    """The place of a scene, as the beginning of a sentence: `FILE:LINE`, the file, or standard input."""
    if line is not None:
        return f"{file}:{line}"
    return "standard input" if file == STDIN else file


def is_long(file: str) -> bool:
    """Whether the file is a log long enough for worker processes. Standard input is answered line by line."""
    try:
        return file != STDIN and is_log(file) and Path(file).stat().st_size >= LONG_LOG
    except (OSError, ValueError):
        return False


def entries(file: str, progress: ProgressBar, form: str = "") -> Iterator[SceneEntry | UnreadLine]:
    """Yields the scenes of a file: a scene, a picture that carries one, a text, a log, or `-`.

    Log lines are not parsed yet. `form`: the form of a text, "" to try all.
    """
    if file == STDIN:
        yield from _standard_input(io.BytesIO() if sys.stdin is None else sys.stdin.buffer, form)
    elif is_log(file) and not form:
        yield from _log(file, progress)
    elif (rows := text_log(file, form)) is not None:
        yield from _rows(rows, file)
    else:
        try:
            loaded = load_pair(file, form)
        except SceneError as error:
            yield SceneEntry(file, None, str(error))
        else:
            yield SceneEntry(loaded.scene.name or file, loaded)


def _log(file: str, progress: ProgressBar) -> Iterator[SceneEntry | UnreadLine]:
    try:
        with open_file(file) as lines:
            yield from _entries_of(progress.through(log_lines(lines), lines), file)
    except (OSError, ValueError) as error:
        yield SceneEntry(file, None, f"{file}: {reason_of(error)}")


def _rows(log: TextLog, file: str) -> Iterator[SceneEntry]:
    """Yields the pairs in the rows of a text."""
    for index in range(len(log)):
        line = log.line(index)
        try:
            loaded = log.scene(index)
        except SceneError as error:
            yield SceneEntry(f"{file}:{line}", None, str(error), line)
        else:
            yield SceneEntry(f"{file}:{line}", loaded, line=line)


def _entries_of(lines: Iterator[LogLine], file: str) -> Iterator[SceneEntry | UnreadLine]:
    line = None
    try:
        for line, is_slide in slides(lines, file):
            yield UnreadLine(line, is_slide)
    except SceneError as error:
        yield SceneEntry(file, None, str(error))
    else:
        if line is None:
            yield SceneEntry(file, None, f"{file}: holds no scene")


def entry_of(place: UnreadLine, file: str) -> SceneEntry:
    """Reads the scene of a log's line."""
    line, where = place.line, f"{file}:{place.line.number}"
    try:
        loaded = read_line(line, file, is_slide=place.is_slide)
    except SceneError as error:
        return SceneEntry(where, None, str(error), line.number)
    return SceneEntry(loaded.scene.name or where, loaded, line=line.number)


def _standard_input(stream: IO[bytes], form: str) -> Iterator[SceneEntry | UnreadLine]:
    """Yields the scenes of a log, or one scene that spans several lines, or the pair in a text.

    The input is a log if one of its first two lines is a JSON object by itself.
    """
    lines = log_lines(stream)
    head = list(islice(lines, 1))
    # The second line may arrive late, so it is read only if the first does not decide.
    if head and not form and not _stands_alone(head[0]):
        head += islice(lines, 1)
    if not form and (len(head) == 0 or any(map(_stands_alone, head))):
        yield from _entries_of(chain(head, lines), STDIN)
        return
    try:
        text = decoded(_joined(chain(head, lines)))
        if (rows := log_in(text, Path(STDIN), form)) is not None:
            yield from _rows(rows, STDIN)
            return
        loaded = read(text) if not form and text.lstrip().startswith("{") else pair_in(text, form)
    except (DataError, NotUnderstoodError) as error:
        yield SceneEntry(STDIN, None, f"standard input: {error}")
    else:
        yield SceneEntry(loaded.scene.name or STDIN, loaded)


def _stands_alone(line: LogLine) -> bool:
    try:
        return isinstance(parse(decoded(line.data)), dict)
    except DataError:
        return False


def _joined(lines: Iterator[LogLine]) -> bytes:
    parts, size = [], 0
    for line in lines:
        parts.append(line.data)
        size += len(line.data)
        if size > SCENE_LIMIT:
            raise DataError("", f"is larger than {SCENE_LIMIT // MEGABYTE} MB, no scene is")
    return b"".join(parts)

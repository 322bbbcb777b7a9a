"""The scenes that `check` is asked about: of files, logs and standard input, one after another, streamed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO

from msgspec import Struct

from ..io.scene_file import Loaded, SceneError, decoded, load, read
from ..io.scene_log import LogLine, is_log, log_lines, read_line, slides
from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of
from ..storage.strict_json import DataError, parse
from .progress_bar import Progress

STDIN = "-"

LONG = 200_000
"""Bytes of a log from which on workers are worth their start: some 300 pairs of boxes."""


class Entry(Struct, frozen=True):
    """A scene by the name that it goes by, or the sentence that refuses it. `line`: of a log in which it stands."""

    name: str
    loaded: Loaded | None
    error: str = ""
    line: int | None = None


class Place(Struct, frozen=True):
    """A line of a log, and whether it is a slide."""

    line: LogLine
    slide: bool


def place_of(file: str, line: int | None) -> str:
    """Where a scene stands, as sentences begin."""
    if line is not None:
        return f"{file}:{line}"
    return "standard input" if file == STDIN else file


def is_long(file: str) -> bool:
    """Whether it is a log worth workers. Standard input is answered as it comes."""
    try:
        return file != STDIN and is_log(file) and Path(file).stat().st_size >= LONG
    except (OSError, ValueError):
        return False


def entries(file: str, progress: Progress) -> Iterator[Entry | Place]:
    """The scenes of one file: a scene, a picture that carries one, a log, or `-`; a log's lines are not read yet."""
    if file == STDIN:
        yield from _standard_input(io.BytesIO() if sys.stdin is None else sys.stdin.buffer)
    elif is_log(file):
        yield from _log(file, progress)
    else:
        try:
            loaded = load(file)
        except SceneError as error:
            yield Entry(file, None, str(error))
        else:
            yield Entry(loaded.scene.name or file, loaded)


def _log(file: str, progress: Progress) -> Iterator[Entry | Place]:
    try:
        with open_file(file) as lines:
            yield from _entries_of(progress.through(log_lines(lines), lines), file)
    except (OSError, ValueError) as error:
        yield Entry(file, None, f"{file}: {reason_of(error)}")


def _entries_of(lines: Iterator[LogLine], file: str) -> Iterator[Entry | Place]:
    line = None
    try:
        for line, slide in slides(lines, file):
            yield Place(line, slide)
    except SceneError as error:
        yield Entry(file, None, str(error))
    else:
        if line is None:
            yield Entry(file, None, f"{file}: holds no scene")


def entry_of(place: Place, file: str) -> Entry:
    """Reads a line of a log."""
    line, where = place.line, f"{file}:{place.line.number}"
    try:
        loaded = read_line(line, file, slide=place.slide)
    except SceneError as error:
        return Entry(where, None, str(error), line.number)
    return Entry(loaded.scene.name or where, loaded, line=line.number)


def _standard_input(stream: IO[bytes]) -> Iterator[Entry | Place]:
    """A log, or a single scene over several lines: told apart by whether one of the first two lines stands alone."""
    lines = log_lines(stream)
    head = list(islice(lines, 1))
    # The second line is asked for only when the first leaves a doubt: it may be long in coming.
    if head and not _stands_alone(head[0]):
        head += islice(lines, 1)
    if len(head) < 2 or _stands_alone(head[1]):
        yield from _entries_of(chain(head, lines), STDIN)
        return
    try:
        loaded = read(decoded(_joined(chain(head, lines))))
    except DataError as error:
        yield Entry(STDIN, None, f"standard input: {error}")
    else:
        yield Entry(loaded.scene.name or STDIN, loaded)


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

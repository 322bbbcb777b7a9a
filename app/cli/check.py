"""`separatrix check`: the answers about every scene of files, logs and standard input, one after another.

Logs are streamed, so memory stays the same however long they are; one line on the terminal, written over and over,
says how far a long one is. Nothing here imports a window, GL or imgui.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from itertools import chain, islice
from time import monotonic
from typing import IO, TypeVar

from msgspec import Struct

from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.float32 import analyse_single

from ..io.scene_file import Loaded, LogLine, SceneError, decoded, is_log, load, log_lines, read, read_line
from ..probes import Probe
from ..storage.files import MEGABYTE, SCENE_LIMIT, reason_of
from ..storage.strict_json import DataError, json_line, parse
from .report import error_object, printable, single_object, single_text, to_object, to_text

T = TypeVar("T")
EVERY = 0.1
"""Seconds between two looks; a short log is over before the first."""
WIDTH = 24
_CLEAR = "\r\x1b[K"


class Progress:
    """The bar for files that are read from start to end, on standard error if that is a terminal.

    None where the answers themselves scroll past on a terminal.
    """

    def __init__(self) -> None:
        self._wanted = _is_terminal(sys.stderr) and not _is_terminal(sys.stdout)
        self._shown = False

    def through(self, lines: Iterator[T], file: IO[bytes]) -> Iterator[T]:
        """The `lines` of `file` as they are, with the bar moving; it is gone when they end, however they do."""
        size = os.fstat(file.fileno()).st_size if self._wanted else 0
        due = monotonic() + EVERY
        try:
            for count, line in enumerate(lines):
                if size and monotonic() >= due:
                    # A file that grows meanwhile is never more than whole.
                    self._show(min(1.0, file.tell() / size), count)
                    due = monotonic() + EVERY
                yield line
        finally:
            self.clear()

    def clear(self) -> None:
        """Takes the bar away, for what else is to be written there; the next look draws it again."""
        if self._shown:
            self._shown = False
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()

    def _show(self, share: float, count: int) -> None:
        full = int(share * WIDTH)
        bar = "#" * full + "." * (WIDTH - full)
        sys.stderr.write(f"{_CLEAR}[{bar}] {100.0 * share:3.0f} %, {count:,} scenes")
        sys.stderr.flush()
        self._shown = True


def _is_terminal(stream: IO[str] | None) -> bool:
    return stream is not None and stream.isatty()


STDIN = "-"


class More(Struct, frozen=True):
    """What is answered only when asked for: single precision, the articles' versions."""

    single: bool
    articles: bool


class Entry(Struct, frozen=True):
    """A scene by the name that it goes by, or the sentence that refuses it. `logged`: it stands in a log."""

    name: str
    loaded: Loaded | None
    error: str = ""
    logged: bool = False


def check(files: list[str], *, as_json: bool, single: bool = False, articles: bool = False) -> int:
    """Prints the answers about every scene in `files`; 0, or 1 when one of them was refused.

    A refusal goes to standard error; with `as_json` it also takes its scene's line on standard output. `single`: the
    answers in single precision as well, beside those in double. `articles`: the articles' mistaken versions as well.
    """
    status, more = 0, More(single, articles)
    progress = Progress()
    for entry in chain.from_iterable(entries(file, progress) for file in files):
        text, error = (_json_answer if as_json else _text_answer)(entry, more)
        if text:
            print(text, flush=entry.logged)
        if error:
            status = 1
            if not (as_json and entry.logged):
                progress.clear()
                print(error, file=sys.stderr)
    return status


def entries(file: str, progress: Progress) -> Iterator[Entry]:
    """The scenes of one file: a scene, a picture that carries one, a log, or `-`."""
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


def _log(file: str, progress: Progress) -> Iterator[Entry]:
    try:
        with open(file, "rb") as lines:  # noqa: PTH123 - Path() would drop a leading ./ from the name that is shown
            yield from _entries_of(progress.through(log_lines(lines), lines), file)
    except (OSError, ValueError) as error:
        yield Entry(file, None, f"{file}: {reason_of(error)}")


def _entries_of(lines: Iterator[LogLine], file: str) -> Iterator[Entry]:
    line = None
    for line in lines:
        place = f"{file}:{line.number}"
        try:
            loaded = read_line(line, file)
        except SceneError as error:
            yield Entry(place, None, str(error), logged=True)
        else:
            yield Entry(loaded.scene.name or place, loaded, logged=True)
    if line is None:
        yield Entry(file, None, f"{file}: holds no scene")


def _standard_input(stream: IO[bytes]) -> Iterator[Entry]:
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


def _json_answer(entry: Entry, more: More) -> tuple[str, str]:
    """The line for standard output, and the refusal if there is one."""
    if entry.loaded is None:
        return json_line(error_object(entry.name, entry.error)), printable(entry.error)
    loaded = entry.loaded
    analysis, moving = analyse(loaded.scene), sweep(loaded.scene)
    answers = to_object(analysis, moving, entry.name, loaded.remarks)
    if more.single:
        answers["single"] = single_object(analyse_single(loaded.scene))
    if more.articles:
        from .articles_report import articles_object, by_hand, versions

        answers["articles"] = articles_object(versions(analysis, moving, _probe(loaded)))
        answers["by_hand"] = by_hand(analysis, moving, _probe(loaded))
    return json_line(answers), ""


def _text_answer(entry: Entry, more: More) -> tuple[str, str]:
    if entry.loaded is None:
        return "", printable(entry.error)
    loaded = entry.loaded
    analysis, moving = analyse(loaded.scene), sweep(loaded.scene)
    parts = [to_text(analysis, moving, entry.name, loaded.remarks)]
    if more.single:
        parts.append(single_text(analyse_single(loaded.scene)))
    if more.articles:
        from .articles_report import articles_text, by_hand, by_hand_text, versions

        parts.append(articles_text(versions(analysis, moving, _probe(loaded))))
        if done := by_hand_text(by_hand(analysis, moving, _probe(loaded))):
            parts.append(done)
    return "\n".join(parts), ""


def _probe(loaded: Loaded) -> Probe | None:
    """The probe that the scene keeps."""
    return None if loaded.view is None else loaded.view.probe

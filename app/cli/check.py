"""`separatrix check`: the answers about every scene of files, logs and standard input, one after another.

Logs are streamed, so memory stays the same however long they are; one line on the terminal, written over and over,
says how far a long one is. Nothing here imports a window, GL or imgui.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from time import monotonic
from typing import IO, Any, TypeVar

from msgspec import Struct

from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import SweepAnswer, sweep
from core.float32 import SinglePrecision, analyse_single

from ..io.scene_file import Loaded, SceneError, decoded, load, read
from ..io.scene_log import LogLine, is_log, log_lines, read_line, slides
from ..probes import Probe
from ..storage.files import MEGABYTE, SCENE_LIMIT, reason_of
from ..storage.strict_json import DataError, json_line, parse
from ..words.digits import Digits, number, written_with
from .outcomes import Outcomes
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


SCHEMA = 1
"""Of the JSON answers: assets/check.schema.json. It grows by keys; a key that means something else would make it 2."""

FIELDS = (
    *("name", "dimension", "verdict", "separation", "normal", "mtv", "witness_a", "witness_b", "sat", "planes", "gjk"),
    *("epa", "contact_vertices", "contacts", "sweep", "disagreements", "provenance", "flatness", "remarks", "schema"),
    *("single", "articles", "by_hand", "steps", "error", "file", "line", "failures"),
)
"""Every key of an answer, in their order."""

BRIEF = ("name", "verdict", "separation")
ALWAYS = ("name", "error", "file", "line", "schema", "failures", "single", "articles", "by_hand", "steps")
"""Keys that stand whatever `fields` asks for: the last four are there only if they are asked for themselves."""


class More(Struct, frozen=True):
    """What is answered only when asked for.

    `fields`: the keys of the JSON object beside those that always stand; empty for all. `brief`: a line a scene.
    """

    single: bool = False
    articles: bool = False
    steps: bool = False
    brief: bool = False
    fields: tuple[str, ...] = ()


class Entry(Struct, frozen=True):
    """A scene by the name that it goes by, or the sentence that refuses it. `line`: of a log in which it stands."""

    name: str
    loaded: Loaded | None
    error: str = ""
    line: int | None = None


NOTHING_MORE = More()


class Answer(Struct, frozen=True, eq=False):
    """All that is said about a scene."""

    loaded: Loaded
    analysis: Analysis
    moving: SweepAnswer | None
    single: SinglePrecision | None

    @staticmethod
    def about(loaded: Loaded, more: More) -> Answer:
        """Asks every question; none about single precision unless it is asked for."""
        scene = loaded.scene
        return Answer(loaded, analyse(scene), sweep(scene), analyse_single(scene) if more.single else None)


@written_with(Digits.SIX)
def check(files: list[str], *, as_json: bool, more: More = NOTHING_MORE, outcomes: Outcomes | None = None) -> int:
    """Prints the answers about every scene in `files`; 0, or 1 when one of them was refused, or 3 (`Outcomes.status`).

    A refusal goes to standard error; with `as_json` it also takes its scene's line on standard output. So do the
    conditions that a scene fails, and at the end the summary, where there are `outcomes` to be kept.
    """
    status, progress = 0, Progress()
    for file in files:
        for entry in entries(file, progress):
            answer = None if entry.loaded is None else Answer.about(entry.loaded, more)
            failures = () if outcomes is None else _judged(outcomes, file, entry, answer)
            text = _json(file, entry, answer, more, failures) if as_json else _text(entry, answer, more)
            if text:
                print(text, flush=entry.line is not None)
            if entry.error:
                status = 1
            if (entry.error and not (as_json and entry.line is not None)) or failures:
                progress.clear()
                said = [entry.error] if entry.error else [f"FAILED {entry.name}: {sentence}" for sentence in failures]
                print("\n".join(printable(sentence) for sentence in said), file=sys.stderr)
    if outcomes is None:
        return status
    for name in outcomes.missing:
        print(printable(f"FAILED {name}: was expected, and is not there"), file=sys.stderr)
    print(outcomes.summary(), file=sys.stderr)
    return outcomes.status


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
    try:
        for line, slide in slides(lines, file):
            yield _entry(line, file, slide=slide)
    except SceneError as error:
        yield Entry(file, None, str(error))
    else:
        if line is None:
            yield Entry(file, None, f"{file}: holds no scene")


def _entry(line: LogLine, file: str, *, slide: bool) -> Entry:
    place = f"{file}:{line.number}"
    try:
        loaded = read_line(line, file, slide=slide)
    except SceneError as error:
        return Entry(place, None, str(error), line.number)
    return Entry(loaded.scene.name or place, loaded, line=line.number)


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


def _judged(outcomes: Outcomes, file: str, entry: Entry, answer: Answer | None) -> tuple[str, ...]:
    if answer is None:
        outcomes.refused(file, entry.line, entry.name, entry.error)
        return ()
    return outcomes.judged(file, entry.line, entry.name, answer.analysis, answer.moving, answer.single)


def _json(file: str, entry: Entry, answer: Answer | None, more: More, failures: Sequence[str]) -> str:
    """The line for standard output."""
    told = error_object(entry.name, entry.error) if answer is None else _answers(entry, answer, more)
    told |= {"schema": SCHEMA} | ({} if entry.line is None else {"file": file, "line": entry.line})
    told |= {"failures": list(failures)} if failures else {}
    wanted = BRIEF if more.brief else more.fields
    return json_line({key: value for key, value in told.items() if not wanted or key in (*ALWAYS, *wanted)})


def _answers(entry: Entry, answer: Answer, more: More) -> dict[str, Any]:
    loaded, analysis, moving = answer.loaded, answer.analysis, answer.moving
    told = to_object(analysis, moving, entry.name, loaded.remarks) | {"schema": SCHEMA}
    if answer.single is not None:
        told["single"] = single_object(answer.single)
    if more.articles:
        from .articles_report import articles_object, by_hand, versions

        told["articles"] = articles_object(versions(analysis, moving, _probe(loaded)))
        told["by_hand"] = by_hand(analysis, moving, _probe(loaded))
    if more.steps:
        from .step_report import steps_object

        told["steps"] = steps_object(analysis, moving)
    return told


def _text(entry: Entry, answer: Answer | None, more: More) -> str:
    """The text for standard output."""
    if answer is None:
        return ""
    loaded, analysis, moving = answer.loaded, answer.analysis, answer.moving
    if more.brief:
        return f"{analysis.verdict.value:<12}{number(analysis.separation):>14}  {printable(entry.name)}"
    parts = [to_text(analysis, moving, entry.name, loaded.remarks)]
    if answer.single is not None:
        parts.append(single_text(answer.single))
    if more.articles:
        from .articles_report import articles_text, by_hand, by_hand_text, versions

        parts.append(articles_text(versions(analysis, moving, _probe(loaded))))
        if done := by_hand_text(by_hand(analysis, moving, _probe(loaded))):
            parts.append(done)
    if more.steps:
        from .step_report import steps_text

        parts.append(steps_text(analysis, moving))
    return "\n".join(parts)


def _probe(loaded: Loaded) -> Probe | None:
    """The probe that the scene keeps."""
    return None if loaded.view is None else loaded.view.probe

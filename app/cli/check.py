"""`separatrix check`: prints the answers about every scene of files, logs and standard input, one after another.

Logs are streamed, so memory does not grow with their length; a progress bar on the terminal follows a long log. The
lines of a long log go in chunks to one process per core, and their answers come out in the order of the lines. Nothing
here imports a window, GL or imgui.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import analyse

from ..io.scene_file import Loaded
from ..storage.strict_json import json_line, quick_line
from ..words.digits import Digits, column_number, written_with
from .answer_keys import ALWAYS, OPTIONS, SCHEMA, SceneAnswers, answer_record
from .facts import SceneFacts
from .faults import FaultGuard, Sentences
from .outcomes import Outcomes
from .progress_bar import ProgressBar
from .report import printable, single_text, to_text
from .scenes import STDIN, SceneEntry, UnreadLine, entries, entry_of, is_long, location_of
from .workers import WorkerDiedError, cores, in_order

if TYPE_CHECKING:
    from ..engines.asked import EngineSession

BRIEF = ("name", "verdict", "separation")

CHUNK_LINES, CHUNK_BYTES = 64, 1_000_000
"""A chunk of a log, which is one message to a worker, ends after this many lines or bytes."""


class CheckOptions(Struct, frozen=True):
    """The form of the answers, and which optional parts they have.

    `as_json`: one object a line. `fields`: the keys of the JSON object beside ALWAYS; empty for all. `brief`: one line
    a scene. `engines`: other engines to ask. `facts`: whether reports have the facts that outcomes are judged by;
    `checked`: the facts include the disagreements; `scenes`: they include the scene. `form`: of a text; "" tries all.
    """

    as_json: bool = False
    facts: bool = False
    checked: bool = False
    scenes: bool = False
    single: bool = False
    articles: bool = False
    steps: bool = False
    brief: bool = False
    fields: tuple[str, ...] = ()
    engines: tuple[EngineSession, ...] = ()
    form: str = ""

    def wants(self, key: str) -> bool:
        """Whether the JSON object has this key; a key of OPTIONS only if its option is given."""
        if key in OPTIONS:
            return bool(getattr(self, key))
        wanted = BRIEF if self.brief else self.fields
        return not wanted or key in (*ALWAYS, *wanted)


NO_OPTIONS = CheckOptions()


class SceneReport(Struct, frozen=True):
    """The report about one scene: `text` for standard output, and the `facts` that it is judged by, if wanted.

    `error`: why there is no answer, else "". `line`: of the scene in its log, from 1.
    """

    name: str
    line: int | None
    error: str
    text: str
    facts: SceneFacts | None


@written_with(Digits.SIX)
def check(
    files: list[str],
    *,
    as_json: bool,
    options: CheckOptions = NO_OPTIONS,
    outcomes: Outcomes | None = None,
    jobs: int | None = None,
) -> int:
    """Prints the answers about every scene in `files`.

    Returns 0, or 1 if a scene was refused; with `outcomes`, their status. A refusal, or a fault of the program about
    a scene, is printed on standard error, the first three of each kind; with `as_json` a refused line of a log is
    reported only by its object on standard output. With `outcomes`, the conditions that a scene fails and the summary
    are printed on standard error too. `jobs`: processes for a long log; None: one per core. With engines there is one
    process.
    """
    status, progress, sentences = 0, ProgressBar(), Sentences()
    options = replace(options, as_json=as_json)
    if outcomes is not None:
        options = replace(options, facts=True, checked=outcomes.needs_disagreements, scenes=outcomes.needs_scenes)
    jobs = 1 if options.engines else jobs or cores()
    for file in files:
        with closing(answers(file, options, progress, jobs)) as found:
            for report in found:
                report, failures = (report, ()) if outcomes is None else _judged(outcomes, file, options, report)
                text = _with_failures(report.text, failures) if as_json else report.text
                if text:
                    print(text, flush=file == STDIN)
                if report.error:
                    status = 1
                if said := _said(file, report, failures, sentences, as_json=as_json):
                    print(end="", flush=True)  # so that the lines on standard error follow the answers before them
                    progress.clear()
                    print("\n".join(printable(sentence) for sentence in said), file=sys.stderr)
    for sentence in sentences.rest():
        print(printable(sentence + ("" if as_json else "; check --json tells each")), file=sys.stderr)
    if outcomes is None:
        return status
    for name in outcomes.missing:
        print(printable(f"FAILED {name}: was expected, and is not there"), file=sys.stderr)
    print(outcomes.summary(), file=sys.stderr)
    return outcomes.status


def _said(file: str, report: SceneReport, failures: Sequence[str], sentences: Sentences, *, as_json: bool) -> list[str]:
    """The sentences about a scene for standard error."""
    if not report.error:
        return [f"FAILED {report.name}: {sentence}" for sentence in failures]
    if as_json and report.line is not None:
        return []  # its object on standard output has the error
    return [report.error] if sentences.is_told(report.error, location_of(file, report.line)) else []


def _judged(
    outcomes: Outcomes, file: str, options: CheckOptions, report: SceneReport
) -> tuple[SceneReport, tuple[str, ...]]:
    """The report and the conditions that the scene fails; after a fault of the program, a refused report."""
    with FaultGuard(location_of(file, report.line)) as attempt:
        return report, outcomes.judged(file, report.line, report.name, report.error, report.facts)
    report = _refused(file, options, SceneEntry(report.name, None, attempt.fault, report.line))
    return report, outcomes.judged(file, report.line, report.name, report.error, None)


def answers(file: str, options: CheckOptions, progress: ProgressBar, jobs: int) -> Generator[SceneReport]:
    """Yields the reports about one file's scenes: a scene, a picture that carries one, a text, a log, or `-`.

    `jobs`: the most processes at once. A refusal, a dead worker process and a fault of the program are reports too.
    """
    with FaultGuard(location_of(file, None)) as attempt:
        yield from _of_file(file, options, progress, jobs)
    if attempt.fault:
        yield _refused(file, options, SceneEntry(file, None, attempt.fault))


def _of_file(file: str, options: CheckOptions, progress: ProgressBar, jobs: int) -> Iterator[SceneReport]:
    found = entries(file, progress, options.form)
    if jobs < 2 or not is_long(file):
        yield from (_report_on(file, options, entry) for entry in found)
        return
    with closing(in_order(_chunks(found), partial(_reports_on, file, options), jobs)) as chunks:
        try:
            yield from chain.from_iterable(chunks)
        except WorkerDiedError as error:
            yield _refused(file, options, SceneEntry(file, None, f"{file}: {error}; --jobs 1 needs none"))


def _chunks(found: Iterator[SceneEntry | UnreadLine]) -> Iterator[list[SceneEntry | UnreadLine]]:
    chunk, size = [], 0
    for entry in found:
        chunk.append(entry)
        size += len(entry.line.data) if isinstance(entry, UnreadLine) else 0
        if len(chunk) >= CHUNK_LINES or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


@written_with(Digits.SIX)
def _reports_on(file: str, options: CheckOptions, found: list[SceneEntry | UnreadLine]) -> list[SceneReport]:
    return [_report_on(file, options, entry) for entry in found]


def _report_on(file: str, options: CheckOptions, found: SceneEntry | UnreadLine) -> SceneReport:
    line = found.line.number if isinstance(found, UnreadLine) else found.line
    entry = SceneEntry(file if line is None else f"{file}:{line}", None, line=line)
    with FaultGuard(location_of(file, line)) as attempt:
        entry = entry_of(found, file) if isinstance(found, UnreadLine) else found
        if entry.loaded is not None:
            attempt.scene = entry.loaded.scene
            return _answered(file, options, entry, entry.loaded)
    return _refused(file, options, SceneEntry(entry.name, None, entry.error or attempt.fault, line))


def _answered(file: str, options: CheckOptions, entry: SceneEntry, loaded: Loaded) -> SceneReport:
    engines = tuple(ask.judged(loaded.scene) for ask in options.engines)
    answer = SceneAnswers(loaded, analyse(loaded.scene), engines)
    text = _json(file, entry, answer, options) if options.as_json else _text(entry, answer, options)
    return SceneReport(entry.name, entry.line, "", text, _facts(answer, options) if options.facts else None)


def _refused(file: str, options: CheckOptions, entry: SceneEntry) -> SceneReport:
    """The report about a scene that has no answer."""
    return SceneReport(
        entry.name, entry.line, entry.error, _json(file, entry, None, options) if options.as_json else "", None
    )


def _facts(answer: SceneAnswers, options: CheckOptions) -> SceneFacts:
    single = answer.single if options.single else None
    # The motion is needed to compare it with the expected one, or its methods with each other.
    moving = answer.moving if options.scenes or options.checked else None
    return SceneFacts.of(answer.analysis, moving, single, scene=options.scenes, checked=options.checked)


def _with_failures(text: str, failures: Sequence[str]) -> str:
    """The line for standard output with the key `failures` added at the end of its object."""
    return f'{text[:-1]}, "failures": {json_line(failures)}}}' if failures else text


def _json(file: str, entry: SceneEntry, answer: SceneAnswers | None, options: CheckOptions) -> str:
    """The line for standard output, without the failures."""
    place = {"name": entry.name} | ({"error": entry.error} if answer is None else {}) | {"schema": SCHEMA}
    place |= {} if entry.line is None else {"file": file, "line": entry.line}
    return quick_line(answer_record(place, answer, options.wants))


def _text(entry: SceneEntry, answer: SceneAnswers, options: CheckOptions) -> str:
    if options.brief:
        found = answer.analysis
        told = f"{found.verdict.value:<12}{column_number(found.separation):>14}  {printable(entry.name)}"
        return f"{told}, {found.scene.of_hulls}" if found.scene.of_hulls else told
    analysis, moving = answer.analysis, answer.moving
    parts = [to_text(analysis, moving, entry.name, answer.loaded.remarks)]
    if options.single:
        parts.append(single_text(answer.single))
    if options.articles:
        from .articles_report import articles_text, versions

        parts.append(articles_text(versions(analysis, moving, answer.probe)))
    if answer.engines:
        from .engines import engines_text

        parts.append(engines_text(answer.engines))
    if options.steps:
        from .step_report import steps_text

        parts.append(steps_text(analysis, moving))
    return "\n".join(parts)

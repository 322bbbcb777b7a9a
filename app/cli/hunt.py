"""`separatrix hunt`: finds pairs that engines answer wrongly, with a proof each, and shrinks them to few digits."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.scene import Body, Scene
from core.shapes import Box
from core.study.differential.answers import NotAsked
from core.study.differential.hunt import Finding, HuntQuestion, Key, hunt, questions
from core.study.differential.numbers import numbers_left
from core.study.differential.shrink import SameFault, shrunk

from ..engines.asked import EngineSession, Judged, answer_object, class_words
from ..engines.bug_report import can_be_reported, known_report, proof_of
from ..engines.repro_call import NoScriptError
from ..forms.files import load_pair
from ..io.scene_file import SceneError, to_tree
from ..storage.files import reason_of, write_atomic
from ..storage.strict_json import json_line
from .bundle import bundle_bytes
from .engines import engine_sessions
from .faults import FaultGuard, Sentences
from .outcomes import FAILED
from .picture import refused
from .report import printable

QUESTIONS = 1000
"""Questions to each engine, if neither a number nor a time is given."""

QUESTIONS_A_LINE = 100
"""Questions between two lines of progress on standard error."""

FIRST_QUESTION = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0)))
"""The first question to an engine; the worker starts with it, whether or not the engine knows the shapes."""


QUESTIONS_A_LIVE_LINE = 8
"""Questions between two JSON lines of progress under `--live`."""


class OutputFormat(StrEnum):
    """The output format of findings.

    `LIVE`: JSON in which each finding is also printed at once, before it is shrunk, with lines of progress between.
    """

    TEXT = "text"
    JSON = "json"
    LIVE = "live"


class Budget(Struct, frozen=True):
    """The limit of the hunt: questions to each engine, or seconds of wall time for all together."""

    questions: int | None
    seconds: float | None

    @property
    def most(self) -> int | None:
        """The most questions; None if the time decides."""
        return self.questions or (QUESTIONS if self.seconds is None else None)


class Wanted(Struct, frozen=True):
    """The pairs that each engine is asked about: of these families, or near a scene.

    `seed`: the same pairs are made for the same one. `families`: empty for all. `near`: None without a scene.
    """

    seed: int
    budget: Budget
    families: Sequence[str]
    near: Scene | None


def hunt_engines(
    names: Sequence[str],
    seed: int,
    budget: Budget,
    families: Sequence[str],
    around: tuple[str, str] | None,
    out: Path | None,
    output_format: OutputFormat,
) -> int:
    """Hunts engine after engine; returns 3 if something was found, 0 if nothing was.

    `around`: a scene's file, and the form of a text in it, "" to try all. Returns 1 if the scene is refused, `out`
    cannot be made, or an engine could not be asked, or if a fault of the program left questions out.
    """
    try:
        near = None if around is None else load_pair(*around).scene
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
    except SceneError as error:
        return refused(str(error))
    except OSError as error:
        return refused(f"{out}: {reason_of(error)}")
    total, sentences = 0, Sentences()
    with ExitStack() as stack:
        engines = engine_sessions(tuple(dict.fromkeys(names)), stack)
        if engines is None:
            return 1
        share = replace(budget, seconds=None if budget.seconds is None else budget.seconds / len(engines))
        wanted = Wanted(seed, share, families, near)
        for asked in engines:
            kept: dict[Key, Finding] = {}
            try:
                kinds = _kinds(asked, wanted)
                if kinds is None:
                    return 1
                with sentences.attempt(asked.entry.title):
                    _fill(kept, asked, kinds, wanted, sentences, live=output_format is OutputFormat.LIVE)
                for number, finding in enumerate(kept.values(), 1):
                    with sentences.attempt(_place(asked, [finding.question]), finding.question.scene):
                        _tell(asked, finding, out, number, output_format)
            except KeyboardInterrupt:
                shapes = dict.fromkeys(f"{' and '.join(key.shapes)} ({key.title})" for key in kept)
                found = f", of {asked.entry.title}: {', '.join(shapes)}" if kept else ""
                print(f"Stopped: {total + len(kept)} kinds of wrong answers were found{found}.", file=sys.stderr)
                return FAILED if total + len(kept) else 0
            total += len(kept)
    for sentence in sentences.rest():
        print(printable(sentence), file=sys.stderr)
    print(f"{total} kinds of wrong answers were found.", file=sys.stderr)
    return 1 if sentences.any else FAILED if total else 0


def _kinds(asked: EngineSession, wanted: Wanted) -> tuple[str, ...] | None:
    """The shapes that an engine knows; returns None, and prints why, if it does not start or they make no pair."""
    try:
        kinds = asked.kinds(wanted.near or FIRST_QUESTION)
        next(questions(asked.entry.name, kinds, wanted.seed, wanted.near, wanted.families))
    except ValueError as error:
        refused(printable(str(error)))
        return None
    return kinds


def _place(asked: EngineSession, some: Sequence[HuntQuestion]) -> str:
    """The questions' engine, seed, family and index in words, from which the same questions can be made again."""
    first, last = some[0], some[-1]
    more = "" if first is last else f" to {last.family} {last.index}"
    return f"{asked.entry.title}, seed {first.seed}, {first.family} {first.index}{more}"


def _fill(
    kept: dict[Key, Finding],
    asked: EngineSession,
    kinds: Sequence[str],
    wanted: Wanted,
    sentences: Sentences,
    *,
    live: bool,
) -> None:
    """Asks the questions and keeps the worst finding of each kind in `kept`.

    The first finding of each pair of shapes and class is printed at once. A fault of the core on a
    question is added to `sentences`, and the hunt goes on. At the end the numbers of questions that were not asked are
    printed with the reasons.
    """
    name, budget = asked.entry.title, wanted.budget
    not_asked: Counter[str] = Counter()
    until = None if budget.seconds is None else monotonic() + budget.seconds

    def going() -> bool:
        return until is None or monotonic() < until

    def judging(some: Sequence[HuntQuestion]) -> FaultGuard:
        return sentences.attempt(_place(asked, some), some[0].scene if len(some) == 1 else None)

    for now in hunt(
        asked.engine,
        asked,
        kinds,
        seed=wanted.seed,
        most=budget.most,
        around=wanted.near,
        of=wanted.families,
        going=going,
        around_judging=judging,
    ):
        if isinstance(now.answer, NotAsked):
            not_asked[now.answer.words] += 1
        if now.found is not None:
            key = now.found.key
            if (key.shapes, key.title) not in {(other.shapes, other.title) for other in kept}:
                pair = " and ".join(key.shapes)
                print(f"{name}: question {now.asked} ({now.question.family}): {pair}, {key.title}", file=sys.stderr)
            kept[key] = now.found
            if live:
                number = list(kept).index(key) + 1
                provisional = _finding_object(_first(asked, now.found), now.found, number)
                print(json_line(provisional | {"final": False}), flush=True)
        if live and (now.asked % QUESTIONS_A_LIVE_LINE == 0 or now.asked == budget.most):
            counts = {"asked": now.asked, "most": budget.most, "not_asked": not_asked.total()}
            print(json_line({"engine": asked.entry.name} | counts), flush=True)
        if now.asked % QUESTIONS_A_LINE == 0:
            words = f"{name}: {now.asked} questions, {len(kept)} found, {now.unproved} without a proof"
            print(words, file=sys.stderr)
    for why, count in not_asked.items():
        print(
            printable(f"{name}: {count} {'question' if count == 1 else 'questions'} not asked: {why}"), file=sys.stderr
        )


def _tell(asked: EngineSession, finding: Finding, out: Path | None, number: int, output_format: OutputFormat) -> None:
    """Shrinks a finding, prints it on standard output, and writes its bundle into `out`.

    If the engine answers differently when asked again, the output says so and no bundle is written.
    """
    whole = finding.question.scene
    small = shrunk(whole, SameFault.of(asked.engine, asked.insist, whole, finding.truth, finding.judgement))
    judged, unshrunk, repeats = asked.judged(small.scene, insist=True), whole if small.scene != whole else None, True
    if not _shows(judged, finding):  # the proof may fail if the fault has become small
        judged, unshrunk = asked.judged(whole, insist=True), None
        repeats = _shows(judged, finding)
    if not repeats:
        judged = _first(asked, finding)
    file = None if out is None or not repeats else _bundled(judged, asked, out, number, unshrunk)
    if output_format is not OutputFormat.TEXT:
        more = {"bundle": file, "unshrunk": None if unshrunk is None else to_tree(unshrunk), "repeats": repeats}
        final = {"final": True} if output_format is OutputFormat.LIVE else {}
        print(json_line(_finding_object(judged, finding, number) | more | final), flush=True)
        return
    question, known = finding.question, known_report(judged)
    shapes = " and ".join(body.shape.word for body in (judged.scene.a, judged.scene.b))
    new = f"like {known}" if known else "new to us"
    new += "" if repeats else "; asked again it answers otherwise"
    words = f"{asked.entry.title} {asked.engine.version}, {shapes}: {class_words(judged)}; {new}"
    where = f"seed {question.seed}, {question.family} {question.index}, {numbers_left(judged.scene)} numbers left"
    print(printable(f"{words} ({where}){f': {file}' if file else ''}"), flush=True)


def _first(asked: EngineSession, finding: Finding) -> Judged:
    """The finding with the scene and answer of the hunt, not shrunk."""
    scene = finding.question.scene
    return Judged(asked.entry, asked.engine, scene, finding.answer, finding.truth, finding.judgement)


def _shows(judged: Judged, finding: Finding) -> bool:
    """Whether an answer shows the finding's fault, and can be reported."""
    same = judged.judgement.title == finding.judgement.title
    return same and can_be_reported(judged, proof_of(judged))


def _finding_object(judged: Judged, finding: Finding, number: int) -> dict[str, Any]:
    """A finding as a JSON object.

    `number`: its place among the engine's findings, from 1, the same before and after it is shrunk.
    """
    question, known = finding.question, known_report(judged)
    place = {"number": number, "seed": question.seed, "family": question.family, "index": question.index}
    more = {"shapes": list(finding.key.shapes), "reported": known, "new": known is None}
    return answer_object(judged) | place | more | {"scene": to_tree(judged.scene)}


def _bundled(judged: Judged, asked: EngineSession, out: Path, number: int, unshrunk: Scene | None) -> str | None:
    """Writes the bundle; returns its file's name, or None, and prints why, if it cannot be written."""
    shapes = "-".join(body.shape.word for body in (judged.scene.a, judged.scene.b))
    file = out / f"{judged.entry.name}-{number:02}-{shapes}-{judged.judgement.title}.zip".replace(" ", "-")
    try:
        write_atomic(file, bundle_bytes(judged, asked, unshrunk))
    except (NoScriptError, OSError) as error:
        why = reason_of(error) if isinstance(error, OSError) else str(error)
        print(printable(f"{file}: no bundle was written: {why}"), file=sys.stderr)
        return None
    return str(file)

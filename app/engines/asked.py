"""Asks an engine about scenes and judges its answers by the true ones, for the command line and the hunt."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import Struct

from core.analysis.brief import distance_of
from core.scene import Scene
from core.study.differential.answers import Answer, Engine, EngineAnswer, Failed, NotAsked, Unsupported
from core.study.differential.classes import Judgement, Kind, Truth, judge

from ..words.digits import column_number, percent, plain, tolerance
from .catalogue import ENGINES, EngineSpec, FoundEngine, found_engines
from .judged_answer import JudgedAnswer, JudgedContact
from .questions import OWN_MARGIN
from .workers import Worker


class Judged(Struct, frozen=True, eq=False):
    """An engine's answer about a scene, with the true answer and the judgement."""

    entry: EngineSpec
    engine: Engine
    scene: Scene
    answer: Answer
    truth: Truth
    judgement: Judgement


class EngineSession:
    """An engine that is called with a scene; its process ends with the `with` block."""

    def __init__(self, found: FoundEngine) -> None:
        self.entry = found.entry
        self.python = found.python
        self.worker = Worker(found.entry.command(found.python), found.entry.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.worker.close()

    def __call__(self, scene: Scene) -> Answer:
        """The engine's answer, or why there is none. Kinds of shape that ended it too often are not asked about."""
        return self.worker.answer(scene, OWN_MARGIN).answer

    def insist(self, scene: Scene) -> Answer:
        """The engine's answer, or why there is none. Asks even if these kinds of shape ended the engine too often."""
        return self.worker.answer(scene, OWN_MARGIN, insist=True).answer

    @property
    def engine(self) -> Engine:
        """The engine's record for the judge; its version is "" before the first question."""
        return self.entry.engine(self.worker.ready.version if self.worker.ready else "")

    def kinds(self, scene: Scene) -> tuple[str, ...]:
        """The kinds of shape that the engine supports. Asks about `scene`, which starts the engine.

        Raises ValueError if the engine does not start.
        """
        answer = self(scene)
        if self.worker.ready is None:
            why = answer.words if isinstance(answer, Failed | NotAsked) else "not ready"
            raise ValueError(f"{self.entry.name}: {why}")
        return tuple(dict.fromkeys(shape for pair in self.worker.ready.pairs for shape in pair))

    def judged(self, scene: Scene, truth: Truth | None = None, *, insist: bool = False) -> Judged:
        """The engine's answer about a scene, judged.

        `truth`: the true answer; None to compute it. `insist`: asks even if these kinds of shape ended the engine too
        often.
        """
        answer = self.insist(scene) if insist else self(scene)
        truth = truth or Truth.of(distance_of(scene))
        return Judged(self.entry, self.engine, scene, answer, truth, judge(scene, truth, self.engine, answer))


def known_name(name: str) -> str:
    """The name, checked to be an engine's. Raises ValueError, with all names, for another one."""
    names = [entry.name for entry in ENGINES]
    if name not in names:
        raise ValueError(f"must be of {', '.join(names)}; got {name!r}")
    return name


def engines_of(names: Sequence[str], pythons: Sequence[str]) -> list[FoundEngine]:
    """The engines of these names, each once. `pythons`: as in `found_engines`.

    Raises ValueError, with how to install it, if one is not found, and KeyError for a name that is no engine's.
    """
    found, _ = found_engines(pythons)
    places = {one.entry.name: one for one in found}
    for entry in ENGINES:
        if entry.name in names and entry.name not in places:
            own = f" in {entry.own}, and name it under engine_pythons in the settings" if entry.own else ""
            raise ValueError(f"{entry.name} is not found: pip install {entry.package}{own}")
    return [places[name] for name in dict.fromkeys(names)]


def class_words(judged: Judged) -> str:
    """The judgement in words, with its rule and bound: `depth too large: by 0.3, more than 2.2e-06`."""
    found, answer = judged.judgement, judged.answer
    if isinstance(answer, NotAsked):
        return f"not asked: {answer.words}"
    if isinstance(answer, Unsupported):
        return f"not supported: {answer.shape}"
    if isinstance(answer, Failed):
        return answer.words if found.kind is Kind.FAILED else f"refused: {answer.words}"
    if found.kind is Kind.FAILED:
        return "failed: a number is not finite"
    name = "points the other way" if found.opposite else found.kind.value
    return f"{name}: {_rule_words(judged, found)}"


def _rule_words(judged: Judged, found: Judgement) -> str:
    within = tolerance(found.bound)
    match found.kind:
        case Kind.MISSED:
            return f"the bodies overlap by {plain(-judged.truth.separation)}"
        case Kind.FALSE:
            return f"the bodies are {plain(judged.truth.separation)} apart"
        case Kind.POINTS_OFF:
            return f"a point is {plain(found.off)} off its surface, more than {within}"
        case Kind.WRONG | Kind.IMPRECISE:
            return (
                f"it proves {column_number(found.proves)}, the separation is {column_number(judged.truth.separation)}"
            )
        case Kind.DESIGN if found.rule is not None:
            return found.rule.words
        case Kind.AGREES | Kind.MARGIN | Kind.PRECISION:
            off = f"off by {percent(found.share)} of the answer, " if isfinite(found.share) else ""
            return f"{off}within {within}, by {found.by}"
    return f"by {plain(abs(found.error))}, more than {within}"


def answer_object(judged: Judged) -> dict[str, Any]:
    """The judged answer as JSON values; a number that is missing or not finite is None."""
    found, answer = judged.judgement, judged.answer
    said = answer if isinstance(answer, EngineAnswer) else EngineAnswer()
    judged_answer = JudgedAnswer(
        engine=judged.entry.name,
        version=judged.engine.version,
        separation=said.signed,
        normal=said.normal,
        on_a=said.on_a,
        on_b=said.on_b,
        contacts=[JudgedContact(one.point, one.separation) for one in said.contacts],
        kind=found.kind.value,
        words=class_words(judged),
        fault=found.is_fault,
        by=found.by or None,
        failure=found.failure or None,
        difference=found.error,
        share=found.share,
        bound=found.bound,
        proves=found.proves,
        severity=found.severity,
        us=said.us or None,
    )
    return {key: _finite(value) for key, value in msgspec.to_builtins(judged_answer).items()}


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return {key: _finite(part) for key, part in value.items()} if isinstance(value, dict) else value

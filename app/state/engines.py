"""The other engines' answers about the shown pair: a row for each engine, judged by the true answer.

The module is imported when its panel first opens.
"""

from __future__ import annotations

from collections import Counter
from math import isfinite

from msgspec import Struct

from core.scene import Scene
from core.study.differential.answers import Answer, Engine, EngineAnswer, Unsupported
from core.study.differential.classes import Judgement
from core.verdict import Verdict

NO_ENGINE = "No engine is installed. `separatrix engines` in a terminal lists all of them, and how to get each."


class EngineRow(Struct, frozen=True, eq=False):
    """One engine, and its newest answer.

    `engine`: None until its version is known. `scene`: the pair that `answer` is about, which may be an older one;
    `judgement`: None if the true answer about that pair is no longer known. `number`: the number of the question, 0 for
    none. `noise`: the engine's output on standard error.
    """

    name: str
    title: str
    engine: Engine | None = None
    scene: Scene | None = None
    answer: Answer | None = None
    judgement: Judgement | None = None
    number: int = 0
    noise: str = ""

    @property
    def finite_answer(self) -> EngineAnswer | None:
        """The answer if it is an answer and all its numbers are finite, else None."""
        answer = self.answer
        return answer if isinstance(answer, EngineAnswer) and all(map(isfinite, answer.numbers)) else None

    @property
    def can(self) -> bool:
        """Whether the engine runs and supports these shapes."""
        return self.engine is not None and bool(self.engine.version) and not isinstance(self.answer, Unsupported)

    def is_of(self, scene: Scene) -> bool:
        """Whether the answer is about this scene's pair with its present poses."""
        return self.scene is not None and self.scene.stands_as(scene)

    @property
    def verdict(self) -> Verdict | None:
        """The engine's verdict, TOUCHING within its tolerance; None without a judged answer of finite numbers.

        An engine without a number: OVERLAPPING if it has contacts, else SEPARATED.
        """
        if self.finite_answer is None or self.judgement is None:
            return None
        number, near = self.finite_answer.signed, self.judgement.tolerance
        if number is None:
            return Verdict.OVERLAPPING if self.finite_answer.contacts else Verdict.SEPARATED
        if abs(number) <= near:
            return Verdict.TOUCHING
        return Verdict.OVERLAPPING if number < 0.0 else Verdict.SEPARATED


class WrongPair(Struct, frozen=True, eq=False):
    """A pair that an engine answers wrongly. `number`: its number among the engine's pairs; `final`: it is shrunk.

    `words`: the class with its bound; `reported`: the address of a report about a similar fault, "" for none.
    """

    engine: str
    title: str
    number: int
    words: str
    scene: Scene
    reported: str = ""
    final: bool = False


class Hunt(Struct, frozen=True, eq=False):
    """The search near a pair. `title`: the title of the engine being asked, with `asked` of `most` questions done.

    `not_asked`: for each engine the count of questions that were not asked, because such pairs ended the engine too
    often. `ending`: a sentence on the end of the search; "" while it goes on. `found`: the pairs found so far.
    """

    title: str = ""
    asked: int = 0
    most: int = 0
    found: tuple[WrongPair, ...] = ()
    not_asked: dict[str, int] = {}
    ending: str = ""


class EngineCurve(Struct, frozen=True, eq=False):
    """An engine's signed separations for the first scenes of a path, those asked about so far; NaN if it gave none."""

    title: str
    values: tuple[float, ...]


class PathAnswers(Struct, frozen=True, eq=False):
    """The engines' curves over a path of scenes, computed one after the other. `engines`: the count of engines to ask.

    `done`: all have been asked, or the work was stopped.
    """

    scenes: tuple[Scene, ...]
    engines: int = 0
    curves: tuple[EngineCurve, ...] = ()
    done: bool = False


class EngineTable(Struct, frozen=True, eq=False):
    """The data of the panel. `missing`: titles of engines that are not installed, with their installation by package.

    `refused`: sentences on interpreters that could not be asked. `detecting`: installed engines are still being found.
    `hunt`: None before the first. `bundling`: a bundle is being made. `rows`: of the engines that were asked, in order.
    """

    rows: tuple[EngineRow, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    detecting: bool = False
    hunt: Hunt | None = None
    bundling: bool = False

    def row_of(self, name: str) -> EngineRow | None:
        """The row of the engine with this name; None if there is none."""
        return next((row for row in self.rows if row.name == name), None)

    def vote(self, scene: Scene, ours: Verdict) -> tuple[Verdict, int, int] | None:
        """The most frequent verdict of the engines on the scene, its votes, and all votes; None without a vote.

        Of verdicts with equal votes, `ours` is taken if it is among them.
        """
        verdicts = [row.verdict for row in self.rows if row.is_of(scene)]
        votes = Counter(verdict for verdict in verdicts if verdict is not None)
        if not votes:
            return None
        most = max(votes, key=lambda verdict: (votes[verdict], verdict is ours))
        return most, votes[most], votes.total()

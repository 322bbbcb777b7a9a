"""What other engines say about the pair shown: a row an engine, each judged beside the truth.

Imported when the panel of this name first opens.
"""

from __future__ import annotations

from collections import Counter
from math import isfinite

from msgspec import Struct

from core.scene import Scene
from core.study.differential.answers import Answer, Engine, EngineAnswer, Unsupported
from core.study.differential.classes import Judgement
from core.verdict import Verdict

NONE = "No engine is installed. `separatrix engines` in a terminal lists all of them, and how to get each."


class EngineRow(Struct, frozen=True, eq=False):
    """One engine, and its newest answer.

    `engine`: None until it has said its version. `scene`: the pair that `answer` is about, maybe an older one;
    `judgement`: None where what is true of that pair is no longer known. `number`: of the question, 0 without one.
    `noise`: what it wrote to standard error.
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
    def said(self) -> EngineAnswer | None:
        """An answer whose numbers are all finite."""
        answer = self.answer
        return answer if isinstance(answer, EngineAnswer) and all(map(isfinite, answer.numbers)) else None

    @property
    def can(self) -> bool:
        """Whether it has such shapes, and runs."""
        return self.engine is not None and bool(self.engine.version) and not isinstance(self.answer, Unsupported)

    def is_of(self, scene: Scene) -> bool:
        """Whether it answers about the pair as it stands there."""
        return self.scene is not None and self.scene.stands_as(scene)

    @property
    def verdict(self) -> Verdict | None:
        """What it says of the pair; touching within what it is good to; None without an answer."""
        if self.said is None or self.judgement is None:
            return None
        number, near = self.said.signed, self.judgement.tolerance
        if number is None:
            return Verdict.OVERLAPPING if self.said.says_contact else Verdict.SEPARATED
        if abs(number) <= near:
            return Verdict.TOUCHING
        return Verdict.OVERLAPPING if number < 0.0 else Verdict.SEPARATED


class Found(Struct, frozen=True, eq=False):
    """A pair about which an engine is wrong. `number`: of that engine's; `final`: shrunk, as far as it goes.

    `words`: its class with the bound; `reported`: where something like it was, "" for what is new to us.
    """

    engine: str
    title: str
    number: int
    words: str
    scene: Scene
    reported: str = ""
    final: bool = False


class Hunt(Struct, frozen=True, eq=False):
    """The search near a pair. `title`: of the engine that is asked, with `asked` of `most` questions so far.

    `not_asked`: by engine, how many of its questions were not put to it, as such pairs had ended it too often before.
    `done`: how it ended, in a sentence; "" while it goes on.
    """

    title: str = ""
    asked: int = 0
    most: int = 0
    found: tuple[Found, ...] = ()
    not_asked: dict[str, int] = {}
    done: str = ""


class Curve(Struct, frozen=True, eq=False):
    """What an engine says along a way: signed separations, NaN where it gives none, as far as it has been asked."""

    title: str
    values: tuple[float, ...]


class Along(Struct, frozen=True, eq=False):
    """Every engine's curve over these scenes, one engine after the other; `engines`: how many there are to ask.

    `done`: all have been asked, or it was stopped.
    """

    scenes: tuple[Scene, ...]
    engines: int = 0
    curves: tuple[Curve, ...] = ()
    done: bool = False


class Bench(Struct, frozen=True, eq=False):
    """All rows; `missing`: title and how to get it, by package; `refused`: sentences about interpreters.

    `searching`: which engines there are is not known yet. `hunt`: None before the first. `bundling`: a bundle is being
    made.
    """

    rows: tuple[EngineRow, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    searching: bool = False
    hunt: Hunt | None = None
    bundling: bool = False

    def row(self, name: str) -> EngineRow | None:
        """The row of the engine of that name."""
        return next((row for row in self.rows if row.name == name), None)

    def vote(self, scene: Scene, ours: Verdict) -> tuple[Verdict, int, int] | None:
        """The verdict that most engines give of the scene, by how many of how many; of equals ours.

        None without an answer.
        """
        said = [row.verdict for row in self.rows if row.is_of(scene)]
        votes = Counter(verdict for verdict in said if verdict is not None)
        if not votes:
            return None
        most = max(votes, key=lambda verdict: (votes[verdict], verdict is ours))
        return most, votes[most], votes.total()

"""Predictions: one question at a time about the pair, what was answered, and what is hidden until it is.

Pure records, without a rule of how questions come about: those stand in predictions/, which is imported with the first
question. An answer is a subject, as everywhere: `("axis", 7)` for a row of the table, `("vertex_a", 3)`, `("simplex",
1)`, `("face", 12)` of the polytope by its number, `("polygon_edge", 2)` in the plane, `("count", 4)`, `("verdict", 0)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.draw_list import Subject


class Kind(StrEnum):
    """What can be asked."""

    VERDICT = "verdict"
    AXIS = "axis"
    LEAVES = "leaves"
    VERTEX_A = "vertex_a"
    VERTEX_B = "vertex_b"
    FACE = "face"
    CONTACTS = "contacts"


class Question(Struct, frozen=True, eq=False):
    """One question, with everything that follows from the pair.

    `hint`: what to look at; `how`: what to click. `candidates`: the answers that can be given, with their names;
    `right`: those that are true, ties included. `feedback`: why a wrong one is; `explanation`: what is shown in the
    end. `place`: number of the moment of the query that it is asked at, None where the answer as a whole is shown.
    `buttons`: answers that the card offers. `marks`: where the candidates stand that are points, (3,) each, in the
    world or in the difference. `stands_for`: what may be clicked instead of a candidate. `pane`: the pane it is asked
    in. `hidden_overlays`, `needed`: those that are not drawn while it is open, or drawn in any case. `hidden_panels`:
    what of the panels is not shown then (state/reveal.py). `named`: the candidates stand in the picture with their
    names, for whoever chooses by name.
    """

    kind: Kind
    text: str
    hint: str
    how: str
    candidates: Mapping[Subject, str]
    right: frozenset[Subject]
    feedback: Callable[[Subject], str]
    explanation: str
    pane: str
    place: int | None = None
    buttons: tuple[Subject, ...] = ()
    marks: Mapping[Subject, Array] = field(default_factory=dict)
    stands_for: Mapping[Subject, Subject] = field(default_factory=dict)
    hidden_overlays: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    hidden_panels: frozenset[str] = frozenset()
    named: bool = False

    @property
    def numbered(self) -> tuple[Subject, ...]:
        """The answers in the order in which keys and a lesson's card number them."""
        return self.buttons or tuple(self.candidates)

    def meant(self, subject: Subject) -> Subject | None:
        """The candidate that a click on `subject` answers with, if any."""
        candidate = self.stands_for.get(subject, subject)
        return candidate if candidate in self.candidates else None

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of subjects that can be clicked for an answer."""
        return frozenset(subject.kind for subject in (*self.candidates, *self.stands_for))


class Outcome(StrEnum):
    """How far a question has come."""

    OPEN = "open"
    RIGHT = "right"
    SHOWN = "shown"


class Prediction(Struct, frozen=True):
    """Question `number` (from 0), the answers `tried`, the last one last, and the score: `at_once` of `settled`."""

    number: int = 0
    tried: tuple[Subject, ...] = ()
    outcome: Outcome = Outcome.OPEN
    at_once: int = 0
    settled: int = 0

    def guessed(self, question: Question, candidate: Subject) -> Prediction:
        """After an answer. Once the question is settled no further one counts."""
        if self.outcome is not Outcome.OPEN:
            return self
        tried = (*(subject for subject in self.tried if subject != candidate), candidate)
        if candidate not in question.right:
            return replace(self, tried=tried)
        at_once = self.at_once + (not self.tried)
        return replace(self, tried=tried, outcome=Outcome.RIGHT, at_once=at_once, settled=self.settled + 1)

    def shown(self) -> Prediction:
        """After the answer was asked for."""
        if self.outcome is not Outcome.OPEN:
            return self
        return replace(self, outcome=Outcome.SHOWN, settled=self.settled + 1)

    def followed(self, count: int) -> Prediction:
        """The next of `count` questions; after the last the first again."""
        return replace(self, number=(self.number + 1) % count, tried=(), outcome=Outcome.OPEN)


class Asked(Struct, frozen=True, eq=False):
    """The question that stands, and how far it has come; `count`: of how many. `later`: kinds still to be asked."""

    question: Question
    prediction: Prediction
    count: int
    later: frozenset[Kind] = frozenset()

    @property
    def open(self) -> bool:
        """Whether it waits for an answer."""
        return self.prediction.outcome is Outcome.OPEN

    @property
    def last(self) -> bool:
        """Whether no other question follows."""
        return self.prediction.number == self.count - 1

    @property
    def words(self) -> str:
        """What is said about the last answer: why it is wrong, or the explanation."""
        tried, question = self.prediction.tried, self.question
        if self.prediction.outcome is Outcome.SHOWN:
            return question.explanation
        if not tried:
            return ""
        return f"Right. {question.explanation}" if tried[-1] in question.right else question.feedback(tried[-1])

"""Predictions: one question at a time about the pair, the answers given, and what is hidden while it is open.

Pure records; the questions are made in app/quiz/, which is imported with the first question. An answer is a subject:
`("axis", 7)` for a row of the table, `("vertex_a", 3)`, `("simplex", 1)`, `("face", 12)` of the polytope by its number,
`("polygon_edge", 2)` in the plane, `("count", 4)`, `("verdict", 0)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.draw_list import Subject


class QuestionKind(StrEnum):
    """The kinds of questions."""

    VERDICT = "verdict"
    AXIS = "axis"
    LEAVES = "leaves"
    VERTEX_A = "vertex_a"
    VERTEX_B = "vertex_b"
    FACE = "face"
    CONTACTS = "contacts"


class QuizQuestion(Struct, frozen=True, eq=False):
    """A question about a pair, with all that follows from the pair.

    `hint`: what to look at; `how`: what to click. `candidates`: the possible answers, with their names; `right`: the
    right answers, ties included. `feedback`: returns why an answer is wrong; `explanation`: the text after the question
    is settled. `place`: index of the query's moment at which it is asked, None where the whole answer is shown.
    `buttons`: answers that the card offers. `marks`: the positions (3,) of candidates that are points, in the world or
    in the difference. `stands_for`: subjects that may be clicked instead of a candidate. `pane`: the pane that it is
    about. `hidden_overlays`, `needed`: overlays that are hidden, or always drawn, while it is open. `hidden_panels`:
    the parts of panels that are hidden then (state/reveal.py). `named`: the picture shows the candidates' names, for
    answering by name.
    """

    kind: QuestionKind
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
        """The candidate that a click on `subject` means, if any."""
        candidate = self.stands_for.get(subject, subject)
        return candidate if candidate in self.candidates else None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of subjects that can be clicked as an answer."""
        return frozenset(subject.kind for subject in (*self.candidates, *self.stands_for))


class Outcome(StrEnum):
    """The state of a question."""

    OPEN = "open"
    RIGHT = "right"
    SHOWN = "shown"


class Prediction(Struct, frozen=True):
    """Question `number` (from 0), the answers `tried`, the newest last, and the score: `at_once` right of `settled`."""

    number: int = 0
    tried: tuple[Subject, ...] = ()
    outcome: Outcome = Outcome.OPEN
    at_once: int = 0
    settled: int = 0

    def guessed(self, question: QuizQuestion, candidate: Subject) -> Prediction:
        """The prediction after an answer; a settled question takes no further answers."""
        if self.outcome is not Outcome.OPEN:
            return self
        tried = (*(subject for subject in self.tried if subject != candidate), candidate)
        if candidate not in question.right:
            return replace(self, tried=tried)
        at_once = self.at_once + (not self.tried)
        return replace(self, tried=tried, outcome=Outcome.RIGHT, at_once=at_once, settled=self.settled + 1)

    def shown(self) -> Prediction:
        """The prediction after "Show the answer"."""
        if self.outcome is not Outcome.OPEN:
            return self
        return replace(self, outcome=Outcome.SHOWN, settled=self.settled + 1)

    def followed(self, count: int) -> Prediction:
        """The prediction at the next of `count` questions, after the last at the first again."""
        return replace(self, number=(self.number + 1) % count, tried=(), outcome=Outcome.OPEN)


class CurrentQuestion(Struct, frozen=True, eq=False):
    """The current question with its state; `count`: the number of questions. `later`: kinds still to be asked."""

    question: QuizQuestion
    prediction: Prediction
    count: int
    later: frozenset[QuestionKind] = frozenset()

    @property
    def open(self) -> bool:
        """Whether the question waits for an answer."""
        return self.prediction.outcome is Outcome.OPEN

    @property
    def last(self) -> bool:
        """Whether this is the last question."""
        return self.prediction.number == self.count - 1

    @property
    def words(self) -> str:
        """The feedback on the last answer: why it is wrong, or the explanation."""
        tried, question = self.prediction.tried, self.question
        if self.prediction.outcome is Outcome.SHOWN:
            return question.explanation
        if not tried:
            return ""
        return f"Right. {question.explanation}" if tried[-1] in question.right else question.feedback(tried[-1])

"""Predictions: questions about the pair, one at a time, with the given answers and the things hidden meanwhile.

Pure records. The questions are made in app/quiz/, which is imported with the first question. An answer is a subject:
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
    """A question about a pair, with its answers.

    `hint`: the words on the thing to look at; `how`: those on the thing to click. `candidates`: the possible answers,
    with their names; `right`: the right answers, ties included. `why_wrong`: returns why an answer is wrong;
    `explanation`: the text after the question is settled. `place`: index of the query's moment at which it is asked,
    None if it is asked at the answer. `buttons`: answers that the card offers. `marks`: the positions (3,) of
    candidates that are points, in the frame of `pane`. `stands_for`: for subjects that may be clicked instead of a
    candidate, that candidate. `pane`: the pane that it is about. `hidden_overlays`, `needed`: overlays that are hidden,
    or always drawn, while it is open. `hidden_panels`: the parts of panels that are hidden then (app/state/reveal.py).
    `named`: the picture shows the candidates' names, for answers by name.
    """

    kind: QuestionKind
    text: str
    hint: str
    how: str
    candidates: Mapping[Subject, str]
    right: frozenset[Subject]
    why_wrong: Callable[[Subject], str]
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
        """The answers in the order of their numbers on keys and on a lesson's card."""
        return self.buttons or tuple(self.candidates)

    def at_key(self, digit: str) -> Subject | None:
        """The answer that a digit's key means: where buttons are numbers the one that reads so, else by its place.

        None if there is none.
        """
        numbers = {self.candidates[button]: button for button in self.buttons}
        if numbers and all(map(str.isdigit, numbers)):
            return numbers.get(digit)
        return self.numbered[int(digit) - 1] if 0 < int(digit) <= len(self.numbered) else None

    def meant(self, subject: Subject) -> Subject | None:
        """The candidate that a click on `subject` means, if any."""
        candidate = self.stands_for.get(subject, subject)
        return candidate if candidate in self.candidates else None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of subjects that can be clicked as an answer."""
        return frozenset(subject.kind for subject in (*self.candidates, *self.stands_for))


class Outcome(StrEnum):
    """The state of a question: not settled, answered right, or settled by "Show the answer"."""

    OPEN = "open"
    RIGHT = "right"
    SHOWN = "shown"


class Prediction(Struct, frozen=True):
    """The state of the questions. `number`: the current one, from 0; `tried`: its answers so far, the newest last.

    `settled`: the count of settled questions; `at_once`: of those answered right by the first answer.
    """

    number: int = 0
    tried: tuple[Subject, ...] = ()
    outcome: Outcome = Outcome.OPEN
    at_once: int = 0
    settled: int = 0

    def guessed(self, question: QuizQuestion, candidate: Subject) -> Prediction:
        """The prediction after an answer; unchanged if the question is settled."""
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
        """The prediction at the next of `count` questions; after the last, at the first."""
        return replace(self, number=(self.number + 1) % count, tried=(), outcome=Outcome.OPEN)


class CurrentQuestion(Struct, frozen=True, eq=False):
    """The current question with its state. `count`: the count of questions; `later`: kinds still to be asked."""

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
        """The feedback on the last answer or on "Show the answer"; "" before both."""
        tried, question = self.prediction.tried, self.question
        if self.prediction.outcome is Outcome.SHOWN:
            return question.explanation
        if not tried:
            return ""
        return f"Right. {question.explanation}" if tried[-1] in question.right else question.why_wrong(tried[-1])

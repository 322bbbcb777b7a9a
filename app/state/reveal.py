"""What may be told of the answer now: one record, which overlays, panels and words ask. Pure.

Four things hide a part of it: an open question, a question still to come, a step of a lesson, and a step of an
algorithm that leads up to the verdict.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from .prediction import Asked, Kind


class LessonAnswer(StrEnum):
    """How much of the answer a step of a lesson shows."""

    HIDDEN = "hidden"
    """No verdict, number, arrow, contacts or winner until the goals are met."""
    WORD = "word"
    """The verdict's word without its number."""
    FULL = "full"
    NEVER = "never"
    """None of it, nor then: it is what a later step asks for."""


CONTACTS = frozenset({"contacts", "manifold"})
"""Overlays that tell how many contacts there are."""


class Reveal(Struct, frozen=True):
    """What may be told of the answer.

    `overlays`: ids of those that are hidden. `panels`: what is hidden of the panels, of "verdict", "answers", "table",
    "pairs" and "steps". `question`: what is asked and not answered yet. `veiled`: a step of a lesson hides the answer
    without a question. `lesson`: how much a step of a lesson shows. `winner`: the deciding axis may stand out, with its
    numbers. `verdict`: the steps shown have come to the verdict, or its eye is open; so without steps. `at_end`: the
    last step is shown, or the eye is open.
    """

    overlays: frozenset[str] = frozenset()
    panels: frozenset[str] = frozenset()
    question: Kind | None = None
    veiled: bool = False
    lesson: LessonAnswer = LessonAnswer.FULL
    winner: bool = True
    verdict: bool = True
    at_end: bool = False

    @staticmethod
    def of(
        asked: Asked | None,
        veil: frozenset[str] = frozenset(),
        lesson: LessonAnswer = LessonAnswer.FULL,
        *,
        at_step: bool = False,
        verdict: bool = True,
        at_end: bool = False,
    ) -> Reveal:
        """While a question stands; `veil`: overlays that a step of a lesson hides without one, empty if none.

        `at_step`: a step of an algorithm is shown, which says itself what it knows of the winner.
        """
        overlays, panels, question = veil, frozenset[str](), None
        if asked is not None and asked.open:
            question = asked.question.kind
            overlays |= asked.question.hidden_overlays
            panels |= asked.question.hidden_panels
        elif asked is not None and Kind.CONTACTS in asked.later:
            overlays |= CONTACTS
            panels |= {"answers"}
        if veil:
            panels |= {"verdict", "answers"}
        if lesson in (LessonAnswer.WORD, LessonAnswer.NEVER):
            panels |= {"verdict"}
        return Reveal(
            overlays=overlays,
            panels=panels,
            question=question,
            veiled=bool(veil),
            lesson=lesson,
            winner=question is not Kind.AXIS and (at_step or not veil),
            verdict=verdict,
            at_end=at_end,
        )

    @property
    def waits(self) -> bool:
        """Whether something hides the answer until it is done: an open question, or a step of a lesson."""
        return self.question is not None or self.veiled

    @property
    def numbers(self) -> bool:
        """Whether the answer's numbers may be told: no lesson hides them, and the verdict is there."""
        return self.verdict and self.lesson is LessonAnswer.FULL

    @property
    def vertices(self) -> bool:
        """Whether a point of the difference may say which vertices make it."""
        return self.question not in (Kind.VERTEX_A, Kind.VERTEX_B)

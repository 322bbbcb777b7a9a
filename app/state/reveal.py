"""Reveal, the record of the parts of the answer that may be shown. Overlays, panels and texts read it.

Four things hide a part of the answer: an open question, a question still to come, a step of a lesson, and a step of an
algorithm that leads up to the verdict.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from .prediction import CurrentQuestion, QuestionKind


class AnswerShown(StrEnum):
    """The part of the answer that a step of a lesson shows."""

    HIDDEN = "hidden"
    """No verdict, number, arrow, contacts or winner until the goals are met."""
    WORD = "word"
    """As HIDDEN, but with the verdict's word."""
    FULL = "full"
    NEVER = "never"
    """As HIDDEN, even after the goals are met, because a later step asks for the answer."""


FIGURES = "figures"
"""Id among the hidden overlays: the numbers in a picture, of the bound that a plane proves and of arcs that cross.

Hidden while a lesson's choice is open.
"""
CONTACTS = frozenset({"contacts", "manifold"})
"""Overlays that show the number of contacts."""


class Reveal(Struct, frozen=True):
    """The parts of the answer that may be shown.

    `overlays`: ids of hidden overlays, and `FIGURES`. `panels`: hidden parts of panels, of "verdict", "answers",
    "table", "pairs" and "steps". `question`: the kind of the open question, None for none. `veiled`: a step of a
    lesson hides the answer, other than by a question. `lesson`: the part that a step of a lesson shows. `winner`: the
    deciding axis may be emphasised, with its numbers. `verdict`: the shown steps have reached the verdict, the eye
    beside it is open, or no step is shown. `at_end`: the last step is shown, or the eye is open.
    """

    overlays: frozenset[str] = frozenset()
    panels: frozenset[str] = frozenset()
    question: QuestionKind | None = None
    veiled: bool = False
    lesson: AnswerShown = AnswerShown.FULL
    winner: bool = True
    verdict: bool = True
    at_end: bool = False

    @staticmethod
    def of(
        asked: CurrentQuestion | None,
        veil: frozenset[str] = frozenset(),
        lesson: AnswerShown = AnswerShown.FULL,
        *,
        at_step: bool = False,
        verdict: bool = True,
        at_end: bool = False,
    ) -> Reveal:
        """The record for the current question `asked`. `veil`: overlays that a lesson's step hides.

        `at_step`: a step of an algorithm is shown; SatProgress then limits what is shown of the winner. `lesson`,
        `verdict`, `at_end`: as in Reveal.
        """
        overlays, panels, question = veil, frozenset[str](), None
        if asked is not None and asked.open:
            question = asked.question.kind
            overlays |= asked.question.hidden_overlays
            panels |= asked.question.hidden_panels
        elif asked is not None and QuestionKind.CONTACTS in asked.later:
            overlays |= CONTACTS
            panels |= {"answers"}
        if veil:
            panels |= {"verdict", "answers"}
        if lesson in (AnswerShown.WORD, AnswerShown.NEVER):
            panels |= {"verdict"}
        return Reveal(
            overlays=overlays,
            panels=panels,
            question=question,
            veiled=bool(veil),
            lesson=lesson,
            winner=question is not QuestionKind.AXIS and (at_step or not veil),
            verdict=verdict,
            at_end=at_end,
        )

    @property
    def waits(self) -> bool:
        """Whether an open question or a step of a lesson hides the answer."""
        return self.question is not None or self.veiled

    @property
    def numbers(self) -> bool:
        """Whether the answer's numbers may be shown: no lesson hides them, and the verdict is reached."""
        return self.verdict and self.lesson is AnswerShown.FULL

    @property
    def figures(self) -> bool:
        """Whether a picture may print the bound that a step's plane proves, and the number of arcs that cross."""
        return FIGURES not in self.overlays

    @property
    def vertices(self) -> bool:
        """Whether a point of the difference may show which vertices it comes from."""
        return self.question not in (QuestionKind.VERTEX_A, QuestionKind.VERTEX_B)

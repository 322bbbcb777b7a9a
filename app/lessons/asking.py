"""What a step of a lesson asks, even where the list of questions would leave it out, and what it hides."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from core.query.query import Query

from ..quiz import questions
from ..quiz.about_answer import verdict_question
from ..state.lesson import Inquiry, Step
from ..state.prediction import Asked, Kind, Prediction, Question
from ..state.reveal import LessonAnswer
from ..state.view import AxisView
from .situation import number_of


def asked_at(step: Step, found: Callable[[], Query]) -> Asked | None:
    """The question that stands as a step opens, None without one. Raises ValueError as `question_of` does."""
    if step.ask is None:
        return None
    question = question_of(step.ask, found())
    hidden = frozenset({"verdict"} if step.look.answer is not LessonAnswer.FULL else ())
    # What is shown says the step.
    panels = question.hidden_panels | hidden
    return Asked(replace(question, needed=frozenset(), named=True, hidden_panels=panels), Prediction(), 1)


def veil_at(step: Step, *, met: bool = False) -> frozenset[str]:
    """Overlays that a step hides without a question: those of the answer, and the winner's rail.

    `met`: its goals are; then only a step that never shows the answer hides them, also one that has asked.
    """
    look = step.look
    hides = look.answer is LessonAnswer.NEVER if met else step.ask is None and look.answer is not LessonAnswer.FULL
    if not hides:
        return frozenset()
    # Without an axis of its own the rail would stand on the winner.
    tells = look.focus is None and look.timeline is None and look.axes is AxisView.FOCUSED
    return frozenset({"mtv", "closest", "contacts", "manifold", *(("axes",) if tells else ())})


def question_of(inquiry: Inquiry, found: Query) -> Question:
    """The question about the pair. Raises ValueError, with the kinds that there are, where it cannot be asked."""
    known = {question.kind: question for question in questions(found)}
    # The list has no verdict beside an axis, whose answer is the same; a lesson may ask for it alone.
    known.setdefault(Kind.VERDICT, verdict_question(found.analysis))
    question = known.get(inquiry.kind)
    if question is None:
        raise ValueError(
            f"no question of kind {inquiry.kind.value} can be asked about this pair: there are {', '.join(known)}"
        )
    if inquiry.place is not None:
        _check_place(inquiry, question, found)
    return question


def _check_place(inquiry: Inquiry, question: Question, found: Query) -> None:
    assert inquiry.place is not None
    number = number_of(inquiry.place, found)
    if question.place is None:
        raise ValueError(f"{inquiry.kind.value} is asked about the answer, at no step: leave out the step")
    moment = found.moments[question.place]
    if (moment.phase, moment.index + 1) != (inquiry.place.phase, number):
        where = f"{moment.phase.name.lower()} {moment.index + 1}"
        raise ValueError(f"{inquiry.kind.value} is asked at {where} of this pair: its answer cannot be seen elsewhere")

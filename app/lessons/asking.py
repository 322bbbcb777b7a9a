"""The question that a step of a lesson asks: of its kind, even where the list of questions would leave it out."""

from __future__ import annotations

from core.query.query import Query

from ..quiz import questions
from ..quiz.about_answer import verdict_question
from ..state.lesson import Inquiry
from ..state.prediction import Kind, Question
from .situation import number_of


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

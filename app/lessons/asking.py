"""What a step of a lesson asks, even where the list of questions would leave it out, and what it holds back."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.query.query import Query

from ..quiz import questions
from ..quiz.about_answer import verdict_question
from ..state.lesson import Answers, Inquiry, Look, Step
from ..state.prediction import Asked, Kind, Prediction, Question
from ..state.view import AxisView
from .situation import number_of


def asked_at(step: Step, analysis: Analysis, found: Callable[[], Query]) -> Asked | None:
    """What is held back as a step opens: the answer to its question, or the whole answer; None where nothing is.

    Raises ValueError as `question_of` does.
    """
    if step.ask is None:
        return None if step.look.answers is Answers.FULL else veil(step.look, analysis)
    question = question_of(step.ask, found())
    hidden = frozenset({"verdict"} if step.look.answers is not Answers.FULL else ())
    # What is shown says the step.
    return Asked(replace(question, needed=frozenset(), named=True, covers=question.covers | hidden), Prediction(), 1)


def veil(look: Look, analysis: Analysis) -> Asked:
    """What a step holds back without a question, or behind it: the answer, and the winner's rail."""
    # Without an axis of its own the rail would stand on the winner.
    tells = look.focus is None and look.timeline is None and look.axes is AxisView.FOCUSED
    held_back = frozenset({"mtv", "closest", "contacts", "manifold", *(("axes",) if tells else ())})
    covers = frozenset({"verdict", "answers"})
    question = verdict_question(analysis)
    bare = replace(question, candidates={}, stands_for={}, marks={}, needed=frozenset(), buttons=())
    return Asked(replace(bare, held_back=held_back, covers=covers), Prediction(), 1)


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

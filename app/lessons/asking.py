"""The question that a lesson's step asks, and the overlays that a step hides."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from core.query.query import Query

from ..quiz import question_at, questions
from ..quiz.about_answer import verdict_question
from ..state.lesson import Inquiry, LessonStep
from ..state.prediction import CurrentQuestion, Prediction, QuestionKind, QuizQuestion
from ..state.reveal import FIGURES, AnswerShown
from ..state.view import AxisView
from .situation import step_number


def asked_at(step: LessonStep, found: Callable[[], Query]) -> CurrentQuestion | None:
    """The open question as a step opens; None for a step without a question.

    `found`: computes the query; called only for a step with a question. Raises ValueError as `lesson_question` does.
    """
    if step.ask is None:
        return None
    question = lesson_question(step.ask, found())
    hidden = frozenset({"verdict"} if step.look.answer is not AnswerShown.FULL else ())
    # The step's own view decides what is shown, so the question requires no overlay.
    panels = question.hidden_panels | hidden
    return CurrentQuestion(replace(question, needed=frozenset(), named=True, hidden_panels=panels), Prediction(), 1)


def veil_at(step: LessonStep, *, met: bool = False) -> frozenset[str]:
    """The overlays that a step without a question hides: those of the answer, and the winner's rail.

    While the step's choice is open, the number that a picture proves is hidden too. Empty if the step shows the full
    answer. `met`: the goals are met; then only a step that never shows the answer hides overlays, even with a question.
    """
    look = step.look
    hides = look.answer is AnswerShown.NEVER if met else step.ask is None and look.answer is not AnswerShown.FULL
    if not hides:
        return frozenset()
    # Without an axis from the step, the rail shows the winner's.
    tells = look.focus is None and look.timeline is None and look.axes is AxisView.FOCUSED
    asks = step.options and not met
    return frozenset(
        {"mtv", "closest", "contacts", "manifold", *(("axes",) if tells else ()), *((FIGURES,) if asks else ())}
    )


def lesson_question(inquiry: Inquiry, found: Query) -> QuizQuestion:
    """The inquiry's question about the pair.

    Raises ValueError if no such question can be asked about the pair, or not at the inquiry's step.
    """
    known = {question.kind: question for question in questions(found)}
    # The list leaves the verdict out beside an axis, since that answers it too; a lesson may ask it alone.
    known.setdefault(QuestionKind.VERDICT, verdict_question(found.analysis))
    question = known.get(inquiry.kind)
    if inquiry.place is not None and (place := _place(inquiry, found)) is not None:
        question = question_at(found, inquiry.kind, place) or question
    if question is None:
        raise ValueError(
            f"no question of kind {inquiry.kind.value} can be asked about this pair: there are {', '.join(known)}"
        )
    if inquiry.place is not None:
        _check_place(inquiry, question, found)
    return question


def _place(inquiry: Inquiry, found: Query) -> int | None:
    """The index in `found.moments` of the step that the inquiry names; None if there is no such step."""
    assert inquiry.place is not None
    number = step_number(inquiry.place, found)
    first = next((first for phase, first, _ in found.phases if phase is inquiry.place.phase), None)
    return None if number is None or first is None else first + number - 1


def _check_place(inquiry: Inquiry, question: QuizQuestion, found: Query) -> None:
    assert inquiry.place is not None
    number = step_number(inquiry.place, found)
    if question.place is None:
        raise ValueError(f"{inquiry.kind.value} is asked about the answer, at no step: leave out the step")
    moment = found.moments[question.place]
    if (moment.phase, moment.index + 1) != (inquiry.place.phase, number):
        where = f"{moment.phase.name.lower()} {moment.index + 1}"
        raise ValueError(f"{inquiry.kind.value} is asked at {where} of this pair: its answer cannot be seen elsewhere")

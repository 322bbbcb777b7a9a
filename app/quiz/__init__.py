"""The questions about a pair: made from its analysis and its query, so that no answer has to be stored.

Each kind is asked at most once, and only if its answer can be seen in the picture: candidates must differ visibly, and
at most half of them be right. If no question is left, the verdict is asked in any case.
"""

from __future__ import annotations

from core.query.query import MOTION_PHASES, Query

from ..stages import stage_of
from ..state.prediction import QuestionKind, QuizQuestion
from .about_answer import axis_question, contacts_question, verdict_is_seen, verdict_question
from .about_steps import growth_question, leaving_question, vertex_question

__all__ = ["question_at", "question_of", "questions"]


def questions(query: Query) -> tuple[QuizQuestion, ...]:
    """Every question about the query's pair: on the axis or verdict, the steps in order, the contacts; never empty."""
    axis = axis_question(query.analysis)
    phases = [phase for phase, _, _ in query.phases if phase not in MOTION_PHASES]
    stages = [asking for phase in phases if (asking := stage_of(phase).questions) is not None]
    stages.sort(key=lambda asking: asking.rank)
    searches = [asking.searches(query) for asking in stages]
    on_a = vertex_question(query, 0, searches)
    on_b = vertex_question(query, 1, searches, after=-1 if on_a is None or on_a.place is None else on_a.place)
    leaving = leaving_question(query, [tuple(asking.leavings(query)) for asking in stages])
    growth = growth_question(query, [growth for asking in stages for growth in asking.growths(query)])
    at_steps = (on_a, on_b, leaving, growth)
    found = (
        # The explanation of the axis contains the verdict, so only one of the two is asked.
        verdict_question(query.analysis) if axis is None and verdict_is_seen(query.analysis) else None,
        axis,
        *sorted((question for question in at_steps if question is not None), key=lambda question: question.place or 0),
        contacts_question(query.analysis),
    )
    asked = tuple(question for question in found if question is not None)
    return asked or (verdict_question(query.analysis),)


def question_of(query: Query, kind: QuestionKind) -> QuizQuestion | None:
    """The question of this kind about the query's pair; None if `questions` does not ask it."""
    return next((question for question in questions(query) if question.kind is kind), None)


def question_at(query: Query, kind: QuestionKind, place: int) -> QuizQuestion | None:
    """The question of this kind at the query's moment `place`.

    None if its answer cannot be seen there, and for a kind that is not about a step.
    """
    asking = stage_of(query.moments[place].phase).questions
    if asking is None:
        return None
    match kind:
        case QuestionKind.VERTEX_A | QuestionKind.VERTEX_B:
            searches = tuple(search for search in asking.searches(query) if search.place == place)
            return vertex_question(query, int(kind is QuestionKind.VERTEX_B), [searches])
        case QuestionKind.LEAVES:
            return leaving_question(query, [tuple(one for one in asking.leavings(query) if one.place == place)])
        case QuestionKind.FACE:
            return growth_question(query, [growth for growth in asking.growths(query) if growth.place == place])
    return None

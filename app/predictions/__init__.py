"""The questions about a pair: made from its analysis and its query, so that no answer is written down anywhere.

Each kind is asked at most once, where its answer can be seen in the picture: not between axes that differ by less than
a line's width, and not where nearly everything would be right.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.flat import FlatAnalysis
from core.query import Query

from ..prediction import Question
from .about_answer import axis_question, contacts_question, verdict_question
from .about_growth import growth_question
from .about_steps import leaving_question, vertex_question
from .steps import Growth, Search, growths, searches

__all__ = ["questions"]


def questions(query: Query) -> tuple[Question, ...]:
    """Every question about the query's pair: the answer, the steps in their order, the contacts; never empty."""
    axis = axis_question(query.analysis)
    sought, grown = _steps(query)
    on_a = vertex_question(query, 0, sought)
    on_b = vertex_question(query, 1, sought, after=-1 if on_a is None or on_a.place is None else on_a.place)
    steps = (on_a, on_b, leaving_question(query), growth_question(query, grown))
    found = (
        # The words about the axis tell the verdict, and the answer to the one is the answer to the other.
        verdict_question(query.analysis) if axis is None else None,
        axis,
        *sorted((question for question in steps if question is not None), key=lambda question: question.place or 0),
        contacts_question(query.analysis),
    )
    asked = tuple(question for question in found if question is not None)
    return asked or (verdict_question(query.analysis, always=True),)


def _steps(query: Query) -> tuple[tuple[tuple[Search, ...], ...], Iterable[Growth]]:
    """The searches of each algorithm, our GJK's first, and the expansions of EPA."""
    if not isinstance(query.analysis, FlatAnalysis):
        return (searches(query),), growths(query)
    # Imported with the first scene of the plane.
    from .steps_of_plane import article_searches, polygon_growths

    return (searches(query), article_searches(query)), polygon_growths(query)

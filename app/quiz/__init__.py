"""The questions about a pair: made from its analysis and its query, so that no answer is written down anywhere.

Each kind is asked at most once, where its answer can be seen in the picture: not between axes that differ by less than
a line's width, and not where nearly everything would be right.
"""

from __future__ import annotations

from core.query.query import Query

from ..state.prediction import Question
from .about_answer import axis_question, contacts_question, verdict_question
from .about_growth import growth_question
from .about_steps import leaving_question, vertex_question
from .steps import growths, leavings, searches

__all__ = ["questions"]


def questions(query: Query) -> tuple[Question, ...]:
    """Every question about the query's pair: the answer, the steps in their order, the contacts; never empty."""
    axis = axis_question(query.analysis)
    # What can be asked about the steps: of each algorithm in turn, our GJK first, and of EPA.
    found_searches, found_leavings, found_growths = [searches(query)], [leavings(query)], growths(query)
    if query.analysis.polygon is not None:
        # Imported with the first scene of the plane.
        from .steps_of_plane import article_leavings, article_searches, polygon_growths

        found_searches.append(article_searches(query))
        found_leavings.append(article_leavings(query))
        found_growths = polygon_growths(query)
    on_a = vertex_question(query, 0, found_searches)
    on_b = vertex_question(query, 1, found_searches, after=-1 if on_a is None or on_a.place is None else on_a.place)
    at_steps = (on_a, on_b, leaving_question(query, found_leavings), growth_question(query, found_growths))
    found = (
        # The words about the axis tell the verdict, and the answer to the one is the answer to the other.
        verdict_question(query.analysis) if axis is None else None,
        axis,
        *sorted((question for question in at_steps if question is not None), key=lambda question: question.place or 0),
        contacts_question(query.analysis),
    )
    asked = tuple(question for question in found if question is not None)
    return asked or (verdict_question(query.analysis, always=True),)

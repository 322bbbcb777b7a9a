"""The question at a step of EPA: which face of the polytope, or edge of the polygon, it expands."""

from __future__ import annotations

from collections.abc import Iterable

from core.query.query import Query

from ..draw.draw_list import Subject
from ..stages.stage import VISIBLE, Growth, Piece
from ..state.prediction import Kind, Question
from ..words.axis_words import plain
from .about_answer import MOST_RIGHT, STEP_COVERS, TIE, size_of
from .wording import Wording, wording_of

MOST_PIECES = 24
"""Of a polytope with more faces many are too small to be clicked."""


def growth_question(query: Query, growths: Iterable[Growth]) -> Question | None:
    """At the first of the steps where the lead of the nearest piece can be seen."""
    size = size_of(query.analysis)
    for growth in growths:
        if len(growth.pieces) <= MOST_PIECES and growth.nearest.offset >= 0.0:
            right = [piece for piece in growth.pieces if piece.offset <= growth.nearest.offset + TIE * size]
            rest = [piece.offset for piece in growth.pieces if piece not in right]
            ahead = min(rest) - growth.nearest.offset if rest else 0.0
            if ahead >= VISIBLE * size and len(right) <= MOST_RIGHT * len(growth.pieces):
                return _question(growth, right, min(rest), wording_of(query.analysis))
    return None


def _question(growth: Growth, right: list[Piece], second: float, wording: Wording) -> Question:
    nearest, pieces = growth.nearest, {piece.subject: piece for piece in growth.pieces}

    def feedback(subject: Subject) -> str:
        piece = pieces[subject]
        return (
            f"The {wording.flat} of {piece.name} is {plain(piece.offset)} from the origin. "
            f"Another is nearer, at {plain(nearest.offset)}."
        )

    tied = f" {len(right)} {wording.piece}s are equally near." if len(right) > 1 else ""
    return Question(
        kind=Kind.FACE,
        text=f"Which {wording.piece} of the {wording.grown} does EPA expand next?",
        hint=wording.growth_hint,
        how=wording.growth_how,
        candidates={subject: piece.name for subject, piece in pieces.items()},
        right=frozenset(piece.subject for piece in right),
        feedback=feedback,
        explanation=(
            f"The {wording.flat} of {nearest.name} is {plain(nearest.offset)} from the origin, the next "
            f"{plain(second)}.{tied} EPA looks for a point of the difference beyond it."
        ),
        pane="difference",
        place=growth.place,
        held_back=frozenset({growth.overlay}),
        needed=frozenset({"difference"}),
        covers=STEP_COVERS,
    )

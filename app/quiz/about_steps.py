"""Questions at one step: GJK's support vertex, the point that leaves its simplex, and the face that EPA expands."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.analysis.in_space import placed_vertices
from core.geometry.vector import Array, dots
from core.pair.cores import has_core
from core.query.query import Query
from core.shapes import corners_of

from ..draw.draw_list import Subject
from ..stages.stage import EQUAL_LENGTH, VISIBLE_WEIGHT, Expansion, Facet, Leaving, SupportSearch, farthest, size_of
from ..state.prediction import QuestionKind, QuizQuestion
from ..words.digits import plain, told_together
from ..words.names import vertex_name
from .about_answer import MOST_RIGHT, STEP_COVERS, Wording, wording_of

MOST_MARKS = 64
"""The most vertices of a body to choose from; rings on more would hide the body."""
CLEAR_LEAD = 0.06
"""A lead of the support vertex over the next, as a share of the body's width, that is seen at a glance."""


def vertex_question(
    query: Query, body: int, searches: Iterable[tuple[SupportSearch, ...]], after: int = -1
) -> QuizQuestion | None:
    """The question which vertex of A (`body` 0) or B (1) is the support point.

    The step has a lead of at least CLEAR_LEAD and is after the place `after`, if possible. `searches`: the steps to
    choose from, by algorithm; the first algorithm with a fitting step is taken. None without a fitting step, for bodies
    without cores, and for a body with one vertex or more than MOST_MARKS.
    """
    scene = query.analysis.scene
    if query.support_maps is None or not (has_core(scene.a) and has_core(scene.b)):
        return None
    numbers = list(corners_of(scene.body(body).shape))
    if not 2 <= len(numbers) <= MOST_MARKS:
        return None
    points = placed_vertices(scene.body(body), np.array(scene.body(body).position))[numbers]
    for found in searches:
        led = [(_lead(query, points, search.direction, body), search) for search in found]
        fitting = [(lead, search) for lead, search in led if lead >= VISIBLE_WEIGHT]
        if fitting:
            # A clear step after `after`, else any clear step, else the one with the largest lead.
            clear = [(lead, search) for lead, search in fitting if lead >= CLEAR_LEAD]
            later = [(lead, search) for lead, search in clear if search.place > after]
            _, search = (later or clear or [max(fitting, key=lambda one: one[0])])[0]
            return _vertex_question(query, body, numbers, points, search)
    return None


def _along(points: Array, direction: Array, body: int) -> Array:
    """The distances (k,) of points (k, 3) beyond the first of them along this body's search direction."""
    along: Array = dots(points - points[0], -direction if body else direction)
    return along


def _lead(query: Query, points: Array, direction: Array, body: int) -> float:
    """The lead of the farthest vertex over the next, as a share of the body's width; 0 if over half of them tie."""
    along = _along(points, direction, body)
    right = farthest(query.analysis, along)
    rest = np.delete(along, right)
    if len(rest) == 0 or len(right) > MOST_RIGHT * len(points):
        return 0.0
    return float((along.max() - rest.max()) / (along.max() - along.min()))


def _vertex_question(query: Query, body: int, numbers: list[int], points: Array, search: SupportSearch) -> QuizQuestion:
    """The question at one search; `points` (k, 3): the vertices with these `numbers`."""
    scene, letter, kind = query.analysis.scene, "AB"[body], (QuestionKind.VERTEX_A, QuestionKind.VERTEX_B)[body]
    along = _along(points, search.direction, body)
    right = farthest(query.analysis, along)
    second = float(np.delete(along, right).max())
    names = [vertex_name(scene.body(body), letter, number) for number in numbers]
    subjects = [Subject(kind.value, number) for number in numbers]
    direction, gap = ("d", "−d")[body], float(along.max()) - second
    tied = f" {len(right)} vertices are equally far." if len(right) > 1 else ""

    def why_wrong(subject: Subject) -> str:
        k = numbers.index(subject.number)
        return f"{names[k]} is {plain(float(along.max() - along[k]))} short of the farthest vertex along {direction}."

    return QuizQuestion(
        kind=kind,
        text=f"Which vertex of {letter} lies farthest along {direction}?",
        hint=(
            f"GJK looks along d on A and along −d on B. The support point of {letter} is its vertex farthest along "
            f"the arrow {direction}."
        ),
        how=f"Click a ringed vertex of {letter} in the world.",
        candidates=dict(zip(subjects, names, strict=True)),
        right=frozenset(subjects[k] for k in right),
        why_wrong=why_wrong,
        explanation=(
            f"{names[right[0]]} is farthest along {direction}; the next vertex lies {plain(gap)} behind it.{tied} "
            f"{'A' if body == 0 else 'B'}'s point goes into w = a − b, the new point of the difference."
        ),
        pane="world",
        place=search.place,
        marks=dict(zip(subjects, points, strict=True)),
        hidden_overlays=frozenset({search.overlay}),
        needed=frozenset({"bodies"}),
        hidden_panels=STEP_COVERS,
    )


def leaving_question(query: Query, leavings: Iterable[tuple[Leaving, ...]]) -> QuizQuestion | None:
    """The question which point leaves the simplex; None if no simplex has visibly distinct points.

    A triangle or tetrahedron is preferred to a segment, then points that are far apart.

    `leavings`: the steps to choose from, by algorithm; the first algorithm with a fitting step is taken.
    """
    for found in leavings:
        clear = [leaving for leaving in found if _spread(leaving) >= VISIBLE_WEIGHT * size_of(query.analysis)]
        if clear:
            return _leaving_question(max(clear, key=lambda leaving: (len(leaving.points) > 2, _spread(leaving))))
    return None


def _leaving_question(leaving: Leaving) -> QuizQuestion:
    subjects = [Subject("simplex", k) for k in range(len(leaving.points))]
    return QuizQuestion(
        kind=QuestionKind.LEAVES,
        text=leaving.text,
        hint=leaving.hint,
        how="Click a point of the simplex in the difference.",
        candidates=dict(zip(subjects, leaving.names, strict=True)),
        right=frozenset(subject for k, subject in enumerate(subjects) if k not in leaving.stays),
        why_wrong=lambda subject: leaving.stays[subject.number],
        explanation=leaving.explanation,
        pane="difference",
        place=leaving.place,
        marks=dict(zip(subjects, leaving.points, strict=True)),
        hidden_overlays=frozenset({leaving.overlay}),
        needed=frozenset({"difference"}),
        hidden_panels=STEP_COVERS,
    )


def _spread(leaving: Leaving) -> float:
    """The distance of the closest two of the simplex's points in the maximum norm; each must be clicked by itself."""
    points = leaving.points
    return float(np.abs(points[:, None] - points).max(axis=2)[np.triu_indices(len(points), 1)].min())


MOST_PIECES = 24
"""The most faces of a polytope that is asked about; with more, many are too small to be clicked."""


def growth_question(query: Query, growths: Iterable[Expansion]) -> QuizQuestion | None:
    """The question which piece EPA expands, at the first step where the nearest piece's lead can be seen; else None.

    Steps with more than MOST_PIECES pieces are passed over.
    """
    size = size_of(query.analysis)
    for growth in growths:
        if len(growth.pieces) <= MOST_PIECES and growth.nearest.offset >= 0.0:
            right = [piece for piece in growth.pieces if piece.offset <= growth.nearest.offset + EQUAL_LENGTH * size]
            rest = [piece.offset for piece in growth.pieces if piece not in right]
            ahead = min(rest) - growth.nearest.offset if rest else 0.0
            if ahead >= VISIBLE_WEIGHT * size and len(right) <= MOST_RIGHT * len(growth.pieces):
                return _question(growth, right, min(rest), wording_of(query.analysis))
    return None


def _question(growth: Expansion, right: list[Facet], second: float, wording: Wording) -> QuizQuestion:
    nearest, pieces = growth.nearest, {piece.subject: piece for piece in growth.pieces}

    def why_wrong(subject: Subject) -> str:
        piece = pieces[subject]
        own, nearer = told_together(piece.offset, nearest.offset)
        return f"The {wording.flat} of {piece.name} is {own} from the origin. Another is nearer, at {nearer}."

    first, following = told_together(nearest.offset, second)
    tied = f" {len(right)} {wording.piece}s are equally near." if len(right) > 1 else ""
    return QuizQuestion(
        kind=QuestionKind.FACE,
        text=f"Which {wording.piece} of the {wording.grown} does EPA expand next?",
        hint=wording.growth_hint,
        how=wording.growth_how,
        candidates={subject: piece.name for subject, piece in pieces.items()},
        right=frozenset(piece.subject for piece in right),
        why_wrong=why_wrong,
        explanation=(
            f"The {wording.flat} of {nearest.name} is {first} from the origin, the next "
            f"{following}.{tied} EPA looks for a point of A − B beyond it."
        ),
        pane="difference",
        place=growth.place,
        hidden_overlays=frozenset({growth.overlay}),
        needed=frozenset({"difference"}),
        hidden_panels=STEP_COVERS,
    )

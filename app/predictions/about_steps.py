"""Questions at one step of GJK or EPA: the farthest vertex, the point that leaves the simplex, the face to expand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.algorithms.cores import has_core
from core.algorithms.epa import EpaStep
from core.algorithms.gjk import GjkStep
from core.algorithms.polytope import PolytopeFace
from core.geometry.vector import Array
from core.query import Query, placed_vertices

from ..draw_list import Subject
from ..prediction import Kind, Question
from ..step_words.parts import numbered, vertex_name
from ..words.axis_words import plain
from .about_answer import MOST_RIGHT, VISIBLE, size_of

MOST_MARKS = 64
"""With more vertices than this the rings on them would hide the body."""

MOST_FACES = 24
"""Of a polytope with more faces many are too small to be clicked."""

CLEAR = 0.06
"""A vertex that is ahead of the next by this share of the body's width is told at a glance."""

TIE = 1e-9
"""Lengths closer than this share of the smaller body's size are equal: the picture is no better than that either."""

STEP_COVERS = frozenset({"steps", "answers"})


def _steps(query: Query, kind: type[GjkStep] | type[EpaStep]) -> Iterator[tuple[int, GjkStep | EpaStep]]:
    return ((place, moment.step) for place, moment in enumerate(query.moments) if isinstance(moment.step, kind))


def vertex_question(query: Query, body: int, after: int = -1) -> Question | None:
    """Which vertex of A (0) or B (1) is the support point? At a clear step, after the place `after` if there is one."""
    scene = query.analysis.scene
    if query.support_maps is None or not (has_core(scene.a) and has_core(scene.b)):
        return None
    points = placed_vertices(scene.body(body), np.array(scene.body(body).position))
    if not 2 <= len(points) <= MOST_MARKS:
        return None
    fitting = [
        (lead, place, step.direction)
        for place, step in _steps(query, GjkStep)
        if isinstance(step, GjkStep)
        and step.direction is not None
        and (lead := _lead(query, points, step.direction, body)) >= VISIBLE
    ]
    if not fitting:
        return None
    # A clear case at another step than the one before, else the clearest.
    clear = [found for found in fitting if found[0] >= CLEAR]
    later = [found for found in clear if found[1] > after]
    _, place, direction = (later or clear or [max(fitting, key=lambda found: found[0])])[0]
    return _vertex_question(query, body, points, place, direction)


def _along(points: Array, direction: Array, body: int) -> Array:
    """How far each of the points (k, 3) lies along the direction searched on this body, from the first of them."""
    along: Array = (points - points[0]) @ (-direction if body else direction)
    return along


def _farthest(query: Query, along: Array) -> list[int]:
    """Which are farthest, ties included."""
    found: list[int] = np.flatnonzero(along >= along.max() - TIE * size_of(query.analysis)).tolist()
    return found


def _lead(query: Query, points: Array, direction: Array, body: int) -> float:
    """How far the farthest vertex is ahead of the next, as a share of the body's width; 0 where nearly all tie."""
    along = _along(points, direction, body)
    right = _farthest(query, along)
    rest = np.delete(along, right)
    if len(rest) == 0 or len(right) > MOST_RIGHT * len(points):
        return 0.0
    return float((along.max() - rest.max()) / (along.max() - along.min()))


def _vertex_question(query: Query, body: int, points: Array, place: int, direction: Array) -> Question:
    scene, letter, kind = query.analysis.scene, "AB"[body], (Kind.VERTEX_A, Kind.VERTEX_B)[body]
    along = _along(points, direction, body)
    right = _farthest(query, along)
    second = float(np.delete(along, right).max())
    names = [vertex_name(scene.body(body), letter, k) for k in range(len(points))]
    way, gap = ("d", "−d")[body], float(along.max()) - second
    tied = f" {len(right)} vertices are equally far." if len(right) > 1 else ""

    def feedback(subject: Subject) -> str:
        behind = float(along.max() - along[subject.number])
        return f"{names[subject.number]} lies {plain(behind)} less far along {way} than the farthest vertex."

    return Question(
        kind=kind,
        text=f"Which vertex of {letter} is its support point along {way}?",
        hint=(
            f"GJK searches along d on A and along −d on B. The support point is the vertex of {letter} that lies "
            f"farthest along the arrow {way}."
        ),
        how=f"Click a ringed vertex of {letter} in the world.",
        candidates={Subject(kind.value, k): name for k, name in enumerate(names)},
        right=frozenset(Subject(kind.value, k) for k in right),
        feedback=feedback,
        explanation=(
            f"{names[right[0]]} is farthest along {way}; the next vertex lies {plain(gap)} behind it.{tied} "
            f"{'A' if body == 0 else 'B'}'s point goes into w = a − b, the new point of the difference."
        ),
        pane="world",
        place=place,
        marks={Subject(kind.value, k): point for k, point in enumerate(points)},
        held_back=frozenset({"step_gjk"}),
        needed=frozenset({"bodies"}),
        covers=STEP_COVERS,
    )


def leaving_question(query: Query) -> Question | None:
    """Which point leaves the simplex? Sooner of a triangle or tetrahedron, and where its points are farthest apart."""
    fitting = [
        (len(step.simplex) > 2, _spread(step), place, step)
        for place, step in _steps(query, GjkStep)
        if isinstance(step, GjkStep) and 0 < len(step.region) < len(step.simplex) and step.weights.min() >= VISIBLE
    ]
    if not fitting:
        return None
    _, spread, place, step = max(fitting, key=lambda found: found[:2])
    if spread < VISIBLE * size_of(query.analysis):
        return None
    weights = dict(zip(step.region, step.weights.tolist(), strict=True))
    names = [numbered("w", k) for k in range(len(step.simplex))]
    gone = [k for k in range(len(step.simplex)) if k not in weights]
    kept = ", ".join(f"{names[k]} {plain(weight)}" for k, weight in weights.items())
    gone_words = " and ".join(names[k] for k in gone)

    def feedback(subject: Subject) -> str:
        share = plain(weights[subject.number])
        return (
            f"{names[subject.number]} stays: it carries {share} of v, the simplex's point nearest the origin. "
            "Another point carries nothing of it."
        )

    return Question(
        kind=Kind.LEAVES,
        text="Which point leaves the simplex?",
        hint=(
            f"{len(names)} points make the simplex. Find the spot on it nearest the origin: a point that the vertex, "
            "edge or face with that spot does not need is let go."
        ),
        how="Click a point of the simplex in the difference.",
        candidates={Subject("simplex", k): name for k, name in enumerate(names)},
        right=frozenset(Subject("simplex", k) for k in gone),
        feedback=feedback,
        explanation=(
            f"{gone_words} {'leaves' if len(gone) == 1 else 'leave'}: the nearest spot v is made of {kept} "
            f"({'weights' if len(weights) > 1 else 'weight'} that add up to 1), without {gone_words}."
        ),
        pane="difference",
        place=place,
        marks={Subject("simplex", k): point.w for k, point in enumerate(step.simplex)},
        held_back=frozenset({"step_gjk"}),
        needed=frozenset({"difference"}),
        covers=STEP_COVERS,
    )


def _spread(step: GjkStep) -> float:
    """How far apart the closest two of the simplex's points are: each is to be clicked."""
    points = np.array([point.w for point in step.simplex])
    return float(np.abs(points[:, None] - points).max(axis=2)[np.triu_indices(len(points), 1)].min())


def face_question(query: Query) -> Question | None:
    """Which face does EPA expand? At the first step where the nearest one's lead can be seen."""
    for place, step in _steps(query, EpaStep):
        if isinstance(step, EpaStep) and step.nearest is not None and len(step.faces) <= MOST_FACES:
            right = _nearest_faces(query, step, step.nearest)
            rest = [face.offset for face in step.faces if face.number not in right]
            ahead = min(rest) - step.nearest.offset if rest else 0.0
            seen = ahead >= VISIBLE * size_of(query.analysis) and len(right) <= MOST_RIGHT * len(step.faces)
            if seen and step.nearest.offset >= 0.0:
                return _face_question(place, step, step.nearest, right, min(rest))
    return None


def _nearest_faces(query: Query, step: EpaStep, nearest: PolytopeFace) -> frozenset[int]:
    """Numbers of the faces whose planes are as near as the nearest."""
    reach = nearest.offset + TIE * size_of(query.analysis)
    return frozenset(face.number for face in step.faces if face.offset <= reach)


def face_name(face: PolytopeFace) -> str:
    """`face p₀p₁p₃`, by its points as the picture names them."""
    return f"face {''.join(numbered('p', number) for number in sorted(face.vertices))}"


def _face_question(place: int, step: EpaStep, nearest: PolytopeFace, right: frozenset[int], second: float) -> Question:
    faces = {face.number: face for face in step.faces}

    def feedback(subject: Subject) -> str:
        face = faces[subject.number]
        return (
            f"The plane of {face_name(face)} is {plain(face.offset)} from the origin. "
            f"Another is nearer, at {plain(nearest.offset)}."
        )

    tied = f" {len(right)} faces are equally near." if len(right) > 1 else ""
    return Question(
        kind=Kind.FACE,
        text="Which face of the polytope does EPA expand next?",
        hint="The one whose plane is nearest the origin: beyond it the surface of the difference may be nearest too.",
        how="Click a face of the polytope in the difference; turn the view to see the faces behind.",
        candidates={Subject("face", number): face_name(face) for number, face in faces.items()},
        right=frozenset(Subject("face", number) for number in right),
        feedback=feedback,
        explanation=(
            f"The plane of {face_name(nearest)} is {plain(nearest.offset)} from the origin, the next "
            f"{plain(second)}.{tied} EPA looks for a point of the difference beyond it."
        ),
        pane="difference",
        place=place,
        held_back=frozenset({"step_epa"}),
        needed=frozenset({"difference"}),
        covers=STEP_COVERS,
    )

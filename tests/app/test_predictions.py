"""Questions about every preset: their right answers against independent sums, and what is said about wrong ones."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.overlays.context import Context
from app.quiz import questions
from app.render.pictures import build
from app.state.prediction import CurrentQuestion, Outcome, Prediction, QuestionKind, QuizQuestion
from app.state.reveal import Reveal
from app.state.view import View
from app.words.digits import plain
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStep
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.gjk.plane_epa import EpaPolygonStep
from core.query.query import Query, query
from core.sat.sat import AxisStatus
from core.scene import Body, Scene
from core.shapes import Box, Circle, HalfSpace, Polygon, Sphere
from core.verdict import Verdict
from tests.oracles import extent_of, shadow_distance, support_gap, support_gaps

from .point_oracle import name_of
from .prediction_samples import ALL, PRESETS, VERTICES, asked_of, get, is_flat, step_of, those


def numbers(subjects: frozenset[Subject]) -> set[int]:
    return {subject.number for subject in subjects}


def raised(*points: tuple[float, float]) -> np.ndarray:
    return np.array([(*point, 0.0) for point in points])


def nearest_by_trial(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The point of the hull of a few points nearest the origin, with its weights, by trying every subset of them."""
    best = (np.inf, points[0], np.zeros(len(points)))
    for chosen in range(1, 2 ** len(points)):
        rows = [k for k in range(len(points)) if chosen >> k & 1]
        corner, arms = points[rows[0]], (points[rows[1:]] - points[rows[0]]).T
        shares = np.linalg.lstsq(arms, -corner, rcond=None)[0] if len(rows) > 1 else np.zeros(0)
        weights = np.concatenate(([1.0 - shares.sum()], shares))
        if weights.min() < -1e-12:
            continue
        spot = weights @ points[rows]
        if np.linalg.norm(spot) < best[0] - 1e-12:
            whole = np.zeros(len(points))
            whole[rows] = weights
            best = (float(np.linalg.norm(spot)), spot, whole)
    return best[1], best[2]


# Every preset is asked about, and every answer has its words.


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_questions_that_can_be_answered(name: str) -> None:
    _, found = asked_of(name)
    assert found
    assert len({question.kind for question in found}) == len(found)
    places = [question.place for question in found if question.place is not None]
    assert places == sorted(places)
    for question in found:
        assert question.right < set(question.candidates), "some answer is wrong, or there is nothing to be asked"
        assert question.right
        assert set(question.marks) in (set(), set(question.candidates))
        assert set(question.buttons) in (set(), set(question.candidates))
        for text in (question.text, question.hint, question.how, question.explanation):
            assert text[-1] in ".?"
            assert "nan" not in text
        wrong = [subject for subject in question.candidates if subject not in question.right]
        assert all(question.why_wrong(subject).endswith((".", "number.")) for subject in wrong)
        assert set(question.stands_for.values()) <= set(question.candidates)


def test_every_kind_is_asked_somewhere() -> None:
    assert {kind for _, kind in ALL} == set(QuestionKind)


def test_the_first_screen_asks_of_every_phase() -> None:
    kinds = [question.kind for question in asked_of("skew-edges")[1]]
    assert kinds == [
        QuestionKind.AXIS,
        QuestionKind.VERTEX_A,
        QuestionKind.VERTEX_B,
        QuestionKind.FACE,
        QuestionKind.CONTACTS,
    ]


# Right answers, computed once more.


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.AXIS))
def test_the_right_axes_are_those_with_the_largest_separation(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    sat, scene = made.analysis.sat, made.analysis.scene
    known = [k for k, status in enumerate(sat.statuses) if status is not AxisStatus.DEGENERATE]
    assert set(question.candidates) == {Subject("axis", k) for k in known}
    gaps = {k: max(support_gap(scene, sat.axes[k]), support_gap(scene, -sat.axes[k])) for k in known}
    best = max(gaps.values())
    # Rounding of both sums, and SAT's own rule of ties, stay far below the lead that a question needs.
    slack = 1e-9 * extent_of(scene)
    assert numbers(question.right) == {k for k, gap in gaps.items() if gap >= best - slack}
    assert plain(abs(sat.separation)) in question.explanation or abs(best) <= made.analysis.band


def direction_of_gjk(made: Query, step: GjkStep) -> np.ndarray:
    """The step's direction, once it has been found to be what the simplex asks for."""
    corners = np.array([point.w for point in step.simplex])
    v, weights = nearest_by_trial(corners)
    assert step.direction is not None
    if np.linalg.norm(v) > 1e-9 * extent_of(made.analysis.scene):
        d = -v / np.linalg.norm(v)
        assert step.direction == pytest.approx(d, abs=1e-9)
    else:
        # The origin is on the simplex: what is left of v is rounding, and the direction is across the feature.
        d = step.direction
        feature = corners[weights > 1e-9]
        assert (feature - feature[0]) @ d == pytest.approx(np.zeros(len(feature)), abs=1e-9)
    return d


def direction_of_article(step: ArticleStep) -> np.ndarray:
    """First up, then down, then across the edge that was kept, towards the origin."""
    d = raised(step.direction)[0]
    if step.number <= 2:
        assert step.direction == (0.0, (1.0, -1.0)[step.number - 1])
    else:
        newest, other = (point.w for point in step.simplex[1:])
        assert d @ (other - newest) == pytest.approx(0.0, abs=1e-12)
        assert d @ -newest >= 0.0
    return d / np.linalg.norm(d)


@pytest.mark.parametrize(("name", "kind"), those(*VERTICES))
def test_the_right_vertices_are_farthest_along_the_direction_searched(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    step = step_of(name, kind)
    assert isinstance(step, GjkStep | ArticleStep)
    d = direction_of_article(step) if isinstance(step, ArticleStep) else direction_of_gjk(made, step)
    points = np.array([question.marks[Subject(kind.value, k)] for k in range(len(question.marks))])
    along = points @ (d if kind is QuestionKind.VERTEX_A else -d)
    tied = 1e-8 * float(np.ptp(along))
    assert numbers(question.right) == set(np.flatnonzero(along >= along.max() - tied).tolist())
    # What GJK itself took is one of them.
    assert step.support is not None
    taken = step.support.vertex_a if kind is QuestionKind.VERTEX_A else step.support.vertex_b
    assert taken in numbers(question.right)


@pytest.mark.parametrize(("name", "kind"), those(*VERTICES))
def test_the_rings_stand_on_the_corners_of_the_body(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    body = made.analysis.scene.body(VERTICES.index(kind))
    assert body.shape.core is not None
    reach = 1e-9 * (1.0 + float(np.abs(body.position).max()))
    for k, point in enumerate(body.shape.core.points):
        assert question.marks[Subject(kind.value, k)] == pytest.approx(body.pose.to_world(point), abs=reach)


def check_the_article_s_edge(question: QuizQuestion, step: ArticleStep) -> None:
    """The origin and the point that leaves are on two sides of the edge that stays, which has the newest point."""
    points = [point.w for point in step.simplex]
    (gone,) = numbers(question.right)
    assert gone != 0
    first, second = (k for k in range(3) if k != gone)
    along = points[second] - points[first]
    sides = [float(np.cross(along, place - points[first])[2]) for place in (np.zeros(3), points[gone])]
    assert sides[0] * sides[1] < 0.0
    for k, point in enumerate(points):
        assert question.marks[Subject("simplex", k)] == pytest.approx(point)
    assert "the origin is beyond that edge" in question.why_wrong(Subject("simplex", first))


def test_points_on_a_side_of_a_polygon_are_no_vertices_to_choose() -> None:
    square = Polygon.of([(-1, -1), (0, -1), (1, -1), (1, -1), (1, 1), (-1, 1)])
    scene = Scene(Body.in_plane(square), Body.in_plane(Circle(0.4), (1.7, 0.5)))
    question = next(q for q in questions(query(analyse(scene))) if q.kind is QuestionKind.VERTEX_A)
    assert sorted(subject.number for subject in question.candidates) == sorted(square.ring)
    assert len(square.ring) == 4
    corners = {subject.number: tuple(point[:2]) for subject, point in question.marks.items()}
    assert corners == {number: square.points[number] for number in square.ring}
    wrong = next(subject for subject in question.candidates if subject not in question.right)
    assert f"A.v{wrong.number} is" in question.why_wrong(wrong)


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.LEAVES))
def test_the_points_that_leave_carry_nothing_of_the_nearest_point(name: str, kind: QuestionKind) -> None:
    _, question = get(name, kind)
    step = step_of(name, kind)
    if isinstance(step, ArticleStep):
        check_the_article_s_edge(question, step)
        return
    assert isinstance(step, GjkStep)
    points = np.array([point.w for point in step.simplex])
    spot, weights = nearest_by_trial(points)
    assert numbers(question.right) == set(np.flatnonzero(weights < 1e-9).tolist())
    for k, point in enumerate(points):
        assert question.marks[Subject("simplex", k)] == pytest.approx(point)
    for k in set(range(len(points))) - numbers(question.right):
        assert "without it the nearest point v would be another" in question.why_wrong(Subject("simplex", k))
        assert np.linalg.norm(nearest_by_trial(np.delete(points, k, axis=0))[0] - spot) > 1e-9
        assert step.weights[step.region.index(k)] == pytest.approx(weights[k], abs=1e-9)


def flatness(step: EpaStep | EpaPolygonStep) -> tuple[dict[int, float], set[int]]:
    """How far the plane of each face, or the line of each edge, is from the origin; and all corners' numbers."""
    far = {}
    if isinstance(step, EpaPolygonStep):
        for k, edge in enumerate(step.edges):
            (px, py), (qx, qy) = (step.vertices[end].xy for end in (edge.start, edge.end))
            far[k] = abs(px * qy - py * qx) / float(np.hypot(qx - px, qy - py))
        return far, {edge.start for edge in step.edges}
    for face in step.faces:
        p, q, r = (step.vertices[k].w for k in face.vertices)
        normal = np.cross(q - p, r - p)
        far[face.number] = abs(float(p @ normal)) / float(np.linalg.norm(normal))
    return far, {k for face in step.faces for k in face.vertices}


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.FACE))
def test_the_right_faces_lie_in_the_nearest_planes(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    step = step_of(name, kind)
    assert isinstance(step, EpaStep | EpaPolygonStep)
    assert step.stop is None, "what is asked is what it expands"
    far, corners_of = flatness(step)
    reach = min(far.values()) + 1e-8 * extent_of(made.analysis.scene)
    assert numbers(question.right) == {number for number, distance in far.items() if distance <= reach}
    assert step.nearest is not None
    expanded = step.edges.index(step.nearest) if isinstance(step, EpaPolygonStep) else step.nearest.number
    assert expanded in numbers(question.right)
    # Faces are called by their corners' names, which the picture of the question shows.
    asked = CurrentQuestion(question, Prediction(), 1, frozenset())
    scene = made.analysis.scene
    drawn = build(
        Context(
            scene=scene, analysis=made.analysis, view=View(), theme=DARK, query=made, place=question.place, asked=asked
        )
    ).difference.labels
    corners = {name_of(made, step.vertices[k]) for k in corners_of}
    assert corners <= {label.text for label in drawn}
    assert {own for name in question.candidates.values() for own in re.findall("w[₀-₉]+", name)} == corners


@pytest.mark.parametrize(
    ("name", "count"),
    [("stacked-cubes", 4), ("face-touch", 4), ("edge-touch", 2), ("corner-touch", 1), ("skew-edges", 1)],
)
def test_contacts_of_pairs_whose_number_is_plain_to_see(name: str, count: int) -> None:
    _, question = get(name, QuestionKind.CONTACTS)
    assert question.right == {Subject("count", count)}
    assert question.why_wrong(Subject("count", count + 1)).startswith(f"{count + 1} is too many.")
    assert question.why_wrong(Subject("count", 0)).startswith("0 is too few.")


def test_a_digit_means_the_number_that_a_button_reads_and_else_the_place_in_the_list() -> None:
    _, question = get("skew-edges", QuestionKind.CONTACTS)
    assert [question.at_key(digit) for digit in "018"] == [Subject("count", count) for count in (0, 1, 8)]
    assert question.at_key("9") is None
    _, question = get("skew-edges", QuestionKind.AXIS)
    assert [question.at_key(digit) for digit in "019"] == [None, question.numbered[0], question.numbered[8]]


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.CONTACTS))
def test_contacts_are_those_of_the_manifold(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    assert made.analysis.contacts is not None
    assert numbers(question.right) == {len(made.analysis.contacts.contacts)}


def turned_distance(scene: Scene) -> float:
    """Largest signed separation over directions of the plane: all round, then ever closer about the best."""
    middle, half = 0.0, np.pi
    for _ in range(12):
        turns = middle + np.linspace(-half, half, 721)
        gaps = support_gaps(scene, np.stack((np.cos(turns), np.sin(turns), np.zeros(721)), axis=1))
        middle, half = float(turns[int(gaps.argmax())]), half / 60.0
    return float(gaps.max())


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.VERDICT))
def test_the_right_verdict_is_that_of_the_distance(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    scene, band = made.analysis.scene, made.analysis.band
    if isinstance(scene.a.shape, HalfSpace):
        # How far the lowest point of B is above the plane.
        plane, pose = scene.a.shape.plane, scene.a.pose
        normal = pose.matrix @ plane.normal
        low = scene.b.pose.to_world(scene.b.shape.support(scene.b.pose.direction_to_local(-normal)))
        distance = float(normal @ (low - pose.to_world(plane.point())))
    elif is_flat(name):
        distance = turned_distance(scene)
    else:
        distance = shadow_distance(scene)
    expected = 1 if abs(distance) <= max(band, 1e-9) else 0 if distance > 0.0 else 2
    assert numbers(question.right) == {expected}
    # Why another is wrong: where the origin would have to lie for it, and nothing that the hint said already.
    places = ("outside", "on the outline of" if is_flat(name) else "on the surface of", "inside")
    for k in {0, 1, 2} - {expected}:
        told = question.why_wrong(Subject("verdict", k))
        assert f"the origin would lie {places[k]} the difference" in told or "closer than a pixel" in told
        assert told not in question.hint


def test_the_verdict_of_the_words_is_the_analysis() -> None:
    for name, kind in those(QuestionKind.VERDICT):
        made, question = get(name, kind)
        word = {Verdict.SEPARATED: "Separated", Verdict.TOUCHING: "Touching", Verdict.OVERLAPPING: "Overlapping"}
        assert question.explanation.startswith(word[made.analysis.verdict])


# What is not asked.


def test_no_axis_is_asked_for_where_the_eye_cannot_tell() -> None:
    assert QuestionKind.AXIS not in {question.kind for question in asked_of("nearly-parallel-edges")[1]}
    # Twelve of fifteen axes tie.
    assert QuestionKind.AXIS not in {question.kind for question in asked_of("coincident-centres")[1]}


def test_a_pair_of_which_nothing_can_be_seen_is_asked_for_its_verdict_all_the_same() -> None:
    far = Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (2.0 + 1e-6, 0.0, 0.0)))
    (question,) = questions(query(analyse(far)))
    assert question.kind is QuestionKind.VERDICT
    assert question.right == {Subject("verdict", 0)}
    assert "closer than a pixel" in question.why_wrong(Subject("verdict", 2))


def test_apart_the_largest_gap_is_asked_for_in_the_words() -> None:
    apart = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (2.0, 0.3, 0.1)))
    question = next(q for q in questions(query(analyse(apart))) if q.kind is QuestionKind.AXIS)
    assert "a gap of 1, the largest gap" in question.explanation
    wrong = next(subject for subject in question.candidates if subject not in question.right)
    assert "a gap of 1" in question.why_wrong(wrong)


# One answer after the other.


def test_answers_are_judged_counted_and_kept() -> None:
    _, found = asked_of("skew-edges")
    question = found[0]
    right, wrong = next(iter(question.right)), next(s for s in question.candidates if s not in question.right)
    start = Prediction()
    once = start.guessed(question, wrong)
    assert (once.outcome, once.tried, once.settled) == (Outcome.OPEN, (wrong,), 0)
    assert once.guessed(question, wrong).tried == (wrong,)
    second = once.guessed(question, right)
    assert (second.outcome, second.at_once, second.settled) == (Outcome.RIGHT, 0, 1)
    assert second.guessed(question, wrong) is second
    assert second.shown() is second
    at_once = start.guessed(question, right)
    assert (at_once.at_once, at_once.settled) == (1, 1)
    after = at_once.followed(2)
    assert (after.number, after.tried, after.outcome, after.at_once) == (1, (), Outcome.OPEN, 1)
    assert after.followed(2).number == 0
    shown = start.shown()
    assert (shown.outcome, shown.at_once, shown.settled) == (Outcome.SHOWN, 0, 1)
    assert CurrentQuestion(question, once, 5).words == question.why_wrong(wrong)
    assert CurrentQuestion(question, second, 5).words == f"Right. {question.explanation}"
    assert CurrentQuestion(question, shown, 5).words == question.explanation
    assert CurrentQuestion(question, start, 5).words == ""


def test_the_number_of_contacts_stays_hidden_until_it_has_been_asked_for() -> None:
    _, found = asked_of("skew-edges")
    settled = Prediction().shown()
    before = CurrentQuestion(found[0], settled, len(found), frozenset({QuestionKind.CONTACTS}))
    assert Reveal.of(before).overlays == {"contacts", "manifold"}
    assert Reveal.of(before).panels == {"answers"}
    after = CurrentQuestion(found[-1], settled, len(found))
    assert not Reveal.of(after).overlays
    assert not Reveal.of(after).panels

"""Pictures of the questions about every preset: every candidate can be pointed at, and none is told."""

from __future__ import annotations

import re

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.overlays.context import Context
from app.overlays.flat_shapes import PAIR_KIND
from app.overlays.registry import OVERLAYS
from app.quiz import questions
from app.render.pictures import DrawLists, build
from app.stages import overlay_is_shown
from app.stages.article import point_name
from app.state.prediction import CurrentQuestion, Prediction, QuestionKind
from app.state.view import SINGLE_OVERLAY, View
from app.words.digits import plain
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStep
from core.gjk.gjk import GjkStep
from core.query.query import Phase, query
from tests.core.planar_samples import FAMILIES, scenes
from tests.oracles import extent_of

from .prediction_samples import VERTICES, get, is_flat, step_of, those

EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS)


def picture(name: str, kind: QuestionKind, prediction: Prediction = Prediction(), **view: object) -> DrawLists:  # noqa: B008 - frozen
    made, question = get(name, kind)
    looked = replace(View(shown=EVERYTHING), **view)
    stepping = question.place is not None
    return build(
        Context(
            scene=made.analysis.scene,
            analysis=made.analysis,
            view=looked,
            theme=DARK,
            query=made if stepping else None,
            place=question.place or 0,
            asked=CurrentQuestion(question, prediction, 1),
        )
    )


def words_of(pictures: DrawLists) -> list[str]:
    lists = (pictures.world, pictures.difference, pictures.globe, pictures.triad)
    return [label.text for draw in lists for label in draw.labels]


@pytest.mark.parametrize(("name", "kind"), those(*(kind for kind in QuestionKind if kind is not QuestionKind.CONTACTS)))
@pytest.mark.sampled(3, "scenes")
def test_no_picture_of_an_open_question_tells_a_number(name: str, kind: QuestionKind) -> None:
    made, _ = get(name, kind)
    words = words_of(picture(name, kind))
    told = ("depth", "winner", "overlap", "gap", "behind")
    assert not [word for word in words if any(telling in word for telling in told)]
    number = plain(abs(made.analysis.separation))
    assert not [word for word in words if len(number) > 2 and number in word]


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.AXIS, QuestionKind.VERDICT))
def test_what_belongs_to_the_answer_is_hidden_while_it_is_asked_for(name: str, kind: QuestionKind) -> None:
    of_answer = {overlay.id for overlay in OVERLAYS if not any(overlay_is_shown(overlay, phase) for phase in Phase)}
    # The plane of a half-space is drawn, without what meets it; single precision's answer is not, whatever is asked.
    assert of_answer - {"half_space", SINGLE_OVERLAY} <= get(name, kind)[1].hidden_overlays
    assert not [word for word in words_of(picture(name, kind)) if "contact" in word]


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.CONTACTS))
def test_no_contact_and_no_feature_is_marked_before_they_are_counted(name: str, kind: QuestionKind) -> None:
    made, question = get(name, kind)
    assert made.analysis.contacts is not None
    pictures = picture(name, kind)
    assert not [word for word in words_of(pictures) if re.fullmatch(r"[AB]\.v\d+|.*contact vert.*", word)]
    places = [point for marks in pictures.world.marks for point in marks.points]
    size = extent_of(made.analysis.scene)
    for contact in made.analysis.contacts.contacts:
        assert not [place for place in places if np.abs(place - contact.position).max() < 1e-6 * size]
    assert len(picture(name, kind, Prediction().shown()).world.marks) > len(pictures.world.marks)
    assert len(question.buttons) == (5 if is_flat(name) else 9)


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.AXIS))
def test_no_face_stands_out_until_it_is_pointed_at(name: str, kind: QuestionKind) -> None:
    calm = looks(picture(name, kind))
    # One for each family and one for rounded parts.
    assert len(calm) <= 4
    _, question = get(name, kind)
    faces = axes_of(picture(name, kind))
    assert faces
    pointed = picture(name, kind, hover=next(iter(faces)))
    assert len(looks(pointed) - calm) == 1
    assert "overlap" in words_of(pointed) or "gap" in words_of(pointed) or "touching" in words_of(pointed)
    # Every axis with a face can be clicked.
    assert faces <= set(question.candidates)


def looks(pictures: DrawLists) -> set[tuple[float, ...]]:
    """Colours of the difference's faces; in the plane of its edges, with their width."""
    draw = pictures.difference
    edges = {
        (*row, lines.width)
        for lines in draw.segments
        for row, subject in zip(lines.start_rgba.tolist(), lines.subjects, strict=True)
        if subject.kind == "axis" and not draw.solids
    }
    return edges | {tuple(row) for solid in draw.solids for row in solid.rgba.tolist()}


def axes_of(pictures: DrawLists) -> set[Subject]:
    """The axes that can be pointed at in the difference."""
    draw = pictures.difference
    parts = draw.solids or draw.segments
    return {subject for part in parts for subject in part.subjects if subject.kind == "axis"}


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.VERDICT))
def test_no_axis_stands_out_while_the_verdict_is_asked_for(name: str, kind: QuestionKind) -> None:
    calm = looks(picture(name, kind))
    assert len(calm) <= 4
    if axes_of(picture(name, kind)):
        assert looks(picture(name, kind, Prediction().shown())) - calm, "afterwards the winner does"


@pytest.mark.parametrize(("name", "kind"), those(*VERTICES, QuestionKind.LEAVES))
def test_every_candidate_has_a_ring_and_no_ring_stands_out(name: str, kind: QuestionKind) -> None:
    _, question = get(name, kind)
    pictures = picture(name, kind)
    draw = pictures.difference if kind is QuestionKind.LEAVES else pictures.world
    rings = [marks for marks in draw.marks if set(marks.subjects) & set(question.candidates)]
    assert {subject for marks in rings for subject in marks.subjects} == set(question.candidates)
    assert len({(marks.radius, marks.fill, marks.stroke, marks.stroke_width, marks.shape) for marks in rings}) == 1
    # The corners of A + B have such letters too, whichever point leaves.
    words = [label.text for label in pictures.world.labels if label.text in question.candidates.values()]
    assert kind is QuestionKind.LEAVES or not words
    if kind is QuestionKind.LEAVES:
        # The simplex itself does not show which of its points are needed.
        points = [marks for marks in draw.marks if marks.radius == 5.0]
        assert len({(marks.fill, marks.stroke) for marks in points}) == 1


@pytest.mark.parametrize(("name", "kind"), those(*VERTICES, QuestionKind.LEAVES))
def test_the_ring_pointed_at_stands_out_and_a_wrong_one_recedes(name: str, kind: QuestionKind) -> None:
    _, question = get(name, kind)
    wrong = next(subject for subject in question.candidates if subject not in question.right)
    tried = picture(name, kind, Prediction().guessed(question, wrong))
    assert f"not {question.candidates[wrong]}" in words_of(tried)
    pointed = picture(name, kind, hover=wrong)
    draw = pointed.difference if kind is QuestionKind.LEAVES else pointed.world
    assert [marks.stroke for marks in draw.marks if wrong in marks.subjects and marks.stroke == DARK.hover]


@pytest.mark.parametrize(("name", "kind"), those(*VERTICES))
def test_afterwards_the_right_vertex_is_ringed_in_the_picture_of_the_step(name: str, kind: QuestionKind) -> None:
    _, question = get(name, kind)
    pictures = picture(name, kind, Prediction().shown())
    places = [marks.points[0] for marks in pictures.world.marks if marks.stroke == DARK.winner and len(marks.points)]
    for subject in question.right:
        assert any(np.allclose(place, question.marks[subject]) for place in places)
    step, made = step_of(name, kind), get(name, kind)[0]
    assert isinstance(step, GjkStep | ArticleStep)
    told = point_name(made, step.support) if isinstance(step, ArticleStep) else "w"
    assert any(word.startswith(told) for word in words_of(pictures)), "the step's own picture is back"


@pytest.mark.parametrize(("name", "kind"), those(*VERTICES))
@pytest.mark.sampled(3, "scenes")
def test_no_point_of_the_difference_tells_its_vertices_while_one_is_asked_for(name: str, kind: QuestionKind) -> None:
    def pairs(pictures: DrawLists) -> set[Subject]:
        draws = (pictures.world, pictures.difference)
        return {
            subject for draw in draws for marks in draw.marks for subject in marks.subjects if subject.kind == PAIR_KIND
        }

    first = Subject(PAIR_KIND, 0)
    assert not pairs(picture(name, kind))
    assert words_of(picture(name, kind, hover=first)) == words_of(picture(name, kind))
    assert words_of(picture(name, kind, pin=first)) == words_of(picture(name, kind))
    assert bool(pairs(picture(name, kind, Prediction().shown()))) == is_flat(name)


def pieces(pictures: DrawLists) -> dict[Subject, tuple[float, ...]]:
    """The look of every face of the polytope, or in the plane of every edge of the polygon."""
    draw = pictures.difference
    found: dict[Subject, tuple[float, ...]] = {}
    for solid in draw.solids:
        found |= {
            s: tuple(row) for s, row in zip(solid.subjects, solid.rgba.tolist(), strict=False) if s.kind == "face"
        }
    for lines in draw.segments:
        rows = zip(lines.subjects, lines.start_rgba.tolist(), strict=True)
        found |= {subject: (*row, lines.width) for subject, row in rows if subject.kind == "polygon_edge"}
    return found


@pytest.mark.parametrize(("name", "kind"), those(QuestionKind.FACE))
def test_every_face_of_the_polytope_can_be_clicked_and_looks_alike(name: str, kind: QuestionKind) -> None:
    _, question = get(name, kind)
    calm = pieces(picture(name, kind))
    assert set(calm) == set(question.candidates)
    assert len(set(calm.values())) == 1
    first = next(iter(question.candidates))
    lit = pieces(picture(name, kind, hover=first))
    assert {subject for subject, look in lit.items() if look != calm[first]} == {first}
    wrong = next(subject for subject in question.candidates if subject not in question.right)
    assert f"not {question.candidates[wrong]}" in words_of(picture(name, kind, Prediction().guessed(question, wrong)))


def test_overlays_that_are_switched_off_are_there_when_a_question_needs_them() -> None:
    made, question = get("skew-edges", QuestionKind.AXIS)
    bare = Context(made.analysis.scene, made.analysis, View(shown=frozenset()), DARK)
    assert not build(bare).difference.solids
    drawn = build(replace(bare, asked=CurrentQuestion(question, Prediction(), 1)))
    assert drawn.difference.solids
    assert len(drawn.world.solids) == 2


def test_a_lessons_question_about_an_edge_can_be_answered_at_the_edges_in_both_panes() -> None:
    made, question = get("flat-inside", QuestionKind.AXIS)
    first = next(iter(question.candidates))
    asked = CurrentQuestion(replace(question, named=True), Prediction(), 1)
    context = Context(made.analysis.scene, made.analysis, View(hover=first), DARK, asked=asked)
    pictures = build(context)
    for draw in (pictures.world, pictures.difference):
        drawn = {
            subject: lines.width
            for lines in draw.segments
            for subject in lines.subjects
            if subject in question.candidates
        }
        assert set(drawn) == set(question.candidates)
        assert {label.subject for label in draw.labels} >= set(question.candidates)


@pytest.mark.slow
def test_any_scene_of_the_plane_can_be_asked_about() -> None:
    kinds = set()
    for scene in scenes(60, 7, FAMILIES):
        made = query(analyse(scene))
        for question in questions(made):
            kinds.add(question.kind)
            assert question.right
            assert question.right < set(question.candidates)
            assert not any(word in f"{question.hint} {question.explanation}" for word in ("face", "polytope", "nan"))
            for prediction in (Prediction(), Prediction().shown()):
                asked = CurrentQuestion(question, prediction, 1)
                stepped = None if question.place is None else made
                for hover in (None, next(iter(question.candidates))):
                    view = View(shown=EVERYTHING, hover=hover)
                    drawn = build(
                        Context(
                            scene=made.analysis.scene,
                            analysis=made.analysis,
                            view=view,
                            theme=DARK,
                            query=stepped,
                            place=question.place or 0,
                            asked=asked,
                        )
                    )
                    assert drawn.world.labels
    assert kinds == set(QuestionKind)

"""Questions in the real application without a display: asked by a key, answered by clicks in the picture."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.input.picking import pick
from app.state.prediction import Outcome, QuestionKind
from app.state.view import AxisView, Panes
from core.analysis.analysis import analyse
from core.analysis.methods import Limits
from core.query.query import Phase

from .window_rig import Driver, driver

__all__ = ["driver"]


def on(driver: Driver, subject: Subject, kind: str) -> tuple[float, float]:
    """A pixel of a pane that means a subject, clear of panels; the view is turned until there is one."""
    kinds = driver.app.quiz.answering_kinds or {subject.kind}
    for _ in range(8):
        pane = driver.pane(kind)
        placed = driver.app.builder.placed[driver.app.builder.panes.index(pane)]
        for y in range(70, pane.rect.height - 60, 6):
            for x in range(8, pane.rect.width - 8, 6):
                at = float(x + pane.rect.x), float(y + pane.rect.y)
                if pick(placed, x, y, kinds=kinds) == subject and not driver.app.host.covers(*at):
                    return at
        camera = driver.app.work.view.world
        driver.app.work.view = driver.app.work.view.turned(camera.yaw + 0.7, camera.pitch)
        driver.frame(2)
    raise AssertionError(f"{subject} is nowhere to be seen")


def ask(driver: Driver, kind: QuestionKind) -> None:
    """Goes on from question to question to one of a kind."""
    driver.key("S")
    for _ in range(8):
        assert driver.app.quiz.asked is not None
        if driver.app.quiz.asked.question.kind is kind:
            return
        driver.key("Shift+S")
    raise AssertionError(f"no question of the kind {kind}")


def wrong_one(driver: Driver) -> Subject:
    question = driver.app.quiz.asked.question
    return next(subject for subject in question.candidates if subject not in question.right)


@pytest.mark.slow
def test_the_winning_axis_is_found_by_clicks_on_the_difference(driver: Driver) -> None:
    app = driver.app
    app.work.view = replace(app.work.view, axis_view=AxisView.CAGE, pin=Subject("axis", 3), panes=Panes.WORLD)
    driver.frame(2)
    driver.key("S")
    assert app.quiz.asked.question.kind is QuestionKind.AXIS
    assert app.work.view.panes is Panes.BOTH
    assert app.work.view.pin is None
    wrong, right = Subject("axis", 2), Subject("axis", app.answers.analysis.sat.winner)
    x, y = on(driver, wrong, "difference")
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == wrong, "what would be answered is lit"
    driver.click(x, y)
    assert app.quiz.asked.open
    assert app.quiz.asked.prediction.tried == (wrong,)
    assert app.work.view.pin is None, "an answer pins nothing"
    assert "Another axis has less" in app.quiz.asked.words
    driver.click(*on(driver, right, "difference"))
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT
    assert (app.quiz.asked.prediction.at_once, app.quiz.asked.prediction.settled) == (0, 1)
    # Now clicks mean what they always do.
    driver.click(*on(driver, wrong, "difference"))
    assert app.work.view.pin == wrong
    driver.key("Escape")
    assert app.quiz.asked is None
    assert (app.work.view.axis_view, app.work.view.pin, app.work.view.panes) == (
        AxisView.CAGE,
        Subject("axis", 3),
        Panes.WORLD,
    )


@pytest.mark.parametrize("kind", [QuestionKind.VERTEX_A, QuestionKind.VERTEX_B])
def test_a_support_point_is_found_by_clicks_on_vertices(driver: Driver, kind: QuestionKind) -> None:
    app = driver.app
    ask(driver, kind)
    question = app.quiz.asked.question
    assert app.work.playback.open
    assert app.steps.place == question.place
    scene = app.work.scene
    wrong, right = wrong_one(driver), next(iter(question.right))
    x, y = driver.at(question.marks[wrong])
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == wrong
    driver.click(x, y)
    assert app.quiz.asked.prediction.tried == (wrong,)
    assert "short of the farthest vertex along" in app.quiz.asked.words
    driver.click(*driver.at(question.marks[right]))
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT
    assert app.work.scene is scene
    assert app.work.selection is None
    assert app.steps.place == question.place
    # Stopping closes the timeline that the question had opened.
    driver.key("Escape")
    assert not app.work.playback.open


def test_the_point_that_leaves_is_clicked_in_the_difference(driver: Driver) -> None:
    driver.app.files.load_preset("crossed-edges")
    driver.frame(3)
    ask(driver, QuestionKind.LEAVES)
    question = driver.app.quiz.asked.question
    right = next(iter(question.right))
    driver.click(*driver.at(question.marks[wrong_one(driver)], "difference"))
    assert driver.app.quiz.asked.open
    assert "without it the nearest point v would be another" in driver.app.quiz.asked.words
    driver.click(*driver.at(question.marks[right], "difference"))
    assert driver.app.quiz.asked.prediction.outcome is Outcome.RIGHT


def test_the_face_that_epa_expands_is_clicked_through_the_shell_before_it(driver: Driver) -> None:
    app = driver.app
    ask(driver, QuestionKind.FACE)
    right = next(iter(app.quiz.asked.question.right))
    x, y = on(driver, right, "difference")
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == right
    driver.click(x, y)
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT
    assert app.quiz.asked.prediction.at_once == 1


def test_rounded_parts_stand_for_the_axis_of_the_closest_points(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("sphere-corner-region")
    driver.frame(3)
    driver.key("S")
    (right,) = app.quiz.asked.question.right
    x, y = on(driver, Subject("difference"), "difference")
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == right
    driver.click(x, y)
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT


def test_what_answers_nothing_keeps_its_meaning(driver: Driver) -> None:
    app = driver.app
    driver.key("S")
    yaw = app.work.view.world.yaw
    driver.drag((600.0, 300.0), (640.0, 320.0))
    assert app.work.view.world.yaw != yaw, "empty space turns the view"
    assert app.quiz.asked.open
    driver.click(*driver.on_b)
    assert app.work.selection == 1
    assert app.quiz.asked.open


def test_an_edit_a_step_and_another_scene_leave_the_question(driver: Driver) -> None:
    app = driver.app
    driver.key("S")
    moved = replace(app.work.scene, b=replace(app.work.scene.b, position=(5.0, 0.0, 0.0)))
    app.ask.edit(moved, "Move B")
    driver.frame(2)
    assert app.quiz.asked is None
    driver.key("S")
    assert app.quiz.asked is not None, "the new pair can be asked about"
    driver.key("Escape")
    ask(driver, QuestionKind.VERTEX_A)
    driver.key("Right")
    assert app.quiz.asked is None
    assert app.work.playback.open
    driver.key("Left")
    assert app.quiz.asked.question.kind is QuestionKind.VERTEX_A, "on coming back it stands as before"


def test_another_scene_leaves_the_question_and_everything_is_as_before(driver: Driver) -> None:
    app = driver.app
    ask(driver, QuestionKind.VERTEX_A)
    driver.key("]")
    assert app.work.preset != "skew-edges"
    assert app.quiz.asked is None
    assert not app.work.playback.open


def test_after_the_answer_one_may_step_on_and_ask_again(driver: Driver) -> None:
    app = driver.app
    ask(driver, QuestionKind.VERTEX_A)
    app.quiz.show_answer()
    assert app.quiz.asked.prediction.outcome is Outcome.SHOWN
    driver.key("Right")
    assert app.quiz.asked is not None
    place = app.steps.place
    driver.key("Shift+S")
    assert app.quiz.asked.open
    driver.key("S")
    assert app.quiz.asked is None
    app.ask.play(replace(app.work.playback, open=True))
    assert place > 0


def test_the_timeline_stays_open_where_it_was(driver: Driver) -> None:
    app = driver.app
    driver.key("T")
    driver.key("Right")
    before = app.work.playback
    driver.key("S")
    assert not app.work.playback.open, "a question about the answer is asked without a step"
    driver.key("Escape")
    assert app.work.playback == before


def test_questions_are_off_and_cost_nothing_at_the_start(driver: Driver) -> None:
    assert driver.app.quiz.asked is None
    assert not driver.app.quiz.answering_kinds
    assert driver.app.quiz.stop() is False


def test_the_picture_changes_when_the_answer_is_shown(driver: Driver) -> None:
    app = driver.app
    driver.key("S")
    driver.move(8.0, 400.0)
    driver.frame(2)
    before = app.builder.placed
    app.quiz.show_answer()
    driver.frame(2)
    assert app.builder.placed is not before
    labels = {label.text for placed in app.builder.placed for label in placed.labels}
    assert any("decides" in text for text in labels)
    assert np.isfinite(app.answers.analysis.separation)


def test_while_the_answers_are_being_computed_one_is_told_to_wait(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    waiting = analyse(app.work.scene, Limits(vertices=0))
    monkeypatch.setattr(type(app.answers), "analysis", property(lambda _answers: waiting))
    app.invoke("predict.ask")
    assert app.quiz.asked is None
    assert "Questions are ready in a moment" in app.notices.now()[-1].message


@pytest.mark.parametrize("preset", ["skew-edges", "flat-hexagon-pentagon"])
def test_an_edit_undone_brings_the_question_back_and_the_next_one_stands_too(driver: Driver, preset: str) -> None:
    app = driver.app
    app.files.load_preset(preset)
    driver.frame(3)
    driver.key("S")
    moved = replace(app.work.scene, b=replace(app.work.scene.b, position=(5.0, 0.0, 0.0)))
    for kind in (QuestionKind.AXIS, QuestionKind.VERTEX_A):
        assert app.quiz.asked.question.kind is kind
        app.ask.edit(moved, "Move B")
        driver.frame(2)
        assert app.quiz.asked is None
        driver.key("Ctrl+Z")
        assert app.quiz.asked.question.kind is kind
        assert app.quiz.asked.open
        driver.key("Shift+S")
    assert app.quiz.asked.question.kind is QuestionKind.VERTEX_B


def test_other_settings_ask_about_other_steps(driver: Driver) -> None:
    app = driver.app
    driver.key("S")
    app.ask.tune(replace(app.work.algorithm_settings, build=True))
    driver.key("Shift+S")
    question = app.quiz.asked.question
    assert question.kind is QuestionKind.VERTEX_A
    assert app.steps.all.moments[question.place].phase is Phase.GJK
    assert app.steps.place == question.place


# Scenes of the plane.


@pytest.mark.parametrize("preset", ["flat-hexagon-pentagon", "flat-circle-corner", "flat-inside"])
@pytest.mark.slow
@pytest.mark.sampled(3, "windows")
def test_the_winning_axis_of_the_plane_is_an_edge_or_the_arc_of_the_closest_corner(driver: Driver, preset: str) -> None:
    app = driver.app
    app.files.load_preset(preset)
    driver.frame(3)
    ask(driver, QuestionKind.AXIS)
    wrong, right = wrong_one(driver), Subject("axis", app.answers.analysis.sat.winner)
    x, y = on(driver, wrong, "difference")
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == wrong
    driver.click(x, y)
    assert app.quiz.asked.prediction.tried == (wrong,)
    assert "shows" in app.quiz.asked.words
    driver.click(*on(driver, right, "difference"))
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT
    assert any("decides" in label.text for placed in app.builder.placed for label in placed.labels)


@pytest.mark.parametrize("preset", ["flat-worked-example", "flat-inside"])
@pytest.mark.slow
@pytest.mark.sampled(2, "windows")
def test_the_edge_that_epa_expands_is_clicked_in_the_polygon(driver: Driver, preset: str) -> None:
    app = driver.app
    app.files.load_preset(preset)
    driver.frame(3)
    ask(driver, QuestionKind.FACE)
    question = app.quiz.asked.question
    wrong, right = wrong_one(driver), next(iter(question.right))
    driver.click(*on(driver, wrong, "difference"))
    assert "Another is nearer" in app.quiz.asked.words
    x, y = on(driver, right, "difference")
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == right
    driver.click(x, y)
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT
    labels = {label.text for placed in app.builder.placed for label in placed.labels}
    assert any(text.startswith("nearest edge") for text in labels)


@pytest.mark.parametrize("preset", ["flat-third-point", "flat-circle-corner"])
def test_the_point_that_leaves_a_triangle_is_clicked_in_the_plane(driver: Driver, preset: str) -> None:
    app = driver.app
    app.files.load_preset(preset)
    driver.frame(3)
    ask(driver, QuestionKind.LEAVES)
    question = app.quiz.asked.question
    driver.click(*driver.at(question.marks[wrong_one(driver)], "difference"))
    assert "stays" in app.quiz.asked.words
    driver.click(*driver.at(question.marks[next(iter(question.right))], "difference"))
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT


@pytest.mark.parametrize("kind", [QuestionKind.VERTEX_A, QuestionKind.VERTEX_B])
def test_no_point_of_the_difference_helps_to_find_a_support_point(driver: Driver, kind: QuestionKind) -> None:
    app = driver.app
    app.files.load_preset("flat-worked-example")
    driver.frame(3)
    ask(driver, kind)
    question = app.quiz.asked.question
    taken = app.answers.analysis.polygon.corners[0]
    driver.move(*driver.at((*taken, 0.0), "difference"))
    driver.frame(2)
    assert app.work.view.hover is None or app.work.view.hover.kind != "pair"
    driver.click(*driver.at(question.marks[wrong_one(driver)]))
    assert "short of the farthest vertex along" in app.quiz.asked.words
    driver.click(*driver.at(question.marks[next(iter(question.right))]))
    assert app.quiz.asked.prediction.outcome is Outcome.RIGHT
    # Now it says again which vertices make it.
    driver.move(*driver.at((*taken, 0.0), "difference"))
    driver.frame(2)
    assert app.work.view.hover is not None

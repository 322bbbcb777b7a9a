"""Answers beside the window: at once what is fast, the rest the same as computed in one go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from itertools import count
from threading import Event, current_thread, get_native_id, main_thread

import numpy as np
import pytest
from msgspec.structs import replace
from pyglet.window import mouse

from app.controllers import background
from app.controllers.background import AnswerCache, Job
from app.draw.draw_list import Subject
from app.state.work import Document, Work
from core.analysis.analysis import Analysis, analyse
from core.analysis.methods import NO_LIMITS, Limits
from core.query.query import Phase, query
from core.scene import Body, Scene
from core.shapes import Box, Hull

from .patience import wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]


def hull(seed: int, count: int = 100) -> Hull:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return Hull.of(points / np.sqrt(np.einsum("ij,ij->i", points, points))[:, None])


HULLS = Scene(Body(hull(1)), Body(hull(2), (1.1, 0.4, 0.2)))
MOVED = Scene(HULLS.a, Body(HULLS.b.shape, (1.3, 0.1, 0.2)))
BOXES = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 2.0, 1.0)), (0.4, 0.2, 0.1)))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """No thread has its answer before this is set."""
    event = Event()

    def analyse_later(scene: Scene, limits: Limits = NO_LIMITS) -> Analysis:
        if current_thread() is not main_thread():
            event.wait()
        return analyse(scene, limits)

    monkeypatch.setattr(background, "analyse", analyse_later)
    yield event
    event.set()


def fresh() -> AnswerCache:
    """So far nothing is known."""
    return AnswerCache(Work(Document.new(HULLS), HULLS))


def arrived(answers: AnswerCache, scene: Scene) -> Analysis:
    """What is known once nothing is missing, asked as the window asks."""
    wait_for(lambda: not answers.about(scene, dragging=False).beyond_limits, "the answers")
    return answers.about(scene, dragging=False)


def assert_same(found: Analysis, expected: Analysis) -> None:
    assert found.scene == expected.scene
    assert found.limits == expected.limits == NO_LIMITS
    assert found.separation == expected.separation
    assert found.certainty == expected.certainty
    assert found.normal.tolist() == expected.normal.tolist()
    assert found.sat.winner == expected.sat.winner
    assert found.sat.separations.tolist() == expected.sat.separations.tolist()
    assert found.difference is not None
    assert expected.difference is not None
    assert found.difference.core.vertices.tolist() == expected.difference.core.vertices.tolist()


def test_what_is_fast_is_there_at_once_and_the_rest_follows_unchanged() -> None:
    answers = fresh()
    first = answers.about(HULLS, dragging=False)
    assert first.beyond_limits
    assert abs(first.separation - analyse(HULLS).separation) <= first.certainty.gap + 1e-12
    assert_same(arrived(answers, HULLS), analyse(HULLS))
    assert answers.about(HULLS, dragging=False) is answers.about(HULLS, dragging=True)


def test_small_bodies_are_answered_in_full_at_once_and_only_once() -> None:
    answers = fresh()
    known = answers.about(BOXES, dragging=False)
    assert known.limits == NO_LIMITS
    assert answers.about(BOXES, dragging=False) is known


def test_a_drag_computes_nothing_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    def unexpected(scene: Scene, work: object) -> None:
        raise AssertionError(scene, work)

    monkeypatch.setattr(background, "Job", unexpected)
    answers = fresh()
    assert answers.about(HULLS, dragging=True).beyond_limits
    assert answers.about(MOVED, dragging=True).beyond_limits


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux a thread has a niceness of its own")
def test_a_computation_asks_for_less_of_the_processor_than_the_program_however_nice_that_is() -> None:
    def niceness(_: object) -> int:
        return os.getpriority(os.PRIO_PROCESS, get_native_id())

    def nice_program(_: object) -> tuple[int, int, int]:
        own = os.nice(6)
        return own, Job(None, niceness).outcome(), Job(None, niceness, niceness=0).outcome()

    own, computing, waiting = Job(None, nice_program, niceness=0).outcome()
    assert computing == min(own + background.NICENESS, 19)
    assert waiting == own


def test_the_answer_is_about_the_scene_that_is_asked_last() -> None:
    answers = fresh()
    answers.about(HULLS, dragging=False)
    assert answers.about(MOVED, dragging=False).scene == MOVED
    assert_same(arrived(answers, MOVED), analyse(MOVED))


def test_a_scene_come_back_to_is_not_computed_again() -> None:
    answers = fresh()
    known = arrived(answers, HULLS)
    assert answers.about(MOVED, dragging=True).beyond_limits
    assert answers.about(HULLS, dragging=False) is known


def test_who_needs_everything_waits_for_it() -> None:
    answers = fresh()
    answers.about(HULLS, dragging=False)
    assert_same(answers.whole(HULLS), analyse(HULLS))
    assert answers.about(HULLS, dragging=False) is answers.whole(HULLS)
    assert_same(fresh().whole(MOVED), analyse(MOVED))


def test_an_error_comes_out_where_the_answer_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(scene: Scene, limits: Limits = NO_LIMITS) -> Analysis:
        if limits == NO_LIMITS:
            raise ArithmeticError("no answer")
        return analyse(scene, limits)

    monkeypatch.setattr(background, "analyse", failing)
    with pytest.raises(ArithmeticError, match="no answer"):
        arrived(fresh(), HULLS)


def test_a_released_drag_does_not_hold_the_window_and_its_answers_follow(driver: Driver, held: Event) -> None:
    app = driver.app
    app.ask.edit(HULLS, "Two hulls")
    driver.frame(2)
    held.set()
    app.answers.whole_analysis  # noqa: B018 - the first answers are waited for
    driver.frame(4)
    assert not app.answers.computing
    pane = app.builder.panes[0]
    in_pane = pane.projection.project(np.array([HULLS.b.position]))[0]
    x, y = in_pane[0] + pane.rect.x, in_pane[1] + pane.rect.y
    driver.press(x, y)
    for step in range(1, 6):
        driver.move(x + 8.0 * step, y, mouse.LEFT)
        driver.frame()
        assert app.answers.analysis.beyond_limits
        assert not app.answers.computing
    held.clear()
    driver.release(x + 40.0, y)
    assert app.answers.computing
    assert app.draw_frame() is not None
    scene = app.work.scene
    assert scene.b.position != HULLS.b.position
    assert (
        abs(app.answers.analysis.separation - analyse(scene).separation) <= app.answers.analysis.certainty.gap + 1e-12
    )
    held.set()
    wait_for(lambda: not app.answers.computing, "the answers")
    driver.frame()
    assert_same(app.answers.analysis, analyse(scene))


def test_no_axis_is_pinned_by_the_number_it_has_before_the_table_is_there(driver: Driver, held: Event) -> None:
    app = driver.app
    app.ask.edit(HULLS, "Two hulls")
    assert app.answers.computing
    app.cameras.look(replace(app.work.view, pin=Subject("axis", 0)))
    assert app.work.view.pin is None
    held.set()
    app.answers.whole_analysis  # noqa: B018 - waited for
    app.cameras.look(replace(app.work.view, pin=Subject("axis", 5)))
    assert app.work.view.pin == Subject("axis", 5)


def test_how_the_bodies_move_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, asked = fresh(), []

    def counted(scene: Scene, limits: Limits = NO_LIMITS) -> Analysis:
        asked.append(scene)
        return analyse(scene, limits)

    monkeypatch.setattr(background, "analyse", counted)
    before = answers.about(BOXES, dragging=False)
    moving = replace(BOXES, b=replace(BOXES.b, displacement=(1.0, 0.0, 0.0), angular_displacement=(0.0, 1.0, 0.0)))
    found = answers.about(moving, dragging=True)
    assert asked == [BOXES]
    assert found.scene is moving
    assert found.same_as(before)
    elsewhere = replace(moving, b=replace(moving.b, position=(0.4, 0.2, 0.2)))
    assert not answers.about(elsewhere, dragging=True).same_as(before)
    assert asked == [BOXES, elsewhere]


def test_what_is_on_its_way_serves_bodies_that_move_otherwise(held: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Scene] = []

    class CountedJob(Job[Scene, Analysis]):
        def __init__(self, scene: Scene, work: Callable[[Scene], Analysis]) -> None:
            jobs.append(scene)
            super().__init__(scene, work)

    monkeypatch.setattr(background, "Job", CountedJob)
    answers = fresh()
    assert answers.about(HULLS, dragging=False).beyond_limits
    moving = replace(HULLS, b=replace(HULLS.b, displacement=(1.0, 0.0, 0.0)))
    assert answers.about(moving, dragging=False).beyond_limits
    held.set()
    assert_same(arrived(answers, moving), analyse(moving))
    assert jobs == [HULLS]
    # And what was known in full serves again after other bodies.
    assert answers.about(MOVED, dragging=True).beyond_limits
    assert_same(answers.about(HULLS, dragging=True), analyse(HULLS))


# ---- contacts that take longer than a drag has ----


def beside(x: float) -> Scene:
    return Scene(BOXES.a, Body(BOXES.b.shape, (x, 0.2, 0.1)))


def ticking(seconds: float) -> AnswerCache:
    """Every manifold takes so long."""
    ticks = count()
    return AnswerCache(Work(Document.new(BOXES), BOXES), lambda: next(ticks) * seconds)


def test_contacts_of_a_drag_stand_where_they_are_slow_and_follow_on_the_release() -> None:
    answers = ticking(0.006)
    resting = answers.about(beside(0.4), dragging=False)
    assert not resting.contacts_earlier
    # Once may have been a chance: the first of the drag is made anew.
    first = answers.about(beside(0.41), dragging=True)
    assert not first.contacts_earlier
    for x in (0.42, 0.43):
        dragged, whole = answers.about(beside(x), dragging=True), analyse(beside(x))
        assert dragged.contacts_earlier
        assert dragged.contacts is first.contacts
        assert (dragged.verdict, dragged.separation) == (whole.verdict, whole.separation)
        assert dragged.normal.tolist() == whole.normal.tolist()
    apart = answers.about(beside(3.0), dragging=True)
    assert not apart.contacts_earlier
    assert apart.contacts is not None
    assert not apart.contacts.contacts
    assert answers.about(beside(0.43), dragging=True).contacts_earlier
    released = answers.about(beside(0.43), dragging=False)
    assert not released.contacts_earlier
    assert released.contacts is not None
    whole = analyse(beside(0.43))
    assert whole.contacts is not None
    assert [it.depth for it in released.contacts.contacts] == [it.depth for it in whole.contacts.contacts]
    # The next drag has a chance of its own.
    assert not answers.about(beside(0.44), dragging=True).contacts_earlier


def test_contacts_of_a_drag_are_made_anew_where_they_are_quick() -> None:
    answers = ticking(0.004)
    for x in (0.4, 0.41, 0.42, 0.43):
        assert not answers.about(beside(x), dragging=True).contacts_earlier


def test_the_steps_of_contacts_that_stand_are_those_of_the_moment_before() -> None:
    before = query(analyse(beside(0.4)))
    later = replace(analyse(beside(0.45)), earlier=before.manifold)
    found = query(later, before.settings, before=before)
    assert [it.step for it in found.moments if it.phase is Phase.CONTACTS] == [
        it.step for it in before.moments if it.phase is Phase.CONTACTS
    ]
    assert found.manifold is before.manifold
    assert found.distance is not before.distance

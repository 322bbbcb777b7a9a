"""Answers about motions in slices: never longer than a slice at a time, given up with their scene, and the same."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from msgspec.structs import replace

import app.controllers.background as background
import core.analysis.motion_answers as motion_answers
from app.controllers.background import ANSWER_SECONDS, Sweeps
from app.state.playback import at_place
from app.state.view import View
from core.analysis.motion_answers import SweepAnswer, sweep
from core.query.query import MOTION_PHASES
from core.scene import Body, Scene
from core.shapes import Box
from tests.motion_judge import general, grazing

from .window_rig import Driver, driver

__all__ = ["driver"]

TICK = 1e-3
"""Seconds that pass on the tests' clock with every look at it: one after each part."""

LONG = grazing(np.random.default_rng(3), "ellipsoid", "ellipsoid")
SHORT = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.1, 0.2), displacement=(-3.0, 0.0, 0.0)))


def ticking() -> Sweeps:
    ticks = count()
    return Sweeps(lambda: TICK * next(ticks))


def same(found: SweepAnswer | None, right: SweepAnswer | None) -> bool:
    assert found is not None
    assert right is not None
    return found.result.time == right.result.time and found.disagreements == right.disagreements


def finished(sweeps: Sweeps, scene: Scene) -> int:
    """How many further slices it takes."""
    for slices in count():
        if sweeps.about(scene, dragging=False) is not None:
            return slices
        assert sweeps.in_slices
        sweeps.go_on(scene, dragging=False)
    raise AssertionError("counting ended")


def test_a_long_answer_comes_in_slices_and_is_the_same() -> None:
    sweeps = ticking()
    assert sweeps.about(LONG, dragging=False) is None
    assert finished(sweeps, LONG) >= 2
    assert not sweeps.in_slices
    assert same(sweeps.about(LONG, dragging=False), sweep(LONG))


@pytest.mark.parametrize("dragging", [False, True])
def test_no_slice_is_longer_than_its_share_of_a_frame(dragging: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [0]

    def counted(scene: Scene):
        for _ in range(1000):
            parts[0] += 1
            yield

    monkeypatch.setattr(motion_answers, "sweep_in_parts", counted)
    sweeps = ticking()
    for slices in range(1, 4):
        sweeps.about(LONG, dragging=dragging) if slices == 1 else sweeps.go_on(LONG, dragging=dragging)
        assert parts[0] <= slices * (ANSWER_SECONDS / TICK + 1)


def test_asking_again_in_one_frame_takes_no_further_slice() -> None:
    sweeps = ticking()
    sweeps.about(LONG, dragging=False)
    for _ in range(1000):
        assert sweeps.about(LONG, dragging=False) is None


def test_another_scene_takes_the_place_of_one_that_is_not_finished() -> None:
    sweeps = ticking()
    assert sweeps.about(LONG, dragging=False) is None
    other = grazing(np.random.default_rng(4), "ellipsoid", "ellipsoid")
    assert sweeps.about(other, dragging=False) is None
    sweeps.go_on(LONG, dragging=False)
    finished(sweeps, other)
    assert same(sweeps.about(other, dragging=False), sweep(other))
    assert not sweeps.knows(LONG)


def test_after_one_that_is_not_there_a_drag_begins_no_other_until_it_rests() -> None:
    sweeps = ticking()
    assert not sweeps.slow
    assert sweeps.about(LONG, dragging=True) is None
    assert sweeps.slow
    scene = replace(LONG)
    assert sweeps.about(scene, dragging=True) is None
    assert not sweeps.in_slices
    finished(sweeps, scene)
    assert same(sweeps.about(scene, dragging=False), sweep(LONG))
    assert not sweeps.slow


def test_what_is_a_little_late_is_shown_but_not_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "ANSWER_SECONDS", 1.0)
    sweeps = ticking()
    for _ in range(2):
        scene = replace(LONG)
        assert not sweeps.slow
        assert same(sweeps.about(scene, dragging=True), sweep(LONG))
    assert sweeps.slow
    assert sweeps.about(replace(LONG), dragging=True) is None


def test_after_one_that_was_quick_a_drag_is_followed_again() -> None:
    sweeps = Sweeps(lambda: 0.0)
    assert same(sweeps.about(SHORT, dragging=True), sweep(SHORT))
    assert not sweeps.slow


def test_whoever_waits_gets_it_at_once() -> None:
    sweeps = ticking()
    sweeps.about(LONG, dragging=False)
    assert same(sweeps.whole(LONG), sweep(LONG))
    assert sweeps.knows(LONG)
    assert not sweeps.in_slices


def test_bodies_that_do_not_move_have_none() -> None:
    sweeps = ticking()
    still = general(np.random.default_rng(0), "box", "cone")
    still = replace(still, a=Body(still.a.shape), b=replace(still.b, displacement=(0.0,) * 3))
    still = replace(still, b=replace(still.b, angular_displacement=(0.0,) * 3))
    assert sweeps.about(still, dragging=False) is None
    assert sweeps.knows(still)


def test_the_window_draws_on_until_the_answer_is_there(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    monkeypatch.setattr(background, "ANSWER_SECONDS", 0.0)
    app.ask.edit(LONG, "Two ellipsoids")
    driver.frame(2)
    frames = 0
    while app.motion.sweep is None:
        assert app.motion.sweep_waits
        assert app.steps.next_in(0.0) == 0.0
        driver.frame()
        frames += 1
    assert frames >= 3
    assert not app.motion.sweep_waits
    assert same(app.motion.sweep, sweep(LONG))


@pytest.mark.slow
def test_a_file_opens_at_a_step_of_the_motion_as_soon_as_it_is_there(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    app.ask.open_scene(LONG, View(), "Motion")
    driver.frame(2)
    app.steps.toggle_timeline()
    app.motion.whole_sweep  # noqa: B018 - waited for
    app.ask.play(at_place(app.work.playback, app.steps.all, len(app.steps.all.moments) - 2))
    kept = app.steps.kept_view
    assert kept.step == len(app.steps.all.moments) - 1
    monkeypatch.setattr(background, "ANSWER_SECONDS", 0.0)
    app.ask.open_scene(replace(LONG, name="again"), kept, "Motion")
    assert app.motion.sweep_waits
    assert app.work.playback.open
    while app.motion.sweep_waits:
        assert app.steps.moment.phase not in MOTION_PHASES
        driver.frame()
    driver.frame()
    assert app.steps.place == kept.step - 1
    assert app.steps.moment.phase in MOTION_PHASES
    # Who goes elsewhere meanwhile stays there.
    app.ask.open_scene(replace(LONG, name="once more"), kept, "Motion")
    app.ask.play(at_place(app.work.playback, app.steps.all, 1))
    while app.motion.sweep_waits:
        driver.frame()
    driver.frame(2)
    assert app.steps.place == 1

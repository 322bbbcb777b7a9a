"""The bodies' motion in the real application: keys, the arrow under the mouse, playing, and what waits in a drag."""

from __future__ import annotations

from pathlib import Path
from threading import Event, current_thread, main_thread

import numpy as np
import pytest
from msgspec.structs import replace
from pyglet.window import key

import app.controllers.background as background
import app.controllers.playback as playback
import core.analysis.motion_answers as motion_answers
from app.draw.draw_list import Subject
from app.input.manipulation import arrow_tip
from app.io.scene_file import read, write
from core.analysis.motion_answers import SweepAnswer, sweep
from core.scene import Body, Scene
from core.shapes import Hull

from .patience import wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]


def tip(driver: Driver, index: int) -> tuple[float, float]:
    pane = driver.pane()
    marks = driver.app.builder.placed[driver.app.builder.panes.index(pane)].marks
    x, y = marks.centre[marks.subjects.index(Subject("motion", index))]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


def test_a_body_is_displaced_by_its_ring_as_one_undo_entry(driver: Driver) -> None:
    app = driver.app
    scene = app.work.scene
    assert not app.motion.shown
    driver.key("Shift+M")
    driver.frame(3)
    assert app.motion.shown
    assert app.motion.sweep is None
    x, y = tip(driver, 1)
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == app.events.hot == Subject("motion", 1)
    driver.drag((x, y), (x + 60.0, y - 30.0))
    assert any(app.work.scene.b.displacement)
    assert replace(app.work.scene.b, displacement=(0.0, 0.0, 0.0)) == scene.b
    assert app.work.scene.a == scene.a
    assert tip(driver, 1) == pytest.approx(driver.at(arrow_tip(app.work.scene, 1)), abs=0.05)
    assert app.work.document.undo_label == "Displace B"
    assert app.motion.sweep is not None
    assert app.motion.sweep.result.time == sweep(app.work.scene).result.time
    driver.key("Ctrl+Z")
    assert app.work.scene == scene


def test_escape_puts_the_arrow_back_and_the_keys_hold_and_snap_it(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("tunnelling")
    driver.frame(4)
    before = app.work.scene.b.displacement
    x, y = tip(driver, 1)
    driver.drag((x, y), (x - 30.0, y + 25.0), release=False)
    assert app.work.scene.b.displacement != before
    assert str(app.events.gestures.readout).startswith("B moves ")
    driver.send("on_key_press", key.Y, 0)
    driver.frame()
    change = np.array(app.work.scene.b.displacement) - before
    assert change[0] == change[2] == 0.0
    assert change[1] != 0.0
    driver.send("on_key_release", key.Y, 0)
    driver.send("on_key_press", key.LCTRL, key.MOD_CTRL)
    driver.frame()
    step = app.preferences.settings.snap_length
    snapped = (np.array(app.work.scene.b.displacement) - before) / step
    assert np.allclose(snapped, np.round(snapped), atol=1e-9)
    driver.send("on_key_release", key.LCTRL, 0)
    driver.send("on_key_press", key.ESCAPE, 0)
    driver.send("on_key_release", key.ESCAPE, 0)
    driver.frame()
    assert app.work.scene.b.displacement == before
    driver.release(x - 30.0, y + 25.0)
    driver.frame(2)
    assert app.work.scene.b.displacement == before
    assert app.work.document.undo_label is None


def test_the_impact_is_followed_while_the_arrow_is_dragged(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    monkeypatch.setattr(background, "QUICK", 10.0)
    monkeypatch.setattr(background, "ANSWER_SECONDS", 10.0)
    app.files.load_preset("tunnelling")
    driver.frame(4)
    first = app.motion.sweep.result.time
    x, y = tip(driver, 1)
    driver.drag((x, y), (x + 40.0, y), release=False)
    assert app.work.view.time is None
    assert app.motion.sweep.result.time != first
    driver.release(x + 40.0, y)
    driver.frame(2)


def test_keys_go_to_the_start_and_to_the_impact_and_hide_it(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("tunnelling")
    driver.frame(3)
    app.invoke("motion.start")
    assert app.work.view.time == 0.0
    app.invoke("motion.end")
    assert app.work.view.time == 1.0
    app.invoke("motion.impact")
    assert app.work.view.time is None
    driver.key("Shift+M")
    assert not app.motion.shown
    assert app.motion.sweep is None
    driver.key("Shift+M")
    assert app.motion.shown


def test_it_plays_from_the_start_to_the_end_and_rests(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("tunnelling")
    driver.frame(3)
    app.invoke("motion.play")
    assert app.work.motion_playing
    assert app.work.view.time == 0.0
    app.steps.play_on(100.0)
    app.steps.play_on(100.0 + 0.25 * playback.PLAYING_TIME)
    assert app.work.view.time == pytest.approx(0.25)
    assert app.steps.next_in(101.0) is not None
    app.steps.play_on(100.0 + 2.0 * playback.PLAYING_TIME)
    assert app.work.view.time == 1.0
    assert not app.work.motion_playing
    app.invoke("motion.play")
    assert app.work.view.time == 0.0
    app.files.load_preset("skew-edges")
    app.steps.play_on(200.0)
    assert not app.work.motion_playing


def test_an_answer_that_is_slow_waits_for_the_release(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    app.files.load_preset("turning-boxes")
    driver.frame(4)
    known = app.motion.sweep
    assert known is not None
    monkeypatch.setattr(background, "QUICK", -1.0)
    x, y = tip(driver, 1)
    driver.drag((x, y), (x + 30.0, y), release=False)
    assert app.motion.sweep_waits
    assert app.motion.sweep is None
    driver.release(x + 30.0, y)
    driver.frame(2)
    assert not app.motion.sweep_waits
    assert app.motion.sweep is not None
    assert app.motion.sweep is not known


def test_another_scene_is_shown_as_it_is(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+M")
    app.files.load_preset("tunnelling")
    app.motion.show_time(0.25)
    app.files.load_preset("two-spheres")
    assert (app.work.view.motion, app.work.view.time) == (None, None)
    assert not app.motion.shown


def test_a_file_keeps_the_motion_and_its_time(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.files.load_preset("turning-boxes")
    driver.frame(2)
    app.motion.show_time(0.375)
    loaded = read(write(app.work.document.committed, app.steps.kept_view))
    assert loaded.scene.b.displacement == app.work.scene.b.displacement
    assert loaded.scene.b.angular_displacement == app.work.scene.b.angular_displacement
    assert loaded.view.time == 0.375


def test_taking_the_motion_away_is_one_edit(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("turning-boxes")
    driver.frame(2)
    app.invoke("motion.stop")
    assert not any((*app.work.scene.a.angular_displacement, *app.work.scene.b.displacement))
    assert app.work.document.undo_label == "Remove the motion"
    app.edits.undo()
    assert any(app.work.scene.b.displacement)


def sphere_hull(seed: int) -> Hull:
    """A hull of 120 points of the unit sphere."""
    points = np.random.default_rng(seed).normal(size=(120, 3))
    return Hull.of(points / np.sqrt(np.einsum("ij,ij->i", points, points))[:, None])


DENSE = Scene(Body(sphere_hull(1)), Body(sphere_hull(2), (4.0, 0.3, 0.2), displacement=(-3.0, 0.1, 0.2)))


def test_the_answer_about_dense_hulls_comes_from_a_thread(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    driver.frame(2)
    held, names = Event(), []

    def slowly(scene: Scene) -> SweepAnswer | None:
        names.append(current_thread() is main_thread())
        held.wait()
        return sweep(scene)

    monkeypatch.setattr(motion_answers, "sweep", slowly)
    try:
        app.ask.edit(DENSE, "Two hulls")
        app.answers.whole_analysis  # noqa: B018 - only the motion is waited for
        driver.frame(3)
        assert app.motion.sweep is None
        assert app.motion.sweep_waits
        assert app.steps.next_in(0.0) is not None
        assert names == [False]
    finally:
        held.set()
    wait_for(lambda: app.motion.sweep is not None, "the answer about the motion")
    driver.frame()
    assert not app.motion.sweep_waits
    assert names == [False]
    right = sweep(DENSE)
    assert right is not None
    assert app.motion.sweep.result.time == right.result.time
    # It is not tried during a drag.
    app.ask.preview(replace(DENSE, b=replace(DENSE.b, displacement=(-2.9, 0.1, 0.2))))
    assert app.motion.sweep_waits
    assert app.motion.sweep is None
    assert names == [False]
    app.ask.preview(None)


def test_of_two_edits_the_last_is_answered(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(DENSE, "Two hulls")
    _ = app.motion.sweep
    other = replace(DENSE, b=replace(DENSE.b, displacement=(-2.9, 0.1, 0.2)))
    app.ask.edit(other, "Another way")
    wait_for(lambda: app.motion.sweep is not None, "the answer about the motion")
    right = sweep(other)
    assert right is not None
    assert app.motion.sweep.result.time == right.result.time

"""The motion's steps in the real application: keys through all phases, an arrow dragged at one, a file kept at one."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import app.controllers.background as background
from app.io.scene_file import load, write
from app.probes import RayLook, RayProbe
from core.query.query import MOTION_PHASES, MotionStep, Phase

from .test_window_motion import tip
from .window_rig import Driver, driver

__all__ = ["driver"]


def open_preset(driver: Driver, name: str) -> None:
    """Shows a preset with the answer about its motion."""
    driver.app.files.load_preset(name)
    assert driver.app.motion.whole_sweep is not None
    driver.frame(3)


@pytest.mark.nightly("windows")
def test_keys_lead_through_the_phases_of_the_motion_and_the_bar_follows(driver: Driver) -> None:
    app = driver.app
    open_preset(driver, "tunnelling")
    driver.key("T")
    driver.key("Ctrl+Home")
    seen: list[Phase] = []
    for _ in range(len(app.steps.all.phases) + 1):
        driver.frame(2)
        assert app.steps.moment is not None
        seen.append(app.steps.moment.phase)
        if isinstance(app.steps.moment.step, MotionStep):
            assert app.panel_state().time == app.steps.moment.step.time
        driver.key("Ctrl+Right")
    assert list(dict.fromkeys(seen)) == [phase for phase, _, _ in app.steps.all.phases]
    assert set(seen[-4:]) <= MOTION_PHASES
    driver.key("Ctrl+Home")
    driver.frame(2)
    assert app.steps.moment.phase is Phase.SAT


def test_an_arrow_is_dragged_at_a_step_which_stays(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    monkeypatch.setattr(background, "QUICK", 10.0)
    open_preset(driver, "tunnelling")
    app.steps.play(replace(app.work.playback, open=True, phase=Phase.RAY, index=1))
    driver.frame(4)
    before = app.work.scene.b.displacement
    x, y = tip(driver, 1)
    driver.drag((x, y), (x + 12.0, y - 9.0))
    driver.frame(3)
    assert app.work.scene.b.displacement != before
    assert app.steps.moment is not None
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.RAY, 1)


def test_a_saved_scene_opens_at_its_step(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    open_preset(driver, "sphere-past-a-box")
    app.steps.play(replace(app.work.playback, open=True, phase=Phase.REGIONS, index=2))
    driver.frame(3)
    place = app.steps.place
    path = tmp_path / "at-a-step.json"
    path.write_text(write(app.work.scene, app.steps.kept_view), encoding="utf-8")
    assert load(path).view is not None
    app.files.load_preset("skew-edges")
    driver.frame(2)
    app.files.open_now(path)
    driver.frame(3)
    assert app.work.playback.open
    assert app.steps.place == place
    assert app.steps.moment is not None
    assert (app.steps.moment.phase, app.steps.moment.index) == (Phase.REGIONS, 2)


def test_hiding_the_motion_at_one_of_its_steps_leaves_the_start(driver: Driver) -> None:
    app = driver.app
    open_preset(driver, "balls-head-on")
    app.steps.play(replace(app.work.playback, open=True, phase=Phase.SPHERES, index=1))
    driver.frame(3)
    driver.key("Shift+M")
    driver.frame(3)
    assert app.steps.moment is not None
    assert app.steps.moment.phase not in MOTION_PHASES
    driver.key("Shift+M")
    driver.frame(3)
    assert app.steps.moment.phase is Phase.SPHERES


def test_the_step_keys_walk_through_a_probes_ray_cast(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("two-hulls")
    driver.frame(3)
    driver.key("Shift+C")
    driver.click(*driver.at(app.work.scene.a.pose.position))
    driver.frame(2)
    assert isinstance(app.work.view.probe, RayProbe)
    app.cameras.look(replace(app.work.view, probe=replace(app.work.view.probe, look=RayLook.CAST)))
    driver.frame(2)
    shown = []
    for name in ("Right", "Right", "Left", "Left", "Left"):
        driver.key(name)
        driver.frame(1)
        assert isinstance(app.work.view.probe, RayProbe)
        shown.append(app.work.view.probe.step)
    assert shown[0] == 1
    assert shown[-1] == 0
    assert all(step >= 0 for step in shown)
    for _ in range(300):
        app.invoke("steps.next")
    last = app.work.view.probe.step
    app.invoke("steps.next")
    assert app.work.view.probe.step == last < 256

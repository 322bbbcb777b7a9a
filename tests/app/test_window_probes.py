"""The probes in the real application: keys, drags, the shot, what Escape puts away, the card and its numbers."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Projection
from app.draw.draw_list import Subject
from app.io.scene_file import read, write
from app.panels.viewport_bottom import AIM_HINT, PROBE_HINT, hint_for
from app.probes import Aim, PlaneProbe, PointProbe, RayLook, RayProbe, ScaleProbe
from app.probes.ray import ray_of
from app.state.view import Panes

from .window_rig import Driver, driver

__all__ = ["driver"]


def handle(driver: Driver, number: int) -> tuple[float, float]:
    pane = driver.pane()
    marks = driver.app.builder.placed[driver.app.builder.panes.index(pane)].marks
    x, y = marks.centre[marks.subjects.index(Subject("probe", number))]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


@pytest.mark.parametrize(("chord", "kind"), [("Shift+P", PointProbe), ("Shift+T", PlaneProbe)])
def test_a_key_brings_a_probe_that_is_dragged_and_takes_it_away(driver: Driver, chord: str, kind: type) -> None:
    app = driver.app
    driver.key(chord)
    driver.frame(2)
    first = app.work.view.probe
    assert isinstance(first, kind)
    scene, undo = app.work.scene, app.work.document.undo_label
    x, y = handle(driver, 0)
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == app.events.hot == Subject("probe", 0)
    assert hint_for(app.panel_state()) == PROBE_HINT
    driver.drag((x, y), (x - 30.0, y + 20.0))
    assert app.work.view.probe != first
    assert handle(driver, 0) == pytest.approx((x - 30.0, y + 20.0), abs=0.05)
    assert (app.work.scene, app.work.document.undo_label) == (scene, undo)
    driver.key(chord)
    assert app.work.view.probe is None


def test_a_ray_is_aimed_shot_and_looked_at_from_the_side(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+C")
    assert app.work.view.probe == Aim()
    assert hint_for(app.panel_state()) == AIM_HINT
    camera, (x, y) = app.work.view.world, driver.on_b
    driver.click(x, y)
    probe = app.work.view.probe
    assert isinstance(probe, RayProbe)
    assert probe.camera == camera == app.work.view.world
    assert app.work.selection is None
    ray = ray_of(probe)
    seen = Projection(camera, *probe.size).project(np.array([app.work.scene.b.position]))[0, :2]
    assert probe.pixel == pytest.approx(tuple(seen), abs=1.0)
    driver.key("Shift+L")
    rect = driver.pane().rect
    for point in (ray.eye, ray.near, *ray.corners, app.work.scene.a.position, app.work.scene.b.position):
        u, v = driver.at(point)
        assert rect.contains(u, v)
    assert app.work.view.world.yaw != camera.yaw
    app.invoke("ray.eye")
    assert app.work.view.world == camera
    driver.key("Shift+C")
    driver.key("Shift+C")
    assert app.work.view.probe is None


def test_escape_leaves_the_aim_first_and_the_probe_last(driver: Driver) -> None:
    app = driver.app
    app.work.selection = 1
    driver.key("Shift+C")
    driver.key("Escape")
    assert (app.work.view.probe, app.work.selection) == (None, 1)
    driver.key("Shift+P")
    driver.key("Escape")
    assert isinstance(app.work.view.probe, PointProbe)
    assert app.work.selection is None
    driver.key("Escape")
    assert app.work.view.probe is None


def test_the_card_is_there_with_the_probe_and_not_beside_steps(driver: Driver) -> None:
    driver.key("Shift+P")
    driver.frame(3)
    rect = driver.pane("difference").rect
    place = rect.x + 60.0, 120.0
    assert driver.app.host.covers(*place)
    driver.key("T")
    driver.frame(3)
    assert not driver.app.host.covers(*place)
    driver.key("Shift+T")
    driver.frame(3)
    assert not driver.app.work.playback.open
    assert driver.app.host.covers(*place)


def test_the_planes_commands_flip_it_and_put_it_away(driver: Driver) -> None:
    app = driver.app
    assert not app.commands.named("plane.flip").enabled(app)
    driver.key("Shift+T")
    app.invoke("plane.flip")
    assert app.work.view.probe.flipped
    app.invoke("probe.away")
    assert app.work.view.probe is None


def test_space_is_scaled_only_where_it_can_be(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+E")
    assert app.work.view.probe is None
    app.files.load_preset("ellipsoid-and-plane")
    driver.frame(3)
    assert app.work.view.probe == ScaleProbe(0.0)
    driver.key("Shift+E")
    assert app.work.view.probe is None
    driver.key("Shift+E")
    assert app.work.view.probe == ScaleProbe(0.0)


def test_another_scene_has_no_probe_and_a_file_keeps_one(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+P")
    text = write(app.work.scene, app.steps.kept_view)
    assert read(text).view.probe == app.work.view.probe
    app.files.load_preset("stacked-cubes")
    assert app.work.view.probe is None


@pytest.mark.parametrize("look", RayLook)
@pytest.mark.parametrize("panes", [Panes.WORLD, Panes.BOTH, Panes.DIFFERENCE])
@pytest.mark.sampled(3, "windows")
def test_every_look_at_a_ray_is_drawn_in_every_arrangement(driver: Driver, look: RayLook, panes: Panes) -> None:
    app = driver.app
    app.files.load_preset("ray-past-a-cube")
    driver.frame(2)
    app.cameras.show_panes(panes)
    for body in (0, 1):
        app.cameras.look(replace(app.work.view, probe=replace(app.work.view.probe, look=look, body=body, step=1)))
        driver.frame(2)
    assert app.work.view.probe.look is look


def test_a_question_puts_the_probe_away_and_brings_it_back(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+P")
    before = app.work.view.probe
    for _ in range(200):
        driver.frame()
        if not app.answers.analysis.beyond_limits:
            break
    app.invoke("predict.ask")
    assert app.quiz.asked is not None
    assert app.work.view.probe is None
    app.quiz.stop()
    assert app.work.view.probe == before

"""Scenes of the plane in the real application without a display: seen straight on, edited, saved."""

from __future__ import annotations

from pathlib import Path

from app.io.presets import load_preset
from app.io.scene_file import load
from core.pair.cores import to_world
from tests.app.window_rig import Driver, driver

__all__ = ["driver"]


def show(driver: Driver, name: str) -> None:
    driver.app.files.load_preset(name)
    driver.frame(3)


def test_the_plane_is_always_seen_straight_on(driver: Driver) -> None:
    before = driver.app.work.view
    driver.app.files.load_preset("skew-edges")
    driver.frame(2)
    space = driver.app.work.view.world
    show(driver, "flat-hexagon-pentagon")
    for key in ("7", "3", "5", "Home", "F"):
        driver.key(key)
        camera = driver.app.work.view.world
        assert (camera.yaw, camera.pitch, camera.orthographic, camera.z_up) == (0.0, 0.0, True, False)
    target = driver.app.work.view.world.target
    driver.drag((40.0, 300.0), (90.0, 320.0))
    assert driver.app.work.view.world.target != target
    assert (driver.app.work.view.world.yaw, driver.app.work.view.world.target[2]) == (0.0, 0.0)
    driver.app.files.load_preset("skew-edges")
    driver.frame(2)
    after = driver.app.work.view.world
    assert (after.yaw, after.pitch, after.orthographic) == (space.yaw, space.pitch, space.orthographic)
    assert before.world.orthographic is False


def test_a_new_scene_of_the_plane_is_one_key_away(driver: Driver) -> None:
    driver.key("Ctrl+Shift+N")
    driver.frame(2)
    assert driver.app.work.scene.dimension == 2
    assert driver.app.work.document.path is None
    driver.key("Ctrl+N")
    driver.frame(2)
    assert driver.app.work.scene.dimension == 3


def test_bodies_are_moved_and_turned_by_the_mouse(driver: Driver) -> None:
    show(driver, "flat-hexagon-pentagon")
    scene, x_y = driver.app.work.scene, driver.on_b
    driver.drag(x_y, (x_y[0] + 30.0, x_y[1] - 20.0))
    moved = driver.app.work.scene
    assert moved.dimension == 2
    assert moved.b.position[0] > scene.b.position[0]
    assert moved.b.position[1] > scene.b.position[1]
    assert driver.app.work.document.undo_label == "Move B"
    driver.key("Ctrl+Z")
    assert driver.app.work.scene == scene
    away = driver.at((scene.b.position[0] + 0.5, scene.b.position[1], 0.0))
    from pyglet.window import key

    driver.drag(away, (away[0], away[1] - 30.0), modifiers=key.MOD_SHIFT)
    assert driver.app.work.scene.b.angle > scene.b.angle
    assert driver.app.work.scene.b.position == scene.b.position
    driver.key("Ctrl+Z")
    driver.drag(x_y, (x_y[0] + 40.0, x_y[1]), release=False)
    driver.key("Escape")
    driver.release(*x_y)
    driver.frame(2)
    assert driver.app.work.scene == scene


def test_a_vertex_is_dragged_in_the_window(driver: Driver) -> None:
    show(driver, "flat-hexagon-pentagon")
    driver.click(*driver.on_b)
    assert driver.app.work.selection == 1
    driver.frame(2)
    body = driver.app.work.scene.b
    corner = driver.at((*to_world(body, body.shape.points[0]), 0.0))
    driver.drag(corner, (corner[0] + 25.0, corner[1]))
    changed = driver.app.work.scene.b
    assert driver.app.work.document.undo_label == "Move B.v0"
    assert changed.shape.points[1:] == body.shape.points[1:]
    assert to_world(changed, changed.shape.points[0])[0] > to_world(body, body.shape.points[0])[0]


def test_a_circle_is_resized_by_its_handles(driver: Driver) -> None:
    show(driver, "flat-circle-corner")
    before = driver.app.work.scene
    assert before.dimension == 2
    driver.click(*driver.on_b)
    driver.key("R")
    driver.frame(2)
    x, y, _ = before.b.position
    grip = driver.at((x + before.b.shape.radius, y, 0.0))
    driver.drag((grip[0] + 12.0, grip[1]), (grip[0] + 32.0, grip[1]))
    after = driver.app.work.scene
    assert after.dimension == 2
    assert driver.app.work.document.undo_label == "Resize B"
    assert after.b.shape.radius > before.b.shape.radius
    assert after.b.position == before.b.position
    driver.key("Ctrl+Z")
    assert driver.app.work.scene == before


def test_dragging_the_difference_moves_b(driver: Driver) -> None:
    show(driver, "flat-hexagon-pentagon")
    scene = driver.app.work.scene
    start = driver.at((-0.9, -0.7, 0.0), "difference")
    driver.drag(start, (start[0] + 30.0, start[1]))
    assert driver.app.work.scene.b.position[0] < scene.b.position[0]


def test_what_is_of_space_is_disabled_and_says_why(driver: Driver) -> None:
    show(driver, "flat-worked-example")
    for name in ("view.top", "overlay.gauss", "probe.point", "hull.a"):
        if name not in {command.id for command in driver.app.commands.commands}:
            continue
        command = driver.app.commands.named(name)
        assert not command.runs(driver.app)
        driver.app.invoke(name)
        reason = command.unavailable_in[2]
        assert reason in [notice.message for notice in driver.app.notices.now()]
        assert command.tooltip(driver.app) == reason
    driver.app.files.load_preset("skew-edges")
    of_plane = driver.app.commands.named("overlay.sum")
    driver.app.invoke("overlay.sum")
    assert of_plane.tooltip(driver.app) == of_plane.unavailable_in[3] != of_plane.tip
    assert of_plane.unavailable_in[3] in [notice.message for notice in driver.app.notices.now()]
    assert driver.app.commands.named("view.top").runs(driver.app)


def test_the_panels_of_the_plane_draw_and_follow(driver: Driver) -> None:
    show(driver, "flat-worked-example")
    if not driver.app.preferences.settings.panels:
        driver.key("Tab")
    driver.frame(4)
    driver.key("T")
    for _ in range(6):
        driver.key("Right")
    driver.app.invoke("edit.copy")
    text = driver.app.window.paste()
    show(driver, "flat-inside")
    driver.app.files.paste(text)
    driver.frame(3)
    assert driver.app.work.scene == load_preset("flat-worked-example").scene
    driver.key("T")
    driver.key("Tab")


def test_saving_and_reloading(driver: Driver, tmp_path: Path) -> None:
    show(driver, "flat-circle-corner")
    x_y = driver.on_b
    driver.drag(x_y, (x_y[0] + 21.0, x_y[1]))
    scene, path = driver.app.work.scene, tmp_path / "mine.json"
    driver.app.files.save_to(path)
    assert not driver.app.work.document.unsaved
    assert load(path).scene == scene
    show(driver, "flat-inside")
    driver.app.files.open_now(path)
    driver.frame(2)
    assert driver.app.work.scene == scene

"""In the real window another scene is framed once: its first picture stands still."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.panels.viewport_bottom import MOVED_WINDOW
from core.scene import Body
from core.shapes import Capsule, Sphere

from .window_rig import Driver, driver

__all__ = ["driver"]

NAMES = ("box-on-plate", "two-spheres", "flat-worked-example", "point-in-convex", "mujoco-thin-grazing")


@pytest.mark.parametrize("name", NAMES)
def test_the_first_picture_of_another_scene_stands_still(driver: Driver, name: str) -> None:
    app = driver.app
    app.files.load_preset(name)
    driver.frame()
    first = app.work.view.world, app.work.view.difference, app.cameras.covered.card
    assert app.cameras.covered.card > (0.0, 0.0), "the card of the notes is known to the first picture"
    for _ in range(6):
        driver.frame()
        assert (app.work.view.world, app.work.view.difference, app.cameras.covered.card) == first


def test_opening_the_steps_frames_once(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("skew-edges")
    driver.frame(4)
    app.steps.play(replace(app.work.playback, open=True))
    driver.frame()
    assert app.steps.query is not None
    first = app.work.view.world, app.work.view.difference
    driver.frame(6)
    assert (app.work.view.world, app.work.view.difference) == first


def test_another_pair_altogether_is_framed_as_if_opened(driver: Driver) -> None:
    """A random pair stuck out of its pane, framed for the pair before it; undo brings the first picture back."""
    app = driver.app
    driver.frame(4)
    first = app.work.view.world, app.work.view.difference
    capsule, sphere = Body(Capsule(0.4, 1.5), (3.0, 1.0, 0.0)), Body(Sphere(0.4), (3.5, 1.5, 0.5))
    app.edits.edit(replace(app.work.scene, a=capsule, b=sphere), "Random pair")
    driver.frame(4)
    shown = app.work.view
    app.cameras.frame()
    assert (shown.world, shown.difference) == (app.work.view.world, app.work.view.difference)
    app.edits.undo()
    driver.frame(4)
    assert (app.work.view.world, app.work.view.difference) == first


def test_the_panels_settle_after_a_notice_that_went_by_itself(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The box of those that stay kept its room until the pointer moved."""
    app = driver.app
    marked: list[str] = []
    app.notices.notify("soon gone")
    driver.frame(3)
    monkeypatch.setattr(app.window, "mark_dirty", lambda *_: marked.append("dirty"))
    driver.frame(2)
    assert not marked
    app.notices._standing = [(notice, 0.0) for notice, _ in app.notices._standing]
    # The frame that the window arranged for when the notice came.
    app.window._wanted_frame(0.0)
    driver.frame()
    assert marked == ["dirty"]
    driver.frame(2)
    assert marked == ["dirty"]


@pytest.mark.parametrize("name", ["skew-edges", "two-spheres", "flat-inside"])
def test_home_is_the_view_as_the_scene_was_opened(driver: Driver, name: str) -> None:
    """Of a camera turned, moved and made orthographic it kept all but the angles, and these were not the file's."""
    app = driver.app
    app.files.load_preset(name)
    driver.frame(4)
    new = app.work.view.world, app.work.view.difference
    app.invoke("view.orthographic")
    app.invoke("view.top")
    app.cameras.look(replace(app.work.view, world=app.work.view.world.panned(80.0, 20.0, 600.0), fitted=False))
    app.cameras.divider = 0.7
    driver.frame(3)
    driver.key("Home")
    driver.frame(3)
    assert (app.work.view.world, app.work.view.difference) == new
    assert app.work.view.fitted


def test_the_notes_say_when_the_pair_is_no_more_what_they_describe(driver: Driver) -> None:
    app = driver.app
    opened = app.work.document.committed

    def shown() -> bool:
        driver.frame(3)
        window = imgui.internal.find_window_by_name(MOVED_WINDOW)
        return window is not None and bool(window.active)

    assert not shown()
    driver.drag(driver.on_b, np.add(driver.on_b, (30.0, -20.0)), release=False)
    assert not shown(), "not before the drag ends"
    driver.release(*np.add(driver.on_b, (0.0, 0.0)))
    assert shown()
    moved = app.work.document.committed
    driver.key("Ctrl+Z")
    assert app.work.document.committed == opened
    assert not shown()
    driver.key("Ctrl+Shift+Z")
    assert shown()
    window = imgui.internal.find_window_by_name(MOVED_WINDOW)
    driver.click(window.pos.x + 30.0, window.pos.y + window.size.y - 16.0)
    assert app.work.document.committed == opened
    assert not shown()
    driver.key("Ctrl+Z")
    assert app.work.document.committed == moved, "putting it back can be undone"


@pytest.mark.parametrize(("wanted", "settles"), [(None, True), (60.0, True), (0.05, False)])
def test_the_panels_settle_after_the_last_frame_of_what_goes_on_by_itself(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, wanted: float | None, settles: bool
) -> None:
    """A lesson's “Show me” ends in such a frame: the verdict that came with it was cut until the pointer moved."""
    window = driver.window
    driver.frame(3)
    marked: list[int] = []
    monkeypatch.setattr(window, "mark_dirty", marked.append)
    monkeypatch.setattr(type(driver.app.events), "draw_frame", lambda _: wanted)
    window.on_draw()
    assert not marked, "a frame that an event has asked for"
    window._wanted_frame(0.0)
    window.on_draw()
    assert bool(marked) is settles
    window.on_draw()
    assert len(marked) == settles, "not for ever"

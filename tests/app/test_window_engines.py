"""The pair as engines' text in the running application: copied by a command, or refused by the row that is grey."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.application import Application
from app.forms.registry import WRITTEN, read_text
from app.state.panel_state import MenuEntry
from app.state.work import Document
from core.scene import Body, Scene
from core.shapes import Circle, Cone

from .window_rig import Driver, driver

__all__ = ["driver"]


def test_the_pair_is_copied_as_a_forms_text(driver: Driver) -> None:
    app, scene = driver.app, driver.app.work.document.committed
    for form in WRITTEN:
        if form.write is None or form.write.refusal(scene):
            continue
        app.invoke(f"copy_as.{form.name}")
        assert app.notices.now()[-1].message == f"Copied the pair as text: {form.title}"
        pair = read_text(driver.window.paste(), form.name).pair
        assert pair.scene.b.position == pytest.approx(scene.b.position, abs=1e-9) or form.name == "vertices"
    driver.key("Ctrl+V")
    driver.frame(2)
    assert app.dialogs.paste


def test_ids_of_before_stay_valid(driver: Driver) -> None:
    app = driver.app
    for earlier in ("bullet", "jolt", "physx", "mujoco", "unity", "unreal", "rapier", "three.js", "godot", "box3d"):
        app.window.copy("")
        app.invoke(f"copy_as.{earlier}")
        assert app.window.paste(), earlier


def entry(app: Application, name: str) -> MenuEntry:
    return next(entry for entry in app.menu.entries(app) if entry.id == f"copy_as.{name}")


def test_a_row_that_the_pair_does_not_fit_is_grey_and_says_why(driver: Driver) -> None:
    app, scene = driver.app, driver.app.work.scene
    assert entry(app, "unreal").enabled
    assert entry(app, "sat_js").tip == "The text for SAT.js is for 2D scenes; this scene is 3D."
    app.work.document = Document.new(replace(scene, b=Body(Cone(1.0, 1.0))))
    assert not entry(app, "unreal").enabled
    assert entry(app, "unreal").tip == "Unreal has no cone, so this pair cannot be written for it."
    assert entry(app, "rapier").enabled
    app.invoke("copy_as.unreal")
    assert app.notices.now()[-1].message == "Unreal has no cone, so this pair cannot be written for it."
    app.work.document = Document.new(Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(1.0), (1.5, 0.0))))
    assert entry(app, "sat_js").enabled
    assert entry(app, "unreal").tip == "The text for Unreal is for 3D scenes; this scene is 2D."


def test_motion_that_a_text_leaves_out_is_told(driver: Driver) -> None:
    app, scene = driver.app, driver.app.work.scene
    app.work.document = Document.new(replace(scene, b=replace(scene.b, displacement=(1.0, 0.0, 0.0))))
    app.invoke("copy_as.bullet")
    assert app.notices.now()[-1].message.endswith("The motion is not in it: the bodies stand where they start.")
    assert "// The bodies stand where they start: their motion is not in this text." in driver.window.paste()

"""The application from end to end without a display: mouse and keys in, documents, pictures and files out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image
from pyglet.window import key, mouse

from app.document import Document
from app.draw_list import Subject
from app.folders import state_folder
from app.gestures import Held
from app.panel_state import Pending
from app.presets import default_scene
from app.requests import Answer, Edit, Open, Save, Screenshot
from app.scene_file import load, save
from app.session import Autosave
from app.settings import load_settings
from app.view import AxisView, Panes
from app.window import ProgramWindow, chord_of
from core.geometry import quaternion

from .window_rig import Driver, driver

__all__ = ["driver"]


def shift(before, after) -> list[float]:
    return [b - a for a, b in zip(before, after, strict=True)]


def test_the_first_screen_is_the_first_preset_unchanged(driver: Driver) -> None:
    app = driver.app
    assert app.scene == default_scene().scene
    assert app.title == f"{app.scene.name} - Separatrix"
    assert [pane.kind for pane in app.builder.panes] == ["world", "difference"]
    assert not app.document.unsaved


def test_dragging_b_moves_b_alone_and_undo_gives_back_every_digit(driver: Driver) -> None:
    app, before = driver.app, driver.app.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 60.0, y - 30.0))
    after = app.document.committed
    assert app.document.preview is None
    assert after.a == before.a
    assert replace(after.b, position=before.b.position) == before.b
    # The grabbed point lies on B's surface, nearer than its middle, so the middle follows a little less.
    assert driver.on_b == pytest.approx((x + 60.0, y - 30.0), abs=6.0)
    assert app.document.undo_label == "Move B"
    assert app.title.startswith("*")
    driver.key("Ctrl+Z")
    assert app.scene == before
    driver.key("Ctrl+Y")
    assert app.scene == after
    driver.key("Ctrl+Z")
    driver.key("Ctrl+Shift+Z")
    assert app.scene == after


def test_a_click_selects_and_changes_nothing(driver: Driver) -> None:
    app, before = driver.app, driver.app.document
    driver.click(*driver.on_b)
    assert app.selection == 1
    assert app.document == before
    driver.click(app.builder.panes[0].rect.x + 30.0, app.builder.panes[0].rect.y + 120.0)
    assert app.selection is None


def test_escape_during_a_drag_restores_and_leaves_no_entry(driver: Driver) -> None:
    app, before = driver.app, driver.app.document
    x, y = driver.on_b
    driver.drag((x, y), (x + 80.0, y), release=False)
    assert app.scene != before.scene
    assert app.hand.gestures.readout is not None
    driver.key("Escape")
    assert app.scene == before.scene
    driver.release(x + 80.0, y)
    driver.frame(2)
    assert app.document == before


def test_ctrl_snaps_and_x_keeps_to_the_axis(driver: Driver) -> None:
    app, before = driver.app, driver.app.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 70.0, y - 40.0), modifiers=key.MOD_CTRL, release=False)
    moved = shift(before.b.position, app.scene.b.position)
    assert any(moved)
    assert all(abs(d / 0.1 - round(d / 0.1)) < 1e-9 for d in moved)
    driver.send("on_key_press", key.X, key.MOD_CTRL)
    driver.frame()
    moved = shift(before.b.position, app.scene.b.position)
    assert moved[0] != 0.0
    assert moved[1:] == [0.0, 0.0]
    assert "X only" in (app.hand.gestures.readout or "")
    driver.release(x + 70.0, y - 40.0)


def test_shift_and_drag_turns_a_body_in_place(driver: Driver) -> None:
    app, before = driver.app, driver.app.scene
    x, y = driver.on_b
    driver.drag((x, y), (x + 40.0, y + 10.0), modifiers=key.MOD_SHIFT)
    after = app.scene
    assert replace(after.b, rotation=before.b.rotation) == before.b
    assert quaternion.angle_between(before.b.rotation, after.b.rotation) > 0.05
    assert quaternion.norm(after.b.rotation) == pytest.approx(1.0, abs=1e-15)
    assert app.document.undo_label == "Turn B"


def test_the_gizmo_moves_along_one_axis(driver: Driver) -> None:
    app, before = driver.app, driver.app.scene
    driver.click(*driver.on_b)
    driver.key("W")
    x, y = driver.on_subject(Subject("gizmo", 1))
    driver.move(x, y)
    driver.frame()
    driver.drag((x, y), (x + 3.0, y - 50.0))
    moved = shift(before.b.position, app.scene.b.position)
    assert moved[0] == moved[2] == 0.0
    assert moved[1] > 0.1


def test_the_size_handles_resize_about_the_centre(driver: Driver) -> None:
    app, before = driver.app, driver.app.scene
    driver.click(*driver.on_b)
    driver.key("R")
    x, y = driver.on_subject(Subject("gizmo", 12))
    cx, cy = driver.on_b
    driver.drag((x, y), (x + 0.4 * (x - cx), y + 0.4 * (y - cy)))
    assert app.scene.b.position == before.b.position
    assert app.scene.b.shape.size[0] > before.b.shape.size[0]
    assert app.scene.b.shape.size[1:] == before.b.shape.size[1:]


def test_dragging_the_difference_moves_b_the_other_way(driver: Driver) -> None:
    app, before = driver.app, driver.app.scene
    core = app.analysis.difference.core.vertices.mean(axis=0)
    x, y = driver.at(core, "difference")
    driver.drag((x, y), (x + 50.0, y))
    moved = shift(before.b.position, app.scene.b.position)
    right = driver.pane("difference").projection.basis[0]
    assert sum(m * r for m, r in zip(moved, right, strict=True)) < -0.1


def test_empty_space_turns_both_cameras_and_pan_and_zoom_one(driver: Driver) -> None:
    app = driver.app
    rect = driver.pane().rect
    empty = (rect.x + 40.0, rect.y + 110.0)
    before, scene = app.view, app.scene
    driver.drag(empty, (empty[0] + 100.0, empty[1] + 30.0))
    assert app.view.world.yaw == app.view.difference.yaw != before.world.yaw
    assert app.view.world.pitch > before.world.pitch
    turned = app.view
    driver.drag(driver.on_b, (300.0, 300.0), button=mouse.MIDDLE)
    assert app.view.world.yaw != turned.world.yaw
    before = app.view
    driver.drag(empty, (empty[0] + 60.0, empty[1]), button=mouse.RIGHT)
    assert app.view.world.target != before.world.target
    assert app.view.difference == before.difference
    x, y = driver.on_b
    driver.send("on_mouse_scroll", x, driver.upwards(y), 0, 3)
    driver.frame(2)
    assert app.view.world.distance < before.world.distance
    assert driver.on_b == pytest.approx((x, y), abs=8.0)
    assert app.scene == scene


def test_pointing_at_an_axis_lights_it_and_a_click_pins_it(driver: Driver) -> None:
    app = driver.app
    winner = Subject("axis", app.analysis.sat.winner)
    x, y = driver.on_subject(winner)
    driver.move(x, y)
    driver.frame(2)
    assert app.view.hover == winner
    driver.click(x, y)
    assert app.view.pin == winner
    driver.move(30.0, 130.0)
    driver.frame(2)
    assert app.view.hover is None
    driver.key("Escape")
    assert app.view.pin is None


def test_pointing_at_a_row_of_the_table_lights_its_axis(driver: Driver) -> None:
    app = driver.app
    driver.key("Tab")
    assert app.settings.panels
    rows = set()
    x = app.window.get_size()[0] - 300.0
    for y in range(60, 380, 9):
        driver.move(x, float(y))
        driver.frame(2)
        if app.view.hover is not None:
            rows.add(app.view.hover)
    assert {Subject("axis", row) for row in range(15)} <= rows
    driver.move(200.0, 160.0)
    driver.frame(2)
    assert app.view.hover is None
    driver.key("Tab")
    assert not app.settings.panels
    assert driver.pane("difference").rect.x + driver.pane("difference").rect.width == app.window.get_size()[0]


def test_presets_step_and_ask_about_unsaved_work(driver: Driver) -> None:
    app = driver.app
    driver.key("]")
    first = app.preset
    assert first is not None
    driver.key("]")
    assert app.preset not in (None, first)
    driver.key("[")
    assert app.preset == first
    before = app.scene
    app.apply(Edit(before.swapped(), "Swap A and B"))
    driver.key("]")
    assert isinstance(app.pending, Pending)
    assert app.scene == before.swapped()
    app.apply(Answer("cancel"))
    assert (app.pending, app.scene) == (None, before.swapped())
    driver.key("]")
    app.apply(Answer("discard"))
    driver.frame()
    assert app.preset != first
    assert not app.document.unsaved


def test_every_preset_draws(driver: Driver) -> None:
    for preset in driver.app.presets:
        driver.app.load_preset(preset.id)
        for axis_view in AxisView:
            driver.app.look(replace(driver.app.view, axis_view=axis_view))
            driver.frame()
        assert driver.app.builder.placed[0].lines.start.size


def test_saving_and_opening_brings_back_scene_and_view(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    x, y = driver.on_b
    driver.drag((x, y), (x + 45.0, y))
    app.look(replace(app.view, panes=Panes.WORLD, axis_view=AxisView.CAGE))
    driver.frame()
    app.apply(Save(path))
    assert not app.document.unsaved
    assert app.title == "pair.json - Separatrix"
    scene, view = app.scene, app.view
    assert load(path).scene == scene
    driver.key("]")
    app.apply(Open(path))
    driver.frame()
    assert app.scene == scene
    assert (app.view.panes, app.view.axis_view) == (view.panes, view.axis_view)
    assert path in app.filing.recent
    driver.drag(driver.on_b, (500.0, 400.0))
    driver.key("Ctrl+S")
    assert load(path).scene == app.scene


def test_saving_first_goes_on_with_what_was_asked(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    path = tmp_path / "kept.json"
    app.apply(Edit(app.scene.swapped(), "Swap A and B"))
    edited = app.scene
    driver.key("]")
    app.apply(Answer("save"))
    assert app.dialogs.save
    app.dialogs.save = False
    app.apply(Save(path))
    assert load(path).scene == edited
    assert app.preset is not None


def test_a_file_changed_outside_is_offered_and_reloads_undoably(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.apply(Save(path))
    before = app.scene
    changed = replace(before, b=replace(before.b, position=(3.0, 0.25, 0.125)))
    save(path, changed)
    app.hand.focused(True)
    assert app.pending is not None
    app.apply(Answer("reload"))
    assert app.scene == changed
    assert not app.document.unsaved
    app.hand.focused(True)
    assert app.pending is None
    driver.key("Ctrl+Z")
    assert app.scene == before
    assert app.document.unsaved


def test_a_bad_file_is_refused_in_the_window(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "bad.json"
    path.write_text('{"separatrix": 1, "a": {"shape": {"type": "box", "size": [1, -1, 1]}}, "b": {}}')
    scene = app.scene
    driver.send("on_file_drop", 10, 10, [str(path)])
    driver.frame()
    (notice,) = app.notices_now()
    assert notice.error
    assert "bad.json" in notice.message
    assert app.scene == scene
    driver.key("Escape")
    assert app.notices_now() == ()


def test_a_screenshot_carries_the_scene_and_opens_again(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "shot.png"
    x, y = driver.on_b
    driver.drag((x, y), (x + 45.0, y))
    app.apply(Screenshot(400, 300, path=path, scale=1.5, transparent=True))
    with Image.open(path) as picture:
        assert picture.size == (600, 450)
        assert picture.mode == "RGBA"
        assert picture.getpixel((2, 200))[3] == 0
    scene = app.scene
    driver.frame(2)
    driver.key("]")
    app.apply(Answer("discard"))
    driver.send("on_file_drop", 10, 10, [str(path)])
    driver.frame()
    assert app.scene == scene
    assert app.document.path is None


def test_screenshots_are_numbered_and_overwrite_nothing(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    driver.key("Ctrl+P")
    driver.key("Ctrl+P")
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_the_scene_travels_over_the_clipboard(driver: Driver) -> None:
    app = driver.app
    x, y = driver.on_b
    driver.drag((x, y), (x + 45.0, y))
    scene = app.scene
    driver.key("Ctrl+C")
    assert app.clipboard().isascii()
    driver.key("]")
    app.apply(Answer("discard"))
    driver.key("Ctrl+V")
    assert app.scene == scene
    app.copy("[1, 2, 3]")
    driver.key("Ctrl+V")
    assert app.dialogs.paste


def test_no_key_acts_while_a_text_field_has_the_focus(driver: Driver) -> None:
    app = driver.app
    driver.key("Ctrl+K")
    assert app.dialogs.palette
    driver.frame(3)
    shown = app.view.shown
    driver.send("on_key_press", key.B, 0)
    driver.type("b")
    driver.send("on_key_release", key.B, 0)
    driver.frame()
    assert app.view.shown == shown
    driver.key("Escape")
    driver.key("Escape")
    driver.key("B")
    assert app.view.shown == shown ^ {"bodies"}


def test_escape_never_quits(driver: Driver) -> None:
    for _ in range(5):
        driver.key("Escape")
    assert driver.window.context is not None


def test_the_divider_is_dragged(driver: Driver) -> None:
    app = driver.app
    border = driver.pane("difference").rect.x
    y = driver.pane().rect.y + 300.0
    driver.drag((float(border), y), (border - 200.0, y))
    assert driver.pane("difference").rect.x == pytest.approx(border - 200.0, abs=2.0)
    assert app.scene == default_scene().scene


def test_unsaved_work_of_a_killed_run_is_offered(driver: Driver) -> None:
    app = driver.app
    lost = app.scene.swapped()
    dead = Autosave(state_folder())
    dead.save(lost)
    assert dead._lock is not None
    dead._lock.close()
    app.filing.offer_recovery()
    assert app.pending is not None
    app.apply(Answer("recover"))
    assert app.scene == lost
    assert app.document.unsaved
    app.filing.offer_recovery()
    assert app.pending is None


def test_work_is_autosaved_until_it_is_saved(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.apply(Edit(app.scene.swapped(), "Swap A and B"))
    assert list(state_folder().glob("autosave-*.json"))
    app.apply(Save(tmp_path / "done.json"))
    assert not list(state_folder().glob("autosave-*.json"))


def test_a_log_is_stepped_through(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pairs.jsonl"
    pair = '{"separatrix": 1, "a": {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 0]},'
    pair += ' "b": {"shape": {"type": "sphere", "radius": 1}, "position": [%d, 0, 0]}}\n'
    path.write_text("".join(pair % k for k in (1, 2, 3)))
    app.apply(Open(path))
    assert (app.log_position.index, app.log_position.count) == (0, 3)
    app.invoke("log.next")
    assert app.scene.b.position == (2.0, 0.0, 0.0)
    app.invoke("log.previous")
    assert app.scene.b.position == (1.0, 0.0, 0.0)
    app.invoke("log.previous")
    assert app.log_position.index == 0


def test_panes_and_looks_by_key(driver: Driver) -> None:
    app = driver.app
    driver.key("1")
    assert (app.view.world.yaw, app.view.world.pitch) == (0.0, 0.0)
    driver.key("5")
    assert app.view.world.orthographic
    assert app.view.difference.orthographic
    driver.key("M")
    assert app.view.panes is Panes.WORLD
    assert [pane.kind for pane in app.builder.panes] == ["world"]
    app.invoke("panes.overlaid")
    driver.frame()
    assert {"body", "axis"} <= {subject.kind for subject in app.builder.placed[0].triangles.subjects}
    driver.key("Home")
    assert app.view.fitted


def test_nothing_is_drawn_anew_while_nothing_changes(driver: Driver) -> None:
    driver.frame(3)
    placed = driver.app.builder.placed
    driver.frame(3)
    assert driver.app.builder.placed is placed
    assert "upload" not in driver.app.times.parts


def test_settings_change_at_once_and_are_kept(driver: Driver) -> None:
    app = driver.app
    app.invoke("theme.light")
    app.invoke("view.z_up")
    app.invoke("scale.larger")
    driver.frame(2)
    assert app.theme.name == "light"
    assert app.view.world.z_up
    assert app.window.extent.scale == pytest.approx(1.1)
    assert load_settings() == (app.settings, None)


def test_chords_read_as_they_are_written() -> None:
    assert chord_of(key.S, Held(ctrl=True, shift=True)) == "Ctrl+Shift+S"
    assert chord_of(key.QUESTION, Held(shift=True)) == "?"
    assert chord_of(key.SLASH, Held(shift=True)) == "?"
    assert chord_of(key.F1, Held()) == "F1"
    assert chord_of(key.PLUS, Held(ctrl=True, shift=True)) == "Ctrl++"
    assert chord_of(key.LCTRL, Held(ctrl=True)) == ""


def test_opening_a_document_forgets_the_history(driver: Driver) -> None:
    app = driver.app
    app.show(Document.new(app.scene.swapped()), None)
    driver.frame()
    assert app.document.undo_label is None
    assert app.view.fitted


def test_fitted_cameras_follow_what_an_edit_carries_out_of_the_picture(driver: Driver) -> None:
    app, view = driver.app, driver.app.view
    near = replace(app.scene, b=replace(app.scene.b, position=(1.0, 0.9, 0.2)))
    app.apply(Edit(near, "Move B"))
    driver.frame()
    assert app.view == view
    far = replace(app.scene, b=replace(app.scene.b, position=(50.0, 0.0, 0.0)))
    app.apply(Edit(far, "Move B"))
    driver.frame()
    assert app.view.world.distance > 2.0 * view.world.distance
    app.look(replace(app.view, fitted=False))
    mine = app.view
    app.apply(Edit(replace(far, b=replace(far.b, position=(500.0, 0.0, 0.0))), "Move B"))
    driver.frame()
    assert app.view == mine


def test_a_drag_from_outside_offers_its_types_in_the_message() -> None:
    words = [7, 5 << 24, 12, 0, 0]
    event = SimpleNamespace(xclient=SimpleNamespace(data=SimpleNamespace(l=words)))
    window = SimpleNamespace(_xdnd_atoms={"text/uri-list": 12})
    ProgramWindow._event_drag_enter(window, event)
    assert window._xdnd_format == 12
    words[2] = 99
    ProgramWindow._event_drag_enter(window, event)
    assert window._xdnd_format is None
    # A drop without files is let go of, where pyglet would raise.
    ProgramWindow._event_drag_drop(window, event)

"""Who hears the keyboard: a text field, the drag under way or a command, however fast one types."""

from __future__ import annotations

from math import degrees, radians

import numpy as np
import pytest
from imgui_bundle import imgui
from pyglet.window import key

from app.controllers.edits import screen_axes
from app.input.bindings import Held
from app.platform.window import chord_of
from core.geometry import quaternion
from core.geometry.vector import dot

from .panel_rig import panel_named
from .window_rig import Driver, driver

__all__ = ["driver"]


def type_at_once(driver: Driver, text: str) -> None:
    """Keys and characters as they come from someone, or a program, that types faster than frames are drawn."""
    for letter in text:
        symbol = ord(letter)
        driver.send("on_key_press", symbol, 0)
        driver.send("on_text", letter)
        driver.send("on_key_release", symbol, 0)


def press_at_once(driver: Driver, symbol: int, modifiers: int = 0) -> None:
    driver.send("on_key_press", symbol, modifiers)
    driver.send("on_key_release", symbol, modifiers)


def open_size_field(driver: Driver) -> None:
    """Clicks into the last of A's sizes in the panel of bodies, which selects what stands there."""
    if not driver.app.preferences.settings.panels:
        driver.key("Tab")
    imgui.set_window_focus("Bodies")
    driver.frame(2)
    window = imgui.internal.find_window_by_name("Bodies")
    for y in range(int(window.pos.y), int(window.pos.y + window.size.y), 6):
        driver.click(window.pos.x + 0.9 * window.size.x, float(y))
        if driver.app.host.typing:
            return
    raise AssertionError("no field was found")


def test_no_key_acts_while_a_text_field_has_the_focus(driver: Driver) -> None:
    app = driver.app
    driver.key("Ctrl+K")
    assert app.dialogs.palette
    driver.frame(3)
    shown = app.work.view.shown
    driver.send("on_key_press", key.B, 0)
    driver.type("b")
    driver.send("on_key_release", key.B, 0)
    driver.frame()
    assert app.work.view.shown == shown
    driver.key("Escape")
    driver.key("Escape")
    driver.key("B")
    assert app.work.view.shown == shown ^ {"bodies"}


def test_letters_typed_right_after_the_palette_was_called_go_into_it(driver: Driver) -> None:
    app, view = driver.app, driver.app.work.view
    press_at_once(driver, key.K, key.MOD_CTRL)
    type_at_once(driver, "light")
    press_at_once(driver, key.RETURN)
    driver.frame(30)
    assert app.work.view.shown == view.shown
    assert app.preferences.theme.name == "light"


def test_escape_closes_an_open_menu_and_nothing_else_and_other_keys_wait(driver: Driver) -> None:
    app = driver.app
    app.work.selection = 1
    driver.frame(3)
    driver.click(70.0, 10.0)
    assert app.host.popup_open
    panes = app.work.view.panes
    driver.key("M")
    assert app.work.view.panes is panes
    driver.key("Escape")
    driver.frame(2)
    assert not app.host.popup_open
    assert app.work.selection == 1
    driver.key("Escape")
    assert app.work.selection is None


def test_ctrl_let_go_before_its_letter_still_counts(driver: Driver) -> None:
    driver.key("Ctrl+K")
    type_at_once(driver, "abc")
    driver.send("on_key_press", key.LCTRL, 0)
    driver.send("on_key_press", key.A, key.MOD_CTRL)
    driver.send("on_key_release", key.LCTRL, key.MOD_CTRL)
    driver.send("on_key_release", key.A, 0)
    type_at_once(driver, "x")
    driver.frame(3)
    assert panel_named(driver.app.panels, "palette")._query == "x"


def test_the_palette_opens_after_escape_has_closed_the_help(driver: Driver) -> None:
    app, view = driver.app, driver.app.work.view
    press_at_once(driver, key.F1)
    press_at_once(driver, key.ESCAPE)
    press_at_once(driver, key.K, key.MOD_CTRL)
    type_at_once(driver, "print")
    driver.frame(30)
    assert app.dialogs.palette
    assert not app.dialogs.help
    assert app.work.view.shown == view.shown


def test_frames_go_on_until_imgui_has_taken_in_every_key(driver: Driver) -> None:
    driver.key("Ctrl+K")
    type_at_once(driver, "oooooo")
    wanted = []
    while driver.app.host.digesting:
        wanted.append(driver.app.draw_frame())
    assert set(wanted[:-1]) == {0.0}
    assert wanted[-1] != 0.0


def test_a_number_typed_before_a_drag_is_kept(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    open_size_field(driver)
    driver.type("2.75")
    x, y = driver.on_b
    driver.drag((x, y), (x + 40.0, y - 20.0))
    after = app.work.scene
    assert after.a.shape.size[2] == 2.75
    assert after.b.position != before.b.position
    assert [entry.label for entry in app.work.document.entries[1:]][-1] == "Move B"
    assert len(app.work.document.entries) == 3


def test_a_number_typed_before_a_click_beside_the_bodies_is_kept(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    open_size_field(driver)
    driver.type("2.75")
    rect = driver.pane().rect
    driver.click(rect.x + 40.0, rect.y + 110.0)
    assert app.work.scene != before
    assert len(app.work.document.entries) == 2


def test_chords_read_as_they_are_written() -> None:
    assert chord_of(key.S, Held(ctrl=True, shift=True)) == "Ctrl+Shift+S"
    assert chord_of(key.QUESTION, Held(shift=True)) == "?"
    assert chord_of(key.SLASH, Held(shift=True)) == "?"
    assert chord_of(key.F1, Held()) == "F1"
    assert chord_of(key.PLUS, Held(ctrl=True, shift=True)) == "Ctrl++"
    assert chord_of(key.LCTRL, Held(ctrl=True)) == ""


def test_alt_and_arrows_move_the_selected_body_by_a_step(driver: Driver) -> None:
    app = driver.app
    step = app.preferences.settings.snap_length
    before = app.work.scene
    across, upwards = screen_axes(app.work.view.world, 3)
    driver.key("Alt+Right")
    assert app.work.scene.a == before.a, "without a selection it is B"
    assert np.array(app.work.scene.b.position) == pytest.approx(before.b.position + step * across)
    driver.key("Alt+Up")
    assert np.array(app.work.scene.b.position) == pytest.approx(before.b.position + step * (across + upwards))
    driver.key("Alt+Left")
    driver.key("Alt+Down")
    assert app.work.scene.b.position == pytest.approx(before.b.position)
    for _ in range(4):
        driver.key("Ctrl+Z")
    assert app.work.scene == before, "each is one entry of undo"
    app.work.selection = 0
    driver.key("Alt+Left")
    assert app.work.scene.b == before.b
    assert np.array(app.work.scene.a.position) == pytest.approx(before.a.position - step * across)


def test_alt_shift_and_arrows_turn_it_so_that_its_front_goes_there(driver: Driver) -> None:
    app = driver.app
    before, camera = app.work.scene, app.work.view.world
    right, up, towards = camera.basis()
    for chord, wanted in (("Right", right), ("Left", -right), ("Up", up), ("Down", -up)):
        driver.key(f"Alt+Shift+{chord}")
        turn = app.work.scene.b.pose.matrix @ before.b.pose.matrix.T
        angle = quaternion.angle_between(before.b.rotation, app.work.scene.b.rotation)
        assert degrees(angle) == pytest.approx(app.preferences.settings.snap_angle_degrees)
        assert dot(turn @ towards - towards, wanted) > 0.0, chord
        assert app.work.scene.b.position == before.b.position
        driver.key("Ctrl+Z")


def test_in_the_plane_the_arrows_turn_it_about_its_middle(driver: Driver) -> None:
    app = driver.app
    driver.key("Ctrl+Shift+N")
    before, step = app.work.scene, app.preferences.settings
    driver.key("Alt+Shift+Left")
    assert app.work.scene.b.angle == pytest.approx(before.b.angle + radians(step.snap_angle_degrees))
    driver.key("Alt+Shift+Down")
    assert app.work.scene.b.angle == pytest.approx(before.b.angle)
    driver.key("Alt+Up")
    x, y, _ = before.b.position
    assert app.work.scene.b.position == pytest.approx((x, y + step.snap_length, 0.0))


def test_a_new_scene_of_the_plane_begins_at_the_algorithm_that_it_is_about(driver: Driver) -> None:
    app = driver.app
    driver.key("T")
    driver.key("Right")
    driver.key("Ctrl+Shift+N")
    driver.frame(2)
    assert app.steps.place == next(first for phase, first, _ in app.steps.all.phases if phase.name == "SAT")

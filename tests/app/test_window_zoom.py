"""Ctrl++ and Ctrl+− in the window: the panels keep the places that they were given."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.lessons.shelf import shelf
from app.panels.viewport_bottom import MOVED_WINDOW

from .panel_rig import drawn_height
from .window_rig import Driver, driver

__all__ = ["driver"]

SETTLED = 8
"""Frames after which every panel stands."""


def free(driver: Driver) -> float:
    """Pixels that the panels leave to the viewport, from left to right."""
    driver.frame(SETTLED)
    return driver.app.host.free_area().width


def zoom(driver: Driver, command: str, times: int) -> float:
    for _ in range(times):
        driver.app.invoke(command)
        driver.frame(SETTLED)
    return free(driver)


def widen(driver: Driver, pixels: float) -> float:
    """Drags the line between viewport and panels to the left."""
    area = driver.app.host.free_area()
    line = (area.x + area.width + 1.0, area.y + 0.5 * area.height)
    driver.drag(line, (line[0] - pixels, line[1]))
    return free(driver)


@pytest.mark.nightly("windows")
def test_panels_have_their_width_again_after_a_zoom_and_back(driver: Driver) -> None:
    driver.app.invoke("window.panels")
    first = free(driver)
    widened = widen(driver, 60.0)
    assert widened < first - 40.0
    assert zoom(driver, "scale.largest_radius", 5) != widened, "large text takes another place"
    assert zoom(driver, "scale.normal", 1) == widened
    assert zoom(driver, "scale.least_half_extent", 2) != widened
    assert zoom(driver, "scale.normal", 1) == widened


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5])
@pytest.mark.sampled(3, "windows")
def test_so_they_have_after_keys_pressed_faster_than_panels_settle(driver: Driver, frames: int) -> None:
    driver.app.invoke("window.panels")
    free(driver)
    widened = widen(driver, 60.0)
    for command in (*["scale.largest_radius"] * 6, *["scale.least_half_extent"] * 6):
        driver.app.invoke(command)
        driver.frame(frames)
    assert free(driver) == widened


@pytest.mark.nightly("windows")
def test_panels_that_were_moved_while_text_was_large_stay_so(driver: Driver) -> None:
    driver.app.invoke("window.panels")
    first = free(driver)
    large = zoom(driver, "scale.largest_radius", 2)
    narrower = widen(driver, -80.0)
    assert narrower > large + 40.0
    assert zoom(driver, "scale.normal", 1) > first + 20.0


def test_large_text_has_room_in_the_panels(driver: Driver) -> None:
    driver.app.invoke("window.panels")
    size = driver.app.window.extent.pixels[0]
    left = zoom(driver, "scale.largest_radius", 9)
    # Ems of 200 %: sixteen, up to 0.45 of the window.
    assert 0.5 * size < left < 0.62 * size
    assert imgui.get_style().font_scale_main >= 2.0


def test_a_lessons_panel_leaves_the_picture_a_third_of_the_window_if_text_grew_while_panels_were_hidden(
    driver: Driver,
) -> None:
    """It left a twentieth: the layout had grown with the text, and nobody looked at it."""
    driver.app.preferences.configure(replace(driver.app.preferences.settings, ui_scale=2.0))
    free(driver)
    driver.app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == "when-floats-fail"))
    assert free(driver) > driver.window.get_size()[0] / 3.0


def test_large_text_leaves_of_the_card_of_a_changed_pair_the_button(driver: Driver) -> None:
    app = driver.app
    app.invoke("window.panels")
    driver.frame(SETTLED)
    app.edits.edit(replace(app.work.scene, a=replace(app.work.scene.a, position=(0.1, 0.0, 0.0))), "Move A")
    driver.frame(SETTLED)
    whole = drawn_height(MOVED_WINDOW)
    zoom(driver, "scale.largest_radius", 5)
    # The one button's, in points less than the sentence with it.
    assert 0.0 < drawn_height(MOVED_WINDOW) / imgui.get_style().font_scale_main < 0.7 * whole

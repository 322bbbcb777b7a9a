"""The docked panels' ground, which the window is cleared to: in every theme, and under a panel that is torn off."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace
from numpy.typing import NDArray

from app.panels import background

from .window_rig import Driver, driver

__all__ = ["driver"]

pytestmark = pytest.mark.painted


def pixels(driver: Driver) -> NDArray[np.uint8]:
    """RGB of the whole window (height, width, 3), the top row first."""
    width, height = driver.window.extent.pixels
    data = driver.app.context.screen.read(viewport=(0, 0, width, height), components=3, alignment=1)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1]


def pixel(driver: Driver, x: float, y: float) -> list[int]:
    """RGB of the window at a pixel from the top left corner."""
    return [int(part) for part in pixels(driver)[round(y), round(x)]]


def inside(title: str) -> tuple[float, float]:
    """A place in a window's padding, where nothing but its ground is drawn."""
    window = imgui.internal.find_window_by_name(title)
    return window.pos.x + 5.0, window.pos.y + window.size.y - 6.0


def drawn(driver: Driver) -> None:
    """Draws without the swap that would leave the back buffer undefined."""
    driver.frame(6)
    driver.window.switch_to()
    driver.window.on_draw()


@pytest.mark.parametrize("theme", ["dark", "light", "print"])
def test_a_docked_panel_stands_on_the_theme_s_ground(driver: Driver, theme: str) -> None:
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, theme=theme, panels=True))
    drawn(driver)
    window = imgui.internal.find_window_by_name("Answers")
    assert window.flags & imgui.WindowFlags_.no_background.value
    assert pixel(driver, *inside("Answers")) == [round(255.0 * part) for part in background(app.preferences.theme)[:3]]


def test_a_panel_that_is_torn_off_paints_its_own_ground(driver: Driver) -> None:
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, theme="dark", panels=True))
    driver.frame(4)
    window = imgui.internal.find_window_by_name("Answers")
    imgui.internal.dock_context_queue_undock_window(app.host._context, window)
    driver.frame(3)
    # Over the picture, where the cleared ground is not.
    imgui.internal.set_window_pos(window, imgui.ImVec2(app.cameras.area.x + 40.0, app.cameras.area.y + 60.0))
    drawn(driver)
    assert not window.flags & imgui.WindowFlags_.no_background.value
    assert pixel(driver, *inside("Answers")) == [round(255.0 * part) for part in background(app.preferences.theme)[:3]]
    app.restore_layout()
    driver.frame(3)


def test_the_picture_is_copied_where_no_panel_stands(driver: Driver) -> None:
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, theme="light", panels=True))
    drawn(driver)
    target = app.renderer.target
    height = target.size[1]
    data = target.framebuffer.read(components=3, alignment=1)
    picture = np.frombuffer(data, np.uint8).reshape(height, target.size[0], 3)
    # In the right and lower corner, beside triad, hint and notes.
    x, y = app.cameras.area.x + app.cameras.area.width - 3, app.cameras.area.y + app.cameras.area.height - 3
    assert pixel(driver, x, y) == picture[height - 1 - y, x].tolist()
    assert pixel(driver, x, y) != [round(255.0 * part) for part in background(app.preferences.theme)[:3]]


@pytest.mark.parametrize("theme", ["dark", "print"])
def test_a_picture_looks_the_same_painted_into_the_window_and_copied_there(driver: Driver, theme: str) -> None:
    app = driver.app
    app.ask.configure(replace(app.preferences.settings, theme=theme))
    drawn(driver)
    copied = pixels(driver).astype(int)
    app._painted = ()
    driver.window.switch_to()
    driver.window.on_draw()
    assert app.renderer._window_has_depth
    assert not app.renderer._kept
    painted = pixels(driver).astype(int)
    # Rounding differs by one in each layer of glass; a few pixels of edges, where two depths tie, by more.
    other = np.abs(painted - copied).max(axis=2) > 4
    assert np.count_nonzero(other) < 1e-4 * other.size

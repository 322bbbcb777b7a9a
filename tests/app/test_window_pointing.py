"""One highlight for row, rail, face and pin: pointing at any of them lights all four, a click pins it."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.state.view import AxisView

from .window_rig import Driver, driver

__all__ = ["driver"]


def test_pointing_at_an_axis_lights_it_and_a_click_pins_it(driver: Driver) -> None:
    app = driver.app
    winner = Subject("axis", app.answers.analysis.sat.winner)
    x, y = driver.on_subject(winner)
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == winner
    driver.click(x, y)
    assert app.work.view.pin == winner
    driver.move(30.0, 130.0)
    driver.frame(2)
    assert app.work.view.hover is None
    driver.key("Escape")
    assert app.work.view.pin is None


@pytest.mark.slow
def test_pointing_at_a_row_of_the_table_lights_its_axis(driver: Driver) -> None:
    app = driver.app
    driver.key("Tab")
    assert app.preferences.settings.panels
    rows = set()
    x = app.window.get_size()[0] - 300.0
    for y in range(60, 380, 9):
        driver.move(x, float(y))
        driver.frame(2)
        if app.work.view.hover is not None:
            rows.add(app.work.view.hover)
    assert {Subject("axis", row) for row in range(15)} <= rows
    driver.move(200.0, 160.0)
    driver.frame(2)
    assert app.work.view.hover is None
    driver.key("Tab")
    assert not app.preferences.settings.panels
    assert driver.pane("difference").rect.x + driver.pane("difference").rect.width == app.window.get_size()[0]


@pytest.mark.parametrize("axis_view", [AxisView.FAN, AxisView.CAGE])
@pytest.mark.slow
@pytest.mark.sampled(2, "windows")
def test_a_rail_that_is_pointed_at_stays_under_the_pointer(driver: Driver, axis_view: AxisView) -> None:
    app = driver.app
    app.cameras.look(replace(app.work.view, axis_view=axis_view))
    driver.frame(3)
    shown = driver.axes_shown("world")
    assert len(shown) >= 10
    for row in shown:
        # A label stays where another one, lit, has sent it.
        places = driver.axes_shown("world")[row]
        x, y = places[len(places) // 2]
        for shake in (0.0, 0.5, 1.0):
            driver.move(x + shake, y)
            driver.frame(2)
            assert app.work.view.hover == Subject("axis", row)
        driver.move(20.0, 120.0)
        driver.frame(2)


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_a_face_of_the_difference_and_a_pin_of_the_globe_light_the_axis(driver: Driver) -> None:
    app = driver.app
    app.cameras.look(replace(app.work.view, shown=app.work.view.shown | {"globe"}))
    driver.frame(3)
    for kind in ("difference", "world"):
        reached = 0
        for row, places in driver.axes_shown(kind).items():
            if kind == "difference" or row != app.answers.analysis.sat.winner:
                driver.move(*places[0])
                driver.frame(2)
                reached += app.work.view.hover == Subject("axis", row)
                driver.move(20.0, 120.0)
                driver.frame(2)
        assert reached >= 5


def test_every_rail_in_focus_stands_in_the_pane_however_narrow_it_is(driver: Driver) -> None:
    app = driver.app
    driver.key("Tab")
    driver.move(20.0, 120.0)
    driver.frame(3)
    pane = driver.pane()
    for row in range(15):
        app.cameras.point_at(Subject("axis", row))
        driver.frame()
        assert app.work.view.hover == Subject("axis", row)
        lines = app.builder.placed[0].lines
        rows = [k for k, subject in enumerate(lines.subjects) if subject == Subject("axis", row)]
        middles = 0.5 * (lines.start[rows] + lines.end[rows])
        assert np.all((middles > 0.0) & (middles < (pane.rect.width, pane.rect.height)))
        app.cameras.point_at(None)
    driver.key("Tab")


def test_a_click_hits_a_tab_that_the_pointer_jumps_to(driver: Driver) -> None:
    """Fingers and fast hands press in the frame in which the pointer arrives, which a tab does not take."""
    app = driver.app
    driver.key("Tab")
    driver.frame(4)

    def window(title: str) -> imgui.internal.Window:
        return imgui.internal.find_window_by_name(title)

    for title in ("Answers", "Bodies", "Answers"):
        driver.move(40.0, 300.0)
        driver.frame(3)
        tab = window(title).dc.dock_tab_item_rect
        x, y = 0.5 * (tab.min.x + tab.max.x), 0.5 * (tab.min.y + tab.max.y)
        driver.press(x, y)
        driver.release(x, y)
        driver.frame(4)
        assert not window(title).hidden, title
    assert app.preferences.settings.panels


def test_a_face_of_a_body_lights_its_axis_without_flicker_and_not_while_it_is_dragged(driver: Driver) -> None:
    app = driver.app
    scene = app.work.scene
    half = 0.5 * scene.a.shape.polyhedron.vertices.max(axis=0)
    # A spot of A's upper face, away from B and from everything else that is drawn there.
    spot = scene.a.pose.to_world(np.array((-1.4 * half[0], 2.0 * half[1], 0.4 * half[2])))
    x, y = driver.at(spot)
    for shake in (0.0, 0.5, 1.0, 1.0, 0.0):
        driver.move(x + shake, y)
        driver.frame(2)
        assert app.work.view.hover == Subject("axis", 1)
        assert app.events.over == Subject("body", 0)
    before = app.work.scene
    driver.drag((x, y), (x + 40.0, y), release=False)
    driver.frame()
    assert app.work.scene != before
    assert app.work.view.hover == Subject("body", 0)
    driver.release(x + 40.0, y)
    driver.frame(2)
    assert app.work.view.hover == Subject("body", 0), "the rail is the verdict's until the pointer moves on"
    driver.move(x + 50.0, y)
    driver.frame(2)
    assert app.work.view.hover == Subject("axis", 1)

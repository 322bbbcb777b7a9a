"""The free axis and the Gauss map in the real application: keys, drags in both panes, the card's buttons."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from pyglet.window import key

from app.draw.draw_list import Subject
from app.io.presets import presets
from app.overlays.free_axis import DIFFERENCE_HANDLES
from app.panels.probe import best_of
from app.probes.free_axis import FreeAxis, start_of
from app.state.view import View

from .window_rig import Driver, driver

__all__ = ["driver"]


def handle(driver: Driver, number: int) -> tuple[float, float]:
    kind = "world" if number < DIFFERENCE_HANDLES else "difference"
    pane = driver.pane(kind)
    marks = driver.app.builder.placed[driver.app.builder.panes.index(pane)].marks
    x, y = marks.centre[marks.subjects.index(Subject("free_axis", number))]
    return float(x) + pane.rect.x, float(y) + pane.rect.y


@pytest.mark.parametrize("number", [1, 2])
def test_an_end_is_dragged_in_either_pane(driver: Driver, number: int) -> None:
    app = driver.app
    driver.key("O")
    driver.frame(2)
    assert app.work.view.free == start_of(app.answers.analysis)
    scene, undo = app.work.scene, app.work.document.undo_label
    x, y = handle(driver, number)
    driver.move(x, y)
    driver.frame(2)
    assert app.work.view.hover == app.events.hot == Subject("free_axis", number)
    driver.drag((x, y), (x - 25.0, y + 20.0))
    assert app.work.view.free != start_of(app.answers.analysis)
    assert handle(driver, number) == pytest.approx((x - 25.0, y + 20.0), abs=0.05)
    assert (app.work.scene, app.work.document.undo_label) == (scene, undo)
    driver.key("O")
    assert app.work.view.free is None


def test_nothing_points_at_an_axis_that_was_put_away(driver: Driver) -> None:
    """`O` with the pointer on the axis's end put the axis away, and the hint went on telling how to drag it."""
    app = driver.app
    driver.key("O")
    driver.frame(2)
    driver.move(*handle(driver, 1))
    driver.frame(2)
    assert app.work.view.hover == Subject("free_axis", 1)
    driver.key("O")
    assert app.work.view.free is None
    assert app.work.view.hover is None
    assert View(hover=Subject("probe", 1)).pointing().hover is None
    assert View(hover=Subject("body", 1)).pointing().hover == Subject("body", 1)


def test_keys_and_escape_during_a_drag(driver: Driver) -> None:
    app = driver.app
    driver.key("O")
    driver.frame(2)
    before = app.work.view.free
    x, y = handle(driver, 1)
    driver.drag((x, y), (x + 30.0, y + 20.0), release=False)
    dragged = app.work.view.free
    assert dragged != before
    driver.send("on_key_press", key.Y, 0)
    driver.frame()
    assert np.abs(app.work.view.free).tolist() == [0.0, 1.0, 0.0]
    driver.send("on_key_release", key.Y, 0)
    driver.frame()
    driver.send("on_key_press", key.Y, 0)
    driver.send("on_key_release", key.Y, 0)
    driver.frame()
    assert app.work.view.free == dragged
    assert str(app.events.gestures.readout).startswith("yours ")
    driver.send("on_key_press", key.ESCAPE, 0)
    driver.send("on_key_release", key.ESCAPE, 0)
    driver.frame()
    assert app.work.view.free == before
    driver.release(x + 30.0, y + 20.0)
    driver.frame(2)
    assert app.work.view.free == before


def test_the_commands_put_it_on_the_winner_and_on_the_nearest(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+O")
    sat = app.answers.analysis.sat
    assert np.array_equal(app.work.view.free, sat.normal)
    turn = sat.normal + np.array((0.02, 0.0, 0.0))
    x, y, z = (turn / np.linalg.norm(turn)).tolist()
    app.cameras.look(replace(app.work.view, free=(x, y, z)))
    app.invoke("free.nearest")
    assert np.array_equal(app.work.view.free, sat.normal)


def test_the_card_is_there_with_the_axis_and_off_everything_else(driver: Driver) -> None:
    driver.key("O")
    driver.frame(3)
    rect = driver.pane("difference").rect
    assert driver.app.host.covers(rect.x + 60.0, 120.0)
    driver.key("O")
    driver.frame(3)
    assert not driver.app.host.covers(rect.x + 60.0, 120.0)


@pytest.mark.slow
def test_a_crossing_on_the_gauss_map_lights_its_axis(driver: Driver) -> None:
    app = driver.app
    driver.key("Shift+J")
    driver.frame(3)
    reached = set()
    for row, places in driver.axes_shown("world").items():
        if row == app.answers.analysis.sat.winner:
            continue
        driver.move(*places[0])
        driver.frame(2)
        if app.work.view.hover == Subject("axis", row):
            reached.add(row)
        driver.move(20.0, 120.0)
        driver.frame(2)
    assert len(reached) >= 8
    driver.key("Shift+J")
    assert "gauss" not in app.work.view.shown


def test_the_best_of_a_try_is_kept_while_the_scene_stays(driver: Driver) -> None:
    app = driver.app
    analysis = app.answers.analysis
    tries = [(1.0, 0.0, 0.0), (0.0, 0.6, 0.8), tuple(analysis.normal.tolist()), (0.0, 0.0, 1.0)]
    best = None
    for free in tries:
        best = best_of(best, analysis, free, FreeAxis.of(analysis, free).separation)
    assert best is not None
    assert best.free == tries[2]
    assert best.separation == pytest.approx(analysis.separation, abs=1e-14)
    app.files.load_preset(presets()[-1].id)
    driver.frame(2)
    other = best_of(best, app.answers.analysis, (1.0, 0.0, 0.0), -1e9)
    assert other.scene == app.work.scene
    assert other.separation == -1e9

"""Contacts over time in the real application: a body is dragged, a log's pages turn, and the panel is shut again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.io.presets import load_preset
from app.io.scene_file import write
from app.state.work import Document
from core.contact.policies.policy import ContactPolicy
from tests.core.contact.test_contact_tracking import nudged, rolled

from .window_rig import Driver, driver

__all__ = ["driver"]


def labels(driver: Driver) -> set[str]:
    """The dots' names in the picture of the world."""
    placed = driver.app.builder.placed[0]
    return {text for text in (label.text for label in placed.labels) if text[0] == "c" and text[1:2] in "₀₁₂₃₄₅₆₇₈₉"}


def picture(driver: Driver) -> int:
    return len(driver.app.builder._pictures.world.marks)


@pytest.fixture
def stacked(driver: Driver) -> Driver:
    app = driver.app
    scene = load_preset("stacked-cubes").scene
    app.files.show(Document.new(scene), None)
    driver.frame(4)
    return driver


def test_a_drag_is_counted_while_the_panel_is_in_sight(stacked: Driver) -> None:
    app = stacked.app
    before = picture(stacked)
    app.invoke("panel.contact_times")
    stacked.frame(4)
    assert app.meter.times is not None
    assert app.meter.times.frames == 0
    assert picture(stacked) == before
    x, y = stacked.on_b
    stacked.drag((x, y), (x + 30.0, y))
    times = app.meter.times
    assert times is not None
    assert times.frames >= 3
    assert times.shown.compared == times.frames
    assert not times.behind
    own = times.shown
    assert own.frame is not None
    assert picture(stacked) == before + len(own.frame.ids)
    assert 0.0 < times.now <= 0.1 * times.frames
    app.invoke("panel.contact_times")
    stacked.frame(4)
    assert app.meter.times is None
    assert picture(stacked) == before


def test_undo_and_typed_numbers_are_frames_too(stacked: Driver) -> None:
    app = stacked.app
    app.invoke("panel.contact_times")
    stacked.frame(4)
    for degrees in (0.0, -10.0):
        app.ask.edit(rolled(degrees), "Turn B")
        stacked.frame(2)
    times = app.meter.times
    assert times is not None
    # The first edit put another pair in place, and took nothing away.
    assert (times.frames, times.shown.died, len(times.cuts)) == (1, 2, 1)
    app.invoke("edit.undo")
    stacked.frame(2)
    assert app.meter.times is not None
    assert app.meter.times.shown.born == 2
    app.invoke("contact_times.clear")
    stacked.frame(2)
    assert app.meter.times is not None
    assert app.meter.times.frames == 0


def test_the_pages_of_a_log_tell_the_flicker(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "rest.jsonl"
    path.write_text("".join(f"{json.dumps(json.loads(write(scene)))}\n" for scene in nudged(2)), encoding="utf-8")
    app.invoke("panel.contact_times")
    app.files.open_now(path)
    driver.frame(4)
    for _ in range(11):
        driver.key("PageDown")
    times = app.meter.times
    assert times is not None
    assert (times.pages, times.frames, times.now) == (True, 11, 11.0)
    by = {own.policy: own for own in times.policies}
    tolerant, exact = by[ContactPolicy.TOLERANT], by[ContactPolicy.EXACT]
    assert (tolerant.born, tolerant.died, tolerant.jumped) == (0, 0, 0)
    assert exact.born + exact.died > 14
    assert labels(driver) == {f"c{digit}" for digit in "₁₂₃₄₅₆₇₈"}


def test_behind_another_tab_nothing_is_counted(stacked: Driver) -> None:
    app = stacked.app
    app.invoke("panel.contact_times")
    stacked.frame(4)
    app.invoke("panel.compare")
    stacked.frame(6)
    assert not app.dialogs.meter_panel
    assert app.meter.times is None
    asked = app.meter._times
    app.ask.edit(app.work.scene.with_body(1, rolled(0.0).b), "Move B")
    stacked.frame(2)
    assert app.meter._times is asked

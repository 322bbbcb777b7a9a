"""The commands of the menu Compare, carried out by the whole application without a display."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.panels import through_zero
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.analysis.analysis import analyse
from core.analysis.analysis import analyse as analyse_any
from core.scene import Body, Scene
from core.shapes import Box, Cone

from .window_rig import Driver, driver

__all__ = ["driver"]


def test_bringing_to_touching_is_one_entry_that_undo_takes_back(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.scene
    app.invoke("edge.touch")
    assert abs(analyse(app.work.scene).separation) < 1e-14
    assert app.work.scene.a == before.a
    assert app.work.document.undo_label == "Bring to touching"
    driver.key("Ctrl+Z")
    assert app.work.scene == before


def test_what_is_told_of_an_edit_goes_with_it(driver: Driver) -> None:
    """The separation left was said to be 0 beside the depth of the pair that undo had brought back."""
    app = driver.app

    def told() -> str:
        return " ".join(notice.message for notice in app.notices.now())

    app.notices.notify("Copied a number")
    for leave in (app.edits.undo, lambda: app.invoke("edge.faces")):
        app.invoke("edge.touch")
        assert "The bodies now touch" in told()
        leave()
        assert told() == "Copied a number"


@pytest.mark.parametrize("name", ["edge.parallel", "edge.faces", "edge.centres", "edge.random"])
def test_every_tool_makes_another_scene(driver: Driver, name: str) -> None:
    app, before = driver.app, driver.app.work.scene
    app.invoke(name)
    assert app.work.scene != before
    app.edits.undo()
    assert app.work.scene == before


@pytest.mark.parametrize("name", ["touch", "parallel", "faces", "centres", "random"])
def test_every_tool_makes_another_scene_of_the_plane(driver: Driver, name: str) -> None:
    app = driver.app
    app.files.load_preset("flat-hexagon-pentagon")
    before = app.work.scene
    assert app.commands.named(f"edge.{name}").runs(app)
    app.invoke(f"edge.{name}")
    assert app.work.scene.dimension == 2
    assert app.work.scene != before
    driver.key("Ctrl+Z")
    assert app.work.scene == before


def test_in_the_plane_touching_is_exact(driver: Driver) -> None:
    app = driver.app
    app.files.load_preset("flat-hexagon-pentagon")
    app.invoke("edge.touch")
    assert abs(analyse_any(app.work.scene).separation) <= 1e-15


@pytest.mark.parametrize("preset", ["flat-hexagon-pentagon", "flat-squares-kiss", "flat-inside"])
def test_all_four_panels_draw_a_scene_of_the_plane_through_a_drag(driver: Driver, preset: str) -> None:
    app = driver.app
    app.files.load_preset(preset)
    # What opens last stands in front, and only that is drawn.
    for name in ("knobs", "edge_tools", "through_zero", "compare"):
        command = app.commands.named(f"panel.{name}")
        assert command.runs(app)
        app.invoke(command.id)
        driver.frame(3)
    app.ask.tune(AlgorithmSettings(rounded="full", third_point=True))
    driver.frame(3)
    start = driver.on_b
    driver.drag(start, (start[0] + 25.0, start[1] - 10.0))
    driver.frame(2)
    assert "compare" in app.dialogs.docked
    panel = next(late.panel for late in app.panels if late.spec.name == "side_by_side")
    assert panel._query.analysis is app.answers.analysis
    # Back in space they are all still there.
    app.files.load_preset("skew-edges")
    driver.frame(3)
    assert panel._query.analysis is app.answers.analysis


def test_a_refusal_is_a_notice_and_no_entry(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(Scene(Body(Box((1.0, 1.0, 1.0))), Body(Cone(1.0, 1.0), (2.0, 0.0, 0.0))), "Cone")
    app.invoke("edge.faces")
    assert app.work.document.undo_label == "Cone"
    assert [notice.message for notice in app.notices.now()] == ["B has no faces."]


def test_a_panel_opens_with_the_docked_side_and_closes_alone(driver: Driver) -> None:
    app = driver.app
    app.preferences.configure(replace(app.preferences.settings, panels=False))
    app.invoke("panel.compare")
    assert app.preferences.settings.panels
    assert "compare" in app.dialogs.docked
    app.invoke("panel.compare")
    assert app.preferences.settings.panels
    assert "compare" not in app.dialogs.docked
    # Hidden with the others, the next call shows it again.
    app.invoke("panel.knobs")
    app.preferences.configure(replace(app.preferences.settings, panels=False))
    app.invoke("panel.knobs")
    assert app.preferences.settings.panels
    assert "knobs" in app.dialogs.docked


def test_settings_go_back_by_command(driver: Driver) -> None:
    app = driver.app
    assert not app.commands.named("knobs.default").enabled(app)
    app.ask.tune(AlgorithmSettings(build=True))
    app.invoke("knobs.default")
    assert app.work.algorithm_settings == DEFAULT_SETTINGS


def test_a_plot_draws_frame_after_frame_until_it_is_there(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through_zero, "SLICE_SECONDS", 0.02)  # many slices, on a fast machine too
    app = driver.app
    app.invoke("panel.through_zero")
    app.draw_frame()
    panel = next(late.panel for late in app.panels if late.spec.name == "through_zero")
    panel._begin(app.panel_state(), app.ask)
    frames = 0
    while app.dialogs.busy:
        wait = app.draw_frame()
        assert wait == 0.0 or not app.dialogs.busy
        frames += 1
        assert frames < 20000
    assert frames > 3
    assert panel._events

"""Faults of the program in a panel or a part of the frame: the rest is drawn, and the window goes on."""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.application import Application
from app.commands.table import escape
from app.controllers.faults import AFTER_FAULT
from app.io.presets import presets
from app.io.session import recoverable
from app.panels import Shield
from app.state.ask import AskList
from app.state.panel_state import PanelState
from app.storage.files import state_folder

from .asked import asks, of
from .fault_rig import BrokenError, broken, goes_on, make_unsaved, notices, stacks_are_level, told
from .panel_rig import Rig, panel_named, panel_state, rig
from .window_rig import Driver, driver

__all__ = ["driver", "rig"]


# Panels.


def break_panel(driver: Driver, name: str, draw: Callable[[PanelState, AskList], None]) -> None:
    panel = next(p for p in driver.app.panels if p.spec.name == name)
    panel.draw = draw


def messy(title: str) -> Callable[[PanelState, AskList], None]:
    """Begins all that imgui lets one begin, asks for something, and raises."""

    def draw(_ui: PanelState, ask: AskList) -> None:
        imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(1.0, 0.0, 0.0, 1.0))
        imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(1.0, 1.0))
        imgui.begin(title)
        imgui.push_id("x")
        imgui.begin_disabled(True)
        imgui.begin_table("t", 2)
        imgui.begin_child("c")
        imgui.begin_group()
        ask.invoke("edit.swap")
        raise BrokenError("on purpose")

    return draw


@pytest.mark.nightly("windows")
def test_a_fault_in_any_panel_shuts_that_one(rig: Rig) -> None:
    told: list[str] = []

    def tell(doing: str, _error: Exception) -> str:
        told.append(doing)
        return "report"

    rig.shield = Shield(tell)
    ui = panel_state()
    rig.settle(ui)
    for panel in rig.panels:
        if panel.spec.dimension == 2:
            continue  # the plane's, which no scene of space draws
        panel.draw = messy("Broken panel###broken")
        asked = rig.settle(ui, 3)
        assert told == ["The panel Broken panel"], "once for the same scene, step and view"
        assert asks.invoke("edit.swap") not in asked
        assert stacks_are_level()
        stands = panel.wanted(ui)
        assert imgui.internal.find_window_by_name("Broken panel###broken").active is stands
        assert ("Copy report" in rig.rects) is stands
        told.clear()
        del panel.draw
        ui = panel_state(ui.document.scene.swapped())
        rig.settle(ui, 2)
        assert told == []


def test_the_report_is_copied_from_where_the_panel_was(rig: Rig) -> None:
    rig.shield = Shield(lambda _doing, _error: "report")
    ui = panel_state()
    rig.settle(ui)
    panel_named(rig.panels, "axis_table").draw = messy("Axes")
    rig.settle(ui)
    assert of("copy", rig.click(ui, "Copy report")) == [asks.copy("report", "the report")]


def test_a_fault_in_a_panel_leaves_the_window_with_its_notice(driver: Driver) -> None:
    app = driver.app
    app.preferences.configure(replace(app.preferences.settings, panels=True))
    driver.frame(4)
    for name in ("menu_bar", "axis_table", "help"):
        before = app.work.document
        panel = next(p for p in app.panels if p.spec.name == name)
        panel.draw = messy("Broken panel###broken")
        driver.frame(4)
        assert stacks_are_level()
        # Where it took room from the picture, the view has changed.
        assert len(driver.faults) in (1, 2), name
        driver.faults.clear()
        driver.frame(2)
        assert driver.faults == [], f"{name} is not drawn again for the same scene, step and view"
        assert app.work.document is before, "what it had asked for is dropped"
        (notice,) = notices(driver)
        assert notice.message.startswith(
            "The panel Broken panel failed because of a fault in the program (BrokenError)."
        )
        window = imgui.internal.find_window_by_name("Broken panel###broken")
        assert window.active is panel.wanted(app.panel_state())
        del panel.draw
        app.edits.edit(app.work.scene.swapped(), "Swap")
        driver.frame(2)
        assert driver.faults == [], "another scene: it is tried again"
        assert stacks_are_level()
        while escape(app):
            pass


CALLS = ["end", "text_unformatted", "begin", "same_line", "button", "begin_table", "get_cursor_pos_x", "begin_group"]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.painted
@pytest.mark.sampled(4, "windows")
def test_a_fault_in_the_middle_of_every_panel_leaves_a_window_that_goes_on(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    app = driver.app
    app.preferences.configure(replace(app.preferences.settings, panels=True, algorithm=True))
    app.ask.play(replace(app.work.playback, open=True))
    for name in ("help", "settings", "screenshot", "about"):
        setattr(app.dialogs, name, True)
    app.dialogs.docked = ("compare", "knobs")
    driver.frame(4)
    before = app.work.document
    with monkeypatch.context() as patch:
        patch.setattr(imgui, call, broken)
        driver.frame(6)
        assert stacks_are_level()
        assert len(notices(driver)) <= 4
    assert driver.faults
    driver.faults.clear()
    assert app.work.document is before
    app.ask.edit(app.work.scene.swapped(), "Swap")
    driver.frame(4)
    assert driver.faults == []
    assert stacks_are_level()
    assert imgui.internal.find_window_by_name("##verdict") is not None


def test_a_panel_that_failed_comes_back_with_another_step(driver: Driver) -> None:
    app = driver.app
    app.preferences.configure(replace(app.preferences.settings, panels=True))
    app.ask.play(replace(app.work.playback, open=True))
    driver.frame(4)
    card = panel_named(app.panels, "step_card")
    draw = card.draw

    def at_first_step(ui: PanelState, ask: AskList) -> None:
        if ui.playback.index == 0:
            imgui.begin("Step###step")
            raise BrokenError("on purpose")
        draw(ui, ask)

    card.draw = at_first_step
    app.ask.play(replace(app.work.playback, index=1))
    driver.frame(2)
    assert driver.faults == []
    app.ask.play(replace(app.work.playback, index=0))
    driver.frame(2)
    assert len(driver.faults) == 1
    told(driver, "The panel Step")
    app.ask.play(replace(app.work.playback, index=1))
    driver.frame(2)
    assert driver.faults == []


def test_a_question_that_cannot_be_drawn_is_answered_with_what_changes_nothing(driver: Driver) -> None:
    app = driver.app
    before = make_unsaved(driver)
    app.files.load_preset(presets()[3].id)
    assert app.questions.pending is not None
    panel = panel_named(app.panels, "question")

    def draw(_ui: PanelState, _ask: AskList) -> None:
        imgui.open_popup("###question")
        imgui.begin_popup_modal("###question", None, 0)
        raise BrokenError("on purpose")

    own, panel.draw = panel.draw, draw
    driver.frame(3)
    driver.faults.clear()
    assert app.questions.pending is None
    assert app.work.document is before
    panel.draw = own
    goes_on(driver)


def test_a_panel_that_was_computing_leaves_no_frames_behind(driver: Driver) -> None:
    driver.app.dialogs.busy = driver.app.dialogs.waiting = True
    break_panel(driver, "hint_line", messy("Hint###h"))
    driver.frame(3)
    driver.faults.clear()
    assert not driver.app.dialogs.busy
    assert driver.app.draw_frame() != 0.0


# The frame.


@pytest.mark.parametrize(
    "target",
    ["app.render.frame.build", "app.render.frame.lay_out", "app.render.Renderer.upload", "app.render.Renderer.present"],
)
@pytest.mark.sampled(2, "windows")
def test_a_picture_that_cannot_be_drawn_leaves_an_empty_pane_with_a_sentence(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    app, before = driver.app, make_unsaved(driver)
    driver.frame(2)
    drawn = driver.window.frames_drawn
    with monkeypatch.context() as patch:
        patch.setattr(target, broken)
        app.ask.edit(replace(app.work.scene, name="Other").swapped(), "Change")
        after = app.work.document
        told(driver, "Drawing the picture")
        assert app.panel_state().picture_fault
        assert imgui.internal.find_window_by_name("##picture fault").active
        assert app.draw_frame() == AFTER_FAULT
        driver.frame(10)
        assert notices(driver) == [], "it is told once"
        assert app.work.document is after, "the work stays"
        driver.faults.clear()
        # Whoever moves the mouse over it, scrolls or clicks ends nothing either.
        driver.click(500.0, 400.0)
        driver.send("on_mouse_scroll", 500, 400, 0, 1)
        driver.frame(2)
        driver.faults.clear()
        app.edits.undo()
        app.edits.undo()
    driver.frame(3)
    assert driver.window.frames_drawn > drawn
    assert driver.faults == []
    assert not app.panel_state().picture_fault
    assert app.builder.panes
    assert app.work.scene != before.committed
    goes_on(driver)


@pytest.mark.parametrize(
    "method",
    [
        "analysis.analysis.headline",
        "analysis.in_space.sat",
        "analysis.methods.signed_distance_steps",
        "analysis.analysis.contact_steps",
    ],
)
def test_a_scene_without_answers_leads_back_to_the_one_before(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Whichever method fails: also one that is asked later than the headline."""
    app, before = driver.app, make_unsaved(driver)
    driver.frame(3)
    known = resolve_name(f"core.{method}")

    def fails_for_some(*arguments, **rest):
        if app.work.scene.name == "Broken":
            raise BrokenError("on purpose")
        return known(*arguments, **rest)

    monkeypatch.setattr(f"core.{method}", fails_for_some)
    bad = replace(app.work.scene, name="Broken")
    app.ask.edit(bad.swapped(), "Change")
    driver.frame(2)
    assert app.work.document.committed == before.committed
    notice = told(driver, "Working out the answers")
    assert '"name": "Broken"' in notice.report, "the report has the scene that failed"
    app.ask.preview(bad.swapped())
    driver.frame(2)
    assert app.work.document.preview is None
    driver.faults.clear()
    goes_on(driver)


def test_steps_that_cannot_be_worked_out_close_the_timeline(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    monkeypatch.setattr("app.controllers.playback.query", broken)
    driver.key("Space")
    driver.frame(2)
    assert driver.faults
    driver.faults.clear()
    assert not app.work.playback.open
    assert notices(driver)
    goes_on(driver)


def test_panels_that_fail_as_a_whole_leave_the_picture_and_a_way_out(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, before = driver.app, make_unsaved(driver)
    left: list[bool] = []
    monkeypatch.setattr("app.platform.loop.stop_loop", lambda: left.append(True))
    with monkeypatch.context() as patch:
        patch.setattr(Application, "panel_state", broken)
        driver.frame(5)
        assert stacks_are_level()
        assert app.draw_frame() == AFTER_FAULT
        assert len(notices(driver)) == 1
        # Nothing can be asked: closing the window leaves the work for the next start.
        driver.send("on_close")
        assert left
        app.close_asked()
    driver.faults.clear()
    (work,) = recoverable(state_folder())
    assert work.scene == before.committed
    work.discard()


def test_drawing_that_fails_altogether_neither_ends_the_window_nor_keeps_it_busy(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        for target in ("app.platform.imgui_host.ImguiHost.draw", "app.application.Application._dress_window"):
            patch.setattr(target, broken)
            driver.frame(3)
            assert driver.app.draw_frame() == AFTER_FAULT
    assert len(notices(driver)) <= 2
    driver.faults.clear()
    for notice in notices(driver):
        del notice
        driver.key("Escape")
    goes_on(driver)


def test_what_goes_on_by_itself_rests_after_a_fault(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    app.ask.play(replace(app.work.playback, open=True, playing=True))
    driver.frame(2)
    with monkeypatch.context() as patch:
        patch.setattr("app.controllers.playback.advanced", broken)
        driver.frame(45)
        assert len(driver.faults) == 1
        told(driver, "What goes on by itself")
    assert not app.work.playback.playing


def test_the_window_closes_whatever_is_wrong_with_its_layout(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[bool] = []
    monkeypatch.setattr("app.platform.loop.stop_loop", lambda: left.append(True))
    monkeypatch.setattr(driver.app.host, "layout", broken)
    driver.send("on_close")
    assert left == [True]

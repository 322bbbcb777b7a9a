"""Faults of the program in the running window: each ends in one notice with a report, and the work is kept."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.application import Application
from app.commands.table import Command
from app.document import Document
from app.files.scene_file import load, read
from app.files.session import Autosave, recoverable
from app.hand import Hand
from app.panel_state import Notice, PanelState
from app.panels import make_panels
from app.panels.late_panel import LatePanel
from app.playback import Playback
from app.requests import Answer, Configure, Edit, Invoke, Open, Play, Preview, Request, Save, Screenshot, Step
from app.safe_frame import AFTER_FAULT
from app.storage.folders import state_folder

from .hostile_texts import PLAIN
from .panel_rig import panel_named
from .window_rig import Driver, driver

__all__ = ["driver"]


class BrokenError(Exception):
    """What a fault of the program raises here."""


def broken(*_: object, **__: object) -> None:
    raise BrokenError("on purpose")


def notices(driver: Driver) -> list[Notice]:
    return [notice for notice in driver.app.notices_now() if notice.error]


def told(driver: Driver, words: str) -> Notice:
    """The one notice of the one fault that was meant; it is drawn, and then dismissed."""
    driver.frame(3)
    assert driver.faults
    assert all(isinstance(fault, BrokenError) for fault in driver.faults)
    driver.faults.clear()
    (notice,) = notices(driver)
    assert notice.message.startswith(f"{words} failed because of a fault in the program (BrokenError). ")
    assert "Traceback (most recent call last)" in notice.report
    assert "BrokenError: on purpose" in notice.report
    driver.key("Escape")
    assert notices(driver) == []
    return notice


def stacks_are_level() -> bool:
    context = imgui.get_current_context()
    stacks = (context.current_window_stack, context.color_stack, context.style_var_stack, context.begin_popup_stack)
    return all(len(stack) == 0 for stack in stacks) and context.disabled_stack_size == 0


def make_unsaved(driver: Driver) -> Document:
    driver.app.apply(Edit(driver.app.scene.swapped(), "Swap A and B"))
    return driver.app.document


def goes_on(driver: Driver) -> None:
    """The window still does what it is for."""
    before = driver.app.scene
    driver.app.apply(Edit(driver.app.scene.swapped(), "Swap A and B"))
    driver.frame(2)
    assert driver.app.scene != before
    driver.app.undo()
    driver.frame(2)
    assert driver.app.scene == before
    assert stacks_are_level()
    assert driver.faults == []


# Commands.


@pytest.fixture
def broken_command(driver: Driver) -> Command:
    """The command that swaps the bodies: it edits, looks elsewhere, and then raises."""

    def action(app: Application) -> None:
        app.edit(app.scene.swapped(), "Swap")
        app.view = replace(app.view, shown=frozenset())
        app.selection = 1
        raise BrokenError("on purpose")

    table = driver.app.commands
    command = replace(table.named("edit.swap"), action=action)
    table._by_id[command.id] = command
    for chord in command.keys:
        table._by_chord[chord] = command
    return command


@pytest.mark.parametrize("way", ["request", "key"])
def test_a_fault_in_a_command_leaves_the_work_as_it_was(driver: Driver, broken_command: Command, way: str) -> None:
    app, before = driver.app, make_unsaved(driver)
    view, selection = app.view, app.selection
    if way == "key":
        driver.key(broken_command.keys[0])
    else:
        app.apply(Invoke(broken_command.id))
    assert app.document is before
    assert (app.view.shown, app.selection) == (view.shown, selection)
    told(driver, f"The command {broken_command.title}")
    (kept,) = state_folder().glob("autosave-*.json")
    assert read(json.dumps(json.loads(kept.read_text())["scene"])).scene == before.committed
    goes_on(driver)


@pytest.mark.parametrize("question", ["enabled", "checked"])
def test_a_command_that_cannot_say_whether_it_runs_is_told_once_and_off(driver: Driver, question: str) -> None:
    app = driver.app
    table = app.commands
    faulty = replace(table.named("edit.swap"), **{question: broken})
    table.commands = tuple(faulty if command.id == faulty.id else command for command in table.commands)
    driver.frame(5)
    told(driver, f"The command {faulty.title}")
    driver.frame(5)
    assert notices(driver) == []
    assert not next(entry for entry in app.menu.entries(app) if entry.id == faulty.id).enabled
    driver.faults.clear()


@pytest.mark.parametrize("request_", [Play(Playback(open=True)), Configure, Preview(None)], ids=["play", "set", "drag"])
def test_a_fault_in_any_request_leaves_the_work_as_it_was(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, request_: Request
) -> None:
    app, before = driver.app, make_unsaved(driver)
    asked = Configure(app.settings) if request_ is Configure else request_
    for name in ("play", "configure"):
        monkeypatch.setattr(app, name, broken)
    monkeypatch.setattr(Document, "previewed", broken)
    with monkeypatch.context() as patch:
        patch.setattr(Document, "previewed", lambda self, _: self) if not isinstance(asked, Preview) else None
        app.apply(asked)
    monkeypatch.undo()
    driver.faults.clear()
    assert app.document.committed == before.committed
    driver.frame(2)


# File actions.


@pytest.fixture
def opened(driver: Driver, tmp_path: Path) -> Path:
    path = tmp_path / "open.json"
    driver.app.apply(Save(path))
    driver.frame(2)
    return path


def reload(driver: Driver, path: Path) -> None:
    path.write_text(PLAIN, encoding="utf-8")
    driver.app.filing._asking_reload = False
    driver.app.ask(*_question(driver))
    driver.app.apply(Answer("go"))


def _question(driver: Driver):
    from app.panel_state import Choice, Pending

    return Pending("?", "?", (Choice("go", "Go"),)), {"go": driver.app.filing.reload}


ACTIONS: dict[str, tuple[str, Callable[[Driver, Path], None], str]] = {
    "open": ("app.filing.load", lambda driver, path: driver.app.apply(Open(path)), "Opening open.json"),
    "open a mesh": (
        "app.filing.load_hull",
        lambda driver, path: driver.app.apply(Open(path.with_suffix(".obj"))),
        "Opening open.obj",
    ),
    "drop": (
        "app.filing.load",
        lambda driver, path: driver.send("on_file_drop", 1, 1, [str(path)]),
        "Opening the files dropped here",
    ),
    "save": ("app.filing.save", lambda driver, path: driver.app.apply(Save(path)), "Saving open.json"),
    "save, remember": ("app.filing.remember", lambda driver, path: driver.app.apply(Save(path)), "Saving open.json"),
    "reload": ("app.filing.load", reload, "Acting on the answer"),
    "paste": (
        "app.filing.read",
        lambda driver, _: (driver.app.copy(PLAIN), driver.app.invoke("edit.paste"))[0],
        "The command Paste scene",
    ),
    "picture": (
        "app.application.expose_still",
        lambda driver, _: driver.app.apply(Screenshot(20, 20)),
        "Taking the picture",
    ),
}


@pytest.mark.parametrize(("target", "act", "words"), ACTIONS.values(), ids=ACTIONS)
def test_a_fault_in_a_file_action_keeps_the_work(
    driver: Driver,
    opened: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    act: Callable[[Driver, Path], None],
    words: str,
) -> None:
    app, before = driver.app, driver.app.document
    with monkeypatch.context() as patch:
        patch.setattr(target, broken)
        act(driver, opened)
        told(driver, words)
    assert app.document.entries is before.entries
    assert app.document.path == opened
    assert app.pending is None
    goes_on(driver)
    app.apply(Save(opened))
    assert load(opened).scene == app.scene


def test_a_fault_while_the_file_is_watched_is_told_once(
    driver: Driver, opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.write_text(PLAIN, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("app.filing.load", broken)
        for _ in range(5):
            driver.app.look_at_disk()
        told(driver, "Looking at the file on disk")
        driver.app.look_at_disk()
        assert notices(driver) == []
        driver.faults.clear()
    driver.app.look_at_disk()
    assert driver.app.pending is not None


def test_a_fault_in_a_log_keeps_what_is_shown(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app, log = driver.app, tmp_path / "log.jsonl"
    log.write_text(f"{PLAIN}\n{PLAIN}\n", encoding="utf-8")
    app.apply(Open(log))
    before = app.document
    with monkeypatch.context() as patch:
        patch.setattr("app.files.scene_log.read_line", broken)
        app.apply(Step(1))
        told(driver, "Showing another entry of the log")
    assert app.document is before
    goes_on(driver)


def test_a_fault_in_a_recovery_leaves_the_autosave(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    dead = Autosave(state_folder())
    dead.save(app.scene.swapped())
    assert dead._lock is not None
    dead._lock.close()
    app.filing.offer_recovery()
    with monkeypatch.context() as patch:
        patch.setattr(app.filing, "show", broken)
        app.apply(Answer("recover"))
        told(driver, "Acting on the answer")
    assert dead.file.exists()
    app.filing.offer_recovery()
    app.apply(Answer("recover"))
    assert app.scene == read(PLAIN).scene or app.document.unsaved


@pytest.mark.parametrize("target", ["app.filing.load", "app.filing.recoverable"])
def test_a_fault_at_the_start_still_shows_a_window(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str
) -> None:
    file = tmp_path / "first.json"
    file.write_text(PLAIN, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(target, broken)
        driver.app.open_first(file)
        told(driver, "Opening first.json" if target.endswith("load") else "Looking for unsaved work")
    goes_on(driver)


# Events.

EVENTS = {
    "pointer_moved": ("on_mouse_motion", (300, 300, 1, 1)),
    "pointer_left": ("on_mouse_leave", (1, 1)),
    "pressed": ("on_mouse_press", (300, 300, 1, 0)),
    "released": ("on_mouse_release", (300, 300, 1, 0)),
    "scrolled": ("on_mouse_scroll", (300, 300, 0, 1)),
    "key_changed": ("on_key_press", (97, 0)),
    "typed": ("on_text", ("a",)),
    "focused": ("on_deactivate", ()),
    "dropped": ("on_file_drop", (1, 1, ["x.json"])),
    "close_asked": ("on_close", ()),
}


@pytest.mark.parametrize(("method", "event"), EVENTS.items(), ids=EVENTS)
def test_a_fault_in_an_event_ends_there(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, method: str, event: tuple[str, tuple[object, ...]]
) -> None:
    before = make_unsaved(driver)
    with monkeypatch.context() as patch:
        patch.setattr(Hand, method, broken)
        driver.send(event[0], *event[1])
        assert driver.faults
    driver.faults.clear()
    driver.frame(2)
    (notice,) = notices(driver)
    assert "failed because of a fault in the program (BrokenError)" in notice.message
    assert driver.app.document is before
    driver.send("on_activate")
    goes_on(driver)


def test_a_fault_in_a_drag_puts_the_body_back(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app, before = driver.app, make_unsaved(driver)
    driver.drag(driver.on_b, (600.0, 500.0), release=False)
    assert app.document.preview is not None
    with monkeypatch.context() as patch:
        patch.setattr("app.tools.gestures.Gestures.move", broken)
        driver.move(620.0, 510.0, buttons=1)
        driver.frame(2)
    assert driver.faults
    driver.faults.clear()
    assert app.document.preview is None
    assert app.document.committed == before.committed
    assert not app.hand.gestures.busy
    driver.release(620.0, 510.0)
    assert app.document.committed == before.committed
    goes_on(driver)


# Panels.

NAMES = [panel.name if isinstance(panel, LatePanel) else type(panel).__name__ for panel in make_panels()]


def break_panel(driver: Driver, name: str, draw: Callable[[PanelState, list[Request]], None]) -> None:
    panel = next(p for p in driver.app.panels if name in (type(p).__name__, getattr(p, "name", "")))
    panel.draw = draw


def messy(title: str) -> Callable[[PanelState, list[Request]], None]:
    """Begins all that imgui lets one begin, asks for something, and raises."""

    def draw(_ui: PanelState, ask: list[Request]) -> None:
        imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(1.0, 0.0, 0.0, 1.0))
        imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(1.0, 1.0))
        imgui.begin(title)
        imgui.push_id("x")
        imgui.begin_disabled(True)
        imgui.begin_table("t", 2)
        imgui.begin_child("c")
        imgui.begin_group()
        ask.append(Invoke("edit.swap"))
        raise BrokenError("on purpose")

    return draw


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_in_a_panel_shuts_that_one(driver: Driver, name: str) -> None:
    app = driver.app
    app.configure(replace(app.settings, panels=True))
    driver.frame(4)
    before = app.document
    break_panel(driver, name, messy("Broken panel###broken"))
    driver.frame(4)
    assert stacks_are_level()
    # Where it took room from the picture, the view has changed.
    assert len(driver.faults) in (1, 2)
    driver.faults.clear()
    driver.frame(5)
    assert driver.faults == [], "it is not drawn again for the same scene, step and view"
    assert app.document is before, "what it had asked for is dropped"
    if name == "Notices":
        return
    (notice,) = notices(driver)
    assert notice.message.startswith("The panel Broken panel failed because of a fault in the program (BrokenError).")
    window = imgui.internal.find_window_by_name("Broken panel###broken")
    panel = next(p for p in app.panels if name in (type(p).__name__, getattr(p, "name", "")))
    assert window.active is (not isinstance(panel, LatePanel) or panel.wanted(app.panel_state()))
    app.apply(Edit(app.scene.swapped(), "Swap"))
    driver.frame(3)
    assert driver.faults, "another scene: it is tried again"
    driver.faults.clear()
    assert stacks_are_level()


CALLS = ["end", "text_unformatted", "begin", "same_line", "button", "begin_table", "get_cursor_pos_x", "begin_group"]


@pytest.mark.parametrize("call", CALLS)
def test_a_fault_in_the_middle_of_every_panel_leaves_a_window_that_goes_on(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    app = driver.app
    app.configure(replace(app.settings, panels=True, algorithm=True))
    app.apply(Play(replace(app.playback, open=True)))
    for name in ("help", "settings", "screenshot", "about", "compare", "knobs"):
        setattr(app.dialogs, name, True)
    driver.frame(4)
    before = app.document
    with monkeypatch.context() as patch:
        patch.setattr(imgui, call, broken)
        driver.frame(6)
        assert stacks_are_level()
        assert len(notices(driver)) <= 4
    assert driver.faults
    driver.faults.clear()
    assert app.document is before
    app.apply(Edit(app.scene.swapped(), "Swap"))
    driver.frame(4)
    assert driver.faults == []
    assert stacks_are_level()
    assert imgui.internal.find_window_by_name("##verdict") is not None


def test_a_panel_that_failed_comes_back_with_another_step(driver: Driver) -> None:
    app = driver.app
    app.configure(replace(app.settings, panels=True))
    app.apply(Play(replace(app.playback, open=True)))
    driver.frame(4)
    card = panel_named(app.panels, "StepCard")
    draw = card.draw

    def at_first_step(ui: PanelState, ask: list[Request]) -> None:
        if ui.playback.index == 0:
            imgui.begin("Step###step")
            raise BrokenError("on purpose")
        draw(ui, ask)

    card.draw = at_first_step
    app.apply(Play(replace(app.playback, index=1)))
    driver.frame(2)
    assert driver.faults == []
    app.apply(Play(replace(app.playback, index=0)))
    driver.frame(2)
    assert len(driver.faults) == 1
    told(driver, "The panel Step")
    app.apply(Play(replace(app.playback, index=1)))
    driver.frame(2)
    assert driver.faults == []


def test_a_question_that_cannot_be_drawn_is_answered_with_what_changes_nothing(driver: Driver) -> None:
    app = driver.app
    before = make_unsaved(driver)
    app.load_preset(app.presets[3].id)
    assert app.pending is not None
    panel = panel_named(app.panels, "Question")

    def draw(_ui: PanelState, _ask: list[Request]) -> None:
        imgui.open_popup("###question")
        imgui.begin_popup_modal("###question", None, 0)
        raise BrokenError("on purpose")

    own, panel.draw = panel.draw, draw
    driver.frame(3)
    driver.faults.clear()
    assert app.pending is None
    assert app.document is before
    panel.draw = own
    goes_on(driver)


def test_a_panel_that_was_computing_leaves_no_frames_behind(driver: Driver) -> None:
    driver.app.dialogs.busy = driver.app.dialogs.waiting = True
    break_panel(driver, "HintLine", messy("Hint###h"))
    driver.frame(3)
    driver.faults.clear()
    assert not driver.app.dialogs.busy
    assert driver.app.draw_frame() != 0.0


# The frame.


@pytest.mark.parametrize(
    "target", ["app.frame.build", "app.frame.layout", "app.renderer.Renderer.upload", "app.renderer.Renderer.present"]
)
def test_a_picture_that_cannot_be_drawn_leaves_an_empty_pane_with_a_sentence(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    app, before = driver.app, make_unsaved(driver)
    driver.frame(2)
    drawn = driver.window.frames_drawn
    with monkeypatch.context() as patch:
        patch.setattr(target, broken)
        app.apply(Edit(replace(app.scene, name="Other").swapped(), "Change"))
        after = app.document
        told(driver, "Drawing the picture")
        assert app.panel_state().picture_fault
        assert imgui.internal.find_window_by_name("##picture fault").active
        assert app.draw_frame() == AFTER_FAULT
        driver.frame(10)
        assert notices(driver) == [], "it is told once"
        assert app.document is after, "the work stays"
        driver.faults.clear()
        # Whoever moves the mouse over it, scrolls or clicks ends nothing either.
        driver.click(500.0, 400.0)
        driver.send("on_mouse_scroll", 500, 400, 0, 1)
        driver.frame(2)
        driver.faults.clear()
        app.undo()
        app.undo()
    driver.frame(3)
    assert driver.window.frames_drawn > drawn
    assert driver.faults == []
    assert not app.panel_state().picture_fault
    assert app.builder.panes
    assert app.scene != before.committed
    goes_on(driver)


def test_a_scene_without_answers_leads_back_to_the_one_before(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.worlds import analyse

    app, before = driver.app, make_unsaved(driver)
    driver.frame(3)

    def fails_for_some(scene, *rest):
        if scene.name == "Broken":
            raise BrokenError("on purpose")
        return analyse(scene, *rest)

    monkeypatch.setattr("app.background.analyse", fails_for_some)
    bad = replace(app.scene, name="Broken")
    app.apply(Edit(bad.swapped(), "Change"))
    driver.frame(2)
    assert app.document.committed == before.committed
    notice = told(driver, "Working out the answers")
    assert '"name": "Broken"' in notice.report, "the report has the scene that failed"
    app.apply(Preview(bad.swapped()))
    driver.frame(2)
    assert app.document.preview is None
    driver.faults.clear()
    goes_on(driver)


def test_steps_that_cannot_be_worked_out_close_the_timeline(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    monkeypatch.setattr("app.stepping.query", broken)
    driver.key("Space")
    driver.frame(2)
    assert driver.faults
    driver.faults.clear()
    assert not app.playback.open
    assert notices(driver)
    goes_on(driver)


def test_panels_that_fail_as_a_whole_leave_the_picture_and_a_way_out(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, before = driver.app, make_unsaved(driver)
    left: list[bool] = []
    monkeypatch.setattr("app.desktop.window.stop_loop", lambda: left.append(True))
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
        for target in ("app.desktop.imgui_host.ImguiHost.draw", "app.application.Application._dress_window"):
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
    app.apply(Play(replace(app.playback, open=True, playing=True)))
    driver.frame(2)
    with monkeypatch.context() as patch:
        patch.setattr("app.stepping.advanced", broken)
        driver.frame(120)
        assert len(driver.faults) == 1
        told(driver, "What goes on by itself")
    assert not app.playback.playing


def test_the_window_closes_whatever_is_wrong_with_its_layout(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[bool] = []
    monkeypatch.setattr("app.desktop.window.stop_loop", lambda: left.append(True))
    monkeypatch.setattr(driver.app.host, "layout", broken)
    driver.send("on_close")
    assert left == [True]


# What is told.


def test_the_report_can_be_copied_and_brings_the_scene_back(driver: Driver, broken_command: Command) -> None:
    app = driver.app
    app.apply(Edit(replace(app.scene, name="Fünf"), "Rename"))
    before = app.scene
    app.apply(Invoke(broken_command.id))
    driver.faults.clear()
    driver.frame(4)
    window = imgui.internal.find_window_by_name("##notices")
    em = imgui.get_font_size()
    app.copy("")
    # The button stands under the sentence, at the left of the card.
    x, y = window.pos.x + 3.0 * em, window.pos.y + window.size.y - imgui.get_style().window_padding.y - 0.7 * em
    driver.click(float(x), float(y))
    text = app.clipboard()
    assert f"The command {broken_command.title} failed." in text
    assert "Separatrix 0." in text
    assert "Python 3." in text
    assert "numpy" in text
    assert "in action" in text
    scene = text[text.index("Scene:\n") + len("Scene:\n") :]
    assert read(scene).scene == before.swapped(), "as it was when it failed"
    assert text.isascii() or "Fünf" in text
    assert (state_folder() / "fault.txt").read_text(encoding="utf-8").startswith("The command")


def test_a_hundred_faults_leave_few_notices(driver: Driver, broken_command: Command) -> None:
    for _ in range(100):
        driver.app.apply(Invoke(broken_command.id))
    driver.frame(2)
    driver.faults.clear()
    assert len(notices(driver)) == 1


def test_a_report_that_cannot_be_written_is_still_told(
    driver: Driver, broken_command: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    driver.app.apply(Invoke(broken_command.id))
    told(driver, f"The command {broken_command.title}")
    assert "The details could not be written to" in capsys.readouterr().err

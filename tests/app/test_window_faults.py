"""Faults of the program in the running window: each ends in one notice with a report, and the work is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.commands.table import Command, escape
from app.io.scene_file import load, read
from app.io.session import Autosave
from app.platform.events import Events
from app.state.ask import Ask
from app.state.export_options import ExportOptions
from app.state.playback import Playback
from app.storage.files import state_folder

from .fault_rig import broken, broken_command, from_a_panel, goes_on, make_unsaved, notices, told
from .hostile_texts import PLAIN
from .window_rig import Driver, driver

__all__ = ["broken_command", "driver"]


# Commands.


@pytest.mark.parametrize("way", ["panel", "key"])
def test_a_fault_in_a_command_leaves_the_work_as_it_was(driver: Driver, broken_command: Command, way: str) -> None:
    app, before = driver.app, make_unsaved(driver)
    view, selection = app.work.view, app.work.selection
    if way == "key":
        driver.key(broken_command.keys[0])
    else:
        with from_a_panel(driver) as ask:
            ask.invoke(broken_command.id)
    assert app.work.document is before
    assert (app.work.view.shown, app.work.selection) == (view.shown, selection)
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
    # Commands are asked where they are listed.
    app.dialogs.palette = True
    driver.frame(5)
    app.dialogs.palette = False
    told(driver, f"The command {faulty.title}")
    app.dialogs.palette = True
    driver.frame(5)
    assert notices(driver) == []
    assert not next(entry for entry in app.menu.entries(app) if entry.id == faulty.id).enabled
    driver.faults.clear()


ASKED: dict[str, tuple[str, Callable[[Ask, Driver], None]]] = {
    "play": ("app.controllers.playback.Steps.play", lambda ask, _: ask.play(Playback(open=True))),
    "set": (
        "app.controllers.preferences.Preferences.configure",
        lambda ask, driver: ask.configure(driver.app.preferences.settings),
    ),
    "drag": ("app.state.work.Document.previewed", lambda ask, _: ask.preview(None)),
}


@pytest.mark.parametrize(("target", "put"), ASKED.values(), ids=ASKED)
def test_a_fault_in_what_is_asked_leaves_the_work_as_it_was(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, target: str, put: Callable[[Ask, Driver], None]
) -> None:
    before = make_unsaved(driver)
    with monkeypatch.context() as patch:
        patch.setattr(target, broken)
        with from_a_panel(driver) as ask:
            put(ask, driver)
            ask.select(0)
    assert len(driver.faults) == 1
    driver.faults.clear()
    assert driver.app.work.document.committed == before.committed
    assert driver.app.work.selection == 0, "what else was asked for happens all the same"
    driver.frame(2)


def test_a_fault_is_told_as_what_failed_and_no_longer_as_what_is_done(driver: Driver) -> None:
    """One catch for an event: what was done in it before has a name too, but the fault is not in that."""
    app, before = driver.app, make_unsaved(driver)
    with app.events.hearing("on_text"):
        app.ask.select(0)
        broken()
    told(driver, "Typing")
    assert app.work.selection != 0
    with app.events.hearing("on_text"):
        app.ask.select(0)
        with app.faults.doing("Sorting"):
            broken()
    told(driver, "Sorting")
    assert app.work.selection == 0, "undone from where it began"
    assert app.work.document is before


# File actions.


@pytest.fixture
def opened(driver: Driver, tmp_path: Path) -> Path:
    path = tmp_path / "open.json"
    driver.app.ask.save(path)
    driver.frame(2)
    return path


def reload(ask: Ask, driver: Driver, path: Path) -> None:
    path.write_text(PLAIN, encoding="utf-8")
    driver.app.files._asking_reload = False
    driver.app.questions.ask(*_question(driver))
    ask.answer("go")


def _question(driver: Driver):
    from app.state.panel_state import DialogChoice, Pending

    return Pending("?", "?", (DialogChoice("go", "Go"),)), {"go": driver.app.files.reload}


ACTIONS: dict[str, tuple[str, Callable[[Ask, Driver, Path], None], str]] = {
    "open": ("app.controllers.files.load", lambda ask, _, path: ask.open(path), "Opening open.json"),
    "open a mesh": (
        "app.controllers.mesh_loading.load_hull",
        lambda ask, _, path: ask.open(path.with_suffix(".obj")),
        "Opening open.obj",
    ),
    "drop": (
        "app.controllers.files.load",
        lambda _, driver, path: driver.send("on_file_drop", 1, 1, [str(path)]),
        "Opening the files dropped here",
    ),
    "save": ("app.controllers.files.save", lambda ask, _, path: ask.save(path), "Saving open.json"),
    "save, remember": (
        "app.controllers.files.remember",
        lambda ask, _, path: ask.save(path),
        "Saving open.json",
    ),
    "reload": ("app.controllers.files.load", reload, "Acting on the answer"),
    "paste": (
        "app.controllers.files.read",
        lambda ask, driver, _: (driver.app.window.copy(PLAIN), ask.invoke("edit.paste"))[0],
        "The command Paste scene",
    ),
    "picture": (
        "app.render.still.expose_still",
        lambda ask, *_: ask.take_picture(ExportOptions(size=(20, 20))),
        "Taking the picture",
    ),
}


@pytest.mark.parametrize(("target", "act", "words"), ACTIONS.values(), ids=ACTIONS)
@pytest.mark.sampled(2, "windows")
def test_a_fault_in_a_file_action_keeps_the_work(
    driver: Driver,
    opened: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    act: Callable[[Ask, Driver, Path], None],
    words: str,
) -> None:
    app, before = driver.app, driver.app.work.document
    with monkeypatch.context() as patch:
        patch.setattr(target, broken)
        with from_a_panel(driver) as ask:
            act(ask, driver, opened)
        told(driver, words)
    assert app.work.document.entries is before.entries
    assert app.work.document.path == opened
    assert app.questions.pending is None
    goes_on(driver)
    app.ask.save(opened)
    assert load(opened).scene == app.work.scene


def test_a_fault_while_the_file_is_watched_is_told_once(
    driver: Driver, opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.write_text(PLAIN, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("app.controllers.files.load", broken)
        for _ in range(5):
            driver.app.events.disk_due()
        told(driver, "Looking at the file on disk")
        driver.app.events.disk_due()
        assert notices(driver) == []
        driver.faults.clear()
    driver.app.events.disk_due()
    assert driver.app.questions.pending is not None


def test_a_fault_in_a_log_keeps_what_is_shown(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app, log = driver.app, tmp_path / "log.jsonl"
    log.write_text(f"{PLAIN}\n{PLAIN}\n", encoding="utf-8")
    app.ask.open(log)
    before = app.work.document
    with monkeypatch.context() as patch:
        patch.setattr("app.io.scene_log.read_line", broken)
        with from_a_panel(driver) as ask:
            ask.show_entry(1)
        told(driver, "Showing another entry of the log")
    assert app.work.document is before
    goes_on(driver)


def test_a_fault_in_a_recovery_leaves_the_autosave(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    dead = Autosave(state_folder())
    dead.save(app.work.scene.swapped())
    assert dead._lock is not None
    dead._lock.close()
    app.files.recovery.offer()
    with monkeypatch.context() as patch:
        patch.setattr(app.files.recovery, "_show", broken)
        with from_a_panel(driver) as ask:
            ask.answer("recover")
        told(driver, "Acting on the answer")
    assert dead.file.exists()
    app.files.recovery.offer()
    app.ask.answer("recover")
    assert app.work.scene == read(PLAIN).scene or app.work.document.unsaved


@pytest.mark.parametrize("target", ["app.controllers.files.load", "app.controllers.recovery.recoverable"])
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
    "files_dropped": ("on_file_drop", (1, 1, ["x.json"])),
    "close_asked": ("on_close", ()),
}


def test_a_fault_in_an_event_ends_there(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_unsaved(driver)
    for method, (event, arguments) in EVENTS.items():
        with monkeypatch.context() as patch:
            patch.setattr(Events, method, broken)
            driver.send(event, *arguments)
            assert driver.faults, method
        driver.faults.clear()
        (notice,) = notices(driver)
        assert "failed because of a fault in the program (BrokenError)" in notice.message
        assert driver.app.work.document is before
        assert escape(driver.app)
    driver.send("on_activate")
    goes_on(driver)


def test_a_fault_in_a_drag_puts_the_body_back(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    app, before = driver.app, make_unsaved(driver)
    driver.drag(driver.on_b, (600.0, 500.0), release=False)
    assert app.work.document.preview is not None
    with monkeypatch.context() as patch:
        patch.setattr("app.input.gestures.Gestures.move", broken)
        driver.move(620.0, 510.0, buttons=1)
        driver.frame(2)
    assert driver.faults
    driver.faults.clear()
    assert app.work.document.preview is None
    assert app.work.document.committed == before.committed
    assert not app.events.gestures.busy
    driver.release(620.0, 510.0)
    assert app.work.document.committed == before.committed
    goes_on(driver)


# What is told.


def test_the_report_can_be_copied_and_brings_the_scene_back(driver: Driver, broken_command: Command) -> None:
    app = driver.app
    app.ask.edit(replace(app.work.scene, name="Fünf"), "Rename")
    before = app.work.scene
    with from_a_panel(driver) as ask:
        ask.invoke(broken_command.id)
    driver.faults.clear()
    driver.frame(4)
    window = imgui.internal.find_window_by_name("##notices")
    em = imgui.get_font_size()
    app.window.copy("")
    # The button stands under the sentence, at the left of the card.
    x, y = window.pos.x + 3.0 * em, window.pos.y + window.size.y - imgui.get_style().window_padding.y - 0.7 * em
    driver.click(float(x), float(y))
    text = app.window.paste()
    assert f"The command {broken_command.title} failed." in text
    assert re.search(r"^ok +Separatrix +0\.", text, re.M)
    assert re.search(r"^ok +Python +3\.", text, re.M)
    assert re.search(r"^ok +Window +.*OpenGL", text, re.M)
    assert "in action" in text
    scene = text[text.index("Scene:\n") + len("Scene:\n") :]
    assert read(scene).scene == before.swapped(), "as it was when it failed"
    assert text.isascii() or "Fünf" in text
    assert (state_folder() / "fault.txt").read_text(encoding="utf-8").startswith("The command")


@pytest.mark.nightly("windows")
def test_a_hundred_faults_leave_few_notices(driver: Driver, broken_command: Command) -> None:
    for _ in range(100):
        with from_a_panel(driver) as ask:
            ask.invoke(broken_command.id)
    driver.frame(2)
    driver.faults.clear()
    assert len(notices(driver)) == 1


def test_a_report_that_cannot_be_written_is_still_told(
    driver: Driver, broken_command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    place = state_folder() / "fault.txt"
    place.mkdir(parents=True)
    with from_a_panel(driver) as ask:
        ask.invoke(broken_command.id)
    told(driver, f"The command {broken_command.title}")
    assert f"The details could not be written to {place}." in capsys.readouterr().err
    place.rmdir()

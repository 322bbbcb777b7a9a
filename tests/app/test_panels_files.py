"""The file browser and the desktop's own dialogs: listing, choosing, replacing, and names that are no text."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import get_ident

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.panels.file_browser import (
    exists,
    is_folder,
    list_folder,
    matching,
    resolved,
    with_suffix,
)
from app.panels.native_dialog import SAVE_FILTER, NativeDialog
from app.state.panel_state import Dialogs, PanelState
from app.state.work import Document
from tests.app.panel_rig import PAIR, Rig, panel_state

from .asked import asks, of
from .patience import wait_for
from .test_panels import rig

__all__ = ["rig"]

bytes_for_names = pytest.mark.skipif(sys.platform == "win32", reason="on Windows every file's name is text")


def test_opening_a_file_by_keyboard(rig: Rig, tmp_path: Path) -> None:
    folder = tmp_path / "scenes"
    folder.mkdir()
    (folder / "pair.json").write_text("{}")
    (folder / "other.json").write_text("{}")
    (folder / "notes.doc").write_text("")
    ui = panel_state(document=Document.new(PAIR, tmp_path / "here.json"), dialogs=Dialogs(open=True))
    rig.settle(ui)
    rig.type(ui, "scen")
    rig.press(ui, imgui.Key.enter)
    assert ui.dialogs.open, "Enter on a folder goes into it"
    rig.settle(ui)
    assert any(label.startswith("pair.json") for label in rig.rects)
    assert not any(label.startswith("notes.doc") for label in rig.rects)
    imgui.set_window_focus("Open###files")
    rig.settle(ui)
    rig.click(ui, "##name")
    rig.type(ui, "pai")
    assert of("open", rig.press(ui, imgui.Key.enter)) == [asks.open(folder / "pair.json")]
    assert not ui.dialogs.open


def test_saving_asks_before_it_replaces_a_file(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}")
    ui = panel_state(document=Document.new(PAIR, tmp_path / "here.json"), dialogs=Dialogs(save=True))
    rig.settle(ui)
    rig.type(ui, "old")
    assert not of("save", rig.press(ui, imgui.Key.enter))
    rig.settle(ui)
    assert of("save", rig.click(ui, "Keep it")) == []
    rig.settle(ui)
    assert of("save", rig.click(ui, "Save")) == []
    rig.settle(ui)
    assert of("save", rig.click(ui, "Replace")) == [asks.save(tmp_path / "old.json")]
    assert not ui.dialogs.save


def test_a_new_lesson_gets_a_name_of_its_own_and_overwrites_nothing_unasked(rig: Rig, tmp_path: Path) -> None:
    ui = panel_state(dialogs=Dialogs(lesson=True), document=Document.new(PAIR, tmp_path / "pair.json"))
    (tmp_path / "pair.md").write_text("mine")
    rig.settle(ui)
    assert not of("write_lesson", rig.click(ui, "Save"))
    rig.settle(ui)
    assert of("write_lesson", rig.click(ui, "Replace")) == [asks.write_lesson(tmp_path / "pair.md")]
    assert not ui.dialogs.lesson


def test_the_native_dialog_is_asked_where_there_is_one(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[tuple[bool, Path | None]] = [(True, Path("there") / "scene"), (False, None), (False, None)]

    class Fake:
        def __init__(self, kept_as: list[str] | None, start: Path) -> None:
            assert kept_as == SAVE_FILTER
            assert start.name == "pair.json"

        def poll(self) -> tuple[bool, Path | None]:
            return answers.pop()

        def close(self) -> None:
            raise AssertionError("closed though it was answered")

    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: True)
    monkeypatch.setattr("app.panels.file_browser.NativeDialog", Fake)
    ui = panel_state(dialogs=Dialogs(save=True))
    assert not rig.frame(ui)
    assert ui.dialogs.waiting
    assert of("save", rig.settle(ui, 2)) == [asks.save(Path("there") / "scene.json")]
    assert not ui.dialogs.waiting
    assert not ui.dialogs.save


def test_a_name_that_the_native_dialog_did_not_ask_about_is_asked_about(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Fake:
        def __init__(self, _kept_as: list[str] | None, _start: Path) -> None: ...

        def poll(self) -> tuple[bool, Path | None]:
            return True, tmp_path / "pair"

    (tmp_path / "pair.json").write_text("{}")
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: True)
    monkeypatch.setattr("app.panels.file_browser.NativeDialog", Fake)
    ui = panel_state(dialogs=Dialogs(save=True))
    assert not rig.settle(ui)
    assert of("save", rig.click(ui, "Replace")) == [asks.save(tmp_path / "pair.json")]
    assert not ui.dialogs.save


class WindowsDialog:
    """As portable-file-dialogs does on Windows: whoever asks or kills it is handed the messages of its own thread.

    The window's are those of the thread that draws, and each has the program draw a frame.
    """

    def __init__(self, rig: Rig, answer: list[str] | None) -> None:
        """`answer`: None for a user who never answers."""
        self._rig, self._window, self._answer = rig, get_ident(), answer
        self.killed = False

    def ready(self, timeout: int) -> bool:
        assert timeout == 0, "the library would keep Python's lock while it waits"
        self._hand_out_messages()
        return self._answer is not None or self.killed

    def result(self) -> list[str]:
        self._hand_out_messages()
        return self._answer or []

    def kill(self) -> None:
        self._hand_out_messages()
        self.killed = True

    def _hand_out_messages(self) -> None:
        if get_ident() == self._window:
            self._rig.frame(panel_state())


def opened(rig: Rig, monkeypatch: pytest.MonkeyPatch, answer: list[str] | None) -> tuple[WindowsDialog, PanelState]:
    """A file is to be opened, by a dialog of Windows."""
    dialog = WindowsDialog(rig, answer)
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: True)
    monkeypatch.setattr("app.panels.native_dialog.pfd.open_file", lambda *_: dialog)
    ui = panel_state(dialogs=Dialogs(open=True))
    asked = rig.frame(ui)
    if answer is not None:
        wait_for(lambda: asked.extend(rig.frame(ui)) or not ui.dialogs.waiting, "the dialog's answer")
    assert of("open", asked) == [asks.open(Path(name)) for name in answer or ()]
    return dialog, ui


def test_no_frame_is_drawn_inside_another_while_a_dialog_of_windows_is_asked(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ui = opened(rig, monkeypatch, ["there.json"])
    assert not ui.dialogs.waiting
    assert not ui.dialogs.open


def test_no_frame_is_drawn_inside_another_while_a_dialog_of_windows_is_taken_away(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, ui = opened(rig, monkeypatch, None)
    assert ui.dialogs.waiting
    ui.dialogs.close_one()
    rig.settle(ui)
    assert not ui.dialogs.waiting
    wait_for(lambda: dialog.killed, "the dialog's end")


def answered(dialog: NativeDialog) -> Path | None:
    """What a dialog is answered with, waited for."""
    wait_for(lambda: dialog.poll()[0], "the dialog's answer")
    return dialog.poll()[1]


@bytes_for_names
def test_the_native_dialog_may_answer_with_a_name_that_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fake:
        def __init__(self, *_: object) -> None: ...

        def ready(self, _timeout: int) -> bool:
            return True

        def result(self) -> list[str]:
            return [b"/bad\xff.json".decode()]

    monkeypatch.setattr("app.panels.native_dialog.pfd.open_file", Fake)
    assert answered(NativeDialog(None, Path("here"))) == Path(os.fsdecode(b"/bad\xff.json"))


def test_a_dialog_that_cannot_be_opened_raises_where_it_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("no desktop")

    monkeypatch.setattr("app.panels.native_dialog.pfd.open_file", refused)
    with pytest.raises(OSError, match="no desktop"):
        answered(NativeDialog(None, Path("here")))


def test_escape_takes_the_native_dialog_away(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    class Fake:
        def __init__(self, _kept_as: list[str] | None, _start: Path) -> None: ...

        def poll(self) -> tuple[bool, Path | None]:
            return False, None

        def close(self) -> None:
            closed.append(True)

    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: True)
    monkeypatch.setattr("app.panels.file_browser.NativeDialog", Fake)
    ui = panel_state(dialogs=Dialogs(open=True))
    rig.settle(ui)
    ui.dialogs.close_one()
    assert not rig.settle(ui)
    assert closed == [True]
    assert not ui.dialogs.waiting


def test_a_listing_follows_what_happens_in_its_folder(rig: Rig, tmp_path: Path) -> None:
    ui = panel_state(document=Document.new(PAIR, tmp_path / "here.json"), dialogs=Dialogs(open=True))
    rig.settle(ui)
    (tmp_path / "new.json").write_text("{}")
    rig.settle(ui)
    assert any(label.startswith("new.json") for label in rig.rects)


def test_the_arrows_bring_what_they_choose_into_sight(rig: Rig, tmp_path: Path) -> None:
    for k in range(60):
        (tmp_path / f"{k:02}.json").write_text("{}")
    ui = panel_state(document=Document.new(PAIR, tmp_path / "here.json"), dialogs=Dialogs(open=True))
    rig.settle(ui)
    last = next(label for label in rig.rects if label.startswith("59.json"))
    below = rig.rects[last][0][1]
    rig.press(ui, imgui.Key.up_arrow)
    rig.settle(ui)
    assert rig.rects[last][0][1] < below - 300.0
    assert of("open", rig.press(ui, imgui.Key.enter)) == [asks.open(tmp_path / "59.json")]


@bytes_for_names
def test_a_name_that_is_no_text_is_listed_opened_and_put_in_its_place(rig: Rig, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.json"))
    path.write_text("{}")
    ui = panel_state(document=Document.new(PAIR, path), recent=(path,), dialogs=Dialogs(open=True))
    rig.settle(ui)
    rig.click(ui, next(label for label in rig.rects if label.startswith("bad?.json")))
    assert of("open", rig.press(ui, imgui.Key.enter)) == [asks.open(path)]
    assert not rig.settle(replace(ui, dialogs=Dialogs(save=True)))


def test_nonsense_typed_as_a_path_is_no_traceback(rig: Rig, tmp_path: Path) -> None:
    ui = panel_state(document=Document.new(PAIR, tmp_path / "here.json"), dialogs=Dialogs(open=True))
    rig.settle(ui)
    rig.type(ui, "/" + "x" * 400)
    assert len(of("open", rig.press(ui, imgui.Key.enter))) == 1, "the application says why it cannot be opened"


def test_the_root_typed_as_a_name_to_save_opens_that_folder(rig: Rig, tmp_path: Path) -> None:
    ui = panel_state(document=Document.new(PAIR, tmp_path / "here.json"), dialogs=Dialogs(save=True))
    rig.settle(ui)
    rig.type(ui, "/")
    assert not of("save", rig.press(ui, imgui.Key.enter))
    assert ui.dialogs.save


def test_a_path_typed_to_open_is_no_filter(rig: Rig, tmp_path: Path) -> None:
    """The folder's only file was opened, whatever path was typed."""
    (tmp_path / "only.json").write_text("{}")
    ui = panel_state(document=Document.new(PAIR, tmp_path / "only.json"), dialogs=Dialogs(open=True))
    rig.settle(ui)
    rig.type(ui, "nowhere/else.json")
    assert of("open", rig.press(ui, imgui.Key.enter)) == [asks.open(tmp_path / "nowhere" / "else.json")]


def test_listing_folders(tmp_path: Path) -> None:
    for name in ("b.json", "a.jsonl", "a.ndjson", "c.png", "d.doc", ".hidden.json"):
        (tmp_path / name).write_text("")
    (tmp_path / "z").mkdir()
    names = [entry.path.name for entry in list_folder(tmp_path).entries]
    assert names == ["z", "a.jsonl", "a.ndjson", "b.json", "c.png"]
    assert [e.path.name for e in list_folder(tmp_path, everything=True).entries][-1] == "d.doc"
    assert "cannot be listed" in list_folder(tmp_path / "none").fault
    assert [e.path.name for e in matching(list_folder(tmp_path), "JSON")] == ["a.jsonl", "a.ndjson", "b.json"]
    assert resolved(tmp_path, "x.json") == tmp_path / "x.json"
    assert resolved(tmp_path, str(tmp_path)) == tmp_path
    assert resolved(tmp_path, "~").is_absolute()
    assert not exists(tmp_path / ("x" * 5000))
    assert not is_folder(Path("a\0b"))
    assert with_suffix(Path("scene")) == Path("scene.json")
    assert with_suffix(Path("scene.v2.json")) == Path("scene.v2.json")
    assert with_suffix(Path("SCENE.JSON")) == Path("SCENE.JSON")
    assert with_suffix(Path("scene.v2")) == Path("scene.v2.json")
    assert with_suffix(Path("scene.jsonl")) == Path("scene.jsonl.json")

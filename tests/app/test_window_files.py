"""Documents and files in the running application: save, open, reload, recover, clipboard, pictures, logs, drops."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from app.io.presets import default_scene
from app.io.scene_file import load, save
from app.io.session import Autosave, recent_files
from app.platform.window import ProgramWindow
from app.render.still import expose_still, planned
from app.state.export_options import ExportOptions
from app.state.view import AxisView, Panes, Seen, View
from app.state.work import Document
from app.storage.files import state_folder
from core.analysis.analysis import analyse
from core.shapes import Hull
from core.trace import run

from .panel_rig import panel_named
from .patience import wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]


def test_saving_and_opening_brings_back_scene_and_view(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    x, y = driver.on_b
    driver.drag((x, y), (x + 45.0, y))
    app.cameras.look(replace(app.work.view, panes=Panes.WORLD, axis_view=AxisView.CAGE))
    driver.frame()
    app.ask.save(path)
    assert not app.work.document.unsaved
    assert app.title == "pair.json - Separatrix"
    scene, view = app.work.scene, app.work.view
    assert load(path).scene == scene
    driver.key("]")
    app.ask.open(path)
    driver.frame()
    assert app.work.scene == scene
    assert (app.work.view.panes, app.work.view.axis_view) == (view.panes, view.axis_view)
    assert path in app.files.recent
    driver.drag(driver.on_b, (500.0, 400.0))
    driver.key("Ctrl+S")
    assert load(path).scene == app.work.scene


def test_saving_first_goes_on_with_what_was_asked(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    path = tmp_path / "kept.json"
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    edited = app.work.scene
    driver.key("]")
    app.ask.answer("save")
    assert app.dialogs.save
    app.dialogs.save = False
    app.ask.save(path)
    assert load(path).scene == edited
    assert app.work.preset is not None


def test_a_saving_that_was_called_off_is_followed_by_nothing_later(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    edited = app.work.scene
    driver.key("]")
    app.ask.answer("save")
    driver.frame(2)
    assert app.dialogs.save
    driver.key("Escape")
    app.ask.save(tmp_path / "later.json")
    driver.frame()
    assert app.work.scene == edited


def test_a_file_changed_outside_is_offered_and_reloads_undoably(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.ask.save(path)
    before = app.work.scene
    save(path, before)
    app.events.focused(True)
    assert app.questions.pending is None, "the same scene in other words"
    changed = replace(before, b=replace(before.b, position=(3.0, 0.25, 0.125)))
    save(path, changed)
    app.events.focused(True)
    assert app.questions.pending is not None
    app.ask.answer("reload")
    assert app.work.scene == changed
    assert not app.work.document.unsaved
    app.events.focused(True)
    assert app.questions.pending is None
    driver.key("Ctrl+Z")
    assert app.work.scene == before
    assert app.work.document.unsaved


def test_a_file_whose_name_is_no_text_is_a_file_like_any_other(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, Path(os.fsdecode(os.fsencode(tmp_path) + b"/pair\xff.json"))
    app.ask.save(path)
    driver.frame()
    assert app.title == "pair?.json - Separatrix"
    assert recent_files(state_folder())[0] == path
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    driver.frame()
    (autosave,) = state_folder().glob("autosave-*.json")
    assert json.loads(autosave.read_text())["origin"] == str(path)
    path.write_text("{")
    app.events.focused(True)
    driver.frame()
    app.ask.answer("reload")
    driver.frame()
    assert "pair?.json" in app.notices.now()[-1].message


def test_a_bad_file_is_refused_in_the_window(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "bad.json"
    path.write_text('{"separatrix": 1, "a": {"shape": {"type": "box", "size": [1, -1, 1]}}, "b": {}}')
    scene = app.work.scene
    driver.send("on_file_drop", 10, 10, [str(path)])
    driver.frame()
    (notice,) = app.notices.now()
    assert notice.error
    assert "bad.json" in notice.message
    assert app.work.scene == scene
    driver.key("Escape")
    assert app.notices.now() == ()


@pytest.mark.painted
def test_a_screenshot_carries_the_scene_and_opens_again(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "shot.png"
    x, y = driver.on_b
    driver.drag((x, y), (x + 45.0, y))
    app.ask.take_picture(ExportOptions(size=(400, 300), scale=1.5, transparent=True), path=path)
    with Image.open(path) as picture:
        assert picture.size == (600, 450)
        assert picture.mode == "RGBA"
        assert picture.getpixel((2, 200))[3] == 0
    scene = app.work.scene
    driver.frame(2)
    driver.key("]")
    app.ask.answer("discard")
    driver.send("on_file_drop", 10, 10, [str(path)])
    driver.frame()
    assert app.work.scene == scene
    assert app.work.document.path is None


LARGE = ExportOptions(size=(1400, 1000), scale=2.0)


@pytest.mark.slow
@pytest.mark.painted
@pytest.mark.nightly("windows")
def test_a_large_screenshot_is_taken_while_the_window_goes_on(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "large.png"
    app.ask.take_picture(LARGE, path)
    assert app.pictures.share == 0.0
    driver.frame()
    assert app.panel_state().picture == app.pictures.share
    assert 0.0 < float(app.pictures.share or 0.0) < 1.0
    app.ask.take_picture(LARGE, tmp_path / "other.png")
    assert "One picture at a time" in app.notices.now()[-1].message
    # What changes meanwhile is not in the picture.
    scene = app.work.scene
    driver.key("]")

    def written() -> bool:
        driver.frame()
        return app.pictures.share is None

    wait_for(written, "the picture to be written")
    assert app.notices.now()[-1].message == f"Screenshot written: {path}"
    assert load(path).scene == scene
    with Image.open(path) as picture:
        assert picture.size == (2800, 2000)
        tiled = np.asarray(picture)
    seen = Seen(scene, analyse(scene), load(path).view, app.preferences.theme)
    whole = run(expose_still(planned(seen, 1400, 1000, 2.0), context=app.context))
    assert np.abs(np.asarray(whole.convert("RGB")).astype(int) - tiled).mean() < 0.01
    assert not (tmp_path / "other.png").exists()


@pytest.mark.painted
@pytest.mark.nightly("windows")
def test_escape_gives_up_a_large_screenshot(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "large.png"
    app.ask.take_picture(LARGE, path)
    driver.frame(2)
    driver.key("Escape")
    assert app.pictures.share is None
    assert app.notices.now()[-1].message == "No screenshot was taken."
    driver.frame(3)
    assert not path.exists()
    app.ask.take_picture(ExportOptions(size=(40, 30)), path=path)
    assert path.exists()


@pytest.mark.painted
def test_too_large_a_screenshot_is_refused_in_words(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_arguments: object, **_named: object) -> None:
        raise MemoryError

    app = driver.app
    with monkeypatch.context() as patch:
        patch.setattr("app.render.still.np.zeros", no_room)
        app.ask.take_picture(ExportOptions(size=(40, 30)), path=tmp_path / "small.png")
    assert app.notices.now()[-1].message == "There is not enough memory for a picture of that size."
    with monkeypatch.context() as patch:
        patch.setattr("app.controllers.pictures.png_bytes", no_room)
        app.ask.take_picture(ExportOptions(size=(40, 30)), path=tmp_path / "small.png")
    assert len(app.notices.now()) == 1
    assert app.pictures.share is None
    assert list(tmp_path.iterdir()) == []
    app.ask.take_picture(ExportOptions(size=(40, 30)), path=tmp_path / "no folder" / "small.png")
    assert "could not be written" in app.notices.now()[-1].message


def test_a_screenshot_beyond_the_memory_is_refused(driver: Driver, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("app.storage.memory.free_memory", lambda: 2_000_000_000)
    driver.app.ask.take_picture(ExportOptions(size=(16384, 16384)), path=tmp_path / "large.png")
    driver.frame(2)
    told = "No picture was made: a picture of 16384x16384 pixels takes 2416 MB of memory, and 2000 MB are free"
    assert driver.app.notices.now()[-1].message == told
    assert (driver.app.pictures.share, list(tmp_path.iterdir())) == (None, [])


@pytest.mark.painted
def test_screenshots_are_numbered_and_overwrite_nothing(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    driver.key("Ctrl+P")
    driver.key("Ctrl+P")
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_the_scene_travels_over_the_clipboard(driver: Driver) -> None:
    app = driver.app
    x, y = driver.on_b
    driver.drag((x, y), (x + 45.0, y))
    scene = app.work.scene
    driver.key("Ctrl+C")
    assert app.window.paste().isascii()
    driver.key("]")
    app.ask.answer("discard")
    driver.key("Ctrl+V")
    assert app.work.scene == scene
    app.window.copy('{"separatrix": 1, "a": 2}')
    driver.key("Ctrl+V")
    assert "The clipboard holds no scene: " in app.notices.now()[-1].message
    app.window.copy('{"size": [1, 2, 3]}')
    driver.key("Ctrl+V")
    assert app.dialogs.paste
    assert panel_named(app.panels, "paste_pair")._fault == "Line 1: size is not understood"


def test_unsaved_work_of_a_killed_run_is_offered(driver: Driver) -> None:
    app = driver.app
    lost = app.work.scene.swapped()
    dead = Autosave(state_folder())
    dead.save(lost)
    assert dead._lock is not None
    dead._lock.close()
    app.files.recovery.offer()
    assert app.questions.pending is not None
    app.ask.answer("recover")
    assert app.work.scene == lost
    assert app.work.document.unsaved
    app.files.recovery.offer()
    assert app.questions.pending is None


def test_work_is_autosaved_until_it_is_saved(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    assert list(state_folder().glob("autosave-*.json"))
    app.ask.save(tmp_path / "done.json")
    assert not list(state_folder().glob("autosave-*.json"))


def test_a_log_is_stepped_through(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pairs.jsonl"
    pair = '{"separatrix": 1, "a": {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 0]},'
    pair += ' "b": {"shape": {"type": "sphere", "radius": 1}, "position": [%d, 0, 0]}}\n'
    path.write_text("".join(pair % k for k in (1, 2, 3)) + "{\n" + pair % 900)
    app.ask.open(path)
    driver.frame(4)
    assert (app.files.log_position.index, app.files.log_position.count) == (0, 5)
    first = app.work.view
    app.invoke("log.next")
    driver.frame()
    assert app.work.scene.b.position == (2.0, 0.0, 0.0)
    assert app.work.view == first, "what stays in sight is looked at from where one looked"
    app.invoke("log.next")
    app.invoke("log.next")
    driver.frame(2)
    assert app.files.log_position.title == "pairs.jsonl: line 4, refused"
    assert "pairs.jsonl:4: is not JSON" in app.files.log_position.fault
    assert app.work.scene.b.position == (3.0, 0.0, 0.0)
    assert app.notices.now() == ()
    app.invoke("log.next")
    driver.frame()
    assert app.files.log_position.fault == ""
    assert app.work.view.world.distance > 100.0
    app.ask.show_entry(1)
    app.invoke("log.previous")
    assert app.work.scene.b.position == (1.0, 0.0, 0.0)
    app.invoke("log.previous")
    assert app.files.log_position.index == 0


def test_a_scene_opened_again_is_framed_again(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    save(path, app.work.scene)
    for _ in range(2):
        app.ask.open(path)
        driver.frame()
        framed = app.work.view
        app.cameras.look(replace(app.work.view, world=replace(app.work.view.world, distance=100.0), fitted=False))
    app.ask.open(path)
    driver.frame()
    assert app.work.view == framed
    assert 1.0 < app.work.view.world.distance < 30.0


def test_opening_a_document_forgets_the_history(driver: Driver) -> None:
    app = driver.app
    app.edits.show(Document.new(app.work.scene.swapped()), None)
    driver.frame()
    assert app.work.document.undo_label is None
    assert app.work.view.fitted


def test_a_drag_from_outside_offers_its_types_in_the_message() -> None:
    words = [7, 5 << 24, 12, 0, 0]
    event = SimpleNamespace(xclient=SimpleNamespace(data=SimpleNamespace(l=words)))
    window = SimpleNamespace(_xdnd_atoms={"text/uri-list": 12})
    ProgramWindow._event_drag_enter(window, event)
    assert window._xdnd_format == 12
    words[2] = 99
    ProgramWindow._event_drag_enter(window, event)
    assert window._xdnd_format is None
    # A drop without files is let go of, where pyglet would raise.
    ProgramWindow._event_drag_drop(window, event)


TETRAHEDRON = b"v 0 0 0\nv 1.5 0 0\nv 0 1.5 0\nv 0 0 1.5\nv 0.1 0.1 0.1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n"


def test_a_mesh_dropped_makes_the_selected_body_its_hull(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "thing.obj"
    path.write_bytes(TETRAHEDRON)
    before = app.work.scene
    driver.send("on_file_drop", 10, 10, [str(path)])
    driver.frame(3)
    hull = app.work.scene.b.shape
    assert isinstance(hull, Hull)
    assert len(hull.points) == 4
    assert app.work.scene == replace(before, b=replace(before.b, shape=hull))
    assert [n.message for n in app.notices.now()] == ["B is now the hull of thing.obj: 4 corners of 5 points"]
    assert app.work.document.unsaved
    driver.key("Ctrl+Z")
    assert app.work.scene == before
    app.invoke("hull.a")
    assert app.dialogs.open
    app.dialogs.open = False
    app.ask.open(path)
    driver.frame(2)
    assert app.work.scene == replace(before, a=replace(before.a, shape=hull))


def test_two_meshes_dropped_become_a_and_b_as_one_edit(driver: Driver, tmp_path: Path) -> None:
    app, paths = driver.app, [tmp_path / "one.obj", tmp_path / "two.obj"]
    paths[0].write_bytes(TETRAHEDRON)
    paths[1].write_bytes(TETRAHEDRON.replace(b"1.5", b"2.5"))
    before = app.work.scene
    driver.send("on_file_drop", 10, 10, [str(path) for path in paths])
    driver.frame(2)
    for body, side in ((app.work.scene.a, 1.5), (app.work.scene.b, 2.5)):
        assert isinstance(body.shape, Hull)
        assert max(max(point) for point in body.shape.points) == side
    assert len(app.notices.now()) == 2
    driver.key("Ctrl+Z")
    assert app.work.scene == before
    paths[1].write_bytes(b"v 0 0\n")
    driver.send("on_file_drop", 10, 10, [str(path) for path in paths])
    assert app.work.scene == before


def test_of_several_files_dropped_the_first_is_opened_and_that_is_said(driver: Driver, tmp_path: Path) -> None:
    app, paths = driver.app, [tmp_path / "one.json", tmp_path / "two.json", tmp_path / "three.obj"]
    for path in paths:
        save(path, default_scene().scene, View())
    driver.send("on_file_drop", 10, 10, [str(path) for path in paths])
    assert app.work.document.path == paths[0]
    assert [n.message for n in app.notices.now()] == ["One file at a time: of 3 files only one.json was opened."]


@pytest.mark.parametrize("unsaved", [False, True])
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("song.mp3", b"\0\1\2", "cannot be opened here"),
        ("notes.doc", b"hello", "notes.doc is a text, which cannot be opened here. Scenes"),
        ("pair.zip", b"PK\x03\x04\xff", "pair.zip is a zip file, which cannot be opened here. Scenes"),
        ("notes.txt", b"hello", "notes.txt: Line 1: hello is of no form that can be read"),
        ("scene.txt", b'{"separatrix": 1}', "a: missing"),
        ("cut.json", b"{", "is not JSON"),
        ("folder", None, "is a folder"),
        ("gone.json", b"", "is empty"),
    ],
)
@pytest.mark.sampled(3, "windows")
def test_a_wrong_file_is_refused_at_once_and_unsaved_work_not_asked_about(
    driver: Driver, tmp_path: Path, name: str, data: bytes | None, words: str, unsaved: bool
) -> None:
    app, path = driver.app, tmp_path / name
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    if unsaved:
        app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    before = app.work.document
    driver.send("on_file_drop", 10, 10, [str(path)])
    assert app.questions.pending is None
    assert app.work.document == before
    (notice,) = app.notices.now()
    assert notice.error
    assert words in notice.message


def test_no_more_notices_stand_at_once_than_can_be_read(driver: Driver) -> None:
    for number in range(9):
        driver.app.notices.notify(f"Refusal {number}.", error=True)
    assert [n.message for n in driver.app.notices.now()] == [f"Refusal {number}." for number in range(5, 9)]


def test_a_mesh_that_is_none_is_refused_in_one_sentence(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "flat.stl"
    path.write_bytes(b"solid flat\n")
    before = app.work.document
    app.ask.open(path)
    assert app.work.document == before
    (notice,) = app.notices.now()
    assert notice.error
    assert notice.message == f"{path}: holds no points"

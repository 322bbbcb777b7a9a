"""What the monkey (test_monkey.py) and its like have found, one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.io.deck_file import read_deck
from app.io.scene_file import load, save
from app.lessons.shelf import shelf
from app.panels.bodies import with_another_vertex
from app.storage.files import SCENE_LIMIT, state_folder
from core.shapes import Polygon

from .test_full_disk import LOST, FullDisk, disk, leave_behind, scenes_on_disk
from .window_rig import Driver, driver

__all__ = ["disk", "driver"]


@pytest.mark.parametrize("broken", [False, True])
def test_once_another_program_wrote_the_file_the_scene_shown_is_unsaved(
    driver: Driver, tmp_path: Path, broken: bool
) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.ask.save(path)
    shown = app.work.document.committed
    if broken:
        path.write_text("{", "utf-8")
    else:
        save(path, LOST)
    app.look_at_disk()
    assert app.work.document.unsaved
    assert scenes_on_disk(state_folder()) == [shown]
    app.ask.answer("keep")
    assert app.questions.pending is None
    assert app.work.document.unsaved
    app.close_asked()
    assert app.questions.pending is not None
    app.ask.answer("cancel")
    app.ask.save(path)
    assert not app.work.document.unsaved
    assert (load(path).scene, scenes_on_disk(state_folder())) == (shown, [])


def test_a_file_that_is_put_back_or_reloaded_is_saved_work(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.ask.save(path)
    shown = app.work.document.committed
    save(path, LOST)
    app.look_at_disk()
    # Written once more while the question stands.
    save(path, shown)
    app.look_at_disk()
    assert not app.work.document.unsaved
    app.ask.answer("keep")
    save(path, LOST)
    app.look_at_disk()
    app.ask.answer("reload")
    assert app.work.document.committed == LOST
    assert not app.work.document.unsaved
    assert scenes_on_disk(state_folder()) == []


def test_a_deck_that_is_saved_in_a_lesson_is_saved_after_it(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "deck.jsonl"
    app.files.new_deck()
    app.invoke("deck.add")
    assert app.work.deck is not None
    assert app.work.deck.unsaved
    app.lessons.begin(shelf()[0])
    app.ask.save_deck(path)
    app.lessons.leave()
    assert (app.work.deck.path, app.work.deck.unsaved) == (path, False)
    assert read_deck(path) == app.work.deck.deck


def test_a_lessons_scene_that_is_saved_takes_no_recovered_work_away(
    driver: Driver, disk: FullDisk, tmp_path: Path
) -> None:
    app, file = driver.app, leave_behind(LOST)
    app.files.recovery.offer()
    disk.full = True
    app.ask.answer("recover")
    disk.full = False
    app.lessons.begin(shelf()[0])
    app.ask.save(tmp_path / "lesson.json")
    assert file.exists(), "the only copy of the work"
    app.lessons.leave()
    app.ask.edit(replace(LOST, name="Later"), "Rename")
    assert not file.exists()


def test_a_polygon_in_the_window_grows_to_the_limit_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.panels.bodies.MOST_CORNERS", 4)
    square = with_another_vertex(Polygon(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))))
    assert len(square.ring) == 4
    with pytest.raises(ValueError, match="at most 4 of them"):
        with_another_vertex(square)


def test_a_clipboard_without_end_is_refused_unread(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.document
    app.files.paste(json.dumps({"separatrix": "1" * SCENE_LIMIT}))
    assert app.notices.now()[-1].message == "The clipboard holds more than 16 MB of text, no scene is."
    assert app.work.document is before
    assert not app.dialogs.paste

"""Files that nobody can read, in the running application: each gets one notice and the window goes on."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from app.commands.table import escape
from app.storage.files import config_folder, state_folder

from .hostile_texts import OBJS, PLAIN, SAMPLE, SCENES, SETTINGS, autosave, wrapped
from .window_rig import Driver, driver

__all__ = ["driver"]


def errors(driver: Driver) -> list[str]:
    return [notice.message for notice in driver.app.notices.now() if notice.error]


def one_error(driver: Driver, place: str) -> None:
    """One sentence with the place, drawn; then it is dismissed."""
    driver.frame(3)
    told = errors(driver)
    assert len(told) == 1
    assert place in told[0]
    driver.key("Escape")
    assert errors(driver) == []


@pytest.mark.parametrize("name", SAMPLE)
def test_a_scene_or_picture_that_nobody_can_read_is_refused_and_the_work_stays(
    driver: Driver, tmp_path: Path, name: str
) -> None:
    app, scene, picture = driver.app, tmp_path / "scene.json", tmp_path / "picture.png"
    scene.write_text(SCENES[name], encoding="utf-8")
    picture.write_bytes(wrapped(SCENES[name]))
    before = app.work.document
    for file in (scene, picture):
        app.ask.open(file)
        one_error(driver, file.name)
        driver.send("on_file_drop", 5, 5, [str(file)])
        one_error(driver, file.name)
    assert app.work.document is before


def test_a_pasted_scene_that_nobody_can_read_is_refused(driver: Driver) -> None:
    app, before = driver.app, driver.app.work.document
    for text in SCENES.values():
        app.window.copy(text)
        app.files.paste(app.window.paste())
        assert len(errors(driver)) == 1 or app.dialogs.paste
        while escape(app):
            pass
    driver.frame(2)
    assert app.work.document is before


@pytest.mark.parametrize("name", SAMPLE)
def test_another_program_may_write_such_a_file_while_it_is_open(driver: Driver, tmp_path: Path, name: str) -> None:
    app, path = driver.app, tmp_path / "open.json"
    app.ask.save(path)
    before = app.work.document.scene
    path.write_text(SCENES[name], encoding="utf-8")
    app.look_at_disk()
    driver.frame(2)
    assert app.questions.pending is not None
    app.ask.answer("reload")
    one_error(driver, "open.json")
    assert app.work.document.scene == before
    path.write_text(SCENES[name] + " ", encoding="utf-8")
    driver.send("on_deactivate")
    driver.send("on_activate")
    driver.frame(2)
    app.ask.answer("keep")
    driver.frame(2)
    assert errors(driver) == []


@pytest.mark.parametrize("name", SAMPLE)
def test_a_log_goes_on_past_a_line_that_nobody_can_read(driver: Driver, tmp_path: Path, name: str) -> None:
    app, log = driver.app, tmp_path / "log.jsonl"
    log.write_text(f"{SCENES[name]}\n{PLAIN}\n{PLAIN}\n", encoding="utf-8")
    app.ask.open(log)
    driver.frame(3)
    assert app.files.log_position is not None
    assert "line 1, refused" in app.files.log_position.title
    assert app.files.log_position.fault
    app.ask.show_entry(1)
    driver.frame(2)
    assert app.files.log_position.fault == ""
    # Another program writes into it while it is open.
    log.write_text(f"{PLAIN}\n{PLAIN[:-1]}\n{SCENES[name]}\n", encoding="utf-8")
    app.ask.show_entry(2)
    driver.frame(3)
    app.ask.show_entry(0)
    driver.frame(3)
    assert app.files.log_position.index == 0


@pytest.mark.parametrize(("data", "place"), OBJS.values(), ids=OBJS)
def test_an_obj_whose_vertices_lack_numbers_is_refused_with_the_line(
    driver: Driver, tmp_path: Path, data: bytes, place: str
) -> None:
    app, file = driver.app, tmp_path / "flat.obj"
    file.write_bytes(data)
    before = app.work.document
    driver.send("on_file_drop", 5, 5, [str(file)])
    one_error(driver, place)
    driver.send("on_file_drop", 5, 5, [str(file), str(file)])
    one_error(driver, place)
    assert app.work.document is before


STARTS = ("half as a key", "half as a panel", "600 deep alone", "990 deep as a theme", "300 deep as an unknown key")


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> None:
    """Files of the last run that stand there when the program starts: settings, and an autosave."""
    settings, scene = request.param
    for folder, name, text in (
        (config_folder(), "settings.json", SETTINGS[settings]),
        (state_folder(), "autosave-1-bad.json", autosave(SCENES[scene])),
        (state_folder(), "recent.json", SETTINGS[settings]),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("kept", list(zip(STARTS, cycle(SAMPLE), strict=False)), indirect=True, ids=STARTS)
def test_files_of_the_last_run_that_nobody_can_read_do_not_end_the_start(kept: None, driver: Driver) -> None:
    one_error(driver, "settings.json")
    assert driver.app.questions.pending is None
    assert (state_folder() / "autosave-1-bad.json").exists()


@pytest.fixture
def endless_layout() -> None:
    """A layout of the last run with a number that Python refuses to read."""
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "layout.ini").write_text(f"[Window][A]\nPos={'9' * 5000},1\nSize=1,2\n", encoding="utf-8")


def test_a_layout_with_a_number_without_end_does_not_end_the_start(endless_layout: None, driver: Driver) -> None:
    assert driver.app.cameras.area.width > 100

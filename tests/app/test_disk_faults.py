"""A disk that fails, or a kill, at every call that writes: the old or the new file is whole, and a sentence tells."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.io.fault_report import keep_report
from app.io.presets import default_scene
from app.state.export_options import ExportOptions
from app.state.export_shown import FilmSource
from app.state.settings import Settings
from app.storage.files import STALE, remove_abandoned, state_folder, write_atomic, write_numbered
from tests.conftest import ROOT

from .asked import Asked, asks
from .disk_faults import CODES, WRITERS, Fault, failing, prepared, states
from .window_rig import Driver, driver

__all__ = ["driver"]

SAID = {errno.ENOSPC: "no space left on device", errno.EACCES: "permission denied"}


@pytest.mark.parametrize("code", CODES, ids=["full", "forbidden"])
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.sampled(3, "commands")
def test_a_fault_at_any_call_leaves_the_old_or_the_new_file_and_tells(name: str, code: int, tmp_path: Path) -> None:
    writer = WRITERS[name]
    old, new = states(writer, tmp_path / "work")
    assert old != new
    number, struck = 0, True
    while struck:
        number += 1
        path, fault = prepared(writer, tmp_path / "work"), Fault(number, failing(code))
        with fault.injected():
            told = writer.write(path, True)
        struck = fault.struck
        found = writer.read(path)
        assert found in (old, new)
        if told is None:
            assert found == new, "nothing was told"
        else:
            assert SAID[code] in told
            assert "\n" not in told
        # Where the removal itself is what fails, the next sweep takes what is left.
        for left in path.parent.glob(".*.tmp"):
            os.utime(left, (1.0, 1.0))
        remove_abandoned(path.parent)
        assert not list(path.parent.glob(".*.tmp"))
    assert number > 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.nightly("commands")
def test_a_kill_at_any_call_leaves_the_old_or_the_new_file(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.disk_faults", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    moments = defaultdict(list)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        moments[found["writer"]].append(found)
    assert list(moments) == list(WRITERS)
    for found in moments.values():
        assert len(found) > 4
        assert {moment["state"] for moment in found[:-1]} <= {"old", "new"}
        assert [moment["exit"] for moment in found] == [9] * (len(found) - 1) + [0]
        assert found[0]["state"] == "old"
        assert (found[-1]["state"], found[-1]["left"]) == ("new", [])
        assert all(len(moment["left"]) <= 1 for moment in found)


def test_what_a_kill_left_is_swept_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    names = {".pair.json.abcd1234.tmp": True, ".other.json.abcd1234.tmp": True, ".pair.json.abcd1234": False}
    for name in names:
        (tmp_path / name).write_bytes(b"half")
        os.utime(tmp_path / name, (1.0, 1.0))
    (tmp_path / ".pair.json.efgh5678.tmp").write_bytes(b"by another window")
    write_atomic(tmp_path / "pair.json", b"whole")
    kept = {".other.json.abcd1234.tmp", ".pair.json.abcd1234", ".pair.json.efgh5678.tmp", "pair.json"}
    assert {file.name for file in tmp_path.iterdir()} == kept
    remove_abandoned(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == kept - {".other.json.abcd1234.tmp"}
    later = (tmp_path / ".pair.json.efgh5678.tmp").stat().st_mtime - 1.1 * STALE
    os.utime(tmp_path / ".pair.json.efgh5678.tmp", (later, later))
    write_numbered(tmp_path / "pair.json", b"another")
    assert not (tmp_path / ".pair.json.efgh5678.tmp").exists()


def test_the_start_sweeps_what_was_left_of_autosaves_and_settings(driver: Driver) -> None:
    left = state_folder() / ".settings.json.abcd1234.tmp"
    state_folder().mkdir(parents=True, exist_ok=True)
    left.write_bytes(b"{")
    os.utime(left, (1.0, 1.0))
    driver.app.files.recovery.offer()
    assert not left.exists()


def test_a_report_is_written_whole_or_not_at_all(fault_log: Path) -> None:
    assert keep_report("the first") == (fault_log, True)
    with Fault(3, failing(errno.ENOSPC)).injected():
        assert keep_report("the second " * 1000) == (fault_log, False)
    assert fault_log.read_text("utf-8") == "the first"


WRITING: dict[str, Callable[[Path], Asked]] = {
    "scene": lambda folder: asks.save(folder / "pair.json"),
    "deck": lambda folder: asks.save_deck(folder / "deck.jsonl"),
    "picture": lambda folder: asks.take_picture(ExportOptions(size=(64, 40)), path=folder / "picture.png"),
    "vectors": lambda folder: asks.take_picture(ExportOptions(size=(64, 40)), path=folder / "picture.svg"),
    "numbered picture": lambda _: asks.take_picture(ExportOptions(size=(64, 40))),
    "film": lambda folder: asks.make_film(
        FilmSource.TURN, ".gif", folder / "film.gif", ExportOptions(size=(48, 30), fps=0.5)
    ),
    "lesson": lambda folder: asks.write_lesson(folder / "own.md"),
    "settings": lambda _: asks.configure(Settings("light")),
    "progress": lambda _: asks.decline_lesson(),
    "autosave": lambda _: asks.edit(replace(default_scene().scene, name="Changed"), "Rename"),
}


@pytest.mark.parametrize("code", CODES, ids=["full", "forbidden"])
@pytest.mark.parametrize("name", WRITING)
@pytest.mark.painted
@pytest.mark.sampled(4, "windows")
def test_the_window_tells_and_leaves_nothing_half_written(
    name: str, code: int, driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    monkeypatch.chdir(tmp_path)
    app.files.new_deck()
    app.invoke("deck.add")
    driver.frame(2)
    before = {file: file.read_bytes() for file in state_folder().rglob("*") if file.is_file()}
    with monkeypatch.context() as patched:
        patched.setattr("app.storage.files._temporary_beside", lambda *_, **__: failing(code)())
        WRITING[name](tmp_path).put(app.ask)
        for _ in range(200):
            driver.frame()
            if any(notice.error for notice in app.notices.now()):
                break
    (told,) = {notice.message for notice in app.notices.now() if notice.error}
    assert SAID[code] in told
    assert list(tmp_path.iterdir()) == []
    assert all(file.read_bytes() == data for file, data in before.items())

"""Texts with a pair in each row are logs: checked row by row, and opened in the window as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.progress_bar import ProgressBar
from app.cli.scenes import SceneEntry, entries
from app.controllers.open_log import OpenLog, opens_as_log
from app.forms.text_log import text_log

HEAD = "A: box 1 1 1\nB: sphere 0.5\ntime,ax,ay,az,bx,by,bz\n"
ROWS = "0,0,0,0,0.9,0,0\n1,0,0,0,x,0,0\n\n2,0,0,0,1.5,0,0\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "poses.csv"
    path.write_text(HEAD + ROWS, "utf-8")
    return path


def test_check_answers_each_row_by_its_line(file: Path) -> None:
    found = list(entries(str(file), ProgressBar()))
    assert [entry.line for entry in found if isinstance(entry, SceneEntry)] == [4, 5, 7]
    first, second, third = found
    assert isinstance(first, SceneEntry)
    assert isinstance(second, SceneEntry)
    assert isinstance(third, SceneEntry)
    assert first.loaded is not None
    assert third.loaded is not None
    assert (first.loaded.scene.b.position, third.loaded.scene.b.position) == ((0.9, 0.0, 0.0), (1.5, 0.0, 0.0))
    assert second.loaded is None
    assert "Line 5: position x: x is no number" in second.error


def test_the_window_opens_the_rows_as_a_log(file: Path) -> None:
    log = OpenLog(file)
    loaded = log.turned_to(2)
    assert loaded is not None
    assert loaded.scene.b.position == (1.5, 0.0, 0.0)
    assert log.turned_to(1) is None
    assert (log.position.count, log.position.index) == (3, 1)
    assert "x is no number" in log.position.fault
    log.close()


def test_one_row_and_other_texts_are_no_log(tmp_path: Path) -> None:
    one = tmp_path / "one.csv"
    one.write_text(HEAD + "0,0,0,0,0.9,0,0\n", "utf-8")
    words = tmp_path / "words.txt"
    words.write_text("box size 1 1 1 at 0 0 0\nbox size 1 1 1 at 1 0 0\n", "utf-8")
    assert not opens_as_log(one)
    assert not opens_as_log(words)
    assert opens_as_log(tmp_path / "scenes.jsonl")


def test_a_log_may_be_longer_than_a_pair(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(HEAD + "0,0,0,0,0.9,0,0\n" * 20_000, "utf-8")
    log = text_log(path)
    assert log is not None
    assert len(log) == 20_000
    assert log.scene(19_999).scene.b.position == (0.9, 0.0, 0.0)

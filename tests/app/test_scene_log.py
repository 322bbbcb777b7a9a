"""Logs of scenes: random access, and broken lines as entries like any other."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from app.io import scene_log
from app.io.scene_file import SceneError
from app.io.scene_log import SceneLog, is_log, log_lines, read_line


def line(name: str, x: float = 2.0) -> str:
    shape = {"type": "sphere", "radius": 1}
    bodies = {"a": {"shape": shape, "position": [0, 0, 0]}, "b": {"shape": shape, "position": [x, 0, 0]}}
    return json.dumps({"separatrix": 1, "name": name} | bodies)


def test_entries_are_read_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("\n" + line("zero") + "\r\n\n  \n{bad\n" + line("", 3.0) + "\n" + line("last ×"), encoding="utf-8")
    log = SceneLog(path)
    assert len(log) == 4
    assert [log.title(k) for k in (3, 2, 1, 0)] == ["last ×", "line 6", "line 5, refused", "zero"]
    assert log.scene(2).scene.b.position == (3.0, 0.0, 0.0)
    with pytest.raises(SceneError, match=r"log\.jsonl:5: is not JSON"):
        log.scene(1)
    with pytest.raises(IndexError):
        log.scene(4)
    log.close()


def test_a_log_that_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="no such file or folder"):
        SceneLog(tmp_path / "none.jsonl")
    with pytest.raises(SceneError, match="is a folder"):
        SceneLog(tmp_path)


def test_an_empty_log_has_no_entries(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("\n\n")
    log = SceneLog(tmp_path / "log.jsonl")
    assert len(log) == 0
    log.close()


def test_a_line_beyond_all_measure_is_refused_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_log, "SCENE_LIMIT", 400)
    text = line("a") + "\n" + line("b" * 500) + "\n" + line("c") + "\n"
    first, long, last = log_lines(io.BytesIO(text.encode()))
    assert (first.number, long.number, last.number) == (1, 2, 3)
    assert read_line(last, "log").scene.name == "c"
    with pytest.raises(SceneError, match="log:2: is longer than"):
        read_line(long, "log")
    path = tmp_path / "log.jsonl"
    path.write_text(text)
    log = SceneLog(path)
    assert [log.title(k) for k in range(3)] == ["a", "line 2, refused", "c"]
    log.close()


def test_a_line_of_other_bytes_is_refused() -> None:
    (only,) = log_lines(io.BytesIO(b"\xc3(\n"))
    with pytest.raises(SceneError, match="is not UTF-8 text"):
        read_line(only, "log")


def test_the_name_says_what_a_log_is() -> None:
    assert is_log("a/b.JSONL")
    assert is_log(Path("b.ndjson"))
    assert not is_log("b.json")

"""Files written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.storage import files
from app.storage.files import write_atomic, write_numbered

posix = pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"one")
    write_atomic(path, b"two", durable=False)
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failing", ["replace", "fsync"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path if failing == "replace" else files.os, failing, fail)
    for write in (write_atomic,) if failing == "replace" else (write_atomic, write_numbered):
        with pytest.raises(OSError, match="No space left"):
            write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_permissions_are_kept_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "file"
    mask = os.umask(0o022)
    try:
        write_atomic(path, b"one")
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        path.chmod(0o640)
        write_atomic(path, b"two")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert stat.S_IMODE(write_numbered(path, b"three").stat().st_mode) == 0o644
    finally:
        os.umask(mask)


@posix
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@posix
def test_a_device_is_written_to_and_not_replaced() -> None:
    write_atomic(Path(os.devnull), b"data")
    assert not Path(os.devnull).is_file()


def test_numbered_files_overwrite_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shot.png"
    written = [write_numbered(path, str(k).encode()) for k in range(3)]
    assert [file.name for file in written] == ["shot.png", "shot-1.png", "shot-2.png"]
    assert [file.read_bytes() for file in written] == [b"0", b"1", b"2"]
    assert len(list(tmp_path.iterdir())) == 3


def test_numbered_files_do_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(files.os, "link", refuse)
    assert write_numbered(tmp_path / "shot.png", b"0").read_bytes() == b"0"
    assert write_numbered(tmp_path / "shot.png", b"1").name == "shot-1.png"

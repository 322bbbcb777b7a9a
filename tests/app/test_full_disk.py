"""A whole copy of the work is on disk at every moment: on a full disk, after a kill between steps, for odd names."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from app.io.presets import default_scene
from app.io.scene_file import SceneError, load
from app.io.session import Autosave
from app.storage.files import state_folder, write_atomic, write_numbered
from core.scene import Scene

from .asked import asks
from .window_rig import Driver, driver

__all__ = ["driver"]

LOST = replace(default_scene().scene.swapped(), name="Lost")


class FullDisk:
    """While `full`, files can still be begun, and take no bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        fdopen = os.fdopen

        def opened(*arguments: Any, **options: Any) -> Any:
            file = fdopen(*arguments, **options)
            return _Taking(file) if self.full else file

        monkeypatch.setattr("app.storage.files.os.fdopen", opened)


class _Taking:
    def __init__(self, file: Any) -> None:
        self._file = file

    def __enter__(self) -> _Taking:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        self._file.write(data[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    return FullDisk(monkeypatch)


def leave_behind(scene: Scene, origin: Path | None = None) -> Path:
    """An autosave as a killed process leaves it."""
    dead = Autosave(state_folder())
    dead.save(scene, None, origin)
    assert dead._lock is not None
    dead._lock.close()
    return dead.file


def scenes_on_disk(*folders: Path) -> list[Scene]:
    """Every scene that stands whole in a file, autosave or saved."""
    found = []
    for file in (file for folder in folders for file in folder.glob("*.json")):
        try:
            if file.name.startswith("autosave-"):
                tree = json.loads(file.read_bytes())["scene"]
                text = file.with_name("copy.json~")
                text.write_text(json.dumps(tree), encoding="utf-8")
                found.append(load(text).scene)
            else:
                found.append(load(file).scene)
        except (SceneError, ValueError, KeyError, TypeError):
            continue
    return found


def test_recovery_on_a_full_disk_keeps_the_only_copy(driver: Driver, disk: FullDisk) -> None:
    app, file = driver.app, leave_behind(LOST)
    app.files.recovery.offer()
    disk.full = True
    app.ask.answer("recover")
    driver.frame(2)
    assert app.work.scene == LOST
    assert file.exists()
    assert LOST in scenes_on_disk(state_folder())
    assert any("Unsaved work cannot be kept" in notice.message for notice in app.notices.now())
    disk.full = False
    later = replace(LOST, name="Later")
    app.ask.edit(later, "Rename")
    assert not file.exists(), "as soon as the work is kept anew, the old copy goes"
    assert scenes_on_disk(state_folder()) == [later]


def test_what_was_recovered_on_a_full_disk_goes_once_it_is_saved(
    driver: Driver, disk: FullDisk, tmp_path: Path
) -> None:
    app, file = driver.app, leave_behind(LOST)
    app.files.recovery.offer()
    disk.full = True
    app.ask.answer("recover")
    app.ask.save(tmp_path / "saved.json")
    assert file.exists(), "the disk is still full"
    disk.full = False
    app.ask.save(tmp_path / "saved.json")
    assert load(tmp_path / "saved.json").scene == LOST
    assert not file.exists()


def test_saving_on_a_full_disk_leaves_the_old_file_and_the_autosave(
    driver: Driver, disk: FullDisk, tmp_path: Path
) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.ask.save(path)
    before = app.work.scene
    app.ask.edit(LOST, "Change")
    disk.full = True
    app.ask.save(path)
    assert app.work.document.unsaved
    assert app.notices.now()[-1].message == f"{path}: could not be written: no space left on device"
    assert load(path).scene == before
    assert LOST in scenes_on_disk(state_folder())
    assert [file.name for file in tmp_path.iterdir()] == ["pair.json"], "and no half file"


def test_an_autosave_on_a_full_disk_leaves_the_one_before(tmp_path: Path, disk: FullDisk) -> None:
    autosave = Autosave(tmp_path)
    autosave.save(LOST)
    disk.full = True
    autosave.save(replace(LOST, name="Later"))
    assert autosave.problem is not None
    assert scenes_on_disk(tmp_path) == [LOST]
    autosave.close()


def test_a_full_disk_leaves_no_part_of_a_picture(
    tmp_path: Path, disk: FullDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.full = True
    with pytest.raises(OSError, match="No space left"):
        write_numbered(tmp_path / "picture.png", b"x" * 100)
    assert list(tmp_path.iterdir()) == []
    disk.full = False

    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("app.storage.files.os.link", no_links)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_numbered(tmp_path / "picture.png", b"x" * 100)
    assert list(tmp_path.iterdir()) == []


# A kill between two steps: whatever touches the disk is watched, and before each touch the work must stand there whole.

Check = Callable[[], None]
_checks: list[Check] = []


def _audit(event: str, _arguments: tuple[Any, ...]) -> None:
    if _checks and event in ("open", "os.rename", "os.remove", "os.link", "os.truncate"):
        check = _checks.pop()
        try:
            check()
        finally:
            _checks.append(check)


sys.addaudithook(_audit)


@pytest.fixture
def at_every_moment() -> Iterator[Callable[[Check], None]]:
    yield _checks.append
    _checks.clear()


def test_recovered_work_that_stands_in_its_file_is_not_offered_for_ever(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.ask.save(path)
    file = leave_behind(app.work.scene, path)
    app.files.recovery.offer()
    app.ask.answer("recover")
    assert not app.work.document.unsaved
    assert not file.exists()


def test_a_kill_at_any_moment_of_a_recovery_leaves_the_work(
    driver: Driver, tmp_path: Path, at_every_moment: Callable[[Check], None]
) -> None:
    app = driver.app
    origin = tmp_path / "origin.json"
    app.ask.save(origin)
    file = leave_behind(LOST, origin)
    app.files.recovery.offer()
    moments = []

    def whole() -> None:
        moments.append(LOST in scenes_on_disk(state_folder()))

    at_every_moment(whole)
    app.ask.answer("recover")
    _checks.clear()
    whole()
    assert all(moments)
    assert len(moments) > 4
    assert not file.exists()
    assert app.work.document.path == origin


def test_a_kill_at_any_moment_of_saving_leaves_the_work(
    driver: Driver, tmp_path: Path, at_every_moment: Callable[[Check], None]
) -> None:
    app, path = driver.app, tmp_path / "pair.json"
    app.ask.save(path)
    app.ask.edit(LOST, "Change")
    moments = []

    def whole() -> None:
        moments.append(LOST in scenes_on_disk(state_folder(), tmp_path))

    at_every_moment(whole)
    app.ask.save(path)
    _checks.clear()
    whole()
    assert all(moments)
    assert len(moments) > 4
    assert load(path).scene == LOST


def test_what_saving_renames_is_on_the_disk_before_the_autosave_goes(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut takes what was not waited for: the file's bytes, then its name, then the autosave goes."""
    done: list[str] = []
    fsync, rename, unlink = os.fsync, Path.replace, Path.unlink

    def noted_fsync(handle: int) -> None:
        done.append("fsync folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "fsync file")  # noqa: PTH112 - a handle
        fsync(handle)

    def noted_rename(self: Path, target: Path) -> Path:
        done.append("rename" if target.name == "pair.json" else "other")
        return rename(self, target)

    def noted_unlink(self: Path, missing_ok: bool = False) -> None:
        done.append("unlink autosave" if self.name.startswith("autosave-") else "other")
        unlink(self, missing_ok)

    app, path = driver.app, tmp_path / "pair.json"
    app.ask.edit(LOST, "Change")
    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_rename)
    monkeypatch.setattr(Path, "unlink", noted_unlink)
    app.ask.save(path)
    steps = [step for step in done if step != "other"]
    assert steps == ["fsync file", "rename", "fsync folder", "unlink autosave"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks handles up in /proc")
def test_recovered_work_is_on_the_disk_before_the_old_copy_goes(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    file = leave_behind(LOST)
    app.files.recovery.offer()
    waited = []
    fsync = os.fsync

    def noted(handle: int) -> None:
        waited.append(file.exists())
        fsync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    app.ask.answer("recover")
    assert waited
    assert all(waited)
    assert not file.exists()


# Names that no disk takes.


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "x/" * 3000], ids=["long", "null", "deep"])
def test_names_that_no_disk_takes_are_refused_in_words(driver: Driver, tmp_path: Path, name: str) -> None:
    app, path = driver.app, tmp_path / name
    before = app.work.document
    for asked in (
        asks.open(path),
        asks.save(path),
        asks.open(tmp_path / f"{name[:251]}.obj"),
        asks.open(path / "a.jsonl"),
    ):
        asked.put(app.ask)
        driver.frame()
        assert app.notices.now()[-1].error
    assert app.work.document is before
    leave_behind(LOST, path)
    app.files.recovery.offer()
    app.ask.answer("recover")
    assert app.work.scene == LOST


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows a device is refused")
def test_a_special_file_is_written_to() -> None:
    write_atomic(Path(os.devnull), b"x")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_atomic(tmp_path, b"x")

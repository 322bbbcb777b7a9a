"""What outlives a run: settings, recent files, autosaves that survive a kill, and the watch on the open file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.draw.theme import Palette
from app.io.session import (
    Autosave,
    FileWatch,
    forget,
    opened_presets,
    recent_files,
    recoverable,
    recoverable_decks,
    remember,
    remember_opened,
)
from app.state.settings import Settings, load_settings, save_settings, settings_path
from app.state.view import View
from app.storage.files import config_folder, state_folder
from core.scene import Body, Scene
from core.shapes import Box, Sphere

ROOT = Path(__file__).resolve().parents[2]
SCENE = Scene(Body(Box((1.0, 2.0, 3.0))), Body(Sphere(0.1), (1.0, 0.0, 0.0)), "work")


def not_a_folder(tmp_path: Path) -> Path:
    """A place where no folder can be made, also for root."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "folder"


def test_everything_lives_in_the_home_of_the_environment(home: Path) -> None:
    assert config_folder() == home
    assert state_folder() == home


# Settings.


def test_settings_survive() -> None:
    assert load_settings() == (Settings(), None)
    changed = Settings(
        theme="light",
        palette=Palette.PRINT_SAFE,
        ui_scale=1.5,
        z_up=True,
        panels=True,
        hint=False,
        snap_length=0.25,
        snap_angle_degrees=5.0,
        show_frame_times=True,
    )
    assert save_settings(changed) is None
    assert load_settings() == (changed, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("{", "is not JSON"),
        ("[]", "must be an object, got []"),
        ('{"theme": "pink"}', "theme: must be one of dark, light, print, got pink"),
        ('{"theme": 3}', "theme: must be text, got 3"),
        ('{"ui_scale": 0}', "ui_scale: must lie between 0.5 and 4, got 0"),
        ('{"ui_scale": NaN}', "ui_scale: must be a finite number, got NaN"),
        ('{"steps_per_second": 0}', "steps_per_second: must lie between 0.1 and 60, got 0"),
        ('{"snap_length": -1}', "snap_length: must be > 0 and at most 1e6, got -1"),
        ("\udcff", "is not UTF-8 text"),
    ],
)
def test_unreadable_settings_are_the_defaults_and_one_sentence(home: Path, text: str, reason: str) -> None:
    settings_path().write_bytes(text.encode("utf-8", "surrogateescape"))
    settings, sentence = load_settings()
    assert settings == Settings()
    assert sentence is not None
    assert sentence.startswith("The settings could not be read, so the defaults are used: ")
    assert reason in sentence
    assert "\n" not in sentence


def test_settings_of_another_version_are_read_as_far_as_they_are_known(home: Path) -> None:
    settings_path().write_text('{"theme": "print", "sound": "loud"}')
    assert load_settings() == (Settings("print"), None)
    settings_path().write_text('{"colour_blind": true}')
    assert load_settings() == (Settings(palette=Palette.COLOUR_BLIND), None)
    settings_path().write_text('{"colour_blind": true, "palette": "theme"}')
    assert load_settings() == (Settings(), None)


def test_settings_that_cannot_be_kept_are_told(tmp_path: Path) -> None:
    sentence = save_settings(Settings(), not_a_folder(tmp_path) / "settings.json")
    assert sentence is not None
    assert sentence.startswith("The settings are not kept: ")


# Recent files.


def test_recent_files_are_newest_first_and_at_most_ten(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    for number in (*range(12), 5):
        remember(folder, tmp_path / f"{number}.json")
    names = [path.stem for path in recent_files(folder)]
    assert names == ["5", "11", "10", "9", "8", "7", "6", "4", "3", "2"]
    assert forget(folder, tmp_path / "5.json") == recent_files(folder)
    assert recent_files(folder)[0].stem == "11"


def test_opened_presets_are_kept_and_a_broken_list_of_them_is_an_empty_one(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    assert opened_presets(folder) == frozenset()
    for name in ("tunnelling", "cone-tip", "tunnelling"):
        found = remember_opened(folder, name)
    assert found == opened_presets(folder) == {"tunnelling", "cone-tip"}
    (folder / "opened.json").write_text("[1, 2")
    assert opened_presets(folder) == frozenset()
    # A folder that cannot be made is no reason to fail.
    (tmp_path / "file").write_text("")
    assert remember_opened(tmp_path / "file", "cone-tip") == {"cone-tip"}


def test_a_broken_list_of_recent_files_is_an_empty_one(tmp_path: Path) -> None:
    for text in ("{", "[1]", '{"a": 1}'):
        (tmp_path / "recent.json").write_text(text)
        assert recent_files(tmp_path) == ()
    assert remember(tmp_path, tmp_path / "a.json") == (tmp_path / "a.json",)


def test_recent_files_without_a_folder_live_as_long_as_the_program(tmp_path: Path) -> None:
    folder = not_a_folder(tmp_path)
    assert remember(folder, tmp_path / "a.json") == (tmp_path / "a.json",)
    assert recent_files(folder) == ()


# Autosave.


def test_work_of_a_living_process_is_not_offered(tmp_path: Path) -> None:
    autosave = Autosave(tmp_path)
    autosave.save(SCENE)
    assert autosave.problem is None
    assert recoverable(tmp_path) == ()
    autosave.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_work_survives_a_kill_and_is_offered_once(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom app.io.session import Autosave\n"
        "from app.state.view import View\nfrom tests.app.test_session import SCENE\n"
        f"autosave = Autosave(Path({str(tmp_path)!r}))\n"
        "autosave.save(SCENE)\n"
        f"autosave.save(SCENE, View(), Path({str(tmp_path / 'origin.json')!r}))\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL
    (work,) = recoverable(tmp_path)
    assert (work.scene, work.view, work.origin) == (SCENE, View(), tmp_path / "origin.json")
    work.discard()
    assert recoverable(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


def abandoned(folder: Path, scene: Scene) -> Autosave:
    """An autosave whose process is gone: its lock is free."""
    autosave = Autosave(folder)
    autosave.save(scene)
    assert autosave._lock is not None
    autosave._lock.close()
    return autosave


def test_several_leftovers_come_newest_first(tmp_path: Path) -> None:
    for age, name in ((300, "old"), (100, "new"), (200, "middle")):
        autosave = abandoned(tmp_path, replace(SCENE, name=name))
        stamp = autosave.file.stat().st_mtime - age
        os.utime(autosave.file, (stamp, stamp))
    assert [work.scene.name for work in recoverable(tmp_path)] == ["new", "middle", "old"]


def test_a_leftover_that_cannot_be_read_is_passed_over_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "autosave-1-aa.json"
    for tree in ({}, {"scene": {"separatrix": 99}}, []):
        file.write_text(json.dumps(tree))
        assert recoverable(tmp_path) == ()
        assert file.exists()


def test_a_deck_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "autosave-1-aa.jsonl"
    for data in (b"", b'{"origin": null, "slide": 0}\n', b'{"origin": null, "slide": 0}\n{"separatrix_deck": 2}'):
        file.write_bytes(data)
        assert recoverable_decks(tmp_path) == ()
        assert file.exists()


def test_saved_work_leaves_nothing_to_recover(tmp_path: Path) -> None:
    autosave = Autosave(tmp_path)
    autosave.save(SCENE)
    autosave.clear()
    assert not autosave.file.exists()
    autosave.save(SCENE)
    assert autosave.file.exists()
    autosave.close()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    autosave = Autosave(not_a_folder(tmp_path))
    autosave.save(SCENE)
    assert autosave.problem is not None
    assert autosave.problem.startswith("Unsaved work cannot be kept for recovery: ")
    assert recoverable(not_a_folder(tmp_path)) == ()
    autosave.close()


# The open file.


def test_a_file_that_somebody_else_wrote_is_noticed_once(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text("one")
    watch = FileWatch(path)
    assert not watch.changed()
    path.write_text("three")
    assert watch.changed()
    watch.follow(path)
    assert not watch.changed()
    os.utime(path, (1.0, 1.0))
    assert watch.changed()
    path.unlink()
    assert not watch.changed()
    watch.follow(None)
    assert not watch.changed()

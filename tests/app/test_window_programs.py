"""What passes between the window and other programs: text over the clipboard, files dropped on it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.io.presets import load_preset
from app.io.scene_file import read, save
from tests.conftest import ROOT, Screen

from .patience import PATIENCE, wait_for
from .screen_rig import program_env, running
from .x11_clients import PART

__all__ = ["program_env"]


@contextmanager
def other_program(screen: Screen, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Another client of the screen, once it is ready."""
    command = [sys.executable, "-m", "tests.app.x11_clients", *words]
    process = subprocess.Popen(command, cwd=ROOT, env=screen.env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("way", ["drag", "drag-few"])
@pytest.mark.slow
@pytest.mark.sampled(2, "windows")
def test_a_dropped_file_is_opened(screen: Screen, program_env: dict[str, str], tmp_path: Path, way: str) -> None:
    # Latin letters, a space and a sign that an address must spell out.
    path = tmp_path / "bücher & 100%.json"
    save(path, load_preset("two-spheres").scene)
    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        window = screen.xdotool("search", "--onlyvisible", "--name", "Separatrix").split()[0]
        with other_program(screen, way, window, str(path)):
            title = os.fsencode(path.name).decode()
            wait_for(lambda: title in screen.xdotool("getwindowname", window), "the title to name the file")
        assert program.process.poll() is None


@pytest.mark.parametrize("way", ["clipboard", "parts-clipboard"])
@pytest.mark.slow
@pytest.mark.sampled(2, "windows")
def test_a_scene_comes_by_the_clipboard_and_goes(
    screen: Screen, program_env: dict[str, str], tmp_path: Path, way: str
) -> None:
    scene = load_preset("two-hulls").scene
    text = tmp_path / "clipboard.json"
    save(text, scene)
    assert text.stat().st_size > 2 * PART
    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        with other_program(screen, way, str(text)):
            screen.xdotool("key", "ctrl+v")
            program.settle()
        screen.xdotool("key", "ctrl+c")
        program.settle()
        command = [sys.executable, "-m", "tests.app.x11_clients", "paste"]
        done = subprocess.run(
            command, cwd=ROOT, env=screen.env, capture_output=True, text=True, timeout=PATIENCE, check=True
        )
    assert read(done.stdout).scene == scene


@pytest.mark.parametrize("owner", ["silent-clipboard", "strange-clipboard", "broken-clipboard"])
@pytest.mark.slow
@pytest.mark.sampled(3, "windows")
def test_a_clipboard_that_does_not_answer_or_talks_nonsense_is_survived(
    screen: Screen, program_env: dict[str, str], tmp_path: Path, owner: str
) -> None:
    text = tmp_path / "clipboard.json"
    save(text, load_preset("two-hulls").scene)
    env = program_env | {"CLIPBOARD_SECONDS": "0.5"}
    with running(screen, tmp_path / "log", env=env) as program, other_program(screen, owner, str(text)):
        program.settle()
        screen.xdotool("key", "ctrl+v")
        program.settle()
        before = program.frames
        screen.xdotool("mousemove", 300, 210, "mousemove", 320, 230)
        program.settle()
        assert program.frames > before
        assert program.process.poll() is None

"""The program in a real window on a virtual screen, driven from outside as a user would."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.io.presets import default_scene
from app.io.scene_file import load, save
from app.state.settings import load_settings
from core.analysis.analysis import analyse
from core.query.query import query
from tests.conftest import ROOT, Screen

from .patience import PATIENCE, wait_for
from .screen_rig import program_env, running

__all__ = ["program_env"]

CONFIGURATION = """
from app.platform.window import open_window
config = open_window(visible=False).config
print(config.double_buffer, config.red_size, config.green_size, config.blue_size, config.depth_size >= 24)
"""


@pytest.mark.slow
def test_b_is_dragged_with_the_mouse_and_saved(screen: Screen, program_env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    scene = default_scene().scene
    save(path, scene)
    with running(screen, tmp_path / "log", str(path), env=program_env) as program:
        program.settle()
        screen.xdotool("mousemove", 420, 300, "mousedown", 1)
        for _ in range(8):
            screen.xdotool("mousemove_relative", "--", 10, -4)
        screen.xdotool("mouseup", 1)
        program.settle()
        screen.xdotool("key", "ctrl+s")
        program.settle()
        moved = load(path).scene
        assert moved.a == scene.a
        assert replace(moved.b, position=scene.b.position) == scene.b
        assert moved.b.position[1] > scene.b.position[1]
        screen.xdotool("key", "ctrl+q")
        assert program.process.wait(timeout=PATIENCE) == 0


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_work_survives_a_kill_and_is_offered_at_the_next_start(
    screen: Screen, program_env: dict[str, str], home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "pair.json"
    scene = default_scene().scene
    save(path, scene)
    with running(screen, tmp_path / "log", str(path), env=program_env) as program:
        program.settle()
        screen.xdotool("key", "ctrl+shift+x")
        program.settle()
        assert any(home.glob("autosave-*.json"))
        program.process.kill()
        program.process.wait(timeout=PATIENCE)
    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        screen.xdotool("key", "Return")
        program.settle()
        screen.xdotool("key", "ctrl+s")
        program.settle()
        assert load(path).scene == scene.swapped()


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_an_idle_window_draws_nothing(screen: Screen, program_env: dict[str, str], tmp_path: Path) -> None:
    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        before = program.frames
        time.sleep(3.0)
        assert program.frames == before
        screen.xdotool("mousemove", 300, 200)
        program.settle()
        assert program.frames > before


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_a_key_let_go_after_its_shift_is_not_held_for_ever(
    screen: Screen, program_env: dict[str, str], home: Path, tmp_path: Path
) -> None:
    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        for scale in (1.1, 1.25):
            screen.xdotool("keydown", "ctrl", "keydown", "shift", "keydown", "plus")
            screen.xdotool("keyup", "shift", "keyup", "plus", "keyup", "ctrl")
            program.settle()
            assert load_settings(home / "settings.json")[0].ui_scale == scale


@pytest.mark.nightly("windows")
def test_escape_does_not_close_and_a_bad_file_is_refused_in_the_window(
    screen: Screen, program_env: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{")
    with running(screen, tmp_path / "log", str(path), env=program_env) as program:
        program.settle()
        screen.xdotool("key", "Escape")
        screen.xdotool("key", "Escape")
        program.settle()
        assert program.process.poll() is None


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_the_window_fills_the_screen_and_comes_back_as_often_as_one_likes(
    screen: Screen, program_env: dict[str, str], tmp_path: Path
) -> None:
    def window() -> str:
        with suppress(subprocess.CalledProcessError):
            return screen.xdotool("search", "--onlyvisible", "--name", "Separatrix")
        return ""

    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        for step in range(4):
            # X11 makes a new window each time; without a window manager it has the keyboard when the pointer moves in.
            before = window()
            screen.xdotool("mousemove", 300 + step, 200, "key", "F11")
            wait_for(lambda before=before: window() not in ("", before), "another window")
            program.settle()
        assert program.process.poll() is None


def test_the_window_has_eight_bits_a_colour(program_env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CONFIGURATION],
        cwd=ROOT,
        env=program_env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.split() == ["1", "8", "8", "8", "True"]


def test_without_gl_3_3_the_answers_are_printed_and_the_exit_is_1(program_env: dict[str, str], tmp_path: Path) -> None:
    # Of the off-screen pictures too, so neither a window nor a picture was made.
    env = program_env | {"MESA_GL_VERSION_OVERRIDE": "2.1"}
    command = [sys.executable, "-m", "app"]
    done = subprocess.run(
        command, cwd=tmp_path, env=env | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "verlap" in done.stdout
    assert "No window could be opened here: the display offers no OpenGL 3.3." in done.stdout
    assert "No picture could be drawn either." in done.stdout


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_a_query_plays_rests_and_is_scrubbed(screen: Screen, program_env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    save(path, default_scene().scene)

    last = len(query(analyse(default_scene().scene)).moments)
    with running(screen, tmp_path / "log", str(path), env=program_env) as program:

        def kept_step() -> int:
            screen.xdotool("key", "ctrl+s")
            program.settle()
            view = load(path).view
            return 0 if view is None else view.step

        program.settle()
        assert kept_step() == 0
        # It plays as long as it takes, here at eight steps a second, and rests at the end.
        screen.xdotool("mousemove", 640, 300, "key", "space", *("key", "ctrl+Up") * 3)
        program.settle()
        assert kept_step() == last
        # At a step in two seconds nobody can be so late with the pause that the end is reached.
        screen.xdotool("key", "ctrl+Home", *("key", "ctrl+Down") * 4, "key", "space", "key", "space")
        program.settle()
        assert 0 < kept_step() < last
        screen.xdotool("mousemove", 1262, 755, "click", 1)
        program.settle()
        assert kept_step() == last


def test_the_picture_on_the_screen_is_the_scene(screen: Screen, program_env: dict[str, str], tmp_path: Path) -> None:
    with running(screen, tmp_path / "log", env=program_env) as program:
        program.settle()
        colours = screen.picture().resize((320, 200)).getcolors(100000)
    assert colours is not None
    blues = sum(count for count, (r, g, b) in colours if b > r + 60 and b > 110)
    oranges = sum(count for count, (r, g, b) in colours if r > b + 60 and r > 110)
    assert blues > 500
    assert oranges > 500

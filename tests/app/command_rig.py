"""The command line as the tests call it, in this process or in one of its own, and what they give it to read."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "assets" / "scenes"
GOOD = SCENES / "skew-edges.json"
BAD = '{"separatrix": 1, "a": {"shape": {"type": "box", "size": [1, -1, 1]}, "position": [0, 0, 0]}, "b": 0}'


def line(name: str = "", x: float = 2.0) -> str:
    """A scene on one line: a unit box and a unit sphere, x apart."""
    scene = {
        "separatrix": 1,
        "name": name,
        "a": {"shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0, 0]},
        "b": {"shape": {"type": "sphere", "radius": 1}, "position": [x, 0, 0]},
    }
    return json.dumps(scene) + "\n"


Done = subprocess.CompletedProcess[str]


def run(*words: str | Path, stdin: str = "", cwd: Path = ROOT, **env: str) -> Done:
    """The command line in this process, with streams, a folder and an environment of its own; no display.

    Starting it costs a hundred times as much. What is the process's own, as its signals and pipes, `run_alone` has.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", given)
        patch.chdir(cwd)
        patch.delenv("DISPLAY", raising=False)
        for name, value in env.items():
            patch.setenv(name, value)
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(words, status, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def _alone(env: dict[str, str]) -> dict[str, str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "PYGLET_HEADLESS")}
    return environment | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"} | env


def run_alone(*words: str | Path, stdin: str = "", cwd: Path = ROOT, **env: str) -> Done:
    """The command line as a process, to its end."""
    command = [sys.executable, "-m", "app", *map(str, words)]
    return subprocess.run(
        command, cwd=cwd, env=_alone(env), input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120
    )


def objects_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(part) for part in text.splitlines()]


def objects(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return objects_of(done.stdout)


def start(*words: str | Path, stderr: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """The command line as a process with pipes, which the test ends. `stderr`: a file descriptor instead of a pipe."""
    # Run in the background, the tests may have SIGINT ignored, and what they start would inherit that.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "app", *map(str, words)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, ours)

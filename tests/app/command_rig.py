"""The command line as a process: how the tests start it, and what they give it to read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

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


def run(*words: str | Path, stdin: str = "", cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "PYGLET_HEADLESS")}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"} | env
    command = [sys.executable, "-m", "app", *map(str, words)]
    return subprocess.run(
        command, cwd=cwd, env=environment, input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120
    )


def run_here(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The command line in this process: starting fifty takes half a minute."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess([], status, out.getvalue(), err.getvalue())


def objects_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(part) for part in text.splitlines()]


def objects(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return objects_of(done.stdout)


def start(*words: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "app", *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

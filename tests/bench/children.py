"""Child processes of the benchmark: our programs and the peer's, each on its own, on one virtual screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent / "programs"
OURS = sys.executable
PEER = str(ROOT / ".cache" / "bench-venv" / "bin" / "python")


@dataclass(frozen=True)
class Run:
    """What a child said: `answer` its last line as JSON; `began` on time.monotonic; `peak_mb` its largest memory."""

    answer: dict[str, Any]
    began: float
    peak_mb: float


@contextmanager
def screen() -> Iterator[None]:
    """A virtual screen of 1280x800 for all children, with software GL."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        os.environ["DISPLAY"] = f":{pipe.readline().strip()}"
    os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
    with tempfile.TemporaryDirectory() as home:
        os.environ["SEPARATRIX_HOME"] = home
        try:
            yield
        finally:
            server.terminate()
            server.wait()


def run(python: str, program: str, *arguments: str | int | Path, **variables: str) -> Run:
    """Run one of the programs to its end, with these environment variables as well."""
    command = [python, str(PROGRAMS / program), *(str(argument) for argument in arguments)]
    env = os.environ | variables | ({"PYTHONPATH": str(ROOT)} if python == OURS else {})
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # the peer was compiled when it was installed; we are at the first run
    began = time.monotonic()
    child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout is not None
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{program} failed with {child.returncode}")
    return Run(json.loads(printed.splitlines()[-1]), began, usage.ru_maxrss / 1024)

"""The types hold on the systems that these tests do not run on: code behind `sys.platform` is checked for each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = ("linux", "win32", "darwin")


@pytest.mark.nightly("commands")
@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != sys.platform])
def test_the_types_hold_on_other_systems(system: str) -> None:
    # What mypy keeps of one system serves no other: with a folder each, only the first run takes its minute.
    command = [sys.executable, "-m", "mypy", "--platform", system, "--cache-dir", f".mypy_cache/{system}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

"""Runs the program as `app/run` does, where there is no bash: `python app/run.py [SCENE]`.

The first call sets up the environment; the arguments are those of `separatrix`.
"""

import sys

del sys.path[0]  # this folder: its `platform` and `io` would hide the standard modules

import os  # noqa: E402 - after the change of sys.path
import subprocess  # noqa: E402 - after the change of sys.path
from pathlib import Path  # noqa: E402 - after the change of sys.path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Sets up what is missing and runs the program; returns its exit status."""
    if os.name == "posix":
        return subprocess.call([ROOT / "app" / "run", *sys.argv[1:]])
    prepare, home = (ROOT / "app" / "packaging" / "prepare.py",), ROOT / ".venv" / "Scripts"
    python = home / "python.exe"
    made = python.is_file() and subprocess.call([python, "-I", *prepare, "ready", "run"]) == 0
    if not made and (status := subprocess.call([sys.executable, "-I", *prepare, "make", "run"])):
        return status
    return subprocess.call([home / "separatrix.exe", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

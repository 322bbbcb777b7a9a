"""Separatrix under its installed name: `separatrix.core` is the library, `main` the program."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_HOME = _HERE if (_HERE / "core").is_dir() else _HERE.parents[3]  # an editable install: the working tree
__path__.append(str(_HOME))


def main() -> int:
    """Runs the command line; returns the exit status."""
    sys.path.insert(0, str(_HOME))  # the program imports itself as `app`, as it does in the tree
    from app.__main__ import main as run

    return run()

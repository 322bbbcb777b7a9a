"""Separatrix under its installed name: `separatrix.core`, the library; `figure`, for pictures; `main`, the program."""

import sys
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
_HOME = _HERE if (_HERE / "core").is_dir() else _HERE.parents[3]  # an editable install: the working tree
__path__.append(str(_HOME))


def figure(scene: object, **options: Any) -> Any:
    """Makes a picture of a scene of `separatrix.core` or of a file, with the options of `separatrix picture` by name.

    `figure(scene, width="8.5cm", step="gjk:3", hide="vertex-names").save("gjk.pdf")`; a notebook shows the picture.
    Raises ValueError for a refused scene file or option, TypeError for another object.
    """
    _find_program()
    from app.cli.figure import figure as made

    return made(scene, options)


def _find_program() -> None:
    """Lets the program import itself as `app`, as it does in the tree."""
    if str(_HOME) not in sys.path:
        sys.path.insert(0, str(_HOME))


def main() -> int:
    """Runs the command line; returns the exit status."""
    _find_program()
    from app.__main__ import main as run

    return run()

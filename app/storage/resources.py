"""Where the shaders and assets lie: beside `app`, in the working tree and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

_HOME = Path(__file__).resolve().parents[2]


def resource(*parts: str) -> Path:
    """Path of a file or folder that ships with the program, as in `resource("shaders", "line", "line.frag")`."""
    return _HOME.joinpath(*parts)

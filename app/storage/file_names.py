"""File names as they can be shown: a name is bytes, and not all bytes are text."""

from __future__ import annotations

from pathlib import Path


def readable(name: Path | str) -> str:
    """The name, or a text with names in it, with `?` for what is no UTF-8 text; widgets and titles refuse the rest."""
    return str(name).encode("utf-8", "replace").decode()

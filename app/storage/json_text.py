"""JSON as people like to read it: one line per fact, short lists and objects inline, doubles digit for digit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import copysign, isfinite
from typing import Any

_INLINE_DEPTH = 2
"""From this depth on everything stands on one line: a body's shape, a camera, a row of a matrix."""

_LARGEST_WHOLE = 2**53
"""Whole doubles below are written as integers (2, not 2.0) and read back as the same double."""


def json_text(tree: Any, *, ascii_only: bool = False) -> str:
    """The JSON text of `tree`, ending in a new line. Raises ValueError for NaN and infinities."""
    return _block(tree, 0, ascii_only) + "\n"


def json_line(tree: Any, *, ascii_only: bool = True) -> str:
    """The JSON text of `tree` on one line, without the line's end. Raises ValueError for NaN and infinities."""
    return _inline(tree, ascii_only)


def _block(tree: Any, depth: int, ascii_only: bool) -> str:
    if depth >= _INLINE_DEPTH or not isinstance(tree, Mapping) or not tree:
        return _inline(tree, ascii_only)
    indent = "  " * (depth + 1)
    lines = [f"{indent}{_text(key, ascii_only)}: {_block(value, depth + 1, ascii_only)}" for key, value in tree.items()]
    return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"


def _inline(tree: Any, ascii_only: bool) -> str:
    if isinstance(tree, Mapping):
        members = (f"{_text(key, ascii_only)}: {_inline(value, ascii_only)}" for key, value in tree.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(tree, list | tuple):
        return "[" + ", ".join(_inline(value, ascii_only) for value in tree) + "]"
    if isinstance(tree, float):
        return _double(tree)
    return _text(tree, ascii_only)


def _text(value: Any, ascii_only: bool) -> str:
    return json.dumps(value, ensure_ascii=ascii_only)


def _double(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} cannot be written to a file: numbers must be finite")
    # -0.0 is no whole number here: as an integer it would lose its sign.
    if value.is_integer() and abs(value) < _LARGEST_WHOLE and (value != 0.0 or copysign(1.0, value) > 0.0):
        return str(int(value))
    return repr(float(value))

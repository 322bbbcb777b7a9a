"""The project's own Python files, each parsed once in a process: those who read all of them stand in one folder."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def files(top: str) -> tuple[Path, ...]:
    """Every Python file below a top folder, in order."""
    return tuple(sorted((ROOT / top).rglob("*.py")))


@cache
def syntax(path: Path) -> ast.Module:
    """The syntax tree of a file; it belongs to all who ask, and none changes it."""
    # The collector would walk the trees of all files so far again and again: 9 seconds for 2.
    gc.disable()
    try:
        return ast.parse(path.read_text("utf-8"))
    finally:
        gc.enable()


def texts(tree: ast.Module) -> Iterator[str]:
    """Every string literal, those inside f-strings too; docstrings left out."""
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.value

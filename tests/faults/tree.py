"""A copy of the tree in which faults are made one by one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .table import Fault

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("app", "core", "assets", "shaders", "tests", "requirements.lock", "pyproject.toml", "README.md")


def copied(tree: Path) -> Path:
    """The tree as it stands, copied into a folder."""
    for part in PARTS:
        whole = ROOT / part
        if whole.is_dir():
            shutil.copytree(whole, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(whole, tree / part)
    return tree


@contextmanager
def made(fault: Fault, tree: Path) -> Iterator[None]:
    """The fault stands in the copy. Raises ValueError where its text does not stand once in its file."""
    path = tree / fault.file
    text = path.read_text("utf-8")
    if text.count(fault.old) != 1:
        raise ValueError(f"its text stands {text.count(fault.old)} times in the file, once is wanted")
    path.write_text(text.replace(fault.old, fault.new), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")

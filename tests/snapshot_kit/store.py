"""Where the snapshots lie, how all are collected anew in two processes, and which machine they bind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .book import read
from .compare import Difference, differences

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "tests" / "snapshots"
KINDS = ("geometry", "words", "numbers", "panels")
LOOKS = "looks.txt"
LARGEST_FILE, LARGEST_ALL = 160_000, 8_000_000
"""Bytes: no stored file, and not all together, are larger."""
PARTS = 2
"""Processes in which they are collected."""
DECIDING = ("numpy", "scipy", "msgspec", "imgui-bundle")
"""Packages on whose versions the numbers and the panels depend."""


def collect(folder: Path, names: list[str]) -> None:
    """Writes the books of the scenes with these names (of all, without any) as they are now into a folder.

    Raises RuntimeError with what a process said when it failed.
    """
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "SEPARATRIX_HOME": str(folder / "home")}
    command = [sys.executable, "-m", "tests.snapshot_kit", "collect", str(folder)]
    children = [
        subprocess.Popen(
            [*command, f"{part}/{PARTS}", *names], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        for part in range(PARTS)
    ]
    said = [child.communicate()[0].decode(errors="replace") for child in children]
    for child, words in zip(children, said, strict=True):
        if child.returncode:
            raise RuntimeError(f"the snapshots could not be collected:\n{words}")


def names_of(folder: Path) -> list[str]:
    """The scenes of which a folder holds books."""
    return sorted({path.name.split(".")[0] for kind in KINDS for path in folder.glob(f"*.{kind}.txt")})


def looks_of(folder: Path) -> dict[str, str]:
    """The shared looks of a folder's books by name."""
    lines = [line for path in sorted(folder.glob("looks*.txt")) for line in path.read_text("utf-8").splitlines()]
    return dict(line.split(" ", 1) for line in lines)


def stored(name: str, folder: Path = STORED) -> dict[str, str]:
    """The books of a scene in a folder as text, by kind; "" for one that is not there."""
    paths = {kind: folder / f"{name}.{kind}.txt" for kind in KINDS}
    return {kind: path.read_text("utf-8") if path.is_file() else "" for kind, path in paths.items()}


def compared(name: str, found: Mapping[str, str], looks: dict[str, str]) -> Iterator[Difference]:
    """What differs between a scene's stored books and those that were found now, which have these looks."""
    before = stored(name)
    for kind, new in found.items():
        old = before[kind]
        if old == new:
            continue
        size = float(next(text for text in (new, old) if text).split("\n", 1)[0].rpartition(" ")[2])
        parts = [read(text.partition("\n")[2], known) for text, known in ((old, looks_of(STORED)), (new, looks))]
        yield from differences(name, *parts, size)


def write(folder: Path, names: list[str], *, whole: bool) -> None:
    """Stores the books of these scenes from a folder; `whole`: there are no others."""
    STORED.mkdir(exist_ok=True)
    if whole:
        for path in STORED.glob("*.txt"):
            path.unlink()
    for name in names:
        for kind, text in stored(name, folder).items():
            if text:
                (STORED / f"{name}.{kind}.txt").write_text(text, "utf-8")
    looks = looks_of(STORED) | looks_of(folder)
    used = {
        word
        for path in STORED.glob("*.geometry.txt")
        for word in re.findall(r"^  (\w+\.\w{5}) ", path.read_text("utf-8"), re.MULTILINE)
    }
    lines = [f"{name} {looks[name]}\n" for name in sorted(used)]
    (STORED / LOOKS).write_text("".join(lines), "utf-8")


def unbinding() -> str:
    """Why differences here are only reported; "" where the snapshots bind: on Linux with the locked packages."""
    if sys.platform != "linux":
        return f"the snapshots were taken on Linux, this is {sys.platform}"
    locked = dict(re.findall(r"^([\w-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE))
    for name in DECIDING:
        try:
            here = version(name)
        except PackageNotFoundError:
            here = "missing"
        if here != locked.get(name):
            return f"the snapshots were taken with {name} {locked.get(name)}, this is {here}"
    return ""

"""Where the snapshots lie, how they are collected anew in processes of their own, and which machine they bind."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .book import read
from .compare import Difference, differences

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "tests" / "snapshots"
KINDS = ("geometry", "words", "numbers", "panels")
LOOKS = "looks.txt"
LARGEST_FILE, LARGEST_ALL = 150_000, 5_000_000
"""Bytes: no stored file, and not all together, are larger."""
PARTS = 2
"""Processes in which they are collected."""
DECIDING = ("numpy", "scipy", "msgspec", "imgui-bundle")
"""Packages on whose versions the numbers and the panels depend."""


def collect(folder: Path, names: list[str]) -> None:
    """Writes the books of the scenes with these names (of all, without any) as they are now into a folder.

    The processes have one BLAS kernel and no wider vectors than it, so that numbers agree from machine to machine.
    Raises RuntimeError with what a process said when it failed.
    """
    env = os.environ | {"PYTHONHASHSEED": "0", "SEPARATRIX_HOME": str(folder / "home"), **steady()}
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


def steady() -> dict[str, str]:
    """What fixes the kernels of numpy, on processors that have them."""
    one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    if platform.machine() not in ("x86_64", "AMD64"):
        return one
    return one | {
        "OPENBLAS_CORETYPE": os.environ.get("SNAPSHOT_KERNEL", "Haswell"),
        "NPY_DISABLE_CPU_FEATURES": _wide(),
    }


def _wide() -> str:
    """The vector sets beyond AVX2 that numpy would use here."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return " ".join(
        name for name in __cpu_dispatch__ if name.startswith(("AVX512", "X86_V4")) and __cpu_features__[name]
    )


def names_of(folder: Path) -> list[str]:
    """The scenes of which a folder holds books."""
    return sorted({path.name.split(".")[0] for kind in KINDS for path in folder.glob(f"*.{kind}.txt")})


def looks_of(folder: Path) -> dict[str, str]:
    """The shared looks of a folder's books by name."""
    lines = [line for path in sorted(folder.glob("looks*.txt")) for line in path.read_text("utf-8").splitlines()]
    return dict(line.split(" ", 1) for line in lines)


def compared(name: str, folder: Path) -> Iterator[Difference]:
    """What differs between a scene's stored books and those in a folder."""
    for kind in KINDS:
        old, new = (_text(place, name, kind) for place in (STORED, folder))
        if old == new:
            continue
        size = float(next(text for text in (new, old) if text).split("\n", 1)[0].rpartition(" ")[2])
        books = [read(text.partition("\n")[2], looks_of(of)) for text, of in ((old, STORED), (new, folder))]
        yield from differences(name, *books, size)


def _text(folder: Path, name: str, kind: str) -> str:
    path = folder / f"{name}.{kind}.txt"
    return path.read_text("utf-8") if path.is_file() else ""


def write(folder: Path, names: list[str], *, whole: bool) -> None:
    """Stores the books of these scenes from a folder; `whole`: there are no others."""
    STORED.mkdir(exist_ok=True)
    if whole:
        for path in STORED.glob("*.txt"):
            path.unlink()
    for name in names:
        for kind in KINDS:
            if text := _text(folder, name, kind):
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

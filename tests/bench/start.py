"""Time from the command to the first frame, and the memory it took, cold and warm, in turn with PyVista.

Cold means that the files of both environments and of the GL driver were dropped from the system's cache first.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from statistics import median

from .children import OURS, PEER, ROOT, Run, run
from .table import Row

ROUNDS_COLD = 3
ROUNDS_WARM = 5

DISK = (
    ROOT / ".venv",
    ROOT / ".cache" / "bench-venv",
    ROOT / "app",
    ROOT / "core",
    Path(sysconfig.get_path("stdlib")),
)
DRIVER = ("*LLVM*", "*gallium*", "dri/*", "libGL*", "libEGL*", "libX*", "libstdc++*")


def _drop_from_cache() -> None:
    libraries = [path for name in DRIVER for path in Path("/usr/lib").glob(f"*-linux-gnu/{name}")]
    files = [path for folder in DISK for path in folder.rglob("*") if path.is_file()]
    for path in (*files, *libraries):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def _first_frames(rounds: int, cold: bool) -> tuple[list[Run], list[Run]]:
    ours, theirs = [], []
    for _ in range(rounds):
        for python, program, kept in (
            (OURS, "separatrix_start.py", ours),
            (PEER, "pyvista_start.py", theirs),
        ):
            if cold:
                _drop_from_cache()
            kept.append(run(python, program))
    return ours, theirs


def _seconds(runs: list[Run]) -> float:
    return median(run.answer["shown"] - run.began for run in runs)


def rows() -> list[Row]:
    """First frame cold and warm, and peak memory."""
    cold = _first_frames(ROUNDS_COLD, cold=True)
    warm = _first_frames(ROUNDS_WARM, cold=False)
    memory = [median(run.peak_mb for run in runs) for runs in warm]
    return [
        Row("first frame, cold", _seconds(cold[0]), "s", _seconds(cold[1]), "ratio at most 0.5"),
        Row("first frame, warm", _seconds(warm[0]), "s", _seconds(warm[1]), "ratio at most 0.5"),
        Row("peak memory at the first frame", memory[0], "MB", memory[1], "at most 250 MB"),
    ]

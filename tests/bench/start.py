"""Time from the command to the first frame, and the memory it took, cold and warm, in turn with PyVista.

The peer shows the same solids and lines. Cold means that the files of both were dropped from the system's cache first.
"""

from __future__ import annotations

import os
import sysconfig
import tempfile
from pathlib import Path
from statistics import median

from .children import OURS, PEER, ROOT, Run, run
from .table import Row

ROUNDS_COLD = 5
ROUNDS_WARM = 7

DISK = (
    ROOT / ".venv",
    ROOT / ".cache" / "bench-venv",
    ROOT / "app",
    ROOT / "core",
    Path(sysconfig.get_path("stdlib")),
)
DRIVER = ("*LLVM*", "*gallium*", "dri/*", "libGL*", "libEGL*", "libX*", "libstdc++*")


def _drop_from_cache() -> None:
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("1")
    except OSError:  # only root may; others ask file by file, which spares what a running program holds
        libraries = [path for name in DRIVER for path in Path("/usr/lib").glob(f"*-linux-gnu/{name}")]
        for path in (*libraries, *(path for folder in DISK for path in folder.rglob("*"))):
            if path.is_file():
                descriptor = os.open(path, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)


def _first_frames(geometry: Path, rounds: int, cold: bool) -> tuple[list[Run], list[Run]]:
    ours, theirs = [], []
    for _ in range(rounds):
        for kept, python, *program in (
            (ours, OURS, "separatrix_start.py"),
            (theirs, PEER, "pyvista_start.py", geometry),
        ):
            if cold:
                _drop_from_cache()
            kept.append(run(python, *program))
    return ours, theirs


def _seconds(runs: list[Run]) -> float:
    return median(run.answer["shown"] - run.began for run in runs)


def rows() -> list[Row]:
    """First frame cold and warm, and peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        geometry = Path(folder) / "geometry.npz"
        run(OURS, "geometry.py", geometry)
        _first_frames(geometry, 1, cold=False)  # a first run leaves compiled modules and shaders
        cold = _first_frames(geometry, ROUNDS_COLD, cold=True)
        warm = _first_frames(geometry, ROUNDS_WARM, cold=False)
    memory = [median(run.peak_mb for run in runs) for runs in warm]
    return [
        Row("first frame, cold", _seconds(cold[0]), "s", _seconds(cold[1])),
        Row("first frame, warm", _seconds(warm[0]), "s", _seconds(warm[1])),
        Row("peak memory at the first frame", memory[0], "MB", memory[1], "at most 250 MB"),
    ]

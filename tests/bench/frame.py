"""One frame of a drag with every overlay on, in turn with PyVista drawing the same solids and lines: A-B-A-B."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from .children import OURS, PEER, run
from .table import Row

FRAMES = 150
WARM_UP = 20
ROUNDS = 3

SPLIT = ("analysis", "overlays", "layout", "upload", "draw", "imgui")


def _milliseconds(runs: list[dict[str, list[float]]], name: str) -> float:
    return median(median(run[name][WARM_UP:]) for run in runs) * 1e3


def rows() -> list[Row]:
    """Median time of a frame, its parts, and the frames a second that it allows."""
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        geometry = Path(folder) / "geometry.npz"
        run(OURS, "geometry.py", geometry, "all")
        for _ in range(ROUNDS):
            ours.append(run(OURS, "separatrix_frame.py", FRAMES).answer)
            theirs.append(run(PEER, "pyvista_frame.py", geometry, FRAMES).answer)
    whole = _milliseconds(ours, "seconds")
    return [
        Row(
            "frame while dragging, every overlay on", whole, "ms", _milliseconds(theirs, "seconds"), "ratio at most 0.6"
        ),
        Row("frames a second while dragging", 1e3 / whole, "", aim="at least 30"),
        *(Row(f"… of which {name}", _milliseconds(ours, name), "ms") for name in SPLIT),
    ]

"""One frame of a drag with every overlay on, in turn with PyVista drawing the same solids and lines: A-B-A-B."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from .children import OURS, PEER, run
from .table import Row

FRAMES = 150
WARM_UP = 20
ROUNDS = 2

SPLIT = ("analysis", "overlays", "layout", "upload", "draw", "imgui")


def _milliseconds(runs: list[dict[str, list[float]]], name: str) -> float:
    return median(median(run[name][WARM_UP:]) for run in runs) * 1e3


def rows() -> list[Row]:
    """Median time of a frame, its parts, and the frames a second that it allows."""
    plain, panels, theirs = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        geometry = Path(folder) / "geometry.npz"
        run(OURS, "geometry.py", geometry, "all")
        for _ in range(ROUNDS):
            plain.append(run(OURS, "separatrix_frame.py", FRAMES).answer)
            theirs.append(run(PEER, "pyvista_frame.py", geometry, FRAMES).answer)
            panels.append(run(OURS, "separatrix_frame.py", FRAMES, "panels").answer)
            theirs.append(run(PEER, "pyvista_frame.py", geometry, FRAMES).answer)
    whole, peer = _milliseconds(plain, "seconds"), _milliseconds(theirs, "seconds")
    parts = [Row(f"… {name}", _milliseconds(plain, name), "ms") for name in SPLIT]
    rest = whole - sum(row.value for row in parts)
    return [
        Row("frame of a drag, every overlay on", whole, "ms", peer, "ratio at most 0.6"),
        *parts,
        Row("… events, and the picture's way to the screen", rest, "ms"),
        Row("frames a second", 1e3 / whole, "", 1e3 / peer, "at least 30"),
        Row("frame of a drag, panels open as well", _milliseconds(panels, "seconds"), "ms", peer),
        Row("… imgui", _milliseconds(panels, "imgui"), "ms"),
    ]

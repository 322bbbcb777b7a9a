"""One frame of a drag with every overlay on, in turn with PyVista and Polyscope drawing the same solids and lines.

And what a fast graphics card leaves of it: with Mesa's GALLIUM_NOOP nothing is drawn. Each of those frames is divided
by a fixed loop of Python timed beside it, about a millisecond of a core at rest.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from .children import OURS, PEER, run
from .table import Row

FRAMES = 150
WARM_UP = 20
ROUNDS = 2

SPLIT = ("analysis", "overlays", "layout", "upload", "draw", "imgui")


def _milliseconds(runs: list[dict[str, list[float]]], name: str) -> float:
    return median(median(run[name][WARM_UP:]) for run in runs) * 1e3


def _loops(answer: dict[str, list[float]]) -> np.ndarray:
    """Frames on the main thread, in fixed loops."""
    return np.divide(answer["thread"][WARM_UP:], answer["loop"][WARM_UP:])


def _without_drawing(geometry: Path, first: Path) -> list[Row]:
    """Mean and 95th percentile of frames in which drawing costs nothing."""
    found = []
    for name, words, same in (
        ("every overlay on", (), geometry),
        ("the first screen with its panels", ("panels", "first"), first),
    ):
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(_loops(run(OURS, "separatrix_frame.py", FRAMES, *words, GALLIUM_NOOP="1").answer))
            theirs.append(_loops(run(PEER, "pyvista_frame.py", same, FRAMES, "plain", GALLIUM_NOOP="1").answer))
        mine, its = np.concatenate(ours), np.concatenate(theirs)
        aim = f"at most {19 if same is geometry else 11}"
        found.append(Row(f"nothing drawn, {name}: mean", float(mine.mean()), "loops", float(its.mean()), aim))
        slow, its_slow = (float(np.percentile(each, 95)) for each in (mine, its))
        found.append(Row("… 95th percentile", slow, "loops", its_slow))
    return found


def rows() -> list[Row]:
    """Median time of a frame, its parts, and the frames a second that it allows."""
    ours, panels, theirs, plain, polyscope = [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        geometry = Path(folder) / "geometry.npz"
        first = Path(folder) / "first.npz"
        run(OURS, "geometry.py", geometry, "all")
        run(OURS, "geometry.py", first)
        for _ in range(ROUNDS):
            ours.append(run(OURS, "separatrix_frame.py", FRAMES).answer)
            theirs.append(run(PEER, "pyvista_frame.py", geometry, FRAMES).answer)
            panels.append(run(OURS, "separatrix_frame.py", FRAMES, "panels").answer)
            plain.append(run(PEER, "pyvista_frame.py", geometry, FRAMES, "plain").answer)
            polyscope.append(run(PEER, "polyscope_frame.py", geometry, FRAMES).answer)
        free = _without_drawing(geometry, first)
    whole, peer = _milliseconds(ours, "seconds"), _milliseconds(theirs, "seconds")
    parts = [Row(f"… {name}", _milliseconds(ours, name), "ms") for name in SPLIT]
    thread = sum(row.value for row in parts)
    worked = "… processor time of all threads"
    return [
        Row("frame of a drag, every overlay on", whole, "ms", peer, "ratio at most 0.30"),
        Row(worked, _milliseconds(ours, "processor"), "ms", _milliseconds(theirs, "processor")),
        Row("… beside PyVista without anti-aliasing", whole, "ms", _milliseconds(plain, "seconds"), "ratio below 1"),
        Row(worked, _milliseconds(ours, "processor"), "ms", _milliseconds(plain, "processor")),
        Row("… beside Polyscope", whole, "ms", _milliseconds(polyscope, "seconds")),
        Row(worked, _milliseconds(ours, "processor"), "ms", _milliseconds(polyscope, "processor")),
        Row("… Python on the main thread", thread, "ms", aim="at most 9 ms"),
        *parts,
        Row("… events, waiting, and the picture's way to the screen", whole - thread, "ms"),
        Row("frames a second", 1e3 / whole, "", 1e3 / peer, "at least 30"),
        Row("frame of a drag, panels open as well", _milliseconds(panels, "seconds"), "ms", peer),
        Row("… imgui", _milliseconds(panels, "imgui"), "ms"),
        *free,
    ]

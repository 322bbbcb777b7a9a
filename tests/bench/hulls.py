"""How SAT and the explicit difference of two hulls grow with the number of vertices, and how dense hulls drag."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from app.io.scene_file import save
from core import Body, Hull
from core.geometry.quaternion import normalized
from core.geometry.vector import length_rows
from core.minkowski.difference import difference
from core.pair.gauss_map import pair_axes
from core.sat.sat import sat
from core.scene import Scene

from .children import OURS, run
from .table import Row

COUNTS = (8, 16, 32, 64, 100, 200)
REPEATS = 15
DRAGGED = 1000
"""Vertices of each of the two hulls that are dragged."""
FRAMES = 120
WARM_UP = 20


def _ball(rng: np.random.Generator, count: int) -> Body:
    points = rng.normal(size=(count, 3))
    place = rng.uniform(-0.8, 0.8, size=3)
    turn = normalized(tuple(rng.normal(size=4)))
    return Body(Hull.of(points / length_rows(points)[:, None]), tuple(place.tolist()), turn)


def _milliseconds(a: Body, b: Body) -> float:
    times = []
    for _ in range(REPEATS):
        pair_axes.cache_clear()
        began = time.perf_counter()
        sat(a, b)
        difference(a, b)
        times.append(time.perf_counter() - began)
    return median(times) * 1e3


def rows() -> list[Row]:
    """Median of both together, from nothing, for points on a sphere."""
    rng = np.random.default_rng(1)
    out = []
    for count in COUNTS:
        aim = "at most 10 ms" if count == 100 else ""
        name = f"SAT and difference of two hulls of {count} vertices"
        out.append(Row(name, _milliseconds(_ball(rng, count), _ball(rng, count)), "ms", aim=aim))
    whole = _drag(_ball(rng, DRAGGED), _ball(rng, DRAGGED))
    out.append(Row(f"frame of a drag of two hulls of {DRAGGED:,} vertices", whole, "ms"))
    out.append(Row("frames a second of it", 1e3 / whole, "", aim="at least 30"))
    return out


def _drag(a: Body, b: Body) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hulls.json"
        save(path, Scene(a, b))
        seconds = run(OURS, "separatrix_frame.py", FRAMES, path).answer["seconds"]
    return median(seconds[WARM_UP:]) * 1e3

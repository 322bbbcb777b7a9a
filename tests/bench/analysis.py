"""How long one analysis of a box pair takes: what every step of a drag pays before anything is drawn."""

from __future__ import annotations

import time
from statistics import median

from app.presets import DEFAULT, load_preset, presets
from core.analysis import analyse
from core.scene import Scene

from .table import Row

REPEATS = 200


def _milliseconds(scene: Scene) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        analyse(scene)
        times.append(time.perf_counter() - began)
    return median(times) * 1e3


def rows() -> list[Row]:
    """Median of the first screen's pair, and of the preset that takes longest."""
    times = {preset.id: _milliseconds(load_preset(preset.id).scene) for preset in presets()}
    slowest = max(times, key=times.__getitem__)
    return [
        Row("analysis of the first screen's pair", times[DEFAULT], "ms", aim="at most 2 ms"),
        Row(f"analysis of the slowest preset ({slowest})", times[slowest], "ms", aim="at most 2 ms"),
    ]

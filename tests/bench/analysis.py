"""How long one analysis of a box pair takes: what every step of a drag pays before anything is drawn."""

from __future__ import annotations

import time
from statistics import median

from app.presets import PRESETS
from core.analysis import analyse

from .table import Row

REPEATS = 200


def _milliseconds(scene: object) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        analyse(scene)
        times.append(time.perf_counter() - began)
    return median(times) * 1e3


def rows() -> list[Row]:
    """Median over the first preset, and of the slowest preset."""
    pairs = {preset.name: _milliseconds(preset.scene) for preset in PRESETS}
    slowest = max(pairs, key=pairs.__getitem__)
    first = next(iter(pairs))
    return [
        Row(f"analysis, {first}", pairs[first], "ms", aim="at most 2 ms"),
        Row(f"analysis, slowest preset ({slowest})", pairs[slowest], "ms"),
    ]

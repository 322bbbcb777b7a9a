"""How long one analysis takes: all of it, which a step of a drag may pay before anything is drawn, or its headline."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from msgspec.structs import replace

from app.io.presets import DEFAULT, load_preset, presets
from core.analysis.analysis import analyse
from core.geometry.quaternion import Pose
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Sphere

from .table import Row

REPEATS = 200

PAIRS = {
    "sphere and sphere": (Sphere(1.0), Sphere(0.5)),
    "box and sphere": (Box((1.0, 1.0, 1.0)), Sphere(0.5)),
    "two capsules": (Capsule(0.3, 1.0), Capsule(0.5, 1.0)),
    "two boxes": (Box((1.0, 1.0, 1.0)), Box((1.0, 2.0, 1.0))),
}
"""Whose headline is asked for alone."""


def _afresh(scene: Scene, turn: int) -> Scene:
    """The same pair as one that was never seen: what the core keeps of a pair or a pose would spare a repeat some work.

    No analysis reads the displacement, but it tells one body from another.
    """
    Pose.of.cache_clear()
    return replace(scene, b=replace(scene.b, displacement=(float(turn), 0.0, 0.0)))


def _whole(scene: Scene) -> None:
    analyse(scene).complete()


def _milliseconds(scene: Scene, ask: Callable[[Scene], object] = _whole) -> float:
    times = []
    for turn in range(REPEATS):
        pair = _afresh(scene, turn)
        began = time.perf_counter()
        ask(pair)
        times.append(time.perf_counter() - began)
    return median(times) * 1e3


def _two_boxes(scene: Scene) -> bool:
    return isinstance(scene.a.shape, Box) and isinstance(scene.b.shape, Box)


def rows() -> list[Row]:
    """Median of the first screen's pair, of the two boxes that take longest, and of the preset that does."""
    scenes = {preset.id: load_preset(preset.id).scene for preset in presets()}
    times = {name: _milliseconds(scene) for name, scene in scenes.items()}
    boxes = max((name for name in scenes if _two_boxes(scenes[name])), key=times.__getitem__)
    slowest = max(times, key=times.__getitem__)
    # Only box pairs, and hulls of 100 vertices (hulls.py, growth.py), have been given an aim.
    aim = "at most 3 ms" if _two_boxes(scenes[slowest]) else "no aim"
    beside, turn = (0.8, 0.3, 0.1), (0.7, -0.3, 0.2, 0.5)
    return [
        *(
            Row(f"headline of {words}", 1e3 * _milliseconds(Scene(Body(a), Body(b, beside, turn)), analyse), "µs")
            for words, (a, b) in PAIRS.items()
        ),
        Row("analysis of the first screen's pair", times[DEFAULT], "ms", aim="at most 2 ms"),
        Row(f"analysis of the slowest box pair ({boxes})", times[boxes], "ms", aim="at most 2 ms"),
        Row(f"analysis of the slowest preset of any shapes ({slowest})", times[slowest], "ms", aim=aim),
    ]

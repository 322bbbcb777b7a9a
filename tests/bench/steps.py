"""Stepping with every panel open: frames of drags at steps of each kind, and of scrubbing through whole traces.

Every docked panel has a place of its own, so that no tab hides what it costs; the plot through zero is finished. The
processor time of all threads tells what a frame takes where others share the machine; on two free cores it is shorter.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from .children import OURS, ROOT, run
from .table import Row

FRAMES = 120
WARM_UP = 20
DOCKED = 9
"""Panels that must be in sight."""

SPLIT = ("analysis", "overlays", "layout", "upload", "draw", "imgui")
SCENES = ROOT / "assets" / "scenes"
DRAGS = (
    ("the first screen, at a step of SAT", "drag", None),
    ("the first screen, at a step of GJK", "drag:GJK", None),
    ("the first screen, at a step of EPA", "drag:EPA", None),
    ("two ellipsoids, at a step of GJK", "drag:GJK", SCENES / "ellipsoids.json"),
    ("the first screen, at a sub-step of GJK", "drag:GJK:lower", None),
    ("the first screen, at a sub-step of EPA", "drag:EPA:bounds", None),
)
SCRUBS = (
    ("the first screen", None),
    ("two ellipsoids", SCENES / "ellipsoids.json"),
    ("two hulls", SCENES / "two-hulls.json"),
)


def _measured(what: str, scene: Path | None) -> dict[str, Any]:
    answer = run(OURS, "separatrix_steps.py", what, "spread", FRAMES, *(() if scene is None else (scene,))).answer
    if len(answer["visible"]) != DOCKED:
        raise RuntimeError(f"only {', '.join(answer['visible'])} are in sight")
    return answer


def _milliseconds(times: list[float]) -> float:
    return median(times[WARM_UP:]) * 1e3


def rows() -> list[Row]:
    """Medians of drags with their parts; of scrubbing the median and the worst frame, first use of all included."""
    out = []
    for name, what, scene in DRAGS:
        answer = _measured(what, scene)
        whole = _milliseconds(answer["seconds"])
        out.append(Row(f"frame of a drag, {name}", whole, "ms", aim="at most 33 ms"))
        parts = [Row(f"… {part}", _milliseconds(answer[part]), "ms") for part in SPLIT]
        rest = whole - sum(row.value for row in parts)
        out += [*parts, Row("… events, query, and the picture's way to the screen", rest, "ms")]
        out.append(Row("… processor time of all threads", _milliseconds(answer["processor"]), "ms"))
    for name, scene in SCRUBS:
        answer = _measured("scrub", scene)
        times = answer["seconds"]
        out.append(Row(f"frame of scrubbing {answer['steps']} steps, {name}", median(times) * 1e3, "ms"))
        out.append(Row("… the worst of them", max(times) * 1e3, "ms", aim="at most 50 ms"))
        processor = answer["processor"]
        out.append(Row("… processor time of all threads", median(processor) * 1e3, "ms"))
        out.append(Row("… the worst of them", max(processor) * 1e3, "ms"))
    for name, scene in SCRUBS:
        answer = _measured("walk", scene)
        times, processor = answer["seconds"], answer["processor"]
        out.append(Row(f"frame of going through all sub-steps, {name}", median(times) * 1e3, "ms", aim="at most 33 ms"))
        out.append(Row("… the worst of them", max(times) * 1e3, "ms", aim="at most 50 ms"))
        out.append(Row("… processor time of all threads", median(processor) * 1e3, "ms"))
    return out

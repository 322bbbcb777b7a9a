"""Bodies that move, with every panel of the program in sight: drags of a body and of its arrow, and the time scrubbed.

Two arrangements, for not all panels can stand at once: with the timeline open there are the step's card and the
algorithm's lines, with it closed the bar of the motion and the card of a probe. A panel that a tab hides is an error.
The processor time of all threads tells what a frame takes where others share the machine; on two free cores it is
shorter. The plot through zero is finished, the free axis' card stands over the pictures.

A swept query is timed by itself: every method's steps about two boxes that move, the best of some calls of each pair,
none of which finds anything that the core remembers of the last.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.io.presets import DEFAULT, load_preset
from app.io.scene_file import save
from core.analysis.motion_answers import sweep
from core.geometry.quaternion import Pose
from core.scene import Body, Scene
from core.shapes import Capsule, Cone
from tests.motion_judge import FAMILIES, turning

from .children import OURS, run
from .table import Row

FRAMES = 100
WARM_UP = 15
PAIRS = 50
"""Of each kind of motion."""
CALLS = 3

SPLIT = ("analysis", "overlays", "layout", "upload", "draw", "imgui")


class Case(Struct, frozen=True):
    """One row: `what` is done, `beside` what stands open, as separatrix_moving.py has them."""

    name: str
    what: str
    beside: str
    scene: Callable[[], Scene]
    size: str = "1280x800"


def _boxes() -> Scene:
    first = load_preset(DEFAULT).scene
    x, y, z = first.b.position
    return replace(first, b=replace(first.b, position=(x + 2.0, y + 1.0, z + 0.5), displacement=(-2.0, -1.0, -0.4)))


def _hulls() -> Scene:
    hulls = load_preset("two-hulls").scene
    return replace(hulls, b=replace(hulls.b, displacement=(-1.5, -0.5, 0.3)))


def _round() -> Scene:
    """A pair whose answer is mostly too slow for a frame."""
    cone = Body(Cone(0.7, 1.4), (2.2, 0.6, 0.3), (1.0, 0.0, 0.0, 0.0), (-2.0, -0.4, -0.2))
    return Scene(Body(Capsule(0.4, 1.2)), cone.turned((0.6, 0.4, 0.2)))


def _preset(name: str) -> Callable[[], Scene]:
    return lambda: load_preset(name).scene


SCENES: dict[str, Callable[[], Scene]] = {
    "two boxes": _boxes,
    "a sphere past a box": _preset("sphere-past-a-box"),
    "a box and a plane": _preset("box-lands-on-a-plane"),
    "two hulls": _hulls,
    "a capsule and a cone": _round,
    "two boxes that turn": _preset("turning-boxes"),
    "the plane": _preset("flat-tunnelling"),
}

CASES = (
    *(Case(f"frame of a drag of B, {name}, timeline", "body", "steps", scene) for name, scene in SCENES.items()),
    *(Case(f"frame of a drag of B's arrow, {name}", "arrow", "bar", scene) for name, scene in SCENES.items()),
    Case("frame of a drag of B, two boxes, a point held against them", "body", "point", _boxes),
    Case("frame of a drag of B, two boxes, a ray shot at them", "body", "ray", _boxes),
    Case("frame of a drag of B, two boxes, timeline, 1920x1080", "body", "steps", _boxes, "1920x1080"),
    Case("frame of scrubbing the time, two boxes", "time", "bar", _boxes),
    Case("frame of scrubbing the time, a sphere past a box", "time", "bar", SCENES["a sphere past a box"]),
)


def _milliseconds(times: list[float]) -> float:
    return median(times[WARM_UP:]) * 1e3


def _of(case: Case, folder: Path) -> list[Row]:
    file = folder / "scene.json"
    save(file, case.scene())
    answer: dict[str, Any] = run(OURS, "separatrix_moving.py", case.what, case.beside, FRAMES, file, case.size).answer
    if answer["hidden"]:
        raise RuntimeError(f"{', '.join(answer['hidden'])} cannot be seen")
    whole = _milliseconds(answer["seconds"])
    aim = "at most 33 ms" if case.size == "1280x800" else ""
    rows = [Row(f"{case.name}, {len(answer['visible'])} panels", whole, "ms", aim=aim)]
    rows.append(Row("… processor time of all threads", _milliseconds(answer["processor"]), "ms"))
    rows.append(Row("… longest", max(answer["seconds"][WARM_UP:]) * 1e3, "ms"))
    if case.what != "time" and answer["answered"] < FRAMES:
        rows.append(Row("… frames that show the answer at once", 100.0 * answer["answered"] / FRAMES, "%"))
    return rows


def _swept(scene: Scene) -> float:
    """Milliseconds of processor time of one answer with every step; 0 where nothing moves."""
    best = np.inf
    for _ in range(CALLS):
        Pose.of.cache_clear()
        since = thread_time()
        sweep(scene)
        best = min(best, thread_time() - since)
    return 1e3 * best


def _queries() -> list[Row]:
    def of(families: tuple[Callable[..., Scene], ...]) -> list[float]:
        rng = np.random.default_rng(2026)
        return [_swept(family(rng, "box", "box")) for family in families for _ in range(PAIRS)]

    straight, turned = of(FAMILIES), of((turning,))
    count, aim = len(straight), "at most 5 ms"
    return [
        Row(f"swept query of two boxes, every step, median of {count}", median(straight), "ms", aim=aim),
        Row("… the worst of them", max(straight), "ms", aim=aim),
        Row(f"… of boxes that turn, median of {len(turned)}", median(turned), "ms", aim=aim),
        Row("… the worst of them", max(turned), "ms"),
    ]


def rows() -> list[Row]:
    """Queries alone, then medians and the longest frame of each case."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_queries(), *(row for case in CASES for row in _of(case, Path(folder)))]

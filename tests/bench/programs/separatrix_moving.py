"""Our window with every panel open, about bodies that move: separatrix_moving.py WHAT WITH FRAMES SCENE [SIZE].

WHAT: `body` (B is dragged), `arrow` (the tip of its displacement is), or `time`: the time bar is scrubbed from 0 to 1.
WITH: `steps` (the timeline open, at SAT's second step), `bar` (it is closed, so that the bar of the motion stands
there), `point` or `ray` (the same with a probe and its card). SCENE: a file. SIZE: of the window, `1280x800`.
Prints {"seconds": [one a frame], "processor": the time of all threads, the same for each part, "visible": titles of the
docked panels in sight, "hidden": of those behind a tab, "answered": frames that showed the motion's answer}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from math import cos, sin
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from separatrix_frame import PARTS, draw, mouse, opened, point_on_b, settle, windows  # isort: skip - the order counts there

from imgui_bundle import imgui
from msgspec.structs import replace
from panels_open import hidden, open_panels, visible

from app.application import Application
from app.draw.draw_list import Subject
from app.panels.motion_bar import BAR_WINDOW
from app.probes import PointProbe
from app.probes.free_axis import start_of
from app.state.playback import at_place

RADIUS = 30.0
"""Pixels of the circle along which B, or the tip of its arrow, is dragged."""


def tip_of_b(application: Application) -> tuple[float, float]:
    """Where the tip of B's arrow is seen, in the window's own pixels (y up)."""
    pane, placed = application.builder.panes[0], application.builder.placed[0]
    x, y = placed.marks.centre[placed.marks.subjects.index(Subject("motion", 1))]
    return float(x) + pane.rect.x, application.window.get_size()[1] - 1 - (float(y) + pane.rect.y)


def measured(application: Application, frames: int, move: Callable[[int], None]) -> dict[str, Any]:
    """`move(frame)` and a frame after it, so many times."""
    times: dict[str, Any] = {name: [] for name in ("seconds", "processor", *PARTS)}
    answered = 0
    for frame in range(frames):
        began, worked = perf_counter(), process_time()
        move(frame)
        draw(application)
        times["seconds"].append(perf_counter() - began)
        times["processor"].append(process_time() - worked)
        for name in PARTS:
            times[name].append(application.times.parts.get(name, 0.0) / 1e3)
        answered += application.motion.sweep is not None
    return {**times, "answered": answered}


def drag(application: Application, frames: int, at: tuple[float, float]) -> dict[str, Any]:
    """Drag what is at a place round a circle, a frame a step."""
    window, (x, y), before = application.window, at, application.work.scene
    window.on_mouse_motion(x, y, 0, 0)
    draw(application)
    draw(application)
    window.on_mouse_press(x, y, mouse.LEFT, 0)

    def move(frame: int) -> None:
        across, up = RADIUS * sin(frame / 10.0), RADIUS * (1.0 - cos(frame / 10.0))
        window.on_mouse_drag(x + across, y + up, 0, 0, mouse.LEFT, 0)

    times = measured(application, frames, move)
    if application.work.scene.b == before.b:
        raise RuntimeError("the drag did not move B")
    return times


def scrub(application: Application, frames: int) -> dict[str, Any]:
    """Drag the time bar's cursor from 0 to 1."""
    window, bar = application.window, imgui.internal.find_window_by_name(BAR_WINDOW)
    y = window.get_size()[1] - 1 - (bar.pos.y + 0.5 * bar.size.y)
    left, right = bar.pos.x + 0.15 * bar.size.x, bar.pos.x + 0.75 * bar.size.x
    window.on_mouse_motion(left, y, 0, 0)
    draw(application)
    window.on_mouse_press(left, y, mouse.LEFT, 0)
    draw(application)

    def move(frame: int) -> None:
        window.on_mouse_drag(left + (right - left) * frame / frames, y, 0, 0, mouse.LEFT, 0)

    before = application.work.view.time
    times = measured(application, frames, move)
    if application.work.view.time in (None, before):
        raise RuntimeError("the bar was not scrubbed")
    return times


def prepare(application: Application, beside: str) -> None:
    """Opens everything that can be in sight at once."""
    steps = beside == "steps"
    application.steps.play(replace(application.work.playback, open=steps))
    application.ask.configure(replace(application.preferences.settings, show_frame_times=True))
    view = application.work.view
    if not application.work.flat:
        view = replace(view, free=start_of(application.answers.analysis))
    if beside == "point":
        view = replace(view, probe=PointProbe((0.3, 0.4, 0.5)))
    application.ask.look(view)
    open_panels(application, "spread")
    if beside == "ray":
        application.invoke("ray.shoot")
        settle(application)
        # Where the pixel can be dragged, B is not.
        x, y = point_on_b(application)
        at = (x - RADIUS, y - RADIUS)
        window = application.window
        window.on_mouse_motion(*at, 0, 0)
        window.on_mouse_press(*at, mouse.LEFT, 0)
        draw(application)
        window.on_mouse_release(*at, mouse.LEFT, 0)
    if steps:
        query = application.steps.query
        assert query is not None
        application.ask.play(at_place(application.work.playback, query, 1))
    settle(application)


def main(what: str, beside: str, frames: int, scene: Path, size: tuple[int, int]) -> dict[str, Any]:
    """Measures."""
    windows.FIRST_SIZE = size
    application = opened(scene)
    prepare(application, beside)
    while not complete(application):
        draw(application)
    if what == "time":
        times = scrub(application, frames)
    else:
        times = drag(application, frames, tip_of_b(application) if what == "arrow" else point_on_b(application))
    seen = {"visible": visible(), "hidden": hidden()}
    application.window.close()
    return {**times, **seen}


def complete(application: Application) -> bool:
    """Whether the answers and the curve of the distance are there."""
    curve = application.motion.curve
    waits = application.answers.computing or application.motion.sweep_waits
    return not waits and (curve is None or curve.complete)


if __name__ == "__main__":
    wide, high = (sys.argv[5] if sys.argv[5:] else "1280x800").split("x")
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]), (int(wide), int(high)))))

"""Our side of the drag: separatrix_frame.py FRAMES [panels] [first] [SCENE]. B is dragged by the window's events.

The first screen with every overlay on; `first`: as it opens; or a scene file, as it opens. `panels`: with the axis
table and the other panels beside the viewport, too. Prints {"seconds": [one a frame], "processor": the time of all
threads, "thread": that of the main thread, "loop": of a fixed loop beside the frame, and the same for each part of a
frame}.
"""

from __future__ import annotations

import json
import sys
from math import cos, sin
from pathlib import Path
from time import perf_counter, process_time, thread_time

import app.platform.window as windows  # isort: skip - before numpy, which it keeps to one thread, and before pyglet.window

import fixed_loop
import numpy as np
from geometry import everything
from msgspec.structs import replace
from pyglet import clock
from pyglet.window import mouse

from app.application import Application

PARTS = ("analysis", "overlays", "layout", "upload", "draw", "imgui")
RADIUS = 40.0
"""Pixels of the circle along which B is dragged."""


def point_on_b(application: Application) -> tuple[float, float]:
    """Where B's middle is seen in the world pane, in the window's own pixels (y up)."""
    pane = application.builder.panes[0]
    x, y = pane.projection.project(np.asarray([application.work.scene.b.position]))[0][:2]
    return x + pane.rect.x, application.window.get_size()[1] - 1 - (y + pane.rect.y)


def draw(application: Application) -> None:
    """One frame, drawn by the loop's clock, which also decides when the picture before is shown."""
    before = application.window.frames_drawn
    application.window.mark_dirty(1)
    clock.tick()
    if application.window.frames_drawn == before:
        raise RuntimeError("no frame was drawn")


def drag(application: Application, frames: int, radius: float = RADIUS) -> dict[str, list[float]]:
    """Drag B round a circle, a frame a step; seconds for each frame and for its parts."""
    window = application.window
    x, y = point_on_b(application)
    before = application.work.scene.b.position
    window.on_mouse_motion(x, y, 0, 0)
    draw(application)
    window.on_mouse_press(x, y, mouse.LEFT, 0)
    times: dict[str, list[float]] = {name: [] for name in ("seconds", "processor", "thread", "loop", *PARTS)}
    for frame in range(frames):
        times["loop"].append(fixed_loop.seconds())
        began, worked, alone = perf_counter(), process_time(), thread_time()
        across, up = radius * sin(frame / 10.0), radius * (1.0 - cos(frame / 10.0))
        window.on_mouse_drag(x + across, y + up, 0, 0, mouse.LEFT, 0)
        draw(application)
        times["seconds"].append(perf_counter() - began)
        times["processor"].append(process_time() - worked)
        times["thread"].append(thread_time() - alone)
        for name in PARTS:
            times[name].append(application.times.parts.get(name, 0.0) / 1e3)
    if application.work.scene.b.position == before:
        raise RuntimeError("the drag did not move B")
    return times


def settle(application: Application) -> None:
    """Frames enough for the panels to find their places."""
    for _ in range(6):
        application.window.dispatch_events()
        draw(application)


def opened(scene: Path | None) -> Application:
    """The program with its window on a scene, or on the first one, settled."""
    window = windows.open_window()
    window._enable_event_queue = False  # as pyglet's loop does
    application = Application(window)
    application.open_first(scene)
    settle(application)
    return application


def main(frames: int, scene: Path | None, *, panels: bool, everywhere: bool = True) -> dict[str, list[float]]:
    """Opens the window and drags."""
    application = opened(scene)
    if scene is None and everywhere:
        application.ask.look(everything(application.work.view))
    application.ask.configure(replace(application.preferences.settings, panels=panels))
    settle(application)
    times = drag(application, frames)
    application.window.close()
    return times


if __name__ == "__main__":  # separatrix_steps.py imports this file too
    files = [Path(word) for word in sys.argv[2:] if word not in ("panels", "first")]
    asked = {"panels": "panels" in sys.argv, "everywhere": "first" not in sys.argv}
    print(json.dumps(main(int(sys.argv[1]), files[0] if files else None, **asked)))

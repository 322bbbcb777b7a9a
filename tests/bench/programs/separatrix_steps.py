"""Our window with the timeline and every panel open: separatrix_steps.py WHAT PANELS FRAMES [SCENE].

WHAT: `drag` (B is dragged at SAT's second step), `drag:GJK`, `drag:EPA` (at the second step of that phase, with every
step picture), `scrub`: the timeline is dragged from its first step to its last, a frame a step, or `walk`: through all
sub-steps of GJK, EPA and the contacts, each with every frame of its motion. A drag at a sub-step: `drag:GJK:subtract`.
PANELS: `spread` gives each docked panel a place of its own, so that no tab hides its work; `tabs` leaves them as they
open; `none` closes all but the timeline and the step card. SCENE: a file; without it the first screen.
Prints {"seconds": [one a frame], "processor": the time of all threads, the same for each part, "visible": names of the
docked panels in sight, "steps": n}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from separatrix_frame import PARTS, RADIUS, drag, draw, mouse, opened, settle  # isort: skip - the order counts there

from imgui_bundle import imgui
from msgspec.structs import replace
from panels_open import open_panels, visible

from app.application import Application
from app.panels import timeline
from app.state.playback import at_place, stepped
from app.state.view import WHOLE
from core.query.query import Phase, Query

CLOSE = 12.0
"""Pixels of the circle along which B is dragged where it must stay in A, or EPA's steps would go."""


def go_to(application: Application, phase: Phase, part: str) -> None:
    """The second step of a phase, the first that has found something, or a sub-step of it."""
    query = application.steps.query
    assert query is not None
    first = next(first for found, first, _ in query.phases if found is phase)
    application.ask.play(at_place(application.work.playback, query, first + 1, part))
    settle(application)


def walk(application: Application) -> dict[str, list[float]]:
    """Goes from sub-step to sub-step as with Shift+Right; seconds for each frame, until it rests."""
    times: dict[str, list[float]] = {name: [] for name in ("seconds", "processor", *PARTS)}
    steps = application.steps
    application.ask.play(at_place(application.work.playback, steps.all, to_gjk(steps.all)))
    settle(application)
    while (following := stepped(application.work.playback, steps.all, 1, steps.parts_at)) != application.work.playback:
        application.ask.play(following)
        moving = True
        while moving:
            moving = steps.progress < 1.0
            began, worked = perf_counter(), process_time()
            application.window.mark_dirty()
            draw(application)
            times["seconds"].append(perf_counter() - began)
            times["processor"].append(process_time() - worked)
            for name in PARTS:
                times[name].append(application.times.parts.get(name, 0.0) / 1e3)
    return times


def to_gjk(query: Query) -> int:
    """The place of GJK's first step."""
    return next(first for phase, first, _ in query.phases if phase is Phase.GJK)


def scrub(application: Application) -> dict[str, list[float]]:
    """Drag the timeline's cursor over every step, a frame a step."""
    tracks: list[Any] = []
    under = timeline.place_at

    def watched(track: Any, x: float) -> int:
        tracks[:] = [track]
        return under(track, x)

    timeline.place_at = watched
    window = application.window
    draw(application)
    bar = imgui.internal.find_window_by_name(timeline.TIMELINE_WINDOW)
    y = window.get_size()[1] - 1 - (bar.pos.y + 0.25 * bar.size.y)
    query = application.steps.query
    assert query is not None
    ways = [timeline.x_of(tracks[0], place) for place in range(len(query.moments))]
    window.on_mouse_motion(ways[0], y, 0, 0)
    draw(application)
    window.on_mouse_press(ways[0], y, mouse.LEFT, 0)
    draw(application)
    draw(application)
    times: dict[str, list[float]] = {name: [] for name in ("seconds", "processor", *PARTS)}
    for place, x in enumerate(ways):
        began, worked = perf_counter(), process_time()
        window.on_mouse_drag(x, y, 0, 0, mouse.LEFT, 0)
        draw(application)
        times["seconds"].append(perf_counter() - began)
        times["processor"].append(process_time() - worked)
        for name in PARTS:
            times[name].append(application.times.parts.get(name, 0.0) / 1e3)
        if application.steps.place != place:
            raise RuntimeError(f"the timeline stands at {application.steps.place}, not at {place}")
    window.on_mouse_release(ways[-1], y, mouse.LEFT, 0)
    return times


def main(what: str, how: str, frames: int, scene: Path | None) -> dict[str, Any]:
    """Measures."""
    application = opened(scene)
    application.steps.play(replace(application.work.playback, open=True))
    open_panels(application, how)
    assert application.steps.query is not None
    steps = len(application.steps.query.moments)
    if what == "scrub":
        times = scrub(application)
    elif what == "walk":
        times = walk(application)
    else:
        _, name, part = (*what.split(":"), "", "")[:3]
        phase = Phase(name or "SAT")
        go_to(application, phase, part or WHOLE)
        times = drag(application, frames, CLOSE if phase is Phase.EPA else RADIUS)
        if application.steps.moment is None or application.steps.moment.phase is not phase:
            raise RuntimeError(f"the drag left the steps of {phase}")
    application.window.close()
    return {**times, "visible": visible(), "steps": steps}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]) if sys.argv[4:] else None)))

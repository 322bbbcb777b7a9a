"""The commands that step through a query. The step keys serve an open log too, while no timeline stands above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.query import Phase, Query

from ..playback import Playback, scrubbed, stepped, to_phase, to_stop, with_speed
from .probe_commands import casts, step_cast
from .table import Action, Command

if TYPE_CHECKING:
    from ..workbench import Workbench

GROUP = "Steps"

REPEATING = {"left_arrow": "steps.back", "right_arrow": "steps.next"}
"""Commands that go on while their key is held, by imgui's name of the key."""

Move = Callable[[Playback, Query], Playback]


def step_commands() -> tuple[Command, ...]:
    """Everything the timeline does, by name and by key."""
    return (
        Command(
            "steps.timeline",
            "Step through the query",
            GROUP,
            ("T",),
            lambda app: app.toggle_timeline(),
            "The timeline: SAT axis by axis, GJK, EPA, the contacts and every method about the motion step by step",
            checked=_is_open,
        ),
        Command(
            "steps.play",
            "Play or pause",
            GROUP,
            ("Space",),
            lambda app: app.toggle_playing(),
            checked=lambda app: app.playback.playing,
        ),
        _stepping("steps.next", "Next step", ("Right", "."), 1),
        _stepping("steps.back", "Step back", ("Left", ","), -1),
        _moving("steps.first", "First step", "Ctrl+Home", lambda playback, query: scrubbed(playback, query, 0)),
        _moving(
            "steps.last",
            "Last step",
            "Ctrl+End",
            lambda playback, query: scrubbed(playback, query, len(query.moments) - 1),
        ),
        _moving(
            "steps.stop", "To the phase's stop", "End", to_stop, "Where the algorithm shown stops; again: the next one"
        ),
        _moving("steps.next_phase", "Next phase", "Ctrl+Right", lambda playback, query: to_phase(playback, query, 1)),
        _moving(
            "steps.previous_phase", "Previous phase", "Ctrl+Left", lambda playback, query: to_phase(playback, query, -1)
        ),
        Command("steps.faster", "Faster", GROUP, ("Ctrl+Up",), _paced(1), enabled=_is_open),
        Command("steps.slower", "Slower", GROUP, ("Ctrl+Down",), _paced(-1), enabled=_is_open),
        Command(
            "steps.loop",
            "Play again and again",
            GROUP,
            (),
            lambda app: app.play(replace(app.playback, loop=not app.playback.loop)),
            checked=lambda app: app.playback.loop,
        ),
        Command(
            "steps.build",
            "Build the difference by hand",
            GROUP,
            (),
            _toggle_building,
            "First all vertex differences, then the hull closing round them, and what GJK got along without",
            checked=lambda app: app.knobs.build,
        ),
        Command(
            "steps.algorithm",
            "Algorithm beside the steps",
            GROUP,
            (),
            lambda app: app.configure(replace(app.settings, algorithm=not app.settings.algorithm)),
            "The algorithm in a dozen lines, the current one marked",
            checked=lambda app: app.settings.algorithm,
        ),
    )


def _toggle_building(app: Workbench) -> None:
    """Begins with the construction, shown from its first step; or leaves it out again."""
    app.knobs = replace(app.knobs, build=not app.knobs.build)
    if not app.knobs.build:
        return
    app.play(replace(app.playback, open=True, phase=Phase.BUILD, index=0, playing=False))
    if app.moment is None or app.moment.phase is not Phase.BUILD:
        app.notify("This difference cannot be built by hand: only boxes, hulls, capsules and spheres have vertices.")


def _is_open(app: Workbench) -> bool:
    return app.playback.open


def _can_step(app: Workbench) -> bool:
    return app.playback.open or casts(app) or app.log_position is not None


def _stepping(name: str, title: str, keys: tuple[str, ...], count: int) -> Command:
    def step(app: Workbench) -> None:
        if app.playback.open:
            app.play(stepped(app.playback, app.steps, count))
        elif casts(app):
            step_cast(app, count)
        else:
            app.step_log(count)

    tip = "Of the query; with the timeline closed, of a probe's ray cast, else of the open log"
    return Command(name, title, GROUP, keys, step, tip, enabled=_can_step)


def _moving(name: str, title: str, key: str, move: Move, tip: str = "") -> Command:
    def go(app: Workbench) -> None:
        app.play(move(app.playback, app.steps))

    return Command(name, title, GROUP, (key,), go, tip, enabled=_is_open)


def _paced(count: int) -> Action:
    def pace(app: Workbench) -> None:
        app.play(with_speed(app.playback, count))

    return pace

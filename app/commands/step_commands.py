"""The commands that step through a query, those of the motion, and those that ask questions about the pair.

The step keys serve an open log too, while no timeline stands above it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from core.query.query import Phase, Query

from ..state.playback import Playback, scrubbed, stepped, to_phase, to_stop, with_speed
from .probe_commands import casts, step_cast
from .table import Action, Command, InMenu, Program

MENU = InMenu("Steps")
STOP_TIP = "Where the algorithm shown stops; again: the next one"

REPEATING = {"left_arrow": "steps.back", "right_arrow": "steps.next"}
"""Commands that go on while their key is held, by imgui's name of the key."""

Move = Callable[[Playback, Query], Playback]


def step_commands() -> tuple[Command, ...]:
    """Everything the timeline does, by name and by key."""
    return (
        MENU(
            "steps.timeline",
            "Step through the query",
            "T",
            lambda app: app.steps.toggle_timeline(),
            "The timeline: SAT axis by axis, GJK, EPA, the contacts and every method about the motion step by step",
            checked=_is_open,
        ),
        MENU(
            "steps.play",
            "Play or pause",
            "Space",
            lambda app: app.steps.toggle_playing(),
            checked=lambda app: app.work.playback.playing,
        ),
        _stepping("steps.next", "Next step", "Right .", 1),
        _stepping("steps.back", "Step back", "Left ,", -1),
        _moving("steps.first", "First step", "Ctrl+Home", lambda at, query: scrubbed(at, query, 0)),
        _moving("steps.last", "Last step", "Ctrl+End", lambda at, query: scrubbed(at, query, len(query.moments) - 1)),
        _moving("steps.stop", "To the phase's stop", "End", to_stop, STOP_TIP),
        _moving("steps.next_phase", "Next phase", "Ctrl+Right", lambda at, query: to_phase(at, query, 1)),
        _moving("steps.previous_phase", "Previous phase", "Ctrl+Left", lambda at, query: to_phase(at, query, -1)),
        _moving("steps.faster", "Faster", "Ctrl+Up", lambda at, _query: with_speed(at, 1)),
        _moving("steps.slower", "Slower", "Ctrl+Down", lambda at, _query: with_speed(at, -1)),
        MENU(
            "steps.loop",
            "Play again and again",
            "",
            lambda app: app.steps.play(replace(app.work.playback, loop=not app.work.playback.loop)),
            checked=lambda app: app.work.playback.loop,
        ),
        MENU(
            "steps.build",
            "Build the difference by hand",
            "",
            _toggle_building,
            "First all vertex differences, then the hull closing round them, and what GJK got along without",
            checked=lambda app: app.work.knobs.build,
        ),
        MENU(
            "steps.algorithm",
            "Algorithm beside the steps",
            "",
            lambda app: app.preferences.configure(
                replace(app.preferences.settings, algorithm=not app.preferences.settings.algorithm)
            ),
            "The algorithm in a dozen lines, the current one marked",
            checked=lambda app: app.preferences.settings.algorithm,
        ),
    )


def _toggle_building(app: Program) -> None:
    """Begins with the construction, shown from its first step; or leaves it out again."""
    app.work.knobs = replace(app.work.knobs, build=not app.work.knobs.build)
    if not app.work.knobs.build:
        return
    app.steps.play(replace(app.work.playback, open=True, phase=Phase.BUILD, index=0, playing=False))
    if app.steps.moment is None or app.steps.moment.phase is not Phase.BUILD:
        app.notices.notify(
            "This difference cannot be built by hand: only boxes, hulls, capsules and spheres have vertices."
        )


def _is_open(app: Program) -> bool:
    return app.work.playback.open


def _can_step(app: Program) -> bool:
    return app.work.playback.open or casts(app) or app.files.log_position is not None


def _stepping(name: str, title: str, keys: str, count: int) -> Command:
    def step(app: Program) -> None:
        if app.work.playback.open:
            app.steps.play(stepped(app.work.playback, app.steps.all, count))
        elif casts(app):
            step_cast(app, count)
        else:
            app.files.step_by(count)

    tip = "Of the query; with the timeline closed, of a probe's ray cast, else of the open log"
    return MENU(name, title, keys, step, tip, enabled=_can_step)


def _moving(name: str, title: str, key: str, move: Move, tip: str = "") -> Command:
    return MENU(
        name, title, key, lambda app: app.steps.play(move(app.work.playback, app.steps.all)), tip, enabled=_is_open
    )


def quiz_commands() -> tuple[Command, ...]:
    """Begin, go on, see the answer, stop."""
    return (
        MENU(
            "predict.ask",
            "Ask me a question",
            "S",
            _toggle_asking,
            "Predict what the algorithms find, by a click in the picture; then see it. Again: stop asking",
            checked=_is_asked,
        ),
        MENU("predict.next", "Next question", "Shift+S", lambda app: app.quiz.next(), enabled=_is_asked),
        MENU("predict.show", "Show the answer", "", lambda app: app.quiz.show_answer(), enabled=_waits),
        MENU("predict.stop", "Stop asking", "", _stop, enabled=_is_asked),
    )


def _is_asked(app: Program) -> bool:
    return app.quiz.asked is not None


def _waits(app: Program) -> bool:
    return app.quiz.asked is not None and app.quiz.asked.open


def _stop(app: Program) -> None:
    app.quiz.stop()


def _toggle_asking(app: Program) -> None:
    if app.quiz.asked is not None:
        app.quiz.stop()
    elif not app.quiz.begin():
        app.notices.notify("There are questions as soon as all answers about the pair are computed.")


MOTION = InMenu("Motion")


def motion_commands() -> tuple[Command, ...]:
    """Everything that the bar of the motion does, by name and by key."""
    return (
        MOTION(
            "motion.show",
            "Motion",
            "Shift+M",
            lambda app: app.motion.toggle(),
            "Each body's displacement as an arrow to drag, and when they first meet on their way",
            checked=lambda app: app.motion.shown,
        ),
        MOTION(
            "motion.play",
            "Play the motion or rest",
            "Shift+Space",
            lambda app: app.motion.toggle_playing(),
            enabled=_seen_moving,
            checked=lambda app: app.work.motion_playing,
        ),
        MOTION("motion.start", "To the start of the motion", "Shift+Home", _to_time(0.0), enabled=_seen_moving),
        MOTION(
            "motion.impact",
            "To the impact",
            "Shift+End",
            _to_time(None),
            "Where the bodies first meet, also while an arrow is dragged; else to the end",
            enabled=_seen_moving,
        ),
        MOTION("motion.end", "To the end of the motion", "", _to_time(1.0), enabled=_seen_moving),
        MOTION("motion.stop", "Take the motion away", "", _take_away, enabled=lambda app: app.motion.seen),
    )


def _to_time(time: float | None) -> Action:
    return lambda app: app.motion.show_time(time)


def _seen_moving(app: Program) -> bool:
    # At a step the time is the step's own.
    return app.motion.seen and not app.work.playback.open


def _take_away(app: Program) -> None:
    scene, none = app.work.document.committed, (0.0, 0.0, 0.0)
    a, b = (replace(body, displacement=none, angular_displacement=none) for body in (scene.a, scene.b))
    app.edits.edit(replace(scene, a=a, b=b), "Take the motion away")

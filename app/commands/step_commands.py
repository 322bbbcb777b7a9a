"""The commands that step through the algorithms, the commands of the motion, and the commands of the quiz on the pair.

While the timeline is closed, `Next step` and `Step back` step through a ray cast, or else through an open log.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from core.analysis.algorithm_settings import with_setting
from core.query.query import GJK_EPA, Phase, Query

from ..state.playback import Playback, at_parting, scrubbed, stepped, to_phase, to_stop, with_speed
from .probe_commands import casts, step_cast
from .table import Action, Command, InMenu, Program

STEPS_MENU = InMenu("Steps")
REPEATING = {"left_arrow": "steps.back", "right_arrow": "steps.next"}
"""Commands that repeat while a key is held, by imgui's name of the key."""
Move = Callable[[Playback, Query], Playback]


def step_commands() -> tuple[Command, ...]:
    """The commands of the timeline."""

    def toggle_timeline(app: Program) -> None:
        app.steps.toggle_timeline()

    def is_playing(app: Program) -> bool:
        return app.work.playback.playing

    def is_built(app: Program) -> bool:
        return app.work.algorithm_settings.build

    def is_single(app: Program) -> bool:
        return app.work.algorithm_settings.single.steps

    def is_listed(app: Program) -> bool:
        return app.preferences.settings.algorithm

    def toggle_loop(app: Program) -> None:
        app.steps.play(replace(app.work.playback, loop=not app.work.playback.loop))

    def toggle_slow(app: Program) -> None:
        app.steps.play(replace(app.work.playback, slow=not app.work.playback.slow))

    def to_neighbour(count: int) -> Action:
        def move(app: Program) -> None:
            app.steps.play(to_phase(app.work.playback, app.steps.all, count))
            app.steps.begin_step()

        return move

    def toggle_algorithm(app: Program) -> None:
        app.preferences.configure(replace(app.preferences.settings, algorithm=not is_listed(app)))

    return (
        STEPS_MENU("steps.timeline", "Step through the algorithms", "T", toggle_timeline, checked=_is_open),
        STEPS_MENU("steps.play", "Play or pause", "Space", lambda app: app.steps.toggle_playing(), checked=is_playing),
        _stepping("steps.next", "Next step", "Right .", 1),
        _stepping("steps.back", "Step back", "Left ,", -1),
        _moving("steps.first", "First step", "Ctrl+Home", lambda at, query: scrubbed(at, query, 0)),
        _moving("steps.last", "Last step", "Ctrl+End", lambda at, query: scrubbed(at, query, len(query.moments) - 1)),
        _moving("steps.stop", "Jump to the result", "End", to_stop),
        STEPS_MENU("steps.next_phase", "Next phase", "Ctrl+Right", to_neighbour(1), enabled=_is_open),
        STEPS_MENU("steps.previous_phase", "Previous phase", "Ctrl+Left", to_neighbour(-1), enabled=_is_open),
        _by_parts("steps.next_part", "Next sub-step", "Shift+Right", 1),
        _by_parts("steps.previous_part", "Sub-step back", "Shift+Left", -1),
        STEPS_MENU(
            "steps.slow",
            "Slow: go by sub-steps",
            "",
            toggle_slow,
            checked=lambda app: app.work.playback.slow,
            tip="One step on or back is a sub-step, where a step has them.",
        ),
        _moving("steps.faster", "Faster", "Ctrl+Up", lambda at, _query: with_speed(at, 1)),
        _moving("steps.slower", "Slower", "Ctrl+Down", lambda at, _query: with_speed(at, -1)),
        STEPS_MENU("steps.loop", "Repeat", "", toggle_loop, checked=lambda app: app.work.playback.loop),
        STEPS_MENU("steps.build", "Build the difference by hand", "", _toggle_building, checked=is_built),
        STEPS_MENU("steps.single", "Step in single precision", "", _toggle_single, checked=is_single),
        STEPS_MENU("steps.algorithm", "Algorithm beside the steps", "", toggle_algorithm, checked=is_listed),
        STEPS_MENU(
            "steps.log_scale",
            "Uncertainty on a log scale",
            "",
            _toggle_log_scale,
            checked=lambda app: app.dialogs.log_scale,
            tip="In the chart of the bounds, on the card of the step.",
        ),
    )


def _toggle_log_scale(app: Program) -> None:
    app.dialogs.log_scale = not app.dialogs.log_scale


def _toggle_building(app: Program) -> None:
    """Adds the steps that build A − B by hand and shows the first of these steps, or removes these steps.

    A notice tells if the pair has no such steps.
    """
    app.work.algorithm_settings = replace(app.work.algorithm_settings, build=not app.work.algorithm_settings.build)
    if not app.work.algorithm_settings.build:
        return
    app.steps.play(replace(app.work.playback, open=True, phase=Phase.BUILD, index=0, playing=False))
    if app.steps.moment is None or app.steps.moment.phase is not Phase.BUILD:
        app.notices.notify(
            "This difference cannot be built by hand: only boxes, hulls, capsules and spheres have vertices."
        )


def _toggle_single(app: Program) -> None:
    """Switches the steps of GJK and EPA between single and double precision.

    Switching to single precision keeps a shown step of GJK or EPA. Any other step gives way to the step where the runs
    of both precisions part, or to GJK's first step if the runs do not part.
    """
    steps, settings = app.steps, app.work.algorithm_settings
    stays = steps.moment is not None and steps.moment.phase in GJK_EPA
    app.work.algorithm_settings = with_setting(settings, "single.steps", not settings.single.steps)
    if not app.work.algorithm_settings.single.steps:
        return
    if steps.all.support_maps is None:
        app.notices.notify("A half-space has no support points, so GJK and EPA have no steps here.")
    elif not stays:
        steps.play(at_parting(app.work.playback, steps.all))


def _is_open(app: Program) -> bool:
    return app.work.playback.open


def _stepping(name: str, title: str, keys: str, count: int) -> Command:
    def can_step(app: Program) -> bool:
        return app.work.playback.open or casts(app) or app.files.log_position is not None

    def step(app: Program) -> None:
        if app.work.playback.open:
            app.steps.play(stepped(app.work.playback, app.steps.all, count, app.steps.step_parts))
        elif casts(app):
            step_cast(app, count)
        else:
            app.files.step_by(count)

    return STEPS_MENU(name, title, keys, step, enabled=can_step)


def _by_parts(name: str, title: str, key: str, count: int) -> Command:
    def step(app: Program) -> None:
        app.steps.play(stepped(app.work.playback, app.steps.all, count, app.steps.parts_at))

    return STEPS_MENU(name, title, key, step, enabled=_is_open)


def _moving(name: str, title: str, key: str, move: Move) -> Command:
    def play(app: Program) -> None:
        app.steps.play(move(app.work.playback, app.steps.all))

    return STEPS_MENU(name, title, key, play, enabled=_is_open)


def quiz_commands() -> tuple[Command, ...]:
    """The commands to ask a question, ask the next question, show the answer, and stop.

    The commands are unavailable in a lesson: a question could give away the answer that the lesson's steps hide.
    """

    def no_lesson(app: Program) -> bool:
        return not app.lessons.open

    def is_asked(app: Program) -> bool:
        return app.quiz.asked is not None and no_lesson(app)

    def waits(app: Program) -> bool:
        return is_asked(app) and app.quiz.asked is not None and app.quiz.asked.open

    def stop(app: Program) -> None:
        app.quiz.stop()

    def toggle_asking(app: Program) -> None:
        if is_asked(app):
            app.quiz.stop()
        elif not app.quiz.begin():
            app.notices.notify("The answers are still being computed. Questions are ready in a moment.")

    return (
        STEPS_MENU("predict.ask", "Ask me a question", "S", toggle_asking, enabled=no_lesson, checked=is_asked),
        STEPS_MENU("predict.next", "Next question", "Shift+S", lambda app: app.quiz.next(), enabled=is_asked),
        STEPS_MENU("predict.show", "Show the answer", "", lambda app: app.quiz.show_answer(), enabled=waits),
        STEPS_MENU("predict.stop", "Stop asking", "", stop, enabled=is_asked),
    )


MOTION_MENU = InMenu("Motion")


def motion_commands() -> tuple[Command, ...]:
    """The commands of the menu Motion."""

    def is_shown(app: Program) -> bool:
        return app.motion.shown

    def play(app: Program) -> None:
        app.motion.toggle_playing()

    def is_playing(app: Program) -> bool:
        return app.work.motion_playing

    def to_time(time: float | None) -> Action:
        return lambda app: app.motion.show_time(time)

    def seen_moving(app: Program) -> bool:
        # While the timeline is open the step sets the time.
        return app.motion.moving_shown and not app.work.playback.open

    def take_away(app: Program) -> None:
        scene, none = app.work.document.committed, (0.0, 0.0, 0.0)
        a, b = (replace(body, displacement=none, angular_displacement=none) for body in (scene.a, scene.b))
        app.edits.edit(replace(scene, a=a, b=b), "Remove the motion")

    return (
        MOTION_MENU("motion.show", "Motion", "Shift+M", lambda app: app.motion.toggle(), checked=is_shown),
        MOTION_MENU(
            "motion.play", "Play or pause the motion", "Shift+Space", play, enabled=seen_moving, checked=is_playing
        ),
        MOTION_MENU("motion.start", "Jump to the start of the motion", "Shift+Home", to_time(0.0), enabled=seen_moving),
        MOTION_MENU("motion.impact", "Jump to the impact", "Shift+End", to_time(None), enabled=seen_moving),
        MOTION_MENU("motion.end", "Jump to the end of the motion", "", to_time(1.0), enabled=seen_moving),
        MOTION_MENU("motion.stop", "Remove the motion", "", take_away, enabled=lambda app: app.motion.moving_shown),
    )

"""The commands of the motion: whether it is shown, and which time of it."""

from __future__ import annotations

from msgspec.structs import replace

from .table import Action, Command, InMenu, Program

MENU = InMenu("Motion")


def motion_commands() -> tuple[Command, ...]:
    """Everything that the bar of the motion does, by name and by key."""
    return (
        MENU(
            "motion.show",
            "Motion",
            "Shift+M",
            lambda app: app.motion.toggle(),
            "Each body's displacement as an arrow to drag, and when they first meet on their way",
            checked=lambda app: app.motion.shown,
        ),
        MENU(
            "motion.play",
            "Play the motion or rest",
            "Shift+Space",
            lambda app: app.motion.toggle_playing(),
            enabled=_seen_moving,
            checked=lambda app: app.work.motion_playing,
        ),
        MENU("motion.start", "To the start of the motion", "Shift+Home", _to_time(0.0), enabled=_seen_moving),
        MENU(
            "motion.impact",
            "To the impact",
            "Shift+End",
            _to_time(None),
            "Where the bodies first meet, also while an arrow is dragged; else to the end",
            enabled=_seen_moving,
        ),
        MENU("motion.end", "To the end of the motion", "", _to_time(1.0), enabled=_seen_moving),
        MENU("motion.stop", "Take the motion away", "", _take_away, enabled=lambda app: app.motion.seen),
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

"""The commands of the motion: whether it is shown, and which time of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..motion_times import moves
from .table import Command

if TYPE_CHECKING:
    from ..workbench import Workbench

GROUP = "Motion"


def motion_commands() -> tuple[Command, ...]:
    """Everything that the bar of the motion does, by name and by key."""
    return (
        Command(
            "motion.show",
            "Motion",
            GROUP,
            ("Shift+M",),
            lambda app: app.toggle_motion(),
            "Each body's displacement as an arrow to drag, and when they first meet on their way",
            checked=lambda app: app.motion_shown,
        ),
        Command(
            "motion.play",
            "Play the motion or rest",
            GROUP,
            ("Shift+Space",),
            lambda app: app.toggle_motion_playing(),
            enabled=_seen_moving,
            checked=lambda app: app.motion_playing,
        ),
        Command(
            "motion.start",
            "To the start of the motion",
            GROUP,
            ("Shift+Home",),
            lambda app: app.show_time(0.0),
            enabled=_seen_moving,
        ),
        Command(
            "motion.impact",
            "To the impact",
            GROUP,
            ("Shift+End",),
            lambda app: app.show_time(None),
            "Where the bodies first meet, also while an arrow is dragged; else to the end",
            enabled=_seen_moving,
        ),
        Command(
            "motion.end", "To the end of the motion", GROUP, (), lambda app: app.show_time(1.0), enabled=_seen_moving
        ),
        Command("motion.stop", "Take the motion away", GROUP, (), _take_away, enabled=_moving),
    )


def _moving(app: Workbench) -> bool:
    return app.motion_shown and (moves(app.scene.a) or moves(app.scene.b))


def _seen_moving(app: Workbench) -> bool:
    # At a step the time is the step's own.
    return _moving(app) and not app.playback.open


def _take_away(app: Workbench) -> None:
    scene, none = app.document.committed, (0.0, 0.0, 0.0)
    a, b = (replace(body, displacement=none, angular_displacement=none) for body in (scene.a, scene.b))
    app.edit(replace(scene, a=a, b=b), "Take the motion away")

"""The commands of the free axis: on and off, and where it starts."""

from __future__ import annotations

from msgspec.structs import replace

from .in_menu import InMenu
from .table import Command, Program

MENU = InMenu("View")
TIP = "An axis of your own: turn it by its ends and try to beat the winner"


def free_axis_commands() -> tuple[Command, ...]:
    """Beside the commands of the candidate axes."""
    return (
        MENU("free.axis", "Free axis", "O", _toggle, TIP, checked=_is_there),
        MENU("free.winner", "Free axis from the winner", "Shift+O", _to_winner),
        MENU("free.nearest", "Free axis to the nearest candidate", "", _to_nearest, enabled=_is_there),
    )


def _is_there(app: Program) -> bool:
    return app.work.view.free is not None


def _toggle(app: Program) -> None:
    # Imported when it is first wanted, like the picture of the axis.
    from ..probes.free_axis import start_of

    app.cameras.look(replace(app.work.view, free=None if _is_there(app) else start_of(app.answers.analysis)))


def _to_winner(app: Program) -> None:
    from ..probes.free_axis import candidate_direction

    analysis = app.answers.whole_analysis
    app.cameras.look(replace(app.work.view, free=candidate_direction(analysis, analysis.sat.winner)))


def _to_nearest(app: Program) -> None:
    from ..probes.free_axis import Attempt, candidate_direction

    analysis, view = app.answers.analysis, app.work.view
    if view.free is None:
        return
    attempt = Attempt.of(analysis, view.free)
    if attempt.nearest is not None:
        app.cameras.look(replace(view, free=candidate_direction(analysis, attempt.nearest, attempt.axis)))

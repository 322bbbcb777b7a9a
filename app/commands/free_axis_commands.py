"""The commands of the free axis: on and off, and where it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from .in_menu import InMenu
from .table import Command

if TYPE_CHECKING:
    from ..controllers.workbench import Workbench

MENU = InMenu("View")
TIP = "An axis of your own: turn it by its ends and try to beat the winner"


def free_axis_commands() -> tuple[Command, ...]:
    """Beside the commands of the candidate axes."""
    return (
        MENU("free.axis", "Free axis", "O", _toggle, TIP, checked=_is_there),
        MENU("free.winner", "Free axis from the winner", "Shift+O", _to_winner),
        MENU("free.nearest", "Free axis to the nearest candidate", "", _to_nearest, enabled=_is_there),
    )


def _is_there(app: Workbench) -> bool:
    return app.view.free is not None


def _toggle(app: Workbench) -> None:
    # Imported when it is first wanted, like the picture of the axis.
    from ..probes.free_axis import start_of

    app.look(replace(app.view, free=None if _is_there(app) else start_of(app.analysis)))


def _to_winner(app: Workbench) -> None:
    from ..probes.free_axis import candidate_direction

    app.look(replace(app.view, free=candidate_direction(app.whole_analysis, app.whole_analysis.sat.winner)))


def _to_nearest(app: Workbench) -> None:
    from ..probes.free_axis import Attempt, candidate_direction

    if app.view.free is None:
        return
    attempt = Attempt.of(app.analysis, app.view.free)
    if attempt.nearest is not None:
        app.look(replace(app.view, free=candidate_direction(app.analysis, attempt.nearest, attempt.axis)))

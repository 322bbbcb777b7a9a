"""The commands of the free axis: on and off, and where it starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .table import Action, Command

if TYPE_CHECKING:
    from core.scene import Triple

    from ..workbench import Workbench

GROUP = "View"


def free_axis_commands() -> tuple[Command, ...]:
    """Beside the commands of the candidate axes."""
    return (
        Command(
            "free.axis",
            "Free axis",
            GROUP,
            ("O",),
            _toggle,
            "An axis of your own: turn it by its ends and try to beat the winner",
            checked=_is_there,
        ),
        Command("free.winner", "Free axis from the winner", GROUP, ("Shift+O",), _put(_on_winner)),
        Command("free.nearest", "Free axis to the nearest candidate", GROUP, (), _put(_on_nearest), enabled=_is_there),
    )


def _is_there(app: Workbench) -> bool:
    return app.view.free is not None


def _toggle(app: Workbench) -> None:
    # Imported when it is first wanted, like the picture of the axis.
    from ..free_axis import start_of

    app.look(replace(app.view, free=None if _is_there(app) else start_of(app.analysis)))


def _put(where: Callable[[Workbench], Triple | None]) -> Action:
    def put(app: Workbench) -> None:
        app.look(replace(app.view, free=where(app)))

    return put


def _on_winner(app: Workbench) -> Triple:
    from ..free_axis import candidate_direction

    return candidate_direction(app.whole_analysis, app.whole_analysis.sat.winner)


def _on_nearest(app: Workbench) -> Triple | None:
    from ..free_axis import Attempt, candidate_direction

    if app.view.free is None:
        return None
    attempt = Attempt.of(app.analysis, app.view.free)
    return (
        app.view.free if attempt.nearest is None else candidate_direction(app.analysis, attempt.nearest, attempt.axis)
    )

"""The commands that ask questions about the pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .step_commands import MENU
from .table import Command

if TYPE_CHECKING:
    from ..controllers.workbench import Workbench


def prediction_commands() -> tuple[Command, ...]:
    """Begin, go on, see the answer, stop."""
    return (
        MENU(
            "predict.ask",
            "Ask me a question",
            "S",
            _toggle,
            "Predict what the algorithms find, by a click in the picture; then see it. Again: stop asking",
            checked=_is_asked,
        ),
        MENU("predict.next", "Next question", "Shift+S", lambda app: app.ask_next(), enabled=_is_asked),
        MENU("predict.show", "Show the answer", "", lambda app: app.show_answer(), enabled=_is_open),
        MENU("predict.stop", "Stop asking", "", _stop, enabled=_is_asked),
    )


def _is_asked(app: Workbench) -> bool:
    return app.asked is not None


def _is_open(app: Workbench) -> bool:
    return app.asked is not None and app.asked.open


def _stop(app: Workbench) -> None:
    app.stop_asking()


def _toggle(app: Workbench) -> None:
    if app.asked is not None:
        app.stop_asking()
    elif not app.begin_asking():
        app.notify("There are questions as soon as all answers about the pair are computed.")

"""The commands that ask questions about the pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .step_commands import GROUP
from .table import Command

if TYPE_CHECKING:
    from ..workbench import Workbench


def prediction_commands() -> tuple[Command, ...]:
    """Begin, go on, see the answer, stop."""
    return (
        Command(
            "predict.ask",
            "Ask me a question",
            GROUP,
            ("S",),
            _toggle,
            "Predict what the algorithms find, by a click in the picture; then see it. Again: stop asking",
            checked=lambda app: app.asked is not None,
        ),
        Command("predict.next", "Next question", GROUP, ("Shift+S",), lambda app: app.ask_next(), enabled=_is_asked),
        Command(
            "predict.show",
            "Show the answer",
            GROUP,
            (),
            lambda app: app.show_answer(),
            enabled=lambda app: app.asked is not None and app.asked.open,
        ),
        Command("predict.stop", "Stop asking", GROUP, (), _stop, enabled=_is_asked),
    )


def _is_asked(app: Workbench) -> bool:
    return app.asked is not None


def _stop(app: Workbench) -> None:
    app.stop_asking()


def _toggle(app: Workbench) -> None:
    if app.asked is not None:
        app.stop_asking()
    elif not app.begin_asking():
        app.notify("There are questions as soon as all answers about the pair are computed.")

"""The commands that ask questions about the pair."""

from __future__ import annotations

from .step_commands import MENU
from .table import Command, Program


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
        MENU("predict.next", "Next question", "Shift+S", lambda app: app.quiz.next(), enabled=_is_asked),
        MENU("predict.show", "Show the answer", "", lambda app: app.quiz.show_answer(), enabled=_is_open),
        MENU("predict.stop", "Stop asking", "", _stop, enabled=_is_asked),
    )


def _is_asked(app: Program) -> bool:
    return app.quiz.asked is not None


def _is_open(app: Program) -> bool:
    return app.quiz.asked is not None and app.quiz.asked.open


def _stop(app: Program) -> None:
    app.quiz.stop()


def _toggle(app: Program) -> None:
    if app.quiz.asked is not None:
        app.quiz.stop()
    elif not app.quiz.begin():
        app.notices.notify("There are questions as soon as all answers about the pair are computed.")

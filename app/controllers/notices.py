"""Notices to the user, which disappear by themselves, and questions, which wait for an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic

from msgspec.structs import replace

from ..state.panel_state import Notice, Pending
from ..storage.files import readable

NOTICE_SECONDS = 5.0
"""Seconds for which a notice that is no error stays."""
MOST_NOTICES = 4
"""The most notices at once; the oldest goes."""
AnswerActions = Mapping[str, Callable[[], None]]
"""The actions by answer; an answer without one does nothing."""


class Notices:
    """The shown notices, the oldest first."""

    def __init__(self) -> None:
        self._standing: list[tuple[Notice, float]] = []
        self._number = 0

    def notify(self, message: str, *, error: bool = False, report: str = "") -> int:
        """Shows a sentence, once; an error stays until it is dismissed. `report`: a fault's report, to copy.

        Returns the notice's number.
        """
        message = readable(message)
        self._number += 1
        until = float("inf") if error else monotonic() + NOTICE_SECONDS
        others = [entry for entry in self._standing if entry[0].message != message]
        self._standing = [*others, (Notice(self._number, message, error, report), until)][-MOST_NOTICES:]
        return self._number

    def dismiss(self, number: int) -> None:
        """Removes the notice with this number, if it is still shown."""
        self._standing = [entry for entry in self._standing if entry[0].number != number]

    def dismiss_error(self) -> bool:
        """Removes the last error; returns False where there is none."""
        errors = [notice.number for notice, _ in self._standing if notice.error]
        if errors:
            self.dismiss(errors[-1])
        return bool(errors)

    def now(self) -> tuple[Notice, ...]:
        """The notices to show now."""
        now = monotonic()
        self._standing = [entry for entry in self._standing if entry[1] > now]
        return tuple(notice for notice, _ in self._standing)

    def next_end(self) -> float | None:
        """Seconds until the next notice disappears; None where none will."""
        ends = [until for _, until in self._standing if until != float("inf")]
        return max(0.0, min(ends) - monotonic()) if ends else None


class Questions:
    """The queue of questions; the same question is not asked twice."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Pending, AnswerActions]] = []

    def ask(self, question: Pending, answers: AnswerActions) -> None:
        """Adds a question to the queue."""
        question = replace(question, message=readable(question.message))
        self._waiting = [asked for asked in self._waiting if asked[0] != question]
        self._waiting.append((question, answers))

    @property
    def pending(self) -> Pending | None:
        """The question to answer first; None without a question."""
        return self._waiting[0][0] if self._waiting else None

    def answer(self, choice: str) -> None:
        """Removes the first question, and runs the action of the user's answer, if any."""
        if self._waiting and (action := self._waiting.pop(0)[1].get(choice)) is not None:
            action()

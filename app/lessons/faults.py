"""The faults of a lesson file, each with its line and a sentence on the error and the expected form."""

from __future__ import annotations

from msgspec import Struct


class Fault(Struct, frozen=True):
    """A fault in a lesson file. `line`: from 1. `warning`: the lesson can still be used."""

    line: int
    message: str
    warning: bool = False

    def text(self, file: str) -> str:
        """The fault as a line of text, `FILE:41: …`."""
        return f"{file}:{self.line}: {'warning: ' if self.warning else ''}{self.message}"


class LessonFaults:
    """Collects the faults of one file."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, line: int, message: str, *, warning: bool = False) -> None:
        """Adds a fault."""
        self.found.append(Fault(line, message, warning))

    @property
    def refused(self) -> bool:
        """Whether the file cannot be used, because a fault is not just a warning."""
        return any(not fault.warning for fault in self.found)

    @property
    def in_order(self) -> tuple[Fault, ...]:
        """All faults, sorted by line."""
        return tuple(sorted(self.found, key=lambda fault: fault.line))


class LessonError(ValueError):
    """A refused lesson file. `faults`: all faults; the message is the first that is not a warning, with the file."""

    def __init__(self, file: str, faults: tuple[Fault, ...]) -> None:
        first = next(fault for fault in faults if not fault.warning)
        super().__init__(first.text(file))
        self.faults = faults

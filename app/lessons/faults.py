"""What is wrong with a lesson file: each fault with its line, what is wrong and what was expected."""

from __future__ import annotations

from msgspec import Struct


class Fault(Struct, frozen=True):
    """`line`: from 1. `warning`: the lesson can be used all the same."""

    line: int
    message: str
    warning: bool = False

    def told(self, file: str) -> str:
        """As `FILE:41: …`."""
        return f"{file}:{self.line}: {'warning: ' if self.warning else ''}{self.message}"


class Faults:
    """Collects the faults of one file."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, line: int, message: str, *, warning: bool = False) -> None:
        """One more."""
        self.found.append(Fault(line, message, warning))

    @property
    def refused(self) -> bool:
        """Whether the file cannot be used."""
        return any(not fault.warning for fault in self.found)

    @property
    def in_order(self) -> tuple[Fault, ...]:
        """All of them by their lines."""
        return tuple(sorted(self.found, key=lambda fault: fault.line))


class LessonError(ValueError):
    """A lesson file that is refused; `faults`: why, at least one. Its words are those of the first, with the file."""

    def __init__(self, file: str, faults: tuple[Fault, ...]) -> None:
        first = next(fault for fault in faults if not fault.warning)
        super().__init__(first.told(file))
        self.faults = faults

"""What a form of text is: how it is recognised, and what reading it gives.

A form reads a text whole or refuses it. What it may pass over (names, masses, colours) is listed in its file; any other
word, call or number is refused by name, with its line. What it assumes (no position: at the origin) it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from core.scene import Scene

LONGEST = 200_000
"""The most characters of a text; a hull of 1,000 points needs less than a third."""


class NotUnderstoodError(ValueError):
    """A text cannot be read. The message is one sentence that begins with the line, which counts from 1; 0 for none."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {what}" if line else what)
        self.line = line


def checked_length(text: str) -> str:
    """The text. Raises NotUnderstoodError where it is longer than LONGEST."""
    if len(text) > LONGEST:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {LONGEST:,}.")
    return text


class ReadPair(Struct, frozen=True):
    """A pair as read. `notes`: sentences on what was assumed, converted or mirrored, for the preview and the scene."""

    scene: Scene
    notes: tuple[str, ...] = ()


class Form(Struct, frozen=True):
    """A form of text.

    `name`: of `--form`; `title`: for the window. `source`: the manual or source that its conventions are from, with the
    version. `mark`: a pattern that only texts of this form have. `read`: the pair in a text; raises NotUnderstoodError.
    `examples`: texts that it reads, which the tests read too. `write`: the pair as such a text, None for forms of logs
    and messages; raises ValueError where the form has no such shape.
    """

    name: str
    title: str
    source: str
    mark: re.Pattern[str]
    read: Callable[[str], ReadPair]
    examples: tuple[str, ...]
    write: Callable[[Scene], str] | None = None

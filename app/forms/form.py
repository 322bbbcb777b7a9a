"""The record of a form of text, with the pattern that recognises it and the functions that read and write it.

A form reads a text whole or refuses it. Each form's file lists the parts that the form passes over (names, masses,
colours). Any other word, call or number is refused by name, with its line. A note tells each assumption, such as a body
at the origin because the text has no position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from core.scene import Scene

LONGEST = 200_000
"""The most characters of a text; a hull of 1,000 points needs less than a third."""


LONGEST_SENTENCE = 400
"""The most characters of a refusal, which may name a word of the text."""


class NotUnderstoodError(ValueError):
    """A text cannot be read. The message is one sentence that begins with the line, which counts from 1; 0 for none."""

    def __init__(self, what: str, line: int = 0) -> None:
        what = what if len(what) <= LONGEST_SENTENCE else f"{what[:LONGEST_SENTENCE]} …"
        # A quotation from a text may have ends of lines of other systems in it, or half a surrogate.
        what = "".join(letter if letter.isprintable() else " " for letter in what)
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


class Writes(Protocol):
    """The writer of a pair as a form's text (`writer.Writer`)."""

    @property
    def shapes(self) -> Mapping[str, Any]:
        """By the kinds of shape that the form has."""

    @property
    def borders(self) -> frozenset[str]:
        """The kinds that may have a border radius."""

    @property
    def dimensions(self) -> tuple[int, ...]:
        """Of the scenes."""

    def refusal(self, scene: Scene) -> str:
        """Why the pair cannot be written, a sentence; "" where it can."""

    def __call__(self, scene: Scene) -> str:
        """The pair as text. Raises ValueError with the sentence of `refusal`."""


class Form(Struct, frozen=True):
    """A form of text.

    `name`: of `--form`; `title`: for the window. `source`: the manual or source that its conventions are from, with the
    version. `mark`: a pattern that only texts of this form have. `read`: the pair in a text; raises NotUnderstoodError.
    `examples`: texts that it reads, which the tests read too. `write`: the pair as such a text, None for forms of logs
    and messages.
    """

    name: str
    title: str
    source: str
    mark: re.Pattern[str]
    read: Callable[[str], ReadPair]
    examples: tuple[str, ...]
    write: Writes | None = None

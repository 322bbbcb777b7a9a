"""The record of a form of text, with the pattern that recognises it and the functions that read and write it.

A form reads the whole text or refuses it. Each form's file lists the parts that the form passes over (names, masses,
colours). Any other word, call or number is refused, with its line. A note states each assumption, such as a body
at the origin because the text has no position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from core.scene import Scene

from .titles import TITLES

MOST_CHARACTERS = 200_000
"""The most characters of a text; a hull of 1,000 points needs less than a third."""


LONGEST_SENTENCE = 400
"""The most characters of a refusal, which may quote the text; a longer one is cut."""


class NotUnderstoodError(ValueError):
    """A text cannot be read. `line`: the line number, from 1; 0 for no line.

    The message is one sentence, which begins with the line number unless that is 0.
    """

    def __init__(self, what: str, line: int = 0) -> None:
        what = what if len(what) <= LONGEST_SENTENCE else f"{what[:LONGEST_SENTENCE]} …"
        # A quotation may contain line ends of other systems, or half of a surrogate pair: spaces replace them.
        what = "".join(letter if letter.isprintable() else " " for letter in what)
        super().__init__(f"Line {line}: {what}" if line else what)
        self.line = line


def checked_length(text: str) -> str:
    """Returns the text. Raises NotUnderstoodError if it is longer than MOST_CHARACTERS."""
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}.")
    return text


class ReadPair(Struct, frozen=True):
    """A pair as read. `notes`: sentences on assumptions, conversions and mirrored axes, for preview and scene."""

    scene: Scene
    notes: tuple[str, ...] = ()


class Writes(Protocol):
    """The writer of a pair as a form's text (`writer.Writer`)."""

    @property
    def shapes(self) -> Mapping[str, Any]:
        """The kinds of shape that can be written, each with its writer."""

    @property
    def borders(self) -> frozenset[str]:
        """The kinds of shape that may have a border radius."""

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The dimensions (2, 3) of the scenes that can be written."""

    def refusal(self, scene: Scene) -> str:
        """The reason why the pair cannot be written, a sentence; "" if it can."""

    def __call__(self, scene: Scene) -> str:
        """The pair as text. Raises ValueError with the sentence of `refusal` if there is one."""


class Form(Struct, frozen=True):
    """A form of text.

    `name`: the value of `--form`. `source`: the manual or code that defines its conventions, with the version. `mark`:
    a pattern that texts of this form match; those of other forms may match too. `read`: returns the pair in a text;
    raises NotUnderstoodError for a text that the form refuses. `examples`: texts that `read` accepts. `write`: the
    writer of the form; None for forms that are read only, such as logs.
    """

    name: str
    source: str
    mark: re.Pattern[str]
    read: Callable[[str], ReadPair]
    examples: tuple[str, ...]
    write: Writes | None = None

    @property
    def title(self) -> str:
        """The name in the window."""
        return TITLES[self.name]

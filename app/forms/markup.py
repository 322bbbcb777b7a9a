"""Reads snippets of XML into elements with line numbers. A snippet may have several outermost elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from xml.parsers import expat

from msgspec import Struct, field

from .form import NotUnderstoodError, checked_length

DEEPEST = 40
"""The most levels of nested elements, counting the added <outer>."""
_NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+")


class Element(Struct):
    """An element. `text`: the text between its tags, without that of its children.

    `read`: the names of attributes that were read, and "" if the text was.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    read: set[str] = field(default_factory=set)

    def attribute(self, name: str) -> str | None:
        """The value of an attribute, None if it is missing. The attribute counts as read."""
        self.read.add(name)
        return self.attributes.get(name)

    def numbers(self, name: str, count: int | None = None) -> list[float] | None:
        """The numbers of an attribute; None if it is missing.

        Raises NotUnderstoodError for a word that is not a finite number, or for another count of numbers than `count`.
        """
        given = self.attribute(name)
        return None if given is None else numbers_of(given, f"{self.tag} {name}", self.line, count)

    def only(self, passed_over: frozenset[str] = frozenset()) -> None:
        """Raises NotUnderstoodError if an attribute was not read and is not in `passed_over`.

        Raises it also for text that was not read, in an element without children.
        """
        for name in self.attributes:
            if name not in self.read and name not in passed_over:
                raise NotUnderstoodError(f"{name} of <{self.tag}> is not understood", self.line)
        if self.text.strip() and not self.children and "" not in self.read:
            raise NotUnderstoodError(f"the text of <{self.tag}> is not understood", self.line)

    def inside(self) -> str:
        """The text between its tags. The text counts as read."""
        self.read.add("")
        return self.text

    def every(self) -> Iterator[Element]:
        """Yields the element and all elements inside it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.every()


def numbers_of(text: str, what: str, line: int, count: int | None = None) -> list[float]:
    """The numbers of a text, separated by spaces or commas.

    `what`: the name of the numbers in the error. `count`: the required count, None for any. Raises NotUnderstoodError
    for another count, and for a word that is not a finite number.
    """
    found = []
    for word in re.split(r"[\s,]+", text.strip().replace("\u2212", "-")):
        if not _NUMBER.fullmatch(word):
            raise NotUnderstoodError(f"{what}: {word[:40] or 'nothing'} is no number", line)
        value = float(word)
        if not isfinite(value):
            raise NotUnderstoodError(f"{what}: {word[:40]} is too large for double precision", line)
        found.append(value)
    if count is not None and len(found) != count:
        raise NotUnderstoodError(f"{what} needs {count} number{'s' * (count != 1)}, got {len(found)}", line)
    return found


def elements(text: str) -> list[Element]:
    """The outermost elements of a snippet.

    Raises NotUnderstoodError if it is no XML, or has words between them, a document type, more than DEEPEST levels or
    more than MOST_CHARACTERS characters.
    """
    checked_length(text)
    # XML allows a declaration only at the very beginning, where the added <outer> is: spaces replace the declaration.
    start, plain = text.find("<?xml"), text
    if 0 <= start < (close := text.find(">", start)) and text[close - 1] == "?":
        plain = f"{text[:start]}{' ' * (close + 1 - start)}{text[close + 1 :]}"
    parser = expat.ParserCreate()
    outer = Element("", {}, 0)
    open_ones, inside = [outer], list[list[str]]([[]])

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(open_ones) > DEEPEST:
            raise NotUnderstoodError(f"more than {DEEPEST} elements stand inside each other", parser.CurrentLineNumber)
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_ones[-1].children.append(element)
        open_ones.append(element)
        inside.append([])

    def end(_: str) -> None:
        open_ones.pop().text = "".join(inside.pop())

    def said(words: str) -> None:
        if len(open_ones) == 2 and words.strip():
            raise NotUnderstoodError(f"{words.strip()[:40]} is not understood", parser.CurrentLineNumber)
        inside[-1].append(words)

    def refuse(*_: object) -> None:
        raise NotUnderstoodError("a document type is not understood", parser.CurrentLineNumber)

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = said, refuse
    try:
        parser.Parse(f"<outer>{plain}</outer>", True)
    except UnicodeEncodeError as error:
        line = plain.count("\n", 0, error.start - len("<outer>")) + 1
        raise NotUnderstoodError(f"{error.object[error.start]!r} is not understood", line) from None
    except expat.ExpatError as error:
        last = plain.count("\n") + 1
        raise NotUnderstoodError(
            f"this is no whole XML: {expat.ErrorString(error.code)}", min(error.lineno, last)
        ) from None
    return outer.children[0].children

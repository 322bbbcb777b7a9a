"""Reads the part of YAML in which messages are printed: mappings, lists and numbers by indentation, and `[…]`, `{…}`.

Documents are separated by `---` or `...`. A key that repeats at the top level begins a new document too. Anchors, tags
and block strings are refused.
"""

from __future__ import annotations

import re
from math import isfinite

from msgspec import Struct

from .form import MOST_CHARACTERS, NotUnderstoodError
from .markup import numbers_of

DEEPEST = 40
"""The most nested levels."""
_KEY = re.compile(r"(?P<key>\"[^\"]*\"|'[^']*'|[A-Za-z_][\w ./-]*?)[ ]*:(?:[ ]+(?P<rest>.*))?")
_PART = re.compile(r"\"[^\"]*\"|'[^']*'|[\[\]{},]|:(?=\s|$)|[^\s\[\]{},:\"']+(?::\S[^\s\[\]{},:]*)*|\s+|.")


class BlockNode(Struct):
    """A value with its line number, from 1: a string, a list or a mapping. An empty value is ""."""

    line: int
    value: str | list[BlockNode] | dict[str, BlockNode]

    @property
    def keys(self) -> set[str]:
        """The keys of a mapping; the empty set for another value."""
        return set(self.value) if isinstance(self.value, dict) else set()

    def at(self, key: str) -> BlockNode | None:
        """The value of a key; None if the key is missing or the node is no mapping."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def number(self, what: str) -> float:
        """The value as a number. `what`: its name in the error.

        Raises NotUnderstoodError for a list, a mapping, and a word that is not a finite number.
        """
        if not isinstance(self.value, str):
            raise NotUnderstoodError(f"{what} must be a number", self.line)
        (value,) = numbers_of(self.value, what, self.line, 1)
        return value

    def numbers(self, what: str) -> list[float]:
        """The numbers of a list. `what`: their name in the error.

        Raises NotUnderstoodError for another value, and for an item that is not a finite number.
        """
        if not isinstance(self.value, list):
            raise NotUnderstoodError(f"{what} must be a list of numbers", self.line)
        return [one.number(what) for one in self.value]

    def named(self, names: str, what: str) -> list[float]:
        """The numbers of a mapping whose keys are exactly the letters of `names`, in the order of `names`.

        `what`: the name of the mapping in the error. Raises NotUnderstoodError for other keys, and for a value that is
        not a finite number.
        """
        if self.keys != set(names):
            raise NotUnderstoodError(f"{what} needs {', '.join(names)}", self.line)
        found = [one.number(f"{what} {name}") for name in names if (one := self.at(name)) is not None]
        if not all(map(isfinite, found)):
            raise NotUnderstoodError(f"{what} has a number that is not finite", self.line)
        return found


class _Row(Struct):
    """A line that is not empty. `indent`: the count of spaces before `text`; `line`: the line number, from 1."""

    indent: int
    text: str
    line: int


def rows_of(text: str) -> list[_Row]:
    """The rows of a text without comments.

    Raises NotUnderstoodError for a tab in the indentation, or for a text longer than MOST_CHARACTERS.
    """
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}.")
    found = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        bare = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if not bare:
            continue
        said = bare.lstrip(" ")
        if said.startswith("\t"):
            raise NotUnderstoodError("a tab stands where spaces must say how deep the line is", number)
        found.append(_Row(len(bare) - len(said), said, number))
    return found


def documents(text: str) -> list[BlockNode]:
    """The documents of a text. Raises NotUnderstoodError for a line that is not understood, and as `rows_of`."""
    rows, found, part = rows_of(text), list[BlockNode](), list[_Row]()
    for row in (*rows, _Row(0, "---", 0)):
        if row.indent == 0 and row.text in ("---", "..."):
            found += _Reader(part).all() if part else []
            part = []
        else:
            part.append(row)
    return found


class _Reader:
    def __init__(self, rows: list[_Row]) -> None:
        self._rows, self._at, self._depth = rows, 0, 0

    @property
    def _now(self) -> _Row | None:
        return self._rows[self._at] if self._at < len(self._rows) else None

    def all(self) -> list[BlockNode]:
        found, edge = [], self._rows[0].indent
        while (row := self._now) is not None:
            if row.indent != edge:
                raise NotUnderstoodError(f"{row.text[:40]} stands at another depth than the lines before it", row.line)
            found.append(self._block(edge))
        return found

    def _block(self, indent: int) -> BlockNode:
        row = self._now
        assert row is not None
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotUnderstoodError(f"more than {DEEPEST} levels stand inside each other", row.line)
        node = self._list(indent) if re.match(r"-(?:\s|$)", row.text) else self._mapping(indent)
        self._depth -= 1
        return node

    def _list(self, indent: int) -> BlockNode:
        row = self._now
        assert row is not None
        node = BlockNode(row.line, [])
        assert isinstance(node.value, list)
        while (row := self._now) is not None and row.indent == indent and re.match(r"-(?:\s|$)", row.text):
            inner = row.text[1:].lstrip()
            if not inner:
                self._at += 1
                node.value.append(self._inside(indent, row.line, same=False))
            elif _KEY.fullmatch(inner) or re.match(r"-\s", inner):
                # A mapping that begins after a dash has the indentation of its first key.
                self._rows[self._at] = _Row(indent + len(row.text) - len(inner), inner, row.line)
                node.value.append(self._block(self._rows[self._at].indent))
            else:
                self._at += 1
                node.value.append(self._flow(inner, row.line))
        return node

    def _mapping(self, indent: int) -> BlockNode:
        row = self._now
        assert row is not None
        found: dict[str, BlockNode] = {}
        node = BlockNode(row.line, found)
        while (row := self._now) is not None and row.indent == indent:
            match = _KEY.fullmatch(row.text)
            if match is None:
                raise NotUnderstoodError(f"{row.text[:40]} is not understood", row.line)
            key, rest = match["key"].strip("\"'"), (match["rest"] or "").strip()
            if key in found:
                if self._depth == 1:
                    break
                raise NotUnderstoodError(f"{key} is given twice", row.line)
            self._at += 1
            found[key] = self._flow(rest, row.line) if rest else self._inside(indent, row.line, same=True)
        return node

    def _inside(self, indent: int, line: int, *, same: bool) -> BlockNode:
        """The block of more indentation that follows; an empty value if there is none.

        `indent`, `line`: those of the row before. `same`: a list may have the same indentation. Raises
        NotUnderstoodError for a block that is not understood, or stands at another depth.
        """
        row = self._now
        if row is not None and (row.indent > indent or (same and row.indent == indent and row.text.startswith("- "))):
            node = self._block(row.indent)
            following = self._now
            if following is not None and following.indent > indent:
                said = following.text[:40]
                raise NotUnderstoodError(f"{said} stands at another depth than the lines before it", following.line)
            return BlockNode(line, node.value)
        return BlockNode(line, "")

    def _flow(self, said: str, line: int) -> BlockNode:
        """A value on one line, or on several lines until its brackets close.

        Raises NotUnderstoodError for a value that is not understood.
        """
        lines, still_open = [said], _opened(said)
        while still_open > 0 and (row := self._now) is not None:
            lines.append(row.text)
            still_open += _opened(row.text)
            self._at += 1
        said = " ".join(lines)
        parts = [part for part in _PART.findall(said) if not part.isspace()]
        if said[0] not in "[{":
            if said[0] in "&*!|>%@`":
                raise NotUnderstoodError(f"{said[:40]} is not understood", line)
            return BlockNode(line, said.strip("\"'") if len(parts) == 1 else said)
        node, after = _flow(parts, 0, line, 0)
        if after != len(parts):
            raise NotUnderstoodError(f"{parts[after][:40]} is not understood", line)
        return node


def _opened(said: str) -> int:
    """The number of brackets that `said` opens, less those that it closes."""
    return said.count("[") + said.count("{") - said.count("]") - said.count("}")


def _flow(parts: list[str], at: int, line: int, depth: int) -> tuple[BlockNode, int]:
    """The value that begins at the part with index `at`, and the index after its last part.

    `depth`: the number of brackets around it. Raises NotUnderstoodError for a part that is not understood, an open
    bracket, a key that is given twice, and more than DEEPEST brackets in each other.
    """
    if at >= len(parts) or depth > DEEPEST:
        raise NotUnderstoodError("a bracket is not closed", line)
    if parts[at] not in "[{":
        if parts[at] in ("]", "}", ",", ":"):
            raise NotUnderstoodError(f"a value is missing before {parts[at]}", line)
        return BlockNode(line, parts[at].strip("\"'")), at + 1
    opened, closing = parts[at], "]" if parts[at] == "[" else "}"
    items: list[BlockNode] = []
    named: dict[str, BlockNode] = {}
    at += 1
    while at < len(parts) and parts[at] != closing:
        if items or named:
            if parts[at] != ",":
                raise NotUnderstoodError(f"{parts[at][:40]} is not understood", line)
            at += 1
        if opened == "{":
            key = parts[at].strip("\"'") if at < len(parts) else ""
            if at + 1 >= len(parts) or parts[at + 1] != ":" or key in named:
                raise NotUnderstoodError(f"{key or 'the end of the line'} is not understood", line)
            named[key], at = _flow(parts, at + 2, line, depth + 1)
        else:
            item, at = _flow(parts, at, line, depth + 1)
            items.append(item)
    if at >= len(parts):
        raise NotUnderstoodError("a bracket is not closed", line)
    return BlockNode(line, items if opened == "[" else named), at + 1

"""Cuts code into tokens: names, numbers, strings, signs and ends of lines, each with its line number.

A text is cut only as far as it is read, so that a refusal of its first line needs no time for the other lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from math import isfinite

from msgspec import Struct

from .form import NotUnderstoodError, checked_length

AHEAD = 200
"""The most tokens that a reader may look ahead."""
_CUT = 2000
"""The count of tokens that are cut at a time."""
_TOKEN = re.compile(
    r"[ \t\r\f\v\u00a0]*+(?:"
    r"(?P<note>//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|(?P<open>/\*)"
    r"|(?P<joined>\\\n)"
    r"|(?P<line>\n[ \t\r\f\v\u00a0\n]*+)"
    r"|(?P<number>(?:0[xX][\da-fA-F]++(?:\.[\da-fA-F]*+)?[pP][-+]?\d+|0[xX][\da-fA-F]++(?![\w.])|0[xX][\w.]++"
    r"|\d++(?:_\d++)*+(?:\.(?:\d++(?:_\d++)*+)?)?+(?:[eE][-+]?\d++)?+|\.\d++(?:[eE][-+]?\d++)?+)"
    r"(?:[A-Za-z_]\w*+)?)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')"
    r"|(?P<name>[^\W\d][\w$]*+!?)"
    r"|(?P<join>::|->|\.(?!\d))"
    r"|(?P<sign>[-+*/]=|[-+*/]|[()\[\]{},;=:&<>?|%^~@])"
    r"|(?P<end>\Z)"
    r"|(?P<other>.))",
    re.DOTALL,
)
_OCTAL = re.compile(r"0[0-7]++[lLuU]*+\Z")
_SUFFIXES = ("_f32", "_f64", "_r", "f32", "f64", "f", "F", "d", "D", "l", "L", "m", "M")
"""The suffixes of numbers in C, Rust and C#."""


class Token(Struct, frozen=True):
    """A token. `kind`: number, text (a string), name, join (`.`, `->`, `::`), sign, line (its end) or end (the text's).

    Other kinds are "open" for the `/*` of a comment that does not end, and "other" for any other character.
    """

    kind: str
    text: str
    line: int


class Tokens:
    """The tokens of a text, one after the other. Raises NotUnderstoodError for a text longer than MOST_CHARACTERS.

    `found`: the tokens cut so far; at least AHEAD of them follow the next one. `at`: the index of the next one.
    """

    def __init__(self, text: str) -> None:
        checked_length(text)
        self._cut = _cut(text.replace("\u2212", "-").replace("\r\n", "\n"))
        self.found: list[Token] = []
        self.at = 0
        self._fill()

    def _fill(self) -> None:
        """Cuts tokens until AHEAD of them follow the next one. After the end of the text the last token is repeated."""
        while len(self.found) <= self.at + AHEAD:
            self.found += list(islice(self._cut, _CUT)) or AHEAD * [self.found[-1]]

    @property
    def now(self) -> Token:
        """The next token."""
        return self.found[self.at]

    def take(self) -> Token:
        """Returns the next token and passes over it, unless it is the end of the text."""
        token = self.found[self.at]
        if token.kind != "end":
            self.step()
        return token

    def step(self, count: int = 1) -> None:
        """Passes over `count` tokens, at most AHEAD."""
        self.at += count
        if len(self.found) <= self.at + AHEAD:
            self._fill()

    def skip_lines(self) -> None:
        """Passes over ends of lines."""
        while self.found[self.at].kind == "line":
            self.step()


def _cut(plain: str) -> Iterator[Token]:
    line = 1
    for match in _TOKEN.finditer(plain):
        kind = match.lastgroup or ""
        said = match[kind]
        if kind == "line":
            yield Token(kind, said, line)
            line += said.count("\n")
        elif kind in ("note", "joined"):
            line += said.count("\n")
        else:
            yield Token(kind, said, line)
            if kind in ("end", "open", "other"):
                return
            if kind == "text":
                line += said.count("\n")


def number_of(token: Token) -> float:
    """The value of a number token; a suffix such as `f` is passed over.

    Raises NotUnderstoodError for a number that may be octal, is too large, or has an unknown suffix.
    """
    said = token.text
    if _OCTAL.match(said):
        raise NotUnderstoodError(f"{said[:40]} may be octal: write it without its first zero", token.line)
    try:
        value = float(said)
    except ValueError:
        value = _suffixed(token)
    if not isfinite(value):
        raise NotUnderstoodError(f"{said[:40]} is too large for double precision", token.line)
    return value


def _suffixed(token: Token) -> float:
    said = token.text
    digits = said.removesuffix(next((one for one in _SUFFIXES if said.endswith(one)), ""))
    try:
        if said[:2] not in ("0x", "0X"):
            return float(digits)
        # `f` and `d` are hexadecimal digits, except after an exponent (p), which every hexadecimal fraction has.
        return float.fromhex(digits) if "p" in said.lower() else float(int(said, 16))
    except OverflowError:
        return float("inf")
    except ValueError:
        raise NotUnderstoodError(f"{said[:40]} is no number", token.line) from None

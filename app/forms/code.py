"""Reads lines of code, as C++, C#, Java, JavaScript, Python and Rust have them: calls, lists, records and assignments.

It knows no engine. A form walks over the statements and takes what it knows by name. Paths are written with dots,
whatever stands between their parts (`::`, `->`). What is neither a value, a call nor an assignment is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite, pi, radians

from msgspec import Struct

from .form import LONGEST, NotUnderstoodError

DEEPEST = 40
"""The most brackets inside each other."""

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\f\v\u00a0]+|\\\n)"
    r"|(?P<note>//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|(?P<line>\n)"
    r"|(?P<number>(?:0[xX][\da-fA-F]+\.?[\da-fA-F]*[pP][-+]?\d+|0[xX][\da-fA-F]+(?![\w.])|(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+)(?:[eE][-+]?\d+)?)"
    r"(?P<suffix>[A-Za-z_]\w*)?)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[^\W\d][\w$]*!?)"
    r"|(?P<join>::|->|\.(?!\d))"
    r"|(?P<sign>[-+*/]=|[-+*/]|\*\*|[()\[\]{},;=:&<>?|%^~@])",
    re.DOTALL,
)
_SUFFIXES = {"f", "F", "d", "D", "l", "L", "m", "M", "f32", "f64", "_f32", "_f64", "_r"}
_BEFORE = {
    *("let", "const", "var", "auto", "static", "final", "mut", "new", "constexpr", "local", "inline", "public"),
    *("private", "readonly", "val", "return", "await", "struct", "delete"),
}
"""Words before a name that say nothing of its value."""
CONSTANTS = {
    "pi": pi,
    "M_PI": pi,
    "PI": pi,
    "Pi": pi,
    "SIMD_PI": pi,
    "PxPi": pi,
    "JPH_PI": pi,
    "b2_pi": pi,
    "B2_PI": pi,
    "B3_PI": pi,
    "SIMD_HALF_PI": 0.5 * pi,
    "PxHalfPi": 0.5 * pi,
}
"""Numbers by the last part of their name."""
DEGREES = {
    "radians",
    "degToRad",
    "deg2rad",
    "DegreesToRadians",
    "btRadians",
    "to_radians",
    "toRadians",
    "deg_to_rad",
    "PxDegToRad",
}
"""Functions of an angle in degrees, by the last part of their name."""


CASTS = {"float", "double", "btScalar", "PxReal", "Real", "b2Real"}
"""Calls that make a number of another one."""


class Number(Struct, frozen=True):
    """A number, with its sign."""

    value: float
    line: int


class Text(Struct, frozen=True):
    """Words between quotation marks."""

    value: str
    line: int


class Name(Struct, frozen=True):
    """A path of names: `a.position`."""

    path: str
    line: int


class Call(Struct, frozen=True):
    """A call `path(args, key=value)`. `of`: the value before the dot, where that is no name."""

    path: str
    args: tuple[Value, ...]
    named: dict[str, Value]
    line: int
    of: Value | None = None

    @property
    def last(self) -> str:
        """The last part of its path."""
        return self.path.rpartition(".")[2]


class Items(Struct, frozen=True):
    """A list or tuple in any brackets."""

    items: tuple[Value, ...]
    line: int


class Record(Struct, frozen=True):
    """Values by their names: `{x: 1, y: 2}`, `{.p = {0}}`, `(X=1.0, Y=2.0)`."""

    items: dict[str, Value]
    line: int


Value = Number | Text | Name | Call | Items | Record


class Assign(Struct, frozen=True):
    """`kind target = value`; `kind`: the words before the target, "" for none."""

    target: str
    value: Value
    line: int
    kind: str = ""


class Declare(Struct, frozen=True):
    """`kind name(args);`, or `kind name;` with `value` None. The value is a call of its kind."""

    target: str
    value: Call | None
    line: int
    kind: str


Statement = Assign | Declare | Call | Items | Name | Number | Text | Record


class _Token(Struct, frozen=True):
    kind: str
    text: str
    line: int


def _tokens(text: str) -> list[_Token]:
    if len(text) > LONGEST:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {LONGEST:,}.")
    plain, found, line, place = text.replace("\u2212", "-").replace("\r\n", "\n"), [], 1, 0
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if match is None:
            raise NotUnderstoodError(f"{plain[place]!r} is not understood", line)
        kind, said = match.lastgroup or "", match.group()
        if kind == "suffix":
            kind = "number"
        if kind not in ("space", "note"):
            found.append(_Token(kind, said, line))
        line += said.count("\n")
        place = match.end()
    found.append(_Token("end", "", line))
    return found


def statements(text: str) -> list[Statement]:
    """The statements of a text in order. Raises NotUnderstoodError with the line of what is no value."""
    return list(_Parser(_tokens(text)).statements())


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens, self._at, self._depth = tokens, 0, 0

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _is(self, *texts: str) -> bool:
        return self._now.text in texts and self._now.kind in ("sign", "join", "line")

    def _take(self) -> _Token:
        token = self._now
        self._at += token.kind != "end"
        return token

    def _skip_lines(self) -> None:
        while self._now.kind == "line":
            self._at += 1

    def _refuse(self, token: _Token) -> NotUnderstoodError:
        said = (
            "the end of the text"
            if token.kind == "end"
            else "the end of the line"
            if token.kind == "line"
            else token.text
        )
        return NotUnderstoodError(f"{said if len(said) <= 40 else said[:40] + '…'} is not understood here", token.line)

    def statements(self) -> Iterator[Statement]:
        while True:
            while self._now.kind == "line" or self._is(";", ","):
                self._at += 1
            if self._now.kind == "end":
                return
            yield self._statement()

    def _statement(self) -> Statement:
        start = self._at
        kinds = self._kind_words()
        if kinds is not None:
            words, target = kinds
            if self._is("="):
                self._take()
                return Assign(target.text, self._value(), target.line, words)
            if self._is("(", "{"):
                call = self._call(words.replace(" ", "."), target.line, None)
                return Declare(target.text, call, target.line, words)
            if self._is(":"):
                self._take()
                self._type()
                self._expect("=")
                return Assign(target.text, self._value(), target.line, words)
            if self._now.kind in ("line", "end") or self._is(";", ","):
                return Declare(target.text, None, target.line, words)
            self._at = start
        while self._now.kind == "name" and self._now.text in _BEFORE:
            self._take()
        value = self._value()
        if self._is("="):
            if not isinstance(value, Name):
                raise self._refuse(self._now)
            self._take()
            return Assign(value.path, self._value(), value.line)
        return value

    def _kind_words(self) -> tuple[str, _Token] | None:
        """The words of a type, and the name that follows them; None where no two names stand side by side."""
        start, words = self._at, list[str]()
        while self._now.kind == "name" and self._now.text in _BEFORE - {"new"}:
            words.append(self._take().text)
        declared = bool(words)
        if self._now.kind != "name" or self._now.text == "new":
            self._at = start
            return None
        path = self._path()
        self._generic()
        while self._is("&", "*"):
            self._take()
        if self._is("[") and self._tokens[self._at + 1].text == "]":
            self._at += 2
        if self._now.kind == "name" and not self._now.text.endswith("!"):
            target = self._take()
            if self._is("[") and self._tokens[self._at + 1].text == "]":
                self._at += 2
            if self._is(".", "->", "::"):
                self._at = start
                return None
            return " ".join((*words, path)), target
        if declared and "." not in path and self._is("=", ":"):
            return " ".join(words), _Token("name", path, self._tokens[self._at - 1].line)
        self._at = start
        return None

    def _type(self) -> None:
        """Passes over a type after a colon."""
        while self._is("&", "*", "["):
            self._take()
        if self._now.kind != "name":
            raise self._refuse(self._now)
        self._path()
        self._generic()
        while self._is("]"):
            self._take()

    def _expect(self, text: str) -> None:
        self._skip_lines()
        if not self._is(text):
            raise self._refuse(self._now)
        self._take()

    def _path(self) -> str:
        parts = [self._take().text]
        while self._now.kind == "join":
            if self._tokens[self._at + 1].text == "<":
                self._take()
                self._generic()
                continue
            if self._tokens[self._at + 1].kind != "name":
                break
            self._take()
            parts.append(self._take().text)
        return ".".join(parts)

    def _generic(self) -> None:
        """Passes over `<...>` after a name, where it holds names alone."""
        if not self._is("<"):
            return
        place, depth = self._at, 0
        while True:
            token = self._tokens[place]
            depth += (token.text == "<") - (token.text == ">")
            if depth == 0:
                self._at = place + 1
                return
            if token.kind not in ("name", "join", "number") and token.text not in ("<", ">", ",", "&", "*", ":"):
                return
            place += 1

    def _value(self) -> Value:
        """A sum of products of numbers, or any other value alone."""
        first = self._product()
        while self._is("+", "-"):
            sign, token = (1.0 if self._now.text == "+" else -1.0), self._take()
            other = self._product()
            first = Number(self._plain(first, token) + sign * self._plain(other, token), token.line)
        return first

    def _product(self) -> Value:
        first = self._signed()
        while self._is("*", "/"):
            token = self._take()
            left, right = self._plain(first, token), self._plain(self._signed(), token)
            if token.text == "/" and right == 0.0:
                raise NotUnderstoodError("a number is divided by zero", token.line)
            first = Number(left * right if token.text == "*" else left / right, token.line)
        return first

    def _plain(self, value: Value, token: _Token) -> float:
        number = evaluated(value)
        if number is None:
            raise NotUnderstoodError(f"{token.text} stands between values that are no numbers", token.line)
        return number

    def _signed(self) -> Value:
        self._skip_lines()
        if self._is("-", "+"):
            token = self._take()
            value = self._signed()
            number = evaluated(value)
            if number is None:
                raise self._refuse(token)
            return Number(-number if token.text == "-" else number, token.line)
        while self._is("&", "*"):
            self._take()
        return self._chain()

    def _chain(self) -> Value:
        value = self._single()
        while True:
            at = self._at
            self._skip_lines()
            if (
                self._now.kind == "join"
                and self._tokens[self._at + 1].kind == "name"
                and isinstance(value, Call | Record | Items | Number)
            ):
                self._take()
                path, line = self._path(), self._now.line
                self._generic()
                if self._is("("):
                    value = self._call(path, line, value)
                    continue
                value = Call(path, (), {}, line, value)
                continue
            self._at = at
            return value

    def _single(self) -> Value:
        token = self._now
        if token.kind == "number":
            self._take()
            return Number(_number(token), token.line)
        if token.kind == "text":
            self._take()
            return Text(token.text[1:-1], token.line)
        if token.kind == "name":
            if token.text in _BEFORE:
                self._take()
                return self._single()
            path = self._path()
            self._generic()
            if self._is("("):
                return self._call(path, token.line, None)
            if path.endswith("!") and self._is("[", "{"):
                return self._call(path, token.line, None)
            if self._is("{") and self._tokens[self._at - 1].line == self._now.line:
                inside = self._bracket()
                named = inside.items if isinstance(inside, Record) else {}
                args = inside.items if isinstance(inside, Items) else ()
                return Call(path, tuple(args), dict(named), token.line)
            return Name(path, token.line)
        if self._is("(", "[", "{"):
            return self._bracket()
        raise self._refuse(token)

    def _call(self, path: str, line: int, of: Value | None) -> Call:
        args, named = self._inside()
        return Call(path, tuple(args), named, line, of)

    def _bracket(self) -> Value:
        line = self._now.line
        round_one = self._now.text == "("
        args, named = self._inside()
        if named:
            if args:
                raise NotUnderstoodError("values with and without names stand in one bracket", line)
            return Record(named, line)
        return args[0] if round_one and len(args) == 1 and isinstance(args[0], Number) else Items(tuple(args), line)

    def _inside(self) -> tuple[list[Value], dict[str, Value]]:
        """The values in a bracket, and those with a name."""
        opened = self._take()
        closing = {"(": ")", "[": "]", "{": "}"}[opened.text]
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotUnderstoodError(f"more than {DEEPEST} brackets stand inside each other", opened.line)
        args: list[Value] = []
        named: dict[str, Value] = {}
        missing = True
        while True:
            while self._now.kind == "line" or self._is(",", ";"):
                # A comma without a value before it stands where one was lost.
                if self._is(",") and missing:
                    raise NotUnderstoodError("a value is missing before a comma", self._now.line)
                missing = missing or self._is(",")
                self._at += 1
            missing = False
            if self._is(closing):
                self._take()
                self._depth -= 1
                return args, named
            if self._now.kind == "end":
                raise NotUnderstoodError(f"the bracket {opened.text} is not closed", opened.line)
            if (key := self._key()) is not None:
                if key.text in named:
                    raise NotUnderstoodError(f"{key.text} is given twice", key.line)
                named[key.text.strip("\"'")] = self._value()
            else:
                args.append(self._value())

    def _key(self) -> _Token | None:
        """The name before `=` or `:` of a named value, passed over with that sign; None where there is none."""
        at = self._at
        if self._is("."):
            at += 1
        token, after = self._tokens[at], self._tokens[at + 1]
        if token.kind in ("name", "text") and after.kind == "sign" and after.text in ("=", ":"):
            self._at = at + 2
            return token
        return None


def _number(token: _Token) -> float:
    match = _TOKEN.match(token.text)
    assert match is not None
    suffix = match["suffix"] or ""
    digits = token.text[: len(token.text) - len(suffix)]
    if suffix and suffix not in _SUFFIXES:
        raise NotUnderstoodError(f"{token.text} is no number", token.line)
    try:
        value = float.fromhex(digits) if "x" in digits.lower() else float(digits)
    except OverflowError:
        value = float("inf")
    if not isfinite(value):
        raise NotUnderstoodError(f"{token.text[:40]} is too large for double precision", token.line)
    return value


def evaluated(value: Value) -> float | None:
    """The number that a value is: digits, a constant such as pi, an angle turned to radians; None for any other."""
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Name):
        last = value.path.rpartition(".")[2]
        return radians(1.0) if last == "Deg2Rad" else CONSTANTS.get(last)
    if (
        isinstance(value, Call)
        and value.path in CASTS
        and value.of is None
        and len(value.args) == 1
        and not value.named
    ):
        return evaluated(value.args[0])
    if isinstance(value, Call) and value.last in DEGREES:
        inner = value.args[0] if value.of is None and len(value.args) == 1 else value.of
        number = None if inner is None else evaluated(inner)
        return None if number is None else radians(number)
    return None


def words(value: Value | Statement) -> str:
    """A value as a refusal names it."""
    match value:
        case Number(number):
            return f"{number:g}"
        case Text(said):
            return f'"{said}"'
        case Name(path):
            return path
        case Call(path):
            return f"{path}(…)"
        case Items():
            return "a list"
        case Record():
            return "a record"
        case Assign(target):
            return target
        case Declare(target, _, _, kind):
            return f"{kind} {target}"


def number_in(value: Value, what: str) -> float:
    """A number. Raises NotUnderstoodError, naming `what` it is for, where the value is none: a variable, a call."""
    number = evaluated(value)
    if number is None:
        raise NotUnderstoodError(f"{what} must be a number, got {words(value)}", value.line)
    return number


def numbers_in(values: tuple[Value, ...], count: int, what: str, line: int) -> list[float]:
    """So many numbers. Raises NotUnderstoodError where there are more or fewer, or one is no number."""
    if len(values) != count:
        raise NotUnderstoodError(f"{what} needs {count} number{'s' * (count != 1)}, got {len(values)}", line)
    return [number_in(value, what) for value in values]

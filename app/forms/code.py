"""Reads lines of code in C, C++, C#, Java, JavaScript, Python or Rust: calls, lists, records and assignments.

This module knows no engine: a form reads the statements whose names it knows. The parts of a path are joined by dots,
also if the text has `::` or `->`. Anything but a value, a call, a declaration or an assignment is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from math import isfinite, pi, radians

from msgspec import Struct

from .form import NotUnderstoodError
from .tokens import AHEAD, Token, Tokens, number_of

DEEPEST = 40
"""The most levels of nested brackets."""
LONGEST_CHAIN = 100
"""The most calls in one chain `a().b().c()`, and the most names in one path."""

_BEFORE = {
    *("let", "const", "var", "auto", "static", "final", "mut", "new", "constexpr", "local", "inline", "public"),
    *("private", "readonly", "val", "return", "await", "struct", "delete"),
}
"""Words before a name that do not change its value."""
_BEFORE_KIND = _BEFORE - {"new"}
_PI = ("pi", "M_PI", "PI", "Pi", "SIMD_PI", "PxPi", "JPH_PI", "b2_pi", "B2_PI", "B3_PI")
CONSTANTS = dict.fromkeys(_PI, pi) | dict.fromkeys(("SIMD_HALF_PI", "PxHalfPi"), 0.5 * pi)
CONSTANTS |= {f"FRAC_PI_{part}": pi / part for part in (2, 3, 4, 6, 8)} | {"M_PI_2": 0.5 * pi, "M_PI_4": 0.25 * pi}
"""The values of constants, by the last part of their path."""
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
"""Functions from degrees to radians, by the last part of their path."""


_REAL_QUOTIENTS = re.compile(
    r"\bnp\.(?:array|asarray|eye|pi|radians|deg2rad|sin|cos|sqrt)\b"
    r"|\b(?:let|const)\s++(?:mut\s++)?+\w++\s*+(?::[^=\n]{1,80}+)?+=(?!=)"
    r"|(?m:^[ \t]*+\w++[ \t]*+=[ \t]*+\[[^&=\]])"
)
"""Patterns of Python and JavaScript. In a text that matches them and not _RUST, 1 / 2 of whole numbers is a half."""

_RUST = re.compile(
    r"\blet\s++mut\b|\b(?:let|const)\s++\w++\s*+:\s*+(?:[fiu]\d++|[iu]size)\b"
    r"|\b(?:vector|point|vec)!|\b[A-Za-z_]\w*+::[A-Za-z_]"
)
"""Patterns of Rust, some also of C++: neither Python nor JavaScript has them."""

_WHOLE = re.compile(r"(?:0[xX][\da-fA-F]++|[\d_]++)[lLuU]*+")

CASTS = {"float", "double", "btScalar", "PxReal", "Real", "b2Real"}
"""Calls that convert a number to another type."""


class Number(Struct, frozen=True):
    """A number, with its sign."""

    value: float
    line: int


class StringLiteral(Struct, frozen=True):
    """A string, without its quotation marks."""

    value: str
    line: int


class Name(Struct, frozen=True):
    """A path of names: `a.position`."""

    path: str
    line: int


class Call(Struct, frozen=True):
    """A call `path(args, key=value)`. `of`: the value before the dot if that is no name, as in `a().path()`.

    `a().path` without brackets is a call without arguments.
    """

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


Value = Number | StringLiteral | Name | Call | Items | Record


class Assign(Struct, frozen=True):
    """`kind target = value`; `kind`: the words before the target, "" for none."""

    target: str
    value: Value
    line: int
    kind: str = ""


class Declare(Struct, frozen=True):
    """`kind target(args);`, whose `value` is the call `kind(args)`, or `kind target;`, whose `value` is None."""

    target: str
    value: Call | None
    line: int
    kind: str


Statement = Assign | Declare | Call | Items | Name | Number | StringLiteral | Record


def statements(text: str, *, real_quotients: bool = False) -> Iterator[Statement]:
    """Yields the statements of a text in order.

    Raises NotUnderstoodError for a part that is not understood, after the statements before it, and for a text that is
    too long.

    `real_quotients`: 1 / 2 is read as a half, as in JavaScript. Otherwise it is refused, because it is 0 in C++, C# and
    Java, unless the text matches _REAL_QUOTIENTS. In a text that matches _RUST, 1 / 2 is refused in both cases.
    """
    return _Parser(text, real_quotients=real_quotients).statements()


class _Parser(Tokens):
    """Makes statements of tokens."""

    def __init__(self, text: str, *, real_quotients: bool) -> None:
        super().__init__(text)
        self._text = text
        self._depth = 0
        self._said_real = real_quotients
        self._whole = False  # Whether the value read last has only whole numbers without a point.

    def _is(self, *signs: str) -> bool:
        # The text of a string token includes its quotation marks, so it never equals a sign.
        return self.found[self.at].text in signs

    @staticmethod
    def _refuse(token: Token) -> NotUnderstoodError:
        match token.kind:
            case "other":
                return NotUnderstoodError(f"{token.text!r} is not understood", token.line)
            case "open":
                return NotUnderstoodError("the comment /* is not closed", token.line)
            case "end":
                said = "the end of the text"
            case "line":
                said = "the end of the line"
            case _:
                said = token.text if len(token.text) <= 40 else f"{token.text[:40]}…"
        return NotUnderstoodError(f"{said} is not understood here", token.line)

    def statements(self) -> Iterator[Statement]:
        while True:
            while self.now.kind == "line" or self._is(";", ","):
                self.step()
            if self.now.kind == "end":
                return
            yield self._statement()

    def _statement(self) -> Statement:
        start = self.at
        kinds = self._kind_words()
        if kinds is not None:
            words, target = kinds
            if self._is("="):
                self.take()
                return Assign(target.text, self._value(), target.line, words)
            if self._is("(", "{"):
                call = self._call(words.replace(" ", "."), target.line, None)
                return Declare(target.text, call, target.line, words)
            if self._is(":"):
                self.take()
                self._type()
                self._expect("=")
                return Assign(target.text, self._value(), target.line, words)
            if self.now.kind in ("line", "end") or self._is(";", ","):
                return Declare(target.text, None, target.line, words)
            self.at = start
        while self.now.kind == "name" and self.now.text in _BEFORE:
            self.take()
        value = self._value()
        if self._is("="):
            if not isinstance(value, Name):
                raise self._refuse(self.now)
            self.take()
            return Assign(value.path, self._value(), value.line)
        return value

    def _kind_words(self) -> tuple[str, Token] | None:
        """The words of a type, and the declared name after them; None if the statement is no declaration.

        Raises NotUnderstoodError for a path of more than LONGEST_CHAIN names.
        """
        start, words = self.at, list[str]()
        while self.now.kind == "name" and self.now.text in _BEFORE_KIND:
            words.append(self.take().text)
        declared = bool(words)
        if self.now.kind != "name" or self.now.text == "new":
            self.at = start
            return None
        path = self._path()
        self._generic()
        while self._is("&", "*"):
            self.take()
        if self._is("[") and self.found[self.at + 1].text == "]":
            self.step(2)
        if self.now.kind == "name" and not self.now.text.endswith("!"):
            target = self.take()
            if self._is("[") and self.found[self.at + 1].text == "]":
                self.step(2)
            if self._is(".", "->", "::"):
                self.at = start
                return None
            return " ".join((*words, path)), target
        if declared and "." not in path and self._is("=", ":"):
            return " ".join(words), Token("name", path, self.found[self.at - 1].line)
        self.at = start
        return None

    def _type(self) -> None:
        """Passes over a type after a colon. Raises NotUnderstoodError for another token."""
        while self._is("&", "*", "["):
            self.take()
        if self.now.kind != "name":
            raise self._refuse(self.now)
        self._path()
        self._generic()
        while self._is("]"):
            self.take()

    def _expect(self, text: str) -> None:
        self.skip_lines()
        if not self._is(text):
            raise self._refuse(self.now)
        self.take()

    def _path(self) -> str:
        parts = [self.take().text]
        while self.now.kind == "join":
            if self.found[self.at + 1].text == "<":
                self.take()
                self._generic()
                continue
            if self.found[self.at + 1].kind != "name":
                break
            self.take()
            parts.append(self.take().text)
            if len(parts) > LONGEST_CHAIN:
                raise NotUnderstoodError(f"more than {LONGEST_CHAIN} names stand in one path", self.now.line)
        return ".".join(parts)

    def _generic(self) -> None:
        """Passes over `<...>` after a name if it has only names, numbers and the signs of types, at most AHEAD tokens.

        Without such a bracket nothing is passed over.
        """
        if not self._is("<"):
            return
        depth = 0
        for count in range(AHEAD):
            token = self.found[self.at + count]
            depth += (token.text == "<") - (token.text == ">")
            if depth == 0:
                self.step(count + 1)
                return
            if token.kind not in ("name", "join", "number") and token.text not in ("<", ">", ",", "&", "*", ":"):
                return

    def _value(self) -> Value:
        """Reads a value. Numbers joined by +, -, * and / become one Number; any other value stays as it is.

        Raises NotUnderstoodError for a token that begins no value, a sign beside a value that is no number, a result
        beyond doubles, a division by zero, and a quotient that depends on the language.
        """
        first = self._product()
        while self._is("+", "-"):
            whole = self._whole
            sign, token = (1.0 if self.now.text == "+" else -1.0), self.take()
            other = self._product()
            first = self._result(self._plain(first, token) + sign * self._plain(other, token), token)
            self._whole = whole and self._whole
        return first

    def _product(self) -> Value:
        first = self._signed()
        while self._is("*", "/"):
            whole, token = self._whole, self.take()
            left, right = self._plain(first, token), self._plain(self._signed(), token)
            self._whole = whole and self._whole
            if token.text == "/":
                self._check_quotient(left, right, token)
            first = self._result(left * right if token.text == "*" else left / right, token)
        return first

    @staticmethod
    def _result(value: float, token: Token) -> Number:
        if not isfinite(value):
            raise NotUnderstoodError(f"the result of {token.text} is too large for double precision", token.line)
        return Number(value, token.line)

    @cached_property
    def _real_quotients(self) -> bool:
        real = self._said_real or _REAL_QUOTIENTS.search(self._text) is not None
        return real and _RUST.search(self._text) is None

    def _check_quotient(self, left: float, right: float, token: Token) -> None:
        if right == 0.0:
            raise NotUnderstoodError("a number is divided by zero", token.line)
        if self._whole and left % right and not self._real_quotients:
            said = f"{left:g} / {right:g}"
            raise NotUnderstoodError(
                f"{said} of whole numbers is {int(left / right)} in C++, C#, Java and Rust: write a point, "
                f"as in {left:g}.0",
                token.line,
            )

    def _plain(self, value: Value, token: Token) -> float:
        number = evaluated(value)
        if number is None:
            raise NotUnderstoodError(f"{token.text} stands between values that are no numbers", token.line)
        return number

    def _signed(self) -> Value:
        self.skip_lines()
        signs: list[Token] = []
        while self._is("-", "+"):
            signs.append(self.take())
            self.skip_lines()
        while self._is("&", "*"):
            self.take()
        value = self._chain()
        for token in reversed(signs):
            number = evaluated(value)
            if number is None:
                raise self._refuse(token)
            value = Number(-number if token.text == "-" else number, token.line)
        return value

    def _chain(self) -> Value:
        value = self._chained()
        self._whole = self._whole and isinstance(value, Number)
        return value

    def _chained(self) -> Value:
        value = self._single()
        for _ in range(LONGEST_CHAIN):
            at = self.at
            self.skip_lines()
            if not (
                self.now.kind == "join"
                and self.found[self.at + 1].kind == "name"
                and isinstance(value, Call | Record | Items | Number)
            ):
                self.at = at
                return value
            self.take()
            path, line = self._path(), self.now.line
            self._generic()
            value = self._call(path, line, value) if self._is("(") else Call(path, (), {}, line, value)
        raise NotUnderstoodError(f"more than {LONGEST_CHAIN} calls stand in one chain", self.now.line)

    def _single(self) -> Value:
        while self.now.kind == "name" and self.now.text in _BEFORE:
            self.take()
        token = self.now
        if token.kind == "number":
            return self._number()
        if token.kind == "text":
            self.take()
            return StringLiteral(token.text[1:-1], token.line)
        if token.kind == "name":
            path = self._path()
            self._generic()
            if self._is("("):
                return self._call(path, token.line, None)
            if path.endswith("!") and self._is("[", "{"):
                return self._call(path, token.line, None)
            if self._is("{") and self.found[self.at - 1].line == self.now.line:
                inside = self._bracket()
                named = inside.items if isinstance(inside, Record) else {}
                args = inside.items if isinstance(inside, Items) else ()
                return Call(path, tuple(args), dict(named), token.line)
            return Name(path, token.line)
        if self._is("(", "[", "{"):
            return self._bracket()
        raise self._refuse(token)

    def _number(self) -> Number:
        token = self.take()
        self._whole = _WHOLE.fullmatch(token.text) is not None
        return Number(number_of(token), token.line)

    def _call(self, path: str, line: int, of: Value | None) -> Call:
        args, named = self._inside()
        return Call(path, tuple(args), named, line, of)

    def _bracket(self) -> Value:
        line = self.now.line
        round_one = self.now.text == "("
        args, named = self._inside()
        if named:
            if args:
                raise NotUnderstoodError("values with and without names stand in one bracket", line)
            return Record(named, line)
        return args[0] if round_one and len(args) == 1 and isinstance(args[0], Number) else Items(tuple(args), line)

    def _inside(self) -> tuple[list[Value], dict[str, Value]]:
        """Passes over a bracket. Returns its unnamed values in order, and its named values by name.

        Raises NotUnderstoodError for a bracket that is not closed, a missing value, a name that is given twice, and too
        deep brackets.
        """
        opened = self.take()
        closing = {"(": ")", "[": "]", "{": "}"}[opened.text]
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotUnderstoodError(f"more than {DEEPEST} brackets stand inside each other", opened.line)
        args: list[Value] = []
        named: dict[str, Value] = {}
        missing = True
        while True:
            token = self.now
            if token.kind == "line" or token.text == ";":
                self.step()
            elif token.text == ",":
                # A comma without a value before it shows that a value was lost.
                if missing:
                    raise NotUnderstoodError("a value is missing before a comma", token.line)
                missing = True
                self.step()
            elif token.text == closing:
                self.step()
                self._depth -= 1
                return args, named
            elif token.kind == "end":
                raise NotUnderstoodError(f"the bracket {opened.text} is not closed", opened.line)
            else:
                missing = False
                if token.kind == "number" and self.found[self.at + 1].text in (",", closing):
                    # A shortcut: most values are plain numbers.
                    args.append(self._number())
                elif (key := self._key()) is not None:
                    name = key.text.strip("\"'")
                    if name in named:
                        raise NotUnderstoodError(f"{name} is given twice", key.line)
                    named[name] = self._value()
                else:
                    args.append(self._value())

    def _key(self) -> Token | None:
        """The name before `=` or `:`, after passing over both; None, without a move, if there is none."""
        dotted = self._is(".")
        token, after = self.found[self.at + dotted], self.found[self.at + dotted + 1]
        if token.kind in ("name", "text") and after.text in ("=", ":"):
            self.step(dotted + 2)
            return token
        return None


def evaluated(value: Value) -> float | None:
    """The number that a value stands for: a number, a constant such as pi, or a call such as radians(90).

    None for any other value.
    """
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


def value_name(value: Value | Statement) -> str:
    """The name of a value in a refusal."""
    match value:
        case Number(number):
            return f"{number:g}"
        case StringLiteral(said):
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
    """The number that a value stands for. `what`: its name in the error.

    Raises NotUnderstoodError for another value, such as an unknown variable or call.
    """
    number = evaluated(value)
    if number is None:
        raise NotUnderstoodError(f"{what} must be a number, got {value_name(value)}", value.line)
    return number


def numbers_in(values: tuple[Value, ...], count: int, what: str, line: int) -> list[float]:
    """The `count` numbers of the values. `what`: their name in the error.

    Raises NotUnderstoodError for another count, or for a value that is no number.
    """
    if len(values) != count:
        raise NotUnderstoodError(f"{what} needs {count} number{'s' * (count != 1)}, got {len(values)}", line)
    return [number_in(value, what) for value in values]

"""Writes JSON in a readable layout, and reads it strictly: each error has the path and the offending value.

Written JSON has one line for each key, inner lists and objects on one line, and doubles with all digits. For read JSON,
msgspec checks the types. The text is parsed by json, which accepts more than strict JSON. So this module
also refuses repeated keys, NaN, infinities (spelled out or as 1e999) and half surrogate pairs, which are not text. Of
brackets it accepts DEEPEST levels, of values MOST_VALUES. It adds the offending value, which msgspec's messages lack.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from json.encoder import encode_basestring, encode_basestring_ascii
from math import isfinite
from typing import Any, NoReturn, TypeVar

import msgspec

from .file_kinds import NOT_JSON, NOT_READ, kind_words

_INLINE_DEPTH = 2
"""From this depth on an object is written on one line, such as a body's shape or a camera; a list always is."""
_LARGEST_DOUBLE = sys.float_info.max
_LARGEST_WHOLE = 2**53
"""Whole doubles below this are written as integers (2, not 2.0). They are read back as the same double."""
_quick = msgspec.json.Encoder(enc_hook=float).encode  # the hook converts numpy's floats


Encode = Callable[[str], str]


def json_text(tree: Any, *, ascii_only: bool = False) -> str:
    """The JSON text of `tree`, with a line end; in ASCII if `ascii_only`. Raises ValueError for NaN and infinities."""
    return _block(tree, 0, _encode(ascii_only=ascii_only)) + "\n"


def json_line(tree: Any, *, ascii_only: bool = True) -> str:
    """The JSON text of `tree` on one line, without a line end; in ASCII if `ascii_only`.

    Raises ValueError for NaN and infinities.
    """
    return _inline(tree, _encode(ascii_only=ascii_only))


def quick_line(tree: Any) -> str:
    """The JSON text of `tree` on one line, without a line end, in a tenth of `json_line`'s time.

    The text is ASCII. Whole doubles are written as 2.0. A number that is not finite becomes null. A text with half a
    surrogate pair is written by `json_line`. Raises ValueError for that text beside a number that is not finite.
    """
    try:
        text = msgspec.json.format(_quick(tree), indent=0).decode()
    except UnicodeEncodeError:
        return json_line(tree)  # a file's name may have bytes that are not text
    text = text.replace("×", r"\u00d7")  # quicker than the pattern below: nine axes of two boxes have it
    return text if text.isascii() else _NOT_ASCII.sub(lambda found: encode_basestring_ascii(found[0])[1:-1], text)


def _encode(*, ascii_only: bool) -> Encode:
    return encode_basestring_ascii if ascii_only else encode_basestring


def _block(tree: Any, depth: int, encode: Encode) -> str:
    if depth >= _INLINE_DEPTH or not isinstance(tree, Mapping) or not tree:
        return _inline(tree, encode)
    indent = "  " * (depth + 1)
    lines = [f"{indent}{encode(key)}: {_block(value, depth + 1, encode)}" for key, value in tree.items()]
    return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"


def _inline(tree: Any, encode: Encode) -> str:
    if isinstance(tree, str):
        return encode(tree)
    if isinstance(tree, float):
        return _double(tree)
    if isinstance(tree, list | tuple):
        return "[" + ", ".join([_inline(value, encode) for value in tree]) + "]"
    if isinstance(tree, Mapping):
        return "{" + ", ".join([f"{encode(key)}: {_inline(value, encode)}" for key, value in tree.items()]) + "}"
    return json.dumps(tree)


def _double(value: float) -> str:
    text = float.__repr__(value)
    if text.endswith(".0"):
        # -0.0 is not written as an integer, which would lose its sign.
        return text[:-2] if abs(value) < _LARGEST_WHOLE and text != "-0.0" else text
    if not isfinite(value):
        raise ValueError(f"{value} cannot be written to a file: numbers must be finite")
    return text


T = TypeVar("T")
DEEPEST = 64
"""The most levels of brackets; a scene in an autosave has seven. Python's recursion limit is a thousand."""
MOST_VALUES = 1_000_000
"""The most values in a JSON text, counted as one more than its commas outside of strings.

Two hulls of 100,000 points count 600,000.
"""
_LONGEST_SHOWN = 60
_LONGEST_PATH = 120
_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_HALF_SURROGATE = re.compile("[\ud800-\udfff]")
_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)  # also matches a string without an end, else it may take hours
_TEXT_OR_BRACKET = re.compile(_TEXT.pattern + r"|[\[\]{}]", re.DOTALL)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


class DataError(ValueError):
    """A text is refused. `path`: of the value, such as `a.shape.size[1]`, "" for the whole text.

    `message`: the rest of a sentence whose subject is the value, such as "must be > 0, got -1".
    """

    def __init__(self, path: str, message: str) -> None:
        # A key in the path may be very long, or contain line ends.
        path = path if path.isprintable() else json.dumps(path)[1:-1]
        path = path if len(path) <= _LONGEST_PATH else path[: _LONGEST_PATH - 1] + "…"
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


def excerpt(value: object) -> str:
    """A JSON value as text for an error message, shortened if long. Raises ValueError for NaN and infinities."""
    text = json_line(value, ascii_only=False)
    return _shortened(json_line(value) if _HALF_SURROGATE.search(text) else text)


def require(holds: bool, path: str, expected: str, value: object) -> None:
    """Raises DataError unless `holds`, with the `path` and the texts `expected` and of the value."""
    if not holds:
        raise DataError(path, f"{expected}, got {excerpt(value)}")


def parse(text: str, *, file_names: bool = False) -> Any:
    """The JSON value of `text`. A byte order mark is skipped.

    Raises DataError for anything that is not strict JSON, such as repeated keys, for more than DEEPEST levels and for
    more than MOST_VALUES values.

    `file_names`: accepts half surrogate pairs in values, which may then be names of files whose bytes are not text.
    """
    stripped = text.removeprefix("\ufeff")
    if not stripped.strip():
        raise DataError("", "is empty")
    _refuse_many(stripped)
    try:
        tree = json.loads(stripped, object_pairs_hook=_object, parse_constant=_not_finite)
        _refuse(tree, DEEPEST)
    except json.JSONDecodeError as error:
        raise DataError("", _not_json(stripped, error)) from None
    except RecursionError:
        raise _too_deep(stripped) from None
    except (_RefusalError, ValueError):
        _raise_refusal(stripped)
    if not file_names and ("\\u" in stripped or not stripped.isascii()):
        refuse_halves(tree, "")
    return tree


def _not_json(text: str, error: json.JSONDecodeError) -> str:
    """The sentence about a text that is not JSON: its kind, or the place of the first error."""
    if text.lstrip(" \t\r\n")[:1] not in ("{", "["):
        words = kind_words(text.encode(errors="replace"))
        return f"is {words}, {NOT_READ}" if words else f"is a text, {NOT_JSON}"
    what = "a value is missing" if error.msg == "Expecting value" else error.msg
    return f"is not JSON: {what}, line {error.lineno} column {error.colno}"


def _raise_refusal(text: str) -> NoReturn:
    """Raises DataError for a refused text. Parses it again, so that the error has the numbers as they are written."""
    tree = json.loads(text, object_pairs_hook=_object, parse_constant=_not_finite, parse_float=_float, parse_int=_int)
    try:
        _refuse(tree, DEEPEST)
    except _RefusalError as refusal:
        if not refusal.too_deep:
            raise DataError(refusal.path, refusal.message) from None
    raise _too_deep(text)


def _refuse_many(text: str) -> None:
    """Raises DataError for a text with too many values, before it is parsed: a value costs 100 bytes and 2 μs."""
    # Counts commas outside of strings.
    if text.count(",") >= MOST_VALUES and (values := _TEXT.sub("", text).count(",") + 1) > MOST_VALUES:
        raise DataError("", f"must have at most {MOST_VALUES:,} values, got {values:,}")


def refuse_halves(tree: object, path: str) -> None:
    """Raises DataError for half a surrogate pair in any value: JSON can spell it, but UTF-8 cannot encode it.

    `path`: the tree's own.
    """
    if isinstance(tree, str):
        if _HALF_SURROGATE.search(tree):
            raise DataError(path, f"must be text, got half a surrogate pair in {excerpt(tree)}")
    elif isinstance(tree, dict):
        for key, value in tree.items():
            refuse_halves(value, joined_path(path, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            refuse_halves(value, f"{path}[{index}]")


def convert(tree: object, kind: type[T], path: str = "") -> T:
    """`tree` converted to the msgspec type `kind`; only whole numbers become floats. `path`: the path of `tree`.

    Raises DataError, with the path, for the first value of another type, and for a missing or unknown key.
    """
    try:
        return msgspec.convert(tree, kind, strict=True)
    except msgspec.ValidationError as error:
        inner, message = _translated(str(error), tree)
        raise DataError(joined_path(path, inner), message) from None


def joined_path(path: str, inner: str) -> str:
    """Two paths joined, with a dot if one is needed."""
    return path + inner if not path or not inner or inner.startswith("[") else f"{path}.{inner}"


class _Refused:
    """Stands in the parsed tree for a refused value, until `_refuse` finds its path."""

    def __init__(self, message: str) -> None:
        self.message = message


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        out[key] = _Refused("key given twice") if key in out else value
    return out


def _not_finite(text: str) -> _Refused:
    return _Refused(f"must be a finite number, got {_shortened(text)}")


def _float(text: str) -> float | _Refused:
    value = float(text)
    return value if isfinite(value) else _not_finite(text)


def _int(text: str) -> int | _Refused:
    # Integers of more than 309 digits exceed doubles; Python itself reads at most 4300 digits.
    if len(text) > 310 or not isfinite(float(text)):
        return _not_finite(text)
    return int(text)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


_MANY, _NUMBER = (dict, list), (float, int)


class _RefusalError(Exception):
    """A value of a tree is refused; its `path` is completed step by step as the exception passes up the tree."""

    def __init__(self, message: str, *, too_deep: bool = False) -> None:
        super().__init__(message)
        self.message, self.too_deep, self.path = message, too_deep, ""


def _refuse(tree: object, levels: int) -> None:
    """Raises _RefusalError for the first refused value in `tree`, or if `tree` has more than `levels` levels."""
    if isinstance(tree, _Refused):
        raise _RefusalError(tree.message)
    if not isinstance(tree, _MANY):
        return
    if not levels:
        raise _RefusalError("", too_deep=True)
    steps: Iterable[tuple[str | int, object]] = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for step, value in steps:
        if isinstance(step, str) and not step.isascii() and _HALF_SURROGATE.search(step):
            raise _RefusalError(f"keys must be text, got half a surrogate pair in {excerpt(step)}")
        try:
            if isinstance(value, _NUMBER):
                if not -_LARGEST_DOUBLE <= value <= _LARGEST_DOUBLE:
                    raise _RefusalError("must be a finite number")
            elif not isinstance(value, str):
                _refuse(value, levels - 1)
        except _RefusalError as refusal:
            refusal.path = joined_path(step if isinstance(step, str) else f"[{step}]", refusal.path)
            raise


def _too_deep(text: str) -> DataError:
    """The error for a text with too many levels, with the place of the first bracket beyond the limit."""
    level, place = 0, ""
    for found in _TEXT_OR_BRACKET.finditer(text):
        if found[0] in "[{":
            level += 1
            if level > DEEPEST:
                line, before = text.count("\n", 0, found.start()) + 1, text.rfind("\n", 0, found.start())
                place = f", got more at line {line} column {found.start() - before}"
                break
        elif found[0] in "]}":
            level -= 1
    return DataError("", f"must be nested at most {DEEPEST} levels deep{place}")


def _translated(report: str, tree: object) -> tuple[str, str]:
    """Returns path and sentence for a message of msgspec, such as `Expected `float`, got `str` - at `$.a[1]``."""
    what, _, place = report.partition(" - at `$")
    path = place.removesuffix("`").removeprefix(".")
    value = _look_up(tree, path)
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        key = match.group(1)
        return joined_path(
            path, key
        ), f"unknown key, got {excerpt(value.get(key) if isinstance(value, dict) else value)}"
    if match := re.fullmatch(r"Object missing required field `(.*)`", what):
        return joined_path(path, match.group(1)), "missing"
    if match := re.fullmatch(r"Expected `array` of length (\d+), got (\d+)", what):
        return path, f"must be a list of {match.group(1)}, got {match.group(2)}: {excerpt(value)}"
    if match := re.fullmatch(r"Expected `(\w+)`, got `\w+`", what):
        return path, f"must be {_WORDS.get(match.group(1), match.group(1))}, got {excerpt(value)}"
    return path, f"{what[:1].lower()}{what[1:]}, got {excerpt(value)}"


def _look_up(tree: object, path: str) -> Any:
    for key, index in _STEP.findall("." + path if path and not path.startswith("[") else path):
        if isinstance(tree, dict):
            tree = tree.get(key)
        elif isinstance(tree, list) and index:
            tree = tree[int(index)]
    return tree

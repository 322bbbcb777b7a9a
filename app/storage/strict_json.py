"""JSON read without mercy: every fault with its path, what was expected and what stood there.

msgspec checks the types; what it lets pass or reports badly is caught here on the way in: doubled keys, NaN and
infinities (spelled out or as 1e999), and the offending value, which its messages leave out.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, TypeVar

import msgspec

from .json_text import json_line

T = TypeVar("T")

_LONGEST_SHOWN = 60
_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


class DataError(ValueError):
    """What is wrong with a text: `path` as in `a.shape.size[1]` ("" for the whole), and `message`, one sentence."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


def shown(value: object) -> str:
    """A JSON value as it stands in an error message, shortened where long."""
    return _shortened(json_line(value, ascii_only=False))


def parse(text: str) -> Any:
    """The JSON value of `text`. Raises DataError for anything that is not strictly JSON, doubled keys included."""
    stripped = text.removeprefix("\ufeff")
    if not stripped.strip():
        raise DataError("", "is empty")
    try:
        tree = json.loads(
            stripped,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_int,
        )
        _raise_first_refusal(tree, "")
    except json.JSONDecodeError as error:
        raise DataError("", f"is not JSON: {error.msg}, line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise DataError("", "is nested too deeply") from None
    return tree


def convert(tree: object, kind: type[T], path: str = "") -> T:
    """`tree` as the msgspec type `kind`, no value coerced; `path` is put before the path of a fault."""
    try:
        return msgspec.convert(tree, kind, strict=True)
    except msgspec.ValidationError as error:
        inner, message = _translated(str(error), tree)
        raise DataError(joined(path, inner), message) from None


def joined(path: str, inner: str) -> str:
    """Two paths put together with a dot where one is needed."""
    return path + inner if not path or not inner or inner.startswith("[") else f"{path}.{inner}"


class _Refused:
    """Stands in the tree for a value that is refused, until its path is known."""

    def __init__(self, message: str) -> None:
        self.message = message


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        out[key] = _Refused("key given twice") if key in out else value
    return out


def _constant(text: str) -> _Refused:
    return _Refused(f"must be a finite number, got {text}")


def _float(text: str) -> float | _Refused:
    value = float(text)
    return value if isfinite(value) else _Refused(f"must be a finite number, got {_shortened(text)}")


def _int(text: str) -> int | _Refused:
    # Beyond 309 digits no double holds it; Python itself refuses to read more than 4300.
    if len(text) > 310 or not isfinite(float(text)):
        return _Refused(f"must be a finite number, got {_shortened(text)}")
    return int(text)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _raise_first_refusal(tree: object, path: str) -> None:
    if isinstance(tree, _Refused):
        raise DataError(path, tree.message)
    if isinstance(tree, dict):
        for key, value in tree.items():
            _raise_first_refusal(value, joined(path, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            _raise_first_refusal(value, f"{path}[{index}]")


def _translated(report: str, tree: object) -> tuple[str, str]:
    """Path and sentence for a report of msgspec: `Expected `float`, got `str` - at `$.a[1]``."""
    what, _, place = report.partition(" - at `$")
    path = place.removesuffix("`").removeprefix(".")
    value = _look_up(tree, path)
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        key = match.group(1)
        return joined(path, key), f"unknown key, got {shown(value.get(key) if isinstance(value, dict) else value)}"
    if match := re.fullmatch(r"Object missing required field `(.*)`", what):
        return joined(path, match.group(1)), "missing"
    if match := re.fullmatch(r"Expected `array` of length (\d+), got (\d+)", what):
        return path, f"must be a list of {match.group(1)}, got {match.group(2)}: {shown(value)}"
    if match := re.fullmatch(r"Expected `(\w+)`, got `\w+`", what):
        return path, f"must be {_WORDS.get(match.group(1), match.group(1))}, got {shown(value)}"
    return path, f"{what[:1].lower()}{what[1:]}, got {shown(value)}"


def _look_up(tree: object, path: str) -> Any:
    for key, index in _STEP.findall("." + path if path and not path.startswith("[") else path):
        if isinstance(tree, dict):
            tree = tree.get(key)
        elif isinstance(tree, list) and index:
            tree = tree[int(index)]
    return tree

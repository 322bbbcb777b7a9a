"""The numbers of a text that an engine printed, in their order: what only looks like one is passed over.

Not taken: digits in names (vec3, box-2, #7), indices (m[0]), keys (0: ...), times, dates and places in source files
that logs put before and behind, and what is printed beside a pose without being part of it (rgba, mass, time stamps).
"""

from __future__ import annotations

import re
from math import isfinite

# A digit string is taken whole or not at all: `1.5xyz` must not become 1. The suffixes are those of literals in C++, C#
# and Rust, metres, and i, j, k of a quaternion; a sign may follow the digits of the number before.
_DECIMAL = r"(?>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_HEXADECIMAL = r"0[xX][\da-fA-F]+\.?[\da-fA-F]*[pP][-+]?\d+"
_SUFFIX = r"(?:[fFdDlLmMijk]|_?f(?:32|64)|_r)?"
_NUMBER = re.compile(
    r"(?:(?<![\w.#])(?<![A-Za-z_]-)|(?<=[\d.])(?=[-+]\d))"
    rf"([-+]?(?:{_HEXADECIMAL}|{_DECIMAL})){_SUFFIX}(?!\w)(?!\.\d)(?!\s*[:=])"
)
_NOT_FINITE = re.compile(r"(?<![\w.])[-+]?(?:nan(?:\(\w*\))?|inf(?:inity)?|1\.#(?:inf|ind|qnan))(?!\w)", re.IGNORECASE)

_FACT = "mass|density|friction|restitution|margin|seq|stamp|n?secs?|nanosec|id|layer"
_NAMED = r"\b[\"']?[ \t]*[:=]?[ \t]*"
_GROUP = r"(?:\w+(?=\())?[\"'\[({][^\"'\])}]*[\"'\])}]"
_BESIDE = (
    r"(?<=[\w\]])\[\d+\]",
    r"\b\d{4}-\d\d-\d\d\b",
    r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b",
    r"[\w/\\]\.[A-Za-z]\w*:\d+(?::\d+)?",
    rf"\b(?:rgba?|colou?r){_NAMED}(?:{_GROUP}|{_DECIMAL}{_SUFFIX}(?:[ \t,]+{_DECIMAL}{_SUFFIX}){{2,3}})",
    rf"\b(?:{_FACT}){_NAMED}(?:{_GROUP}|[-+]?{_DECIMAL}{_SUFFIX}(?!\w))",
)
_SPURIOUS = re.compile("|".join(_BESIDE), re.IGNORECASE)


class PairError(ValueError):
    """Why the text is no pair under the chosen conventions: one sentence."""


def extract_numbers(text: str) -> list[float]:
    """The numbers of a text in their order. Raises PairError for NaN, infinities and what doubles cannot hold."""
    plain = text.replace("−", "-")
    if match := _NOT_FINITE.search(plain):
        raise PairError(f"The text holds {match.group().strip()}, which is no number that a scene could have.")
    numbers = [_value(match.group(1)) for match in _NUMBER.finditer(_SPURIOUS.sub(" ", plain))]
    if not all(isfinite(number) for number in numbers):
        raise PairError("The text holds a number that is too large for double precision.")
    return numbers


def _value(digits: str) -> float:
    try:
        return float.fromhex(digits) if "x" in digits.lower() else float(digits)
    except OverflowError:
        return float("inf")

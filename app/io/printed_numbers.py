"""Extracts the numbers of a text that another program printed.

Digits that are no values are skipped: in names (vec3, box-2, #7), indices (m[0]), keys (0: ...), and the times, dates
and source positions that logs add.
"""

from __future__ import annotations

import re
from math import isfinite

# A digit string is taken whole or not at all: `1.5xyz` must not become 1. The suffixes are those of literals in C++, C#
# and Rust, metres, and i, j, k of a quaternion; a sign may directly follow the previous number's digits.
_DECIMAL = r"(?>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_HEXADECIMAL = r"0[xX][\da-fA-F]+\.?[\da-fA-F]*[pP][-+]?\d+"
_SUFFIX = r"(?:[fFdDlLmMijk]|_?f(?:32|64)|_r)?"
NUMBER = (
    r"(?:(?<![\w.#])(?<![A-Za-z_]-)|(?<=[\d.])(?=[-+]\d))"
    rf"([-+]?(?:{_HEXADECIMAL}|{_DECIMAL})){_SUFFIX}(?!\w)(?!\.\d)(?!\s*[:=])"
)
"""A pattern whose group holds the digits."""
_NUMBER = re.compile(NUMBER)
_NOT_FINITE = re.compile(r"(?<![\w.])[-+]?(?:nan(?:\(\w*\))?|inf(?:inity)?|1\.#(?:inf|ind|qnan))(?!\w)", re.IGNORECASE)
_FACT = "mass|density|friction|restitution|margin|seq|stamp|n?secs?|nanosec|id|layer"
_NAMED = r"\b[\"']?[ \t]*[:=]?[ \t]*"
_GROUP = r"(?:\w+(?=\())?[\"'\[({][^\"'\])}]*[\"'\])}]"
_NOISE = (
    r"(?<=[\w\]])\[\d+\]",
    r"\b\d{4}-\d\d-\d\d\b",
    r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b",
    r"(?<![\w./\\-])[\w./\\-]+\.[A-Za-z]\w*:\d+(?::\d+)?",
)
_BESIDE = (
    rf"\b(?:rgba?|colou?r){_NAMED}(?:{_GROUP}|{_DECIMAL}{_SUFFIX}(?:[ \t,]+{_DECIMAL}{_SUFFIX}){{2,3}})",
    rf"\b(?:{_FACT}){_NAMED}(?:{_GROUP}|[-+]?{_DECIMAL}{_SUFFIX}(?!\w))",
)
NOISE = re.compile("|".join(_NOISE))
"""Matches digits that are no values: indices, dates, times, positions in source files."""
_SPURIOUS = re.compile("|".join((*_NOISE, *_BESIDE)), re.IGNORECASE)
LONGEST = 200_000
"""The most characters of a text; a hull of 1,000 points needs less than a third."""


class PastedPairError(ValueError):
    """The text is no pair under the chosen conventions; the message is one sentence."""


def checked(text: str) -> str:
    """The text with ASCII minus signs. Raises PastedPairError for NaN, infinities, and a text that is too long."""
    if len(text) > LONGEST:
        raise PastedPairError(f"The text has {len(text):,} characters; a pair has at most {LONGEST:,}.")
    plain = text.replace("−", "-")
    if match := _NOT_FINITE.search(plain):
        line = plain.count("\n", 0, match.start()) + 1
        raise PastedPairError(
            f"The text holds {match.group().strip()} in line {line}, which is not a number that a scene can have."
        )
    return plain


def extract_numbers(text: str) -> list[float]:
    """The numbers of a text in order, without those printed beside a pose that are no part of it (rgba, mass).

    Raises PastedPairError for NaN, infinities and what doubles cannot hold.
    """
    return [value_of(match.group(1)) for match in _NUMBER.finditer(_SPURIOUS.sub(" ", checked(text)))]


def value_of(digits: str) -> float:
    """The number in decimal or hexadecimal digits. Raises PastedPairError for what doubles cannot hold."""
    try:
        number = float.fromhex(digits) if "x" in digits.lower() else float(digits)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise PastedPairError("The text holds a number that is too large for double precision.")
    return number

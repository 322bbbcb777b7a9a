"""Numbers as text: the digits for each kind of place, and the one setting that raises them.

Pictures, the verdict and sentences have three significant digits, or four if two numbers shown together agree in three.
Formulas have four, tables and answers six. Copied numbers and a number's tooltip have all seventeen. A number that is
not exactly zero is never written as `0`. Minus signs are `−`, except in `full`. Only `percent`, `in_degrees` and
`sentence_text` add a unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from math import isfinite

import numpy as np

from core.geometry.vector import Array
from core.pair.pair import PairScale
from core.scene import Scene
from core.verdict import Sentence

MINUS = "−"
ROUNDING_LENGTH = 1e-12
"""A length below this share of the bodies' size is treated as rounding and written as `≈ 0 (4e−17)`."""
PICTURE, TOGETHER, FORMULA, TABLE, FULL = 3, 4, 4, 6, 17
FULL_SINGLE = 9
"""Significant digits, in this order: in pictures, of numbers shown together, in formulas, in tables, of doubles; and of
float32 numbers."""
_SHORT, _SIGNED = "%.*g", "%+#.*g"
"""Formats for a count of digits and a value; they take half the time of `format`."""
_RAISED = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Digits(StrEnum):
    """The window's setting: each kind of place with its own digits, at least six digits everywhere, or all 17."""

    DESCRIBED = "as described"
    SIX = "6"
    FULL = "full"


Setting = Digits | int
"""The digits of numbers: a setting of the window, or a figure's own number of significant digits."""
LEAST_DIGITS = {Digits.DESCRIBED: 1, Digits.SIX: TABLE, Digits.FULL: FULL}
"""The smallest number of significant digits for each setting."""

_shown: ContextVar[Setting] = ContextVar("digits shown", default=Digits.DESCRIBED)
_size: ContextVar[float] = ContextVar("size of the bodies", default=1.0)


def show_digits(digits: Digits, scene: Scene) -> None:
    """Sets the digits, and the scene whose size decides which lengths are rounding. Called once a frame.

    Both hold in the calling thread only. Another thread starts with DESCRIBED and a size of 1.
    """
    _shown.set(digits)
    _size.set(_size_of(scene))


@contextmanager
def written_of(scene: Scene) -> Iterator[None]:
    """Within the block, the size of this scene decides which lengths are rounding."""
    before = _size.set(_size_of(scene))
    try:
        yield
    finally:
        _size.reset(before)


def _size_of(scene: Scene) -> float:
    return PairScale.of(scene.a, scene.b).largest_radius


def only_rounding(value: float) -> bool:
    """Returns whether a length is rounding: not zero, and below ROUNDING_LENGTH times the bodies' size."""
    return 0.0 < abs(value) < ROUNDING_LENGTH * _size.get()


@contextmanager
def written_with(digits: Setting) -> Iterator[None]:
    """Within the block, or the decorated function, numbers have these digits.

    The end of the block restores the digits, and also the bodies' size if the block has changed it.
    """
    before, size = _shown.set(digits), _size.get()
    try:
        yield
    finally:
        _shown.reset(before)
        _size.set(size)


def digits_shown() -> Setting:
    """The digits that are set."""
    return _shown.get()


def digits_for(count: int) -> int:
    """The digits for a place that usually has `count`: the larger of `count` and the setting's least.

    A figure's own number replaces `count`, with one digit more if `count` is above PICTURE; never more than FULL.
    """
    setting = _shown.get()
    if isinstance(setting, int):
        return min(setting + (count > PICTURE), FULL)
    return max(count, LEAST_DIGITS[setting])


# Numbers of each kind of place.


def plain(value: float) -> str:
    """A number in a picture or a sentence: three significant digits, `0.313`, `−2`, `3.2 × 10⁻⁷`, `≈ 0 (4e−17)`."""
    return about_zero(value) if only_rounding(value) else written(value, digits_for(PICTURE))


def signed(value: float) -> str:
    """As `plain`, with a sign: `−0.25`, `+1`. Zero has no sign.

    It is for distances from a plane and for moves, whose sign is their side. A gap or distance has no plus anywhere.
    """
    return f"+{plain(value)}" if value > 0.0 and not only_rounding(value) else plain(value)


def tolerance(value: float) -> str:
    """As `plain`, for an error or a tolerance, which is written as a number however small it is."""
    return written(value, digits_for(PICTURE))


def percent(share: float) -> str:
    """A share in percent, with two significant digits: `0.3 %`, `140 %`. Below 1e-6 it is `less than 0.0001 %`."""
    return "less than 0.0001 %" if share < 1e-6 else f"{written(100.0 * share, 2)} %"


def told_together(*values: float, sign: bool = False) -> tuple[str, ...]:
    """Numbers that are shown together, as `plain`, or as `signed` with `sign`.

    All have four digits if two that differ would have the same text with three.
    """
    said = signed if sign else plain
    words = tuple(said(value) for value in values)
    if len(set(words)) == len(set(values)):
        return words
    heads = ("+" if sign and value > 0.0 else "" for value in values)
    return tuple(
        word if only_rounding(value) else head + written(value, digits_for(TOGETHER))
        for head, word, value in zip(heads, words, values, strict=True)
    )


def shared_digits(lower: float, upper: float) -> str:
    """A value between two bounds, with as many digits as both bounds share when rounded: `0.5` for 0.523 and 0.531.

    The text has at most the digits of `plain`. If the bounds share none, both are given: `0.4 to 0.9`.
    """
    for count in range(digits_for(PICTURE), 0, -1):
        if (word := written(lower, count)) == written(upper, count):
            return word
    return " to ".join(told_together(lower, upper))


def term(value: float) -> str:
    """A number in a formula: four significant digits."""
    return written(value, digits_for(FORMULA))


def tabular(value: float) -> str:
    """A number in a table or an answer: six significant digits."""
    return written(value, digits_for(TABLE))


def plains(values: Sequence[float]) -> list[str]:
    """The texts of `plain` for many values. Values of usual size are formatted together, which is faster."""
    words = (f"%.{digits_for(PICTURE)}g " * len(values) % tuple(values)).replace("-", MINUS).split()
    least = ROUNDING_LENGTH * _size.get()
    return [
        word if least <= abs(value) < 99999.0 and "e" not in word else plain(value)
        for word, value in zip(words, values, strict=True)
    ]


def aligned_columns(values: Array, heads: Sequence[str]) -> list[str]:
    """A table of `values` (n, k), n > 0, in right-aligned columns: a line of `heads`, then one line for each row."""
    count, sizes = digits_for(TABLE), np.abs(values)
    least, most = sizes.min(axis=0).tolist(), sizes.max()
    if min(least) >= 1e-4 and most < min(10.0 ** (count - 1), 1e5) - 0.5:
        # All numbers have `count` digits. The smallest of a column has the most zeros before them and is the longest.
        widths = [max(len(head), len(column_number(size, count))) for head, size in zip(heads, least, strict=True)]
        form = "  ".join([f"%+#{wide}.{count}g" for wide in widths])
        lines = ("\n".join([form] * len(values)) % tuple(values.ravel().tolist())).replace("-", MINUS).split("\n")
    else:
        rows = [[column_number(value, count) for value in row] for row in values.tolist()]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
    return ["  ".join(map(str.rjust, heads, widths)), *lines]


def column_number(value: float, count: int | None = None) -> str:
    """A number in a column, with sign, trailing zeros and a short power, so that digits line up: `−1.00000e−7`.

    `count`: the number of significant digits; None for those of a table. Zero is `0`, without a sign. NaN is a dash,
    infinity `+∞`.
    """
    count = digits_for(TABLE) if count is None else count
    if 1e-4 <= abs(value) < 999999.5 and "e" not in (text := _SIGNED % (count, value)):
        return text.rstrip(".").replace("-", MINUS)
    if value != value:
        return "–"
    if value == 0.0:
        return "0"
    head = "+" if value > 0.0 else ""
    if not isfinite(value):
        return f"{head}{written(value, 1)}"
    mantissa, exponent = format(value, f".{count - 1}e").split("e")
    return f"{head}{mantissa}e{int(exponent)}".replace("-", MINUS)


def instant(time: float) -> str:
    """A time as a fraction of the motion, with three digits, or more if it would read as `1` without being 1.

    A time below ROUNDING_LENGTH is written as `≈ 0 (4e−17)`, whatever the bodies' size.
    """
    if 0.0 < abs(time) < ROUNDING_LENGTH:
        return about_zero(time)
    count = digits_for(PICTURE)
    while (word := written(time, count)) == "1" and time != 1.0 and count < FULL:
        count += 1
    return word


def in_degrees(degrees: float) -> str:
    """Degrees with their unit: whole ones, tenths below 2°, one significant digit below 0.05°: `34°`, `1.3°`, `0.02°`.

    With the settings SIX and FULL an angle has as many digits as other numbers. NaN is `–°`.
    """
    if _shown.get() in (Digits.SIX, Digits.FULL):
        return f"{written(degrees, digits_for(PICTURE))}°"
    size = abs(degrees)
    fixed = f"{degrees:.0f}" if size >= 1.95 else f"{degrees:.1f}".removesuffix(".0")
    return f"{fixed.replace('-', MINUS) if size >= 0.05 else written(degrees, 1)}°"


_FIELD = re.compile(r"\{[^}]*\}(°?)")


def sentence_text(sentence: Sentence) -> str:
    """The text of a sentence of the core: angles as in `in_degrees`, other numbers as in `tolerance`.

    Digits are added until the other numbers that differ have different texts; angles keep theirs.
    """
    fields = [field[1] for field in _FIELD.finditer(sentence.text)]
    others = {value for value, unit in zip(sentence.numbers, fields, strict=True) if not unit}
    count = digits_for(PICTURE)
    while len({written(value, count) for value in others}) < len(others) and count < FULL:
        count += 1
    words = (
        in_degrees(value) if unit else written(value, count)
        for value, unit in zip(sentence.numbers, fields, strict=True)
    )
    return _FIELD.sub(lambda _: next(words), sentence.text)


def full(value: float) -> str:
    """A number with a plain minus and enough digits to be read back unchanged: 17 of a double, 9 of a float32."""
    return format(value, f".{_most(value)}g")


# The writing of one number.


def written(value: float, count: int) -> str:
    """A number rounded to `count` significant digits, without trailing zeros: `0.25`, `−12300`, `3.2 × 10⁻⁷`.

    Sizes below 1e-4 and from 1e5 on have a power of ten. NaN is a dash, infinity `∞`.
    """
    mantissa, exponent = scientific(value, count)
    return mantissa if exponent is None else f"{mantissa} × 10{superscript(exponent)}"


def scientific(value: float, count: int) -> tuple[str, int | None]:
    """The parts of `written`: the digits with `−` as minus, and the exponent of ten, or None without a power."""
    count = min(count, _most(value))
    if value != value:
        return "–", None
    if value == 0.0:
        return "0", None
    if not isfinite(value):
        return ("∞" if value > 0.0 else f"{MINUS}∞"), None
    if abs(value) < 99999.0 and "e" not in (text := _SHORT % (count, value)):
        return text.replace("-", MINUS), None
    mantissa, power = format(value, f".{count - 1}e").split("e")
    exponent = int(power)
    if -4 <= exponent < 5:
        return _trimmed(format(float(f"{mantissa}e{power}"), f".{max(0, count - 1 - exponent)}f")), None
    return _trimmed(mantissa), exponent


def _most(value: float | np.float32) -> int:
    """The number of significant digits that distinguish a number from all others of its precision."""
    return FULL_SINGLE if isinstance(value, np.float32) else FULL


def about_zero(value: float) -> str:
    """A number that is rounding, as `≈ 0 (4e−17)`, with one digit or the setting's least."""
    setting = _shown.get()
    mantissa, exponent = scientific(value, 1 if isinstance(setting, int) else LEAST_DIGITS[setting])
    power = "" if exponent is None else f"e{exponent}"  # without a power beside a huge body
    return f"≈ 0 ({mantissa}{power})".replace("-", MINUS)


def _trimmed(text: str) -> str:
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", MINUS)


def superscript(exponent: int) -> str:
    """An exponent as raised digits: `⁻⁷`."""
    return str(exponent).replace("-", MINUS).translate(_RAISED)

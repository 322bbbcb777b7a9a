"""Numbers as they are read: how many digits each kind of place has, and the one setting that raises them all.

Pictures, verdict and sentences have three significant digits, four where two numbers shown together agree in three;
formulas four; tables and answers six; copied numbers, and the tooltip over a number, all seventeen. A number that is
not exactly zero never reads as `0`. Signs are true minus signs; no function here adds a unit but `in_degrees`.
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
NOTHING = 1e-12
"""A length below this share of the bodies' size is only rounding: it is written as `≈ 0 (4e−17)`."""
PICTURE, TOGETHER, FORMULA, TABLE, FULL = 3, 4, 4, 6, 17
FULL_SINGLE = 9
"""Significant digits by the kind of place."""
_SHORT, _SIGNED = "%.*g", "%+#.*g"
"""Formats that take a count of digits and a value, in half the time of `format`."""
_RAISED = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Digits(StrEnum):
    """The setting: as many digits as each kind of place has, at least six, or all 17."""

    DESCRIBED = "as described"
    SIX = "6"
    FULL = "full"


Setting = Digits | int
"""The digits of numbers: a setting of the window, or a figure's own number of significant digits."""
LEAST = {Digits.DESCRIBED: 1, Digits.SIX: TABLE, Digits.FULL: FULL}
"""Least number of significant digits, by the setting."""

_shown: ContextVar[Setting] = ContextVar("digits shown", default=Digits.DESCRIBED)
_size: ContextVar[float] = ContextVar("size of the bodies", default=1.0)


def show_digits(digits: Digits, scene: Scene) -> None:
    """Sets the digits, and the scene whose size tells what is only rounding, from now on; called once a frame."""
    _shown.set(digits)
    _size.set(_size_of(scene))


@contextmanager
def written_of(scene: Scene) -> Iterator[None]:
    """Until the end of the block the size of this scene tells which lengths are only rounding."""
    before = _size.set(_size_of(scene))
    try:
        yield
    finally:
        _size.reset(before)


def _size_of(scene: Scene) -> float:
    return PairScale.of(scene.a, scene.b).larger


def only_rounding(value: float) -> bool:
    """Whether a length, which is not zero, is so small beside the bodies that it is rounding."""
    return 0.0 < abs(value) < NOTHING * _size.get()


@contextmanager
def written_with(digits: Setting) -> Iterator[None]:
    """Until the end of the block, or of the function that it decorates, numbers have these digits.

    At the end the digits and the bodies' size become what they were before.
    """
    before, size = _shown.set(digits), _size.get()
    try:
        yield
    finally:
        _shown.reset(before)
        _size.set(size)


def digits_shown() -> Setting:
    """The setting that numbers are written with."""
    return _shown.get()


def raised(count: int) -> int:
    """`count`, or more if the setting asks for it; with a figure's own number that, plus 1 where `count` > PICTURE."""
    setting = _shown.get()
    if isinstance(setting, int):
        return min(setting + (count > PICTURE), FULL)
    return max(count, LEAST[setting])


# Numbers of each kind of place.


def plain(value: float) -> str:
    """A number in a picture or a sentence: three significant digits, `0.313`, `−2`, `3.2 × 10⁻⁷`, `≈ 0 (4e−17)`."""
    return about_zero(value) if only_rounding(value) else written(value, raised(PICTURE))


def signed(value: float) -> str:
    """As `plain`, with its sign: `−0.25`, `+1`; zero has none."""
    return f"+{plain(value)}" if value > 0.0 and not only_rounding(value) else plain(value)


def tolerance(value: float) -> str:
    """As `plain`, for an error or a tolerance, which is written in full even if it is as small as rounding."""
    return written(value, raised(PICTURE))


def percent(share: float) -> str:
    """A share in percent, two digits: `0.3 %`, `140 %`, below a ten-thousandth of one `less than 0.0001 %`."""
    return "less than 0.0001 %" if share < 1e-6 else f"{written(100.0 * share, 2)} %"


def told_together(*values: float, sign: bool = False) -> tuple[str, ...]:
    """As `plain` (or `signed`), numbers that are shown together: four digits where two that differ agree in three."""
    said = signed if sign else plain
    words = tuple(said(value) for value in values)
    if len(set(words)) == len(set(values)):
        return words
    heads = ("+" if sign and value > 0.0 else "" for value in values)
    return tuple(
        word if only_rounding(value) else head + written(value, raised(TOGETHER))
        for head, word, value in zip(heads, words, values, strict=True)
    )


def between(lower: float, upper: float) -> str:
    """A value known to lie between two bounds: as `plain`, with no digit that the bounds do not agree on.

    `0.5` of 0.523 and 0.531; if the bounds agree in no digit, both are given, `0.4 to 0.9`.
    """
    for count in range(raised(PICTURE), 0, -1):
        if (word := written(lower, count)) == written(upper, count):
            return word
    return " to ".join(told_together(lower, upper))


def term(value: float) -> str:
    """A number in a formula: four significant digits."""
    return written(value, raised(FORMULA))


def tabular(value: float) -> str:
    """A number in a table or an answer that somebody works with: six significant digits."""
    return written(value, raised(TABLE))


def plains(values: Sequence[float]) -> list[str]:
    """`plain` of each; those of usual size are written all at once, as a table has many."""
    words = (f"%.{raised(PICTURE)}g " * len(values) % tuple(values)).replace("-", MINUS).split()
    least = NOTHING * _size.get()
    return [
        word if least <= abs(value) < 99999.0 and "e" not in word else plain(value)
        for word, value in zip(words, values, strict=True)
    ]


def aligned(values: Array, heads: Sequence[str]) -> list[str]:
    """`values` (n, k), n > 0, written by `number` in right-aligned columns: the line of `heads`, then a line a row."""
    count, sizes = raised(TABLE), np.abs(values)
    least, most = sizes.min(axis=0).tolist(), sizes.max()
    if min(least) >= 1e-4 and most < min(10.0 ** (count - 1), 1e5) - 0.5:
        # All have as many digits: the smallest of a column, with the most zeros before them, are the longest.
        widths = [max(len(head), len(number(size, count))) for head, size in zip(heads, least, strict=True)]
        form = "  ".join([f"%+#{wide}.{count}g" for wide in widths])
        lines = ("\n".join([form] * len(values)) % tuple(values.ravel().tolist())).replace("-", MINUS).split("\n")
    else:
        rows = [[number(value, count) for value in row] for row in values.tolist()]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
    return ["  ".join(map(str.rjust, heads, widths)), *lines]


def number(value: float, count: int | None = None) -> str:
    """As `tabular`, for a column: with its sign, trailing zeros, and a short power: `+0.250000`, `−1.00000e−7`.

    So figures line up. `count`: number of digits, where a column has room for fewer. Zero has no sign, NaN is a dash.
    """
    count = raised(TABLE) if count is None else count
    if 1e-4 <= abs(value) < 999999.5:
        return (_SIGNED % (count, value)).rstrip(".").replace("-", MINUS)
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
    """A fraction of the motion, as `plain` for bodies of size 1; only the exact start and end read as `0` and `1`."""
    if 0.0 < abs(time) < NOTHING:
        return about_zero(time)
    count = raised(PICTURE)
    while (word := written(time, count)) == "1" and time != 1.0 and count < FULL:
        count += 1
    return word


def in_degrees(degrees: float) -> str:
    """Degrees with their sign: whole, tenths below 2°, below that as a number: `34°`, `1.3°`, `0.02°`, `3 × 10⁻⁷°`."""
    if _shown.get() in (Digits.SIX, Digits.FULL):
        return f"{written(degrees, raised(PICTURE))}°"
    size = abs(degrees)
    fixed = f"{degrees:.0f}" if size >= 1.95 else f"{degrees:.1f}".removesuffix(".0")
    return f"{written(degrees, 1) if 0.0 < size < 0.05 else fixed.replace('-', MINUS)}°"


_FIELD = re.compile(r"\{[^}]*\}(°?)")


def sentence_text(sentence: Sentence) -> str:
    """The text of a core's sentence: angles as `in_degrees`, other numbers as `tolerance`, with enough digits.

    The numbers of a sentence may differ by little: digits are added until different numbers read as different.
    """
    fields = [field[1] for field in _FIELD.finditer(sentence.text)]
    others = {value for value, unit in zip(sentence.numbers, fields, strict=True) if not unit}
    count = raised(PICTURE)
    while len({written(value, count) for value in others}) < len(others) and count < FULL:
        count += 1
    words = (
        in_degrees(value) if unit else written(value, count)
        for value, unit in zip(sentence.numbers, fields, strict=True)
    )
    return _FIELD.sub(lambda _: next(words), sentence.text)


def full(value: float) -> str:
    """Seventeen significant digits with a plain minus: reads back as the same double anywhere; nine of a float32."""
    return format(value, f".{_most(value)}g")


# The writing of one number.


def written(value: float, count: int) -> str:
    """`value` to the nearest of `count` significant digits, no trailing zeros: `0.25`, `−12300`, `3.2 × 10⁻⁷`.

    Below 1e-4 and from 1e5 on with a power of ten. NaN is a dash.
    """
    mantissa, exponent = scientific(value, count)
    return mantissa if exponent is None else f"{mantissa} × 10{superscript(exponent)}"


def scientific(value: float, count: int) -> tuple[str, int | None]:
    """The digits of `written`, with a true minus, and the power of ten beside them if there is one."""
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
    """The number of significant digits that tell a number from every other of its precision."""
    return FULL_SINGLE if isinstance(value, np.float32) else FULL


def about_zero(value: float) -> str:
    """`≈ 0 (4e−17)`: a number that is only rounding, with one digit, or as many as the setting asks for."""
    setting = _shown.get()
    mantissa, exponent = scientific(value, 1 if isinstance(setting, int) else LEAST[setting])
    power = "" if exponent is None else f"e{exponent}"  # beside a huge body a whole unit is only rounding
    return f"≈ 0 ({mantissa}{power})".replace("-", MINUS)


def _trimmed(text: str) -> str:
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", MINUS)


def superscript(exponent: int) -> str:
    """`⁻⁷`."""
    return str(exponent).replace("-", MINUS).translate(_RAISED)

"""Doubles as text: short for reading, shortest exact for editing, 17 digits for copying."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor, isfinite, log10

from ..words.axis_words import MINUS, full, plain


def vector17(values: Iterable[float]) -> str:
    """A vector for the clipboard: `[x, y, z]`, 17 digits each."""
    return "[" + ", ".join(full(float(v)) for v in values) + "]"


def exact(value: float) -> str:
    """The shortest text that reads back as the same double, for a field that is being edited."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def fitted(value: float, fits: Callable[[str], bool]) -> str:
    """The most digits of `value`, up to the exact text, for which `fits` is true; six at the least."""
    text = exact(value)
    if fits(text):
        return text.replace("-", MINUS)
    for digits in range(15, 5, -1):
        text = format(value + 0.0, f".{digits}g")
        if fits(text):
            break
    return text.replace("-", MINUS)


def short(value: float) -> str:
    """Six significant digits, and never fewer than four decimals while that is readable: far out, the end matters."""
    if not 1e5 <= abs(value) < 1e12:
        return plain(value)
    text = format(value, ".4f").rstrip("0").rstrip(".")
    return text.replace("-", MINUS)


def short_vector(values: Iterable[float]) -> str:
    """A vector for reading; components that are rounding noise beside the largest stand as 0."""
    numbers = [float(v) for v in values]
    largest = max((abs(v) for v in numbers if isfinite(v)), default=0.0)
    return "(" + ", ".join(short(0.0 if abs(v) < 1e-15 * largest else v) for v in numbers) + ")"


def decimals_for(values: Iterable[float]) -> int:
    """Decimals that show the largest of `values` to five places; one column, one number of decimals."""
    largest = max((abs(v) for v in values if isfinite(v)), default=0.0)
    if largest == 0.0:
        return 4
    return max(0, min(9, 4 - floor(log10(largest))))


def signed(value: float, decimals: int) -> str:
    """With its sign always, in `decimals` decimals; a value that would vanish so is written with an exponent."""
    if not isfinite(value):
        return "–"
    fixed = format(value, f"+.{decimals}f")
    if value != 0.0 and not any(c in "123456789" for c in fixed):
        mantissa, exponent = format(value, "+.1e").split("e")
        fixed = f"{mantissa}e{int(exponent)}"
    if value == 0.0:
        fixed = format(0.0, f".{decimals}f")
    return fixed.replace("-", MINUS)


def parse(text: str) -> float:
    """The double written in `text`; ValueError with a sentence for the user when there is none.

    A minus sign pasted from a document is a minus; a comma is refused, for it may mean a thousand.
    """
    cleaned = text.strip().replace(MINUS, "-")
    if not cleaned:
        raise ValueError("A number is needed here.")
    if "," in cleaned:
        raise ValueError("Use a point for decimals, not a comma.")
    try:
        value = float(cleaned)
    except ValueError:
        raise ValueError(f"“{text.strip()}” is not a number.") from None
    if not isfinite(value):
        raise ValueError("The number must be finite.")
    return value

"""A reader of the steps' formulas, which knows nothing of how they are made."""

from __future__ import annotations

import re

import numpy as np

from app.stages.word_parts import StepText
from app.words.digits import MINUS
from app.words.formula import Formula
from app.words.printers import tex

NUMBER = re.compile(r"[−-]?(?:\d+\.?\d*(?:e[−-]?\d+)?|∞)")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
DIGITS = 4
"""Significant digits of a formula's numbers."""
VECTOR = re.compile(r"(?<![a-z])\(([^(),]+(?:, [^(),]+){1,2})\)")
"""Three numbers in brackets, or in the plane two; not what a function is called with."""


class Vector(np.ndarray):
    """A vector whose product is summed one by one, as on paper: numpy's rounds otherwise on another processor."""

    def __matmul__(self, other):
        return sum(float(p) * float(q) for p, q in zip(self, other, strict=True))


def parts(formula: Formula) -> tuple[str, str | None, str, str]:
    """Name, expression (None without one), sign and result."""
    sign = "≈" if " ≈ " in formula.plain else "="
    name, rest = name_and_rest(formula)
    expression, found, result = rest.rpartition(f" {sign} ")
    return name, expression if found else None, sign, result


def name_and_rest(formula: Formula) -> tuple[str, str]:
    """What is before the first sign, and what follows: a length that is only rounding has one sign, `|v| ≈ 0`."""
    name, _, rest = formula.plain.partition(" = " if " = " in formula.plain else " ≈ ")
    return name, rest


def tex_sizes(formula: Formula) -> set[float]:
    """Every number that its TeX puts in, without its sign."""
    text = " ".join(map(tex, formula.lines[1:])).replace(r"\infty", "∞").replace("^2", "")
    text = re.sub(r"(?<![\d.])10\^\{", "1e", text)
    return set(sizes(re.sub(r"\\cdot 1e", "e", text).replace(r"\dfrac", " ")))


def on_a_line(text: str) -> str:
    """`3.2e-7` for `3.2 × 10⁻⁷`, and 0 for what is only rounding."""
    return re.sub(r" × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: "e" + power[1].translate(LOWERED), text).replace("≈0", "0")


def read(text: str):
    """What an expression or a number comes to."""
    code = on_a_line(text).replace(MINUS, "-").replace("∞", "inf")
    code = VECTOR.sub(r"V(\1)", code)
    code = re.sub(r"(?<=\d) V", " * V", code).replace("·", "@" if "V(" in code else "*")
    code = re.sub(r"\|(.*)\|", r"norm(\1)", code)
    tools = {
        "V": lambda *v: np.array(v).view(Vector),
        "norm": np.linalg.norm,
        "max": max,
        "min": min,
        "inf": np.inf,
        "sqrt": np.sqrt,
    }
    return eval(code, {"__builtins__": {}}, tools)


def sizes(text: str) -> list[float]:
    """Every number in a text, without its sign."""
    return [abs(float(found.replace(MINUS, "-").replace("∞", "inf"))) for found in NUMBER.findall(on_a_line(text))]


def off(value, result) -> float:
    """How far two numbers or vectors are apart; infinite ones that are the same not at all."""
    return 0.0 if np.array_equal(value, result) else float(np.max(np.abs(np.subtract(value, result))))


def half_units(shown) -> np.ndarray:
    """Half a unit in the last digit of every number shown, and what rounding adds."""
    sizes = np.abs(np.asarray(shown, dtype=float))
    finite = (sizes > 0.0) & np.isfinite(sizes)
    powers = np.floor(np.log10(np.where(finite, sizes, 1.0))) + 1 - DIGITS
    return np.where(finite, 0.50001 * 10.0**powers, 0.0)


def within(value, shown, allowed) -> bool:
    """Whether every component of a result comes to what is shown, by as much as is allowed."""
    same = np.equal(value, shown)
    return bool(
        np.all(same | (np.abs(np.subtract(value, shown, where=~same, out=np.zeros(np.shape(same)))) <= allowed))
    )


def shown_values(text: StepText) -> dict[str, object]:
    """The result of every formula by its name."""
    return {parts(formula)[0]: read(parts(formula)[3]) for formula in text.formulas}

"""Single precision beside double, as `separatrix check --single` prints it: JSON values and text for people."""

from __future__ import annotations

from math import isfinite
from typing import Any

from core.float32 import SingleAnswer, SinglePrecision
from core.geometry.vector import Array

from ..words.axis_words import MINUS
from .report import columns, floats


def single_object(found: SinglePrecision) -> dict[str, Any]:
    """The answers of every algorithm that applies; null where single precision finds no number."""
    size = found.scene.dimension
    return {"band": _known(found.band), "answers": [_answer_object(answer, size) for answer in found.answers]}


def single_text(found: SinglePrecision) -> str:
    """For each algorithm a row in single precision and one in double, and what differs; ends in a new line."""
    size = found.scene.dimension
    rows: list[tuple[str, ...]] = [("in floats", "verdict", "separation", "normal", *[""] * (size - 1))]
    for answer in found.answers:
        verdict = "no number" if answer.verdict is None else answer.verdict.value
        rows.append((answer.algorithm, verdict, *_figures(answer.separation, answer.normal[:size])))
        figures = _figures(answer.double_separation, answer.double_normal[:size])
        rows.append(("  in double", answer.double_verdict.value, *figures))
    lines = columns(rows, figures=range(2, len(rows[0])))
    return "\n".join([*lines, *(f"  {answer.words}" for answer in found.answers)]) + "\n"


def _answer_object(answer: SingleAnswer, size: int) -> dict[str, Any]:
    return {
        "algorithm": answer.algorithm,
        "verdict": None if answer.verdict is None else answer.verdict.value,
        "separation": _known(answer.separation),
        "normal": floats(answer.normal[:size]) if answer.verdict is not None else None,
        "gap": _known(answer.gap),
        "double": {
            "verdict": answer.double_verdict.value,
            "separation": _known(answer.double_separation),
            "normal": floats(answer.double_normal[:size]),
        },
        "error": _known(answer.error),
        "turned": _known(answer.turned),
        "proven": _known(answer.proven),
        "words": answer.words,
    }


def _known(value: float) -> float | None:
    return float(value) + 0.0 if isfinite(value) else None  # no -0.0


def _figures(separation: float, normal: Array) -> tuple[str, ...]:
    return tuple(_figure(float(value)) for value in (separation, *normal))


def _figure(value: float) -> str:
    """Nine significant digits, which tell any two floats apart."""
    if value == 0.0:
        return "0"
    return f"{value:+.9g}".replace("-", MINUS) if isfinite(value) else "–"

"""`check --steps`: each step of every algorithm with the text of the step card, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import isfinite
from typing import Any

import numpy as np

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.query.motion_steps import with_motion
from core.query.query import Moment, MotionStep, query

from ..stages import step_text
from ..stages.word_parts import StepText
from .answer_parts import StepPart
from .report import printable

LARGEST_ARRAY = 12
"""The most numbers of an array that is reported: a point, weights, a triangle; not all vertices of a polytope."""


def step_records(analysis: Analysis, moving: SweepAnswer | None) -> list[StepPart]:
    """The steps in order, as JSON records; those of the motion too, if `moving` is given."""
    return [
        StepPart(
            phase=moment.phase.name.lower(),
            number=moment.index + 1,
            of=moment.count,
            title=text.title,
            known=text.known,
            decided=text.decided,
            why=text.why,
            stop=None if text.stop is None else text.stop.name,
            formulas=[formula.plain for formula in text.formulas],
            values=_values(moment.step.motion if isinstance(moment.step, MotionStep) else moment.step),
        )
        for moment, text in _told(analysis, moving)
    ]


def steps_text(analysis: Analysis, moving: SweepAnswer | None) -> str:
    """The steps as text, one after another; ends in a new line. `moving`: as in `step_records`."""
    lines = []
    for moment, text in _told(analysis, moving):
        lines.append(f"  {moment.phase.name.lower()}:{moment.index + 1}  {text.title}")
        stop = "" if text.stop is None else f"{text.stop.name}: {text.stop.meaning}"
        said = (text.known, text.decided, text.why, *(formula.plain for formula in text.formulas), stop)
        lines += [f"      {printable(words)}" for words in said if words]
    return "\n".join(lines) + "\n"


def _told(analysis: Analysis, moving: SweepAnswer | None) -> Iterator[tuple[Moment, StepText]]:
    asked = with_motion(query(analysis), moving)
    return ((moment, step_text(asked, moment)) for moment in asked.moments)


def _values(step: Any) -> dict[str, Any]:
    """The step's numbers, names and points by field; None for no value or an infinite number.

    Arrays with more than LARGEST_ARRAY numbers, or with an infinite one, are left out.
    """
    found: dict[str, Any] = {}
    for name in getattr(step, "reported", step.__struct_fields__):
        value = getattr(step, name)
        if isinstance(value, Enum):
            found[name] = value.value
        elif value is None or isinstance(value, bool | int | str):
            found[name] = value
        elif isinstance(value, float):
            found[name] = value + 0.0 if isfinite(value) else None
        elif isinstance(value, np.ndarray) and value.size <= LARGEST_ARRAY and np.isfinite(value).all():
            found[name] = (value + 0.0).tolist()
    return found

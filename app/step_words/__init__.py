"""The step shown, in words and numbers for somebody who learns: pure text from a query, one file for each phase."""

from __future__ import annotations

from core.algorithms.difference_steps import BuildStep
from core.algorithms.epa import EpaStep
from core.algorithms.gjk import GjkStep
from core.algorithms.sat_steps import SatStep
from core.query import Moment, Query

from .build import build_text
from .contacts import contacts_text
from .epa import epa_text
from .gjk import gjk_text
from .parts import Formula, StepText, Stop
from .sat import sat_text

__all__ = ["Formula", "StepText", "Stop", "step_text"]


def step_text(query: Query, moment: Moment) -> StepText:
    """Everything to say about one of the query's moments; pure."""
    step = moment.step
    match step:
        case BuildStep():
            return build_text(query, moment, step)
        case SatStep():
            return sat_text(query, moment, step)
        case GjkStep():
            return gjk_text(query, moment, step)
        case EpaStep():
            return epa_text(query, moment, step)
        case _:
            return contacts_text(query, moment, step)

"""The step shown, in words and numbers for somebody who learns: pure text from a query, one file for each phase."""

from __future__ import annotations

from msgspec.structs import replace

from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.minkowski.build_steps import BuildStep
from core.mpr.answer import MprStep
from core.query.query import Moment, MotionStep, Phase, Query
from core.sat.steps import SatStep
from core.trace import PlanarStep

from .build.words import build_text
from .contacts.words import contacts_text
from .epa.words import epa_text
from .gjk.words import gjk_text
from .sat.words import sat_text
from .word_parts import Formula, StepText, Stop

__all__ = ["Formula", "StepText", "Stop", "step_text"]


def step_text(query: Query, moment: Moment) -> StepText:
    """Everything to say about one of the query's moments; pure."""
    text = _text(query, moment)
    # The phase ends with this moment because its algorithm raised an error.
    answer = {Phase.GJK: query.distance, Phase.EPA: query.distance, Phase.CONTACTS: query.manifold}
    failed = moment.last and moment.phase in answer and answer[moment.phase] is None
    if text.stop is None and failed and query.failures:
        why = " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in query.failures)
        return replace(text, stop=Stop("FAILED", why, good=False))
    return text


def _text(query: Query, moment: Moment) -> StepText:
    step = moment.step
    match step:
        case BuildStep():
            return build_text(query, moment, step)
        case SatStep():
            return sat_text(query, moment, step)
        case MotionStep():
            # Imported with the first step of a motion.
            from .motion.words import motion_text

            return motion_text(query, moment, step)
        case PlanarStep():
            # Imported with the first step of the plane.
            from .plane_words import planar_text

            return planar_text(query, moment, step)
        case GjkStep():
            return gjk_text(query, moment, step)
        case EpaStep():
            return epa_text(query, moment, step)
        case MprStep():
            # Imported when it is first asked for.
            from .mpr.words import mpr_text

            return mpr_text(query, moment, step)
        case _:
            return contacts_text(query, moment, step)

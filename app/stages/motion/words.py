"""The steps of every method about a motion in words: one function for each kind of step."""

from __future__ import annotations

from core.query.query import Moment, MotionStep, Query
from core.rays.gjk_raycast import GjkRaycastStep
from core.toi import (
    AdvancementStep,
    IntervalStep,
    MotionOutcome,
    PlaneStep,
    ScaledPlaneStep,
    SphereBoxStep,
    SpheresStep,
    SweptAxisStep,
)

from ...words.axis_words import instant
from ..word_parts import StepText
from .axes_words import intervals_text, swept_text
from .closed_words import plane_text, scaled_text
from .paths_words import advancement_text, ray_text
from .spheres_words import named, regions_text, spheres_text


def motion_text(query: Query, moment: Moment, step: MotionStep) -> StepText:
    """Everything to say about one step of a method."""
    match step.motion:
        case PlaneStep():
            return plane_text(query, moment, step.motion)
        case ScaledPlaneStep():
            return scaled_text(query, moment, step.motion)
        case SpheresStep():
            return spheres_text(query, moment, step.motion)
        case SphereBoxStep():
            return regions_text(query, moment, step.motion)
        case IntervalStep():
            return intervals_text(query, moment, step.motion)
        case SweptAxisStep():
            return swept_text(query, moment, step.motion)
        case GjkRaycastStep():
            return ray_text(query, moment, step.motion)
        case AdvancementStep():
            return advancement_text(query, moment, step.motion)
        case _:
            # Imported with the first step of the plane: nothing of it is wanted in space.
            from .rounded_words import rounded_text

            return rounded_text(query, moment, step.motion)


def looked_at(step: MotionStep) -> str:
    """What a step is about in a word or two: its axis, its region, or the time."""
    of = step.motion
    if isinstance(of, IntervalStep):
        return of.table.candidates[of.row].label
    if isinstance(of, SphereBoxStep) and of.crossing is not None:
        return named(of.crossing.name)
    label: str = getattr(of, "label", "")
    return label or f"t = {instant(step.time)}"


def stop_name(query: Query, moment: Moment) -> str:
    """Why the method ended whose last step this is; "" without an answer."""
    text = motion_text(query, moment, moment.step) if isinstance(moment.step, MotionStep) else None
    return "" if text is None or text.stop is None else text.stop.name


def undecided(query: Query, moment: Moment) -> bool:
    """Whether the method that the moment's step is of could not tell."""
    result = query.results.get(moment.phase)
    return result is not None and result.outcome is MotionOutcome.ITERATION_LIMIT

"""The steps of every method about a motion in words: one function for each kind of step."""

from __future__ import annotations

from core.algorithms.gjk_raycast import GjkRaycastStep
from core.algorithms.motion import (
    AdvancementStep,
    IntervalStep,
    PlaneStep,
    ScaledPlaneStep,
    SphereBoxStep,
    SpheresStep,
    SweptAxisStep,
)
from core.query import Moment, MotionStep, Query

from .motion_axes import intervals_text, swept_text
from .motion_closed import plane_text, scaled_text
from .motion_paths import advancement_text, ray_text
from .motion_spheres import regions_text, spheres_text
from .parts import StepText


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

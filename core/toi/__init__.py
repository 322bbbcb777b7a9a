"""Two convex bodies in motion over the unit interval: whether they meet, when first, and where.

Every method takes a `Motion`, is a generator of steps, and ends with a MotionResult (or a table that holds one):

- closed forms: `planes`, `scaled_plane`, `spheres`, `sphere_box`;
- `intervals`: entry and exit times on SAT's axes, and `swept_axes`, the yes or no on twenty-one;
- `ray`: the GJK ray cast of the origin's path against the difference, for any shapes that do not turn;
- `advancement`: any shapes, turning as well.
"""

from __future__ import annotations

from .advancement import AdvancementSettings, AdvancementStep, advancement, advancement_steps
from .intervals import IntervalStep, MovingAxes, interval_motion, interval_steps, intervals_apply
from .outcome import MotionOutcome, MotionResult, MotionStop
from .planes import (
    PlaneStage,
    PlaneStep,
    ScaledPlaneStage,
    ScaledPlaneStep,
    plane_motion,
    plane_steps,
    scaled_plane_motion,
    scaled_plane_steps,
)
from .ray import DifferenceSupport, motion_raycast, motion_raycast_steps
from .relative import Motion, nearness
from .sphere_box import (
    Crossing,
    GrownPiece,
    SphereBoxStep,
    SpheresStage,
    SpheresStep,
    region_name,
    sphere_box_motion,
    sphere_box_steps,
    spheres_motion,
    spheres_steps,
)
from .swept_axes import SweptAxisStep, swept_axes, swept_axis_steps

__all__ = [
    "AdvancementSettings",
    "AdvancementStep",
    "Crossing",
    "DifferenceSupport",
    "GrownPiece",
    "IntervalStep",
    "Motion",
    "MotionOutcome",
    "MotionResult",
    "MotionStop",
    "MovingAxes",
    "PlaneStage",
    "PlaneStep",
    "ScaledPlaneStage",
    "ScaledPlaneStep",
    "SphereBoxStep",
    "SpheresStage",
    "SpheresStep",
    "SweptAxisStep",
    "advancement",
    "advancement_steps",
    "interval_motion",
    "interval_steps",
    "intervals_apply",
    "motion_raycast",
    "motion_raycast_steps",
    "nearness",
    "plane_motion",
    "plane_steps",
    "region_name",
    "scaled_plane_motion",
    "scaled_plane_steps",
    "sphere_box_motion",
    "sphere_box_steps",
    "spheres_motion",
    "spheres_steps",
    "swept_axes",
    "swept_axis_steps",
]

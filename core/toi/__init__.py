"""Two convex bodies in motion over the unit interval: whether they meet, when first, and where.

Every method takes a `Motion`, is a generator of steps, and returns a MotionResult, alone or with an axis table.
`methods_of` returns the methods that apply to two bodies:

- closed forms: `half_spaces` for a half-space, also by scaled space, and `spheres` for two spheres, or a sphere and a
  box;
- `intervals`: entry and exit times on SAT's axes, and a test of two boxes on twenty-one axes;
- `ray`: the GJK ray cast of the origin's path against the difference, for bounded bodies that do not turn;
- `advancement`: conservative advancement for any bodies, also for bodies that turn.

`plane` has the methods in 2D.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from ..pair.pair import box_and_ball, half_space_of, two_balls
from ..trace import Steps
from .advancement import advancement_steps
from .half_spaces import plane_steps, scaled_plane_steps
from .intervals import interval_steps, intervals_apply
from .motion import Motion
from .ray import motion_raycast_steps, raycast_applies
from .spheres import sphere_box_steps, spheres_steps


class MotionMethod(StrEnum):
    """The methods about a motion, by their names for the user."""

    PLANE = "closed form against a plane"
    SCALED_PLANE = "space scaled to a sphere"
    SPHERES = "two spheres in closed form"
    SPHERE_BOX = "sphere against the grown box"
    INTERVALS = "entry and exit times"
    RAY = "GJK ray cast"
    ADVANCEMENT = "conservative advancement"
    DIFFERENCE = "closed form against the difference"
    """Only in 2D."""


Method = tuple[MotionMethod, Callable[[Motion], Steps[Any, Any]]]
"""A method, and the generator of its steps about a motion."""


def methods_of(motion: Motion) -> list[Method]:
    """The methods that apply to a 3D motion, the strongest first."""
    found: list[Method] = []
    a, b = motion.a, motion.b
    if not motion.rotates:
        if (against := half_space_of(a, b)) is not None:
            if against.body.shape.radii is not None:
                found.append((MotionMethod.SCALED_PLANE, scaled_plane_steps))
            found.append((MotionMethod.PLANE, plane_steps))
        elif two_balls(a, b) is not None:
            found.append((MotionMethod.SPHERES, spheres_steps))
        elif box_and_ball(a, b) is not None:
            found.append((MotionMethod.SPHERE_BOX, sphere_box_steps))
        if intervals_apply(motion):
            found.append((MotionMethod.INTERVALS, interval_steps))
        if raycast_applies(motion):
            found.append((MotionMethod.RAY, motion_raycast_steps))
    return [*found, (MotionMethod.ADVANCEMENT, advancement_steps)]

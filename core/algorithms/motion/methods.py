"""Which methods answer about two bodies in motion."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from ...shapes import Box, Ellipsoid, Sphere
from ...trace import Steps
from .advancement import advancement_steps
from .intervals import interval_steps, intervals_apply
from .planes import plane_steps
from .ray import motion_raycast_steps, raycast_applies
from .relative import Motion, half_space_of
from .scaled_plane import scaled_plane_steps
from .sphere_box import sphere_box_steps
from .spheres import spheres_steps


class MotionMethod(StrEnum):
    """Who answers about a motion; the words for it."""

    PLANE = "closed form against a plane"
    SCALED_PLANE = "space scaled to a sphere"
    SPHERES = "two spheres in closed form"
    SPHERE_BOX = "sphere against the grown box"
    INTERVALS = "entry and exit times"
    RAY = "GJK ray cast"
    ADVANCEMENT = "conservative advancement"
    DIFFERENCE = "closed form against the difference"
    """In the plane."""


Method = tuple[MotionMethod, Callable[[Motion], Steps[Any, Any]]]
"""A method by its name, and its steps about a motion."""


def methods_of(motion: Motion) -> list[Method]:
    """The methods that apply, the strongest first."""
    found: list[Method] = []
    shapes = (motion.a.shape, motion.b.shape)
    if not motion.rotates:
        if half_space_of(motion) is not None:
            found.append((MotionMethod.PLANE, plane_steps))
            if any(isinstance(shape, Ellipsoid) for shape in shapes):
                found.insert(0, (MotionMethod.SCALED_PLANE, scaled_plane_steps))
        elif all(isinstance(shape, Sphere) for shape in shapes):
            found.append((MotionMethod.SPHERES, spheres_steps))
        elif {type(shape) for shape in shapes} == {Sphere, Box}:
            found.append((MotionMethod.SPHERE_BOX, sphere_box_steps))
        if intervals_apply(motion):
            found.append((MotionMethod.INTERVALS, interval_steps))
        if raycast_applies(motion):
            found.append((MotionMethod.RAY, motion_raycast_steps))
    return [*found, (MotionMethod.ADVANCEMENT, advancement_steps)]

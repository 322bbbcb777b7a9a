"""A moving ellipsoid against a plane by scaling space until it is a unit sphere, and back.

In the ellipsoid's own frame every coordinate is divided by its radius. Points and velocities scale by the inverse
radii, normals by the radii (the inverse transpose) and need normalising again; times survive the scaling, distances
do not. What is left is a sphere of radius 1 before a plane. Departures from the article: see `planes`.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.vector import Array, dot, frozen, length
from ..trace import Steps, run
from ..verdict import Provenance
from .impact import apart, at_start, met
from .outcome import MotionResult, MotionStop
from .planes import approaching, arrival, plane_setting
from .relative import Motion


class ScaledPlaneStage(StrEnum):
    """What a step has just found."""

    ELLIPSOID = "ELLIPSOID"
    """The question as it is, in the ellipsoid's frame."""
    SCALED = "SCALED"
    """The same with space scaled: a unit sphere."""
    TIME = "TIME"
    """A unit sphere before a plane, in the scaled space."""
    CONTACT = "CONTACT"
    """The contact point, scaled and taken back."""


class ScaledPlaneStep(Struct, frozen=True, eq=False):
    """What is known so far; None is not known yet.

    In the ellipsoid's frame: `radii` (3,), `normal` (3,) and `offset` of the plane, `velocity` (3,) of the ellipsoid,
    `contact` (3,) the point that touches. In the scaled space the same with the prefix `scaled_`, and `speed` along
    the scaled normal. `stretch`: `h = |S Rᵀ n|`, by which the normal grew, and how far the ellipsoid reaches. `time`:
    of the contact, wherever in time it lies: the same in both spaces.
    """

    stage: ScaledPlaneStage
    radii: Array
    normal: Array
    offset: float
    velocity: Array
    stretch: float | None = None
    scaled_normal: Array | None = None
    scaled_offset: float | None = None
    scaled_velocity: Array | None = None
    speed: float | None = None
    time: float | None = None
    scaled_contact: Array | None = None
    contact: Array | None = None
    stop: MotionStop | None = None


def scaled_plane_steps(motion: Motion) -> Steps[ScaledPlaneStep, MotionResult]:
    """An ellipsoid against a half-space. TypeError for other pairs."""
    setting = plane_setting(motion)
    shape, pose = setting.body.shape, setting.body.pose
    if shape.radii is None:
        raise TypeError("scaling space to a sphere is for ellipsoids")
    radii = np.array(shape.radii)
    normal = pose.direction_to_local(setting.normal)
    # About the ellipsoid's position, in its own axes.
    offset = -setting.distance
    velocity = pose.direction_to_local(setting.velocity)

    step = ScaledPlaneStep(ScaledPlaneStage.ELLIPSOID, frozen(radii), frozen(normal), offset, frozen(velocity))
    yield step
    stretch = length(radii * normal)
    unit_normal, unit_offset, unit_velocity = radii * normal / stretch, offset / stretch, velocity / radii
    start = at_start(motion)
    step = replace(
        step,
        stage=ScaledPlaneStage.SCALED,
        stretch=stretch,
        scaled_normal=frozen(unit_normal),
        scaled_offset=unit_offset,
        scaled_velocity=frozen(unit_velocity),
        stop=None if start is None else start.stop,
    )
    yield step
    if start is not None:
        return start
    speed = dot(unit_normal, unit_velocity)
    stop = approaching(motion, speed * stretch)
    time = None if stop is not None else (1.0 + unit_offset) / speed
    if time is not None:
        stop = arrival(motion, time, (speed - unit_offset - 1.0) * stretch)
    misses = time is None or stop is MotionStop.OUT_OF_TIME
    step = replace(step, stage=ScaledPlaneStage.TIME, speed=speed, time=time, stop=stop if misses else None)
    yield step
    if stop is None or time is None or misses:
        assert stop is not None
        return apart(stop, normal=setting.facing, row=0, axis=setting.axis)
    time = min(time, 1.0)
    touching = time * unit_velocity - unit_normal
    contact = frozen(radii * touching)
    yield replace(step, stage=ScaledPlaneStage.CONTACT, scaled_contact=frozen(touching), contact=contact, stop=stop)
    return met(motion, stop, time, Provenance.EXACT, normal=setting.facing, row=0, axis=setting.axis)


def scaled_plane_motion(motion: Motion) -> MotionResult:
    """The result of `scaled_plane_steps` alone."""
    return run(scaled_plane_steps(motion))

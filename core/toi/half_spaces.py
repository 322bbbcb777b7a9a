"""A moving body against a half-space: any bounded shape by its support value, which for a box is its effective radius.

`t = (r - s0) / (n·v)`, with the signed distance s0 of the body's position from the plane, the body's support value r
towards the plane, and the body's velocity v relative to the plane.

Departures from the article: The half-space is solid, so a body behind the plane overlaps; the
article uses the plane's other side. The steps end before the time is computed if the body overlaps or touches at the
start, or does not approach. The result contains the vertices that meet the plane.

`scaled_plane_steps` is for a moving ellipsoid: space is scaled so that the ellipsoid becomes a unit sphere. In the
ellipsoid's own frame, every coordinate is divided by the radius along its axis. Points and velocities scale by the
inverse radii. Normals scale by the radii (the inverse transpose), and are normalised again. The scaling keeps times,
but not distances. The departures from the article are the same.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.vector import Array, dot, frozen, length
from ..pair.pair import half_space_of
from ..scene import Body
from ..trace import Steps, run
from ..verdict import Provenance
from .motion import Motion, MotionResult, MotionStop, apart, at_start, met


class PlaneStage(StrEnum):
    """The number that a step found."""

    DISTANCE = "DISTANCE"
    RADIUS = "RADIUS"
    SPEED = "SPEED"
    TIME = "TIME"


class PlaneStep(Struct, frozen=True, eq=False):
    """The numbers known so far; None for numbers not known yet.

    `normal` (3,), `offset`: the plane, relative to A's position. `position` (3,): the bounded body's position, also
    relative to A's. `velocity` (3,): the body's velocity relative to the plane. `distance`: the position's signed
    distance from the plane. `radius`: the body's support value towards the plane. `arms` (3,): for a box, the part
    `h |u·n|` of each half extent h along its axis u, else None. `speed`: `n·v`, negative towards the plane. `time`: of
    the contact, not limited to [0, 1]. `stop`: None unless the run ends with this step.
    """

    stage: PlaneStage
    normal: Array
    offset: float
    position: Array
    velocity: Array
    distance: float
    radius: float | None = None
    arms: Array | None = None
    speed: float | None = None
    time: float | None = None
    stop: MotionStop | None = None


class PlaneSetting(Struct, frozen=True, eq=False):
    """A motion against a half-space, relative to A's position, with the half-space at rest.

    `body`: the bounded body. `side`: +1 if the half-space is A, else -1. `normal` (3,) and `offset`: the half-space's
    plane; `velocity` (3,): the bounded body's velocity.
    """

    body: Body
    side: float
    normal: Array
    offset: float
    velocity: Array

    @property
    def distance(self) -> float:
        """Signed distance of the body's position from the plane."""
        return dot(self.normal, self.body.pose.position) - self.offset

    @property
    def facing(self) -> Array:
        """The plane's normal (3,) with the sign that points from A to B."""
        return self.side * self.normal

    @property
    def axis(self) -> str:
        """The label of the only axis, the plane's normal."""
        return "A.plane" if self.side > 0.0 else "B.plane"


def plane_setting(motion: Motion) -> PlaneSetting:
    """The setting of a motion. Raises TypeError unless one body is a half-space, ValueError for turns."""
    found = half_space_of(motion.a, motion.b)
    if found is None:
        raise TypeError("a plane needs a half-space")
    if motion.rotates:
        raise ValueError("the closed forms are for bodies that do not turn")
    plane = found.plane.placed(found.space.pose.matrix, found.space.pose.position)
    towards = frozen(found.side * motion.displacement)
    return PlaneSetting(found.body, found.side, frozen(plane.normal), plane.offset, towards)


def plane_steps(motion: Motion) -> Steps[PlaneStep, MotionResult]:
    """The steps for any bounded shape against a half-space. Raises as `plane_setting`."""
    setting = plane_setting(motion)
    normal, body = setting.normal, setting.body

    step = PlaneStep(
        PlaneStage.DISTANCE, normal, setting.offset, body.pose.position, setting.velocity, setting.distance
    )
    yield step
    local = body.pose.direction_to_local(-normal)
    radius = float(body.shape.reach(local))
    half = body.shape.half_extents
    arms = None if half is None else frozen(np.abs(local) * half)
    start = at_start(motion)
    stop = None if start is None else start.stop
    step = replace(step, stage=PlaneStage.RADIUS, radius=radius, arms=arms, stop=stop)
    yield step
    if start is not None:
        return start
    speed = dot(normal, setting.velocity)
    stop = approaching(motion, speed)
    step = replace(step, stage=PlaneStage.SPEED, speed=speed, stop=stop)
    yield step
    if stop is not None:
        return apart(stop, normal=setting.facing, row=0, axis=setting.axis)
    time = (radius - setting.distance) / speed
    stop = arrival(motion, time, setting.distance - radius + speed)
    yield replace(step, stage=PlaneStage.TIME, time=time, stop=stop)
    if stop is MotionStop.OUT_OF_TIME:
        return apart(stop, normal=setting.facing, row=0, axis=setting.axis)
    return met(motion, stop, min(time, 1.0), Provenance.EXACT, normal=setting.facing, row=0, axis=setting.axis)


def plane_motion(motion: Motion) -> MotionResult:
    """The result of `plane_steps` without its steps. Raises as `plane_setting`."""
    return run(plane_steps(motion))


def approaching(motion: Motion, speed: float) -> MotionStop | None:
    """The reason why a body with this speed along the plane's normal does not approach; None if it does."""
    if motion.travel == 0.0:
        return MotionStop.NO_MOTION
    return MotionStop.MOVING_AWAY if speed >= -motion.still else None


def arrival(motion: Motion, time: float, left_at_end: float) -> MotionStop:
    """The reason to stop for a contact at `time`: a hit, grazing or out of time.

    `left_at_end`: the signed distance at time 1, scene units.
    """
    if time <= 1.0:
        return MotionStop.HIT
    return MotionStop.GRAZING if left_at_end <= motion.band else MotionStop.OUT_OF_TIME


class ScaledPlaneStage(StrEnum):
    """The part of the solution that a step found."""

    ELLIPSOID = "ELLIPSOID"
    """The problem in the ellipsoid's frame."""
    SCALED = "SCALED"
    """The same problem in the scaled space, with a unit sphere."""
    TIME = "TIME"
    """The time at which the unit sphere meets the plane, in the scaled space."""
    CONTACT = "CONTACT"
    """The contact point, in the scaled space and transformed back."""


class ScaledPlaneStep(Struct, frozen=True, eq=False):
    """The numbers known so far; None for numbers not known yet.

    In the ellipsoid's frame: `radii` (3,); `normal` (3,) and `offset` of the plane; `velocity` (3,) of the ellipsoid;
    `contact` (3,), the point that touches. `scaled_...`: normal (3,), offset, velocity (3,) and contact (3,) in the
    scaled space.
    `speed`: the scaled velocity along the scaled normal.

    `stretch`: `h = |S Rᵀ n|` with the radii S and the ellipsoid's rotation R. It is the length of the scaled normal
    before normalising, and also the ellipsoid's support value. `time`: of the contact, not limited to [0, 1]; the same
    in both spaces. `stop`: None unless the run ends with this step.
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
    """The steps for an ellipsoid against a half-space.

    Raises TypeError for other pairs, ValueError if a body visibly turns.
    """
    setting = plane_setting(motion)
    shape, pose = setting.body.shape, setting.body.pose
    if shape.radii is None:
        raise TypeError("scaling space to a sphere is for ellipsoids")
    radii = np.array(shape.radii)
    normal = pose.direction_to_local(setting.normal)
    # The plane's offset from the ellipsoid's position.
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
    """The result of `scaled_plane_steps` without its steps. Raises as its steps."""
    return run(scaled_plane_steps(motion))

"""Moving spheres in closed form, against each other and against a box in any pose, by one quadratic.

The quadratic is that of a moving point and a ball about the origin, in one, two or three dimensions. A slab is a ball
in one dimension, and a cylinder is a ball in two dimensions times a line. So faces, edges and corners of a grown box
use the same quadratic.

In the box's frame the sphere's centre is a point, and the box is grown by the radius: six faces moved out, twelve
quarter cylinders, eight octants of spheres. The planes of the box's faces cut space into 27 regions. A region's name
has, for each coordinate, the side on which it is outside of the box, or 0: `<+1, 0, -1>`. The distance from the box is
the length of the outside coordinates' excess. So a face region needs a linear test, an edge region a cylinder and a
corner region a sphere. The regions are visited in the order of time.

Departures from the article. The quadratic: the discriminant is `a (r - m) (r + m)` with the least distance m, as
`b² - a c` would lose the digits of a near miss. The smaller root is `c / (sqrt(disc) - b)`, which has no cancellation.
Two spheres: the relative velocity is a difference; the article prints a sum. The smaller root is the first contact
because time runs forwards. A box: the article's corner discriminant lacks `- r²`. If rounding leaves open which of two
regions has the contact, the least distance in each decides. In all cases, an initial overlap and no relative motion are
answered first.
"""

from __future__ import annotations

from enum import StrEnum
from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import box_region
from ..geometry.quaternion import Pose
from ..geometry.vector import Array, frozen, length
from ..pair.pair import box_and_ball, two_balls
from ..trace import Steps, run
from ..verdict import Provenance
from .motion import Motion, MotionResult, MotionStop, apart, at_start, met

Sides = tuple[int, int, int]

_HERE = Pose(np.zeros(3), np.eye(3))


class GrownPiece(StrEnum):
    """The part of the grown box in a region."""

    INSIDE = "inside"
    FACE = "face"
    EDGE = "quarter cylinder"
    CORNER = "octant"


class Crossing(Struct, frozen=True, eq=False):
    """A stretch of the centre's path in one region: from time `enter` to `leave`, both in [0, 1].

    `sides`: the region, for each box axis -1, 0 or +1. `start`, `end` (3,): the centre at these times, box frame.
    `piece`: the part of the grown box in the region. `feature`: the box's face, edge or vertex there, such as `+x`,
    `v1-v4` or `v3`; "" inside.
    """

    sides: Sides
    enter: float
    leave: float
    start: Array
    end: Array
    piece: GrownPiece
    feature: str

    @property
    def name(self) -> str:
        """The article's name of the region."""
        return region_name(self.sides)


class SphereBoxStep(Struct, frozen=True, eq=False):
    """One step of a sphere against a box: first the test of the bounding spheres, then one region after the other.

    `centre` (3,): of the sphere at time 0, `velocity` (3,): relative to the box, `half_extents` (3,): the box's; all in
    the box's frame. `crossings`: the whole path, region by region. `crossing`: the region of this step, None for the
    first. `nearest`: the least signed distance of the surfaces in that region, or of the bounding spheres, at time
    `nearest_time`; for bodies that meet at the start, theirs at time 0. `time`: of the contact, None if this step finds
    none. `number`: counts from 0. `radius`: the sphere's. `stop`: None unless the run ends with this step.
    """

    number: int
    centre: Array
    velocity: Array
    half_extents: Array
    radius: float
    crossings: tuple[Crossing, ...]
    crossing: Crossing | None
    nearest: float
    nearest_time: float
    time: float | None = None
    stop: MotionStop | None = None


def region_name(sides: Sides) -> str:
    """The name of a region, such as `<+1, 0, -1>`."""
    return "<" + ", ".join(f"{side:+d}" if side else "0" for side in sides) + ">"


class SphereBoxWalk(Struct, frozen=True, eq=False):
    """The problem in the box's frame: the sphere's `centre` (3,) at time 0, its `velocity` (3,), and its `crossings`.

    `velocity`: relative to the box. `half_extents` (3,): of the box. `radius`: of the sphere.
    """

    centre: Array
    velocity: Array
    half_extents: Array
    radius: float
    crossings: tuple[Crossing, ...]


def sphere_box_walk(motion: Motion) -> SphereBoxWalk:
    """The sphere's path through the regions about the box; either body may be the box.

    Raises TypeError for other pairs, ValueError if the box turns.
    """
    if motion.rotates:
        raise ValueError("the closed forms are for bodies that do not turn")
    found = box_and_ball(motion.a, motion.b)
    if found is None:
        raise TypeError("one body must be a box and the other a sphere")
    half, pose = found.half_extents, found.box.pose
    centre = pose.to_local(found.ball.pose.position)
    velocity = pose.direction_to_local(found.side * motion.displacement)
    crossings = tuple(_walk(half, centre, velocity))
    return SphereBoxWalk(frozen(centre), frozen(velocity), frozen(half), found.radius, crossings)


def sphere_box_steps(motion: Motion) -> Steps[SphereBoxStep, MotionResult]:
    """The steps for a sphere and a box in any order. Raises TypeError for other pairs, ValueError if the box turns."""
    walk = sphere_box_walk(motion)
    centre, velocity, half, radius = walk.centre, walk.velocity, walk.half_extents, walk.radius
    crossings = walk.crossings

    def step(number: int, crossing: Crossing | None, nearest: float, when: float) -> SphereBoxStep:
        return SphereBoxStep(
            number=number,
            centre=centre,
            velocity=velocity,
            half_extents=half,
            radius=radius,
            crossings=crossings,
            crossing=crossing,
            nearest=nearest,
            nearest_time=when,
        )

    start = at_start(motion)
    if start is not None:
        yield replace(step(0, None, motion.start.separation, 0.0), time=0.0, stop=start.stop)
        return start
    around = approach(centre, velocity, length(half) + radius)
    when = min(max(around.when, 0.0), 1.0)
    gap = length(centre + when * velocity) - length(half) - radius
    if motion.travel == 0.0 or gap > motion.band:
        passing = MotionStop.NO_MOTION if motion.travel == 0.0 else _miss(around.when)
        yield replace(step(0, None, gap, when), stop=passing)
        return apart(passing)
    yield step(0, None, gap, when)
    grazed = (np.inf, 0.0)
    for number, crossing in enumerate(crossings, start=1):
        nearest, when, time = _contact(crossing, half, centre, velocity, radius)
        stop: MotionStop | None = None if time is None else MotionStop.HIT
        if stop is None and (nearest, when) < grazed:
            grazed = (nearest, when)
        elif stop is None and grazed[0] <= motion.band:
            # The distance from a convex body falls and then rises: no later point is nearer.
            time, stop = grazed[1], MotionStop.GRAZING
        if stop is None and number == len(crossings):
            time, stop = (grazed[1], MotionStop.GRAZING) if grazed[0] <= motion.band else (None, _miss(grazed[1]))
        yield replace(step(number, crossing, nearest, when), time=time, stop=stop)
        if stop is not None:
            return apart(stop) if time is None else met(motion, stop, time, Provenance.EXACT)
    raise AssertionError("the path has an end")


def sphere_box_motion(motion: Motion) -> MotionResult:
    """The result of `sphere_box_steps` alone. Raises as its steps."""
    return run(sphere_box_steps(motion))


def _walk(half: Array, centre: Array, velocity: Array) -> list[Crossing]:
    """The centre's path from time 0 to 1, cut at the planes of the box's faces; all in the box's frame."""
    moving = velocity != 0.0
    with np.errstate(over="ignore"):
        times = [(side * half[moving] - centre[moving]) / velocity[moving] for side in (-1.0, 1.0)]
    cuts = sorted({t for t in np.concatenate(times).tolist() if 0.0 < t < 1.0})
    out = []
    for enter, leave in zip([0.0, *cuts], [*cuts, 1.0], strict=True):
        middle = centre + 0.5 * (enter + leave) * velocity
        x, y, z = np.where(np.abs(middle) > half, np.sign(middle), 0.0).astype(int).tolist()
        start, end = frozen(centre + enter * velocity), frozen(centre + leave * velocity)
        out.append(Crossing((x, y, z), enter, leave, start, end, *_piece((x, y, z), half)))
    return out


def _piece(sides: Sides, half: Array) -> tuple[GrownPiece, str]:
    outside = sum(map(abs, sides))
    piece = (GrownPiece.INSIDE, GrownPiece.FACE, GrownPiece.EDGE, GrownPiece.CORNER)[outside]
    return piece, box_region(_HERE, half, 2.0 * half * sides).name if outside else ""


def _contact(
    crossing: Crossing, half: Array, centre: Array, velocity: Array, radius: float
) -> tuple[float, float, float | None]:
    """Returns, for one region, the least signed distance of the surfaces, its time, and the time of contact or None."""
    outside = np.array(crossing.sides) != 0
    signs = np.array(crossing.sides)[outside]
    beyond = signs * centre[outside] - half[outside]
    found = approach(beyond, signs * velocity[outside], radius)
    when = min(max(found.when, crossing.enter), crossing.leave)
    nearest = found.nearest
    if when != found.when:
        there = beyond + when * signs * velocity[outside]
        nearest = sqrt(_product(there, there))
    if not outside.any() or nearest <= radius:
        # Contact is before the nearest point, and not before the centre enters the region: until then they are apart.
        time = crossing.enter if found.enter is None else min(max(found.enter, crossing.enter), when)
        return nearest - radius, when, time
    return nearest - radius, when, None


def _miss(when: float) -> MotionStop:
    """The reason why bodies that come nearest at the time `when`, and stay apart, do not meet."""
    if when <= 0.0:
        return MotionStop.MOVING_AWAY
    return MotionStop.OUT_OF_TIME if when >= 1.0 else MotionStop.PASSES_BY


class Approach(Struct, frozen=True):
    """The closest approach of a moving point to the origin, with no limit of time, and the point's entry into a ball.

    `nearest`: the least distance, at time `when` (0 if the point does not move). `enter`: the first time at which the
    distance is the ball's radius, None if there is none. `discriminant`: `b² - a c` of the quadratic
    `a t² + 2 b t + c`, not negative if there is a root.
    """

    nearest: float
    when: float
    enter: float | None
    discriminant: float


def approach(offset: Array, velocity: Array, radius: float) -> Approach:
    """The closest approach of the point `offset + t velocity`, both (k,), to the origin, with a ball of `radius`."""
    a, b, distance = _product(velocity, velocity), _product(offset, velocity), sqrt(_product(offset, offset))
    if a == 0.0:
        return Approach(distance, 0.0, None, 0.0)
    when = -b / a
    # In one dimension the point passes through the origin; a computed distance would be only rounding.
    aside = offset + when * velocity if len(offset) > 1 else np.zeros(1)
    nearest = sqrt(_product(aside, aside))
    discriminant = a * (radius - nearest) * (radius + nearest)
    if discriminant < 0.0:
        return Approach(nearest, when, None, discriminant)
    beyond, root = (distance - radius) * (distance + radius), sqrt(discriminant)
    enter = beyond / (root - b) if b < 0.0 else (-b - root) / a
    return Approach(nearest, when, enter, discriminant)


def _product(p: Array, q: Array) -> float:
    """The scalar product of two vectors (k,); k may be 0."""
    return float(np.add.reduce(p * q))


class SpheresStage(StrEnum):
    """The part of the solution that a step found."""

    START = "START"
    CLOSEST = "CLOSEST"
    """The closest approach in [0, 1]."""
    ROOT = "ROOT"


class SpheresStep(Struct, frozen=True, eq=False):
    """The numbers known so far; None for numbers not known yet.

    `offset` (3,): from A's centre to B's at time 0. `velocity` (3,): of B relative to A. `reach`: the sum of both
    radii. `closest`: the centres' least distance in the interval, at `closest_time`. `discriminant`: of the quadratic.
    `time`: of the contact; the smaller root, or `closest_time` if the bodies only graze. `stop`: None unless the run
    ends with this step.
    """

    stage: SpheresStage
    offset: Array
    velocity: Array
    reach: float
    closest_time: float | None = None
    closest: float | None = None
    discriminant: float | None = None
    time: float | None = None
    stop: MotionStop | None = None


def spheres_steps(motion: Motion) -> Steps[SpheresStep, MotionResult]:
    """The steps for two spheres. Raises TypeError for other pairs."""
    offset, velocity, reach = motion.offset, motion.displacement, two_balls(motion.a, motion.b)
    if reach is None:
        raise TypeError("both bodies must be spheres")
    start = at_start(motion)
    yield SpheresStep(SpheresStage.START, offset, velocity, reach, stop=None if start is None else start.stop)
    if start is not None:
        return start
    found = approach(offset, velocity, reach)
    when = min(max(found.when, 0.0), 1.0)
    closest = found.nearest if when == found.when else length(offset + when * velocity)
    stop = _misses(motion, found, closest - reach)
    yield SpheresStep(SpheresStage.CLOSEST, offset, velocity, reach, when, closest, stop=stop)
    if stop is not None:
        return apart(stop)
    grazing = found.enter is None or found.enter > when
    time = when if grazing else found.enter
    assert time is not None
    stop = MotionStop.GRAZING if grazing else MotionStop.HIT
    yield SpheresStep(
        stage=SpheresStage.ROOT,
        offset=offset,
        velocity=velocity,
        reach=reach,
        closest_time=when,
        closest=closest,
        discriminant=found.discriminant,
        time=time,
        stop=stop,
    )
    return met(motion, stop, time, Provenance.EXACT)


def spheres_motion(motion: Motion) -> MotionResult:
    """The result of `spheres_steps` alone. Raises as its steps."""
    return run(spheres_steps(motion))


def _misses(motion: Motion, found: Approach, gap: float) -> MotionStop | None:
    """The reason why the closest approach, `gap` apart, is not a contact; None if it is one."""
    if gap <= motion.band:
        return None
    if motion.travel == 0.0:
        return MotionStop.NO_MOTION
    if found.when <= 0.0:
        return MotionStop.MOVING_AWAY
    return MotionStop.OUT_OF_TIME if found.enter is not None and found.enter > 1.0 else MotionStop.PASSES_BY

"""The graphics book's mistakes about moving round bodies, and a box moving against a plane, one in each function.

The question is when the bodies first meet: a time from 0 to 1, 0 if they meet at the start, infinite for never. Some
variants return the outcome instead, the text of a `MotionOutcome`. The plane bounds B, a half-space. Against a plane, a
box's effective radius replaces a sphere's radius, so the sphere's mistakes apply to the box as well. In formulas u0 and
u1 are positions at the start and at the end.

Each function of a scene raises TypeError for other shapes. It raises ValueError if a body visibly turns, or if bodies
are too large or too far apart. Only the right times test for contact at the start; all outcomes test for an overlap
there.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from msgspec.structs import replace

from ...geometry.quaternion import from_euler_xyz
from ...geometry.triple import Triple
from ...geometry.vector import Array, dot, length
from ...scene import Body, Scene
from ...shapes import Box, Ellipsoid, HalfSpace, Shape, Sphere
from ...toi.half_spaces import plane_motion, plane_setting, scaled_plane_motion
from ...toi.motion import Motion, MotionOutcome, MotionResult
from ...toi.spheres import spheres_motion
from .comparison import ArticleVariant, half_extents, radii_of, radius_of


def p1_backwards(scene: Scene) -> float:
    """A sphere's time with the motion `u1 + (u0 - u1) t`, from its end to its start."""
    distance, speed, radius = _sphere_against_plane(scene)
    return article_plane_time(distance + speed, -speed, radius)


def p1_without_initial_overlap(scene: Scene) -> float:
    """A sphere's time without the test for contact at the start."""
    return article_plane_time(*_sphere_against_plane(scene))


def p1_without_zero_motion(scene: Scene) -> str:
    """A sphere's outcome, with a division by its speed along the normal.

    A ball that rolls on the plane gives 0/0, which is NaN and counts as a time from 0 to 1.
    """
    return article_plane_outcome(*_sphere_against_plane(scene))


def p4_sum_of_velocities(scene: Scene) -> float:
    """The time of two spheres with the velocities added instead of subtracted."""
    way = scene.b.pose.position - scene.a.pose.position
    return _smaller_root(way, np.array(scene.a.displacement) + np.array(scene.b.displacement), _radii(scene))


def p4_backwards(scene: Scene) -> float:
    """The time of two spheres with the motion `u1 + (u0 - u1) t`, from its end to its start.

    The smaller root is then the moment at which the spheres separate, counted from the end.
    """
    motion = _spheres(scene)
    return _smaller_root(motion.offset + motion.displacement, -motion.displacement, _radii(scene))


def p4_without_initial_overlap(scene: Scene) -> float:
    """The time of two spheres by the smaller root only.

    For spheres that overlap at the start, the smaller root is negative, and the result is infinite.
    """
    motion = _spheres(scene)
    return _smaller_root(motion.offset, motion.displacement, _radii(scene))


def p4_without_zero_motion(scene: Scene) -> str:
    """The outcome of two spheres, with a division by the squared relative speed.

    An overlap at the start is found first. Without relative motion the division is 0/0. The result NaN is neither below
    0 nor above 1, so it counts as a hit.
    """
    motion, radii = _spheres(scene), _radii(scene)
    if length(motion.offset) < radii:
        return MotionOutcome.INITIAL_OVERLAP.value
    with np.errstate(all="ignore"):
        a = np.float64(dot(motion.displacement, motion.displacement))
        b, c = dot(motion.offset, motion.displacement), dot(motion.offset, motion.offset) - radii * radii
        time = (-b - np.sqrt(b * b - a * c)) / a
    missed = time < 0.0 or time > 1.0 or b * b - a * c < 0.0
    return (MotionOutcome.SEPARATED if missed else MotionOutcome.HIT).value


def p13_normal_like_a_point(scene: Scene) -> float:
    """The time of ellipsoid A against the plane, in the space in which the ellipsoid is a unit sphere.

    The mistake: the plane's normal is divided by the radii, as points are.
    """
    radii, motion = radii_of(scene.a), Motion.of(scene.a, scene.b)
    setting, pose = plane_setting(motion), motion.a.pose
    normal, velocity = pose.direction_to_local(setting.normal), pose.direction_to_local(setting.velocity)
    scaled = normal / radii
    scaled = scaled / length(scaled)
    distance = -dot(scaled, -setting.distance * normal / radii)
    return article_plane_time(distance, dot(scaled, velocity / radii), 1.0)


def article_plane_time(distance: float, speed: float, radius: float) -> float:
    """The time at which a sphere meets a plane, infinite unless from 0 to 1; without a test for contact at the start.

    `distance`: signed, of the centre from the plane. `speed`: along the plane's normal, negative against it. From
    behind, at a negative distance, the sphere meets the plane's other side.
    """
    if distance * speed >= 0.0 and speed >= 0.0:
        return inf
    time = ((radius if distance > 0.0 else -radius) - distance) / speed
    return time if 0.0 <= time <= 1.0 else inf


def article_plane_outcome(distance: float, speed: float, radius: float) -> str:
    """The outcome of a sphere and a plane: a hit unless the time is below 0 or above 1; NaN is neither.

    An overlap at the start is found first. Arguments as in `article_plane_time`.
    """
    if distance < radius:
        return MotionOutcome.INITIAL_OVERLAP.value
    with np.errstate(all="ignore"):
        time = (radius - distance) / np.float64(speed)
    return (MotionOutcome.SEPARATED if time < 0.0 or time > 1.0 else MotionOutcome.HIT).value


def right_plane_time(scene: Scene) -> float:
    """The time at which A first meets the half-space B; infinite if it does not."""
    return time_or_never(plane_motion(Motion.of(scene.a, scene.b)))


def right_plane_outcome(scene: Scene) -> str:
    """The right outcome of A's motion against the half-space B."""
    return plane_motion(Motion.of(scene.a, scene.b)).outcome.value


def _sphere_against_plane(scene: Scene) -> tuple[float, float, float]:
    """Returns the signed distance of sphere A's centre from B's plane, its speed along the normal, and its radius."""
    radius = radius_of(scene.a)
    setting = plane_setting(Motion.of(scene.a, scene.b))
    return setting.distance, dot(setting.normal, setting.velocity), radius


def _smaller_root(offset: Array, velocity: Array, radius: float) -> float:
    a, b, c = dot(velocity, velocity), dot(offset, velocity), dot(offset, offset) - radius * radius
    if a == 0.0 or b * b - a * c < 0.0:
        return inf
    time = (-b - sqrt(b * b - a * c)) / a
    return time if 0.0 <= time <= 1.0 else inf


def _spheres(scene: Scene) -> Motion:
    _radii(scene)
    return Motion.of(scene.a, scene.b)


def _radii(scene: Scene) -> float:
    return radius_of(scene.a) + radius_of(scene.b)


def time_or_never(result: MotionResult) -> float:
    """The time of the first contact; infinite if there is none."""
    return inf if result.time is None else result.time


def _spheres_time(scene: Scene) -> float:
    return time_or_never(spheres_motion(Motion.of(scene.a, scene.b)))


def falling(name: str, shape: Shape, height: float, way: Triple, **more: tuple[float, ...]) -> Scene:
    """A scene with a body at `height` over the ground y = 0. `way`: its displacement; `more`: other fields of Body."""
    body = replace(Body(shape, (0.0, height, 0.0), displacement=way), **more)
    return Scene(body, Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), name)


def _balls(name: str, at: Triple, way_a: Triple, way_b: Triple) -> Scene:
    return Scene(Body(Sphere(1.0), displacement=way_a), Body(Sphere(1.0), at, displacement=way_b), name)


_STILL = (0.0, 0.0, 0.0)
_TILTED = from_euler_xyz(0.3, 0.2, 0.6)
_DROPPED = falling("A ball falls on the ground", Sphere(1.0), 3.0, (0.0, -2.5, 0.0))
_THROUGH = falling("A ball falls as far below the ground as it was above", Sphere(1.0), 3.0, (0.0, -6.0, 0.0))
_FLYING = falling("A ball flies over the ground", Sphere(1.0), 3.0, (5.0, 0.0, 0.0))
_LEAVING = falling("A ball half in the ground leaves it", Sphere(1.0), 0.5, (0.0, 2.0, 0.0))
_SLIDING = falling("A ball half in the ground slides along", Sphere(1.0), 0.5, (2.0, 0.0, 0.0))
_ROLLING = falling("A ball rolls along the ground", Sphere(1.0), 1.0, (2.0, 0.0, 0.0))
_MEETING = _balls("Two balls touch half way", (6.0, 0.0, 0.0), (2.0, 0.0, 0.0), (-2.5, 0.0, 0.0))
_ONE_STILL = _balls("A ball rolls against one that lies still", (6.0, 0.5, 0.0), _STILL, (-7.0, 0.0, 0.0))
_SHOT = _balls("A ball passes through another and goes on as far", (6.0, 0.5, 0.0), _STILL, (-12.0, 0.0, 0.0))
_PARTING = _balls("Two overlapping balls separate", (1.0, 0.0, 0.0), _STILL, (3.0, 0.0, 0.0))
_ABREAST = _balls("Two balls abreast", (3.0, 0.0, 0.0), (-2.0, 0.0, 0.0), (-2.0, 0.0, 0.0))
_RESTING = _balls("Two balls apart", (4.0, 0.0, 0.0), _STILL, _STILL)

MOVING_ROUNDS = (
    ArticleVariant(
        id="P1-backwards",
        title="Sphere and plane: motion run backwards",
        article=p1_backwards,
        right=right_plane_time,
        why="The motion is written as u1 + (u0 - u1) t, so t counts from the end, and the plane is reached from "
        "behind.",
        breaks=(_DROPPED,),
        agrees=(_THROUGH, _FLYING),
    ),
    ArticleVariant(
        id="P1-initial-overlap",
        title="No test for a sphere that starts in the plane",
        article=p1_without_initial_overlap,
        right=right_plane_time,
        why="If the sphere starts in the plane, its time lies before the start or it moves away: both count as "
        "no contact.",
        breaks=(_LEAVING, _SLIDING, falling("A ball sinks deeper into the ground", Sphere(1.0), 0.5, (0.0, -0.5, 0.0))),
        agrees=(_DROPPED, _FLYING),
    ),
    ArticleVariant(
        id="P1-zero-motion",
        title="No test for a sphere that does not move towards the plane",
        article=p1_without_zero_motion,
        right=right_plane_outcome,
        why="A sphere rolling on the plane gives 0/0, and the range test lets the NaN through.",
        breaks=(_ROLLING,),
        agrees=(_DROPPED, _FLYING, _LEAVING, _SLIDING),
    ),
    ArticleVariant(
        id="P4-sum",
        title="The velocities are added",
        article=p4_sum_of_velocities,
        right=_spheres_time,
        why="Seen from A, a point of B moves by the difference of the velocities; head on, their sum is 0.",
        breaks=(_MEETING, _ABREAST),
        agrees=(_ONE_STILL, _SHOT),
    ),
    ArticleVariant(
        id="P4-backwards",
        title="Two spheres: motion run backwards",
        article=p4_backwards,
        right=_spheres_time,
        why="Run backwards, the smaller root is the last contact, counted from the end.",
        breaks=(_ONE_STILL, _MEETING),
        agrees=(_SHOT, _balls("Two balls pass", (6.0, 3.0, 0.0), _STILL, (-9.0, 0.0, 0.0))),
    ),
    ArticleVariant(
        id="P4-initial-overlap",
        title="No test for spheres that already overlap",
        article=p4_without_initial_overlap,
        right=_spheres_time,
        why="If two spheres overlap at the start, the smaller root lies before it and is taken for no contact.",
        breaks=(_PARTING,),
        agrees=(_ONE_STILL, _MEETING),
    ),
    ArticleVariant(
        id="P4-zero-motion",
        title="No test for spheres that do not move",
        article=p4_without_zero_motion,
        right=lambda scene: spheres_motion(_spheres(scene)).outcome.value,
        why="Without relative motion the root is 0/0, and the range test lets the NaN through.",
        breaks=(_RESTING, _ABREAST),
        agrees=(_ONE_STILL, _balls("Two balls pass", (6.0, 3.0, 0.0), _STILL, (-9.0, 0.0, 0.0))),
    ),
    ArticleVariant(
        id="P13-normal",
        title="The plane's normal scaled like a point",
        article=p13_normal_like_a_point,
        right=lambda scene: time_or_never(scaled_plane_motion(Motion.of(scene.a, scene.b))),
        why="Normals scale by the inverse transpose: divided by the radii, the plane turns the wrong way.",
        breaks=(falling("A tilted egg falls", Ellipsoid((2.0, 0.5, 1.0)), 4.0, (0.0, -4.0, 0.0), rotation=_TILTED),),
        agrees=(
            falling("An upright egg falls", Ellipsoid((1.0, 2.0, 0.5)), 4.0, (0.0, -4.0, 0.0)),
            falling("A round egg falls", Ellipsoid((1.0, 1.0, 1.0)), 4.0, (0.5, -4.0, 0.0), rotation=_TILTED),
        ),
    ),
)


def p2_backwards(scene: Scene) -> float:
    """A box's time with the motion `u1 + (u0 - u1) t`, from its end to its start."""
    distance, speed, radius = _box_against_plane(scene)
    return article_plane_time(distance + speed, -speed, radius)


def p2_without_initial_overlap(scene: Scene) -> float:
    """A box's time without the test for contact at the start."""
    return article_plane_time(*_box_against_plane(scene))


def p2_without_zero_motion(scene: Scene) -> str:
    """A box's outcome, with a division by its speed along the normal.

    A box that slides on the plane gives 0/0, which is NaN and counts as a time from 0 to 1.
    """
    return article_plane_outcome(*_box_against_plane(scene))


def _box_against_plane(scene: Scene) -> tuple[float, float, float]:
    """Returns the signed distance of box A's centre from B's plane, A's speed along the normal and effective radius."""
    half = half_extents(scene.a)
    setting = plane_setting(Motion.of(scene.a, scene.b))
    radius = dot(np.abs(scene.a.pose.direction_to_local(setting.normal)), half)
    return setting.distance, dot(setting.normal, setting.velocity), radius


_BRICK = Box((2.0, 1.0, 3.0))
_BRICK_DROPPED = falling("A turned box falls on the ground", _BRICK, 4.0, (0.0, -3.0, 0.0), rotation=_TILTED)
_BRICK_THROUGH = falling("A box falls as far below the ground as it was above", _BRICK, 3.0, (0.0, -6.0, 0.0))
_BRICK_FLYING = falling("A box flies over the ground", _BRICK, 3.0, (5.0, 0.0, 0.0), rotation=_TILTED)
_BRICK_LEAVING = falling("A box half in the ground leaves it", _BRICK, 0.25, (0.0, 2.0, 0.0))
_BRICK_SLIDING = falling("A box slides along the ground", _BRICK, 0.5, (2.0, 0.0, 0.0))

MOVING_BOX_PLANE = (
    ArticleVariant(
        id="P2-backwards",
        title="Box and plane: motion run backwards",
        article=p2_backwards,
        right=right_plane_time,
        why="The motion is written as u1 + (u0 - u1) t, so t counts from the end, and the plane is reached from "
        "behind.",
        breaks=(_BRICK_DROPPED,),
        agrees=(_BRICK_THROUGH, _BRICK_FLYING),
    ),
    ArticleVariant(
        id="P2-initial-overlap",
        title="No test for a box that starts in the plane",
        article=p2_without_initial_overlap,
        right=right_plane_time,
        why="If the box starts in the plane, its time lies before the start or it moves away: both count as no "
        "contact.",
        breaks=(_BRICK_LEAVING, falling("A box sinks deeper into the ground", _BRICK, 0.25, (0.0, -0.25, 0.0))),
        agrees=(_BRICK_DROPPED, _BRICK_FLYING),
    ),
    ArticleVariant(
        id="P2-zero-motion",
        title="No test for a box that does not move towards the plane",
        article=p2_without_zero_motion,
        right=right_plane_outcome,
        why="A box sliding on the plane gives 0/0, and the range test lets the NaN through.",
        breaks=(_BRICK_SLIDING,),
        agrees=(_BRICK_DROPPED, _BRICK_FLYING, _BRICK_LEAVING),
    ),
)

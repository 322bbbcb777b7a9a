"""Motions to try, and a judge of their answers that knows none of the algorithms for motion.

A hit is judged by its certificate: the normal proves that the bodies are not deeper than rounding at the reported time
(and, where nothing turns, that they were apart before it), and the two points, which lie on the two shapes by their
definition, that they are not farther apart. That they stay apart is proved by distances at ever finer times: between
two times at distances d0 and d1 nothing happens that moves by less than d0 + d1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import numpy as np
from msgspec.structs import replace
from scipy.spatial.transform import Rotation

from core.scene import Body, Scene
from core.shapes import HalfSpace
from core.study.lab.random_pair import MAKERS
from core.toi.motion import Motion, MotionOutcome, MotionResult, nearness
from tests.oracles import axes_of, support_gap
from tests.shape_truths import truth_of
from tests.strategies import CUBE_TURNS, random_rotation, triple

KINDS = tuple(MAKERS)
PAIRS = tuple((a, b) for k, a in enumerate(KINDS) for b in KINDS[k:] if (a, b) != ("halfspace", "halfspace"))

Family = Callable[[np.random.Generator, str, str], Scene]


def standing(scene: Scene, time: float) -> Scene:
    """Both bodies at a time, A's position the origin: by scipy's rotations."""

    def turned(body: Body, at: np.ndarray) -> Body:
        so_far = Rotation.from_rotvec(time * np.array(body.angular_displacement))
        rotation = (so_far * Rotation.from_quat(body.rotation, scalar_first=True)).as_quat(scalar_first=True)
        return Body(body.shape, triple(at), tuple(rotation.tolist()))

    offset = np.subtract(scene.b.position, scene.a.position)
    moved = np.subtract(scene.b.displacement, scene.a.displacement)
    return Scene(turned(scene.a, np.zeros(3)), turned(scene.b, offset + time * moved))


def extent(scene: Scene) -> float:
    """L + |T| at the start, with how far a half-space's plane is from its body's position."""
    offset = np.subtract(scene.b.position, scene.a.position)
    planes = [abs(body.shape.plane.offset) for body in (scene.a, scene.b) if isinstance(body.shape, HalfSpace)]
    return larger(scene) + float(np.linalg.norm(offset)) + sum(planes)


def larger(scene: Scene) -> float:
    """L."""
    return max(truth_of(scene.a.shape).size(), truth_of(scene.b.shape).size())


def turns(scene: Scene) -> bool:
    return any(scene.a.angular_displacement) or any(scene.b.angular_displacement)


def faults(scene: Scene, result: MotionResult, tolerance: float) -> list[str]:
    """What is wrong with an answer, in words; `tolerance` in scene units."""
    if result.outcome is MotionOutcome.HIT:
        return _of_a_hit(scene, result, tolerance)
    if result.outcome is MotionOutcome.SEPARATED:
        deep = touched_before(scene, 1.0, 1e-3 * larger(scene), tolerance)
        return [] if deep is None else [f"tunnelled: separation {deep[1]:.3g} at time {deep[0]:.17g}"]
    if result.outcome is MotionOutcome.INITIAL_OVERLAP:
        start = nearness(*Motion.of(scene.a, scene.b).at(0.0)).separation
        return [] if start <= tolerance else [f"no overlap at the start: {start:.3g}"]
    return [] if 0.0 <= result.free <= 1.0 else [f"free until {result.free}"]


def _of_a_hit(scene: Scene, result: MotionResult, tolerance: float) -> list[str]:
    assert result.time is not None
    assert result.normal is not None
    assert result.witness_a is not None
    assert result.witness_b is not None
    there, normal = standing(scene, result.time), result.normal
    said = []
    if not 0.0 <= result.time <= 1.0 or result.free > result.time:
        said.append(f"time {result.time:.17g}, free until {result.free:.17g}")
    if abs(float(normal @ normal) - 1.0) > 1e-13:
        said.append(f"normal of length {np.sqrt(normal @ normal):.17g}")
    gap = support_gap(there, _facing(there, normal))
    if gap < -tolerance:
        said.append(f"deep: the normal proves {gap:.3g} only")
    about = np.array(scene.a.position) + result.time * np.array(scene.a.displacement)
    world = float(np.abs(about).max()) * 4e-16
    for name, body, point in (("A", there.a, result.witness_a), ("B", there.b, result.witness_b)):
        excess = truth_of(body.shape).height((point - about - np.array(body.position)) @ axes_of(body))
        if excess > tolerance + world:
            said.append(f"point {excess:.3g} outside {name}")
    left = float(np.linalg.norm(result.witness_b - result.witness_a))
    if left > tolerance + world:
        said.append(f"far: points {left:.3g} apart")
    if turns(scene):
        deep = touched_before(scene, result.time, 1e-3 * larger(scene), tolerance)
        return said if deep is None else [*said, f"late: separation {deep[1]:.3g} at time {deep[0]:.17g}"]
    closing = -float(normal @ np.subtract(scene.b.displacement, scene.a.displacement))
    # A normal that opens, as rounding may turn it where bodies graze, proves nothing about the time before.
    if closing * result.time < -tolerance and (least := _least_distance(scene, result.time)) < -tolerance:
        said.append(f"late: separation {least:.3g} before")
    return said


def _least_distance(scene: Scene, until: float) -> float:
    """Of bodies that do not turn, whose distance falls and then rises."""
    motion, low, high = Motion.of(scene.a, scene.b), 0.0, until
    for _ in range(60):
        first, second = low + 0.45 * (high - low), low + 0.55 * (high - low)
        if nearness(*motion.at(first)).separation <= nearness(*motion.at(second)).separation:
            high = second
        else:
            low = first
    return nearness(*motion.at(low)).separation


def _facing(scene: Scene, normal: np.ndarray) -> np.ndarray:
    """The normal; against a half-space its plane's own to the last place, if that is what it is to rounding."""
    for body, side in ((scene.a, 1.0), (scene.b, -1.0)):
        if isinstance(body.shape, HalfSpace):
            own = side * axes_of(body) @ np.array(body.shape.normal) / hypot(*body.shape.normal)
            return own if np.abs(own - normal).max() < 1e-12 else normal
    return normal


def touched_before(scene: Scene, until: float, grain: float, tolerance: float) -> tuple[float, float] | None:
    """A time before `until` at which the bodies overlap by more than `tolerance`, and their separation there.

    None where they are proved apart but for stretches on which they move by less than `grain`.
    """
    motion = Motion.of(scene.a, scene.b)
    speed = motion.travel + _swing(scene, motion)

    def distance(time: float) -> float:
        near = nearness(*motion.at(time))
        return near.separation - near.certainty.gap

    open_ = [(0.0, distance(0.0), until, distance(until))] if until > 0.0 else []
    while open_:
        start, before, end, after = open_.pop()
        for time, found in ((start, before), (end, after)):
            if found < -tolerance:
                return time, found
        if before + after > speed * (end - start) or speed * (end - start) <= grain:
            continue
        middle = 0.5 * (start + end)
        between = distance(middle)
        open_ += [(start, before, middle, between), (middle, between, end, after)]
    return None


def _swing(scene: Scene, motion: Motion) -> float:
    """How fast turning moves any point of either body, or a half-space's plane near the other body."""
    total = 0.0
    for body in (scene.a, scene.b):
        spin = hypot(*body.angular_displacement)
        if isinstance(body.shape, HalfSpace):
            total += spin * (float(np.linalg.norm(motion.offset)) + motion.travel + larger(scene))
        else:
            total += spin * truth_of(body.shape).size()
    return total


def general(rng: np.random.Generator, first: str, second: str) -> Scene:
    """Two bodies anywhere about each other, and a relative motion aimed past A's position by about a size."""
    shapes = [MAKERS[kind](rng) for kind in (first, second)]
    start = rng.normal(size=3)
    start *= rng.uniform(1.8, 6.0) / np.linalg.norm(start)
    aim = 0.8 * rng.normal(size=3)
    a = Body(shapes[0], triple(rng.normal(size=3)), random_rotation(rng), triple(rng.normal(size=3)))
    b = Body(shapes[1], triple(start + a.position), random_rotation(rng))
    for body, other, sign in ((a, b, -1.0), (b, a, 1.0)):
        if isinstance(body.shape, HalfSpace):
            # So that the other body begins in front more often than not.
            outward = axes_of(body) @ np.array(body.shape.normal)
            if (other is b and float(outward @ start) * sign > 0.0) or (other is a and float(outward @ -start) < 0.0):
                b = replace(b, position=triple(np.array(a.position) - start))
                start = -start
    way = (aim - start) * rng.uniform(0.6, 2.0)
    return replace_motion(Scene(a, b), way)


def replace_motion(scene: Scene, way: np.ndarray) -> Scene:
    """The scene with B moving by `way` relative to A."""
    return replace(scene, b=replace(scene.b, displacement=triple(np.add(scene.a.displacement, way))))


def aligned(rng: np.random.Generator, first: str, second: str) -> Scene:
    """The frames' axes agree and the motion runs along one of them or across one: l·d = 0 on many an axis."""
    scene = general(rng, first, second)
    a, b = (replace(body, rotation=CUBE_TURNS[rng.integers(24)]) for body in (scene.a, scene.b))
    way = np.subtract(scene.b.displacement, scene.a.displacement)
    way[rng.integers(3)] = 0.0
    if rng.random() < 0.5:
        way = np.where(np.abs(way) == np.abs(way).max(), way, 0.0)
    still = replace(a, displacement=(0.0, 0.0, 0.0))
    return replace_motion(replace(scene, a=still, b=b), way)


def fast(rng: np.random.Generator, first: str, second: str) -> Scene:
    """A thousand sizes in one interval: start and end are far apart, and what happens happens in between."""
    scene = general(rng, first, second)
    return replace_motion(scene, 300.0 * np.subtract(scene.b.displacement, scene.a.displacement))


def grazing(rng: np.random.Generator, first: str, second: str) -> Scene:
    """Moved along a tangent: the bodies come to touch, or to a hair's breadth, and part again."""
    scene = general(rng, first, second)
    a, b = scene.a, replace(scene.b, displacement=scene.a.displacement)
    near = nearness(*Motion.of(a, b).at(0.0))
    normal = near.proximity.normal
    gap = float(rng.choice((0.0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-5))) * larger(scene)
    beside = np.cross(normal, rng.normal(size=3))
    touching = np.array(b.position) + (gap - near.separation) * normal
    return replace_motion(replace(scene, a=a, b=replace(b, position=triple(touching - beside))), 2.0 * beside)


def resting(rng: np.random.Generator, first: str, second: str) -> Scene:
    """In contact, or nearly, at the start: moving on, apart, along the surface, or not at all."""
    scene = general(rng, first, second)
    near = nearness(*Motion.of(scene.a, scene.b).at(0.0))
    normal = near.proximity.normal
    gap = float(rng.choice((0.0, 1e-15, -1e-15, 1e-10, 1e-7))) * larger(scene)
    place = triple(np.array(scene.b.position) + (gap - near.separation) * normal)
    along = np.cross(normal, rng.normal(size=3))
    way = (np.zeros(3), normal, -normal, along)[int(rng.integers(4))]
    return replace_motion(replace(scene, b=replace(scene.b, position=place)), way)


def far_away(rng: np.random.Generator, first: str, second: str) -> Scene:
    """A general pair a million sizes from the world's origin."""
    scene = general(rng, first, second)
    far = 1e6 * rng.normal(size=3)

    def there(body: Body) -> Body:
        return replace(body, position=triple(far + body.position))

    return replace(scene, a=there(scene.a), b=there(scene.b))


FAMILIES: tuple[Family, ...] = (general, aligned, fast, grazing, resting, far_away)


def turning(rng: np.random.Generator, first: str, second: str) -> Scene:
    """A general pair that turns as well, one body or both, by up to about two thirds of a turn."""
    scene = general(rng, first, second)
    for name in ("a", "b"):
        if rng.random() < 0.75:
            body = getattr(scene, name)
            scene = replace(scene, **{name: replace(body, angular_displacement=triple(1.5 * rng.normal(size=3)))})
    return scene

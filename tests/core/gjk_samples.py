"""Pairs to try GJK and EPA on, and independent judges of their answers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from core.geometry.quaternion import IDENTITY, Quaternion, from_axis_angle, multiply, normalized, rotate
from core.geometry.vector import Array
from core.gjk.gjk_epa import SignedDistance
from core.minkowski.difference import difference
from core.minkowski.distance import nearest_boundary_point
from core.pair.pair import PairScale
from core.scene import Body, Scene
from core.shapes import Box, Hull

Generator = np.random.Generator


def _cube_rotations() -> tuple[Quaternion, ...]:
    """The 24 rotations that take a cube into itself (some twice), composed of quarter turns."""
    quarter = [from_axis_angle(axis, k * np.pi / 2) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)) for k in range(4)]
    return tuple(normalized(multiply(p, q)) for p, q in product(quarter, quarter))


CUBE_ROTATIONS = _cube_rotations()


def turn(rng: Generator) -> Quaternion:
    w, x, y, z = rng.normal(size=4).tolist()
    return normalized((w, x, y, z))


def quarter_turn(rng: Generator) -> Quaternion:
    return CUBE_ROTATIONS[int(rng.integers(len(CUBE_ROTATIONS)))]


def way(rng: Generator) -> Array:
    direction = rng.normal(size=3)
    return direction / np.sqrt(direction @ direction)


def scene_of(a: Box, turn_a: Quaternion, b: Box, turn_b: Quaternion, offset: Array) -> Scene:
    x, y, z = offset.tolist()
    return Scene(Body(a, rotation=turn_a), Body(b, (x, y, z), turn_b))


def box(rng: Generator, low: float, high: float) -> Box:
    """Edge lengths spread evenly in the exponent, 10**low to 10**high."""
    x, y, z = (10.0 ** rng.uniform(low, high, 3)).tolist()
    return Box((x, y, z))


def whole_box(rng: Generator) -> Box:
    x, y, z = rng.integers(1, 4, 3).astype(float).tolist()
    return Box((x, y, z))


def general(rng: Generator) -> Scene:
    a, b = box(rng, -1, 1), box(rng, -1, 1)
    return scene_of(
        a, turn(rng), b, turn(rng), way(rng) * rng.uniform(0, 1.2) * (a.bounding_radius + b.bounding_radius)
    )


def aligned(rng: Generator) -> Scene:
    offset = 0.5 * rng.integers(-6, 7, 3)
    return scene_of(whole_box(rng), quarter_turn(rng), whole_box(rng), quarter_turn(rng), offset)


def near_aligned(rng: Generator) -> Scene:
    x, y, z = rng.normal(size=3).tolist()
    lean = from_axis_angle((x, y, z), float(10.0 ** rng.uniform(-16, -3)))
    offset = 0.5 * rng.integers(-6, 7, 3) + 10.0 ** rng.uniform(-16, -2) * rng.normal(size=3)
    turned = normalized(multiply(quarter_turn(rng), lean))
    return scene_of(whole_box(rng), quarter_turn(rng), whole_box(rng), turned, offset)


def deep(rng: Generator) -> Scene:
    return scene_of(box(rng, -0.3, 0.3), turn(rng), box(rng, -0.3, 0.3), turn(rng), 0.1 * rng.normal(size=3))


def contained(rng: Generator) -> Scene:
    return scene_of(box(rng, 0, 0.5), turn(rng), box(rng, -2, -1), turn(rng), 0.2 * rng.normal(size=3))


def coincident(rng: Generator) -> Scene:
    shape, rotation = box(rng, -0.3, 0.3), turn(rng)
    other = rotation if rng.random() < 0.5 else normalized(multiply(rotation, quarter_turn(rng)))
    return scene_of(shape, rotation, shape, other, np.zeros(3))


def needles(rng: Generator) -> Scene:
    x, y, z = rng.permutation((1e4, 1.0, 1.0)).tolist()
    offset = rng.normal(size=3) * 10.0 ** rng.uniform(-2, 3)
    return scene_of(Box((1e4, 1.0, 1.0)), turn(rng), Box((x, y, z)), turn(rng), offset)


def tiny_on_huge(rng: Generator) -> Scene:
    rotation = turn(rng)
    offset = np.array(rotate(rotation, (0.0, 0.0, 0.5e6))) + 1e-6 * rng.normal(size=3)
    return scene_of(Box((1e6, 1e6, 1e6)), rotation, box(rng, -6, -5), turn(rng), offset)


def tiny(rng: Generator) -> Scene:
    return scene_of(box(rng, -6, -5), turn(rng), box(rng, -6, -5), turn(rng), 3e-6 * rng.normal(size=3))


def huge(rng: Generator) -> Scene:
    return scene_of(box(rng, 5, 6), turn(rng), box(rng, 5, 6), turn(rng), 3e5 * rng.normal(size=3))


def far_apart(rng: Generator) -> Scene:
    return scene_of(box(rng, 0, 0.1), turn(rng), box(rng, 0, 0.1), turn(rng), 1e6 * rng.normal(size=3))


def far_from_origin(rng: Generator) -> Scene:
    scene = general(rng)
    x, y, z = (1e6 * rng.normal(size=3)).tolist()
    bx, by, bz = scene.b.position
    return Scene(
        Body(scene.a.shape, (x, y, z), scene.a.rotation), Body(scene.b.shape, (x + bx, y + by, z + bz), turn(rng))
    )


def nearly_touching(rng: Generator) -> Scene:
    """Moved along the shortest way until a gap or an overlap of 1e-17 to 1e-6 is left."""
    a, b, turn_a, turn_b = box(rng, -0.3, 0.3), box(rng, -0.3, 0.3), turn(rng), turn(rng)
    offset = 3.0 * way(rng)
    normal = offset
    for _ in range(4):
        scene = scene_of(a, turn_a, b, turn_b, offset)
        point = nearest_boundary_point(difference(scene.a, scene.b))
        normal, offset = point.normal, offset - point.separation * point.normal
    left = 10.0 ** rng.uniform(-17, -6) * rng.choice((-1.0, 1.0))
    return scene_of(a, turn_a, b, turn_b, offset + left * normal)


Family = Callable[[Generator], Scene]

FAMILIES: tuple[Family, ...] = (
    general,
    aligned,
    near_aligned,
    deep,
    contained,
    coincident,
    needles,
    tiny_on_huge,
    tiny,
    huge,
    far_apart,
    far_from_origin,
    nearly_touching,
)


def random_hull(rng: Generator, count: int) -> Hull:
    return Hull.of(rng.normal(size=(count, 3)) * rng.uniform(0.3, 1.5, 3))


def reach(scene: Scene, normals: Array) -> Array:
    """Support values (n,) of the bodies' difference A - B along unit normals (n, 3), from the shapes' own reach."""
    a, b = scene.a, scene.b
    offset = b.pose.position - a.pose.position
    along_a = a.shape.reach(normals @ a.pose.matrix)
    along_b = b.shape.reach(-normals @ b.pose.matrix)
    return np.asarray(along_a + along_b - normals @ offset)


def outside_by(body: Body, point: Array, normals: Array) -> float:
    """How far a point, relative to the body's position, sticks out of the body along some of the unit normals."""
    return float((normals @ point - body.shape.reach(normals @ body.pose.matrix)).max())


def directions(rng: Generator, count: int) -> Array:
    rows = rng.normal(size=(count, 3))
    return np.asarray(rows / np.sqrt((rows**2).sum(axis=1))[:, None])


def judge(scene: Scene, answer: SignedDistance, normals: Array, tolerance: float) -> None:
    """What an answer must stand up to without any other algorithm: its own normal, witnesses and bounds.

    `normals` (n, 3): directions in which nothing may contradict it. `tolerance`: in units of L + |T|.
    """
    scale = PairScale.of(scene.a, scene.b)
    slack = tolerance * scale.extent
    gap = answer.upper - answer.lower
    for value in (answer.separation, answer.lower, answer.upper, *answer.witness_a, *answer.witness_b):
        assert np.isfinite(value)
    assert answer.lower <= answer.separation <= answer.upper
    assert abs(answer.normal @ answer.normal - 1.0) <= 1e-14
    proved = -float(reach(scene, answer.normal.reshape(1, 3))[0])
    # A bound that is only as good as a direction is: no direction may prove more than the answer allows.
    assert max(proved, float(-reach(scene, normals).min())) <= answer.upper + slack
    assert proved >= answer.lower - slack
    between = answer.witness_b - answer.witness_a
    assert abs(np.sqrt(between @ between) - abs(answer.separation)) <= gap + slack
    test = np.concatenate((normals, answer.normal.reshape(1, 3), -answer.normal.reshape(1, 3)))
    assert outside_by(scene.a, answer.witness_a, test) <= gap + slack
    assert outside_by(scene.b, answer.witness_b - scale.offset, test) <= gap + slack


PLAIN = Scene(Body(Box((1.0, 1.0, 1.0)), rotation=IDENTITY), Body(Box((1.0, 1.0, 1.0)), (0.7, 0.2, 0.1)))
"""Two cubes that overlap by 0.3 along x."""

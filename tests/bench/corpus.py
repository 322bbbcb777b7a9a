"""Pairs that were missed once, a row a kind: what is nearly flat, nearly one line, tiny beside large, or far away.

    tests/bench/run corpus [--pairs 20000] [--seconds 600] [--only needles] [--save FOLDER] [--write]

Judged as those of `accuracy` are, without the core's algorithms (judge.py); the table is printed in the same form.
Needs 6 ms of processor time for a pair (stacks, sizes) to 30 ms (rods in one line): an hour for 20,000 of each row.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import numpy as np
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Rounded, Scene, Shape
from core.geometry.quaternion import Quaternion, from_axis_angle, multiply, normalized
from tests.strategies import ANGLES, GAPS, WORLD_AXES, moved, random_rotation, scaled, triple

from .accuracy import Tally, table_of
from .families import Family, Posed, aligned, deep, general, near_aligned, placed, size_of_pair, some_body, touching
from .judge import judge
from .judging import Judging

ROUND = ("sphere", "capsule", "cylinder", "cone", "ellipsoid")
SOLID = ("box", "cylinder", "cone", "ellipsoid", "hull")
ANY = ("box", "hull", *ROUND)


def _of(rng: np.random.Generator, kinds: tuple[str, ...]) -> str:
    return str(rng.choice(kinds))


def _power(rng: np.random.Generator, low: float, high: float) -> float:
    return float(10.0 ** rng.uniform(low, high))


def _hull(points: np.ndarray) -> Shape:
    """The hull of the points, or of the ball about their box where they are as flat as none can be."""
    try:
        return Hull.of(points)
    except ValueError:
        return Box(triple(np.maximum(np.ptp(points, axis=0), 1e-3)))


def _near(turn: Quaternion, rng: np.random.Generator) -> Quaternion:
    """As a body that stands beside another one: turned as that, by one of ANGLES besides, or anyhow."""
    if rng.random() < 0.2:
        return random_rotation(rng)
    angle = float(rng.choice(ANGLES) * rng.uniform(0.5, 2.0))
    axis = triple(rng.normal(size=3)) if rng.random() < 0.5 else WORLD_AXES[rng.integers(3)]
    return normalized(multiply(turn, from_axis_angle(axis, angle)))


def _beside(first: Shape, second: Shape, rng: np.random.Generator, turn: Quaternion | None = None) -> Posed:
    """Two shapes nearly turned alike: one on a side of the other at one of GAPS, or its centre somewhere inside."""
    turn = random_rotation(rng) if turn is None else turn
    a, b = Body(first, rotation=turn), Body(second, rotation=_near(turn, rng))
    direction = a.pose.matrix @ np.array(WORLD_AXES[rng.integers(3)]) * rng.choice((-1.0, 1.0))
    if rng.random() < 0.5:
        return placed(a, b, direction, float(rng.choice(GAPS)) * size_of_pair(a, b))
    away = a.pose.matrix @ rng.uniform(-1.0, 1.0, size=3) * a.shape.bounding_radius * rng.choice((0.0, 0.3, 1.0))
    return Posed(Scene(a, moved(b, away)), direction)


# ---- hulls ----


def _sheets(rng: np.random.Generator) -> np.ndarray:
    """A cube with grids of points on its faces, a prism over a polygon, or points in two planes."""
    style = rng.integers(3)
    if style == 0:
        steps = np.linspace(-0.5, 0.5, int(rng.integers(3, 5)))
        grid = np.array([(x, y, z) for x in steps for y in steps for z in steps])
        points: np.ndarray = grid[np.abs(grid).max(axis=1) == 0.5]
    elif style == 1:
        turns = 2.0 * pi * np.arange(count := int(rng.integers(5, 20))) / count
        points = np.array([(0.5 * cos(t), y, 0.5 * sin(t)) for y in (-0.5, 0.5) for t in turns])
    else:
        points = rng.uniform(-0.5, 0.5, size=(14, 3))
        points[:, 1] = np.where(np.arange(14) % 2, -0.3, 0.3)
    return points


def coplanar(rng: np.random.Generator) -> Posed:
    """Hulls whose flat sides are flat but for noise of 1e-16 to 1e-6 of their size."""
    first, second = (
        _hull((at := _sheets(rng)) + _power(rng, -16.0, -6.0) * rng.normal(size=at.shape)) for _ in range(2)
    )
    return _beside(first, second, rng)


def single_precision(rng: np.random.Generator) -> Posed:
    """Meshes as a file of single precision has them, modelled somewhere, turned, and written."""
    shapes = []
    for _ in range(2):
        turned = Body(Box((1.0, 1.0, 1.0)), rotation=random_rotation(rng)).pose.matrix
        at = rng.choice((0.0, 1.0, 10.0)) * rng.normal(size=3)
        points = (_sheets(rng) @ turned.T + at).astype(np.float32).astype(np.float64)
        shapes.append(_hull(points - at))
    return _beside(shapes[0], shapes[1], rng)


def icospheres(rng: np.random.Generator) -> Posed:
    """Balls of 12 or 42 corners, stretched at times, beside each other or any other shape."""
    first = _hull(_ball(int(rng.integers(2))) * (0.5, rng.choice((0.5, 0.05)), 0.5))
    if rng.random() < 0.5:
        return _beside(first, _hull(_ball(int(rng.integers(2))) * rng.uniform(0.1, 1.0)), rng)
    turn = random_rotation(rng)
    return _beside(first, some_body(_of(rng, ANY), rng, turn, nice=False).shape, rng, turn)


def _ball(halved: int) -> np.ndarray:
    """The corners of an icosahedron about the origin, at distance 1, with the middles of its edges if `halved`."""
    golden = (1.0 + 5.0**0.5) / 2.0
    corners = np.array([(0.0, y, z * golden) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    points: np.ndarray = np.vstack((corners, corners[:, (1, 2, 0)], corners[:, (2, 0, 1)]))
    points /= np.linalg.norm(points[0])
    if halved:
        ways = np.linalg.norm(points[:, None] - points[None], axis=2)
        middles = np.array([points[i] + points[j] for i in range(12) for j in range(i) if ways[i, j] < 1.1])
        points = np.vstack((points, middles / np.linalg.norm(middles, axis=1)[:, None]))
    return points


# ---- thin ----


def _thin(rng: np.random.Generator, aspect: float) -> Shape:
    """A needle or a disc, `aspect` times as long as thick."""
    x, y, z = rng.permutation((1.0, 1.0 / aspect, rng.choice((1.0, 1.0 / aspect)))).tolist()
    kind = _of(rng, ("box", "ellipsoid", "cylinder", "cone", "capsule"))
    match kind:
        case "box":
            return Box((x, y, z))
        case "ellipsoid":
            return Ellipsoid((x, y, z))
        case "capsule":
            return Capsule(1.0 / aspect, 1.0)
        case "cylinder":
            return Cylinder(x, y)
        case _:
            return Cone(x, y)


def needles(rng: np.random.Generator) -> Posed:
    """Needles and discs of an aspect to 1e24, crossing, in one line, or beside any other shape."""
    first = _thin(rng, _power(rng, 0.0, 24.0))
    if rng.random() < 0.6:
        return _beside(first, _thin(rng, _power(rng, 0.0, 24.0)), rng)
    turn = random_rotation(rng)
    return _beside(first, some_body(_of(rng, ANY), rng, turn, nice=False).shape, rng, turn)


def collinear(rng: np.random.Generator) -> Posed:
    """Rods, to an aspect of 1e24, whose axes are one line but for 1e-17 to 1e-9."""
    turn, off = random_rotation(rng), _power(rng, -17.0, -9.0)
    a, b = (Body(_rod(rng), rotation=turn) for _ in range(2))
    b = replace(b, rotation=normalized(multiply(turn, from_axis_angle(triple(rng.normal(size=3)), off))))
    direction = a.pose.matrix[:, 1]
    at = rng.uniform(-1.5, 1.5) * direction + off * rng.normal(size=3)
    return Posed(Scene(a, moved(b, at)), direction)


def _rod(rng: np.random.Generator) -> Shape:
    thin = _power(rng, -24.0 if rng.random() < 0.5 else -6.0, -0.5)
    shapes = (Capsule(thin, 1.0), Cylinder(thin, 1.0), Ellipsoid((thin, 0.5, thin)), Box((thin, 1.0, thin)))
    return shapes[int(rng.integers(4))]


def flat_cones(rng: np.random.Generator) -> Posed:
    """Cones and cylinders up to 1e12 times as wide as high, or as high as wide."""
    wide = _power(rng, -12.0, 0.0)
    radius, height = (1.0, wide) if rng.random() < 0.6 else (wide, 1.0)
    first = (Cone if rng.random() < 0.7 else Cylinder)(radius, height)
    turn = random_rotation(rng)
    return _beside(first, some_body(_of(rng, ANY), rng, turn, nice=False).shape, rng, turn)


# ---- rims and apexes ----


def _towards(rng: np.random.Generator) -> np.ndarray:
    """A direction of a solid of revolution's frame: along the axis or across it but for one of ANGLES, or any."""
    along, across = float(rng.choice(ANGLES)), 2.0 * pi * rng.random()
    if (style := rng.integers(4)) == 0:
        return np.array((0.0, rng.choice((-1.0, 1.0)), 0.0)) + along * rng.normal(size=3)
    if style == 1:
        return np.array((cos(across), along, sin(across)))
    return np.array((cos(across), float(rng.normal()), sin(across)))


def rims(rng: np.random.Generator) -> Posed:
    """The rim of a cylinder or a cone on any other body, at one of GAPS, or as deep in it."""
    a = some_body(_of(rng, ("cylinder", "cone")), rng, random_rotation(rng), nice=bool(rng.random() < 0.5))
    b = some_body(_of(rng, ANY), rng, _near(a.rotation, rng), nice=bool(rng.random() < 0.5))
    direction = a.pose.matrix @ _towards(rng)
    direction /= np.linalg.norm(direction)
    gap = float(rng.choice((*GAPS, -0.1, -0.3)))
    return placed(a, b, direction, gap * size_of_pair(a, b))


def apexes(rng: np.random.Generator) -> Posed:
    """The apex of a cone on any other body, from a direction in which it is what is farthest."""
    a = some_body("cone", rng, random_rotation(rng), nice=bool(rng.random() < 0.5))
    assert isinstance(a.shape, Cone)
    b = some_body(_of(rng, ANY), rng, _near(a.rotation, rng), nice=bool(rng.random() < 0.5))
    widest, turn = a.shape.height / a.shape.radius, 2.0 * pi * rng.random()
    aside = float(rng.choice((0.0, 1e-15, 1e-9, 0.3, 0.9, 1.0)))
    direction = a.pose.matrix @ np.array((aside * widest * cos(turn), 1.0, aside * widest * sin(turn)))
    direction /= np.linalg.norm(direction)
    gap = float(rng.choice((*GAPS, -0.1, -0.3)))
    return placed(a, b, direction, gap * size_of_pair(a, b))


# ---- scales, stacks, borders ----


def _one(rng: np.random.Generator, *families: Family) -> Posed:
    return families[int(rng.integers(len(families)))](_of(rng, ANY), _of(rng, ANY), rng)


def stacks(rng: np.random.Generator) -> Posed:
    """One of a stack of bodies on the one below: face on face but for a small tilt, in a tilted frame."""
    turn, lean = random_rotation(rng), float(rng.choice(ANGLES)) * rng.uniform(0.5, 2.0)
    lower, upper = (some_body(_of(rng, ("box", "hull", "cylinder")), rng, turn, nice=True) for _ in range(2))
    tilt = from_axis_angle(WORLD_AXES[rng.integers(3)], lean)
    up = lower.pose.matrix[:, 1]
    beside = lower.pose.matrix @ (rng.uniform(-0.3, 0.3), 0.0, rng.uniform(-0.3, 0.3))
    posed = placed(lower, replace(upper, rotation=normalized(multiply(turn, tilt))), up, float(rng.choice(GAPS)))
    return replace(posed, scene=replace(posed.scene, b=moved(posed.scene.b, beside * size_of_pair(lower, upper))))


def sizes(rng: np.random.Generator) -> Posed:
    """Two bodies, one up to 1e12 times as large."""
    scene = _one(rng, general, aligned, near_aligned).scene
    a, b = scene.a, scaled(Scene(scene.a, replace(scene.b, position=(0.0, 0.0, 0.0))), _power(rng, -12.0, 0.0)).b
    if rng.random() < 0.5:
        a, b = replace(b, position=(0.0, 0.0, 0.0)), replace(a, position=(0.0, 0.0, 0.0))
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    smaller = min(a.shape.bounding_radius, b.shape.bounding_radius)
    return placed(a, b, direction, float(rng.choice((*GAPS, -0.5, 0.5))) * smaller)


def far_off(rng: np.random.Generator) -> Posed:
    """A pair of another family, both bodies up to 1e8 from the world's origin."""
    posed = _one(rng, general, aligned, near_aligned, deep, touching)
    by = _power(rng, 4.0, 8.0) * rng.normal(size=3)
    return replace(posed, scene=Scene(moved(posed.scene.a, by), moved(posed.scene.b, by)))


def borders(rng: np.random.Generator) -> Posed:
    """Bodies with a border of a hundred thousandth to twice their size, beside such and any others."""
    turn = random_rotation(rng)
    sharp = some_body(_of(rng, SOLID), rng, turn, nice=True).shape
    first: Shape = Rounded(sharp, _power(rng, -5.0, 0.3) * sharp.bounding_radius)
    second = some_body(_of(rng, ANY), rng, turn, nice=bool(rng.random() < 0.5)).shape
    if rng.random() < 0.4 and not isinstance(second, Capsule) and second.core is None:
        second = Rounded(second, _power(rng, -5.0, 0.3) * second.bounding_radius)
    return _beside(first, second, rng, turn)


def triangles(rng: np.random.Generator) -> Posed:
    """Triangles, and other flat hulls, beside boxes, hulls, round bodies and such of their own."""
    turn = random_rotation(rng)
    first = _flat(rng)
    if (style := rng.integers(4)) == 0:
        return _beside(first, _flat(rng), rng, turn)
    if style == 1 and len(first.points) > 2:
        # Two of one mesh: they share a corner or a side, or lie in one plane.
        corners = np.array(first.points)
        second = corners[rng.permutation(len(corners))[:2]]
        apex = rng.normal(size=(1, 3)) if rng.random() < 0.5 else rng.normal(size=2) @ (corners - corners[0])[-2:]
        return _beside(first, Hull.of(np.vstack((second, apex))), rng, turn)
    other = some_body(_of(rng, ANY), rng, turn, nice=bool(rng.random() < 0.5)).shape
    if other.core is None and rng.random() < 0.2:
        other = Rounded(other, _power(rng, -3.0, 0.0) * other.bounding_radius)
    return _beside(first, other, rng, turn)


def _flat(rng: np.random.Generator) -> Hull:
    """A triangle, at times a sliver, in three of four; else a polygon, a segment or a point. About any position."""
    count = 3 if rng.random() < 0.75 else int(rng.choice((1, 2, 4, 6)))
    points = np.column_stack((rng.uniform(-0.5, 0.5, size=(count, 2)), np.zeros(count)))
    if count > 3:
        turns = 2.0 * pi * (np.arange(count) + rng.random()) / count
        points = 0.5 * np.column_stack((np.cos(turns), np.sin(turns), np.zeros(count)))
    if rng.random() < 0.3:
        points[:, 1] *= _power(rng, -15.0, 0.0)
    points = np.roll(points, int(rng.integers(3)), axis=1)
    return Hull.of(points - rng.choice((0.0, 1.0)) * points.mean(axis=0))


ROWS: tuple[Callable[[np.random.Generator], Posed], ...] = (
    coplanar,
    single_precision,
    icospheres,
    needles,
    collinear,
    flat_cones,
    rims,
    apexes,
    stacks,
    sizes,
    far_off,
    borders,
    triangles,
)

NAMES: tuple[tuple[str, str], ...] = tuple((row.__name__.replace("_", " "), "corpus") for row in ROWS)


def posed(row: int, number: int) -> Posed:
    """The pair with that number of a row, the same one every time; every other one with A and B exchanged."""
    made = ROWS[row](np.random.default_rng((row, number)))
    if number % 2:
        return made
    scene = made.scene
    return Posed(Scene(scene.b, scene.a), -made.direction)


def _judge(tally: Tally, row: int, family: int, number: int) -> None:
    tally.add(family, number, judge(posed(row, number)))


def _scene(row: int, family: int, number: int) -> Scene:
    return posed(row, number).scene


main = Judging("corpus", "pairs", NAMES, ("corpus",), Tally, _judge, _scene, table_of(NAMES)).main

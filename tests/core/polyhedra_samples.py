"""Pairs of hulls, boxes, capsules and spheres: general, aligned, parallel to rounding, thin, tiny and far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from core import Body, Box, Capsule, Hull, Scene, Shape, Sphere
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.vector import Array, cross_rows, length, length_rows
from core.pair.cores import cores_of
from tests.selection import some

Random = np.random.Generator
PairFamily = Callable[[Random], Scene]

ANGLES = (0.0, 1e-15, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, np.pi / 4, np.pi / 2, np.pi)


def ball_hull(rng: Random, count: int, radii: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Hull:
    """All `count` points on an ellipsoid, so that all are vertices."""
    return Hull.of(ball_points(rng, count) * np.array(radii))


def ball_points(rng: Random, count: int) -> Array:
    points: Array = rng.normal(size=(count, 3))
    return points / length_rows(points)[:, None]


@cache
def prism(sides: int, radius: float = 1.0, height: float = 1.5) -> Hull:
    angles = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack((np.cos(angles), np.zeros(sides), np.sin(angles)), axis=1) * radius
    up = np.array((0.0, 0.5 * height, 0.0))
    return Hull.of(np.concatenate((ring - up, ring + up)))


def antiprism(sides: int) -> Hull:
    angles = np.pi * np.arange(2 * sides) / sides
    heights = np.where(np.arange(2 * sides) % 2, 0.6, -0.6)
    return Hull.of(np.stack((np.cos(angles), heights, np.sin(angles)), axis=1))


def boxed(size: tuple[float, float, float]) -> Hull:
    return Hull.of(Box(size).polyhedron.vertices)


TETRAHEDRON = Hull.of([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
OCTAHEDRON = Hull.of([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
PYRAMID = Hull.of([(1, 0, 1), (1, 0, -1), (-1, 0, 1), (-1, 0, -1), (0, 1.5, 0)])
REGULAR = (
    TETRAHEDRON,
    OCTAHEDRON,
    PYRAMID,
    boxed((1.0, 2.0, 0.5)),
    boxed((2.0, 2.0, 2.0)),
    prism(3),
    prism(6),
    prism(17, 0.7),
    antiprism(4),
)


def turn(rng: Random) -> tuple[float, float, float, float]:
    return normalized(tuple(rng.normal(size=4)))


def offset(rng: Random, size: float = 1.5) -> tuple[float, float, float]:
    x, y, z = rng.normal(size=3) * size / np.sqrt(3.0)
    return float(x), float(y), float(z)


def random_hulls(rng: Random) -> Scene:
    counts = rng.integers(4, 25, size=2)
    a, b = (ball_hull(rng, int(n), tuple(rng.uniform(0.3, 1.2, size=3))) for n in counts)
    return Scene(Body(a, (0.3, -0.2, 0.1), turn(rng)), Body(b, offset(rng), turn(rng)))


def regular(rng: Random) -> Scene:
    """Solids full of parallel edges and faces, in general position."""
    a, b = (REGULAR[int(k)] for k in rng.integers(len(REGULAR), size=2))
    return Scene(Body(a, (0.0, 0.0, 0.0), turn(rng)), Body(b, offset(rng), turn(rng)))


def aligned(rng: Random) -> Scene:
    """The same solids turned by one angle from one another, down to 1e-15, about an axis of theirs or any."""
    a, b = (REGULAR[int(k)] for k in rng.integers(len(REGULAR), size=2))
    axes = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 2, 3), (0, 1, 1e-6)]
    tilt = turn(rng) if rng.random() < 0.5 else (1.0, 0.0, 0.0, 0.0)
    twist = from_axis_angle(axes[int(rng.integers(len(axes)))], ANGLES[int(rng.integers(len(ANGLES)))])
    places = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (2.0, 0.0, 0.0), (0.5, 1.5, 0.0), offset(rng)]
    place = places[int(rng.integers(len(places)))]
    return Scene(Body(a, (0.0, 0.0, 0.0), tilt), Body(b, place, normalized(multiply(tilt, twist))))


def same_twice(rng: Random) -> Scene:
    """One solid against itself, moved only."""
    solid = ball_hull(rng, 12) if rng.random() < 0.3 else REGULAR[int(rng.integers(len(REGULAR)))]
    tilt = turn(rng)
    return Scene(Body(solid, (0.0, 0.0, 0.0), tilt), Body(solid, offset(rng), tilt))


def with_box(rng: Random) -> Scene:
    box = Box(tuple(rng.uniform(0.3, 2.0, size=3)))
    twist = from_axis_angle((1, 2, 3), ANGLES[int(rng.integers(len(ANGLES)))])
    other = REGULAR[int(rng.integers(len(REGULAR)))] if rng.random() < 0.7 else ball_hull(rng, 15)
    a, b = Body(box, (0.0, 0.0, 0.0)), Body(other, offset(rng), normalized(twist))
    return Scene(a, b) if rng.random() < 0.5 else Scene(b, a)


def thin(rng: Random) -> Scene:
    """Needles and plates."""
    radii = [(1.0, 1e-3, 1e-3), (1.0, 1.0, 1e-4), (1.0, 1e-2, 1e-4)]
    a, b = (ball_hull(rng, 10, radii[int(k)]) for k in rng.integers(3, size=2))
    return Scene(Body(a, (0.0, 0.0, 0.0), turn(rng)), Body(b, offset(rng, 0.5), turn(rng)))


def scaled(rng: Random) -> Scene:
    """Tiny, huge, of unequal size, or far apart."""
    sizes = [(1e-6, 1e-6), (1e6, 1e6), (1.0, 1e-4), (1e3, 1.0)]
    size_a, size_b = sizes[int(rng.integers(len(sizes)))]
    a, b = (ball_hull(rng, 9, (s, 0.6 * s, s)) for s in (size_a, size_b))
    at = tuple(rng.normal(size=3) * max(size_a, size_b) * (100.0 if rng.random() < 0.2 else 0.7))
    return Scene(Body(a, (0.0, 0.0, 0.0), turn(rng)), Body(b, at, turn(rng)))


POLYHEDRAL: tuple[PairFamily, ...] = (random_hulls, regular, aligned, same_twice, with_box, thin, scaled)


def rounded(rng: Random) -> Scene:
    """At least one capsule or sphere, against any core."""
    shapes: list[Shape | Array] = [
        Capsule(0.3, 1.2),
        Capsule(0.1, 2.0),
        Sphere(0.5),
        Box((1.0, 0.6, 1.4)),
        prism(6),
        TETRAHEDRON,
        ball_points(rng, 14),
    ]
    first, second = (
        Hull.of(shape) if isinstance(shape, np.ndarray) else shape
        for shape in (shapes[int(rng.integers(3))], shapes[int(rng.integers(len(shapes)))])
    )
    if rng.random() < 0.3:
        place = [(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.5, 0.0)][int(rng.integers(4))]
        turns = [(1.0, 0.0, 0.0, 0.0), from_axis_angle((1, 0, 0), np.pi / 2), from_axis_angle((0, 0, 1), 1e-9)]
        a, b = Body(first, (0.0, 0.0, 0.0)), Body(second, place, turns[int(rng.integers(3))])
    else:
        a, b = Body(first, (0.0, 0.0, 0.0), turn(rng)), Body(second, offset(rng, 1.2), turn(rng))
    return Scene(a, b) if rng.random() < 0.5 else Scene(b, a)


def sample(family: PairFamily, count: int, seed: int = 1) -> Iterator[Scene]:
    rng = np.random.default_rng(seed)
    return (family(rng) for _ in range(some(count)))


def extent(scene: Scene) -> float:
    """L + |T|, what tolerances are measured by."""
    a, b = scene.a, scene.b
    return max(a.shape.bounding_radius, b.shape.bounding_radius) + length(np.subtract(b.position, a.position))


def vertices_of(scene: Scene) -> tuple[Array, Array]:
    """Vertices of both cores, relative to A's position."""
    a, b = cores_of(scene.a, scene.b)
    return a.solid.vertices, b.solid.vertices


def unit_rows(rows: Array) -> Array:
    """The rows (n, 3) made unit; those that are zero are left out."""
    sizes = length_rows(rows)
    return rows[sizes > 0.0] / sizes[sizes > 0.0, None]


def all_axes(scene: Scene) -> Array:
    """Every face normal and every product of two edges, unit, with no pruning (n, 3)."""
    a, b = cores_of(scene.a, scene.b)
    first, second = a.edge_units[:, None], b.edge_units[None, :]
    flips = np.where((first * second).sum(axis=2) < 0.0, -1.0, 1.0)[:, :, None]
    products = cross_rows(first, flips * second - first).reshape(-1, 3)
    faces = [core.solid.normals for core in (a, b) if core.has_volume]
    return unit_rows(np.concatenate((*faces, products)))


def gaps(scene: Scene, axes: Array) -> Array:
    """Signed separation of the cores along each axis, (n,)."""
    at_a, at_b = (vertices @ axes.T for vertices in vertices_of(scene))
    return np.maximum(at_b.min(axis=0) - at_a.max(axis=0), at_a.min(axis=0) - at_b.max(axis=0))

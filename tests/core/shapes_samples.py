"""Shapes of every kind and size, and an independent word on what lies inside them."""

from __future__ import annotations

import numpy as np

from core.geometry.quaternion import normalized, to_matrix
from core.geometry.vector import Array
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Shape, Sphere
from tests.shape_truths import truth_of

CUBE_POINTS = tuple((x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0))


def ball_points(count: int, seed: int = 0) -> Array:
    """`count` points on the unit sphere, (count, 3)."""
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return points / np.sqrt((points * points).sum(axis=1))[:, None]


def turn(generator: np.random.Generator) -> Array:
    """A random rotation matrix."""
    w, x, y, z = generator.normal(size=4).tolist()
    return to_matrix(normalized((w, x, y, z)))


ROUND: tuple[Shape, ...] = (
    Sphere(0.7),
    Sphere(1e-6),
    Sphere(1e6),
    Capsule(0.3, 1.4),
    Capsule(1e-6, 1e6),
    Capsule(1e6, 1e-6),
    Cylinder(0.5, 1.2),
    Cylinder(1e-6, 1e6),
    Cylinder(1e6, 1e-6),
    Cone(0.5, 1.2),
    Cone(1e-6, 1e6),
    Cone(1e6, 1e-6),
    Ellipsoid((0.4, 1.0, 2.0)),
    Ellipsoid((1e-6, 1.0, 1e6)),
    Ellipsoid((1e6, 1e6, 1e-6)),
)

POLYHEDRA: tuple[Shape, ...] = (
    Box((1.0, 2.0, 3.0)),
    Box((1e-6, 1.0, 1e6)),
    Hull(CUBE_POINTS),
    Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
    Hull.of(ball_points(60)),
    Hull.of(ball_points(40) * (1e-6, 1.0, 1e3)),
    Hull.of(ball_points(40) * 1e-6),
    Hull.of(ball_points(40) * 1e6 + 3e6),
)

BOUNDED = ROUND + POLYHEDRA


def name_of(shape: Shape) -> str:
    """A short name for a test's label."""
    text = repr(shape)
    return text if len(text) < 60 else f"{type(shape).__name__}({len(text)} letters, {shape.bounding_radius:.3g})"


def beyond(shape: Shape, points: Array) -> Array:
    """Signed distances of `points` (..., 3) from the surface, as `ShapeTruth.height` has them."""
    truth = truth_of(shape)
    return np.array([truth.height(point) for point in points.reshape(-1, 3)]).reshape(points.shape[:-1])


def directions(count: int, seed: int = 0) -> Array:
    """Unit directions (n, 3): general ones, the axes, and ones a hair off the axes and their bisectors."""
    generator = np.random.default_rng(seed)
    axes = np.concatenate((np.eye(3), -np.eye(3)))
    bisectors = np.array([a + b for a in axes for b in axes if a @ b == 0.0])
    special = np.concatenate((axes, bisectors))
    tilts = 10.0 ** generator.uniform(-17.0, -3.0, size=(len(special), 1))
    near = special + tilts * generator.normal(size=special.shape)
    out = np.concatenate((generator.normal(size=(count, 3)), special, near))
    return out / np.sqrt((out * out).sum(axis=1))[:, None]

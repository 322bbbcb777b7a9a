"""Bodies of every shape to try closed forms and rays on, and what a shape contains, by its definition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.geometry.quaternion import from_axis_angle, normalized
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere

Maker = Callable[[np.random.Generator], Shape]


def _hull(rng: np.random.Generator) -> Hull:
    return Hull.of(rng.normal(size=(int(rng.integers(4, 40)), 3)) * rng.uniform(0.3, 1.2, 3))


MAKERS: dict[str, Maker] = {
    "sphere": lambda rng: Sphere(float(rng.uniform(0.2, 1.5))),
    "box": lambda rng: Box(tuple(rng.uniform(0.2, 3.0, 3).tolist())),
    "capsule": lambda rng: Capsule(float(rng.uniform(0.1, 1.0)), float(rng.uniform(0.1, 3.0))),
    "cylinder": lambda rng: Cylinder(float(rng.uniform(0.1, 1.5)), float(rng.uniform(0.1, 3.0))),
    "cone": lambda rng: Cone(float(rng.uniform(0.1, 1.5)), float(rng.uniform(0.1, 3.0))),
    "ellipsoid": lambda rng: Ellipsoid(tuple(rng.uniform(0.1, 2.0, 3).tolist())),
    "hull": _hull,
}


def scaled(shape: Shape, k: float) -> Shape:
    """The shape at k times its size."""
    match shape:
        case Sphere(radius):
            return Sphere(radius * k)
        case Box((x, y, z)):
            return Box((x * k, y * k, z * k))
        case Capsule(radius, length):
            return Capsule(radius * k, length * k)
        case Cylinder(radius, height):
            return Cylinder(radius * k, height * k)
        case Cone(radius, height):
            return Cone(radius * k, height * k)
        case Ellipsoid((x, y, z)):
            return Ellipsoid((x * k, y * k, z * k))
        case Hull(points):
            return Hull.of(np.array(points) * k)
        case HalfSpace(normal, offset):
            return HalfSpace(normal, offset * k)
    raise TypeError(f"scaled is not told what a {type(shape).__name__} is")


def stretched(rng: np.random.Generator, shape: Shape) -> Shape:
    """The shape drawn out to a needle or pressed to a plate, up to 1e5 times along one of its axes."""
    k = float(10.0 ** rng.uniform(-5.0, 5.0))
    axis = int(rng.integers(3))
    factors = np.where(np.arange(3) == axis, k, 1.0)
    match shape:
        case Box(size):
            return Box(tuple((np.array(size) * factors).tolist()))
        case Ellipsoid(radii):
            return Ellipsoid(tuple((np.array(radii) * factors).tolist()))
        case Capsule(radius, length):
            return Capsule(radius, length * k)
        case Cylinder(radius, height):
            return Cylinder(radius, height * k)
        case Cone(radius, height):
            return Cone(radius, height * k)
        case _:
            return scaled(shape, k)


def rotation(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """A random rotation; one in four a multiple of a quarter turn about an axis, or a hair off it."""
    if rng.random() < 0.25:
        axis = np.eye(3)[int(rng.integers(3))]
        angle = float(rng.integers(4)) * np.pi / 2 + float(rng.choice((0.0, 0.0, 1e-16, 1e-12, 1e-8)))
        return from_axis_angle(tuple(axis.tolist()), angle)
    return normalized(tuple(rng.normal(size=4).tolist()))


def body(rng: np.random.Generator, shape: Shape, spread: float = 0.9) -> Body:
    """The shape somewhere near the origin."""
    return Body(shape, tuple((rng.normal(size=3) * spread).tolist()), rotation(rng))


def directions(count: int) -> np.ndarray:
    """Unit vectors (n, 3) evenly about the sphere (a Fibonacci spiral), and the axes."""
    k = np.arange(count) + 0.5
    y, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    ring = np.sqrt(1.0 - y * y)
    spiral = np.stack((ring * np.cos(turn), y, ring * np.sin(turn)), axis=1)
    return np.concatenate((spiral, np.eye(3), -np.eye(3)))


def excess(shape: Shape, point: np.ndarray) -> float:
    """How far a point of the shape's frame is outside, roughly; at most 0 on the surface and inside. By definition."""
    x, y, z = point.tolist()
    rho = float(np.hypot(x, z))
    match shape:
        case Sphere(radius):
            return float(np.linalg.norm(point)) - radius
        case Box():
            return float((np.abs(point) - shape.half_extents).max())
        case Capsule(radius, length):
            return float(np.hypot(rho, max(0.0, abs(y) - length / 2))) - radius
        case Cylinder(radius, height):
            return max(rho - radius, abs(y) - height / 2)
        case Cone(radius, height):
            slant = np.hypot(radius, height)
            return float(max(-height / 2 - y, (height * rho + radius * (y - height / 2)) / slant))
        case Ellipsoid(radii):
            return (float(np.linalg.norm(point / np.array(radii))) - 1.0) * min(radii)
        case Hull():
            return float((shape.polyhedron.normals @ point - shape.polyhedron.offsets).max())
        case HalfSpace():
            return shape.plane.signed_distance(point)
    raise TypeError(f"excess is not told what a {type(shape).__name__} is")

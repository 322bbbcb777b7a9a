"""Bodies of every shape to try closed forms and rays on."""

from __future__ import annotations

import numpy as np

from core.geometry.quaternion import from_axis_angle, normalized
from core.scene import Body
from core.shapes import Shape
from tests.shape_truths import TRUTHS, truth_of

MAKERS = {truth.kind: truth.random for truth in TRUTHS.values() if "random" in vars(truth)}
"""Makers of a random bounded shape of space, by its name in files."""


def stretched(rng: np.random.Generator, shape: Shape) -> Shape:
    """The shape drawn out to a needle or pressed to a plate, up to 1e5 times along one of its axes."""
    k = float(10.0 ** rng.uniform(-5.0, 5.0))
    axis = int(rng.integers(3))
    return truth_of(shape).stretched(axis, k)


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

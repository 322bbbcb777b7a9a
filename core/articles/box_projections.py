"""Two boxes' projections and directions, as the article on the separating axis theorem takes them."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import numpy as np

from ..geometry.vector import Array, frozen
from ..pair.candidate_axes import box_axes
from ..pair.pair import PairScale
from ..sat.sat import SatTable, sat
from ..scene import Body, Scene, Triple
from ..shapes import Box
from .bodies import box_vertices

Interval = tuple[float, float]
CUBE = Box((2.0, 2.0, 2.0))
HALF_RIGHT_ABOUT_Y = (cos(pi / 8), 0.0, sin(pi / 8), 0.0)
HALF_RIGHT_ABOUT_Z = (cos(pi / 8), 0.0, 0.0, sin(pi / 8))


def cubes(name: str, position: Triple, notes: str = "") -> Scene:
    """Two cubes of side 2 with the world's axes, the second at `position`."""
    return Scene(Body(CUBE), Body(CUBE, position), name, notes)


def upright_against_lying(name: str, x: float) -> Scene:
    """A cube with an upright edge towards one with a level edge, `x` apart: they touch, edge on edge, at x = 2√2."""
    return Scene(Body(CUBE, rotation=HALF_RIGHT_ABOUT_Y), Body(CUBE, (x, 0.0, 0.0), HALF_RIGHT_ABOUT_Z), name)


def offset(scene: Scene) -> Array:
    """B's position relative to A's, (3,)."""
    return scene.b.pose.position - scene.a.pose.position


def touching_band(scene: Scene) -> float:
    """Half width of the band of separations that count as touching."""
    return PairScale.of(scene.a, scene.b).band


@lru_cache(maxsize=2)
def article_axes(scene: Scene) -> Array:
    """The fifteen directions (n <= 15, 3), without the products of exactly parallel edges."""
    axes, _ = box_axes(scene.a.pose.matrix, scene.b.pose.matrix)
    return frozen(axes[axes.any(axis=1)])


@lru_cache(maxsize=2)
def all_intervals(scene: Scene) -> tuple[tuple[Interval, Interval], ...]:
    """The boxes' vertices on each of the article's directions, as `intervals`."""
    return tuple(intervals(scene, axis) for axis in article_axes(scene))


def intervals(scene: Scene, axis: Array) -> tuple[Interval, Interval]:
    """The boxes' vertices on an axis (3,), `[min, max]` of A and of B, relative to A's position."""
    of_a, of_b = ((float(along.min()), float(along.max())) for along in (v @ axis for v in _vertices(scene)))
    return of_a, of_b


@lru_cache(maxsize=2)
def _vertices(scene: Scene) -> tuple[Array, Array]:
    """Both boxes' vertices (8, 3), relative to A's position."""
    found = []
    for body, at in ((scene.a, np.zeros(3)), (scene.b, offset(scene))):
        found.append(frozen(box_vertices(body) @ body.pose.matrix.T + at))
    return found[0], found[1]


@lru_cache(maxsize=2)
def right_table(scene: Scene) -> SatTable:
    """SAT's table, once for all versions that are held against it."""
    return sat(scene.a, scene.b)


def right_verdict(scene: Scene) -> str:
    """SAT's verdict."""
    return str(right_table(scene).verdict)

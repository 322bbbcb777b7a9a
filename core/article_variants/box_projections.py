"""Two boxes' projections and directions, as the article on the separating axis theorem takes them."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from ..algorithms.candidate_axes import box_axes
from ..algorithms.sat import sat
from ..geometry.vector import Array
from ..scene import Body, Scene, Triple
from ..shapes import Box

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


def half_extents(body: Body) -> Array:
    """Half extents (3,) of a body that must be a box; TypeError for another shape."""
    if not isinstance(body.shape, Box):
        raise TypeError("this article's version is about boxes")
    return body.shape.half_extents


def offset(scene: Scene) -> Array:
    """B's position relative to A's, (3,)."""
    return scene.b.pose.position - scene.a.pose.position


def article_axes(scene: Scene) -> Array:
    """The fifteen directions (n <= 15, 3), without the products of exactly parallel edges."""
    axes, _ = box_axes(scene.a.pose.matrix, scene.b.pose.matrix)
    return axes[axes.any(axis=1)]


def intervals(scene: Scene, axis: Array) -> tuple[Interval, Interval]:
    """The boxes' vertices on an axis (3,), `[min, max]` of A and of B, relative to A's position (S4)."""
    found = []
    for body, at in ((scene.a, np.zeros(3)), (scene.b, offset(scene))):
        if not isinstance(body.shape, Box):
            raise TypeError("this article's version is about boxes")
        along = (body.shape.polyhedron.vertices @ body.pose.matrix.T + at) @ axis
        found.append((float(along.min()), float(along.max())))
    return found[0], found[1]


def right_verdict(scene: Scene) -> str:
    """SAT's verdict."""
    return str(sat(scene.a, scene.b).verdict)

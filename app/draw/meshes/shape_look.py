"""What of a shape's look every picture asks for; for any shape that offers what core's `contract` lists.

How the curved shapes look stands in `shape_mesh`; what drawing and picking both need, in here.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.geometry.vector import Array
from core.shapes import Shape, ball_radius, corners_of

PIECES = 128
"""Sides of the polygon that a circle is drawn as: half a thousandth of the radius off, a third of a pixel at most."""


@lru_cache(maxsize=1)
def ring() -> Array:
    """Points (n, 3) of the unit circle, dense enough to look round."""
    turn = np.linspace(0.0, 2.0 * np.pi, PIECES, endpoint=False)
    return np.column_stack((np.cos(turn), np.sin(turn), np.zeros(PIECES)))


def flat_outline(shape: Shape) -> Array | None:
    """The outline (n, 3) of a shape of the plane, counter-clockwise, in the body's frame; None for one of space.

    Two points of a segment, one of a point.
    """
    if shape.dimension == 3:
        return None
    solid, radius = shape.polyhedron, ball_radius(shape)
    if solid is not None:
        return solid.vertices[list(solid.faces[0]) if solid.faces else [0]]
    if radius is not None:
        outline: Array = radius * ring()
        return outline
    return np.array([shape.support(direction) for direction in ring()])


def corner_loop(shape: Shape) -> tuple[int, ...]:
    """Numbers of the vertices of a shape of the plane, counter-clockwise; none of a circle, nor of one of space."""
    core = shape.core
    return () if shape.dimension == 3 or core is None or core.solid is None else core.solid.faces[0]


def points_about(shape: Shape) -> tuple[Array, float] | None:
    """Points (n, 3) of a hull, which may lie anywhere about its position, and the radius that they are grown by.

    None for other shapes: of these the position is the middle.
    """
    core = shape.core
    if core is None or core.boxed or (core.solid is None and not core.points.sum(axis=0).any()):
        return None
    return core.points[list(corners_of(shape))], core.radius

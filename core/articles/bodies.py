"""What an article takes a body for. Each raises TypeError for another shape, which says that it is not about it."""

from __future__ import annotations

import numpy as np

from ..geometry.plane import Plane
from ..geometry.vector import Array
from ..pair.plane_cores import FlatCore
from ..scene import Body
from ..shapes import ball_radius
from ..shapes.box import VERTEX_SIGNS


def half_extents(body: Body) -> Array:
    """Half extents (3,) of a box."""
    half = body.shape.half_extents
    if half is None:
        raise TypeError("this article's version is about boxes")
    return half


def box_vertices(body: Body) -> Array:
    """Vertices (8, 3) of a box, body frame."""
    return VERTEX_SIGNS * half_extents(body)


def radius_of(body: Body) -> float:
    """The radius of a sphere."""
    radius = ball_radius(body.shape)
    if radius is None:
        raise TypeError("this article's version is about spheres")
    return radius


def radii_of(body: Body) -> Array:
    """The radii (3,) of an ellipsoid."""
    if body.shape.radii is None:
        raise TypeError("this article's version is about ellipsoids")
    return np.array(body.shape.radii)


def capsule_of(body: Body) -> tuple[float, float]:
    """Half the length of a capsule's segment, which lies along its y axis, and its radius."""
    core = body.shape.core
    if core is None or len(core.points) != 2:
        raise TypeError("this article's version is about capsules")
    return float(core.points[1, 1]), core.radius


def plane_of(body: Body, position: Array) -> Plane:
    """The plane of a half-space that stands at `position` (3,), with the body's turn."""
    plane = body.shape.plane
    if plane is None:
        raise TypeError("this article's version is about a plane")
    return plane.placed(body.pose.matrix, position)


def polygon_of(body: Body) -> list[tuple[float, float]]:
    """The points (x, y) of a polygon of the plane, body frame."""
    FlatCore.of(body.shape)
    solid = body.shape.polyhedron
    if solid is None:
        raise TypeError("this article's version is about polygons")
    return [(x, y) for x, y, _ in solid.vertices.tolist()]

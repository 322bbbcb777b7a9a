"""Where the pair is and how large: what overlays place themselves by."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.plane import Plane
from core.geometry.vector import Array, any_perpendicular, cross, length_rows
from core.scene import Body, Scene

from ..draw.meshes.shape_mesh import curved_look


class Extent(Struct, frozen=True, eq=False):
    """Both bodies as `parts`, A first: world points (n, 3) and a radius, whose hull grown by the radius is the body.

    A half-space, which has no end, counts as the square of it that is drawn (`patch`). `low`, `high` (3,): corners of
    the world-aligned box round both; `centre` (3,): its middle; `radius`: of a ball about the centre that holds both, 1
    of two points in one place, which have no size.
    """

    parts: tuple[tuple[Array, float], tuple[Array, float]]
    low: Array
    high: Array
    centre: Array
    radius: float

    @staticmethod
    def of(scene: Scene) -> Extent:
        """The extent of a scene's pair."""
        parts = (_outer_points(scene.a, scene.b), _outer_points(scene.b, scene.a))
        low = np.min([points.min(axis=0) - radius for points, radius in parts], axis=0)
        high = np.max([points.max(axis=0) + radius for points, radius in parts], axis=0)
        centre = 0.5 * (low + high)
        farthest = max(float(length_rows(points - centre).max()) + radius for points, radius in parts)
        return Extent(parts, low, high, centre, farthest or 1.0)

    def reach(self, axis: Array, origin: Array | None = None) -> float:
        """Farthest distance of the bodies from the line along the unit vector `axis` through `origin` or the centre."""
        farthest = 0.0
        for points, radius in self.parts:
            arms = points - (self.centre if origin is None else origin)
            along = arms @ axis
            across = np.einsum("ij,ij->i", arms, arms) - along * along
            farthest = max(farthest, float(np.sqrt(max(across.max(), 0.0))) + radius)
        return farthest


def patch(body: Body, other: Body) -> Array:
    """Corners (4, 3), world, of the square of a half-space's plane below `other` that is drawn."""
    plane = body.shape.plane
    if plane is None:
        raise TypeError("only a half-space is drawn as a square of its plane")
    normal = body.pose.matrix @ plane.normal
    surface = body.pose.to_world(plane.point())
    foot = other.pose.position - float((other.pose.position - surface) @ normal) * normal
    return square_of(foot, normal, 2.0 * other.shape.bounding_radius)


def difference_square(extent: Extent, plane: Plane) -> Array:
    """Corners (4, 3) of the square that is drawn of a difference with a half-space: of its plane, about its foot."""
    return square_of(plane.point(), plane.normal, 1.5 * extent.radius)


def square_of(middle: Array, normal: Array, half: float) -> Array:
    """Corners (4, 3), counter-clockwise seen against the unit `normal`, of a square with half edge length `half`."""
    side = any_perpendicular(normal)
    across = cross(normal, side)
    corners: Array = middle + half * np.array((side + across, across - side, -side - across, side - across))
    return corners


def _outer_points(body: Body, other: Body) -> tuple[Array, float]:
    shape, pose = body.shape, body.pose
    if shape.core is not None:
        return pose.to_world(shape.core.points), shape.core.radius
    if shape.plane is not None:
        return patch(body, other), 0.0
    return pose.to_world(curved_look(shape).points), 0.0

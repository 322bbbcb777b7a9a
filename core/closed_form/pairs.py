"""Which pairs of bodies have a closed form, and which one."""

from __future__ import annotations

import numpy as np

from ..geometry.plane import Plane
from ..geometry.quaternion import Pose
from ..scene import Body
from ..shapes import Capsule, Cone, Cylinder, Rounded, Shape, ball_radius, sharp_of
from .boxes import distance_sphere_box
from .ellipsoids import distance_sphere_ellipsoid
from .half_spaces import (
    distance_box_half_space,
    distance_ellipsoid_half_space,
    distance_shape_half_space,
    distance_sphere_half_space,
)
from .parallel_axes import distance_parallel_axes
from .proximity import Proximity
from .segments import distance_capsule_capsule, distance_sphere_capsule, distance_sphere_sphere
from .solids_of_revolution import distance_sphere_cone, distance_sphere_cylinder


def closed_form(a: Body, b: Body) -> Proximity | None:
    """Signed distance from A to B with points relative to A's position, or None for a pair that has no closed form.

    ValueError for two half-spaces, which overlap without end or are apart only when exactly parallel.
    """
    here = Pose(np.zeros(3), a.pose.matrix)
    there = Pose(b.pose.position - a.pose.position, b.pose.matrix)
    (first, border_a), (second, border_b) = _plain(a.shape), _plain(b.shape)
    found = _in_order(first, here, second, there)
    if found is None and (turned := _in_order(second, there, first, here)) is not None:
        found = turned.swapped()
    found = found or distance_parallel_axes(first, here, second, there)
    return found and found.grown(border_a, border_b)


def _plain(shape: Shape) -> tuple[Shape, float]:
    """What has the formulas: of a grown sphere the larger one, else the sharp shape and the border's radius."""
    plain = shape.plain if isinstance(shape, Rounded) else None
    return sharp_of(shape) if plain is None else (plain, 0.0)


def _in_order(first: Shape, at_first: Pose, second: Shape, at_second: Pose) -> Proximity | None:
    """The closed form that is written for the two shapes in this order."""
    if second.plane is not None:
        return _against_plane(first, at_first, second.plane.placed(at_second.matrix, at_second.position))
    radius = ball_radius(first)
    if radius is not None:
        return _from_sphere(at_first, radius, second, at_second)
    if isinstance(first, Capsule) and isinstance(second, Capsule):
        return distance_capsule_capsule(at_first, first.radius, first.length, at_second, second.radius, second.length)
    return None


def _against_plane(shape: Shape, pose: Pose, plane: Plane) -> Proximity:
    radius, half = ball_radius(shape), shape.half_extents
    if shape.plane is not None:
        raise ValueError("two half-spaces have no distance: at least one body must be bounded")
    if radius is not None:
        return distance_sphere_half_space(pose.position, radius, plane)
    if half is not None:
        return distance_box_half_space(pose, half, plane)
    if shape.radii is not None:
        return distance_ellipsoid_half_space(pose, np.array(shape.radii), plane)
    return distance_shape_half_space(shape, pose, plane)


def _from_sphere(at_sphere: Pose, radius: float, shape: Shape, pose: Pose) -> Proximity | None:
    centre, other, half = at_sphere.position, ball_radius(shape), shape.half_extents
    if other is not None:
        return distance_sphere_sphere(centre, radius, pose.position, other)
    if half is not None:
        return distance_sphere_box(centre, radius, pose, half)
    if shape.radii is not None:
        return distance_sphere_ellipsoid(centre, radius, pose, np.array(shape.radii))
    match shape:
        case Capsule(across, along):
            return distance_sphere_capsule(centre, radius, pose, across, along)
        case Cylinder(across, height):
            return distance_sphere_cylinder(centre, radius, pose, across, height)
        case Cone(across, height):
            return distance_sphere_cone(centre, radius, pose, across, height)
        case _:
            return None

"""Which pairs of bodies have a closed form, and which one."""

from __future__ import annotations

import numpy as np

from ...geometry.transform import Pose
from ...scene import Body
from ...shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere
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
from .round_pairs import distance_capsule_capsule, distance_sphere_capsule, distance_sphere_sphere
from .solids_of_revolution import distance_sphere_cone, distance_sphere_cylinder


def closed_form(a: Body, b: Body) -> Proximity | None:
    """Signed distance from A to B with points relative to A's position, or None for a pair that has no closed form.

    ValueError for two half-spaces, which overlap without end or are apart only when exactly parallel.
    """
    here = Pose(np.zeros(3), a.pose.matrix)
    there = Pose(b.pose.position - a.pose.position, b.pose.matrix)
    found = _in_order(a.shape, here, b.shape, there)
    if found is None and (turned := _in_order(b.shape, there, a.shape, here)) is not None:
        return turned.swapped()
    return found or distance_parallel_axes(a.shape, here, b.shape, there)


def _in_order(first: Shape, at_first: Pose, second: Shape, at_second: Pose) -> Proximity | None:
    """The closed form that is written for the two shapes in this order."""
    if isinstance(second, HalfSpace):
        return _against_half_space(first, at_first, second, at_second)
    if isinstance(first, Sphere):
        return _from_sphere(at_first, first.radius, second, at_second)
    if isinstance(first, Capsule) and isinstance(second, Capsule):
        return distance_capsule_capsule(at_first, first.radius, first.length, at_second, second.radius, second.length)
    return None


def _against_half_space(shape: Shape, pose: Pose, solid: HalfSpace, at_solid: Pose) -> Proximity:
    plane = solid.plane.placed(at_solid.matrix, at_solid.position)
    match shape:
        case HalfSpace():
            raise ValueError("two half-spaces have no distance: at least one body must be bounded")
        case Sphere(radius):
            return distance_sphere_half_space(pose.position, radius, plane)
        case Box():
            return distance_box_half_space(pose, shape.half_extents, plane)
        case Ellipsoid(radii):
            return distance_ellipsoid_half_space(pose, np.array(radii), plane)
        case _:
            return distance_shape_half_space(shape, pose, plane)


def _from_sphere(at_sphere: Pose, radius: float, shape: Shape, pose: Pose) -> Proximity | None:
    centre = at_sphere.position
    match shape:
        case Sphere(other):
            return distance_sphere_sphere(centre, radius, pose.position, other)
        case Box():
            return distance_sphere_box(centre, radius, pose, shape.half_extents)
        case Capsule(across, along):
            return distance_sphere_capsule(centre, radius, pose, across, along)
        case Cylinder(across, height):
            return distance_sphere_cylinder(centre, radius, pose, across, height)
        case Cone(across, height):
            return distance_sphere_cone(centre, radius, pose, across, height)
        case Ellipsoid(radii):
            return distance_sphere_ellipsoid(centre, radius, pose, np.array(radii))
        case _:
            return None

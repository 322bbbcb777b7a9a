"""Chooses the closed form of a pair of bodies."""

from __future__ import annotations

import numpy as np

from ..geometry.plane import Plane
from ..geometry.quaternion import Pose
from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, dot, length
from ..scene import Body
from ..shapes import Cone, Cylinder, Rounded, Shape, sharp_of
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
from .segments import (
    Segment,
    common_perpendicular,
    core_segment,
    distance_capsule_capsule,
    distance_sphere_capsule,
    distance_sphere_sphere,
)
from .solids_of_revolution import distance_sphere_cone, distance_sphere_cylinder


def closed_form(a: Body, b: Body) -> Proximity | None:
    """The signed distance from A to B, with points relative to A's position; None for a pair without a closed form.

    Raises ValueError for two half-spaces, whose overlap is unbounded unless they are exactly parallel.
    """
    (first, border_a), (second, border_b) = _plain(a.shape), _plain(b.shape)
    if first.half_extents is not None and second.half_extents is not None:
        return None  # two boxes, the most frequent pair
    here = Pose(np.zeros(3), a.pose.matrix)
    there = Pose(b.pose.position - a.pose.position, b.pose.matrix)
    found = _in_order(first, here, second, there)
    if found is None and (turned := _in_order(second, there, first, here)) is not None:
        found = turned.swapped()
    found = found or distance_parallel_axes(first, here, second, there)
    return found and found.grown(border_a, border_b)


def _plain(shape: Shape) -> tuple[Shape, float]:
    """Returns the shape for the formulas, and the radius of the border that is added after them.

    That is `plain` and 0 for a rounded shape that has it, else the sharp shape and its border's radius.
    """
    plain = shape.plain if isinstance(shape, Rounded) else None
    return sharp_of(shape) if plain is None else (plain, 0.0)


def _in_order(first: Shape, at_first: Pose, second: Shape, at_second: Pose) -> Proximity | None:
    """The signed distance by a formula written for the two shapes in this order; None without one.

    Raises ValueError for two half-spaces.
    """
    if second.plane is not None:
        return _against_plane(first, at_first, second.plane.placed(at_second.matrix, at_second.position))
    ball = _ball(first, at_first)
    if ball is not None:
        return _from_sphere(*ball, second, at_second)
    (segment, radius), (other, more) = core_segment(first, at_first), core_segment(second, at_second)
    if segment is None or other is None:
        return None
    found = distance_capsule_capsule(segment, radius, other, more)
    return found if radius + more else _crossing(segment, other, at_second.position - at_first.position, found)


def _ball(shape: Shape, pose: Pose) -> tuple[Array, float] | None:
    """Returns centre (3,) and radius of a shape that is one point grown by a radius, perhaps 0; None for other shapes.

    The centre may differ from the body's position.
    """
    core = shape.core
    if core is None or len(core.points) > 1:
        return None
    return pose.to_world(core.points[0]), core.radius


def _crossing(a: Segment, b: Segment, offset: Array, found: Proximity) -> Proximity:
    """The proximity of two segments without radius, with the normal chosen if they cross.

    Then both normals of their common plane are right. The one towards B's position is taken; if that position is in the
    plane, the cross product of both directions. `offset` (3,): B's position minus A's. `found`: the answer so far.
    """
    rounding = ROUNDING * (a.half_length + b.half_length + length(offset))
    across = common_perpendicular(a, b)
    if found.separation > rounding or length(across) <= ROUNDING:
        return found
    normal = across / (-length(across) if dot(across, offset) < -rounding * length(across) else length(across))
    return Proximity(found.separation, normal, found.witness_a, found.witness_b)


def _against_plane(shape: Shape, pose: Pose, plane: Plane) -> Proximity:
    ball, half = _ball(shape, pose), shape.half_extents
    if shape.plane is not None:
        raise ValueError("two half-spaces have no distance: at least one body must be bounded")
    if ball is not None:
        return distance_sphere_half_space(*ball, plane)
    if half is not None:
        return distance_box_half_space(pose, half, plane)
    if shape.radii is not None:
        return distance_ellipsoid_half_space(pose, np.array(shape.radii), plane)
    return distance_shape_half_space(shape, pose, plane)


def _from_sphere(centre: Array, radius: float, shape: Shape, pose: Pose) -> Proximity | None:
    other, half = _ball(shape, pose), shape.half_extents
    if other is not None:
        return distance_sphere_sphere(centre, radius, *other)
    if half is not None:
        return distance_sphere_box(centre, radius, pose, half)
    if shape.radii is not None:
        return distance_sphere_ellipsoid(centre, radius, pose, np.array(shape.radii))
    segment, across = core_segment(shape, pose)
    if segment is not None:
        return distance_sphere_capsule(centre, radius, segment, across)
    match shape:
        case Cylinder(across, height):
            return distance_sphere_cylinder(centre, radius, pose, across, height)
        case Cone(across, height):
            return distance_sphere_cone(centre, radius, pose, across, height)
        case _:
            return None

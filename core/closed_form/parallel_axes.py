"""Capsules, cylinders, cones and segments with parallel axes: one 2D figure against another.

The difference of two solids of revolution with parallel axes is again a solid of revolution. The point of its surface
nearest the origin lies in the plane through its axis and the origin, which is the plane of both bodies' axes. So the
bodies' sections in that plane suffice: a cylinder's is a rectangle, a cone's a triangle, a capsule's a segment grown by
its radius. If the sections overlap, the least move that separates them is along the normal of a side of one section. If
they are apart, it may also be along the line between two corners.

If both axes are on one line, a normal that is not along it is one of a ring of equally good ones, for which EPA's
polytope does not converge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ..geometry.elementary import hypot
from ..geometry.quaternion import Pose
from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, any_perpendicular, cross, dot, length
from ..shapes import Capsule, Cone, Cylinder, Hull, Shape
from .proximity import Proximity
from .segments import core_segment

_Flat = tuple[float, float]
"""A 2D point or vector: its coordinates across and along the axes."""


class _Profile(Struct, frozen=True):
    """The section of a body: the hull of `corners`, with its sides' outward unit `normals`, grown by `radius`."""

    corners: tuple[_Flat, ...]
    normals: tuple[_Flat, ...]
    radius: float

    def placed(self, sign: float, across: float, along: float) -> _Profile:
        """The profile mirrored along the axis if `sign` is -1, then moved by `across` and `along`."""
        corners = tuple((x + across, sign * y + along) for x, y in self.corners)
        return _Profile(corners, tuple((x, sign * y) for x, y in self.normals), self.radius)

    def farthest(self, normal: _Flat, noise: float) -> tuple[float, float, float]:
        """Returns the largest height of the corners along `normal`, and the range of the farthest ones across it.

        Corners at most `noise` lower count as farthest. The range is its least and its largest coordinate.
        """
        heights = [normal[0] * x + normal[1] * y for x, y in self.corners]
        reach = max(heights)
        level = [corner for corner, height in zip(self.corners, heights, strict=True) if height >= reach - noise]
        places = [normal[0] * y - normal[1] * x for x, y in level]
        return reach, min(places), max(places)


class _ProfileGap(Struct, frozen=True):
    """The `separation` of two profiles along the unit `normal`, and the witness point on the first.

    `reach`, `across`: the witness point's coordinates along and across the normal. `miss`: the distance across the
    normal between both profiles' ranges of farthest points, 0 if the ranges overlap.
    """

    separation: float
    normal: _Flat
    reach: float
    across: float
    miss: float


def distance_parallel_axes(first: Shape, at_first: Pose, second: Shape, at_second: Pose) -> Proximity | None:
    """The signed distance of two capsules, cylinders, cones or segments; None for others, and for axes not parallel.

    If both axes are on one line, the plane of the sections is that of the first body's x and y axes; for a segment, any
    plane through it.
    """
    here, other = _profile(first), _profile(second)
    if here is None or other is None:
        return None
    (at, axis), (there_at, turned) = _axis(first, at_first), _axis(second, at_second)
    if length(cross(axis, turned)) > ROUNDING:
        return None
    offset = there_at - at
    noise = ROUNDING * (max(first.bounding_radius, second.bounding_radius) + length(offset))
    side = _sideways(offset, axis, noise)
    if side is None:
        side = at_first.matrix[:, 0] if isinstance(first, _UPRIGHT) else any_perpendicular(axis)
    there = other.placed(1.0 if dot(axis, turned) > 0.0 else -1.0, dot(side, offset), dot(axis, offset))
    way = _shortest(here, there, noise)
    x, y = way.normal
    normal = x * side + y * axis
    point = at + way.reach * normal + way.across * (x * axis - y * side)
    return Proximity(way.separation, normal, point, point + way.separation * normal)


def _profile(shape: Shape) -> _Profile | None:
    match shape:
        case Capsule(radius, along):
            return _Profile(((0.0, -0.5 * along), (0.0, 0.5 * along)), ((1.0, 0.0), (-1.0, 0.0)), radius)
        case Cylinder(radius, height):
            half = 0.5 * height
            corners = ((radius, -half), (radius, half), (-radius, half), (-radius, -half))
            return _Profile(corners, ((0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)), 0.0)
        case Cone(radius, height):
            half, slant = 0.5 * height, hypot(radius, height)
            x, y = height / slant, radius / slant
            return _Profile(((radius, -half), (0.0, half), (-radius, -half)), ((0.0, -1.0), (x, y), (-x, y)), 0.0)
        case Hull() if len(shape.polyhedron.vertices) == 2:
            half = shape.largest_half_extent
            return _Profile(((0.0, -half), (0.0, half)), ((1.0, 0.0), (-1.0, 0.0)), 0.0)
        case _:
            return None


_UPRIGHT = (Capsule, Cylinder, Cone)


def _axis(shape: Shape, pose: Pose) -> tuple[Array, Array]:
    """Returns middle (3,) and unit axis (3,) of a solid of revolution, whose axis is the body's y, or of a segment."""
    segment, _ = (None, 0.0) if isinstance(shape, _UPRIGHT) else core_segment(shape, pose)
    return (pose.position, pose.matrix[:, 1]) if segment is None else (segment.middle, segment.direction)


def _sideways(offset: Array, axis: Array, noise: float) -> Array | None:
    """The unit vector (3,) along the part of `offset` perpendicular to the axis; None if that is at most `noise`."""
    across = offset - dot(axis, offset) * axis
    if length(across) <= noise:
        return None
    # Projected twice: a perpendicular part much shorter than the offset has a large rounding error along the axis.
    side = across / length(across)
    side = side - dot(axis, side) * axis
    return side / length(side)


def _shortest(first: _Profile, second: _Profile, noise: float) -> _ProfileGap:
    """The largest separation over all sides' normals and, for profiles apart, directions between corners.

    Each is a lower bound of the signed distance, and the largest one is equal to it. Of those that are equal to
    rounding, the first with the least `miss` is taken. A distance changes to second order only: a corner beside the
    normal by the square root of rounding is as far as one on it.
    """
    sides = (*first.normals, *((-x, -y) for x, y in second.normals))
    ways = [_along(side, first, second, noise) for side in sides]
    if max(way.separation for way in ways) > -(first.radius + second.radius):
        ways += [_along(way, first, second, noise) for way in _between(first.corners, second.corners)]
    largest = max(way.separation for way in ways)
    return min((way for way in ways if way.separation >= largest - noise), key=lambda way: way.miss)


def _between(first: Iterable[_Flat], second: tuple[_Flat, ...]) -> Iterator[_Flat]:
    """Yields the unit vectors from each corner of the first to each corner of the second."""
    for x, y in first:
        for u, v in second:
            apart = hypot(u - x, v - y)
            if apart > 0.0:
                yield (u - x) / apart, (v - y) / apart


def _along(normal: _Flat, first: _Profile, second: _Profile, noise: float) -> _ProfileGap:
    reach, low, high = first.farthest(normal, noise)
    back, right, left = second.farthest((-normal[0], -normal[1]), noise)
    start, end = max(low, -left), min(high, -right)
    separation = -back - reach - first.radius - second.radius
    # The witness point is in the middle of the common part of both ranges.
    return _ProfileGap(separation, normal, reach + first.radius, 0.5 * (start + end), max(0.0, start - end))

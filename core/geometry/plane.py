"""Planes `n·p = offset` with a unit normal.

A plane is made from a normal and a point, or from three points; a 2D line is made from two points. The module also has
signed distances, flipping, and a convex shape as the set of planes that bound it. Departures from the manual: points
that span no plane are refused, and a point on the surface counts as inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from msgspec import Struct

from .elementary import hypot
from .tolerances import FLAT_SIN
from .vector import Array, cross, dot, frozen, length, transformed


class Plane(Struct, frozen=True, eq=False):
    """All points p with `normal·p = offset`; `normal` is a unit vector, shape (3,)."""

    normal: Array
    offset: float

    def signed_distance(self, point: Array) -> float:
        """Signed distance of `point` (3,): positive on the side to which the normal points, negative behind."""
        return dot(self.normal, point) - self.offset

    def point(self) -> Array:
        """The point (3,) of the plane nearest the frame's origin: `offset · normal`."""
        return self.normal * self.offset

    def projected(self, point: Array) -> Array:
        """The foot of the perpendicular from `point` (3,) on the plane."""
        return point - self.signed_distance(point) * self.normal

    def flipped(self) -> Plane:
        """The same plane seen from the other side: both normal and offset change sign."""
        return Plane(-self.normal, -self.offset)

    def placed(self, matrix: Array, position: Array) -> Plane:
        """The plane turned by the rotation `matrix` (3, 3) and then moved by `position` (3,)."""
        normal = transformed(matrix, self.normal)
        return Plane(normal, self.offset + dot(normal, position))


class Line2D(Struct, frozen=True):
    """All points p = (x, y) with `normal·p = offset`: a 2D line. `normal` is a unit vector."""

    normal: tuple[float, float]
    offset: float

    def signed_distance(self, point: tuple[float, float]) -> float:
        """Signed distance of a point (x, y): positive on the side to which the normal points, negative behind."""
        return self.normal[0] * point[0] + self.normal[1] * point[1] - self.offset

    def flipped(self) -> Line2D:
        """The same line seen from the other side: both normal and offset change sign."""
        return Line2D((-self.normal[0], -self.normal[1]), -self.offset)


def plane_at(normal: Array, point: Array) -> Plane:
    """The plane through `point` (3,) perpendicular to `normal` (3,), of any length.

    Raises ValueError for a zero or non-finite normal.
    """
    size = length(normal)
    if not (size > 0.0 and isfinite(size)):
        raise ValueError("a plane needs a normal with a direction")
    direction = frozen(normal / size)
    return Plane(direction, dot(direction, point))


def plane_through(a: Array, b: Array, c: Array) -> Plane:
    """The plane through three points (3,), counter-clockwise seen from the front: normal along `(b - a) × (c - a)`.

    The product is taken at the corner between the two shorter sides, where it loses the fewest digits. Raises
    ValueError for points that are not finite, or lie on one line, to FLAT_SIN.
    """
    corners = (a, b, c)
    sides = [corners[(k + 1) % 3] - corners[k] for k in range(3)]
    lengths = [length(side) for side in sides]
    longest = lengths.index(max(lengths))
    first, second = sides[(longest + 1) % 3], sides[(longest + 2) % 3]
    sizes = lengths[(longest + 1) % 3], lengths[(longest + 2) % 3]
    if not (min(sizes) > 0.0 and isfinite(lengths[longest])):
        raise ValueError("three points of which two coincide span no plane")
    normal = cross(first / sizes[0], second / sizes[1])
    if not length(normal) > FLAT_SIN:
        raise ValueError("three points on one line span no plane")
    return plane_at(normal, corners[(longest + 2) % 3])


def line_through(start: tuple[float, float], end: tuple[float, float], *, left: bool = False) -> Line2D:
    """The line through two points (x, y), with its normal to the right of the direction from `start` to `end`.

    So the sides of a counter-clockwise polygon face outwards. `left`: puts the normal to the left instead. Raises
    ValueError for points that coincide or are not finite.
    """
    along = (end[0] - start[0], end[1] - start[1])
    size = hypot(*along)
    if not (size > 0.0 and isfinite(size)):
        raise ValueError("two points that coincide span no line")
    normal = (along[1] / size, -along[0] / size)
    line = Line2D(normal, normal[0] * start[0] + normal[1] * start[1])
    return line.flipped() if left else line


def farthest_plane(planes: Sequence[Plane], point: Array) -> tuple[int, float]:
    """Returns the index of the plane with the largest signed distance to `point` (3,), and that distance.

    If the planes bound a convex shape, the distance is positive for a point outside, a lower bound of the distance from
    the shape. For a point inside it is minus the point's depth. Of equal distances the first plane is taken. Raises
    ValueError without planes.
    """
    distances = [plane.signed_distance(point) for plane in planes]
    worst = distances.index(max(distances))
    return worst, distances[worst]


def inside(planes: Sequence[Plane], point: Array, tolerance: float = 0.0) -> bool:
    """Whether `point` (3,) is in the convex shape that the planes bound: in front of none by more than `tolerance`.

    Raises ValueError without planes.
    """
    return farthest_plane(planes, point)[1] <= tolerance

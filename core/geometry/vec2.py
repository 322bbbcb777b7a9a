"""2D vectors as pairs of floats, the orientation of three points with its exact sign, conversion to 3D and back."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .elementary import hypot, sin_cos
from .tolerances import EPS
from .vector import Array, frozen

Vec2 = tuple[float, float]

ORIGIN: Vec2 = (0.0, 0.0)


def add(p: Vec2, q: Vec2) -> Vec2:
    """The sum p + q."""
    return (p[0] + q[0], p[1] + q[1])


def sub(p: Vec2, q: Vec2) -> Vec2:
    """The difference p - q."""
    return (p[0] - q[0], p[1] - q[1])


def scaled(p: Vec2, factor: float) -> Vec2:
    """The multiple `factor` p, without negative zeros."""
    return (p[0] * factor + 0.0, p[1] * factor + 0.0)


def point_along(p: Vec2, factor: float, q: Vec2) -> Vec2:
    """The point p + `factor` q."""
    return (p[0] + factor * q[0], p[1] + factor * q[1])


def lerp(p: Vec2, q: Vec2, share: float) -> Vec2:
    """The point at `share` (0..1) of the way from p to q, computed from the nearer end."""
    way = sub(q, p)
    return point_along(p, share, way) if share <= 0.5 else point_along(q, share - 1.0, way)


def negated(p: Vec2) -> Vec2:
    """The opposite vector, without negative zeros."""
    return (0.0 - p[0], 0.0 - p[1])


def dot(p: Vec2, q: Vec2) -> float:
    """Scalar product."""
    return p[0] * q[0] + p[1] * q[1]


def cross(p: Vec2, q: Vec2) -> float:
    """The cross product of p and q: twice the area of their triangle, positive if q is counter-clockwise of p."""
    return p[0] * q[1] - p[1] * q[0]


def length(p: Vec2) -> float:
    """Euclidean length, also for tiny and huge components."""
    return hypot(p[0], p[1])


def unit(p: Vec2) -> Vec2 | None:
    """The unit vector along p; None if the length of p is at most 1e-300, too small for a direction."""
    size = hypot(p[0], p[1])
    return (p[0] / size, p[1] / size) if size > 1e-300 else None


def right_of(p: Vec2) -> Vec2:
    """The vector p turned clockwise by a right angle: outwards, for the side of a counter-clockwise polygon."""
    return (p[1], 0.0 - p[0])


def left_of(p: Vec2) -> Vec2:
    """The vector p turned counter-clockwise by a right angle."""
    return (0.0 - p[1], p[0])


def rotated(p: Vec2, angle: float) -> Vec2:
    """The vector p turned counter-clockwise by an angle, radians. Raises ValueError unless the angle is finite."""
    if angle == 0.0:
        return p
    s, c = sin_cos(angle)
    return (c * p[0] - s * p[1], s * p[0] + c * p[1])


def heading(p: Vec2) -> float:
    """A number in [-2, 2] that increases with the angle of p from +x, as `atan2` does; a right angle is 1.

    Opposite vectors differ by 2; the zero vector gives 0. Used to sort by direction; costs only one division.
    """
    x, y = p
    share = y / (abs(x) + abs(y)) if x or y else 0.0
    if x >= 0.0:
        return share
    return 2.0 - share if y >= 0.0 else -2.0 - share


def raised(point: Vec2) -> Array:
    """A 2D point as a 3D point (3,) with z = 0."""
    return frozen(np.array((*point, 0.0)))


def raised_rows(points: Iterable[Vec2]) -> Array:
    """2D points as 3D points (n, 3) with z = 0."""
    return frozen(np.array([(x, y, 0.0) for x, y in points]).reshape(-1, 3))


def without_z(vector: Array) -> Vec2:
    """A 3D vector (3,) without its z."""
    x, y, _ = vector.tolist()
    return (x, y)


def orientation(a: Vec2, b: Vec2, c: Vec2) -> int:
    """The exact sign of the turn at b from a to c: 1 to the left, -1 to the right, 0 for points on one line."""
    one, other = (b[0] - a[0]) * (c[1] - a[1]), (b[1] - a[1]) * (c[0] - a[0])
    # Shewchuk's error bound for the plain determinant, rounded up; exact fractions decide about a smaller one.
    if abs(one - other) > 2.0 * EPS * (abs(one) + abs(other)):
        return 1 if one > other else -1
    from fractions import Fraction  # seldom needed

    (ax, ay), (bx, by), (cx, cy) = ((Fraction(x), Fraction(y)) for x, y in (a, b, c))
    exact = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (exact > 0) - (exact < 0)

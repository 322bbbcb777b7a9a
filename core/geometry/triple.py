"""3-vectors as plain tuples of floats, for loops that handle one vector at a time.

GJK and EPA use four or five vectors in each step. Numpy takes half a microsecond for each operation on three numbers,
plain floats a tenth of that.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from .elementary import LARGEST_SQUARE, SINGLE_TYPE, SMALLEST_SQUARE, hypot
from .vector import Array, frozen

Triple = tuple[float, float, float]

ZERO: Triple = (0.0, 0.0, 0.0)


def triple(a: Array) -> Triple:
    """The components of an array of shape (3,)."""
    x, y, z = a.tolist()
    return (x, y, z)


def components(a: Array) -> Triple:
    """The components of an array of shape (3,) in its own precision: floats, or float32 scalars."""
    x, y, z = a.tolist() if a.dtype != SINGLE_TYPE else a
    return (x, y, z)


def array_of(p: Triple) -> Array:
    """The components as a read-only array of shape (3,)."""
    return frozen(np.array(p))


def add(p: Triple, q: Triple) -> Triple:
    """The sum p + q."""
    return (p[0] + q[0], p[1] + q[1], p[2] + q[2])


def sub(p: Triple, q: Triple) -> Triple:
    """The difference p - q."""
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def scaled(p: Triple, factor: float) -> Triple:
    """The multiple `factor` p."""
    return (p[0] * factor, p[1] * factor, p[2] * factor)


def point_along(p: Triple, factor: float, q: Triple) -> Triple:
    """The point p + `factor` q."""
    return (p[0] + factor * q[0], p[1] + factor * q[1], p[2] + factor * q[2])


def dot(p: Triple, q: Triple) -> float:
    """Scalar product."""
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Triple, q: Triple) -> Triple:
    """Right-handed vector product."""
    px, py, pz = p
    qx, qy, qz = q
    return (py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx)


def length(p: Triple) -> float:
    """Euclidean length, also for tiny and huge components."""
    x, y, z = p
    square = x * x + y * y + z * z
    # Avoids the call of `hypot` in nearly all cases, here and in `unit`.
    if SMALLEST_SQUARE < square < LARGEST_SQUARE:
        return sqrt(square) if type(square) is not SINGLE_TYPE else SINGLE_TYPE(sqrt(square))
    return hypot(x, y, z)


def unit(p: Triple) -> Triple | None:
    """The unit vector along p; None if the length of p is at most 1e-300, too small for a direction."""
    x, y, z = p
    square = x * x + y * y + z * z
    size = sqrt(square) if SMALLEST_SQUARE < square < LARGEST_SQUARE else hypot(x, y, z)
    return (x / size, y / size, z / size) if size > 1e-300 else None


def line_direction(p: Triple) -> Triple:
    """The unit vector along a direction that the user entered. Raises ValueError if p is zero or not finite."""
    size = length(p)
    if not 0.0 < size < inf:
        raise ValueError("The line needs a direction: its three numbers must be finite and not all zero.")
    return (p[0] / size, p[1] / size, p[2] / size)


def any_perpendicular(p: Triple) -> Triple:
    """A unit vector perpendicular to p, which is not zero: its product with the axis least aligned with it."""
    least = min(range(3), key=lambda k: abs(p[k]))
    side = cross(p, (float(least == 0), float(least == 1), float(least == 2)))
    return scaled(side, 1.0 / length(side))


def negated(p: Triple) -> Triple:
    """The opposite vector."""
    return (-p[0], -p[1], -p[2])

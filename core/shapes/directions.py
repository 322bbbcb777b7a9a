"""Scales directions of any length, the zero vector included, to a safe range or to unit length, for support maps."""

from __future__ import annotations

from math import sqrt

from ..geometry.elementary import hypot
from ..geometry.triple import Triple
from ..geometry.vector import Array


def triple_in_range(direction: Array) -> Triple:
    """The components of `direction` (3,) as plain floats, scaled to about 1 if they are very large or very small."""
    return in_range(*direction.tolist())


def in_range(x: float, y: float, z: float) -> Triple:
    """The components of a direction, scaled to about 1 if they are very large or very small.

    So no product with a shape's size overflows or loses digits. No support map depends on the direction's length.
    """
    largest = max(abs(x), abs(y), abs(z))
    if 1e-100 < largest < 1e100 or largest == 0.0:
        return (x, y, z)
    return (x / largest, y / largest, z / largest)


def unit_triple(direction: Array) -> Triple:
    """The unit vector along `direction` (3,) as plain floats; +x for the zero vector."""
    return unit_along(*direction.tolist())


def unit_along(x: float, y: float, z: float) -> Triple:
    """The unit vector along (x, y, z); +x for the zero vector."""
    return scaled_to_unit(*in_range(x, y, z))


def scaled_to_unit(x: float, y: float, z: float) -> Triple:
    """The unit vector along (x, y, z); +x for the zero vector. The squares must be within the range of doubles."""
    size = sqrt(x * x + y * y + z * z)
    return (x / size, y / size, z / size) if size > 0.0 else (1.0, 0.0, 0.0)


def unit_about_y(x: float, z: float) -> tuple[float, float, float]:
    """Splits off the part of a direction perpendicular to the y axis. Returns its unit x and z, and its length.

    For a direction along the axis, the unit part is +x and the length 0. A support point is then a point of the rim,
    not the middle of the flat end, so that support points are always extreme points.
    """
    across = hypot(x, z)
    return (x / across, z / across, across) if across > 0.0 else (1.0, 0.0, 0.0)

"""Directions of any length, the zero vector included, made ready for support maps."""

from __future__ import annotations

from math import hypot, sqrt

from ..geometry.vector import Array

Triple = tuple[float, float, float]


def unit_triple(direction: Array) -> Triple:
    """The unit vector along `direction` (3,) as plain floats; +x for the zero vector."""
    x, y, z = direction.tolist()
    return scaled_to_unit(x, y, z)


def scaled_to_unit(x: float, y: float, z: float) -> Triple:
    """(x, y, z) at length 1; +x for the zero vector. Components near the ends of the range of doubles are kept."""
    square = x * x + y * y + z * z
    if not 1e-280 < square < 1e280:
        largest = max(abs(x), abs(y), abs(z))
        if largest == 0.0:
            return (1.0, 0.0, 0.0)
        x, y, z = x / largest, y / largest, z / largest
        square = x * x + y * y + z * z
    size = sqrt(square)
    return (x / size, y / size, z / size)


def unit_about_y(x: float, z: float) -> tuple[float, float, float]:
    """The part of a direction across the y axis: its unit components (x, z) and its length.

    On the axis there is no such direction, and +x is taken: a point of the rim rather than the middle of the flat
    end, so that support points are always extreme points.
    """
    across = hypot(x, z)
    return (x / across, z / across, across) if across > 0.0 else (1.0, 0.0, 0.0)

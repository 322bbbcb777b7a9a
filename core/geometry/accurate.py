"""Area vectors of triangles to the last place, also of slivers.

In plain doubles the vector product of two long, nearly parallel edges is mostly rounding. Here the differences and
products carry their rounding errors along (Dekker 1971), which is as good as twice the digits; no wider float is
used, because not every platform has one.
"""

from __future__ import annotations

from .vector import Array

_SPLIT = 134217729.0
"""2^27 + 1: splits a double's 53 digits into two halves whose products are exact."""


def area_vectors(a: Array, b: Array, c: Array) -> Array:
    """`(b - a) × (c - a)` row by row for corners of shape (n, 3): twice the area along the right-handed normal.

    Components must lie within about 1e-100 and 1e100 of 1, or be zero.
    """
    u, u_rest = _difference(b, a)
    v, v_rest = _difference(c, a)
    after, before = [1, 2, 0], [2, 0, 1]
    first, first_rest = _product(u[:, after], v[:, before])
    second, second_rest = _product(u[:, before], v[:, after])
    total, total_rest = _difference(first, second)
    rest = first_rest - second_rest + total_rest
    rest += u[:, after] * v_rest[:, before] + u_rest[:, after] * v[:, before]
    rest -= u[:, before] * v_rest[:, after] + u_rest[:, before] * v[:, after]
    out: Array = total + rest
    return out


def _difference(x: Array, y: Array) -> tuple[Array, Array]:
    """`x - y` rounded, and what rounding left out."""
    total = x - y
    back = total - x
    return total, (x - (total - back)) - (y + back)


def _product(x: Array, y: Array) -> tuple[Array, Array]:
    """`x y` rounded, and what rounding left out."""
    total = x * y
    x_high, y_high = _high(x), _high(y)
    x_low, y_low = x - x_high, y - y_high
    return total, ((x_high * y_high - total) + x_high * y_low + x_low * y_high) + x_low * y_low


def _high(x: Array) -> Array:
    scaled = _SPLIT * x
    high: Array = scaled - (scaled - x)
    return high

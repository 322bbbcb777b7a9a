"""Small vector functions for single 3-vectors and rows of them.

They are hand-written because numpy's general `np.cross` and `np.linalg.norm` take 16 and 1.1 microseconds for one
3-vector; the linter refuses those two in core and app.

`area_vectors` computes the area vectors of triangles to the last place, also for slivers. In plain doubles the vector
product of two long, nearly parallel edges is mostly rounding. So the rounding errors of differences and products are
computed too (Dekker 1971), which is as good as twice the digits. No wider float is used, because not every platform has
one.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .elementary import LARGEST_SQUARE, SMALLEST_SQUARE, acos, asin, hypot

Array = NDArray[np.float64]
"""Any float64 array; each docstring gives the shape."""
Indices = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_FEW = 400
"""Up to this number, products are computed by one call of numpy; for more, the cost of a call does not matter."""
_IN_CACHE = 2**14
"""The sums of products that are computed together; more would leave the cache, and take five times as long each."""


def vec(x: float, y: float, z: float) -> Array:
    """The 3-vector (x, y, z) as float64, shape (3,)."""
    return np.array((x, y, z), dtype=np.float64)


def dot(a: Array, b: Array) -> float:
    """Scalar product of two vectors of shape (3,)."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return float(ax * bx + ay * by + az * bz)


def cross(a: Array, b: Array) -> Array:
    """Right-handed vector product of two vectors of shape (3,)."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx))


def cross_rows(a: Array, b: Array) -> Array:
    """Vector product row by row: broadcastable arrays of shape (..., 3)."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    x = ay * bz - az * by
    out = np.zeros((*x.shape, 3))
    out[..., 0] = x
    out[..., 1] = az * bx - ax * bz
    out[..., 2] = ax * by - ay * bx
    return out


def transformed(matrix: Array, vector: Array) -> Array:
    """The product of a matrix (3, 3) and a vector (3,)."""
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    x, y, z = vector.tolist()
    return np.array((a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z))


def dots(a: Array, b: Array) -> Array:
    """Scalar products over the last axis of broadcastable arrays (..., k), summed in order.

    The digits are the same on every processor. `@`, `dot` and `einsum` sum in an order that depends on the processor,
    and may fuse products.
    """
    products = a * b
    total: Array = products[..., 0]
    for k in range(1, products.shape[-1]):
        total = total + products[..., k]
    return total


def product(a: Array, b: Array) -> Array:
    """The matrix product of `a` (..., k) and `b` (k, m), summed over k in order: the same digits on every processor.

    `product(points, rotation.T)` are the `points` (n, 3) turned by `rotation`; `product(points, directions.T)` (n, m)
    are their heights along `directions` (m, 3).
    """
    if a.size * b.shape[1] <= _FEW:
        products = a[..., None] * b
        total: Array = products[..., 0, :]
        for k in range(1, len(b)):
            total = total + products[..., k, :]
        return total
    b = np.ascontiguousarray(b)
    rows = max(_IN_CACHE // b.shape[1], 1)
    if a.ndim == 2 and len(a) > rows:
        out = np.zeros((len(a), b.shape[1]), dtype=np.result_type(a, b))
        for first in range(0, len(a), rows):
            out[first : first + rows] = product(a[first : first + rows], b)
        return out
    total = a[..., 0, None] * b[0]
    for k in range(1, len(b)):
        total += a[..., k, None] * b[k]
    return total


def following(rows: Array) -> Array:
    """The next row of each row of a loop, (k, ...): the second row comes first, the first row last."""
    return np.concatenate((rows[1:], rows[:1]))


def length(a: Array) -> float:
    """Euclidean length of a vector (3,), also of tiny or huge components."""
    x, y, z = a.tolist()
    square = x * x + y * y + z * z
    return sqrt(square) if SMALLEST_SQUARE < square < LARGEST_SQUARE else hypot(x, y, z)


def length_rows(a: Array) -> Array:
    """Euclidean lengths (...) of rows (..., 3); unlike for `length`, their squares must be in the range of doubles."""
    lengths: Array = np.sqrt(dots(a, a))
    return lengths


def unit(a: Array) -> Array | None:
    """The unit vector along `a` (3,), or None for the zero vector."""
    size = length(a)
    return a / size if size > 0.0 else None


def angle(p: Array, q: Array) -> float:
    """Angle, radians, between two unit vectors (3,), or nearly unit ones; accurate for small angles."""
    apart = 0.5 * length(p - q)
    return 2.0 * asin(min(1.0, apart)) if dot(p, q) > 0.0 else acos(max(-1.0, min(1.0, dot(p, q))))


def any_perpendicular(a: Array) -> Array:
    """A unit vector (3,) perpendicular to the unit vector `a`: its product with the axis least aligned with it."""
    x, y, z = a.tolist()
    least = min((0, 1, 2), key=(abs(x), abs(y), abs(z)).__getitem__)
    ex, ey, ez = float(least == 0), float(least == 1), float(least == 2)
    u, v, w = y * ez - z * ey, z * ex - x * ez, x * ey - y * ex
    return np.array((u, v, w)) / sqrt(u * u + v * v + w * w)


def frozen(a: Array) -> Array:
    """The same array, of any shape, made read-only, as results are shared."""
    a.setflags(write=False)
    return a


_SPLIT = 134217729.0
"""2^27 + 1: splits a double's 53 binary digits into two halves whose products are exact."""


def area_vectors(a: Array, b: Array, c: Array) -> Array:
    """`(b - a) × (c - a)` row by row, (n, 3), for corners (n, 3): twice the area, along the right-handed normal.

    Components must be zero or of size between about 1e-100 and 1e100.
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
    """Returns `x - y` rounded, and its rounding error."""
    total = x - y
    back = total - x
    return total, (x - (total - back)) - (y + back)


def _product(x: Array, y: Array) -> tuple[Array, Array]:
    """Returns `x y` rounded, and its rounding error."""
    total = x * y
    x_high, y_high = _high(x), _high(y)
    x_low, y_low = x - x_high, y - y_high
    return total, ((x_high * y_high - total) + x_high * y_low + x_low * y_high) + x_low * y_low


def _high(x: Array) -> Array:
    scaled = _SPLIT * x
    high: Array = scaled - (scaled - x)
    return high

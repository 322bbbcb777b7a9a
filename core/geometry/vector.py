"""Small vector helpers for single 3-vectors and rows of them.

Hand-written because numpy's general `np.cross` and `np.linalg.norm` cost 16 and 1.1 microseconds on one 3-vector;
the linter refuses those two elsewhere in core.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Any float64 array; each docstring gives the shape."""


def vec(x: float, y: float, z: float) -> Array:
    """The 3-vector (x, y, z) as float64, shape (3,)."""
    return np.array((x, y, z), dtype=np.float64)


def dot(a: Array, b: Array) -> float:
    """Scalar product of two vectors of shape (3,)."""
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


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


def following(rows: Array) -> Array:
    """Each row's successor round a loop, (k, ...): the second row first, the first last."""
    return np.concatenate((rows[1:], rows[:1]))


def length(a: Array) -> float:
    """Euclidean length of a vector of shape (3,), scaled so that neither tiny nor huge components are lost."""
    components: list[float] = a.tolist()
    x, y, z = components
    largest = max(abs(x), abs(y), abs(z))
    if not 1e-140 < largest < 1e140 and largest > 0.0:
        x, y, z = x / largest, y / largest, z / largest
        return largest * sqrt(x * x + y * y + z * z)
    return sqrt(x * x + y * y + z * z)


def length_rows(a: Array) -> Array:
    """Euclidean lengths of the rows of an array of shape (..., 3)."""
    lengths: Array = np.sqrt(np.einsum("...i,...i->...", a, a))
    return lengths


def unit(a: Array) -> Array | None:
    """The unit vector along `a`, or None for the zero vector (its direction is not known, and none is made up)."""
    size = length(a)
    return a / size if size > 0.0 else None


def any_perpendicular(a: Array) -> Array:
    """A unit vector perpendicular to the unit vector `a`: crossed with the world axis least aligned with it."""
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(a)))] = 1.0
    side = cross(a, helper)
    return side / length(side)


def frozen(a: Array) -> Array:
    """The same array, marked read-only: results are shared, never edited."""
    a.flags.writeable = False
    return a

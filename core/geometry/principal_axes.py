"""The directions in which points extend the most and the least: the right singular vectors of their coordinates."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .matrix import SWEEPS, jacobi_rotation
from .tolerances import EPS
from .vector import Array


def principal_axes(points: Array) -> Array:
    """Principal axes (3, 3) of the points (n, 3): perpendicular unit rows, by falling extent about the mean.

    By one-sided Jacobi rotations (Hestenes 1958): the columns of the coordinates are rotated in pairs until they are
    perpendicular. Small extents keep their digits (Demmel and Veselić 1992). So the normal of points that nearly lie in
    a plane is accurate to rounding, and points flat to rounding are found flat, however long and narrow they are. A
    pair is rotated by at most an eighth of a turn, so axes of equal extents stay along the frame's axes.
    """
    centred = points - points.mean(axis=0)
    columns = [np.ascontiguousarray(centred[:, k]) for k in range(3)]
    axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(SWEEPS):
        turns = [_turned(columns, axes, i, j) for i, j in ((0, 1), (0, 2), (1, 2))]
        if not any(turns):
            break
    sizes = [float(np.add.reduce(column * column)) for column in columns]
    # Of equal extents, the lower index comes first.
    return np.array([axes[k] for k in sorted(range(3), key=lambda k: -sizes[k])])


def _turned(columns: list[Array], axes: list[list[float]], i: int, j: int) -> bool:
    """Rotates the columns i and j, and their axes, so that the columns are perpendicular.

    Changes both lists. Returns False, without a change, if the columns are perpendicular to rounding already.
    """
    first, second = columns[i], columns[j]
    p, q = float(np.add.reduce(first * first)), float(np.add.reduce(second * second))
    r = float(np.add.reduce(first * second))
    if abs(r) <= EPS * sqrt(p) * sqrt(q):
        return False
    _, cosine, sine = jacobi_rotation(p, r, q)
    columns[i], columns[j] = cosine * first - sine * second, sine * first + cosine * second
    pairs = list(zip(axes[i], axes[j], strict=True))
    axes[i] = [cosine * x - sine * y for x, y in pairs]
    axes[j] = [sine * x + cosine * y for x, y in pairs]
    return True

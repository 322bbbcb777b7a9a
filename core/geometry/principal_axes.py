"""The directions in which points reach the most and the least: the right singular vectors of their coordinates."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .matrix import SWEEPS, jacobi_rotation
from .tolerances import EPS
from .vector import Array


def principal_axes(points: Array) -> Array:
    """Unit vectors (3, 3) in rows, at right angles: along them the points (n, 3) reach less and less about their mean.

    By one-sided Jacobi turns (Hestenes 1958): the coordinates' columns are turned in pairs until all are at right
    angles, and their last digits with them, so that points that all but lie in a plane have its normal as well as
    doubles can tell (Demmel and Veselić 1992): what is flat to rounding is found flat, however long and narrow it is.
    Each column is turned less than an eighth of a circle, so equal extents stay along the frame's axes.
    """
    centred = points - points.mean(axis=0)
    columns = [np.ascontiguousarray(centred[:, k]) for k in range(3)]
    axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(SWEEPS):
        turns = [_turned(columns, axes, i, j) for i, j in ((0, 1), (0, 2), (1, 2))]
        if not any(turns):
            break
    sizes = [float(np.add.reduce(column * column)) for column in columns]
    # Of equal extents the lower first.
    return np.array([axes[k] for k in sorted(range(3), key=lambda k: -sizes[k])])


def _turned(columns: list[Array], axes: list[list[float]], i: int, j: int) -> bool:
    """Turns two columns, and the axes with them, to a right angle; False if it is one already, to rounding."""
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

"""Support points of many differences A - B at once: all that the batched GJK and EPA know of the bodies."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .answers import Reals

Rows = NDArray[np.intp]


class Supports(Protocol):
    """m differences of convex bodies."""

    def __call__(self, directions: Reals, rows: Rows) -> Reals:
        """The points (k, 3) of the differences `rows` (k,) farthest along `directions` (k, 3), of any length but 0."""


class PointClouds(Struct, frozen=True, eq=False):
    """Differences of the hulls of points: coordinates (3, m, ka) of A's and (3, m, kb) of B's, in one frame."""

    points_a: Reals
    points_b: Reals

    def take(self, rows: Rows) -> PointClouds:
        """Some of the differences."""
        return PointClouds(self.points_a.take(rows, axis=1), self.points_b.take(rows, axis=1))

    def __call__(self, directions: Reals, rows: Rows) -> Reals:
        """See Supports. Of equally far points the first is taken."""
        out: Reals = farthest(self.points_a, directions, rows) - farthest(self.points_b, -directions, rows)
        return out


def farthest(points: Reals, directions: Reals, rows: Rows) -> Reals:
    """The points (k, 3) of the clouds `rows` (k,) farthest along `directions` (k, 3); `points` (3, m, c)."""
    x, y, z = directions.T[:, :, None]
    part = points if len(rows) == points.shape[1] else points.take(rows, axis=1)
    heights = part[0] * x
    heights += part[1] * y
    heights += part[2] * z
    out: Reals = part[:, np.arange(len(rows)), heights.argmax(axis=1)].T
    return out

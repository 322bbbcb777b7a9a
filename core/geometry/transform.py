"""Rigid poses: a world position and a rotation, as arrays for the algorithms."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec import Struct

from . import quaternion
from .vector import Array, frozen


class Pose(Struct, frozen=True, eq=False):
    """World position, shape (3,), and rotation matrix, shape (3, 3), whose columns are the body's axes."""

    position: Array
    matrix: Array

    @staticmethod
    @lru_cache(maxsize=64)
    def of(position: tuple[float, float, float], rotation: quaternion.Quaternion) -> Pose:
        """From the position and unit quaternion (w, x, y, z) of a body; kept, as every algorithm asks for it again."""
        return Pose(frozen(np.array(position, dtype=np.float64)), frozen(quaternion.to_matrix(rotation)))

    def to_world(self, points: Array) -> Array:
        """Points (..., 3) of the body's frame in the world."""
        return self.direction_to_world(points) + self.position

    def direction_to_world(self, direction: Array) -> Array:
        """A direction (..., 3) of the body's frame in the world."""
        if direction.ndim > 2:
            # As one product: of triples of corners numpy would make a small one each, ten times slower.
            return self.direction_to_world(direction.reshape(-1, 3)).reshape(direction.shape)
        out: Array = direction @ self.matrix.T
        return out

    def to_local(self, points: Array) -> Array:
        """World points (..., 3) in the body's frame."""
        out: Array = (points - self.position) @ self.matrix
        return out

    def direction_to_local(self, direction: Array) -> Array:
        """A world direction (..., 3) in the body's frame."""
        out: Array = direction @ self.matrix
        return out

"""The part that the forms of robotics share: frames inside frames, and roll, pitch and yaw."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from msgspec import Struct, field

from core.geometry.elementary import atan2
from core.geometry.vector import Array, dots, product

from .bodies import Given, by_angles


class Frame(Struct, frozen=True):
    """The pose of a frame in another one: `rotation` (3, 3) and `position` (3,)."""

    rotation: Array = field(default_factory=lambda: np.eye(3))
    position: Array = field(default_factory=lambda: np.zeros(3))

    def of(self, inner: Frame) -> Frame:
        """The pose of `inner`, given in this frame, in the frame that this one is given in."""
        return Frame(product(self.rotation, inner.rotation), self.position + dots(self.rotation, inner.position))

    def stand(self, given: Given, line: int) -> None:
        """Gives a body this pose. Raises NotUnderstoodError if it has one already."""
        given.give("position", self.position, line)
        given.give("rotation", self.rotation, line)


def by_rpy(angles: Sequence[float], *, degrees: bool = False) -> Array:
    """The matrix (3, 3) of roll, pitch and yaw about the fixed axes x, y and z in this order; radians by default.

    Raises NotUnderstoodError for an infinite angle.
    """
    return by_angles(angles, "ZYX", degrees=degrees)


def rpy_of(turn: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation matrix (3, 3), radians. Yaw is 0 if pitch is within 1e-7 of a right angle."""
    flat = sqrt(float(turn[0, 0]) ** 2 + float(turn[1, 0]) ** 2)
    pitch = atan2(-float(turn[2, 0]), flat)
    if flat < 1e-7:
        return atan2(-float(turn[1, 2]), float(turn[1, 1])), pitch, 0.0
    return atan2(float(turn[2, 1]), float(turn[2, 2])), pitch, atan2(float(turn[1, 0]), float(turn[0, 0]))

"""The part that the forms of robotics share: frames inside frames, roll, pitch and yaw, and a body's pose with Z up."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct, field

from core.geometry import quaternion
from core.geometry.elementary import atan2
from core.geometry.vector import Array, dots, product
from core.scene import Body
from core.shapes import Shape, sharp_of

from ..io.engines import Conventions, body_axes, world_axes
from ..shapes import kind_of
from .bodies import UPRIGHT, Given, by_angles

AXES = Conventions(z_up=True, axis="Z")
"""Z is up, and shapes with an axis have it along Z."""


class Frame(Struct, frozen=True):
    """A frame in another one: `turn` (3, 3) and `place` (3,)."""

    turn: Array = field(default_factory=lambda: np.eye(3))
    place: Array = field(default_factory=lambda: np.zeros(3))

    def of(self, inner: Frame) -> Frame:
        """The frame that `inner` is, where this one is given."""
        return Frame(product(self.turn, inner.turn), self.place + dots(self.turn, inner.place))

    def stand(self, given: Given, line: int) -> None:
        """Gives a body this pose."""
        given.give("position", self.place, line)
        given.give("turn", self.turn, line)


def by_rpy(angles: Sequence[float], *, degrees: bool = False) -> Array:
    """The matrix of roll, pitch and yaw, about the fixed axes x, y and z in this order."""
    return by_angles(angles, "ZYX", degrees=degrees)


def rpy_of(turn: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation matrix, radians."""
    flat = sqrt(float(turn[0, 0]) ** 2 + float(turn[1, 0]) ** 2)
    pitch = atan2(-float(turn[2, 0]), flat)
    if flat < 1e-7:
        return atan2(-float(turn[1, 2]), float(turn[1, 1])), pitch, 0.0
    return atan2(float(turn[2, 1]), float(turn[2, 2])), pitch, atan2(float(turn[1, 0]), float(turn[0, 0]))


def written(body: Body, letter: str, title: str, shapes: Sequence[str]) -> tuple[str, dict[str, Any], Frame, Shape]:
    """The name of a body's shape, its own numbers by name, its frame with Z up, and the shape, to write it.

    Raises ValueError with a sentence where the form called `title` has no such shape, or the body a border radius.
    """
    shape, border = sharp_of(body.shape)
    kind = kind_of(shape)
    if kind.name not in shapes:
        raise ValueError(f"{title} has no {kind.title.lower()}, so this pair cannot be written for it.")
    if border:
        raise ValueError(f"{letter.upper()} has a border radius, which {title} cannot hold.")
    numbers = {parameter.key: [float(v) for v in parameter.values(shape)] for parameter in kind.parameters}
    world, axes = world_axes(AXES), body_axes(AXES, upright=kind.name in UPRIGHT)
    turn = product(product(world.T, quaternion.to_matrix(body.rotation)), axes)
    return kind.name, numbers, Frame(turn, dots(world.T, np.array(body.position))), shape


def digits(values: Sequence[float] | Array) -> str:
    """Numbers with all their digits and spaces between them."""
    return " ".join(repr(float(value) + 0.0) for value in values)

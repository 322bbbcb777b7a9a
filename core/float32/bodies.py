"""Bodies in single precision: every number of theirs rounded to float32, and every support point made of such.

What is not single: a hull's topology (which points make a face) is the one found in double.

What an algorithm has found in single precision, and what finds double's answer to the same question.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from ..batch.answers import Found, Reals, dots, lengths
from ..batch.bodies import axes_of
from ..batch.nearest import Rows
from ..geometry.vector import Array
from ..scene import Body
from ..shapes import Shape, sharp_of

Single = np.float32


class SingleBody(Struct, frozen=True, eq=False):
    """A body's numbers as float32.

    `axes` (3, 3): its axes in the world, one a row. `place` (3,): where its position is in the frame computed in: the
    world's, or the one whose origin is A's position. `points` (k, 3) of its core in that frame, or None for cylinder,
    cone and ellipsoid. `radius`: what the core is grown by.
    """

    shape: Shape
    axes: Reals
    place: Reals
    points: Reals | None
    radius: np.float32

    @staticmethod
    def of(body: Body, origin: Reals | None) -> SingleBody:
        """`origin` (3,): A's rounded position, or None to stay in the world's frame."""
        rotation = np.array([body.rotation], dtype=Single)
        axes = axes_of(rotation, Single)[:, :, 0]
        place = np.array(body.position, dtype=Single)
        if origin is not None:
            place = place - origin
        core = body.shape.core
        if core is None:
            return SingleBody(body.shape, axes, place, None, Single(sharp_of(body.shape)[1]))
        return SingleBody(body.shape, axes, place, core.points.astype(Single) @ axes + place, Single(core.radius))

    def farthest(self, direction: Reals) -> Reals:
        """The point (3,) of the core farthest along `direction` (3,), in the frame computed in."""
        if self.points is not None:
            point: Reals = self.points[int((self.points @ direction).argmax())]
            return point
        x, y, z = self.axes @ direction
        assert self.shape.single_support is not None
        local = np.array(self.shape.single_support(x, y, z), dtype=Single)
        placed: Reals = local @ self.axes + self.place
        return placed


class SingleDifference(Struct, frozen=True, eq=False):
    """A - B as the batched GJK and EPA ask for it: one row."""

    a: SingleBody
    b: SingleBody

    def __call__(self, directions: Reals, rows: Rows) -> Reals:
        """See core.batch.supports.Supports."""
        points = [self.a.farthest(direction) - self.b.farthest(-direction) for direction in directions[: len(rows)]]
        return np.array(points, dtype=Single).reshape(-1, 3)


def unit_columns(columns: Reals) -> Reals:
    """The columns (3, n) made unit; those that are exactly zero are left out."""
    sizes = lengths(columns)
    out: Reals = columns[:, sizes > 0.0] / sizes[sizes > 0.0]
    return out


def reach(body: SingleBody, normal: Reals) -> np.float32:
    """The largest `normal·p` (unit normal (3,)) of the body, in the frame computed in."""
    return np.float32(dots(normal, body.farthest(normal)) + body.radius)


class DoubleAnswer(Struct, frozen=True, eq=False):
    """Double's answer: `normal` (3,) unit, from A to B."""

    separation: float
    normal: Array


class Run(Struct, frozen=True, eq=False):
    """An algorithm's answer in single precision, and what finds double's."""

    algorithm: str
    found: Found
    double: Callable[[Body, Body], DoubleAnswer]


def found_one(separation: np.float32, normal: Reals, gap: float = 0.0) -> Found:
    """One pair's answer as a batch has it; `normal` (3,)."""
    return Found(
        np.array([separation], dtype=np.float32),
        normal.reshape(3, 1),
        np.array([gap], dtype=np.float32),
        np.zeros(1, dtype=np.bool_),
    )

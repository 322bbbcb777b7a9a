"""The plane across a normal, with coordinates (u, v) in it and heights along the normal, and a body as seen there.

Single points are reckoned in plain floats: numpy costs a microsecond for each operation on three numbers.
"""

from __future__ import annotations

from functools import cached_property
from math import sqrt

import numpy as np
from msgspec import Struct

from ..geometry.triple import Triple, cross, dot, triple
from ..geometry.vector import Array, frozen, product
from ..scene import Body

AS_FAR_ACROSS = 1e-9
"""World axes whose products with the normal differ by less are equally far across it: the first is taken."""


class Frame(Struct, frozen=True, eq=False, dict=True):
    """The unit directions `u` and `v` across a normal, and it itself, `n`, about an `origin` relative to A's position.

    Right-handed; n runs from the first body to the second.
    """

    origin: Triple
    u: Triple
    v: Triple
    n: Triple

    @staticmethod
    def along(n: Array, origin: Array, dimension: int) -> Frame:
        """Across the unit `n` (3,). In space u is across the world axis most across n as well, in the plane in it."""
        w = x, y, z = triple(n)
        if dimension == 3:
            least = min(abs(x), abs(y), abs(z)) + AS_FAR_ACROSS
            u = (0.0, z, -y) if abs(x) <= least else (-z, 0.0, x) if abs(y) <= least else (y, -x, 0.0)
            size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
            u = (u[0] / size, u[1] / size, u[2] / size)
        else:
            u = (-y, x, 0.0)
        return Frame(triple(origin), u, cross(w, u), w)

    @cached_property
    def across(self) -> Array:
        """The directions as columns (3, 3)."""
        return frozen(np.array((self.u, self.v, self.n))).T

    def turned(self, direction: Triple) -> Triple:
        """A direction in the coordinates of the frame."""
        return dot(direction, self.u), dot(direction, self.v), dot(direction, self.n)

    def coordinates(self, point: Array) -> Triple:
        """A point (3,), relative to A's position, in the coordinates of the frame."""
        (x, y, z), (ox, oy, oz) = point.tolist(), self.origin
        return self.turned((x - ox, y - oy, z - oz))

    def way(self, u: float, v: float, height: float) -> Triple:
        """The direction that has these coordinates."""
        (ux, uy, uz), (vx, vy, vz), (nx, ny, nz) = self.u, self.v, self.n
        return (
            u * ux + v * vx + height * nx,
            u * uy + v * vy + height * ny,
            u * uz + v * vz + height * nz,
        )


class Seen(Struct, frozen=True, eq=False, dict=True):
    """A body as the other one sees it, along d = `sign` n, and what is told apart.

    `position` (3,): relative to A's position; the body's own is that in the world. `alpha`: α. Lengths: what `level`
    heights differ by, and what is one point seen along the normal (`lateral`).
    """

    body: Body
    position: Array
    frame: Frame
    sign: float
    alpha: float
    level: float
    lateral: float

    @cached_property
    def d(self) -> Array:
        """The direction to the other body (3,)."""
        return self.sign * self.frame.across[:, 2]

    @cached_property
    def turn(self) -> tuple[Triple, Triple, Triple]:
        """The body's axes in the coordinates of the frame."""
        x, y, z = self.body.pose.matrix.T.tolist()
        return self.frame.turned(x), self.frame.turned(y), self.frame.turned(z)

    @cached_property
    def local(self) -> Array:
        """The direction to the other body (3,) in the body's own frame."""
        (_, _, x), (_, _, y), (_, _, z) = self.turn
        return np.array((self.sign * x, self.sign * y, self.sign * z))

    @cached_property
    def front(self) -> float:
        """How far the body extends from its position towards the other."""
        return float(self.body.shape.reach(self.local))

    @cached_property
    def reach(self) -> float:
        """How high the body is at most."""
        return self.front + self.sign * self.shift[2]

    @cached_property
    def width(self) -> float:
        """How wide the body is along the normal."""
        shape = self.body.shape
        return 2.0 * self.front if shape.half_extents is not None else self.front + float(shape.reach(-self.local))

    @cached_property
    def shift(self) -> Triple:
        """The body's position in the coordinates of the frame."""
        return self.frame.coordinates(self.position)

    def row(self, point: Triple) -> Triple:
        """A point of the body in the coordinates of the frame."""
        x, y, z = point
        (xu, xv, xh), (yu, yv, yh), (zu, zv, zh) = self.turn
        u, v, h = self.shift
        return (x * xu + y * yu + z * zu + u, x * xv + y * yv + z * zv + v, x * xh + y * yh + z * zh + h)

    def rows(self, points: Array) -> Array:
        """Points (k, 3) of the body in the coordinates of the frame, to the last digit those of `row`."""
        return product(points, np.array(self.turn)) + self.shift

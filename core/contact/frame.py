"""The plane across a normal, with coordinates (u, v) in it and heights along the normal, and a body as seen there.

Single points are reckoned in plain floats: numpy costs a microsecond for each operation on three numbers.
"""

from __future__ import annotations

from functools import cached_property
from math import sqrt

import numpy as np
from msgspec import Struct

from ..geometry.triple import Triple, cross, triple
from ..geometry.vector import Array, frozen
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
    def in_space(n: Array, origin: Array) -> Frame:
        """Across the unit `n` (3,); u is across the world axis most across n as well."""
        w = x, y, z = triple(n)
        least = min(abs(x), abs(y), abs(z)) + AS_FAR_ACROSS
        u = (0.0, z, -y) if abs(x) <= least else (-z, 0.0, x) if abs(y) <= least else (y, -x, 0.0)
        size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        u = (u[0] / size, u[1] / size, u[2] / size)
        return Frame(triple(origin), u, cross(w, u), w)

    @staticmethod
    def in_plane(n: Array, origin: Array) -> Frame:
        """Across the unit `n` (3,) of the plane; u lies in the plane, to the left of n, and v is z."""
        w = x, y, _ = triple(n)
        u = (-y, x, 0.0)
        return Frame(triple(origin), u, cross(w, u), w)

    @cached_property
    def across(self) -> Array:
        """The directions as columns (3, 3)."""
        return frozen(np.array((self.u, self.v, self.n))).T

    def turned(self, direction: Triple) -> Triple:
        """A direction in the coordinates of the frame."""
        (x, y, z), (ux, uy, uz), (vx, vy, vz), (nx, ny, nz) = direction, self.u, self.v, self.n
        return (x * ux + y * uy + z * uz, x * vx + y * vy + z * vz, x * nx + y * ny + z * nz)

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


class FacingBody(Struct, frozen=True, eq=False):
    """A body as the other one sees it, along `d` = `sign` n (3,), and what is told apart.

    `position` (3,): relative to A's position; the body's own is that in the world. `turn`, `shift`: its axes and its
    position in the coordinates of the frame; `local` (3,): d in its own. `reach`, `width`: how high it is at most, and
    from there to its other end. `alpha`: α. Lengths: what `level` heights differ by, and what is one point seen along
    the normal (`lateral`).
    """

    body: Body
    position: Array
    frame: Frame
    sign: float
    d: Array
    turn: tuple[Triple, Triple, Triple]
    shift: Triple
    local: Array
    reach: float
    width: float
    alpha: float
    level: float
    lateral: float

    @staticmethod
    def of(
        body: Body, position: Array, frame: Frame, sign: float, *, alpha: float, level: float, lateral: float
    ) -> FacingBody:
        """Of a body at a position relative to A's."""
        x, y, z = body.pose.matrix.T.tolist()
        turn, shift = (frame.turned(x), frame.turned(y), frame.turned(z)), frame.coordinates(position)
        local, d = np.array([sign * h for _, _, h in turn]), np.array([sign * it for it in frame.n])
        front = float(body.shape.reach(local))
        width = front + (front if body.shape.half_extents is not None else float(body.shape.reach(-local)))
        reach = front + sign * shift[2]
        return FacingBody(
            body=body,
            position=position,
            frame=frame,
            sign=sign,
            d=d,
            turn=turn,
            shift=shift,
            local=local,
            reach=reach,
            width=width,
            alpha=alpha,
            level=level,
            lateral=lateral,
        )

    def way(self, direction: Triple) -> Triple:
        """A direction of the body's frame in the coordinates of the frame."""
        (x, y, z), ((xu, xv, xh), (yu, yv, yh), (zu, zv, zh)) = direction, self.turn
        return (x * xu + y * yu + z * zu, x * xv + y * yv + z * zv, x * xh + y * yh + z * zh)

    def row(self, point: Triple) -> Triple:
        """A point of the body in the coordinates of the frame."""
        (x, y, z), ((xu, xv, xh), (yu, yv, yh), (zu, zv, zh)), (u, v, h) = point, self.turn, self.shift
        return (x * xu + y * yu + z * zu + u, x * xv + y * yv + z * zv + v, x * xh + y * yh + z * zh + h)

    def rows(self, points: Array) -> Array:
        """Points (k, 3) of the body in the coordinates of the frame, to the last digit those of `row`."""
        return np.array([self.row(point) for point in points.tolist()])

"""A frame with its n along the contact normal, coordinates (u, v) across it, and a body placed in the frame.

Single points are computed in plain floats: numpy costs a microsecond for each operation on three numbers.
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
"""World axes whose dot products with the normal differ by less are equally far across it: the first is taken."""


class Frame(Struct, frozen=True, eq=False, dict=True):
    """The unit normal `n` and the unit directions `u` and `v` across it, about an `origin` relative to A's position.

    The frame is right-handed: u × v = n. n runs from the first body to the second, in the order of the manifold.
    """

    origin: Triple
    u: Triple
    v: Triple
    n: Triple

    @staticmethod
    def in_space(n: Array, origin: Array) -> Frame:
        """The frame about `origin` (3,), relative to A's position, with the unit `n` (3,).

        u is also perpendicular to the world axis least along n.
        """
        w = x, y, z = triple(n)
        least = min(abs(x), abs(y), abs(z)) + AS_FAR_ACROSS
        u = (0.0, z, -y) if abs(x) <= least else (-z, 0.0, x) if abs(y) <= least else (y, -x, 0.0)
        size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        u = (u[0] / size, u[1] / size, u[2] / size)
        return Frame(triple(origin), u, cross(w, u), w)

    @staticmethod
    def in_plane(n: Array, origin: Array) -> Frame:
        """The frame about `origin` (3,), relative to A's position, with the unit `n` (3,) of the plane.

        u lies in the plane, to the left of n, and v is z.
        """
        w = x, y, _ = triple(n)
        u = (-y, x, 0.0)
        return Frame(triple(origin), u, cross(w, u), w)

    @cached_property
    def across(self) -> Array:
        """The directions u, v, n as columns (3, 3)."""
        return frozen(np.array((self.u, self.v, self.n))).T

    def turned(self, direction: Triple) -> Triple:
        """A direction of the world in the coordinates of the frame."""
        (x, y, z), (ux, uy, uz), (vx, vy, vz), (nx, ny, nz) = direction, self.u, self.v, self.n
        return (x * ux + y * uy + z * uz, x * vx + y * vy + z * vz, x * nx + y * ny + z * nz)

    def coordinates(self, point: Array) -> Triple:
        """A point (3,), relative to A's position, in the coordinates of the frame."""
        (x, y, z), (ox, oy, oz) = point.tolist(), self.origin
        return self.turned((x - ox, y - oy, z - oz))

    def to_world(self, u: float, v: float, height: float) -> Triple:
        """The world direction with these coordinates in the frame."""
        (ux, uy, uz), (vx, vy, vz), (nx, ny, nz) = self.u, self.v, self.n
        return (
            u * ux + v * vx + height * nx,
            u * uy + v * vy + height * ny,
            u * uz + v * vz + height * nz,
        )


class FacingBody(Struct, frozen=True, eq=False):
    """A body in the frame, seen along `d` = `sign` n (3,), which runs towards the other body, and the tolerances.

    `sign`: +1 for the first body, -1 for the second. `position` (3,): relative to A's position, while that of `body` is
    in the world. `axes`, `shift`: the body's axes and position in the coordinates of the frame; `local` (3,): d in the
    body's own frame. `reach`: the body's largest height along d; `width`: its extent along d. `alpha`: α, radians.
    `height_tie`: heights that differ by no more are equal. `lateral`: points this close, seen along the normal, are
    one. Both are lengths in scene units.
    """

    body: Body
    position: Array
    frame: Frame
    sign: float
    d: Array
    axes: tuple[Triple, Triple, Triple]
    shift: Triple
    local: Array
    reach: float
    width: float
    alpha: float
    height_tie: float
    lateral: float

    @staticmethod
    def of(
        body: Body, position: Array, frame: Frame, sign: float, *, alpha: float, height_tie: float, lateral: float
    ) -> FacingBody:
        """The body in the frame, at a `position` (3,) relative to A's, world axes; other arguments as in the class."""
        x, y, z = body.pose.matrix.T.tolist()
        axes, shift = (frame.turned(x), frame.turned(y), frame.turned(z)), frame.coordinates(position)
        local, d = np.array([sign * h for _, _, h in axes]), np.array([sign * it for it in frame.n])
        front = float(body.shape.reach(local))
        width = front + (front if body.shape.half_extents is not None else float(body.shape.reach(-local)))
        reach = front + sign * shift[2]
        return FacingBody(
            body=body,
            position=position,
            frame=frame,
            sign=sign,
            d=d,
            axes=axes,
            shift=shift,
            local=local,
            reach=reach,
            width=width,
            alpha=alpha,
            height_tie=height_tie,
            lateral=lateral,
        )

    def turned(self, direction: Triple) -> Triple:
        """Transforms a direction from the body's own frame to the frame."""
        (x, y, z), ((xu, xv, xh), (yu, yv, yh), (zu, zv, zh)) = direction, self.axes
        return (x * xu + y * yu + z * zu, x * xv + y * yv + z * zv, x * xh + y * yh + z * zh)

    def point_in_frame(self, point: Triple) -> Triple:
        """Transforms a point from the body's own frame to the frame."""
        (x, y, z), ((xu, xv, xh), (yu, yv, yh), (zu, zv, zh)), (u, v, h) = point, self.axes, self.shift
        return (x * xu + y * yu + z * zu + u, x * xv + y * yv + z * zv + v, x * xh + y * yh + z * zh + h)

    def points_in_frame(self, points: Array) -> Array:
        """`point_in_frame` of each of the points (k, 3), with the same rounding."""
        return np.array([self.point_in_frame(point) for point in points.tolist()])

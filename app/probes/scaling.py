"""An ellipsoid before a plane, by scaling space until it is a unit sphere (at rest).

In the ellipsoid's own axes every coordinate is divided by a power of its radius: `radius^share`, so that the share 0
is the world and 1 the space in which the ellipsoid is a unit sphere. Points go by that map, normals by the inverse
transpose; a normal that is scaled like a point is the mistake shown beside it.
"""

from __future__ import annotations

from math import acos, degrees

import numpy as np
from msgspec import Struct

from core.geometry.plane import Plane
from core.geometry.vector import Array, dot, length
from core.scene import Body, Scene


class ScaledSpace(Struct, frozen=True, eq=False):
    """Ellipsoid and plane with space scaled by `share`. All in world axes, about the ellipsoid's centre.

    `matrix` (3, 3): where a point of the world goes, from the centre; `inverse_transpose`: where a normal goes, before
    it is made a unit vector. `normal` (3,): of the plane, towards the ellipsoid's free side; `mistaken` (3,): the
    normal scaled like a point. `distance`: signed, of the centre from the plane; `reach`: how far the ellipsoid
    extends along the normal; `contact` (3,): its point that is deepest. `mistaken_distance`: of the centre from the
    plane across the mistaken normal through the foot of the true one. `magnified`: how many times as large the space is
    drawn, so that the ellipsoid keeps its volume in the picture: no number knows of it.
    """

    share: float
    matrix: Array
    inverse_transpose: Array
    normal: Array
    mistaken: Array
    distance: float
    reach: float
    contact: Array
    mistaken_distance: float
    magnified: float

    @property
    def gap(self) -> float:
        """What is between ellipsoid and plane in this space; its sign is that of the world, its size is not."""
        return self.distance - self.reach

    @property
    def angle(self) -> float:
        """Degrees between the true normal and the mistaken one."""
        return degrees(acos(min(1.0, max(-1.0, dot(self.normal, self.mistaken)))))


class Scaling(Struct, frozen=True, eq=False):
    """The question in the world: which body is the ellipsoid, its `radii` (3,) and axes (3, 3, columns), the plane.

    `distance`: s0 = n·p − d, signed; `stretch`: h = |S Rᵀ n|; `contact` (3,), world: p − R S² Rᵀ n / h.
    """

    index: int
    centre: Array
    radii: Array
    axes: Array
    normal: Array
    distance: float
    stretch: float
    contact: Array

    @staticmethod
    def of(scene: Scene) -> Scaling | None:
        """None for a pair that is no ellipsoid and half-space."""
        for index in (0, 1):
            body, other = scene.body(index), scene.body(1 - index)
            radii, plane = body.shape.radii, other.shape.plane
            if radii is not None and plane is not None:
                return _scaling(index, body, np.array(radii), other, plane)
        return None

    def at(self, share: float) -> ScaledSpace:
        """The picture with space scaled by `share`."""
        factors, rest = self.radii**-share, self.radii ** (1.0 - share)
        matrix = (self.axes * factors) @ self.axes.T
        inverse_transpose = (self.axes / factors) @ self.axes.T
        grown = inverse_transpose @ self.normal
        stretch = length(grown)
        normal = grown / stretch
        wrong = matrix @ self.normal
        mistaken = wrong / length(wrong)
        foot = matrix @ (-self.distance * self.normal)
        return ScaledSpace(
            share,
            matrix,
            inverse_transpose,
            normal,
            mistaken,
            self.distance / stretch,
            length(rest * (normal @ self.axes)),
            self.centre + matrix @ (self.contact - self.centre),
            -dot(mistaken, foot),
            float(self.radii.prod()) ** (share / 3.0),
        )


def _scaling(index: int, body: Body, radii: Array, plane_body: Body, plane: Plane) -> Scaling:
    centre, axes = body.pose.position, body.pose.matrix
    normal = plane_body.pose.matrix @ plane.normal
    distance = dot(normal, centre - plane_body.pose.position) - plane.offset
    along = radii * (normal @ axes)
    stretch = length(along)
    contact = centre - axes @ (radii * along) / stretch
    return Scaling(index, centre, radii, axes, normal, distance, stretch, contact)

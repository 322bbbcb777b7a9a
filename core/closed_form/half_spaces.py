"""Any bounded body against a half-space, both at rest.

The separation is the signed distance of the body's support point from the plane. The support point is below the centre
by a sphere's radius, by a box's effective radius `Σ h_i |u_i·n|`, or by an ellipsoid's `|S Rᵀ n|` with its radii S. If
a dot product `u_i·n` is zero, both signs of the half extent h_i give a support point. So a box rests on a vertex, an
edge or a face. "Zero" needs a tolerance, which the article lacks.

In every function the first body is the bounded one. The second is the half-space, solid behind `plane`. So the normal
is minus the plane's. Poses, centres and the plane are in one frame, and so is the answer.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from msgspec import Struct

from ..geometry.plane import Plane
from ..geometry.quaternion import Pose
from ..geometry.tolerances import SUPPORT
from ..geometry.vector import Array, dot, frozen, length
from ..shapes.box import VERTEX_SIGNS
from .proximity import Proximity


class Supporting(Protocol):
    """A shape with a support map: takes a direction (3,) in its own frame, returns its farthest point (3,)."""

    def support(self, direction: Array, /) -> Array: ...  # noqa: D102 - the class says it


class PlaneContact(Struct, frozen=True, eq=False):
    """The vertices of a box nearest a plane, as a feature of `kind` "vertex", "edge" or "face".

    `points` (1, 2 or 4, 3): in the frame of the box's pose. `indices`: their vertex numbers. `signs`: for each box axis
    the sign of the points' coordinate, 0 if the feature has both signs. `separation`: the least signed distance of the
    points from the plane.
    """

    kind: str
    points: Array
    indices: tuple[int, ...]
    signs: tuple[int, int, int]
    separation: float


def distance_sphere_half_space(centre: Array, radius: float, plane: Plane) -> Proximity:
    """The proximity of the sphere about `centre` (3,) to the solid behind `plane`."""
    return _from_deepest(plane, centre - radius * plane.normal, plane.signed_distance(centre) - radius)


def distance_box_half_space(pose: Pose, half_extents: Array, plane: Plane) -> Proximity:
    """The proximity of a box with `half_extents` (3,) to the solid behind `plane`.

    The witness point on a box axis exactly parallel to the plane is in the middle: mid-face for a box that lies flat.
    """
    local = pose.direction_to_local(plane.normal)
    deepest = pose.to_world(-np.sign(local) * half_extents)
    separation = plane.signed_distance(pose.position) - effective_radius(pose, half_extents, plane.normal)
    return _from_deepest(plane, deepest, separation)


def distance_ellipsoid_half_space(pose: Pose, radii: Array, plane: Plane) -> Proximity:
    """The proximity of an ellipsoid with `radii` (3,) along its axes to the solid behind `plane`.

    With its support value h = |S Rᵀ n| along the normal, the deepest point is `c - R S² Rᵀ n / h`: c is the centre, R
    the rotation, S the radii.
    """
    scaled = radii * pose.direction_to_local(plane.normal)
    reach = length(scaled)
    deepest = pose.to_world(-radii * scaled / reach)
    return _from_deepest(plane, deepest, plane.signed_distance(pose.position) - reach)


def distance_shape_half_space(shape: Supporting, pose: Pose, plane: Plane) -> Proximity:
    """The proximity of any bounded shape placed at `pose` to the solid behind `plane`, by its support point."""
    local = pose.direction_to_local(-plane.normal)
    point = shape.support(local)
    separation = plane.signed_distance(pose.position) - dot(local, point)
    return _from_deepest(plane, pose.to_world(point), separation)


def effective_radius(pose: Pose, half_extents: Array, direction: Array) -> float:
    """Half the extent of a box with `half_extents` (3,) along the unit vector `direction` (3,)."""
    return dot(np.abs(pose.direction_to_local(direction)), half_extents)


def box_plane_contact(pose: Pose, half_extents: Array, plane: Plane) -> PlaneContact:
    """The vertices of a box with `half_extents` (3,) that meet `plane` first if it moves against the plane's normal.

    A box axis counts as parallel to the plane if the distances of its two ends differ by at most SUPPORT times the
    box's bounding radius. The steepest axis never counts as parallel.
    """
    local = pose.direction_to_local(plane.normal)
    free = 2.0 * np.abs(local) * half_extents <= SUPPORT * length(half_extents)
    free[int(np.argmax(np.abs(local)))] = False
    signs = np.where(free, 0, -np.sign(local)).astype(int)
    indices = np.flatnonzero(((signs == VERTEX_SIGNS) | free).all(axis=1))
    points = pose.to_world(VERTEX_SIGNS[indices] * half_extents)
    nearest = min(plane.signed_distance(point) for point in points)
    kind = {1: "vertex", 2: "edge", 4: "face"}[len(indices)]
    x, y, z = signs.tolist()
    return PlaneContact(kind, frozen(points), tuple(indices.tolist()), (x, y, z), nearest)


def _from_deepest(plane: Plane, deepest: Array, separation: float) -> Proximity:
    return Proximity(separation, -plane.normal, deepest, deepest - separation * plane.normal)

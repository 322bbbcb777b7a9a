"""Sphere against box in closed form.

A sphere is a point with a radius, so the answer is the signed distance of its centre from the box, minus the radius.
In the box's own frame the centre lies in one of 27 regions, which differ by the coordinates that are outside of the
box.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..geometry.quaternion import Pose
from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, length
from ..shapes.box import VERTEX_SIGNS
from .proximity import Proximity


class BoxRegion(Struct, frozen=True, eq=False):
    """The region about a box in which a point lies, and the nearest point of the box's surface.

    `sides`: for each box axis -1 or +1, or 0 if the coordinate is within the box. `closest`, `normal` (3,): the nearest
    surface point and the outward unit normal there, in the frame of the box's pose. `distance`: signed, negative
    inside. `name`: the nearest feature's, such as `v3`, `v1-v4` or `+x`.
    """

    sides: tuple[int, int, int]
    closest: Array
    normal: Array
    distance: float
    name: str

    @property
    def outside(self) -> bool:
        """Whether the point is outside of the box; a point on the surface is inside."""
        return any(self.sides)

    @property
    def face(self) -> int | None:
        """Box axis of the nearest face; None if an edge or a vertex is nearer."""
        outer = [k for k in range(3) if self.sides[k]]
        if len(outer) > 1:
            return None
        return "xyz".index(self.name[1])


def box_region(pose: Pose, half_extents: Array, point: Array) -> BoxRegion:
    """The region of `point` (3,) about a box with `half_extents` (3,) placed at `pose`; both in one frame.

    For a point inside, the nearest feature is a face: of equally near ones that of the lowest axis, of two opposite
    ones the one on the positive side.
    """
    local = pose.to_local(point)
    clamped = np.clip(local, -half_extents, half_extents)
    beyond = local - clamped
    if beyond.any():
        signs = np.sign(beyond).astype(int).tolist()
        distance = length(beyond)
        normal, sides = pose.direction_to_world(beyond / distance), (signs[0], signs[1], signs[2])
        return BoxRegion(sides, pose.to_world(clamped), normal, distance, _feature_name(sides))
    ways_out = half_extents - np.abs(local)
    noise = ROUNDING * float(half_extents.max())
    axis = int(np.flatnonzero(ways_out <= ways_out.min() + noise)[0])
    side = 1 if local[axis] >= 0.0 else -1
    clamped[axis] = side * half_extents[axis]
    name = ("+" if side > 0 else "-") + "xyz"[axis]
    normal = side * pose.matrix[:, axis]
    return BoxRegion((0, 0, 0), pose.to_world(clamped), normal, -float(ways_out[axis]), name)


def distance_sphere_box(centre: Array, radius: float, pose: Pose, half_extents: Array) -> Proximity:
    """The proximity of a sphere, A, to the box placed at `pose`, B; all in one frame.

    `centre`, `half_extents`: (3,). The centre may lie inside the box.
    """
    region = box_region(pose, half_extents, centre)
    normal = -region.normal
    return Proximity(region.distance - radius, normal, centre + radius * normal, region.closest)


def _feature_name(sides: tuple[int, int, int]) -> str:
    """The name of the box feature in a region outside: a face by its outward axis, an edge or vertex by vertices."""
    outer = [k for k in range(3) if sides[k]]
    if len(outer) == 1:
        return ("+" if sides[outer[0]] > 0 else "-") + "xyz"[outer[0]]
    touching = np.flatnonzero((np.equal(VERTEX_SIGNS, sides) | (np.array(sides) == 0)).all(axis=1))
    return "-".join(f"v{k}" for k in touching)

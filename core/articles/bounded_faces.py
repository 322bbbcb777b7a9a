"""The chapter's test of two boxes by their visible faces as planes with bounds, face by face.

Of each box up to three faces look towards the other's centre. The other box's vertices nearest to such a plane are
held against it: behind the plane and within the face's bounds they meet it. Edges are never asked.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..closed_form import box_plane_contact
from ..geometry.plane import Plane
from ..geometry.transform import Pose
from ..geometry.vector import Array, dot, frozen
from ..scene import Body, Scene
from .bodies import half_extents
from .box_projections import offset


class FaceInView(Struct, frozen=True, eq=False):
    """One face that counts as visible. All in world values but for the distance.

    `body`: 0 if it is A's; `axis` (0..2) and `side` (+1 or -1): which face. `points` (k, 3): the other box's vertices
    nearest to its plane (k = 1, 2 or 4), `distance`: theirs, negative behind it; `within` (k,): inside the bounds.
    """

    body: int
    axis: int
    side: float
    points: Array
    distance: float
    within: NDArray[np.bool_]

    @property
    def meets(self) -> bool:
        """Whether one of the points is behind the plane and within the bounds."""
        return self.distance <= 0.0 and bool(self.within.any())


def faces_in_view(scene: Scene, towards: float = 1.0) -> tuple[FaceInView, ...]:
    """The faces of A, then of B, whose normals enclose an acute angle with the way to the other's centre.

    `towards` -1: an obtuse one, which is the chapter's test of visibility. TypeError for other shapes than boxes.
    """
    ways = ((scene.a, scene.b, offset(scene)), (scene.b, scene.a, -offset(scene)))
    found: list[FaceInView] = []
    for number, (body, other, way) in enumerate(ways):
        found.extend(_in_view(number, body, other, way, towards))
    return tuple(found)


def _in_view(number: int, body: Body, other: Body, way: Array, towards: float) -> list[FaceInView]:
    half, axes = half_extents(body), body.pose.matrix.T
    placed = Pose(way, other.pose.matrix)
    found = []
    for k in range(3):
        for side in (1.0, -1.0):
            normal = side * axes[k]
            if towards * dot(normal, way) <= 0.0:
                continue
            contact = box_plane_contact(placed, half_extents(other), Plane(normal, float(half[k])))
            within = np.asarray(np.delete(np.abs(contact.points @ axes.T) <= half, k, axis=1).all(axis=1))
            at = frozen(contact.points + body.pose.position)
            found.append(FaceInView(number, k, side, at, contact.separation, within))
    return found

"""What a shape touches a plane with: a vertex, an edge, a face, or the parts of a round shape that stand for them."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..geometry.transform import Pose
from ..geometry.vector import Array, frozen


class SupportFeature(Struct, frozen=True, eq=False):
    """The part of a shape that is farthest along a direction.

    `kind`: "vertex" (also a cone's apex), "edge" (also a line along the side of a round shape), "face", "disc" (the
    flat end of a cylinder or cone), "rim" (one point of such an end's edge), "surface" (one point of a curved
    surface) or "plane" (a half-space). `points` (k, 3), in loop order for a face and a disc, which is given by four
    points of its rim; `indices`: their vertex numbers (empty for round shapes). `name`: `v3`, `v1-v4`, `+x`, `edge7`,
    `face2`, `apex`, `side`, `rim +y`, `cap -y`, `base`, `surface`, `plane`.
    """

    kind: str
    points: Array
    indices: tuple[int, ...]
    name: str

    def placed(self, pose: Pose) -> SupportFeature:
        """The same feature with its points taken from the body's frame to the world."""
        return SupportFeature(self.kind, frozen(pose.to_world(self.points)), self.indices, self.name)


def round_feature(kind: str, name: str, *points: tuple[float, float, float]) -> SupportFeature:
    """A feature of a round shape, which has no numbered vertices."""
    return SupportFeature(kind, frozen(np.array(points, dtype=np.float64)), (), name)

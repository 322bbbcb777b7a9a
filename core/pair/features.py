"""Contact vertices: the feature of each body nearest the separating plane.

Which feature that is, each shape knows; "perpendicular" and "level" need a tolerance, which the article lacks: a turn
by 90 degrees leaves 2e-16. And each body's plane passes through its own supporting vertex, where the article anchors it
at any point of B.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ..geometry.tolerances import SUPPORT
from ..geometry.vector import Array, frozen
from ..scene import Body
from ..shapes.feature import SupportFeature

__all__ = ["ContactVertices", "SupportFeature", "contact_vertices", "support_feature"]


class ContactVertices(Struct, frozen=True, eq=False):
    """The two supporting features along the normal: of A towards B, and of B towards A."""

    a: SupportFeature
    b: SupportFeature


def support_feature(body: Body, direction: Array) -> SupportFeature:
    """The feature of `body` farthest along the unit vector `direction` (3,), both in the world.

    What reaches within SUPPORT of the body's bounding radius shares it.
    """
    shape, pose = body.shape, body.pose
    local = pose.direction_to_local(direction)
    return shape.support_feature(local, SUPPORT * shape.bounding_radius).placed(pose)


def contact_vertices(a: Body, b: Body, normal: Array) -> ContactVertices:
    """Supporting features of both bodies on the two sides of the separating plane; `normal` (3,) from A to B.

    A half-space has no points of its own: it shows those of the other body, dropped on its plane.
    """
    of_a, of_b = support_feature(a, normal), support_feature(b, -normal)
    if of_a.kind == "plane":
        of_a = _dropped(of_b, of_a, normal)
    elif of_b.kind == "plane":
        of_b = _dropped(of_a, of_b, normal)
    return ContactVertices(of_a, of_b)


def _dropped(other: SupportFeature, plane: SupportFeature, normal: Array) -> SupportFeature:
    """The plane with the other feature's points moved into it along its unit normal."""
    heights = (other.points - plane.points[0]) @ normal
    return replace(plane, points=frozen(other.points - heights[:, None] * normal))

"""Contact vertices: the feature of each body nearest the separating plane.

Each shape finds its own feature. "Perpendicular" and "level" need a tolerance, as a rotation by 90 degrees leaves an
error of 2e-16; the source article has none. Each body's plane passes through its own supporting vertex; in the article
it passes through any point of B.

In the plane the feature nearest the separating line is a vertex, an edge, or a point of a circle.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ..geometry.tolerances import LEVEL_SIN, SUPPORT
from ..geometry.vec2 import Vec2, add, cross, dot, length, negated, point_along, raised_rows
from ..geometry.vector import Array, dots, frozen
from ..scene import Body
from ..shapes.contract import SupportFeature
from .cores import PlaneCore, PlanePair

__all__ = ["ContactVertices", "SupportFeature", "contact_vertices", "support_feature"]


class ContactVertices(Struct, frozen=True, eq=False):
    """The two supporting features along the normal: of A towards B, and of B towards A."""

    a: SupportFeature
    b: SupportFeature


def support_feature(body: Body, direction: Array) -> SupportFeature:
    """The feature of `body` farthest along the unit vector `direction` (3,), both in the world.

    Vertices lower than the farthest point by at most SUPPORT times the body's bounding radius belong to it.
    """
    shape, pose = body.shape, body.pose
    local = pose.direction_to_local(direction)
    return shape.support_feature(local, SUPPORT * shape.bounding_radius).placed(pose)


def contact_vertices(a: Body, b: Body, normal: Array) -> ContactVertices:
    """Supporting features of both bodies on the two sides of the separating plane; `normal` (3,) from A to B.

    A half-space has no points of its own: its feature has those of the other body, projected onto its plane.
    """
    of_a, of_b = support_feature(a, normal), support_feature(b, -normal)
    if of_a.kind == "plane":
        of_a = _dropped(of_b, of_a, normal)
    elif of_b.kind == "plane":
        of_b = _dropped(of_a, of_b, normal)
    return ContactVertices(of_a, of_b)


def _dropped(other: SupportFeature, plane: SupportFeature, normal: Array) -> SupportFeature:
    """The plane with the other feature's points moved into it along its unit normal."""
    heights = dots(other.points - plane.points[0], normal)
    return replace(plane, points=frozen(other.points - heights[:, None] * normal))


def supporting_features(a: Body, b: Body, normal: Vec2) -> ContactVertices:
    """Supporting features of both bodies on the two sides of the separating line; `normal` unit, from A to B.

    Raises TypeError for shapes of space.
    """
    pair, origin = PlanePair.of(a, b), a.position[:2]
    return ContactVertices(
        _feature(pair.a, normal, origin, a.shape.bounding_radius),
        _feature(pair.b, negated(normal), origin, b.shape.bounding_radius),
    )


def facing_edge(core: PlaneCore, direction: Vec2) -> int:
    """Index of the edge whose outward normal is the most along `direction`; the lowest of equal ones.

    Raises ValueError for a core without edges.
    """
    return max(range(len(core.normals)), key=lambda k: dot(core.normals[k], direction))


def _feature(core: PlaneCore, direction: Vec2, origin: Vec2, size: float) -> SupportFeature:
    """The edge farthest along the unit `direction`, else the vertex; of a circle, the point of its outline.

    The edge counts if it is perpendicular to `direction` within LEVEL_SIN and both its ends are farthest, to SUPPORT
    times `size`. `origin`: A's position in the world.
    """
    if not core.normals:
        point = point_along(add(core.ring[0], origin), core.radius, direction)
        if core.radius == 0.0:
            return SupportFeature("vertex", raised_rows((point,)), core.numbers, "v0")
        return SupportFeature("surface", raised_rows((point,)), (), "surface")
    heights = [dot(point, direction) for point in core.ring]
    level = max(heights) - SUPPORT * size
    k = facing_edge(core, direction)
    following = (k + 1) % len(core.ring)
    flat = abs(cross(core.normals[k], direction)) <= LEVEL_SIN * length(direction)
    if flat and heights[k] >= level and heights[following] >= level:
        out = core.normals[k]
        points = raised_rows(point_along(add(point, origin), core.radius, out) for point in core.edge(k))
        return SupportFeature("edge", points, (core.numbers[k], core.numbers[following]), f"edge{k}")
    # Among equally far vertices the lowest number wins, as in every support query.
    best = min(range(len(heights)), key=lambda place: (-heights[place], core.numbers[place]))
    point, number = point_along(add(core.ring[best], origin), core.radius, direction), core.numbers[best]
    return SupportFeature("vertex", raised_rows((point,)), (number,), f"v{number}")

"""The feature of each shape nearest the separating line: a vertex, an edge, or a point of a circle."""

from __future__ import annotations

from ..geometry.tolerances import LEVEL_SIN, SUPPORT
from ..geometry.vec2 import Vec2, add, along, cross, dot, length, negated, raised_rows
from ..scene import Body
from ..shapes.feature import SupportFeature
from .features import ContactVertices
from .plane_cores import PlaneCore, PlanePair


def supporting_features(a: Body, b: Body, normal: Vec2) -> ContactVertices:
    """Supporting features of both bodies on the two sides of the separating line; `normal` unit, from A to B."""
    pair, origin = PlanePair.of(a, b), a.position[:2]
    return ContactVertices(
        _feature(pair.a, normal, origin, a.shape.bounding_radius),
        _feature(pair.b, negated(normal), origin, b.shape.bounding_radius),
    )


def facing_edge(core: PlaneCore, direction: Vec2) -> int:
    """The edge whose outward normal is the most along `direction`; of equal ones the lowest."""
    return max(range(len(core.normals)), key=lambda k: dot(core.normals[k], direction))


def _feature(core: PlaneCore, direction: Vec2, origin: Vec2, size: float) -> SupportFeature:
    """The edge if both its ends reach as far along the unit `direction` as any vertex does, to SUPPORT of the size."""
    if not core.normals:
        point = along(add(core.ring[0], origin), core.radius, direction)
        return SupportFeature("surface", raised_rows((point,)), (), "surface")
    heights = [dot(point, direction) for point in core.ring]
    level = max(heights) - SUPPORT * size
    k = facing_edge(core, direction)
    following = (k + 1) % len(core.ring)
    flat = abs(cross(core.normals[k], direction)) <= LEVEL_SIN * length(direction)
    if flat and heights[k] >= level and heights[following] >= level:
        out = core.normals[k]
        points = raised_rows(along(add(point, origin), core.radius, out) for point in core.edge(k))
        return SupportFeature("edge", points, (core.numbers[k], core.numbers[following]), f"edge{k}")
    # Of vertices that reach equally far the first listed, as every support is.
    best = min(range(len(heights)), key=lambda place: (-heights[place], core.numbers[place]))
    point, number = along(add(core.ring[best], origin), core.radius, direction), core.numbers[best]
    return SupportFeature("vertex", raised_rows((point,)), (number,), f"v{number}")

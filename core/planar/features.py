"""The feature of each shape nearest the separating line: a vertex, an edge, or a point of a circle (as P3, P10)."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..geometry.tolerances import LEVEL_SIN, SUPPORT
from ..geometry.vector import frozen
from ..shapes.feature import SupportFeature
from .pair import Core2, Pair2
from .scene import Body2
from .vec2 import Vec2, add, along, cross, dot, length, negated


class ContactVertices2(Struct, frozen=True, eq=False):
    """The two supporting features along the normal: of A towards B, and of B towards A.

    Their points (k, 2) are in the world; `indices` the vertex numbers.
    """

    a: SupportFeature
    b: SupportFeature


def contact_vertices2(a: Body2, b: Body2, normal: Vec2) -> ContactVertices2:
    """Supporting features of both bodies on the two sides of the separating line; `normal` unit, from A to B."""
    pair = Pair2.of(a, b)
    return ContactVertices2(
        _feature(pair.a, normal, a.position, a.shape.bounding_radius),
        _feature(pair.b, negated(normal), a.position, b.shape.bounding_radius),
    )


def facing_edge(core: Core2, direction: Vec2) -> int:
    """The edge whose outward normal is the most along `direction`; of equal ones the lowest."""
    return max(range(len(core.normals)), key=lambda k: dot(core.normals[k], direction))


def _feature(core: Core2, direction: Vec2, origin: Vec2, size: float) -> SupportFeature:
    """The edge if both its ends reach as far along the unit `direction` as any vertex does, to SUPPORT of the size."""
    if not core.normals:
        point = along(add(core.ring[0], origin), core.radius, direction)
        return SupportFeature("surface", frozen(np.array((point,))), (), "surface")
    heights = [dot(point, direction) for point in core.ring]
    level = max(heights) - SUPPORT * size
    k = facing_edge(core, direction)
    following = (k + 1) % len(core.ring)
    flat = abs(cross(core.normals[k], direction)) <= LEVEL_SIN * length(direction)
    if flat and heights[k] >= level and heights[following] >= level:
        points = np.array([add(point, origin) for point in core.edge(k)])
        return SupportFeature("edge", frozen(points), (core.numbers[k], core.numbers[following]), f"edge{k}")
    # Of vertices that reach equally far the first listed, as every support is.
    best = min(range(len(heights)), key=lambda place: (-heights[place], core.numbers[place]))
    point, number = add(core.ring[best], origin), core.numbers[best]
    return SupportFeature("vertex", frozen(np.array((point,))), (number,), f"v{number}")

"""Which solid the line of sight meets: exact, on the scene's own float64 numbers, without anything drawn."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any, ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.plane import Plane
from core.geometry.triple import triple
from core.geometry.vector import Array, dot, length
from core.pair.cores import to_local
from core.pair.support import Difference, support_maps
from core.rays.raycast import gjk_raycast, raycast
from core.scene import Z_AXIS, Body, Scene
from core.shapes import ball_radius

from ..draw.meshes.shape_look import flat_outline
from ..draw.sight import Sight
from ..overlays.context import Extent, difference_square, patch


def hit_body(scene: Scene, index: int, sight: Sight) -> float | None:
    """Distance along the line of sight at which it enters body `index`; None when it passes by.

    An eye inside a solid sees its far side, so the distance is where the line leaves it. Of a half-space only the
    square that is drawn can be met: it ends nowhere, and would leave no place to turn the view by.
    """
    body = scene.body(index)
    if flat_outline(body.shape) is not None:
        return _through_plane(sight, lambda x, y: flat_body_holds(body, (x, y)))
    found = raycast(body, sight.origin, sight.direction)
    met = None if found is None else found.exit if found.inside else found.entry
    if met is None:
        return None
    if body.shape.plane is not None and not _in_square(met.point, patch(body, scene.body(1 - index))):
        return None
    return met.t


def hit_difference(scene: Scene, sight: Sight, plane: Plane | None) -> float | None:
    """Distance along the line of sight, in the difference's space, to A - B; None when missed, or seen from inside.

    With a half-space the difference has a `plane` and no other bounds, and is met on the square that is drawn of it.
    """
    if flat_outline(scene.a.shape) is not None:
        return _through_plane(sight, lambda x, y: flat_difference_holds(scene, (x, y)))
    if plane is not None:
        met = sight.on_plane(plane.point(), plane.normal)
        seen = met is not None and _in_square(met, difference_square(Extent.of(scene), plane))
        return dot(met - sight.origin, sight.direction) if met is not None and seen else None
    maps = support_maps(scene.a, scene.b, rounded="full")
    radius = scene.a.shape.bounding_radius + scene.b.shape.bounding_radius + length(maps.offset)
    solid: Any = _DifferenceShape(maps, radius)
    found = gjk_raycast(Body(solid), sight.origin, sight.direction).hit
    return None if found is None else found.t


def _through_plane(sight: Sight, holds: Callable[[float, float], bool]) -> float | None:
    """Distance along the line of sight to the plane z = 0, where what lies in it `holds` the point there."""
    met = sight.on_plane(np.zeros(3), np.array(Z_AXIS))
    if met is None or not holds(float(met[0]), float(met[1])):
        return None
    return dot(met - sight.origin, sight.direction)


def flat_body_holds(body: Body, point: tuple[float, float]) -> bool:
    """Whether a body of the plane holds a world point (x, y)."""
    x, y = to_local(body, point)
    outline, radius = flat_outline(body.shape), ball_radius(body.shape)
    if outline is None or radius is not None:
        return hypot(x, y) <= body.shape.bounding_radius
    ways = np.roll(outline, -1, axis=0) - outline
    across = ways[:, 0] * (y - outline[:, 1]) - ways[:, 1] * (x - outline[:, 0])
    return bool((across >= 0.0).all())


def flat_difference_holds(scene: Scene, point: tuple[float, float]) -> bool:
    """Whether the difference of two bodies of the plane holds a point (x, y) of its own frame."""
    # B moved by the point meets A exactly if the difference holds it.
    from core.sat.plane import plane_sat

    x, y, _ = scene.b.position
    moved = replace(scene.b, position=(x + point[0], y + point[1], 0.0))
    return plane_sat(scene.a, moved).separation <= 0.0


class _DifferenceShape(Struct, frozen=True, eq=False):
    """The difference as much of a shape as the ray cast asks for."""

    dimension: ClassVar[int] = 3

    maps: Difference
    bounding_radius: float
    core: None = None

    def support(self, direction: Array) -> Array:
        return self.maps.support(triple(direction)).w


def _in_square(point: Array, square: Array) -> bool:
    """Whether a point (3,) of its plane lies in the square with these corners (4, 3)."""
    inward = np.roll(square, -2, axis=0) - np.roll(square, -1, axis=0)
    return all(dot(point - corner, way) >= 0.0 for corner, way in zip(square, inward, strict=True))

"""Where the pair is and how large: what overlays place themselves by."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, length_rows
from core.scene import Body, Scene
from core.shapes import Box


def outer_points(body: Body) -> tuple[Array, float]:
    """World points (n, 3) and a radius: their hull grown by the radius is the body."""
    if isinstance(body.shape, Box):
        return body.pose.to_world(body.shape.polyhedron.vertices), 0.0
    return np.array([body.position]), body.shape.radius


def pair_box(scene: Scene) -> tuple[Array, Array]:
    """Lowest and highest corner (3,) of the world-aligned box round both bodies."""
    parts = [outer_points(body) for body in (scene.a, scene.b)]
    low = np.min([points.min(axis=0) - radius for points, radius in parts], axis=0)
    high = np.max([points.max(axis=0) + radius for points, radius in parts], axis=0)
    return low, high


def pair_centre(scene: Scene) -> Array:
    """Middle of the world-aligned box round both bodies, (3,)."""
    low, high = pair_box(scene)
    return 0.5 * (low + high)


def pair_radius(scene: Scene) -> float:
    """Radius of a ball about `pair_centre` that holds both bodies."""
    return reach(scene, pair_centre(scene))


def reach(scene: Scene, centre: Array, axis: Array | None = None) -> float:
    """Farthest distance of the bodies from `centre`, or from the line through it along the unit vector `axis`."""
    farthest = 0.0
    for body in (scene.a, scene.b):
        points, radius = outer_points(body)
        arms = points - centre
        if axis is not None:
            arms = arms - np.outer(arms @ axis, axis)
        farthest = max(farthest, float(length_rows(arms).max()) + radius)
    return farthest

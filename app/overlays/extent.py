"""Where the pair is and how large: what overlays place themselves by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.geometry.vector import Array, length_rows
from core.scene import Body, Scene
from core.shapes import Box


@dataclass(frozen=True, eq=False, slots=True)
class Extent:
    """Both bodies as `parts`, A first: world points (n, 3) and a radius, whose hull grown by the radius is the body.

    `low`, `high` (3,): corners of the world-aligned box round both; `centre` (3,): its middle; `radius`: of a ball
    about the centre that holds both.
    """

    parts: tuple[tuple[Array, float], tuple[Array, float]]
    low: Array
    high: Array
    centre: Array
    radius: float

    @staticmethod
    def of(scene: Scene) -> Extent:
        """The extent of a scene's pair."""
        parts = (_outer_points(scene.a), _outer_points(scene.b))
        low = np.min([points.min(axis=0) - radius for points, radius in parts], axis=0)
        high = np.max([points.max(axis=0) + radius for points, radius in parts], axis=0)
        centre = 0.5 * (low + high)
        farthest = max(float(length_rows(points - centre).max()) + radius for points, radius in parts)
        return Extent(parts, low, high, centre, farthest)

    def reach(self, axis: Array, origin: Array | None = None) -> float:
        """Farthest distance of the bodies from the line along the unit vector `axis` through `origin` or the centre."""
        farthest = 0.0
        for points, radius in self.parts:
            arms = points - (self.centre if origin is None else origin)
            along = arms @ axis
            across = np.einsum("ij,ij->i", arms, arms) - along * along
            farthest = max(farthest, float(np.sqrt(max(across.max(), 0.0))) + radius)
        return farthest


def _outer_points(body: Body) -> tuple[Array, float]:
    if isinstance(body.shape, Box):
        return body.pose.to_world(body.shape.polyhedron.vertices), 0.0
    return np.array([body.position]), body.shape.radius

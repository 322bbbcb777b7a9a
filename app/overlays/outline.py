"""The outline of the hull of some points, whatever the camera: nothing is filled and nothing hidden."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.geometry.vector import Array

from ..draw.draw_list import DrawList, Rgba
from ..draw.meshes.mesh import sphere_triangles


def draw_outline(draw: DrawList, points: Array, rgba: Rgba, width: float) -> None:
    """The outline of points (n, 3): that of a smooth solid whose triangles have no area."""
    corners = np.repeat(points[:, None, :], 3, axis=1)
    clear = (*rgba[:3], 0.0)
    draw.solid(corners, np.zeros_like(corners), clear, smooth=True, outline=rgba, outline_width=width, glass=True)


@lru_cache(maxsize=1)
def round_points() -> Array:
    """Unit vectors (n, 3) all round, dense enough that their hull looks like a ball."""
    return np.unique(np.round(sphere_triangles(8).reshape(-1, 3), 12), axis=0)

"""Lines cast on flat hulls with a border radius: what they meet is as far from the flat hull as the border says."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from core.contact.height_field import height_field
from core.geometry.vector import Array, any_perpendicular, cross
from core.scene import Body
from core.shapes import Hull, Rounded
from tests.selection import some


def distance(point: Array, corners: Array) -> float:
    """From a point (3,) to a convex polygon in the plane z = 0, corners (k, 3) counter-clockwise."""
    sides = np.roll(corners, -1, axis=0) - corners
    away = point - corners
    if (sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] >= 0.0).all():
        return abs(float(point[2]))
    shares = np.clip(np.einsum("ki,ki->k", away, sides) / np.einsum("ki,ki->k", sides, sides), 0.0, 1.0)
    return float(np.linalg.norm(away - shares[:, None] * sides, axis=1).min())


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("tilt", [1.0, 0.1, 1e-6, 1e-12, 0.0])
@pytest.mark.sampled(3, "random")
def test_a_line_on_a_flat_hull_with_a_border_ends_on_its_surface(seed: int, tilt: float) -> None:
    rng = np.random.default_rng(seed)
    angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, 5))
    corners = np.stack((np.cos(angles), np.sin(angles), np.zeros(5)), axis=1) * rng.uniform(0.3, 3.0)
    border = float(rng.choice([1e-3, 0.4, 30.0]))
    body = Body(Rounded(Hull(tuple(map(tuple, corners.tolist()))), border))
    for _ in range(some(40)):
        direction = rng.normal(size=3) * (1.0, 1.0, tilt)
        direction /= np.linalg.norm(direction)
        through = corners.mean(axis=0) + rng.normal(size=3) * (1.0 + border)
        u = any_perpendicular(direction)
        across = np.array((u, cross(direction, u), direction))
        x, y, z = (across @ through).tolist()
        found = height_field(body, across.T, 1.0)(x, y) - z

        def off(t: float, through: Array = through, direction: Array = direction) -> float:
            return distance(through + t * direction, corners) - border

        nearest = minimize_scalar(off, bounds=(-200.0, 200.0), method="bounded", options={"xatol": 1e-9})
        size = 1.0 + border
        if found == -inf:
            assert nearest.fun >= -1e-6 * size
        else:
            assert off(found) == pytest.approx(0.0, abs=1e-9 * size)
            assert found >= nearest.x - 1e-3 * size, "where the line leaves, not where it enters"

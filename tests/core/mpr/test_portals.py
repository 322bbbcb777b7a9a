"""Where MPR takes a portal for the surface: nothing of the difference lies farther beyond it than the tolerance."""

from __future__ import annotations

import numpy as np
import pytest

from core.geometry.quaternion import normalized, to_matrix
from core.mpr import MprSettings, MprStop, mpr
from core.scene import Body
from core.shapes import Ellipsoid


def reach(body: Body, normal: np.ndarray) -> float:
    """How far an ellipsoid reaches along a unit direction: its centre, and how long the direction is in its radii."""
    assert isinstance(body.shape, Ellipsoid)
    local = to_matrix(body.rotation).T @ normal
    return float(normal @ body.position + np.linalg.norm(np.array(body.shape.radii) * local))


@pytest.mark.parametrize(
    ("settings", "tolerance"),
    [(MprSettings(), 1e-4), *((MprSettings(tolerance=value), value) for value in (1e-1, 1e-2, 1e-6))],
    ids=["libccd's", "0.1", "0.01", "1e-6"],
)
def test_the_last_portal_is_the_surface_to_the_tolerance_and_no_finer(settings: MprSettings, tolerance: float) -> None:
    rng = np.random.default_rng(5)
    beyond = []
    for _ in range(60):
        a, b = (
            Body(
                Ellipsoid(tuple(rng.uniform(0.4, 1.0, 3).tolist())),
                place,
                normalized(tuple(rng.normal(size=4).tolist())),
            )
            for place in ((0.0, 0.0, 0.0), tuple(rng.uniform(-0.4, 0.4, 3).tolist()))
        )
        found = mpr(a, b, settings)
        if found.stop is not MprStop.SURFACE:
            continue
        v1, v2, v3 = (np.array(point.xyz) for point in found.portal)
        normal = np.cross(v2 - v1, v3 - v1)
        normal /= np.linalg.norm(normal)
        farthest = reach(a, normal) + reach(b, -normal)
        larger = max(*a.shape.radii, *b.shape.radii)
        beyond.append((farthest - float(normal @ v1)) / larger)
    assert len(beyond) >= 50
    assert max(beyond) <= tolerance + 1e-12
    # It stops as soon as that is so: a finer tolerance would ask for more.
    assert max(beyond) > 0.3 * tolerance

"""The bodies that probes are held against in the tests."""

from __future__ import annotations

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Hull

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
BOX = Body(Box((2.0, 1.0, 1.5)), (0.3, -0.2, 0.1), TURNED)
OCTAHEDRON = tuple(tuple((sign * np.eye(3)[axis]).tolist()) for axis in range(3) for sign in (1.0, -1.0))
HULL = Body(Hull(OCTAHEDRON), (2.5, 0.4, 0.3), quaternion.from_euler_xyz(0.1, 0.4, 0.3))
GROUND = Body(HalfSpace((0.0, 2.0, 0.0), 1.0), (0.0, -1.5, 0.0), quaternion.from_euler_xyz(0.1, 0.0, 0.2))
PAIR = Scene(BOX, HULL)


def triple(point) -> tuple[float, float, float]:
    """A point (3,) as a tuple."""
    x, y, z = np.asarray(point, dtype=float).tolist()
    return x, y, z

"""Box: three pairs of parallel faces about the body's position.

Vertices are numbered as in article S (system S2): a pivot corner, its three neighbours along x, y and z, then the
opposite corner and its three neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import sqrt

import numpy as np

from ..geometry.vector import Array, frozen
from .polyhedron import Polyhedron

VERTEX_SIGNS: Array = frozen(
    np.array(
        (
            (-1.0, -1.0, -1.0),
            (+1.0, -1.0, -1.0),
            (-1.0, +1.0, -1.0),
            (-1.0, -1.0, +1.0),
            (+1.0, +1.0, +1.0),
            (-1.0, +1.0, +1.0),
            (+1.0, -1.0, +1.0),
            (+1.0, +1.0, -1.0),
        )
    )
)
"""Signs of the half extents at vertices v0..v7, shape (8, 3)."""

# Counter-clockwise seen from outside; face 2k is the one with outward normal +axis k, face 2k + 1 has -axis k.
_FACES = ((1, 7, 4, 6), (0, 3, 5, 2), (2, 5, 4, 7), (0, 1, 6, 3), (3, 6, 4, 5), (0, 2, 7, 1))


@dataclass(frozen=True, slots=True)
class Box:
    """Solid box with full edge lengths `size` along the body's axes, each > 0."""

    size: tuple[float, float, float]

    @property
    def half_extents(self) -> Array:
        """Half of `size`, shape (3,)."""
        return np.array(self.size, dtype=np.float64) * 0.5

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that holds the shape."""
        x, y, z = self.size
        return 0.5 * sqrt(x * x + y * y + z * z)

    @property
    def largest_half_extent(self) -> float:
        """Largest half extent or radius: the size that the touching band is measured by (theory.md, ℓ)."""
        return 0.5 * max(self.size)

    @property
    def polyhedron(self) -> Polyhedron:
        """Vertices, edges and faces in the body's frame."""
        return _polyhedron(self.size)


@cache
def _unit_topology() -> Polyhedron:
    return Polyhedron.from_faces(VERTEX_SIGNS, _FACES)


@lru_cache(maxsize=64)
def _polyhedron(size: tuple[float, float, float]) -> Polyhedron:
    return _unit_topology().scaled(np.array(size, dtype=np.float64) * 0.5)

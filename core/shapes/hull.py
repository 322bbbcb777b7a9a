"""Convex hull of points, with true faces.

The topology comes from `hull_topology`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from msgspec.structs import replace

from ..geometry.vector import Array, frozen, length_rows
from .directions import Triple
from .hull_topology import convex_hull
from .polyhedron import Polyhedron
from .vertices import VertexQueries

SMALLEST_SIZE, LARGEST_SIZE = 1e-140, 1e150
"""Between these a hull can be scaled: beyond, the squares of its coordinates run over, or lose their digits."""


@dataclass(frozen=True, slots=True)
class Hull(VertexQueries):
    """Convex hull of at least four `points` of the body's frame that do not all lie in one plane.

    Two hulls are equal if their points are, in the same order. `polyhedron` has the extreme points only, in the order
    of `points`; doubled points and points inside the hull or on its faces are left out, to rounding.

    Raises ValueError, with one sentence that names the reason, for points that span no solid or are not finite.
    """

    word: ClassVar[str] = "hull"

    points: tuple[Triple, ...]
    polyhedron: Polyhedron = field(init=False, repr=False, compare=False)
    _columns: Array = field(init=False, repr=False, compare=False)
    _bounding_radius: float = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._keep(convex_hull(np.array(self.points, dtype=np.float64).reshape(-1, 3)))

    def _keep(self, solid: Polyhedron) -> None:
        # The frozen way of computing once what every query needs: hashing 1,000 points takes longer than most queries
        # whose answers are kept by it.
        object.__setattr__(self, "polyhedron", solid)
        object.__setattr__(self, "_columns", frozen(np.ascontiguousarray(solid.vertices.T)))
        object.__setattr__(self, "_bounding_radius", float(length_rows(solid.vertices).max()))
        object.__setattr__(self, "_hash", hash(self.points))

    def __hash__(self) -> int:
        """That of the points."""
        return self._hash

    @staticmethod
    def of(points: Array | Iterable[Sequence[float]]) -> Hull:
        """From an array (n, 3) or rows of three numbers."""
        return Hull(tuple((float(x), float(y), float(z)) for x, y, z in points))

    def scaled(self, factor: float) -> Hull:
        """Every point multiplied by `factor` > 0. The faces stay which they are: finding them takes long.

        Raises ValueError if that leaves the range of doubles.
        """
        size = factor * self.bounding_radius
        if not SMALLEST_SIZE < size < LARGEST_SIZE:
            raise ValueError(f"a hull of size {size:g} leaves the range of doubles")
        solid = self.polyhedron
        vertices = frozen(solid.vertices * factor)
        firsts = vertices[[loop[0] for loop in solid.faces]]
        offsets = frozen(np.einsum("ij,ij->i", firsts, solid.normals))
        hull = object.__new__(Hull)
        object.__setattr__(hull, "points", tuple((x * factor, y * factor, z * factor) for x, y, z in self.points))
        hull._keep(replace(solid, vertices=vertices, offsets=offsets))
        return hull

"""Convex hull of points, with true faces.

The topology comes from `hull_topology`. A support query looks at every vertex, 3 µs at 1,000 vertices: climbing from
neighbour to neighbour takes 6 in Python, and could not promise the lowest of vertices that tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from ..geometry.vector import Array, frozen, length_rows
from .directions import Triple, triple
from .feature import SupportFeature
from .hull_topology import convex_hull
from .polyhedron import Polyhedron
from .rounded import RoundedCore

SMALLEST_SIZE, LARGEST_SIZE = 1e-290, 1e300
"""Between these a hull can be scaled without losing digits of its points."""


@dataclass(frozen=True, slots=True)
class Hull:
    """Convex hull of at least four `points` of the body's frame that do not all lie in one plane.

    Two hulls are equal if their points are, in the same order. `polyhedron` has the extreme points only, in the order
    of `points`; doubled points and points inside the hull or on its faces are left out, to rounding.

    Raises ValueError, with one sentence that names the reason, for points that span no solid or are not finite.
    """

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

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that holds the shape."""
        return self._bounding_radius

    @property
    def largest_half_extent(self) -> float:
        """Half of the largest extent along the frame's axes (theory.md, ℓ)."""
        columns = self._columns
        return 0.5 * float((columns.max(axis=1) - columns.min(axis=1)).max())

    @property
    def core(self) -> RoundedCore:
        """The vertices, with radius 0."""
        return RoundedCore(self.polyhedron.vertices, 0.0)

    def support(self, direction: Array) -> Array:
        """The vertex farthest along `direction` (3,) of any length, body frame."""
        vertex: Array = self.polyhedron.vertices[self.support_vertex(direction)]
        return vertex

    def support_vertex(self, direction: Array) -> int:
        """Number of the vertex farthest along `direction` (3,); of vertices that tie exactly, the lowest."""
        return int(self._heights(direction).argmax())

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """The vertex, edge or face that reaches within `tolerance` of the farthest point along the unit `direction`.

        Of several faces or edges the one whose middle reaches farthest.
        """
        solid = self.polyhedron
        heights = self._heights(direction)
        near = heights >= heights.max() - tolerance
        found = set(np.flatnonzero(near).tolist())
        faces = [k for k, loop in enumerate(solid.faces) if found.issuperset(loop)] if len(found) > 2 else []
        if faces:
            face = max(faces, key=lambda k: float(heights[list(solid.faces[k])].mean()))
            loop = solid.faces[face]
            return SupportFeature("face", frozen(solid.vertices[list(loop)]), loop, f"face{face}")
        edges = np.flatnonzero(near[solid.edges].all(axis=1))
        if len(edges):
            edge = int(edges[np.argmax(heights[solid.edges[edges]].sum(axis=1))])
            start, end = solid.edges[edge].tolist()
            return SupportFeature("edge", frozen(solid.vertices[[start, end]]), (start, end), f"edge{edge}")
        vertex = int(heights.argmax())
        return SupportFeature("vertex", frozen(solid.vertices[[vertex]]), (vertex,), f"v{vertex}")

    def reach(self, directions: Array) -> Array:
        """How far the shape extends along each of `directions` (..., 3): `max n·p`, shape (...)."""
        reach: Array = (directions @ self._columns).max(axis=-1)
        return reach

    def _heights(self, direction: Array) -> Array:
        """Every vertex's extent along `direction`, shape (v,); of an extremely long or short one scaled to about 1.

        Column by column, and not as one matrix product: that rounds some rows otherwise than others, and vertices
        that tie exactly would not.
        """
        x, y, z = triple(direction)
        xs, ys, zs = self._columns
        heights: Array = xs * x + ys * y + zs * z
        return heights

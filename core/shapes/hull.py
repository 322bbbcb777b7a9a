"""Convex hull of points, with polygons as faces, not triangles: a solid, a flat polygon, a segment or a point.

The topology comes from `hull_topology`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from ..geometry.arguments import point_rows
from ..geometry.triple import Triple
from ..geometry.vector import Array, dots, frozen, length_rows
from .hull_topology import convex_hull
from .line_spans import Line, LineSpan, planes_span
from .polyhedron import Polyhedron
from .vertices import VertexQueries, half_extent

SMALLEST_SIZE, LARGEST_SIZE = 1e-140, 1e150
"""The bounding radii to which a hull can be scaled; beyond, squares of coordinates overflow or lose digits."""


@dataclass(frozen=True, slots=True)
class MeshSource:
    """A mesh that is not convex, whose hull is used instead: the file's name, and the number of separate parts."""

    file: str
    parts: int


@dataclass(frozen=True, slots=True)
class Hull(VertexQueries):
    """Convex hull of one or more points, body frame.

    `hull_of`: the mesh whose hull this is, if that mesh is not convex; else None. Two hulls are equal if their points,
    in order, and their `hull_of` are equal.

    `polyhedron`: has only the extreme points as vertices, in the order of `points`, without repeated points and points
    inside the hull or on its faces, to rounding. Points in one plane give a polygon with a face on either side, points
    on one line a segment, points in one place a point.

    Raises ValueError, with one sentence that names the reason, for points that are not finite or not of three numbers,
    for none, and for a solid so thin that rounding hides its faces; TypeError for points that are no numbers.
    """

    points: tuple[Triple, ...]
    hull_of: MeshSource | None = field(default=None, repr=False, kw_only=True)
    polyhedron: Polyhedron = field(init=False, repr=False, compare=False)
    _columns: Array = field(init=False, repr=False, compare=False)
    _bounding_radius: float = field(init=False, repr=False, compare=False)
    _largest_half_extent: float = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", point_rows("the points of a hull", self.points, 3))
        self._keep(convex_hull(np.array(self.points, dtype=np.float64).reshape(-1, 3)))

    def _keep(self, solid: Polyhedron) -> None:
        # Stores numbers that every query needs; the class is frozen, hence object.__setattr__. The hash is stored too:
        # hashing 1,000 points takes longer than most of the queries whose answers are cached by that hash.
        object.__setattr__(self, "polyhedron", solid)
        object.__setattr__(self, "_columns", frozen(np.ascontiguousarray(solid.vertices.T)))
        object.__setattr__(self, "_bounding_radius", float(length_rows(solid.vertices).max()))
        object.__setattr__(self, "_largest_half_extent", half_extent(solid.vertices))
        object.__setattr__(self, "_hash", hash(self.points))

    def __hash__(self) -> int:
        """The hash of the points."""
        return self._hash

    @property
    def word(self) -> str:
        """`hull` for a solid, else `triangle`, `polygon`, `segment` or `point`."""
        solid = self.polyhedron
        if len(solid.faces) > 2:
            return "hull"
        return {1: "point", 2: "segment", 3: "triangle"}.get(len(solid.vertices), "polygon")

    @property
    def line_span(self) -> Callable[[Line, float], LineSpan | None] | None:  # type: ignore[override] # None for some hulls
        """A method that returns a line's stretch inside the hull enlarged all round; None for a segment or a point."""
        solid = self.polyhedron
        if len(solid.faces) > 2:
            return super(Hull, self).line_span
        return self._flat_span if solid.faces else None

    def _flat_span(self, line: Line, grow: float) -> LineSpan | None:
        solid = self.polyhedron.with_rim()
        return planes_span(line, solid.normals, solid.offsets, self.bounding_radius, grow)

    @staticmethod
    def of(points: Array | Iterable[Sequence[float]]) -> Hull:
        """The hull of an array (n, 3), such as a trimesh mesh's vertices, or of rows of three numbers.

        Raises as `Hull`.
        """
        return Hull(point_rows("the points of a hull", points, 3))  # type: ignore[arg-type] # rows of three

    def of_corners(self) -> Hull:
        """The same hull with the polyhedron's vertices as its only points. Reuses the faces, which saves time."""
        corners = tuple((x, y, z) for x, y, z in self.polyhedron.vertices.tolist())
        return _made(corners, self.polyhedron, self.hull_of)

    def standing_for(self, mesh: MeshSource | None) -> Hull:
        """The same hull with `mesh` as its `hull_of`, None for no mesh. Reuses the faces."""
        return _made(self.points, self.polyhedron, mesh)

    def scaled(self, factor: float) -> Hull:
        """The hull with every point multiplied by `factor` > 0. Reuses the faces, which saves time.

        Raises ValueError if the new bounding radius is not between SMALLEST_SIZE and LARGEST_SIZE.
        """
        size = factor * self.bounding_radius
        if self.bounding_radius and not SMALLEST_SIZE < size < LARGEST_SIZE:
            raise ValueError(f"a hull of size {size:g} leaves the range of doubles")
        solid = self.polyhedron
        vertices = frozen(solid.vertices * factor)
        firsts = vertices[np.array([loop[0] for loop in solid.faces], dtype=np.int64)]
        offsets = frozen(dots(firsts, solid.normals))
        points = tuple((x * factor, y * factor, z * factor) for x, y, z in self.points)
        return _made(points, replace(solid, vertices=vertices, offsets=offsets), self.hull_of)


def _made(points: tuple[Triple, ...], solid: Polyhedron, mesh: MeshSource | None) -> Hull:
    """A hull with a polyhedron that is already computed."""
    hull = object.__new__(Hull)
    object.__setattr__(hull, "points", points)
    object.__setattr__(hull, "hull_of", mesh)
    hull._keep(solid)
    return hull

"""The members that the shapes with numbered vertices share: hulls and 2D polygons.

A support query tests every vertex, which takes 3 µs for 1,000 vertices. Hill climbing from neighbour to neighbour takes
6 µs in Python, and may not return the lowest of vertices that tie.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..geometry.hierarchy import reach
from ..geometry.vector import Array, dot, frozen, length
from .contract import SupportFeature
from .directions import triple_in_range
from .line_spans import Line, LineSpan, planes_span
from .polyhedron import Polyhedron, Rim
from .rounded_core import RoundedCore


def half_extent(corners: Array) -> float:
    """Half of the largest extent of corners (k, 3) along the axes; for two corners half of their distance."""
    if len(corners) == 2:
        return 0.5 * length(corners[1] - corners[0])
    return 0.5 * float((corners.max(axis=0) - corners.min(axis=0)).max())


@lru_cache(maxsize=16)
def _rim(solid: Polyhedron) -> Rim:
    return Rim.of(solid.faces)


def _whole_faces(solid: Polyhedron, near: NDArray[np.bool_]) -> list[int]:
    """Indices of the faces all of whose corners are marked in `near` (v,)."""
    rim = _rim(solid)
    return np.flatnonzero(np.bincount(rim.face, ~near[rim.corners]) == 0.0).tolist() if solid.faces else []


class VertexQueries:
    """The queries of a shape that has a `polyhedron`; `_columns` (3, v): the coordinates of its vertices."""

    __slots__ = ()

    dimension: ClassVar[int] = 3
    plane: ClassVar[None] = None
    half_extents: ClassVar[None] = None
    radii: ClassVar[None] = None
    farthest: ClassVar[None] = None

    polyhedron: Polyhedron
    _columns: Array
    _bounding_radius: float
    _largest_half_extent: float

    @property
    def bounding_radius(self) -> float:
        """Radius of the smallest ball about the body's position that contains the shape."""
        return self._bounding_radius

    @property
    def largest_half_extent(self) -> float:
        """ℓ: half of the largest extent along the frame's axes, for a segment half its length, for a point 0."""
        return self._largest_half_extent

    @property
    def face_normals(self) -> Array:
        """Outward unit normals (f, 3) of the faces."""
        return self.polyhedron.normals

    @property
    def core(self) -> RoundedCore:
        """The vertices, with radius 0; `solid` is None for a segment or a point without faces."""
        solid = self.polyhedron
        return RoundedCore(solid.vertices, 0.0, solid if solid.faces else None)

    def support(self, direction: Array) -> Array:
        """The vertex farthest along `direction` (3,) of any length, body frame."""
        vertex: Array = self.polyhedron.vertices[self.support_vertex(direction)]
        return vertex

    def support_vertex(self, direction: Array) -> int:
        """Index of the vertex farthest along `direction` (3,); the lowest of vertices that tie exactly."""
        return int(self._heights(direction).argmax())

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:
        """The vertex, edge or face within `tolerance` of the farthest point along the unit `direction` (3,).

        A face is preferred to an edge, an edge to a vertex. Of several faces or edges, the one whose corners have the
        largest mean height is chosen.
        """
        solid = self.polyhedron
        heights = self._heights(direction)
        near = heights >= heights.max() - tolerance
        faces = _whole_faces(solid, near) if np.count_nonzero(near) > 2 else []
        if faces:
            # The two faces of a flat hull have the same mean height: the one that faces the direction is chosen.
            middles = {k: float(heights[list(solid.faces[k])].mean()) for k in faces}
            face = max(faces, key=lambda k: (middles[k], dot(solid.normals[k], direction)))
            loop = solid.faces[face]
            return SupportFeature("face", frozen(solid.vertices[list(loop)]), loop, f"face{face}")
        edges = np.flatnonzero(near[solid.edges].all(axis=1))
        if len(edges):
            edge = int(edges[np.argmax(heights[solid.edges[edges]].sum(axis=1))])
            start, end = solid.edges[edge].tolist()
            return SupportFeature("edge", frozen(solid.vertices[[start, end]]), (start, end), f"edge{edge}")
        vertex = int(heights.argmax())
        return SupportFeature("vertex", frozen(solid.vertices[[vertex]]), (vertex,), f"v{vertex}")

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a line inside the shape with its faces' planes moved out by `grow`; None if it misses."""
        solid = self.polyhedron
        return planes_span(line, solid.normals, solid.offsets, self.bounding_radius, grow)

    def reach(self, directions: Array) -> Array:
        """The largest `n·p` of the shape's points p along each of `directions` (..., 3), shape (...)."""
        return reach(self._columns, directions)

    def _heights(self, direction: Array) -> Array:
        """The height (v,) of each vertex along `direction`, which is scaled to about 1 if extremely long or short.

        Computed column by column. A matrix product of BLAS rounds some rows differently, so that exact ties would be
        lost.
        """
        x, y, z = triple_in_range(direction)
        xs, ys, zs = self._columns
        heights: Array = xs * x + ys * y + zs * z
        return heights

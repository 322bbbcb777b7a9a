"""Polygon: a convex loop of points in the plane z = 0, which may be a segment or a point.

In 3D it is a hull without thickness, with two faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.arguments import point_rows
from ..geometry.vec2 import Vec2, length, raised_rows, right_of, sub
from ..geometry.vector import Array, frozen
from .convex_loop import convex_ring, hull_loop
from .line_spans import Line, LineSpan, planes_span
from .polyhedron import Polyhedron, without_faces
from .vertices import VertexQueries, half_extent

MOST_CORNERS = 2_000
"""The most points of a polygon. An answer about two such polygons takes 300 MB: it grows with the product of both."""
_SIDES = np.array(((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)))


class Polygon(VertexQueries, Struct, frozen=True, dict=True):
    """A convex polygon whose `points` (x, y), body frame, run round it in either sense.

    A vertex has the index of its point, as in the file. Repeated points and points on a side keep their indices, but
    are not vertices. Edge k leads from `ring[k]` to the next vertex, counter-clockwise. `polyhedron` uses the same
    vertex indices. Two polygons are equal if their points are equal, in the same order.

    Points on one line make a segment with two edges, one each way; points in one place make a point without edges.

    Raises ValueError, with one sentence, for points that run round no convex polygon, and for more than MOST_CORNERS;
    TypeError for points that are no numbers.
    """

    dimension: ClassVar[int] = 2

    points: tuple[Vec2, ...]

    def __post_init__(self) -> None:
        """Checks the points."""
        force_setattr(self, "points", point_rows("the points of a polygon", self.points, 2))
        if (count := len(self.points)) > MOST_CORNERS:
            raise ValueError(f"a polygon has at most {MOST_CORNERS:,} points, got {count:,}")
        assert self.ring

    def __hash__(self) -> int:
        """The hash of the points; cached, as the caches of answers use it often."""
        return self._hash

    @staticmethod
    def of(points: Iterable[Sequence[float]]) -> Polygon:
        """The polygon of an array (n, 2) or of rows of two numbers.

        Raises as `Polygon`.
        """
        return Polygon(point_rows("the points of a polygon", points, 2))  # type: ignore[arg-type] # rows of two

    @staticmethod
    def hull_of(points: Iterable[Vec2]) -> Polygon:
        """The convex hull of points in any order. Raises ValueError for none, and as `Polygon`."""
        return Polygon(tuple(hull_loop(points)))

    @property
    def word(self) -> str:
        """`polygon`, `segment` or `point`."""
        return {1: "point", 2: "segment"}.get(len(self.ring), "polygon")

    @cached_property
    def _hash(self) -> int:
        return hash(self.points)

    @cached_property
    def ring(self) -> tuple[int, ...]:
        """Indices of the vertices, counter-clockwise, the lowest first."""
        return convex_ring(self.points)

    @cached_property
    def edge_normals(self) -> tuple[Vec2, ...]:
        """Outward unit normal of each edge, in the order of `ring`; empty for a point."""
        if len(self.ring) == 1:
            return ()
        found = []
        for place, number in enumerate(self.ring):
            following = self.ring[(place + 1) % len(self.ring)]
            out = right_of(sub(self.points[following], self.points[number]))
            size = length(out)
            found.append((out[0] / size, out[1] / size))
        return tuple(found)

    @property
    def face_normals(self) -> Array:
        """Outward unit normals (n, 3) of the edges."""
        return raised_rows(self.edge_normals)

    @cached_property
    def polyhedron(self) -> Polyhedron:  # type: ignore[override] # computed on first access
        """The polygon as a flat polyhedron, normals ±z. A segment has two faces without area, a point none.

        `vertices` has all of `points`, also those that are not vertices, except for a point.
        """
        points = raised_rows(self.points)
        if len(self.ring) == 1:
            return without_faces(points[:1])
        return Polyhedron.from_faces(points, (self.ring, self.ring[::-1]), _SIDES)

    def line_span(self, line: Line, grow: float) -> LineSpan | None:
        """The stretch of a 3D line in the flat shape with edges and faces moved out by `grow`; None if it misses."""
        normals = np.concatenate((self.face_normals, _SIDES))
        offsets = np.append(self.reach(self.face_normals), (0.0, 0.0))
        return planes_span(line, normals, offsets, self.bounding_radius, grow)

    @cached_property
    def _columns(self) -> Array:  # type: ignore[override] # computed on first access
        return frozen(np.ascontiguousarray(self.polyhedron.vertices.T))

    @cached_property
    def _bounding_radius(self) -> float:  # type: ignore[override] # computed on first access
        return max(length(self.points[number]) for number in self.ring)

    @cached_property
    def _largest_half_extent(self) -> float:  # type: ignore[override] # computed on first access
        return half_extent(self.polyhedron.vertices[list(self.ring)])

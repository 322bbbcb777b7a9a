"""Convex polyhedra with their topology: vertices, edges, faces, and the two faces at each edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from msgspec import Struct

from ..geometry.vector import Array, Indices, cross_rows, dots, frozen, length, length_rows, product


class Polyhedron(Struct, frozen=True, eq=False):
    """A closed convex polyhedron in some frame.

    `vertices` (v, 3). `faces`: for each face its vertex indices, counter-clockwise seen from outside. `normals` (f, 3):
    outward unit normals. `offsets` (f,): `n·p = offset` on the face. `edges` (e, 2): vertex indices, each edge once.
    `edge_faces` (e, 2): the faces on the left and on the right of the edge, seen from outside.

    A polyhedron without thickness is a polygon with two faces. A segment has one edge, with -1 in `edge_faces`, and no
    faces; a point has no edge and no face.
    """

    vertices: Array
    faces: tuple[tuple[int, ...], ...]
    normals: Array
    offsets: Array
    edges: Indices
    edge_faces: Indices

    @staticmethod
    def from_faces(vertices: Array, faces: Iterable[Sequence[int]], normals: Array | None = None) -> Polyhedron:
        """A polyhedron of `vertices` (v, 3) with offsets and edges computed from the face loops.

        `normals` (f, 3): unit, outward; computed from the loops if None. `faces`: as in the class.
        """
        loops = tuple(tuple(int(i) for i in loop) for loop in faces)
        if normals is None:
            normals = np.array([_loop_normal(vertices, loop) for loop in loops]).reshape(-1, 3)
        offsets = _mean_heights(vertices, loops, normals)
        edges, edge_faces = edges_of(loops)
        return Polyhedron(frozen(vertices), loops, frozen(normals), frozen(offsets), edges, edge_faces)

    def placed(self, matrix: Array, position: Array) -> Polyhedron:
        """The polyhedron turned by the rotation `matrix` (3, 3) and moved by `position` (3,)."""
        normals = product(self.normals, matrix.T)
        return Polyhedron(
            frozen(product(self.vertices, matrix.T) + position),
            self.faces,
            frozen(normals),
            frozen(self.offsets + dots(normals, position)),
            self.edges,
            self.edge_faces,
        )

    def edge_directions(self) -> Array:
        """Edge vectors (e, 3), from the first to the second vertex, not normalised."""
        start, end = self.edges.T
        out: Array = self.vertices.take(end, axis=0) - self.vertices.take(start, axis=0)
        return out

    def rim_normals(self) -> Array:
        """The outward unit normals (e, 3) of a flat polygon's edges, within its plane."""
        out = cross_rows(self.edge_directions(), self.normals[self.edge_faces[:, 0]])
        normals: Array = out / length_rows(out)[:, None]
        return normals

    def with_rim(self) -> Polyhedron:
        """A flat polygon with each edge twice and an extra face, without area, at each edge; others are unchanged.

        The extra faces have `rim_normals`. So no neighbouring faces are opposite: an edge's arc on the Gauss map, half
        a great circle, is cut in two. The planes of all faces then bound the polygon.
        """
        if len(self.faces) != 2:
            return self
        count = len(self.edges)
        left, right = self.edge_faces.T
        beside = np.arange(2, count + 2)
        normals = np.concatenate((self.normals, self.rim_normals()))
        return Polyhedron(
            self.vertices,
            (*self.faces, *((start, end) for start, end in self.edges.tolist())),
            frozen(normals),
            frozen(np.append(self.offsets, product(normals[2:], self.vertices.T).max(axis=1))),
            np.concatenate((self.edges, self.edges)),
            # The face on an edge's left comes first: left × right runs along the edge.
            np.concatenate((np.stack((left, beside), axis=1), np.stack((beside, right), axis=1))),
        )


class Rim(Struct, frozen=True, eq=False):
    """The corners of face loops, one loop after another, as arrays (c,).

    For each: its face, its vertex index `corners`, and the vertex indices before and after it in the loop.
    """

    face: Indices
    corners: Indices
    before: Indices
    after: Indices

    @staticmethod
    def of(loops: Sequence[Sequence[int]]) -> Rim:
        """The corners of one or more loops, each of vertex indices."""
        lengths = np.array([len(loop) for loop in loops])
        last = lengths.cumsum() - 1
        first = last - lengths + 1
        corners = np.array([*chain.from_iterable(loops)])
        before, after = corners.take(np.arange(-1, last[-1])), corners.take(np.arange(-last[-1], 1))
        before[first], after[last] = corners.take(last), corners.take(first)
        return Rim(np.arange(len(loops)).repeat(lengths), corners, before, after)


def without_faces(points: Array) -> Polyhedron:
    """A segment between two points (2, 3), or one point (1, 3)."""
    edges = np.array(((0, 1),) if len(points) == 2 else (), dtype=np.int64).reshape(-1, 2)
    return Polyhedron(frozen(points), (), np.zeros((0, 3)), np.zeros(0), edges, np.full_like(edges, -1))


def _loop_normal(vertices: Array, loop: tuple[int, ...]) -> Array:
    # Newell's sum over the loop: exact for a planar polygon, and a mean for a polygon that rounding has bent.
    points = vertices[list(loop)] - vertices[loop[0]]
    total: Array = cross_rows(points, np.roll(points, -1, axis=0)).sum(axis=0)
    return total / length(total)


def _mean_heights(vertices: Array, loops: tuple[tuple[int, ...], ...], normals: Array) -> Array:
    """The mean of `n·p` over the corners of each loop, (f,); loops of one length are computed together."""
    lengths, heights = np.array([len(loop) for loop in loops]), np.zeros(len(loops))
    # Not np.unique: it imports numpy.ma, which takes a fortieth of the time to the first frame.
    for size in sorted(set(lengths.tolist())):
        alike = np.flatnonzero(lengths == size)
        corners = vertices[np.array([loops[face] for face in alike.tolist()])]
        heights[alike] = dots(corners, normals[alike, None]).mean(axis=1)
    return heights


def edges_of(loops: tuple[tuple[int, ...], ...]) -> tuple[Indices, Indices]:
    """Returns the edges (e, 2) of closed face loops, and the faces (e, 2) on the left and right of each."""
    if not loops:
        return np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)
    rim = Rim.of(loops)
    twins = twins_of(rim.corners, rim.after, int(rim.corners.max()) + 1)
    if twins is not None:
        once = (rim.corners < rim.after).nonzero()[0]
        edges, beside = np.array((rim.corners, rim.after)), np.array((rim.face, rim.face.take(twins)))
        return edges.T.take(once, axis=0), beside.T.take(once, axis=0)
    left: dict[tuple[int, int], int] = {}
    for face, loop in enumerate(loops):
        for start, end in zip(loop, loop[1:] + loop[:1], strict=True):
            left[start, end] = face
    pairs = [(key, face) for key, face in left.items() if key[0] < key[1] or key[::-1] not in left]
    edges = np.array([key for key, _ in pairs], dtype=np.int64).reshape(-1, 2)
    faces = np.array([(face, left.get(key[::-1], face)) for key, face in pairs], dtype=np.int64)
    return edges, faces.reshape(-1, 2)


def twins_of(starts: Indices, ends: Indices, vertices: int) -> Indices | None:
    """Indices (h,) of the opposite half-edge of each half-edge; None unless each has exactly one.

    `starts`, `ends` (h,): the half-edges' vertex indices, all below `vertices`.
    """
    forth, back = starts * vertices + ends, ends * vertices + starts
    order = forth.argsort(kind="stable")
    ordered = forth.take(order)
    places = ordered.searchsorted(back)
    if places.max() >= len(order) or (ordered[1:] == ordered[:-1]).any():
        return None
    twins: Indices = order.take(places)
    return twins if (forth.take(twins) == back).all() else None

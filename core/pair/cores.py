"""Bodies as placed cores: a point, a segment or a polyhedron, grown by a radius.

This is the form in which SAT, the Gauss map, the difference and the manifold see boxes, hulls, capsules and spheres.
Everything is relative to A's position. A segment is given three faces without area round
its line, and a point none: then the Gauss map treats both like any polyhedron, with one great circle for the segment.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.tolerances import EPS
from ..geometry.vector import Array, any_perpendicular, cross, cross_rows, frozen, length_rows, unit
from ..scene import Body
from ..shapes import Box, RoundedCore
from ..shapes.polyhedron import Indices, Polyhedron
from .candidate_axes import AXIS_NAMES
from .pair import PairScale


class CoreKind(Enum):
    """How many dimensions a core has, and whether its faces come in pairs."""

    POINT = "point"
    SEGMENT = "segment"
    BOX = "box"
    HULL = "hull"


class Core(Struct, frozen=True, eq=False):
    """One body's core, placed relative to A's position.

    `name`: "A" or "B". `solid`: vertices, faces and edges; a segment's three faces have no area. `edge_units` (e, 3):
    unit vectors along the edges, turned from the body's frame (whose digits a large offset would cost), and
    `edge_noise` (e,): what rounding of the vertices may turn them by, radians.
    A box's opposite faces share one line and its parallel edges one direction: `face_lines` (f,), `face_sides` (f,):
    which line a face's outward normal lies on, and whether along (+1) or against it; `edge_lines` (e,),
    `edge_sides` (e,) likewise. `line_axes` (k, 3): the face lines' unit vectors.
    """

    name: str
    kind: CoreKind
    solid: Polyhedron
    radius: float
    edge_units: Array
    edge_noise: Array
    face_lines: NDArray[np.int64]
    face_sides: NDArray[np.int64]
    line_axes: Array
    edge_lines: NDArray[np.int64]
    edge_sides: NDArray[np.int64]

    @property
    def has_volume(self) -> bool:
        """Whether the core is a polyhedron, and not a point or a segment."""
        return self.kind in (CoreKind.BOX, CoreKind.HULL)

    def line_label(self, line: int) -> str:
        """`A.x` for a box's face pair, `A.face3` for a hull's face."""
        return f"{self.name}.{AXIS_NAMES[line]}" if self.kind is CoreKind.BOX else f"{self.name}.face{line}"

    def edge_line_label(self, line: int) -> str:
        """`A.x` for a box's four parallel edges, `A.edge3` for a hull's edge, `A.axis` for a segment."""
        if self.kind is CoreKind.BOX:
            return f"{self.name}.{AXIS_NAMES[line]}"
        return f"{self.name}.axis" if self.kind is CoreKind.SEGMENT else f"{self.name}.edge{line}"

    def vertex_name(self, vertex: int) -> str:
        """`v3`; of a segment `end0` and `end1`; of a point `centre`."""
        if self.kind is CoreKind.POINT:
            return "centre"
        return f"end{vertex}" if self.kind is CoreKind.SEGMENT else f"v{vertex}"

    def edge_name(self, edge: int) -> str:
        """`v1-v4` for a box, as everywhere; `edge7` for a hull; `axis` for a segment."""
        if self.kind is CoreKind.BOX:
            low, high = sorted(self.solid.edges[edge].tolist())
            return f"v{low}-v{high}"
        return "axis" if self.kind is CoreKind.SEGMENT else f"edge{edge}"

    def face_name(self, face: int) -> str:
        """`+x` for a box, `face3` for a hull."""
        if self.kind is CoreKind.BOX:
            return ("+" if self.face_sides[face] > 0 else "-") + AXIS_NAMES[int(self.face_lines[face])]
        return f"face{face}"

    def feature_name(self, vertices: tuple[int, ...]) -> str:
        """Name of the vertex, edge or face that `vertices` belong to: the smallest that has them all."""
        if len(vertices) == 1:
            return self.vertex_name(vertices[0])
        if len(vertices) == 2:
            rows = np.flatnonzero(np.isin(self.solid.edges, vertices).all(axis=1))
            if len(rows):
                return self.edge_name(int(rows[0]))
        wanted = set(vertices)
        return next((self.face_name(k) for k, loop in enumerate(self.solid.faces) if wanted <= set(loop)), "inside")


def has_core(body: Body) -> bool:
    """Whether the body is a point, a segment or a polyhedron, grown by a radius."""
    return body.shape.core is not None


def cores_of(a: Body, b: Body) -> tuple[Core, Core]:
    """The placed cores of both bodies. Raises TypeError for a shape that has none."""
    return core_of(a, "A", np.zeros(3)), core_of(b, "B", PairScale.of(a, b).offset)


def core_of(body: Body, name: str, offset: Array) -> Core:
    """The body's core with its position at `offset` (3,). Raises TypeError for more than two points without a solid."""
    rounded, matrix = body.shape.core, body.pose.matrix
    if rounded is None:
        raise TypeError(f"the {body.shape.word} is no core grown by a radius")
    if rounded.solid is not None:
        return _solid_core(name, rounded, rounded.solid, matrix, offset)
    if len(rounded.points) > 2:
        raise TypeError(f"the core of the {body.shape.word} has {len(rounded.points)} points and no solid")
    points = rounded.points @ matrix.T + offset
    along = unit((rounded.points[-1] - rounded.points[0]) @ matrix.T)
    if along is None:
        return _point_core(name, points[:1], rounded.radius)
    return _segment_core(name, points, along, rounded.radius)


def _solid_core(name: str, rounded: RoundedCore, local: Polyhedron, matrix: Array, offset: Array) -> Core:
    solid, radius = local.placed(matrix, offset), rounded.radius
    if rounded.boxed:
        lines, sides, edge_lines, edge_sides = _box_lines()
        units, exact = matrix.T[edge_lines] * edge_sides[:, None], np.zeros(len(edge_lines))
        return Core(name, CoreKind.BOX, solid, radius, units, exact, lines, sides, matrix.T, edge_lines, edge_sides)
    units, noise = _edge_units(local)
    faces, edges = np.arange(len(local.faces)), np.arange(len(local.edges))
    along = np.ones_like(faces)
    return Core(
        name,
        CoreKind.HULL,
        solid,
        radius,
        units @ matrix.T,
        noise,
        faces,
        along,
        solid.normals,
        edges,
        np.ones_like(edges),
    )


@lru_cache(maxsize=8)
def _edge_units(solid: Polyhedron) -> tuple[Array, Array]:
    """Unit vectors along the edges (e, 3), and what rounding may turn them by (e,); kept while a body is moved.

    From the vertices, or where an edge is so short that the normals of its two faces know better, from those. Vertices
    off by their last place turn an edge by as much over its length. They tilt a face along the edge by as much over the
    face's mean width along it (its area vector changes by as much times its extent across), and the line in which two
    faces meet by both tilts over the sine of their angle.
    """
    directions = solid.edge_directions()
    lengths = length_rows(directions)
    left, right = solid.edge_faces.T
    turned = cross_rows(solid.normals[left], solid.normals[right])
    sines = length_rows(turned)
    units = directions / lengths[:, None]
    rounding = 4.0 * EPS * float(np.abs(solid.vertices).max())
    noise = rounding / lengths
    tilts = sum(rounding / _widths(solid, faces, units) for faces in (left, right))
    noise_of_normals = tilts / np.where(sines > 0.0, sines, EPS)
    better = noise_of_normals < noise
    directions[better] = turned[better]
    lengths = np.where(better, sines, lengths)
    return frozen(directions / lengths[:, None]), frozen(np.minimum(noise, noise_of_normals))


@cache
def _box_lines() -> tuple[Indices, Indices, Indices, Indices]:
    """Face lines and sides, edge lines and sides of a box, which has the same topology whatever its size."""
    faces = np.arange(6)
    directions = Box((1.0, 1.0, 1.0)).polyhedron.edge_directions()
    lines = np.argmax(np.abs(directions), axis=1)
    sides = np.sign(directions[np.arange(len(lines)), lines]).astype(np.int64)
    return faces // 2, 1 - 2 * (faces % 2), lines, sides


def _widths(solid: Polyhedron, faces: Indices, units: Array) -> Array:
    """The mean width of each of `faces` (e,) along the unit vector (e, 3) in its place, which lies in it, (e,)."""
    sizes = np.array([len(loop) for loop in solid.faces])
    firsts = np.cumsum(sizes) - sizes
    corners = solid.vertices[[corner for loop in solid.faces for corner in loop]]
    corners = corners - np.repeat(corners[firsts], sizes, axis=0)
    nexts = np.arange(len(corners)) + 1
    nexts[firsts + sizes - 1] = firsts
    areas = 0.5 * length_rows(np.add.reduceat(cross_rows(corners, corners[nexts]), firsts))
    counts = sizes[faces]
    starts = np.cumsum(counts) - counts
    places = np.arange(counts.sum()) + np.repeat(firsts[faces] - starts, counts)
    across = np.repeat(cross_rows(solid.normals[faces], units), counts, axis=0)
    heights = np.einsum("ci,ci->c", corners[places], across)
    widths: Array = areas[faces] / (np.maximum.reduceat(heights, starts) - np.minimum.reduceat(heights, starts))
    return widths


@cache
def _no_faces() -> tuple[Array, Array, Indices, Indices]:
    none = np.zeros(0, dtype=np.int64)
    return np.zeros((0, 3)), np.zeros(0), none, none.reshape(0, 2)


def _point_core(name: str, points: Array, radius: float) -> Core:
    rows, numbers, none, pairs = _no_faces()
    solid = Polyhedron(frozen(points), (), rows, numbers, pairs, pairs)
    return Core(name, CoreKind.POINT, solid, radius, rows, numbers, none, none, rows, none, none)


def _segment_core(name: str, points: Array, along: Array, radius: float) -> Core:
    """Three faces without area, a third of a turn apart, so that no two neighbours are opposite."""
    side = any_perpendicular(along)
    up = cross(along, side)
    angles = 2.0 * np.pi / 3.0 * np.arange(3)
    normals = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * up
    # The face on an edge's left comes first: left × right runs along the edge.
    edges = np.array(((0, 1), (0, 1), (0, 1)))
    solid = Polyhedron(
        frozen(points),
        ((0, 1), (0, 1), (0, 1)),
        frozen(normals),
        frozen(normals @ points[0]),
        edges,
        np.array(((0, 1), (1, 2), (2, 0))),
    )
    none, rows = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    zeros, ones = np.zeros(3, dtype=np.int64), np.ones(3, dtype=np.int64)
    return Core(
        name, CoreKind.SEGMENT, solid, radius, np.tile(along, (3, 1)), np.zeros(3), none, none, rows, zeros, ones
    )

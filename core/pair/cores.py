"""Bodies as placed cores: a point, a segment, a polygon or a polyhedron, grown by a radius.

SAT, the Gauss map and the difference use boxes, hulls, capsules and spheres in this form. Everything is relative to A's
position. A segment gets three faces without area round its line, and a point none. The Gauss map then treats both like
any polyhedron; a segment's map is one great circle.

A polygon has two faces with an area, and at each edge a face without area, whose normal lies in the polygon's plane.
The arc of an edge is half a great circle from one face to the other, cut in two at that normal.

`PlanePair` is a pair of the plane for its algorithms: both cores relative to A's position, and the scale of tolerances.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache
from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..geometry.elementary import sin_cos
from ..geometry.tolerances import EPS
from ..geometry.vec2 import ORIGIN, Vec2, add, rotated, without_z
from ..geometry.vector import (
    Array,
    Indices,
    any_perpendicular,
    cross,
    cross_rows,
    dots,
    frozen,
    length_rows,
    product,
    transformed,
    unit,
)
from ..scene import Body
from ..shapes import Box, RoundedCore, Shape
from ..shapes.polyhedron import Polyhedron
from .candidate_axes import AXIS_NAMES
from .pair import PairScale


class CoreKind(Enum):
    """The kind of a core: its dimension, and whether a polyhedron is a box, whose faces come in pairs."""

    POINT = "point"
    SEGMENT = "segment"
    POLYGON = "polygon"
    BOX = "box"
    HULL = "hull"


class Core(Struct, frozen=True, eq=False):
    """One body's core, placed relative to A's position.

    `name`: "A" or "B". `solid`: vertices, faces and edges. A segment's three faces have no area. A polygon's two faces
    come first, then a face without area at each edge; a polygon has each edge twice. `edge_units` (e, 3): unit vectors
    along the edges, rotated from the body's frame, as a large offset would cost digits; `edge_noise` (e,): the angle
    by which rounding of the vertices may turn them, radians. A box's opposite faces share one line and its parallel
    edges one direction. `face_lines` (f,): for each face with an area, the index of the line of its outward normal;
    `face_sides` (f,): +1 if along the line, -1 if against it; `edge_lines` (e,), `edge_sides` (e,): the same for edges.
    `line_axes` (k, 3): unit vectors of the face lines; for a polygon also its edges' normals within the plane, which
    separate it from a body that lies beside it there.
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
        """Whether the core is a polyhedron, and not a point, a segment or a polygon."""
        return self.kind in (CoreKind.BOX, CoreKind.HULL)

    @property
    def area_faces(self) -> int:
        """The number of faces with an area, which come first."""
        return len(self.face_lines)

    def line_label(self, line: int) -> str:
        """`A.x` for a box's face pair, `A.face3` for another face, `A.edge2×face0` for a polygon's edge."""
        if self.kind is CoreKind.POLYGON and line > 0:
            return f"{self.name}.edge{line - 1}×face0"
        return f"{self.name}.{AXIS_NAMES[line]}" if self.kind is CoreKind.BOX else f"{self.name}.face{line}"

    def edge_line_label(self, line: int) -> str:
        """`A.x` for a box's four parallel edges, `A.edge3` for a hull's or polygon's edge, `A.axis` for a segment."""
        if self.kind is CoreKind.BOX:
            return f"{self.name}.{AXIS_NAMES[line]}"
        return f"{self.name}.axis" if self.kind is CoreKind.SEGMENT else f"{self.name}.edge{line}"

    def vertex_name(self, vertex: int) -> str:
        """`v3`; for a segment `end0` and `end1`; for a point `centre`."""
        if self.kind is CoreKind.POINT:
            return "centre"
        return f"end{vertex}" if self.kind is CoreKind.SEGMENT else f"v{vertex}"

    def edge_name(self, edge: int) -> str:
        """`v1-v4` for a box, `edge7` for a hull or polygon, `axis` for a segment."""
        if self.kind is CoreKind.BOX:
            low, high = sorted(self.solid.edges[edge].tolist())
            return f"v{low}-v{high}"
        return "axis" if self.kind is CoreKind.SEGMENT else f"edge{self.edge_lines[edge]}"

    def face_name(self, face: int) -> str:
        """`+x` for a box, `face3` for a hull or polygon."""
        if self.kind is CoreKind.BOX:
            return ("+" if self.face_sides[face] > 0 else "-") + AXIS_NAMES[int(self.face_lines[face])]
        return f"face{face}"

    def feature_name(self, vertices: tuple[int, ...]) -> str:
        """Name of the smallest feature with all of `vertices`: a vertex, an edge or a face; `inside` if none has."""
        if len(vertices) == 1:
            return self.vertex_name(vertices[0])
        if len(vertices) == 2:
            rows = np.flatnonzero(np.isin(self.solid.edges, vertices).all(axis=1))
            if len(rows):
                return self.edge_name(int(rows[0]))
        wanted = set(vertices)
        return next((self.face_name(k) for k, loop in enumerate(self.solid.faces) if wanted <= set(loop)), "inside")


def has_core(body: Body) -> bool:
    """Whether the body is a point, a segment, a polygon or a polyhedron, grown by a radius."""
    return body.shape.core is not None


def cores_of(a: Body, b: Body) -> tuple[Core, Core]:
    """The placed cores of both bodies. Raises TypeError for a shape without a core."""
    return core_of(a, "A", np.zeros(3)), core_of(b, "B", PairScale.of(a, b).offset)


def core_of(body: Body, name: str, offset: Array) -> Core:
    """The body's core with the body's position at `offset` (3,), relative to A's.

    Raises TypeError for a shape without a core, and for a core of more than two points without a solid.
    """
    rounded, matrix = body.shape.core, body.pose.matrix
    if rounded is None:
        raise TypeError(f"the {body.shape.word} is no core grown by a radius")
    if rounded.solid is not None:
        return _solid_core(name, rounded, rounded.solid, matrix, offset)
    if len(rounded.points) > 2:
        raise TypeError(f"the core of the {body.shape.word} has {len(rounded.points)} points and no solid")
    points = product(rounded.points, matrix.T) + offset
    along = unit(transformed(matrix, rounded.points[-1] - rounded.points[0]))
    if along is None:
        return _point_core(name, points[:1], rounded.radius)
    return _segment_core(name, points, along, rounded.radius)


def _solid_core(name: str, rounded: RoundedCore, local: Polyhedron, matrix: Array, offset: Array) -> Core:
    if len(local.faces) == 2:
        return _polygon_core(name, local, matrix, offset, rounded.radius)
    solid, radius = local.placed(matrix, offset), rounded.radius
    if rounded.boxed:
        lines, sides, edge_lines, edge_sides = _box_lines()
        units, exact = matrix.T[edge_lines] * edge_sides[:, None], np.zeros(len(edge_lines))
        return Core(
            name=name,
            kind=CoreKind.BOX,
            solid=solid,
            radius=radius,
            edge_units=units,
            edge_noise=exact,
            face_lines=lines,
            face_sides=sides,
            line_axes=matrix.T,
            edge_lines=edge_lines,
            edge_sides=edge_sides,
        )
    units, noise = _edge_units(local)
    faces, edges = np.arange(len(local.faces)), np.arange(len(local.edges))
    turned = product(units, matrix.T)
    return Core(
        name=name,
        kind=CoreKind.HULL,
        solid=solid,
        radius=radius,
        edge_units=turned,
        edge_noise=noise,
        face_lines=faces,
        face_sides=np.ones_like(faces),
        line_axes=solid.normals,
        edge_lines=edges,
        edge_sides=np.ones_like(edges),
    )


@lru_cache(maxsize=8)
def _edge_units(solid: Polyhedron) -> tuple[Array, Array]:
    """Unit vectors along the edges (e, 3), and the angles (e,), radians, by which rounding may turn them.

    The result depends on the shape alone, so the cache serves a body that moves.

    A unit vector comes from the edge's vertices, or, for a very short edge, from the normals of its two faces if these
    are more accurate. A rounding error of the vertices turns an edge by the error over its length. It tilts a face by
    the error over the face's mean width along the edge, as its area vector changes by the error times its extent
    across. It turns the line in which two faces meet by both tilts over the sine of their angle.
    """
    directions = solid.edge_directions()
    lengths = length_rows(directions)
    left, right = solid.edge_faces.T
    crosses = cross_rows(solid.normals[left], solid.normals[right])
    sines = length_rows(crosses)
    units = directions / lengths[:, None]
    rounding = 4.0 * EPS * float(np.abs(solid.vertices).max())
    noise = rounding / lengths
    tilts = sum(rounding / _widths(solid, faces, units) for faces in (left, right))
    noise_of_normals = tilts / np.where(sines > 0.0, sines, EPS)
    better = noise_of_normals < noise
    directions[better] = crosses[better]
    lengths = np.where(better, sines, lengths)
    return frozen(directions / lengths[:, None]), frozen(np.minimum(noise, noise_of_normals))


@cache
def _box_lines() -> tuple[Indices, Indices, Indices, Indices]:
    """Face lines and sides, edge lines and sides of a box, which has the same topology at any size."""
    faces = np.arange(6)
    directions = Box((1.0, 1.0, 1.0)).polyhedron.edge_directions()
    lines = np.argmax(np.abs(directions), axis=1)
    sides = np.sign(directions[np.arange(len(lines)), lines]).astype(np.int64)
    return faces // 2, 1 - 2 * (faces % 2), lines, sides


def _polygon_core(name: str, local: Polyhedron, matrix: Array, offset: Array, radius: float) -> Core:
    solid = local.with_rim().placed(matrix, offset)
    # The normals of the two faces are exact opposites: the two arcs of an edge then form one half circle.
    normals = solid.normals.copy()
    normals[1] = -normals[0]
    solid = replace(solid, normals=frozen(normals), offsets=frozen(product(normals, solid.vertices.T).max(axis=1)))
    units, noise = _edge_units(local)
    lines = np.tile(np.arange(len(units)), 2)
    return Core(
        name=name,
        kind=CoreKind.POLYGON,
        solid=solid,
        radius=radius,
        edge_units=np.tile(product(units, matrix.T), (2, 1)),
        edge_noise=np.tile(noise, 2),
        face_lines=np.zeros(2, dtype=np.int64),
        face_sides=np.array((1, -1)),
        line_axes=normals[np.append(0, np.arange(2, len(normals)))],
        edge_lines=lines,
        edge_sides=np.ones_like(lines),
    )


def _widths(solid: Polyhedron, faces: Indices, units: Array) -> Array:
    """The mean width (e,) of each of `faces` (e,) along the unit vector (e, 3) of the same row, which lies in it."""
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
    heights = dots(corners[places], across)
    widths: Array = areas[faces] / (np.maximum.reduceat(heights, starts) - np.minimum.reduceat(heights, starts))
    return widths


def _point_core(name: str, points: Array, radius: float) -> Core:
    rows, none = np.zeros((0, 3)), np.zeros(0, dtype=np.int64)
    pairs, numbers = none.reshape(0, 2), np.zeros(0)
    solid = Polyhedron(frozen(points), (), rows, numbers, pairs, pairs)
    return Core(
        name=name,
        kind=CoreKind.POINT,
        solid=solid,
        radius=radius,
        edge_units=rows,
        edge_noise=numbers,
        face_lines=none,
        face_sides=none,
        line_axes=rows,
        edge_lines=none,
        edge_sides=none,
    )


_THIRDS = ((1.0, 0.0), (-0.5, sqrt(0.75)), (-0.5, -sqrt(0.75)))
"""Cosine and sine of 0, a third and two thirds of a turn."""


def _segment_core(name: str, points: Array, along: Array, radius: float) -> Core:
    """A segment with three faces without area, a third of a turn apart, so that no two neighbours are opposite."""
    side = any_perpendicular(along)
    up = cross(along, side)
    normals = np.array([cosine * side + sine * up for cosine, sine in _THIRDS])
    # The face on an edge's left comes first: left × right runs along the edge.
    edges = np.array(((0, 1), (0, 1), (0, 1)))
    solid = Polyhedron(
        frozen(points),
        ((0, 1), (0, 1), (0, 1)),
        frozen(normals),
        frozen(dots(normals, points[0])),
        edges,
        np.array(((0, 1), (1, 2), (2, 0))),
    )
    none, rows = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    zeros, ones = np.zeros(3, dtype=np.int64), np.ones(3, dtype=np.int64)
    return Core(
        name=name,
        kind=CoreKind.SEGMENT,
        solid=solid,
        radius=radius,
        edge_units=np.tile(along, (3, 1)),
        edge_noise=np.zeros(3),
        face_lines=none,
        face_sides=none,
        line_axes=rows,
        edge_lines=zeros,
        edge_sides=ones,
    )


class FlatCore(Struct, frozen=True, eq=False):
    """A shape of the plane less its radius, in the body's frame; the fields are those of PlaneCore.

    `corners`: counter-clockwise, as PlaneCore's `ring`.
    """

    corners: tuple[Vec2, ...]
    numbers: tuple[int, ...]
    normals: tuple[Vec2, ...]
    radius: float

    @staticmethod
    def of(shape: Shape) -> FlatCore:
        """The core of a shape of the plane. Raises TypeError for a shape of space."""
        core = shape.core
        if shape.dimension != 2 or core is None:
            raise TypeError(f"the {shape.word} is not a 2D shape")
        points, numbers = core.points.tolist(), (0,) if core.solid is None else core.solid.faces[0]
        corners = tuple((points[number][0], points[number][1]) for number in numbers)
        return FlatCore(corners, numbers, tuple((x, y) for x, y, _ in shape.face_normals.tolist()), core.radius)


class PlaneCore(Struct, frozen=True, eq=False):
    """A placed shape less its radius: a polygon's corners, or a circle's centre.

    `ring`: the corners counter-clockwise, relative to A's position; `points` (k, 2): the same as an array. `numbers`:
    the vertex number of each corner (0 for a centre). `normals`: the unit outward normal of each edge, where edge k
    runs from corner k to the next; empty for a centre. `listed` (k, 2), `listed_numbers`: the corners and their numbers
    by rising number, so that a support query takes the lowest number of equally far corners.
    """

    ring: tuple[Vec2, ...]
    numbers: tuple[int, ...]
    normals: tuple[Vec2, ...]
    radius: float
    points: Array
    listed: Array
    listed_numbers: tuple[int, ...]

    @staticmethod
    def of(ring: tuple[Vec2, ...], numbers: tuple[int, ...], normals: tuple[Vec2, ...], radius: float) -> PlaneCore:
        """The core, with its arrays computed in the precision of the numbers in `ring`."""
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        points = frozen(np.array(ring))
        return PlaneCore(
            ring=ring,
            numbers=numbers,
            normals=normals,
            radius=radius,
            points=points,
            listed=frozen(points[order]),
            listed_numbers=tuple(numbers[k] for k in order),
        )

    @staticmethod
    def placed(body: Body, position: Vec2) -> PlaneCore:
        """The body's core with the body at `position`, relative to A's. Raises TypeError for a shape of space."""
        flat = FlatCore.of(body.shape)
        ring = tuple(add(rotated(corner, body.angle), position) for corner in flat.corners)
        normals = tuple(rotated(normal, body.angle) for normal in flat.normals)
        return PlaneCore.of(ring, flat.numbers, normals, flat.radius)

    def corner(self, number: int) -> Vec2:
        """The corner with this vertex number. Raises ValueError if it is no corner's."""
        return self.ring[self.numbers.index(number)]

    def edge(self, k: int) -> tuple[Vec2, Vec2]:
        """Both ends of edge k, counter-clockwise."""
        return self.ring[k], self.ring[(k + 1) % len(self.ring)]


class PlanePair(Struct, frozen=True, eq=False):
    """Both cores relative to A's position. `offset`: B's position minus A's (T)."""

    a: PlaneCore
    b: PlaneCore
    offset: Vec2
    scale: PairScale

    @staticmethod
    @lru_cache(maxsize=4)
    def of(a: Body, b: Body) -> PlanePair:
        """The pair of two placed bodies; cached for the next algorithm. Raises TypeError for shapes of space."""
        scale = PairScale.of(a, b)
        offset = without_z(scale.offset)
        return PlanePair(PlaneCore.placed(a, ORIGIN), PlaneCore.placed(b, offset), offset, scale)

    @property
    def edged(self) -> bool:
        """Whether both shapes are polygons or segments without a radius: their boundaries consist of edges alone."""
        return bool(self.a.normals and self.b.normals) and self.radius == 0.0

    @property
    def two_segments(self) -> bool:
        """Whether both cores are segments, which may lie apart on one line, where no edge's normal separates them."""
        return len(self.a.ring) == len(self.b.ring) == 2

    @property
    def radius(self) -> float:
        """Sum of both radii."""
        return self.a.radius + self.b.radius


def to_world(body: Body, point: Vec2) -> Vec2:
    """Transforms a point from the frame of a body of the plane to the world."""
    return add(rotated(point, body.angle), body.position[:2])


def to_local(body: Body, point: Vec2) -> Vec2:
    """Transforms a point from the world to the frame of a body of the plane."""
    x, y = point[0] - body.position[0], point[1] - body.position[1]
    s, c = sin_cos(body.angle)
    return (c * x + s * y, c * y - s * x)

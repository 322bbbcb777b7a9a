"""Triangles for solids that are drawn, polyhedra, balls and polyhedra grown by a radius; and shapes' outlines.

Tessellation is for the eye only; no number on the screen comes from it. `shape_mesh` has the curved shapes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.geometry.vector import Array, cross_rows, dot, dots, length_rows, product
from core.shapes import Shape, ball_radius
from core.shapes.polyhedron import Indices, Polyhedron

Value = TypeVar("Value")
Loops = tuple[tuple[int, ...], ...]
ARC_STEPS = 6
"""Segments of a quarter turn on rounded edges and corners."""
BALL_STEPS = 10
"""Divisions of an octant's side on a ball."""


class Mesh(Struct, frozen=True, eq=False):
    """Triangles of a closed surface.

    `corners` (m, 3, 3); outward unit `normals` at them (m, 3, 3); `faces` (m,): the polyhedron's face that a triangle
    belongs to, -1 for rounded parts.
    """

    corners: Array
    normals: Array
    faces: Indices


def polyhedron_mesh(polyhedron: Polyhedron) -> Mesh:
    """Every face as a fan of triangles with the face's own normal."""
    rows, faces = _fans(ByIdentity(polyhedron.faces))
    # Each normal stands for three corners, kept once.
    normals = np.broadcast_to(polyhedron.normals.take(faces, axis=0)[:, None], (len(faces), 3, 3))
    return Mesh(polyhedron.vertices.take(rows, axis=0), normals, faces)


class ByIdentity(Generic[Value]):
    """A cache key that compares by identity: a dragged body keeps its shape, and comparing thousands takes a frame."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.value is other.value


@lru_cache(maxsize=16)
def _fans(same: ByIdentity[Loops]) -> tuple[Indices, Indices]:
    """Vertices (m, 3) and faces (m,) of the triangles."""
    loops = same.value
    fans = [(loop[0], loop[i], loop[i + 1]) for loop in loops for i in range(1, len(loop) - 1)]
    faces = np.repeat(np.arange(len(loops)), [len(loop) - 2 for loop in loops])
    rows = np.array(fans, dtype=np.int64).reshape(-1, 3)
    rows.flags.writeable = faces.flags.writeable = False
    return rows, faces


def face_sides(loops: Loops) -> NDArray[np.bool_]:
    """Which sides of `polyhedron_mesh`'s triangles are edges of the face (m, 3), from each corner to the next."""
    return _face_sides(ByIdentity(loops))


@lru_cache(maxsize=8)
def _face_sides(same: ByIdentity[Loops]) -> NDArray[np.bool_]:
    loops = same.value
    sides = np.array([(i == 1, True, i == len(loop) - 2) for loop in loops for i in range(1, len(loop) - 1)])
    sides.flags.writeable = False
    return sides.reshape(-1, 3)


def ball_mesh(centre: Array, radius: float) -> Mesh:
    """A ball about `centre` (3,)."""
    directions = sphere_triangles(BALL_STEPS)
    return Mesh(centre + radius * directions, directions, np.full(len(directions), -1))


def grown_mesh(core: Polyhedron, radius: float) -> Mesh:
    """The core grown by `radius`: its faces moved outward, quarter cylinders on its edges, sphere parts at corners."""
    if len(core.faces) == 0:
        return ball_mesh(core.vertices[0], radius)
    flat = polyhedron_mesh(core)
    parts = [
        (flat.corners + radius * flat.normals, flat.normals),
        _edge_strips(core, radius),
        _corner_patches(core, radius),
    ]
    corners = np.concatenate([corners for corners, _ in parts])
    normals = np.concatenate([normals for _, normals in parts])
    rounded = np.full(len(corners) - len(flat.faces), -1)
    return Mesh(corners, normals, np.concatenate((flat.faces, rounded)))


def _edge_strips(core: Polyhedron, radius: float) -> tuple[Array, Array]:
    start, end = core.vertices[core.edges[:, 0]], core.vertices[core.edges[:, 1]]
    left, right = core.normals[core.edge_faces[:, 0]], core.normals[core.edge_faces[:, 1]]
    share = np.linspace(0.0, 1.0, ARC_STEPS + 1)[:, None, None]
    fan = _units(right + share * (left - right))  # (steps + 1, edges, 3), from the right face to the left
    n0, n1 = fan[:-1], fan[1:]
    normals = np.stack((np.stack((n0, n0, n1), -2), np.stack((n0, n1, n1), -2)), 2).reshape(-1, 3, 3)
    s, e = np.broadcast_arrays(start, n0)[0], np.broadcast_arrays(end, n0)[0]
    points = np.stack((np.stack((s, e, e), -2), np.stack((s, e, s), -2)), 2).reshape(-1, 3, 3)
    return points + radius * normals, normals


def _corner_patches(core: Polyhedron, radius: float) -> tuple[Array, Array]:
    patches = []
    for vertex in range(len(core.vertices)):
        around = _faces_around(core, vertex)
        hub = core.normals[around].sum(axis=0)
        hub /= np.sqrt(dot(hub, hub))
        for first, second in zip(around, np.roll(around, -1), strict=True):
            normals = _spherical_triangle(hub, core.normals[first], core.normals[second])
            patches.append((core.vertices[vertex] + radius * normals, normals))
    return np.concatenate([p for p, _ in patches]), np.concatenate([n for _, n in patches])


def _faces_around(core: Polyhedron, vertex: int) -> list[int]:
    # Each face names the vertex before and after this one; the face after the edge to the latter comes next.
    following = {}
    for face, loop in enumerate(core.faces):
        if vertex in loop:
            at = loop.index(vertex)
            following[loop[at - 1]] = (face, loop[(at + 1) % len(loop)])
    order = []
    current = next(iter(following))
    for _ in range(len(following)):
        face, current = following[current]
        order.append(face)
    return order


def _spherical_triangle(a: Array, b: Array, c: Array) -> Array:
    # A regular grid on the flat triangle, pushed out to the unit sphere.
    triangles = _units(product(_shares(ARC_STEPS), np.array((a, b, c))))
    turned = dots(cross_rows(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), a)
    return np.where((turned < 0.0)[:, None, None], triangles[:, ::-1], triangles)


@lru_cache(maxsize=1)
def _shares(steps: int) -> Array:
    # The weights of the three corners at each corner (m, 3, 3) of the small triangles.
    return np.array([[(steps - i - j, i, j) for i, j in cell] for cell in _cells(steps)], dtype=np.float64)


def _cells(steps: int) -> list[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]:
    # The small triangles of a triangle whose sides are divided into `steps`, as pairs of grid coordinates.
    upright = [((i, j), (i + 1, j), (i, j + 1)) for i in range(steps) for j in range(steps - i)]
    turned = [((i + 1, j), (i + 1, j + 1), (i, j + 1)) for i in range(steps) for j in range(steps - i - 1)]
    return upright + turned


@lru_cache(maxsize=2)
def sphere_triangles(steps: int) -> Array:
    """Triangles (8 steps², 3, 3) of the unit sphere, counter-clockwise from outside: an octahedron's, divided."""
    # Even triangles and no poles; the tangent spreads them over the octant.
    octant = np.array([[(i, j, steps - i - j) for i, j in cell] for cell in _cells(steps)], dtype=np.float64)
    octant = _units(np.tan(octant / steps * (np.pi / 4)))
    mirrors = [(x, y, z) for x in (1.0, -1.0) for y in (1.0, -1.0) for z in (1.0, -1.0)]
    parts = [octant * m if m[0] * m[1] * m[2] > 0.0 else (octant * m)[:, ::-1] for m in mirrors]
    return np.concatenate(parts)


def _units(rows: Array) -> Array:
    return rows / length_rows(rows)[..., None]


PIECES = 128
"""Sides of the polygon that a circle is drawn as: off by at most 0.0003 of the radius, a third of a pixel in 1000."""


@lru_cache(maxsize=1)
def ring() -> Array:
    """Points (n, 3) of the unit circle, dense enough to look round."""
    turn = np.linspace(0.0, 2.0 * np.pi, PIECES, endpoint=False)
    return np.column_stack((np.cos(turn), np.sin(turn), np.zeros(PIECES)))


def flat_outline(shape: Shape) -> Array | None:
    """The outline (n, 3) of a shape of the plane, counter-clockwise, in the body's frame; None for one of space.

    A segment has two points, a point one.
    """
    if shape.dimension == 3:
        return None
    solid, radius = shape.polyhedron, ball_radius(shape)
    if solid is not None:
        return solid.vertices[list(solid.faces[0]) if solid.faces else [0]]
    if radius is not None:
        return radius * ring()
    return np.array([shape.support(direction) for direction in ring()])


def corner_loop(shape: Shape) -> tuple[int, ...]:
    """Numbers of the vertices of a shape of the plane, counter-clockwise; empty for a circle and shapes of space."""
    core = shape.core
    return () if shape.dimension == 3 or core is None or core.solid is None else core.solid.faces[0]


def points_about(shape: Shape) -> tuple[Array, float] | None:
    """The corners (n, 3) of a shape that may lie anywhere about its position, and the radius that they are grown by.

    None for a shape whose position is its middle.
    """
    core = shape.core
    if core is None or core.boxed or (core.solid is None and not core.points.sum(axis=0).any()):
        return None
    return core.points[_corners(core.solid)] if core.solid is not None else core.points, core.radius


@lru_cache(maxsize=16)
def _corners(solid: Polyhedron) -> Indices:
    """Numbers (k,) of the vertices that edges end at, rising."""
    return np.unique(solid.edges)

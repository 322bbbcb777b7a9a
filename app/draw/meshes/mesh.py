"""Triangles of polyhedra, balls, and polyhedra grown by a radius; outlines of shapes of the plane.

Meshes are only drawn; no number on the screen is computed from them. `shape_mesh` has the curved shapes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.geometry.vector import Array, Indices, cross_rows, dot, dots, length_rows, product
from core.shapes import Shape, ball_radius
from core.shapes.polyhedron import Polyhedron

Value = TypeVar("Value")
Loops = tuple[tuple[int, ...], ...]
ARC_STEPS = 6
"""Number of segments across a rounded edge, and along each side of a triangle on a rounded corner."""
BALL_STEPS = 10
"""Number of parts of each side of an octant on a ball."""


class Mesh(Struct, frozen=True, eq=False):
    """Triangles of a closed surface.

    `corners` (m, 3, 3); `normals` (m, 3, 3): outward unit normals at them; `faces` (m,): index of the polyhedron's face
    that each triangle is part of, -1 for curved parts.
    """

    corners: Array
    normals: Array
    faces: Indices


def polyhedron_mesh(polyhedron: Polyhedron) -> Mesh:
    """Every face as a fan of triangles with the face's own normal."""
    rows, faces = _fans(ByIdentity(polyhedron.faces))
    # Each normal is stored once for its triangle's three corners.
    normals = np.broadcast_to(polyhedron.normals.take(faces, axis=0)[:, None], (len(faces), 3, 3))
    return Mesh(polyhedron.vertices.take(rows, axis=0), normals, faces)


class ByIdentity(Generic[Value]):
    """A cache key that is compared by identity: comparing thousands of values would take as long as a frame."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.value is other.value


@lru_cache(maxsize=16)
def _fans(same: ByIdentity[Loops]) -> tuple[Indices, Indices]:
    """Vertex indices (m, 3) and face indices (m,) of the triangles; read-only."""
    loops = same.value
    fans = [(loop[0], loop[i], loop[i + 1]) for loop in loops for i in range(1, len(loop) - 1)]
    faces = np.repeat(np.arange(len(loops)), [len(loop) - 2 for loop in loops])
    rows = np.array(fans, dtype=np.int64).reshape(-1, 3)
    rows.flags.writeable = faces.flags.writeable = False
    return rows, faces


def face_sides(loops: Loops) -> NDArray[np.bool_]:
    """Which sides of `polyhedron_mesh`'s triangles, from each corner to the next, are edges of a face, (m, 3) bool."""
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
    """The core grown by `radius`: faces moved outward, parts of cylinders on edges, parts of spheres at vertices."""
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
    # Each face's loop has a vertex before and one after this vertex. The next face shares the edge to the one after.
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
    # A regular grid on the flat triangle, projected on to the unit sphere.
    triangles = _units(product(_shares(ARC_STEPS), np.array((a, b, c))))
    turned = dots(cross_rows(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), a)
    return np.where((turned < 0.0)[:, None, None], triangles[:, ::-1], triangles)


@lru_cache(maxsize=1)
def _shares(steps: int) -> Array:
    # The weights of the three corners at each corner (m, 3, 3) of the small triangles.
    return np.array([[(steps - i - j, i, j) for i, j in cell] for cell in _cells(steps)], dtype=np.float64)


def _cells(steps: int) -> list[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]:
    # The small triangles of a triangle whose sides are divided into `steps`; each corner as two grid coordinates.
    upright = [((i, j), (i + 1, j), (i, j + 1)) for i in range(steps) for j in range(steps - i)]
    turned = [((i + 1, j), (i + 1, j + 1), (i, j + 1)) for i in range(steps) for j in range(steps - i - 1)]
    return upright + turned


@lru_cache(maxsize=2)
def sphere_triangles(steps: int) -> Array:
    """Triangles (8 steps², 3, 3) of the unit sphere, counter-clockwise seen from outside: eight octants, all alike.

    The result is cached and must not be changed.
    """
    # Triangles of similar size without poles; the tangent evens out their sizes over the octant.
    octant = np.array([[(i, j, steps - i - j) for i, j in cell] for cell in _cells(steps)], dtype=np.float64)
    octant = _units(np.tan(octant / steps * (np.pi / 4)))
    mirrors = [(x, y, z) for x in (1.0, -1.0) for y in (1.0, -1.0) for z in (1.0, -1.0)]
    parts = [octant * m if m[0] * m[1] * m[2] > 0.0 else (octant * m)[:, ::-1] for m in mirrors]
    return np.concatenate(parts)


def _units(rows: Array) -> Array:
    return rows / length_rows(rows)[..., None]


CIRCLE_SIDES = 128
"""Number of sides of the polygon that a circle is drawn as. Its error is at most 0.0003 of the radius."""


@lru_cache(maxsize=1)
def ring() -> Array:
    """Points (CIRCLE_SIDES, 3) of the unit circle in the plane z = 0, counter-clockwise; cached, not to be changed."""
    turn = np.linspace(0.0, 2.0 * np.pi, CIRCLE_SIDES, endpoint=False)
    return np.column_stack((np.cos(turn), np.sin(turn), np.zeros(CIRCLE_SIDES)))


def flat_outline(shape: Shape) -> Array | None:
    """The outline (n, 3) of a shape of the plane, counter-clockwise, in the body's frame; None for a shape of space.

    The outline of a segment has two points, that of a point one.
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
    """Indices of the vertices of a shape of the plane, counter-clockwise.

    A segment has two. Empty for a shape of space, and for one without edges, such as a circle.
    """
    core = shape.core
    return () if shape.dimension == 3 or core is None or core.solid is None else core.solid.faces[0]


def points_about(shape: Shape) -> tuple[Array, float] | None:
    """The vertices (n, 3), body frame, of a shape that need not be centred at its position, and its core's radius.

    None for a shape without core points, and for one that is centred at its position.
    """
    core = shape.core
    if core is None or core.boxed or (core.solid is None and not core.points.sum(axis=0).any()):
        return None
    return core.points[_corners(core.solid)] if core.solid is not None else core.points, core.radius


@lru_cache(maxsize=16)
def _corners(solid: Polyhedron) -> Indices:
    """Indices (k,) of the vertices that are ends of edges, ascending."""
    return np.unique(solid.edges)

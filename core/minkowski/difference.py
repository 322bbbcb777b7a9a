"""The Minkowski difference A - B = { a - b } as an explicit solid (Gregorius 2013).

Its faces are the faces of A, the faces of B and the crossings of their edges in the Gauss map: the fifteen pairs of
opposite faces of two boxes are the fifteen candidate axes, and each face is born knowing its axis. The origin lies
in the difference exactly when the bodies meet; the boundary point nearest the origin is `-separation * normal`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.plane import Plane
from ..geometry.vector import Array, dot, frozen
from ..pair.candidate_axes import axes_of_boxes
from ..pair.cores import has_core
from ..pair.polyhedron_axes import pair_axes
from ..pair.special_pairs import SpaceAndBody, box_and_ball, half_space_of, two_balls, two_boxes
from ..scene import Body
from ..shapes.box import VERTEX_SIGNS
from ..shapes.polyhedron import Polyhedron
from .hull_difference import hull_difference
from .polyhedron_difference import overlay_difference
from .zonotope import frame_signs, topology


class MinkowskiDifference(Struct, frozen=True, eq=False):
    """A core polyhedron grown by `radius` (0 for two boxes). The frame's origin is the difference's origin.

    With a sphere the core is the other body's polyhedron about the centre, for two spheres a single vertex without
    faces. `sources_a`, `sources_b` (v,): the vertex of A and of B that made each core vertex (0 for a sphere).
    `face_axes` (f,): row of the SAT table each face belongs to (the lowest, if several coincide);
    `face_sides` (f,): +1 or -1, outward normal = face_sides * axes[face_axes]. `axis_faces` (n, 2): per row of the
    SAT table the faces on its + and - side, -1 where it has none (parallel edges, or past a box's faces with a
    sphere); rows that coincide share their faces. Of a segment and a point, or of two parallel segments, the core is
    a segment with one edge and no faces (`edge_faces` -1); of two segments a parallelogram with a face on either side.
    `plane`: with a half-space, the plane behind which the whole difference lies; the core is then the single point
    of that plane nearest the origin, and its source the bounded body's farthest vertex (-1 if that has none). None
    for bounded bodies.
    """

    core: Polyhedron
    radius: float
    sources_a: NDArray[np.int64]
    sources_b: NDArray[np.int64]
    face_axes: NDArray[np.int64]
    face_sides: NDArray[np.int64]
    axis_faces: NDArray[np.int64]
    plane: Plane | None = None


def has_difference(a: Body, b: Body) -> bool:
    """Whether the difference has an explicit solid: not for cylinder, cone and ellipsoid, except with a half-space."""
    return half_space_of(a, b) is not None or (has_core(a) and has_core(b))


def difference(a: Body, b: Body) -> MinkowskiDifference:
    """The difference of two placed bodies, computed from B's position relative to A's.

    Raises TypeError where `has_difference` says no.
    """
    if (found := half_space_of(a, b)) is not None:
        return _half_space(a, b, found)
    if (halves := two_boxes(a, b)) is not None:
        return _two_boxes(a, b, np.concatenate(halves))
    if (mixed := box_and_ball(a, b)) is not None:
        return _grown_box(mixed.boxed, a.pose.position - b.pose.position, mixed.radius, of_a=mixed.side > 0.0)
    if (radius := two_balls(a, b)) is not None:
        return _ball(a.pose.position - b.pose.position, radius)
    return _two_cores(a, b)


def _two_boxes(a: Body, b: Body, halves: Array) -> MinkowskiDifference:
    """`halves` (6,): half extents of A, then of B."""
    pose_a, pose_b = a.pose, b.pose
    axes, sines = axes_of_boxes(a, b)
    topo = topology(frame_signs(pose_a.matrix.T @ pose_b.matrix, sines))
    generators = axes[:6] * halves[:, None]
    vertices = topo.vertex_signs @ generators + (pose_a.position - pose_b.position)
    normals = axes[topo.face_axes] * topo.face_sides[:, None]
    # The support along the normal, not the loop's mean: a merged face's corners are only coplanar to 1e-12.
    offsets = (normals @ vertices.T).max(axis=1)
    core = Polyhedron(frozen(vertices), topo.faces, frozen(normals), frozen(offsets), topo.edges, topo.edge_faces)
    return MinkowskiDifference(
        core, 0.0, topo.sources_a, topo.sources_b, topo.face_axes, topo.face_sides, topo.axis_faces
    )


@lru_cache(maxsize=4)
def _two_cores(a: Body, b: Body) -> MinkowskiDifference:
    """Remembered, because the axis table of rounded cores asks for it too."""
    pair = pair_axes(a, b)
    found = overlay_difference(pair) or hull_difference(pair)
    return MinkowskiDifference(
        found.core,
        pair.core_a.radius + pair.core_b.radius,
        found.sources_a,
        found.sources_b,
        found.rows,
        found.sides,
        found.axis_faces,
    )


def _half_space(a: Body, b: Body, found: SpaceAndBody[Body]) -> MinkowskiDifference:
    """`{ a - b }` reaches without end but for one direction: as far as the bounded body does towards the plane.

    With B the half-space `n·p <= d` that is the space behind `-n·w <= d - min_A n·a`; with A it, behind
    `n·w <= d - min_B n·b`.
    """
    body, side = found.body, found.side
    outward = found.space.pose.matrix @ found.plane.normal
    local = body.pose.direction_to_local(-outward)
    apart = side * dot(outward, b.pose.position - a.pose.position)
    offset = found.plane.offset + float(body.shape.reach(local)) - apart
    plane = Plane(frozen(side * outward), offset)
    core = Polyhedron.from_faces(plane.point().reshape(1, 3), ())
    vertex = np.array((body.shape.support_vertex(local),), dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    nowhere = np.full(1, -1, dtype=np.int64)
    from_a, from_b = (nowhere, vertex) if side > 0.0 else (vertex, nowhere)
    return MinkowskiDifference(core, 0.0, from_a, from_b, none, none, np.full((1, 2), -1, dtype=np.int64), plane)


_CORNERS = np.arange(8)
# Vertex k + 4 lies opposite vertex k: a box is its own mirror image, with the vertices exchanged.
_OPPOSITE = (_CORNERS + 4) % 8
_BOX_FACE_AXES = np.array((0, 0, 1, 1, 2, 2))
_BOX_FACE_SIDES = np.array((1, -1, 1, -1, 1, -1))
_BOX_AXIS_FACES = np.array(((0, 1), (2, 3), (4, 5), (-1, -1)))


def _grown_box(body: Body, centre: Array, radius: float, *, of_a: bool) -> MinkowskiDifference:
    box = body.shape.polyhedron
    assert box is not None
    core = box.placed(body.pose.matrix, centre)
    none = np.zeros(len(VERTEX_SIGNS), dtype=np.int64)
    sources_a, sources_b = (_CORNERS, none) if of_a else (none, _OPPOSITE)
    return MinkowskiDifference(core, radius, sources_a, sources_b, _BOX_FACE_AXES, _BOX_FACE_SIDES, _BOX_AXIS_FACES)


def _ball(centre: Array, radius: float) -> MinkowskiDifference:
    core = Polyhedron.from_faces(centre.reshape(1, 3), ())
    none = np.zeros(0, dtype=np.int64)
    vertex = np.zeros(1, dtype=np.int64)
    return MinkowskiDifference(core, radius, vertex, vertex, none, none, np.full((1, 2), -1, dtype=np.int64))

"""The Minkowski difference A - B = { a - b } as an explicit solid (Gregorius 2013).

Its faces are the faces of A, the faces of B and the crossings of their edges in the Gauss map. Each face is made with
its axis: the fifteen pairs of opposite faces of two boxes belong to the fifteen candidate axes. The origin lies
in the difference exactly when the bodies meet; the boundary point nearest the origin is `-separation * normal`.

`difference_steps` builds the difference as on paper: all differences of vertices, n times m points, and then their
hull. No engine does this: most points end up inside, and GJK computes only a few of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from enum import StrEnum

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..geometry.hierarchy import reach
from ..geometry.plane import Plane
from ..geometry.vector import Array, dot, dots, frozen
from ..pair.candidate_axes import AxisKind, CandidateAxis, axes_of_boxes, cosines_between
from ..pair.cores import has_core
from ..pair.gauss_map import pair_axes
from ..pair.pair import SpaceAndBody, box_and_ball, half_space_of, two_balls, two_boxes
from ..scene import Body
from ..shapes.box import VERTEX_SIGNS
from ..shapes.polyhedron import Polyhedron
from ..trace import Steps
from .polyhedron_difference import MinkowskiDifference, hull_difference, overlay_difference
from .zonotope import frame_signs, topology


def has_difference(a: Body, b: Body) -> bool:
    """Whether the difference has an explicit solid: both bodies have cores, or one is a half-space."""
    return (has_core(a) and has_core(b)) or half_space_of(a, b) is not None


def difference(a: Body, b: Body) -> MinkowskiDifference:
    """The difference of two placed bodies, computed from B's position relative to A's.

    Raises TypeError if `has_difference` is False, TooLargeError if the difference would take too much memory.
    """
    if two_boxes(a, b) is not None:
        return _two_boxes(a, b)
    if (found := half_space_of(a, b)) is not None:
        return _half_space(a, b, found)
    if (mixed := box_and_ball(a, b)) is not None:
        return _grown_box(mixed.box, a.pose.position - b.pose.position, mixed.radius, of_a=mixed.side > 0.0)
    if (radius := two_balls(a, b)) is not None:
        return _ball(a.pose.position - b.pose.position, radius)
    return _two_cores(a, b)


def _two_boxes(a: Body, b: Body) -> MinkowskiDifference:
    axes, sines = axes_of_boxes(a, b)
    topo = topology(frame_signs(cosines_between(axes), sines))
    corners_a, corners_b = a.turned_core, b.turned_core
    assert corners_a is not None
    assert corners_b is not None
    vertices = corners_a.take(topo.sources_a, axis=0) - corners_b.take(topo.sources_b, axis=0)
    vertices += a.pose.position - b.pose.position
    normals = axes.take(topo.face_axes, axis=0) * topo.face_sides[:, None]
    # The offset of a merged face is the support along its normal: its corners are coplanar to 1e-12 only.
    generic = topo.generic
    offsets = dots(normals, vertices.take(topo.first_corners, axis=0)) if generic else reach(vertices.T, normals)
    core = Polyhedron(frozen(vertices), topo.faces, frozen(normals), frozen(offsets), topo.edges, topo.edge_faces)
    return MinkowskiDifference(
        core=core,
        radius=0.0,
        sources_a=topo.sources_a,
        sources_b=topo.sources_b,
        face_axes=topo.face_axes,
        face_sides=topo.face_sides,
        axis_faces=topo.axis_faces,
    )


def _two_cores(a: Body, b: Body) -> MinkowskiDifference:
    pair = pair_axes(a, b)
    found = overlay_difference(pair) or hull_difference(pair)
    return replace(found, radius=pair.core_a.radius + pair.core_b.radius)


def _half_space(a: Body, b: Body, found: SpaceAndBody[Body]) -> MinkowskiDifference:
    """The difference with a half-space is a half-space, moved by the bounded body's support towards the plane.

    If B is the half-space `n·p <= d`, it is `-n·w <= d - min_A n·a`; if A is, it is `n·w <= d - min_B n·b`.
    """
    body, side = found.body, found.side
    outward = found.space.pose.direction_to_world(found.plane.normal)
    local = body.pose.direction_to_local(-outward)
    apart = side * dot(outward, b.pose.position - a.pose.position)
    offset = found.plane.offset + float(body.shape.reach(local)) - apart
    plane = Plane(frozen(side * outward), offset)
    core = Polyhedron.from_faces(plane.point().reshape(1, 3), ())
    vertex = np.array((body.shape.support_vertex(local),), dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    nowhere = np.full(1, -1, dtype=np.int64)
    from_a, from_b = (nowhere, vertex) if side > 0.0 else (vertex, nowhere)
    return MinkowskiDifference(
        core=core,
        radius=0.0,
        sources_a=from_a,
        sources_b=from_b,
        face_axes=none,
        face_sides=none,
        axis_faces=np.full((1, 2), -1, dtype=np.int64),
        plane=plane,
    )


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
    return MinkowskiDifference(
        core=core,
        radius=radius,
        sources_a=sources_a,
        sources_b=sources_b,
        face_axes=_BOX_FACE_AXES,
        face_sides=_BOX_FACE_SIDES,
        axis_faces=_BOX_AXIS_FACES,
    )


def _ball(centre: Array, radius: float) -> MinkowskiDifference:
    core = Polyhedron.from_faces(centre.reshape(1, 3), ())
    none = np.zeros(0, dtype=np.int64)
    vertex = np.zeros(1, dtype=np.int64)
    return MinkowskiDifference(
        core=core,
        radius=radius,
        sources_a=vertex,
        sources_b=vertex,
        face_axes=none,
        face_sides=none,
        axis_faces=np.full((1, 2), -1, dtype=np.int64),
    )


MOST_SUBTRACTIONS = 16
"""The largest number of steps that subtract. If A has more vertices, one step takes several of them, as a hundred steps
are too many to watch."""


class BuildAction(StrEnum):
    """The action of a step of the construction."""

    SUBTRACT = "SUBTRACT"
    """Subtracted every vertex of B from one vertex of A (from several, if A has many): a copy of -B at each."""
    CLOSE = "CLOSE"
    """Added the faces of one family."""
    DONE = "DONE"
    """Closed the hull: each point is on it or inside."""


class BuildStep(Struct, frozen=True, eq=False):
    """One step of the construction, relative to A's position; radii are kept apart.

    `number`: counts from 1. `points` (k, 3): the differences a - b so far; `sources` (k, 2): their vertices of A and of
    B. `newest`: how many of the last points this step added. `family`: the kind of the faces that this step added, else
    None. `faces`: the indices of the difference's faces so far; in the plane, where points have z = 0, of its edges.
    `on_hull` (k,): which points are vertices of the hull; None until it is closed.
    """

    number: int
    action: BuildAction
    points: Array
    sources: NDArray[np.int64]
    newest: int
    family: AxisKind | None
    faces: tuple[int, ...]
    on_hull: NDArray[np.bool_] | None


def difference_steps(
    vertices_a: Array, vertices_b: Array, solid: MinkowskiDifference, candidates: tuple[CandidateAxis, ...]
) -> Steps[BuildStep, MinkowskiDifference]:
    """Shows how the difference `solid` is built from the cores' vertices (n, 3) and (m, 3), and returns it.

    `candidates`: the rows of the SAT table.

    Raises ValueError for the difference with a half-space, which is no hull of points.
    """
    if solid.plane is not None:
        raise ValueError("the difference with a half-space is not the hull of points")
    count_a, count_b = len(vertices_a), len(vertices_b)
    points = frozen((vertices_a[:, None] - vertices_b[None]).reshape(-1, 3))
    sources = np.stack(np.divmod(np.arange(count_a * count_b), count_b), axis=1)
    corners = set(zip(solid.sources_a.tolist(), solid.sources_b.tolist(), strict=True))
    kinds = [candidates[row].kind for row in solid.face_axes.tolist()]
    yield from build_steps_of(points, sources, count_b, kinds, corners)
    return solid


def build_steps_of(
    points: Array, sources: NDArray[np.int64], count_b: int, kinds: Sequence[AxisKind], corners: Set[tuple[int, int]]
) -> Iterator[BuildStep]:
    """Yields the steps of a construction with a known result, in space or in the plane; makes `sources` read-only.

    `points` (n * m, 3) with their `sources` (n * m, 2), all `count_b` differences of A's first vertex before those of
    its second; `kinds`: the family of each face (in the plane each edge); `corners`: sources of the hull's vertices.
    """
    count_a = len(points) // count_b
    sources.flags.writeable = False
    batch = -(-count_a // MOST_SUBTRACTIONS)
    number = 0
    for first in range(0, count_a, batch):
        number += 1
        upto, newest = min(first + batch, count_a) * count_b, (min(first + batch, count_a) - first) * count_b
        yield BuildStep(
            number=number,
            action=BuildAction.SUBTRACT,
            points=points[:upto],
            sources=sources[:upto],
            newest=newest,
            family=None,
            faces=(),
            on_hull=None,
        )
    faces: tuple[int, ...] = ()
    for family in AxisKind:
        added = tuple(k for k, kind in enumerate(kinds) if kind is family)
        if added:
            number += 1
            faces = (*faces, *added)
            yield BuildStep(
                number=number,
                action=BuildAction.CLOSE,
                points=points,
                sources=sources,
                newest=0,
                family=family,
                faces=faces,
                on_hull=None,
            )
    on_hull = np.array([(a, b) in corners for a, b in sources.tolist()])
    on_hull.flags.writeable = False
    yield BuildStep(
        number=number + 1,
        action=BuildAction.DONE,
        points=points,
        sources=sources,
        newest=0,
        family=None,
        faces=faces,
        on_hull=on_hull,
    )

"""The difference of any two cores from the overlay of their Gauss maps (Gregorius 2013; Fogel, Halperin 2007).

Every point of the overlay is a face: a face of A moved by the vertex of B farthest against it, a face of B likewise,
and a parallelogram where two arcs cross. Every region is a vertex. Because the overlay's signs are settled exactly
(gauss_map), these pieces close to a solid by construction, even with parallel faces or edges. Parallel faces or edges
give neighbouring faces with one normal, slivers without area, and vertices in the middle of an edge. Faces with one
normal are then merged. A vertex with fewer than three faces, and a face with fewer than three vertices, is removed.
Every face has its SAT row, every vertex its sources.

If a body's Gauss map is folded, because rounding has bent slivers of its mesh, the pieces do not close; no such hull is
known. Then the difference is the hull of all differences of two vertices. This is slower and less accurate: distances
decide which triangles are one face, and each face gets the SAT row whose axis is nearest its normal.

The difference of cores in parallel planes is flat: a polygon with a face on either side.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.hierarchy import reach
from ..geometry.plane import Plane
from ..geometry.principal_axes import principal_axes
from ..geometry.tolerances import FRAME_ROUNDING, SAME_AXIS_SIN
from ..geometry.vector import Array, Indices, cross, dot, dots, frozen, length, length_rows, product
from ..pair.cores import Core, CoreKind
from ..pair.gauss_map import PairAxes
from ..pair.pair import TooLargeError
from ..shapes.hull_topology import convex_hull, flat_hull
from ..shapes.polyhedron import Polyhedron, edges_of, twins_of, without_faces

MOST_DIFFERENCES = 1_000_000
"""The largest number of differences of two vertices that are computed: 40 bytes each, and 200 with their hull."""


class MinkowskiDifference(Struct, frozen=True, eq=False):
    """A core polyhedron grown by `radius`, the sum of both radii. The bodies meet if the frame's origin is inside.

    With a sphere the core is the other body's core moved by the sphere's centre; for two spheres it is a single vertex
    without faces. `sources_a`, `sources_b` (v,): the vertex of A and of B that made each core vertex (0 for a sphere).
    `face_axes` (f,): the row of the SAT table that each face belongs to (the lowest, if several coincide). `face_sides`
    (f,): +1 or -1, outward normal = face_sides * axes[face_axes]. `axis_faces` (n, 2): per row of the SAT table the
    faces on its + and - side, -1 where it has none (parallel edges, or with a sphere the axis of the closest feature);
    rows that coincide share their faces. For a segment and a point, or two parallel segments, the core is a segment
    with one edge and no faces (`edge_faces` -1). For other segments it is a parallelogram with a face on either side.
    `plane`: with a half-space, the plane behind which the whole difference lies, else None. The core is then the point
    of that plane nearest the origin; its source is the bounded body's farthest vertex (-1 if that has no vertices).
    """

    core: Polyhedron
    radius: float
    sources_a: Indices
    sources_b: Indices
    face_axes: Indices
    face_sides: Indices
    axis_faces: Indices
    plane: Plane | None = None


class _Pieces(Struct, frozen=True, eq=False):
    """The faces before merging, as closed loops of half-edges.

    Half-edge k (of h) starts at vertex `starts[k]`, bounds face `faces[k]` and is followed by half-edge `follows[k]`;
    `twins[k]` runs the other way. `rows` (f,): the SAT row of each face, -1 if it has none of its own; `sides` (f,): +1
    or -1, as `face_sides`. `normals` (f, 3): zero for a face of parallel edges. `keys` (v,): each vertex as its vertex
    of A times the number of B's vertices, plus its vertex of B.
    """

    starts: Indices
    faces: Indices
    follows: Indices
    twins: Indices
    rows: Indices
    sides: Indices
    normals: Array
    keys: Indices


def overlay_difference(pair: PairAxes) -> MinkowskiDifference | None:
    """The difference of two cores, not grown by their radii.

    None if the pieces do not close, because a body's own Gauss map is folded. Two segments give a parallelogram with
    two faces, or a segment. A polygon and a segment or polygon parallel to its plane give a polygon with two faces. A
    point gives the other core, moved. All other differences have volume. Raises TooLargeError for more than
    MOST_DIFFERENCES differences of vertices, if the difference is flat or both cores are.
    """
    a, b = pair.core_a, pair.core_b
    if CoreKind.POINT in (a.kind, b.kind):
        return _moved(pair)
    if a.kind is CoreKind.SEGMENT and b.kind is CoreKind.SEGMENT:
        return _two_segments(pair)
    if (normal := _common_plane(a, b)) is not None:
        return _level(pair, normal)
    if not (a.has_volume or b.has_volume):
        return _of_flat(pair)
    pieces = _pieces(pair)
    if pieces is None:
        return None
    joined = _same_plane(pieces)
    if joined is None:
        return _built(pair, pieces, pieces.starts, pieces.faces, np.arange(len(pieces.rows)))
    return _merged(pair, pieces, joined)


def _of_flat(pair: PairAxes) -> MinkowskiDifference:
    """The difference of two flat cores that lie in different planes.

    The smaller the angle between the cores, the thinner the difference, and the more a merged face may cut off a
    vertex. So only faces with normals equal to rounding are merged. If only two faces are left, the difference is flat.
    Raises TooLargeError then, for more than MOST_DIFFERENCES differences of vertices.
    """
    pieces, found = _pieces(pair), None
    if pieces is not None:
        joined = _same_plane(pieces, FRAME_ROUNDING)
        found = _merged(pair, pieces, np.arange(len(pieces.rows)) if joined is None else joined)
    polygon = next(core for core in (pair.core_a, pair.core_b) if core.kind is CoreKind.POLYGON)
    return found or _level(pair, _fitted_normal(pair, polygon.line_axes[0]))


def _fitted_normal(pair: PairAxes, normal: Array) -> Array:
    """The unit normal (3,) of the plane that best fits the difference, on the side of `normal`.

    A polygon's own normal may be wrong, if the polygon is as thin as rounding and the other core leaves its plane.
    Raises as `_all_positions`.
    """
    points = _all_positions(pair)
    found: Array = principal_axes(points)[2]
    return found if dot(found, normal) >= 0.0 else -found


def _pieces(pair: PairAxes) -> _Pieces | None:
    a, b, overlay = pair.core_a, pair.core_b, pair.overlay
    if (overlay.supports_a < 0).any() or (overlay.supports_b < 0).any():
        return None
    width = len(b.solid.vertices)
    crossing = np.flatnonzero(overlay.crossing)
    corners_a, sizes_a = _flat_loops(_true_faces(a))
    corners_b, sizes_b = _flat_loops(tuple(loop[::-1] for loop in _true_faces(b)))
    supports_a, supports_b = overlay.supports_a[: b.area_faces], overlay.supports_b[: a.area_faces]
    ends_a = a.solid.edges[overlay.pairs[crossing, 0]]
    # Corners are counter-clockwise about the outward normal. In -B, B's edge runs backwards, which reverses the turn.
    ends_b = b.solid.edges[overlay.pairs[crossing, 1]]
    outward = overlay.turns[crossing, None] < 0
    start_b, end_b = np.where(outward, ends_b, ends_b[:, ::-1]).T
    start_a, end_a = ends_a.T * width
    patches = np.stack((start_a + start_b, end_a + start_b, end_a + end_b, start_a + end_b), axis=1)
    of_a, of_b = corners_a * width + np.repeat(supports_b, sizes_a), np.repeat(supports_a, sizes_b) * width + corners_b
    corners = np.concatenate((of_a, of_b, patches.ravel()))
    sizes = np.concatenate((sizes_a, sizes_b, np.full(len(crossing), 4)))
    keys, starts = np.unique(corners, return_inverse=True)
    faces = np.repeat(np.arange(len(sizes)), sizes)
    firsts = np.cumsum(sizes) - sizes
    follows = np.arange(len(corners)) + 1
    follows[firsts + sizes - 1] = firsts
    twins = twins_of(starts, starts[follows], len(keys))
    if twins is None or len(keys) - len(corners) // 2 + len(sizes) != 2:
        return None
    rows = np.concatenate((a.face_lines, len(a.line_axes) + b.face_lines, pair.pair_rows[crossing]))
    sides = np.concatenate((a.face_sides, -b.face_sides, pair.pair_sides[crossing]))
    normals = (a.solid.normals[: a.area_faces], -b.solid.normals[: b.area_faces], overlay.normals[crossing])
    return _Pieces(
        starts=starts,
        faces=faces,
        follows=follows,
        twins=twins,
        rows=rows,
        sides=sides,
        normals=np.concatenate(normals),
        keys=keys,
    )


def _true_faces(core: Core) -> tuple[tuple[int, ...], ...]:
    """The core's faces that have an area."""
    return core.solid.faces[: core.area_faces]


def _flat_loops(loops: tuple[tuple[int, ...], ...]) -> tuple[Indices, Indices]:
    """All corners of all loops in one array, and each loop's number of corners."""
    corners = np.array([corner for loop in loops for corner in loop], dtype=np.int64)
    return corners, np.array([len(loop) for loop in loops], dtype=np.int64)


def _same_plane(pieces: _Pieces, sine: float = SAME_AXIS_SIN) -> Indices | None:
    """For each face the lowest face that neighbours in one plane connect it to; None if nothing needs merging."""
    here, there = pieces.faces, pieces.faces[pieces.twins]
    apart = length_rows(pieces.normals[here] - pieces.normals[there])
    known: NDArray[np.bool_] = np.asarray(pieces.normals.any(axis=1))
    joins = (apart < sine) & known[here] & known[there]
    if not joins.any() and (pieces.rows >= 0).all():
        return None
    return _absorbed(pieces, known, _connected(len(pieces.rows), here[joins], there[joins]))


def _absorbed(pieces: _Pieces, known: NDArray[np.bool_], joined: Indices) -> Indices:
    """`joined`, with each patch of slivers without a normal that one merged face surrounds added to that face.

    Otherwise the patch would be a hole in the face.
    """
    here, there = pieces.faces, pieces.faces[pieces.twins]
    inside = ~known[here] & ~known[there]
    patch = _connected(len(known), here[inside], there[inside])
    rim = ~known[here] & known[there]
    low, high = np.full(len(known), len(known)), np.full(len(known), -1)
    np.minimum.at(low, patch[here[rim]], joined[there[rim]])
    np.maximum.at(high, patch[here[rim]], joined[there[rim]])
    surrounded = ~known & (low[patch] == high[patch])
    return np.where(surrounded, low[patch], joined)


def _connected(count: int, here: Indices, there: Indices) -> Indices:
    """For each node the lowest node that it is connected to by the links `here`-`there`."""
    lowest = np.arange(count)
    while True:
        before = lowest.copy()
        np.minimum.at(lowest, here, before[there])
        np.minimum.at(lowest, there, before[here])
        lowest = lowest[lowest]
        if (lowest == before).all():
            return lowest


def _merged(pair: PairAxes, pieces: _Pieces, joined: Indices) -> MinkowskiDifference | None:
    """The solid with faces of one plane merged, without the slivers and mid-edge vertices that merging leaves.

    None if a merged face has a hole, or if no face is left.
    """
    while True:
        loops = _outlines(pieces, joined)
        if loops is None:
            return None
        _reduce(loops)
        if not loops:
            return None
        # A sliver between edges that are parallel to rounding has no SAT row: it joins the face at its longest side.
        nameless = sorted(loops.keys() - set(joined[pieces.rows >= 0].tolist()))
        if not nameless:
            faces = sorted(loops)
            numbers = np.full(len(joined), -1, dtype=np.int64)
            numbers[faces] = np.arange(len(faces))
            corners = np.array([vertex for face in faces for vertex in loops[face]], dtype=np.int64)
            owners = np.repeat(np.arange(len(faces)), [len(loops[face]) for face in faces])
            return _built(pair, pieces, corners, owners, numbers[joined])
        joined = _without(pair, pieces, joined, loops, nameless[0])


def _without(pair: PairAxes, pieces: _Pieces, joined: Indices, loops: dict[int, list[int]], face: int) -> Indices:
    """`joined` with `face` joined to the neighbour at its longest side."""
    loop = loops[face]
    corners = _positions(pair, pieces.keys[loop])
    longest = int(length_rows(np.roll(corners, -1, axis=0) - corners).argmax())
    start, end = loop[longest], loop[(longest + 1) % len(loop)]
    beside = {
        other: (away.index(start) - away.index(end)) % len(away)
        for other, away in loops.items()
        if other != face and start in away and end in away
    }
    neighbour = min(beside, key=lambda k: beside[k])
    return np.where((joined == face) | (joined == neighbour), min(face, neighbour), joined)


def _outlines(pieces: _Pieces, joined: Indices) -> dict[int, list[int]] | None:
    """The loop of vertices of every merged face; None if a face has a hole."""
    inner = (joined[pieces.faces] == joined[pieces.faces[pieces.twins]]).tolist()
    follows, twins = pieces.follows.tolist(), pieces.twins.tolist()
    starts, owners = pieces.starts.tolist(), joined[pieces.faces].tolist()
    loops: dict[int, list[int]] = {}
    seen = list(inner)
    for first, done in enumerate(seen):
        if done:
            continue
        if owners[first] in loops:
            return None
        edge = first
        loop = loops[owners[first]] = []
        while not seen[edge]:
            seen[edge] = True
            loop.append(starts[edge])
            edge = follows[edge]
            while inner[edge]:
                edge = follows[twins[edge]]
    return loops if loops else None


def _reduce(loops: dict[int, list[int]]) -> None:
    """Removes vertices of fewer than three faces and faces of fewer than three vertices, until there are none."""
    while True:
        visits: dict[int, int] = {}
        for loop in loops.values():
            for vertex in loop:
                visits[vertex] = visits.get(vertex, 0) + 1
        if min(visits.values(), default=3) > 2 and min(map(len, loops.values()), default=3) > 2:
            return
        for face, loop in list(loops.items()):
            kept = [vertex for vertex in loop if visits[vertex] > 2]
            if len(kept) > 2:
                loops[face] = kept
            else:
                del loops[face]


def _positions(pair: PairAxes, keys: Indices) -> Array:
    width = len(pair.core_b.solid.vertices)
    return pair.core_a.solid.vertices[keys // width] - pair.core_b.solid.vertices[keys % width]


def _all_positions(pair: PairAxes) -> Array:
    """Every difference of two vertices, (n * m, 3). Raises TooLargeError for more than MOST_DIFFERENCES."""
    count = len(pair.core_a.solid.vertices) * len(pair.core_b.solid.vertices)
    if count > MOST_DIFFERENCES:
        raise TooLargeError(f"A − B is the hull of {count:,} differences of vertices, more than {MOST_DIFFERENCES:,}.")
    return _positions(pair, np.arange(count))


def _built(
    pair: PairAxes, pieces: _Pieces, corners: Indices, faces: Indices, owner: Indices
) -> MinkowskiDifference | None:
    """The polyhedron whose face `faces[k]` has the vertex `corners[k]`, in loop order, (h,) each.

    `owner` (f,): for each piece the face that it is part of, or -1. None if the surface is not closed.
    """
    count = int(faces[-1]) + 1
    used, starts = np.unique(corners, return_inverse=True)
    firsts = np.flatnonzero(np.diff(faces, prepend=-1))
    ends = np.append(starts[1:], 0)
    ends[np.append(firsts[1:], len(starts)) - 1] = starts[firsts]
    twins = twins_of(starts, ends, len(used))
    if twins is None or len(used) - len(starts) // 2 + count != 2:
        return None
    once = starts < ends
    edges = np.stack((starts[once], ends[once]), axis=1)
    edge_faces = np.stack((faces[once], faces[twins[once]]), axis=1)
    named = np.flatnonzero((pieces.rows >= 0) & (owner >= 0))
    named = named[np.argsort(pieces.rows[named], kind="stable")]
    _, first = np.unique(owner[named], return_index=True)
    rows, sides = pieces.rows[named[first]], pieces.sides[named[first]]
    axis_faces = np.full((len(pair.axes), 2), -1, dtype=np.int64)
    axis_faces[pieces.rows[named], np.where(pieces.sides[named] > 0, 0, 1)] = owner[named]
    share_faces(axis_faces, pair)
    keys = pieces.keys[used]
    vertices, normals = _positions(pair, keys), pair.axes[rows] * sides[:, None]
    # Offsets are the support values along the normals: a merged face's corners are coplanar to rounding only.
    offsets = reach(vertices.T, normals)
    flat, cuts = starts.tolist(), [*firsts.tolist(), len(starts)]
    loops = tuple(tuple(flat[low:high]) for low, high in pairwise(cuts))
    core = Polyhedron(frozen(vertices), loops, frozen(normals), frozen(offsets), edges, edge_faces)
    width = len(pair.core_b.solid.vertices)
    return MinkowskiDifference(
        core=core,
        radius=0.0,
        sources_a=keys // width,
        sources_b=keys % width,
        face_axes=rows,
        face_sides=sides,
        axis_faces=axis_faces,
    )


def share_faces(axis_faces: Indices, pair: PairAxes) -> None:
    """Gives each row without faces of its own the faces of the rows on the same line, if any rows share a line.

    Changes `axis_faces` (n, 2).
    """
    same = pair.same_as
    if (same == np.arange(len(same))).all():
        return
    flipped = (dots(pair.axes, pair.axes[same]) < 0.0)[:, None]
    shared = np.full_like(axis_faces, -1)
    np.maximum.at(shared, same, np.where(flipped, axis_faces[:, ::-1], axis_faces))
    of_line = np.where(flipped, shared[same][:, ::-1], shared[same])
    np.copyto(axis_faces, of_line, where=axis_faces < 0)


def _moved(pair: PairAxes) -> MinkowskiDifference:
    """The difference if one core is a point: the other core, moved, and reflected in the origin if it is B's."""
    a, b = pair.core_a, pair.core_b
    reflected = a.kind is CoreKind.POINT
    other = b if reflected else a
    solid = other.solid
    vertices = a.solid.vertices - b.solid.vertices
    numbers, none = np.arange(len(vertices)), np.zeros(len(vertices), dtype=np.int64)
    sources = (none, numbers) if reflected else (numbers, none)
    if other.kind in (CoreKind.POINT, CoreKind.SEGMENT):
        core, empty = without_faces(vertices), np.zeros(0, dtype=np.int64)
        return MinkowskiDifference(core, 0.0, *sources, empty, empty, np.full((len(pair.axes), 2), -1, dtype=np.int64))
    loops = _true_faces(other)
    faces = tuple(loop[::-1] for loop in loops) if reflected else loops
    normals = -solid.normals[: len(faces)] if reflected else solid.normals[: len(faces)]
    edges, edge_faces = (solid.edges, solid.edge_faces) if other.has_volume else edges_of(loops)
    edge_faces = edge_faces[:, ::-1] if reflected else edge_faces
    offsets = reach(vertices.T, normals)
    core = Polyhedron(frozen(vertices), faces, frozen(normals), frozen(offsets), edges, edge_faces)
    sides = -other.face_sides if reflected else other.face_sides
    axis_faces = np.full((len(pair.axes), 2), -1, dtype=np.int64)
    axis_faces[other.face_lines, np.where(sides > 0, 0, 1)] = np.arange(len(faces))
    share_faces(axis_faces, pair)
    return MinkowskiDifference(core, 0.0, *sources, other.face_lines, sides, axis_faces)


def _two_segments(pair: PairAxes) -> MinkowskiDifference:
    """The difference of two segments: a parallelogram with a face on either side, or for parallel ones a segment."""
    rows = np.flatnonzero([candidate.sine > 0.0 for candidate in pair.candidates])
    if not len(rows):
        return _one_line(pair)
    vertices = _positions(pair, np.arange(4))
    loops = ((0, 1, 3, 2), (2, 3, 1, 0))
    first, second = vertices[1] - vertices[0], vertices[3] - vertices[1]
    axis = pair.axes[0]
    up = 1 if dot(axis, cross(first, second)) > 0.0 else -1
    sides = np.array((up, -up))
    normals = sides[:, None] * axis
    edges, edge_faces = edges_of(loops)
    offsets = reach(vertices.T, normals)
    core = Polyhedron(frozen(vertices), loops, frozen(normals), frozen(offsets), edges, edge_faces)
    axis_faces = np.array(((0, 1) if up > 0 else (1, 0),))
    sources = np.arange(4)
    return MinkowskiDifference(
        core=core,
        radius=0.0,
        sources_a=sources // 2,
        sources_b=sources % 2,
        face_axes=np.zeros(2, dtype=np.int64),
        face_sides=sides,
        axis_faces=axis_faces,
    )


def _one_line(pair: PairAxes) -> MinkowskiDifference:
    vertices = _positions(pair, np.arange(4))
    along = dots(vertices, pair.core_a.edge_units[0])
    ends = np.array((along.argmin(), along.argmax()))
    none = np.zeros(0, dtype=np.int64)
    core, nowhere = without_faces(vertices[ends]), np.zeros((len(pair.axes), 2), dtype=np.int64) - 1
    return MinkowskiDifference(
        core=core,
        radius=0.0,
        sources_a=ends // 2,
        sources_b=ends % 2,
        face_axes=none,
        face_sides=none,
        axis_faces=nowhere,
    )


def _common_plane(a: Core, b: Core) -> Array | None:
    """The normal (3,) of the plane that both cores are parallel to; None if they span a volume, or have no polygon.

    It is the normal of A if A is a polygon, else that of B.
    """
    flat = [core for core in (a, b) if core.kind is CoreKind.POLYGON]
    if not flat or a.has_volume or b.has_volume:
        return None
    normal: Array = flat[0].line_axes[0]
    other = b if flat[0] is a else a
    if other.kind is CoreKind.SEGMENT:
        level = abs(dot(normal, other.edge_units[0])) <= SAME_AXIS_SIN
    else:
        level = length(cross(normal, other.line_axes[0])) <= SAME_AXIS_SIN
    return normal if level else None


def _level(pair: PairAxes, normal: Array) -> MinkowskiDifference:
    """The flat difference of cores that both lie across `normal` (3,); heights along it are only rounding.

    Raises as `_all_positions`.
    """
    points = _all_positions(pair)
    _, first = np.unique(points, axis=0, return_index=True)
    return _of_hull(pair, points, flat_hull(points[np.sort(first)], normal))


def hull_difference(pair: PairAxes) -> MinkowskiDifference:
    """The difference of two cores as the hull of all vertex differences; at least one must be a polyhedron.

    Raises TooLargeError for more than MOST_DIFFERENCES differences.
    """
    points = _all_positions(pair)
    return _of_hull(pair, points, convex_hull(points))


def _of_hull(pair: PairAxes, points: Array, solid: Polyhedron) -> MinkowskiDifference:
    """The difference with the core `solid`, the hull of `points`, which are all differences (n * m, 3).

    Each face gets the SAT row whose axis is nearest its normal.
    """
    count_b = len(pair.core_b.solid.vertices)
    number = {tuple(point): k for k, point in enumerate(points.tolist())}
    sources = np.array([number[tuple(vertex)] for vertex in solid.vertices.tolist()], dtype=np.int64)
    products = product(solid.normals, pair.axes.T)
    # Of rows on one line, rounding decides which is nearest: the lowest is taken.
    rows = pair.same_as[np.abs(products).argmax(axis=1)]
    sides = np.where(products[np.arange(len(rows)), rows] < 0.0, -1, 1)
    axis_faces = np.full((len(pair.axes), 2), -1, dtype=np.int64)
    axis_faces[rows, np.where(sides > 0, 0, 1)] = np.arange(len(rows))
    share_faces(axis_faces, pair)
    return MinkowskiDifference(
        core=solid,
        radius=0.0,
        sources_a=sources // count_b,
        sources_b=sources % count_b,
        face_axes=rows,
        face_sides=sides,
        axis_faces=axis_faces,
    )

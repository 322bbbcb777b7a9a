"""The boundary point of an explicit difference nearest the origin, and its witness points on both bodies.

The code works for any convex polyhedron with sources, grown by a radius. GJK and EPA are checked against its answers.
If the origin is inside, the nearest boundary point is its foot on the nearest face. If the origin is outside, the point
is the foot on the face that the origin is farthest in front of, if the foot is within that face. Else it is the nearest
point of all edges: for two boxes, 60 segments at once are cheaper than a search.

At gaps near rounding the direction `-v/|v|` is noise. It is then replaced by the direction with the best certificate
`s(n) = min_B n·x - max_A n·x` among those that the closest feature allows.
"""

from __future__ import annotations

from functools import reduce
from math import inf, sqrt
from sys import float_info

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..closed_form import X_AXIS
from ..geometry import triple
from ..geometry.hierarchy import reach
from ..geometry.tolerances import COPLANAR, NEARLY_PARALLEL_SIN, ROUNDING
from ..geometry.triple import Triple
from ..geometry.vector import Array, any_perpendicular, cross, dot, dots, length, length_rows
from ..shapes.polyhedron import Polyhedron
from .polyhedron_difference import MinkowskiDifference


class BoundaryPoint(Struct, frozen=True, eq=False):
    """The nearest boundary point as a weighted mean of core vertices.

    `separation`: signed distance of the bodies, negative if they overlap. `normal` (3,): unit, from A towards B; the
    boundary point of the bodies' difference is `-separation * normal`. `vertices` (k,): core vertices of the nearest
    feature; `weights` (k,): non-negative, with sum 1. `face`: index of the core face with the point, or None.
    """

    separation: float
    normal: Array
    vertices: NDArray[np.int64]
    weights: Array
    face: int | None


def nearest_boundary_point(difference: MinkowskiDifference, preferred_face: int | None = None) -> BoundaryPoint:
    """The boundary point nearest the origin. `preferred_face`, if any, is taken among equally near faces.

    For a core that is one point at the origin, the normal is +x.
    """
    core = difference.core
    if difference.plane is not None:
        alone = np.zeros(1, dtype=np.int64)
        return BoundaryPoint(-difference.plane.offset, difference.plane.normal, alone, np.ones(1), None)
    if not core.faces:
        if len(core.edges):
            return _nearest_to_segment(core.vertices, difference.radius)
        return _nearest_to_point(core.vertices[0], difference.radius)
    return _foot_of_origin(difference, preferred_face) or _nearest_on_edges(core, difference.radius)


def witness_points(
    difference: MinkowskiDifference, point: BoundaryPoint, vertices_a: Array, vertices_b: Array
) -> tuple[Array, Array]:
    """The points of A's core and of B's whose difference is the nearest boundary point of the core.

    `vertices_a` (m, 3), `vertices_b` (k, 3): the cores' vertices, to which `sources_a` and `sources_b` refer. Each
    point is in the frame of these vertices. If many pairs of points are equally near, as over two parallel faces, the
    pair closest to the middle of both features is taken.
    """
    corners_a, share_a = _shares(difference.sources_a, point, vertices_a)
    corners_b, share_b = _shares(difference.sources_b, point, vertices_b)
    if point.face is not None and not _one_pair(corners_a, corners_b):
        normal = difference.core.normals[point.face]
        share_a, share_b = _central_shares(corners_a, share_a, corners_b, share_b, normal)
    return _mean(corners_a, share_a), _mean(corners_b, share_b)


def _nearest_to_point(vertex: Array, radius: float) -> BoundaryPoint:
    apart = length(vertex)
    normal = -vertex / apart if apart > 0.0 else X_AXIS
    return BoundaryPoint(apart - radius, normal, np.zeros(1, dtype=np.int64), np.ones(1), None)


def _nearest_to_segment(ends: Array, radius: float) -> BoundaryPoint:
    """The nearest point of a core that is the segment `ends` (2, 3).

    With the origin on the segment, the normal is any perpendicular.
    """
    along = ends[1] - ends[0]
    square = dot(along, along)
    if square == 0.0:
        # The bodies are so far apart that rounding takes the segment's length, or its square underflows.
        return _nearest_to_point(ends[0], radius)
    share = min(max(-dot(ends[0], along) / square, 0.0), 1.0)
    point = ends[0] + share * along
    apart = length(point)
    normal = -point / apart if apart > 0.0 else any_perpendicular(along / length(along))
    if 0.0 < share < 1.0:
        # At a small distance the rounding of the point turns the direction, which must be perpendicular to the segment.
        across = normal - (dot(normal, along) / square) * along
        size = length(across)
        normal = across / size if size > 0.5 else any_perpendicular(along / length(along))
    return BoundaryPoint(apart - radius, normal, np.arange(2), np.array((1.0 - share, share)), None)


def _foot_of_origin(difference: MinkowskiDifference, preferred_face: int | None) -> BoundaryPoint | None:
    """The origin's foot on the face that the origin is farthest in front of; None if outside with the foot off it.

    The difference of nearly aligned boxes has slivers beside its large faces, all in one plane but for rounding. The
    foot lies in one of the faces that tie.
    """
    core = difference.core
    gaps = -core.offsets
    farthest = float(gaps.max())
    size = float(np.abs(core.vertices).max())
    noise = ROUNDING * size
    tied = (gaps >= farthest - COPLANAR * size).nonzero()[0].tolist()
    least, best = inf, None
    for face in sorted(tied, key=lambda k: (k != preferred_face, -gaps[k])):
        excess, foot = _foot_in_face(difference, face)
        if excess <= noise:
            return foot
        if best is None or excess < least:
            least, best = excess, foot
    # A parallelogram of two segments has no inside: an origin in its plane but beyond its rim is outside.
    return best if farthest <= 0.0 and len(core.faces) > 2 else None


def _foot_in_face(difference: MinkowskiDifference, face: int) -> tuple[float, BoundaryPoint]:
    """The distance by which the origin's foot on a face's plane is moved into the face, and the moved foot.

    The distance is 0 but for rounding if the foot is within the face. The ray from the face's middle through the foot
    leaves the face through one side; the weights blend the middle with the point of that side.
    """
    core = difference.core
    loop, offset = np.array(core.faces[face]), float(core.offsets[face])
    corners, normal, count = core.vertices.take(loop, axis=0).tolist(), triple.triple(core.normals[face]), len(loop)
    x, y, z = reduce(triple.add, corners)
    middle = (x / count, y / count, z / count)
    foot = triple.sub(triple.scaled(normal, offset), middle)
    excess, leaving, reach, share = _aside(foot, normal), 0, 0.0, 0.0
    for k, corner in enumerate(corners):
        side = triple.sub(corners[(k + 1) % count], corner)
        outward = triple.cross(side, normal)
        if not (ahead := triple.dot(outward, foot)) > 0.0:
            continue
        start = triple.sub(corner, middle)
        # The sides of a needle differ by 1e4 in length: ratios are compared, which need no unit vectors.
        beyond, squared = triple.dot(outward, start), triple.dot(side, side)
        ratio = ahead / beyond if beyond > 0.0 else 0.0
        # A side has no length if the bodies are so far apart that their size is lost in rounding.
        if not ratio > 0.0 or squared == 0.0:
            continue
        way = min(ratio, 1.0)
        target = (foot[0] / way, foot[1] / way, foot[2] / way)
        along = min(max(triple.dot(triple.sub(target, start), side) / squared, 0.0), 1.0)
        # Two sides may be on one line but for rounding; the side that the ray crosses has the least error.
        missed = _aside(triple.sub(triple.scaled(triple.point_along(start, along, side), way), foot), normal)
        if missed < excess:
            excess, leaving, reach, share = missed, k, way, along
    weights = [(1.0 - reach) / count] * count
    weights[leaving] += reach * (1.0 - share)
    weights[(leaving + 1) % count] += reach * share
    return excess, BoundaryPoint(-offset - difference.radius, core.normals[face], loop, np.array(weights), face)


def _aside(way: Triple, normal: Triple) -> float:
    """The length of a vector's part in a face's plane; corners of merged faces may be slightly off that plane."""
    return triple.length(triple.point_along(way, -triple.dot(way, normal), normal))


def _nearest_on_edges(core: Polyhedron, radius: float) -> BoundaryPoint:
    """The nearest point of all edges."""
    starts, directions = core.vertices.take(core.edges[:, 0], axis=0), core.edge_directions()
    along, squared = -dots(starts, directions), dots(directions, directions)
    # The nearest point of an edge without length is its start.
    along = np.minimum(np.maximum(along / np.where(squared > 0.0, squared, np.inf), 0.0), 1.0)
    points = starts + along[:, None] * directions
    distances = length_rows(points)
    edge = int(distances.argmin())
    t, ends, beside = float(along[edge]), core.edges[edge], np.array((edge,))
    weights = np.array((1.0 - t, t))
    if t in (0.0, 1.0):
        ends, weights = ends[int(t) : int(t) + 1], np.ones(1)
        beside = (core.edges == ends[0]).any(axis=1).nonzero()[0]
    distance = float(distances[edge])
    allowed = sorted({*core.edge_faces[beside].ravel().tolist(), int(core.offsets.argmin())})
    normal = _certified_normal(core, points[edge], distance, directions[beside], core.normals[allowed])
    return BoundaryPoint(distance - radius, normal, ends, weights, None)


def _certified_normal(core: Polyhedron, point: Array, distance: float, edges: Array, face_normals: Array) -> Array:
    """Unit normal from A to B at the nearest `point` (3,): `-point`, unless another direction has a better certificate.

    The others are `-point` made perpendicular to each of the closest feature's `edges` (k, 3), and the `face_normals`
    (m, 3) about that feature. `distance`: of the point from the origin.
    """
    candidates = face_normals
    if distance > 0.0:
        direct = -point / distance
        along = edges / np.maximum(length_rows(edges), float_info.min)[:, None]
        turned = direct - dots(along, direct)[:, None] * along
        sizes = length_rows(turned)
        turned = turned[sizes > 0.5] / sizes[sizes > 0.5, None]
        candidates = np.concatenate((direct.reshape(1, 3), turned, face_normals))
    certificates = -reach(core.vertices.T, candidates)
    noise = ROUNDING * float(np.abs(core.vertices).max())
    best: Array = candidates[int((certificates >= certificates.max() - noise).argmax())]
    return best


def _shares(sources: NDArray[np.int64], point: BoundaryPoint, vertices: Array) -> tuple[list[Triple], list[float]]:
    """Distinct source vertices of a boundary point, and the sum of the weights on each."""
    sums: dict[int, float] = {}
    for source, weight in zip(sources.take(point.vertices).tolist(), point.weights.tolist(), strict=True):
        sums[source] = sums.get(source, 0.0) + weight
    rows = sorted(sums)
    return vertices.take(rows, axis=0).tolist(), [sums[row] for row in rows]


def _mean(corners: list[Triple], shares: list[float]) -> Array:
    """The mean (3,) of corners with weights `shares`, whose sum is 1."""
    x = y = z = 0.0
    for (px, py, pz), share in zip(corners, shares, strict=True):
        x, y, z = x + share * px, y + share * py, z + share * pz
    return np.array((x, y, z))


def _one_pair(corners_a: list[Triple], corners_b: list[Triple]) -> bool:
    """Whether only one pair of points has this difference: one point is a vertex, or the edges are not parallel."""
    counts = (len(corners_a), len(corners_b))
    if 1 in counts or counts != (2, 2):
        return 1 in counts
    along_a, along_b = triple.sub(corners_a[1], corners_a[0]), triple.sub(corners_b[1], corners_b[0])
    across = triple.length(triple.cross(along_a, along_b))
    return across > NEARLY_PARALLEL_SIN * triple.length(along_a) * triple.length(along_b)


def _at_right_angles(first: Array, second: Array) -> list[Array]:
    """Orthonormal rows (n,) with the span of two rows, by the Gram-Schmidt process, the longer row first.

    There are fewer than two if one row is a multiple of the other, or zero, to rounding.
    """
    sizes = [sqrt(np.add.reduce(row * row)) for row in (first, second)]
    longer, shorter = (first, second) if sizes[0] >= sizes[1] else (second, first)
    if not max(sizes) > float_info.min:
        return []
    unit = longer / max(sizes)
    for _ in range(2):  # twice is enough (Kahan, in Parlett 1980)
        shorter = shorter - np.add.reduce(shorter * unit) * unit
    left = sqrt(np.add.reduce(shorter * shorter))
    return [unit, shorter / left] if left > ROUNDING * max(sizes) else [unit]


def _central_shares(
    corners_a: list[Triple], share_a: list[float], corners_b: list[Triple], share_b: list[float], normal: Array
) -> tuple[list[float], list[float]]:
    """Weights as nearly equal as possible that keep the difference of the two points, all non-negative.

    The weights nearest to equal ones, by least squares, may be negative. They are one step away: the step to equal
    weights, less its part that would change the difference. The step is shortened so that no weight is negative.
    """
    count_a, count_b = len(share_a), len(share_b)
    given = np.array((*share_a, *share_b))
    equal = np.array([1.0 / count_a] * count_a + [1.0 / count_b] * count_b)
    # Changes of weights with the sum 0 on each body move the difference by their products with `sideways`, in the plane
    # across the normal.
    places_a, places_b = np.array(corners_a), np.array(corners_b)
    middle_a, middle_b = np.add.reduce(places_a) / count_a, np.add.reduce(places_b) / count_b
    away = np.concatenate((places_a - middle_a, middle_b - places_b))
    first = any_perpendicular(normal)
    sideways = [dots(away, way) for way in (first, cross(normal, first))]
    move = equal - given
    for way in _at_right_angles(*sideways):
        move -= np.add.reduce(move * way) * way
    step = min([1.0, *(own / -way for own, way in zip(given.tolist(), move.tolist(), strict=True) if way < 0.0)])
    moved: list[float] = np.maximum(given + step * move, 0.0).tolist()
    return moved[:count_a], moved[count_a:]

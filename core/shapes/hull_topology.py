"""Makes the convex hull of points: a solid, a flat polygon with two faces, a segment or a point.

Qhull makes only hulls with a volume, so points in one place, line or plane are not given to it. The distances of the
points from the line and the plane of their principal axes decide which case it is. Except for rounding, these depend
neither on the order of the points nor on a rotation. The tolerance is HULL_FLATNESS of the largest coordinate, as
rounding may move a point by as much. The same tolerance merges the facets of one face of a solid.

Qhull decides in doubles, and its answer is checked. If nearly coplanar points lead it into a contradiction, it runs
again with the points rotated. A vertex with fewer than three faces, or within rounding of a neighbour, is not a true
vertex: it is dropped and the hull is made again.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ..geometry.hierarchy import reach
from ..geometry.principal_axes import principal_axes
from ..geometry.tolerances import HULL_FLATNESS
from ..geometry.vec2 import Vec2
from ..geometry.vector import Array, any_perpendicular, cross, cross_rows, dots, frozen, length_rows, product
from .convex_loop import hull_loop, without_flat
from .hull_faces import HullFaces, face_planes, hull_faces
from .polyhedron import Polyhedron, without_faces

_ATTEMPTS = ("Qt", *(f"Qt QR{seed}" for seed in range(1, 8)))
"""Options for Qhull: triangulated facets, then the same with the points rotated at random by a fixed seed."""

_TOO_THIN = "the hull is so thin that rounding hides its faces"


def convex_hull(points: Array) -> Polyhedron:
    """The hull of `points` (n, 3), with its vertices in the order of the points.

    A flat hull is a polygon with a face on either side; the first face's loop runs from vertex 0 to the neighbour with
    the lower index. A segment has one edge and no faces, a point neither.

    Raises ValueError with one sentence if there are no points, if any is not finite, or if they span a solid so thin
    that its faces are lost in rounding.
    """
    different = rows = _distinct_points(points)
    while True:
        scaled = _scaled(rows)
        flat = _without_volume(rows, scaled)
        if flat is not None:
            solid = flat
            break
        found = _faces(scaled)
        real = _real_vertices(scaled, found.loops)
        if real[[corner for loop in found.loops for corner in loop]].all():
            number = (np.cumsum(real) - 1).tolist()
            loops = [[number[k] for k in loop] for loop in found.loops]
            solid = Polyhedron.from_faces(rows[real], loops, found.normals)
            break
        rows = rows[real]
    if len(rows) < len(different) and _beyond(different, solid) > 4.0 * _flatness(different):
        raise ValueError(_TOO_THIN)
    return solid


def flat_hull(points: Array, normal: Array) -> Polyhedron:
    """The flat hull of distinct `points` (n, 3) as seen along the unit `normal` (3,); ignores heights along it.

    The hull is a polygon whose first face has that normal; a segment or a point if it is no wider than rounding.
    """
    scaled = _scaled(points)
    ring = _ring(scaled, normal)
    if len(ring) < 3:
        return _segment_or_point(points, scaled)
    return _polygon(points, ring, normal)


def _without_volume(rows: Array, points: Array) -> Polyhedron | None:
    """The hull of `rows` (n, 3) if they are in one place, line or plane, else None.

    `points` (n, 3): the rows scaled to size about 1.
    """
    flat = _flatness(points)
    away = points - points.mean(axis=0)
    along, _, normal = principal_axes(points)
    if length_rows(away - dots(away, along)[:, None] * along).max() <= flat:
        return _segment_or_point(rows, points)
    heights = dots(points, normal)
    if heights.max() - heights.min() > 2.0 * flat:
        return None
    ring = _ring(points, normal)
    if len(ring) < 3:
        return _segment_or_point(rows, points)
    # The ring starts at the lowest index. Its second corner becomes the neighbour with the lower index.
    ring = ring if ring[1] < ring[-1] else [ring[0], *ring[:0:-1]]
    (upward,), _ = face_planes(points, [ring])
    start, along = points[ring[0]], points[ring[1]] - points[ring[0]]
    inwards = dots(cross_rows(along, points[ring] - start), upward).sum()
    return _polygon(rows, ring, upward if inwards > 0.0 else -upward)


def _ring(points: Array, normal: Array) -> list[int]:
    """Indices of the corners of points (n, 3) seen against `normal`, counter-clockwise from the lowest index.

    Two for points on one line.
    """
    across = any_perpendicular(normal)
    at = product(points, np.stack((across, cross(normal, across)), axis=1)).tolist()
    numbers: dict[Vec2, int] = {}
    for number, (x, y) in enumerate(at):
        numbers.setdefault((x, y), number)
    corners = hull_loop(numbers)
    ring = without_flat(corners, list(range(len(corners))), _flatness(points))
    found = [numbers[corners[place]] for place in ring]
    first = found.index(min(found))
    return found[first:] + found[:first]


def _polygon(rows: Array, ring: list[int], normal: Array) -> Polyhedron:
    """The flat polygon of the rows at `ring`, counter-clockwise about `normal` (3,); its faces have ±`normal`."""
    kept = sorted(ring)
    loop = [kept.index(number) for number in ring]
    found = Polyhedron.from_faces(rows[kept], (loop, loop[::-1]), np.stack((normal, 0.0 - normal)))
    offset = float(found.offsets[0])  # both faces have exactly the same plane
    return replace(found, offsets=frozen(np.array((offset, 0.0 - offset))))


def _segment_or_point(rows: Array, points: Array) -> Polyhedron:
    """The hull of `rows` (n, 3) on one line or in one place; `points` (n, 3): the rows scaled to size about 1."""
    away = points - points[0]
    along = away[length_rows(away).argmax()]
    heights = dots(away, along)
    kept = sorted({int(heights.argmin()), int(heights.argmax())})
    if length_rows(points[kept] - points[kept[0]]).max() <= _flatness(points):
        kept = [0]
    return without_faces(rows[kept])


def _faces(points: Array) -> HullFaces:
    """The first of Qhull's hulls that passes the checks. Raises ValueError if none does."""
    for options in _ATTEMPTS:
        found = hull_faces(points, _flatness(points), options)
        if found is not None:
            return found
    raise ValueError(_TOO_THIN)


def _beyond(points: Array, solid: Polyhedron) -> float:
    """The largest distance of points (n, 3) in front of the solid's planes; 0 if none is in front."""
    return float((reach(points.T, solid.normals) - solid.offsets).max(initial=0.0))


def _distinct_points(points: Array) -> Array:
    """The distinct points in their order. Raises ValueError if there are none or any is not finite."""
    strange = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(strange):
        raise ValueError(f"points[{strange[0]}] of the hull is not finite")
    if not len(points):
        raise ValueError("a hull needs at least one point")
    _, first = np.unique(points, axis=0, return_index=True)
    rows: Array = points[np.sort(first)]
    return rows


def _real_vertices(points: Array, loops: list[list[int]]) -> NDArray[np.bool_]:
    """For each point (n,), whether it is a true vertex: a corner of three or more faces.

    Of two neighbours within rounding of each other, only the first is true.
    """
    corners = [k for loop in loops for k in loop]
    real = np.bincount(corners, minlength=len(points)) >= 3
    following = [k for loop in loops for k in (*loop[1:], loop[0])]
    short = length_rows(points[following] - points[corners]) <= _flatness(points)
    for start, end in sorted({(a, b) for a, b, s in zip(corners, following, short, strict=True) if s and a < b}):
        if real[start]:
            real[end] = False
    return real


def _scaled(rows: Array) -> Array:
    """The points scaled by a power of two, which changes no digit, to a largest coordinate of about 1."""
    scaled: Array = np.ldexp(rows, -int(np.frexp(np.abs(rows).max())[1]))
    return scaled


def _flatness(points: Array) -> float:
    """The distance from a plane within which a point lies in it."""
    return HULL_FLATNESS * float(np.abs(points).max())

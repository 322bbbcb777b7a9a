"""EPA on many differences at once, with the same two bounds as for one (core/gjk/epa.py).

All polytopes grow together, by one vertex a step, in arrays with room for a number of vertices. A new point sees the
faces whose planes it is in front of. The edges between seen and other faces are the horizon. If the horizon is not a
single loop, or the room is used up, the pair ends with the gap that it has then. In double precision
the caller passes pairs with too wide a gap to the single algorithm.

A loop of edges with no vertex inside has two more edges than the triangles that it cuts off, so each step adds two more
faces than it removes. The new faces go into the places of the removed ones and two new places. So all polytopes that
still grow have the same number of faces.
"""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
from msgspec import Struct

from ..geometry.vector import BoolArray
from ..gjk.polytope import SLIVER
from .answers import Reals, Scale, crosses, dots, lengths
from .gjk import Integers, PointClouds, heights, lowest, picked, same_points, spots, weights_of

_SPREAD = np.array(
    [*np.eye(3), *-np.eye(3), *(np.array(signs) / sqrt(3.0) for signs in product((-1.0, 1.0), repeat=3))]
)
"""Fourteen unit directions (14, 3); the first tetrahedron's corners are support points along some of them."""

_TETRAHEDRON = np.array([(0, 1, 2, 0), (0, 2, 3, 0), (2, 1, 3, 2), (1, 0, 3, 1)], dtype=np.int16)
"""Loops of a tetrahedron's faces, one a row, with the first corner repeated, counter-clockwise seen from outside.

The tetrahedron's last corner must be behind the plane of the first three.
"""


class EpaFound(Struct, frozen=True, eq=False):
    """The depths of m pairs: `lower` and `upper` bounds (m,), and unit `normals` (3, m), from A to B.

    `upper` is the depth along the normal. A negative upper bound proves the bodies apart. `numbers`, `weights`
    (3, m): support numbers and weights of three points whose weighted mean is the difference's boundary point nearest
    the origin. The weights are NaN for a difference without volume.
    """

    lower: Reals
    upper: Reals
    normals: Reals
    numbers: Integers
    weights: Reals


def _planes(a: Reals, b: Reals, c: Reals) -> tuple[Reals, ...]:
    """Returns x, y and z of the unit normals of triangles, and the offsets of their planes: four arrays (...).

    `a`, `b`, `c` (3, ...): the triangles' corners.
    """
    first, second = b - a, c - a
    normals = crosses(first, second)
    squares = dots(normals, normals)
    slivers = squares < SLIVER * SLIVER * dots(first, first) * dots(second, second)
    if slivers.any():
        p, q, r = a[:, slivers], b[:, slivers], c[:, slivers]
        sides = q - p, r - q, p - r
        # The product of the two shorter sides loses the fewest digits.
        longest = np.stack([dots(side, side) for side in sides]).argmax(axis=0)
        first = np.where(longest == 0, sides[1], np.where(longest == 1, sides[2], sides[0]))
        second = np.where(longest == 0, sides[2], np.where(longest == 1, sides[0], sides[1]))
        better = crosses(first, second)
        normals[:, slivers], squares[slivers] = better, dots(better, better)
    sizes = np.sqrt(squares)
    empty = ~(sizes > 0.0)
    sizes[empty] = 1
    normals /= sizes
    offsets = dots(normals, a)
    # A face without area gets the largest offset, so that it is never the nearest.
    offsets[empty] = np.finfo(offsets.dtype).max
    return *normals, offsets


class _Polytopes:
    """m polytopes: vertices `points` (3, v, m) with their support `numbers` (v, m), and the faces.

    `planes` (4, f, m): unit normals and offsets of the faces; the offset is infinite for a place without a face.
    `loops` (f, m): the three corners of each face and the first again, as four 16-bit integers in one of 64 bits, so
    that a loop is read and written in one access. `noise` (m,): the rounding error of a projection.
    """

    def __init__(self, corners: Reals, numbers: Integers, noise: Reals) -> None:
        """Starts with tetrahedra (3, 4, m), whose points have the support `numbers` (4, m)."""
        a, b, c, d = (corners[:, k] for k in range(4))
        flipped = dots(d - a, crosses(b - a, c - a)) > 0.0
        order = spots(np.array([[0], [1], [2], [3]]) + flipped * np.array([[0], [1], [-1], [0]]))
        self.noise = noise
        self.points, self.numbers = picked(corners, order), picked(numbers, order)
        self.planes = np.stack(_planes(*(self.points[:, some] for some in _TETRAHEDRON.T[:3])))
        self.loops = np.repeat(_TETRAHEDRON.view(np.int64), len(noise), axis=1)

    def make_room(self, vertex: int) -> None:
        """Extends the arrays, if they are full, so that they have room for the vertex of this index and its faces."""
        if vertex >= len(self.numbers):
            self.points, self.numbers = _longer(self.points, 2 * vertex, 0), _longer(self.numbers, 2 * vertex, 0)
            self.planes, self.loops = _longer(self.planes, 4 * vertex, np.inf), _longer(self.loops, 4 * vertex, 0)

    def faces(self, rows: Integers, vertices: int) -> Reals:
        """Planes (4, f, k) of the polytopes `rows` (k,), each with this number of `vertices`."""
        if len(rows) == len(self.noise):
            return self.planes[:, : 2 * vertices - 4]
        return picked(self.planes, np.arange(2 * vertices - 4)[:, None] * len(self.noise) + rows)

    def has(self, rows: Integers, points: Reals, vertices: int) -> BoolArray:
        """Whether each of the points (3, k) is one of the first `vertices` of its polytope, `rows` (k,)."""
        return same_points(picked(self.points, np.arange(vertices)[:, None] * len(self.noise) + rows), points)

    def nearest(self, feet: Reals) -> tuple[Integers, Reals]:
        """Returns support numbers and weights (3, m): of the points nearest `feet`, on the faces nearest the origin.

        `feet` (3, m): the origin's feet on the best supporting planes. Several faces may be nearest, to rounding: all
        are tried.
        """
        offsets = self.planes[3]
        faces, rows = np.nonzero(offsets <= np.minimum.reduce(offsets) + self.noise)
        loops = _corners(self.loops[faces, rows])[:, :3].T * len(self.noise) + rows
        corners = picked(self.points, loops)
        weights = weights_of(corners, np.full(len(rows), 3))
        off = (weights * corners).sum(axis=1) - feet.take(rows, axis=1)
        order = np.lexsort((dots(off, off), rows))
        best = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
        return picked(self.numbers, loops.take(best, axis=1)), weights.take(best, axis=1)

    def grow(
        self, rows: Integers, above: Reals, points: Reals, numbers: Integers, nearest: Integers, vertex: int
    ) -> BoolArray:
        """Adds points (3, k) in front of the faces `nearest` (k,) to the polytopes `rows` (k,); returns success (k,).

        Each point becomes the vertex of the index `vertex`, after so many others. `above` (f, k): its height over the
        faces. `numbers` (k,): its support numbers. If rounding makes the horizon no single loop, fewer faces count as
        seen, at last only `nearest` (core/gjk/polytope.py).
        """
        self.make_room(vertex)
        self.numbers[vertex][rows] = numbers
        for old, new in zip(self.points[:, vertex], points, strict=True):
            old[rows] = new
        noise, well = self.noise.take(rows), np.zeros(len(rows), dtype=np.bool_)
        left: slice | Integers = slice(None)
        for lowest_seen in (-noise, noise, noise + np.inf):
            removed = above[:, left] > lowest_seen[left]
            removed[nearest[left], np.arange(removed.shape[1])] = True
            well[left] = self._replace(rows[left], removed, points[:, left], vertex)
            left = np.flatnonzero(~well)
            if not len(left):
                break
        return well

    def _replace(self, rows: Integers, removed: BoolArray, points: Reals, vertex: int) -> BoolArray:
        """Replaces the faces `removed` (f, k) by those from the horizon to the points (3, k); returns success (k,).

        A polytope whose horizon is not one loop is not changed.
        """
        (faces, count), m = removed.shape, len(self.noise)
        # The new faces of each polytope go to the places of its removed faces and two new places.
        places = np.ones((count, faces + 2), dtype=np.bool_)
        places[:, :faces] = removed.T
        slots = np.flatnonzero(places)
        polytope = slots // (faces + 2)
        place = slots - polytope * (faces + 2)
        at, old = place * m + rows.take(polytope), np.flatnonzero(place < faces)
        owner = polytope.take(old)
        loops = _corners(self.loops.take(at.take(old)))
        starts, ends = loops[:, :3], loops[:, 1:]
        first = (owner * (vertex * vertex))[:, None]
        edges = np.zeros(count * vertex * vertex, dtype=np.bool_)
        edges[first + starts * vertex + ends] = True
        rim = np.flatnonzero(~edges[first + ends * vertex + starts])
        owner = owner.take(rim // 3)
        # A single loop of edges cuts off two triangles fewer than it has edges, so its edges are as many as the places.
        well = np.bincount(owner, minlength=count) == np.bincount(polytope, minlength=count)
        if not well.all():
            rim, kept = rim[well[owner]], well[polytope]
            polytope, at = polytope[kept], at[kept]
        start, end = starts.ravel().take(rim), ends.ravel().take(rim)
        row = rows.take(polytope)
        a, b = picked(self.points, start * m + row), picked(self.points, end * m + row)
        for plane, values in zip(self.planes, _planes(a, b, points.take(polytope, axis=1)), strict=True):
            plane.reshape(-1)[at] = values
        loops = np.stack((start, end, np.full_like(start, vertex), start), axis=1, dtype=np.int16)
        self.loops.reshape(-1)[at] = loops.view(np.int64)[:, 0]
        return np.asarray(well)


def _longer(rows: Reals, count: int, filling: float) -> Reals:
    """The rows (..., c, m) padded with `filling` to `count` rows."""
    more = np.full((*rows.shape[:-2], count - rows.shape[-2], rows.shape[-1]), filling, dtype=rows.dtype)
    return np.concatenate((rows, more), axis=-2)


def _corners(loops: Integers) -> Integers:
    """Unpacks the corners (k, 4) of loops (k,), see `_Polytopes`."""
    return loops.view(np.int16).reshape(-1, 4).astype(np.intp)


def epa(
    supports: PointClouds, simplices: Reals, counts: Integers, scale: Scale, room: int, numbers: Integers
) -> EpaFound:
    """The depths of m differences, by polytopes with at most `room` vertices.

    `simplices` (3, 4, m), with `counts` (m,) points each: GJK's last. A tetrahedron with a volume is the first
    polytope; any other simplex is replaced by one. `numbers` (4, m): the support numbers of the points. Of a
    difference without volume, to rounding, the upper bound is the lesser support height along ± its normal.
    """
    count, dtype = len(counts), simplices.dtype
    found = EpaFound(
        np.full(count, -np.inf, dtype=dtype),
        np.full(count, np.inf, dtype=dtype),
        np.zeros((3, count), dtype=dtype),
        np.zeros((3, count), dtype=np.intp),
        np.full((3, count), np.nan, dtype=dtype),
    )
    known = numbers.copy()
    corners, solid = _starts(supports, simplices, known, counts, scale, found)
    own = np.flatnonzero(solid)
    if not len(own):
        return found
    polytopes = _Polytopes(corners.take(own, axis=2), known.take(own, axis=1), scale.rounding.take(own))
    local = np.arange(len(own))
    for vertex in range(4, room):  # the next vertex, and how many there are before it
        planes = polytopes.faces(local, vertex)
        nearest, low = lowest(planes[3])
        ways = picked(planes[:3], spots(nearest))
        mine, noise = own.take(local), polytopes.noise.take(local)
        points, listed = supports(ways, mine)
        values = dots(ways, points)
        better = np.flatnonzero(values < found.upper.take(mine))
        for best, new in zip((found.upper, *found.normals), (values, *ways), strict=True):
            best[mine.take(better)] = new.take(better)
        found.lower[mine] = low
        going = np.flatnonzero((values - low > noise) & (values >= -noise))
        going = going[~polytopes.has(local.take(going), points.take(going, axis=1), vertex)]
        if not len(going):
            break
        above = heights(planes[:3], points)
        above -= planes[3]
        local, points, listed, nearest = local[going], points.take(going, axis=1), listed[going], nearest[going]
        local = local[polytopes.grow(local, above.take(going, axis=1), points, listed, nearest, vertex)]
        if not len(local):
            break
    feet = found.upper[own] * found.normals[:, own]
    found.numbers[:, own], found.weights[:, own] = polytopes.nearest(feet)
    found.lower[:] = np.minimum(found.lower, found.upper)
    return found


def _starts(
    supports: PointClouds, simplices: Reals, numbers: Integers, counts: Integers, scale: Scale, found: EpaFound
) -> tuple[Reals, BoolArray]:
    """Returns the first tetrahedra (3, 4, m), and whether each exists (m,).

    Changes `numbers` (4, m) to those of the tetrahedra. Writes the answers about flat differences into `found`.
    """
    a, b, c, d = (simplices[:, k] for k in range(4))
    areas = crosses(b - a, c - a)
    solid = (counts == 4) & (np.abs(dots(areas, d - a)) > scale.rounding * lengths(areas))
    if solid.all():
        return simplices, solid
    corners = simplices.copy()
    rows = np.flatnonzero(~solid)
    corners[:, :, rows], numbers[:, rows], normals, solid[rows] = _tetrahedra(supports, rows, scale.rounding[rows])
    thin = ~solid[rows]
    _see_flat(supports, rows[thin], normals[:, thin], found)
    return corners, solid


def _see_flat(supports: PointClouds, flat: Integers, normals: Reals, found: EpaFound) -> None:
    """Records the lesser support height of the differences `flat` (k,) along ±`normals` (3, k).

    The lower bound is 0, or that height if it is negative.
    """
    for way in (normals, -normals):
        values = dots(way, supports(way, flat)[0])
        thinner = values < found.upper[flat]
        found.upper[flat[thinner]], found.normals[:, flat[thinner]] = values[thinner], way[:, thinner]
    found.lower[flat] = np.minimum(found.upper[flat], 0)


def _tetrahedra(supports: PointClouds, rows: Integers, noise: Reals) -> tuple[Reals, Integers, Reals, BoolArray]:
    """Chooses four support points of each of the differences `rows` (m,).

    Returns the points (3, 4, m), their support numbers (4, m), unit normals (3, m), and whether the points span a
    volume (m,). The points are chosen from the supports along fourteen directions: each is the farthest from the point,
    line or plane through those chosen before. The normal is that of the plane, or any perpendicular of the line.
    """
    spread = [supports(np.repeat(way[:, None], len(rows), axis=1), rows) for way in _SPREAD.astype(noise.dtype)]
    candidates, numbers = np.stack([points for points, _ in spread], axis=1), np.stack([number for _, number in spread])
    first = candidates[:, 0]
    ways = candidates - first[:, None]
    farthest = dots(ways, ways).argmax(axis=0)
    side = picked(ways, spots(farthest))
    areas = crosses(np.broadcast_to(side[:, None], ways.shape), ways)
    widest = dots(areas, areas).argmax(axis=0)
    area = picked(areas, spots(widest))
    volumes = np.abs(dots(area[:, None], ways))
    highest = volumes.argmax(axis=0)
    chosen = spots(np.stack((np.zeros_like(farthest), farthest, widest, highest)))
    sizes = lengths(area)
    thin = sizes <= noise * lengths(side)
    normals = np.where(thin, _perpendiculars(side), area / np.where(thin, 1, sizes))
    solid = (picked(volumes, spots(highest)) > noise * sizes) & ~thin
    return picked(candidates, chosen), picked(numbers, chosen), normals, solid


def _perpendiculars(sides: Reals) -> Reals:
    """Unit vectors (3, m) perpendicular to vectors (3, m), which may be zero."""
    least = np.zeros_like(sides)
    least[np.abs(sides).argmin(axis=0), np.arange(sides.shape[1])] = 1
    across = crosses(sides, least)
    sizes = np.sqrt(dots(across, across))
    out: Reals = np.where(sizes > 0.0, across / np.where(sizes > 0.0, sizes, 1), least)
    return out

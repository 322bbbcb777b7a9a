"""EPA on many differences at once, with the same two bounds as for one (core/gjk/epa.py).

All polytopes grow in step, in arrays with room for a number of vertices. A point hides the faces whose planes it is
beyond; the edges between hidden and other faces are the horizon. Where that is no single loop, or the room is used up,
the pair is given up, and its gap says so: the single algorithm is for such.

A loop of edges has two more than it cuts faces off, so each step puts two faces more than it hides, into the same
places and two new ones: all polytopes that still grow have the same number of faces.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from msgspec import Struct

from ..gjk.polytope import SLIVER
from .answers import Reals, Scale, crosses, dots, lengths
from .gjk import Flags, Rows, Supports, lowest, picked, same_points, weights_of

_SPREAD = np.array([*np.eye(3), *-np.eye(3), *(np.array(signs) / 3**0.5 for signs in product((-1.0, 1.0), repeat=3))])
"""Fourteen directions, in which the corners of the first tetrahedron are sought."""

_TETRAHEDRON = np.array([(0, 1, 2), (0, 2, 3), (2, 1, 3), (1, 0, 3)])
"""Corners of its faces, counter-clockwise from outside if the last is below the first three."""


class EpaFound(Struct, frozen=True, eq=False):
    """Per pair (m,): `lower` and `upper` bounds of the depth, and the `normals` (3, m) of the upper one, A to B.

    A negative upper bound proves the bodies apart. `numbers` and `weights` (3, m): of the three support points whose
    mean is the difference's boundary point nearest the origin; the weights are NaN for a difference without volume,
    and for all if the simplices came without their numbers.
    """

    lower: Reals
    upper: Reals
    normals: Reals
    numbers: Rows
    weights: Reals


def _area_vectors(a: Reals, b: Reals, c: Reals) -> Reals:
    """Normals (3, k) of triangles, as long as twice their areas."""
    first, second = b - a, c - a
    normals = crosses(first, second)
    slivers = dots(normals, normals) < SLIVER * SLIVER * dots(first, first) * dots(second, second)
    if slivers.any():
        p, q, r = a[:, slivers], b[:, slivers], c[:, slivers]
        sides = q - p, r - q, p - r
        # Of the two shorter sides the product loses the fewest digits.
        longest = np.stack([dots(side, side) for side in sides]).argmax(axis=0)
        first = np.where(longest == 0, sides[1], np.where(longest == 1, sides[2], sides[0]))
        second = np.where(longest == 0, sides[2], np.where(longest == 1, sides[0], sides[1]))
        normals[:, slivers] = crosses(first, second)
    return normals


def _planes(a: Reals, b: Reals, c: Reals) -> tuple[Reals, Reals]:
    """Unit normals (3, ...) of triangles, and the offsets (...) of their planes."""
    normals = _area_vectors(a, b, c)
    sizes = lengths(normals)
    normals /= np.where(sizes > 0.0, sizes, 1)
    # A face without area is never the nearest.
    return normals, np.where(sizes > 0.0, dots(normals, a), np.finfo(sizes.dtype).max)


class _Polytopes:
    """The surfaces: faces with `loops` (f, m, 3) of vertices, unit `normals` (f, 3, m) and `offsets` (f, m).

    Offsets are infinite where there is no face yet.
    """

    def __init__(self, corners: Reals, numbers: Rows, noise: Reals, vertices: int) -> None:
        """From tetrahedra (3, 4, m) whose points came with `numbers` (4, m), with room for a number of vertices."""
        count, dtype, faces = corners.shape[2], corners.dtype, 2 * vertices - 4
        self.noise = noise
        self.points = np.zeros((vertices, 3, count), dtype=dtype)
        self.numbers = np.zeros((vertices, count), dtype=np.intp)
        self.loops = np.zeros((faces, count, 3), dtype=np.int16)
        self.normals = np.zeros((faces, 3, count), dtype=dtype)
        self.offsets = np.full((faces, count), np.inf, dtype=dtype)
        a, b, c, d = (corners[:, k] for k in range(4))
        flipped = dots(d - a, crosses(b - a, c - a)) > 0.0
        order = np.array([[0], [1], [2], [3]]) + flipped * np.array([[0], [1], [-1], [0]])
        ordered = picked(corners, order)
        self.points[:4] = ordered.swapaxes(0, 1)
        self.numbers[:4] = picked(numbers, order)
        self.loops[:4] = _TETRAHEDRON[:, None]
        normals, self.offsets[:4] = _planes(*(ordered[:, some] for some in _TETRAHEDRON.T))
        self.normals[:4] = normals.swapaxes(0, 1)

    def faces(self, rows: Rows, number: int) -> tuple[Reals, Reals]:
        """Normals (f, 3, k) and offsets (f, k) of polytopes with a `number` of vertices."""
        normals, offsets = self.normals[: 2 * number - 4], self.offsets[: 2 * number - 4]
        if len(rows) == offsets.shape[1]:
            return normals, offsets
        return normals.take(rows, axis=2), offsets.take(rows, axis=1)

    def feet(self) -> tuple[Rows, Reals]:
        """Numbers and weights (3, m) of each polytope's surface point nearest the origin.

        The foot on the nearest face's plane may lie in another face of one flat side: all are tried.
        """
        faces, rows = np.nonzero(self.offsets <= self.offsets.min(axis=0) + self.noise)
        loops = self.loops[faces, rows].T
        corners = self.points[loops, :, rows].transpose(2, 0, 1)
        weights = weights_of(corners, np.full(len(rows), 3))
        feet = (weights * corners).sum(axis=1)
        order = np.lexsort((dots(feet, feet), rows))
        best = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
        return self.numbers[loops[:, best], rows[best]], weights[:, best]

    def grow(self, rows: Rows, heights: Reals, points: Reals, numbers: Rows, nearest: Rows, number: int) -> Flags:
        """Adds points (3, k) beyond the faces `nearest` (k,) of the polytopes `rows` (k,); whether that went well.

        They become the vertex `number` of each; `heights` (f, k) over its faces. Where rounding leaves no clean rim
        fewer faces count as seen, in the end that one alone (core/gjk/polytope.py).
        """
        self.points[number, :, rows] = points.T
        self.numbers[number, rows] = numbers
        well = np.zeros(len(rows), dtype=np.bool_)
        left = np.arange(len(rows))
        for noise in (self.noise[rows], -self.noise[rows], np.full(len(rows), -np.inf)):
            seen = heights[:, left] > -noise[left]
            seen[nearest[left], np.arange(len(left))] = True
            well[left] = self._replace(rows[left], seen, points[:, left], number)
            left = np.flatnonzero(~well)
            if not len(left):
                break
        return well

    def _replace(self, rows: Rows, seen: Flags, points: Reals, number: int) -> Flags:
        """Replaces the faces `seen` (f, k) by those from their rim to the points (3, k), where the rim is one loop."""
        faces, count = seen.shape
        # Places of the new faces, those of each polytope in a row: of the hidden ones and two new ones.
        places = np.ones((count, faces + 2), dtype=np.bool_)
        places[:, :faces] = seen.T
        slots = np.flatnonzero(places)
        polytope = slots // (faces + 2)
        place = slots - polytope * (faces + 2)
        old = np.flatnonzero(place < faces)
        owner = polytope[old]
        starts = self.loops[place[old], rows[owner]].astype(np.intp)
        ends = starts[:, [1, 2, 0]]
        first = (owner * number * number)[:, None]
        hidden = np.zeros(count * number * number, dtype=np.bool_)
        hidden[first + starts * number + ends] = True
        rim = np.flatnonzero(~hidden[first + ends * number + starts])
        owner = owner[rim // 3]
        # As many edges as places: what a loop of edges cuts off has two triangles fewer than the loop has edges.
        well = np.bincount(owner, minlength=count) == np.bincount(polytope, minlength=count)
        if not well.all():
            rim, kept = rim[well[owner]], well[polytope]
            polytope, place = polytope[kept], place[kept]
        loops = np.stack((starts.ravel()[rim], ends.ravel()[rim], np.full(len(rim), number)), axis=1)
        self._add(rows[polytope], place, loops, points[:, polytope])
        return np.asarray(well)

    def _add(self, rows: Rows, places: Rows, loops: Rows, points: Reals) -> None:
        """Writes faces, each into its place; `loops` (k, 3) counter-clockwise from outside, the last of `points`."""
        count = self.offsets.shape[1]
        coordinates = np.arange(3)[:, None] * count + rows
        a, b = (self.points.reshape(-1).take(3 * count * loops[:, k] + coordinates) for k in range(2))
        normals, offsets = _planes(a, b, points)
        self.normals.reshape(-1)[3 * count * places + coordinates] = normals
        self.offsets[places, rows] = offsets
        self.loops[places, rows] = loops


def epa(
    supports: Supports, simplices: Reals, counts: Rows, scale: Scale, room: int, numbers: Rows | None = None
) -> EpaFound:
    """The depths of m differences, with `room` for vertices.

    `simplices` (3, 4, m) with `counts` (m,) points each, as GJK leaves them: a tetrahedron with a volume is the
    start, anything else is replaced. `numbers` (4, m): what came with its points; None for no feet. A difference
    without volume, to rounding, has the depth of its thickness.
    """
    count, dtype = len(counts), simplices.dtype
    found = EpaFound(
        np.full(count, -np.inf, dtype=dtype),
        np.full(count, np.inf, dtype=dtype),
        np.zeros((3, count), dtype=dtype),
        np.zeros((3, count), dtype=np.intp),
        np.full((3, count), np.nan, dtype=dtype),
    )
    known = np.zeros((4, count), dtype=np.intp) if numbers is None else numbers.copy()
    corners, solid = _starts(supports, simplices, known, counts, scale, found)
    own = np.flatnonzero(solid)
    if not len(own):
        return found
    polytopes = _Polytopes(corners.take(own, axis=2), known.take(own, axis=1), scale.rounding[own], room)
    local = np.arange(len(own))
    for number in range(4, room):
        normals, offsets = polytopes.faces(local, number)
        nearest, low = lowest(offsets)
        ways = picked(normals.reshape(-1, len(local)), 3 * nearest + np.arange(3)[:, None])
        mine = own[local]
        points, listed = supports(ways, mine)
        values = dots(ways, points)
        better = values < found.upper[mine]
        found.upper[mine[better]], found.normals[:, mine[better]] = values[better], ways[:, better]
        found.lower[mine] = low
        before = polytopes.points[:number].take(local, axis=2)
        again = same_points(before.swapaxes(0, 1), points)
        noise = scale.rounding[mine]
        going = np.flatnonzero(~again & (values - low > noise) & (values >= -noise))
        if not len(going):
            break
        x, y, z = points
        heights = normals[:, 0] * x
        heights += normals[:, 1] * y
        heights += normals[:, 2] * z
        heights -= offsets
        local, points, listed, nearest = local[going], points.take(going, axis=1), listed[going], nearest[going]
        local = local[polytopes.grow(local, heights.take(going, axis=1), points, listed, nearest, number)]
        if not len(local):
            break
    if numbers is not None:
        found.numbers[:, own], found.weights[:, own] = polytopes.feet()
    found.lower[:] = np.minimum(found.lower, found.upper)
    return found


def _starts(
    supports: Supports, simplices: Reals, numbers: Rows, counts: Rows, scale: Scale, found: EpaFound
) -> tuple[Reals, Flags]:
    """Tetrahedra (3, 4, m), and where there is one; the rest is flat, and answered.

    `numbers` (4, m) become those of the tetrahedra.
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


def _see_flat(supports: Supports, flat: Rows, normals: Reals, found: EpaFound) -> None:
    """The thickness of the `flat` ones (k,) of the differences, along their `normals` (3, k) either way."""
    for way in (normals, -normals):
        values = dots(way, supports(way, flat)[0])
        thinner = values < found.upper[flat]
        found.upper[flat[thinner]], found.normals[:, flat[thinner]] = values[thinner], way[:, thinner]
    found.lower[flat] = 0


def _tetrahedra(supports: Supports, rows: Rows, noise: Reals) -> tuple[Reals, Rows, Reals, Flags]:
    """Four support points (3, 4, m) of each difference that span a volume, their numbers (4, m); normals (3, m).

    Last comes whether they do. Of the supports in fourteen directions each is the one farthest off the point, line or
    plane of those before. The normal is that of the plane, or any perpendicular of the line.
    """
    spread = [supports(np.repeat(way[:, None], len(rows), axis=1), rows) for way in _SPREAD.astype(noise.dtype)]
    candidates, numbers = np.stack([points for points, _ in spread], axis=1), np.stack([number for _, number in spread])
    first = candidates[:, 0]
    ways = candidates - first[:, None]
    farthest = dots(ways, ways).argmax(axis=0)
    side = picked(ways, farthest)
    areas = crosses(np.broadcast_to(side[:, None], ways.shape), ways)
    widest = dots(areas, areas).argmax(axis=0)
    area = picked(areas, widest)
    volumes = np.abs(dots(area[:, None], ways))
    highest = volumes.argmax(axis=0)
    chosen = np.stack((np.zeros_like(farthest), farthest, widest, highest))
    sizes = lengths(area)
    thin = sizes <= noise * lengths(side)
    normals = np.where(thin, _perpendiculars(side), area / np.where(thin, 1, sizes))
    solid = (picked(volumes, highest) > noise * sizes) & ~thin
    return picked(candidates, chosen), picked(numbers, chosen), normals, solid


def _perpendiculars(sides: Reals) -> Reals:
    """Unit vectors (3, m) perpendicular to vectors (3, m), which may be zero."""
    least = np.zeros_like(sides)
    least[np.abs(sides).argmin(axis=0), np.arange(sides.shape[1])] = 1
    across = crosses(sides, least)
    sizes = np.sqrt(dots(across, across))
    out: Reals = np.where(sizes > 0.0, across / np.where(sizes > 0.0, sizes, 1), least)
    return out

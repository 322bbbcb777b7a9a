"""EPA on many differences at once, with the same two bounds as for one (core/gjk/epa.py).

All polytopes grow in step, in arrays with room for a number of faces and vertices. A point hides the faces whose
planes it is beyond; the edges between hidden and other faces are the horizon. Where that is no single loop, or the
room is used up, the pair is given up, and its gap says so: the single algorithm is for such.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..gjk.polytope import SLIVER
from .answers import Reals, Scale, crosses, dots
from .gjk import Rows, Supports, same_points

_FACES_PER_VERTEX = 6
"""Faces made in a polytope's life, by vertex: each new one replaces a few, and has two more."""

_SPREAD = np.array([*np.eye(3), *-np.eye(3), *(np.array(signs) / 3**0.5 for signs in product((-1.0, 1.0), repeat=3))])
"""Fourteen directions, in which the corners of the first tetrahedron are sought."""


class EpaFound(Struct, frozen=True, eq=False):
    """Per pair (m,): `lower` and `upper` bounds of the depth, and the `normals` (m, 3) of the upper one, A to B.

    A negative upper bound proves the bodies apart. `steps` (m,): expansions.
    """

    lower: Reals
    upper: Reals
    normals: Reals
    steps: NDArray[np.int64]


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


class _Polytopes:
    """The surfaces: faces (m, f, 3) with unit normals and offsets, infinite for hidden or unused ones."""

    def __init__(self, corners: Reals, noise: Reals, vertices: int) -> None:
        """From tetrahedra (m, 4, 3), with room for a number of vertices."""
        count, dtype, room = len(corners), corners.dtype, _FACES_PER_VERTEX * vertices
        self.noise = noise
        self.points = np.zeros((count, vertices, 3), dtype=dtype)
        self.points[:, :4] = corners
        self.faces = np.zeros((count, room, 3), dtype=np.int16)
        self.normals = np.zeros((3, count, room), dtype=dtype)
        self.offsets = np.full((count, room), np.inf, dtype=dtype)
        self.owners = np.zeros((count, vertices, vertices), dtype=np.int16)
        self.face_counts = np.zeros(count, dtype=np.int64)
        a, b, c, d = (corners[:, k].T for k in range(4))
        flipped = dots(d - a, crosses(b - a, c - a)) > 0.0
        p, q = np.where(flipped, 2, 1), np.where(flipped, 1, 2)
        zero, three = np.zeros_like(p), np.full_like(p, 3)
        loops = np.stack(
            [np.stack(loop, axis=1) for loop in ((zero, p, q), (zero, q, three), (q, p, three), (p, zero, three))],
            axis=1,
        )
        rows = np.repeat(np.arange(count), 4)
        self._add(rows, np.tile(np.arange(4), count), loops.reshape(-1, 3))
        self.face_counts += 4

    def nearest(self, rows: Rows) -> Rows:
        """Numbers (k,) of the faces nearest the origin."""
        used = int(self.face_counts[rows].max())
        return np.asarray(self.offsets[rows, :used].argmin(axis=1))

    def _add(self, rows: Rows, slots: Rows, loops: NDArray[np.int64]) -> None:
        """Writes faces, each into its slot; `loops` (k, 3) counter-clockwise from outside."""
        a, b, c = (self.points[rows, loops[:, k]].T for k in range(3))
        normals = _area_vectors(a, b, c)
        sizes = np.sqrt(dots(normals, normals))
        normals /= np.where(sizes > 0.0, sizes, 1)
        self.normals[:, rows, slots] = normals
        # A face without area is never the nearest.
        farthest = np.finfo(sizes.dtype).max
        self.offsets[rows, slots] = np.where(sizes > 0.0, dots(normals, a), farthest)
        self.faces[rows, slots] = loops
        i, j, k = loops.T
        self.owners[rows, i, j] = slots
        self.owners[rows, j, k] = slots
        self.owners[rows, k, i] = slots

    def grow(self, rows: Rows, corners: Reals, nearest: Rows, number: int) -> NDArray[np.bool_]:
        """Adds points (k, 3) beyond the faces `nearest` (k,) of the polytopes `rows` (k,); whether that went well.

        They become the vertex `number` of each. Where rounding leaves no clean rim fewer faces count as seen, in the
        end that one alone (core/gjk/polytope.py).
        """
        used = int(self.face_counts[rows].max())
        offsets = self.offsets[rows, :used]
        x, y, z = corners.T[:, :, None]
        heights = self.normals[0, rows, :used] * x
        heights += self.normals[1, rows, :used] * y
        heights += self.normals[2, rows, :used] * z
        heights -= offsets
        heights[offsets == np.inf] = -np.inf
        self.points[rows, number] = corners
        well = np.zeros(len(rows), dtype=np.bool_)
        left = np.arange(len(rows))
        for noise in (self.noise[rows], -self.noise[rows], np.full(len(rows), -np.inf)):
            seen = heights[left] > -noise[left, None]
            seen[np.arange(len(left)), nearest[left]] = True
            well[left] = self._replace(rows[left], seen, number)
            left = np.flatnonzero(~well)
            if not len(left):
                break
        return well

    def _replace(self, rows: Rows, seen: NDArray[np.bool_], number: int) -> NDArray[np.bool_]:
        """Replaces the faces `seen` (k, faces) by those from their rim to the vertex, where the rim is one loop."""
        which, faces = np.nonzero(seen)
        loops = self.faces[rows[which], faces].astype(np.int64)
        starts, ends = loops, loops[:, [1, 2, 0]]
        across = self.owners[rows[which, None], ends, starts]
        rim = ~seen[which[:, None], across]
        owner = np.repeat(which, 3).reshape(-1, 3)[rim]
        starts, ends = starts[rim], ends[rim]
        edges = np.bincount(owner, minlength=len(rows))
        hidden = np.bincount(which, minlength=len(rows))
        # What a loop of edges cuts off a sphere of triangles has two triangles fewer than the loop has edges.
        well = (edges == hidden + 2) & (self.face_counts[rows] + edges <= self.offsets.shape[1])
        rank = np.arange(len(owner)) - (np.cumsum(edges) - edges)[owner]
        going = well[owner]
        pairs = rows[owner[going]]
        slots = self.face_counts[pairs] + rank[going]
        kept = well[which]
        self.offsets[rows[which[kept]], faces[kept]] = np.inf
        new = np.full(len(pairs), number)
        self._add(pairs, slots, np.stack((starts[going], ends[going], new), axis=1))
        self.face_counts[rows[well]] += edges[well]
        return np.asarray(well)


def epa(supports: Supports, simplices: Reals, counts: NDArray[np.int64], scale: Scale, room: int) -> EpaFound:
    """The depths of m differences, with `room` for vertices.

    `simplices` (m, 4, 3) with `counts` (m,) points each, as GJK leaves them: a tetrahedron with a volume is the
    start, anything else is replaced. A difference without volume, to rounding, has the depth of its thickness.
    """
    dtype = simplices.dtype
    found = EpaFound(
        np.full(len(simplices), -np.inf, dtype=dtype),
        np.full(len(simplices), np.inf, dtype=dtype),
        np.zeros((len(simplices), 3), dtype=dtype),
        np.zeros(len(simplices), dtype=np.int64),
    )
    corners, solid = _starts(supports, simplices, counts, scale, found)
    own = np.flatnonzero(solid)
    if not len(own):
        return found
    polytopes = _Polytopes(corners[own], scale.rounding[own], room)
    local = np.arange(len(own))
    for number in range(4, room):
        faces = polytopes.nearest(local)
        normals, offsets = polytopes.normals[:, local, faces].T, polytopes.offsets[local, faces]
        points = supports(normals, own[local])
        values = dots(normals.T, points.T)
        mine = own[local]
        found.steps[mine] += 1
        better = values < found.upper[mine]
        found.upper[mine[better]], found.normals[mine[better]] = values[better], normals[better]
        found.lower[mine] = offsets
        again = same_points(polytopes.points[local, :number], points).any(axis=1)
        noise = scale.rounding[mine]
        going = ~again & (values - offsets > noise) & (values >= -noise)
        local, points, faces = local[going], points[going], faces[going]
        if not len(local):
            break
        local = local[polytopes.grow(local, points, faces, number)]
        if not len(local):
            break
    found.lower[:] = np.minimum(found.lower, found.upper)
    return found


def _starts(
    supports: Supports, simplices: Reals, counts: NDArray[np.int64], scale: Scale, found: EpaFound
) -> tuple[Reals, NDArray[np.bool_]]:
    """Tetrahedra (m, 4, 3), and where there is one; the rest is flat, and answered."""
    a, b, c, d = (simplices[:, k].T for k in range(4))
    areas = crosses(b - a, c - a)
    solid = (counts == 4) & (np.abs(dots(areas, d - a)) > scale.rounding * np.sqrt(dots(areas, areas)))
    if solid.all():
        return simplices, solid
    corners = simplices.copy()
    rows = np.flatnonzero(~solid)
    corners[rows], normals, solid[rows] = _tetrahedra(supports, rows, scale.rounding[rows])
    thin = ~solid[rows]
    _see_flat(supports, rows[thin], normals[thin], found)
    return corners, solid


def _see_flat(supports: Supports, flat: Rows, normals: Reals, found: EpaFound) -> None:
    """The thickness of the `flat` ones (k,) of the differences, along their `normals` (k, 3) either way."""
    for way in (normals, -normals):
        values = dots(way.T, supports(way, flat).T)
        thinner = values < found.upper[flat]
        found.upper[flat[thinner]], found.normals[flat[thinner]] = values[thinner], way[thinner]
    found.lower[flat] = 0


def _tetrahedra(supports: Supports, rows: Rows, noise: Reals) -> tuple[Reals, Reals, NDArray[np.bool_]]:
    """Four support points (m, 4, 3) of each difference that span a volume; normals (m, 3); whether they do.

    Of the supports in fourteen directions each is the one farthest off the point, line or plane of those before. The
    normal is that of the plane, or any perpendicular of the line.
    """
    count = len(rows)
    spread = [supports(np.broadcast_to(d.astype(noise.dtype), (count, 3)), rows).T for d in _SPREAD]
    candidates = np.stack(spread, axis=1)
    columns = np.arange(count)
    first = candidates[:, 0]
    ways = candidates - first[:, None]
    side = ways[:, dots(ways, ways).argmax(axis=0), columns]
    areas = crosses(np.broadcast_to(side[:, None], ways.shape), ways)
    best = dots(areas, areas).argmax(axis=0)
    second, area = ways[:, best, columns], areas[:, best, columns]
    volumes = dots(area[:, None], ways)
    best = np.abs(volumes).argmax(axis=0)
    third, volume = ways[:, best, columns], np.abs(volumes[best, columns])
    corners = np.stack((first, first + side, first + second, first + third)).transpose(2, 0, 1)
    sizes = np.sqrt(dots(area, area))
    thin = sizes <= noise * np.sqrt(dots(side, side))
    normals = np.where(thin, _perpendiculars(side), area / np.where(thin, 1, sizes))
    return corners, normals.T, (volume > noise * sizes) & ~thin


def _perpendiculars(sides: Reals) -> Reals:
    """Unit vectors (3, m) perpendicular to vectors (3, m), which may be zero."""
    least = np.zeros_like(sides)
    least[np.abs(sides).argmin(axis=0), np.arange(sides.shape[1])] = 1
    across = crosses(sides, least)
    sizes = np.sqrt(dots(across, across))
    out: Reals = np.where(sizes > 0.0, across / np.where(sizes > 0.0, sizes, 1), least)
    return out

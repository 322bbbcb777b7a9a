"""A growing convex polytope of triangles, as EPA needs it: its nearest face, and what one more point does to it.

A new point sees some faces and hides them; the rim between hidden and remaining faces is the horizon, and each of its
edges makes a new face with the point. A face whose plane holds the point, to rounding, stays if the new face beside it
is high enough to lie in that plane to many digits: so a round cap grows by an ear at each point of its rim. Else it
counts as seen: then no point is ever joined to an edge in line with it, and no face is flatter than rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import copysign, inf, sqrt

from msgspec import Struct

from ..geometry.tolerances import DOUBLE, Precision
from ..geometry.triple import ZERO, Triple, along, cross, dot, length, scaled, sub
from .simplex import triangle_normal

SLIVER = 1e-3
"""A triangle whose sides enclose a smaller sine gets its normal made perpendicular to its longest side: the cross
product of nearly parallel sides leans along them by rounding over the sine."""

FIRM = 1e12
"""Neighbours in one plane stay apart if the newer is at least so many times as high as the plane is uncertain: their
normals agree to 1e-12. Smaller, and tilted slivers of a flat cap spoil the lower bound; larger, and more of the cap is
made anew at each point of its rim, in the end all of it (hundreds of faces a step)."""


class PolytopeFace(Struct, frozen=True):
    """A triangle: `vertices` counter-clockwise seen from outside, unit `normal`, `offset` = normal·p on its plane."""

    number: int
    vertices: tuple[int, int, int]
    normal: Triple
    offset: float


class Growth(Struct, frozen=True):
    """What a new point did: faces hidden and removed, the horizon as directed edges, the faces added."""

    removed: tuple[PolytopeFace, ...]
    horizon: tuple[tuple[int, int], ...]
    added: tuple[PolytopeFace, ...]


class Polytope:
    """A closed surface of triangles; `noise` is the distance within which a point counts as in a face's plane.

    FIRM times it is a share of the bodies' size, the same one in any `precision` of the numbers. Starts as the
    tetrahedron of four points that span a volume, in any order.
    """

    def __init__(self, corners: Sequence[Triple], noise: float, precision: Precision = DOUBLE) -> None:
        self.points: list[Triple] = list(corners)
        self.faces: dict[int, PolytopeFace] = {}
        self._noise, self._firm = noise, FIRM / precision.coarser * noise
        self._owner: dict[tuple[int, int], int] = {}
        self._queue: list[tuple[float, int]] = []
        self._next = 0
        a, b, c, d = self.points
        self._far = max(dot(point, point) for point in self.points)
        upright = dot(sub(d, a), cross(sub(b, a), sub(c, a))) < 0.0
        p, q = (1, 2) if upright else (2, 1)
        self._add([(0, p)], q)
        self._add([(0, q), (q, p), (p, 0)], 3)

    def nearest(self) -> PolytopeFace:
        """The face whose plane is nearest the origin, or farthest behind it; the oldest of several."""
        while True:
            face = self.faces.get(self._queue[0][1])
            if face is not None:
                return face
            heappop(self._queue)

    def grow(self, point: Triple, seen_first: PolytopeFace) -> Growth:
        """Adds a point that lies outside the face `seen_first`."""
        # Where rounding leaves no clean rim fewer faces count as seen: none in whose plane the point lies, in the end
        # that one face alone. So the surface may be dented, but stays closed, and what stays behind it is a face: with
        # the origin inside, the nearest plane bounds the depth from below all the same. (The rim of two is clean.)
        noise = self._noise
        for beyond, behind in ((noise, -noise), (noise, noise), (inf, inf)):
            hidden, horizon = self._hidden(point, seen_first, beyond, behind)
            if len(hidden) <= 2 or _is_one_loop(horizon):
                break
        new = len(self.points)
        self.points.append(point)
        self._far = max(self._far, dot(point, point))
        for face in hidden:
            i, j, k = face.vertices
            del self.faces[face.number], self._owner[i, j], self._owner[j, k], self._owner[k, i]
        return Growth(tuple(hidden), tuple(horizon), self._add(horizon, new))

    def _add(self, edges: Sequence[tuple[int, int]], k: int) -> tuple[PolytopeFace, ...]:
        """Joins directed edges to the point k."""
        points, faces, owner, queue, added = self.points, self.faces, self._owner, self._queue, []
        # No side's square is more than four times the farthest point's: most triangles are no slivers at first sight.
        small = SLIVER * self._far
        firm = 16.1 * small * small
        cx, cy, cz = points[k]
        for number, (i, j) in enumerate(edges, self._next):
            (ax, ay, az), (bx, by, bz) = points[i], points[j]
            ux, uy, uz = bx - ax, by - ay, bz - az
            vx, vy, vz = cx - ax, cy - ay, cz - az
            x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            squared = x * x + y * y + z * z
            if firm < squared < inf or (
                inf > squared > SLIVER * SLIVER * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
            ):
                factor = 1.0 / sqrt(squared)
                normal = x, y, z = x * factor, y * factor, z * factor
                offset = x * ax + y * ay + z * az
            else:
                normal, offset = _sliver_plane(points[i], points[j], points[k])
            faces[number] = face = PolytopeFace(number, (i, j, k), normal, offset)
            owner[i, j] = owner[j, k] = owner[k, i] = number
            heappush(queue, (offset, number))
            added.append(face)
        self._next += len(added)
        return tuple(added)

    def _hidden(
        self, point: Triple, first: PolytopeFace, beyond: float, behind: float
    ) -> tuple[list[PolytopeFace], list[tuple[int, int]]]:
        """Faces that the point sees, with what must go of those in whose plane it lies; and their rim.

        Seen are `first` and, beside those seen, faces with the point more than `beyond` in front; it lies in the plane
        of one that it is more than `behind` in front of. Such a face goes where the new face beside it would have no
        firm plane of its own, or would face inwards: then the point lies on that face's side of the edge between them.
        """
        px, py, pz = point
        faces, owner, points = self.faces, self._owner, self.points
        gone = {first.number}
        hidden = [first]
        firm = self._firm
        rim: list[tuple[int, int]] = []
        others: list[int] = []
        for seen in hidden:
            i, j, k = seen.vertices
            for edge in ((i, j), (j, k), (k, i)):
                u, v = edge
                other = owner[v, u]
                if other in gone:
                    continue
                face = faces[other]
                nx, ny, nz = face.normal
                height = nx * px + ny * py + nz * pz - face.offset
                if height > beyond or (height > behind and _height(points[u], points[v], point, face.normal) < firm):
                    gone.add(other)
                    hidden.append(face)
                else:
                    rim.append(edge)
                    others.append(other)
        # Of two faces all is known by now; of more, one may have gone after its edge was taken for rim.
        if len(hidden) > 2:
            rim = [edge for edge, other in zip(rim, others, strict=True) if other not in gone]
        return hidden, rim


def _height(a: Triple, b: Triple, c: Triple, normal: Triple) -> float:
    """The height of a triangle over its longest side, negative if clockwise about `normal`; 0 if it is a point."""
    sides = (sub(b, a), sub(c, b), sub(a, c))
    longest = max(map(length, sides))
    area = cross(sides[0], sides[1])
    return copysign(length(area), dot(area, normal)) / longest if longest > 0.0 else 0.0


def _is_one_loop(horizon: list[tuple[int, int]]) -> bool:
    """Whether directed edges close into a single loop that passes each vertex once."""
    following = dict(horizon)
    if len(horizon) < 3 or len(following) != len(horizon):
        return False
    start = vertex = horizon[0][0]
    for _ in range(len(horizon) - 1):
        vertex = following.get(vertex, start)
        if vertex == start:
            return False
    return following.get(vertex) == start


def _sliver_plane(a: Triple, b: Triple, c: Triple) -> tuple[Triple, float]:
    """Unit normal and offset of the plane of a triangle that is nearly a line, from its two shorter sides.

    One without any area has no normal (zero); its offset is that of its farthest corner, so that its neighbours, who
    have the same sides, are found before it.
    """
    longest, start = max(((sub(b, a), a), (sub(c, b), b), (sub(a, c), c)), key=lambda side: length(side[0]))
    normal = triangle_normal(a, b, c)
    span = dot(longest, longest)
    if span > 0.0:
        normal = along(normal, -dot(normal, longest) / span, longest)
    size = length(normal)
    if size == 0.0:
        return ZERO, max(length(a), length(b), length(c))
    normal = scaled(normal, 1.0 / size)
    return normal, dot(normal, start)

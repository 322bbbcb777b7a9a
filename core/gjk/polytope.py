"""EPA's growing convex polytope of triangles: its nearest face, and its change by one more point.

The faces that a new point sees are removed. The edges between removed and remaining faces are the horizon, and each of
them makes a new face with the point. A face whose plane contains the point, to rounding, stays if the new face beside
it is high enough to lie in that plane to many digits. A round cap then grows by one triangle at each new point.
Otherwise the face is removed as well. So no point is joined to an edge in line with it, and no face is flatter than
rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import copysign, inf, sqrt

from msgspec import Struct

from ..geometry.tolerances import DOUBLE, Precision
from ..geometry.triple import ZERO, Triple, cross, dot, length, point_along, scaled, sub
from .simplex import triangle_normal

SLIVER = 1e-3
"""A triangle whose sides enclose a smaller sine gets its normal made perpendicular to its longest side: the cross
product of nearly parallel sides leans along them by rounding over the sine."""

LEAST_HEIGHT = 1e12
"""Neighbours in one plane stay separate if the newer one's height is at least this many times the plane's uncertainty:
their normals then agree to 1e-12. Smaller, and tilted slivers of a flat cap spoil the lower bound; larger, and more of
the cap is rebuilt at each point of its horizon, in the end all of it (hundreds of faces a step)."""


class PolytopeFace(Struct, frozen=True):
    """A triangle: `vertices` counter-clockwise seen from outside, unit `normal`, `offset` = normal·p on its plane."""

    number: int
    vertices: tuple[int, int, int]
    normal: Triple
    offset: float


class Growth(Struct, frozen=True):
    """The change by a new point: the faces removed, the horizon as directed edges, and the faces added."""

    removed: tuple[PolytopeFace, ...]
    horizon: tuple[tuple[int, int], ...]
    added: tuple[PolytopeFace, ...]


class Polytope:
    """A closed surface of triangles; `noise` is the distance within which a point counts as in a face's plane.

    The surface starts as the tetrahedron of `corners`, four points that span a volume, in any order. The height that
    LEAST_HEIGHT requires is the same fraction of the bodies' size in any `precision`.
    """

    def __init__(self, corners: Sequence[Triple], noise: float, precision: Precision = DOUBLE) -> None:
        self.points: list[Triple] = list(corners)
        self.faces: dict[int, PolytopeFace] = {}
        self._noise, self._least_height = noise, LEAST_HEIGHT / precision.coarser * noise
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
        """The face with the least offset; of equal ones the oldest. The offset is negative if the origin is outside."""
        while True:
            face = self.faces.get(self._queue[0][1])
            if face is not None:
                return face
            heappop(self._queue)

    def grow(self, point: Triple, first: PolytopeFace) -> Growth:
        """Adds a point that lies outside the face `first`."""
        # If rounding makes the horizon no single loop, fewer faces are removed: first none whose plane contains the
        # point, then `first` alone. The surface may become dented, but stays closed. With the origin inside, the
        # nearest plane still bounds the depth from below. The horizon of one or two faces is always one loop.
        noise = self._noise
        for beyond, behind in ((noise, -noise), (noise, noise), (inf, inf)):
            removed, horizon = self._to_remove(point, first, beyond, behind)
            if len(removed) <= 2 or _is_one_loop(horizon):
                break
        new = len(self.points)
        self.points.append(point)
        self._far = max(self._far, dot(point, point))
        for face in removed:
            i, j, k = face.vertices
            del self.faces[face.number], self._owner[i, j], self._owner[j, k], self._owner[k, i]
        return Growth(tuple(removed), tuple(horizon), self._add(horizon, new))

    def _add(self, edges: Sequence[tuple[int, int]], k: int) -> tuple[PolytopeFace, ...]:
        """Joins directed edges to the point k."""
        points, faces, owner, queue, added = self.points, self.faces, self._owner, self._queue, []
        # A side's square is at most four times the square of the farthest point's distance from the origin: this first
        # test shows for most triangles that they are no slivers.
        small = SLIVER * self._far
        no_sliver = 16.1 * small * small
        cx, cy, cz = points[k]
        for number, (i, j) in enumerate(edges, self._next):
            (ax, ay, az), (bx, by, bz) = points[i], points[j]
            ux, uy, uz = bx - ax, by - ay, bz - az
            vx, vy, vz = cx - ax, cy - ay, cz - az
            x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            squared = x * x + y * y + z * z
            if no_sliver < squared < inf or (
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

    def _to_remove(
        self, point: Triple, first: PolytopeFace, beyond: float, behind: float
    ) -> tuple[list[PolytopeFace], list[tuple[int, int]]]:
        """The faces to remove for the new point, and the horizon as directed edges.

        The search starts at `first` and goes on to neighbours of removed faces. A neighbour is removed if the point is
        more than `beyond` in front of it. If the point is between `behind` and `beyond` in front, it counts as in the
        plane; the neighbour is then removed if the new face beside it would be lower than LEAST_HEIGHT requires, or
        would face inwards.
        """
        px, py, pz = point
        faces, owner, points = self.faces, self._owner, self.points
        gone = {first.number}
        removed = [first]
        least_height = self._least_height
        horizon: list[tuple[int, int]] = []
        others: list[int] = []
        for face_removed in removed:
            i, j, k = face_removed.vertices
            for edge in ((i, j), (j, k), (k, i)):
                u, v = edge
                other = owner[v, u]
                if other in gone:
                    continue
                face = faces[other]
                nx, ny, nz = face.normal
                height = nx * px + ny * py + nz * pz - face.offset
                if height > beyond or (
                    height > behind and _height(points[u], points[v], point, face.normal) < least_height
                ):
                    gone.add(other)
                    removed.append(face)
                else:
                    horizon.append(edge)
                    others.append(other)
        # With more than two faces, one may have been removed after its edge was added to the horizon.
        if len(removed) > 2:
            horizon = [edge for edge, other in zip(horizon, others, strict=True) if other not in gone]
        return removed, horizon


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

    A triangle without any area has a zero normal. Its offset is the distance of its farthest corner from the origin, so
    that neighbours, which share its sides, are nearer.
    """
    longest, start = max(((sub(b, a), a), (sub(c, b), b), (sub(a, c), c)), key=lambda side: length(side[0]))
    normal = triangle_normal(a, b, c)
    span = dot(longest, longest)
    if span > 0.0:
        normal = point_along(normal, -dot(normal, longest) / span, longest)
    size = length(normal)
    if size == 0.0:
        return ZERO, max(length(a), length(b), length(c))
    normal = scaled(normal, 1.0 / size)
    return normal, dot(normal, start)

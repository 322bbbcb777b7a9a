"""The point of a simplex (one to four points) nearest the origin: GJK's sub-distance, by two methods.

Voronoi regions (Ericson 2005, sections 5.1.2 to 5.1.6) test for each vertex, edge and face whether the origin lies in
its region. Signed Volumes (Montanari, Petrinic, Barbieri 2017) project on the coordinate axis or plane in which the
simplex is largest and compare the signs of cofactors. Both are written for any order of the points, where the papers
may assume that the newest comes last or first. For a simplex that is flat as far as doubles can tell both use its
sides, so that the answer is always a point of the simplex.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations
from math import sqrt

from msgspec import Struct

from ..geometry.tolerances import FLAT
from ..geometry.triple import ZERO, Triple, cross, dot, length, point_along, sub


class SubDistance(StrEnum):
    """The method of the sub-distance."""

    VORONOI = "voronoi"
    SIGNED_VOLUMES = "signed volumes"


class NearestOnSimplex(Struct, frozen=True):
    """The simplex's `point` nearest the origin, and its feature and weights.

    `region`: indices of the points that span the smallest feature with that point; `weights`: of these points,
    positive, with sum 1. A region of all four points means that the origin is strictly inside.
    """

    region: tuple[int, ...]
    weights: tuple[float, ...]
    point: Triple


def nearest_on_simplex(
    points: Sequence[Triple], method: SubDistance = SubDistance.VORONOI, flat: float = FLAT
) -> NearestOnSimplex:
    """The point nearest the origin of the simplex with one to four `points`.

    `flat`: heights up to this share of the sides count as zero, as in FLAT; coarser numbers need a larger one.
    """
    if len(points) == 1:
        return NearestOnSimplex((0,), (1.0,), points[0])
    return _METHODS[method][len(points) - 2](points, (0, 1, 2, 3)[: len(points)], flat)


# Products are written out below, where GJK and EPA spend their time: a call costs more than three products.


def _longest(p: float, q: float, r: float) -> int:
    """The index of the largest of three squares, the first of equal ones."""
    return (0 if p >= r else 2) if p >= q else (1 if q >= r else 2)


def triangle_normal(a: Triple, b: Triple, c: Triple) -> Triple:
    """A normal of the triangle, on the side from which it is counter-clockwise, of any length.

    It is the product of the two shorter sides, which loses the fewest digits.
    """
    sides = (sub(b, a), sub(c, b), sub(a, c))
    longest = _longest(*(dot(side, side) for side in sides))
    return cross(sides[longest - 2], sides[longest - 1])


def _vertex(points: Sequence[Triple], i: int) -> NearestOnSimplex:
    return NearestOnSimplex((i,), (1.0,), points[i])


def _on_segment(points: Sequence[Triple], i: int, j: int, t: float) -> NearestOnSimplex:
    """The point at the share `t` of the way from point i to point j, with 0 < t < 1; computed from the nearer end."""
    (ax, ay, az), (bx, by, bz) = a, b = points[i], points[j]
    (x, y, z), share = (a, t) if t <= 0.5 else (b, t - 1.0)
    point = (x + share * (bx - ax), y + share * (by - ay), z + share * (bz - az))
    return NearestOnSimplex((i, j), (1.0 - t, t), point)


def _in_triangle(points: Sequence[Triple], corners: tuple[int, ...], u: float, v: float, w: float) -> NearestOnSimplex:
    """The point with weights proportional to u, v, w, all of one sign, on three corners."""
    total = u + v + w
    u, v, w = u / total, v / total, w / total
    i, j, k = corners
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[i], points[j], points[k]
    point = (u * ax + v * bx + w * cx, u * ay + v * by + w * cy, u * az + v * bz + w * cz)
    return NearestOnSimplex(corners, (u, v, w), point)


Solver = Callable[[Sequence[Triple], tuple[int, ...], float], NearestOnSimplex]


def _nearest_of(
    points: Sequence[Triple], sides: Sequence[tuple[int, ...]], solve: Solver, flat: float
) -> NearestOnSimplex:
    """The nearest point of several sides; of equally near ones the first."""
    found = [solve(points, side, flat) for side in sides]
    return found[0] if len(found) == 1 else min(found, key=lambda one: length(one.point))


@cache
def _sides(corners: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The sides of a simplex: side k lacks corner k."""
    return tuple(corners[:k] + corners[k + 1 :] for k in range(len(corners)))


def _same_sign(p: float, q: float) -> bool:
    return (p > 0.0 and q > 0.0) or (p < 0.0 and q < 0.0)


# Voronoi regions.


def _segment_voronoi(points: Sequence[Triple], corners: tuple[int, ...], _flat: float) -> NearestOnSimplex:
    i, j = corners
    (ax, ay, az), (bx, by, bz) = points[i], points[j]
    x, y, z = bx - ax, by - ay, bz - az
    reach, whole = -(ax * x + ay * y + az * z), x * x + y * y + z * z
    if reach <= 0.0:
        return _vertex(points, i)
    if reach >= whole:
        return _vertex(points, j)
    return _on_segment(points, i, j, reach / whole)


def _triangle_voronoi(points: Sequence[Triple], corners: tuple[int, ...], flat: float) -> NearestOnSimplex:
    i, j, k = corners
    a, b, c = points[i], points[j], points[k]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a, b, c
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    a_ab, a_ac = -(ax * ux + ay * uy + az * uz), -(ax * vx + ay * vy + az * vz)
    if a_ab <= 0.0 and a_ac <= 0.0:
        return _vertex(points, i)
    b_ab, b_ac = -(bx * ux + by * uy + bz * uz), -(bx * vx + by * vy + bz * vz)
    if b_ab >= 0.0 and b_ac <= b_ab:
        return _vertex(points, j)
    c_ab, c_ac = -(cx * ux + cy * uy + cz * uz), -(cx * vx + cy * vy + cz * vz)
    if c_ac >= 0.0 and c_ab <= c_ac:
        return _vertex(points, k)
    wx, wy, wz = cx - bx, cy - by, cz - bz
    squares = ux * ux + uy * uy + uz * uz, wx * wx + wy * wy + wz * wz, vx * vx + vy * vy + vz * vz
    weights = _foot_weights((a, b, c), squares, flat)
    if weights is None:
        return _nearest_of(points, _sides(corners), _segment_voronoi, flat)
    u, v, w = weights
    if u <= 0.0 or v <= 0.0 or w <= 0.0:
        beyond = [side for side, weight in zip(_sides(corners), weights, strict=True) if weight <= 0.0]
        return _nearest_of(points, beyond, _segment_voronoi, flat)
    return _in_triangle(points, corners, u, v, w)


def _foot_weights(corners: tuple[Triple, Triple, Triple], squares: Triple, flat: float) -> list[float] | None:
    """Barycentric weights of the origin's foot on a triangle's plane; None if the triangle is a line in doubles.

    `squares`: of the sides from the first corner to the second, on to the third, and back.

    Ericson's areas lose the digits of a needle's short side. Here the height over the longest side is computed first,
    from the end where the shortest side is. The share along the longest side is computed last. Each is then accurate to
    the rounding of its own side.
    """
    # The start of the long side, its other end, and the corner opposite, which is near the start.
    start = _longest(*squares)
    end, opposite, whole = start - 2, start - 1, squares[start]
    if whole == 0.0:
        return None
    if squares[opposite] > squares[end]:
        start, end = end, start
    (px, py, pz), (bx, by, bz), (ax, ay, az) = corners[start], corners[end], corners[opposite]
    bx, by, bz, ax, ay, az = bx - px, by - py, bz - pz, ax - px, ay - py, az - pz
    share = -(ax * bx + ay * by + az * bz) / whole
    x, y, z = ax + share * bx, ay + share * by, az + share * bz
    # Projected twice: for corners nearly in line, rounding leaves a height that is not perpendicular to the side.
    share = -(x * bx + y * by + z * bz) / whole
    x, y, z = x + share * bx, y + share * by, z + share * bz
    squared = x * x + y * y + z * z
    if squared <= flat * flat * whole:
        return None
    across = -(px * x + py * y + pz * z) / squared
    along_it = -((px + across * ax) * bx + (py + across * ay) * by + (pz + across * az) * bz) / whole
    weights = [0.0, 0.0, 0.0]
    weights[start], weights[end], weights[opposite] = 1.0 - along_it - across, along_it, across
    return weights


_FACE_SIDES = ((3, 5, 4), (1, 5, 2), (0, 4, 2), (0, 3, 1))
"""The sides of the face without corner k, as a loop, each as its index among the six pairs of corners."""


def _tetrahedron_voronoi(points: Sequence[Triple], corners: tuple[int, ...], flat: float) -> NearestOnSimplex:
    beyond = []
    weights = []
    sides, squares = [], []
    for (ax, ay, az), (bx, by, bz) in combinations(points, 2):
        x, y, z = side = bx - ax, by - ay, bz - az
        sides.append(side)
        squares.append(x * x + y * y + z * z)
    for opposite, face in enumerate(_sides(corners)):
        (ax, ay, az), (px, py, pz) = points[face[0]], points[opposite]
        # A normal from the two shorter sides, as in `triangle_normal`, but towards either side.
        p, q, r = loop = _FACE_SIDES[opposite]
        longest = _longest(squares[p], squares[q], squares[r])
        (ux, uy, uz), (vx, vy, vz) = sides[loop[longest - 2]], sides[loop[longest - 1]]
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        corner, origin = x * (px - ax) + y * (py - ay) + z * (pz - az), -(x * ax + y * ay + z * az)
        # The origin is inside of this face if it lies on the opposite corner's side of its plane. If that corner is in
        # the plane, to rounding, the tetrahedron is flat; if the origin is, it counts as on the face.
        if (corner > 0.0 and origin > 0.0) or (corner < 0.0 and origin < 0.0):
            noise = flat * sqrt(squares[loop[longest - 2]]) * sqrt(squares[loop[longest - 1]])
            if abs(corner) > noise * length(points[opposite]) and abs(origin) > noise * length(points[face[0]]):
                weights.append(origin / corner)
                continue
        beyond.append(face)
    if beyond:
        return _nearest_of(points, beyond, _triangle_voronoi, flat)
    total = sum(weights)
    return NearestOnSimplex(corners, tuple(weight / total for weight in weights), ZERO)


# Signed Volumes.


def _segment_signed(points: Sequence[Triple], corners: tuple[int, ...], _flat: float) -> NearestOnSimplex:
    i, j = corners
    a, b = points[i], points[j]
    side = sub(b, a)
    whole = dot(side, side)
    if whole == 0.0:
        return _vertex(points, i)
    foot = point_along(a, -dot(a, side) / whole, side)
    axis = max(range(3), key=lambda k: abs(side[k]))
    span = side[axis]
    at_a, at_b = b[axis] - foot[axis], foot[axis] - a[axis]
    if _same_sign(span, at_a) and _same_sign(span, at_b):
        return _on_segment(points, i, j, at_b / span)
    return _vertex(points, i if _same_sign(span, at_a) else j)


def _triangle_signed(points: Sequence[Triple], corners: tuple[int, ...], flat: float) -> NearestOnSimplex:
    a, b, c = (points[k] for k in corners)
    ab, ac = sub(b, a), sub(c, a)
    normal = cross(ab, ac)
    squared = dot(normal, normal)
    if squared <= flat * flat * dot(ab, ab) * dot(ac, ac):
        return _nearest_of(points, _sides(corners), _segment_signed, flat)
    # The three projections' areas are the normal's components; the largest keeps the most digits.
    axis = max(range(3), key=lambda k: abs(normal[k]))
    x, y = (axis + 1) % 3, (axis + 2) % 3
    height = dot(a, normal) / squared
    fx, fy = normal[x] * height, normal[y] * height

    def area(p: Triple, q: Triple) -> float:
        """Twice the signed area of the foot and two corners in the projection."""
        return (p[x] - fx) * (q[y] - fy) - (p[y] - fy) * (q[x] - fx)

    areas = (area(b, c), area(c, a), area(a, b))
    beyond = [side for side, part in zip(_sides(corners), areas, strict=True) if not _same_sign(normal[axis], part)]
    if not beyond:
        return _in_triangle(points, corners, *areas)
    return _nearest_of(points, beyond, _segment_signed, flat)


def _tetrahedron_signed(points: Sequence[Triple], corners: tuple[int, ...], flat: float) -> NearestOnSimplex:
    a, b, c, d = (points[k] for k in corners)
    # Cofactors of the row of ones in the matrix of the four points: volumes of the origin with each face.
    cofactors = (dot(b, cross(c, d)), -dot(a, cross(c, d)), dot(a, cross(b, d)), -dot(a, cross(b, c)))
    volume = dot(sub(b, a), cross(sub(c, a), sub(d, a)))
    noise = flat * length(sub(b, a)) * length(sub(c, a)) * length(sub(d, a))
    beyond = [
        face
        for face, cofactor in zip(_sides(corners), cofactors, strict=True)
        if abs(volume) <= noise or not _same_sign(volume, cofactor)
    ]
    if not beyond:
        total = sum(cofactors)
        return NearestOnSimplex(corners, tuple(cofactor / total for cofactor in cofactors), ZERO)
    return _nearest_of(points, beyond, _triangle_signed, flat)


_METHODS: dict[SubDistance, tuple[Solver, Solver, Solver]] = {
    SubDistance.VORONOI: (_segment_voronoi, _triangle_voronoi, _tetrahedron_voronoi),
    SubDistance.SIGNED_VOLUMES: (_segment_signed, _triangle_signed, _tetrahedron_signed),
}

"""Bounds of the depth from an ellipsoid inside the difference, for pairs on which EPA's bounds do not meet.

If the nearest points of the boundary form a ring, as for a point on a spheroid's axis, no polytope converges on it. The
difference must be a sum of ellipsoids and a polyhedron. Newton's method finds the least support value, from EPA's last
normal; that improves the upper bound. For the lower bound a single ellipsoid is placed inside so that it touches the
boundary there: the depth of the origin in it has a formula (`closed_form.ellipsoids`).

The ellipsoid with the symmetric matrix S has the support value |S n| along n. For any rotations or reflections U, V
`|S n| + |T n| + |s (u·n)| >= |(S + U T + V s u uᵀ) n|` by the triangle inequality. So the ellipsoid on the right, moved
to a point of the polyhedron, lies in the sum of all (Kurzhanski, Vályi: *Ellipsoidal Calculus for Estimation and
Control*, 1997). With U and V such that all terms are parallel along one n, it touches the sum there.

For two ellipsoids about one centre such an inner ellipsoid may be more sharply curved than their sum all along a ring.
Their support value is `sqrt(x) + sqrt(y)` with x = n·S²n and y = n·T²n, and over unit vectors of space (x, y) is a
convex set (L. Brickman: *On the Field of Values of a Matrix*, 1961). Its supporting lines, each from an eigenvalue,
bound it by a polygon, and the concave function is least at one of the polygon's corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf, sqrt

import numpy as np
from msgspec import Struct

from ..closed_form.ellipsoids import nearest_on_ellipsoid
from ..geometry import matrix
from ..geometry.matrix import Matrix, combined, eigen_of_two, largest, outer, stretches_of, times, transposed
from ..geometry.tolerances import ROUNDING
from ..geometry.triple import (
    ZERO,
    Triple,
    add,
    any_perpendicular,
    array_of,
    cross,
    dot,
    length,
    negated,
    point_along,
    scaled,
    sub,
    triple,
    unit,
)
from ..geometry.vector import Array, dots
from ..pair.support import Difference, Placed, Points, Shrunk, SupportMap

NEWTON_STEPS = 40
"""The largest number of Newton steps. From EPA's last normal five suffice, but with a second derivative of zero each
step reduces the error by only a third."""

LEAST_CURVATURES = (1e-4, 1e-9)
"""Two values of the least curvature in Newton's method, a fraction of the largest. If all normals of a ring are equally
good to rounding, the larger value keeps the method from running along the ring, away from where the vertex is farthest.
The smaller value finds a minimum that is only slightly lower."""

FARTHEST = 4
"""The number of farthest vertices that are tried, as EPA's normal is good to a few digits only."""

THINNEST = 1e-12
"""An ellipsoid flatter than this has no inside as far as doubles can tell, and proves nothing."""

SUPPORT_LINES = 96
"""The largest number of supporting lines added for two ellipsoids about one centre. Each halves an angle, which makes
the bounds there four times closer."""

NARROWEST = 1e-7
"""The least difference of the weights of two supporting lines for which doubles can compute where they cross."""

HALVINGS = 24
"""The largest number of halvings of a Newton step that overshoots; after them the rest counts as rounding."""


class InnerEllipsoid(Struct, frozen=True, eq=False):
    """The depth of the bodies is within [`lower`, `upper`]; along `normal` (3,), unit, A to B, it is `upper`.

    `witness_a`, `witness_b` (3,): on the bodies' surfaces, relative to A's position, `b - a = -upper normal`.
    """

    lower: float
    upper: float
    normal: Array
    witness_a: Array
    witness_b: Array


class _Stretch(Struct, frozen=True, eq=False):
    """An ellipsoid about the origin: the unit ball stretched by `radii` along the unit `axes`, each a row.

    `rows`: the symmetric matrix S of that stretch; `square`: S².
    """

    radii: Triple
    axes: Matrix
    rows: Matrix
    square: Matrix

    @staticmethod
    def of(radii: Triple, turn: Matrix) -> _Stretch:
        """The stretch along the columns of the rotation matrix `turn`."""
        x, y, z = transposed(turn)
        rows = matrix.product(transposed((x, y, z)), (scaled(x, radii[0]), scaled(y, radii[1]), scaled(z, radii[2])))
        return _Stretch(radii, (x, y, z), rows, matrix.product(rows, rows))


class _Summand(Struct, frozen=True, eq=False):
    """One body: the hull of `points` (k, 3) grown by an ellipsoid, if any, and a ball."""

    points: Array
    stretch: _Stretch | None
    radius: float

    def farthest(self, normal: Triple) -> Triple:
        """The vector from a point of the hull to the farthest point about it along a unit vector."""
        if self.stretch is None:
            return scaled(normal, self.radius)
        reached = times(self.stretch.rows, normal)
        return point_along(scaled(times(self.stretch.rows, reached), 1.0 / length(reached)), self.radius, normal)


class _FarthestFeature(Struct, frozen=True, eq=False):
    """A direction along which the `vertex` of the polyhedron is farthest, or all of the `edge` through it."""

    normal: Triple
    vertex: Triple
    edge: Triple | None


def inner_ellipsoid(difference: Difference, normal: Array, within: float, floor: float) -> InnerEllipsoid | None:
    """Bounds of the depth, searched from a unit `normal` (3,) near the right one.

    Returns the first bounds that are at most `within` apart, else the closest ones. `floor`: the lower bound of the
    depth that is already proved. None if the difference is no sum of ellipsoids and a polyhedron, has no ellipsoid, or
    if the polyhedron's farthest feature is neither a vertex nor an edge.
    """
    a, b = _summand(difference.a, difference.radius_a), _summand(difference.b, difference.radius_b)
    if a is None or b is None:
        return None
    points = (a.points[:, None] - b.points[None]).reshape(-1, 3)
    stretches = [stretch for stretch in (a.stretch, b.stretch) if stretch is not None]
    if not stretches:
        return None
    best, noise, heading, first = None, 1e-15 * difference.extent, triple(normal), triple(points[0])
    if len(stretches) == 2 and length(first) <= within:
        start = _least(stretches, first, None, heading, noise, LEAST_CURVATURES[1])
        least = _about_one_centre(stretches[0], stretches[1], start) - length(first)
        floor = max(floor, least + a.radius + b.radius)
    for way in _ways(stretches, points, heading, noise):
        found = _bounds(a, b, stretches, points, way, noise, floor)
        if found is not None and (best is None or found.upper - found.lower < best.upper - best.lower):
            best = found
            if found.upper - found.lower <= within:
                break
    return best


def _ways(stretches: Sequence[_Stretch], points: Array, normal: Triple, noise: float) -> Iterator[_FarthestFeature]:
    """Yields directions in which the support value may be least, each with a farthest vertex or edge.

    These are minima for the two farthest vertices, and for the edges that join two of the FARTHEST vertices. The
    searches start from the normal and from its opposite, as deep inside an ellipsoid both may be equally good. The
    ellipsoids' own axes follow, each ellipsoid's shortest first: for aligned bodies the minimum is there, and may be
    flat to the fourth power.
    """
    for start in (normal, negated(normal)):
        order = np.argsort(-dots(points, array_of(start)), kind="stable")[:FARTHEST]
        far = [triple(points[k]) for k in order]
        for vertex, curvature in product(far[:2], LEAST_CURVATURES):
            yield _FarthestFeature(_least(stretches, vertex, None, start, noise, curvature), vertex, None)
        for (first, second), curvature in product(combinations(far, 2), LEAST_CURVATURES):
            edge = unit(sub(second, first))
            if edge is not None and (across := unit(point_along(start, -dot(start, edge), edge))) is not None:
                yield _FarthestFeature(_least(stretches, first, edge, across, noise, curvature), first, edge)
    for stretch in stretches:
        axes = [axis for _, axis in sorted(zip(stretch.radii, stretch.axes, strict=True), key=lambda pair: pair[0])]
        for axis in (*axes, *map(negated, axes)):
            yield _FarthestFeature(axis, triple(points[int(dots(points, array_of(axis)).argmax())]), None)


def _summand(support: SupportMap, radius: float) -> _Summand | None:
    if isinstance(support, Points):
        return _Summand(support.points, None, radius)
    if not (isinstance(support, Placed) and isinstance(support.farthest, Shrunk)):
        return None
    shrunk = support.farthest
    radii = shrunk.radii
    if min(radii) <= THINNEST * max(radii):
        return None
    return _Summand(np.array([support.offset]), _Stretch.of(radii, support.rotation), radius - shrunk.radius)


def _least(
    stretches: Sequence[_Stretch], vertex: Triple, edge: Triple | None, normal: Triple, noise: float, curvature: float
) -> Triple:
    """The unit vector n that minimises `Σ |S n| + vertex·n`, by Newton's method from `normal`.

    With an `edge`, n stays perpendicular to it. `noise`: the rounding of a value. `curvature`: the least second
    derivative that is used, as a fraction of the largest.
    """
    value = _reach(stretches, vertex, normal)
    for _ in range(NEWTON_STEPS):
        slope, bend = _derivatives(stretches, vertex, normal)
        flattest = curvature * largest(bend)
        if edge is None:
            step = _step(normal, slope, bend, value, flattest)
        else:
            across = cross(edge, normal)
            curved = max(abs(dot(across, times(bend, across)) - value), flattest)
            step = scaled(across, -dot(across, slope) / curved)
        share = 1.0
        for _ in range(HALVINGS):
            moved = unit(point_along(normal, share, step))
            if moved is not None and (there := _reach(stretches, vertex, moved)) <= value + noise:
                break
            share *= 0.5
        else:
            return normal
        normal, value = moved, there
        if length(step) <= noise / max(abs(value), noise):
            return normal
    return normal


def _step(normal: Triple, slope: Triple, bend: Matrix, value: float, flattest: float) -> Triple:
    """Newton's step perpendicular to a unit `normal`, with every curvature made positive and at least `flattest`."""
    first, second = _sides(normal)
    one, other, x, y = _across(bend, first, second, value)
    u, v = dot(first, slope), dot(second, slope)
    by_one, by_other = -(u * x + v * y) / max(abs(one), flattest), (u * y - v * x) / max(abs(other), flattest)
    return point_along(scaled(first, by_one * x - by_other * y), by_one * y + by_other * x, second)


def _across(bend: Matrix, first: Triple, second: Triple, less: float) -> tuple[float, float, float, float]:
    """`eigen_of_two` for a symmetric matrix minus a multiple of the identity, in the plane of two unit vectors."""
    bent, bent_too = times(bend, first), times(bend, second)
    return eigen_of_two(dot(first, bent) - less, dot(first, bent_too), dot(second, bent_too) - less)


def _sides(normal: Triple) -> tuple[Triple, Triple]:
    """Two unit vectors perpendicular to a unit vector and to each other."""
    first = any_perpendicular(normal)
    return first, cross(normal, first)


def _about_one_centre(first: _Stretch, second: _Stretch, normal: Triple) -> float:
    """A lower bound of the minimum of `|S n| + |T n|` over unit vectors; `normal`: a unit vector near the minimum.

    The set of (x, y) satisfies `(1 - t) x / X + t y / Y >= λ` for every t from 0 to 1, with X = |S n| and Y = |T n|
    along the normal n. At the least corner one more line is put between the two that meet there. Each line is a safe
    bound, as its λ is lowered by rounding. A corner is computed as a point of one of its lines. Nearly parallel lines
    may meet anywhere, but with x and y rounded independently the corner might lie above both lines.
    """
    reaches = [length(times(stretch.rows, normal)) for stretch in (first, second)]
    size = max(largest(first.square) / reaches[0], largest(second.square) / reaches[1])

    def supporting(t: float) -> tuple[float, float]:
        form = combined((1.0 - t) / reaches[0], first.square, t / reaches[1], second.square)
        return t, min(stretches_of(form)[0]) - ROUNDING * size

    def corner(k: int) -> float:
        (s, low), (t, high) = lines[k], lines[k + 1]
        rise = (high - low) / (t - s)
        x, y = low - s * rise, low + (1.0 - s) * rise
        return sqrt(reaches[0] * x) + sqrt(reaches[1] * y) if min(x, y) > 0.0 else 0.0

    best = sum(reaches)
    lines = [supporting(t) for t in (0.0, 0.5, 1.0)]
    corners = [corner(0), corner(1)]
    for _ in range(SUPPORT_LINES):
        least = min(range(len(corners)), key=corners.__getitem__)
        (s, _), (t, _) = lines[least : least + 2]
        if best - corners[least] <= 8.0 * ROUNDING * best or t - s <= NARROWEST:
            break
        lines.insert(least + 1, supporting(0.5 * (s + t)))
        corners[least : least + 1] = [corner(least), corner(least + 1)]
    return min(corners)


def _reach(stretches: Sequence[_Stretch], vertex: Triple, normal: Triple) -> float:
    reach = dot(vertex, normal)
    for stretch in stretches:
        reach += length(times(stretch.rows, normal))
    return reach


def _derivatives(stretches: Sequence[_Stretch], vertex: Triple, normal: Triple) -> tuple[Triple, Matrix]:
    """The gradient and the second derivative of the support value along `normal`."""
    slope, bend = vertex, (ZERO, ZERO, ZERO)
    for stretch in stretches:
        reached = times(stretch.rows, normal)
        size = length(reached)
        on = scaled(times(stretch.rows, reached), 1.0 / size)
        slope = add(slope, on)
        bend = combined(1.0, bend, 1.0 / size, combined(1.0, stretch.square, -1.0, outer(on, on)))
    return slope, bend


def _bounds(
    a: _Summand,
    b: _Summand,
    stretches: Sequence[_Stretch],
    points: Array,
    way: _FarthestFeature,
    noise: float,
    floor: float,
) -> InnerEllipsoid | None:
    normal, place, edge = way.normal, way.vertex, None
    heights = dots(points, array_of(normal))
    highest, radius = float(heights.max()), a.radius + b.radius
    if dot(place, normal) < highest - 4.0 * noise:
        return None
    upper = highest + _reach(stretches, ZERO, normal)
    if way.edge is not None:
        # The part of the edge that is symmetric about the edge's point nearest the origin's foot.
        on = _derivatives(stretches, ZERO, normal)[0]
        level = dots(points[heights >= highest - 4.0 * noise], array_of(way.edge))
        low, high = float(level.min()), float(level.max())
        there = min(max(dot(point_along(negated(on), upper, normal), way.edge), low), high)
        place = point_along(place, there - dot(place, way.edge), way.edge)
        if (half := min(there - low, high - there)) > noise:
            edge = outer(scaled(way.edge, half), way.edge)
    on_a, on_b = _sources(a, b, place)
    witness_a, witness_b = add(on_a, a.farthest(normal)), sub(on_b, b.farthest(normal))
    # If the witness points are not on one line along the normal, the least support value may be smaller by the offset.
    most = upper - length(point_along(sub(witness_a, witness_b), -(upper + radius), normal))
    choices = product((False, True), repeat=len(stretches))
    lower = min(most, max(floor - radius, *(_proved(stretches, balls, edge, place, normal) for balls in choices)))
    ends = array_of(normal), array_of(witness_a), array_of(witness_b)
    return InnerEllipsoid(lower + radius, upper + radius, *ends)


def _proved(
    stretches: Sequence[_Stretch], balls: Sequence[bool], edge: Matrix | None, place: Triple, normal: Triple
) -> float:
    """The depth of the origin in an ellipsoid inside the sum, moved to `place`.

    `balls`: for each of the stretches, whether a ball inside it is used instead. An ellipsoid with sharp ends is flat
    elsewhere. The ellipsoid inside a sum may therefore be too sharp, while a ball inside each of the two is not.
    """
    parts, radius = [] if edge is None else [edge], 0.0
    for stretch, ball in zip(stretches, balls, strict=True):
        if ball:
            centre, size = _ball(stretch, normal)
            place, radius = add(place, centre), radius + size
        else:
            parts.insert(0, stretch.rows)
    if not parts:
        return radius - length(place)
    sizes, axes = stretches_of(_inside(parts, normal))
    if min(sizes) <= THINNEST * max(sizes):
        return -inf
    return radius + _depth(sizes, axes, negated(place))


def _depth(radii: Triple, axes: Matrix, point: Triple) -> float:
    """The depth of a point in an ellipsoid about the origin with unit axes, each a row; negative outside."""
    return -float(nearest_on_ellipsoid(array_of(times(axes, point)), array_of(radii))[2])


def _ball(stretch: _Stretch, normal: Triple) -> tuple[Triple, float]:
    """Centre and radius of a ball inside an ellipsoid.

    Its centre is the centre of the sharper curvature at the ellipsoid's point farthest along `normal`.
    """
    on, bend = _derivatives((stretch,), ZERO, normal)
    one, other, _, _ = _across(bend, *_sides(normal), 0.0)
    centre = point_along(on, -min(one, other), normal)
    return centre, _depth(stretch.radii, stretch.axes, centre)


def _inside(parts: Sequence[Matrix], normal: Triple) -> Matrix:
    """The matrix `S + U T + ...` with all terms parallel along `normal`, and across it as nearly so as possible."""
    inner = parts[0]
    for part in parts[1:]:
        reached = times(part, normal)
        heading, other = unit(times(inner, normal)), unit(reached)
        assert heading is not None
        if other is None or dot(reached, reached) <= 1e-24 * largest(part) * largest(part):
            # An edge perpendicular to the normal is turned to lie along the part of the ellipsoid in its direction.
            line = max(part, key=lambda row: max(map(abs, row)))
            line = scaled(line, 1.0 / length(line))
            first, second = _sides(heading)
            way = times(inner, line)
            turned = unit(point_along(scaled(first, dot(first, way)), dot(second, way), second))
            inner = combined(1.0, inner, 1.0, outer(first if turned is None else turned, times(part, line)))
        else:
            inner = combined(1.0, inner, 1.0, matrix.product(_turn(inner, part, heading, other), part))
    return inner


def _turn(inner: Matrix, part: Matrix, heading: Triple, other: Triple) -> Matrix:
    """The rotation or reflection that takes `other` to `heading` and makes `part` across it most parallel to `inner`.

    Let ((a, b), (c, d)) be the dot products of the images of two unit vectors across `heading` under innerᵀ with the
    images of two across `other` under partᵀ. The best rotation has the angle of (a + d, c - b), the best reflection
    that of (a - d, b + c); the one with the longer vector is better.
    """
    sides, others, rows, rows_too = _sides(heading), _sides(other), transposed(inner), transposed(part)
    (a, b), (c, d) = ([dot(times(rows, p), times(rows_too, q)) for q in others] for p in sides)
    turned, mirrored = (a + d, c - b, 0.0), (a - d, b + c, 0.0)
    if length(turned) >= length(mirrored):
        (x, y, _), side = unit(turned) or (1.0, 0.0, 0.0), others[1]
    else:
        (x, y, _), side = unit(mirrored) or (1.0, 0.0, 0.0), negated(others[1])
    first, second = point_along(scaled(others[0], x), -y, side), point_along(scaled(others[0], y), x, side)
    across = combined(1.0, outer(sides[0], first), 1.0, outer(sides[1], second))
    return combined(1.0, outer(heading, other), 1.0, across)


def _sources(a: _Summand, b: _Summand, place: Triple) -> tuple[Triple, Triple]:
    """The points of both hulls whose difference is `place`; one of the hulls is a single point."""
    if len(b.points) == 1:
        point = triple(b.points[0])
        return add(place, point), point
    point = triple(a.points[0])
    return point, sub(point, place)

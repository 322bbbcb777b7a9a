"""What an ellipsoid that fits inside a difference proves of its depth: closer bounds where EPA's never meet.

Where the way out is a ring, as of a spheroid about a point of its axis, no polytope closes in on it. So of differences
that are a sum of ellipsoids and a polyhedron the least support is sought by Newton's method from where EPA ended. That
sharpens the upper bound alone. For the lower one a single ellipsoid is laid inside, which touches the boundary there:
the depth of the origin in it is a formula (`closed_form.ellipsoids`).

The ellipsoid with the symmetric matrix S reaches |S n| along n. For any rotations or reflections U, V
`|S n| + |T n| + |s (u·n)| >= |(S + U T + V s u uᵀ) n|` by the triangle inequality, so the ellipsoid on the right, moved
to a point of the polyhedron, lies in the sum of all (A. B. Kurzhanski, I. Vályi: *Ellipsoidal Calculus for Estimation
and Control*, 1997). With U and V such that all terms are parallel along one n, it touches the sum there.

Two ellipsoids about one centre may have a ring in which such an ellipsoid is sharper than their sum. Their reach is
`sqrt(x) + sqrt(y)` with x = n·S²n and y = n·T²n, and over unit vectors of space (x, y) is a convex set (L. Brickman:
*On the Field of Values of a Matrix*, 1961). Lines that support it, each an eigenvalue, bound it by a polygon, and what
is concave is least at one of the polygon's corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf, sqrt

import numpy as np
from msgspec import Struct

from ..closed_form.ellipsoids import nearest_on_ellipsoid
from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, any_perpendicular, cross, dot, length, unit
from ..pair.support import Difference, Placed, Points, Shrunk, SupportMap

NEWTON_STEPS = 40
"""From where EPA ended five are enough; where the second derivative is zero each brings it nearer by a third only."""

FIRM = (1e-4, 1e-9)
"""Where all ways out of a ring are as good, to rounding, the larger keeps Newton's method from running along it, out of
where the vertex is farthest; and the smaller finds what is least by little."""

FARTHEST = 4
"""Vertices that may be the one to meet, as EPA's normal is good to a few digits only."""

THINNEST = 1e-12
"""An ellipsoid flatter than this has no inside that doubles can tell: it proves nothing."""

SUPPORT_LINES = 96
"""Of two ellipsoids about one centre: each halves the angle between two, so the bounds are four times closer there."""

NARROWEST = 1e-7
"""Lines whose weights differ by less meet nowhere that doubles can tell."""

HALVINGS = 24
"""Of a step that goes too far, before it counts as rounding."""


class InnerEllipsoid(Struct, frozen=True, eq=False):
    """The depth of the bodies lies within [`lower`, `upper`]; along `normal` (3,), unit, A to B, it is `upper`.

    `witness_a`, `witness_b` (3,): on the bodies' surfaces, relative to A's position, `b - a = -upper normal`.
    """

    lower: float
    upper: float
    normal: Array
    witness_a: Array
    witness_b: Array


class _Summand(Struct, frozen=True, eq=False):
    """One body: the hull of `points` (k, 3) grown by an ellipsoid with the matrix `stretch`, if any, and a ball."""

    points: Array
    stretch: Array | None
    radius: float

    def farthest(self, normal: Array) -> Array:
        """From its point of the hull to its farthest point (3,) along a unit vector."""
        if self.stretch is None:
            return self.radius * normal
        reached = self.stretch @ normal
        out: Array = self.stretch @ reached / length(reached) + self.radius * normal
        return out


class _Way(Struct, frozen=True, eq=False):
    """A direction, along which the `vertex` (3,) of the polyhedron is farthest, or all of the `edge` through it."""

    normal: Array
    vertex: Array
    edge: Array | None


def inner_ellipsoid(difference: Difference, normal: Array, within: float, floor: float) -> InnerEllipsoid | None:
    """Bounds of the depth, from a unit `normal` (3,) near the right one; the first no more than `within` apart.

    Else the closest of all. `floor`: what is proved of the depth already. None for other shapes, and where no vertex
    or edge of the polyhedron is met alone.
    """
    a, b = _summand(difference.a, difference.radius_a), _summand(difference.b, difference.radius_b)
    if a is None or b is None:
        return None
    points = (a.points[:, None] - b.points[None]).reshape(-1, 3)
    stretches = [stretch for stretch in (a.stretch, b.stretch) if stretch is not None]
    if not stretches:
        return None
    best, noise = None, 1e-15 * difference.extent
    if len(stretches) == 2 and length(points[0]) <= within:
        start = _least(stretches, points[0], None, normal, noise, FIRM[1])
        least = _about_one_centre(stretches[0], stretches[1], start) - length(points[0])
        floor = max(floor, least + a.radius + b.radius)
    for way in _ways(stretches, points, normal, noise):
        found = _bounds(a, b, stretches, points, way, noise, floor)
        if found is not None and (best is None or found.upper - found.lower < best.upper - best.lower):
            best = found
            if found.upper - found.lower <= within:
                break
    return best


def _ways(stretches: Sequence[Array], points: Array, normal: Array, noise: float) -> Iterator[_Way]:
    """The least support about each of the farthest vertices, and across each edge that joins two of them.

    From the normal and, as deep inside both ways out of an ellipsoid may be as good, from the opposite one. And the
    ellipsoids' own axes: where bodies are aligned the least is there, and may be flat to the fourth power.
    """
    for start in (normal, -normal):
        far = points[np.argsort(-(points @ start), kind="stable")[:FARTHEST]]
        for vertex, firm in product(far[:2], FIRM):
            yield _Way(_least(stretches, vertex, None, start, noise, firm), vertex, None)
        for (first, second), firm in product(combinations(far, 2), FIRM):
            edge = unit(second - first)
            if edge is not None and (across := unit(start - dot(start, edge) * edge)) is not None:
                yield _Way(_least(stretches, first, edge, across, noise, firm), first, edge)
    for stretch in stretches:
        axes = np.linalg.eigh(stretch)[1].T
        for axis in np.concatenate((axes, -axes)):
            yield _Way(axis, points[int((points @ axis).argmax())], None)


def _summand(support: SupportMap, radius: float) -> _Summand | None:
    if isinstance(support, Points):
        return _Summand(support.points, None, radius)
    if not (isinstance(support, Placed) and isinstance(support.shape, Shrunk)):
        return None
    if min(support.shape.radii) <= THINNEST * max(support.shape.radii):
        return None
    stretch = (support.matrix * np.array(support.shape.radii)) @ support.matrix.T
    return _Summand(support.offset.reshape(1, 3), stretch, radius - support.shape.radius)


def _least(
    stretches: Sequence[Array], vertex: Array, edge: Array | None, normal: Array, noise: float, firm: float
) -> Array:
    """Newton's method on `Σ |S n| + vertex·n` over unit vectors, across the edge if there is one.

    `firm`: second derivatives are taken to be at least so large a fraction of the largest.
    """
    value = _reach(stretches, vertex, normal)
    for _ in range(NEWTON_STEPS):
        first = any_perpendicular(normal) if edge is None else cross(edge, normal)
        tangents = np.array((first, cross(normal, first)) if edge is None else (first,))
        slope, bend = _derivatives(stretches, vertex, normal)
        down, curved = tangents @ slope, tangents @ bend @ tangents.T - value * np.eye(len(tangents))
        sizes, ways = np.linalg.eigh(curved)
        sizes = np.maximum(np.abs(sizes), firm * float(np.abs(bend).max()))
        step = -((down @ ways) / sizes) @ ways.T @ tangents
        for halved in range(HALVINGS):
            moved = unit(normal + 0.5**halved * step)
            if moved is not None and (there := _reach(stretches, vertex, moved)) <= value + noise:
                break
        else:
            return normal
        normal, value = moved, there
        if length(step) <= noise / max(abs(value), noise):
            return normal
    return normal


def _about_one_centre(first: Array, second: Array, normal: Array) -> float:
    """The least of `|S n| + |T n|` over unit vectors, bounded from below; `normal` (3,): a unit vector near it.

    Lines `(1 - t) x / X + t y / Y >= λ`, with (X, Y) the reaches along the normal: where they are nearest the answer
    one more is put between the two that meet there.
    """
    reaches = [length(stretch @ normal) for stretch in (first, second)]
    forms = [stretch @ stretch / reach for stretch, reach in zip((first, second), reaches, strict=True)]
    size = max(float(np.abs(form).max()) for form in forms)

    def supporting(t: float) -> tuple[float, float]:
        form = (1.0 - t) * forms[0] + t * forms[1]
        return t, float(np.linalg.eigvalsh(form)[0]) - ROUNDING * size

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


def _reach(stretches: Sequence[Array], vertex: Array, normal: Array) -> float:
    return dot(vertex, normal) + sum(length(stretch @ normal) for stretch in stretches)


def _derivatives(stretches: Sequence[Array], vertex: Array, normal: Array) -> tuple[Array, Array]:
    """The gradient (3,) and the second derivative (3, 3) of the reach."""
    slope, bend = vertex.copy(), np.zeros((3, 3))
    for stretch in stretches:
        reached = stretch @ normal
        size = length(reached)
        on = stretch @ reached / size
        slope += on
        bend += (stretch @ stretch - np.outer(on, on)) / size
    return slope, bend


def _bounds(
    a: _Summand, b: _Summand, stretches: Sequence[Array], points: Array, way: _Way, noise: float, floor: float
) -> InnerEllipsoid | None:
    normal, place, edge = way.normal, way.vertex, None
    heights = points @ normal
    highest, radius = float(heights.max()), a.radius + b.radius
    if dot(place, normal) < highest - 4.0 * noise:
        return None
    upper = highest + _reach(stretches, np.zeros(3), normal)
    if way.edge is not None:
        # Of the edge as much as lies on either side of the point that is nearest the origin's foot.
        on = _derivatives(stretches, np.zeros(3), normal)[0]
        level = points[heights >= highest - 4.0 * noise] @ way.edge
        low, high = float(level.min()), float(level.max())
        there = min(max(dot(upper * normal - on, way.edge), low), high)
        place = place + (there - dot(place, way.edge)) * way.edge
        if (half := min(there - low, high - there)) > noise:
            edge = half * np.outer(way.edge, way.edge)
    on_a, on_b = _sources(a, b, place)
    witness_a, witness_b = on_a + a.farthest(normal), on_b - b.farthest(normal)
    # Where the points lie aside of the normal, as much may be missing from the least support.
    most = upper - length(witness_a - witness_b - (upper + radius) * normal)
    choices = product((False, True), repeat=len(stretches))
    lower = min(most, max(floor - radius, *(_proved(stretches, balls, edge, place, normal) for balls in choices)))
    return InnerEllipsoid(lower + radius, upper + radius, normal, witness_a, witness_b)


def _proved(
    stretches: Sequence[Array], balls: Sequence[bool], edge: Array | None, place: Array, normal: Array
) -> float:
    """The depth of the origin in what lies inside the sum of all, moved to `place`; of some ellipsoids their `balls`.

    As sharp ends come with a flat part elsewhere, the ellipsoid of a sum may be too sharp where each of the two holds
    a ball that is not.
    """
    parts, radius = [] if edge is None else [edge], 0.0
    for stretch, ball in zip(stretches, balls, strict=True):
        if ball:
            centre, size = _ball(stretch, normal)
            place, radius = place + centre, radius + size
        else:
            parts.insert(0, stretch)
    if not parts:
        return radius - length(place)
    _, sizes, axes = np.linalg.svd(_inside(parts, normal))
    if sizes[2] <= THINNEST * sizes[0]:
        return -inf
    return radius - float(nearest_on_ellipsoid(axes @ -place, sizes)[2])


def _ball(stretch: Array, normal: Array) -> tuple[Array, float]:
    """The centre (3,) and the radius of a ball in an ellipsoid, as round as that is where it reaches along `normal`."""
    on, bend = _derivatives((stretch,), np.zeros(3), normal)
    centre: Array = on - float(np.linalg.eigvalsh(bend)[1]) * normal
    radii, axes = np.linalg.eigh(stretch)
    return centre, -float(nearest_on_ellipsoid(centre @ axes, radii)[2])


def _inside(parts: Sequence[Array], normal: Array) -> Array:
    """The matrix `S + U T + ...` whose terms are all parallel along `normal`, and across it as much so as may be."""
    inner = parts[0]
    for part in parts[1:]:
        heading, other = unit(inner @ normal), unit(part @ normal)
        assert heading is not None
        sides = np.array((first := any_perpendicular(heading), cross(heading, first)))
        if other is None or dot(part @ normal, part @ normal) <= 1e-24 * float(np.abs(part).max()) ** 2:
            # An edge across the normal: turned so that it lengthens what lies along it already.
            line = part[int(np.argmax(np.abs(part).max(axis=1)))]
            line = line / length(line)
            turned = unit((sides @ inner @ line) @ sides)
            inner = inner + np.outer(sides[0] if turned is None else turned, line @ part)
            continue
        others = np.array((second := any_perpendicular(other), cross(other, second)))
        left, _, right = np.linalg.svd((sides @ inner) @ (others @ part).T)
        inner = inner + (np.outer(heading, other) + sides.T @ left @ right @ others) @ part
    return inner


def _sources(a: _Summand, b: _Summand, place: Array) -> tuple[Array, Array]:
    """The points of both hulls whose difference is `place`: one of them is a single point."""
    if len(b.points) == 1:
        return place + b.points[0], b.points[0]
    return a.points[0], a.points[0] - place

"""The stretch of an infinite line inside a shape: one interval, because the shapes are convex.

All functions work in the body's frame and return None if the line misses. The caller moves each line's origin to the
point nearest the shape's centre, so that a far start costs no digits here. Differences of squares are written as
products, `(r - m)(r + m)`, which keeps the digits of a line that almost misses. `grow` enlarges a shape: its faces move
out and its radii grow by this length, and its edges stay sharp. The caller uses it to find lines that graze.

Departures from the article: its inequalities have the wrong sign. A box needs three slabs, not one axis. A capsule is
two spheres and the side between them, not two points that move together. The cone, which the article lacks, is one
nappe of the quadric, above the base.
"""

from __future__ import annotations

from math import copysign, inf, sqrt

import numpy as np
from msgspec import Struct

from ..geometry.elementary import hypot
from ..geometry.plane import Plane
from ..geometry.triple import Triple
from ..geometry.vector import Array, cross, dot, dots, frozen, length, unit, vec

UP = frozen(vec(0.0, 1.0, 0.0))


class Line(Struct, frozen=True, eq=False):
    """An infinite line: `origin` (3,), unit `direction` (3,), and `noise`, the rounding error of its points."""

    origin: Array
    direction: Array
    noise: float

    def at(self, t: float) -> Array:
        """The point (3,) at the signed distance `t` from the origin."""
        return self.origin + t * self.direction


class LineSpan(Struct, frozen=True, eq=False):
    """The stretch of a line inside a shape.

    `enter`, `leave`: signed distances from the line's origin, perhaps infinite. `enter_normal`, `leave_normal` (3,):
    outward unit normals there; without meaning at an infinite end.
    """

    enter: float
    leave: float
    enter_normal: Array
    leave_normal: Array


class RayHit(Struct, frozen=True, eq=False):
    """A ray's crossing of a surface: `t` in lengths of the direction, `point` (3,), outward unit `normal` (3,)."""

    t: float
    point: Array
    normal: Array


def sphere_span(line: Line, radius: float, grow: float) -> LineSpan | None:
    """The stretch inside the sphere about the frame's origin; None if the line misses."""
    ends = _ball(line, np.zeros(3), radius + grow)
    if ends is None:
        return None
    return LineSpan(*ends, *(_unit_or(line.at(t), -line.direction) for t in ends))


def planes_span(line: Line, normals: Array, offsets: Array, size: float, grow: float) -> LineSpan | None:
    """The stretch inside the polyhedron of all p with `normals·p <= offsets`, (f, 3) and (f,); None if the line misses.

    `size`: the polyhedron lies within this distance of the frame's origin. A plane counts as parallel to the line if
    their distance changes by no more than the line's noise over that length.
    """
    rates = dots(normals, line.direction)
    gaps = dots(normals, line.origin) - offsets - grow
    parallel = np.abs(rates) * size <= line.noise
    if bool((gaps[parallel] > line.noise).any()):
        return None
    times = -gaps / np.where(parallel, 1.0, rates)
    entering = np.where(~parallel & (rates < 0.0), times, -inf)
    leaving = np.where(~parallel & (rates > 0.0), times, inf)
    first, last = int(np.argmax(entering)), int(np.argmin(leaving))
    enter, leave = float(entering[first]), float(leaving[last])
    return LineSpan(enter, leave, normals[first], normals[last]) if enter <= leave else None


def capsule_span(line: Line, radius: float, segment_length: float, grow: float) -> LineSpan | None:
    """The stretch inside the capsule about a segment along y; None if the line misses."""
    half, grown = 0.5 * segment_length, radius + grow
    pieces = [_ball(line, end * UP, grown) for end in (-half, half)]
    # Half of the longest stretch inside the cylinder between the spheres.
    size = hypot(grown, half)
    pieces.append(_common(_round_side(line, grown, size), _slab(line, half, size)))
    ends = [piece for piece in pieces if piece is not None]
    if not ends:
        return None
    enter, leave = min(piece[0] for piece in ends), max(piece[1] for piece in ends)

    def outward(t: float) -> Array:
        point = line.at(t)
        point[1] -= min(max(float(point[1]), -half), half)
        return _unit_or(point, -line.direction)

    return LineSpan(enter, leave, outward(enter), outward(leave))


def cylinder_span(line: Line, radius: float, height: float, grow: float) -> LineSpan | None:
    """The stretch inside the cylinder about y; None if the line misses."""
    size = hypot(radius, 0.5 * height)
    side = _round_side(line, radius + grow, size)
    caps = _slab(line, 0.5 * height + grow, size)
    both = _common(side, caps)
    if both is None or side is None or caps is None:
        return None
    facing = copysign(1.0, float(line.direction[1])) * UP

    def outward(t: float, from_caps: bool, cap: Array) -> Array:
        return cap if from_caps else _unit_or(line.at(t) * (1.0 - UP), -line.direction)

    enter, leave = both
    return LineSpan(
        enter, leave, outward(enter, caps[0] >= side[0], -facing), outward(leave, caps[1] <= side[1], facing)
    )


def cone_span(line: Line, radius: float, height: float, grow: float) -> LineSpan | None:
    """The stretch inside the cone about y, apex up, centred at half height; None if the line misses."""
    slant = hypot(radius, height)
    sine, cosine = radius / slant, height / slant
    # The apex of a cone so slender that its sine underflows is not moved.
    apex = 0.5 * height + (grow / sine if sine > 0.0 else 0.0)
    side = _nappe(Line(line.origin - apex * UP, line.direction, line.noise), sine, cosine)
    base = _above(line, -0.5 * height - grow, hypot(radius, 0.5 * height))
    both = _common(side, base)
    if both is None or side is None or base is None or not both[1] - both[0] < inf:
        return None

    def outward(t: float, from_base: bool, facing: float) -> Array:
        if from_base:
            return -UP
        point = line.at(t) * (1.0 - UP)
        # The apex has many normals: one that faces the line is taken.
        across = unit(point if length(point) > line.noise else facing * line.direction * (1.0 - UP))
        return UP if across is None else cosine * across + sine * UP

    enter, leave = both
    return LineSpan(enter, leave, outward(enter, base[0] >= side[0], -1.0), outward(leave, base[1] <= side[1], 1.0))


def ellipsoid_span(line: Line, radii: Triple, grow: float) -> LineSpan | None:
    """The stretch inside the ellipsoid, computed in scaled space as for a unit sphere; None if the line misses.

    Scaling keeps the parameters.
    """
    grown = np.array(radii) + grow
    origin, direction = line.origin / grown, line.direction / grown
    speed = length(direction)
    miss = length(cross(origin, direction)) / speed
    if miss > 1.0:
        return None
    nearest = -dot(origin, direction) / (speed * speed)
    half = sqrt((1.0 - miss) * (1.0 + miss)) / speed
    enter, leave = nearest - half, nearest + half
    # Normals scale by the inverse transpose.
    outward = [_unit_or((origin + t * direction) / grown, -line.direction) for t in (enter, leave)]
    return LineSpan(enter, leave, outward[0], outward[1])


def half_space_span(line: Line, plane: Plane) -> LineSpan | None:
    """The stretch behind the plane, infinite at one end or both; None for a parallel line in front of it.

    Only an exactly parallel line counts as parallel: the plane is unbounded, so every other line crosses it somewhere.
    """
    rate, gap = dot(plane.normal, line.direction), plane.signed_distance(line.origin)
    if rate == 0.0:
        return LineSpan(-inf, inf, plane.normal, plane.normal) if gap <= line.noise else None
    crossing = -gap / rate
    enter, leave = (-inf, crossing) if rate > 0.0 else (crossing, inf)
    return LineSpan(enter, leave, plane.normal, plane.normal)


def _unit_or(vector: Array, instead: Array) -> Array:
    """The unit vector along `vector` (3,), or `instead` if it has no direction."""
    direction = unit(vector)
    return instead if direction is None else direction


_Ends = tuple[float, float]


def _common(first: _Ends | None, second: _Ends | None) -> _Ends | None:
    """The intersection of two intervals; None if it is empty."""
    if first is None or second is None:
        return None
    enter, leave = max(first[0], second[0]), min(first[1], second[1])
    return (enter, leave) if enter <= leave else None


def _ball(line: Line, centre: Array, radius: float) -> _Ends | None:
    away = line.origin - centre
    nearest = -dot(away, line.direction)
    miss = length(away + nearest * line.direction)
    if miss > radius:
        return None
    half = sqrt((radius - miss) * (radius + miss))
    return nearest - half, nearest + half


def _slab(line: Line, half: float, size: float) -> _Ends | None:
    """The interval between the planes y = ±half; None for a parallel line outside."""
    y, rate = float(line.origin[1]), float(line.direction[1])
    if abs(rate) * size <= line.noise:
        return (-inf, inf) if abs(y) <= half + line.noise else None
    middle, wide = -y / rate, half / abs(rate)
    return middle - wide, middle + wide


def _above(line: Line, height: float, size: float) -> _Ends | None:
    """The interval where y >= height; None for a parallel line below."""
    y, rate = float(line.origin[1]), float(line.direction[1])
    if abs(rate) * size <= line.noise:
        return (-inf, inf) if y >= height - line.noise else None
    meets = (height - y) / rate
    return (meets, inf) if rate > 0.0 else (-inf, meets)


def _round_side(line: Line, radius: float, size: float) -> _Ends | None:
    """The interval within `radius` of the y axis; None if the line stays outside."""
    x, _, z = line.origin.tolist()
    dx, _, dz = line.direction.tolist()
    speed = hypot(dx, dz)
    if speed * size <= line.noise:
        return (-inf, inf) if hypot(x, z) <= radius + line.noise else None
    miss = abs(x * dz - z * dx) / speed
    if miss > radius:
        return None
    nearest = -(x * dx + z * dz) / (speed * speed)
    half = sqrt((radius - miss) * (radius + miss)) / speed
    return nearest - half, nearest + half


def _nappe(line: Line, sine: float, cosine: float) -> _Ends | None:
    """The interval in the infinite cone that opens downwards from the frame's origin; None if the line misses.

    `sine`, `cosine`: of the angle between the axis and the side. A point is inside if
    `f(p) = cosine² (x² + z²) - sine² y² <= 0` and y <= 0. Along the line f is `a t² + 2 b t + c`.
    """
    x, y, z = line.origin.tolist()
    dx, dy, dz = line.direction.tolist()
    across, along = cosine * hypot(dx, dz), sine * abs(dy)
    a = (across - along) * (across + along)
    b = cosine * cosine * (x * dx + z * dz) - sine * sine * y * dy
    c = (cosine * hypot(x, z) - sine * abs(y)) * (cosine * hypot(x, z) + sine * abs(y))
    # b² - a c by Lagrange's identity, from the moments of the line about the apex.
    upright, level = sine * hypot(x * dy - y * dx, z * dy - y * dz), cosine * abs(x * dz - z * dx)
    discriminant = cosine * cosine * (upright - level) * (upright + level)
    if discriminant < 0.0 and a > 0.0:
        return None
    if a == 0.0:
        # The line is parallel to a generator. Downwards it enters the cone, unless it runs outside of the tangent plane
        # along the generator, or in that plane: of this plane only the generator itself belongs to the cone.
        if b * dy <= 0.0 and c > 0.0:
            return None
        first = -0.5 * c / b if b * dy > 0.0 else -y / dy
        return (first, inf) if dy < 0.0 else (-inf, first)
    q = -(b + copysign(sqrt(max(discriminant, 0.0)), b))
    first = c / q if q != 0.0 else 0.0
    second = q / a
    low, high = min(first, second), max(first, second)
    if a > 0.0:
        return (low, high) if y + dy * (low + 0.5 * (high - low)) <= 0.0 else None
    return (high, inf) if dy < 0.0 else (-inf, low)

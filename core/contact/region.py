"""Convex regions of the plane across a normal: loops of straight sides and elliptic arcs, and their clipping.

A disc seen along a slanted direction is an ellipse, the affine image of the unit circle. So its corners are computed by
formula: a line crosses it where `c + p cos t + q sin t = 0`, another ellipse where a trigonometric polynomial of degree
two is zero. Loops run counter-clockwise; coordinates are lengths.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from heapq import heapify, heappop, heappush
from math import ceil, inf, radians, sqrt, tau
from typing import NamedTuple

import numpy as np

from ..geometry.elementary import acos, atan2, hypot, sin_cos
from ..geometry.tolerances import EPS
from ..geometry.vec2 import Vec2, sub
from ..geometry.vector import Array

MOST_SPAN = radians(45.0)
"""The largest angle between neighbouring contact points of an arc, in the disc's own angle: eight for a full circle."""

LOOKS = 64
"""Number of sample points on a full circle, in pictures and where a function along an arc is sampled."""

BISECTIONS = 60
"""The largest number of bisections in a search along an interval: enough for all digits of a double."""


SPLIT = 2.0**32 + 1.0
"""The factor of Dekker's split (1971) that keeps the upper 21 of a double's 53 binary digits."""


class Ellipse(NamedTuple):
    """The points `centre + cos t p + sin t q`; t grows counter-clockwise."""

    centre: Vec2
    p: Vec2
    q: Vec2

    def at(self, t: float) -> Vec2:
        """The point at the angle `t`."""
        s, c = sin_cos(t)
        return self.on(c, s)

    def on(self, c: float, s: float) -> Vec2:
        """The point at the angle that has this cosine and sine."""
        return (self.centre[0] + c * self.p[0] + s * self.q[0], self.centre[1] + c * self.p[1] + s * self.q[1])

    def within(self, w: Vec2) -> Vec2:
        """Transforms a point to the coordinates in which the ellipse is the unit circle."""
        x, y = w[0] - self.centre[0], w[1] - self.centre[1]
        det = self.p[0] * self.q[1] - self.p[1] * self.q[0]
        return ((x * self.q[1] - y * self.q[0]) / det, (y * self.p[0] - x * self.p[1]) / det)

    def angle(self, w: Vec2) -> float:
        """The angle t, -π to π, of a point of the ellipse, or of the ellipse's point on the ray through w."""
        x, y = self.within(w)
        return atan2(y, x)


class Arc(NamedTuple):
    """An arc of the ellipse of `body` (0: the first, 1: the second), from the angle `low` to `high` > low, radians."""

    body: int
    ellipse: Ellipse
    low: float
    high: float

    @property
    def length(self) -> float:
        """An upper bound of the arc's length."""
        return (self.high - self.low) * max(hypot(*self.ellipse.p), hypot(*self.ellipse.q))


class LoopSide(NamedTuple):
    """A side of a loop: an `arc`, or else straight.

    `planes`: for a level line, along which the planes of both bodies are δ apart, the numbers of these planes of the
    first body and of the second; else None.
    """

    start: Vec2
    end: Vec2
    arc: Arc | None = None
    planes: tuple[int, int] | None = None


Loop = list[LoopSide]
HalfPlane = tuple[float, float, float]
"""The half-plane of all (u, v) with `g0 + gu u + gv v <= 0`."""


def polygon_loop(corners: list[Vec2]) -> Loop:
    """The loop through corners, counter-clockwise."""
    return [LoopSide(p, q) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]


def full_circle(body: int, ellipse: Ellipse, start: float) -> Loop:
    """The whole ellipse, as one arc from the angle `start`."""
    point = ellipse.at(start)
    return [LoopSide(point, point, Arc(body, ellipse, start, start + tau))]


def side_line(p: Vec2, q: Vec2, margin: float = 0.0) -> HalfPlane | None:
    """The half-plane to the left of the line from p to q, moved out by `margin`; None if p and q are one point."""
    du, dv = q[0] - p[0], q[1] - p[1]
    size = sqrt(du * du + dv * dv)
    if size == 0.0:
        return None
    nu, nv = dv / size, -du / size
    return (-(nu * p[0] + nv * p[1]) - margin, nu, nv)


def clip(loop: Loop, line: HalfPlane, planes: tuple[int, int] | None = None, beyond: float = 0.0) -> Loop:
    """The part of the loop in the half-plane `line`; the same object if nothing is cut off.

    `planes`: the new side's, or None. An ellipse that reaches at most `beyond` over the line is not cut: a circle that
    touches a side stays whole.
    """
    g0, gu, gv = line
    kept: Loop = []
    whole = True
    for piece in loop:
        if piece.arc is not None:
            parts = _arc_within(piece, line, beyond)
            whole = whole and len(parts) == 1 and parts[0] is piece
            kept += parts
            continue
        (su, sv), (eu, ev) = piece.start, piece.end
        first, last = g0 + gu * su + gv * sv, g0 + gu * eu + gv * ev
        if first <= 0.0 and last <= 0.0:
            kept.append(piece)
            continue
        whole = False
        if first > 0.0 and last > 0.0:
            continue
        share = first / (first - last)
        crossing = (su + share * (eu - su), sv + share * (ev - sv))
        if first <= 0.0:
            kept.append(LoopSide(piece.start, crossing, None, piece.planes))
        else:
            kept.append(LoopSide(crossing, piece.end, None, piece.planes))
    return loop if whole else _closed(kept, planes)


def _closed(pieces: Loop, planes: tuple[int, int] | None) -> Loop:
    """The loop of the pieces: straight sides fill the gaps, and the last and first piece are joined if one arc.

    Empty without pieces.
    """
    if not pieces:
        return []
    closed: Loop = []
    for k, piece in enumerate(pieces):
        closed.append(piece)
        start = pieces[(k + 1) % len(pieces)].start
        if piece.end != start:
            closed.append(LoopSide(piece.end, start, None, planes))
    last, first = closed[-1], closed[0]
    if len(closed) < 2 or last.arc is None or first.arc is None or last.end != first.start:
        return closed
    if last.arc.body != first.arc.body:
        return closed
    arc = last.arc._replace(high=last.arc.high + first.arc.high - first.arc.low)
    return [LoopSide(last.start, first.end, arc), *closed[1:-1]]


def _arc_within(piece: LoopSide, line: HalfPlane, beyond: float) -> Loop:
    """The parts of an arc in the half-plane, at most two; all of it if its ellipse reaches at most `beyond` outside.

    Empty if no part is.
    """
    arc = piece.arc
    assert arc is not None
    g0, gu, gv = line
    (cu, cv), p, q = arc.ellipse
    middle = g0 + gu * cu + gv * cv
    along_p, along_q = gu * p[0] + gv * p[1], gu * q[0] + gv * q[1]
    reach = hypot(along_p, along_q)
    if middle + reach <= beyond:
        return [piece]
    if middle - reach >= 0.0:
        return []
    # The ellipse is outside the half-plane where cos(t - top) > -middle / reach.
    top, half = atan2(along_q, along_p), acos(-middle / reach)
    parts: Loop = []
    enter = top + half
    enter += tau * ceil((arc.low - (enter + tau - 2.0 * half)) / tau)
    while enter < arc.high:
        low, high = max(arc.low, enter), min(arc.high, enter + tau - 2.0 * half)
        if low < high:
            start = piece.start if low == arc.low else arc.ellipse.at(low)
            end = piece.end if high == arc.high else arc.ellipse.at(high)
            unchanged = low == arc.low and high == arc.high
            parts.append(piece if unchanged else LoopSide(start, end, arc._replace(low=low, high=high)))
        enter += tau
    return parts


def common_disc(first: Ellipse, second: Ellipse, start: float, tolerance: float) -> Loop:
    """The intersection of two ellipses, of bodies 0 and 1.

    An ellipse that reaches at most `tolerance` out of the other counts as inside it; the result is then its whole
    outline, from the angle `start`. Empty if they have no point in common.
    """
    if _beyond(first, second) <= tolerance:
        return full_circle(0, first, start)
    if _beyond(second, first) <= tolerance:
        return full_circle(1, second, start)
    corners = _crossings(first, second)
    if len(corners) < 2:
        return []
    pieces: Loop = []
    highs = [*corners[1:], corners[0] + tau]
    reaches = [hypot(*second.within(first.at(0.5 * (low + high)))) for low, high in zip(corners, highs, strict=True)]
    # If the ellipses only touch, all middles may lie outside by rounding; the one nearest the centre counts as inside.
    inside = max(1.0, min(reaches))
    for k, (low, high) in enumerate(zip(corners, highs, strict=True)):
        ends = (first.at(low), first.at(corners[(k + 1) % len(corners)]))
        if reaches[k] <= inside:
            pieces.append(LoopSide(*ends, Arc(0, first, low, high)))
            continue
        begin, finish = (second.angle(end) for end in ends)
        pieces.append(LoopSide(*ends, Arc(1, second, begin, finish if finish > begin else finish + tau)))
    return pieces


@cache
def _turns() -> tuple[Array, Array]:
    """The cosines and sines of LOOKS equally spaced angles."""
    sines, cosines = zip(*(sin_cos(tau * k / LOOKS) for k in range(LOOKS)), strict=True)
    return np.array(cosines), np.array(sines)


def _seen_in(outer: Ellipse, inner: Ellipse) -> tuple[Vec2, Vec2, Vec2]:
    """The inner ellipse's centre, p and q in the coordinates in which the outer is the unit circle."""
    flat = outer._replace(centre=(0.0, 0.0))
    return outer.within(inner.centre), flat.within(inner.p), flat.within(inner.q)


def _beyond(inner: Ellipse, outer: Ellipse) -> float:
    """The inner ellipse's largest distance outside the outer, estimated to first order; negative inside."""
    (x, y), p, q = _seen_in(outer, inner)
    cosines, sines = _turns()
    across, along = x + p[0] * cosines + q[0] * sines, y + p[1] * cosines + q[1] * sines
    size = min(hypot(*outer.p), hypot(*outer.q))
    return sqrt(float((across * across + along * along).max())) * size - size


def _crossings(first: Ellipse, second: Ellipse) -> list[float]:
    """The angles on the first ellipse, ascending from 0 to 2π, at which it crosses the second: an even number.

    In coordinates in which the second is the unit circle, the first is `c + p cos t + q sin t`. Its `|.|² - 1` is a
    trigonometric polynomial of degree two, with at most two maxima and two minima, and is sampled at LOOKS angles. A
    zero lies between two samples of different signs; two zeros lie about a minimum below zero, or a maximum above,
    between samples of one sign.
    """
    c, p, q = _seen_in(second, first)
    # |c + p cos t + q sin t|² - 1 = a0 + a1 cos t + b1 sin t + a2 cos 2t + b2 sin 2t.
    pp, qq, pq = p[0] * p[0] + p[1] * p[1], q[0] * q[0] + q[1] * q[1], p[0] * q[0] + p[1] * q[1]
    a0 = c[0] * c[0] + c[1] * c[1] - 1.0 + 0.5 * (pp + qq)
    a1, b1 = 2.0 * (c[0] * p[0] + c[1] * p[1]), 2.0 * (c[0] * q[0] + c[1] * q[1])
    a2, b2 = 0.5 * (pp - qq), pq

    def value(t: float) -> tuple[float, float, float]:
        s, c = sin_cos(t)
        c2, s2 = c * c - s * s, 2.0 * s * c
        once, twice = a1 * c + b1 * s, a2 * c2 + b2 * s2
        slope = b1 * c - a1 * s + 2.0 * (b2 * c2 - a2 * s2)
        return a0 + once + twice, slope, -once - 4.0 * twice

    cosines, sines = _turns()
    at = a0 + a1 * cosines + b1 * sines
    at = (at + a2 * (cosines * cosines - sines * sines) + b2 * (2.0 * sines * cosines)).tolist()
    step, found = tau / LOOKS, list[float]()
    for k in range(LOOKS):
        before, here, after = at[k - 1], at[k], at[(k + 1) % LOOKS]
        if (here < 0.0) is not (after < 0.0):
            found.append(_zero(lambda t: value(t)[:2], step * k, step * (k + 1)))
        elif (before >= here < after) if here >= 0.0 else (before <= here > after):
            turn = _zero(lambda t: value(t)[1:], step * (k - 1), step * (k + 1))
            if (value(turn)[0] < 0.0) is not (here < 0.0):
                found += [_zero(lambda t: value(t)[:2], turn + way, turn) for way in (-step, step)]
    return sorted(t % tau for t in found)


def _zero(value: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """The zero of a function between `low` and `high`, where its signs differ; `value` returns value and derivative.

    Newton's method; a step that leaves the bracket is replaced by a bisection.
    """
    negative = value(low)[0] < 0.0
    t = 0.5 * (low + high)
    for _ in range(BISECTIONS):
        height, slope = value(t)
        if height == 0.0:
            break
        if (height < 0.0) is negative:
            low = t
        else:
            high = t
        after = t - height / slope if slope != 0.0 else low
        if not min(low, high) < after < max(low, high):
            after = 0.5 * (low + high)
        if abs(after - t) <= EPS * (1.0 + abs(t)):
            break
        t = after
    return t


def places_along(loop: Loop) -> list[Vec2]:
    """The loop's corners, and points along its arcs, close enough to sample the clearance and to draw the loop.

    Empty for an empty loop.
    """
    found: list[Vec2] = []
    for piece in loop:
        found.append(piece.start)
        if piece.arc is not None:
            found += _points_on_arc(piece.arc)
    return found


def points_along(loop: Loop) -> Array:
    """`places_along` as an array (k, 2)."""
    return np.array(places_along(loop)).reshape(-1, 2)


def _points_on_arc(arc: Arc) -> list[Vec2]:
    """Points inside an arc, at equal angles, as close as LOOKS points on a full circle."""
    (cu, cv), (pu, pv), (qu, qv) = arc.ellipse
    count = max(2, ceil(LOOKS * (arc.high - arc.low) / tau))
    (s, c), (turn_s, turn_c) = sin_cos(arc.low), sin_cos((arc.high - arc.low) / count)
    points = []
    for _ in range(1, count):
        c, s = c * turn_c - s * turn_s, s * turn_c + c * turn_s
        points.append((cu + c * pu + s * qu, cv + c * pv + s * qv))
    return points


def is_thin(loop: Loop, width: float) -> bool:
    """Whether a loop is empty, or no wider than `width`, like a point or a line."""
    if not loop:
        return True
    away = [sub(w, loop[0].start) for w in places_along(loop)]
    fu, fv = max(away, key=lambda w: w[0] * w[0] + w[1] * w[1])
    return max(abs(fu * v - fv * u) for u, v in away) <= width * hypot(fu, fv)


def spans(arcs: list[Arc], lateral: float) -> list[int]:
    """The number of equal spans that each of a loop's arcs is divided into.

    An arc of the angle σ, with Σσ over all arcs, gets `max(2, ⌈σ / 45°⌉, min(4, ⌈8 σ / Σσ⌉))` spans: a full circle has
    eight points, and so has a lens of two equal circles. With four arcs or more the last term is left out, so that a
    disc on a box has at most 13 points; with more than four, 1 replaces the 2. σ is reduced by the angle of the length
    `lateral`, so that rounding does not change the number. For example, a half circle that is cut off by a right angle
    with its corner on the rim gets four spans.
    """
    total = sum(arc.high - arc.low for arc in arcs)
    least = 2 if len(arcs) <= 4 else 1
    sizes = [(1.0 - lateral / arc.length) * (arc.high - arc.low) for arc in arcs]
    shares = [min(4, ceil(8.0 * size / total)) if len(arcs) < 4 else least for size in sizes]
    return [max(least, ceil(size / MOST_SPAN), share) for size, share in zip(sizes, shares, strict=True)]


def hull_of(points: list[Vec2]) -> list[int]:
    """Indices of the corners of the points' convex hull, counter-clockwise, without collinear ones (Andrew 1979)."""
    order = sorted(range(len(points)), key=points.__getitem__)
    if len(order) < 3:
        return order if len(order) < 2 or points[order[0]] != points[order[-1]] else order[:1]
    chains: list[list[int]] = []
    for run in (order, order[::-1]):
        chain: list[int] = []
        for place in run:
            while len(chain) > 1 and _twice_area(points[chain[-2]], points[chain[-1]], points[place]) <= 0.0:
                chain.pop()
            chain.append(place)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _twice_area(p: Vec2, q: Vec2, r: Vec2) -> float:
    """Twice the signed area of a triangle."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def off_chord(p: Vec2, q: Vec2, r: Vec2) -> float:
    """The distance of q from the line through p and r; from p if p and r are one point."""
    u, v = r[0] - p[0], r[1] - p[1]
    base = sqrt(u * u + v * v)
    return abs(_twice_area(p, q, r)) / base if base > 0.0 else hypot(q[0] - p[0], q[1] - p[1])


def middle_of(corners: list[Vec2]) -> Vec2:
    """The centroid of a closed outline of one corner or more: the mean of the sides' midpoints, weighted by length.

    It also works for an outline that is a line or a point. Several corners in one place, up to rounding, do not change
    it.
    """
    total = u = v = 0.0
    for (pu, pv), (qu, qv) in zip(corners, corners[1:] + corners[:1], strict=True):
        size = hypot(qu - pu, qv - pv)
        total, u, v = total + size, u + 0.5 * size * (pu + qu), v + 0.5 * size * (pv + qv)
    return (u / total, v / total) if total > 0.0 else corners[0]


def triangle(p: Vec2, q: Vec2, r: Vec2) -> float:
    """Twice the area of the triangle of a corner q and its neighbours."""
    return abs(_twice_area(p, q, r))


def thinned(
    corners: list[Vec2], measure: Callable[[Vec2, Vec2, Vec2], float], drop: Callable[[float, int], bool]
) -> list[int]:
    """Indices of the corners that are left when corners are removed one by one, the one of least `measure` first.

    `measure(before, corner, after)`: of a corner between its present neighbours. `drop(least, count)`: whether to
    remove one more, given the least measure and the present number of corners. Two corners always stay.
    """
    count = len(corners)
    if count < 3:
        return list(range(count))
    before, after = [k - 1 for k in range(count)], [(k + 1) % count for k in range(count)]
    before[0] = count - 1

    def value(k: int) -> float:
        # The measure is rounded to 21 binary digits (Dekker's split), so that equal corners of an arc compare equal.
        # They are then removed in order.
        found = measure(corners[before[k]], corners[k], corners[after[k]])
        return SPLIT * found - (SPLIT * found - found)

    values = [value(k) for k in range(count)]
    if not drop(min(values), count):
        return list(range(count))
    heap = [(values[k], k) for k in range(count)]
    heapify(heap)
    alive, left = [True] * count, count
    while left > 2:
        least, k = heappop(heap)
        if not alive[k] or least != values[k]:
            continue
        if not drop(least, left):
            break
        alive[k] = False
        left -= 1
        after[before[k]], before[after[k]] = after[k], before[k]
        for near in (before[k], after[k]):
            values[near] = value(near)
            heappush(heap, (values[near], near))
    return [k for k in range(count) if alive[k]]


def highest(value: Callable[[float], float], low: float, high: float) -> float:
    """The argument at which a function with one maximum is largest (golden section search)."""
    ratio = 0.5 * (sqrt(5.0) - 1.0)
    first, second = high - ratio * (high - low), low + ratio * (high - low)
    one, other = value(first), value(second)
    for _ in range(BISECTIONS):
        if one == other == -inf:
            break
        if one >= other:
            high, second, other = second, first, one
            first = high - ratio * (high - low)
            one = value(first)
        else:
            low, first, one = first, second, other
            second = low + ratio * (high - low)
            other = value(second)
    return 0.5 * (low + high)

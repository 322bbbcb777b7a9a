"""Finds the corners of a convex polygon, counter-clockwise, among the points of a loop. Refuses other loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import frexp, isfinite, ldexp

from ..geometry.tolerances import HULL_FLATNESS
from ..geometry.vec2 import Vec2, cross, dot, length, orientation, sub


def convex_ring(points: Sequence[Vec2]) -> tuple[int, ...]:
    """Indices of the corners, counter-clockwise, the lowest index first: two for a segment, one for a point.

    `points` run round the polygon in either sense. Repeated neighbours, and points on a side (to HULL_FLATNESS of the
    largest coordinate), are not corners. If all points are on one line, in any order, the two ends are the corners.
    Raises ValueError for points that are not finite, for no points, and for a loop that is not convex; its text is a
    phrase that names the fault.
    """
    for number, point in enumerate(points):
        if not (isfinite(point[0]) and isfinite(point[1])):
            raise ValueError(f"point {number} is not finite")
    if not points:
        raise ValueError("a polygon needs at least one point")
    at, flat = _scaled(points)
    ends = _ends_of_line(at, flat)
    if ends:
        return tuple(sorted(ends))
    ring = without_flat(at, _without_doubles(at), flat)
    if len(ring) < 3:
        # The points span an area: a convex loop of them would have three corners or more.
        raise ValueError("the loop turns back on itself")
    turns = [orientation(at[ring[k - 2]], at[ring[k - 1]], at[ring[k]]) for k in range(len(ring))]
    side = 1 if _area(at, ring) > 0.0 else -1
    wrong = [ring[k - 1] for k in range(len(ring)) if turns[k] != side]
    if wrong:
        raise ValueError(f"the loop is not convex at point {min(wrong)}")
    if _changes_of_heading(at, ring) != 2:
        raise ValueError("the loop goes around more than once")
    ring = ring if side > 0 else ring[::-1]
    first = ring.index(min(ring))
    return tuple(ring[first:] + ring[:first])


def hull_loop(points: Iterable[Vec2]) -> list[Vec2]:
    """The corners of the convex hull of points in any order, counter-clockwise (Andrew's monotone chain).

    The least point comes first. Points on one line give its two ends, a single point itself, no points an empty list.
    """
    ordered = sorted(set(points))
    below, above = _chain(ordered), _chain(ordered[::-1])
    return [*below[:-1], *above[:-1]] or ordered


def _chain(ordered: Sequence[Vec2]) -> list[Vec2]:
    """The corners of one half of the hull, from the first to the last of the `ordered` points."""
    chain: list[Vec2] = []
    for point in ordered:
        while len(chain) > 1 and orientation(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _ends_of_line(at: Sequence[Vec2], flat: float) -> list[int]:
    """Indices of the two ends of points on one line; [0] for points in one place; empty if the points span an area."""
    first = at[0]
    way = max((sub(point, first) for point in at), key=length)
    size = length(way)
    if size <= flat:
        return [0]
    if any(abs(cross(way, sub(point, first))) > flat * size for point in at):
        return []
    heights = [dot(way, sub(point, first)) for point in at]
    return [heights.index(min(heights)), heights.index(max(heights))]


def _scaled(points: Sequence[Vec2]) -> tuple[list[Vec2], float]:
    """Returns the points scaled by a power of two, so that products stay in range, and their flatness tolerance."""
    largest = max(abs(value) for point in points for value in point)
    exponent = frexp(largest)[1]
    at = [(ldexp(x, -exponent), ldexp(y, -exponent)) for x, y in points]
    return at, HULL_FLATNESS * ldexp(largest, -exponent)


def _without_doubles(at: Sequence[Vec2]) -> list[int]:
    """Indices of the points, only the first of each run of equal neighbours; the last and the first are neighbours."""
    ring = [k for k in range(len(at)) if k == 0 or at[k] != at[k - 1]]
    while len(ring) > 1 and at[ring[-1]] == at[ring[0]]:
        ring.pop()
    return ring


def without_flat(at: Sequence[Vec2], ring: list[int], flat: float) -> list[int]:
    """The loop `ring` without points that lie on a line between their neighbours, to `flat`; keeps at least two."""
    changed = True
    while changed and len(ring) > 2:
        changed, left = False, len(ring)
        kept: list[int] = []
        for place, number in enumerate(ring):
            # Of two points nearly in one place, each may lie between the other and a third. The point before is one
            # that is kept, so only one of the two is removed.
            before = kept[-1] if kept else ring[-1]
            after = ring[place + 1] if place + 1 < len(ring) else kept[0]
            if left > 2 and _lies_between(at[before], at[number], at[after], flat):
                changed, left = True, left - 1
            else:
                kept.append(number)
        ring = kept
    return ring


def _lies_between(before: Vec2, point: Vec2, after: Vec2, flat: float) -> bool:
    side, way = sub(after, before), sub(point, before)
    size = length(side)
    if size == 0.0:
        return False
    return abs(cross(side, way)) <= flat * size and -flat * size <= dot(side, way) <= (size + flat) * size


def _area(at: Sequence[Vec2], ring: Sequence[int]) -> float:
    """Twice the signed area of the loop, about its first point."""
    origin = at[ring[0]]
    return sum(cross(sub(at[ring[k - 1]], origin), sub(at[ring[k]], origin)) for k in range(len(ring)))


def _changes_of_heading(at: Sequence[Vec2], ring: Sequence[int]) -> int:
    """The number of corners at which the sides change between increasing and decreasing x (y for equal x)."""
    onwards = [at[ring[k]] > at[ring[k - 1]] for k in range(len(ring))]
    return sum(onwards[k] != onwards[k - 1] for k in range(len(ring)))

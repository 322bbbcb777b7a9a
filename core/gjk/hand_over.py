"""Extends GJK's last simplex to a tetrahedron for EPA.

GJK often ends an overlap with the origin on a point, a segment or a triangle; for boxes this is usual. Departures: the
tetrahedron need not contain the origin, because EPA grows towards it. The points are chosen for the volume that they
span; if they span none, the difference is flat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..geometry.tolerances import ROUNDING
from ..geometry.triple import Triple, any_perpendicular, cross, dot, length, negated, point_along, scaled, sub, unit
from ..pair.support import Difference, DifferencePoint
from .simplex import triangle_normal


def _height(span: Sequence[Triple], point: Triple) -> float:
    """Distance of a point from the point, line or plane through one to three others; signed over a plane."""
    way = sub(point, span[0])
    if len(span) == 1:
        return length(way)
    edge = sub(span[1], span[0])
    if len(span) == 2:
        return length(cross(edge, way)) / length(edge)
    normal = cross(edge, sub(span[2], span[0]))
    return dot(normal, way) / length(normal)


def _directions_off(span: Sequence[Triple]) -> tuple[Triple, ...]:
    """Directions off the point, line or plane; a difference that extends beyond it does so along one of them."""
    if len(span) == 1:
        sides: tuple[Triple, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    elif len(span) == 2:
        edge = sub(span[1], span[0])
        across = any_perpendicular(edge)
        sides = (across, scaled(cross(edge, across), 1.0 / length(edge)))
    else:
        normal = cross(sub(span[1], span[0]), sub(span[2], span[0]))
        sides = (scaled(normal, 1.0 / length(normal)),)
    return tuple(direction for side in sides for direction in (side, negated(side)))


def spanning_points(
    difference: Difference,
    simplex: Sequence[DifferencePoint],
    noise: float,
    height: Callable[[Sequence[Triple], Triple], float] = _height,
    directions_off: Callable[[Sequence[Triple]], tuple[Triple, ...]] = _directions_off,
) -> tuple[list[DifferencePoint], int]:
    """Returns at most four points that span as many dimensions as the difference, and how many are of the simplex.

    Each point is the one farthest from the span of those before. It is of the simplex if any of its points is off the
    span by more than `noise`, else a support point in one of the directions off the span. `height`, `directions_off`:
    the functions for the span; EPA in the plane, where three points suffice, passes its own.
    """
    chosen = [simplex[0]]
    span = [simplex[0].xyz]
    own = list(simplex[1:])
    given, enough = 1, difference.dimension + 1
    while len(chosen) < enough:
        candidates = own or [difference.support(direction) for direction in directions_off(span)]
        heights = [abs(height(span, point.xyz)) for point in candidates]
        highest = max(heights)
        if highest > noise:
            farthest = candidates[heights.index(highest)]
            chosen.append(farthest)
            span.append(farthest.xyz)
            given += bool(own)
            own = [point for point in own if point is not farthest]
        elif own:
            own = []
        else:
            break
    return chosen, given


def flat_normal(span: Sequence[Triple], offset: Triple, rounding: float = ROUNDING) -> Triple:
    """A unit normal of the point, segment or triangle `span`, on B's side; any normal separates flat bodies.

    `offset`: B's position minus A's. `rounding`: a part of it across a segment that is at
    most this share of it is rounding, as in ROUNDING.
    """
    if len(span) == 1:
        return unit(offset) or (1.0, 0.0, 0.0)
    if len(span) == 2:
        edge = sub(span[1], span[0])
        across = _perpendicular_to(offset, edge)
        off_line = length(across) > rounding * length(offset)
        # A short part across has a large share of rounding along the edge, which a second projection removes.
        return (unit(_perpendicular_to(unit(across) or offset, edge)) if off_line else None) or any_perpendicular(edge)
    a, b, c = span
    longest = max((sub(b, a), sub(c, b), sub(a, c)), key=length)
    normal = unit(_perpendicular_to(triangle_normal(a, b, c), longest)) or any_perpendicular(longest)
    return normal if dot(normal, offset) >= 0.0 else negated(normal)


def _perpendicular_to(way: Triple, edge: Triple) -> Triple:
    """The part of a vector perpendicular to an edge, up to rounding."""
    heading = scaled(edge, 1.0 / length(edge))
    return point_along(way, -dot(way, heading), heading)

"""The policies `Box2D` and `Box2D 2.4`: the edge with the largest separation clips the edge that is most against it.

Built from Box2D (erincatto/box2d). The reference is the edge along whose normal the other polygon is farthest away. The
incident edge is the one of the other polygon whose normal is most opposed; their angle is not tested. Of equal edges
the first is taken, A's before B's. A polygon's radius is its border here; Box2D 2.4 gives every polygon a radius of two
slops. A circle has one contact, midway between the witness points.

`Box2D`, version 3: `b2CollidePolygons`, `b2ClipPolygons`, `b2CollidePolygonAndCircle` and `b2CollideCircles` in
src/manifold.c (commit b2f0c45), `b2SegmentDistance` in src/distance.c (commit 04b0e92), constants in src/constants.h
(commit 0b7e14f). Both points of the clipped edge are contacts, however far above the reference edge. Polygons that are
apart by more than a tenth of a slop, and whose two edges are nearest at a corner of each, have one contact there. At
such a distance two equally long edges right above one another have one contact too. A contact is named by a vertex of
each polygon.

`Box2D 2.4`: `b2CollidePolygons` in src/collision/b2_collide_polygon.cpp, `b2ClipSegmentToLine` in b2_collision.cpp,
`b2CollidePolygonAndCircle` in b2_collide_circle.cpp (commit 343ad82, version 2.4.0), constants in
include/box2d/b2_common.h (commit 64c5e12). B's edge is the reference only if its separation is larger than A's by more
than a tenth of a slop; version 2.3 needed more. The lines that cut are outside of the reference edge's ends by the sum
of both radii. A remaining end above the reference edge is no contact. If fewer than two ends are left, there is no
contact. Where two rounded corners pass each other, Box2D 2.4 finds contacts of bodies that are apart; here these have
none.

Box2D computes in single precision, and its lengths are metres; here they are scene units.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from msgspec import Struct

from ...geometry.tolerances import FRAME_ROUNDING
from ...geometry.vec2 import Vec2, add, dot, left_of, lerp, negated, point_along, raised, raised_rows, scaled, sub
from ...geometry.vector import Array
from ...minkowski.plane import MinkowskiPolygon, NearestPoint
from ...pair.cores import PlaneCore, PlanePair
from ...scene import Body
from ...trace import Steps
from ..contact import Contact, ContactCase, FeaturesStep, Manifold, ManifoldStep
from .edge_pair import EdgePair, End, vertex_numbers
from .plane import one_point

LINEAR_SLOP = 0.005
"""`B2_LINEAR_SLOP` and `b2_linearSlop`, metres."""

SLOP_SHARE = 0.1
"""A fraction of LINEAR_SLOP. `Box2D`: polygons farther apart may have one contact between two corners. `Box2D 2.4`: B's
edge is the reference if its separation is larger by more."""


def box2d_steps(
    a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """The contacts by version 3, as steps, from the bodies' `difference` and its boundary point `nearest` the origin.

    `speculative`: bodies up to this far apart, scene units, have contacts too; Box2D's own distance is 4 slops. The
    steps raise TypeError for shapes of space.
    """
    pair, origin = PlanePair.of(a, b), a.position[:2]
    if nearest.separation > max(pair.scale.touching_band(), speculative):
        return Manifold(ContactCase.POINT, raised(nearest.normal), ())
    if not (pair.a.normals and pair.b.normals):
        return (yield from one_point(difference, nearest, origin, pair.scale.touching_band()))
    best = _Separations.of(pair)
    facing = best.facing(pair, origin, of_a=best.a >= best.b - pair.scale.rounding)
    if max(best.a, best.b) > SLOP_SHARE * LINEAR_SLOP and (corners := _nearest_ends(facing)) is not None:
        return (yield from _between_corners(facing, corners))
    yield facing.features()
    (start, first, _), (end, last, _) = facing.sides
    upper, lower = facing.ends

    def named(at: End) -> tuple[str, str]:
        return f"v{first if at.number == lower.number else last}", f"v{at.number}"

    way = left_of(facing.outward)
    low, high, length = (dot(way, sub(at, start)) for at in (lower.point, upper.point, end))
    ends, wide = [upper, lower], high - low > pair.scale.rounding
    if low < 0.0 and wide:
        ends = [upper, End(lerp(lower.point, upper.point, -low / (high - low)), lower.number, first)]
    yield facing.cut(first, negated(way), start, (upper, lower), ends, named)
    before = tuple(ends)
    if high > length and wide:
        ends = [End(lerp(lower.point, upper.point, (length - low) / (high - low)), upper.number, last), before[1]]
    yield facing.cut(last, way, end, before, ends, named)
    ordered = ends[::-1] if facing.of_a else ends
    return Manifold(facing.case, facing.normal, (yield from facing.below(ordered, inf, named)))


def box2d_2_steps(
    a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """The contacts by version 2.4, as `box2d_steps`.

    `speculative`: surfaces up to this far apart, scene units, have contacts too; version 2.4 has no such distance.
    """
    pair, origin = PlanePair.of(a, b), a.position[:2]
    margin = max(pair.scale.touching_band(), speculative)
    if nearest.separation > margin:
        return Manifold(ContactCase.POINT, raised(nearest.normal), ())
    if not (pair.a.normals and pair.b.normals):
        return (yield from one_point(difference, nearest, origin, pair.scale.touching_band()))
    best = _Separations.of(pair)
    facing = best.facing(pair, origin, of_a=best.b <= best.a + SLOP_SHARE * LINEAR_SLOP)
    yield facing.features()
    ends = yield from facing.clipped(pair.radius, facing.by_features)
    contacts = (yield from facing.below(ends, margin, facing.by_features)) if ends else ()
    return Manifold(facing.case, facing.normal, contacts)


class _Separations(Struct, frozen=True):
    """`b2FindMaxSeparation` of both bodies: `a`, `b`: the largest separation of the cores along a normal of the body.

    `edge_a`, `edge_b`: the edge with that normal.
    """

    a: float
    edge_a: int
    b: float
    edge_b: int

    @staticmethod
    def of(pair: PlanePair) -> _Separations:
        """The separations of A's edges and of B's."""
        (a, edge_a), (b, edge_b) = (
            _largest(one, other, pair.scale.rounding) for one, other in ((pair.a, pair.b), (pair.b, pair.a))
        )
        return _Separations(a, edge_a, b, edge_b)

    def facing(self, pair: PlanePair, origin: Vec2, *, of_a: bool) -> EdgePair:
        """The edge pair with A's edge as the reference if `of_a`, else B's; the incident edge is the most opposed."""
        reference, incident, edge = (pair.a, pair.b, self.edge_a) if of_a else (pair.b, pair.a, self.edge_b)
        products = [dot(normal, reference.normals[edge]) for normal in incident.normals]
        least = min(products)
        other = next(k for k, product in enumerate(products) if product <= least + FRAME_ROUNDING)
        return EdgePair(pair, origin, of_a, edge, other)


def _largest(one: PlaneCore, other: PlaneCore, rounding: float) -> tuple[float, int]:
    normals, points = np.array(one.normals), other.points
    heights: Array = normals[:, :1] * points[:, 0] + normals[:, 1:] * points[:, 1]
    levels = normals[:, 0] * one.points[:, 0] + normals[:, 1] * one.points[:, 1]
    separations = heights.min(axis=1) - levels
    edge = int((separations >= separations.max() - rounding).argmax())
    return float(separations[edge]), edge


def _nearest_ends(facing: EdgePair) -> tuple[int, int] | None:
    """The end (0 or 1) of the reference edge and that of the incident edge nearest each other.

    None if the edges are not nearest at an end of each.
    """
    shares = _shares(facing.reference.edge(facing.edge), facing.incident.edge(facing.other), facing.of_a)
    ends = {0.0: 0, 1.0: 1}
    if shares[0] not in ends or shares[1] not in ends:
        return None
    return ends[shares[0]], ends[shares[1]]


def _shares(reference: tuple[Vec2, Vec2], incident: tuple[Vec2, Vec2], of_a: bool) -> tuple[float, float]:
    """`b2SegmentDistance` of A's edge and B's (Ericson 2005, 5.1.9).

    Returns the positions of the nearest points along the reference and the incident edge, from 0 to 1.
    """
    (p1, q1), (p2, q2) = (reference, incident) if of_a else (incident, reference)
    d1, d2, r = sub(q1, p1), sub(q2, p2), sub(p1, p2)
    dd1, dd2, rd1, rd2, d12 = dot(d1, d1), dot(d2, d2), dot(r, d1), dot(r, d2), dot(d1, d2)
    if dd1 == 0.0 or dd2 == 0.0:
        # An edge whose squared length underflows to zero counts as a point.
        first = _clamped(-rd1 / dd1) if dd1 > 0.0 else 0.0
        second = _clamped(rd2 / dd2) if dd2 > 0.0 and dd1 == 0.0 else 0.0
        return (first, second) if of_a else (second, first)
    denominator = dd1 * dd2 - d12 * d12
    first = _clamped((d12 * rd2 - rd1 * dd2) / denominator) if denominator != 0.0 else 0.0
    second = (d12 * first + rd2) / dd2
    if second < 0.0:
        first, second = _clamped(-rd1 / dd1), 0.0
    elif second > 1.0:
        first, second = _clamped((d12 - rd1) / dd1), 1.0
    return (first, second) if of_a else (second, first)


def _clamped(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _between_corners(facing: EdgePair, ends: tuple[int, int]) -> Steps[ManifoldStep, Manifold]:
    """One contact midway between an end of the reference edge and one of the incident edge, along the line of both."""
    of_a, origin = facing.of_a, facing.origin
    of_reference = facing.reference.edge(facing.edge)[ends[0]], vertex_numbers(facing.reference, facing.edge)[ends[0]]
    of_incident = facing.incident.edge(facing.other)[ends[1]], vertex_numbers(facing.incident, facing.other)[ends[1]]
    (at_a, number_a), (at_b, number_b) = (of_reference, of_incident) if of_a else (of_incident, of_reference)
    apart = sub(at_b, at_a)
    distance = sqrt(dot(apart, apart))
    n, pair = scaled(apart, 1.0 / distance), facing.pair
    names, depth = (f"v{number_a}", f"v{number_b}"), pair.radius - distance
    placed = [raised_rows((add(at, origin),)) for at in (at_a, at_b)]
    yield FeaturesStep(ContactCase.POINT, raised(n), *names, *placed)
    middle = lerp(point_along(at_a, pair.a.radius, n), point_along(at_b, -pair.b.radius, n), 0.5)
    contact = Contact(raised(add(middle, origin)), depth, *names, gap=depth < -pair.scale.touching_band())
    return Manifold(ContactCase.POINT, raised(n), (contact,))

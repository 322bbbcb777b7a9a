"""The policy `Chipmunk`: two edges that face each other along the normal, each end measured against the other edge.

Built from Chipmunk (slembcke/Chipmunk2D, commit 1db9918): `ContactPoints`, `SupportEdgeForPoly`,
`SupportEdgeForSegment`, `PolyToPoly`, `SegmentToPoly`, `CircleToPoly` in src/cpCollision.c.

On each polygon, the edge is the one beside the farthest corner whose normal is more along the collision normal; of
equal ones, the second. No edge is the reference, and none is clipped. Seen along the normal, each end of the stretch
that both edges share is an end of one edge and a point on the other. These two points, each moved by its border along
the normal, are a contact if they are not apart along the normal, at any angle of the edges. There are two such pairs:
the first end of A's edge with the last of B's, and the last with the first. A contact is named by the two vertices. If
the edges share only one point, both pairs are at that point. Chipmunk keeps both points of a contact; here the contact
is midway between them. Chipmunk's normal is that of its own GJK and EPA, which add borders at the end; here it is the
answer's. Chipmunk has no distance at which contacts begin before bodies touch, as `speculative` here. A circle has one
contact.
"""

from __future__ import annotations

import numpy as np

from ...geometry.vec2 import Vec2, add, cross, dot, lerp, negated, point_along, raised, raised_rows, sub
from ...minkowski.plane import MinkowskiPolygon, NearestPoint
from ...pair.cores import PlaneCore, PlanePair
from ...scene import Body
from ...trace import Steps
from ..contact import Contact, ContactCase, EndsStep, FeaturesStep, Manifold, ManifoldStep
from .edge_pair import more_along, supporting_edges, vertex_numbers
from .plane import one_point


def chipmunk_steps(
    a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """The contacts of two bodies, as steps, from their `difference` and its boundary point `nearest` the origin.

    `speculative`: surfaces up to this far apart, scene units, have contacts too. The steps raise TypeError for shapes
    of space.
    """
    pair, origin, n = PlanePair.of(a, b), a.position[:2], nearest.normal
    band, rounding = pair.scale.touching_band(), pair.scale.rounding
    margin, normal = max(band, speculative), raised(n)
    if nearest.separation > margin:
        return Manifold(ContactCase.POINT, normal, ())
    if not (pair.a.normals and pair.b.normals):
        return (yield from one_point(difference, nearest, origin, band))
    edges = _supporting(pair.a, n, rounding), _supporting(pair.b, negated(n), rounding)
    (a1, b1), (a2, b2) = pair.a.edge(edges[0]), pair.b.edge(edges[1])
    shown = [raised_rows(add(point, origin) for point in ends) for ends in ((a1, b1), (a2, b2))]
    yield FeaturesStep(ContactCase.EDGES, normal, f"edge{edges[0]}", f"edge{edges[1]}", *shown)
    from_a, from_b = vertex_numbers(pair.a, edges[0]), vertex_numbers(pair.b, edges[1])
    names = tuple((f"v{from_a[k]}", f"v{from_b[1 - k]}") for k in range(2))
    at_a = [point_along(_over((a1, b1), end, n), pair.a.radius, n) for end in (b2, a2)]
    at_b = [point_along(_over((a2, b2), end, n), -pair.b.radius, n) for end in (a1, b1)]
    depths = [dot(n, sub(one, other)) for one, other in zip(at_a, at_b, strict=True)]
    kept = tuple(depth >= -margin for depth in depths)
    placed = [raised_rows(add(point, origin) for point in points) for points in (at_a, at_b)]
    yield EndsStep(normal, names, placed[0], placed[1], np.array(depths), kept)
    contacts = tuple(
        Contact(raised(add(lerp(one, other, 0.5), origin)), depth, *name, gap=depth < -band)
        for one, other, depth, name, keep in zip(at_a, at_b, depths, names, kept, strict=True)
        if keep
    )
    return Manifold(ContactCase.EDGES, normal, contacts)


def _supporting(core: PlaneCore, direction: Vec2, rounding: float) -> int:
    """`SupportEdgeForPoly`: the edge beside the farthest corner whose normal is more along `direction`.

    Of equal edges, the one after the corner.
    """
    before, after = supporting_edges(core, direction, rounding)
    return before if more_along(core, before, after, direction) else after


def _over(edge: tuple[Vec2, Vec2], end: Vec2, n: Vec2) -> Vec2:
    """The point of an edge at `end`, seen along n; the nearer end of the edge if `end` is beyond it."""
    start, last = cross(edge[0], n), cross(edge[1], n)
    along_edge, ahead = last - start, cross(end, n) - start
    if along_edge == 0.0:
        # An edge along the normal: in C the division by zero gives an infinite share, clamped to one end.
        return edge[1 if ahead >= 0.0 else 0]
    return lerp(edge[0], edge[1], min(max(ahead / along_edge, 0.0), 1.0))

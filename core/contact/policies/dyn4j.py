"""The policy `dyn4j`: the edges that face along the normal, the one clipped by the other at any angle.

Built from dyn4j (dyn4j/dyn4j): `ClippingManifoldSolver.getManifold` and `clip`, in
src/main/java/org/dyn4j/collision/manifold/ClippingManifoldSolver.java (commit 1d41c53), and `getFarthestFeature` of
Polygon.java (commit 0cea598), Segment.java (00cf9d9) and Circle.java (1d41c53) in src/main/java/org/dyn4j/geometry/.

Of both polygons the edge beside the farthest corner whose normal is more along the penetration's. The reference is the
edge that is more perpendicular to it, judged by the product with the edge's whole vector, so that of edges as steep the
shorter one wins; of equal ones A's. Contacts are the ends of the clipped edge that are not above the reference line. It
may leave none, where only a corner stands on a line. An id is the reference edge with the vertex of the incident one,
whether that was cut off or not. dyn4j places a contact on the incident edge (the points of the last step); here it is
midway between the surfaces, as everywhere. Its normal and depth are those of its own GJK and EPA: here they are the
answer's. It has no distance at which contacts begin before bodies touch: `speculative` is our setting.

A circle has one point. Polygons with a border are no shapes of dyn4j; its
capsule, whose edge is chosen by an angle, is not rebuilt.
"""

from __future__ import annotations

from ...geometry.vec2 import Vec2, dot, negated, raised, sub
from ...minkowski.plane import MinkowskiPolygon, NearestPoint
from ...pair.cores import PlaneCore, PlanePair
from ...scene import Body
from ...trace import Steps
from ..contact import ContactCase, Manifold, ManifoldStep
from .edge_pair import EdgePair, End, more_along, supporting_edges
from .plane import one_point


def dyn4j_steps(
    a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """The contacts of two bodies whose difference and its boundary point nearest the origin are known, as steps.

    `speculative`: points this far apart, scene units, are contacts too.
    """
    pair, origin, n = PlanePair.of(a, b), a.position[:2], nearest.normal
    reach = max(pair.scale.band, speculative)
    if nearest.separation > reach:
        return Manifold(ContactCase.POINT, raised(n), ())
    if not (pair.a.normals and pair.b.normals):
        return (yield from one_point(difference, nearest, origin, pair.scale.band))
    rounding = pair.scale.rounding
    edges = _farthest(pair.a, n, rounding), _farthest(pair.b, negated(n), rounding)
    of_a = _off(pair.a, edges[0], n) <= _off(pair.b, edges[1], n) + rounding
    facing = EdgePair(pair, origin, of_a, *(edges if of_a else edges[::-1]))
    yield facing.features()

    def named(end: End) -> tuple[str, str]:
        return f"edge{facing.edge}", f"v{end.number}"

    ends = yield from facing.clipped(0.0, named)
    contacts = (yield from facing.below(ends, reach, named)) if ends else ()
    return Manifold(facing.case, facing.normal, contacts)


def _farthest(core: PlaneCore, direction: Vec2, rounding: float) -> int:
    """`getFarthestFeature`: of the edges beside the farthest corner the more perpendicular; of equal ones the first."""
    before, after = supporting_edges(core, direction, rounding)
    return after if more_along(core, after, before, direction) else before


def _off(core: PlaneCore, edge: int, direction: Vec2) -> float:
    """The length that an edge covers along `direction`, forwards or backwards."""
    start, end = core.edge(edge)
    return abs(dot(sub(end, start), direction))

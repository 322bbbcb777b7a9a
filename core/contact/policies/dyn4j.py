"""The policy `dyn4j`: two edges face each other along the normal, and one clips the other at any angle.

Built from dyn4j (dyn4j/dyn4j): `ClippingManifoldSolver.getManifold` and `clip`, in
src/main/java/org/dyn4j/collision/manifold/ClippingManifoldSolver.java (commit 1d41c53), and `getFarthestFeature` of
Polygon.java (commit 0cea598), Segment.java (00cf9d9) and Circle.java (1d41c53) in src/main/java/org/dyn4j/geometry/.

On each polygon, the edge is the one beside the farthest corner whose normal is more along the penetration normal. The
reference is the edge whose vector has the smaller absolute dot product with that normal; of equal ones, A's. As the
vector is not a unit vector, the shorter of two equally steep edges wins. Contacts are the ends of the clipped edge that
are not above the reference line. There may be none, if only a corner is on one of the lines that cut. A contact is
named by the reference edge and the vertex of the incident edge, whether that was cut off or not. dyn4j places a contact
on the incident edge (the points of the last step); here it is midway between the surfaces. dyn4j's normal and depth are
those of its own GJK and EPA; here they are the answer's. dyn4j has no distance at which contacts begin before bodies
touch, as `speculative` here.

A circle has one contact. dyn4j has no polygons with a border. Its capsule, whose edge is chosen by an angle, is not
implemented here.
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
    """The contacts of two bodies, as steps, from their `difference` and its boundary point `nearest` the origin.

    `speculative`: surfaces up to this far apart, scene units, have contacts too. The steps raise TypeError for shapes
    of space.
    """
    pair, origin, n = PlanePair.of(a, b), a.position[:2], nearest.normal
    margin = max(pair.scale.touching_band(), speculative)
    if nearest.separation > margin:
        return Manifold(ContactCase.POINT, raised(n), ())
    if not (pair.a.normals and pair.b.normals):
        return (yield from one_point(difference, nearest, origin, pair.scale.touching_band()))
    rounding = pair.scale.rounding
    edges = _farthest(pair.a, n, rounding), _farthest(pair.b, negated(n), rounding)
    of_a = _length_along(pair.a, edges[0], n) <= _length_along(pair.b, edges[1], n) + rounding
    facing = EdgePair(pair, origin, of_a, *(edges if of_a else edges[::-1]))
    yield facing.features()

    def named(end: End) -> tuple[str, str]:
        return f"edge{facing.edge}", f"v{end.number}"

    ends = yield from facing.clipped(0.0, named)
    contacts = (yield from facing.below(ends, margin, named)) if ends else ()
    return Manifold(facing.case, facing.normal, contacts)


def _farthest(core: PlaneCore, direction: Vec2, rounding: float) -> int:
    """`getFarthestFeature`: the edge beside the farthest corner whose normal is more along `direction`.

    Of equal edges, the one before the corner.
    """
    before, after = supporting_edges(core, direction, rounding)
    return after if more_along(core, after, before, direction) else before


def _length_along(core: PlaneCore, edge: int, direction: Vec2) -> float:
    """The length of an edge along `direction`, not negative."""
    start, end = core.edge(edge)
    return abs(dot(sub(end, start), direction))

"""The one or two contacts of two shapes in the plane, by clipping, as steps.

The reference edge is the edge that makes the difference's edge nearest the origin, or one across the normal if the
nearest point is a corner. The incident edge is the parallel one that makes the same edge of the difference, else the
more opposed one at the other polygon's nearest vertex. It is cut at both ends of the reference edge. Its ends that are
at most the touching band above the reference line are contacts, midway between the two surfaces. If a body is a circle,
if two corners meet, or if no end is left, there is one contact: midway between the witness points.
"""

from __future__ import annotations

from ...geometry.tolerances import LEVEL_SIN
from ...geometry.vec2 import Vec2, add, cross, dot, length, lerp, negated, raised, raised_rows, sub
from ...minkowski.plane import MinkowskiPolygon, NearestPoint
from ...pair.cores import PlaneCore, PlanePair
from ...pair.features import facing_edge
from ...scene import Body
from ...trace import Steps, run
from ..contact import Contact, ContactCase, FeaturesStep, Manifold, ManifoldStep
from .edge_pair import EdgePair, End


def contact_steps_of(
    a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """The contacts of two bodies, as steps, from their `difference` and its boundary point `nearest` the origin.

    `speculative`: surfaces up to this far apart, scene units, have contacts too. Bodies apart by more than this and the
    touching band have no contacts and no steps. The first step raises TypeError for shapes of space.
    """
    pair, origin = PlanePair.of(a, b), a.position[:2]
    if nearest.separation > max(pair.scale.touching_band(), speculative):
        return Manifold(ContactCase.POINT, raised(nearest.normal), ())
    facing = _reference(pair, difference, nearest)
    if facing is None:
        return (yield from one_point(difference, nearest, origin, pair.scale.touching_band()))
    edges = EdgePair(pair, origin, *facing)
    yield edges.features()
    ends = yield from _clipped(edges)
    contacts = yield from edges.below(ends, max(pair.scale.touching_band(), speculative), edges.by_features)
    if not contacts:
        return (yield from one_point(difference, nearest, origin, pair.scale.touching_band()))
    return Manifold(edges.case, edges.normal, contacts)


def contacts_of(a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint) -> Manifold:
    """The result of `contact_steps_of` alone. Raises TypeError for shapes of space."""
    return run(contact_steps_of(a, b, difference, nearest))


def _reference(pair: PlanePair, difference: MinkowskiPolygon, nearest: NearestPoint) -> tuple[bool, int, int] | None:
    """Whether the reference edge is A's, its number, and the incident edge's on the other body; None for one point.

    The reference edge is the one that makes the difference's nearest edge; A's if both do. It is not the edge most
    along the normal, since two sides of a needle may be that to rounding. If the nearest point is a corner of the
    difference, the reference is an edge that is level to LEVEL_SIN, A's first.
    """
    if not (pair.a.normals and pair.b.normals):
        return None
    if nearest.edge is None:
        edge_a, edge_b = facing_edge(pair.a, nearest.normal), facing_edge(pair.b, negated(nearest.normal))
        level_a, level_b = (
            abs(cross(core.normals[edge], nearest.normal)) <= LEVEL_SIN
            for core, edge in ((pair.a, edge_a), (pair.b, edge_b))
        )
        if level_a:
            return True, edge_a, edge_b
        return (False, edge_b, edge_a) if level_b else None
    made, (vertex_a, vertex_b) = difference.edges[nearest.edge], difference.sources[nearest.corner]
    if made.edge_a is not None:
        other = made.edge_b
        return True, made.edge_a, _opposed(pair.b, vertex_b, nearest.normal) if other is None else other
    assert made.edge_b is not None
    return False, made.edge_b, _opposed(pair.a, vertex_a, negated(nearest.normal))


def _opposed(core: PlaneCore, vertex: int, direction: Vec2) -> int:
    """The one of the two edges at a vertex whose outward normal is more opposed to `direction`."""
    following = core.numbers.index(vertex)
    before = (following - 1) % len(core.ring)
    return min((before, following), key=lambda k: dot(core.normals[k], direction))


def one_point(
    difference: MinkowskiPolygon, nearest: NearestPoint, origin: Vec2, band: float
) -> Steps[ManifoldStep, Manifold]:
    """The manifold with one contact midway between the witness points, as steps: for a circle, or two corners.

    `origin`: A's position, world. The contact is a gap if the bodies are apart by more than `band`, scene units.
    """
    feature_a, feature_b = _feature_names(difference, nearest)
    on_a, on_b = add(nearest.witness_a, origin), add(nearest.witness_b, origin)
    normal = raised(nearest.normal)
    yield FeaturesStep(ContactCase.POINT, normal, feature_a, feature_b, raised_rows((on_a,)), raised_rows((on_b,)))
    middle = add(lerp(nearest.witness_a, nearest.witness_b, 0.5), origin)
    contact = Contact(raised(middle), -nearest.separation, feature_a, feature_b, nearest.separation > band)
    return Manifold(ContactCase.POINT, normal, (contact,))


def _feature_names(difference: MinkowskiPolygon, nearest: NearestPoint) -> tuple[str, str]:
    """The names of the edge, vertex or centre of each body that the nearest point of the difference comes from."""
    edge = None if nearest.edge is None else difference.edges[nearest.edge]
    edges = (None, None) if edge is None else (edge.edge_a, edge.edge_b)
    found = []
    cores = (difference.core_a, difference.core_b)
    for core, number, own in zip(cores, difference.sources[nearest.corner], edges, strict=True):
        found.append("centre" if not core.normals else f"v{number}" if own is None else f"edge{own}")
    return found[0], found[1]


def _clipped(edges: EdgePair) -> Steps[ManifoldStep, list[End]]:
    """The incident edge, cut by the line across one end of the reference edge after the other.

    Points beyond an end by at most the touching band are kept. A cut within the band of the end that is kept is left
    out. The list is empty if the whole edge is beyond an end.
    """
    ends, band = edges.ends, edges.pair.scale.touching_band()
    for corner, number, way in edges.sides:
        before, heights = ends, [dot(way, sub(end.point, corner)) for end in ends]
        ends = [end for end, height in zip(before, heights, strict=True) if height <= band]
        if len(ends) == 1 and len(before) == 2:
            (low, inside), (high, outside) = sorted(zip(heights, range(2), strict=True))
            cut = lerp(before[inside].point, before[outside].point, max(0.0, low / (low - high)))
            if length(sub(cut, ends[0].point)) > band:
                ends.append(End(cut, before[outside].number, number))
        yield edges.cut(number, way, corner, before, ends, edges.by_features)
    return ends

"""The one or two contacts of two shapes in the plane, by clipping, as steps.

The reference edge is the edge that the shortest way out crosses. The incident edge is the most opposed one at the other
polygon's nearest vertex. It is cut at the two ends of the reference edge, and its ends below the reference line are
contacts, midway between the two surfaces. A circle, and corner on corner, have one contact: between the witness points.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...geometry.tolerances import LEVEL_SIN
from ...geometry.vec2 import Vec2, add, along, between, cross, dot, length, negated, raised, raised_rows, right_of, sub
from ...geometry.vector import Array
from ...minkowski.plane import MinkowskiPolygon, NearestPoint
from ...pair.cores import PlaneCore, PlanePair
from ...pair.features import facing_edge
from ...scene import Body
from ...trace import Steps, run
from ..contact import ClipStep, Contact, ContactCase, DepthStep, FeaturesStep, Manifold, ManifoldStep


class _Corner(Struct, frozen=True):
    """A point of the incident edge, relative to A's position: its feature on the reference body and on its own."""

    point: Vec2
    on_reference: str
    on_incident: str


def contact_steps_of(
    a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint, speculative: float = 0.0
) -> Steps[ManifoldStep, Manifold]:
    """The contacts of two bodies whose difference and its boundary point nearest the origin are known.

    `speculative`: points this far apart, scene units, are contacts too.
    """
    pair, origin = PlanePair.of(a, b), a.position[:2]
    if nearest.separation > max(pair.scale.band, speculative):
        return Manifold(ContactCase.POINT, raised(nearest.normal), ())
    facing = _facing(pair, difference, nearest)
    if facing is None:
        return (yield from _one_point(difference, nearest, origin, pair.scale.band))
    of_a, edge, other = facing
    case = ContactCase.FACE_OF_A if of_a else ContactCase.FACE_OF_B
    reference, incident = (pair.a, pair.b) if of_a else (pair.b, pair.a)
    outward = reference.normals[edge]
    names = (f"edge{edge}", f"edge{other}")
    points = [_world(core.edge(k), origin) for core, k in ((reference, edge), (incident, other))]
    first, second = (0, 1) if of_a else (1, 0)
    normal = raised(outward if of_a else negated(outward))
    yield FeaturesStep(case, normal, names[first], names[second], points[first], points[second])
    band = pair.scale.band
    corners = yield from _clipped(reference, edge, incident, other, origin, band, of_a=of_a)
    margin = max(band, speculative)
    contacts = yield from _below(reference, edge, incident, corners, origin, band, margin, of_a=of_a)
    return Manifold(case, normal, contacts) if contacts else (yield from _one_point(difference, nearest, origin, band))


def contacts_of(a: Body, b: Body, difference: MinkowskiPolygon, nearest: NearestPoint) -> Manifold:
    """The result of `contact_steps_of` alone."""
    return run(contact_steps_of(a, b, difference, nearest))


def _facing(pair: PlanePair, difference: MinkowskiPolygon, nearest: NearestPoint) -> tuple[bool, int, int] | None:
    """Whether the reference edge is A's, its number, and the incident edge's on the other body; None for a point.

    The reference edge is the one that makes the difference's nearest edge (A's, where both do).
    Not the edge most along the normal: of a needle's sides, two may be that to rounding. At a corner of the difference
    no edge makes it, and one of either body that is level to LEVEL_SIN is taken, A's first.
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
    """Of the two edges at a vertex the one whose outward normal is the more against `direction`."""
    following = core.numbers.index(vertex)
    before = (following - 1) % len(core.ring)
    return min((before, following), key=lambda k: dot(core.normals[k], direction))


def _one_point(
    difference: MinkowskiPolygon, nearest: NearestPoint, origin: Vec2, band: float
) -> Steps[ManifoldStep, Manifold]:
    feature_a, feature_b = _feature_names(difference, nearest)
    on_a, on_b = add(nearest.witness_a, origin), add(nearest.witness_b, origin)
    normal = raised(nearest.normal)
    yield FeaturesStep(ContactCase.POINT, normal, feature_a, feature_b, raised_rows((on_a,)), raised_rows((on_b,)))
    middle = add(between(nearest.witness_a, nearest.witness_b, 0.5), origin)
    contact = Contact(raised(middle), -nearest.separation, feature_a, feature_b, nearest.separation > band)
    return Manifold(ContactCase.POINT, normal, (contact,))


def _feature_names(difference: MinkowskiPolygon, nearest: NearestPoint) -> tuple[str, str]:
    """The edge or vertex of each body that the nearest point of the difference comes from."""
    edge = None if nearest.edge is None else difference.edges[nearest.edge]
    edges = (None, None) if edge is None else (edge.edge_a, edge.edge_b)
    found = []
    cores = (difference.core_a, difference.core_b)
    for core, number, own in zip(cores, difference.sources[nearest.corner], edges, strict=True):
        found.append("centre" if not core.normals else f"v{number}" if own is None else f"edge{own}")
    return found[0], found[1]


def _clipped(
    reference: PlaneCore, edge: int, incident: PlaneCore, other: int, origin: Vec2, margin: float, *, of_a: bool
) -> Steps[ManifoldStep, list[_Corner]]:
    """The incident edge, cut by the line across one end of the reference edge after the other.

    What is no more than `margin` beyond an end is at it; two ends that are one corner are given once.
    """
    count = len(incident.ring)
    numbers = (incident.numbers[other], incident.numbers[(other + 1) % count])
    corners = [
        _Corner(point, f"edge{edge}", f"v{number}") for point, number in zip(incident.edge(other), numbers, strict=True)
    ]
    start, end = reference.edge(edge)
    forwards = negated(right_of(reference.normals[edge]))
    for corner, place, way in ((start, edge, negated(forwards)), (end, edge + 1, forwards)):
        side = f"v{reference.numbers[place % len(reference.ring)]}"
        before = corners
        heights = [dot(way, sub(point.point, corner)) for point in before]
        corners = [point for point, height in zip(before, heights, strict=True) if height <= margin]
        if len(corners) == 1 and len(before) == 2:
            (low, inside), (high, outside) = sorted(zip(heights, range(2), strict=True))
            cut = between(before[inside].point, before[outside].point, max(0.0, low / (low - high)))
            if length(sub(cut, corners[0].point)) > margin:
                corners.append(_Corner(cut, side, f"edge{other}"))
        kept = {point.point for point in before}
        yield ClipStep(
            side=side,
            normal=raised(way),
            offset=dot(way, add(corner, origin)),
            before=_world([point.point for point in before], origin),
            after=_world([point.point for point in corners], origin),
            names=_names(corners, of_a=of_a),
            cut=tuple(point.point not in kept for point in corners),
        )
    return corners


def _below(
    reference: PlaneCore,
    edge: int,
    incident: PlaneCore,
    corners: list[_Corner],
    origin: Vec2,
    band: float,
    margin: float,
    *,
    of_a: bool,
) -> Steps[ManifoldStep, tuple[Contact, ...]]:
    """The corners no more than `margin` above the reference line, each moved midway to it; of grown cores, surfaces.

    More than the `band` above it they are gaps.
    """
    outward, start = reference.normals[edge], along(reference.ring[edge], reference.radius, reference.normals[edge])
    corners = [replace(corner, point=along(corner.point, -incident.radius, outward)) for corner in corners]
    depths = [-dot(outward, sub(corner.point, start)) for corner in corners]
    kept = tuple(depth >= -margin for depth in depths)
    names = _names(corners, of_a=of_a)
    yield DepthStep(
        raised(outward),
        dot(outward, add(start, origin)),
        _world([corner.point for corner in corners], origin),
        np.array(depths),
        names,
        kept,
    )
    return tuple(
        Contact(raised(add(along(corner.point, 0.5 * depth, outward), origin)), depth, *name, gap=depth < -band)
        for corner, depth, name, keep in zip(corners, depths, names, kept, strict=True)
        if keep
    )


def _names(corners: list[_Corner], *, of_a: bool) -> tuple[tuple[str, str], ...]:
    pairs = ((corner.on_reference, corner.on_incident) for corner in corners)
    return tuple(pair if of_a else (pair[1], pair[0]) for pair in pairs)


def _world(points: Iterable[Vec2], origin: Vec2) -> Array:
    return raised_rows(add(point, origin) for point in points)

"""EPA in the plane: a polygon inside the difference grows where it is nearest the origin.

As in space, the nearest edge's line bounds the depth from below, and the support along its normal bounds it from above.
`core.gjk.epa` has the stop reasons, the settings and the result. The plane needs no horizon: the support point is
inserted between the ends of the nearest edge. Lines have signed offsets, so that the start may be any simplex, even
with the origin on or outside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct

from ..geometry.triple import Triple, array_of
from ..geometry.vec2 import Vec2, cross, dot, left_of, length, negated, right_of, scaled, sub, unit
from ..geometry.vector import Array
from ..pair.support import Difference, DifferencePoint
from ..trace import PlanarStep, Steps, run
from .epa import DEFAULTS, EpaAction, EpaResult, EpaSettings, EpaStop, answer, flat_result, stop_of
from .hand_over import spanning_points
from .simplex import NearestOnSimplex, nearest_on_simplex


class PolygonEdge(Struct, frozen=True):
    """The edge from vertex `start` to `end`, counter-clockwise, on the line `normal·p = offset`; normal outward."""

    start: int
    end: int
    normal: Vec2
    offset: float


class EpaPolygonStep(PlanarStep, frozen=True):
    """One expansion: the polygon before it, the support point, and the change of the polygon.

    `number`: of the expansion, from 1; 0 for the hand-over and for a flat difference. `vertices`: all points so far, in
    the order they came; the first `given` are GJK's. `edges`: of the polygon, counter-clockwise. `nearest`: the edge
    with the least offset; `closest` (3,): the edge's point nearest the origin; `support`: the point found along its
    normal. All three are None in the hand-over step, which shows the new triangle, and in the one step of a flat
    difference. `removed`: the nearest edge, `added`: the two edges in its place, in the hand-over all three; both empty
    when the step stops. `lower`, `upper`: bounds of the cores' depth after this step, None before the first edge was
    tried. `stop`: None unless the run ends with this step.
    """

    number: int
    action: EpaAction
    vertices: tuple[DifferencePoint, ...]
    given: int
    edges: tuple[PolygonEdge, ...]
    nearest: PolygonEdge | None = None
    closest: Array | None = None
    support: DifferencePoint | None = None
    removed: tuple[PolygonEdge, ...] = ()
    added: tuple[PolygonEdge, ...] = ()
    lower: float | None = None
    upper: float | None = None
    stop: EpaStop | None = None


def epa_polygon_steps(
    difference: Difference, simplex: Sequence[DifferencePoint], settings: EpaSettings = DEFAULTS
) -> Steps[EpaPolygonStep, EpaResult]:
    """EPA on the cores of a difference, from the one to three points of the simplex that GJK ended with."""
    rounding = difference.rounding(settings.gap)
    vertices, given = spanning_points(difference, simplex, rounding, _height, _directions_off)
    if len(vertices) < 3:
        flat = EpaStop.FLAT_POLYTOPE
        yield EpaPolygonStep(0, EpaAction.STOP, tuple(vertices), given, (), lower=0.0, upper=0.0, stop=flat)
        return flat_result(difference, simplex, (*_flat_normal(difference, vertices), 0.0), settings)
    if _height([point.xyz for point in vertices[:2]], vertices[2].xyz) < 0.0:
        vertices[0], vertices[1] = vertices[1], vertices[0]
    edges = [_edge(vertices, start, end) for start, end in ((0, 1), (1, 2), (2, 0))]
    yield EpaPolygonStep(0, EpaAction.HAND_OVER, tuple(vertices), given, tuple(edges), added=tuple(edges))
    upper, heading = float("inf"), edges[0].normal
    for number in count(1):
        nearest = min(edges, key=lambda edge: edge.offset)
        support = difference.support((*nearest.normal, 0.0))
        value = dot(nearest.normal, support.xy)
        if value < upper:
            upper, heading = value, nearest.normal
        known = any(support.xyz == point.xyz for point in vertices)
        stop = stop_of(nearest.offset, value, rounding, known=known, last=number >= settings.iterations)
        added: tuple[PolygonEdge, ...] = ()
        before = tuple(edges)
        if stop is None:
            vertices.append(support)
            newest = len(vertices) - 1
            added = (_edge(vertices, nearest.start, newest), _edge(vertices, newest, nearest.end))
            place = edges.index(nearest)
            edges[place : place + 1] = added
        action = EpaAction.EXPAND if stop is None else EpaAction.STOP
        points, closest = tuple(vertices[: len(vertices) - bool(added)]), array_of(_on_edge(vertices, nearest).point)
        removed, lower = (nearest,) if added else (), _lower_bound(vertices, nearest)
        yield EpaPolygonStep(
            number=number,
            action=action,
            vertices=points,
            given=given,
            edges=before,
            nearest=nearest,
            closest=closest,
            support=support,
            removed=removed,
            added=added,
            lower=lower,
            upper=upper,
            stop=stop,
        )
        if stop is not None:
            if stop in (EpaStop.CONVERGED, EpaStop.ITERATION_LIMIT):
                # The least value of all steps is not used: its edge may be gone, and with it the witness points.
                upper, heading = value, nearest.normal
            return _result(difference, settings, stop, vertices, edges, nearest, heading, upper, number)
    raise AssertionError("counting ended")


def epa_polygon(
    difference: Difference, simplex: Sequence[DifferencePoint], settings: EpaSettings = DEFAULTS
) -> EpaResult:
    """The result of `epa_polygon_steps` alone."""
    return run(epa_polygon_steps(difference, simplex, settings))


def _height(span: Sequence[Triple], point: Triple) -> float:
    """Distance of a point from the one point of `span`, or signed from the line through two, positive on the left."""
    way = sub(point[:2], span[0][:2])
    if len(span) == 1:
        return length(way)
    side = sub(span[1][:2], span[0][:2])
    return cross(side, way) / length(side)


def _directions_off(span: Sequence[Triple]) -> tuple[Triple, ...]:
    if len(span) == 1:
        return ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0))
    side = sub(span[1][:2], span[0][:2])
    return ((*left_of(side), 0.0), (*right_of(side), 0.0))


def _flat_normal(difference: Difference, span: Sequence[DifferencePoint]) -> Vec2:
    """A unit normal of the one or two points, on B's side."""
    normal = unit(difference.offset[:2]) or (1.0, 0.0)
    if len(span) == 1:
        return normal
    side = unit(right_of(sub(span[1].xy, span[0].xy))) or normal
    return side if dot(side, difference.offset[:2]) >= 0.0 else negated(side)


def _edge(vertices: Sequence[DifferencePoint], start: int, end: int) -> PolygonEdge:
    """The edge between two vertices. Both ends have the same offset up to rounding; the larger one is taken."""
    normal = unit(right_of(sub(vertices[end].xy, vertices[start].xy))) or (1.0, 0.0)
    return PolygonEdge(start, end, normal, max(dot(normal, vertices[start].xy), dot(normal, vertices[end].xy)))


def _on_edge(vertices: Sequence[DifferencePoint], edge: PolygonEdge) -> NearestOnSimplex:
    return nearest_on_simplex((vertices[edge.start].xyz, vertices[edge.end].xyz))


def _lower_bound(vertices: Sequence[DifferencePoint], nearest: PolygonEdge) -> float:
    """The lower bound of the depth from the nearest edge; with the origin outside, minus the distance to that edge."""
    return nearest.offset if nearest.offset >= 0.0 else -length(_on_edge(vertices, nearest).point[:2])


def _result(
    difference: Difference,
    settings: EpaSettings,
    stop: EpaStop,
    vertices: Sequence[DifferencePoint],
    edges: Sequence[PolygonEdge],
    edge: PolygonEdge,
    heading: Vec2,
    value: float,
    iterations: int,
) -> EpaResult:
    """The answer from the nearest edge and its lower bound, with the upper bound `value` along `heading`."""
    lower = _lower_bound(vertices, edge)
    # A side of the difference may consist of several edges of the polygon: the origin's foot may lie in another one.
    foot = scaled(edge.normal, max(0.0, edge.offset))
    missing = {k: length(sub(_on_edge(vertices, piece).point[:2], foot)) for k, piece in enumerate(edges)}
    edge = edges[min(missing, key=missing.__getitem__)]
    nearest, corners = _on_edge(vertices, edge), (vertices[edge.start], vertices[edge.end])
    normal = (*heading, 0.0)
    return answer(difference, settings, stop, normal, value, lower, corners, nearest, iterations)

"""EPA in the plane: a polygon inside the difference grows where it is nearest the origin, until it can grow no more.

As in space (`core.algorithms.epa`, whose stop reasons, settings and result it shares): the nearest edge's line bounds
the depth from below, the support along its normal from above. The plane needs no horizon: the support point goes
between the nearest edge's two ends. Lines have signed offsets, so that the start may be any simplex, the origin on or
outside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np
from msgspec import Struct

from ..algorithms.epa import DEFAULTS, EpaAction, EpaResult, EpaSettings, EpaStop
from ..algorithms.simplex import NearestOnSimplex, nearest_on_simplex
from ..algorithms.support import Difference, DifferencePoint
from ..geometry.vec2 import Vec2, cross, dot, dropped, left_of, length, negated, raised, right_of, scaled, sub, unit
from ..geometry.vector import Array, frozen
from ..trace import PlanarStep, Steps, run


class PolygonEdge(Struct, frozen=True):
    """From vertex `start` to vertex `end`, counter-clockwise; `normal` unit, outward; its line: `normal·p = offset`."""

    start: int
    end: int
    normal: Vec2
    offset: float


class EpaPolygonStep(PlanarStep, frozen=True):
    """One expansion: the polygon before it, what was found, and what it did to the polygon.

    `vertices`: all points so far, in the order they came; the first `given` are GJK's. `edges`: of the polygon,
    counter-clockwise. `nearest`: the edge nearest the origin, `closest` (3,) its nearest point; `support` the point
    found along its normal. All three are None in a hand-over step, which shows the triangle made. `removed`: the
    nearest edge, `added`: the two in its place; empty when the step stops. `lower`, `upper`: bounds of the cores' depth
    after this step, None before the first edge was tried.
    """

    number: int
    action: EpaAction
    vertices: tuple[DifferencePoint, ...]
    given: int
    edges: tuple[PolygonEdge, ...]
    nearest: PolygonEdge | None
    closest: Array | None
    support: DifferencePoint | None
    removed: tuple[PolygonEdge, ...]
    added: tuple[PolygonEdge, ...]
    lower: float | None
    upper: float | None
    stop: EpaStop | None


def epa_polygon_steps(
    difference: Difference, simplex: Sequence[DifferencePoint], settings: EpaSettings = DEFAULTS
) -> Steps[EpaPolygonStep, EpaResult]:
    """EPA on the cores of a difference, from the one to three points of the simplex that GJK ended with."""
    rounding = settings.gap * difference.extent
    vertices, given = spanning_points(difference, simplex, rounding)
    if len(vertices) < 3:
        yield _hand_over(vertices, given, (), EpaStop.FLAT_POLYTOPE)
        return _flat_result(difference, settings, vertices, simplex)
    edges = [_edge(vertices, start, end) for start, end in ((0, 1), (1, 2), (2, 0))]
    yield _hand_over(vertices, given, tuple(edges), None)
    upper, heading = float("inf"), edges[0].normal
    for number in count(1):
        nearest = min(edges, key=lambda edge: edge.offset)
        support = difference.support((*nearest.normal, 0.0))
        value = dot(nearest.normal, support.xy)
        if value < upper:
            upper, heading = value, nearest.normal
        stop = _stop(nearest, support, value, vertices, rounding, last=number >= settings.iterations)
        added: tuple[PolygonEdge, ...] = ()
        before = tuple(edges)
        if stop is None:
            vertices.append(support)
            newest = len(vertices) - 1
            added = (_edge(vertices, nearest.start, newest), _edge(vertices, newest, nearest.end))
            place = edges.index(nearest)
            edges[place : place + 1] = added
        yield EpaPolygonStep(
            number=number,
            action=EpaAction.EXPAND if stop is None else EpaAction.STOP,
            vertices=tuple(vertices[: len(vertices) - bool(added)]),
            given=given,
            edges=before,
            nearest=nearest,
            closest=frozen(np.array(_on_edge(vertices, nearest).point)),
            support=support,
            removed=(nearest,) if added else (),
            added=added,
            lower=_lower_bound(vertices, nearest),
            upper=upper,
            stop=stop,
        )
        if stop is not None:
            if stop is EpaStop.CONVERGED:
                upper, heading = value, nearest.normal
            return _result(difference, settings, stop, vertices, edges, nearest, heading, upper, number)
    raise AssertionError("counting ended")


def epa_polygon(
    difference: Difference, simplex: Sequence[DifferencePoint], settings: EpaSettings = DEFAULTS
) -> EpaResult:
    """The result of `epa_polygon_steps` alone."""
    return run(epa_polygon_steps(difference, simplex, settings))


def spanning_points(
    difference: Difference, simplex: Sequence[DifferencePoint], noise: float
) -> tuple[list[DifferencePoint], int]:
    """A counter-clockwise triangle, or as much as the difference spans, and how many of the points are the simplex's.

    Each is the one farthest off the span of those before: of the simplex's own if any is off it by more than `noise`,
    else of the supports in all directions off it.
    """
    chosen, own, given = [simplex[0]], list(simplex[1:]), 1
    while len(chosen) < 3:
        candidates = own or [difference.support((*direction, 0.0)) for direction in _directions_off(chosen)]
        farthest = max(candidates, key=lambda point: abs(_height(chosen, point)))
        if abs(_height(chosen, farthest)) > noise:
            chosen.append(farthest)
            given += bool(own)
            own = [point for point in own if point is not farthest]
        elif own:
            own = []
        else:
            return chosen, given
    if _height(chosen[:2], chosen[2]) < 0.0:
        chosen[0], chosen[1] = chosen[1], chosen[0]
    return chosen, given


def _height(span: Sequence[DifferencePoint], point: DifferencePoint) -> float:
    """Distance of a point from the first of `span`, or signed from the line through both, positive on the left."""
    way = sub(point.xy, span[0].xy)
    if len(span) == 1:
        return length(way)
    side = sub(span[1].xy, span[0].xy)
    return cross(side, way) / length(side)


def _directions_off(span: Sequence[DifferencePoint]) -> tuple[Vec2, ...]:
    if len(span) == 1:
        return ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
    side = sub(span[1].xy, span[0].xy)
    return (left_of(side), right_of(side))


def _edge(vertices: Sequence[DifferencePoint], start: int, end: int) -> PolygonEdge:
    """The offset is that of the end which has it larger: outside of rounding both have the same."""
    normal = unit(right_of(sub(vertices[end].xy, vertices[start].xy))) or (1.0, 0.0)
    return PolygonEdge(start, end, normal, max(dot(normal, vertices[start].xy), dot(normal, vertices[end].xy)))


def _on_edge(vertices: Sequence[DifferencePoint], edge: PolygonEdge) -> NearestOnSimplex:
    return nearest_on_simplex((vertices[edge.start].xyz, vertices[edge.end].xyz))


def _lower_bound(vertices: Sequence[DifferencePoint], nearest: PolygonEdge) -> float:
    """What the polygon's nearest edge proves of the depth: with the origin outside, minus the way to the polygon."""
    return nearest.offset if nearest.offset >= 0.0 else -length(_on_edge(vertices, nearest).point[:2])


def _hand_over(
    vertices: Sequence[DifferencePoint], given: int, edges: tuple[PolygonEdge, ...], stop: EpaStop | None
) -> EpaPolygonStep:
    """The step that shows the triangle made of GJK's simplex."""
    bound = None if stop is None else 0.0
    return EpaPolygonStep(
        number=0,
        action=EpaAction.HAND_OVER if stop is None else EpaAction.STOP,
        vertices=tuple(vertices),
        given=given,
        edges=edges,
        nearest=None,
        closest=None,
        support=None,
        removed=(),
        added=edges,
        lower=bound,
        upper=bound,
        stop=stop,
    )


def _stop(
    nearest: PolygonEdge,
    support: DifferencePoint,
    value: float,
    vertices: Sequence[DifferencePoint],
    rounding: float,
    *,
    last: bool,
) -> EpaStop | None:
    if value < -rounding:
        return EpaStop.ORIGIN_OUTSIDE
    if value - nearest.offset <= rounding:
        return EpaStop.CONVERGED
    if any(support.xyz == point.xyz for point in vertices):
        return EpaStop.REPEATED_SUPPORT
    return EpaStop.ITERATION_LIMIT if last else None


def _flat_result(
    difference: Difference,
    settings: EpaSettings,
    vertices: Sequence[DifferencePoint],
    simplex: Sequence[DifferencePoint],
) -> EpaResult:
    """Cores that meet without area, which only two centres do: depth 0 in any direction."""
    normal = unit(dropped(difference.offset)) or (1.0, 0.0)
    if len(vertices) == 2:
        side = unit(right_of(sub(vertices[1].xy, vertices[0].xy))) or normal
        normal = side if dot(side, dropped(difference.offset)) >= 0.0 else negated(side)
    value = dot(normal, difference.support((*normal, 0.0)).xy)
    nearest = nearest_on_simplex([point.xyz for point in simplex])
    sources = [simplex[k] for k in nearest.region]
    return _answer(
        difference, settings, EpaStop.FLAT_POLYTOPE, sources, nearest.weights, normal, min(0.0, value), value, 0
    )


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
    """The answer from the nearest edge, its bound from below, and the best bound from above."""
    lower = _lower_bound(vertices, edge)
    # A side of the difference may have come in pieces, and the foot on its line lie in another one.
    foot = scaled(edge.normal, max(0.0, edge.offset))
    missing = {k: length(sub(_on_edge(vertices, piece).point[:2], foot)) for k, piece in enumerate(edges)}
    edge = edges[min(missing, key=missing.__getitem__)]
    nearest = _on_edge(vertices, edge)
    sources = [vertices[(edge.start, edge.end)[k]] for k in nearest.region]
    return _answer(difference, settings, stop, sources, nearest.weights, heading, lower, value, iterations)


def _answer(
    difference: Difference,
    settings: EpaSettings,
    stop: EpaStop,
    sources: Sequence[DifferencePoint],
    weights: Sequence[float],
    normal: Vec2,
    lower: float,
    value: float,
    iterations: int,
) -> EpaResult:
    out = raised(normal)
    shares = np.array(weights)
    return EpaResult(
        stop=stop,
        depth=value + difference.radius,
        core_depth=value,
        lower=min(lower, value),
        upper=value,
        normal=out,
        witness_a=frozen(shares @ np.array([point.a for point in sources]) + difference.radius_a * out),
        witness_b=frozen(shares @ np.array([point.b for point in sources]) - difference.radius_b * out),
        iterations=iterations,
        certified=value - lower <= settings.certified * difference.larger,
    )

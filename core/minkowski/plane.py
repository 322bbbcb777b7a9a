"""Minkowski sum and difference of two placed shapes as a convex polygon, and the table of all vertex pairs.

The edges of the sum are the edges of both shapes in the order of their headings, so the sum is found by walking round
both at once; the difference A - B is the sum of A and B reflected in the origin. Each edge has its row of the SAT
table: the origin's signed distance from the edge's line is SAT's overlap or gap on that axis. Parallel edges become
one. The difference with a circle is the difference with its centre, grown by the radius.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

import numpy as np
from msgspec import Struct

from ..geometry.tolerances import FRAME_ROUNDING
from ..geometry.vec2 import ORIGIN, Vec2, add, cross, dot, heading, length, lerp, negated, scaled, sub, unit
from ..geometry.vector import product
from ..pair.cores import PlaneCore, PlanePair
from ..scene import Body


class PairPlace(StrEnum):
    """The place of a pair's point on the hull of all pairs' points."""

    CORNER = "corner"
    EDGE = "edge"
    INSIDE = "inside"


class VertexPair(Struct, frozen=True):
    """One entry of the table: `point` = a + b or a - b.

    `name`: such as `AD`, the first letter for A's vertex and the second for B's, whose letters follow on A's (`v1|v40`
    if the alphabet is too short). `corner`: the index of the polygon's corner at `point`, None unless `place` is
    CORNER. Several pairs may have one corner.
    """

    name: str
    vertex_a: int
    vertex_b: int
    point: Vec2
    place: PairPlace
    corner: int | None


class MinkowskiEdge(Struct, frozen=True):
    """The edge from corner k to the next. `normal`: unit, outward; `offset`: the edge's line is `normal·p = offset`.

    `edge_a`, `edge_b`: the edges of A and of B that make it, both if they are parallel, else one is None. `row`: of the
    difference, the row of the SAT table; the lower row if two edges make it.
    """

    normal: Vec2
    offset: float
    edge_a: int | None
    edge_b: int | None
    row: int


class MinkowskiPolygon(Struct, frozen=True, dict=True, eq=False):
    """The sum or the difference, as a core polygon grown by `radius`, the sum of both bodies' radii.

    `kind`: "sum" or "difference". The difference is in its own frame; the bodies meet if that frame's origin is inside.
    The sum is a + b of world points. `corners`: counter-clockwise, a single one for two circles or points; `sources`:
    the vertices of A and of B that make each corner. `edges`: edge k starts at corner k; none for a single corner.
    `core_a`, `core_b`: relative to A's position. `shift`: added to a + b of the cores' points to make the sum; zero for
    the difference.
    """

    kind: str
    corners: tuple[Vec2, ...]
    sources: tuple[tuple[int, int], ...]
    edges: tuple[MinkowskiEdge, ...]
    radius: float
    core_a: PlaneCore
    core_b: PlaneCore
    shift: Vec2

    @cached_property
    def vertex_pairs(self) -> tuple[VertexPair, ...]:
        """Every pair of vertices: A's first vertex with each of B's, then its second, and so on."""
        sign = 1.0 if self.kind == "sum" else -1.0
        moved_b = sign * self.core_b.listed + np.array(self.shift)
        corners = np.array(self.corners)
        normals = np.array([edge.normal for edge in self.edges]).reshape(-1, 2)
        offsets = np.array([edge.offset for edge in self.edges])
        # By rounding, the points computed here may differ by this from the polygon's corners and edges.
        noise = 4.0 * FRAME_ROUNDING * float(np.abs(self.core_a.listed).max() + np.abs(moved_b).max())
        counts = 1 + self.core_a.listed_numbers[-1], 1 + self.core_b.listed_numbers[-1]
        found = []
        for a, point_a in zip(self.core_a.listed_numbers, self.core_a.listed, strict=True):
            points = point_a + moved_b + 0.0
            # Two circles have no edge; their one pair is the corner.
            on_outline = np.any(product(points, normals.T) >= offsets - noise, axis=1) | (len(offsets) == 0)
            for b, point, outer in zip(self.core_b.listed_numbers, points, on_outline.tolist(), strict=True):
                place, corner = PairPlace.INSIDE, None
                if outer:
                    misses = np.abs(corners - point).max(axis=1)
                    corner = int(misses.argmin()) if misses.min() <= noise else None
                    place = PairPlace.EDGE if corner is None else PairPlace.CORNER
                x, y = point.tolist()
                found.append(VertexPair(pair_name(a, b, *counts), a, b, (x, y), place, corner))
        return tuple(found)


class NearestPoint(Struct, frozen=True):
    """The boundary point of the difference nearest the origin, `-separation * normal`.

    `separation`: signed, of the bodies. `normal`: unit, outward, from A to B. `point`: the boundary point. `edge`: the
    index of the core's edge with the nearest point, None if that is a corner; `corner`: that corner, or the edge's
    first. `witness_a`, `witness_b`: on the surfaces, relative to A's position.
    """

    separation: float
    normal: Vec2
    point: Vec2
    edge: int | None
    corner: int
    witness_a: Vec2
    witness_b: Vec2


def pair_name(vertex_a: int, vertex_b: int, count_a: int, count_b: int) -> str:
    """The name of a pair: `AD` for the first vertex of each body if A has three vertices; B's letters follow A's.

    `v0|v0` for bodies with more than 26 vertices together.
    """
    if count_a + count_b > 26:
        return f"v{vertex_a}|v{vertex_b}"
    return chr(ord("A") + vertex_a) + chr(ord("A") + count_a + vertex_b)


def minkowski_difference(a: Body, b: Body) -> MinkowskiPolygon:
    """{ a - b }, computed relative to A's position; it does not depend on the world's origin.

    Raises TypeError for shapes of space.
    """
    return difference_of_pair(PlanePair.of(a, b))


def difference_of_pair(pair: PlanePair) -> MinkowskiPolygon:
    """{ a - b } of two cores, in the precision of their numbers."""
    return _walked("difference", pair.a, pair.b, ORIGIN)


def minkowski_sum(a: Body, b: Body) -> MinkowskiPolygon:
    """{ a + b } of world points. Raises TypeError for shapes of space."""
    pair = PlanePair.of(a, b)
    return _walked("sum", pair.a, pair.b, scaled(a.position[:2], 2.0))


class _Walk(Struct, frozen=True):
    """One polygon in the order of the walk: its edges start with the one whose normal has the least `heading`.

    `numbers`: the vertex numbers of the corners; `edges`: the edge numbers of the normals; `sizes`: the edges' lengths.
    """

    corners: tuple[Vec2, ...]
    numbers: tuple[int, ...]
    normals: tuple[Vec2, ...]
    edges: tuple[int, ...]
    sizes: tuple[float, ...]

    @staticmethod
    def of(core: PlaneCore, sign: float) -> _Walk:
        count = len(core.normals)
        corners = tuple(p if sign > 0.0 else negated(p) for p in core.ring)
        normals = tuple(n if sign > 0.0 else negated(n) for n in core.normals)
        first = min(range(count), key=lambda k: heading(normals[k]), default=0)
        order = [(first + k) % len(corners) for k in range(len(corners))]
        sizes = tuple(length(sub(*core.edge(k))) for k in order)
        ring, numbers = tuple(corners[k] for k in order), tuple(core.numbers[k] for k in order)
        return _Walk(ring, numbers, tuple(normals[k] for k in order[:count]), tuple(order[:count]), sizes)


def _walked(kind: str, core_a: PlaneCore, core_b: PlaneCore, shift: Vec2) -> MinkowskiPolygon:
    p, q = _Walk.of(core_a, 1.0), _Walk.of(core_b, 1.0 if kind == "sum" else -1.0)
    corners: list[Vec2] = []
    sources: list[tuple[int, int]] = []
    steps: list[list[tuple[int, int]]] = []
    i = j = 0
    while i < len(p.normals) or j < len(q.normals):
        at, source = _corner(p, q, i, j, shift)
        own: list[tuple[int, int]] = []
        one = _turn_left(p, i) if i < len(p.normals) else None
        other = _turn_left(q, j) if j < len(q.normals) else None
        if one is not None and (other is None or one <= other):
            own, i = [(0, i)], i + 1
        else:
            own, j = [(1, j)], j + 1
        if steps and _parallel(p, q, steps[-1], own):
            steps[-1] += own
            continue
        corners.append(at)
        sources.append(source)
        steps.append(own)
    if len(steps) > 1 and _parallel(p, q, steps[-1], steps[0]):
        # The walk began in the middle of a merged edge.
        steps[0] = steps.pop() + steps[0]
        corners[0], sources[0] = corners.pop(), sources.pop()
    if not steps:
        at, source = _corner(p, q, 0, 0, shift)
        corners, sources = [at], [source]
    edges = tuple(_edge(p, q, own, at, len(p.normals)) for own, at in zip(steps, corners, strict=False))
    return MinkowskiPolygon(
        kind=kind,
        corners=tuple(corners),
        sources=tuple(sources),
        edges=edges,
        radius=core_a.radius + core_b.radius,
        core_a=core_a,
        core_b=core_b,
        shift=shift,
    )


def _corner(p: _Walk, q: _Walk, i: int, j: int, shift: Vec2) -> tuple[Vec2, tuple[int, int]]:
    i, j = i % len(p.corners), j % len(q.corners)
    return add(add(p.corners[i], q.corners[j]), shift), (p.numbers[i], q.numbers[j])


def _turn_left(walk: _Walk, k: int) -> float:
    return heading(walk.normals[k])


def _parallel(p: _Walk, q: _Walk, one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    """Whether two edges have the same direction, to rounding; False for edges of one body."""
    if {which for which, _ in one} & {which for which, _ in other}:
        return False
    n, m = ((p, q)[which].normals[k] for which, k in (one[0], other[0]))
    return abs(cross(n, m)) <= FRAME_ROUNDING and dot(n, m) > 0.0


def _edge(p: _Walk, q: _Walk, own: list[tuple[int, int]], corner: Vec2, rows_of_a: int) -> MinkowskiEdge:
    which, k = max(own, key=lambda step: (p, q)[step[0]].sizes[step[1]])
    normal = (p, q)[which].normals[k]
    numbers = {side: (p, q)[side].edges[place] for side, place in own}
    edge_a, edge_b = numbers.get(0), numbers.get(1)
    row = edge_a if edge_a is not None else rows_of_a + (edge_b or 0)
    return MinkowskiEdge(normal, dot(normal, corner), edge_a, edge_b, row)


def nearest_point(polygon: MinkowskiPolygon, offset: Vec2, rounding: float) -> NearestPoint:
    """The boundary point nearest the origin. `offset`: B's position minus A's. `rounding`: closer depths tie.

    For two circles with one centre the normal is +x.
    """
    if not polygon.edges:
        way = negated(polygon.corners[0])
        apart = length(way)
        return _nearest(polygon, apart, scaled(way, 1.0 / apart) if apart > 0.0 else (1.0, 0.0), None, 0.0, 0)
    gaps = [0.0 - edge.offset for edge in polygon.edges]
    # Of edges whose gaps are equal up to rounding, the one with the lowest row is taken, as in the SAT table.
    level = [k for k, gap in enumerate(gaps) if gap >= max(gaps) - rounding]
    best = min(level, key=lambda k: polygon.edges[k].row)
    # A segment has no inside. With the origin on its line both normals are right, and the one towards B is taken.
    segment = len(gaps) == 2
    if segment and len(level) == 2 and dot(polygon.edges[best].normal, offset) < -rounding:
        best = 1 - best
    if gaps[best] <= 0.0 and not segment:
        # Nearly parallel neighbours may tie, and the foot on the line of one may lie on the other.
        best = min(level, key=lambda k: (length(_foot(polygon, k)[0]) > rounding + abs(gaps[k]), polygon.edges[k].row))
        foot, share = _foot(polygon, best)
        return _nearest(polygon, gaps[best], polygon.edges[best].normal, best, share)
    # Edges that the origin is in front of only by rounding are tried too: the foot may be on one of them.
    feet = {k: _foot(polygon, k) for k in range(len(gaps)) if gaps[k] > -rounding}
    edge = best if segment else min(feet, key=lambda k: length(feet[k][0]))
    foot, share = feet[edge]
    # The edge's normal is used only if it agrees with the foot: far away, the corners of a small polygon are so rounded
    # that its edges are not perpendicular to their normals.
    if 0.0 < share < 1.0 and length(foot) <= gaps[edge] + rounding:
        return _nearest(polygon, gaps[edge], polygon.edges[edge].normal, edge, share)
    apart, direct = length(foot), unit(negated(foot))
    # A distance as small as rounding may have a direction that proves nothing: then the edge's normal is taken.
    proven = direct is not None and -max(dot(direct, corner) for corner in polygon.corners) >= apart - rounding
    normal = direct if direct is not None and proven else polygon.edges[best].normal
    corner = edge if share <= 0.0 else (edge + 1) % len(polygon.corners)
    return _nearest(polygon, apart, normal, None, 0.0, corner)


def nearest_of_pair(pair: PlanePair) -> NearestPoint:
    """The boundary point nearest the origin of the difference of two cores, in the precision of their numbers."""
    return nearest_point(difference_of_pair(pair), pair.offset, pair.scale.rounding)


def _foot(polygon: MinkowskiPolygon, k: int) -> tuple[Vec2, float]:
    """The point of edge k nearest the origin, and its share (0..1) of the way along it."""
    start, end = polygon.corners[k], polygon.corners[(k + 1) % len(polygon.corners)]
    way = sub(end, start)
    square = dot(way, way)
    # In doubles the edge of a sliver may have no length.
    share = min(max(-dot(start, way) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return lerp(start, end, share), share


def _nearest(
    polygon: MinkowskiPolygon, core: float, normal: Vec2, edge: int | None, share: float, corner: int | None = None
) -> NearestPoint:
    """The nearest point of the bodies' difference, from `core`, the cores' signed separation.

    `share`: the place of the core's point along the edge, 0 to 1.
    """
    first = edge if edge is not None else corner or 0
    following = (first + 1) % len(polygon.corners)
    ends_a = [polygon.core_a.corner(polygon.sources[k][0]) for k in (first, following)]
    ends_b = [polygon.core_b.corner(polygon.sources[k][1]) for k in (first, following)]
    separation = core - polygon.radius
    return NearestPoint(
        separation=separation,
        normal=normal,
        point=scaled(normal, -separation),
        edge=edge,
        corner=first,
        witness_a=add(lerp(ends_a[0], ends_a[1], share), scaled(normal, polygon.core_a.radius)),
        witness_b=sub(lerp(ends_b[0], ends_b[1], share), scaled(normal, polygon.core_b.radius)),
    )

"""The axis between the closest points of two cores, if they lie on a vertex and an edge or on two vertices.

In the other cases the table already has the axis: the face's normal if a closest point lies within a face, the edges'
cross product if both lie within edges. The search compares each core's vertices with all edges and vertices of the
other. It uses no other algorithm, so that SAT's result can be checked against the others.
"""

from __future__ import annotations

from math import inf

import numpy as np
from msgspec import Struct

from ..geometry.hierarchy import AT_ONCE
from ..geometry.vector import Array, any_perpendicular, dots, length, length_rows, product, unit
from ..pair.cores import Core, CoreKind

FEW_VERTEX_PAIRS = 2**9
"""The largest number of vertex pairs for which all are compared; choosing the near ones would take longer."""

X_AXIS = np.array((1.0, 0.0, 0.0))


class ClosestAxis(Struct, frozen=True, eq=False):
    """The axis through the closest points of two cores.

    `axis` (3,): unit, from A to B. `separation`: of the cores along it. `label`: the features that it joins.
    """

    axis: Array
    separation: float
    label: str


_Feature = tuple[int, int | None]
"""A vertex and one of its edges, by their numbers; with None the vertex alone."""


class _ShortestVector(Struct, frozen=True, eq=False):
    """The shortest vector from a vertex of one core to an edge or a vertex of the other.

    `vector` (3,); `size`: its length; `start` (3,): the vertex. `begin`, `finish`: the features at its ends.
    `alone`: whether no two points elsewhere are as close, up to rounding.
    """

    vector: Array
    size: float
    start: Array
    begin: _Feature
    finish: _Feature
    alone: bool


def closest_axis(a: Core, b: Core, noise: float, ahead: Array, known: float) -> ClosestAxis:
    """The axis of the closest points, or `ahead` if no vector from a vertex to an edge or a vertex separates more.

    `ahead` (3,): of a table's axes, the unit direction from A to B that separates the cores most; `known`: their
    separation along it, -inf without a table. `noise`: the error of a projection.
    """
    many = len(a.solid.vertices) * len(b.solid.vertices) > FEW_VERTEX_PAIRS
    bound = _distance_bound(a, b, ahead) - known + noise if many and known > 0.0 else inf
    from_a, from_b = _shortest(a, b, ahead, bound, noise), _shortest(b, a, -ahead, bound, noise)
    if from_a.size <= from_b.size + noise:
        way, at_a, at_b = from_a.vector, from_a.begin, from_a.finish
    else:
        way, at_a, at_b = -from_b.vector, from_b.finish, from_b.begin
    axis, separation = _best_across(a, b, way, _edges_at(a, at_a), _edges_at(b, at_b), noise)
    if separation <= known + noise:
        axis, separation = ahead, known
    names = [_facing_name(core, one, noise) for core, one in ((a, axis), (b, -axis))]
    if length(way) <= separation + noise and _is_alone(from_a, from_b, noise):
        names = [_name(core, at) for core, at in ((a, at_a), (b, at_b))]
    return ClosestAxis(axis, separation, "→".join(names))


def _best_across(a: Core, b: Core, way: Array, at_a: Array, at_b: Array, noise: float) -> tuple[Array, float]:
    """The direction of the shortest vector `way` (3,) from A to B, and the cores' separation along it.

    `at_a`, `at_b` (k, 3): unit vectors of the edges at its ends. If the vector is about as short as rounding, its
    direction is noise. So directions perpendicular to one of these edges are tried too, and the one that separates the
    cores most is taken. Cores on one line, or at one point, get any perpendicular direction.
    """
    along, direct = np.concatenate((at_a, -at_b)), unit(way)
    rows = np.zeros((0, 3)) if direct is None else direct.reshape(1, 3)
    for edges in (at_a, at_b):
        if len(edges) == 1:
            # A shortest vector that ends within an edge is perpendicular to it.
            rows = _across(rows, edges)
    aside = any_perpendicular(along[0]) if len(along) else X_AXIS
    axes = np.concatenate((rows, _across(rows, along), aside.reshape(1, 3)))
    gaps = product(axes, b.solid.vertices.T).min(axis=1) - product(axes, a.solid.vertices.T).max(axis=1)
    chosen = int((gaps >= gaps.max() - noise).argmax())
    return axes[chosen], float(gaps[chosen])


def _across(directions: Array, edges: Array) -> Array:
    """Each of the unit `directions` made perpendicular to each of the unit `edges` (m, 3), without those along it."""
    turned = directions - dots(edges, directions)[:, None] * edges if len(directions) else directions
    sizes = length_rows(turned)
    across: Array = turned[sizes > 0.5] / sizes[sizes > 0.5, None]
    return across


def _distance_bound(a: Core, b: Core, ahead: Array) -> float:
    """An upper bound of the distance: from A's vertices to the vertex of B nearest A's foremost one along `ahead`."""
    at_a, at_b = a.solid.vertices, b.solid.vertices
    there = at_b[length_rows(at_b - at_a[dots(at_a, ahead).argmax()]).argmin()]
    return float(length_rows(at_a - there).min())


def _shortest(one: Core, other: Core, ahead: Array, bound: float, noise: float) -> _ShortestVector:
    """The shortest vector from a vertex of one core to an edge or vertex of the other.

    Vertices more than `bound` behind the foremost vertex along `ahead` (3,) are left out, and likewise the other core's
    edges along -`ahead`. A vector from or to them is longer than a known one.
    """
    vertices, others = one.solid.vertices, other.solid.vertices
    # A point is an edge without a length.
    edges = other.solid.edges if len(other.solid.edges) else np.zeros((1, 2), dtype=np.int64)
    rows, numbers = np.arange(len(vertices)), np.arange(len(edges))
    if bound < inf:
        back, beyond = dots(vertices, ahead), dots(others, ahead)
        rows = rows[back >= back.max() - bound]
        numbers = numbers[beyond[edges].min(axis=1) <= beyond.min() + bound]
    edges = edges[numbers]
    starts = others.take(edges[:, 0], axis=0)
    along = others.take(edges[:, 1], axis=0) - starts
    squares = dots(along, along)
    # An edge no longer than rounding counts as its start: a share along it would be noise.
    squares[squares <= noise * noise] = inf
    parts = []
    most = max(AT_ONCE // (3 * len(edges)), 1)
    for first in range(0, len(rows), most):
        some = rows[first : first + most]
        to_starts = starts - vertices[some, None]
        shares = np.minimum(np.maximum(-dots(to_starts, along) / squares, 0.0), 1.0)
        ways = to_starts + shares[..., None] * along
        sizes = length_rows(ways)
        at = place, edge = (sizes <= sizes.min() + noise).nonzero()
        parts.append((some[place], edge, shares[at], ways[at], sizes[at]))
    froms, tos, shares, ways, sizes = (np.concatenate(column) for column in zip(*parts, strict=True))
    k, close = int(sizes.argmin()), sizes <= sizes.min() + noise
    begins = vertices[froms[close]]
    wide = max(float(np.ptp(points, axis=0).max()) for points in (begins, begins + ways[close]))
    share, edge = float(shares[k]), int(tos[k])
    return _ShortestVector(
        vector=ways[k],
        size=float(sizes[k]),
        start=vertices[froms[k]],
        begin=(int(froms[k]), None),
        finish=(int(edges[edge, 1 if share == 1.0 else 0]), int(numbers[edge]) if 0.0 < share < 1.0 else None),
        alone=wide <= noise,
    )


def _is_alone(from_a: _ShortestVector, from_b: _ShortestVector, noise: float) -> bool:
    """Whether only one pair of points is the closest, up to rounding; `from_b` runs from B to A."""
    if abs(from_a.size - from_b.size) > noise:
        return (from_a if from_a.size < from_b.size else from_b).alone
    return from_a.alone and from_b.alone and length(from_b.start + from_b.vector - from_a.start) <= noise


def _edges_at(core: Core, feature: _Feature) -> Array:
    """Unit vectors (k, 3) along an edge, or along all edges at a vertex."""
    vertex, edge = feature
    at = (core.solid.edges == vertex).any(axis=1) if edge is None else slice(edge, edge + 1)
    units: Array = core.edge_units[at]
    return units


def _name(core: Core, feature: _Feature) -> str:
    """The feature's name: `A.v3`, with an edge `A.edge7`; `A` for a point."""
    vertex, edge = feature
    if core.kind is CoreKind.POINT:
        return core.name
    return f"{core.name}.{core.vertex_name(vertex) if edge is None else core.edge_name(edge)}"


def _facing_name(core: Core, direction: Array, noise: float) -> str:
    """The name of the vertex, edge or face that lies farthest along the unit `direction` (3,)."""
    if core.kind is CoreKind.POINT:
        return core.name
    heights = dots(core.solid.vertices, direction)
    vertices = np.flatnonzero(heights >= heights.max() - noise).tolist()
    return f"{core.name}.{core.feature_name(tuple(vertices))}"

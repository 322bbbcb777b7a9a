"""The axis between the closest vertex and edge of two cores, or two vertices: what the axes of a table may lack.

Where two cores are apart and closest within a face, the face's normal is an axis of the table; where they are closest
within two edges, the product of these is. What is left runs between a vertex and an edge, or two vertices, and is found
among all of them. SAT asks no other algorithm, so its number can be held against theirs.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ..geometry.hierarchy import AT_ONCE
from ..geometry.vector import Array, any_perpendicular, dots, length_rows, product, unit
from ..pair.cores import Core, CoreKind

FEW = 2**9
"""Of so many pairs of vertices all ways are looked at: to leave some out takes longer."""

X_AXIS = np.array((1.0, 0.0, 0.0))


class ClosestAxis(Struct, frozen=True, eq=False):
    """The unit `axis` (3,) from A to B, and how far the cores are apart along it: at most their distance."""

    axis: Array
    separation: float


class _Way(Struct, frozen=True, eq=False):
    """The shortest of some ways (3,) from a vertex of one core to the other: to its edge, or with `edge` None a vertex.

    `vertex`, `end`: the vertices' numbers; `edge`: the other core's edge, where the way ends between its ends.
    """

    way: Array
    size: float
    vertex: int
    end: int
    edge: int | None


def closest_axis(a: Core, b: Core, noise: float, ahead: Array, gap: float) -> ClosestAxis:
    """The axis between the closest vertex and edge, or vertices. `noise`: what a projection may be off by.

    `ahead` (3,): a unit direction from A to B along which the cores are apart by `gap`; with a gap of 0 or less nothing
    is known of them.

    At distances near rounding the direction of the way is noise. It is then replaced by the direction made
    perpendicular to an edge that it starts or ends at, if that separates the cores more. Of cores that lie on one line,
    or are one point, any direction across.
    """
    many = len(a.solid.vertices) * len(b.solid.vertices) > FEW
    reach = _reach(a, b, ahead) - gap + noise if many and gap > 0.0 else np.inf
    from_a, from_b = _shortest(a, b, ahead, reach), _shortest(b, a, -ahead, reach)
    if from_a.size <= from_b.size + noise:
        way, at_a, at_b = from_a.way, _edges_at(a, from_a.vertex, None), _edges_at(b, from_a.end, from_a.edge)
        crossed = at_b if from_a.edge is not None else None
    else:
        way, at_a, at_b = -from_b.way, _edges_at(a, from_b.end, from_b.edge), _edges_at(b, from_b.vertex, None)
        crossed = at_a if from_b.edge is not None else None
    along, direct = np.concatenate((at_a, -at_b)), unit(way)
    rows = np.zeros((0, 3)) if direct is None else direct.reshape(1, 3)
    if crossed is not None:
        # A way that ends within an edge is known to lie across it.
        rows = _across(rows, crossed)
    aside = any_perpendicular(along[0]) if len(along) else X_AXIS
    axes = np.concatenate((rows, _across(rows, along), aside.reshape(1, 3)))
    gaps = product(axes, b.solid.vertices.T).min(axis=1) - product(axes, a.solid.vertices.T).max(axis=1)
    chosen = int((gaps >= gaps.max() - noise).argmax())
    return ClosestAxis(axes[chosen], float(gaps[chosen]))


def _across(directions: Array, edges: Array) -> Array:
    """Unit directions (k, 3) made perpendicular to each of the unit `edges` (m, 3), but for those nearly along it."""
    turned = directions - dots(edges, directions)[:, None] * edges if len(directions) else directions
    sizes = length_rows(turned)
    across: Array = turned[sizes > 0.5] / sizes[sizes > 0.5, None]
    return across


def facing_name(core: Core, direction: Array, noise: float) -> str:
    """`A.v3`: the vertex, edge or face of a core that lies farthest along the unit `direction` (3,); a point's `A`."""
    if core.kind is CoreKind.POINT:
        return core.name
    heights = dots(core.solid.vertices, direction)
    vertices = np.flatnonzero(heights >= heights.max() - noise).tolist()
    return f"{core.name}.{core.feature_name(tuple(vertices))}"


def _reach(a: Core, b: Core, ahead: Array) -> float:
    """A distance of two vertices, short but not the shortest: from A's vertex farthest ahead, and back."""
    at_a, at_b = a.solid.vertices, b.solid.vertices
    there = at_b[length_rows(at_b - at_a[dots(at_a, ahead).argmax()]).argmin()]
    return float(length_rows(at_a - there).min())


def _shortest(one: Core, other: Core, ahead: Array, reach: float) -> _Way:
    """The shortest way from a vertex of one core to an edge of the other, or to its only vertex.

    What is farther back than the first vertex along `ahead` (3,), or than the other's along -`ahead`, by more than
    `reach` has no part in it: the way would be longer than one that is known.
    """
    solid, vertices = other.solid, one.solid.vertices
    if not len(solid.edges):
        ways = solid.vertices[0] - vertices
        sizes = length_rows(ways)
        vertex = int(sizes.argmin())
        return _Way(ways[vertex], float(sizes[vertex]), vertex, 0, None)
    rows, numbers = np.arange(len(vertices)), np.arange(len(solid.edges))
    if reach < np.inf:
        back, beyond = dots(vertices, ahead), dots(solid.vertices, ahead)
        rows = rows[back >= back.max() - reach]
        numbers = numbers[beyond[solid.edges].min(axis=1) <= beyond.min() + reach]
    ends = solid.edges[numbers]
    starts = solid.vertices.take(ends[:, 0], axis=0)
    edges = solid.vertices.take(ends[:, 1], axis=0) - starts
    squares = dots(edges, edges)
    # An edge of no length is its start.
    squares[squares == 0.0] = np.inf
    found: _Way | None = None
    most = max(AT_ONCE // (3 * len(edges)), 1)
    for first in range(0, len(rows), most):
        some = rows[first : first + most]
        to_starts = starts - vertices[some, None]
        shares = np.minimum(np.maximum(-dots(to_starts, edges) / squares, 0.0), 1.0)
        ways = to_starts + shares[..., None] * edges
        sizes = length_rows(ways)
        place, edge = divmod(int(sizes.argmin()), len(edges))
        size, share = float(sizes[place, edge]), float(shares[place, edge])
        if found is None or size < found.size:
            end = int(ends[edge, 1 if share == 1.0 else 0])
            within = int(numbers[edge]) if 0.0 < share < 1.0 else None
            found = _Way(ways[place, edge], size, int(some[place]), end, within)
    assert found is not None
    return found


def _edges_at(core: Core, vertex: int, edge: int | None) -> Array:
    """Unit vectors (k, 3) along an edge, or along all edges at a vertex."""
    at = (core.solid.edges == vertex).any(axis=1) if edge is None else slice(edge, edge + 1)
    units: Array = core.edge_units[at]
    return units

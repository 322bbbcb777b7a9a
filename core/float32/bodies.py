"""Bodies in single precision, with every number rounded to float32; and SAT of two polyhedra in single precision.

A hull's topology (the points of each face) is the one found in double. A `SingleMethod` has an algorithm's answer in
single precision, and the function that computes double's.

SAT projects vertices on unit axes, as an engine does. Two boxes have the fifteen axes. Hulls have all face normals, and
the products of the edge pairs whose arcs cross on the Gauss map by signs computed in floats (Gregorius 2013). Unlike in
core/pair/gauss_map.py no sign is settled exactly, and products of nearly parallel edges are plain cross products.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..batch.answers import Found, Reals, axes_of, crosses, dots, lengths
from ..closed_form import closed_form
from ..geometry.triple import components, dot
from ..geometry.vector import Array, frozen, product
from ..gjk.gjk_epa import signed_distance
from ..pair.pair import two_boxes
from ..pair.support import Rounding, SupportMap, placed_map, support_maps
from ..scene import Body, Scene
from ..shapes import Polyhedron, Shape, sharp_of

Single = np.float32


def single(value: float | np.float32) -> float:
    """The nearest float32, declared as a float: functions accept it, and numbers computed from it stay float32."""
    rounded: Any = Single(value)
    return cast("float", rounded)


def away_from_origin(scene: Scene, distance: float) -> Scene:
    """The scene with both bodies moved by `distance` along each of its axes, in scene units.

    In real numbers no answer would change, but rounded positions have fewer digits for the bodies' distance.
    """
    if not distance:
        return scene
    shift = [distance] * scene.dimension + [0.0] * (3 - scene.dimension)

    def moved(body: Body) -> Body:
        x, y, z = (coordinate + by for coordinate, by in zip(body.position, shift, strict=True))
        return replace(body, position=(x, y, z))

    return replace(scene, a=moved(scene.a), b=moved(scene.b))


class SingleBody(Struct, frozen=True, eq=False):
    """A body's numbers as float32.

    `axes` (3, 3): the body's axes in the world, one a row. `place` (3,): the body's position in the frame of the
    computation: the world's, or the one whose origin is A's position. `points` (k, 3): of its core in that frame; None
    for shapes without a core. `radius`: by which the core is grown, or the border of a shape without a core.
    """

    shape: Shape
    axes: Reals
    place: Reals
    points: Reals | None
    radius: np.float32

    @staticmethod
    def both(scene: Scene, *, world_space: bool) -> tuple[SingleBody, SingleBody]:
        """Both bodies, relative to A's position or in the world's frame."""
        origin = None if world_space else np.array(scene.a.position, dtype=Single)
        return SingleBody.of(scene.a, origin), SingleBody.of(scene.b, origin)

    @staticmethod
    def of(body: Body, origin: Reals | None) -> SingleBody:
        """The body relative to `origin` (3,), A's rounded position, or in the world's frame for None."""
        rotation = np.array([body.rotation], dtype=Single)
        axes = axes_of(rotation, Single)[:, :, 0]
        place = np.array(body.position, dtype=Single)
        if origin is not None:
            place = place - origin
        core = body.shape.core
        if core is None:
            return SingleBody(body.shape, axes, place, None, Single(sharp_of(body.shape)[1]))
        points = product(core.points.astype(Single), axes) + place
        return SingleBody(body.shape, axes, place, frozen(points), Single(core.radius))

    def support_map(self, rounded: Rounding = "core") -> tuple[SupportMap, np.float32]:
        """The support map of a bounded body in float32, and the radius that the map leaves out; as in `placed_map`.

        Raises ValueError for a half-space.
        """
        found, radius = placed_map(self.shape, self.axes.T, self.place, self.points, rounded)
        return found, Single(radius)


def unit_columns(columns: Reals) -> Reals:
    """The columns (3, n) scaled to unit length; columns that are exactly zero are left out."""
    sizes = lengths(columns)
    out: Reals = columns[:, sizes > 0.0] / sizes[sizes > 0.0]
    return out


def reach(body: SingleBody, normal: Reals) -> np.float32:
    """The largest `normal·p` of the body's points p along a unit normal (3,), in the frame of the computation."""
    found, radius = body.support_map()
    way = components(normal)
    return Single(dot(way, found.support(way).xyz) + radius)


class DoubleAnswer(Struct, frozen=True, eq=False):
    """The answer of double precision. `separation`: signed; `normal` (3,): unit, from A to B."""

    separation: float
    normal: Array


def double_closed_form(a: Body, b: Body) -> DoubleAnswer:
    """The answer of the closed form for two bodies that have one."""
    found = closed_form(a, b)
    assert found is not None
    return DoubleAnswer(found.separation, found.normal)


def double_gjk_and_epa(a: Body, b: Body) -> DoubleAnswer:
    """The answer of GJK and EPA for two bounded bodies. Raises ValueError for a half-space."""
    found = signed_distance(support_maps(a, b))
    return DoubleAnswer(found.separation, found.normal)


class SingleMethod(Struct, frozen=True, eq=False):
    """An algorithm's answer in single precision, and the function that computes double's for two bodies."""

    algorithm: str
    found: Found
    double: Callable[[Body, Body], DoubleAnswer]


def found_one(separation: np.float32, normal: Reals, gap: float = 0.0) -> Found:
    """One pair's answer in the batch's form; `normal` (3,). `gap`: the possible error of the separation."""
    return Found(
        np.array([separation], dtype=np.float32),
        normal.reshape(3, 1),
        np.array([gap], dtype=np.float32),
        np.zeros(1, dtype=np.bool_),
    )


_BLOCK = 1 << 20
"""The largest number of projections that are computed at a time."""


def single_sat(a: SingleBody, b: SingleBody) -> tuple[np.float32, Reals]:
    """The largest signed separation of two polyhedra over their axes, and its unit axis (3,) from A to B."""
    assert a.points is not None
    assert b.points is not None
    axes = unit_columns(np.concatenate((_faces(a), _faces(b), _products(a, b)), axis=1))
    best, normal = np.float32(-np.inf), axes[:, 0]
    size = max(1, _BLOCK // (len(a.points) + len(b.points)))
    for start in range(0, axes.shape[1], size):
        some = axes[:, start : start + size]
        on_a, on_b = product(a.points, some), product(b.points, some)
        beyond, before = on_b.min(axis=0) - on_a.max(axis=0), on_a.min(axis=0) - on_b.max(axis=0)
        gaps = np.maximum(beyond, before)
        row = int(gaps.argmax())
        if gaps[row] > best:
            best, normal = gaps[row], some[:, row] if beyond[row] >= before[row] else -some[:, row]
    return best, normal


def _solid(body: SingleBody) -> Polyhedron:
    """The body's polyhedron; a flat one gets faces without area at its edges."""
    solid = body.shape.polyhedron
    assert solid is not None
    return solid.with_rim()


def _faces(body: SingleBody) -> Reals:
    """Face normals (3, f) in the world; for a box one of each opposite pair."""
    solid = _solid(body)
    normals: Reals = product(solid.normals.astype(np.float32), body.axes).T
    return normals[:, ::2] if body.shape.half_extents is not None else normals


def _products(a: SingleBody, b: SingleBody) -> Reals:
    """Cross products (3, n) of the edge pairs that SAT tests."""
    if two_boxes(a, b) is not None:
        return crosses(a.axes.T[:, :, None], b.axes.T[:, None, :]).reshape(3, -1)
    (edges_a, left_a, right_a), (edges_b, left_b, right_b) = _arcs(a), _arcs(b)
    left_b, right_b = -left_b, -right_b
    plane_a, plane_b = crosses(right_a, left_a), crosses(right_b, left_b)
    # c·(b×a), d·(b×a), a·(d×c), b·(d×c) for every pair of arcs.
    c, d = product(plane_a.T, left_b), product(plane_a.T, right_b)
    at_a, at_b = product(left_a.T, plane_b), product(right_a.T, plane_b)
    rows_a, rows_b = np.nonzero((c * d < 0.0) & (at_a * at_b < 0.0) & (c * at_b > 0.0))
    return crosses(edges_a[:, rows_a], edges_b[:, rows_b])


def _arcs(body: SingleBody) -> tuple[Reals, Reals, Reals]:
    """Unit edges (3, e), and the normals (3, e) of the faces on their left and right, in the world."""
    solid = _solid(body)
    vertices: Reals = solid.vertices.astype(np.float32)
    ends = vertices[solid.edges]
    ways: Reals = ends[:, 1] - ends[:, 0]
    edges = product(ways, body.axes).T
    sizes = np.sqrt(dots(edges, edges))
    normals = product(solid.normals.astype(np.float32), body.axes).T
    left, right = (normals[:, faces] for faces in solid.edge_faces.T)
    return edges / np.where(sizes > 0.0, sizes, 1), left, right


def farthest_coordinate(scene: Scene, away: float = 0.0) -> float:
    """The largest absolute coordinate of both bodies' positions, after `away_from_origin` by `away`."""
    moved = away_from_origin(scene, away)
    return max(map(abs, (*moved.a.position, *moved.b.position)))


def spacing_at(coordinate: float) -> float:
    """The distance from the float32 nearest |`coordinate`| to the next larger one."""
    return float(np.spacing(np.abs(Single(coordinate))))

"""Support maps: GJK, EPA and the ray cast use of a body only its farthest point in a direction.

Small wrappers make a support map (after Jolt's ConvexSupport) of points, of the corners of a plane core, of a placed
curved shape, or of a core grown by a radius; `Difference` subtracts two support maps. Everything is relative to A's
position. Directions and points are tuples, as the algorithms handle one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Literal, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..geometry.matrix import Matrix, times, transposed
from ..geometry.tolerances import DOUBLE, Precision, certified_within
from ..geometry.triple import Triple, add, array_of, components, length, negated, scaled, sub, triple
from ..geometry.vec2 import Vec2
from ..geometry.vector import Array, frozen
from ..scene import Body
from ..shapes import Shape, sharp_of
from ..shapes.contract import Farthest
from .cores import PlaneCore, PlanePair
from .pair import PairScale

Rounding = Literal["core", "full"]


class Support(Struct, frozen=True, eq=False):
    """A farthest point `xyz`, and its `vertex` index (-1 on a curved surface)."""

    xyz: Triple
    vertex: int

    @property
    def point(self) -> Array:
        """The point as an array (3,)."""
        return array_of(self.xyz)


class SupportMap(Protocol):
    """The support map of a convex, bounded set."""

    def support(self, direction: Triple) -> Support:
        """The farthest point along `direction`, of any length but zero."""


FEW_POINTS = 24
"""The largest number of points for which a loop over plain floats is quicker than numpy."""


class Points(Struct, frozen=True, eq=False, dict=True):
    """The hull of `points` (k, 3), read-only; of equally far points the first counts. `rows`: the points one by one.

    `rows` are in the precision of `points`.
    """

    points: Array
    rows: list[Triple] = []

    def __post_init__(self) -> None:
        """Derives `rows` from the points."""
        exact = self.points.dtype == np.float64
        force_setattr(self, "rows", self.points.tolist() if exact else list(map(components, self.points)))

    @cached_property
    def columns(self) -> Array:
        """The points' coordinates (3, k)."""
        return np.ascontiguousarray(self.points.T)

    def vertex_along(self, x: float, y: float, z: float) -> int:
        """Index of the point farthest along (x, y, z)."""
        if len(self.rows) <= FEW_POINTS:
            found, most = 0, -inf
            for number, (px, py, pz) in enumerate(self.rows):
                height = px * x + py * y + pz * z
                if height > most:
                    found, most = number, height
            return found
        xs, ys, zs = self.columns
        return int((xs * x + ys * y + zs * z).argmax())

    def support(self, direction: Triple) -> Support:
        """See SupportMap."""
        vertex = self.vertex_along(*direction)
        x, y, z = self.rows[vertex]
        return Support((x, y, z), vertex)


class Corners(Struct, frozen=True, eq=False):
    """The corners of a core in the plane z = 0. Of equally far corners the one with the lowest number counts.

    `xy` (k, 2): the corners by rising vertex number; `points`: the same with z = 0; `numbers`: the vertex numbers.
    """

    xy: Array
    points: tuple[Triple, ...]
    numbers: tuple[int, ...]

    @staticmethod
    def of(core: PlaneCore) -> Corners:
        """The corners of a placed core, without its radius."""
        points = np.column_stack((core.listed, np.zeros_like(core.listed[:, 0])))
        return Corners(core.listed, tuple(map(components, points)), core.listed_numbers)

    def support(self, direction: Triple) -> Support:
        """See SupportMap."""
        x, y, _ = direction
        place = int((self.xy[:, 0] * x + self.xy[:, 1] * y).argmax())
        return Support(self.points[place], self.numbers[place])


class Placed(Struct, frozen=True, eq=False):
    """A curved shape with the method `farthest`, turned by the rotation matrix `rotation`, then moved by `offset`."""

    farthest: Farthest
    rotation: Matrix
    offset: Triple

    @staticmethod
    def of(farthest: Farthest, matrix: Array, offset: Array) -> Placed:
        """The placed shape, from a rotation matrix (3, 3) and an offset (3,)."""
        first, second, third = map(components, matrix)
        return Placed(farthest, (first, second, third), components(offset))

    def support(self, direction: Triple) -> Support:
        """See SupportMap."""
        local = self.farthest(*times(transposed(self.rotation), direction))
        return Support(add(times(self.rotation, local), self.offset), -1)


class Grown(Struct, frozen=True, eq=False):
    """A core grown by `radius`, such as the sphere about a point.

    For the zero direction the radius goes along +x, from the point that the core returns for it.
    """

    core: SupportMap
    radius: float

    def support(self, direction: Triple) -> Support:
        """See SupportMap."""
        size = length(direction)
        out = scaled(direction, self.radius / size) if size > 0.0 else (self.radius, 0.0, 0.0)
        return Support(add(self.core.support(direction).xyz, out), -1)


class Shrunk(Struct, frozen=True, eq=False):
    """An ellipsoid with `radii`, less the largest ball that can roll all over its inside; `farthest`: the ellipsoid's.

    Grown by that ball, this set is the ellipsoid again. It is convex, and its curvature is infinite where the ellipsoid
    is sharpest. EPA's bounds meet on it after a fraction of the expansions that they take on the ellipsoid.
    """

    farthest: Farthest
    radii: Triple

    @property
    def radius(self) -> float:
        """The ball's radius, the ellipsoid's least radius of curvature: c²/a, with its least and largest radii c, a."""
        least = min(self.radii)
        return least * least / max(self.radii)

    def __call__(self, x: float, y: float, z: float) -> Triple:
        """The farthest point along (x, y, z)."""
        return sub(self.farthest(x, y, z), scaled((x, y, z), self.radius / length((x, y, z))))


class DifferencePoint(Struct, frozen=True, eq=False):
    """A point `w = a - b` of the difference, relative to A's position.

    `xyz_a`, `xyz_b`: the points a and b of the bodies; `xyz`: w. `vertex_a`, `vertex_b`: the vertex indices of a and b
    (-1 on a curved surface). `xyz_direction`: the direction along which w is the support. As arrays (3,): `a`, `b`,
    `w`, `direction`.
    """

    xyz_a: Triple
    xyz_b: Triple
    vertex_a: int
    vertex_b: int
    xyz_direction: Triple
    xyz: Triple

    @property
    def a(self) -> Array:
        """The point of A as an array (3,)."""
        return array_of(self.xyz_a)

    @property
    def b(self) -> Array:
        """The point of B as an array (3,)."""
        return array_of(self.xyz_b)

    @property
    def direction(self) -> Array:
        """The direction as an array (3,)."""
        return array_of(self.xyz_direction)

    @property
    def w(self) -> Array:
        """The point as an array (3,)."""
        return array_of(self.xyz)

    @property
    def xy(self) -> Vec2:
        """The point w of a difference in the plane, as plain floats."""
        return self.xyz[:2]


def weighted_sources(points: Sequence[DifferencePoint], weights: Sequence[float]) -> tuple[Triple, Triple]:
    """The points of A and of B whose difference is the point of the simplex with these weights."""
    ax = ay = az = bx = by = bz = 0.0
    for point, weight in zip(points, weights, strict=True):
        (px, py, pz), (qx, qy, qz) = point.xyz_a, point.xyz_b
        ax, ay, az = ax + weight * px, ay + weight * py, az + weight * pz
        bx, by, bz = bx + weight * qx, by + weight * qy, bz + weight * qz
    return (ax, ay, az), (bx, by, bz)


class Difference(Struct, frozen=True, eq=False):
    """The difference A - B of two support maps, `{ a - b }`, with the radii of the cores kept apart.

    `offset`: B's position minus A's. `largest_radius`: L; `extent`: L + |T| (see PairScale). The bodies' difference is
    this one grown by `radius`. In `dimension` 2 every vector has z = 0. `precision`: that of its numbers, and so of
    everything computed from its points.
    """

    a: SupportMap
    b: SupportMap
    offset: Triple
    largest_radius: float
    extent: float
    radius_a: float = 0.0
    radius_b: float = 0.0
    dimension: int = 3
    precision: Precision = DOUBLE

    @property
    def radius(self) -> float:
        """Sum of both radii."""
        return self.radius_a + self.radius_b

    def rounding(self, share: float) -> float:
        """The rounding error of points of the difference, scene units.

        `share`: the error of doubles, in units of `extent`. In a coarser `precision` the error grows as the spacing of
        its numbers does.
        """
        return share * self.precision.coarser * self.extent

    def within(self, share: float) -> float:
        """The widest gap of certified bounds, scene units: `share` of L, but at least `precision.exact` of `extent`."""
        return certified_within(self.largest_radius, self.extent, share, self.precision.exact)

    def support(self, direction: Triple) -> DifferencePoint:
        """The point of the difference farthest along `direction`, with both sources."""
        on_a, on_b = self.a.support(direction), self.b.support(negated(direction))
        a, b = on_a.xyz, on_b.xyz
        return DifferencePoint(a, b, on_a.vertex, on_b.vertex, direction, sub(a, b))


def support_map(body: Body, offset: Array, rounded: Rounding = "core") -> tuple[SupportMap, float]:
    """The support map of a body placed at `offset` (3,), and the radius that the map leaves out.

    `rounded`: as in `support_maps`. Raises ValueError for an unbounded shape.
    """
    points = body.turned_core
    placed = None if points is None else frozen(points + offset)
    return placed_map(body.shape, body.pose.matrix, offset, placed, rounded)


def placed_map(
    shape: Shape, matrix: Array, offset: Array, points: Array | None, rounded: Rounding = "core"
) -> tuple[SupportMap, float]:
    """As `support_map`, for a shape turned by `matrix` (3, 3) and moved to `offset` (3,).

    `points` (k, 3): the core's points so placed; None only for a shape without a core. The map has the precision of
    these arrays. Raises ValueError for a half-space.
    """
    core = shape.core
    if core is not None and points is not None:
        return grown(Points(points), core.radius, rounded)
    if shape.bounding_radius == inf:
        raise ValueError("a half-space has no farthest point: it has closed forms of its own")
    sharp, border = sharp_of(shape)
    assert sharp.farthest is not None
    if sharp.radii is None or rounded == "full":
        return grown(Placed.of(sharp.farthest, matrix, offset), border, rounded)
    shrunk = Shrunk(sharp.farthest, sharp.radii)
    return Placed.of(shrunk, matrix, offset), border + shrunk.radius


def grown(core: SupportMap, radius: float, rounded: Rounding) -> tuple[SupportMap, float]:
    """A core's support map and the radius that it leaves out; under "full" the map is grown, and the radius is 0."""
    if rounded == "core" or radius == 0.0:
        return core, radius
    return Grown(core, radius), 0.0


def support_maps(a: Body, b: Body, *, rounded: Rounding = "core") -> Difference:
    """The difference of two placed bodies' support maps, relative to A's position.

    `rounded`: "core", the default, keeps the radius of a round shape apart, which is as exact. A sphere is a point
    then, a capsule a segment, an ellipsoid a `Shrunk`. "full" takes each as one shape with its radius. Both
    shapes must have one dimension. Raises ValueError for an unbounded shape, TypeError if only A's is of the plane.
    """
    scale = PairScale.of(a, b)
    dimension = a.shape.dimension
    (map_a, radius_a), (map_b, radius_b) = _MAPS[dimension](a, b, scale.offset, rounded)
    return Difference(
        a=map_a,
        b=map_b,
        offset=triple(scale.offset),
        largest_radius=scale.largest_radius,
        extent=scale.extent,
        radius_a=radius_a,
        radius_b=radius_b,
        dimension=dimension,
    )


_Maps = Callable[[Body, Body, Array, Rounding], list[tuple[SupportMap, float]]]


def _maps_in_space(a: Body, b: Body, offset: Array, rounded: Rounding) -> list[tuple[SupportMap, float]]:
    return [support_map(a, np.zeros(3), rounded), support_map(b, offset, rounded)]


def _maps_in_plane(a: Body, b: Body, _offset: Array, rounded: Rounding) -> list[tuple[SupportMap, float]]:
    pair = PlanePair.of(a, b)
    return [grown(Corners.of(core), core.radius, rounded) for core in (pair.a, pair.b)]


_MAPS: dict[int, _Maps] = {2: _maps_in_plane, 3: _maps_in_space}

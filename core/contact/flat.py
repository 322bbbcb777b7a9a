"""A body's flat part: its shadow, the body's height over each point of the shadow, and the feature there.

The body is seen along the direction d towards the other body; w = (u, v) is a point of the plane perpendicular to d.
The height over w is the largest coordinate along d that the body has on the line through w. The heights of two bodies
that face each other add up to their overlap. Heights come from the planes of the faces that face d, as the flat part
may bridge a gap between two faces. For a round body they come from its height field.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cached_property, lru_cache
from math import inf, pi, sqrt
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.elementary import hypot
from ..geometry.triple import Triple, dot, length, point_along, sub, triple
from ..geometry.vec2 import Vec2
from ..geometry.vector import Array, dots, length_rows
from ..pair.candidate_axes import AXIS_NAMES
from ..shapes import Box, Polyhedron, sharp_of
from .frame import FacingBody
from .height_field import HeightField, height_field
from .region import Ellipse, Loop, full_circle, highest, polygon_loop

HEIGHT_TIE = 1e-9
"""Vertices that are lower than the highest by at most this fraction of the body's bounding radius count as level."""


FEW_HEIGHTS = 64
"""The largest number of heights for which a loop over plain floats is faster than arrays."""

ONE_FACE = 1e-4
"""Faces whose unit normals differ by at most this are one face, split by noise; the edge between does not count."""

NO_LENGTH = 1e-300
"""The least length that is divided by; shorter vectors have no direction."""


class FlatKind(Enum):
    """Kinds of flat parts; the shadows of the last three have an area."""

    POINT = "point"
    SEGMENT = "segment"
    POLYGON = "polygon"
    DISC = "disc"
    PLANE = "plane"


class FlatFeature(NamedTuple):
    """The feature of a flat part at a point: `kind` "corner", "side", "rim" or "inside", its number, and its name.

    `number`: of the corner, of the side, or for "inside" of the plane or edge that names it. `height`: for "rim" and
    "inside" that of the lowest plane over the point, -inf without a plane; else -inf.
    """

    kind: str
    number: int
    name: str
    height: float = -inf


Planes = tuple[Array, Callable[[int], str]]
"""Planes of heights, rows k0, ku, kv (p, 3) of `k0 + ku u + kv v`, and a function that names a plane by its number."""


def no_planes() -> Planes:
    """Returns zero planes."""
    return np.zeros((0, 3)), str


def no_corners() -> tuple[Vec2, ...]:
    """Returns zero corners."""
    return ()


class Flat(Struct, frozen=True, eq=False, dict=True):
    """The flat part of a body, in the coordinates of the frame; heights along d, which runs towards the other body.

    `name`: of the whole part. `angle`: of the flattest face or line from perpendicular to the normal, radians; None for
    a round surface. `make_planes`: makes the `planes` and the function that names them, on demand. `corners`: two of a
    segment; of a polygon counter-clockwise in (u, v); of a point, a disc and a plane none. `heights`, `names`: of each
    corner. `sides`: names of the sides, from each corner to the next; of a disc, its rim's name. `real`: whether each
    side is an edge of the body. `ellipse`: a disc's shadow. `rounded`: whether the heights come from the body's height
    field, or for a disc from its border radius. `lowered`: the number of corners left out because there were more than
    MOST_OUTLINE. `make_support`: makes the `support` on demand.
    """

    kind: FlatKind
    seen: FacingBody
    name: str
    angle: float | None
    make_planes: Callable[[], Planes] = no_planes
    corners: tuple[Vec2, ...] = ()
    heights: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    real: tuple[bool, ...] = ()
    ellipse: Ellipse | None = None
    rounded: bool = False
    lowered: int = 0
    make_support: Callable[[], tuple[Vec2, ...]] = no_corners

    @property
    def is_region(self) -> bool:
        """Whether the shadow has an area."""
        return self.kind is not FlatKind.POINT and self.kind is not FlatKind.SEGMENT

    @property
    def is_face(self) -> bool:
        """Whether this part may be the reference: a face in space, an edge in the plane."""
        return self.is_region

    @property
    def is_curve(self) -> bool:
        """Whether this part is a circle of the plane, which touches other bodies in one point."""
        return False

    def loop(self) -> Loop:
        """The outline of the shadow; of a segment, both its sides; empty for a point and a plane."""
        return polygon_loop(list(self.corners)) if self.ellipse is None else full_circle(0, self.ellipse, 0.0)

    @cached_property
    def _made(self) -> Planes:
        return self.make_planes()

    @property
    def planes(self) -> Array:
        """The planes of heights along d: rows k0, ku, kv (p, 3) of `k0 + ku u + kv v`."""
        return self._made[0]

    @cached_property
    def support(self) -> tuple[Vec2, ...]:
        """The corners of the shadow of the feature farthest along d, counter-clockwise; none without `make_support`.

        A segment or polygon of a polyhedron has them.
        """
        return self.make_support()

    def plane_name(self, number: int) -> str:
        """The name of the plane `number`."""
        return self._made[1](number)

    def features(self, points: list[Vec2]) -> list[FlatFeature]:
        """The smallest feature at each point: a corner, else a side or the rim, else the inside."""
        if self.ellipse is not None:
            size = min(hypot(*self.ellipse.p), hypot(*self.ellipse.q))
            rim = [abs(hypot(*self.ellipse.within(w)) - 1.0) * size for w in points]
            names = [("rim", 0, self.sides[0]) if it <= self.seen.lateral else ("inside", 0, self.name) for it in rim]
            return [FlatFeature(*one, height) for one, height in zip(names, self._lowest(points), strict=True)]
        found = [self._outline_at(w) for w in points] if self.corners else [None] * len(points)
        if None not in found:
            return [part for part in found if part is not None]
        inside = iter(self._planes_over([w for w, part in zip(points, found, strict=True) if part is None]))
        return [next(inside) if part is None else part for part in found]

    def _outline_at(self, w: Vec2) -> FlatFeature | None:
        """The corner within the lateral tolerance of a point, else the side within it, else None."""
        (u, v), lateral = w, self.seen.lateral
        squares = [(u - cu) * (u - cu) + (v - cv) * (v - cv) for cu, cv in self.corners]
        if (least := min(squares)) <= lateral * lateral:
            k = squares.index(least)
            return FlatFeature("corner", k, self.names[k])
        near = []
        for k, (pu, pv, du, dv, size) in enumerate(self._side_runs):
            off = abs(du * (v - pv) - dv * (u - pu))
            if off <= lateral:
                # Distance from the segment, not from its line: if two sides are nearly collinear, a point of one is
                # as near to both lines.
                past = abs(du * (u - pu) + dv * (v - pv) - 0.5 * size) - 0.5 * size
                near.append((hypot(off, max(past, 0.0)), k))
        off, k = min(near, default=(inf, 0))
        return FlatFeature("side", k, self.sides[k]) if off <= lateral else None

    @cached_property
    def _side_runs(self) -> list[tuple[float, float, float, float, float]]:
        """Each side's start (u, v), the unit vector along it, and its length."""
        runs = []
        for (pu, pv), (qu, qv) in zip(self.corners, self.corners[1:] + self.corners[:1], strict=True):
            size = max(hypot(qu - pu, qv - pv), NO_LENGTH)
            runs.append((pu, pv, (qu - pu) / size, (qv - pv) / size, size))
        return runs

    @cached_property
    def _columns(self) -> Array:
        return np.ascontiguousarray(self.planes.T)

    def lowest_planes(self, points: list[Vec2], slack: float = 0.0) -> tuple[list[float], list[int]]:
        """The height of the lowest plane over each point, and the number of the first plane within `slack` of it."""
        if len(points) * len(self.planes) > FEW_HEIGHTS:
            (k0, ku, kv), (u, v) = self._columns, np.array(points).T[:, :, None]
            heights = k0 + ku * u + kv * v
            least = np.minimum.reduce(heights, axis=1)
            first = (heights <= least[:, None] + slack).argmax(axis=1) if slack else heights.argmin(axis=1)
            return least.tolist(), first.tolist()
        planes = self.planes.tolist()
        if len(planes) == 1:
            ((k0, ku, kv),) = planes
            return [k0 + ku * u + kv * v for u, v in points], [0] * len(points)
        lows, numbers = [], []
        for u, v in points:
            over = [k0 + ku * u + kv * v for k0, ku, kv in planes]
            low, number = min(over), 0
            while over[number] > low + slack:
                number += 1
            lows.append(low)
            numbers.append(number)
        return lows, numbers

    def _planes_over(self, points: list[Vec2]) -> list[FlatFeature]:
        """The feature "inside" at each point, named by the first plane within the lateral tolerance of the lowest."""
        if not len(self.planes):
            return [FlatFeature("inside", 0, self.name)] * len(points)
        lows, numbers = self.lowest_planes(points, self.seen.lateral)
        return [FlatFeature("inside", k, self.plane_name(k), low) for low, k in zip(lows, numbers, strict=True)]

    def heights_at(self, points: list[Vec2], features: list[FlatFeature]) -> list[float]:
        """The body's height over each point of the flat part; `features`: those at the points.

        No height is above the body's support: a point may lie beside the body, within the lateral tolerance, where a
        plane still rises.
        """
        return [min(height, self.seen.reach) for height in self._heights_at(points, features)]

    def _heights_at(self, points: list[Vec2], features: list[FlatFeature]) -> list[float]:
        """`heights_at` without the limit of the support.

        At a corner or an edge, the height is that of the corner or edge, since steep walls beside it amplify rounding.
        At a side that is no edge, it is the lowest plane's over the nearest point of the side; inside, the lowest
        plane's. For a disc with a border radius it is `_over_disc`. For any other rounded flat part, and beside a
        segment, it is the height field's.
        """
        found = []
        for w, feature in zip(points, features, strict=True):
            if self.rounded and self.ellipse is not None:
                found.append(self._over_disc(self.ellipse, w, feature.height))
            elif self.rounded or (self.kind is FlatKind.SEGMENT and feature.kind == "inside"):
                height = self.surface_height(w)
                found.append(height if height > -inf or self.kind is FlatKind.SEGMENT else self._lowest([w])[0])
            elif feature.kind == "corner":
                found.append(self.heights[feature.number])
            else:
                found.append(self._on_side(feature.number, w) if feature.kind == "side" else feature.height)
        return found

    def _lowest(self, points: list[Vec2]) -> list[float]:
        """The height of the lowest plane over each point; -inf without planes."""
        return [feature.height for feature in self._planes_over(points)]

    def _over_disc(self, ellipse: Ellipse, w: Vec2, plane: float) -> float:
        """The height over w of a disc with a border radius: `plane` if w is over the moved disc, else the rim's.

        `plane`: the height over w of the disc's plane, moved out by the border. The rim is the union of balls about
        a circle. The rim's height over w is the largest of the balls' heights, found by golden section search over
        tan(angle / 2), where the angle is that of a ball's centre from the direction of w.
        """
        border = sharp_of(self.seen.body.shape)[1]
        k0, ku, kv = self.planes[0].tolist()
        slope = sqrt(1.0 + ku * ku + kv * kv)
        x, y = ellipse.within((w[0] + border * ku / slope, w[1] + border * kv / slope))
        if (away := hypot(x, y)) <= 1.0:
            return plane
        x, y = x / away, y / away

        def height(t: float) -> float:
            c, s = (1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)
            u, v = ellipse.on(c * x - s * y, s * x + c * y)
            off = hypot(w[0] - u, w[1] - v)
            room = (border - off) * (border + off)
            return -inf if room < 0.0 else k0 - border * slope + ku * u + kv * v + sqrt(room)

        near = ellipse.on(x, y)
        # The search stops where the balls no longer reach w, at a right angle at most.
        room = border - hypot(w[0] - near[0], w[1] - near[1])
        wide = min(1.0, room / max(hypot(*ellipse.p), hypot(*ellipse.q)) / (0.5 * pi))
        return height(highest(height, -wide, wide))

    def _on_side(self, k: int, w: Vec2) -> float:
        """The body's height at the point of side k nearest w."""
        share, foot = self._foot(k, w)
        if self.real[k]:
            low, high = self.heights[k], self.heights[(k + 1) % len(self.corners)]
            return low + share * (high - low)
        return self._lowest([foot])[0]

    def _foot(self, k: int, w: Vec2) -> tuple[float, Vec2]:
        """The point of side k nearest w: its position along the side, 0 to 1, and its coordinates."""
        pu, pv, du, dv, size = self._side_runs[k]
        share = min(max(((w[0] - pu) * du + (w[1] - pv) * dv) / size, 0.0), 1.0)
        return share, (pu + share * size * du, pv + share * size * dv)

    def nearest(self, feature: FlatFeature, w: Vec2) -> Vec2:
        """The point nearest w of the feature, which is a corner or a side."""
        return self.corners[feature.number] if feature.kind == "corner" else self._foot(feature.number, w)[1]

    @cached_property
    def _height_field(self) -> HeightField:
        seen = self.seen
        (x, y, z), (ox, oy, oz) = seen.position.tolist(), seen.frame.origin
        placed = replace(seen.body, position=(x - ox, y - oy, z - oz))
        return height_field(placed, seen.frame.across, seen.sign)

    def surface_height(self, w: Vec2) -> float:
        """The body's height over any w; -inf if the line misses the body."""
        if self.kind is FlatKind.PLANE:
            k0, ku, kv = triple(self.planes[0])
            return k0 + ku * w[0] + kv * w[1]
        return self._height_field(w[0], w[1])

    def feature_of(self, point: Array) -> str:
        """The name of the body's smallest feature at a point (3,) of its surface, relative to A's position.

        A body without a core has the name of its feature farthest along d, whatever the point.
        """
        shape = self.seen.body.shape
        core = shape.core
        if core is None:
            tolerance = 0.0 if shape.plane is not None else HEIGHT_TIE * shape.bounding_radius
            return sharp_of(shape)[0].support_feature(self.seen.local, tolerance).name
        if core.radius > 0.0:
            point = point - core.radius * self.seen.d
        at = self.seen.body.pose.direction_to_local(point - self.seen.position)
        if core.solid is None:
            if len(core.points) == 1:
                return "centre"
            ends = length_rows(core.points - at)
            return "axis" if ends.min() > self.seen.lateral else f"end{int(ends.argmin())}"
        heights = dots(core.solid.normals, at) - core.solid.offsets
        # A feature within the tolerance of the point belongs to faces whose planes are within the tolerance too. For
        # an edge within the tolerance, the point's distances from both ends add up to at most the edge's length plus
        # twice the tolerance.
        most = 2.0 * self.seen.lateral + HEIGHT_TIE * shape.bounding_radius
        place, some, shared = triple(at), set[int](), set[int]()
        for face in (heights >= -most).nonzero()[0].tolist():
            shared.update(some.intersection(core.solid.faces[face]))
            some.update(core.solid.faces[face])
        near = {k: triple(core.solid.vertices[k]) for k in sorted(shared)}
        off = {k: length(sub(place, p)) for k, p in near.items()}
        vertex = min(off, key=off.__getitem__, default=-1)
        if near and off[vertex] <= self.seen.lateral:
            return f"v{vertex}"
        beside = neighbours(core.solid, boxed=core.boxed)
        edges = [
            (_off_segment(place, p, near[other]), edge, low, other)
            for low, p in near.items()
            for other, edge in beside[low].items()
            if low < other and other in near and off[low] + off[other] <= length(sub(p, near[other])) + most
        ]
        away, edge, low, high = min(edges, default=(inf, 0, 0, 0))
        if away <= self.seen.lateral:
            return f"v{low}-v{high}" if core.boxed else f"edge{edge}"
        return face_name(int((heights >= heights.max() - self.seen.lateral).argmax()), boxed=core.boxed)


def _off_segment(at: Triple, p: Triple, q: Triple) -> float:
    """The distance of a point from the segment from p to q."""
    run = sub(q, p)
    share = dot(sub(at, p), run) / max(dot(run, run), NO_LENGTH)
    return length(sub(at, point_along(p, min(max(share, 0.0), 1.0), run)))


_ANY_BOX = Box((1.0, 1.0, 1.0)).polyhedron


def neighbours(solid: Polyhedron, *, boxed: bool) -> list[dict[int, int]]:
    """For each vertex, the number of the edge to each neighbouring vertex.

    `boxed`: the solid is a box; all boxes have the same numbers.
    """
    return _neighbours(_ANY_BOX if boxed else solid)


@lru_cache(maxsize=16)
def _neighbours(solid: Polyhedron) -> list[dict[int, int]]:
    """`neighbours` of one solid, cached because each computation with the same body uses them."""
    beside: list[dict[int, int]] = [{} for _ in solid.vertices]
    for edge, (one, other) in enumerate(solid.edges.tolist()):
        beside[one][other] = beside[other][one] = edge
    return beside


@lru_cache(maxsize=16)
def creases(solid: Polyhedron) -> list[list[int]]:
    """For each vertex, the vertices at the other ends of its edges, without edges within one face (ONE_FACE).

    Such edges are not needed: if their faces are within α, the faces give the ends to the flat part. If their faces are
    steep, the edge may be level by noise alone.
    """
    beside: list[list[int]] = [[] for _ in solid.vertices]
    edges = solid.edges
    if solid.faces:
        left, right = solid.edge_faces.T
        edges = edges[length_rows(solid.normals[left] - solid.normals[right]) > ONE_FACE]
    for one, other in edges.tolist():
        beside[one].append(other)
        beside[other].append(one)
    return beside


def face_name(face: int, *, boxed: bool) -> str:
    """The name of a face: `+x` for a box, `face3` for a hull."""
    return f"{'+-'[face % 2]}{AXIS_NAMES[face // 2]}" if boxed else f"face{face}"

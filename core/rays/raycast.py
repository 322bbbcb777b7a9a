"""Rays against every shape: in closed form, or by its support map.

A ray is a half line: hits have t >= 0; the article tests infinite lines. A body is closed, so a ray that grazes it hits
it. A ray that misses by no more than rounding hits it too: the body is tried again, grown by the rounding, and entry
and exit are one point between the two found.

A shape's `line_span` returns the stretch of a line inside it, in its own frame (core/shapes/line_spans.py). A ray that
enters a half-space never leaves it; a ray that leaves a half-space starts inside.

`support_raycast_steps` casts a ray against any support map (van den Bergen 2004, "Ray Casting against General Convex
Objects"). GJK finds the point of the body nearest a point x of the ray. If x is in front of a support plane, the ray is
free up to that plane, and x moves there. So `t` never passes the hit, and is always a lower bound. If x is in front of
a support plane and the ray leads away from it, the ray misses. `gjk_raycast` does this for a body. For two moving
bodies, the ray is the origin's path against their difference (core/toi/ray.py).

Departures: a body may be a core grown by a radius; then planes are moved out by the radius, and x arrives at that
distance from the core. The direction is the perpendicular of the feature, as in GJK.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import count
from math import inf, isfinite
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry import vector
from ..geometry.quaternion import Pose
from ..geometry.tolerances import CERTIFIED, ROUNDING
from ..geometry.triple import Triple, dot, length, point_along, sub, triple
from ..geometry.vector import Array, frozen
from ..gjk.gjk import PATIENCE, feature_direction
from ..gjk.simplex import NearestOnSimplex, SubDistance, nearest_on_simplex
from ..naming import plain
from ..pair.support import Placed, Points, Rounding, Support, SupportMap, support_map
from ..scene import Body
from ..shapes import Contract
from ..shapes.line_spans import Line, LineSpan, RayHit
from ..trace import Steps, run


class GjkRaycastStop(StrEnum):
    """Why the cast ended; the first three mean that the ray meets the body."""

    HIT = "HIT"
    """The ray's point has reached the surface, to rounding."""
    INSIDE = "INSIDE"
    """The ray starts in the body."""
    GRAZING = "GRAZING"
    """No step makes progress, and the distance left is small enough to count as touching."""
    MISS = "MISS"
    """A support plane proves the miss: the ray's point is in front of it, and the ray leads away from it."""
    BEYOND_REACH = "BEYOND_REACH"
    """The ray does not hit the body up to the ray's end."""
    NO_PROGRESS = "NO_PROGRESS"
    """No step makes progress, and the distance left is too large to count as touching: a near miss."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations; the ray is free up to t."""


class GjkRaycastSettings(Struct, frozen=True):
    """Settings. `gap`: the distance that counts as a hit; `certified`: the distance that counts as grazing.

    Both are fractions of the body's bounding radius plus the distance of the ray's start from the body's position.
    `iterations`: the most steps. `sub_distance`: how a simplex's nearest point is found.
    """

    gap: float = ROUNDING
    certified: float = CERTIFIED
    iterations: int = 256
    sub_distance: SubDistance = SubDistance.VORONOI


DEFAULTS = GjkRaycastSettings()


class GjkRaycastStep(Struct, frozen=True, eq=False):
    """One iteration. All points are relative to the body's position.

    `number`: counts from 1. `t`, `point` (3,): the end of the part of the ray that is known to be free, before this
    step. `simplex`: points of the body's core. `closest` (3,): the simplex's point nearest `point`; `region`, `weights`
    (k,): indices and weights of the simplex points that span its feature. `distance`: from `point` to `closest`, less
    the radius. `normal` (3,): unit, from the body to the ray's point, along which `support` is the farthest; both None
    if the step stops before the query. `clipped`: whether the support plane moved the ray's point on, to `next_t`.
    `stop`: None unless the run ends with this step.
    """

    number: int
    t: float
    point: Array
    simplex: tuple[Support, ...]
    region: tuple[int, ...]
    weights: Array
    closest: Array
    distance: float
    normal: Array | None
    support: Support | None
    clipped: bool
    next_t: float
    stop: GjkRaycastStop | None


class GjkRaycastResult(Struct, frozen=True, eq=False):
    """Whether and where a ray enters a body.

    `hit`: t in lengths of the direction, point and outward unit normal, world; None unless `stop` is HIT or GRAZING.
    `free`: the ray is proved free up to this t (infinite for a miss). `distance`: from the ray's last point to the
    surface. `normal` (3,): of the last plane that moved the ray's point on, or that proved the miss; None for a start
    inside. `feature`, `weights` (k,): the core's points that span the feature nearest the ray's point, and their
    weights.
    """

    stop: GjkRaycastStop
    hit: RayHit | None
    free: float
    distance: float
    normal: Array | None
    feature: tuple[Support, ...]
    weights: Array
    iterations: int

    @property
    def inside(self) -> bool:
        """Whether the ray starts in the body."""
        return self.stop is GjkRaycastStop.INSIDE


class _Cast:
    """The end of the ray's free part, the last plane that proved it, and the number of steps without progress.

    `start` and `direction`: the ray's origin and direction, relative to the body's position.
    """

    def __init__(self, start: Triple, direction: Triple) -> None:
        self.start, self.direction = start, direction
        self.t, self.point = 0.0, start
        self.normal: Triple | None = None
        self.nearest = inf
        self.idle = -1

    def see(self, distance: float) -> None:
        """Records the distance of the next simplex from the ray's point."""
        self.idle = 0 if distance < self.nearest else self.idle + 1
        self.nearest = min(self.nearest, distance)

    def meet(self, normal: Triple, ahead: float, rounding: float, reach: float) -> GjkRaycastStop | None:
        """Records a support plane with the outward unit `normal`; returns a stop or None.

        `ahead`: the distance of the ray's point in front of the plane, negative behind.
        `rounding`: a length that counts as 0. `reach`: the t of the ray's end.
        """
        slope = dot(normal, self.direction)
        if ahead > rounding and slope >= 0.0:
            self.normal = normal
            return GjkRaycastStop.MISS
        if ahead > 0.0 and slope < 0.0:
            t = self.t - ahead / slope
            if t > self.t + rounding / length(self.direction):
                self.idle, self.nearest = 0, inf
            self.t, self.point, self.normal = t, point_along(self.start, t, self.direction), normal
        return GjkRaycastStop.BEYOND_REACH if self.t > reach else None


def _arrived(nearest: NearestOnSimplex, distance: float, rounding: float, *, moved: bool) -> GjkRaycastStop | None:
    """HIT or INSIDE if the ray's point is in the body or on it, else None. A start on the surface counts as inside."""
    if len(nearest.region) < 4 and distance > rounding:
        return None
    return GjkRaycastStop.HIT if moved else GjkRaycastStop.INSIDE


def _result(cast: _Cast, last: GjkRaycastStep, origin: Array, direction: Array) -> GjkRaycastResult:
    """The result from `last`, the step that stopped."""
    assert last.stop is not None
    normal = last.normal if cast.normal is None else frozen(np.array(cast.normal))
    hit = None
    if last.stop in (GjkRaycastStop.HIT, GjkRaycastStop.GRAZING) and normal is not None:
        hit = RayHit(cast.t, frozen(origin + cast.t * direction), normal)
    free = inf if last.stop is GjkRaycastStop.MISS else cast.t
    left = last.distance if last.stop is not GjkRaycastStop.INSIDE else 0.0
    feature = tuple(last.simplex[k] for k in last.region)
    return GjkRaycastResult(
        stop=last.stop,
        hit=hit,
        free=free,
        distance=left,
        normal=normal,
        feature=feature,
        weights=last.weights,
        iterations=last.number,
    )


def gjk_raycast_steps(
    body: Body,
    origin: Array,
    direction: Array,
    reach: float = inf,
    *,
    rounded: Rounding = "core",
    settings: GjkRaycastSettings = DEFAULTS,
) -> Steps[GjkRaycastStep, GjkRaycastResult]:
    """Casts the ray `origin + t direction`, 0 <= t <= reach, both (3,), world, against a bounded body.

    Raises ValueError for a direction that is zero or not finite, and for a half-space.
    """
    target, radius = support_map(body, np.zeros(3), rounded)
    start = origin - body.pose.position
    size = body.shape.bounding_radius
    found = yield from support_raycast_steps(target, radius, size, start, direction, reach, settings=settings)
    if found.hit is None:
        return found
    return replace(found, hit=replace(found.hit, point=frozen(origin + found.hit.t * direction)))


def support_raycast_steps(
    target: SupportMap,
    radius: float,
    size: float,
    origin: Array,
    direction: Array,
    reach: float = inf,
    *,
    settings: GjkRaycastSettings = DEFAULTS,
) -> Steps[GjkRaycastStep, GjkRaycastResult]:
    """Casts the ray `origin + t direction`, 0 <= t <= reach, against a support map grown by `radius`, all in one frame.

    Tolerances are fractions of `size` plus the distance of the ray's start from the frame's origin. Raises ValueError
    for a direction that is zero or not finite.
    """
    start, way = triple(origin), triple(direction)
    if not 0.0 < length(way) < inf:
        raise ValueError("the direction of a ray must be finite and not zero")
    scale = size + length(start)
    rounding = settings.gap * scale
    cast = _Cast(start, way)
    simplex: tuple[Support, ...] = (target.support(start if length(start) > 0.0 else way),)
    for number in count(1):
        before, t, point = simplex, cast.t, cast.point
        corners = [sub(support.xyz, point) for support in simplex]
        nearest = nearest_on_simplex(corners, settings.sub_distance)
        gap = length(nearest.point)
        cast.see(gap - radius)
        normal = support = None
        stop = _arrived(nearest, gap - radius, rounding, moved=cast.normal is not None)
        if stop is None:
            feature = tuple(simplex[k] for k in nearest.region)
            corners = [corners[k] for k in nearest.region]
            normal = feature_direction(corners, nearest.point)
            support = target.support(normal)
            kept = any(support.vertex == s.vertex >= 0 or support.xyz == s.xyz for s in feature)
            simplex = feature if kept else (*feature, support)
            stop = cast.meet(normal, dot(normal, sub(point, support.xyz)) - radius, rounding, reach)
            if stop is None and ((kept and cast.t == t) or cast.idle > PATIENCE):
                grazing = gap - radius <= settings.certified * scale
                stop = GjkRaycastStop.GRAZING if grazing else GjkRaycastStop.NO_PROGRESS
            elif stop is None and number >= settings.iterations:
                stop = GjkRaycastStop.ITERATION_LIMIT
        step = GjkRaycastStep(
            number=number,
            t=t,
            point=frozen(np.array(point)),
            simplex=before,
            region=nearest.region,
            weights=frozen(np.array(nearest.weights)),
            closest=frozen(np.array(nearest.point) + point),
            distance=gap - radius,
            normal=None if normal is None else frozen(np.array(normal)),
            support=support,
            clipped=cast.t > t,
            next_t=cast.t,
            stop=stop,
        )
        yield step
        if stop is not None:
            return _result(cast, step, origin, direction)
    raise AssertionError("counting ended")


def gjk_raycast(
    body: Body,
    origin: Array,
    direction: Array,
    reach: float = inf,
    *,
    rounded: Rounding = "core",
    settings: GjkRaycastSettings = DEFAULTS,
) -> GjkRaycastResult:
    """The result of `gjk_raycast_steps` alone. Raises as its steps."""
    return run(gjk_raycast_steps(body, origin, direction, reach, rounded=rounded, settings=settings))


def support_span(shape: Contract, line: Line, grow: float) -> LineSpan | None:
    """The stretch of a line inside any bounded shape grown by `grow`, in the shape's frame, by two casts.

    One cast is from either end of the line; None if one misses. Raises ValueError for a line without a direction.
    """
    core = shape.core
    target: SupportMap
    if core is None:
        assert shape.farthest is not None
        target, radius = Placed.of(shape.farthest, np.eye(3), np.zeros(3)), grow
    else:
        target, radius = Points(core.points), core.radius + grow
    far = 2.0 * (shape.bounding_radius + grow)
    ends = []
    for way in (line.direction, -line.direction):
        start = line.origin - far * way
        found = run(support_raycast_steps(target, radius, shape.bounding_radius, start, way)).hit
        if found is None:
            return None
        ends.append((found.t - far, found.normal))
    (enter, enter_normal), (back, leave_normal) = ends
    return LineSpan(enter, max(enter, -back), enter_normal, leave_normal)


__all__ = ["RayCast", "RayHit", "raycast"]


class RayCast(Struct, frozen=True, eq=False):
    """A hit: `entry` is None for a ray that starts `inside`, `exit` is None for a ray that never leaves the body.

    A start on the surface, to rounding, is not inside if the ray enters there: the entry is at t = 0. If the ray leaves
    there, the start counts as inside, and the exit is at t = 0.
    """

    entry: RayHit | None
    exit: RayHit | None
    inside: bool

    def to_dict(self) -> dict[str, Any]:
        """The answer in the types of JSON: dicts, lists, numbers and bools."""
        found: dict[str, Any] = plain(self)
        return found

    def __repr__(self) -> str:
        """One line with the stretch of the ray inside the body."""
        start = "inside" if self.entry is None else f"t = {self.entry.t:.6g}"
        return f"RayCast(from {start} to {'the end' if self.exit is None else f't = {self.exit.t:.6g}'})"

    @property
    def t(self) -> float:
        """The least t at which the ray is in the body: 0 for a start inside."""
        return 0.0 if self.entry is None else self.entry.t


def raycast(body: Body, origin: Array, direction: Array) -> RayCast | None:
    """Casts the ray `origin + t direction`, t >= 0, both (3,), world, against the body; None if it misses.

    Raises ValueError for a direction that is zero or not finite.
    """
    pose, plane = body.pose, body.shape.plane
    _speed(direction)  # raises ValueError before an infinity reaches a product
    start, way = pose.to_local(origin), pose.direction_to_local(direction)
    speed = _speed(way)
    way = way / speed
    if plane is not None:
        line = Line(start, way, ROUNDING * (abs(plane.offset) + vector.length(start)))
        found = _ahead(line, 0.0, speed, _span(body.shape, line, 0.0))
    else:
        nearest, size = -vector.dot(start, way), body.shape.bounding_radius
        # The noise is capped: for a very far body, rounding exceeds its size, and every ray would hit it.
        noise = min(ROUNDING * (size + vector.length(start)), 1e-3 * size)
        line = Line(start + nearest * way, way, noise)
        inside = _span(body.shape, line, 0.0) or _grazed(line, _span(body.shape, line, noise))
        found = _ahead(line, nearest, speed, inside)
    return None if found is None else _in_world(found, pose)


def _span(shape: Contract, line: Line, grow: float) -> LineSpan | None:
    """The stretch of the line inside the shape grown by `grow`; None if the line misses.

    For a bounded shape the line's origin must be the line's point nearest the shape's position. `line_span` leaves an
    end infinite if the faces there are parallel to the line, up to the line's noise; such an end is set to the shape's
    size.
    """
    found = support_span(shape, line, grow) if shape.line_span is None else shape.line_span(line, grow)
    if found is None or (isfinite(found.enter) and isfinite(found.leave)):
        return found
    size = shape.bounding_radius + grow
    return replace(found, enter=max(found.enter, -size), leave=min(found.leave, size))


def _speed(direction: Array) -> float:
    speed = vector.length(direction)
    if not (speed > 0.0 and isfinite(speed)):
        raise ValueError("a ray needs a direction with a length")
    return speed


def _ahead(line: Line, nearest: float, speed: float, found: LineSpan | None) -> RayCast | None:
    """The part of a span that is on the ray; None if it is behind the start.

    `nearest`: the signed distance along the ray from its start to the line's origin. `speed`: the direction's length.
    """
    if found is None or nearest + found.leave < -line.noise:
        return None
    inside = nearest + found.enter < -line.noise

    def hit(t: float, normal: Array) -> RayHit | None:
        if not isfinite(t):
            return None
        return RayHit(max(nearest + t, 0.0) / speed, frozen(line.at(t)), frozen(np.array(normal)))

    entry = None if inside else hit(found.enter, found.enter_normal)
    return RayCast(entry, hit(found.leave, found.leave_normal), inside)


def _grazed(line: Line, found: LineSpan | None) -> LineSpan | None:
    """The one point at which a line grazes a shape, from the line's span in the slightly grown shape.

    At that point the line is equally far outside the surfaces at both ends, so it is nearer the end with the steeper
    angle. None for a span of None.
    """
    if found is None:
        return None
    steep = abs(vector.dot(line.direction, found.enter_normal))
    share = abs(vector.dot(line.direction, found.leave_normal))
    share = share / (steep + share) if steep + share > 0.0 else 0.5
    touch = found.enter + share * (found.leave - found.enter)
    return LineSpan(touch, touch, found.enter_normal, found.leave_normal)


def _in_world(found: RayCast, pose: Pose) -> RayCast:
    def turned(hit: RayHit | None) -> RayHit | None:
        if hit is None:
            return None
        return RayHit(hit.t, frozen(pose.to_world(hit.point)), frozen(pose.direction_to_world(hit.normal)))

    return RayCast(turned(found.entry), turned(found.exit), found.inside)

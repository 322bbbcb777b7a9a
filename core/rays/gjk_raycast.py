"""A ray against any support map (van den Bergen 2004, "Ray Casting against General Convex Objects").

GJK looks for the point of the body nearest a point x of the ray. Each support plane that has x in front cuts off the
piece of the ray up to that plane, and x moves there: so `t` never passes the hit, it is a lower bound all the way.
A plane that x is in front of, and from which the ray leads away, proves a miss.

`gjk_raycast` is for a body, `support_raycast_steps` for any support map: against a difference of two bodies, the ray of
the origin's path is their motion (`motion.ray`).

Departures: a body may be a core grown by a radius; then planes are moved out by the radius and x arrives at that
distance of the core. Close to the surface the direction is the feature's, as in GJK.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import count
from math import inf

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.tolerances import CERTIFIED, FEATURE_DIRECTION, ROUNDING
from ..geometry.triple import Triple, along, dot, length, sub, triple
from ..geometry.vector import Array, frozen
from ..gjk.gjk import PATIENCE, feature_direction
from ..gjk.simplex import NearestOnSimplex, SubDistance, nearest_on_simplex
from ..pair.support import Placed, Points, Rounding, Support, SupportMap, support_map
from ..scene import Body
from ..shapes import Contract
from ..shapes.line_spans import Line, LineSpan, RayHit
from ..trace import Steps, run


class GjkRaycastStop(StrEnum):
    """Why the cast ended; the first three are hits."""

    HIT = "HIT"
    """The ray's point has reached the surface, to rounding."""
    INSIDE = "INSIDE"
    """The ray starts in the body."""
    GRAZING = "GRAZING"
    """Rounding is all that is left; the distance still open is small enough to count as touching."""
    MISS = "MISS"
    """A plane with the ray in front of it and leading away proves it."""
    BEYOND_REACH = "BEYOND_REACH"
    """Nothing is hit up to the ray's end."""
    NO_PROGRESS = "NO_PROGRESS"
    """Rounding is all that is left, at a distance that is no contact: a near miss."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations; the ray is free up to t."""


class GjkRaycastSettings(Struct, frozen=True):
    """The knobs. `gap`: distance that counts as arrived; `certified`: as grazing.

    Both are fractions of the body's bounding radius plus the start's distance; `feature_direction` of the radius.
    """

    gap: float = ROUNDING
    certified: float = CERTIFIED
    feature_direction: float = FEATURE_DIRECTION
    iterations: int = 256
    sub_distance: SubDistance = SubDistance.VORONOI


DEFAULTS = GjkRaycastSettings()


class GjkRaycastStep(Struct, frozen=True, eq=False):
    """One iteration. All points are relative to the body's position.

    `t`, `point` (3,): how far the ray is known to be free, before this step. `simplex`: points of the body's core;
    `region` and `weights` (k,): those that hold `closest` (3,), the simplex's point nearest `point`. `distance`: from
    there, less the radius. `normal` (3,): unit, from the body to the ray's point, along which `support` was found;
    both None if the step stops before. `clipped`: whether the support plane moved the ray's point on, to `next_t`.
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

    `hit`: t in units of the direction, world point and outward unit normal; None for a miss, and for a ray that starts
    inside (`inside`). `free`: the ray is proved free up to this t (infinite for a miss). `distance`: what was left to
    the surface at the end. `normal` (3,): of the last plane that moved the ray on, or that proved the miss.
    `feature`: the points of the core that hold the one nearest the ray's, by `weights` (k,).
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
    """How far the ray is free, which plane said so last, and for how many steps nothing has changed.

    `start` and `way` are the ray's, relative to the body's position.
    """

    def __init__(self, start: Triple, way: Triple) -> None:
        self.start, self.way = start, way
        self.t, self.point = 0.0, start
        self.normal: Triple | None = None
        self.nearest = inf
        self.idle = -1

    def see(self, distance: float) -> None:
        """Takes in the distance of another simplex from the ray's point."""
        self.idle = 0 if distance < self.nearest else self.idle + 1
        self.nearest = min(self.nearest, distance)

    def meet(self, normal: Triple, ahead: float, rounding: float, reach: float) -> GjkRaycastStop | None:
        """Takes in a support plane with outward `normal`, the ray's point `ahead` in front of it."""
        slope = dot(normal, self.way)
        if ahead > rounding and slope >= 0.0:
            self.normal = normal
            return GjkRaycastStop.MISS
        if ahead > 0.0 and slope < 0.0:
            t = self.t - ahead / slope
            if t > self.t + rounding / length(self.way):
                self.idle, self.nearest = 0, inf
            self.t, self.point, self.normal = t, along(self.start, t, self.way), normal
        return GjkRaycastStop.BEYOND_REACH if self.t > reach else None


def _arrived(nearest: NearestOnSimplex, distance: float, rounding: float, *, moved: bool) -> GjkRaycastStop | None:
    """Whether the ray's point is in the body or on it. A ray that starts on the surface counts as inside."""
    if len(nearest.region) < 4 and distance > rounding:
        return None
    return GjkRaycastStop.HIT if moved else GjkRaycastStop.INSIDE


def _among(simplex: Sequence[Support], point: Support) -> bool:
    """Whether the simplex has the point already."""
    return any(point.vertex == s.vertex >= 0 or bool((point.point == s.point).all()) for s in simplex)


def _support(target: SupportMap, direction: Triple) -> Support:
    found = target.support(np.array(direction))
    found.point.flags.writeable = False
    return found


def _result(
    stop: GjkRaycastStop,
    cast: _Cast,
    origin: Array,
    direction: Array,
    left: float,
    last: Triple | None,
    feature: tuple[Support, ...],
    weights: Array,
    iterations: int,
) -> GjkRaycastResult:
    facing = cast.normal or last
    normal = None if facing is None else frozen(np.array(facing))
    hit = None
    if stop in (GjkRaycastStop.HIT, GjkRaycastStop.GRAZING) and normal is not None:
        hit = RayHit(cast.t, frozen(origin + cast.t * direction), normal)
    free = inf if stop is GjkRaycastStop.MISS else cast.t
    return GjkRaycastResult(stop, hit, free, left, normal, feature, weights, iterations)


def gjk_raycast_steps(
    body: Body,
    origin: Array,
    direction: Array,
    reach: float = inf,
    *,
    rounded: Rounding = "core",
    settings: GjkRaycastSettings = DEFAULTS,
) -> Steps[GjkRaycastStep, GjkRaycastResult]:
    """The ray `origin + t direction`, 0 <= t <= reach, both (3,) and in the world, against a bounded body.

    Raises ValueError for a direction without a length and for a half-space.
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
    """The ray `origin + t direction` against a support map grown by `radius`, all in one frame.

    `size`: what the tolerances are measured by, beside the start's distance. ValueError for a direction without a
    length.
    """
    start, way = triple(origin), triple(direction)
    if not 0.0 < length(way) < inf:
        raise ValueError("the direction of a ray must be finite and not zero")
    scale = size + length(start)
    rounding, close = settings.gap * scale, settings.feature_direction * size
    cast = _Cast(start, way)
    simplex: tuple[Support, ...] = (_support(target, start if length(start) > 0.0 else way),)
    for number in count(1):
        before, t, point = simplex, cast.t, cast.point
        corners = [sub(triple(support.point), point) for support in simplex]
        nearest = nearest_on_simplex(corners, settings.sub_distance)
        gap = length(nearest.point)
        cast.see(gap - radius)
        normal = support = None
        stop = _arrived(nearest, gap - radius, rounding, moved=cast.normal is not None)
        if stop is None:
            feature = tuple(simplex[k] for k in nearest.region)
            corners = [corners[k] for k in nearest.region]
            normal = feature_direction(corners, nearest.point, close=gap <= close)
            support = _support(target, normal)
            kept = _among(feature, support)
            simplex = feature if kept else (*feature, support)
            stop = cast.meet(normal, dot(normal, sub(point, triple(support.point))) - radius, rounding, reach)
            if stop is None and ((kept and cast.t == t) or cast.idle > PATIENCE):
                grazing = gap - radius <= settings.certified * scale
                stop = GjkRaycastStop.GRAZING if grazing else GjkRaycastStop.NO_PROGRESS
            elif stop is None and number >= settings.iterations:
                stop = GjkRaycastStop.ITERATION_LIMIT
        yield GjkRaycastStep(
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
        if stop is not None:
            left = gap - radius if stop is not GjkRaycastStop.INSIDE else 0.0
            feature = tuple(before[k] for k in nearest.region)
            weights = frozen(np.array(nearest.weights))
            return _result(stop, cast, origin, direction, left, normal, feature, weights, number)
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
    """The result of `gjk_raycast_steps` alone."""
    return run(gjk_raycast_steps(body, origin, direction, reach, rounded=rounded, settings=settings))


def support_span(shape: Contract, line: Line, grow: float) -> LineSpan | None:
    """Where a line of its own frame runs inside any bounded shape, enlarged by `grow`: cast once from either end."""
    core = shape.core
    target: SupportMap = Placed(shape, np.eye(3), np.zeros(3)) if core is None else Points(core.points)
    radius = grow if core is None else core.radius + grow
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

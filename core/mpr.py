"""MPR: tests whether two convex bodies overlap, and how deep about the ray through their centres.

Snethen 2008, "XenoCollide: complex collision made simple", in Game Programming Gems 7; the variant is that of libccd's
`ccdMPRPenetration`. From a point v0 inside the difference A - B a ray goes through the origin. Three support points
that the ray passes between are a portal. If the origin is between v0 and the portal, it is in A - B. If not, the
support point beyond the portal makes three smaller portals, and the ray passes through one of them. This is repeated
until a support plane excludes the origin, or the portal passes it. Once the origin is inside, the refinement goes on
until A - B extends beyond the portal by no more than a tolerance; the depth is the portal's distance from the origin.

This is not the least depth. It may be far larger: the portal is where the ray leaves A - B, and the surface may be
nearer to the origin elsewhere, where EPA also searches. It may be smaller, by no more than the tolerance: the portal
has its corners in A - B, so all of it lies inside, and the surface is up to the tolerance beyond. An upper bound of the
least depth is the support value of A - B along the portal's normal. With coincident centres the ray has no direction,
and v0 is moved a little along x.

Departures from libccd: its tolerances are absolute and these are fractions of the pair's size; loops are bounded; v0 is
the mean of the vertices for bodies whose position may lie outside of them; every exit has its name.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf, sqrt
from typing import Any

import numpy as np
from msgspec import Struct

from .geometry.tolerances import EPS, ROUNDING
from .geometry.triple import ZERO, Triple, array_of, cross, dot, length, negated, sub, triple, unit
from .geometry.vector import Array, frozen
from .geometry.vector import length as array_length
from .gjk.simplex import nearest_on_simplex
from .pair.support import Difference, DifferencePoint, support_maps, weighted_sources
from .scene import Body
from .trace import Steps, run
from .verdict import Certainty, certainty_of


class MprStop(StrEnum):
    """Why MPR ended. The first three mean that the bodies overlap, the next three that they are apart."""

    SURFACE = "SURFACE"
    """No point of the difference is farther along the portal's normal, to the tolerance: the portal counts as part of
    the surface, and its point nearest the origin is the answer."""
    ON_RAY = "ON_RAY"
    """The origin lies on the line from the interior point to the first support point, to `on_ray`: the support point is
    the answer (libccd's findPenetrSegment). This test is so coarse that a gap of 1e-9 may pass as an overlap."""
    TOUCHING = "TOUCHING"
    """The first support point is the origin, to rounding: the bodies touch (libccd's findPenetrTouch)."""
    EXCLUDED = "EXCLUDED"
    """The origin lies beyond a support plane: that proves the bodies apart."""
    PLANE_AT_ORIGIN = "PLANE_AT_ORIGIN"
    """A support plane passes through the origin, to rounding: MPR answers "apart"; the bodies touch at most."""
    WITHIN_TOLERANCE = "WITHIN_TOLERANCE"
    """The origin lies beyond the portal, and the difference extends beyond the portal by no more than the tolerance:
    MPR answers "apart", without proof. An overlap of up to `upper` may be missed."""
    FLAT_DIFFERENCE = "FLAT_DIFFERENCE"
    """The difference has no volume, and so no interior point for the ray to start from. No verdict."""
    DEGENERATE_PORTAL = "DEGENERATE_PORTAL"
    """The portal is nearly a line, or its plane holds the interior point: its normal is noise."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations. There is a verdict only if the portal has passed the origin."""
    HALF_SPACE = "HALF_SPACE"
    """A half-space has no centre and no farthest point. No verdict."""
    SPACE_ONLY = "SPACE_ONLY"
    """Polygons and circles have no portals: a portal is a triangle of space. No verdict."""


class MprAction(StrEnum):
    """The action of a step."""

    CENTRE = "CENTRE"
    """Took the interior point v0, where the ray to the origin starts."""
    FIRST = "FIRST"
    """Found the support point v1 along the ray."""
    SECOND = "SECOND"
    """Found the support point v2 along v0 × v1, the normal of the plane of the ray and v1."""
    SWAP = "SWAP"
    """Exchanged v1 and v2, so that the plane of v0, v1, v2 has the origin in front."""
    THIRD = "THIRD"
    """Found the support point v3 in front of that plane, and tested whether the ray passes between v1, v2 and v3."""
    REFINE = "REFINE"
    """Found the support point beyond a portal that has not passed the origin yet."""
    DEEPEN = "DEEPEN"
    """Found the support point beyond a portal that has passed the origin, to reach the surface."""
    STOP = "STOP"
    """Refused the pair, as MPR does not apply to it."""


class MprSettings(Struct, frozen=True):
    """The settings; they correspond to libccd's `mpr_tolerance` 1e-4, CCD_EPS and `max_iterations`.

    `tolerance`: how far the difference may extend beyond a portal that counts as its surface, a fraction of L. `gap`:
    the height along a unit direction that counts as 0, a fraction of L + |T|. `on_ray`: the origin counts as on the
    line from v0 to v1 if |v0 × v1| is at most this fraction of L²; for bodies of size 1 this is libccd's
    `|v0 × v1|² < CCD_EPS`. `nudge`: the move of v0 along x if v0 is the origin, a fraction of L. `iterations`: the
    most iterations of the search for the first portal, and the most of the refinement.
    """

    tolerance: float = 1e-4
    gap: float = ROUNDING
    on_ray: float = sqrt(EPS)
    nudge: float = 10.0 * EPS
    iterations: int = 128


DEFAULTS = MprSettings()


class MprTest(Struct, frozen=True):
    """A test of a step: `name` is the formula of `value` in v0 to v3, the support point w and its direction d.

    `holds`: whether the test is true.
    """

    name: str
    value: float
    holds: bool


class MprStep(Struct, frozen=True, eq=False):
    """One step: the points before it, its support query and tests, and the points after it.

    `number`: counts the steps from 0. `points`: v0, v1, v2, v3, as far as they exist. v0 is the centre of A minus that
    of B. If both coincide, v0 is `nudge` (3,), a short vector along x; else `nudge` is None. `direction` (3,): the unit
    direction in which `support` is the farthest point; both None without a query. `tests`: in the order in which they
    were made. `after`: the points after the step. `placed`: the index of `support` in `after`; None if it was not kept.
    `inside`: whether the origin is known to be in A - B. `value`: direction·support. `upper`: the least value so far,
    an upper bound of the depth; if negative, the bodies are at least -`upper` apart; None before the first query.
    `stop`: why MPR ended with this step, else None.
    """

    number: int
    action: MprAction
    points: tuple[DifferencePoint, ...]
    after: tuple[DifferencePoint, ...]
    direction: Array | None = None
    support: DifferencePoint | None = None
    tests: tuple[MprTest, ...] = ()
    placed: int | None = None
    nudge: Array | None = None
    inside: bool = False
    value: float | None = None
    upper: float | None = None
    stop: MprStop | None = None

    @property
    def distance(self) -> float | None:
        """The distance from the origin to the portal before the step; None if there was no portal yet."""
        portal = [point.xyz for point in self.points[1:]]
        return length(nearest_on_simplex(portal).point) if len(portal) == 3 else None


class MprResult(Struct, frozen=True, eq=False):
    """MPR's verdict, and the depth that it reports.

    `overlapping`: None without a verdict. `depth`, `normal` (3,), A to B: the length and direction from the origin to
    the nearest point of the last portal, the triangle v1 v2 v3 (in ON_RAY the point v1), as in libccd's
    ccdMPRPenetration. That point is inside A - B and within the tolerance of its surface, so moving B by it ends the
    overlap, to the tolerance. It is where the ray happens to leave A - B, not where the surface is nearest: the least
    depth is at most `depth` plus the tolerance, and may be far less. If MPR gave up with the origin inside, `depth` and
    `normal` are `upper` and `upper_normal`. Both are None unless overlapping. `upper`, `upper_normal` (3,): the least
    support value of A - B of all queries, and its direction. The least depth is proved to be at most `upper`; if
    `upper` is negative, the bodies are proved to be at least -`upper` apart. None without queries. `portal`: the last
    v1 to v3, as far as they exist. `weights` (k,): of the portal's point nearest the origin on the corners that span
    its feature, in their order. `witness_a`, `witness_b` (3,): the points of both bodies. These three are None if that
    point is not the answer. The witness points are relative to A's position, on the surfaces to the tolerance, with `a
    - b = depth normal`. `iterations`: the number of steps.
    """

    stop: MprStop
    overlapping: bool | None
    depth: float | None
    normal: Array | None
    upper: float | None
    upper_normal: Array | None
    witness_a: Array | None
    witness_b: Array | None
    portal: tuple[DifferencePoint, ...]
    weights: Array | None
    iterations: int

    @property
    def certainty(self) -> Certainty | None:
        """The certainty of `depth`, None without it: a bound, since the least depth may be anywhere in [0, `upper`]."""
        return None if self.depth is None or self.upper is None else certainty_of(0.0, max(0.0, self.upper), -inf)

    @property
    def proved(self) -> bool:
        """Whether the verdict holds to rounding, and not only to a tolerance."""
        inside = bool(self.overlapping) and self.stop is not MprStop.ON_RAY
        return inside or self.stop in (MprStop.EXCLUDED, MprStop.PLANE_AT_ORIGIN)


_Points = tuple[DifferencePoint, ...]
_Tests = tuple[MprTest, ...]
_OVERLAP = (MprStop.SURFACE, MprStop.ON_RAY, MprStop.TOUCHING)
_NONE_FOR = {2: MprStop.SPACE_ONLY, 3: None}
_APART = (MprStop.EXCLUDED, MprStop.PLANE_AT_ORIGIN, MprStop.WITHIN_TOLERANCE)


def interior_point(body: Body) -> Array:
    """A point (3,) inside a bounded body, relative to its position, world axes: 0, or the mean of the core's points.

    The mean is used if it differs from 0 by more than rounding.
    """
    core = body.shape.core
    if core is None:
        return np.zeros(3)
    mean = core.points.mean(axis=0)
    centred = array_length(mean) <= ROUNDING * body.shape.bounding_radius
    return np.zeros(3) if centred else body.pose.direction_to_world(mean)


class _SupportOfDifference(Struct, frozen=True, eq=False):
    """The support point along the unit `direction`, and the support value of A - B, `direction·point`."""

    direction: Triple
    point: DifferencePoint
    value: float


class _Search:
    """The search in one difference: its support queries, the least support value, and the number of steps so far."""

    def __init__(self, difference: Difference, settings: MprSettings) -> None:
        self.difference, self.settings = difference, settings
        self.largest_radius = difference.largest_radius
        self.rounding = settings.gap * difference.extent
        self.best: _SupportOfDifference | None = None
        self.inside = False
        self.number = 0

    def ask(self, direction: Triple) -> _SupportOfDifference:
        """Finds the support point along a unit direction, and keeps the one of least support value as `best`."""
        point = self.difference.support(direction)
        asked = _SupportOfDifference(direction, point, dot(direction, point.xyz))
        if self.best is None or asked.value < self.best.value:
            self.best = asked
        return asked

    def missed(self, asked: _SupportOfDifference) -> MprStop | None:
        """EXCLUDED, PLANE_AT_ORIGIN or FLAT_DIFFERENCE if the origin is not behind the support plane; else None."""
        if asked.value > self.rounding:
            return None
        if asked.value < -self.rounding:
            return MprStop.EXCLUDED
        back = self.difference.support(negated(asked.direction))
        flat = dot(asked.direction, sub(asked.point.xyz, back.xyz)) <= 2.0 * self.rounding
        return MprStop.FLAT_DIFFERENCE if flat else MprStop.PLANE_AT_ORIGIN

    def step(
        self, action: MprAction, points: _Points, after: _Points, asked: _SupportOfDifference | None = None, **more: Any
    ) -> MprStep:
        """The record of the next step; `more`: its other fields that differ from the default.

        `asked`: the support query of the step, None if it has none.
        """
        if asked is not None:
            more |= {"direction": asked.point.direction, "support": asked.point, "value": asked.value}
        upper = None if self.best is None else self.best.value
        self.number += 1
        return MprStep(self.number - 1, action, points, after, inside=self.inside, upper=upper, **more)

    def answer(self, stop: MprStop, portal: _Points) -> MprResult:
        """The result: depth and normal come from the portal, or from the least support value if MPR gave up inside."""
        overlapping = True if self.inside or stop in _OVERLAP else False if stop in _APART else None
        depth, normal, weights = None, None, None
        ends: tuple[Triple, Triple] | None = None
        if stop in _OVERLAP:
            found = nearest_on_simplex([point.xyz for point in portal])
            weights = frozen(np.array(found.weights))
            ends = weighted_sources([portal[k] for k in found.region], found.weights)
            depth = 0.0 if stop is MprStop.TOUCHING else length(found.point)
            # A nearest point at the origin has no direction: the normal of the best support plane is taken.
            normal = unit(found.point) if depth > self.rounding else None
        elif overlapping and self.best is not None:
            depth = self.best.value
        if depth is not None and self.best is not None:
            normal = normal or self.best.direction
        return MprResult(
            stop=stop,
            overlapping=overlapping,
            depth=depth,
            normal=None if normal is None else frozen(np.array(normal)),
            upper=None if self.best is None else self.best.value,
            upper_normal=None if self.best is None else self.best.point.direction,
            witness_a=None if ends is None else array_of(ends[0]),
            witness_b=None if ends is None else array_of(ends[1]),
            portal=portal,
            weights=weights,
            iterations=self.number,
        )


def _replaced(points: _Points, place: int, point: DifferencePoint) -> _Points:
    """The points with the one at `place` replaced; at the end, one is added."""
    return (*points[:place], point, *points[place + 1 :])


def _centre(difference: Difference, a: Body, b: Body, nudge: float) -> tuple[DifferencePoint, Array | None]:
    """v0, the centre of A minus that of B, and the move (3,) that it needed, or None."""
    on_a, on_b = interior_point(a), interior_point(b) + array_of(difference.offset)
    w, moved = on_a - on_b, None
    if not w.any():
        moved = frozen(np.array((nudge * difference.largest_radius, 0.0, 0.0)))
        w = moved
    return DifferencePoint(triple(on_a), triple(on_b), -1, -1, ZERO, triple(w)), moved


def _side(name: str, first: Triple, second: Triple, centre: Triple) -> MprTest:
    """Whether `centre`, the ray's start, is on the outer side of the plane through the origin and two corners.

    The value is the dot product of the unit vectors along `first × second` and `centre`: the sine of the angle between
    the ray and the plane.
    """
    normal = unit(cross(first, second))
    ray = unit(centre)
    value = 0.0 if normal is None or ray is None else dot(normal, ray)
    return MprTest(name, value, value < -ROUNDING)


def _discover(search: _Search, points: _Points) -> Steps[MprStep, tuple[MprStop | None, _Points]]:
    """Finds the first portal from v0. Returns why it ended early, or None, and the points."""
    v0 = points[0].xyz
    first = search.ask(unit(negated(v0)) or (-1.0, 0.0, 0.0))
    stop = search.missed(first)
    if stop is not None and array_length(first.point.w) <= search.rounding:
        stop = MprStop.TOUCHING
    normal = cross(v0, first.point.xyz)
    offset, side = length(normal), unit(normal)
    along = side is None or offset <= search.settings.on_ray * search.largest_radius * search.largest_radius
    if stop is None and along:
        stop, search.inside = MprStop.ON_RAY, True
    tests: _Tests = (MprTest("d·w", first.value, first.value > search.rounding), MprTest("|v0 × w|", offset, along))
    after = (*points, first.point)
    yield search.step(MprAction.FIRST, points, after, first, tests=tests, placed=1, stop=stop)
    if stop is not None or side is None:
        return stop, after
    points = after

    second = search.ask(side)
    stop, after = search.missed(second), (*points, second.point)
    tests = (MprTest("d·w", second.value, second.value > search.rounding),)
    yield search.step(MprAction.SECOND, points, after, second, tests=tests, placed=2, stop=stop)
    if stop is not None:
        return stop, after
    points = after

    front = unit(cross(sub(points[1].xyz, v0), sub(points[2].xyz, v0)))
    if front is not None and dot(front, v0) > 0.0:
        after = (points[0], points[2], points[1])
        tests = (MprTest("d·v0", dot(front, v0), holds=True),)
        yield search.step(MprAction.SWAP, points, after, tests=tests)
        points, front = after, negated(front)
    for number in range(search.settings.iterations + 1):
        if front is None or number == search.settings.iterations:
            stop = MprStop.DEGENERATE_PORTAL if front is None else MprStop.ITERATION_LIMIT
            yield search.step(MprAction.THIRD, points, points, stop=stop)
            return stop, points
        third = search.ask(front)
        w, stop = third.point.xyz, search.missed(third)
        tests = (MprTest("d·w", third.value, third.value > search.rounding),)
        place = None
        if stop is None:
            place, beyond = 3, _side("(v1 × w)·v0", points[1].xyz, w, v0)
            tests = (*tests, beyond)
            if beyond.holds:
                place = 2
            else:
                beyond = _side("(w × v2)·v0", w, points[2].xyz, v0)
                tests, place = (*tests, beyond), 1 if beyond.holds else 3
        after = points if place is None else _replaced(points, place, third.point)
        yield search.step(MprAction.THIRD, points, after, third, tests=tests, placed=place, stop=stop)
        points = after
        if stop is not None or place == 3:
            return stop, points
        front = unit(cross(sub(points[1].xyz, v0), sub(points[2].xyz, v0)))
    raise AssertionError("counting ended")


def _sub_portal(points: _Points, w: Triple) -> tuple[int, _Tests]:
    """The index of the corner that the support point w replaces, so that the ray passes the new portal, and the tests.

    The planes through the ray's start v0, w and each corner separate the three sub-portals.
    """
    v0, v1, v2, v3 = (point.xyz for point in points)
    plane = cross(w, v0)
    by_v1 = dot(v1, plane)
    corner, name = (v2, "v2·(w × v0)") if by_v1 > 0.0 else (v3, "v3·(w × v0)")
    value = dot(corner, plane)
    tests = (MprTest("v1·(w × v0)", by_v1, by_v1 > 0.0), MprTest(name, value, value > 0.0))
    if by_v1 > 0.0:
        return 1 if value > 0.0 else 3, tests
    return 2 if value > 0.0 else 1, tests


def _refine(search: _Search, points: _Points) -> Steps[MprStep, tuple[MprStop, _Points]]:
    """Refines the first portal to a miss, or past the origin to the surface. Returns why it ended, and the points."""
    tolerance = search.settings.tolerance * search.largest_radius
    for number in range(search.settings.iterations + 1):
        v0, v1, v2, v3 = (point.xyz for point in points)
        normal = unit(cross(sub(v2, v1), sub(v3, v1)))
        reach = 0.0 if normal is None else dot(normal, v1)
        if normal is None or reach - dot(normal, v0) <= 0.0:
            action = MprAction.DEEPEN if search.inside else MprAction.REFINE
            yield search.step(action, points, points, stop=MprStop.DEGENERATE_PORTAL)
            return MprStop.DEGENERATE_PORTAL, points
        passed = reach >= -search.rounding
        search.inside = search.inside or passed
        asked = search.ask(normal)
        beyond = asked.value - max(reach, dot(normal, v2), dot(normal, v3))
        tests: _Tests = (
            MprTest("d·v1", reach, passed),
            MprTest("d·w", asked.value, asked.value >= -search.rounding),
            MprTest("d·w − d·v1", beyond, beyond <= tolerance),
        )
        stop: MprStop | None = None
        if not search.inside and asked.value < -search.rounding:
            stop = MprStop.EXCLUDED
        elif beyond <= tolerance:
            stop = MprStop.SURFACE if search.inside else MprStop.WITHIN_TOLERANCE
        elif number == search.settings.iterations:
            stop = MprStop.ITERATION_LIMIT
        place, after = None, points
        if stop is None:
            place, sides = _sub_portal(points, asked.point.xyz)
            tests, after = (*tests, *sides), _replaced(points, place, asked.point)
        action = MprAction.DEEPEN if search.inside else MprAction.REFINE
        yield search.step(action, points, after, asked, tests=tests, placed=place, stop=stop)
        if stop is not None:
            return stop, points
        points = after
    raise AssertionError("counting ended")


def mpr_steps(a: Body, b: Body, settings: MprSettings = DEFAULTS) -> Steps[MprStep, MprResult]:
    """MPR on two placed bodies, step by step. A pair that MPR does not apply to has one step.

    A radius is part of its body's support map, not kept apart as in GJK.
    """
    none_for = _NONE_FOR[a.shape.dimension]
    if inf in (a.shape.bounding_radius, b.shape.bounding_radius):
        none_for = MprStop.HALF_SPACE
    if none_for is not None:
        yield MprStep(0, MprAction.STOP, (), (), stop=none_for)
        return MprResult(
            stop=none_for,
            overlapping=None,
            depth=None,
            normal=None,
            upper=None,
            upper_normal=None,
            witness_a=None,
            witness_b=None,
            portal=(),
            weights=None,
            iterations=0,
        )
    search = _Search(support_maps(a, b, rounded="full"), settings)
    centre, nudge = _centre(search.difference, a, b, settings.nudge)
    yield search.step(MprAction.CENTRE, (), (centre,), placed=0, nudge=nudge)
    stop, points = yield from _discover(search, (centre,))
    if stop is None:
        stop, points = yield from _refine(search, points)
    return search.answer(stop, points[1:])


def mpr(a: Body, b: Body, settings: MprSettings = DEFAULTS) -> MprResult:
    """The result of `mpr_steps` alone."""
    return run(mpr_steps(a, b, settings))

"""MPR: whether two convex bodies overlap, and how deep along the ray through their centres.

Snethen 2008, "XenoCollide: complex collision made simple", in Game Programming Gems 7; the variant is that of libccd's
`ccdMPRPenetration`. From a point v0 inside the difference A - B a ray goes through the origin. Three support points
that the ray passes between are a portal. If the origin is between v0 and the portal, it is in A - B. If not, the
support point beyond the portal makes three smaller ones, and the ray passes through one of them: on it goes, until a
support plane excludes the origin. Once the origin is inside, the same goes on until A - B reaches no farther beyond the
portal than a tolerance, and the portal's distance from the origin is called the depth.

That is not the least depth. It may be far above it: the portal is where the ray leaves A - B, and the surface may be
nearer to the origin elsewhere; EPA looks everywhere. And it may be below it, by no more than the tolerance: the portal
has its corners in A - B, so all of it lies inside, and the surface is up to the tolerance beyond. An upper bound of the
least depth is how far A - B reaches along the portal's normal. With coincident centres the ray has no direction of its
own and starts from a nudge along x.

Departures from libccd: its tolerances are absolute and ours fractions of the pair's size; loops are bounded; v0 is the
mean of the vertices for bodies whose position may lie outside of them; every end has its name.
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
    """Why MPR ended. The first three say that the bodies overlap, the next three that they are apart."""

    SURFACE = "SURFACE"
    """Nothing of the difference is farther along the portal's normal, to the tolerance: the portal counts as part of
    its surface, and the portal's point nearest the origin is the answer."""
    ON_RAY = "ON_RAY"
    """The origin lies on the line from the interior point to the first support point, to `on_ray`: the latter is the
    answer (libccd's findPenetrSegment). So coarse is that test that a gap of 1e-9 may pass for an overlap."""
    TOUCHING = "TOUCHING"
    """The first support point is the origin, to rounding: the bodies touch (libccd's findPenetrTouch)."""
    EXCLUDED = "EXCLUDED"
    """The origin lies beyond a support plane: that proves the bodies apart."""
    PLANE_AT_ORIGIN = "PLANE_AT_ORIGIN"
    """A support plane passes through the origin, to rounding: MPR says apart, and the bodies touch at most."""
    WITHIN_TOLERANCE = "WITHIN_TOLERANCE"
    """The origin lies beyond the portal, and the difference reaches no farther than the tolerance: MPR says apart, and
    nothing proves it. An overlap of up to `upper` is missed."""
    FLAT_DIFFERENCE = "FLAT_DIFFERENCE"
    """The difference has no volume: there is no inside for the ray to start from. No verdict."""
    DEGENERATE_PORTAL = "DEGENERATE_PORTAL"
    """The portal is as good as a line, or its plane holds the interior point: its normal is noise."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations. There is a verdict only if the portal has passed the origin."""
    HALF_SPACE = "HALF_SPACE"
    """A half-space has no centre and no farthest point. No verdict."""
    SPACE_ONLY = "SPACE_ONLY"
    """Polygons and circles have no portals: a portal is a triangle of space. No verdict."""


class MprAction(StrEnum):
    """What a step did."""

    CENTRE = "CENTRE"
    """Took the interior point v0, where the ray to the origin starts."""
    FIRST = "FIRST"
    """Sought v1 along the ray."""
    SECOND = "SECOND"
    """Sought v2 square to the plane of the ray and v1."""
    SWAP = "SWAP"
    """Exchanged v1 and v2, so that the plane of v0, v1, v2 has the origin in front."""
    THIRD = "THIRD"
    """Sought v3 in front of that plane, and asked whether the ray passes between v1, v2 and v3."""
    REFINE = "REFINE"
    """Looked beyond a portal that has not passed the origin yet."""
    DEEPEN = "DEEPEN"
    """Looked beyond a portal that has passed the origin, to get to the surface."""
    STOP = "STOP"
    """Said that the pair is none for MPR."""


class MprSettings(Struct, frozen=True):
    """The settings, which stand for libccd's `mpr_tolerance` 1e-4, CCD_EPS and `max_iterations`.

    `tolerance`: what the difference may reach beyond a portal that counts as its surface, a fraction of L. `gap`: what
    counts as 0 along a unit direction, a fraction of L + |T|. `on_ray`: the origin is on the ray from v0 if |v0 × v1|
    is no larger, a fraction of L²: for bodies of size 1 that is libccd's `|v0 × v1|² < CCD_EPS`. `nudge`: how far v0 is
    moved along x if it is the origin, a fraction of L. `iterations`: of discovery, and of refinement.
    """

    tolerance: float = 1e-4
    gap: float = ROUNDING
    on_ray: float = sqrt(EPS)
    nudge: float = 10.0 * EPS
    iterations: int = 128


DEFAULTS = MprSettings()


class MprTest(Struct, frozen=True):
    """A number that decided something: `name` is its formula in v0 to v3, w, d; `holds`: whether what it asks is so."""

    name: str
    value: float
    holds: bool


class MprStep(Struct, frozen=True, eq=False):
    """One step: the points before it, what was asked and found, and what became of the points.

    `points`: v0, v1, v2, v3 as far as there are any; v0 is the centre of A minus that of B, and a `nudge` (3,) along x
    where both coincide (else None). `direction` (3,): unit, along which `support` was found; both None where nothing
    was sought. `tests`: in the order in which they were made. `placed`: which point of `after`, the points as they are
    then, the support became; None if it was not kept. `inside`: the origin is known to be in A - B. `value`:
    direction·support. `upper`: the least of these so far, an upper bound of the depth, negative where it proves a
    distance; None before the first.
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
        """Of the portal before the step from the origin; None before there is one."""
        portal = [point.xyz for point in self.points[1:]]
        return length(nearest_on_simplex(portal).point) if len(portal) == 3 else None


class MprResult(Struct, frozen=True, eq=False):
    """MPR's yes or no, and how far it says that B must move.

    `overlapping`: None without a verdict. `depth`, `normal` (3,), A to B: the length and direction from the origin to
    the nearest point of the last portal, the triangle v1 v2 v3 (in ON_RAY the point v1), as in libccd's
    ccdMPRPenetration. That point is inside A - B and within the tolerance of its surface, so moving B there ends the
    overlap, to the tolerance: it is where the ray happens to leave A - B, not where its surface is nearest. So the
    least depth is at most `depth` plus the tolerance, and may be far less. Where MPR gave up with the origin inside,
    both are `upper` and its normal. None unless overlapping.
    `upper`, `upper_normal` (3,): the least reach of A - B along any direction asked: the least depth is proved to be no
    more; negative, it proves the bodies apart by as much. None if nothing was asked.
    `portal`: the last of v1 to v3. `weights`, `witness_a`, `witness_b` (3,): what makes its nearest point, where that
    is the answer; `a - b = depth normal`, on the surfaces, to the tolerance, relative to A's position.
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
        """How `depth` is known: as a bound, as the least depth may be anything from 0 to `upper`. None without one."""
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
    """A point (3,) inside a bounded body, relative to its position: that itself, or the mean of an off-centre core."""
    core = body.shape.core
    if core is None:
        return np.zeros(3)
    mean = core.points.mean(axis=0)
    centred = array_length(mean) <= ROUNDING * body.shape.bounding_radius
    return np.zeros(3) if centred else body.pose.direction_to_world(mean)


class _Asked(Struct, frozen=True, eq=False):
    """A support point along the unit `direction`, and how far A - B reaches along it."""

    direction: Triple
    point: DifferencePoint
    value: float


class _Search:
    """Support points asked of one difference, the least reach among them, and the steps told so far."""

    def __init__(self, difference: Difference, settings: MprSettings) -> None:
        self.difference, self.settings = difference, settings
        self.larger = difference.larger
        self.rounding = settings.gap * difference.extent
        self.best: _Asked | None = None
        self.inside = False
        self.number = 0

    def ask(self, direction: Triple) -> _Asked:
        """The support point along a unit direction; nothing of A - B is farther, which bounds the depth."""
        point = self.difference.support(direction)
        asked = _Asked(direction, point, dot(direction, point.xyz))
        if self.best is None or asked.value < self.best.value:
            self.best = asked
        return asked

    def missed(self, asked: _Asked) -> MprStop | None:
        """Why the origin is not in A - B, if the support plane says so."""
        if asked.value > self.rounding:
            return None
        if asked.value < -self.rounding:
            return MprStop.EXCLUDED
        back = self.difference.support(negated(asked.direction))
        flat = dot(asked.direction, sub(asked.point.xyz, back.xyz)) <= 2.0 * self.rounding
        return MprStop.FLAT_DIFFERENCE if flat else MprStop.PLANE_AT_ORIGIN

    def step(
        self, action: MprAction, points: _Points, after: _Points, asked: _Asked | None = None, **more: Any
    ) -> MprStep:
        """The next step as a record; `more`: its other fields, where they are not the default."""
        if asked is not None:
            more |= {"direction": asked.point.direction, "support": asked.point, "value": asked.value}
        upper = None if self.best is None else self.best.value
        self.number += 1
        return MprStep(self.number - 1, action, points, after, inside=self.inside, upper=upper, **more)

    def answer(self, stop: MprStop, portal: _Points) -> MprResult:
        """The answer: from the portal, or the one point, where the origin is known to be inside."""
        overlapping = True if self.inside or stop in _OVERLAP else False if stop in _APART else None
        depth, normal, weights = None, None, None
        ends: tuple[Triple, Triple] | None = None
        if stop in _OVERLAP:
            found = nearest_on_simplex([point.xyz for point in portal])
            weights = frozen(np.array(found.weights))
            ends = weighted_sources([portal[k] for k in found.region], found.weights)
            depth = 0.0 if stop is MprStop.TOUCHING else length(found.point)
            # At the origin itself no direction is left: a support plane's is as good as any.
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
    """The points with another one at a place; at the end, with one more."""
    return (*points[:place], point, *points[place + 1 :])


def _centre(difference: Difference, a: Body, b: Body, nudge: float) -> tuple[DifferencePoint, Array | None]:
    """v0, the centre of A minus that of B, and by what (3,) it had to be moved."""
    on_a, on_b = interior_point(a), interior_point(b) + array_of(difference.offset)
    w, moved = on_a - on_b, None
    if not w.any():
        moved = frozen(np.array((nudge * difference.larger, 0.0, 0.0)))
        w = moved
    return DifferencePoint(triple(on_a), triple(on_b), -1, -1, ZERO, triple(w)), moved


def _side(name: str, first: Triple, second: Triple, centre: Triple) -> MprTest:
    """Whether the ray from `centre` is on the outer side of the plane through the origin and two corners.

    (first × second)·centre < 0, as the sine of the angle between the ray and the plane.
    """
    normal = unit(cross(first, second))
    ray = unit(centre)
    value = 0.0 if normal is None or ray is None else dot(normal, ray)
    return MprTest(name, value, value < -ROUNDING)


def _discover(search: _Search, points: _Points) -> Steps[MprStep, tuple[MprStop | None, _Points]]:
    """From v0 to the first portal. Why it ended early, if it did, and the points."""
    v0 = points[0].xyz
    first = search.ask(unit(negated(v0)) or (-1.0, 0.0, 0.0))
    stop = search.missed(first)
    if stop is not None and array_length(first.point.w) <= search.rounding:
        stop = MprStop.TOUCHING
    normal = cross(v0, first.point.xyz)
    offset, side = length(normal), unit(normal)
    along = side is None or offset <= search.settings.on_ray * search.larger * search.larger
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
    """Which corner the support point w replaces, so that the ray passes through what is left, and how that was told.

    The planes through the ray's start v0, w and each corner part the three sub-portals.
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
    """From the first portal to a miss, or past the origin to the surface. Why it ended, and the last points."""
    tolerance = search.settings.tolerance * search.larger
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
    """MPR on two placed bodies, round ones as they are, step by step; a pair that is none for it has one step."""
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

"""GJK: the distance of two convex bodies, between a lower and an upper bound that close in on it.

Gilbert, Johnson, Keerthi 1988; van den Bergen 1999 and 2003 for the bounds.

The point v of a simplex nearest the origin is a point of the difference A - B: `|v|` bounds the distance of the cores
from above. The support point w along `n = -v/|v|` bounds it from below by `-n·w`: no point of the difference is nearer
along n. The next simplex consists of w and the feature that v lies on.

Departures: the bounds close to rounding where possible, not to a tolerance. The direction is the perpendicular of that
feature, as `v/|v|` is noise close to contact. Every exit has its name. In the plane three points enclose
the origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import count
from math import inf
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.tolerances import CERTIFIED, ROUNDING
from ..geometry.triple import ZERO, Triple, array_of, dot, length, negated, point_along, sub, triple, unit
from ..geometry.vector import Array, frozen
from ..pair.support import Difference, DifferencePoint, weighted_sources
from ..trace import Steps, run
from ..verdict import Bounded
from .simplex import NearestOnSimplex, SubDistance, nearest_on_simplex, triangle_normal

PATIENCE = 8
"""The number of steps without a better bound after which GJK gives up. On a nearly flat side a step turns the direction
by 1e-8 and shortens the distance by less than a double resolves, but later steps may depend on it."""

X_AXIS: Triple = (1.0, 0.0, 0.0)


class GjkStop(StrEnum):
    """Why GJK ended; the first two mean that the cores meet."""

    OVERLAP_ENCLOSED = "OVERLAP_ENCLOSED"
    """The origin is strictly inside a tetrahedron; in the plane, a triangle."""
    OVERLAP_TOUCHING = "OVERLAP_TOUCHING"
    """The origin is on the simplex, to rounding. EPA finds whether the origin is inside the difference or on its
    boundary."""
    CONVERGED = "CONVERGED"
    """The bounds met to rounding."""
    REPEATED_SUPPORT = "REPEATED_SUPPORT"
    """The support point is already a corner of the simplex: no point of the difference is nearer."""
    NO_PROGRESS = "NO_PROGRESS"
    """The new simplex is farther than the nearest so far, or PATIENCE steps improved no bound."""
    DEGENERATE_SIMPLEX = "DEGENERATE_SIMPLEX"
    """A nearly flat simplex seems to enclose the origin, but a lower bound has already proved the cores apart."""
    ITERATION_LIMIT = "ITERATION_LIMIT"
    """Too many iterations; the bounds still hold."""


class GjkAction(StrEnum):
    """The decision of a step."""

    ADD_SUPPORT = "ADD_SUPPORT"
    STOP = "STOP"


class GjkSettings(Struct, frozen=True):
    """Settings.

    `gap`: bounds this close, a fraction of L + |T| for doubles, have met. `certified`: bounds this close, a fraction of
    L, are certified. `iterations`: the most steps. `sub_distance`: how a simplex's nearest point is found.
    `first_direction`: the direction of the first support; if None, from A's position to B's, or x if both are one.
    """

    gap: float = ROUNDING
    certified: float = CERTIFIED
    iterations: int = 128
    sub_distance: SubDistance = SubDistance.VORONOI
    first_direction: Triple | None = None


DEFAULTS = GjkSettings()


class WarmStart(Struct, frozen=True, eq=False):
    """Unit directions (k, 3), one to four, whose support points make GJK's first simplex.

    They are those of another run's last simplex. The points themselves are not used, as the bodies may have moved.
    """

    directions: Array


class GjkStep(Struct, frozen=True, eq=False):
    """One iteration.

    `number`: counts from 1. `simplex`: the points with their sources, before the support is added; `nearest`: its point
    nearest the origin. `support`: the support point along `direction`; None if GJK ends before the query. `lower`: the
    best lower bound of the cores' distance so far; `upper`: the simplex's distance, an upper bound. `stop`: None unless
    GJK ends here. `dimension`: of the pair; in the plane three points enclose the origin. `reported`: the
    attributes that reports contain.
    """

    reported: ClassVar = (
        "number",
        "weights",
        "closest",
        "direction",
        "support",
        "lower",
        "upper",
        "stop",
        "dimension",
    )
    number: int
    simplex: tuple[DifferencePoint, ...]
    nearest: NearestOnSimplex
    support: DifferencePoint | None
    lower: float
    upper: float
    stop: GjkStop | None
    dimension: int = 3

    @property
    def region(self) -> tuple[int, ...]:
        """Indices of the simplex points that span the feature with the nearest point."""
        return self.nearest.region

    @property
    def weights(self) -> Array:
        """Weights (k,) of the points of `region`, positive, with sum 1."""
        return frozen(np.array(self.nearest.weights))

    @property
    def closest(self) -> Array:
        """The simplex's point (3,) nearest the origin."""
        return array_of(self.nearest.point)

    @property
    def direction(self) -> Array | None:
        """The unit direction (3,) along which `support` is the farthest; None without a support."""
        return None if self.support is None else self.support.direction

    @property
    def encloses(self) -> bool:
        """Whether the origin is strictly inside the simplex."""
        return len(self.region) == self.dimension + 1

    @property
    def action(self) -> GjkAction:
        """Whether the step adds the support point or stops."""
        return GjkAction.ADD_SUPPORT if self.stop is None else GjkAction.STOP


class GjkResult(Bounded, Struct, frozen=True, eq=False):
    """The distance of two bodies' cores, and of the bodies themselves if the cores are apart.

    `overlapping`: whether the cores meet; then `distance` is 0 and there is no `normal`. `distance`: of the cores; the
    true distance is within [`lower`, `upper`]. `separation`: distance less both radii, None if overlapping. `normal`
    (3,): unit, A to B; the direction with the best lower bound. `witness_a`, `witness_b` (3,): on the bodies' surfaces,
    or a point of both cores if overlapping, relative to A's position. `simplex`, `weights`: the corners of the feature
    with the nearest point, and the point's weights on them. `iterations`: the number of steps. `within`: bounds this
    close are certified.
    """

    stop: GjkStop
    overlapping: bool
    distance: float
    lower: float
    upper: float
    separation: float | None
    normal: Array | None
    witness_a: Array
    witness_b: Array
    simplex: tuple[DifferencePoint, ...]
    weights: Array
    iterations: int
    within: float

    @property
    def warm_start(self) -> WarmStart:
        """The start of another run on nearly the same pair."""
        return WarmStart(frozen(np.array([point.xyz_direction for point in self.simplex])))


class _State(Struct, frozen=True, eq=False):
    """A simplex, its point nearest the origin, the corners of the feature with that point, and the point's distance."""

    simplex: tuple[DifferencePoint, ...]
    nearest: NearestOnSimplex
    feature: tuple[DifferencePoint, ...]
    upper: float

    @staticmethod
    def of(simplex: tuple[DifferencePoint, ...], method: SubDistance, full: int, flat: float) -> _State:
        nearest = nearest_on_simplex([point.xyz for point in simplex], method, flat)
        region, whole = nearest.region, len(nearest.region) == len(simplex)
        if len(region) == full and nearest.point is not ZERO:
            nearest = replace(nearest, point=ZERO)  # a triangle round the origin: rounding gave a point beside it
        feature = simplex if whole else tuple([simplex[k] for k in region])
        return _State(simplex, nearest, feature, length(nearest.point))


class Bounds:
    """The nearest simplex and the best lower bound so far, and the number of steps since either improved.

    `full`: the number of points that can enclose the origin. `spacing`: that of numbers just above 1.
    """

    def __init__(self, full: int, spacing: float) -> None:
        self._full, self._spacing = full, spacing
        self.best: _State | None = None
        self.lower = 0.0
        self.normal: Triple | None = None
        self._idle = 0

    def see(self, state: _State, rounding: float) -> GjkStop | None:
        """Returns why to stop at a simplex, before its support point is computed; else None, and records its distance.

        Of two simplices equally near, to rounding, the later is kept, as its feature is better.
        """
        if len(state.feature) == self._full:
            return GjkStop.OVERLAP_ENCLOSED if self.lower <= rounding else GjkStop.DEGENERATE_SIMPLEX
        upper, best = state.upper, self.best
        if upper <= rounding:
            return GjkStop.OVERLAP_TOUCHING
        if (best is not None and upper > best.upper + rounding) or self._idle >= PATIENCE:
            return GjkStop.NO_PROGRESS
        self._idle = 0 if best is None or upper < best.upper else self._idle + 1
        if best is None or upper <= best.upper * (1.0 + 4.0 * self._spacing):
            self.best = state
        return None

    def prove(self, direction: Triple, bound: float) -> float:
        """Records the lower bound that the support point along a direction proves; returns the gap that is left."""
        if self.normal is None or bound > self.lower:
            self.lower, self.normal, self._idle = max(self.lower, bound), direction, 0
        return inf if self.best is None else self.best.upper - self.lower


def _first_simplex(
    difference: Difference, settings: GjkSettings, start: WarmStart | None
) -> tuple[DifferencePoint, ...]:
    """Support points along the directions of `start`, each once; without `start`, one along the first direction."""
    if start is None or not len(start.directions):
        offset = settings.first_direction or unit(difference.offset)
        return (difference.support(offset or X_AXIS),)
    simplex: list[DifferencePoint] = []
    for direction in start.directions[: difference.dimension + 1]:
        point = difference.support(triple(direction))
        if not _among(simplex, point):
            simplex.append(point)
    return tuple(simplex)


def _among(simplex: Sequence[DifferencePoint], point: DifferencePoint) -> bool:
    """Whether the simplex already has the point: the same coordinates, or the same two source vertices."""
    xyz, vertex_a, vertex_b = point.xyz, point.vertex_a, point.vertex_b
    for other in simplex:
        if xyz == other.xyz or (vertex_a == other.vertex_a >= 0 and vertex_b == other.vertex_b >= 0):
            return True
    return False


def feature_direction(corners: Sequence[Triple], nearest: Triple) -> Triple:
    """Unit direction to the origin from the `nearest` point, not 0, of the feature with one to three `corners`.

    The direction is the feature's perpendicular on the origin's side. For a triangle it is the normal. For an edge it
    is along the vector from the point to the origin, less the vector's part along the edge, which is rounding. For a
    point, or a feature without a perpendicular, it is along that vector itself.
    """
    size = length(nearest)
    way = (0.0 - nearest[0] / size, 0.0 - nearest[1] / size, 0.0 - nearest[2] / size)
    if len(corners) == 2:
        edge = unit(sub(corners[1], corners[0]))
        return way if edge is None else unit(point_along(way, -dot(way, edge), edge)) or way
    if len(corners) == 3:
        normal = unit(triangle_normal(*corners))
        return way if normal is None else (normal if dot(normal, corners[0]) <= 0.0 else negated(normal))
    return way


def _result(
    difference: Difference, settings: GjkSettings, stop: GjkStop, last: _State, bounds: Bounds, iterations: int
) -> GjkResult:
    """The answer: from the last simplex if the cores meet, else from the nearest simplex and the best lower bound."""
    overlapping = stop in (GjkStop.OVERLAP_ENCLOSED, GjkStop.OVERLAP_TOUCHING)
    found = last if overlapping or bounds.best is None else bounds.best
    weights = found.nearest.weights
    witness_a, witness_b = weighted_sources(found.feature, weights)
    normal = None if overlapping else bounds.normal
    if normal is not None:
        # The witness points move out to the surfaces along the line between the cores' points, or along the best proved
        # normal. The two directions differ by an angle, 1e-8 on a curved side. With the first, the witness points are
        # off the normal by the bodies' separation times this angle; with the second, by the cores' distance times it.
        # The choice takes the shorter length, which keeps the error within the certified gap.
        direct = found.upper > 0.5 * difference.radius
        x, y, z = found.nearest.point
        outward = (x / -found.upper, y / -found.upper, z / -found.upper) if direct else normal
        witness_a = point_along(witness_a, difference.radius_a, outward)
        witness_b = point_along(witness_b, -difference.radius_b, outward)
    lower = 0.0 if overlapping else min(bounds.lower, found.upper)
    return GjkResult(
        stop=stop,
        overlapping=overlapping,
        distance=0.0 if overlapping else found.upper,
        lower=lower,
        upper=found.upper,
        separation=None if overlapping else found.upper - difference.radius,
        normal=None if normal is None else array_of(normal),
        witness_a=array_of(witness_a),
        witness_b=array_of(witness_b),
        simplex=found.feature,
        weights=frozen(np.array(weights)),
        iterations=iterations,
        within=difference.within(settings.certified),
    )


def gjk_steps(
    difference: Difference, settings: GjkSettings = DEFAULTS, start: WarmStart | None = None
) -> Steps[GjkStep, GjkResult]:
    """GJK on the cores of a difference, step by step.

    `start`: gives the first simplex; None for one support point along the settings' first direction.
    """
    rounding, precision = difference.rounding(settings.gap), difference.precision
    simplex = _first_simplex(difference, settings, start)
    dimension, full = difference.dimension, difference.dimension + 1
    bounds = Bounds(full, precision.spacing)
    # The sub-distance drops a point whose weight is below rounding. If that point is then the support point again, it
    # belongs to the feature: the next direction is, once, the perpendicular of the feature with that point.
    retry = False
    for number in count(1):
        state = _State.of(simplex, settings.sub_distance, full, precision.flat)
        support = None
        stop = bounds.see(state, rounding)
        if stop is None:
            feature = simplex if retry else state.feature
            direction = feature_direction([point.xyz for point in feature], state.nearest.point)
            support = difference.support(direction)
            gap = bounds.prove(direction, -dot(direction, support.xyz))
            repeated = _among(simplex, support)
            kept = repeated and _among(feature, support)
            simplex = feature if kept else (*feature, support)
            if gap <= rounding:
                stop = GjkStop.CONVERGED
            elif repeated and (retry or kept or len(simplex) == full):
                stop = GjkStop.REPEATED_SUPPORT
            elif number >= settings.iterations:
                stop = GjkStop.ITERATION_LIMIT
            retry = repeated
        yield GjkStep(
            number=number,
            simplex=state.simplex,
            nearest=state.nearest,
            support=support,
            lower=bounds.lower,
            upper=state.upper,
            stop=stop,
            dimension=dimension,
        )
        if stop is not None:
            return _result(difference, settings, stop, state, bounds, number)
    raise AssertionError("counting ended")


def gjk(difference: Difference, settings: GjkSettings = DEFAULTS, start: WarmStart | None = None) -> GjkResult:
    """The result of `gjk_steps` alone; the arguments are as in that function."""
    return run(gjk_steps(difference, settings, start))

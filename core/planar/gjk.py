"""GJK in the plane: a simplex of up to three points, between a lower and an upper bound that close in on the distance.

As in space (`core.algorithms.gjk`, whose stop reasons and settings it shares): the nearest point v of the simplex
bounds the distance from above, the support along `n = -v/|v|` from below. The plane is kinder in one thing: on an edge
the direction is the edge's perpendicular and never the noise of a short v.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct

from ..algorithms.gjk import Bounds, GjkAction, GjkStop
from ..algorithms.simplex import SubDistance
from ..geometry.tolerances import CERTIFIED, ROUNDING
from ..trace import Steps, run
from .simplex import Nearest2, blend, nearest_on_simplex2
from .support import Difference2, DifferencePoint2
from .vec2 import Vec2, add, cross, dot, left_of, length, negated, right_of, scaled, sub, unit

__all__ = ["GjkAction", "GjkResult2", "GjkSettings2", "GjkStep2", "GjkStop", "gjk2", "gjk_steps2"]


class GjkSettings2(Struct, frozen=True):
    """The knobs.

    `gap`: bounds this close (a fraction of L + |T|) have met. `certified`: a fraction of L, see tolerances.
    `first_direction`: along which the first support is sought; B's position relative to A's if None, else +x.
    """

    gap: float = ROUNDING
    certified: float = CERTIFIED
    iterations: int = 128
    sub_distance: SubDistance = SubDistance.VORONOI
    first_direction: Vec2 | None = None


DEFAULTS = GjkSettings2()


class GjkStep2(Struct, frozen=True):
    """One iteration, as far as it went.

    `simplex`: its points with their sources. `region`: the numbers of those whose feature holds the nearest point
    `closest`, and `weights` theirs, positive with sum 1. `direction`: unit, in which `support` was found; both None if
    the origin is in the simplex. `lower`, `upper`: bounds of the cores' distance after this step. `stop` is None while
    it goes on.
    """

    number: int
    simplex: tuple[DifferencePoint2, ...]
    region: tuple[int, ...]
    weights: tuple[float, ...]
    closest: Vec2
    direction: Vec2 | None
    support: DifferencePoint2 | None
    lower: float
    upper: float
    stop: GjkStop | None

    @property
    def action(self) -> GjkAction:
        """Go on with the support point, or stop."""
        return GjkAction.ADD_SUPPORT if self.stop is None else GjkAction.STOP


class GjkResult2(Struct, frozen=True):
    """The distance of two bodies' cores, and of the bodies themselves as long as the cores are apart.

    `overlapping`: the cores meet, and the other numbers say no more than that: `distance` 0, no `normal`. `distance`:
    of the witness points, certified to lie within [`lower`, `upper`]. `separation` = distance less both radii, None if
    overlapping. `normal`: unit, A to B. `witness_a`, `witness_b`: on the bodies' surfaces (of their cores, if
    overlapping), relative to A's position. `simplex`, `weights`: the feature that holds the nearest point.
    `certified`: the bounds are as close as the settings ask for.
    """

    stop: GjkStop
    overlapping: bool
    distance: float
    lower: float
    upper: float
    separation: float | None
    normal: Vec2 | None
    witness_a: Vec2
    witness_b: Vec2
    simplex: tuple[DifferencePoint2, ...]
    weights: tuple[float, ...]
    iterations: int
    certified: bool

    @property
    def gap(self) -> float:
        """How far the bounds are apart."""
        return self.upper - self.lower


class _State(Struct, frozen=True):
    """A simplex, the point on it nearest the origin, the points that hold it, and its distance."""

    simplex: tuple[DifferencePoint2, ...]
    nearest: Nearest2
    feature: tuple[DifferencePoint2, ...]
    upper: float

    @staticmethod
    def of(simplex: tuple[DifferencePoint2, ...], method: SubDistance) -> _State:
        nearest = nearest_on_simplex2(simplex, method)
        return _State(simplex, nearest, tuple(simplex[k] for k in nearest.region), length(nearest.point))


def gjk_steps2(
    difference: Difference2, settings: GjkSettings2 = DEFAULTS, start: Sequence[Vec2] = ()
) -> Steps[GjkStep2, GjkResult2]:
    """GJK on the cores of a difference, step by step.

    `start`: a warm start, the directions in which it looks for its first simplex: those of another run's last one.
    """
    rounding = settings.gap * difference.extent
    simplex = _first_simplex(difference, settings, start)
    bounds: Bounds[_State, Vec2] = Bounds(full=3)
    for number in count(1):
        state = _State.of(simplex, settings.sub_distance)
        support = None
        stop = bounds.stop_at(state, rounding)
        if stop is None:
            bounds.see(state)
            direction = way_to_origin([point.w for point in state.feature], state.nearest.point)
            support = difference.support(direction)
            bounds.prove(direction, -dot(direction, support.w))
            if bounds.met(rounding):
                stop = GjkStop.CONVERGED
            elif _among(simplex, support):
                # A point that the sub-distance dropped is as far along as the nearest to rounding, or this is a fault.
                stop = GjkStop.REPEATED_SUPPORT
            elif number >= settings.iterations:
                stop = GjkStop.ITERATION_LIMIT
            simplex = (*state.feature, support)
        yield GjkStep2(
            number,
            state.simplex,
            state.nearest.region,
            state.nearest.weights,
            state.nearest.point,
            None if support is None else support.direction,
            support,
            bounds.lower,
            state.upper,
            stop,
        )
        if stop is not None:
            return _result(difference, settings, stop, state, bounds, number)
    raise AssertionError("counting ended")


def gjk2(difference: Difference2, settings: GjkSettings2 = DEFAULTS, start: Sequence[Vec2] = ()) -> GjkResult2:
    """The result of `gjk_steps2` alone."""
    return run(gjk_steps2(difference, settings, start))


def way_to_origin(corners: Sequence[Vec2], nearest: Vec2) -> Vec2:
    """Unit direction to the origin from the `nearest` point, not 0, of a point or a segment.

    Of a segment it is the perpendicular on the origin's side.
    """
    direct = scaled(nearest, -1.0 / length(nearest))
    if len(corners) < 2:
        return direct
    side = unit(sub(corners[1], corners[0]))
    if side is None:
        return direct
    on_left = cross(side, negated(corners[0])) > 0.0
    return left_of(side) if on_left else right_of(side)


def _first_simplex(
    difference: Difference2, settings: GjkSettings2, start: Sequence[Vec2]
) -> tuple[DifferencePoint2, ...]:
    """Support points along the directions given, three at most, each corner once; else along the first direction."""
    simplex: list[DifferencePoint2] = []
    for direction in start[:3]:
        point = difference.support(direction)
        if not _among(simplex, point):
            simplex.append(point)
    if simplex:
        return tuple(simplex)
    return (difference.support(settings.first_direction or unit(difference.offset) or (1.0, 0.0)),)


def _among(simplex: Sequence[DifferencePoint2], point: DifferencePoint2) -> bool:
    """Whether the simplex has the point already: the same place, or the same two source vertices."""
    return any(
        point.w == other.w or (point.vertex_a == other.vertex_a >= 0 and point.vertex_b == other.vertex_b >= 0)
        for other in simplex
    )


def _result(
    difference: Difference2,
    settings: GjkSettings2,
    stop: GjkStop,
    last: _State,
    bounds: Bounds[_State, Vec2],
    iterations: int,
) -> GjkResult2:
    """The answer: from the last simplex if the cores meet, else from the nearest one and the best bound."""
    overlapping = stop in (GjkStop.OVERLAP_ENCLOSED, GjkStop.OVERLAP_TOUCHING)
    found = last if overlapping or bounds.best is None else bounds.best
    weights = found.nearest.weights
    witness_a = blend([point.a for point in found.feature], weights)
    witness_b = blend([point.b for point in found.feature], weights)
    normal = None if overlapping else bounds.normal
    if normal is not None:
        witness_a = add(witness_a, scaled(normal, difference.radius_a))
        witness_b = sub(witness_b, scaled(normal, difference.radius_b))
    lower = 0.0 if overlapping else min(bounds.lower, found.upper)
    return GjkResult2(
        stop=stop,
        overlapping=overlapping,
        distance=0.0 if overlapping else found.upper,
        lower=lower,
        upper=found.upper,
        separation=None if overlapping else found.upper - difference.radius,
        normal=normal,
        witness_a=witness_a,
        witness_b=witness_b,
        simplex=found.feature,
        weights=weights,
        iterations=iterations,
        certified=found.upper - lower <= max(settings.certified * difference.larger, settings.gap * difference.extent),
    )

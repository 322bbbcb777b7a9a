"""Two 2D bodies in motion without turning, in closed form: a moving point against their rounded difference.

B moves along d relative to A. Equivalently, A - B stays as it is at time 0, and the origin moves through it along
`t d`. The difference is a polygon grown by a radius: its edges, moved out by the radius, and an arc about each corner.
The lines of all edges are tested first, as entries and exits (Cyrus and Beck 1978). Between the latest entry and the
earliest exit, the origin is behind all of them. If it enters a line beyond an end of its edge, the quadratic of that
corner's circle decides whether it enters the arc or passes. The difference of two circles is one circle about one
corner.

`PlaneMotion` replaces the distances, features and axes of a `Motion` by those of 2D. The 3D methods that need only
these, or support maps, then work in 2D with z = 0: entry and exit times, the ray cast, advancement. Only the closed
form against the rounded difference is for 2D alone.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..closed_form import Proximity
from ..geometry.vec2 import Vec2, cross, dot, length, point_along, raised, scaled, sub, without_z
from ..geometry.vector import Array
from ..gjk.gjk import WarmStart
from ..minkowski.plane import MinkowskiPolygon, NearestPoint, minkowski_difference, nearest_point
from ..pair.candidate_axes import AxisKind, CandidateAxis
from ..pair.cores import PlanePair
from ..pair.features import ContactVertices, supporting_features
from ..sat.plane import plane_sat
from ..scene import Body
from ..trace import Steps
from ..verdict import Provenance, formula
from . import Method, MotionMethod
from .advancement import advancement_steps
from .intervals import interval_steps
from .motion import Motion, MotionResult, MotionStop, Nearness, apart, at_start, met
from .ray import motion_raycast_steps
from .spheres import approach


class GrownEdgeStep(Struct, frozen=True):
    """One edge of the difference moved out by `radius`: from `start` to `end`, with its outward unit `normal`.

    `row`, `label`: of the edge's axis in the SAT table. `height`: of the origin over the edge's line at time 0.
    `speed`: the rate at which the height changes, 0 within rounding. `time`: of the origin on the line, None if the
    height is constant. `latest`, `earliest`: the latest entry and the earliest exit of the edges so far. `latest_edge`,
    `earliest_edge`: their edges, None if there is none yet. `apart`: whether the edges so far prove the bodies apart
    during the whole interval. `stop`: None unless the run ends with this step.
    """

    edge: int
    label: str
    row: int
    start: Vec2
    end: Vec2
    normal: Vec2
    radius: float
    height: float
    speed: float
    time: float | None
    latest: float
    latest_edge: int | None
    earliest: float
    earliest_edge: int | None
    apart: bool
    stop: MotionStop | None = None


class ArcStep(Struct, frozen=True):
    """The circle of `radius` about a `corner` of the difference at `centre`; it decides beyond an edge's end.

    `label`: `A.v3→B.v1`, without the vertex of a circle. `entered`: the time from which the origin is behind all edges'
    lines; None for two circles, which have no edges. `nearest`: the origin's least distance from the centre, at
    `nearest_time`, not limited to [0, 1]. `discriminant`: of the quadratic, not negative if there is a root. `time`:
    the smaller root, None without one. `stop`: None unless the run ends with this step.
    """

    corner: int
    label: str
    centre: Vec2
    radius: float
    entered: float | None
    nearest: float
    nearest_time: float
    discriminant: float
    time: float | None
    stop: MotionStop | None = None


DifferenceStep = GrownEdgeStep | ArcStep


class _Lines:
    """The edges' lines so far: the latest entry, the earliest exit, and whether the origin stays in front of a line."""

    def __init__(self, motion: Motion) -> None:
        self.still, self.band = motion.still, motion.band
        self.latest, self.earliest = -inf, inf
        self.latest_edge: int | None = None
        self.earliest_edge: int | None = None
        self.never = False

    def see(self, edge: int, height: float, speed: float) -> float | None:
        """Records one line. Returns the time when the origin is on it; None for a constant height."""
        if abs(speed) <= self.still:
            self.never = self.never or height > self.band
            return None
        time = -height / speed
        if speed < 0.0 and time > self.latest:
            self.latest, self.latest_edge = time, edge
        if speed > 0.0 and time < self.earliest:
            self.earliest, self.earliest_edge = time, edge
        return time

    @property
    def apart(self) -> bool:
        """Whether no time in [0, 1] lies between the latest entry and the earliest exit."""
        return self.never or self.latest > min(self.earliest, 1.0) or self.earliest < 0.0

    @property
    def miss(self) -> MotionStop:
        """The reason why the origin is never behind all lines; only valid if `apart`."""
        if -inf < self.earliest < 0.0:
            return MotionStop.MOVING_AWAY
        passes = self.never or self.latest > self.earliest
        return MotionStop.PASSES_BY if passes else MotionStop.OUT_OF_TIME


def difference_motion_steps(
    polygon: MinkowskiPolygon, labels: tuple[str, ...], motion: Motion
) -> Steps[DifferenceStep, MotionResult]:
    """Yields a step for each edge's line, then one for an arc if that decides.

    Yields no steps if the bodies meet at the start, or nothing moves. `polygon`: the difference at time 0 of bodies
    that do not turn. `labels`: of the SAT table's rows.
    """
    start = at_start(motion)
    if start is not None:
        return start
    if motion.travel == 0.0:
        return apart(MotionStop.NO_MOTION)
    x, y, _ = motion.displacement.tolist()
    if not polygon.edges:
        return (yield from _arc_steps(polygon, 0, (x, y), None, motion))
    lines = _Lines(motion)
    steps = [_edge_step(polygon, labels, (x, y), lines, edge) for edge in range(len(polygon.edges))]
    yield from steps[:-1]
    if lines.apart:
        result = _missed(motion, polygon, (x, y), lines.miss)
        yield replace(steps[-1], stop=result.stop)
        return _kept_apart(result, steps, lines)
    assert lines.latest_edge is not None
    entering = steps[lines.latest_edge]
    corner = _corner_met(polygon, entering, scaled((x, y), lines.latest))
    if corner is not None:
        yield steps[-1]
        return (yield from _arc_steps(polygon, corner, (x, y), lines.latest, motion))
    if lines.latest < 0.0 < polygon.radius:
        # The origin entered before the start. At the start it is behind all lines, but outside of the rounded
        # difference, next to an arc.
        result = apart(MotionStop.MOVING_AWAY)
    else:
        time, normal = max(lines.latest, 0.0), raised(entering.normal)
        result = met(
            motion, MotionStop.HIT, time, Provenance.EXACT, normal=normal, row=entering.row, axis=entering.label
        )
    yield replace(steps[-1], stop=result.stop)
    return result


def _edge_step(
    polygon: MinkowskiPolygon, labels: tuple[str, ...], way: Vec2, lines: _Lines, number: int
) -> GrownEdgeStep:
    edge, radius = polygon.edges[number], polygon.radius
    speed = dot(edge.normal, way)
    height = 0.0 - edge.offset - radius
    time = lines.see(number, height, speed)
    start, end = (polygon.corners[k % len(polygon.corners)] for k in (number, number + 1))
    return GrownEdgeStep(
        edge=number,
        label=labels[edge.row],
        row=edge.row,
        start=point_along(start, radius, edge.normal),
        end=point_along(end, radius, edge.normal),
        normal=edge.normal,
        radius=radius,
        height=height,
        speed=0.0 if time is None else speed,
        time=time,
        latest=lines.latest,
        latest_edge=lines.latest_edge,
        earliest=lines.earliest,
        earliest_edge=lines.earliest_edge,
        apart=lines.apart,
    )


def _corner_met(polygon: MinkowskiPolygon, entering: GrownEdgeStep, point: Vec2) -> int | None:
    """The corner (index) beyond which `point` is on an edge's line; None for a point on the edge, or without arcs."""
    side = sub(entering.end, entering.start)
    ahead = dot(sub(point, entering.start), side)
    if polygon.radius == 0.0 or 0.0 <= ahead <= dot(side, side):
        return None
    return entering.edge if ahead < 0.0 else (entering.edge + 1) % len(polygon.corners)


def _arc_steps(
    polygon: MinkowskiPolygon, corner: int, way: Vec2, entered: float | None, motion: Motion
) -> Steps[ArcStep, MotionResult]:
    centre, radius = polygon.corners[corner], polygon.radius
    found = approach(-np.array(centre), np.array(way), radius)
    vertex_a, vertex_b = polygon.sources[corner]
    own = (f".v{vertex_a}" if polygon.core_a.normals else "", f".v{vertex_b}" if polygon.core_b.normals else "")
    label = f"A{own[0]}→B{own[1]}"
    time = found.enter
    if time is not None and 0.0 <= time <= 1.0:
        out = sub(scaled(way, time), centre)
        normal = raised(scaled(out, 1.0 / length(out)))
        result = met(motion, MotionStop.HIT, time, Provenance.EXACT, normal=normal, axis=label)
    else:
        beyond = MotionStop.OUT_OF_TIME if time is not None and time > 1.0 else MotionStop.MOVING_AWAY
        result = _missed(motion, polygon, way, MotionStop.PASSES_BY if time is None else beyond)
    yield ArcStep(
        corner=corner,
        label=label,
        centre=centre,
        radius=radius,
        entered=entered,
        nearest=found.nearest,
        nearest_time=found.when,
        discriminant=found.discriminant,
        time=time,
        stop=result.stop,
    )
    return result


def _missed(motion: Motion, polygon: MinkowskiPolygon, way: Vec2, stop: MotionStop) -> MotionResult:
    """The result "apart", or grazing if the bodies come as near as the touching band."""
    time = _nearest_time(polygon, way)
    near = motion.near(time)
    if near.separation <= motion.band:
        return met(motion, MotionStop.GRAZING, time, Provenance.EXACT, near=near)
    return apart(stop)


def _nearest_time(polygon: MinkowskiPolygon, way: Vec2) -> float:
    """The time in [0, 1] at which the origin is nearest to a difference that it does not enter.

    If the line of motion misses the polygon, it is nearest at a corner. If it crosses the polygon, it does so before or
    after the interval, and the nearest time is an end of the interval.
    """
    # Uses the unit direction, as the square of a tiny displacement underflows.
    travel = length(way)
    ahead = (way[0] / travel, way[1] / travel)
    sides = [cross(ahead, corner) for corner in polygon.corners]
    times = [dot(ahead, corner) / travel for corner in polygon.corners]
    if min(sides) > 0.0 or max(sides) < 0.0:
        nearest = min(range(len(sides)), key=lambda k: (abs(sides[k]), times[k]))
        return min(max(times[nearest], 0.0), 1.0)
    return 1.0 if max(times) > 0.0 else 0.0


def _kept_apart(result: MotionResult, steps: list[GrownEdgeStep], lines: _Lines) -> MotionResult:
    """The result, with an edge that separates the bodies during the whole interval if they are apart and one does."""
    alone = next((step for step in steps if step.height > lines.band and step.height + step.speed > lines.band), None)
    if result.time is not None or alone is None:
        return result
    return apart(result.stop, normal=raised(alone.normal), row=alone.row, axis=alone.label)


class PlaneMotion(Motion, frozen=True, eq=False, dict=True):
    """The motion of two 2D bodies; every vector has z = 0."""

    def near(self, time: float, warm: WarmStart | None = None) -> Nearness:  # noqa: ARG002 - exact without a start
        """The bodies' signed distance at `time`, exact; `warm` is ignored."""
        found = _nearest(*self.at(time))
        points = raised(found.witness_a), raised(found.witness_b)
        return Nearness(Proximity(found.separation, raised(found.normal), *points), formula(found.separation))

    def supporting(self, time: float, normal: Array) -> ContactVertices:
        """The supporting features of A and B along the unit `normal` (3,), relative to A's position at `time`."""
        return supporting_features(*self.at(time), without_z(normal))

    def candidate_axes(self) -> tuple[tuple[CandidateAxis, ...], Array]:
        """Returns the candidate axes along the edge normals of both bodies, and these normals (n, 3)."""
        table = plane_sat(self.a, self.b)
        # The axis through a circle's centre is left out: it turns as the bodies move.
        rows = [row for row, it in enumerate(table.candidates) if it.kind is not AxisKind.CENTRES]
        return tuple(table.candidates[row] for row in rows), table.axes[rows]

    def facing(self, candidates: tuple[CandidateAxis, ...], sides: Array) -> NDArray[np.bool_]:
        """For each edge (n,), whether it faces the side from which the other body comes; `sides` as in `MovingAxes`."""
        fronts = np.array([1.0 if candidate.kind is AxisKind.FACE_A else -1.0 for candidate in candidates])
        return fronts * sides > 0.0


def difference_steps(motion: Motion) -> Steps[DifferenceStep, MotionResult]:
    """The steps of the closed form for two 2D bodies. Raises ValueError if one turns, TypeError for 3D bodies."""
    if motion.rotates:
        raise ValueError("the closed forms are for bodies that do not turn")
    a, b = motion.a, motion.b
    labels = tuple(candidate.label for candidate in plane_sat(a, b).candidates)
    return (yield from difference_motion_steps(_difference(a, b), labels, motion))


def plane_methods(motion: Motion) -> list[Method]:
    """The methods that apply to a 2D motion, the strongest first."""
    advancement: Method = (MotionMethod.ADVANCEMENT, advancement_steps)
    if motion.rotates:
        return [advancement]
    found: list[Method] = [(MotionMethod.INTERVALS, interval_steps), (MotionMethod.RAY, motion_raycast_steps)]
    # A difference with two edges is a segment: it has no area that the origin could enter and leave.
    if len(_difference(motion.a, motion.b).edges) != 2:
        found.insert(0, (MotionMethod.DIFFERENCE, difference_steps))
    return [*found, advancement]


@lru_cache(maxsize=4)
def _difference(a: Body, b: Body) -> MinkowskiPolygon:
    """The difference, cached: several methods need it at the start and at the time of contact."""
    return minkowski_difference(a, b)


def _nearest(a: Body, b: Body) -> NearestPoint:
    pair = PlanePair.of(a, b)
    return nearest_point(_difference(a, b), pair.offset, pair.scale.rounding)

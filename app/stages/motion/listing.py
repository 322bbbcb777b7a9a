"""The methods about two bodies' motion, each in about a dozen lines, and which line a step ended on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.query.query import MotionStep, Phase
from core.rays.gjk_raycast import GjkRaycastStep, GjkRaycastStop
from core.toi import (
    AdvancementStep,
    IntervalStep,
    MotionStop,
    PlaneStage,
    PlaneStep,
    ScaledPlaneStage,
    ScaledPlaneStep,
    SphereBoxStep,
    SpheresStage,
    SpheresStep,
    SweptAxisStep,
)

from ..listing import Listing

if TYPE_CHECKING:
    from core.toi.plane import ArcStep, GrownEdgeStep

MOTION_LISTINGS: dict[Phase, Listing] = {
    Phase.SCALED: Listing(
        "An ellipsoid against a plane",
        (
            "S ← the ellipsoid's radii, along its own axes",
            "n, d, v ← the plane and the way, in the same axes",
            "h ← |S n|",
            "n′ ← S n / h,  d′ ← d / h,  v′ ← v / S",
            "if −d′ ≤ 1 to rounding:  they meet at the start",
            "if n′·v′ ≥ 0:  MOVING_AWAY",
            "t ← (1 + d′) / (n′·v′)",
            "if t > 1:  OUT_OF_TIME",
            "contact ← S (t v′ − n′),  HIT at t",
        ),
    ),
    Phase.PLANE: Listing(
        "A body against a plane",
        (
            "n, d ← the plane;  p ← the body's position, v its way",
            "s₀ ← n·p − d",
            "r ← how far the body reaches towards the plane",
            "if s₀ − r is 0 to rounding, or less:  they meet at once",
            "if n·v ≥ 0:  MOVING_AWAY",
            "t ← (r − s₀) / (n·v)",
            "if t > 1:  OUT_OF_TIME",
            "else:  HIT at t",
        ),
    ),
    Phase.SPHERES: Listing(
        "Two moving spheres",
        (
            "c ← from A's centre to B's,  v ← B's way seen from A",
            "r ← both radii",
            "if |c| ≤ r to rounding:  they meet at the start",
            "if v is 0:  NO_MOTION",
            "tₘ ← −c·v / v·v, kept within 0 and 1",
            "m ← |c + tₘ v|",
            "if m > r:  MOVING_AWAY, PASSES_BY or OUT_OF_TIME",
            "t ← tₘ − √(r² − m²) / |v|, the smaller root",
            "HIT at t;  GRAZING where m is r to rounding",
        ),
    ),
    Phase.REGIONS: Listing(
        "A moving sphere and the 27 regions of a box",
        (
            "x(t) ← the sphere's centre, in the box's frame",
            "if the bounding spheres never meet:  they stay apart",
            "cut the path at the planes of the box's faces",
            "for each stretch, which lies in one of the 27 regions:",
            "    y ← the coordinates outside, from the box's surface",
            "    if |y| comes down to r in this stretch:  HIT then",
            "    else:  keep how near it comes, and go on",
            "if the nearest was r to rounding:  GRAZING",
            "else:  MOVING_AWAY, PASSES_BY or OUT_OF_TIME",
        ),
    ),
    Phase.ROUNDED: Listing(
        "A moving point against the grown difference",
        (
            "latest ← −∞,  earliest ← ∞",
            "for each edge of A − B, its line moved out by r:",
            "    h ← height of the origin over it,  s ← n·d",
            "    if s = 0:  it stays on its side of the line",
            "    if s < 0:  latest ← max(latest, −h / s)",
            "    if s > 0:  earliest ← min(earliest, −h / s)",
            "if earliest < 0:  MOVING_AWAY",
            "if latest > earliest:  PASSES_BY",
            "if latest > 1:  OUT_OF_TIME",
            "if the origin is then on the edge itself:  HIT",
            "else c ← the corner beside:  t ← when |t d − c| is r",
            "    HIT at t;  without a t from 0 to 1 a miss",
        ),
    ),
    Phase.INTERVALS: Listing(
        "Entry and exit times",
        (
            "latest ← −∞,  earliest ← ∞",
            "for each axis l of SAT:",
            "    if l·d = 0:  the intervals meet always, or never",
            "    else:  entry ← the gap on B's way / |l·d|",
            "           exit ← when B has left A's interval",
            "    latest ← max(latest, entry)",
            "    earliest ← min(earliest, exit)",
            "if they meet at the start:  they meet at once",
            "if latest > earliest:  PASSES_BY",
            "if earliest < 0:  MOVING_AWAY",
            "if latest > 1:  OUT_OF_TIME",
            "else:  HIT at the latest entry",
        ),
    ),
    Phase.SWEPT: Listing(
        "Twenty-one axes, yes or no",
        (
            "for each axis l: 15 of SAT, then d × each edge of A and B:",
            "    if l has no direction:  skip it",
            "    [min A, max A] ← A projected on l",
            "    [min B, max B] ← B at the start and at the end",
            "    s ← max(min B − max A, min A − max B)",
            "    if s > 0:  they never meet",
            "    else:  l does not part them",
            "if no axis parts them:  they meet",
        ),
    ),
    Phase.RAY: Listing(
        "GJK ray cast of the origin's path",
        (
            "t ← 0,  x ← the origin,  W ← { a point of A − B }",
            "repeat:",
            "    v ← point of W nearest x",
            "    if x is at v to rounding:  HIT (at the start INSIDE)",
            "    n ← (x − v) / |x − v|",
            "    w ← farthest point of A − B along n",
            "    if x is in front of w's plane, and n·d ≥ 0:  MISS",
            "    if x is in front:  t ← t − n·(x − w) / (n·d),  x ← t d",
            "    if t > 1:  BEYOND_REACH",
            "    if nothing changes any more:  GRAZING or NO_PROGRESS",
            "    if that was the last one allowed:  ITERATION_LIMIT",
            "    W ← corners of W that hold v, and w",
        ),
    ),
    Phase.ADVANCEMENT: Listing(
        "Conservative advancement",
        (
            "t ← 0",
            "repeat:",
            "    D, n ← distance at t, and the direction of it",
            "    if D is 0 to rounding:  HIT at t",
            "    rate ← (vA − vB)·n + |ωA × n| rA + |ωB × n| rB",
            "    t′ ← t + D / rate, or later by a tighter bound",
            "    if the gap never closes:  MOVING_AWAY or PASSES_BY",
            "    if t′ > 1:  OUT_OF_TIME",
            "    if t′ is t:  NO_PROGRESS",
            "    if that was the last one allowed:  ITERATION_LIMIT",
            "    t ← t′",
        ),
    ),
}
"""The listing of every phase about the motion."""

_PLANE = {PlaneStage.DISTANCE: 1, PlaneStage.RADIUS: 2, PlaneStage.SPEED: 4, PlaneStage.TIME: 5}
_SCALED = {
    ScaledPlaneStage.ELLIPSOID: 1,
    ScaledPlaneStage.SCALED: 3,
    ScaledPlaneStage.TIME: 6,
    ScaledPlaneStage.CONTACT: 8,
}
_SPHERES = {SpheresStage.START: 1, SpheresStage.CLOSEST: 5, SpheresStage.ROOT: 8}
_ROUNDED_STOPS = {
    MotionStop.MOVING_AWAY: 6,
    MotionStop.PASSES_BY: 7,
    MotionStop.OUT_OF_TIME: 8,
    MotionStop.HIT: 9,
    MotionStop.GRAZING: 7,
}
_RAY_STOPS = {
    GjkRaycastStop.HIT: 3,
    GjkRaycastStop.INSIDE: 3,
    GjkRaycastStop.MISS: 6,
    GjkRaycastStop.BEYOND_REACH: 8,
    GjkRaycastStop.GRAZING: 9,
    GjkRaycastStop.NO_PROGRESS: 9,
    GjkRaycastStop.ITERATION_LIMIT: 10,
}
_ADVANCEMENT_STOPS = {
    MotionStop.HIT: 3,
    MotionStop.MOVING_AWAY: 6,
    MotionStop.PASSES_BY: 6,
    MotionStop.OUT_OF_TIME: 7,
    MotionStop.NO_PROGRESS: 8,
    MotionStop.ITERATION_LIMIT: 9,
}


def motion_line(moment_step: MotionStep) -> int:
    """The line of its phase's listing that the step ended on."""
    step = moment_step.motion
    match step:
        case PlaneStep():
            return _plane_line(step)
        case ScaledPlaneStep():
            return _scaled_line(step)
        case SpheresStep():
            return _spheres_line(step)
        case SphereBoxStep():
            return _regions_line(step)
        case IntervalStep():
            if step.table.speeds[step.row] == 0.0:
                return 2
            return 5 if step.latest_row == step.row else 6
        case SweptAxisStep():
            if not step.axis.any():
                return 1
            return 5 if step.separates else 6
        case GjkRaycastStep():
            if step.stop is not None:
                return _RAY_STOPS[step.stop]
            return 7 if step.clipped else 11
        case AdvancementStep():
            return 10 if step.stop is None else _ADVANCEMENT_STOPS[step.stop]
        case _:
            return _rounded_line(step)


def _plane_line(step: PlaneStep) -> int:
    if step.stop is None:
        return _PLANE[step.stage]
    return {PlaneStage.RADIUS: 3, PlaneStage.SPEED: 4}.get(step.stage, 6 if step.stop is MotionStop.OUT_OF_TIME else 7)


def _scaled_line(step: ScaledPlaneStep) -> int:
    if step.stop is None or step.stage is ScaledPlaneStage.CONTACT:
        return _SCALED[step.stage]
    if step.stage is ScaledPlaneStage.SCALED:
        return 4
    return 7 if step.stop is MotionStop.OUT_OF_TIME else 5


def _spheres_line(step: SpheresStep) -> int:
    if step.stop is None or step.stage is SpheresStage.ROOT:
        return _SPHERES[step.stage]
    if step.stage is SpheresStage.START:
        return 2
    return 3 if step.stop is MotionStop.NO_MOTION else 6


def _rounded_line(step: GrownEdgeStep | ArcStep) -> int:
    # Imported with the first step of the plane: nothing of it is wanted in space.
    from core.toi.plane import ArcStep

    if isinstance(step, ArcStep):
        return 11
    if step.stop is None:
        return 3 if step.time is None else 4 if step.speed < 0.0 else 5
    return _ROUNDED_STOPS[step.stop]


def _regions_line(step: SphereBoxStep) -> int:
    if step.crossing is None:
        return 1
    if step.stop is None:
        return 6
    return {MotionStop.HIT: 5, MotionStop.GRAZING: 7}.get(step.stop, 8)

"""The methods about two bodies' motion, a stage each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.query.query import MotionStep, axis_of, time_of
from core.rays.raycast import GjkRaycastStep, GjkRaycastStop
from core.toi import (
    AdvancementStep,
    IntervalStep,
    MotionOutcome,
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
from core.toi.plane import ArcStep, GrownEdgeStep

from ...overlays.probe import OF_THE_WORLD
from ...words.axis_words import instant
from ..stage import At, Bounds, Flag, Listing, Stage
from ..word_parts import StepText
from .axes_picture import draw_intervals_difference, draw_intervals_world, draw_swept_difference, draw_swept_world
from .axes_words import intervals_text, swept_text
from .closed_picture import (
    draw_plane_difference,
    draw_plane_world,
    draw_scaled_difference,
    draw_scaled_world,
    draw_spheres_difference,
    draw_spheres_world,
    shows_scaled_space,
)
from .closed_words import plane_text, scaled_text
from .paths_picture import draw_advancement_difference, draw_advancement_world, draw_ray_difference, draw_ray_world
from .paths_words import advancement_text, ray_text
from .regions_picture import draw_regions_difference, draw_regions_world
from .rounded_picture import draw_rounded_difference, draw_rounded_world
from .rounded_words import rounded_text
from .spheres_words import named, regions_text, spheres_text

if TYPE_CHECKING:
    from ...draw.draw_list import DrawList
    from ...overlays.context import Context

    Part = Callable[[Context, DrawList, Any, Any, float], None]

_APART = Flag("apart", "They never meet: a program that only asks whether they do ends here.")


def _drawn(part: Part) -> Callable[[Context, DrawList, Any], None]:
    """Draws a step with the motion itself and the time that the step looks at."""

    def draw_step(context: Context, draw: DrawList, step: Any) -> None:
        assert context.query is not None
        assert context.query.sweep is not None
        part(context, draw, step, context.query.sweep.motion, time_of(step))

    return draw_step


def _label(at: At[Any]) -> str:
    """What a step is about in a word or two: its axis, its region, or the time."""
    step = at.step
    if isinstance(step, IntervalStep):
        return step.table.candidates[step.row].label
    if isinstance(step, SphereBoxStep) and step.crossing is not None:
        return named(step.crossing.name)
    label: str = getattr(step, "label", "")
    return label or f"t = {instant(time_of(step))}"


def _focus(context: Context) -> int:
    """The axis that the step follows; the winner where it follows none."""
    axis = axis_of(context.of_motion) if isinstance(context.of_motion, MotionStep) else None
    return context.analysis.sat.winner if axis is None else context.row_along(axis)


def _stage(
    title: str,
    lines: dict[str, str],
    line: Callable[[Any], str],
    words: Callable[[At[Any]], StepText],
    pictures: tuple[Part, Part],
    *,
    bounds: Bounds | None = None,
    flag: Callable[[At[Any]], Flag | None] | None = None,
    hides: Callable[[Context], frozenset[str]] = lambda _context: frozenset(),
) -> Stage:
    """A method's stage."""
    listing = Listing(title, lines)

    def stop(at: At[Any]) -> str:
        text = words(at) if at.moment.last else None
        return "" if text is None or text.stop is None else text.stop.name

    def gave_up(at: At[Any]) -> bool:
        return at.moment.last and at.result is not None and at.result.outcome is MotionOutcome.ITERATION_LIMIT

    return Stage(
        lambda _dimension: listing,
        line,
        words,
        _drawn(pictures[0]),
        _drawn(pictures[1]),
        stop=stop,
        gave_up=gave_up,
        label=_label,
        flag=flag,
        focus=_focus,
        bounds=bounds,
        hides=hides,
    )


def _scaled_line(step: ScaledPlaneStep) -> str:
    if step.stop is None or step.stage is ScaledPlaneStage.CONTACT:
        return step.stage
    if step.stage is ScaledPlaneStage.SCALED:
        return "at start"
    return MotionStop.OUT_OF_TIME if step.stop is MotionStop.OUT_OF_TIME else MotionStop.MOVING_AWAY


def _scaled_hides(context: Context) -> frozenset[str]:
    """The world where scaled space stands."""
    return OF_THE_WORLD if shows_scaled_space(context) else frozenset()


SCALED = _stage(
    "An ellipsoid against a plane",
    {
        "radii": "S ← the ellipsoid's radii, along its own axes",
        ScaledPlaneStage.ELLIPSOID: "n, d, v ← the plane and the way, in the same axes",
        "stretch": "h ← |S n|",
        ScaledPlaneStage.SCALED: "n′ ← S n / h,  d′ ← d / h,  v′ ← v / S",
        "at start": "if −d′ ≤ 1 to rounding:  they meet at the start",
        MotionStop.MOVING_AWAY: "if n′·v′ ≥ 0:  MOVING_AWAY",
        ScaledPlaneStage.TIME: "t ← (1 + d′) / (n′·v′)",
        MotionStop.OUT_OF_TIME: "if t > 1:  OUT_OF_TIME",
        ScaledPlaneStage.CONTACT: "contact ← S (t v′ − n′),  HIT at t",
    },
    _scaled_line,
    scaled_text,
    (draw_scaled_world, draw_scaled_difference),
    hides=_scaled_hides,
)


def _plane_line(step: PlaneStep) -> str:
    if step.stop is None:
        return step.stage
    if step.stage in (PlaneStage.RADIUS, PlaneStage.SPEED):
        return "at start" if step.stage is PlaneStage.RADIUS else PlaneStage.SPEED
    return MotionStop.OUT_OF_TIME if step.stop is MotionStop.OUT_OF_TIME else MotionStop.HIT


PLANE = _stage(
    "A body against a plane",
    {
        "plane": "n, d ← the plane;  p ← the body's position, v its way",
        PlaneStage.DISTANCE: "s₀ ← n·p − d",
        PlaneStage.RADIUS: "r ← how far the body reaches towards the plane",
        "at start": "if s₀ − r is 0 to rounding, or less:  they meet at once",
        PlaneStage.SPEED: "if n·v ≥ 0:  MOVING_AWAY",
        PlaneStage.TIME: "t ← (r − s₀) / (n·v)",
        MotionStop.OUT_OF_TIME: "if t > 1:  OUT_OF_TIME",
        MotionStop.HIT: "else:  HIT at t",
    },
    _plane_line,
    plane_text,
    (draw_plane_world, draw_plane_difference),
)


def _spheres_line(step: SpheresStep) -> str:
    if step.stop is None or step.stage is SpheresStage.ROOT:
        return step.stage
    if step.stage is SpheresStage.START:
        return "at start"
    return MotionStop.NO_MOTION if step.stop is MotionStop.NO_MOTION else "miss"


SPHERES = _stage(
    "Two moving spheres",
    {
        "way": "c ← from A's centre to B's,  v ← B's way seen from A",
        SpheresStage.START: "r ← both radii",
        "at start": "if |c| ≤ r to rounding:  they meet at the start",
        MotionStop.NO_MOTION: "if v is 0:  NO_MOTION",
        "nearest time": "tₘ ← −c·v / v·v, kept within 0 and 1",
        SpheresStage.CLOSEST: "m ← |c + tₘ v|",
        "miss": "if m > r:  MOVING_AWAY, PASSES_BY or OUT_OF_TIME",
        "root": "t ← tₘ − √(r² − m²) / |v|, the smaller root",
        SpheresStage.ROOT: "HIT at t;  GRAZING where m is r to rounding",
    },
    _spheres_line,
    spheres_text,
    (draw_spheres_world, draw_spheres_difference),
)


def _regions_line(step: SphereBoxStep) -> str:
    if step.crossing is None:
        return "bounding"
    if step.stop is None:
        return "go on"
    return step.stop if step.stop in (MotionStop.HIT, MotionStop.GRAZING) else "miss"


REGIONS = _stage(
    "A moving sphere and the 27 regions of a box",
    {
        "path": "x(t) ← the sphere's centre, in the box's frame",
        "bounding": "if the bounding spheres never meet:  they stay apart",
        "cut": "cut the path at the planes of the box's faces",
        "stretch": "for each stretch, which lies in one of the 27 regions:",
        "outside": "    y ← the coordinates outside, from the box's surface",
        MotionStop.HIT: "    if |y| comes down to r in this stretch:  HIT then",
        "go on": "    else:  keep how near it comes, and go on",
        MotionStop.GRAZING: "if the nearest was r to rounding:  GRAZING",
        "miss": "else:  MOVING_AWAY, PASSES_BY or OUT_OF_TIME",
    },
    _regions_line,
    regions_text,
    (draw_regions_world, draw_regions_difference),
)


def _rounded_line(step: GrownEdgeStep | ArcStep) -> str:
    if isinstance(step, ArcStep):
        return "arc hit"
    if step.stop is None:
        return "along" if step.time is None else "entry" if step.speed < 0.0 else "exit"
    return MotionStop.PASSES_BY if step.stop is MotionStop.GRAZING else step.stop


ROUNDED = _stage(
    "A moving point against the grown difference",
    {
        "start": "latest ← −∞,  earliest ← ∞",
        "edge": "for each edge of A − B, its line moved out by r:",
        "height": "    h ← height of the origin over it,  s ← n·d",
        "along": "    if s = 0:  it stays on its side of the line",
        "entry": "    if s < 0:  latest ← max(latest, −h / s)",
        "exit": "    if s > 0:  earliest ← min(earliest, −h / s)",
        MotionStop.MOVING_AWAY: "if earliest < 0:  MOVING_AWAY",
        MotionStop.PASSES_BY: "if latest > earliest:  PASSES_BY",
        MotionStop.OUT_OF_TIME: "if latest > 1:  OUT_OF_TIME",
        MotionStop.HIT: "if the origin is then on the edge itself:  HIT",
        "arc": "else c ← the corner beside:  t ← when |t d − c| is r",
        "arc hit": "    HIT at t;  without a t from 0 to 1 a miss",
    },
    _rounded_line,
    rounded_text,
    (draw_rounded_world, draw_rounded_difference),
)


def _intervals_line(step: IntervalStep) -> str:
    if step.table.speeds[step.row] == 0.0:
        return "across"
    return "latest" if step.latest_row == step.row else "earliest"


def _intervals_flag(at: At[IntervalStep]) -> Flag | None:
    return _APART if at.step.separated and not (at.before is not None and at.before.separated) else None


INTERVALS = _stage(
    "Entry and exit times",
    {
        "start": "latest ← −∞,  earliest ← ∞",
        "axis": "for each axis l of SAT:",
        "across": "    if l·d = 0:  the intervals meet always, or never",
        "entry": "    else:  entry ← the gap on B's way / |l·d|",
        "exit": "           exit ← when B has left A's interval",
        "latest": "    latest ← max(latest, entry)",
        "earliest": "    earliest ← min(earliest, exit)",
        "at start": "if they meet at the start:  they meet at once",
        MotionStop.PASSES_BY: "if latest > earliest:  PASSES_BY",
        MotionStop.MOVING_AWAY: "if earliest < 0:  MOVING_AWAY",
        MotionStop.OUT_OF_TIME: "if latest > 1:  OUT_OF_TIME",
        MotionStop.HIT: "else:  HIT at the latest entry",
    },
    _intervals_line,
    intervals_text,
    (draw_intervals_world, draw_intervals_difference),
    bounds=Bounds("time when all axes meet", lambda step: (float(step.latest), float(step.earliest)), "0 to 1", "axis"),
    flag=_intervals_flag,
)


def _swept_line(step: SweptAxisStep) -> str:
    if not step.axis.any():
        return "skip"
    return "apart" if step.separates else "meets"


def _swept_flag(at: At[SweptAxisStep]) -> Flag | None:
    swept = None if at.query.sweep is None else at.query.sweep.swept
    return _APART if swept is not None and swept.row == at.step.row else None


SWEPT = _stage(
    "Twenty-one axes, yes or no",
    {
        "axis": "for each axis l: 15 of SAT, then d × each edge of A and B:",
        "skip": "    if l has no direction:  skip it",
        "interval of A": "    [min A, max A] ← A projected on l",
        "interval of B": "    [min B, max B] ← B at the start and at the end",
        "separation": "    s ← max(min B − max A, min A − max B)",
        "apart": "    if s > 0:  they never meet",
        "meets": "    else:  l does not part them",
        "answer": "if no axis parts them:  they meet",
    },
    _swept_line,
    swept_text,
    (draw_swept_world, draw_swept_difference),
    flag=_swept_flag,
)


def _ray_line(step: GjkRaycastStep) -> str:
    if step.stop is None:
        return "advance" if step.clipped else "grow"
    same = {GjkRaycastStop.INSIDE: GjkRaycastStop.HIT, GjkRaycastStop.NO_PROGRESS: GjkRaycastStop.GRAZING}
    return same.get(step.stop, step.stop)


_DISTANCE_LEFT = ("distance left", lambda step: (0.0, max(float(step.distance), 0.0)), "scene units")

RAY = _stage(
    "GJK ray cast of the origin's path",
    {
        "start": "t ← 0,  x ← the origin,  W ← { a point of A − B }",
        "repeat": "repeat:",
        "nearest": "    v ← point of W nearest x",
        GjkRaycastStop.HIT: "    if x is at v to rounding:  HIT (at the start INSIDE)",
        "normal": "    n ← (x − v) / |x − v|",
        "support": "    w ← farthest point of A − B along n",
        GjkRaycastStop.MISS: "    if x is in front of w's plane, and n·d ≥ 0:  MISS",
        "advance": "    if x is in front:  t ← t − n·(x − w) / (n·d),  x ← t d",
        GjkRaycastStop.BEYOND_REACH: "    if t > 1:  BEYOND_REACH",
        GjkRaycastStop.GRAZING: "    if nothing changes any more:  GRAZING or NO_PROGRESS",
        GjkRaycastStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "grow": "    W ← corners of W that hold v, and w",
    },
    _ray_line,
    ray_text,
    (draw_ray_world, draw_ray_difference),
    bounds=Bounds(*_DISTANCE_LEFT),
)


def _advancement_hides(context: Context) -> frozenset[str]:
    """A - B where it has turned."""
    bodies = (context.scene.a, context.scene.b)
    return frozenset({"difference"}) if any(any(body.angular_displacement) for body in bodies) else frozenset()


def _advancement_line(step: AdvancementStep) -> str:
    if step.stop is None:
        return "advance"
    return MotionStop.MOVING_AWAY if step.stop is MotionStop.PASSES_BY else step.stop


ADVANCEMENT = _stage(
    "Conservative advancement",
    {
        "start": "t ← 0",
        "repeat": "repeat:",
        "distance": "    D, n ← distance at t, and the direction of it",
        MotionStop.HIT: "    if D is 0 to rounding:  HIT at t",
        "rate": "    rate ← (vA − vB)·n + |ωA × n| rA + |ωB × n| rB",
        "time": "    t′ ← t + D / rate, or later by a tighter bound",
        MotionStop.MOVING_AWAY: "    if the gap never closes:  MOVING_AWAY or PASSES_BY",
        MotionStop.OUT_OF_TIME: "    if t′ > 1:  OUT_OF_TIME",
        MotionStop.NO_PROGRESS: "    if t′ is t:  NO_PROGRESS",
        MotionStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "advance": "    t ← t′",
    },
    _advancement_line,
    advancement_text,
    (draw_advancement_world, draw_advancement_difference),
    bounds=Bounds(*_DISTANCE_LEFT, counted="look"),
    hides=_advancement_hides,
)

"""The stages of a motion on SAT's axes: entry and exit times, and the yes-or-no test on twenty-one axes.

The world's pane shows the bodies' intervals on a rail. The pane of A - B shows the interval of A - B on the axis as a
slab perpendicular to the axis, and the origin's path through it.
"""

from __future__ import annotations

from math import inf, isfinite

import numpy as np

from core.geometry.vector import Array, dot
from core.query.query import Query
from core.sat.table import Directed
from core.toi.intervals import BOX_AXES, IntervalStep, SweptAxisStep
from core.toi.motion import Motion, MotionStop

from ...draw.draw_list import DrawList, Layer, Rgba, Subject
from ...draw.theme import faded
from ...overlays.context import Context, square_of
from ...overlays.motion import draw_displacement, draw_rail_at, swept_points
from ...overlays.rail import Spans, family_look, rail_beside
from ...overlays.solids import draw_hull_outline, draw_sheet
from ...overlays.style import PLAIN, STRONG, family_style
from ...words.digits import plain, signed, told_together
from ...words.expression import FunctionCall, Hat, Identifier, Norm, Over, Quotient, equation, least, most, symbols
from ...words.formula import Formula, clean
from ...words.motion_words import signed_units
from ...words.names import axis_name, named_axis
from ..sat.words import gap_formula
from ..stage import At, StepBounds, TimelineFlag, given
from ..word_parts import StepText, Stop, sentences, shown
from . import PATH_OVERHANG, draw_bodies_on_their_way, draw_measured_line, draw_path, draw_way_marks, stage, time_words
from .word_parts import answer_of, motion_text

_APART = TimelineFlag("apart", "They never touch: a yes-or-no test stops here.")


def draw_intervals_world(context: Context, draw: DrawList, step: IntervalStep, motion: Motion, time: float) -> None:
    """Draws the bodies, and the bars of A and B on the axis, at `time`, 0 to 1, which `time_of` gives for the step."""
    draw_bodies_on_their_way(context, draw, time)
    if step.table.axes[step.row].any():
        draw_rail_at(context, draw, step.table, step.row, motion.band, time)


def draw_intervals_difference(
    context: Context, draw: DrawList, step: IntervalStep, motion: Motion, time: float
) -> None:
    """Draws A - B's slab on the axis (two squares perpendicular to it), and the origin's path with entry and exit.

    A zero axis has no slab, entry or exit.
    """
    draw_path(context, draw, motion, time)
    table, row = step.table, step.row
    axis = table.axes[row]
    if not axis.any():
        return
    low, high = _slab(table.interval_a[row], table.interval_b[row])
    rgba = family_style(table.candidates[row].kind, context.theme).rgba
    _draw_slab(context, draw, axis, (low, high), rgba)
    times = {"entry": step.entry, "exit": step.exit}
    times = {word: time for word, time in times.items() if -PATH_OVERHANG <= time <= 1 + PATH_OVERHANG}
    if times:
        places = np.array([time * motion.displacement for time in times.values()])
        words = [f"{word} {time_words(time)}" for word, time in times.items()]
        draw_way_marks(draw, context, places, words, context.theme.winner)


def _slab(interval_a: Array, interval_b: Array) -> tuple[float, float]:
    """The interval of A - B along the axis, low and high end, from A's interval (2,) and B's."""
    return float(interval_a[0] - interval_b[1]), float(interval_a[1] - interval_b[0])


def _draw_slab(context: Context, draw: DrawList, axis: Array, ends: tuple[float, float], rgba: Rgba) -> None:
    """Draws a square perpendicular to the unit `axis` (3,) at each finite end of A - B's interval."""
    half = 0.55 * context.extent.radius
    centre = np.array(context.scene.a.position) - np.array(context.scene.b.position)
    beside = centre - dot(centre, axis) * axis
    for end in filter(isfinite, ends):
        draw_sheet(draw, square_of(beside + end * axis, axis, half), rgba, 0.13, 0.7)


ENOUGH = "The bodies are proved apart: a yes-or-no test would stop here."


def intervals_text(at: At[IntervalStep]) -> StepText:
    """The text of one axis with its entry and exit."""
    step, before = at.step, at.before
    stretch = _stretch(step, proved_before=before is not None and before.separated)
    said = _so_far(before), stretch, _reason(step), _interval_formulas(at.query, before, step)
    return motion_text(at, "Entry and exit, axis", axis_name(step.table, step.row), said)


def _so_far(before: IntervalStep | None) -> str:
    if before is None or (before.latest_row is None and before.earliest_row is None):
        return "No axis is measured yet: the bodies may touch at any time."
    known = (
        ("the latest entry is", before.latest, before.latest_row),
        ("the earliest exit", before.earliest, before.earliest_row),
    )
    told = told_together(before.latest, before.earliest)
    found = [
        f"{what} {_time(time, words)} on {axis_name(before.table, row)}"
        for (what, time, row), words in zip(known, told, strict=True)
        if row is not None
    ]
    return f"So far {', '.join(found)}."


def _time(time: float, words: str) -> str:
    return "never" if time == inf else "always" if time == -inf else f"t = {words}"


def _stretch(step: IntervalStep, *, proved_before: bool) -> str:
    """The sentences on when the intervals overlap, and whether this is the latest entry or the earliest exit so far.

    `proved_before`: an earlier axis already proved the bodies apart.
    """
    axis = step.table.axes[step.row]
    if not axis.any():
        return "Skipped: the edges are parallel, and the axis has no direction."
    if step.entry == inf:
        found = "There is a gap along this axis, and B does not move along it: the intervals never overlap."
    elif step.entry == -inf:
        found = "B does not move along this axis, and the intervals overlap all the time: it sets no limit."
    else:
        entry, leave = told_together(step.entry, step.exit)
        found = f"Along this axis the intervals overlap from t = {entry} to t = {leave}."
    changes = []
    if step.latest_row == step.row:
        changes.append("It is the latest entry so far.")
    if step.earliest_row == step.row:
        changes.append("It is the earliest exit so far.")
    proof = "" if not step.separated else "The bodies are proved apart." if proved_before else ENOUGH
    return sentences(found, *changes, proof)


def _reason(step: IntervalStep) -> str:
    if step.separated:
        if step.earliest < 0.0:
            return "On one axis the intervals cease to overlap before the start, and B keeps moving away along it."
        if step.latest > step.earliest:
            return (
                "The intervals of one axis cease to overlap before those of another begin: they never overlap on both."
            )
        return "The latest entry comes after the end of the motion."
    if not step.table.axes[step.row].any():
        return "The cross product of parallel edges is zero: other axes cover it."
    speed = float(step.table.speeds[step.row])
    if speed == 0.0:
        return "The axis is perpendicular to the motion (l·d = 0), so the gap stays the same. Nothing is divided by 0."
    side = "positive" if step.table.sides[step.row] > 0.0 else "negative"
    return (
        f"B comes from the {side} side, so the ends that face each other there touch first. The bodies can touch "
        "only while the intervals overlap on all axes at once."
    )


_L, _D, _A, _B, _START_B, _END_B = symbols("l d A B B_0 B_1")
_MIN_A, _MAX_A, _MIN_B, _MAX_B = (Over(name, body) for body in (_A, _B) for name in ("min", "max"))
_ENTRY, _EXIT, _LATEST, _EARLIEST = (Identifier(name) for name in ("entry", "exit", "latest", "earliest"))


def _interval_formulas(query: Query, before: IntervalStep | None, step: IntervalStep) -> tuple[Formula, ...]:
    table, row = step.table, step.row
    axis, speed = table.axes[row], float(table.speeds[row])
    if not axis.any():
        return ()
    axis, way = shown(query, axis), shown(query, answer_of(query).motion.displacement)
    along = Formula.of(_L @ _D, speed, {_L: axis, _D: way})
    if speed == 0.0:
        return (Formula.of(Hat(_L), axis), along)
    low_a, high_a = (float(end) for end in table.interval_a[row])
    low_b, high_b = (float(end) for end in table.interval_b[row])
    if speed < 0.0:
        ahead, behind = _MIN_B - _MAX_A, _MAX_B - _MIN_A
    else:
        ahead, behind = _MIN_A - _MAX_B, _MAX_A - _MIN_B
    found, pace = [along], Norm(_L @ _D, bars=1)
    values = {_MIN_A: low_a, _MAX_A: high_a, _MIN_B: low_b, _MAX_B: high_b, pace: abs(speed)}
    for name, way_there, time in ((_ENTRY, ahead, step.entry), (_EXIT, behind, step.exit)):
        found.append(Formula.of(equation(name, Quotient(way_there, pace)), time, values))
    latest, earliest = (-inf, inf) if before is None else (before.latest, before.earliest)
    last, first = equation(_LATEST, most(_LATEST, _ENTRY)), equation(_EARLIEST, least(_EARLIEST, _EXIT))
    found.append(Formula.of(last, step.latest, {_LATEST: latest, _ENTRY: step.entry}))
    found.append(Formula.of(first, step.earliest, {_EARLIEST: earliest, _EXIT: step.exit}))
    return tuple(found)


INTERVALS_STAGE = stage(
    "Entry and exit times",
    {
        "start": "latest ← −∞,  earliest ← ∞",
        "axis": "for each axis l of SAT:",
        "across": "    if l·d = 0:  the intervals overlap always, or never",
        "entry": "    else:  entry ← the gap ahead of B / |l·d|",
        "exit": "           exit ← when B has left A's interval",
        "latest": "    latest ← max(latest, entry)",
        "earliest": "    earliest ← min(earliest, exit)",
        "at start": "if they overlap at the start:  contact at once",
        MotionStop.PASSES_BY: "if latest > earliest:  PASSES_BY",
        MotionStop.MOVING_AWAY: "if earliest < 0:  MOVING_AWAY",
        MotionStop.OUT_OF_TIME: "if latest > 1:  OUT_OF_TIME",
        MotionStop.HIT: "else:  HIT at the latest entry",
    },
    lambda step: (
        "across" if step.table.speeds[step.row] == 0.0 else "latest" if step.latest_row == step.row else "earliest"
    ),
    intervals_text,
    (draw_intervals_world, draw_intervals_difference),
    bounds=StepBounds(
        "time when all axes overlap",
        lambda step: (float(step.latest), float(step.earliest)),
        "0 to 1",
        ("latest entry", "earliest exit"),
    ),
    flag=lambda at: _APART if at.step.separated and not (at.before and at.before.separated) else None,
    colours=dict.fromkeys(("winner.face", "winner.bold", "axis:winner.line"), "face of A − B of the step's axis")
    | {"winner": "path from entry to exit", "winner.diamond": "entry, exit"},
)


# The yes-or-no test on twenty-one axes.


def draw_swept_world(context: Context, draw: DrawList, step: SweptAxisStep, motion: Motion, _time: float) -> None:
    """Draws the outline of the volume that B sweeps relative to A, the motion d, and the bars of A and B on the rail.

    B has three bars: one at its start, one at its end, and a thin one for its whole way. A zero axis has no bars.
    """
    theme = context.theme
    draw_hull_outline(draw, motion.world(swept_points(motion), 0.0), theme.edge_b, 1.6)
    start = motion.world(motion.offset, 0.0)
    tip = start + motion.displacement
    for index, body in enumerate((context.scene.a, context.scene.b)):
        if any(body.displacement):
            draw_displacement(context, draw, index, named=False)
    if any(context.scene.a.displacement):
        draw.strong(start, tip, theme.text, 1.8, arrow_end=12.0)
    draw.label("d, seen from A", tip, theme.text, size=PLAIN, offset=(0.0, -18.0), priority=70, kind="direction-names")
    if not step.axis.any():
        return
    side, turned = _directed(step)
    spans = Spans.on_axis(context, turned.axes, turned.interval_a, turned.interval_b)
    kind = context.analysis.sat.candidates[step.row].kind if step.row < BOX_AXES else None
    rail, lift, pitch = rail_beside(context, draw, spans, Subject("axis", step.row), family_look(context, kind))
    rail.line(spans.a, lift - pitch, theme.edge_a, 7.0, Layer.STRONG)
    rail.line(spans.b, lift + pitch, faded(theme.edge_b, 0.55), 3.0, Layer.NORMAL)
    for interval in (step.start_b, step.end_b):
        ends = Directed.of(step.axis, side, step.interval_a, interval).interval_b
        stood = Spans.on_axis(context, turned.axes, turned.interval_a, ends)
        rail.line(stood.b, lift + pitch, theme.edge_b, 7.0, Layer.STRONG)
    outer = rail.mark(spans.between, lift, pitch, theme.gap if step.separates else theme.overlap)
    what = "gap" if step.gap > 0.0 else "overlap"
    words = f"{named_axis(step.label)} {what} {plain(abs(step.gap))}"
    at = 0.5 * sum(spans.between), outer
    rail.label(
        words,
        *at,
        theme.text,
        size=STRONG,
        offset=(0.0, 16.0),
        priority=84,
        bold=True,
        clear=True,
        kind="interval-numbers",
    )


def draw_swept_difference(context: Context, draw: DrawList, step: SweptAxisStep, motion: Motion, _time: float) -> None:
    """Draws the slab of A - B at the start, the origin's path, and the distance between both if there is a gap."""
    theme, way = context.theme, motion.displacement
    draw_path(context, draw, motion, 0.0)
    if not step.axis.any():
        return
    low, high = _slab(step.interval_a, step.start_b)
    kind = context.analysis.sat.candidates[step.row].kind if step.row < BOX_AXES else None
    _draw_slab(context, draw, step.axis, (low, high), theme.winner if kind is None else family_style(kind, theme).rgba)
    if step.gap <= 0.0:
        return
    ends = (0.0, dot(step.axis, way))
    # From the end of the path nearer to the slab to the nearer face of the slab.
    if min(ends) > high:
        start, level = (np.zeros(3) if ends[0] <= ends[1] else way), high
    else:
        start, level = (np.zeros(3) if ends[0] >= ends[1] else way), low
    foot = start + (level - dot(step.axis, start)) * step.axis
    draw_measured_line(draw, context, start, foot, theme.gap, f"{named_axis(step.label)} {signed(step.gap)}")


def swept_text(at: At[SweptAxisStep]) -> StepText:
    """The text of one of the twenty-one axes."""
    step, swept = at.step, answer_of(at.query).swept
    decided = _swept_decided(step, first=swept is not None and swept.row == step.row)
    said = _swept_known(at), decided, _swept_why(step), _swept_formulas(step)
    return motion_text(at, "21 axes, axis", named_axis(step.label), said, _swept_stop(at))


def _swept_known(at: At[SweptAxisStep]) -> str:
    swept, index = answer_of(at.query).swept, at.moment.index
    found = None if swept is None or swept.row is None or swept.row >= index else swept.labels[swept.row]
    so_far = "No axis separates them so far." if found is None else f"{named_axis(found)} already separates them."
    if not index:
        so_far = "B sweeps a volume as it passes A. Does A overlap that volume?"
    kind = (
        "This is an axis of SAT."
        if at.step.row < BOX_AXES
        else "This axis is perpendicular to the motion d and to an edge: the normal of a side of the swept volume."
    )
    return f"{so_far} {kind}"


def _swept_decided(step: SweptAxisStep, *, first: bool) -> str:
    if not isfinite(step.gap):
        return "Skipped: it has no direction."
    if step.separates:
        found = f"There is a gap of {signed_units(step.gap)} between A and all that B passes: they never touch."
        return sentences(found, "A yes-or-no test would stop here." if first else "")
    if step.gap > 0.0:
        return f"The gap, {signed_units(step.gap)}, is within the touching tolerance: that counts as a contact."
    return f"A's interval and all that B's passes overlap by {plain(-step.gap)}: this axis does not separate them."


def _directed(step: SweptAxisStep) -> tuple[int, Directed]:
    """The side of A, +1 or -1, on which B's swept interval has the larger gap, and the axis turned to that side."""
    whole = np.array((min(step.start_b[0], step.end_b[0]), max(step.start_b[1], step.end_b[1])))
    side = 1 if whole[0] - step.interval_a[1] >= step.interval_a[0] - whole[1] else -1
    return side, Directed.of(step.axis, side, step.interval_a, whole)


def _swept_why(step: SweptAxisStep) -> str:
    if not isfinite(step.gap):
        return "The edge runs along the motion, or two edges are parallel: their product is zero."
    if step.separates:
        return "B's interval stays on one side of A's from the start to the end, so they never overlap."
    return "B's interval moves evenly, so it passes exactly the stretch between its start and its end."


def _swept_formulas(step: SweptAxisStep) -> tuple[Formula, ...]:
    if not isfinite(step.gap):
        return ()
    side, turned = _directed(step)
    found = [Formula.of(Hat(_L), turned.axes)]
    # min B and max B of the swept interval, each from its values at t = 0 and t = 1. In `stood`, `interval_a` is B's
    # interval at t = 0, and `interval_b` B's at t = 1.
    stood = Directed.of(step.axis, side, step.start_b, step.end_b)
    passed = turned.interval_b.tolist()
    ends = zip((_MIN_B, _MAX_B), stood.interval_a.tolist(), stood.interval_b.tolist(), passed, strict=True)
    for name, start, end, result in ends:
        symbols_ = equation(name, FunctionCall(name.name, (_START_B, _END_B)))
        found.append(Formula.of(symbols_, result, {_START_B: start, _END_B: end}))
    found.append(gap_formula(clean(turned.interval_a.tolist())[1], passed[0], step.gap))
    return tuple(found)


def _swept_stop(at: At[SweptAxisStep]) -> Stop | None:
    if not at.moment.last:
        return None
    swept = given(answer_of(at.query).swept)
    if swept.row is not None:
        gap = signed_units(float(swept.gaps[swept.row]))
        return Stop("SEPARATED", f"{swept.labels[swept.row]} separates A from all that B passes, by {gap}.", True)
    return Stop(
        "MEETING",
        "No axis separates A from the volume that B sweeps, so the bodies touch. This test cannot say when.",
        True,
    )


def _swept_flag(at: At[SweptAxisStep]) -> TimelineFlag | None:
    swept = None if at.query.sweep is None else at.query.sweep.swept
    return _APART if swept is not None and swept.row == at.step.row else None


SWEPT_STAGE = stage(
    "Twenty-one axes, yes or no",
    {
        "axis": "for each axis l: 15 of SAT, then d × each edge of A and B:",
        "skip": "    if l has no direction:  skip it",
        "interval of A": "    [min A, max A] ← A projected on l",
        "interval of B": "    [min B, max B] ← B at the start and at the end",
        "separation": "    s ← min B − max A, l turned from A towards B",
        "apart": "    if s > 0:  they never touch",
        "meets": "    else:  l does not separate them",
        "answer": "if no axis separates them:  they touch",
    },
    lambda step: "skip" if not step.axis.any() else "apart" if step.separates else "meets",
    swept_text,
    (draw_swept_world, draw_swept_difference),
    flag=_swept_flag,
    colours={"winner": "the axis of the step", "winner.face": "face of A − B of the step's axis"},
)

"""The stage of the closed form in the plane: the origin's path against lines and arcs of A - B, grown by radii."""

from __future__ import annotations

from math import inf

import numpy as np

from core.geometry.vec2 import dot, length, raised, raised_rows
from core.geometry.vector import Array
from core.pair.candidate_axes import AxisKind
from core.pair.cores import to_world
from core.query.query import Query
from core.toi.motion import Motion, MotionStop
from core.toi.plane import ArcStep, GrownEdgeStep

from ...draw.draw_list import Dash, DrawList, Hidden
from ...draw.meshes.mesh import corner_loop, ring
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.style import PLAIN, STRONG, family_style
from ...state.playback import body_at
from ...words.digits import plain, told_together
from ...words.expression import Identifier, Norm, Quotient, equation, least, most, symbols
from ...words.formula import Formula
from ...words.names import shown_name
from ..stage import At, steps_of
from ..word_parts import StepText, sentences, vector_text
from . import (
    MAIN_WIDTH,
    PATH_OVERHANG,
    dotted,
    draw_bodies_on_their_way,
    draw_measured_line,
    draw_path,
    draw_way_marks,
    stage,
    time_words,
)
from .word_parts import answer_of, motion_text, root_formula, time_text

LINE_OVERHANG = 1.5
"""A line is drawn beyond each end of its edge by this many radii of the pair."""


def draw_rounded_world(context: Context, draw: DrawList, step: GrownEdgeStep | ArcStep, _: Motion, time: float) -> None:
    """Draws the bodies at the step's time, and for an edge's line the edge that gives it."""
    draw_bodies_on_their_way(context, draw, time)
    if isinstance(step, GrownEdgeStep):
        _draw_own_edge(context, draw, step, time)


def _draw_own_edge(context: Context, draw: DrawList, step: GrownEdgeStep, time: float) -> None:
    candidate = context.analysis.sat.candidates[step.row]
    index = 0 if candidate.kind is AxisKind.FACE_A else 1
    body, edge = body_at(context.scene.body(index), time), candidate.feature_b if index else candidate.feature_a
    core, loop = body.shape.core, corner_loop(body.shape)
    assert core is not None
    assert edge is not None
    points = (core.points[loop[k % len(loop)], :2].tolist() for k in (edge, edge + 1))
    start, end = raised_rows(to_world(body, (x, y)) for x, y in points)
    rgba = family_style(candidate.kind, context.theme).rgba
    draw.strong(start, end, rgba, 4.0)
    draw.label(
        shown_name(step.label),
        0.5 * (start + end),
        rgba,
        size=STRONG,
        offset=(34.0, -12.0),
        priority=80,
        bold=True,
        kind="edge-names",
    )


def draw_rounded_difference(
    context: Context, draw: DrawList, step: GrownEdgeStep | ArcStep, motion: Motion, time: float
) -> None:
    """Draws the path, and the line of an edge or the circle of an arc with the place where the path crosses it."""
    draw_path(context, draw, motion, time)
    if isinstance(step, GrownEdgeStep):
        _draw_line(context, draw, step, motion.displacement)
    else:
        _draw_arc(context, draw, step, motion.displacement)


def _draw_line(context: Context, draw: DrawList, step: GrownEdgeStep, way: Array) -> None:
    theme, size = context.theme, context.extent.radius
    rgba = family_style(context.analysis.sat.candidates[step.row].kind, theme).rgba
    start, end, normal = raised(step.start), raised(step.end), raised(step.normal)
    along = np.array((-normal[1], normal[0], 0.0))
    beyond = LINE_OVERHANG * size * along
    draw.lines(start - beyond, end + beyond, faded(rgba, 0.7), 1.3, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.strong(start, end, rgba, 4.0)
    tip = _normal_tip(context, step)
    draw.strong(0.5 * (start + end), tip, rgba, MAIN_WIDTH, arrow_end=10.0)
    draw.label(
        f"n of {shown_name(step.label)}",
        tip,
        rgba,
        size=PLAIN,
        offset=(0.0, -12.0),
        priority=70,
        kind="direction-names",
    )
    if step.time is None:
        foot = -step.height * normal
        words = f"{'outside' if step.height > 0.0 else 'inside'} by {plain(abs(step.height))}, all the way"
        draw_measured_line(draw, context, np.zeros(3), foot, theme.gap if step.height > 0.0 else theme.overlap, words)
    elif -PATH_OVERHANG <= step.time <= 1.0 + PATH_OVERHANG:
        word = f"{'in' if step.speed < 0.0 else 'out'} at {time_words(step.time)}"
        draw_way_marks(draw, context, (step.time * way)[None], [word], theme.winner)


def _normal_tip(context: Context, step: GrownEdgeStep) -> Array:
    """The tip (3,) of the arrow along the edge's normal, from the middle of the moved edge."""
    tip: Array = 0.5 * (raised(step.start) + raised(step.end)) + 0.14 * context.extent.radius * raised(step.normal)
    return tip


def fit_points(context: Context, query: Query) -> tuple[Array, Array]:
    """No points in the world; in the difference (n, 3) the tips of the normals."""
    tips = [_normal_tip(context, step) for _, step in steps_of(query, GrownEdgeStep)]
    return np.zeros((0, 3)), np.array(tips).reshape(-1, 3)


def _draw_arc(context: Context, draw: DrawList, step: ArcStep, way: Array) -> None:
    theme, centre = context.theme, raised(step.centre)
    rgba = theme.family_closest
    circle = centre + step.radius * ring()
    draw.polyline(circle, faded(rgba, 0.9), 1.6, closed=True, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.spots(centre, rgba, 4.4, theme.halo, 1.5)
    draw.label("c", centre, rgba, size=PLAIN, offset=(12.0, 12.0), priority=76, bold=True, kind="vertex-names")
    nearest = step.nearest_time * way
    dotted(draw, centre, nearest, theme.text)
    draw.label(
        f"m {plain(step.nearest)}", nearest, theme.text, size=PLAIN, offset=(26.0, 12.0), priority=74, kind="distance"
    )
    draw.spots(nearest, theme.text, 3.4, theme.halo, 1.4)
    if step.time is not None:
        draw_measured_line(draw, context, centre, step.time * way, rgba, f"r {plain(step.radius)}", side=-1.0)
        if -PATH_OVERHANG <= step.time <= 1.0 + PATH_OVERHANG:
            words = f"on the circle at {time_words(step.time)}"
            draw_way_marks(draw, context, (step.time * way)[None], [words], theme.winner)


def rounded_text(at: At[GrownEdgeStep | ArcStep]) -> StepText:
    """The text of one edge's line, or of the arc that decides."""
    query, step = at.query, at.step
    if isinstance(step, ArcStep):
        return _arc_text(at, step)
    before = at.before if isinstance(at.before, GrownEdgeStep) else None
    grown = f", moved out by the radii r = {plain(step.radius)}," if step.radius else ""
    why = f"All of A − B lies on the inner side of each edge's line{grown} so the origin must be inside every one."
    if step.apart:
        why = (
            "The origin is inside all the lines from the latest entry to the earliest exit; here no such time is left."
        )
    said = _so_far(before), _crossing(query, step), why, _line_formulas(query, before, step)
    return motion_text(at, "Grown A − B, line", shown_name(step.label), said)


def _so_far(before: GrownEdgeStep | None) -> str:
    if before is None:
        return "B moves by d and A − B keeps its shape. Seen from A − B, the origin moves instead, along t d."
    found = []
    entry, leave = told_together(before.latest, before.earliest)
    if before.latest_edge is not None:
        found.append(f"the latest entry is t = {entry}")
    if before.earliest_edge is not None:
        found.append(f"the earliest exit t = {leave}")
    return f"So far {', '.join(found)}." if found else "No line is measured yet."


def _crossing(query: Query, step: GrownEdgeStep) -> str:
    """The sentence on when the origin crosses the line, and on what that changes."""
    if step.time is None:
        outside = step.height > answer_of(query).motion.band
        side = f"{plain(abs(step.height))} {'outside' if step.height > 0.0 else 'inside'}"
        found = f"The path runs along the line, {side}: " + (
            "the origin never enters." if outside else "it sets no limit."
        )
    else:
        found = f"The origin {'enters' if step.speed < 0.0 else 'leaves'} across this line at {time_text(step.time)}."
    changes = []
    if step.latest_edge == step.edge:
        changes.append("It is the latest entry so far.")
    if step.earliest_edge == step.edge:
        changes.append("It is the earliest exit so far.")
    if step.apart:
        changes.append("The bodies are proved apart.")
    if step.stop is MotionStop.HIT:
        changes.append("At the latest entry the origin is on the edge itself: the bodies touch.")
    return sentences(found, *changes)


_N, _P, _D, _H, _S, _T, _TM, _C, _M = symbols("n p d h s t t_m c m")
LATEST, EARLIEST = Identifier("latest"), Identifier("earliest")
LATEST_OF_T, EARLIEST_OF_T = equation(LATEST, most(LATEST, _T)), equation(EARLIEST, least(EARLIEST, _T))


def _line_formulas(query: Query, before: GrownEdgeStep | None, step: GrownEdgeStep) -> tuple[Formula, ...]:
    normal, start = np.array(step.normal), np.array(step.start)
    way = answer_of(query).motion.displacement[:2]
    found = [
        Formula.of(equation(_H, -_N @ _P), step.height, {-_N: -normal, _P: start}),
        Formula.of(equation(_S, _N @ _D), step.speed, {_N: normal, _D: way}),
    ]
    if step.time is None:
        return tuple(found)
    found.append(Formula.of(equation(_T, Quotient(-_H, _S)), step.time, {-_H: 0.0 - step.height, _S: step.speed}))
    latest, earliest = (-inf, inf) if before is None else (before.latest, before.earliest)
    if step.speed < 0.0:
        found.append(Formula.of(LATEST_OF_T, step.latest, {LATEST: latest, _T: step.time}))
    else:
        found.append(Formula.of(EARLIEST_OF_T, step.earliest, {EARLIEST: earliest, _T: step.time}))
    return tuple(found)


def _arc_text(at: At[GrownEdgeStep | ArcStep], step: ArcStep) -> StepText:
    x, y, _ = answer_of(at.query).motion.displacement.tolist()
    arc = f"radius r = {plain(step.radius)} about c = {vector_text(step.centre)}"
    if step.entered is None:
        known = (
            f"A − B of two circles is a circle of {arc}: both radii added, around the vector from B's centre to A's."
        )
        why = "Two circles touch when a point touches the circle of both radii: A is grown by B's radius."
    else:
        known = f"The origin is inside all the lines from {time_text(step.entered)}, but past the end of an edge: "
        known += f"in the corner outside the arc of {arc}."
        why = (
            "The corner between two lines and the arc is not part of A − B. From there the path enters through "
            "the arc, "
        )
        why += "or passes it and leaves across the other line."
    along = dot(step.centre, (x, y))
    formulas: list[Formula] = [
        Formula.of(
            equation(_TM, Quotient(_C @ _D, _D @ _D)), step.nearest_time, {_C @ _D: along, _D @ _D: dot((x, y), (x, y))}
        ),
        Formula.of(equation(_M, Norm(_TM * _D - _C)), step.nearest),
    ]
    if step.time is not None:
        formulas.append(root_formula(_D, step.nearest_time, (step.radius, step.nearest), length((x, y)), step.time))
    said = known, _arc_words(step), why, tuple(formulas)
    return motion_text(at, "Grown A − B, step", f"the arc about {shown_name(step.label)}", said)


def _arc_words(step: ArcStep) -> str:
    if step.stop is MotionStop.HIT and step.time is not None:
        return f"The distance to c is r for the first time at {time_text(step.time)}: the bodies touch."
    near = f"The origin comes within {plain(step.nearest)} of c, at {time_text(step.nearest_time)}"
    if step.stop is MotionStop.GRAZING:
        return f"{near}: r within rounding, no closer."
    if step.time is None:
        return f"{near}, and misses the arc by {plain(step.nearest - step.radius)}."
    return f"{near}, and is at distance r first at {time_text(step.time)}."


def _rounded_line(step: GrownEdgeStep | ArcStep) -> str:
    if isinstance(step, ArcStep):
        return "arc hit"
    if step.stop is None:
        return "along" if step.time is None else "entry" if step.speed < 0.0 else "exit"
    return MotionStop.PASSES_BY if step.stop is MotionStop.GRAZING else step.stop


ROUNDED_STAGE = stage(
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
        "arc": "else c ← the next corner:  t ← when |t d − c| is r",
        "arc hit": "    HIT at t;  a miss if no t is from 0 to 1",
    },
    _rounded_line,
    rounded_text,
    (draw_rounded_world, draw_rounded_difference),
    fit_points=fit_points,
    colours={"winner": "entry, exit", "overlap": "inside", "family_closest": "arc about a corner"},
)

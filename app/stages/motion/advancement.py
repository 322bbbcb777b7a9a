"""The stage of conservative advancement: from the distance at a time, the time until which nothing can touch."""

from __future__ import annotations

from math import isfinite

import numpy as np

from core.geometry.vector import length
from core.query.query import Query
from core.toi.advancement import AdvancementStep, ClosingBound
from core.toi.motion import Motion, MotionStop, moves

from ...draw.draw_list import DrawList, Layer
from ...draw.theme import faded
from ...overlays.context import Context, square_of
from ...overlays.motion import outer_points
from ...overlays.solids import draw_hull_outline, draw_sheet
from ...overlays.style import PLAIN, STRONG
from ...state.playback import body_at
from ...words.digits import instant, plain, signed
from ...words.expression import Identifier, Norm, Product, Quotient, Symbol, equation, symbols, total
from ...words.formula import Formula, Values
from ...words.motion_words import signed_units
from ..stage import At, StepBounds
from ..step_drawing import ARROW_LENGTH
from ..word_parts import StepText, in_its_world, shown
from . import (
    DISTANCE_LEFT,
    SHORTEST_DRAWN,
    draw_bodies_on_their_way,
    draw_free,
    draw_measured_line,
    draw_path,
    draw_turned_difference,
    draw_way_marks,
    stage,
    time_words,
)
from .word_parts import answer_of, motion_text, time_text

_BOUNDS = {
    ClosingBound.RATE: "No point moves along n faster than straight motion and turning together allow, so the gap "
    "lasts at least this long.",
    ClosingBound.STILL: "Tighter than the rate: how far each body reaches along n while it turns, with n at rest.",
    ClosingBound.WITH_A: "Tighter than the rate: how far each body reaches along n while n turns with A.",
    ClosingBound.WITH_B: "Tighter than the rate: how far each body reaches along n while n turns with B.",
    ClosingBound.WITH_EDGES: "Tighter than the rate: how far each body reaches along n while n stays perpendicular "
    "to two edges.",
}


def draw_advancement_world(
    context: Context, draw: DrawList, step: AdvancementStep, motion: Motion, time: float
) -> None:
    """Draws the distance at a time with its direction; unless the run stops here, the outlines at the next time too."""
    theme = context.theme
    draw_bodies_on_their_way(context, draw, time)
    rgba = theme.gap if step.stop is None else theme.winner
    touching = abs(step.distance) <= motion.band
    words = f"{'touching' if touching else f'distance {signed(step.distance)}'}, {time_words(time)}"
    draw_measured_line(draw, context, step.witness_a, step.witness_b, rgba, words)
    tip = step.witness_a - ARROW_LENGTH * context.extent.radius * step.normal
    draw.strong(tip, step.witness_a, theme.overlap, 2.4, arrow_end=11.0)
    draw.label(
        "n", tip, theme.overlap, size=PLAIN, offset=(-10.0, -8.0), priority=74, bold=True, kind="direction-names"
    )
    if step.stop is None:
        _draw_next(context, draw, min(step.next_time, 1.0))


def _draw_next(context: Context, draw: DrawList, time: float) -> None:
    """Draws the outlines of the moving bounded bodies at `time`, until which they are proved apart."""
    theme = context.theme
    for body in (context.scene.a, context.scene.b):
        if moves(body) and isfinite(body.shape.bounding_radius):
            draw_hull_outline(draw, outer_points(body_at(body, time)), faded(theme.overlap, 0.85), 1.5)
    free = body_at(context.scene.b if moves(context.scene.b) else context.scene.a, time)
    words = f"free until {time_words(time)}"
    draw.label(
        words,
        free.pose.position,
        theme.overlap,
        size=STRONG,
        offset=(0.0, 26.0),
        priority=79,
        bold=True,
        kind="time-words",
    )


def draw_advancement_difference(
    context: Context, draw: DrawList, step: AdvancementStep, motion: Motion, time: float
) -> None:
    """Draws the origin and its nearest point of A - B, and the path with the plane across n.

    If a body turns, A - B at that time is drawn instead of the path and the plane.
    """
    theme, apart = context.theme, step.witness_a - step.witness_b
    if motion.rotates:
        draw_turned_difference(context, draw, time)
        start = np.zeros(3)
    else:
        draw_path(context, draw, motion, time)
        draw_free(context, draw, motion.displacement, time)
        start = time * motion.displacement
    words = f"distance {plain(abs(step.distance))}"
    if length(apart) > SHORTEST_DRAWN * context.extent.radius:
        draw_measured_line(draw, context, start, start + apart, theme.gap, words)
    if motion.rotates:
        words = f"A − B at {time_words(time)}: it turns"
        draw.label(words, start + apart, theme.dim_text, size=PLAIN, offset=(0.0, 22.0), priority=60, kind="time-words")
        return
    corners = square_of(start + apart, step.normal, 0.45 * context.extent.radius)
    draw_sheet(draw, corners, theme.overlap, 0.12, 0.6, layer=Layer.BACK)
    if step.stop is None and step.next_time <= 1.0:
        place = (step.next_time * motion.displacement)[None]
        draw_way_marks(draw, context, place, [f"free until {time_words(step.next_time)}"], theme.overlap)
    elif step.stop is not None:
        draw.label(
            f"{time_words(time)}",
            start,
            theme.winner,
            size=STRONG,
            offset=(0.0, 18.0),
            priority=81,
            bold=True,
            kind="time-words",
        )


def advancement_text(at: At[AdvancementStep]) -> StepText:
    """The text of one step: the distance at its time, and how far time may advance."""
    query, step = at.query, at.step
    apart = f"The bodies are proved apart until t = {instant(step.time)}."
    known = apart if step.time > 0.0 else "The bodies are at the start."
    known += " Their distance there and its direction n are known."
    why = _BOUNDS[step.bound]
    if step.stop is MotionStop.HIT:
        why = "No gap is left to divide by the rate: further steps would only be rounding."
    elif step.rate <= 0.0:
        why = "A plane perpendicular to n lies between them, and neither body moves towards it."
    said = known, _advance_words(step), in_its_world(query, why), _advance_formulas(query, step)
    return motion_text(at, "Advancement, step", f"t = {instant(step.time)}", said)


def _advance_words(step: AdvancementStep) -> str:
    seen = f"At t = {instant(step.time)} the separation is {signed_units(step.distance)}."
    if step.stop is MotionStop.HIT:
        return f"{seen} That counts as touching."
    if step.stop in (MotionStop.MOVING_AWAY, MotionStop.PASSES_BY):
        return f"{seen} From here on the bodies come no nearer along n."
    if not isfinite(step.next_time):
        return f"{seen} The gap cannot close before the motion ends."
    return f"{seen} Nothing can touch before {time_text(step.next_time)}."


_N, _T, _NEXT, _FREE, _V_A, _V_B = symbols("n t t′ D v_A v_B")
_STRAIGHT, _TURNING, _RATE = Identifier("straight"), Identifier("turning"), Identifier("rate")
_APPROACH = _V_A - _V_B
_SWEEP = total(Norm(Product(Symbol("ω", body), "×", _N)) * Symbol("r", body) for body in "AB")


def _advance_formulas(query: Query, step: AdvancementStep) -> tuple[Formula, ...]:
    motion, normal = answer_of(query).motion, shown(query, step.normal)
    closing = equation(_STRAIGHT if motion.rotates else _RATE, _APPROACH @ _N)
    found = [
        Formula.of(_N, normal),
        Formula.of(closing, step.straight, {_APPROACH: shown(query, -motion.displacement), _N: normal}),
    ]
    if motion.rotates:
        parts: Values = {_STRAIGHT: step.straight, _TURNING: step.turning}
        found.append(Formula.of(_SWEEP, step.turning, name=_TURNING))
        found.append(Formula.of(equation(_RATE, _STRAIGHT + _TURNING), step.rate, parts))
    if step.stop in (MotionStop.HIT, MotionStop.MOVING_AWAY, MotionStop.PASSES_BY) or not isfinite(step.next_time):
        return tuple(found)
    if step.bound is ClosingBound.RATE and step.lower > 0.0 and step.rate > 0.0:
        values = {_T: step.time, _FREE: step.lower, _RATE: step.rate}
        found.append(Formula.of(equation(_NEXT, _T + Quotient(_FREE, _RATE)), step.next_time, values))
    else:
        found.append(Formula.of(_NEXT, step.next_time))
    return tuple(found)


ADVANCEMENT_STAGE = stage(
    "Conservative advancement",
    {
        "start": "t ← 0",
        "repeat": "repeat:",
        "distance": "    D, n ← distance at t, and its direction",
        MotionStop.HIT: "    if D is 0 within rounding:  HIT at t",
        "rate": "    rate ← (vA − vB)·n + |ωA × n| rA + |ωB × n| rB",
        "time": "    t′ ← t + D / rate, or later by a tighter bound",
        MotionStop.MOVING_AWAY: "    if the gap never closes:  MOVING_AWAY or PASSES_BY",
        MotionStop.OUT_OF_TIME: "    if t′ > 1:  OUT_OF_TIME",
        MotionStop.NO_PROGRESS: "    if t′ is t:  NO_PROGRESS",
        MotionStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "advance": "    t ← t′",
    },
    lambda step: MotionStop.MOVING_AWAY if step.stop is MotionStop.PASSES_BY else step.stop or "advance",
    advancement_text,
    (draw_advancement_world, draw_advancement_difference),
    bounds=StepBounds(*DISTANCE_LEFT),
    # A - B is hidden if a body turns visibly: the step draws it at its own time.
    hides=lambda context: frozenset(
        {"difference"} if context.sweep is not None and context.sweep.motion.rotates else ()
    ),
    colours={
        "winner": "first touch",
        "gap": "distance",
        "gap.bold": "free part of the path",
        "overlap.arrow": "normal n",
        "plane:overlap": "line across the normal n",
        "world:overlap.line": "bodies at the end of the free part",
        "overlap.diamond": "end of the free part",
        "overlap.sheet": "plane across n",
    },
)

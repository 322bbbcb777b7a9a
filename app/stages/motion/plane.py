"""The stages of a body that moves against a plane, by its distance and reach; for an ellipsoid also in scaled space."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.geometry.vector import Array, any_perpendicular, dot, dots, unit
from core.toi.half_spaces import PlaneStage, PlaneStep, ScaledPlaneStage, ScaledPlaneStep
from core.toi.motion import Motion, MotionStop

from ...draw.draw_list import Dash, DrawList, Hidden, Marker
from ...overlays.context import Context
from ...overlays.probe import OF_THE_WORLD
from ...overlays.probe_scaling import draw_scaled
from ...overlays.style import PLAIN, STRONG
from ...probes import ScaleProbe
from ...probes.planes import Scaling
from ...words.digits import MINUS, plain, signed, told_together
from ...words.expression import Identifier, Norm, Numeral, Over, Power, Quotient, Symbol, equation, symbols, total
from ...words.formula import Formula, Values, clean, numeral
from ...words.motion_words import signed_units
from ..stage import At, given
from ..word_parts import StepText, from_a, sentences, vector_text
from . import (
    SHORTEST_DRAWN,
    dotted,
    draw_bodies_on_their_way,
    draw_measured_line,
    draw_path,
    draw_way_marks,
    position_at,
    stage,
    time_words,
)
from .word_parts import StepWords, motion_text, time_text

PARALLEL_DISTANCE = 0.05
"""Distance between two parallel lengths as drawn, as a share of the pair's radius."""
LINE_OF_SPEED = 2.8
"""Width of the arrow for the part of a motion along the normal, points."""


def draw_plane_world(context: Context, draw: DrawList, step: PlaneStep, _: Motion, time: float) -> None:
    """Draws the part that the step adds: the distance of the body's position, its reach, its speed, or its arrival."""
    draw_bodies_on_their_way(context, draw, time)
    index = _bounded(context)
    centre = position_at(context, index, time)
    far = step.distance + time * (step.speed or 0.0)
    foot = centre - far * step.normal
    theme = context.theme
    if step.stage is PlaneStage.DISTANCE:
        draw_measured_line(draw, context, centre, foot, theme.gap, f"s₀ {signed(step.distance)}")
        _draw_normal(context, draw, foot, step.normal)
        return
    radius = given(step.radius)
    reached = centre - radius * step.normal
    if step.arms is None:
        draw.strong(centre, reached, theme.text, 3.0)
    else:
        # A box's reach in three parts, one for each half extent.
        ends = centre - np.concatenate(([0.0], np.cumsum(step.arms)))[:, None] * step.normal
        for (start, end), rgba in zip(pairwise(ends), (theme.world_x, theme.world_y, theme.world_z), strict=True):
            draw.strong(start, end, rgba, 3.4)
    draw.points(np.array((centre, reached)), theme.text, 3.4, shape=Marker.SQUARE, hidden=Hidden.SHOW)
    draw.label(
        f"r {plain(radius)}",
        centre,
        theme.text,
        size=STRONG,
        offset=(-40.0, 8.0),
        priority=78,
        bold=True,
        kind="distance",
    )
    if step.stage is PlaneStage.RADIUS:
        words = f"s₀ − r {signed(step.distance - radius)}"
        draw_measured_line(draw, context, reached, foot, theme.gap if far > radius else theme.overlap, words)
    elif step.stage is PlaneStage.SPEED:
        dotted(draw, reached, foot, theme.gap)
        _draw_speed(context, draw, centre, step.normal, step.velocity, f"n·v {signed(given(step.speed))}")
    else:
        words = time_words(step.time or 0.0)
        draw.label(
            words, reached, theme.winner, size=STRONG, offset=(46.0, 14.0), priority=82, bold=True, kind="time-words"
        )
        draw.spots(reached, theme.winner, 5.0, theme.halo, 2.0)
        if far - radius > 0.0:
            dotted(draw, reached, foot, theme.gap)


def draw_plane_difference(context: Context, draw: DrawList, step: PlaneStep, motion: Motion, time: float) -> None:
    """Draws the origin's path, and its gap to the plane of the difference, which includes the body's reach."""
    draw_path(context, draw, motion, time)
    if step.radius is not None:
        known = step.speed is not None
        _draw_gap(context, draw, motion, step.normal, step.distance - step.radius, time, step.time if known else None)


def _bounded(context: Context) -> int:
    """The index of the body that is not the half-space."""
    return 0 if context.scene.a.shape.plane is None else 1


def _draw_normal(context: Context, draw: DrawList, foot: Array, normal: Array) -> None:
    theme = context.theme
    tip = foot + 0.35 * context.extent.radius * normal
    draw.strong(foot, tip, theme.normal, 2.2, arrow_end=10.0)
    draw.label("n", tip, theme.normal, size=PLAIN, offset=(-12.0, -4.0), priority=74, bold=True, kind="direction-names")


def _draw_speed(context: Context, draw: DrawList, start: Array, normal: Array, velocity: Array, words: str) -> None:
    """Draws the part of a body's motion along the unit `normal` (3,) as an arrow beside `start` (3,), its position.

    `velocity` (3,): its displacement from t = 0 to t = 1. `words`: the arrow's label.
    """
    theme, along = context.theme, dot(normal, velocity) * normal
    aside = velocity - along
    side = unit(aside) if aside.any() else None
    begin = start - PARALLEL_DISTANCE * context.extent.radius * (any_perpendicular(normal) if side is None else side)
    tip = begin + along
    draw.strong(begin, tip, theme.overlap, LINE_OF_SPEED, arrow_end=12.0)
    dotted(draw, start + velocity, tip, theme.overlap)
    draw.label(
        words,
        0.5 * (begin + tip),
        theme.overlap,
        size=STRONG,
        offset=(-54.0, 0.0),
        priority=82,
        bold=True,
        kind="distance",
    )


def _draw_gap(
    context: Context, draw: DrawList, motion: Motion, normal: Array, gap: float, time: float, arrives: float | None
) -> None:
    """Draws the gap from the origin at a time to the plane that bounds A - B.

    `gap`: at the start; `arrives`: the time when the path enters A - B, None if it is not known. `normal` (3,): of the
    half-space, unit.
    """
    theme, way = context.theme, motion.displacement
    facing = -normal if context.scene.a.shape.plane is None else normal
    left = gap + time * dot(facing, way)
    start = time * way
    if abs(left) > SHORTEST_DRAWN * context.extent.radius:
        rgba = theme.gap if left > 0.0 else theme.overlap
        draw_measured_line(draw, context, start, start - left * facing, rgba, signed(left))
    if arrives is not None and 0.0 <= arrives <= 1.0:
        draw_way_marks(draw, context, (arrives * way)[None], [f"enters at {time_words(arrives)}"], theme.winner)


def plane_text(at: At[PlaneStep]) -> StepText:
    """The text of one stage of the computation for a body against a plane."""
    step = at.step
    stage, say = {
        PlaneStage.DISTANCE: ("distance", _plane_distance),
        PlaneStage.RADIUS: ("reach", _plane_radius),
        PlaneStage.SPEED: ("speed", _plane_speed),
        PlaneStage.TIME: ("time", _plane_time),
    }[step.stage]
    body = "A" if at.query.analysis.scene.a.shape.plane is None else "B"
    before, decided, why, formulas = say(step, body)
    before = sentences(before, from_a(at.query) if step.stage is PlaneStage.DISTANCE else "")
    return motion_text(at, "Plane, step", stage, (before, decided, why, formulas))


_N, _N1, _D, _D1, _V, _V1, _P, _Q, _Q1, _T, _R, _H, _S, _S0 = symbols("n n′ d d′ v v′ p q q′ t r h S s_0")
_ARMS = equation(_R, Over("∑", Symbol("h", "i") * Norm(Symbol("u", "i") @ _N, bars=1)))


def _plane_distance(step: PlaneStep, body: str) -> StepWords:
    values: Values = {_N: step.normal, _P: step.position, _D: step.offset}
    side = "in front of" if step.distance > 0.0 else "behind" if step.distance < 0.0 else "in"
    return (
        f"The plane n·x = d of the half-space, and the position p of {body}.",
        f"The position is {side} the plane: its signed distance s₀ is {signed_units(step.distance)}.",
        "The half-space is solid behind its plane, so the sign counts.",
        (Formula.of(equation(_S0, _N @ _P - _D), step.distance, values),),
    )


def _plane_radius(step: PlaneStep, body: str) -> StepWords:
    radius = given(step.radius)
    gap = step.distance - radius
    shares = "" if step.arms is None else " Each half extent h of the box adds h |u·n|."
    reach = Formula.of(_R, radius)
    if step.arms is not None:
        arms = [float(arm) for arm in step.arms]
        reach = Formula.of(_ARMS, radius, worked=total(map(numeral, clean(arms))))
    start, reaches = told_together(step.distance, radius)
    return (
        f"The position of {body} is at s₀ = {start}.",
        f"{body} reaches {reaches} towards the plane, its effective radius r.{shares}",
        f"The separation of {body} and the plane is s₀ {MINUS} r = {signed_units(gap)}: "
        + ("it starts clear of it." if step.stop is None else "it touches the plane at the start."),
        (reach, Formula.of(equation(Identifier("gap"), _S0 - _R), gap, {_S0: step.distance, _R: radius})),
    )


def _plane_speed(step: PlaneStep, body: str) -> StepWords:
    speed, towards = given(step.speed), step.stop is None
    return (
        f"The gap is {signed_units(step.distance - given(step.radius))}, and {body} moves by v relative to the plane.",
        f"Along n it moves n·v = {plain(speed)} in the whole motion: "
        + ("towards the plane." if towards else "not towards the plane."),
        "Only the part of the motion along the normal changes the distance; the rest is along the plane.",
        (Formula.of(_N @ _V, speed, {_N: step.normal, _V: step.velocity}),),
    )


def _plane_time(step: PlaneStep, body: str) -> StepWords:
    radius, speed, time = given(step.radius), given(step.speed), given(step.time)
    start, reach = told_together(step.distance, radius)
    return (
        f"The time follows from s₀ = {start}, r = {reach} and n·v = {plain(speed)}.",
        f"{body} arrives at the plane at {time_text(time)}.",
        "The distance changes evenly, s(t) = s₀ + t n·v. Contact is when s(t) = r.",
        (
            Formula.of(
                equation(_T, Quotient(_R - _S0, _N @ _V)), time, {_R: radius, _S0: step.distance, _N @ _V: speed}
            ),
        ),
    )


def _plane_line(step: PlaneStep) -> str:
    if step.stop is None:
        return step.stage
    if step.stage in (PlaneStage.RADIUS, PlaneStage.SPEED):
        return "at start" if step.stage is PlaneStage.RADIUS else PlaneStage.SPEED
    return MotionStop.OUT_OF_TIME if step.stop is MotionStop.OUT_OF_TIME else MotionStop.HIT


PLANE_STAGE = stage(
    "A body against a plane",
    {
        "plane": "n, d ← the plane;  p, v ← the body's position, displacement",
        PlaneStage.DISTANCE: "s₀ ← n·p − d",
        PlaneStage.RADIUS: "r ← how far the body reaches towards the plane",
        "at start": "if s₀ − r ≤ 0 within rounding:  contact at once",
        PlaneStage.SPEED: "if n·v ≥ 0:  MOVING_AWAY",
        PlaneStage.TIME: "t ← (r − s₀) / (n·v)",
        MotionStop.OUT_OF_TIME: "if t > 1:  OUT_OF_TIME",
        MotionStop.HIT: "else:  HIT at t",
    },
    _plane_line,
    plane_text,
    (draw_plane_world, draw_plane_difference),
    colours={
        "winner": "first touch",
        "winner.diamond": "time of the first touch",
        "gap": "distance",
        "overlap": "approach n·v",
        "overlap.disc": "depth",
        "overlap.dotted": "from the displacement to its part along n",
        "normal": "the plane's normal n",
    },
)


# In scaled space.


def shows_scaled_space(context: Context) -> bool:
    """Whether the world's pane shows the scaled space in place of the world."""
    step = context.of_motion
    return (
        step is not None
        and isinstance(step.motion, ScaledPlaneStep)
        and step.motion.stage is ScaledPlaneStage.SCALED
        and Scaling.of(context.scene) is not None
    )


def draw_scaled_world(context: Context, draw: DrawList, step: ScaledPlaneStep, _: Motion, time: float) -> None:
    """Draws the ellipsoid with its radii, the scaled space, the arrival, or the point of contact in the world."""
    if shows_scaled_space(context):
        draw_scaled(context, draw, ScaleProbe(1.0))
        return
    draw_bodies_on_their_way(context, draw, time)
    index, theme = _bounded(context), context.theme
    centre = position_at(context, index, time)
    axes = context.scene.body(index).pose.matrix
    if step.stage is ScaledPlaneStage.ELLIPSOID:
        colours = theme.world_x, theme.world_y, theme.world_z
        for place, (radius, rgba) in enumerate(zip(step.radii.tolist(), colours, strict=True)):
            tip = centre + radius * axes[:, place]
            draw.strong(centre, tip, rgba, 2.8)
            words = f"S{'₁₂₃'[place]} {plain(radius)}"
            draw.label(words, tip, rgba, size=PLAIN, offset=(0.0, -10.0), priority=76 - place)
        normal = dots(axes, step.normal)
        _draw_normal(context, draw, centre + step.offset * normal, normal)
        return
    words = time_words(step.time) if step.time is not None else "n′·v′ is not towards the plane"
    if step.contact is None:
        draw.label(
            words, centre, theme.winner, size=STRONG, offset=(0.0, -22.0), priority=82, bold=True, kind="time-words"
        )
        return
    # Scaled back, the contact is relative to the position of the ellipsoid's centre at the start.
    touching = position_at(context, index, 0.0) + dots(axes, step.contact)
    draw.lines(centre, touching, theme.winner, 2.0, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.spots(touching, theme.winner, 5.4, theme.halo, 2.0)
    draw.label(
        f"q, {words}",
        touching,
        theme.winner,
        size=STRONG,
        offset=(0.0, 18.0),
        priority=82,
        bold=True,
        kind="point-names",
    )


def draw_scaled_difference(
    context: Context, draw: DrawList, step: ScaledPlaneStep, motion: Motion, time: float
) -> None:
    """Draws the origin's path, and its gap, if known, to the difference's plane, in the world's unscaled lengths."""
    draw_path(context, draw, motion, time)
    if step.stretch is None:
        return
    index = _bounded(context)
    normal = dots(context.scene.body(index).pose.matrix, step.normal)
    _draw_gap(context, draw, motion, normal, -step.offset - step.stretch, time, step.time)


def scaled_text(at: At[ScaledPlaneStep]) -> StepText:
    """The text of one stage of the computation for an ellipsoid against a plane."""
    stage, say = {
        ScaledPlaneStage.ELLIPSOID: ("its own axes", _scaled_own),
        ScaledPlaneStage.SCALED: ("scaled", _scaled_space),
        ScaledPlaneStage.TIME: ("time", _scaled_time),
        ScaledPlaneStage.CONTACT: ("contact", _scaled_contact),
    }[at.step.stage]
    return motion_text(at, "Scaled space, step", stage, say(at.step))


def _scaled_own(step: ScaledPlaneStep) -> StepWords:
    return (
        f"An ellipsoid with the radii S = {vector_text(step.radii)}, and a plane n·x = d.",
        "The plane and the motion v are turned into the ellipsoid's own axes, about its centre.",
        "There, scaling is simple: every coordinate is divided by the radius along it.",
        (
            Formula.of(_N, step.normal),
            Formula.of(_D, step.offset),
            Formula.of(_V, step.velocity),
        ),
    )


def _scaled_space(step: ScaledPlaneStep) -> StepWords:
    stretch, offset, apart = given(step.stretch), given(step.scaled_offset), step.stop is None
    return (
        "The plane and the motion in the ellipsoid's own axes.",
        f"Scaled, the ellipsoid is a unit sphere, {plain(-offset)} from the plane: "
        + ("it starts clear of it." if apart else "it touches the plane at the start."),
        "Points and displacements are divided by the radii. A normal is multiplied by them (the inverse transpose), "
        "then divided by its length h, which is also how far the ellipsoid reaches along n.",
        (
            Formula.of(equation(_H, Norm(_S * _N)), stretch, {_S * _N: step.radii * step.normal}),
            Formula.of(equation(_N1, _S * _N / _H), given(step.scaled_normal)),
            Formula.of(equation(_D1, _D / _H), offset, {_D: step.offset, _H: stretch}),
            Formula.of(equation(_V1, Power(_S, -1) * _V), given(step.scaled_velocity)),
        ),
    )


def _scaled_time(step: ScaledPlaneStep) -> StepWords:
    offset, speed = given(step.scaled_offset), given(step.speed)
    along = Formula.of(_N1 @ _V1, speed, {_N1: given(step.scaled_normal), _V1: given(step.scaled_velocity)})
    time_symbols = equation(_T, Quotient(Numeral("1", None, 1.0) + _D1, _N1 @ _V1))
    before = f"A unit sphere and the plane n′·x = d′, with d′ = {plain(offset)}."
    if step.time is None:
        return (
            before,
            f"Along n′ it moves n′·v′ = {plain(speed)}: not towards the plane.",
            "Scaling changes lengths, but never the side towards which the body moves.",
            (along,),
        )
    return (
        before,
        f"The unit sphere arrives at the plane at {time_text(step.time)}.",
        "It is a sphere of radius 1 against a plane. Scaling keeps times, but not distances.",
        (along, Formula.of(time_symbols, step.time, {_D1: offset, _N1 @ _V1: speed})),
    )


def _scaled_contact(step: ScaledPlaneStep) -> StepWords:
    return (
        f"The time, {time_text(given(step.time))}.",
        "The unit sphere touches at its point −n′. Scaling that back gives the ellipsoid's point.",
        "Bodies that touch in one space touch in the other: the map takes surface to surface and plane to plane.",
        (
            Formula.of(equation(_Q1, _T * _V1 - _N1), given(step.scaled_contact)),
            Formula.of(equation(_Q, _S * _Q1), given(step.contact)),
        ),
    )


def _scaled_line(step: ScaledPlaneStep) -> str:
    if step.stop is None or step.stage is ScaledPlaneStage.CONTACT:
        return step.stage
    if step.stage is ScaledPlaneStage.SCALED:
        return "at start"
    return MotionStop.OUT_OF_TIME if step.stop is MotionStop.OUT_OF_TIME else MotionStop.MOVING_AWAY


SCALED_STAGE = stage(
    "An ellipsoid against a plane",
    {
        "radii": "S ← the ellipsoid's radii, along its own axes",
        ScaledPlaneStage.ELLIPSOID: "n, d, v ← the plane and the displacement, in the same axes",
        "stretch": "h ← |S n|",
        ScaledPlaneStage.SCALED: "n′ ← S n / h,  d′ ← d / h,  v′ ← v / S",
        "at start": "if −d′ ≤ 1 within rounding:  contact at the start",
        MotionStop.MOVING_AWAY: "if n′·v′ ≥ 0:  MOVING_AWAY",
        ScaledPlaneStage.TIME: "t ← (1 + d′) / (n′·v′)",
        MotionStop.OUT_OF_TIME: "if t > 1:  OUT_OF_TIME",
        ScaledPlaneStage.CONTACT: "contact ← S (t v′ − n′),  HIT at t",
    },
    _scaled_line,
    scaled_text,
    (draw_scaled_world, draw_scaled_difference),
    # The scaled space takes the place of the world.
    hides=lambda context: OF_THE_WORLD if shows_scaled_space(context) else frozenset(),
    colours={
        "winner": "n by the inverse transpose",
        "winner.disc": "first touch",
        "winner.dashed": "from the centre to the first touch",
        "winner.diamond": "time of the first touch",
        "gap": "distance",
        "overlap": "n scaled like a point",
        "normal": "the plane's normal n",
    },
)

"""The stage of the GJK ray cast of the origin's path: the part proved free, and the plane that proves it."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from core.geometry.triple import triple
from core.geometry.vector import Array, dot, length
from core.pair.support import DifferencePoint, Support
from core.query.query import Query
from core.rays.raycast import GjkRaycastStep, GjkRaycastStop
from core.scene import Scene
from core.toi.motion import Motion
from core.toi.ray import DifferenceSupport

from ...draw.draw_list import DrawList, Hidden, Layer, Marker
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.solids import draw_sheet
from ...overlays.style import PLAIN, STRONG
from ...words.digits import MINUS, plain
from ...words.expression import Identifier, Norm, Quotient, equation, symbols
from ...words.formula import Formula, Values
from ..gjk.pictures import draw_names, draw_sides, region_name
from ..gjk.steps import drop_words, feature_words, simplex_words
from ..stage import At, StepBounds
from ..step_drawing import (
    ARROW_LENGTH,
    PROVES_LOWER,
    SHARED_LABEL_DISTANCE,
    draw_found_sources,
    draw_witnesses,
    names_in,
    strip,
    weighted_sources,
)
from ..word_parts import SIMPLICES, StepText, in_its_world, nearest_formula, sentences, shown
from . import DISTANCE_LEFT, draw_bodies_on_their_way, draw_free, draw_path, draw_way_marks, stage, time_words
from .word_parts import RAY_MEANINGS, answer_of, motion_text, point_of, stop_of, time_text


def draw_ray_world(context: Context, draw: DrawList, step: GjkRaycastStep, motion: Motion, time: float) -> None:
    """Draws, on the bodies at a time, the sources of the simplex, and the two nearest points."""
    draw_bodies_on_their_way(context, draw, time)
    points = [_moved(motion, support, time) for support in step.simplex]
    newest = None
    if step.support is not None and step.normal is not None:
        newest = _moved(motion, step.support, time, step.normal)
    names = names_in(context)
    numbered = [(names.number(support), point) for support, point in zip(_corners(step), points, strict=True)]
    number = None if newest is None else names.number(newest)
    draw_found_sources(context, draw, numbered, newest, "n", number)
    if len(step.region) < 4:
        on_a, on_b = weighted_sources([points[k] for k in step.region], step.weights)
        if length(on_a - on_b) > SHARED_LABEL_DISTANCE * 0.05 * context.extent.radius:
            draw_witnesses(context, draw, on_a, on_b, None)


def _corners(step: GjkRaycastStep) -> list[DifferencePoint]:
    return [point_of(support) for support in step.simplex]


def _moved(motion: Motion, support: Support, time: float, direction: Array | None = None) -> DifferencePoint:
    """A support point with its sources on the bodies at a time, relative to A's position at t = 0.

    `direction` (3,): of its search, if known.
    """
    point = point_of(support, direction)
    drift = time * motion.drift
    return replace(point, xyz_a=triple(point.a + drift), xyz_b=triple(point.b + drift + time * motion.displacement))


def draw_ray_difference(context: Context, draw: DrawList, step: GjkRaycastStep, motion: Motion, _time: float) -> None:
    """Draws the path as far as it is proved free, the simplex with its point nearest x, and the support plane."""
    theme, way = context.theme, motion.displacement
    draw_path(context, draw, motion, step.t)
    draw_free(context, draw, way, min(step.t, 1.0))
    _draw_simplex(context, draw, step)
    if step.normal is not None and step.support is not None:
        _draw_clip(context, draw, step, step.normal, step.support, way)
    if len(step.region) < 4 and length(step.point - step.closest) > 0.0:
        draw.strong(step.point, step.closest, theme.upper, 2.4)
        # Smaller than the marks of x and of the end of the free part, which come to the same place, and with a rim.
        draw.spots(step.closest, theme.upper, 3.4, theme.halo, 1.4, shape=Marker.DIAMOND)
        where = region_name(names_in(context).of(_corners(step)[k] for k in step.region))
        draw.label(
            f"v on {where}",
            step.closest,
            theme.upper,
            size=STRONG,
            offset=(34.0, 14.0),
            priority=80,
            bold=True,
            kind="point-names",
        )
    words = f"x, {time_words(step.t)}" if step.t > 0.0 else "x"
    draw.label(
        words, step.point, theme.origin, size=PLAIN, offset=(30.0, -12.0), priority=83, bold=True, kind="point-names"
    )


def _draw_simplex(context: Context, draw: DrawList, step: GjkRaycastStep) -> None:
    theme, region = context.theme, set(step.region)
    corners = np.array([support.point for support in step.simplex])
    draw_sides(draw, theme, corners, region)
    for number, corner in enumerate(corners):
        fill, stroke = (theme.winner, theme.halo) if number in region else (theme.halo, theme.winner)
        draw.spots(corner, fill, 5.0, stroke, 1.6)
    draw_names(context, draw, _corners(step), corners, outward=False)


def _draw_clip(
    context: Context, draw: DrawList, step: GjkRaycastStep, normal: Array, support: Support, way: Array
) -> None:
    """Draws the plane through the farthest point along n, moved out by the radii, and where the path crosses it.

    `normal` (3,): n, unit; `way` (3,): the whole path.
    """
    theme, size = context.theme, context.extent.radius
    margin = 0.16 * size
    assert isinstance(support, DifferenceSupport)
    through = support.point + core_radii(context.scene) * normal
    # The sheet is drawn about the place where the path crosses the plane, or else about the foot of x.
    onto = step.next_t * way if step.clipped else step.point - dot(step.point - through, normal) * normal
    plane = strip(onto, through, normal, margin, 1.6 * margin)
    draw_sheet(draw, plane, theme.lower, 0.13, 0.65, hidden=Hidden.SHOW, layer=Layer.BACK)
    tip = through + ARROW_LENGTH * size * normal
    draw.strong(through, tip, theme.lower, 2.6, arrow_end=12.0)
    draw.label("n", tip, theme.lower, size=PLAIN, offset=(12.0, -6.0), priority=72, bold=True, kind="direction-names")
    draw.spots(support.point, faded(theme.lower, 0.0), 8.0, theme.lower, 2.6, shape=Marker.RING)
    found = point_of(support)
    if found.xyz not in [point_of(corner).xyz for corner in step.simplex]:
        word = names_in(context).words(context.scene, found)
        draw.label(
            word,
            support.point,
            theme.lower,
            size=PLAIN,
            offset=(0.0, 16.0),
            priority=68,
            bold=True,
            kind="point-names",
        )
    if step.clipped:
        word = f"free until {time_words(step.next_t)}"
        draw_way_marks(draw, context, (step.next_t * way)[None], [word], theme.lower)


def ray_text(at: At[GjkRaycastStep]) -> StepText:
    """The text of one iteration of the ray cast."""
    query, step, stop, corners = at.query, at.step, None, _corners(at.step)
    if step.stop is not None:
        stop = stop_of(at, step.stop.value, in_its_world(query, RAY_MEANINGS[step.stop]))
    nearest = (
        f"The point of the simplex nearest to x is v on {feature_words(at.names.of(corners[k] for k in step.region))}, "
        f"{plain(max(step.distance, 0.0))} away."
    )
    if len(step.region) == 1 + at.dimension:
        nearest = f"The point x is inside {SIMPLICES[len(step.region)].replace('a ', 'the ')}."
    decided = sentences(
        nearest,
        in_its_world(query, _plane_words(at)),
        drop_words(at),
    )
    why = in_its_world(query, _ray_why(query, step))
    simplex = simplex_words(at.names, query, corners)
    free = "The origin starts" if step.t == 0.0 else f"The bodies are proved apart until t = {plain(step.t)}"
    known = f"{free}; x is the origin's place then. The simplex of A {MINUS} B: {simplex}."
    said = known, decided, why, _ray_formulas(at)
    return motion_text(at, "Ray cast, step", SIMPLICES[len(step.simplex)], said, stop)


def _plane_words(at: At[GjkRaycastStep]) -> str:
    step = at.step
    if step.support is None:
        return ""
    found = f"The support point along n is {at.names.words(at.query.analysis.scene, point_of(step.support))}."
    if step.stop is GjkRaycastStop.MISS:
        return f"{found} x is beyond the plane through it, and the path leads away from that plane."
    if step.clipped:
        until = time_text(step.next_t)
        return f"{found} x is beyond the plane through it: the path up to that plane is free, until {until}."
    return f"{found} Its plane proves nothing more of the path free."


def _ray_why(query: Query, step: GjkRaycastStep) -> str:
    moves = "B moves by d and A − B keeps its shape. Seen from A − B, the origin moves instead, along t d."
    if step.support is None:
        return moves
    plane = "Nothing in A − B lies beyond the plane through its support point, so no contact comes before that plane."
    radius = core_radii(query.analysis.scene)
    note = f"The radii, {plain(radius)} together, move the plane out." if radius else ""
    return sentences(plane if step.t > 0.0 else f"{moves} {plane}", note)


def core_radii(scene: Scene) -> float:
    """The sum of the radii of both bodies, which the cast handles apart from the cores."""
    return sum(body.shape.core.radius for body in (scene.a, scene.b) if body.shape.core is not None)


_X, _T, _NEXT, _D, _N, _V, _R = symbols("x t t′ d n v r")
_AHEAD = Identifier("ahead")


def _ray_formulas(at: At[GjkRaycastStep]) -> tuple[Formula, ...]:
    query, step, points = at.query, at.step, _corners(at.step)
    way, radius = answer_of(query).motion.displacement, core_radii(query.analysis.scene)
    nearest = nearest_formula(at.names, points, step.region, step.weights, shown(query, step.closest))
    factors: Values | None = {_T: step.t, _D: shown(query, way)} if step.t else None
    place = Formula.of(equation(_X, _T * _D), shown(query, step.point), factors)
    found = [place, nearest, _left_formula(query, step, radius)]
    if step.normal is None or step.support is None:
        return tuple(found)
    arm = step.point - step.support.point
    ahead = dot(step.normal, arm) - radius
    slope = dot(step.normal, way)
    normal, arm, way = (shown(query, vector) for vector in (step.normal, arm, way))
    w = at.names.symbol(point_of(step.support))
    of_core = _N @ (_X - w)
    values: Values = {_N: normal, _X - w: arm, _R: radius}
    found.append(Formula.of(equation(_N, (_X - _V) / Norm(_X - _V)), normal))
    found.append(Formula.of(equation(_AHEAD, of_core - _R if radius else of_core), ahead, values))
    found.append(Formula.of(_N @ _D, slope, {_N: normal, _D: way}))
    if step.clipped:
        times = {_T: step.t, _AHEAD: ahead, _N @ _D: slope}
        found.append(Formula.of(equation(_NEXT, _T - Quotient(_AHEAD, _N @ _D)), step.next_t, times))
    return tuple(found)


def _left_formula(query: Query, step: GjkRaycastStep, radius: float) -> Formula:
    arm = step.point - step.closest
    far = length(arm)
    if not radius:
        return Formula.of(Norm(_X - _V), far, {_X - _V: shown(query, arm)})
    away = Norm(_X - _V)
    return Formula.of(equation(Identifier("left"), away - _R), step.distance, {away: far, _R: radius})


_SAME_LINE = {GjkRaycastStop.INSIDE: GjkRaycastStop.HIT, GjkRaycastStop.NO_PROGRESS: GjkRaycastStop.GRAZING}
RAY_STAGE = stage(
    "GJK ray cast of the origin's path",
    {
        "start": "t ← 0,  x ← the origin,  W ← { a point of A − B }",
        "repeat": "repeat:",
        "nearest": "    v ← point of W nearest x",
        GjkRaycastStop.HIT: "    if x is at v within rounding:  HIT (at the start INSIDE)",
        "normal": "    n ← (x − v) / |x − v|",
        "support": "    w ← support point of A − B along n",
        GjkRaycastStop.MISS: "    if x is in front of w's plane, and n·d ≥ 0:  MISS",
        "advance": "    if x is in front:  t ← t − n·(x − w) / (n·d),  x ← t d",
        GjkRaycastStop.BEYOND_REACH: "    if t > 1:  BEYOND_REACH",
        GjkRaycastStop.GRAZING: "    if nothing changes any more:  GRAZING or NO_PROGRESS",
        GjkRaycastStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "grow": "    W ← corners of W that hold v, and w",
    },
    lambda step: _SAME_LINE.get(step.stop, step.stop or ("advance" if step.clipped else "grow")),
    ray_text,
    (draw_ray_world, draw_ray_difference),
    bounds=StepBounds(*DISTANCE_LEFT),
    colours=PROVES_LOWER
    | {
        "winner": "simplex",
        "winner.disc": "corner of the simplex",
        "winner.hollow": "no longer in the simplex",
        "difference:winner.dotted": "no longer in the simplex",
        "gap": "normal n",
        "gap.bold": "free part of the path",
        "overlap": "distance of v",
        "overlap.diamond": "nearest point v",
    },
)

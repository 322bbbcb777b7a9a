"""Two ways of going forwards in time in words: the GJK ray cast of the origin, and conservative advancement."""

from __future__ import annotations

from math import isfinite

import numpy as np

from core.geometry.vector import dot, length
from core.query.query import Query
from core.rays.raycast import GjkRaycastStep, GjkRaycastStop
from core.toi import AdvancementStep, MotionStop
from core.toi.advancement import ClosingBound

from ...words.axis_words import MINUS, instant, listed, plain
from ...words.motion_words import signed_units
from ..gjk.words import change_words, nearest_formula, simplex_words
from ..stage import At
from ..word_parts import (
    Formula,
    StepText,
    column,
    curved,
    dot_formula,
    equals,
    in_its_world,
    length_formula,
    numbered,
    rounded,
    row,
    sentences,
    shown,
    source_names,
    tex,
    tex_sign,
    vectors_equal,
)
from .word_parts import (
    RAY_MEANINGS,
    answer_of,
    height_formula,
    point_of,
    ratio_formula,
    stop_of,
    sum_formula,
    told,
    value_formula,
    vector_formula,
    when,
)

_SIMPLICES = ("", "a point", "a segment", "a triangle", "a tetrahedron")
_REGIONS = ("", "the vertex", "the edge", "the face")

_BOUNDS = {
    ClosingBound.RATE: "No point moves along n faster than straight motion and turning allow together: "
    "so long, at least, the gap lasts.",
    ClosingBound.STILL: "Tighter than the rate: how far each body reaches along n while it turns, with n at rest.",
    ClosingBound.WITH_A: "Tighter than the rate: how far each body reaches along n while n turns with A.",
    ClosingBound.WITH_B: "Tighter than the rate: how far each body reaches along n while n turns with B.",
    ClosingBound.WITH_EDGES: "Tighter than the rate: how far each body reaches along n while n stays across two edges.",
}


# The ray cast.


def ray_text(at: At[GjkRaycastStep]) -> StepText:
    """Words about one iteration of the ray cast."""
    query, step, stop = at.query, at.step, None
    if step.stop is not None:
        stop = stop_of(at, step.stop.value, in_its_world(query, RAY_MEANINGS[step.stop]))
    decided = sentences(
        _nearest_words(query, step),
        in_its_world(query, _plane_words(query, step)),
        change_words(at, "w is a corner already"),
    )
    why = in_its_world(query, _ray_why(query, step))
    said = _ray_known(query, step), decided, why, _ray_formulas(query, step)
    return told(at, "Ray cast, step", _SIMPLICES[len(step.simplex)], said, stop)


def _ray_known(query: Query, step: GjkRaycastStep) -> str:
    simplex = simplex_words(query, [point_of(support) for support in step.simplex])
    free = "The origin sets out" if step.t == 0.0 else f"The bodies are proved apart until t = {plain(step.t)}"
    return f"{free}, and x is where the origin is then. The simplex of A {MINUS} B: {simplex}."


def _nearest_words(query: Query, step: GjkRaycastStep) -> str:
    if len(step.region) == 1 + len(shown(query, step.point)):
        return f"The point x is inside {_SIMPLICES[len(step.region)].replace('a ', 'the ')}."
    names = listed([numbered("w", k) for k in step.region])
    of = f"{_REGIONS[len(step.region)]} {'' if len(step.region) == 1 else 'of '}{names}"
    return f"Nearest to x is v on {of}, {plain(max(step.distance, 0.0))} away."


def _plane_words(query: Query, step: GjkRaycastStep) -> str:
    if step.support is None:
        return ""
    point = point_of(step.support)
    name = "w" if curved(point) else f"w = {source_names(query.analysis.scene, point)}"
    found = f"Farthest along n lies {name}."
    if step.stop is GjkRaycastStop.MISS:
        return f"{found} Beyond the plane through it is x, and the path leads away from it."
    if step.clipped:
        return f"{found} Beyond the plane through it is x: the way up to that plane is free, until {when(step.next_t)}."
    return f"{found} Its plane cuts nothing off the way."


def _ray_why(query: Query, step: GjkRaycastStep) -> str:
    moves = "B moves by d while A − B stays as it is: seen from there the origin moves instead, along t d."
    if step.support is None:
        return moves
    plane = "Nothing of A − B lies beyond the plane through its farthest point, so no contact comes before it."
    radius = _radius(query)
    note = f"The radii, {plain(radius)} together, move the plane out." if radius else ""
    return sentences(plane if step.t > 0.0 else f"{moves} {plane}", note)


def _radius(query: Query) -> float:
    """Both radii of the bodies' cores together, which the cast keeps apart from them."""
    cores = [body.shape.core for body in (query.analysis.scene.a, query.analysis.scene.b)]
    return sum(core.radius for core in cores if core is not None)


def _ray_formulas(query: Query, step: GjkRaycastStep) -> tuple[Formula, ...]:
    way, radius = answer_of(query).motion.displacement, _radius(query)
    points = tuple(point_of(support) for support in step.simplex)
    nearest = nearest_formula(points, step.region, step.weights, step.closest, len(shown(query, way)))
    found = [_position_formula(query, step, way), nearest, _left_formula(query, step, radius)]
    if step.normal is None or step.support is None:
        return tuple(found)
    arm = step.point - step.support.point
    ahead = dot(step.normal, arm) - radius
    slope = dot(step.normal, way)
    normal, arm, way = (shown(query, vector) for vector in (step.normal, arm, way))
    found.append(vector_formula(r"n = (x - v) / \lVert x - v\rVert", ("n", "n"), normal))
    symbolic = r"\mathit{ahead} = n\cdot(x - w)" + (" - r" if radius else "")
    names = ("ahead", r"\mathit{ahead}")
    if radius:
        found.append(height_formula(symbolic, names, (normal, arm), radius, ahead))
    else:
        found.append(dot_formula(symbolic, *names, (normal, arm), ahead))
    found.append(dot_formula(r"n\cdot d", "n·d", r"n\cdot d", (normal, way), slope))
    if step.clipped:
        found.append(_later_formula(step.t, ahead, slope, step.next_t))
    return tuple(found)


def _position_formula(query: Query, step: GjkRaycastStep, way: np.ndarray) -> Formula:
    point, way = shown(query, step.point), shown(query, way)
    worked_out = [rounded(step.t) * rounded(part) for part in way]
    if step.t == 0.0:
        return vector_formula(r"x = t\,d", ("x", "x"), point)
    sign = vectors_equal(worked_out, point)
    return Formula(
        r"x = t\,d",
        rf"x = {tex(step.t)} \, {column(way)} {tex_sign(sign)} {column(point)}",
        f"x = {plain(step.t)} {row(way)} {sign} {row(point)}",
    )


def _left_formula(query: Query, step: GjkRaycastStep, radius: float) -> Formula:
    arm = step.point - step.closest
    far = length(arm)
    if not radius:
        return length_formula(r"\lVert x - v\rVert", "|x − v|", r"\lVert x - v\rVert", shown(query, arm), far)
    symbolic = r"\mathit{left} = \lVert x - v\rVert - r"
    return sum_formula(symbolic, ("left", r"\mathit{left}"), (far, -radius), step.distance)


def _later_formula(time: float, ahead: float, slope: float, result: float) -> Formula:
    sign = equals(rounded(time) - rounded(ahead) / rounded(slope), result)
    return Formula(
        r"t' = t - \dfrac{\mathit{ahead}}{n\cdot d}",
        rf"t' = {tex(time)} - \dfrac{{{tex(ahead)}}}{{{tex(slope)}}} {tex_sign(sign)} {tex(result)}",
        f"t′ = {plain(time)} {MINUS} {plain(ahead)} / ({plain(slope)}) {sign} {plain(result)}",
    )


# Conservative advancement.


def advancement_text(at: At[AdvancementStep]) -> StepText:
    """Words about one look at the bodies and how far time may go from there."""
    query, step = at.query, at.step
    apart = f"The bodies are proved apart until t = {plain(step.time)}."
    known = apart if step.time > 0.0 else "The bodies stand where they start."
    known += " Where they are then, their distance and its direction n are known."
    why = in_its_world(query, _advance_reason(step))
    said = known, _advance_words(step), why, _advance_formulas(query, step)
    return told(at, "Advancement, look", f"t = {instant(step.time)}", said)


def _advance_words(step: AdvancementStep) -> str:
    seen = f"At t = {plain(step.time)} the separation is {signed_units(step.distance)}."
    if step.stop is MotionStop.HIT:
        return f"{seen} That counts as arrived."
    if step.stop in (MotionStop.MOVING_AWAY, MotionStop.PASSES_BY):
        return f"{seen} Along n the bodies come no nearer from here on."
    if not isfinite(step.next_time):
        return f"{seen} Before the motion ends the gap cannot close."
    return f"{seen} Nothing can touch before {when(step.next_time)}."


def _advance_reason(step: AdvancementStep) -> str:
    if step.stop is MotionStop.HIT:
        return "There is no gap left to divide by the rate: going on would only be rounding."
    if step.rate <= 0.0:
        return "A plane across n lies between them, and neither body moves towards it."
    return _BOUNDS[step.bound]


def _advance_formulas(query: Query, step: AdvancementStep) -> tuple[Formula, ...]:
    motion, normal = answer_of(query).motion, shown(query, step.normal)
    name = "straight" if motion.rotates else "rate"
    symbolic, tex_name = rf"\mathit{{{name}}} = (v_A - v_B)\cdot n", rf"\mathit{{{name}}}"
    found = [
        vector_formula("n", ("n", "n"), normal),
        dot_formula(symbolic, name, tex_name, (shown(query, -motion.displacement), normal), step.straight),
    ]
    if motion.rotates:
        symbolic = r"\lVert\omega_A\times n\rVert r_A + \lVert\omega_B\times n\rVert r_B"
        found.append(value_formula(symbolic, ("turning", r"\mathit{turning}"), step.turning))
        symbolic = r"\mathit{rate} = \mathit{straight} + \mathit{turning}"
        parts = (step.straight, step.turning)
        found.append(sum_formula(symbolic, ("rate", r"\mathit{rate}"), parts, step.rate))
    if step.stop in (MotionStop.HIT, MotionStop.MOVING_AWAY, MotionStop.PASSES_BY) or not isfinite(step.next_time):
        return tuple(found)
    if step.bound is ClosingBound.RATE and step.lower > 0.0 and step.rate > 0.0:
        symbolic = r"t' = t + \dfrac{D}{\mathit{rate}}"
        found.append(ratio_formula(symbolic, ("t′", "t'"), (step.lower,), step.rate, step.next_time, step.time))
    else:
        found.append(value_formula("t'", ("t′", "t'"), step.next_time))
    return tuple(found)

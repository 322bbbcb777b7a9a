"""The plane's closed form in words: the origin's path against the lines and the arcs of the grown difference."""

from __future__ import annotations

from math import inf

import numpy as np

from core.geometry.vec2 import dot, length
from core.query.query import Query
from core.toi import MotionStop
from core.toi.plane import ArcStep, GrownEdgeStep

from ...words.axis_words import plain
from ..stage import At
from ..word_parts import Formula, StepText, chosen_formula, dot_formula, row, sentences
from .word_parts import answer_of, ratio_formula, root_formula, told, value_formula, when


def rounded_text(at: At[GrownEdgeStep | ArcStep]) -> StepText:
    """Words about one edge's line, or about the arc that decides."""
    query, step = at.query, at.step
    if isinstance(step, ArcStep):
        return _arc_text(at, step)
    before = at.before if isinstance(at.before, GrownEdgeStep) else None
    said = _so_far(before), _crossing(query, step), _reason(step), _line_formulas(query, before, step)
    return told(at, "Grown A − B, line", step.label, said)


def _so_far(before: GrownEdgeStep | None) -> str:
    if before is None:
        return "B moves by d while A − B stays as it is: seen from there the origin moves instead, along t d."
    found = []
    if before.latest_edge is not None:
        found.append(f"the latest entry is t = {plain(before.latest)}")
    if before.earliest_edge is not None:
        found.append(f"the earliest exit t = {plain(before.earliest)}")
    return f"So far {', '.join(found)}." if found else "No line has told anything yet."


def _crossing(query: Query, step: GrownEdgeStep) -> str:
    """When the origin crosses the line, and what that changes."""
    if step.time is None:
        outside = step.height > answer_of(query).motion.band
        side = f"{plain(abs(step.height))} {'outside' if step.height > 0.0 else 'inside'}"
        found = f"The path runs along the line, {side}: " + (
            "the origin never comes in." if outside else "it tells nothing."
        )
    else:
        found = f"The origin {'comes in' if step.speed < 0.0 else 'goes out'} over this line at {when(step.time)}."
    changes = []
    if step.latest_edge == step.edge:
        changes.append("It is the latest entry so far.")
    if step.earliest_edge == step.edge:
        changes.append("It is the earliest exit so far.")
    if step.apart:
        changes.append("The bodies are proved apart.")
    if step.stop is MotionStop.HIT:
        changes.append("Where the latest entry is, the origin is on that edge itself: the bodies meet.")
    return sentences(found, *changes)


def _reason(step: GrownEdgeStep) -> str:
    if step.apart:
        return "From one entry to one exit the origin is within all the lines; here there is no such time left."
    grown = f", moved out by the radii r = {plain(step.radius)}," if step.radius else ""
    return f"All of A − B lies on the inner side of each edge's line{grown} so the origin must be within every one."


def _line_formulas(query: Query, before: GrownEdgeStep | None, step: GrownEdgeStep) -> tuple[Formula, ...]:
    normal, start = np.array(step.normal), np.array(step.start)
    way = answer_of(query).motion.displacement[:2]
    found = [
        dot_formula(r"h = -n\cdot p", "h", "h", (-normal, start), step.height),
        dot_formula(r"s = n\cdot d", "s", "s", (normal, way), step.speed),
    ]
    if step.time is None:
        return tuple(found)
    found.append(ratio_formula(r"t = \dfrac{-h}{s}", ("t", "t"), (0.0 - step.height,), step.speed, step.time))
    latest, earliest = (-inf, inf) if before is None else (before.latest, before.earliest)
    if step.speed < 0.0:
        found.append(chosen_formula("max", "latest", "t", latest, step.time, step.latest))
    else:
        found.append(chosen_formula("min", "earliest", "t", earliest, step.time, step.earliest))
    return tuple(found)


def _arc_text(at: At[GrownEdgeStep | ArcStep], step: ArcStep) -> StepText:
    x, y, _ = answer_of(at.query).motion.displacement.tolist()
    arc = f"radius r = {plain(step.radius)} about c = {row(step.centre)}"
    if step.entered is None:
        known = f"Of two circles A − B is one, of {arc}: the radii added, about the way from B's centre to A's."
        why = "Two circles meet where a point meets the circle of both radii: A is grown by B's radius."
    else:
        known = f"The origin comes within all the lines at {when(step.entered)}, beside the end of an edge: in the "
        known += f"nook before the arc of {arc}."
        why = "The nook between two lines and the arc is no part of A − B. From it the path goes in through the arc, "
        why += "or past it and out over the other line."
    along = dot(step.centre, (x, y))
    formulas: list[Formula] = [
        ratio_formula(
            r"t_m = \dfrac{c\cdot d}{d\cdot d}", ("tₘ", "t_m"), (along,), dot((x, y), (x, y)), step.nearest_time
        ),
        value_formula(r"m = \lVert t_m d - c\rVert", ("m", "m"), step.nearest),
    ]
    if step.time is not None:
        symbolic = r"t = t_m - \dfrac{\sqrt{r^2 - m^2}}{\lVert d\rVert}"
        speed = length((x, y))
        formulas.append(root_formula(symbolic, step.nearest_time, step.radius, step.nearest, speed, step.time))
    said = known, _arc_words(step), why, tuple(formulas)
    return told(at, "Grown A − B, step", f"the arc about {step.label}", said)


def _arc_words(step: ArcStep) -> str:
    if step.stop is MotionStop.HIT and step.time is not None:
        return f"The way to c is r for the first time at {when(step.time)}: there the bodies meet."
    near = f"It comes as near to c as {plain(step.nearest)}, at {when(step.nearest_time)}"
    if step.stop is MotionStop.GRAZING:
        return f"{near}: r to rounding, and no nearer."
    if step.time is None:
        return f"{near}, and misses the arc by {plain(step.nearest - step.radius)}."
    return f"{near}, and is r from it first at {when(step.time)}."

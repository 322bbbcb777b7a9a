"""Two closed forms in words: two moving spheres, and a sphere past a box through the 27 regions about it."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, dot, length
from core.query.query import Query
from core.toi import GrownPiece, MotionStop, SphereBoxStep, SpheresStage, SpheresStep

from ...words.axis_words import MINUS, listed, plain
from ...words.motion_words import signed_units
from ..stage import At
from ..word_parts import Formula, StepText, dot_formula, equals, length_formula, rounded, row, tex, tex_sign
from .word_parts import Said, answer_of, middle_of, root_formula, sum_formula, told, value_formula, vector_formula, when

_REGION_REASONS = {
    GrownPiece.INSIDE: "Here the centre is in the box itself, so they meet at the latest where it enters.",
    GrownPiece.FACE: "In a face's region one coordinate lies outside: the grown box has a flat face there, and the "
    "test is a linear one.",
    GrownPiece.EDGE: "In an edge's region two coordinates lie outside: the grown box has a quarter cylinder there, and "
    "the test is a quadratic in two.",
    GrownPiece.CORNER: "In a corner's region all three lie outside: the grown box has an octant of a sphere there.",
}


# Two spheres.


def spheres_text(at: At[SpheresStep]) -> StepText:
    """Words about one stage of two moving spheres."""
    stage, say = {
        SpheresStage.START: ("the start", _spheres_start),
        SpheresStage.CLOSEST: ("closest approach", _spheres_closest),
        SpheresStage.ROOT: ("the root", _spheres_root),
    }[at.step.stage]
    return told(at, "Spheres, step", stage, say(at.query, at.step))


def _spheres_start(query: Query, step: SpheresStep) -> Said:
    a, b = answer_of(query).motion.a.shape.core, answer_of(query).motion.b.shape.core
    assert a is not None
    assert b is not None
    size = length(step.offset)
    apart = step.stop is None
    return (
        f"B's centre is at c = {row(step.offset)} from A's, and moves by v = {row(step.velocity)} as A sees it.",
        f"At the start the centres are {plain(size)} apart, {'more than' if apart else 'no more than'} "
        f"r = {plain(step.reach)}: the spheres {'are apart' if apart else 'meet at once'}.",
        "Two spheres meet where a point meets the sphere of both radii: A is grown by B's radius.",
        (
            length_formula(r"\lVert c\rVert", "|c|", r"\lVert c\rVert", step.offset, size),
            sum_formula(r"r = r_A + r_B", ("r", "r"), (a.radius, b.radius), step.reach),
        ),
    )


def _spheres_closest(_query: Query, step: SpheresStep) -> Said:
    assert step.closest_time is not None
    assert step.closest is not None
    gap = step.closest - step.reach
    nearest = step.offset + step.closest_time * step.velocity
    formulas: list[Formula] = []
    if step.velocity.any():
        product, square = dot(step.offset, step.velocity), dot(step.velocity, step.velocity)
        formulas = [
            dot_formula(r"c\cdot v", "c·v", r"c\cdot v", (step.offset, step.velocity), product),
            _clamped_time(-product, square, step.closest_time),
        ]
    formulas.append(length_formula(r"m = \lVert c + t_m v\rVert", "m", "m", nearest, step.closest))
    return (
        f"The centres are {plain(length(step.offset))} apart at the start, and r = {plain(step.reach)}.",
        f"They are nearest at {when(step.closest_time)}: {plain(step.closest)} apart, "
        + ("which r reaches: they meet." if step.stop is None else f"{signed_units(gap)} clear of r."),
        "The square of the distance is a parabola in t, lowest where c + t v is at right angles to v.",
        tuple(formulas),
    )


def _clamped_time(top: float, bottom: float, result: float) -> Formula:
    sign = equals(min(max(rounded(top) / rounded(bottom), 0.0), 1.0), result)
    return Formula(
        r"t_m = \min(\max(-\dfrac{c\cdot v}{v\cdot v},\, 0),\, 1)",
        rf"t_m = \min(\max(\dfrac{{{tex(top)}}}{{{tex(bottom)}}},\, 0),\, 1) {tex_sign(sign)} {tex(result)}",
        f"tₘ = min(max({plain(top)} / {plain(bottom)}, 0), 1) {sign} {plain(result)}",
    )


def _spheres_root(_query: Query, step: SpheresStep) -> Said:
    assert step.time is not None
    assert step.closest is not None
    known = f"The centres come as near as {plain(step.closest)}, and r = {plain(step.reach)}."
    if step.stop is MotionStop.GRAZING:
        return (
            known,
            f"They graze at {when(step.time)}.",
            "The least distance is r to rounding: the two roots are one.",
            (value_formula("t = t_m", ("t", "t"), step.time),),
        )
    symbolic = r"t = t_m - \dfrac{\sqrt{r^2 - m^2}}{\lVert v\rVert}"
    speed, middle = length(step.velocity), middle_of(step.offset, step.velocity)
    nearest = length(step.offset + middle * step.velocity)
    return (
        known,
        f"They meet at {when(step.time)}.",
        "The distance is r at two times, equally long before and after the nearest. The smaller root is the first "
        "contact, as time runs forwards.",
        (root_formula(symbolic, middle, step.reach, nearest, speed, step.time),),
    )


# A sphere and the 27 regions.


def regions_text(at: At[SphereBoxStep]) -> StepText:
    """Words about the bounding spheres, or about one region on the centre's path."""
    step = at.step
    if step.crossing is None:
        return told(at, "Regions, step", "bounding spheres", _bounding(step))
    return told(at, "Regions, step", named(step.crossing.name), _region(step))


def named(region: str) -> str:
    """A region's name with true minus signs."""
    return region.replace("-", MINUS)


def _bounding(step: SphereBoxStep) -> Said:
    names = list(dict.fromkeys(named(crossing.name) for crossing in step.crossings))
    known = (
        f"In the box's frame the sphere's centre runs from {row(step.centre)} by v = {row(step.velocity)}, through "
        f"{'the region' if len(names) == 1 else 'the regions'} {listed(names)}."
    )
    reason = "Around the box lies a ball with half its diagonal, |h|, as radius: a cheap test before the exact one."
    if step.stop in (MotionStop.OVERLAPPING_AT_START, MotionStop.TOUCHING_AT_START):
        words = f"At the start the separation is {signed_units(step.nearest)} already: they meet at once."
        return known, words, reason, ()
    at = step.centre + step.nearest_time * step.velocity
    far, around = length(at), length(step.half_extents)
    clear = step.stop is not None
    decided = (
        f"The bounding spheres come nearest at {when(step.nearest_time)}, {signed_units(step.nearest)} apart: "
        + ("they never meet." if clear else "not enough to rule it out.")
    )
    symbolic = r"\mathit{gap} = \lVert x\rVert - \lVert h\rVert - r"
    formulas = (
        length_formula(r"\lVert x\rVert", "|x|", r"\lVert x\rVert", at, far),
        sum_formula(symbolic, ("gap", r"\mathit{gap}"), (far, -around, -step.radius), step.nearest),
    )
    return known, decided, reason, formulas


def _region(step: SphereBoxStep) -> Said:
    crossing = step.crossing
    assert crossing is not None
    piece = crossing.piece.value + (f" about {crossing.feature}" if crossing.feature else "")
    article = "an" if piece[0] in "aeiou" else "a"
    there = "the inside of the box" if piece == "inside" else f"{article} {piece}"
    known = (
        f"From t = {plain(crossing.enter)} to {plain(crossing.leave)} the centre is in {named(crossing.name)}, and "
        f"what of the grown box lies there is {there}."
    )
    if step.stop is MotionStop.HIT and step.time is not None:
        decided = f"The centre reaches the grown box at {when(step.time)}: they meet."
    else:
        decided = (
            f"The nearest here is at {when(step.nearest_time)}: {signed_units(step.nearest)} between the surfaces."
        )
        decided += _after(step)
    return known, decided, _REGION_REASONS[crossing.piece], _region_formulas(step, crossing.sides)


def _after(step: SphereBoxStep) -> str:
    if step.stop is None:
        return " The path goes on into the next region."
    if step.stop is MotionStop.GRAZING and step.time is not None:
        return f" The nearest of all, at {when(step.time)}, is touching to rounding."
    return " The path ends here, without a contact."


def beyond(step: SphereBoxStep, sides: tuple[int, int, int], time: float) -> Array:
    """The coordinates (3,) of the centre that lie outside, measured from the box's surface; 0 for the others."""
    signs = np.array(sides, dtype=np.float64)
    centre = step.centre + time * step.velocity
    found: Array = np.where(signs != 0.0, signs * centre - step.half_extents, 0.0)
    return found


def _region_formulas(step: SphereBoxStep, sides: tuple[int, int, int]) -> tuple[Formula, ...]:
    if not any(sides):
        return ()
    start = beyond(step, sides, 0.0)
    way = beyond(step, sides, 1.0) - start
    if step.stop is MotionStop.HIT and step.time is not None and way.any():
        # In one dimension every line goes through the surface.
        middle = middle_of(start, way)
        nearest = 0.0 if sum(map(abs, sides)) == 1 else length(start + middle * way)
        symbolic = r"t = t_m - \dfrac{\sqrt{r^2 - m^2}}{\lVert v_y\rVert}"
        found = root_formula(symbolic, middle, step.radius, nearest, length(way), step.time)
        y = beyond(step, sides, step.time)
        return vector_formula("y(t)", ("y", "y"), y), found
    y = beyond(step, sides, step.nearest_time)
    far = length(y)
    return (
        length_formula(r"\lVert y\rVert", "|y|", r"\lVert y\rVert", y, far),
        sum_formula(r"\mathit{gap} = \lVert y\rVert - r", ("gap", r"\mathit{gap}"), (far, -step.radius), step.nearest),
    )

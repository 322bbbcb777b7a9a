"""The stages of two moving spheres, and of a sphere past a box through the 27 regions about the box.

A step of the second method lights the region that the centre is in, and the part of the grown box there.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, dot, length
from core.query.query import Query
from core.scene import Scene
from core.toi.motion import Motion, MotionStop
from core.toi.spheres import GrownPiece, SphereBoxStep, SpheresStage, SpheresStep

from ...draw.draw_list import DrawList, Hidden
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.regions import box_of, crossing_words, draw_regions_step, piece_rgba
from ...overlays.solids import draw_hull_outline, round_points
from ...overlays.style import PLAIN, STRONG
from ...words.axis_words import listed
from ...words.digits import MINUS, plain, signed, told_together
from ...words.expression import FunctionCall, Identifier, Norm, Quotient, Symbol, equation, least, most, symbols
from ...words.formula import Formula, numeral
from ...words.motion_words import signed_units
from ...words.names import feature_name
from ..stage import At, given
from ..word_parts import StepText, vector_text
from . import (
    dotted,
    draw_bodies_on_their_way,
    draw_measured_line,
    draw_path,
    draw_way_marks,
    position_at,
    stage,
    time_words,
)
from .word_parts import StepWords, answer_of, motion_text, nearest_time, root_formula, time_text


def spheres_text(at: At[SpheresStep]) -> StepText:
    """The text of one stage of the computation for two moving spheres."""
    stage, say = {
        SpheresStage.START: ("the start", _spheres_start),
        SpheresStage.CLOSEST: ("closest approach", _spheres_closest),
        SpheresStage.ROOT: ("the root", _spheres_root),
    }[at.step.stage]
    return motion_text(at, "Spheres, step", stage, say(at.query, at.step))


_C, _V, _M, _T, _TM, _X, _Y, _H, _R, _R_A, _R_B = symbols("c v m t t_m x y h r r_A r_B")
_GAP = Identifier("gap")


def _spheres_start(query: Query, step: SpheresStep) -> StepWords:
    motion = answer_of(query).motion
    radii = given(motion.a.shape.core).radius, given(motion.b.shape.core).radius
    size, apart = length(step.offset), step.stop is None
    far, reach = told_together(size, step.reach)
    return (
        f"B's centre is at c = {vector_text(step.offset)} from A's, "
        f"and moves by v = {vector_text(step.velocity)} relative to A.",
        f"At the start the centres are {far} apart, {'more than' if apart else 'no more than'} r = "
        f"{reach}: the spheres {'are apart' if apart else 'touch or overlap at the start'}.",
        "Two spheres touch when a point touches the sphere of both radii: A is grown by B's radius.",
        (
            Formula.of(Norm(_C), size, {_C: step.offset}),
            Formula.of(equation(_R, _R_A + _R_B), step.reach, {_R_A: radii[0], _R_B: radii[1]}),
        ),
    )


def _spheres_closest(_query: Query, step: SpheresStep) -> StepWords:
    time, closest = given(step.closest_time), given(step.closest)
    nearest = step.offset + time * step.velocity
    formulas: list[Formula] = []
    if step.velocity.any():
        product, square = dot(step.offset, step.velocity), dot(step.velocity, step.velocity)
        formulas = [
            Formula.of(_C @ _V, product, {_C: step.offset, _V: step.velocity}),
            Formula.of(
                equation(_TM, least(most(Quotient(-_C @ _V, _V @ _V), numeral(0)), numeral(1))),
                time,
                {-_C @ _V: -product, _V @ _V: square},
            ),
        ]
    formulas.append(Formula.of(equation(_M, Norm(_C + _TM * _V)), closest, {_C + _TM * _V: nearest}))
    far, near, reach = told_together(length(step.offset), closest, step.reach)
    return (
        f"The centres are {far} apart at the start, and r = {reach}.",
        f"They are nearest at {time_text(time)}: {near} apart, "
        + (
            "no more than r, so they touch." if step.stop is None else f"{signed_units(closest - step.reach)} beyond r."
        ),
        "The square of the distance is a parabola in t, lowest where c + t v is at right angles to v.",
        tuple(formulas),
    )


def _spheres_root(_query: Query, step: SpheresStep) -> StepWords:
    time = given(step.time)
    near, reach = told_together(given(step.closest), step.reach)
    known = f"The centres come as near as {near}, and r = {reach}."
    if step.stop is MotionStop.GRAZING:
        return (
            known,
            f"They graze at {time_text(time)}.",
            "The least distance is r within rounding: the two roots are one.",
            (Formula.of(equation(_T, _TM), time),),
        )
    speed, middle = length(step.velocity), nearest_time(step.offset, step.velocity)
    nearest = length(step.offset + middle * step.velocity)
    return (
        known,
        f"They touch at {time_text(time)}.",
        "The distance is r at two times, equally long before and after the nearest. The smaller root is the first "
        "contact, as time runs forwards.",
        (root_formula(_V, middle, (step.reach, nearest), speed, time),),
    )


def draw_spheres_world(context: Context, draw: DrawList, step: SpheresStep, _: Motion, time: float) -> None:
    """Draws the distance between the centres: at the start, where they are nearest, or where the spheres touch."""
    theme = context.theme
    draw_bodies_on_their_way(context, draw, time)
    words, rgba = f"|c| {plain(float(np.sqrt(dot(step.offset, step.offset))))}", theme.gap
    if step.stage is SpheresStage.CLOSEST:
        closest = step.closest or 0.0
        words, rgba = f"m {plain(closest)} at {time_words(time)}", theme.gap if closest > step.reach else theme.overlap
    elif step.stage is SpheresStage.ROOT:
        words, rgba = f"r {plain(step.reach)} at {time_words(time)}", theme.winner
    draw_measured_line(draw, context, position_at(context, 0, time), position_at(context, 1, time), rgba, words)


def draw_spheres_difference(context: Context, draw: DrawList, step: SpheresStep, motion: Motion, time: float) -> None:
    """Draws the path past the ball of both radii: its point nearest the centre, and the place where it enters."""
    theme = context.theme
    draw_path(context, draw, motion, time)
    middle, way = -step.offset, step.velocity
    draw.points(middle, theme.difference_edge, 3.6, hidden=Hidden.SHOW)
    if step.closest_time is None:
        draw_measured_line(
            draw, context, np.zeros(3), middle, theme.gap, f"|c| {plain(float(np.sqrt(dot(middle, middle))))}"
        )
        return
    nearest = step.closest_time * way
    if step.time is None or step.closest_time != step.time:
        # Dotted at the root's step: the root comes before the nearest point.
        if step.stage is SpheresStage.CLOSEST:
            clear = (step.closest or 0.0) > step.reach
            rgba = theme.gap if clear else theme.overlap
            draw_measured_line(draw, context, nearest, middle, rgba, f"m {plain(step.closest or 0.0)}")
        else:
            dotted(draw, nearest, middle, theme.overlap)
    if step.time is not None:
        entered = step.time * way
        draw.strong(middle, entered, theme.winner, 2.6)
        words, beside = f"r {plain(step.reach)}", 0.5 * (middle + entered)
        draw.label(words, beside, theme.winner, size=PLAIN, offset=(30.0, 10.0), priority=74, kind="distance")
        draw_way_marks(draw, context, entered[None], [f"enters at {time_words(step.time)}"], theme.winner)


def _spheres_line(step: SpheresStep) -> str:
    if step.stop is None or step.stage is SpheresStage.ROOT:
        return step.stage
    if step.stage is SpheresStage.START:
        return "at start"
    return MotionStop.NO_MOTION if step.stop is MotionStop.NO_MOTION else "miss"


SPHERES_STAGE = stage(
    "Two moving spheres",
    {
        "way": "c ← from A's centre to B's,  v ← B's displacement seen from A",
        SpheresStage.START: "r ← both radii",
        "at start": "if |c| ≤ r within rounding:  contact at the start",
        MotionStop.NO_MOTION: "if v is 0:  NO_MOTION",
        "nearest time": "tₘ ← −c·v / v·v, kept within 0 and 1",
        SpheresStage.CLOSEST: "m ← |c + tₘ v|",
        "miss": "if m > r:  MOVING_AWAY, PASSES_BY or OUT_OF_TIME",
        "root": "t ← tₘ − √(r² − m²) / |v|, the smaller root",
        SpheresStage.ROOT: "HIT at t;  GRAZING if m is r within rounding",
    },
    _spheres_line,
    spheres_text,
    (draw_spheres_world, draw_spheres_difference),
    colours={
        "winner": "r at the first touch",
        "winner.diamond": "time of the first touch",
        "gap": "distance at the start",
        "overlap": "closest approach m",
    },
)


# A sphere and the 27 regions.


_REGION_REASONS = {
    GrownPiece.INSIDE: "Here the centre is inside the box, so they touch when it enters, at the latest.",
    GrownPiece.FACE: "In a face's region one coordinate lies outside: the grown box has a flat face there, and the "
    "test is a linear one.",
    GrownPiece.EDGE: "In an edge's region two coordinates lie outside: the grown box has a quarter cylinder there, and "
    "the test is a quadratic in two.",
    GrownPiece.CORNER: "In a corner's region all three lie outside: the grown box has an octant of a sphere there.",
}


def regions_text(at: At[SphereBoxStep]) -> StepText:
    """The text of the bounding spheres, or of one region on the centre's path."""
    step = at.step
    if step.crossing is None:
        return motion_text(at, "Regions, step", "bounding spheres", _bounding(step))
    return motion_text(at, "Regions, step", box_region_name(step.crossing.name), _region(at.query.analysis.scene, step))


def box_region_name(region: str) -> str:
    """A region's name with true minus signs."""
    return region.replace("-", MINUS)


def _bounding(step: SphereBoxStep) -> StepWords:
    names = list(dict.fromkeys(box_region_name(crossing.name) for crossing in step.crossings))
    known = (
        f"In the box's frame the sphere's centre runs from {vector_text(step.centre)}"
        f" by v = {vector_text(step.velocity)}, "
        f"through {'the region' if len(names) == 1 else 'the regions'} {listed(names)}."
    )
    reason = "A ball around the box, with half its diagonal |h| as radius, gives a cheap test before the exact one."
    if step.stop in (MotionStop.OVERLAPPING_AT_START, MotionStop.TOUCHING_AT_START):
        words = f"At the start the separation is already {signed_units(step.nearest)}: contact at once."
        return known, words, reason, ()
    at = step.centre + step.nearest_time * step.velocity
    far, around = length(at), length(step.half_extents)
    clear = step.stop is not None
    decided = (
        f"The bounding spheres come nearest at {time_text(step.nearest_time)}, {signed_units(step.nearest)} apart: "
        + ("they never touch." if clear else "a contact is still possible.")
    )
    beyond_both = equation(_GAP, Norm(_X) - Norm(_H) - _R)
    formulas = (
        Formula.of(Norm(_X), far, {_X: at}),
        Formula.of(beyond_both, step.nearest, {Norm(_X): far, Norm(_H): around, _R: step.radius}),
    )
    return known, decided, reason, formulas


def _region(scene: Scene, step: SphereBoxStep) -> StepWords:
    crossing = given(step.crossing)
    piece = crossing.piece.value
    if crossing.feature:
        box = 0 if scene.a.shape.half_extents is not None else 1
        piece += f" about {feature_name(scene, box, crossing.feature)}"
    article = "an" if piece[0] in "aeiou" else "a"
    there = "the inside of the box" if piece == "inside" else f"{article} {piece}"
    known = (
        f"From t = {' to '.join(told_together(crossing.enter, crossing.leave))} the centre is in "
        f"{box_region_name(crossing.name)}. The part of the grown box there is {there}."
    )
    if step.stop is MotionStop.HIT and step.time is not None:
        decided = f"The centre reaches the grown box at {time_text(step.time)}: they touch."
    else:
        decided = (
            f"The closest approach here is at {time_text(step.nearest_time)}: {signed_units(step.nearest)} between the "
            "surfaces."
        )
        if step.stop is None:
            decided += " The path goes on into the next region."
        elif step.stop is MotionStop.GRAZING and step.time is not None:
            decided += f" The closest approach of all, at {time_text(step.time)}, is a touch within rounding."
        else:
            decided += " The path ends here, without a contact."
    return known, decided, _REGION_REASONS[crossing.piece], _region_formulas(step, crossing.sides)


def beyond(step: SphereBoxStep, sides: tuple[int, int, int], time: float) -> Array:
    """The distances (3,) of the centre at a time beyond the box's faces on `sides`; 0 where the side is 0."""
    signs = np.array(sides, dtype=np.float64)
    centre = step.centre + time * step.velocity
    return np.where(signs != 0.0, signs * centre - step.half_extents, 0.0)


def _region_formulas(step: SphereBoxStep, sides: tuple[int, int, int]) -> tuple[Formula, ...]:
    if not any(sides):
        return ()
    start = beyond(step, sides, 0.0)
    way = beyond(step, sides, 1.0) - start
    if step.stop is MotionStop.HIT and step.time is not None and way.any():
        # In one dimension every line passes through the surface, so the least distance is 0.
        middle = nearest_time(start, way)
        nearest = 0.0 if sum(map(abs, sides)) == 1 else length(start + middle * way)
        found = root_formula(Symbol("v", "y"), middle, (step.radius, nearest), length(way), step.time)
        return Formula.of(FunctionCall("y", (_T,)), beyond(step, sides, step.time), name=_Y), found
    y = beyond(step, sides, step.nearest_time)
    far = length(y)
    return (
        Formula.of(Norm(_Y), far, {_Y: y}),
        Formula.of(equation(_GAP, Norm(_Y) - _R), step.nearest, {Norm(_Y): far, _R: step.radius}),
    )


def draw_regions_world(context: Context, draw: DrawList, step: SphereBoxStep, _: Motion, time: float) -> None:
    """Draws the bounding spheres; at later steps the cells so far, the step's own lit, and the box's part tested."""
    draw_bodies_on_their_way(context, draw, time)
    if step.crossing is None:
        _draw_bounding(context, draw, step, time)
        return
    draw_regions_step(context, draw, step, time)
    theme, centre = context.theme, step.centre + time * step.velocity
    nearest = np.clip(centre, -step.half_extents, step.half_extents)
    ends = box_of(context).pose.to_world(np.array((nearest, centre)))
    if step.crossing.piece is not GrownPiece.INSIDE:
        hit = step.stop in (MotionStop.HIT, MotionStop.GRAZING)
        words = "|y| {}, r {}".format(*told_together(length(centre - nearest), step.radius))
        draw_measured_line(draw, context, ends[0], ends[1], theme.winner if hit else theme.gap, words)


def _draw_bounding(context: Context, draw: DrawList, step: SphereBoxStep, time: float) -> None:
    """Draws the ball round the box and the sphere where they are nearest, with the gap or overlap between them."""
    theme = context.theme
    boxed = 0 if box_of(context) is context.scene.a else 1
    middle, centre = position_at(context, boxed, time), position_at(context, 1 - boxed, time)
    if step.stop in (MotionStop.OVERLAPPING_AT_START, MotionStop.TOUCHING_AT_START):
        # The start itself answers, before any ball is tested.
        words = f"separation {signed(step.nearest)} at the start"
        draw.label(
            words, centre, theme.overlap, size=STRONG, offset=(0.0, -20.0), priority=82, bold=True, kind="distance"
        )
        return
    around = length(step.half_extents)
    for place, radius, rgba in ((middle, around, theme.edge(boxed)), (centre, step.radius, theme.edge(1 - boxed))):
        draw_hull_outline(draw, place + radius * round_points(), rgba, 1.6)
    apart = centre - middle
    far = length(apart)
    if far == 0.0:
        return
    ends = middle + around * apart / far, centre - step.radius * apart / far
    clear = step.nearest > 0.0
    words = f"{'gap' if clear else 'overlap'} of the balls {signed(step.nearest)}"
    draw_measured_line(draw, context, *ends, theme.gap if clear else theme.overlap, words)


def draw_regions_difference(context: Context, draw: DrawList, step: SphereBoxStep, motion: Motion, time: float) -> None:
    """Draws the origin's path by regions, the step's stretch strong, and its entry into the grown box."""
    theme, way = context.theme, motion.displacement
    draw_path(context, draw, motion, time)
    for crossing in step.crossings:
        current = crossing is step.crossing
        rgba, width = piece_rgba(theme, crossing.piece), 5.0 if current else 2.4
        draw.strong(crossing.enter * way, crossing.leave * way, rgba if current else faded(rgba, 0.5), width)
    if step.crossing is None:
        return
    if step.time is not None and step.stop in (MotionStop.HIT, MotionStop.GRAZING):
        draw_way_marks(draw, context, (step.time * way)[None], [f"enters at {time_words(step.time)}"], theme.winner)
        return
    middle = 0.5 * (step.crossing.enter + step.crossing.leave) * way
    words = f"in {crossing_words(step.crossing)}"
    draw.label(
        words,
        middle,
        piece_rgba(theme, step.crossing.piece),
        offset=(0.0, 18.0),
        priority=80,
        bold=True,
        kind="region-names",
    )


def _regions_line(step: SphereBoxStep) -> str:
    if step.crossing is None:
        return "bounding"
    if step.stop is None:
        return "go on"
    return step.stop if step.stop in (MotionStop.HIT, MotionStop.GRAZING) else "miss"


REGIONS_STAGE = stage(
    "A moving sphere and the 27 regions of a box",
    {
        "path": "x(t) ← the sphere's centre, in the box's frame",
        "bounding": "if the bounding spheres never touch:  they stay apart",
        "cut": "cut the path at the planes of the box's faces",
        "stretch": "for each stretch, which lies in one of the 27 regions:",
        "outside": "    y ← the coordinates outside, from the box's surface",
        MotionStop.HIT: "    if |y| comes down to r in this stretch:  HIT then",
        "go on": "    else:  keep how near it comes, and go on",
        MotionStop.GRAZING: "if the nearest was r within rounding:  GRAZING",
        "miss": "else:  MOVING_AWAY, PASSES_BY or OUT_OF_TIME",
    },
    _regions_line,
    regions_text,
    (draw_regions_world, draw_regions_difference),
    colours={
        "winner": "the region entered",
        "winner.disc": "first touch",
        "winner.diamond": "time of the first touch",
        "gap": "distance",
        "overlap.sheet": "region inside the box",
        "family_a": "region of a face",
        "family_edges": "region of an edge",
        "family_closest": "region of a corner",
    },
)

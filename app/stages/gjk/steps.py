"""GJK's sub-steps: v, the direction, w, the bounds, the points dropped. They also give the words of a whole step.

Values are the step's own, except the best lower bound so far, which is the previous step's, and the points dropped,
which follow from the next step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from core.geometry import triple
from core.geometry.vector import Array, length
from core.gjk.gjk import GjkStep, GjkStop
from core.gjk.simplex import SubDistance
from core.pair.support import DifferencePoint
from core.query.query import Phase, Query
from core.rays.raycast import GjkRaycastStep

from ...words.axis_words import certified_words, listed
from ...words.digits import plain, signed, told_together
from ...words.expression import Identifier, Norm, Relation, Said, equation, most, symbols
from ...words.formula import Formula
from ..point_names import PointNames
from ..radii import WithRadii, radii_note, radii_words
from ..stage import At, Heading, SubStep, whole_text
from ..word_parts import (
    SIMPLICES,
    StepText,
    Stop,
    between_bounds,
    curved,
    from_a,
    nearest_formula,
    sentences,
    vector_text,
)
from .pictures import Beginning, GjkPictures, draw_difference, draw_world

_REGIONS = ("", "the vertex", "the edge", "the face", "the inside")
_ORDINALS = ("first", "second", "third", "fourth")
DIRECT_TOLERANCE, DIRECT_SPACINGS = 1e-9, 8.0
"""Two directions count as one if they differ, relative to their length, by at most DIRECT_TOLERANCE or DIRECT_SPACINGS
spacings of the floats at 1, whichever is larger."""

STOPS = {
    GjkStop.OVERLAP_ENCLOSED: "The simplex encloses the origin, so the origin is in A − B: A and B overlap.",
    GjkStop.OVERLAP_TOUCHING: "The origin lies on the simplex, within rounding: A and B touch or overlap. "
    "EPA finds out how deep.",
    GjkStop.CONVERGED: "The support point is no farther along d than v, so nothing is nearer: stop. "
    "Both bounds agree within rounding: this is the distance of the cores.",
    GjkStop.REPEATED_SUPPORT: "The support point is in the simplex already. "
    "It is no farther along d than v, so nothing is nearer: stop.",
    GjkStop.NO_PROGRESS: "v came no nearer than before. Only rounding is left, and the bounds hold.",
    GjkStop.DEGENERATE_SIMPLEX: "The simplex is too flat for double precision: it seems to contain the origin, "
    "although a bound proves the cores apart. The simplex before it is used.",
    GjkStop.ITERATION_LIMIT: "The iterations allowed are used up. The distance of the cores lies between the bounds.",
}
"""The meaning of each stop."""

STOP_TITLES = {
    GjkStop.OVERLAP_ENCLOSED: "the origin is inside",
    GjkStop.OVERLAP_TOUCHING: "v is the origin",
    GjkStop.CONVERGED: "nothing is nearer",
    GjkStop.REPEATED_SUPPORT: "nothing is nearer",
    GjkStop.NO_PROGRESS: "v comes no nearer",
    GjkStop.DEGENERATE_SIMPLEX: "too flat a simplex",
    GjkStop.ITERATION_LIMIT: "stop at the limit",
}
"""The title of the last step, by its stop; the steps before it have their simplex in the title."""

POOR_STOPS = (GjkStop.ITERATION_LIMIT, GjkStop.DEGENERATE_SIMPLEX)

_D, _V = symbols("d v")
_LOWER = Identifier("lower")
_OF_FEATURE = Relation(_D, (("⊥", Said("feature of ", _V)),))


def gjk_parts(at: At[GjkStep]) -> tuple[SubStep, ...]:
    """The sub-steps of an iteration, as far as it went; in the first one also those that make the first simplex."""
    step, drawn, v = at.step, GjkPictures(at), at.shown(at.step.closest)
    parts = [] if at.before is not None else list(_starts(at))
    made = (
        nearest_formula(at.names, step.simplex, step.region, step.weights, v),
        Formula.of(Norm(_V), step.upper, {_V: v}),
    )
    parts.append(SubStep("nearest", _nearest_words(at), "nearest", drawn.sources_of_v, drawn.regions_and_v, made))
    if step.stop is GjkStop.OVERLAP_TOUCHING:
        none = "v is the origin itself: no direction is left to search."
        parts.append(SubStep("direction", none, step.stop, drawn.sources_of_v, drawn.v, heading=Heading.WHY))
    elif step.support is not None and step.direction is not None:
        parts += _search(at, drawn, step.support, step.direction)
    if step.stop is not None:
        # At the stop the pictures show the bounds; without a support point, the simplex that ended the search.
        pictures = drawn.sources_of_v, drawn.answer
        if step.support is None:
            pictures = partial(draw_world, step=step), partial(draw_difference, step=step)
        ended = WithRadii.of(at.query, Phase.GJK)
        less = () if ended is None else (ended.formula(Norm(_V)),)
        meaning = at.worded(_meaning(at, step.stop))
        parts.append(SubStep("stop", meaning, step.stop, *pictures, less, heading=Heading.RESULT))
    elif at.after is not None:
        parts.append(SubStep("drop", drop_words(at), "grow", drawn.kept_sources, drawn.kept, moves=True))
    return tuple(parts)


def gjk_text(at: At[GjkStep]) -> StepText:
    """The text of an iteration, in space or in the plane: the sentences of its sub-steps, and the state before."""
    query, step = at.query, at.step
    before = "" if at.before is None else f"So far the distance of the cores is at least {plain(at.before.lower)}."
    voronoi = query.settings.gjk.sub_distance is SubDistance.VORONOI
    ended = step.support is None and step.stop is not GjkStop.OVERLAP_TOUCHING
    return whole_text(
        gjk_parts(at),
        title=f"GJK, step {at.of}: {SIMPLICES[len(step.simplex)] if step.stop is None else STOP_TITLES[step.stop]}",
        known=sentences(f"The simplex: {simplex_words(at.names, query, step.simplex)}.", at.worded(before)),
        why=sentences(
            "GJK stops at this simplex, without looking for another support point." if ended else "",
            "" if voronoi else "v was found by signed volumes.",
            from_a(query) if query.analysis.polygon is not None else "",
        ),
        stop=_stop(at),
    )


def _starts(at: At[GjkStep]) -> Iterator[SubStep]:
    """Yields the sub-steps that make the first simplex, point by point."""
    simplex, where = at.step.simplex, _first_direction(at)
    for number, point in enumerate(simplex):
        name = at.names.words(at.query.analysis.scene, point)
        sentence = f"Begin anywhere: here with {name}, farthest in the first direction, {where}."
        if not where:
            sentence = f"{name} is farthest along the {_ORDINALS[number]}."
            if not number:
                sentence = f"Warm start, in the directions of the previous run's simplex: {sentence}"
        pictures = Beginning(simplex[: number + 1], point).draws
        part = "start" if not number else f"start {number + 1}"
        yield SubStep(part, sentence, "start", *pictures, moves=True, heading=Heading.SO_FAR)


def _first_direction(at: At[GjkStep]) -> str:
    """Words for the direction that gave the first simplex; "" for the directions of a warm start."""
    query, simplex = at.query, at.step.simplex
    start, first = simplex[0], query.settings.gjk.first_direction
    offset = None if query.support_maps is None else query.support_maps.offset
    # Whether the simplex's first point was found along GJK's first direction.
    taken = offset if first is None else first
    off = 0.0 if taken is None else triple.length(triple.cross(start.xyz_direction, taken))
    along = taken is not None and off <= _direct(at) * triple.length(taken)
    if len(simplex) > 1 or (query.settings.warm_start and not along):
        return ""
    if first is not None and at.shown(start.direction).tolist() == list(at.shown(np.array(first))):
        return f"which is set to {vector_text(at.shown(np.array(first)))}"
    return "from A's position to B's" if offset is not None and any(offset) else "along x, as both positions coincide"


def _direct(at: At[GjkStep]) -> float:
    maps = at.query.support_maps
    return DIRECT_TOLERANCE if maps is None else max(DIRECT_TOLERANCE, DIRECT_SPACINGS * maps.precision.spacing)


def _nearest_words(at: At[GjkStep]) -> str:
    step = at.step
    if step.encloses:
        return at.worded("The origin is inside the tetrahedron, so the nearest point v is the origin itself.")
    names = at.names.of(step.simplex[k] for k in step.region)
    where, region = names[0], ""
    if len(step.simplex) > 1:
        where = feature_words(names)
        region = f"The origin lies in the Voronoi region of this {_REGIONS[len(names)].removeprefix('the ')}."
    return sentences(f"v is the point of the simplex nearest the origin: {plain(step.upper)} away, on {where}.", region)


def _search(at: At[GjkStep], drawn: GjkPictures, support: DifferencePoint, direction: Array) -> Iterator[SubStep]:
    """Yields the sub-steps from the `direction` (3,), unit, to the bounds."""
    step, proved, earlier = at.step, drawn.proved, 0.0 if at.before is None else at.before.lower
    w, name = at.names.symbol(support), at.names.name(support)
    direct = length(direction + step.closest / step.upper) <= _direct(at) if step.upper > 0.0 else False
    formula = Formula.of(equation(_D, -_V / Norm(_V)) if direct else _OF_FEATURE, at.shown(direction), lying=True)
    look = "Look from v towards the origin: that is d."
    yield drawn.search.direction("direction", look, "direction", drawn.witnesses, (formula,))
    yield from drawn.search.parts()
    least, better = told_together(proved, earlier)
    lower = f"Nothing of A − B lies beyond the plane through {name}: the distance of the cores is at least {least}."
    if proved <= 0.0:
        lower = f"The origin is not beyond the plane through {name}: it proves no distance."
    elif proved < earlier:
        lower += f" {better if better != least else 'The bound before'} was better and stays."
    reach = Formula.of(-_D @ w, proved, {-_D: at.shown(-direction), w: at.shown(support.w)})
    yield SubStep("lower", at.worded(lower), "bounds", drawn.gap_between, drawn.lower, (reach,), heading=Heading.WHY)
    between = between_bounds(step.lower, step.upper)
    upper = at.worded(f"v is in A − B, so the distance of the cores is at most |v|: it {between}.")
    on = "The bounds still differ: go on." if step.stop is None else "GJK ends with these bounds."
    said, bounds = sentences(upper, on, radii_note(at.query)), {_LOWER: earlier, -_D @ w: proved}
    best = Formula.of(equation(_LOWER, most(_LOWER, -_D @ w)), step.lower, bounds)
    yield SubStep("bounds", said, "bounds", drawn.sources_of_v, drawn.rings, (best,), heading=Heading.WHY)


def drop_words(at: At[GjkStep] | At[GjkRaycastStep]) -> str:
    """The sentence on the points dropped, and on whether w joins; read off the next step, "" without one."""
    step, after = at.step, at.after
    if step.stop is not None or after is None:
        return ""
    kept = {id(point) for point in after.simplex}
    gone = at.names.of(point for point in step.simplex if id(point) not in kept)
    w = "" if step.support is None else at.names.name(step.support)
    joins = f"{w} joins." if id(step.support) in kept else f"{w} is a corner already and does not join again."
    if not gone:
        needed = "Every corner is needed for v and stays." if len(step.simplex) > 1 else "The point stays."
        return f"{needed} {joins}"
    one = len(gone) == 1
    return f"{listed(gone)} {'is' if one else 'are'} not needed for v and {'leaves' if one else 'leave'}. {joins}"


def simplex_words(names: PointNames, query: Query, points: Sequence[DifferencePoint]) -> str:
    """The points of a simplex with their source vertices; only their names if all lie on curved surfaces."""
    if all(curved(point) for point in points):
        return f"{listed(names.of(points))}, on a curved surface"
    return ", ".join(names.words(query.analysis.scene, point) for point in points)


def feature_words(names: list[str]) -> str:
    """The feature that the points of these names span: `the vertex w₀`, `the edge of w₀ and w₂`."""
    return f"{_REGIONS[len(names)]} {'' if len(names) == 1 else 'of '}{listed(names)}"


def _meaning(at: At[GjkStep], stop: GjkStop) -> str:
    """The meaning of a stop, with the name of the support point that led to it."""
    found = at.step.support
    return STOPS[stop] if found is None else STOPS[stop].replace("The support point", at.names.name(found))


def _stop(at: At[GjkStep]) -> Stop | None:
    stop, result = at.step.stop, None if at.query.distance is None else at.query.distance.gjk
    if stop is None:
        return None
    meaning, good = at.worded(_meaning(at, stop)), stop not in POOR_STOPS
    if result is not None and not result.overlapping:
        bounds = f"{plain(result.distance)} apart, {certified_words(result.gap)}"
        if not result.certified:
            least, most = told_together(result.distance - result.gap, result.distance)
            bounds = f"at least {least} and at most {most} apart, not certified"
        meaning += f" {'The cores' if at.radius else 'A and B'} are {bounds}."
        good = good and result.certified
        ended = WithRadii.of(at.query, Phase.GJK)
        if ended is not None:
            return Stop(stop.value, f"{meaning} {ended.sentence}", good, ended.sentence)
        if at.radius and result.separation is not None:
            meaning += f" After subtracting {radii_words(at.query)}, the separation is {signed(result.separation)}."
    return Stop(stop.value, meaning, good)

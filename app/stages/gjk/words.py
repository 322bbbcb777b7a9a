"""GJK in words: the simplex, its point nearest the origin, the direction asked, the support found, both bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.geometry import triple
from core.geometry.vector import dot, length
from core.gjk.gjk import GjkStep, GjkStop
from core.gjk.simplex import SubDistance
from core.pair.support import DifferencePoint
from core.query.query import Query
from core.rays.raycast import GjkRaycastStep

from ...words.axis_words import listed
from ...words.digits import MINUS, plain, signed, told_together, tolerance
from ...words.expression import Length, Relation, Said, Word, equation, most, symbols
from ...words.formula import Formula
from ...words.names import difference_name, numbered
from ...words.terms import terms_of
from ..stage import At
from ..word_parts import StepText, Stop, curved, found_words, from_a, nearest_formula, row, sentences

SIMPLICES = ("", "a point", "a segment", "a triangle", "a tetrahedron")
_REGIONS = ("", "the vertex", "the edge", "the face", "the inside")
DIRECT = 1e-9
"""A direction that is this close to straight from v to the origin is told as such."""

STOPS = {
    GjkStop.OVERLAP_ENCLOSED: "The origin is strictly inside the tetrahedron, so A and B share a point: they overlap.",
    GjkStop.OVERLAP_TOUCHING: "The origin lies on the simplex, within rounding: the bodies touch or overlap. EPA "
    "finds out how deep.",
    GjkStop.CONVERGED: "The bounds agree within rounding: this is the distance.",
    GjkStop.REPEATED_SUPPORT: "The support point is already in the simplex: no point of A − B is nearer.",
    GjkStop.NO_PROGRESS: "The new simplex is no nearer than the last. The rest is rounding; the bounds still hold.",
    GjkStop.DEGENERATE_SIMPLEX: "The simplex is too flat for double precision and seems to contain the origin, "
    "although a bound already proves the bodies apart. The previous simplex is used.",
    GjkStop.ITERATION_LIMIT: "Stopped at the iteration limit. The distance lies between the bounds.",
}
"""What each way out means."""

POOR_STOPS = (GjkStop.ITERATION_LIMIT, GjkStop.DEGENERATE_SIMPLEX)


def gjk_text(at: At[GjkStep]) -> StepText:
    """Words about one iteration, in space or in the plane."""
    query, step = at.query, at.step
    before = (
        f"{_start_words(at)} No bound on the distance yet."
        if at.before is None
        else f"So far the distance is at least {plain(at.before.lower)}."
    )
    return StepText(
        title=f"GJK, step {at.of}: {SIMPLICES[len(step.simplex)]}",
        known=sentences(f"The simplex: {simplex_words(query, step.simplex)}.", before),
        decided=sentences(
            _region_words(query, step),
            ""
            if step.support is None
            else f"Looking along d, towards the origin, the support point is {found_words(query, step.support)}.",
            change_words(at, "w is already in the simplex"),
        ),
        why=_why(at),
        formulas=_formulas(at),
        stop=_stop(query, step),
    )


def simplex_words(query: Query, points: Sequence[DifferencePoint]) -> str:
    """The points of a simplex by what they come from."""
    if all(curved(point) for point in points):
        return f"{listed([numbered('w', k) for k in range(len(points))])}, on a curved surface"
    scene = query.analysis.scene
    return ", ".join(f"{numbered('w', k)} = {difference_name(scene, point, k)}" for k, point in enumerate(points))


def _start_words(at: At[GjkStep]) -> str:
    """Where the first simplex came from."""
    query, step = at.query, at.step
    point, first = step.simplex[0], query.knobs.gjk.first_direction
    offset = None if query.support_maps is None else query.support_maps.offset
    if first is not None and at.shown(point.direction).tolist() == list(at.shown(np.array(first))):
        where = f"which is set to {row(at.shown(np.array(first)))}"
    elif offset is None or not any(offset):
        where = "along x, as both positions coincide"
    else:
        where = "from A's position to B's"
    # Whether the direction is the first one that GJK takes by itself.
    taken = offset if first is None else first
    along = taken is not None and triple.length(triple.cross(point.heading, taken)) <= DIRECT * triple.length(taken)
    if len(step.simplex) > 1 or (query.knobs.warm_start and not along):
        return "Warm start: GJK first looks in the directions of the previous run's simplex."
    return f"{numbered('w', 0)} is the support point in the first direction, {where}."


def _region_words(query: Query, step: GjkStep) -> str:
    """In whose Voronoi region the origin lies."""
    if step.encloses:
        inside = terms_of(query.analysis.scene.dimension).simplex
        return f"The origin is inside the {inside}: A and B overlap."
    if len(step.simplex) == 1:
        return f"The simplex is one point, so v = {numbered('w', 0)}."
    return (
        f"The part of the simplex nearest the origin is {feature_words(step.region)} (the origin is in its "
        "Voronoi region). v is its nearest point."
    )


def feature_words(region: tuple[int, ...]) -> str:
    """The feature of the simplex that these of its points span: `the vertex w₀`, `the edge of w₀ and w₂`."""
    names = listed([numbered("w", k) for k in region])
    return f"{_REGIONS[len(region)]} {'' if len(region) == 1 else 'of '}{names}"


def change_words(at: At[GjkStep] | At[GjkRaycastStep], stays_out: str) -> str:
    """What joins the simplex, and what leaves, read off the next step; `stays_out`: of a support that does not join."""
    step, after = at.step, at.after
    if step.stop is not None or after is None:
        return ""
    kept = {id(point) for point in after.simplex}
    gone = [numbered("w", k) for k, point in enumerate(step.simplex) if id(point) not in kept]
    joins = step.support is not None and id(step.support) in kept
    words = "w joins the simplex" if joins else stays_out
    return f"{words}; {listed(gone)} {'leaves' if len(gone) == 1 else 'leave'}." if gone else f"{words}."


def _why(at: At[GjkStep]) -> str:
    query = at.query
    method = "" if query.knobs.gjk.sub_distance is SubDistance.VORONOI else "v was found by signed volumes."
    measured = from_a(query) if query.analysis.polygon is not None else ""
    if at.step.support is None:
        return sentences("v alone ends the search; no further support point is needed.", method, measured)
    bounds = (
        "v is in A − B, so the distance is at most |v|. Nothing in A − B lies beyond w along d, so it is at least "
        f"{MINUS}d·w."
    )
    return sentences(bounds, method, at.radius_note, measured)


def _stop(query: Query, step: GjkStep) -> Stop | None:
    if step.stop is None:
        return None
    good = step.stop not in POOR_STOPS
    result = None if query.distance is None else query.distance.gjk
    meaning = STOPS[step.stop].replace("tetrahedron", terms_of(query.analysis.scene.dimension).simplex)
    if result is not None and not result.overlapping:
        radius = 0.0 if query.support_maps is None else query.support_maps.radius
        bounds = f"{plain(result.distance)} apart, certified within {tolerance(result.gap)}"
        if not result.certified:
            least, most = told_together(result.distance - result.gap, result.distance)
            bounds = f"at least {least} and at most {most} apart, not certified"
        meaning += f" {'The cores' if radius else 'A and B'} are {bounds}."
        if radius and result.separation is not None:
            meaning += f" After subtracting the radii, the separation is {signed(result.separation)}."
        good = good and result.certified
    return Stop(step.stop.value, meaning, good)


_D, _V, _W = symbols("d v w")
_LOWER = Word("lower")
_OF_FEATURE = Relation(_D, (("⊥", Said("feature of ", _V)),))


def _formulas(at: At[GjkStep]) -> tuple[Formula, ...]:
    step, closest = at.step, at.shown(at.step.closest)
    nearest = nearest_formula(step.simplex, step.region, step.weights, closest)
    upper = Formula.of(Length(_V), step.upper, {_V: closest})
    if step.support is None or step.direction is None:
        return (nearest, upper)
    direct = length(step.direction + step.closest / step.upper) <= DIRECT if step.upper > 0.0 else False
    # What the support proves; and the best bound, where an earlier one is better.
    proved, earlier = dot(-step.direction, step.support.w), 0.0 if at.before is None else at.before.lower
    against, support = at.shown(-step.direction), at.shown(step.support.w)
    bounds = {_LOWER: earlier, -_D @ _W: proved}
    return (
        nearest,
        upper,
        Formula.of(equation(_D, -_V / Length(_V)) if direct else _OF_FEATURE, at.shown(step.direction), lying=True),
        Formula.of(-_D @ _W, proved, {-_D: against, _W: support}),
        Formula.of(equation(_LOWER, most(_LOWER, -_D @ _W)), step.lower, bounds),
    )

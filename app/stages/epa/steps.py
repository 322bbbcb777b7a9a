"""EPA's sub-steps: the nearest face or edge, the support point w, the bounds and the growth; and a whole step's words.

All values come from this step and the one before. In the plane two edges replace the nearest one, and no horizon is
shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from core.geometry.vector import length
from core.gjk.epa import EpaStop
from core.gjk.plane_epa import EpaPolygonStep
from core.query.query import Phase

from ...overlays.context import Build
from ...words.axis_words import certified_words, listed
from ...words.digits import plain, told_together
from ...words.expression import Identifier, Norm, equation, least, symbols
from ...words.formula import Formula, Values
from ...words.terms import terms_of
from ..radii import WithRadii, radii_note, radii_words
from ..stage import At, Heading, SubStep, given, whole_text
from ..word_parts import SIMPLICES, StepText, Stop, between_bounds, counted, from_a, sentences
from .pictures import EpaPictures, Step, draw_difference, draw_world

_NEEDED = {
    2: "EPA grows a polygon, so it needs three points that are not on one line.",
    3: "EPA grows a solid, so it needs four points that are not in one plane.",
}
STOPS = {
    EpaStop.CONVERGED: "Within rounding, no point of A − B lies beyond the nearest face: its distance is the depth of "
    "the cores.",
    EpaStop.REPEATED_SUPPORT: "The support point is a corner of the polytope already: only rounding is left.",
    EpaStop.FLAT_POLYTOPE: "A − B has no volume here: the cores touch, and the depth of the cores is 0.",
    EpaStop.ORIGIN_OUTSIDE: "The origin lies beyond the support plane: the cores are apart, and n proves it.",
    EpaStop.ITERATION_LIMIT: "The iterations allowed are used up. The depth of the cores lies between the bounds.",
}
"""The meaning of each stop."""

_N, _A, _B, _V = symbols("n a b v")
_LOWER, _UPPER, _CORES = Identifier("lower"), Identifier("upper"), Identifier("cores")


def epa_parts(at: At[Step]) -> tuple[SubStep, ...]:
    """The sub-steps of the hand-over, or of one expansion as far as it went; a stop is one more sub-step."""
    step, drawn = at.step, EpaPictures(at)
    whole: tuple[Build, Build] = partial(draw_world, step=step), partial(draw_difference, step=step)
    if step.nearest is None:
        newest, moves = len(step.vertices) - 1, len(step.vertices) > step.given
        point = step.vertices[newest]
        ends: Values = {_A: at.shown(point.a), _B: at.shown(point.b)}
        made = Formula.of(equation(at.names.symbol(point), _A - _B), at.shown(point.w), ends)
        pictures = whole[0], drawn.handed_over
        parts = [SubStep("hand-over", _hand_over_words(at), "start", *pictures, (made,), moves=moves)]
    else:
        parts, whole = list(_expansion(at, drawn)), (drawn.search.moved, drawn.answer)
    if step.stop is not None:
        ended = WithRadii.of(at.query, Phase.EPA)
        grown = () if ended is None else (ended.formula(_CORES),)
        parts.append(SubStep("stop", at.worded(STOPS[step.stop]), step.stop, *whole, grown, heading=Heading.RESULT))
    return tuple(parts)


def epa_text(at: At[Step]) -> StepText:
    """The text of the hand-over or of an expansion: the sentences of its sub-steps, and the state before."""
    step, before, why = at.step, at.before, ""
    if step.nearest is None:
        points = [at.names.words(at.query.analysis.scene, point) for point in step.vertices]
        known, why = f"The points: {', '.join(points)}.", sentences(_NEEDED[at.dimension], from_a(at.query))
    elif isinstance(step, EpaPolygonStep):
        known = f"The polygon has {counted(len(step.edges), 'edge')}."
    else:
        known = f"The polytope has {counted(len(step.vertices), 'corner')} and {counted(len(step.faces), 'face')}."
    if before is not None and before.upper is not None and before.lower is not None:
        known += f" So far the depth {between_bounds(before.lower, before.upper)}."
    does = "expand" if step.nearest is not None else "hand-over"
    return whole_text(
        epa_parts(at),
        title=f"EPA, step {at.of}: " + (does if step.stop is None else "stop"),
        known=known,
        why=why,
        stop=_stop(at),
    )


def _hand_over_words(at: At[Step]) -> str:
    """The sentence on the simplex that GJK leaves, and on the points that EPA adds."""
    step, needed = at.step, terms_of(at.dimension).simplex
    added, left = len(step.vertices) - step.given, f"GJK leaves {SIMPLICES[step.given]}"
    if step.stop is not None:
        return f"{left}, and no direction leads off it."
    if not added:
        return f"{left}. EPA grows it."
    more = "One point more makes" if added == 1 else f"{counted(added, 'point')} more make"
    return f"{left}. {more} a {needed}, which EPA grows."


def _expansion(at: At[Step], drawn: EpaPictures) -> Iterator[SubStep]:
    step, face, sources = at.step, terms_of(at.dimension).face, drawn.sources
    lower, upper = given(step.lower), given(step.upper)
    corners = listed(at.names.of(step.vertices[k] for k in drawn.corners))
    point = given(step.support)
    w = at.names.symbol(point)
    closest = f"The nearest {face}, of {corners}, is {plain(drawn.offset)} from the origin."
    reach = at.worded(f"The polytope lies within A − B, so the depth of the cores is at least {plain(lower)}.")
    outside: tuple[Formula, ...] = ()
    if drawn.offset < 0.0:
        # With the origin outside, the lower bound is minus the polytope's distance, not the face's.
        closest = f"The origin lies {plain(-drawn.offset)} outside of the {face} of {corners}: EPA grows there first."
        reach = at.worded("The origin is not inside the polytope: nothing bounds the depth from below yet.")
        v = np.array(given(step.closest))
        outside = (Formula.of(equation(-_LOWER, Norm(_V)), length(v), {_V: at.shown(v)}),)
    yield SubStep("closest", closest, "nearest", sources, drawn.closest, _measured(at, drawn), moves=True)
    yield SubStep("lower", reach, "bounds", sources, drawn.lower, outside, heading=Heading.WHY)
    there = "Beyond it, the support point along n is" if step.stop is None else "The support point along n is"
    words = at.names.words(at.query.analysis.scene, point)
    found = sentences(f"{there} {words}.", drawn.search.tie_words(0, 1))
    yield SubStep("support", found, "support", drawn.search.on_both, drawn.support, moves=True)
    values: Values = {_N: at.shown(drawn.normal), w: at.shown(given(step.support).w)}
    value = (Formula.of(_N @ w, drawn.value, values),)
    moved = at.worded(_upper_words(at, drawn.value, upper))
    yield drawn.search.reached("upper", moved, "bounds", value, Heading.WHY)
    if step.stop is None:
        yield from _growth(at, drawn)
    bounds = f"The depth{' of the cores' if at.radius else ''} {between_bounds(lower, upper)}."
    following = f"Next: the {face} that is nearest then." if step.stop is None else "EPA ends with these bounds."
    said, earlier = sentences(bounds, following, radii_note(at.query)), None if at.before is None else at.before.upper
    best = Formula.of(equation(_UPPER, _N @ w), upper)
    if earlier is not None:
        values_before = {_UPPER: earlier, _N @ w: drawn.value}
        best = Formula.of(equation(_UPPER, least(_UPPER, _N @ w)), upper, values_before)
    yield SubStep("bounds", said, "bounds", sources, drawn.bounds, (best,), heading=Heading.WHY)


def _measured(at: At[Step], drawn: EpaPictures) -> tuple[Formula, ...]:
    """The formula of the distance of the nearest face or edge, by its first corner; in the plane also of its normal."""
    point, normal = at.step.vertices[drawn.corner], at.shown(drawn.normal)
    corner = at.names.symbol(point)
    offset = Formula.of(_N @ corner, drawn.offset, {_N: normal, corner: at.shown(point.w)})
    return (Formula.of(_N, normal, lying=True), offset) if isinstance(at.step, EpaPolygonStep) else (offset,)


def _upper_words(at: At[Step], value: float, upper: float) -> str:
    if at.step.stop is EpaStop.ORIGIN_OUTSIDE:
        name = at.names.name(given(at.step.support))
        return f"{name} stays {plain(-value)} behind the origin: this plane separates the cores."
    earlier = None if at.before is None else at.before.upper
    if earlier is not None and value > earlier:
        now, best = told_together(value, upper)
        return f"Moving B by {now} along n separates the cores: no better than {best}, which stays."
    return f"Moving B by {plain(value)} along n separates the cores, so the depth of the cores is at most that."


def _growth(at: At[Step], drawn: EpaPictures) -> Iterator[SubStep]:
    step, name = at.step, at.names.name(given(at.step.support))
    if isinstance(step, EpaPolygonStep):
        room = f"{name} joins: two edges through it replace this edge."
        yield SubStep("join", room, "grow", drawn.sources, drawn.joined, moves=True)
        return
    one = len(step.removed) == 1
    gone = "It is inside the new polytope and goes." if one else "They are inside the new polytope and go."
    sees = f"{name} sees {counted(len(step.removed), 'face')}. {gone}"
    yield SubStep("visible", sees, "horizon", drawn.sources, drawn.visible)
    rim = f"{'Its' if one else 'Their'} rim is the horizon: {counted(len(step.horizon), 'edge')}."
    yield SubStep("horizon", rim, "horizon", drawn.sources, drawn.horizon)
    joined = f"{name} joins. Each edge of the horizon is joined to {name}: {counted(len(step.added), 'new face')}."
    yield SubStep("join", joined, "grow", drawn.sources, drawn.joined, moves=True)


def _stop(at: At[Step]) -> Stop | None:
    stop, result = at.step.stop, None if at.query.distance is None else at.query.distance.epa
    if stop is None:
        return None
    meaning, good = at.worded(STOPS[stop]), stop is not EpaStop.ITERATION_LIMIT
    ended = WithRadii.of(at.query, Phase.EPA)
    if ended is not None:
        cores = f"The depth of the cores is {plain(ended.core)}, {certified_words(given(result).gap)}."
        cores = cores if ended.core > 0.0 else ""
        return Stop(stop.value, sentences(meaning, cores, ended.sentence), good, ended.sentence)
    if result is not None:
        grown = f" with {radii_words(at.query)} ({plain(at.radius)})" if at.radius else ""
        bounds = f"{plain(result.depth)}, {certified_words(result.gap)}"
        if not result.certified:
            low, high = told_together(result.depth - result.gap, result.depth)
            bounds = f"at least {low} and at most {high}, not certified"
        meaning += f" The depth{grown} is {bounds}."
        good = good and result.certified
    return Stop(stop.value, meaning, good)

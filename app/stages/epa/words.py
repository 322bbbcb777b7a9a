"""EPA in words: the face or edge nearest the origin, the support beyond it, and what the new point does."""

from __future__ import annotations

from math import hypot

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import dot
from core.gjk.epa import EpaStep, EpaStop
from core.gjk.plane_epa import EpaPolygonStep
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...words.axis_words import listed
from ...words.digits import plain, told_together, tolerance
from ...words.expression import Length, Symbol, Word, equation, least, symbols
from ...words.formula import Formula, Values
from ...words.names import difference_name, numbered
from ...words.terms import terms_of
from ..stage import At, given
from ..word_parts import StepText, Stop, counted, from_a, point_words, sentences, shown

STOPS = {
    EpaStop.CONVERGED: "Within rounding, the nearest face is a face of A − B. Its distance is the depth.",
    EpaStop.REPEATED_SUPPORT: "The support point is already a corner of the polytope: only rounding is left.",
    EpaStop.FLAT_POLYTOPE: "The cores' difference has no volume, so the cores touch with depth 0. Radii, if any, "
    "are added at the end.",
    EpaStop.ORIGIN_OUTSIDE: "The support point along n does not reach the origin: the cores are apart, and n proves "
    "it.",
    EpaStop.ITERATION_LIMIT: "Stopped at the iteration limit. The depth lies between the bounds.",
}
"""What each way out means."""


def epa_text(at: At[EpaStep | EpaPolygonStep]) -> StepText:
    """Words about the hand-over or one expansion, in space or in the plane."""
    query, step, before = at.query, at.step, at.before
    if step.nearest is None:
        return _hand_over(at)
    known, decided, why = _polygon(query, step) if isinstance(step, EpaPolygonStep) else _polytope(query, step)
    depth = "No bound on the depth yet."
    if before is not None and before.upper is not None and before.lower is not None:
        depth = f"So far the depth lies between {' and '.join(told_together(before.lower, before.upper))}."
    return StepText(
        title=f"EPA, step {at.of}: " + ("expand" if step.stop is None else "stop"),
        known=f"{known} {depth}",
        decided=decided,
        why=sentences(why, at.radius_note),
        formulas=_formulas(query, None if before is None else before.upper, step),
        stop=_stop(query, step),
    )


def _hand_over(at: At[EpaStep | EpaPolygonStep]) -> StepText:
    """What GJK leaves to begin with."""
    query, step, newest = at.query, at.step, len(at.step.vertices) - 1
    added = len(step.vertices) - step.given
    decided = f"{counted(added, 'point') if added else 'No point'} added: "
    names = listed([_named(query, k, point) for k, point in enumerate(step.vertices)])
    if isinstance(step, EpaPolygonStep):
        decided += f"{names}."
        why = "EPA grows a polygon, so it needs three points that are not on one line."
    else:
        decided += f"the tetrahedron of {names}."
        if step.stop is not None:
            decided = f"All points found lie in one plane: {names}. There is no volume to grow."
        why = "EPA grows a solid, so it needs four points that are not in one plane."
    point = step.vertices[newest]
    ends: Values = {_A: shown(query, point.a), _B: shown(query, point.b)}
    return StepText(
        title=f"EPA, step {at.of}: " + ("hand-over" if step.stop is None else "stop"),
        known=f"GJK found no distance and hands over {counted(step.given, 'point')}.",
        decided=decided,
        why=sentences(why, from_a(query)),
        formulas=(Formula.of(equation(Symbol("p", str(newest)), _A - _B), shown(query, point.w), ends),),
        stop=_stop(query, step),
    )


def _named(query: Query, number: int, point: DifferencePoint) -> str:
    return point_words(query.analysis.scene, "p", number, point)


def _polygon(query: Query, step: EpaPolygonStep) -> tuple[str, str, str]:
    """What was known, what is decided and why, in the plane."""
    nearest = given(step.nearest)
    ends = f"{numbered('p', nearest.start)} and {numbered('p', nearest.end)}"
    grown = "The support point along its normal ends the search."
    if step.stop is None:
        made = difference_name(query.analysis.scene, given(step.support))
        grown = f"The support point along its normal, {made}, is inserted between its ends."
    return (
        f"The polygon has {counted(len(step.edges), 'edge')}.",
        f"The nearest edge, between {ends}, is {plain(nearest.offset)} from the origin. {grown}",
        "The polygon lies inside A − B, so the depth is at least the nearest edge's distance. Moving B by n·w along "
        "n separates the bodies, so it is at most n·w. There is no horizon in 2D.",
    )


def _polytope(query: Query, step: EpaStep) -> tuple[str, str, str]:
    """The same in space."""
    nearest = given(step.nearest)
    corners = listed([numbered("p", k) for k in sorted(nearest.vertices)])
    grown = "The support point along its normal ends the search."
    if step.stop is None:
        grown = (
            "The support point along its normal lies beyond it: "
            f"{_named(query, len(step.vertices), given(step.support))}. It sees "
            f"{counted(len(step.removed), 'face')}, which {'is' if len(step.removed) == 1 else 'are'} removed; the "
            f"horizon of {counted(len(step.horizon), 'edge')} gets {counted(len(step.added), 'new face')}."
        )
    return (
        f"The polytope has {counted(len(step.vertices), 'corner')} and {counted(len(step.faces), 'face')}.",
        f"The nearest face, {corners}, is {plain(nearest.offset)} from the origin. {grown}",
        "The polytope lies inside A − B, so the depth is at least the nearest face's distance. Moving B by n·w "
        "along n separates the bodies, so it is at most n·w.",
    )


def _stop(query: Query, step: EpaStep | EpaPolygonStep) -> Stop | None:
    if step.stop is None:
        return None
    result = None if query.distance is None else query.distance.epa
    meaning = STOPS[step.stop]
    if isinstance(step, EpaPolygonStep):
        meaning = terms_of(2).said(meaning)
        if result is not None:
            meaning += f" Depth {plain(result.depth)}, within {tolerance(result.gap)}."
        return Stop(step.stop.value, meaning, result is None or result.certified)
    good = step.stop is not EpaStop.ITERATION_LIMIT
    if result is not None:
        radius = 0.0 if query.support_maps is None else query.support_maps.radius
        grown = f" with the radii ({plain(radius)})" if radius else ""
        bounds = f"{plain(result.depth)}, certified within {tolerance(result.gap)}"
        if not result.certified:
            least, most = told_together(result.depth - result.gap, result.depth)
            bounds = f"at least {least} and at most {most}, not certified"
        meaning += f" The depth{grown} is {bounds}."
        good = good and result.certified
    return Stop(step.stop.value, meaning, good)


_N, _W, _A, _B, _V = symbols("n w a b v")
_LOWER, _UPPER = Word("lower"), Word("upper")


def _formulas(query: Query, earlier: float | None, step: EpaStep | EpaPolygonStep) -> tuple[Formula, ...]:
    """The bounds by the nearest face or edge and the support; `earlier`: the upper bound before."""
    assert step.nearest is not None
    offset, support, upper = step.nearest.offset, given(step.support).w, given(step.upper)
    if isinstance(step, EpaPolygonStep):
        corner, normal = step.nearest.start, raised(step.nearest.normal)
    else:
        corner, normal = step.nearest.vertices[0], np.array(step.nearest.normal)
    p, value = Symbol("p", str(corner)), dot(normal, support)
    normal, point, beyond = (shown(query, vector) for vector in (normal, step.vertices[corner].w, support))
    found = [Formula.of(_N, normal, lying=True)] if isinstance(step, EpaPolygonStep) else []
    found.append(Formula.of(_N @ p, offset, {_N: normal, p: point}))
    if offset < 0.0:
        # The origin is outside: there the bound is not the face's distance.
        closest = shown(query, np.array(step.closest))
        found.append(Formula.of(equation(-_LOWER, Length(_V)), hypot(*closest.tolist()), {_V: closest}))
    found.append(Formula.of(_N @ _W, value, {_N: normal, _W: beyond}))
    if earlier is None:
        found.append(Formula.of(equation(_UPPER, _N @ _W), upper))
    else:
        found.append(Formula.of(equation(_UPPER, least(_UPPER, _N @ _W)), upper, {_UPPER: earlier, _N @ _W: value}))
    return tuple(found)

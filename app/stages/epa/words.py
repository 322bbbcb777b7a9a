"""EPA in words: the face nearest the origin, the support beyond it, what the new point does to the polytope."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from core.geometry.vector import Array, dot
from core.gjk.epa import EpaStep, EpaStop
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...words.axis_words import listed, plain
from ..stage import At
from ..word_parts import (
    Formula,
    StepText,
    Stop,
    chosen_formula,
    counted,
    curved,
    difference_formula,
    dot_formula,
    from_a,
    length_formula,
    numbered,
    radius_note,
    sentences,
    shown,
    source_names,
    tex,
)

if TYPE_CHECKING:
    from core.gjk.plane_epa import EpaPolygonStep

STOPS = {
    EpaStop.CONVERGED: "The nearest face is a face of A − B, to rounding: its distance is the depth.",
    EpaStop.REPEATED_SUPPORT: "The support point is a corner of the polytope already: only rounding is left.",
    EpaStop.FLAT_POLYTOPE: "The cores' difference has no volume, so they meet without depth.",
    EpaStop.ORIGIN_OUTSIDE: "The support along n stays behind the origin: the cores are apart, and n proves it.",
    EpaStop.ITERATION_LIMIT: "Did not converge: the iterations allowed are used up. The depth lies between the bounds.",
}
"""What each way out means."""


def epa_text(at: At[EpaStep]) -> StepText:
    """Words about the hand-over or one expansion, in space."""
    query, step, before = at.query, at.step, at.before
    if step.nearest is None:
        return _hand_over(at)
    polytope = f"The polytope has {counted(len(step.vertices), 'corner')} and {counted(len(step.faces), 'face')}."
    return StepText(
        title=f"EPA, step {at.of}: " + ("expand" if step.stop is None else "stop"),
        known=f"{polytope} {depth_before(before)}",
        decided=sentences(_nearest_words(step), _growth_words(query, step)),
        why=sentences(
            "The polytope lies within A − B, so its nearest face bounds the depth from below. Moving B by n·w along n "
            "parts the bodies, which bounds it from above.",
            radius_note(query),
        ),
        formulas=_formulas(before, step),
        stop=_stop(query, step),
    )


def _hand_over(at: At[EpaStep]) -> StepText:
    names = listed([_named(at.query, k, point) for k, point in enumerate(at.step.vertices)])
    grown = f": the tetrahedron of {names}"
    decided = added_words(at.step, grown) if at.step.stop is None else f"No direction leads off what is there: {names}."
    why = (
        "EPA grows a solid, so it begins with four points that are not in one plane. The origin may be inside, on it, "
        "or even outside: EPA grows towards it."
    )
    return hand_over(at, decided, why, _stop(at.query, at.step))


def added_words(step: EpaStep | EpaPolygonStep, grown: str) -> str:
    """How many points were added to those that GJK left, and what there is then."""
    added = len(step.vertices) - step.given
    return f"{counted(added, 'point') if added else 'No point'} added{grown}."


def hand_over(at: At[EpaStep] | At[EpaPolygonStep], decided: str, why: str, stop: Stop | None) -> StepText:
    """Words about what GJK leaves to begin with, in space or in the plane."""
    query, step, newest = at.query, at.step, len(at.step.vertices) - 1
    point, name = step.vertices[newest], rf"p_{{{newest}}}"
    ends = shown(query, point.a), shown(query, point.b)
    return StepText(
        title=f"EPA, step {at.of}: " + ("hand-over" if step.stop is None else "stop"),
        known=f"GJK ended without a distance, and left {counted(step.given, 'point')} to begin with.",
        decided=decided,
        why=sentences(why, from_a(query)),
        formulas=(difference_formula(f"{name} = a - b", (numbered("p", newest), name), *ends),),
        stop=stop,
    )


def _named(query: Query, number: int, point: DifferencePoint) -> str:
    name = numbered("p", number)
    return name if curved(point) else f"{name} = {source_names(query.analysis.scene, point, number)}"


def depth_before(before: EpaStep | EpaPolygonStep | None) -> str:
    """What the step before knew of the depth, in space or in the plane."""
    if before is None or before.upper is None or before.lower is None:
        return "Nothing is known of the depth yet."
    return f"So far the depth lies between {plain(before.lower)} and {plain(before.upper)}."


def _nearest_words(step: EpaStep) -> str:
    assert step.nearest is not None
    corners = listed([numbered("p", k) for k in sorted(step.nearest.vertices)])
    return f"Of all faces that of {corners} is nearest the origin, at {plain(step.nearest.offset)}."


def _growth_words(query: Query, step: EpaStep) -> str:
    assert step.support is not None
    if step.stop is not None:
        return "The support along its normal ends the search."
    return (
        f"The support along its normal lies beyond it and is added: {_named(query, len(step.vertices), step.support)}. "
        f"It sees {counted(len(step.removed), 'face')}, which {'goes' if len(step.removed) == 1 else 'go'}; "
        f"the horizon of {counted(len(step.horizon), 'edge')} gets {counted(len(step.added), 'new face')}."
    )


def _stop(query: Query, step: EpaStep) -> Stop | None:
    if step.stop is None:
        return None
    result = None if query.distance is None else query.distance.epa
    good, meaning = step.stop is not EpaStop.ITERATION_LIMIT, STOPS[step.stop]
    if result is not None:
        radius = 0.0 if query.support_maps is None else query.support_maps.radius
        grown = f" with the radii ({plain(radius)})" if radius else ""
        bounds = f"{plain(result.depth)}, to within {plain(result.gap)}, certified"
        if not result.certified:
            bounds = f"at least {plain(result.depth - result.gap)} and at most {plain(result.depth)}, not certified"
        meaning += f" The depth{grown} is {bounds}."
        good = good and result.certified
    return Stop(step.stop.value, meaning, good)


# Formulas.


def _formulas(before: EpaStep | None, step: EpaStep) -> tuple[Formula, ...]:
    assert step.nearest is not None
    assert step.support is not None
    assert step.upper is not None
    assert step.closest is not None
    normal = np.array(step.nearest.normal)
    corner = step.nearest.vertices[0]
    value = dot(normal, step.support.w)
    symbol = rf"n\cdot p_{{{corner}}}"
    face = dot_formula(
        symbol, f"n·{numbered('p', corner)}", symbol, (normal, step.vertices[corner].w), step.nearest.offset
    )
    beyond = dot_formula(r"n\cdot w", "n·w", r"n\cdot w", (normal, step.support.w), value)
    lower = lower_formula(step.nearest.offset, np.array(step.closest))
    return (face, *lower, beyond, upper_formula(None if before is None else before.upper, value, step.upper))


def lower_formula(offset: float, closest: Array) -> tuple[Formula, ...]:
    """Only where the origin is outside (`offset` < 0): there the bound is not the face's distance.

    `closest`: (3,), in the plane (2,).
    """
    if offset >= 0.0:
        return ()
    distance = hypot(*closest.tolist())
    return (length_formula(r"-\mathit{lower} = \lVert v\rVert", "−lower", r"-\mathit{lower}", closest, distance),)


def upper_formula(earlier: float | None, value: float, upper: float) -> Formula:
    """The best bound so far, of the one before, if any, and n·w."""
    if earlier is None:
        return Formula(r"\mathit{upper} = n\cdot w", rf"\mathit{{upper}} = {tex(upper)}", f"upper = {plain(upper)}")
    return chosen_formula("min", "upper", r"n\cdot w", earlier, value, upper)

"""EPA in words in the plane: the edge nearest the origin, the support beyond it, and where the new point goes."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import dot
from core.gjk.plane_epa import EpaPolygonStep
from core.pair.support import DifferencePoint
from core.query.query import Query
from core.shapes import ball_radius

from ...words.axis_words import MINUS, listed, plain
from ...words.terms import terms_of
from ..stage import At
from ..word_parts import (
    Formula,
    StepText,
    Stop,
    counted,
    dot_formula,
    numbered,
    radius_note,
    row,
    sentences,
    tex_row,
)
from .words import STOPS, added_words, depth_before, hand_over, lower_formula, upper_formula


def polygon_text(at: At[EpaPolygonStep]) -> StepText:
    """Words about the hand-over or one expansion, in the plane."""
    query, step, before = at.query, at.step, at.before
    if step.nearest is None or step.support is None:
        corners = [f"{numbered('p', k)} = {_source(query, point)}" for k, point in enumerate(step.vertices)]
        why = "EPA grows a polygon, so it begins with three points that are not on one line."
        return hand_over(at, added_words(step, f": {listed(corners)}"), why, _epa_stop(query, step))
    ends = f"{numbered('p', step.nearest.start)} and {numbered('p', step.nearest.end)}"
    grown = (
        f"The support along its normal, {_source(query, step.support)}, goes between them."
        if step.stop is None
        else "The support along its normal ends the search."
    )
    return StepText(
        title=f"EPA, step {at.of}: " + ("expand" if step.stop is None else "stop"),
        known=f"A polygon of {counted(len(step.edges), 'edge')} within A − B. {depth_before(before)}",
        decided=f"The edge from {ends} is nearest the origin, at {plain(step.nearest.offset)}. {grown}",
        why=sentences(
            "The nearest edge bounds the depth from below; moving B by n·w along n parts the bodies, which bounds it "
            "from above. The plane needs no horizon.",
            radius_note(query),
        ),
        formulas=_epa_formulas(before, step),
        stop=_epa_stop(query, step),
    )


def _epa_formulas(before: EpaPolygonStep | None, step: EpaPolygonStep) -> tuple[Formula, ...]:
    assert step.nearest is not None
    assert step.support is not None
    assert step.closest is not None
    assert step.upper is not None
    start, offset = step.nearest.start, step.nearest.offset
    normal, value = np.array(step.nearest.normal), dot(step.nearest.normal, step.support.xy)
    symbol, corner = rf"n\cdot p_{{{start}}}", np.array(step.vertices[start].xy)
    return (
        Formula("n", f"n = {tex_row(normal)}", f"n = {row(normal)}"),
        dot_formula(symbol, f"n·{numbered('p', start)}", symbol, (normal, corner), offset),
        *lower_formula(offset, step.closest[:2]),
        dot_formula(r"n\cdot w", "n·w", r"n\cdot w", (normal, np.array(step.support.xy)), value),
        upper_formula(None if before is None else before.upper, value, step.upper),
    )


def _epa_stop(query: Query, step: EpaPolygonStep) -> Stop | None:
    if step.stop is None:
        return None
    result = None if query.distance is None else query.distance.epa
    meaning = terms_of(2).said(STOPS[step.stop])
    if result is not None:
        meaning += f" Depth {plain(result.depth)}, to within {plain(result.gap)}."
    return Stop(step.stop.value, meaning, result is None or result.certified)


def _source(query: Query, point: DifferencePoint) -> str:
    scene = query.analysis.scene
    names = []
    for letter, body, vertex in (("A", scene.a, point.vertex_a), ("B", scene.b, point.vertex_b)):
        point_of = f"v{vertex}" if ball_radius(body.shape) is None else "centre"
        names.append(f"{letter}.{point_of}" if vertex >= 0 else letter)
    return f"{names[0]} {MINUS} {names[1]}"

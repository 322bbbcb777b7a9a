"""Why an edge pair counts or does not, by the arcs of both edges on the Gauss map, in words."""

from __future__ import annotations

from collections import Counter

from core.analysis.analysis import Analysis
from core.pair.cores import has_core
from core.pair.gauss_map import ArcReason, PairAxes, pair_axes
from core.sat.sat import AxisKind

_SENTENCES = {
    ArcReason.PARALLEL: "the edges are parallel, their arcs share a great circle, and the faces at their ends stand in",
    ArcReason.COVERED: "the arcs only touch, at the end of one: the axis is the normal of that face",
    ArcReason.BORDERLINE: "the arcs miss each other by no more than rounding: kept as a test",
    ArcReason.FAR_SIDE: "each arc crosses the other's great circle, on opposite sides of the sphere",
    ArcReason.A_ON_ONE_SIDE: "A's arc lies on one side of the great circle of B's",
    ArcReason.B_ON_ONE_SIDE: "B's arc lies on one side of the great circle of A's",
}
"""The reasons of pairs whose arcs do not cross, the one that tells most first."""

_SHORT = {
    ArcReason.PARALLEL: "parallel edges, arcs on one circle",
    ArcReason.COVERED: "arcs only touch, at a face",
    ArcReason.BORDERLINE: "arcs miss by rounding",
}


def arc_reasons(analysis: Analysis, row: int) -> Counter[ArcReason] | None:
    """How many edge pairs of a row have which reason; None for a row of no edge pair, or while SAT is left out.

    A row of a hull's edges is one pair; of a box's, four parallel edges each stand for one direction.
    """
    scene, candidate = analysis.scene, analysis.sat.candidates[row]
    cored = has_core(scene.a) and has_core(scene.b)
    if candidate.kind is not AxisKind.EDGES or not cored or analysis.left_out:
        return None
    pair = pair_axes(scene.a, scene.b)
    return Counter(ArcReason(reason) for reason in _reasons_between(pair, candidate.feature_a, candidate.feature_b))


def arc_sentence(analysis: Analysis, row: int) -> str:
    """One sentence on the arcs of a row's edges; empty for a row of no edge pair."""
    reasons = arc_reasons(analysis, row)
    if not reasons:
        return ""
    total, crossing = reasons.total(), reasons[ArcReason.BUILDS_FACE]
    if crossing:
        if total == 1:
            return "Gauss map: the arcs cross, so the edges build a face of A − B."
        return f"Gauss map: {crossing} of its {total} pairs of arcs cross; those edges build faces of A − B."
    return f"Gauss map: {_SENTENCES[_most_telling(reasons)]}."


def arcs_in_short(analysis: Analysis, row: int) -> str:
    """Why the arcs of a row do not cross, in a few words; empty where they do, or where the row is no edge pair."""
    reasons = arc_reasons(analysis, row)
    if not reasons or reasons[ArcReason.BUILDS_FACE]:
        return ""
    return _SHORT.get(_most_telling(reasons), "arcs do not cross")


def _most_telling(reasons: Counter[ArcReason]) -> ArcReason:
    return next(reason for reason in _SENTENCES if reasons[reason])


def _reasons_between(pair: PairAxes, line_a: int | None, line_b: int | None) -> list[int]:
    of_a, of_b = pair.core_a.edge_lines == line_a, pair.core_b.edge_lines == line_b
    found: list[int] = pair.overlay.all_reasons()[of_a][:, of_b].ravel().tolist()
    return found

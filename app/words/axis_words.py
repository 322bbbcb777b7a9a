"""Words for an answer: the verdict sentence, the provenance of a number, and a reason beside each candidate axis.

The panels, the verdict line in the picture and the text of `separatrix check` share these words. For a pair of edges
the arcs of both on the Gauss map give a further reason: whether the edges build a face of A − B.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.triple import ZERO
from core.geometry.vector import Array
from core.pair.cores import has_core
from core.pair.gauss_map import ArcReason, PairAxes, pair_axes, reasons_of_arcs
from core.sat.sat import AxisKind, AxisStatus, SatTable
from core.scene import Body, Scene
from core.verdict import Certainty, Provenance, Verdict

from .digits import column_number, plain, plains, shared_digits, told_together, tolerance
from .names import axis_name

NAMED_TIES = 3
"""The largest number of tied axes that are named; more are only counted. Aligned boxes tie on up to 12 of 15."""


def provenance_words(certainty: Certainty) -> str:
    """The words for a number's provenance: `exact`, `certified within 1e−10`, `a bound, ...` or `not certified`."""
    match certainty.provenance:
        case Provenance.EXACT:
            return "exact"
        case Provenance.CERTIFIED:
            return certified_words(certainty.gap)
        case Provenance.BOUND:
            return f"a bound, within {tolerance(certainty.gap)}" if certainty.gap > 0.0 else "a bound"
        case Provenance.FALLBACK:
            return "not certified"


def certified_words(gap: float) -> str:
    """The words for a number whose two bounds differ by `gap`: `certified within 1e−10`, or `certified` for 0."""
    return f"certified within {tolerance(gap)}" if gap > 0.0 else "certified"


def known_words(analysis: Analysis, certainty: Certainty | None = None) -> str:
    """The provenance of the answer's number, or of a number with this `certainty`.

    A body made of a mesh is answered by its hull, and the words name it: `exact, of the hull of two_cubes.obj`.
    """
    return _of_hulls(provenance_words(certainty or analysis.certainty), analysis)


def _of_hulls(words: str, analysis: Analysis) -> str:
    return f"{words}, {analysis.scene.of_hulls}" if analysis.scene.of_hulls else words


def shown_part(analysis: Analysis, vector: Array) -> Array:
    """A vector (3,) as it is shown: all of it, or x and y in the plane."""
    return vector[: analysis.scene.dimension]


def distance_words(analysis: Analysis) -> str:
    """The distance or depth without sign or unit. A digit on which its two bounds differ is left out.

    Bounds that share no digit are both given: `0.4 to 0.9`. A distance above SAT's largest gap has one digit more if
    both would read alike, as they are shown together.
    """
    size, beyond = abs(analysis.separation), distance_beyond_sat(analysis)
    if _in_doubt(analysis):
        return shared_digits(max(0.0, size - analysis.certainty.gap), size)
    return plain(size) if beyond is None else told_together(beyond, analysis.sat.separation)[0]


def distance_beyond_sat(analysis: Analysis) -> float | None:
    """The distance, if the bodies are apart and SAT's largest gap only bounds it; else None.

    Pictures show it together with that gap.
    """
    beyond = analysis.verdict is Verdict.SEPARATED and analysis.sat.applies and not analysis.sat.exact
    return analysis.separation if beyond else None


def _in_doubt(analysis: Analysis) -> bool:
    return analysis.certainty.gap > 0.0


def verdict_line(analysis: Analysis) -> str:
    """The verdict as one sentence without a full stop, with its number, and the deciding axis if SAT applies.

    The provenance of the number follows, or for touching bodies the tolerance.
    """
    size = distance_words(analysis)
    size += " unit" if size == "1" else " units"
    known = known_words(analysis)
    if analysis.verdict is Verdict.TOUCHING:
        gap = analysis.separation
        touch = f"{'a gap' if gap > 0.0 else 'an overlap'} of {size}" if gap != 0.0 else "a gap of 0"
        within = f"within the tolerance of ±{tolerance(analysis.band)}"
        return _of_hulls(f"Touching: {touch} {_winner_words(analysis.sat)}, {within}", analysis)
    if analysis.verdict is Verdict.OVERLAPPING:
        return f"Overlapping: {size} {_winner_words(analysis.sat)}, {known}"
    table = analysis.sat
    if not table.applies:
        return f"Separated: {size} apart, {known}"
    if (distance := distance_beyond_sat(analysis)) is None:
        return f"Separated: {size} apart {_winner_words(table)}, {known}"
    free = told_together(table.separation, distance)[0]
    return f"Separated: {size} apart, {known}; SAT's largest gap is only {free}, along {axis_name(table, table.winner)}"


def sat_words(analysis: Analysis) -> str:
    """A sentence on why the axis table has one row alone; empty if the table has all of SAT's axes."""
    if analysis.sat.applies:
        return ""
    curved = "a curved body has infinitely many axes. The row shows the normal that GJK or EPA found."
    return analysis.beyond_limits or analysis.refused or f"SAT does not apply: {curved}"


def gjk_words(analysis: Analysis) -> str:
    """GJK's stop reason, iterations and separation, or that the cores touch or overlap; or why it did not run."""
    found = analysis.gjk
    if found is None:
        return "does not apply: a half-space is unbounded and has no support points"
    if found.separation is None:
        return f"{_stopped(found.stop, found.iterations)}: the cores touch or overlap"
    known = provenance_words(found.certainty)
    return f"{_stopped(found.stop, found.iterations)}: separation {column_number(found.separation)}, {known}"


def epa_words(analysis: Analysis) -> str:
    """EPA's stop reason, iterations and depth, or the reason why it did not run."""
    found = analysis.epa
    if found is None:
        if analysis.gjk is None:
            return "does not apply to a half-space"
        return "not needed: the cores are apart, so GJK's distance minus the radii is the answer"
    known = provenance_words(found.certainty)
    return f"{_stopped(found.stop, found.iterations)}: depth {column_number(found.depth)}, {known}"


def _stopped(stop: str, iterations: int) -> str:
    return f"{stop} after {iterations} {'iteration' if iterations == 1 else 'iterations'}"


def reason(analysis: Analysis, row: int) -> str:
    """A few words on why the axis in `row` of the table wins, or why it does not; lengths are in scene units."""
    table = analysis.sat
    return _reason(table, row, int(table.same_as[row]), plain(table.separation - float(table.separations[row])))


def reasons(analysis: Analysis) -> tuple[str, ...]:
    """`reason` for every row of the table, in its order."""
    table = analysis.sat
    behind = plains((table.separation - table.separations).tolist())
    rows = enumerate(zip(table.same_as.tolist(), behind, strict=True))
    return tuple([_reason(table, row, line, words) for row, (line, words) in rows])


def _reason(table: SatTable, row: int, line: int, behind: str) -> str:
    """The reason of one row. `line`: the first row with the same direction. `behind`: the winner's lead, in words."""
    candidate, status = table.candidates[row], table.statuses[row]
    if row == table.winner:
        return _winning_words(table)
    if status is AxisStatus.DEGENERATE:
        return "edges parallel, no direction" + _covered_words(table, row)
    if row in table.ties or line != row:
        return _tie_words(table, row, line)
    winner = axis_name(table, table.winner)
    if table.verdict is not Verdict.SEPARATED:
        words = f"overlaps {behind} more than {winner}"
    elif status is AxisStatus.SEPARATING:
        words = f"also separates; gap smaller by {behind}"
    else:
        words = f"no gap; worse than {winner} by {behind}"
    if candidate.nearly_parallel:
        return f"edges nearly parallel (sin {tolerance(candidate.sine)}){_covered_words(table, row)}; {words}"
    return words


def _tie_words(table: SatTable, row: int, line: int) -> str:
    winner = table.winner
    words = [f"tied with {axis_name(table, winner)}"] if row in table.ties else []
    if line != row:
        words.append("same direction" + ("" if words and line == winner else f" as {axis_name(table, line)}"))
    return "; ".join(words)


def reason_so_far(table: SatTable, row: int, best: int | None) -> str:
    """The reason of a row while SAT still has rows to try: the row is compared with the `best` one so far.

    `best`: None if the row is the first.
    """
    if _degenerate(table, row):
        return "edges parallel, no direction" + _covered_words(table, row)
    if best is None or row == best:
        return "the best so far: " + ("largest gap" if float(table.separations[row]) > 0.0 else "least overlap")
    worse = plain(float(table.separations[best] - table.separations[row]))
    same = f"as {axis_name(table, int(table.same_as[row]))}; " if int(table.same_as[row]) != row else ""
    return f"{same}worse than {axis_name(table, best)} by {worse}"


def reason_alone(table: SatTable, row: int) -> str:
    """The gap or overlap of one row without a comparison, or that its intervals touch or it has no direction."""
    if _degenerate(table, row):
        return "edges parallel, no direction" + _covered_words(table, row)
    if table.statuses[row] is AxisStatus.TOUCHING:
        return "the intervals touch"
    separation = float(table.separations[row])
    return f"{'a gap' if separation > 0.0 else 'an overlap'} of {plain(abs(separation))}"


def listed(words: list[str]) -> str:
    """`x`, `x and y`, `x, y and z`; "" for no words."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def _degenerate(table: SatTable, row: int) -> bool:
    return table.statuses[row] is AxisStatus.DEGENERATE


def _winning_words(table: SatTable) -> str:
    if not table.applies:
        return "the normal that GJK or EPA found; SAT does not apply here"
    if _degenerate(table, table.winner):
        return "the centres coincide: every direction is equally short"
    what = "decides: largest gap" if table.verdict is Verdict.SEPARATED else "decides: least overlap"
    return what + (f", tied with {_tied_words(table)}" if table.ties else "")


def _tied_words(table: SatTable) -> str:
    if len(table.ties) > NAMED_TIES:
        return f"{len(table.ties)} others"
    return listed([axis_name(table, k) for k in table.ties])


def _winner_words(table: SatTable) -> str:
    if not table.applies:
        return "along the normal"
    if _degenerate(table, table.winner):
        return "in any direction"
    return f"along {axis_name(table, table.winner)}" + (f" (tied with {_tied_words(table)})" if table.ties else "")


def _covered_words(table: SatTable, row: int) -> str:
    labels = [axis_name(table, k) for k in table.candidates[row].covered_by]
    return f", covered by {listed(labels)}" if labels else ""


_SENTENCES = {
    ArcReason.PARALLEL: "the edges are parallel and their arcs share a great circle: the face normals at their ends "
    "cover this axis",
    ArcReason.COVERED: "the arcs only touch, at the end of one: the axis is the normal of that face",
    ArcReason.BORDERLINE: "the arcs miss each other within rounding, so the axis is tested all the same",
    ArcReason.FAR_SIDE: "each arc crosses the other's great circle, on opposite sides of the sphere",
    ArcReason.A_ON_ONE_SIDE: "A's arc lies on one side of the great circle of B's",
    ArcReason.B_ON_ONE_SIDE: "B's arc lies on one side of the great circle of A's",
}
"""Sentences for arcs that do not cross, by reason. If a row has several reasons, the first of this order is shown."""

_SHORT = {
    ArcReason.PARALLEL: "parallel edges, arcs on one circle",
    ArcReason.COVERED: "arcs only touch, at a face",
    ArcReason.BORDERLINE: "arcs miss by rounding",
}


def boxed(body: Body) -> bool:
    """Whether the body's core is a box."""
    return body.shape.core is not None and body.shape.core.boxed


def overlaid_maps(scene: Scene) -> PairAxes:
    """The Gauss maps of two bodies with cores; the cores of two boxes are about the origin.

    A map depends on rotations alone, so that of boxes is cached while one is moved. For other bodies the axis table
    has computed it already; raises TooLargeError for a pair that the table refuses.
    """
    a, b = scene.a, scene.b
    if boxed(a) and boxed(b):
        a, b = (replace(body, position=ZERO) for body in (a, b))
    return pair_axes(a, b)


def arc_reasons(analysis: Analysis, row: int) -> Counter[ArcReason] | None:
    """The number of a row's edge pairs for each reason.

    None if the row's axis comes from no pair of edges, or if SAT did not run. Two edges of hulls are one pair; a row of
    boxes has up to 16, since four parallel edges of a box share a row.
    """
    scene, candidate = analysis.scene, analysis.sat.candidates[row]
    cored = has_core(scene.a) and has_core(scene.b)
    if candidate.kind is not AxisKind.EDGES or not cored or analysis.beyond_limits:
        return None
    pair = overlaid_maps(scene)
    of_a, of_b = pair.core_a.edge_lines == candidate.feature_a, pair.core_b.edge_lines == candidate.feature_b
    reasons = reasons_of_arcs(pair.core_a, pair.core_b, np.flatnonzero(of_a), np.flatnonzero(of_b))
    return Counter(ArcReason(reason) for reason in reasons.ravel().tolist())


def arc_sentence(analysis: Analysis, row: int) -> str:
    """One sentence on the arcs of a row's edges; empty without `arc_reasons`."""
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
    """A few words on why the arcs of a row do not cross; empty if they do, or without `arc_reasons`."""
    reasons = arc_reasons(analysis, row)
    if not reasons or reasons[ArcReason.BUILDS_FACE]:
        return ""
    return _SHORT.get(_most_telling(reasons), "arcs do not cross")


def _most_telling(reasons: Counter[ArcReason]) -> ArcReason:
    return next(reason for reason in _SENTENCES if reasons[reason])

"""SAT in words: the axis tried, both intervals on it, and what it does to the best so far."""

from __future__ import annotations

from core.pair.candidate_axes import AxisKind, CandidateAxis
from core.pair.gauss_map import ArcReason
from core.pair.polyhedron_axes import pair_axes
from core.query.query import Query
from core.sat.sat import SatStep
from core.sat.table import AxisStatus, SatTable
from core.verdict import Verdict

from ...words.axis_words import listed, plain
from ..stage import At
from ..word_parts import (
    Formula,
    StepText,
    Stop,
    clean,
    counted,
    far_out,
    from_a,
    row,
    sentences,
    separation_formula,
    shown,
    tex_row,
)


def sat_text(at: At[SatStep]) -> StepText:
    """Words about one row of the axis table."""
    query, step, before = at.query, at.step, at.before
    table = query.analysis.sat
    candidate = table.candidates[step.row]
    best = _best_so_far(table, None if before is None else before.best)
    return StepText(
        title=f"SAT, axis {at.of}: {candidate.label}",
        known=sentences(_origin(query, candidate), best, from_a(query) if far_out(query) else ""),
        decided=_decided(table, step),
        why=sentences(_why(table, step), _gauss_words(query, step.row)),
        formulas=() if step.separation is None else (_axis_formula(query, step), _separation_formula(query, step)),
        stop=_stop(at),
    )


def _origin(query: Query, candidate: CandidateAxis) -> str:
    """Where the axis comes from."""
    if not query.analysis.sat.applies:
        return "A curved body has infinitely many axes, and no table of them. This is the normal that GJK or EPA found."
    if query.analysis.polygon is not None:
        return _origin_in_plane(candidate)
    match candidate.kind:
        case AxisKind.FACE_A | AxisKind.FACE_B if candidate.label.endswith(".plane"):
            return f"{candidate.label} is the normal of the half-space: along any other axis it has no end."
        case AxisKind.FACE_A | AxisKind.FACE_B if "×" in candidate.label:
            body, edge = candidate.label.split("×")[0].split(".")
            return (
                f"{candidate.label} lies in {body}'s plane, at right angles to its {edge.replace('edge', 'edge ')}. "
                "It finds a gap to a body in the same plane."
            )
        case AxisKind.FACE_A:
            return f"{candidate.label} is the normal of a face of A."
        case AxisKind.FACE_B:
            return f"{candidate.label} is the normal of a face of B."
        case AxisKind.EDGES:
            first, second = candidate.label.split("×")
            return f"The axis stands at right angles to the edges {first} and {second} (sine {plain(candidate.sine)})."
        case AxisKind.CENTRES:
            return "The axis joins the closest points of both bodies, or of their cores."


def _origin_in_plane(candidate: CandidateAxis) -> str:
    if candidate.kind is AxisKind.CENTRES:
        if candidate.label.count(".") == 2:
            return "The axis joins the closest corners of both bodies, within their borders."
        return (
            "The axis joins the circle's centre and what of the other body is closest: a vertex, or the other centre."
        )
    body, edge = candidate.label.split(".")
    return f"{candidate.label} is the normal of {edge.replace('edge', 'edge ')} of {body}."


def _best_so_far(table: SatTable, best: int | None) -> str:
    if best is None:
        return "No axis has been measured yet."
    value = float(table.separations[best])
    size = f"{'a gap' if value > 0.0 else 'an overlap'} of {plain(abs(value))}" if value else "a separation of 0"
    return f"Best so far: {table.candidates[best].label} with {size}."


def _decided(table: SatTable, step: SatStep) -> str:
    if step.separation is None:
        return "Skipped: it has no direction."
    size = plain(abs(step.separation))
    match table.statuses[step.row]:
        case AxisStatus.SEPARATING:
            found = f"A gap of {size}: the bodies are apart."
        case AxisStatus.TOUCHING:
            found = f"The intervals touch: a separation of {plain(step.separation)}, within the band of rounding."
        case _:
            found = f"The intervals overlap by {size}: no gap along this axis."
    if step.first_gap:
        found += " A yes-or-no test would stop here."
    return f"{found} {_ranking(table, step)}"


def _ranking(table: SatTable, step: SatStep) -> str:
    assert step.separation is not None
    if step.improved:
        return "It is the best so far: " + ("the largest gap." if step.separation > 0.0 else "the shallowest way out.")
    if step.best is None:
        return ""
    behind = float(table.separations[step.best]) - step.separation
    leader = table.candidates[step.best].label
    return f"It equals {leader}, which stays the best." if behind == 0.0 else f"{leader} stays, {plain(behind)} better."


def _why(table: SatTable, step: SatStep) -> str:
    if step.separation is None:
        return _degenerate_words(table, step.row)
    if table.candidates[step.row].nearly_parallel:
        return "The edges are nearly parallel. The axis counts all the same: any direction is a legitimate test."
    same = int(table.same_as[step.row])
    if same != step.row:
        return f"It is parallel to {table.candidates[same].label}, so it says the same again."
    if step.first_gap:
        return "One gap is proof: a plane across the axis fits between the bodies."
    if step.ruled_out:
        return "A gap is known already. The test goes on for the largest one, which is nearest to the distance."
    if len(table.candidates) == 1:
        return "It is the only axis there is to test, so it decides."
    if table.statuses[step.row] is AxisStatus.TOUCHING:
        return "The ends meet. If no axis has a gap, the bodies touch."
    if step.separation > 0.0:
        return "The largest gap over all axes is nearest to the distance."
    return "Overlap on one axis proves nothing: only if every axis overlaps do the bodies meet."


def _degenerate_words(table: SatTable, number: int) -> str:
    candidate = table.candidates[number]
    if candidate.kind is not AxisKind.EDGES:
        return "Both centres are in the same place: every direction is as good as another."
    covered = [table.candidates[k].label for k in candidate.covered_by]
    stand_in = f" The axes that stand in for it: {listed(covered)}." if covered else ""
    return f"The edges are parallel, and their cross product is zero.{stand_in}"


def _stop(at: At[SatStep]) -> Stop | None:
    """SAT ends with its last row."""
    if not at.moment.last:
        return None
    table, step = at.query.analysis.sat, at.step
    tried = counted(at.moment.count, "axis", "axes")
    if at.moment.count < len(table.candidates):
        return _stop_of_faces(table, step, tried)
    winner = table.candidates[table.winner].label
    size = plain(abs(table.separation))
    if table.verdict is Verdict.SEPARATED:
        bound = "the distance itself" if table.exact else "a lower bound of the distance"
        return Stop("SEPARATED", f"The largest gap on {tried} is {size}, along {winner}: {bound}.", True)
    if step.separation is None and step.best is None:
        return Stop(table.verdict.value, f"The centres coincide; any direction is a way out, {size} long.", True)
    if table.verdict is Verdict.TOUCHING:
        return Stop("TOUCHING", f"Tried {tried}. The best, {winner}, is zero within the band of rounding.", True)
    return Stop("OVERLAPPING", f"No gap on {tried}. The shortest way out is {size} along {winner}.", True)


def _stop_of_faces(table: SatTable, step: SatStep, tried: str) -> Stop:
    """Where the products of edges were left out: what the faces alone say, and whether that is right."""
    assert step.best is not None
    best, size = table.candidates[step.best].label, plain(abs(float(table.separations[step.best])))
    winner, right = table.candidates[table.winner].label, plain(abs(table.separation))
    if float(table.separations[step.best]) > 0.0:
        return Stop("SEPARATED", f"A gap of {size} along {best}: that is proof, whatever the edges say.", True)
    if table.verdict is Verdict.SEPARATED:
        missed = f"{winner}, a product of edges, shows a gap of {right}"
        return Stop("OVERLAPPING", f"No gap on {tried}, and faces alone say that they meet. Wrong: {missed}.", False)
    if step.best in (table.winner, *table.ties):
        return Stop(table.verdict.value, f"No gap on {tried}, and the edges have none either.", True)
    if table.verdict is Verdict.TOUCHING:
        met = f"{winner}, of two edges, they touch"
        return Stop("OVERLAPPING", f"No gap on {tried}, and faces alone say that they meet. Wrong: along {met}.", False)
    shorter = f"the way out along {winner}, a product of edges, is {right}"
    return Stop("OVERLAPPING", f"No gap on {tried}. The least overlap, {best}'s, is {size}, but {shorter}.", False)


# Formulas.


def _axis_formula(query: Query, step: SatStep) -> Formula:
    table = query.analysis.sat
    axis = shown(query, table.axes[step.row])
    candidate = table.candidates[step.row]
    symbolic = r"\hat n"
    if candidate.kind is AxisKind.EDGES:
        symbolic = r"\hat n = \dfrac{e_A \times e_B}{\lVert e_A \times e_B \rVert}"
    return Formula(symbolic, rf"\hat n = {tex_row(axis)}", f"n = {row(axis)}")


def _separation_formula(query: Query, step: SatStep) -> Formula:
    """Both intervals put into the separation; in the world, or far out from A's position."""
    assert step.separation is not None
    table, number = query.analysis.sat, step.row
    shift = 0.0 if far_out(query) else float(table.offset[number])
    ends = clean(float(end) + shift for end in (*table.interval_a[number], *table.interval_b[number]))
    return separation_formula(ends[:2], ends[2:], step.separation)


# The Gauss map.


def _gauss_words(query: Query, number: int) -> str:
    """Why this edge pair is in the table, and how many are not; empty for boxes, whose fifteen axes are all tried."""
    scene, table = query.analysis.scene, query.analysis.sat
    candidate = table.candidates[number]
    cores = (scene.a.shape.core, scene.b.shape.core)
    if candidate.kind is not AxisKind.EDGES or all(core is not None and core.boxed for core in cores):
        return ""
    pair = pair_axes(scene.a, scene.b)
    places = (pair.pair_rows == number).nonzero()[0]
    if not len(places):
        return ""
    reason = ArcReason(int(pair.overlay.reasons[places[0]]))
    crossed = "cross" if reason is ArcReason.BUILDS_FACE else "all but cross"
    pairs, kept = len(pair.core_a.solid.edges) * len(pair.core_b.solid.edges), int((pair.pair_rows >= 0).sum())
    return (
        f"In the Gauss map the arcs of both edges {crossed}, so the pair builds a face of A − B. "
        f"Of {pairs} edge pairs only {kept} do; the others cannot win."
    )

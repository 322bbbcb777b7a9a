"""The separating axis test: the axis tried, both intervals on it, and what it does to the best so far."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.pair.candidate_axes import AxisKind, CandidateAxis
from core.pair.gauss_map import ArcReason, pair_axes
from core.query.query import Query
from core.sat.sat import SatStep
from core.sat.table import AxisStatus, SatTable
from core.verdict import Verdict

from ...draw.draw_list import Dash, DrawList, Hidden, Marker, Rgba, Subject
from ...overlays.context import Context, square_of
from ...overlays.difference import draw_origin
from ...overlays.rail import Spans
from ...overlays.solids import draw_sheet
from ...overlays.style import PLAIN, STRONG
from ...words.axis_words import listed, plain, signed
from ..stage import At, Flag, Listing, Stage, given
from ..word_parts import Formula, StepText, Stop, clean, counted, far_out, from_a, sentences, shown


def sat_text(at: At[SatStep]) -> StepText:
    """Words about one row of the axis table."""
    query, step, before = at.query, at.step, at.before
    table = query.analysis.sat
    candidate = table.candidates[step.row]
    best = "No axis has been measured yet."
    if before is not None and before.best is not None:
        value = float(table.separations[before.best])
        size = f"{'a gap' if value > 0.0 else 'an overlap'} of {plain(abs(value))}" if value else "a separation of 0"
        best = f"Best so far: {table.candidates[before.best].label} with {size}."
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
        case AxisKind.FACE_A | AxisKind.FACE_B:
            body = "A" if candidate.kind is AxisKind.FACE_A else "B"
            return f"{candidate.label} is the normal of a face of {body}."
        case AxisKind.EDGES:
            first, second = candidate.label.split("×")
            return f"The axis stands at right angles to the edges {first} and {second} (sine {plain(candidate.sine)})."
        case AxisKind.CENTRES:
            return "The axis joins the closest points of both bodies, or of their cores."


def _origin_in_plane(candidate: CandidateAxis) -> str:
    if candidate.kind is not AxisKind.CENTRES:
        body, edge = candidate.label.split(".")
        return f"{candidate.label} is the normal of {edge.replace('edge', 'edge ')} of {body}."
    if candidate.label.count(".") == 2:
        return "The axis joins the closest corners of both bodies, within their borders."
    return "The axis joins the circle's centre and what of the other body is closest: a vertex, or the other centre."


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
    separation = given(step.separation)
    if step.improved:
        return "It is the best so far: " + ("the largest gap." if separation > 0.0 else "the shallowest way out.")
    if step.best is None:
        return ""
    behind = float(table.separations[step.best]) - separation
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
    row = given(step.best)
    best, separation = table.candidates[row].label, float(table.separations[row])
    size = plain(abs(separation))
    winner, right = table.candidates[table.winner].label, plain(abs(table.separation))
    if separation > 0.0:
        return Stop("SEPARATED", f"A gap of {size} along {best}: that is proof, whatever the edges say.", True)
    if table.verdict is Verdict.SEPARATED:
        missed = f"{winner}, a product of edges, shows a gap of {right}"
        return Stop("OVERLAPPING", f"No gap on {tried}, and faces alone say that they meet. Wrong: {missed}.", False)
    if row in (table.winner, *table.ties):
        return Stop(table.verdict.value, f"No gap on {tried}, and the edges have none either.", True)
    if table.verdict is Verdict.TOUCHING:
        met = f"{winner}, of two edges, they touch"
        return Stop("OVERLAPPING", f"No gap on {tried}, and faces alone say that they meet. Wrong: along {met}.", False)
    shorter = f"the way out along {winner}, a product of edges, is {right}"
    return Stop("OVERLAPPING", f"No gap on {tried}. The least overlap, {best}'s, is {size}, but {shorter}.", False)


def _axis_formula(query: Query, step: SatStep) -> Formula:
    table, symbolic = query.analysis.sat, r"\hat n"
    if table.candidates[step.row].kind is AxisKind.EDGES:
        symbolic = r"\hat n = \pm\dfrac{e_A \times e_B}{\lVert e_A \times e_B \rVert}"
    return Formula.direction(symbolic, ("n", r"\hat n"), shown(query, table.directed.axes[step.row]))


def _separation_formula(query: Query, step: SatStep) -> Formula:
    """Both intervals put into the separation; in the world, or far out from A's position."""
    table, number = query.analysis.sat.directed, step.row
    shift = 0.0 if far_out(query) else float(table.offset[number])
    ends = clean(float(end) + shift for end in (*table.interval_a[number], *table.interval_b[number]))
    return Formula.separation(ends[:2], ends[2:], given(step.separation))


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


def draw_difference(context: Context, draw: DrawList, step: SatStep) -> None:
    """The perpendicular of the axis tried, and that of the best so far."""
    theme = context.theme
    if step.best is not None and step.best != context.focus:
        _draw_foot(context, draw, step.best, theme.winner, Dash.DASHED, "best so far: ")
    if np.isfinite(context.analysis.sat.separations[context.focus]):
        separation = float(context.analysis.sat.separations[context.focus])
        rgba = theme.overlap if separation < -context.analysis.band else theme.gap
        _draw_foot(context, draw, context.focus, rgba, Dash.SOLID, "")
    draw_origin(context, draw)


def _draw_foot(context: Context, draw: DrawList, row: int, rgba: Rgba, dash: Dash, word: str) -> None:
    # The perpendicular from the origin to the nearer plane of the pair that the axis belongs to: its separation.
    sat, subject = context.analysis.sat, Subject("axis", row)
    separation = float(sat.separations[row])
    foot = -separation * sat.directed.axes[row]
    solid = dash is Dash.SOLID
    width, head = (2.8, 11.0) if solid else (1.8, 0.0)
    draw.strong(np.zeros(3), foot, rgba, width, dash=dash, subject=subject, arrow_end=head)
    draw.points(foot, rgba, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=subject)
    words = f"{word}{sat.candidates[row].label} {signed(separation)}"
    brief = f"{word.removesuffix(': ')} {signed(separation)}".strip()
    (size, priority), above = (STRONG, 80) if solid else (PLAIN, 60), (0.0, -14.0)
    draw.label(words, foot, rgba, size=size, offset=above, priority=priority, subject=subject, bold=solid, brief=brief)


def draw_world(context: Context, draw: DrawList, step: SatStep) -> None:
    """A plane in the gap, if there is one."""
    if step.separation is None or step.separation <= context.analysis.band:
        return
    theme, spans = context.theme, Spans.of(context, step.row)
    middle = context.extent.centre + 0.5 * sum(spans.way) * spans.direction
    corners = square_of(middle, spans.direction, 0.75 * context.extent.reach(spans.direction, middle))
    draw_sheet(draw, corners, theme.gap, 0.16, 0.8)
    word = "first gap: a yes-or-no test ends here" if step.first_gap else "a plane between the bodies"
    brief, size = ("first gap", STRONG) if step.first_gap else ("a plane between", PLAIN)
    draw.label(word, corners[0], theme.gap, size=size, offset=(0.0, -10.0), priority=74, brief=brief)


_IN_SPACE = Listing(
    "SAT: separating axis test",
    {
        "start": "best ← none",
        "axis": "for each axis n of faces of A, faces of B, edges × edges:",
        "skip": "    if n has no direction:  skip it",
        "interval of A": "    [min A, max A] ← A projected on n",
        "interval of B": "    [min B, max B] ← B projected on n",
        "separation": "    s ← min B − max A, n turned from A towards B",
        "first gap": "    if s > 0 for the first time:  apart (yes or no ends here)",
        "best": "    if s > best:  best ← s, winner ← n",
        "not best": "    else:  n does not win",
        "apart": "if best > 0:  apart, by best or more",
        "overlapping": "else:  overlapping, −best deep along the winner",
    },
)
_IN_PLANE = Listing(
    _IN_SPACE.title, {**_IN_SPACE.lines, "axis": "for each axis n of edges of A, edges of B, closest vertex:"}
)
_FIRST_GAP = Flag("first gap", "The first gap: a program that only asks whether the bodies meet ends here.")


def _line(step: SatStep) -> str:
    if step.separation is None:
        return "skip"
    if step.first_gap:
        return "first gap"
    return "best" if step.improved else "not best"


def _focus(context: Context) -> int | None:
    """The axis it tries; without a direction the best so far."""
    step = context.step_of(SatStep)
    if step is None:
        return None
    return step.row if step.separation is not None or step.best is None else step.best


def _reach(_context: Context, query: Query) -> tuple[Array, Array]:
    """The feet of the perpendiculars from the origin by which each axis shows its number."""
    sat = query.analysis.sat
    known = np.isfinite(sat.separations)
    return np.zeros((0, 3)), -sat.separations[known, None] * sat.directed.axes[known]


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    _line,
    sat_text,
    draw_world,
    draw_difference,
    label=lambda at: at.query.analysis.sat.candidates[at.step.row].label,
    flag=lambda at: _FIRST_GAP if at.step.first_gap else None,
    focus=_focus,
    reach=_reach,
)

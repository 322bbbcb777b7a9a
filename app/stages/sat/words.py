"""SAT's steps in words: the axes tried so far, the axis's source, the shadows on the axis, and the conclusion."""

from __future__ import annotations

from functools import partial

from core.pair.candidate_axes import AxisKind
from core.pair.gauss_map import ArcReason, pair_axes
from core.query.query import Query
from core.sat.sat import SatStep
from core.sat.table import AxisStatus, SatTable
from core.verdict import Verdict

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...state.sat_progress import ROW_PARTS
from ...words.axis_words import listed
from ...words.digits import plain, signed, told_together
from ...words.expression import Hat, Norm, Over, Product, Quotient, Signed, Symbol, equation
from ...words.formula import Formula, clean
from ...words.names import axis_name
from ..stage import At, Heading, SubStep, given, whole_text
from ..word_parts import StepText, Stop, counted, far_out, from_a, gap_so_far, sentences, shown
from .pictures import draw_difference, draw_known, draw_world


def sat_parts(at: At[SatStep]) -> tuple[SubStep, ...]:
    """The sub-steps of an axis; none for an axis without a direction, which has no shadows.

    The rail, the lit sources and the table's row show only the part of the row that is known at a sub-step
    (state/sat_progress.py).
    """
    query, step = at.query, at.step
    if step.separation is None:
        return ()
    axis, on_a, on_b, between = ROW_PARTS
    _, max_a, min_b, _ = ends_of(query, step.row)
    ends_on_a = Formula.of(equation(MAX_A, Over("max", NORMAL @ Symbol("a"), "a")), max_a)
    ends_on_b = Formula.of(equation(MIN_B, Over("min", NORMAL @ Symbol("b"), "b")), min_b)
    project_a = f"Project A onto the axis: its shadow ends at {plain(max_a)}, towards B."
    project_b = f"Project B onto the axis: its shadow begins at {plain(min_b)}, towards A."
    found = _shadow_words(query.analysis.sat, step, _sizes(at)[0])
    separation = gap_formula(max_a, min_b, step.separation)
    known, whole = (_nothing, draw_known), (partial(draw_world, step=step), partial(draw_difference, step=step))
    # The last sub-step contains the result of both shadows.
    return (
        SubStep(axis, _origin_words(query, step.row), "axis", *known, (_axis_formula(query, step),)),
        SubStep(on_a, project_a, "interval of A", *known, (ends_on_a,), moves=True, heading=Heading.NONE),
        SubStep(on_b, project_b, "interval of B", *known, (ends_on_b,), moves=True, heading=Heading.NONE),
        SubStep(between, found, "separation", *whole, (separation,)),
    )


def _nothing(_context: Context, _draw: DrawList) -> None:
    """Draws nothing: in the world the rail and the lit sources show the step."""


def sat_text(at: At[SatStep]) -> StepText:
    """The text of one row of the axis table."""
    query, step = at.query, at.step
    table, (_, leading) = query.analysis.sat, _sizes(at)
    return whole_text(
        sat_parts(at),
        title=f"SAT {at.of}: {axis_name(table, step.row)}",
        known=sentences(_so_far(at, leading), from_a(query) if far_out(query) else ""),
        decided=_origin_words(query, step.row),
        why=sentences(_why(table, step), _gauss_words(query, step.row)),
        stop=_stop(at),
        number=""
        if step.separation is None
        else f"{'gap' if step.separation > 0.0 else 'overlap'} {plain(abs(step.separation))}",
    )


def verdict_so_far(at: At[SatStep]) -> tuple[str, str] | None:
    """The verdict line before the last step: head and rest; None at the last step, where the verdict is known."""
    known, gap = at.sat_progress, None
    if known.last:
        return None
    if known.separates:
        best = given(known.leads)
        gap = float(known.table.separations[best]), f"on {axis_name(known.table, best)}"
    tried = f"{known.number:,} of {known.count:,} axes tried"
    return gap_so_far("SAT", tried, gap, first=at.step.first_gap and not known.part)


def _sizes(at: At[SatStep]) -> tuple[str, str]:
    """The size of the gap or overlap on the step's axis, and on the axis that led before, with digits that differ."""
    table, before, own = at.query.analysis.sat, at.before, at.step.separation
    led = None if before is None or before.best is None else float(table.separations[before.best])
    first, second = told_together(abs(own or 0.0), abs(led if led is not None else own or 0.0))
    return first, second


def _so_far(at: At[SatStep], leading: str) -> str:
    """The sentence on the number of axes tried before the step, and on the axis that led then; `leading`: its size."""
    before, table = at.before, at.query.analysis.sat
    if before is None:
        return "No axis has been tried yet."
    tried = f"{_counted(at.moment.index)} of {at.moment.count:,} tried"
    if before.best is None:
        return f"{tried}; no direction to measure along yet."
    leads = f"{axis_name(table, before.best)} leads with {_size_words(float(table.separations[before.best]), leading)}"
    return f"{tried}; {leads}."


def _counted(count: int) -> str:
    words = ("None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
    return words[count] if count < len(words) else f"{count:,}"


def _size_words(separation: float, size: str) -> str:
    if separation == 0.0:
        return "a separation of 0"
    return f"{'a gap' if separation > 0.0 else 'an overlap'} of {size}"


def _origin_words(query: Query, row: int) -> str:
    """The sentence on the source of the axis: the features that are lit on the bodies."""
    table, scene = query.analysis.sat, query.analysis.scene
    candidate, name = table.candidates[row], axis_name(table, row)
    if not table.applies:
        return "A curved body has infinitely many axes, and no table of them. This is the normal that GJK or EPA found."
    body = "A" if candidate.kind is AxisKind.FACE_A else "B"
    match candidate.kind:
        case AxisKind.CENTRES if table.statuses[row] is AxisStatus.DEGENERATE:
            return "Both centres are in one place, so the line through them has no direction."
        case AxisKind.CENTRES:
            rounded = any(shape.core is not None and shape.core.radius for shape in (scene.a.shape, scene.b.shape))
            return f"{name} joins the two large dots, the closest of {'both cores' if rounded else 'both bodies'}."
        case AxisKind.EDGES if table.statuses[row] is AxisStatus.DEGENERATE:
            return "The two thick edges are parallel. Their cross product is zero, so it has no direction."
        case AxisKind.EDGES:
            return f"{name} is perpendicular to {_lit_edges(query)}."
        case _ if query.analysis.polygon is not None:
            return f"{name} is the normal of {body}'s thick edge."
        case _ if candidate.label.endswith(".plane"):
            return f"{name} is the normal of the half-space. Along any other axis it has no end."
        case _ if "×" in candidate.label:
            return f"{name} lies in {body}'s plane, perpendicular to its thick edge. It finds gaps within that plane."
    return f"{name} is the normal of {body}'s face with the thick rim."


def _lit_edges(query: Query) -> str:
    scene = query.analysis.scene
    lit = [
        "axis" if body.shape.core is not None and body.shape.core.solid is None else "edge"
        for body in (scene.a, scene.b)
    ]
    if lit[0] == lit[1]:
        return "the two thick edges" if lit[0] == "edge" else "the lit axes of both bodies"
    return " and ".join(
        f"{letter}'s thick edge" if word == "edge" else f"the lit axis of {letter}"
        for letter, word in zip("AB", lit, strict=True)
    )


def _shadow_words(table: SatTable, step: SatStep, size: str) -> str:
    """The sentence on the shadows of both bodies on the axis; `size`: the size of the gap or overlap."""
    same = int(table.same_as[step.row])
    again = "" if same == step.row else f"Same direction as {axis_name(table, same)}: nothing new."
    match table.statuses[step.row]:
        case AxisStatus.SEPARATING if step.first_gap:
            return f"The shadows leave a gap of {size}: the bodies are apart."
        case AxisStatus.SEPARATING:
            return f"The shadows leave a gap of {size}{_or_rank(again, table, step, 'the largest so far')}"
        case AxisStatus.TOUCHING:
            gap, rank = signed(given(step.separation)), _or_rank(again, table, step, "the best so far")
            return f"The shadows touch: a separation of {gap}, within rounding{rank}"
        case _ if again:
            return f"The shadows overlap by {size}. {again}"
        case _:
            return f"The shadows overlap by {size}: no gap here, and {_rank(table, step, 'the least overlap so far')}."


def _or_rank(again: str, table: SatTable, step: SatStep, best: str) -> str:
    """The end of a sentence: that the direction is known already (`again`), or how the axis ranks."""
    return f". {again}" if again else f", {_rank(table, step, best)}."


def _rank(table: SatTable, step: SatStep, best: str) -> str:
    if step.improved or step.best is None:
        return best
    equal = float(table.separations[step.best]) == step.separation
    return f"the same as {axis_name(table, step.best)}" if equal else "no better"


def _why(table: SatTable, step: SatStep) -> str:
    candidate = table.candidates[step.row]
    if step.separation is None:
        return _degenerate_words(table, step.row)
    if candidate.nearly_parallel:
        return "The edges are nearly parallel. It is still a valid axis: any direction may be tested."
    if step.first_gap:
        return "One gap is proof: a plane across the axis fits between the bodies. A yes-or-no test stops here."
    if step.ruled_out:
        return "A gap is already known. SAT goes on to find the largest, which is nearest to the distance."
    if len(table.candidates) == 1:
        return "It is the only axis to test."
    if table.statuses[step.row] is AxisStatus.TOUCHING:
        return "The ends touch. If no axis has a gap, so do the bodies."
    return "One overlap proves nothing. The bodies overlap only if every axis shows one."


def _degenerate_words(table: SatTable, number: int) -> str:
    candidate = table.candidates[number]
    if candidate.kind is not AxisKind.EDGES:
        return "Every direction is as good as another."
    covered = [axis_name(table, k) for k in candidate.covered_by]
    if not covered:
        return "Nothing is lost: faces on either side of the edges stand in for it."
    return f"Nothing is lost: {listed(covered)} {'stands' if len(covered) == 1 else 'stand'} in for it."


def _stop(at: At[SatStep]) -> Stop | None:
    """The stop at SAT's last row; None at other rows."""
    if not at.moment.last:
        return None
    table, step = at.query.analysis.sat, at.step
    tried = counted(at.moment.count, "axis", "axes")
    if at.moment.count < len(table.candidates):
        return _stop_of_faces(table, step, tried)
    winner = axis_name(table, table.winner)
    size = plain(abs(table.separation))
    if table.verdict is Verdict.SEPARATED:
        bound = "this is the distance" if table.exact else "the distance is at least that"
        return Stop("SEPARATED", f"The largest gap on {tried} is {size}, along {winner}: {bound}.", True)
    if step.separation is None and step.best is None:
        return Stop(table.verdict.value, f"The centres coincide: every direction is equally short, {size}.", True)
    if table.verdict is Verdict.TOUCHING:
        return Stop("TOUCHING", f"Tried {tried}. The best, {winner}, is zero within the touching tolerance.", True)
    return Stop("OVERLAPPING", f"No gap on {tried}. The least overlap is {size}, along {winner}.", True)


def _stop_of_faces(table: SatTable, step: SatStep, tried: str) -> Stop:
    """The stop of a run without edge pairs: the answer of the faces alone, and whether it is right."""
    row = given(step.best)
    best, separation = axis_name(table, row), float(table.separations[row])
    size, right = told_together(abs(separation), abs(table.separation))
    winner = axis_name(table, table.winner)
    if separation > 0.0:
        return Stop("SEPARATED", f"A gap of {size} along {best} proves it; no edge pair can change that.", True)
    if table.verdict is Verdict.SEPARATED:
        missed = f"{winner}, a cross product of edges, shows a gap of {right}"
        return Stop("OVERLAPPING", f"No gap on {tried}: faces alone report an overlap. That is wrong: {missed}.", False)
    if row in (table.winner, *table.ties):
        return Stop(table.verdict.value, f"No gap on {tried}, and the edges have none either.", True)
    if table.verdict is Verdict.TOUCHING:
        met = f"{winner}, of two edges, they touch"
        return Stop(
            "OVERLAPPING", f"No gap on {tried}: faces alone report an overlap. That is wrong: along {met}.", False
        )
    shorter = f"the overlap along {winner}, a cross product of edges, is {right}"
    return Stop("OVERLAPPING", f"No gap on {tried}. The least overlap, {best}'s, is {size}, but {shorter}.", False)


NORMAL = Hat(Symbol("n"))
MAX_A, MIN_B = Over("max", Symbol("A")), Over("min", Symbol("B"))
_ACROSS = Product(Symbol("e", "A"), "×", Symbol("e", "B"))
_OF_EDGES = equation(NORMAL, Signed("±", Quotient(_ACROSS, Norm(_ACROSS))))
_SEPARATION = equation(Symbol("s"), MIN_B - MAX_A)


def _axis_formula(query: Query, step: SatStep) -> Formula:
    """The formula of the axis's direction."""
    table = query.analysis.sat
    symbols = _OF_EDGES if table.candidates[step.row].kind is AxisKind.EDGES else NORMAL
    return Formula.of(symbols, shown(query, table.directed.axes[step.row]), lying=True)


def gap_formula(max_a: float, min_b: float, result: float) -> Formula:
    """The formula of the separation of two intervals on an axis from A towards B, by the ends that face each other.

    `result`: the separation.
    """
    return Formula.of(_SEPARATION, result, {MAX_A: max_a, MIN_B: min_b})


def ends_of(query: Query, row: int) -> tuple[float, ...]:
    """The ends of A's interval and of B's on a row's axis, four numbers as shown.

    They are world coordinates, or relative to A's position if A is far from the world's origin.
    """
    table = query.analysis.sat.directed
    shift = 0.0 if far_out(query) else float(table.offset[row])
    return clean(float(end) + shift for end in (*table.interval_a[row], *table.interval_b[row]))


def _gauss_words(query: Query, number: int) -> str:
    """The sentences on why this edge pair is in the table, and how many pairs are.

    "" for rows that no edge pair of the Gauss map made, and for two boxes, which try all their edge pairs.
    """
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

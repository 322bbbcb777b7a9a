"""A motion on SAT's axes in words: from entry to exit on each, and the yes or no on twenty-one."""

from __future__ import annotations

from math import inf, isfinite

from core.query.query import Query
from core.toi import IntervalStep, SweptAxisStep
from core.toi.intervals import BOX_AXES

from ...words.axis_words import plain
from ...words.motion_words import signed_units
from ..stage import At
from ..word_parts import (
    Formula,
    StepText,
    Stop,
    chosen_formula,
    clean,
    dot_formula,
    sentences,
    separation_formula,
    shown,
    tex,
)
from .word_parts import answer_of, ratio_formula, told, vector_formula

ENOUGH = "The bodies are proved apart: a yes-or-no test would stop here."


def intervals_text(at: At[IntervalStep]) -> StepText:
    """Words about one axis from entry to exit."""
    step, before = at.step, at.before
    stretch = _stretch(step, proved_before=before is not None and before.separated)
    said = _so_far(before), stretch, _reason(step), _interval_formulas(at.query, before, step)
    return told(at, "Entry and exit, axis", step.table.candidates[step.row].label, said)


def _so_far(before: IntervalStep | None) -> str:
    if before is None or (before.latest_row is None and before.earliest_row is None):
        return "No axis has told anything yet: the bodies might meet at any time."
    labels = [
        None if row is None else before.table.candidates[row].label for row in (before.latest_row, before.earliest_row)
    ]
    found = []
    if labels[0] is not None:
        found.append(f"the latest entry is {_time(before.latest)} on {labels[0]}")
    if labels[1] is not None:
        found.append(f"the earliest exit {_time(before.earliest)} on {labels[1]}")
    return f"So far {', '.join(found)}."


def _time(time: float) -> str:
    return "never" if time == inf else "always" if time == -inf else f"t = {plain(time)}"


def _stretch(step: IntervalStep, *, proved_before: bool) -> str:
    """From when to when the intervals meet, and what that changes."""
    axis = step.table.axes[step.row]
    if not axis.any():
        return "Skipped: the edges are parallel, and the axis has no direction."
    if step.entry == inf:
        found = "Along this axis there is a gap, and B does not move along it: the intervals never meet."
    elif step.entry == -inf:
        found = "B does not move along this axis, and the intervals meet all the time: it tells nothing."
    else:
        found = f"Along this axis the intervals meet from t = {plain(step.entry)} to t = {plain(step.exit)}."
    changes = []
    if step.latest_row == step.row:
        changes.append("It is the latest entry so far.")
    if step.earliest_row == step.row:
        changes.append("It is the earliest exit so far.")
    proof = "" if not step.separated else "The bodies are proved apart." if proved_before else ENOUGH
    return sentences(found, *changes, proof)


def _reason(step: IntervalStep) -> str:
    if step.separated:
        if step.earliest < 0.0:
            return "An axis was left before the start, and B goes on moving away along it."
        if step.latest > step.earliest:
            return "One axis is left before another is entered: at no time do the intervals meet on both."
        return "The latest entry comes after the end of the motion."
    if not step.table.axes[step.row].any():
        return "The cross product of parallel edges is zero: other axes stand in for it."
    speed = float(step.table.speeds[step.row])
    if speed == 0.0:
        return "Across the motion, l·d = 0, the gap stays what it is: nothing is divided by that 0."
    side = "positive" if step.table.sides[step.row] > 0.0 else "negative"
    return (
        f"B comes from the {side} side, so the ends that face each other there meet first, and the others part last. "
        "The bodies can touch only while they meet on all axes at once."
    )


def _interval_formulas(query: Query, before: IntervalStep | None, step: IntervalStep) -> tuple[Formula, ...]:
    table, row = step.table, step.row
    axis, speed = table.axes[row], float(table.speeds[row])
    if not axis.any():
        return ()
    axis, way = shown(query, axis), shown(query, answer_of(query).motion.displacement)
    along = dot_formula(r"l\cdot d", "l·d", r"l\cdot d", (axis, way), speed)
    if speed == 0.0:
        return (vector_formula(r"\hat l", ("l", r"\hat l"), axis), along)
    low_a, high_a = (float(end) for end in table.interval_a[row])
    low_b, high_b = (float(end) for end in table.interval_b[row])
    if speed < 0.0:
        ends = ((low_b, high_a), r"\min B - \max A"), ((high_b, low_a), r"\max B - \min A")
    else:
        ends = ((low_a, high_b), r"\min A - \max B"), ((high_a, low_b), r"\max A - \min B")
    found = [along]
    for name, (pair, words), time in zip(("entry", "exit"), ends, (step.entry, step.exit), strict=True):
        symbolic = rf"\mathit{{{name}}} = \dfrac{{{words}}}{{\lvert l\cdot d\rvert}}"
        found.append(ratio_formula(symbolic, (name, rf"\mathit{{{name}}}"), pair, abs(speed), time))
    latest, earliest = (-inf, inf) if before is None else (before.latest, before.earliest)
    found.append(chosen_formula("max", "latest", r"\mathit{entry}", latest, step.entry, step.latest))
    found.append(chosen_formula("min", "earliest", r"\mathit{exit}", earliest, step.exit, step.earliest))
    return tuple(found)


# Twenty-one axes.


def swept_text(at: At[SweptAxisStep]) -> StepText:
    """Words about one of the twenty-one axes."""
    step, swept = at.step, answer_of(at.query).swept
    decided = _swept_decided(step, first=swept is not None and swept.row == step.row)
    said = _swept_known(at), decided, _swept_why(step), _swept_formulas(step)
    return told(at, "21 axes, axis", step.label, said, _swept_stop(at))


def _swept_known(at: At[SweptAxisStep]) -> str:
    swept, index = answer_of(at.query).swept, at.moment.index
    found = None if swept is None or swept.row is None or swept.row >= index else swept.labels[swept.row]
    so_far = "No axis before has parted them." if found is None else f"{found} has parted them already."
    if not index:
        so_far = "B sweeps a volume on its way past A. Does A meet that volume at any time?"
    kind = (
        "This is an axis of SAT."
        if at.step.row < BOX_AXES
        else "This axis stands across the motion d and an edge, as a side of the swept volume does."
    )
    return f"{so_far} {kind}"


def _swept_decided(step: SweptAxisStep, *, first: bool) -> str:
    if not isfinite(step.gap):
        return "Skipped: it has no direction."
    if step.separates:
        found = f"Between A and all that B passes there is a gap of {signed_units(step.gap)}: they never meet."
        return sentences(found, "A yes-or-no test would stop here." if first else "")
    if step.gap > 0.0:
        return f"The gap, {signed_units(step.gap)}, is within the band of rounding: that counts as meeting."
    return f"A's interval meets what B's passes, by {plain(-step.gap)}: this axis does not part them."


def _swept_why(step: SweptAxisStep) -> str:
    if not isfinite(step.gap):
        return "The edge runs along the motion, or two edges are parallel: their product is zero."
    if step.separates:
        return "B's interval stays on one side of A's from the start to the end, so they meet at no time."
    return "B's interval moves evenly, so all that it passes is what lies between its start and its end."


def _swept_formulas(step: SweptAxisStep) -> tuple[Formula, ...]:
    if not isfinite(step.gap):
        return ()
    low_b, high_b = min(step.start_b[0], step.end_b[0]), max(step.start_b[1], step.end_b[1])
    return (
        vector_formula(r"\hat l", ("l", r"\hat l"), step.axis),
        _passed_formula("min", float(step.start_b[0]), float(step.end_b[0]), float(low_b)),
        _passed_formula("max", float(step.start_b[1]), float(step.end_b[1]), float(high_b)),
        separation_formula(clean(step.interval_a.tolist()), (low_b, high_b), step.gap),
    )


def _passed_formula(which: str, start: float, end: float, result: float) -> Formula:
    """The lower or the upper end of all that B's interval passes, by its ends at the start and at the end."""
    return Formula(
        rf"\{which} B = \{which}(B_0,\, B_1)",
        rf"\{which} B = \{which}({tex(start)},\, {tex(end)}) = {tex(result)}",
        f"{which} B = {which}({plain(start)}, {plain(end)}) = {plain(result)}",
    )


def _swept_stop(at: At[SweptAxisStep]) -> Stop | None:
    if not at.moment.last:
        return None
    swept = answer_of(at.query).swept
    assert swept is not None
    if swept.row is not None:
        gap = signed_units(float(swept.gaps[swept.row]))
        return Stop("SEPARATED", f"{swept.labels[swept.row]} parts A from all that B passes, by {gap}.", True)
    return Stop(
        "MEETING", "Not one of the axes parts A from the volume that B sweeps: they meet. When, it cannot say.", True
    )

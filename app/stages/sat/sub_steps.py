"""SAT's sub-steps: the axis tried, A's shadow on it, B's, and what lies between them. Only the last tells the result.

The rail, the lit sources and the table's row draw them by how much of the row is known (state/tried.py); here stand
their words, and what they draw in the difference.
"""

from __future__ import annotations

from core.sat.sat import SatStep

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...state.tried import PARTS
from ...words.digits import plain
from ...words.expression import Over, Symbol, equation
from ...words.formula import Formula
from ..part_pictures import whole
from ..stage import At, SubStep
from . import STAGE, draw_known
from .words import MAX_A, MIN_B, NORMAL, axis_formula, ends_of, origin_words, separation_formula, shadow_words, sizes


def sat_parts(at: At[SatStep]) -> tuple[SubStep, ...]:
    """The sub-steps of an axis; none of one without a direction, which has no shadows."""
    query, step = at.query, at.step
    if step.separation is None:
        return ()
    _, max_a, min_b, _ = ends_of(query, step.row)
    on_a = Formula.of(equation(MAX_A, Over("max", NORMAL @ Symbol("a"), "a")), max_a)
    on_b = Formula.of(equation(MIN_B, Over("min", NORMAL @ Symbol("b"), "b")), min_b)
    told = (
        (origin_words(query, step.row), "axis", axis_formula(query, step)),
        (f"Project A onto the axis: its shadow ends at {plain(max_a)}, towards B.", "interval of A", on_a),
        (f"Project B onto the axis: its shadow begins at {plain(min_b)}, towards A.", "interval of B", on_b),
        (shadow_words(query.analysis.sat, step, sizes(at)[0]), "separation", separation_formula(query, step)),
    )
    pictures = (*3 * ((_nothing, draw_known),), whole(STAGE, step))
    return tuple(
        SubStep(name, sentence, line, *draws, (formula,), moves=name.startswith("project"))
        for name, (sentence, line, formula), draws in zip(PARTS, told, pictures, strict=True)
    )


def _nothing(_context: Context, _draw: DrawList) -> None:
    """In the world the rail and the lit sources say it."""

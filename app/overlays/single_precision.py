"""Single precision's wrong answer beside the right one: its normal, and its point of A − B.

It is what the panel "Answers side by side" tells as rounding, of the first method that has it. Nothing is drawn where
single precision agrees, or where another answer is as good.
"""

from __future__ import annotations

from functools import lru_cache

from core.analysis.analysis import Analysis
from core.differential.answers import EngineAnswer
from core.geometry.triple import triple
from core.lab.side_by_side import AnswerRow, Reason, methods_of
from core.query.query import query

from ..draw.draw_list import DrawList
from ..draw.theme import SINGLE_COLOURS
from ..state.view import SINGLE
from ..words.digits import signed
from .context import Context, Overlay
from .engine_answer import draw_difference, draw_world


@lru_cache(maxsize=1)
def wrong_in_single(analysis: Analysis) -> AnswerRow | None:
    """The first method's row whose rounding gives another verdict, separation or normal; None where there is none."""
    if analysis.left_out or analysis.refused:
        return None
    # Methods of double precision are never off by rounding.
    rows = (row for row in methods_of(query(analysis)) if row.reason is Reason.ROUNDING)
    return next((row for row in rows if row.normal is not None), None)


def _world(context: Context, draw: DrawList) -> None:
    if (row := wrong_in_single(context.analysis)) is not None:
        draw_world(context, draw, _said(row), SINGLE_COLOURS[context.theme.ground], _title(context, row))


def _difference(context: Context, draw: DrawList) -> None:
    if (row := wrong_in_single(context.analysis)) is not None:
        draw_difference(context, draw, _said(row), SINGLE_COLOURS[context.theme.ground], _title(context, row))


def _said(row: AnswerRow) -> EngineAnswer:
    assert row.normal is not None
    return EngineAnswer(row.separation, triple(row.normal))


def _title(context: Context, row: AnswerRow) -> str:
    """The method and its number, with the verdict where that is another."""
    assert row.separation is not None
    verdict = "" if row.verdict is context.analysis.verdict else f"{row.verdict}, "
    return f"{row.method} in single precision: {verdict}{signed(row.separation)}"


OVERLAY = Overlay(SINGLE, "Single precision", "", "", world=_world, difference=_difference, of_answer=True)

"""Single precision's wrong answer beside the right one: its normal, and its point of A − B.

It is the answer of the first method that the panel "Answers side by side" marks as wrong by rounding. The frame and the
distance from the origin are those set in that panel. Nothing is drawn if single precision agrees, or if its answer is
just as good.
"""

from __future__ import annotations

from functools import lru_cache

from core.analysis.algorithm_settings import SingleSettings
from core.analysis.analysis import Analysis
from core.float32.answers import SingleAnswer
from core.geometry.triple import triple
from core.study.differential.answers import EngineAnswer
from core.study.lab.side_by_side import wrong_in_single

from ..draw.draw_list import DrawList
from ..draw.theme import SINGLE_COLOURS
from ..state.view import SINGLE_OVERLAY
from ..words.digits import signed
from .context import Context, Overlay
from .engine_answer import draw_difference, draw_world


@lru_cache(maxsize=1)
def wrong_answer(analysis: Analysis, settings: SingleSettings) -> SingleAnswer | None:
    """The answer of the first method that has another verdict, separation or normal by rounding; None if none has.

    None too for a pair whose faces are not computed yet, or are too many for memory.
    """
    return None if analysis.beyond_limits or analysis.refused else wrong_in_single(analysis, settings)


def _world(context: Context, draw: DrawList) -> None:
    if (answer := wrong_answer(context.analysis, context.single)) is not None:
        draw_world(context, draw, _said(answer), SINGLE_COLOURS[context.theme.suits], _title(context, answer))


def _difference(context: Context, draw: DrawList) -> None:
    if (answer := wrong_answer(context.analysis, context.single)) is not None:
        draw_difference(context, draw, _said(answer), SINGLE_COLOURS[context.theme.suits], _title(context, answer))


def _said(answer: SingleAnswer) -> EngineAnswer:
    return EngineAnswer(answer.separation, triple(answer.normal))


def _title(context: Context, answer: SingleAnswer) -> str:
    """The method and its separation, with its verdict if that differs."""
    verdict = "" if answer.verdict is context.analysis.verdict else f"{answer.verdict}, "
    return f"{answer.algorithm} in single precision: {verdict}{signed(answer.separation)}"


OVERLAY = Overlay(SINGLE_OVERLAY, "Single precision", "", "", world=_world, difference=_difference, of_answer=True)

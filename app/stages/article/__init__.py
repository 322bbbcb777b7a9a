"""The article's GJK of the plane, as it is printed: yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.gjk.article_gjk import ArticleStep, ArticleStop
from core.query.query import Query

from ..stage import Listing, Stage
from .picture import article_tips, draw_difference, draw_world
from .questions import QUESTIONS
from .words import article_text

if TYPE_CHECKING:
    from core.geometry.vector import Array

    from ...overlays.context import Context

_LISTING = Listing(
    "The article's GJK: yes or no",
    {
        "start": "w ← support in the first direction;  d ← −first direction",
        "repeat": "repeat:",
        "support": "    w ← support along d",
        ArticleStop.NOT_PAST_ORIGIN: "    if w·d ≤ 0:  NOT_PAST_ORIGIN, they do not meet",
        "segment": "    if a segment:  d ← its perpendicular, towards the origin",
        "triangle": "    if a triangle, for both edges at w:",
        "beyond": "        if the origin is beyond it:  drop the third point,",
        "turn": "            d ← the edge's perpendicular, away from that point",
        ArticleStop.ENCLOSED: "        if beyond neither:  ENCLOSED, they meet",
    },
)


def _line(step: ArticleStep) -> str:
    if step.stop is not None:
        return ArticleStop.NOT_PAST_ORIGIN if step.stop is ArticleStop.NOT_PAST_ORIGIN else ArticleStop.ENCLOSED
    return ("start", "start", "segment", "turn")[len(step.simplex)]


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    tips = article_tips(context, query)
    return tips[:0], tips


STAGE = Stage(
    lambda _dimension: _LISTING,
    _line,
    article_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    reach=_reach,
    questions=QUESTIONS,
)

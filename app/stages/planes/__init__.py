"""The planes test of two polygons: whether some edge's line parts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.query.query import Query
from core.verdict import Verdict

from ...overlays.difference import draw_origin
from ..stage import Listing, Stage
from .picture import draw_world, plane_tips
from .words import planes_text

if TYPE_CHECKING:
    from core.geometry.vector import Array

    from ...overlays.context import Context

_LISTING = Listing(
    "The planes test",
    {
        "edge": "for each edge of A, then of B:",
        "line": "    n, d ← the edge's line, n outward",
        "gap": "    gap ← least n·p − d over the other's corners p",
        Verdict.SEPARATED: "    if gap > 0 for the first time:  apart (yes-or-no ends)",
        Verdict.TOUCHING: "    if gap is 0 to rounding:  no point behind, they may touch",
        Verdict.OVERLAPPING: "    else:  this line does not part them",
        "answer": "the widest gap answers: apart, touching, or how deep",
    },
)


def _focus(context: Context) -> int | None:
    # An edge's line has the row of its normal: A's edges come first in both.
    return None if context.moment is None else context.moment.index


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    return plane_tips(context, query), np.zeros((0, 3))


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: step.verdict,
    planes_text,
    draw_world,
    lambda context, draw, _step: draw_origin(context, draw),
    focus=_focus,
    reach=_reach,
)

"""GJK: the distance of the cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.gjk.gjk import GjkStep, GjkStop
from core.query.query import Query

from ..picture_parts import direction_tips
from ..stage import At, Bounds, Listing, Stage, steps_of
from .picture import draw_difference, draw_world
from .questions import QUESTIONS
from .words import POOR_STOPS, gjk_text

if TYPE_CHECKING:
    from core.geometry.vector import Array

    from ...overlays.context import Context

_LISTING = Listing(
    "GJK: distance of the cores",
    {
        "start": "W ← { support point in the first direction }",
        "repeat": "repeat:",
        "nearest": "    v ← point of W nearest the origin",
        GjkStop.OVERLAP_ENCLOSED: "    if W encloses the origin:  OVERLAP_ENCLOSED",
        GjkStop.DEGENERATE_SIMPLEX: "        (but proved apart before:  DEGENERATE_SIMPLEX)",
        GjkStop.OVERLAP_TOUCHING: "    if |v| is 0 to rounding:  OVERLAP_TOUCHING",
        GjkStop.NO_PROGRESS: "    if |v| does not shrink any more:  NO_PROGRESS",
        "direction": "    d ← −v / |v|",
        "support": "    w ← farthest of A along d − farthest of B along −d",
        "bounds": "    lower ← max(lower, −d·w),  upper ← |v|",
        GjkStop.CONVERGED: "    if upper − lower is 0 to rounding:  CONVERGED",
        GjkStop.REPEATED_SUPPORT: "    if w is in W already:  REPEATED_SUPPORT",
        GjkStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "grow": "    W ← corners of W that hold v, and w",
    },
)


def _stop(at: At[GjkStep]) -> str:
    return at.step.stop or ""


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    supports = [step.support for _, step in steps_of(query, GjkStep)]
    return direction_tips(context, supports), np.zeros((0, 3))


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: step.stop or "grow",
    gjk_text,
    draw_world,
    draw_difference,
    stop=_stop,
    gave_up=lambda at: at.step.stop in POOR_STOPS,
    bounds=Bounds("distance", lambda step: (step.lower, step.upper)),
    reach=_reach,
    questions=QUESTIONS,
)

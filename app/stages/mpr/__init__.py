"""MPR: yes or no by portals, and the depth along the ray through both centres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.mpr import MprAction, MprStep, MprStop
from core.query.query import Query

from ..picture_parts import direction_tips
from ..stage import Bounds, Listing, Stage, steps_of
from .picture import draw_difference, draw_world
from .questions import QUESTIONS
from .words import GOOD_STOPS, mpr_text

if TYPE_CHECKING:
    from core.geometry.vector import Array

    from ...overlays.context import Context

_LISTING = Listing(
    "MPR: Minkowski portal refinement",
    {
        "centre": "v0 ← centre of A − centre of B, nudged if it is 0",
        "no centre": "    a half-space has none:  HALF_SPACE",
        "first": "v1 ← support along d = −v0",
        "in line": "    if v0, origin and v1 are in line:  ON_RAY, or TOUCHING",
        "second": "v2 ← support along d = v0 × v1",
        "discover": "repeat until the ray passes between v1, v2 and v3:",
        "third": "    v3 ← support in front of the plane of v0, v1, v2",
        "refine": "repeat, d the normal of the portal v1 v2 v3:",
        "support": "    w ← support along d,  overlapping once d·v1 ≥ 0",
        "near": "    if w is near the portal:  SURFACE, or WITHIN_TOLERANCE",
        "replace": "    w replaces a corner: the ray passes the new portal",
        "beyond": "at any w:  d·w < 0 is EXCLUDED, 0 is PLANE_AT_ORIGIN,",
        "flat": "    or FLAT_DIFFERENCE if A − B is flat along d",
        "give up": "no normal: DEGENERATE_PORTAL, too many: ITERATION_LIMIT",
    },
)

_LINES = {
    MprAction.CENTRE: "centre",
    MprAction.FIRST: "first",
    MprAction.SECOND: "second",
    MprAction.SWAP: "second",
    MprAction.THIRD: "third",
    MprAction.REFINE: "replace",
    MprAction.DEEPEN: "replace",
    MprStop.SURFACE: "near",
    MprStop.WITHIN_TOLERANCE: "near",
    MprStop.ON_RAY: "in line",
    MprStop.TOUCHING: "in line",
    MprStop.EXCLUDED: "beyond",
    MprStop.PLANE_AT_ORIGIN: "beyond",
    MprStop.FLAT_DIFFERENCE: "flat",
    MprStop.DEGENERATE_PORTAL: "give up",
    MprStop.ITERATION_LIMIT: "give up",
    MprStop.HALF_SPACE: "no centre",
    MprStop.SPACE_ONLY: "no centre",
}


def _bounds(step: MprStep) -> tuple[float | None, float | None]:
    """Of the depth, once the origin is inside: MPR knows no lower bound but 0."""
    return (0.0, step.upper) if step.inside else (None, None)


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    return direction_tips(context, [step.support for _, step in steps_of(query, MprStep)]), np.zeros((0, 3))


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: _LINES[step.stop or step.action],
    mpr_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop is not None and at.step.stop not in GOOD_STOPS,
    bounds=Bounds("depth", _bounds),
    reach=_reach,
    questions=QUESTIONS,
)

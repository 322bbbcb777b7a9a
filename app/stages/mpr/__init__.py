"""The stage of MPR: overlap by portals, and as depth the origin's distance from the portal where the ray leaves A − B.

The ray runs from v0, the difference of both centres, through the origin.

Its question: which corner of the portal does the new point replace?
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.mpr import MprStep
from core.query.query import Query

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...state.prediction import CurrentQuestion
from ...words.names import numbered
from .. import step_drawing
from ..stage import AlgorithmListing, Leaving, Stage, StepBounds, StepQuestions, steps_of
from .pictures import draw_difference, draw_portal, draw_world, fit_points
from .steps import gave_up, line_of, mpr_text


def _leavings(query: Query) -> Iterator[Leaving]:
    """Yields the steps at which w, the new support point, replaces a corner of a portal."""
    names = tuple(numbered("v", k) for k in (1, 2, 3))
    for place, step in steps_of(query, MprStep):
        if len(step.points) < 4 or step.placed is None:
            continue
        gone = step.placed - 1
        left = " and ".join(name for k, name in enumerate(names) if k != gone)
        why = f"stays: the ray passes through the portal of {left} and w, which has it as a corner."
        yield Leaving(
            place,
            names,
            np.array([point.w for point in step.points[1:]]),
            stays={k: f"{name} {why}" for k, name in enumerate(names) if k != gone},
            hint="w splits the portal into three smaller ones, each with w and two of the corners. The ray passes "
            "through one of them; the corner that it lacks leaves.",
            explanation=f"{names[gone]} leaves: the ray passes through the portal of {left} and w.",
            overlay="step_mpr",
            text="Which corner of the portal does w replace?",
        )


def _draw(context: Context, draw: DrawList, asked: CurrentQuestion, step: MprStep) -> None:  # noqa: ARG001 - as every stage's
    """Draws the ray, the portal, and the new point, for an open question."""
    draw_portal(context, draw, step.points)
    if step.support is not None:
        draw.spots(step.support.w, context.theme.overlap, 5.0, context.theme.halo, 1.5)
        draw.label(
            "w",
            step.support.w,
            context.theme.overlap,
            size=PLAIN,
            offset=(0.0, 16.0),
            priority=80,
            bold=True,
            kind="point-names",
        )
    draw_origin(context, draw)


QUESTIONS = StepQuestions(_draw, leavings=_leavings, rank=-1)
"""MPR's questions are asked before GJK's: whoever turned MPR on wants them."""
_LISTING = AlgorithmListing(
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


STAGE = Stage(
    lambda _dimension: _LISTING,
    line_of,
    mpr_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: gave_up(at.step),
    # The upper bound holds once the origin is known to be in A − B; MPR has no lower bound but 0.
    bounds=StepBounds("depth", lambda step: (0.0, step.upper) if step.inside else (None, None)),
    fit_points=fit_points,
    questions=QUESTIONS,
    colours=step_drawing.PROVES_UPPER
    | {
        "winner": "portal",
        "winner.disc": "corner of the portal",
        "winner.hollow": "v₀",
        "difference:winner.dotted": "from v₀ to the portal",
        "gap": "MPR's depth",
        "normal.dashed": "ray from v₀ to the origin",
    },
)

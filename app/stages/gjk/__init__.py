"""The stage of GJK: the distance of the cores, by a simplex in A − B and its sources on the bodies.

Points known before the step are filled. The point found is ringed in the colour of the search direction. Points that
the step drops are hollow; the next step shows them once more as ghosts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.gjk.gjk import GjkStep, GjkStop
from core.query.query import Phase, Query

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...state.prediction import CurrentQuestion, QuestionKind
from ...words.digits import plain
from .. import step_drawing
from ..point_names import point_names
from ..single import parting_flag
from ..stage import VISIBLE_WEIGHT, AlgorithmListing, Leaving, Stage, StepBounds, StepQuestions, SupportSearch, steps_of
from .pictures import draw_closest, draw_difference, draw_names, draw_simplex, draw_world, fit_points
from .steps import POOR_STOPS, gjk_text


def _searches(query: Query) -> tuple[SupportSearch, ...]:
    steps = steps_of(query, GjkStep)
    return tuple(
        SupportSearch(place, step.direction, "step_gjk") for place, step in steps if step.direction is not None
    )


def _leavings(query: Query) -> Iterator[Leaving]:
    """Yields the steps that drop points of the simplex and give each other point at least the weight VISIBLE_WEIGHT."""
    for place, step in steps_of(query, GjkStep):
        if not 0 < len(step.region) < len(step.simplex) or step.weights.min() < VISIBLE_WEIGHT:
            continue
        names = tuple(point_names(query, Phase.GJK).of(step.simplex))
        weights = dict(zip(step.region, step.weights.tolist(), strict=True))
        gone = [name for k, name in enumerate(names) if k not in weights]
        shares = ", ".join(f"{names[k]} {plain(weight)}" for k, weight in weights.items())
        made = f"made of {shares} (weights that add up to 1), without {' and '.join(gone)}"
        if len(weights) == 1:
            made = f"{names[step.region[0]]} itself"
        leaves = f"{' and '.join(gone)} {'leaves' if len(gone) == 1 else 'leave'}"
        yield Leaving(
            place,
            names,
            np.array([point.w for point in step.simplex]),
            stays={k: f"{names[k]} stays: without it the nearest point v would be another." for k in weights},
            hint=f"{len(names)} points make the simplex. Find its spot nearest the origin. A corner that is not "
            "needed for that spot leaves.",
            explanation=f"{leaves}: the nearest point v is {made}.",
            overlay="step_gjk",
        )


def _draw(context: Context, draw: DrawList, asked: CurrentQuestion, step: GjkStep) -> None:
    """Draws the simplex for an open question.

    Unless the question is which point leaves, it also draws v and the search direction.
    """
    corners, leaves = np.array([point.w for point in step.simplex]), asked.question.kind is QuestionKind.LEAVES
    draw_simplex(context, draw, step, corners, answered=not leaves)
    draw_names(context, draw, step.simplex, corners)
    if not leaves:
        draw_closest(context, draw, step)
        if step.direction is not None:
            tip = step_drawing.tip_of_arrow(context, step.closest, step.direction)
            step_drawing.draw_arrow(draw, step.closest, tip, context.theme.lower, "d")
    draw_origin(context, draw)


QUESTIONS = StepQuestions(_draw, _searches, _leavings)


_LISTING = AlgorithmListing(
    "GJK: distance of the cores",
    {
        "start": "W ← { support point in the first direction }",
        "repeat": "repeat:",
        "nearest": "    v ← point of W nearest the origin",
        GjkStop.OVERLAP_ENCLOSED: "    if W encloses the origin:  OVERLAP_ENCLOSED",
        GjkStop.DEGENERATE_SIMPLEX: "        (but proved apart before:  DEGENERATE_SIMPLEX)",
        GjkStop.OVERLAP_TOUCHING: "    if |v| is 0 within rounding:  OVERLAP_TOUCHING",
        GjkStop.NO_PROGRESS: "    if |v| no longer shrinks:  NO_PROGRESS",
        "direction": "    d ← −v / |v|",
        "support": "    w ← support of A along d − support of B along −d",
        "bounds": "    lower ← max(lower, −d·w),  upper ← |v|",
        GjkStop.CONVERGED: "    if upper − lower is 0 within rounding:  CONVERGED",
        GjkStop.REPEATED_SUPPORT: "    if w is in W already:  REPEATED_SUPPORT",
        GjkStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "grow": "    W ← corners of W that hold v, and w",
    },
)


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: step.stop or "grow",
    gjk_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop in POOR_STOPS,
    bounds=StepBounds("distance", lambda step: (step.lower, step.upper)),
    fit_points=fit_points,
    flag=parting_flag,
    questions=QUESTIONS,
    colours=step_drawing.PROVES_LOWER
    | {
        "winner": "simplex",
        "winner.disc": "corner of the simplex",
        "winner.hollow": "no longer in the simplex",
        "difference:winner.dotted": "no longer in the simplex",
        "gap": "search direction",
        "gap.dashed": "lower bound",
        "overlap": "distance of v, upper bound",
        "overlap.dashed": "distance of v",
        "overlap.diamond": "nearest point v",
    },
)

"""GJK: the distance of the cores."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.gjk.gjk import GjkStep, GjkStop
from core.query.query import Query

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...state.prediction import Asked, Kind
from ...words.axis_words import plain
from ..picture_parts import ARROW, direction_tips, draw_arrow
from ..stage import VISIBLE, Bounds, Leaving, Listing, Questions, Search, Stage, steps_of
from ..word_parts import numbered
from .picture import draw_closest, draw_difference, draw_names, draw_simplex, draw_world
from .words import POOR_STOPS, gjk_text


def _searches(query: Query) -> tuple[Search, ...]:
    """The steps with a direction."""
    steps = steps_of(query, GjkStep)
    return tuple(Search(place, step.direction, "step_gjk") for place, step in steps if step.direction is not None)


def _leavings(query: Query) -> tuple[Leaving, ...]:
    """The steps whose nearest spot does not need every point of the simplex, and needs the others plainly."""
    feature = {2: "vertex or edge", 3: "vertex, edge or face"}[query.analysis.scene.dimension]
    return tuple(
        _leaving(place, step, feature)
        for place, step in steps_of(query, GjkStep)
        if 0 < len(step.region) < len(step.simplex) and step.weights.min() >= VISIBLE
    )


def _leaving(place: int, step: GjkStep, feature: str) -> Leaving:
    names = tuple(numbered("w", k) for k in range(len(step.simplex)))
    weights = dict(zip(step.region, step.weights.tolist(), strict=True))
    gone = tuple(k for k in range(len(names)) if k not in weights)
    told = " and ".join(names[k] for k in gone)
    shares = ", ".join(f"{names[k]} {plain(weight)}" for k, weight in weights.items())
    made = (
        f"the nearest spot v is made of {shares} (weights that add up to 1), without {told}"
        if len(weights) > 1
        else f"the nearest spot v is {names[step.region[0]]} itself, which needs no other"
    )
    return Leaving(
        place=place,
        names=names,
        points=np.array([point.w for point in step.simplex]),
        gone=gone,
        stays={
            k: f"{names[k]} stays: in v, the simplex's point nearest the origin, its weight is {plain(weight)}. "
            "Another point has none."
            for k, weight in weights.items()
        },
        hint=f"{len(names)} points make the simplex. Find the spot on it nearest the origin: a point that the "
        f"{feature} with that spot does not need is let go.",
        explanation=f"{told} {'leaves' if len(gone) == 1 else 'leave'}: {made}.",
        overlay="step_gjk",
    )


def _draw(context: Context, draw: DrawList, asked: Asked, step: GjkStep) -> None:
    """The simplex; where its nearest point is not what is asked, with that and the direction towards the origin."""
    corners, leaves = np.array([point.w for point in step.simplex]), asked.question.kind is Kind.LEAVES
    draw_simplex(context, draw, step, corners, answered=not leaves)
    draw_names(context, draw, step, corners)
    if not leaves:
        draw_closest(context, draw, step)
        if step.direction is not None:
            tip = step.closest + ARROW * context.extent.radius * step.direction
            draw_arrow(draw, step.closest, tip, context.theme.overlap, "d")
    draw_origin(context, draw)


QUESTIONS = Questions(_draw, _searches, _leavings)


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


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    supports = [step.support for _, step in steps_of(query, GjkStep)]
    return direction_tips(context, supports), np.zeros((0, 3))


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: step.stop or "grow",
    gjk_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop in POOR_STOPS,
    bounds=Bounds("distance", lambda step: (step.lower, step.upper)),
    reach=_reach,
    questions=QUESTIONS,
)

"""What can be asked about GJK's steps: the support points they search, and the points that they let go."""

from __future__ import annotations

import numpy as np

from core.gjk.gjk import GjkStep
from core.query.query import Query

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...state.prediction import Asked, Kind
from ...words.axis_words import plain
from ..picture_parts import ARROW, draw_arrow
from ..stage import VISIBLE, Leaving, Questions, Search, steps_of
from ..word_parts import numbered
from .picture import draw_closest, draw_names, draw_simplex


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

"""What can be asked about MPR's steps: which corner of the portal the new point replaces."""

from __future__ import annotations

import numpy as np

from core.mpr.answer import MprStep
from core.query.query import Query

from ...draw.draw_list import DrawList
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN
from ...state.prediction import Asked
from ..stage import Leaving, Questions, steps_of
from ..word_parts import numbered
from .picture import draw_portal, draw_ray


def _leavings(query: Query) -> tuple[Leaving, ...]:
    """The steps at which w replaces a corner of a portal."""
    return tuple(
        _leaving(place, step, step.placed)
        for place, step in steps_of(query, MprStep)
        if len(step.points) == 4 and step.placed is not None
    )


def _leaving(place: int, step: MprStep, gone: int) -> Leaving:
    names = tuple(numbered("v", k) for k in (1, 2, 3))
    left = " and ".join(name for k, name in enumerate(names, start=1) if k != gone)
    return Leaving(
        place=place,
        names=names,
        points=np.array([point.w for point in step.points[1:]]),
        gone=(gone - 1,),
        stays={
            k - 1: f"{names[k - 1]} stays: the ray passes through the portal of {left} and w, which has it as a corner."
            for k in (1, 2, 3)
            if k != gone
        },
        hint="With w the portal falls into three smaller ones, each with w and two of the corners. The ray passes "
        "through one of them, and the corner that this one does not have is let go.",
        explanation=f"{names[gone - 1]} leaves: the ray passes through the portal of {left} and w.",
        overlay="step_mpr",
        text="Which corner of the portal does w replace?",
    )


def _draw(context: Context, draw: DrawList, asked: Asked, step: MprStep) -> None:  # noqa: ARG001 - as every stage's
    """The ray, the portal, and the new point."""
    draw_ray(context, draw, step.points[0].w)
    draw_portal(context, draw, step.points)
    if step.support is not None:
        draw.spots(step.support.w, context.theme.overlap, 5.0, context.theme.halo, 1.5)
        draw.label("w", step.support.w, context.theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)
    draw_origin(context, draw)


QUESTIONS = Questions(_draw, leavings=_leavings, rank=-1)
"""Before those of GJK, as MPR is there only if somebody asked for it."""

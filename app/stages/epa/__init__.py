"""EPA: the depth of the overlap, by a polytope in space and a polygon in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from core.gjk.epa import EpaStep, EpaStop
from core.gjk.plane_epa import EpaPolygonStep
from core.query.query import Query

from ..picture_parts import direction_tips
from ..stage import At, Bounds, Listing, Stage, steps_of
from ..word_parts import StepText
from .picture import draw_difference, draw_world
from .polygon_picture import draw_polygon_difference, draw_polygon_world
from .polygon_words import polygon_text
from .questions import QUESTIONS
from .words import epa_text

if TYPE_CHECKING:
    from core.geometry.vector import Array

    from ...draw.draw_list import DrawList
    from ...overlays.context import Context

Step: TypeAlias = EpaStep | EpaPolygonStep

_LOOP = {
    "bounds": "    lower ← distance of F,  upper ← min(upper, n·w)",
    EpaStop.ORIGIN_OUTSIDE: "    if n·w < 0:  ORIGIN_OUTSIDE, the bodies are apart",
    EpaStop.CONVERGED: "    if n·w − lower is 0 to rounding:  CONVERGED",
    EpaStop.REPEATED_SUPPORT: "    if w is a corner of P already:  REPEATED_SUPPORT",
    EpaStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
}
_IN_SPACE = Listing(
    "EPA: depth of the overlap",
    {
        "start": "P ← tetrahedron from GJK's last simplex",
        EpaStop.FLAT_POLYTOPE: "    if none has a volume:  FLAT_POLYTOPE",
        "repeat": "repeat:",
        "nearest": "    F ← face of P nearest the origin, n its normal",
        "support": "    w ← support point along n",
        **_LOOP,
        "horizon": "    remove the faces that w sees; their rim is the horizon",
        "grow": "    join w to each edge of the horizon",
    },
)
_IN_PLANE = Listing(
    _IN_SPACE.title,
    {
        "start": "P ← triangle from GJK's last simplex",
        EpaStop.FLAT_POLYTOPE: "    if none has an area:  FLAT_POLYTOPE",
        "repeat": "repeat:",
        "nearest": "    F ← edge of P nearest the origin, n its normal",
        "support": "    w ← support point along n",
        **_LOOP,
        "grow": "    put w between the two ends of F",
    },
)


def _line(step: Step) -> str:
    return step.stop or ("start" if step.nearest is None else "grow")


def _words(at: At[Any]) -> StepText:
    return epa_text(at) if isinstance(at.step, EpaStep) else polygon_text(at)


def _world(context: Context, draw: DrawList, step: Step) -> None:
    if isinstance(step, EpaStep):
        draw_world(context, draw, step)
    else:
        draw_polygon_world(context, draw, step)


def _difference(context: Context, draw: DrawList, step: Step) -> None:
    if isinstance(step, EpaStep):
        draw_difference(context, draw, step)
    else:
        draw_polygon_difference(context, draw, step)


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    steps: list[tuple[int, Step]] = [*steps_of(query, EpaStep), *steps_of(query, EpaPolygonStep)]
    return direction_tips(context, [step.support for _, step in steps]), np.zeros((0, 3))


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    _line,
    _words,
    _world,
    _difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop is EpaStop.ITERATION_LIMIT,
    bounds=Bounds("depth", lambda step: (step.lower, step.upper)),
    reach=_reach,
    questions=QUESTIONS,
)

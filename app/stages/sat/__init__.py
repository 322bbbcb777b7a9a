"""The stage of the separating axis test."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.pair.candidate_axes import AxisKind
from core.query.query import Query
from core.sat.sat import SatStep

from ...overlays.context import Context
from ...words.names import axis_name
from ..stage import AlgorithmListing, At, Stage, TimelineFlag
from .pictures import draw_difference, draw_world
from .words import sat_text, verdict_so_far

_IN_SPACE = AlgorithmListing(
    "SAT: separating axis test",
    {
        "start": "best ← none",
        "axis": "for each axis n of faces of A, faces of B, edges × edges:",
        "skip": "    if n has no direction:  skip it",
        "interval of A": "    [min A, max A] ← A projected on n",
        "interval of B": "    [min B, max B] ← B projected on n",
        "separation": "    s ← min B − max A, n turned from A towards B",
        "first gap": "    if s > 0:  apart (a yes-or-no test stops here)",
        "best": "    if s > best:  best ← s, axis ← n",
        "not best": "    else:  keep the best",
        "apart": "if best > 0:  apart, by best or more",
        "overlapping": "else:  overlapping, −best deep along the axis",
    },
)
_IN_PLANE = AlgorithmListing(
    _IN_SPACE.title, {**_IN_SPACE.lines, "axis": "for each axis n of edges of A, edges of B, closest vertex:"}
)
_FIRST_GAP = TimelineFlag("first gap", "The first gap: a yes-or-no test stops here.")


def _line(step: SatStep) -> str:
    if step.separation is None:
        return "skip"
    if step.first_gap:
        return "first gap"
    return "best" if step.improved else "not best"


def _focus(context: Context) -> int | None:
    """Row of the axis that the step tries; if that axis has no direction, the row of the best so far if there is one.

    None if no step of SAT is shown.
    """
    step = context.step_of(SatStep)
    if step is None:
        return None
    return step.row if step.separation is not None or step.best is None else step.best


def _best(at: At[SatStep]) -> int | None:
    """Index of the step that tried the best axis so far; None before one has a direction.

    It is the axis's row, less the rows of edge pairs before it if the setting leaves them out.
    """
    if at.step.best is None:
        return None
    edges = at.query.analysis.sat.candidates[: at.step.best] if at.query.settings.faces_only else ()
    return at.step.best - sum(candidate.kind is AxisKind.EDGES for candidate in edges)


def _fit_points(_context: Context, query: Query) -> tuple[Array, Array]:
    """No points in the world; in the difference (n, 3) the feet of the perpendiculars on the axes' planes."""
    sat = query.analysis.sat
    known = np.isfinite(sat.separations)
    return np.zeros((0, 3)), -sat.separations[known, None] * sat.directed.axes[known]


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    _line,
    sat_text,
    draw_world,
    draw_difference,
    label=lambda at: axis_name(at.query.analysis.sat, at.step.row),
    flag=lambda at: _FIRST_GAP if at.step.first_gap else None,
    focus=_focus,
    fit_points=_fit_points,
    verdict_so_far=verdict_so_far,
    best=_best,
    colours={
        "none:gap.line": "separating plane",
        "none:gap.sheet": "separating plane",
        "difference:text.line": "face of the axis tried",
    },
)

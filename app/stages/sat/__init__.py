"""The separating axis test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.query.query import Query
from core.sat.steps import SatStep

from ..stage import At, Flag, Listing, Stage
from .picture import draw_difference, draw_world
from .words import sat_text

if TYPE_CHECKING:
    from core.geometry.vector import Array

    from ...overlays.context import Context

_IN_SPACE = Listing(
    "SAT: separating axis test",
    {
        "start": "best ← none",
        "axis": "for each axis n of faces of A, faces of B, edges × edges:",
        "skip": "    if n has no direction:  skip it",
        "interval of A": "    [min A, max A] ← A projected on n",
        "interval of B": "    [min B, max B] ← B projected on n",
        "separation": "    s ← max(min B − max A, min A − max B)",
        "first gap": "    if s > 0 for the first time:  apart (yes or no ends here)",
        "best": "    if s > best:  best ← s, winner ← n",
        "not best": "    else:  n does not win",
        "apart": "if best > 0:  apart, by best or more",
        "overlapping": "else:  overlapping, −best deep along the winner",
    },
)
_IN_PLANE = Listing(
    _IN_SPACE.title,
    {**_IN_SPACE.lines, "axis": "for each axis n of edges of A, edges of B, closest vertex:"},
)
_FIRST_GAP = Flag("first gap", "The first gap: a program that only asks whether the bodies meet ends here.")


def _line(step: SatStep) -> str:
    if step.separation is None:
        return "skip"
    if step.first_gap:
        return "first gap"
    return "best" if step.improved else "not best"


def _flag(at: At[SatStep]) -> Flag | None:
    return _FIRST_GAP if at.step.first_gap else None


def _label(at: At[SatStep]) -> str:
    return at.query.analysis.sat.candidates[at.step.row].label


def _focus(context: Context) -> int | None:
    """The axis it tries; without a direction the best so far."""
    step = context.step_of(SatStep)
    if step is None:
        return None
    return step.row if step.separation is not None or step.best is None else step.best


def _reach(_context: Context, query: Query) -> tuple[Array, Array]:
    """The feet of the perpendiculars from the origin by which each axis shows its number."""
    sat = query.analysis.sat
    known = np.isfinite(sat.separations)
    return np.zeros((0, 3)), -(sat.separations * sat.sides)[known, None] * sat.axes[known]


STAGE = Stage(
    {2: _IN_PLANE, 3: _IN_SPACE}.__getitem__,
    _line,
    sat_text,
    draw_world,
    draw_difference,
    label=_label,
    flag=_flag,
    focus=_focus,
    reach=_reach,
)

"""The separating axis test: the picture of the axis tried and of the best so far, and its listing."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array
from core.pair.candidate_axes import AxisKind
from core.query.query import Query
from core.sat.sat import SatStep

from ...draw.draw_list import Dash, DrawList, Hidden, Marker, Rgba, Subject
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.rail import Spans
from ...overlays.solids import draw_sheet
from ...overlays.style import PLAIN, STRONG
from ...words.digits import signed
from ...words.names import axis_name
from ..stage import At, Flag, Listing, Stage
from .words import sat_text, verdict_so_far


def draw_difference(context: Context, draw: DrawList, _step: SatStep) -> None:
    """The perpendicular of the axis tried, and that of the best so far."""
    theme = context.theme
    if np.isfinite(context.analysis.sat.separations[context.focus]):
        separation = float(context.analysis.sat.separations[context.focus])
        rgba = theme.overlap if separation < -context.analysis.band else theme.gap
        _draw_foot(context, draw, context.focus, rgba, Dash.SOLID, "")
    draw_known(context, draw)


def draw_known(context: Context, draw: DrawList) -> None:
    """The perpendicular of the best so far, unless it is in focus."""
    best = context.tried.leads
    if best is not None and best != context.focus:
        _draw_foot(context, draw, best, context.theme.winner, Dash.DASHED, "best so far: ")
    draw_origin(context, draw)


def _draw_foot(context: Context, draw: DrawList, row: int, rgba: Rgba, dash: Dash, word: str) -> None:
    # The perpendicular from the origin to the nearer plane of the pair that the axis belongs to: its separation.
    sat, subject = context.analysis.sat, Subject("axis", row)
    separation = float(sat.separations[row])
    foot = -separation * sat.directed.axes[row]
    solid = dash is Dash.SOLID
    width, head = (2.8, 11.0) if solid else (1.8, 0.0)
    draw.strong(np.zeros(3), foot, rgba, width, dash=dash, subject=subject, arrow_end=head)
    draw.points(foot, rgba, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=subject)
    words = f"{word}{axis_name(sat, row)} {signed(separation)}"
    # As in the listing, where s is the separation along the axis.
    brief = f"{word.removesuffix(': ') or 's ='} {signed(separation)}"
    (size, priority), above = (STRONG, 80) if solid else (PLAIN, 60), (0.0, -14.0)
    draw.label(words, foot, rgba, size=size, offset=above, priority=priority, subject=subject, bold=solid, brief=brief)


def draw_world(context: Context, draw: DrawList, step: SatStep) -> None:
    """A plane in the gap, if there is one."""
    if step.separation is None or step.separation <= context.analysis.band:
        return
    theme, corners = context.theme, Spans.of(context, step.row).wall(context)
    draw_sheet(draw, corners, theme.gap, 0.16, 0.8)
    word = "first gap: yes-or-no SAT stops here" if step.first_gap else "a plane between the bodies"
    brief, size = ("first gap", STRONG) if step.first_gap else ("a plane between", PLAIN)
    highest = max(corners, key=lambda corner: float(corner[1]))
    draw.label(word, highest, theme.gap, size=size, offset=(0.0, -10.0), priority=74, brief=brief)


_IN_SPACE = Listing(
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
_IN_PLANE = Listing(
    _IN_SPACE.title, {**_IN_SPACE.lines, "axis": "for each axis n of edges of A, edges of B, closest vertex:"}
)
_FIRST_GAP = Flag("first gap", "The first gap: a yes-or-no test stops here.")


def _line(step: SatStep) -> str:
    if step.separation is None:
        return "skip"
    if step.first_gap:
        return "first gap"
    return "best" if step.improved else "not best"


def _focus(context: Context) -> int | None:
    """The axis it tries; without a direction the best so far."""
    step = context.step_of(SatStep)
    if step is None:
        return None
    return step.row if step.separation is not None or step.best is None else step.best


def _best(at: At[SatStep]) -> int | None:
    """Which step tried the best so far: its row, unless rows of edges are left out."""
    if at.step.best is None:
        return None
    edges = at.query.analysis.sat.candidates[: at.step.best] if at.query.knobs.faces_only else ()
    return at.step.best - sum(candidate.kind is AxisKind.EDGES for candidate in edges)


def _reach(_context: Context, query: Query) -> tuple[Array, Array]:
    """The feet of the perpendiculars from the origin by which each axis shows its number."""
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
    reach=_reach,
    verdict_so_far=verdict_so_far,
    best=_best,
)

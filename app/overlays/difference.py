"""The Minkowski difference round the origin: every face is a candidate axis, the nearest one is the way out.

The overlap on an axis is the distance from the origin to the nearer plane of its pair of faces, drawn as
the foot of the perpendicular.
"""

from __future__ import annotations

import numpy as np

from core.verdict import Verdict

from ..draw.draw_list import Dash, DrawList, Hidden, Marker, Subject
from ..words.axis_words import number, plain
from .context import Context, Overlay
from .difference_solid import draw_difference
from .text_sizes import PLAIN, STRONG


def _difference(context: Context, draw: DrawList) -> None:
    at_step = context.step_view
    draw_difference(context, draw, faint=_is_faint(context))
    if (at_step is None or "answer" in at_step.keeps) and not (_held_back(context) or context.under_way):
        _draw_answer(context, draw)
    if at_step is None:
        draw_origin(context, draw)


def _is_faint(context: Context) -> bool:
    """Whether it is a shell only: at steps that look at something inside it, or that follow no axis of the table."""
    solid = context.analysis.difference
    if context.step_view is None or not context.step_view.faint_difference:
        return False
    if context.of_motion is None:
        return True
    # Imported with the first motion: nothing of it is wanted at the start.
    from core.query.query import axis_of

    axis = axis_of(context.of_motion)
    return (solid is None or solid.plane is None) and (axis is None or not context.in_table(axis))


def _held_back(context: Context) -> bool:
    # The way out is the answer to most questions, whichever of the two overlays draws it.
    return context.asked is not None and "mtv" in context.asked.held_back


def _draw_answer(context: Context, draw: DrawList) -> None:
    analysis, theme = context.analysis, context.theme
    origin = np.zeros(3)
    inside = analysis.verdict is Verdict.OVERLAPPING
    rgba = theme.overlap if inside else theme.gap
    if analysis.verdict is not Verdict.TOUCHING:
        draw.strong(origin, analysis.nearest, rgba, 3.0, subject=Subject("mtv"), arrow_end=12.0)
        words = f"{'depth' if inside else 'distance'} {plain(abs(analysis.separation))}"
        middle = 0.5 * analysis.nearest
        draw.label(words, middle, rgba, size=STRONG, offset=(56.0, -14.0), priority=80, bold=True)
    _draw_focus_foot(context, draw)


def draw_origin(context: Context, draw: DrawList) -> None:
    """The origin of the difference, which every algorithm asks about."""
    rgba, origin = context.theme.origin, np.zeros(3)
    draw.spots(origin, rgba, 5.5, rgba, 2.0, shape=Marker.RING)
    draw.label("origin", origin, rgba, size=PLAIN, offset=(-32.0, 12.0), priority=85)


def _draw_focus_foot(context: Context, draw: DrawList) -> None:
    # The perpendicular from the origin to the nearer plane of the focused pair; the winner's is the arrow above.
    sat, theme = context.analysis.sat, context.theme
    row = context.focus
    if int(sat.same_as[row]) == int(sat.same_as[sat.winner]) or not np.isfinite(sat.separations[row]):
        return
    foot = -float(sat.separations[row]) * float(sat.sides[row]) * sat.axes[row]
    draw.strong(np.zeros(3), foot, theme.winner, 1.8, dash=Dash.DASHED, subject=Subject("axis", row))
    draw.points(foot, theme.winner, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=Subject("axis", row))
    words = f"{sat.candidates[row].label} {number(float(sat.separations[row]))}"
    draw.label(words, foot, theme.winner, size=PLAIN, offset=(0.0, -14.0), priority=60)


OVERLAY = Overlay(
    "difference",
    "Minkowski difference",
    "H",
    "A − B, its faces coloured by axis family, round the origin",
    difference=_difference,
    of_answer=True,
)

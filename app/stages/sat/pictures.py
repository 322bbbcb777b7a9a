"""Pictures of SAT's steps: the axis tried, and the best so far."""

from __future__ import annotations

import numpy as np

from core.sat.sat import SatStep

from ...draw.draw_list import Dash, DrawList, Hidden, Marker, Rgba, Subject
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.rail import Spans, way_words
from ...overlays.solids import draw_sheet
from ...overlays.style import PLAIN, STRONG
from ...words.names import axis_name


def draw_difference(context: Context, draw: DrawList, step: SatStep) -> None:  # noqa: ARG001 - as every stage's
    """Draws the perpendicular of the axis in focus, and that of the best axis."""
    theme = context.theme
    if np.isfinite(context.analysis.sat.separations[context.focus]):
        separation = float(context.analysis.sat.separations[context.focus])
        rgba = theme.overlap if separation < -context.analysis.band else theme.gap
        _draw_foot(context, draw, context.focus, rgba, Dash.SOLID, "")
    draw_known(context, draw)


def draw_known(context: Context, draw: DrawList) -> None:
    """Draws the perpendicular of the best axis so far, unless it is in focus; when all are tried, it decides."""
    progress = context.sat_progress
    if progress.leads is not None and progress.leads != context.focus:
        word = "decides" if progress.last else "best so far"
        _draw_foot(context, draw, progress.leads, context.theme.winner, Dash.DASHED, f"{word}: ")
    draw_origin(context, draw)


def _draw_foot(context: Context, draw: DrawList, row: int, rgba: Rgba, dash: Dash, word: str) -> None:
    # The perpendicular from the origin to the nearer plane of the pair that the axis belongs to. Its length is the
    # separation.
    sat, subject = context.analysis.sat, Subject("axis", row)
    separation = float(sat.separations[row])
    foot = -separation * sat.directed.axes[row]
    solid = dash is Dash.SOLID
    width, head = (2.8, 11.0) if solid else (1.8, 0.0)
    with draw.named("foot" if solid else "best"):
        draw.strong(np.zeros(3), foot, rgba, width, dash=dash, subject=subject, arrow_end=head)
        draw.points(foot, rgba, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=subject)
    way = way_words(context, row)
    (size, priority), above = (STRONG, 80) if solid else (PLAIN, 60), (0.0, -14.0)
    with draw.named("foot" if solid else "best"):
        draw.label(
            f"{word}{axis_name(sat, row)}  {way}",
            foot,
            rgba,
            size=size,
            offset=above,
            priority=priority,
            subject=subject,
            bold=solid,
            brief=f"{word}{way}",
            kind="interval-numbers",
        )


def draw_world(context: Context, draw: DrawList, step: SatStep) -> None:
    """Draws a plane in the gap on the step's axis, if there is one."""
    if step.separation is None or step.separation <= context.analysis.band:
        return
    theme, corners = context.theme, Spans.of(context, step.row).wall(context)
    with draw.named("wall", sweep=corners.mean(axis=0)):
        draw_sheet(draw, corners, theme.gap, 0.16, 0.8)
    word = "first gap: proof that they are apart" if step.first_gap else "a plane between the bodies"
    brief, size = ("first gap", STRONG) if step.first_gap else ("a plane between", PLAIN)
    highest = max(corners, key=lambda corner: float(corner[1]))
    with draw.named("wall"):
        draw.label(word, highest, theme.gap, size=size, offset=(0.0, -10.0), priority=74, brief=brief)

"""SAT's steps: the axis being tried and the best so far, as planes round the origin and as a gap between the bodies.

The rail beside the bodies is the axes overlay's; here stands what only a step has: the best so far, and the plane
through the first gap, where a program that asks for yes or no would end.
"""

from __future__ import annotations

import numpy as np

from core.sat.steps import SatStep

from ...draw.draw_list import Dash, DrawList, Hidden, Marker, Rgba, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.extent import square_of
from ...overlays.rail import Spans
from ...overlays.text_sizes import PLAIN, STRONG
from ...words.axis_words import signed


def draw_difference(context: Context, draw: DrawList, step: SatStep) -> None:
    """The perpendicular of the axis tried, and that of the best so far."""
    theme = context.theme
    if step.best is not None and step.best != context.focus:
        _draw_foot(context, draw, step.best, theme.winner, Dash.DASHED, "best so far: ")
    if np.isfinite(context.analysis.sat.separations[context.focus]):
        separation = float(context.analysis.sat.separations[context.focus])
        rgba = theme.overlap if separation < -context.analysis.band else theme.gap
        _draw_foot(context, draw, context.focus, rgba, Dash.SOLID, "")
    draw_origin(context, draw)


def _draw_foot(context: Context, draw: DrawList, row: int, rgba: Rgba, dash: Dash, word: str) -> None:
    # The perpendicular from the origin to the nearer plane of the pair that the axis belongs to: its separation.
    sat, subject = context.analysis.sat, Subject("axis", row)
    separation = float(sat.separations[row])
    foot = -separation * float(sat.sides[row]) * sat.axes[row]
    solid = dash is Dash.SOLID
    draw.strong(
        np.zeros(3), foot, rgba, 2.8 if solid else 1.8, dash=dash, subject=subject, arrow_end=11.0 if solid else 0.0
    )
    draw.points(foot, rgba, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=subject)
    words = f"{word}{sat.candidates[row].label} {signed(separation)}"
    brief = f"{word.removesuffix(': ')} {signed(separation)}".strip()
    size, priority = (STRONG, 80) if solid else (PLAIN, 60)
    above = (0.0, -14.0)
    draw.label(words, foot, rgba, size=size, offset=above, priority=priority, subject=subject, bold=solid, brief=brief)


def draw_world(context: Context, draw: DrawList, step: SatStep) -> None:
    """A plane in the gap, if there is one."""
    if step.separation is None or step.separation <= context.analysis.band:
        return
    theme, spans = context.theme, Spans.of(context, step.row)
    middle = context.extent.centre + 0.5 * sum(spans.way) * spans.direction
    corners = square_of(middle, spans.direction, 0.75 * context.extent.reach(spans.direction, middle))
    draw.sheet(corners, faded(theme.gap, 0.16))
    draw.polyline(corners, faded(theme.gap, 0.8), 1.2, closed=True, hidden=Hidden.FAINT)
    word = "first gap: a yes-or-no test ends here" if step.first_gap else "a plane between the bodies"
    brief, size = ("first gap", STRONG) if step.first_gap else ("a plane between", PLAIN)
    draw.label(word, corners[0], theme.gap, size=size, offset=(0.0, -10.0), priority=74, brief=brief)

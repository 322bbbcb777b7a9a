"""The axis turned by hand: its handles on a sphere round the pair, its rail, and its two planes round the difference.

In 2D scenes the sphere is a circle and the planes are lines. The rail takes the place of the winner's rail, and the
winner's gap is marked on it to scale. The rail of an axis that is pointed at or pinned is on the other side of the
bodies. Every number comes from the same projection as the table's.
"""

from __future__ import annotations

from functools import lru_cache
from math import isfinite

import numpy as np

from core.geometry.vector import Array
from core.sat.table import Directed

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..draw.theme import faded
from ..probes.free_axis import NEARS, FreeAxis, free_axis_words, parts_at, value_words
from ..words.axis_words import distance_beyond_sat
from ..words.names import axis_name
from .axis_sources import light_colour
from .context import SPHERE, Context, Overlay, square_of
from .rail import Rail, Spans, free_axis_is_shown, rail_beside, separation_rgba, separation_words, side_of_focus
from .solids import draw_sheet
from .style import PLAIN, STRONG

DIFFERENCE_HANDLES = 2
"""Number of the first handle in the difference; handles 0 and 1 are the axis's two ends in the world."""

RAIL = Subject("free_axis", 4)
"""Subject of the lines that show the axis and are no handles."""

WALL_OPACITIES, CUTTING_OPACITIES = (0.16, 0.8), (0.05, 0.45)
"""Opacities of fill and outline of the wall across the axis: if it fits between the bodies, and if it cuts them."""

LIES = 0.02
"""A wall touches both bodies if its gap or overlap is smaller than this share of the pair's radius."""
LEANS = 0.04
"""A wall touches the vertices that are nearer to it than this share of their body's radius."""
NEARED = 0.5
"""Opacity of the parts that a wall nears, as a share of that of the parts that it touches."""
OUTLINE, SNAPPED_OUTLINE = 1.2, 3.0
"""Widths of the wall's outline, points: across any axis, and across a candidate, to which a drag snaps."""

_attempt = lru_cache(maxsize=2)(FreeAxis.of)
"""Cached, because both panes show the same axis."""


def _world(context: Context, draw: DrawList) -> None:
    if context.view.free is None or not free_axis_is_shown(context):
        return
    attempt = _attempt(context.analysis, context.view.free)
    _draw_handles(context, draw, context.extent.centre, attempt.axis, 0)
    if context.moment is None:
        # At a step the rail shows the axis of the step, and the winner stays hidden.
        _draw_rail(context, draw, attempt)


def _draw_handles(context: Context, draw: DrawList, centre: Array, axis: Array, first: int) -> None:
    theme, arm = context.theme, SPHERE * context.extent.radius * axis
    tips = np.array((centre + arm, centre - arm))
    draw.lines(tips[1], tips[0], faded(theme.text, 0.8), 1.4, dash=Dash.DASHED, hidden=Hidden.FAINT, layer=Layer.NORMAL)
    for place, (tip, filled) in enumerate(zip(tips, (True, False), strict=True)):
        subject = Subject("free_axis", first + place)
        hot = context.view.hover == subject
        fill, rim = (theme.text, theme.halo) if filled else (theme.background_top, theme.text)
        draw.spots(tip, theme.hover if hot else fill, 8.0 if hot else 6.5, rim, 2.0, subject=subject)


def _draw_rail(context: Context, draw: DrawList, attempt: FreeAxis) -> None:
    turned = Directed.of(attempt.axis, attempt.side, attempt.interval_a, attempt.interval_b)
    spans = Spans.on_axis(context, turned.axes, turned.interval_a, turned.interval_b)
    side, rgba = -side_of_focus(context), context.theme.text
    rail, lift, step = rail_beside(context, draw, spans, RAIL, (rgba, Dash.SOLID), side=side, beyond=4.6)
    rail.bars(context, spans, lift, step)
    if isfinite(attempt.separation):
        fits = attempt.separation >= -context.analysis.band
        draw_sheet(
            draw,
            spans.wall(context),
            separation_rgba(context, attempt.separation),
            *(WALL_OPACITIES if fits else CUTTING_OPACITIES),
            SNAPPED_OUTLINE if attempt.is_candidate else OUTLINE,
        )
        if abs(attempt.separation) <= LIES * context.extent.radius:
            _draw_supports(context, draw, attempt.side * attempt.axis)
        outer = rail.mark(spans.between, lift, step, separation_rgba(context, attempt.separation))
        if "axes" in context.view.shown and not context.reveal.veiled:
            # The winner is hidden with the candidates.
            _draw_winner(context, rail, spans.between[0], (lift + step, outer + 1.3 * step))
        at = 0.5 * sum(spans.between), lift
    else:
        at = 0.0, lift + 2.6 * step
    words, offset = f"your {free_axis_words(attempt)}", (0.0, 16.0 * side)
    rail.label(
        words, *at, rgba, size=STRONG, offset=offset, priority=78, bold=True, clear=True, kind="interval-numbers"
    )


def _draw_supports(context: Context, draw: DrawList, towards_b: Array) -> None:
    """Lights the vertex, edge or face of each body that the wall across the unit `towards_b` (3,) touches.

    A larger part that the wall nears is lit faintly under it.
    """
    nears, touches = (parts_at(context.scene, towards_b, share) for share in (NEARS, LEANS))
    for index, (neared, touched) in enumerate(zip(nears, touches, strict=True)):
        rgba = light_colour(context.theme, index)
        if len(touched) == 0:
            continue
        if len(neared) > len(touched):
            _draw_part(context, draw, neared, faded(rgba, NEARED))
        _draw_part(context, draw, touched, rgba)


def _draw_part(context: Context, draw: DrawList, points: Array, rgba: Rgba) -> None:
    """Lights a vertex, an edge or a face by its corners (k, 3), in loop order."""
    if len(points) > 2:
        draw.sheet(points, faded(rgba, 0.4))
    if len(points) > 1:
        draw.polyline(points, rgba, 4.0, closed=len(points) > 2, hidden=Hidden.SHOW, layer=Layer.STRONG)
    else:
        draw.spots(points, rgba, 6.0, context.theme.halo, 1.5)


def _draw_winner(context: Context, rail: Rail, start: float, lifts: tuple[float, float]) -> None:
    # The winner's gap or overlap on the same scale. The axis whose mark ends farther towards B is the better one.
    rgba, sat, (outer, lift) = context.theme.winner, context.analysis.sat, lifts
    end = start + sat.separation
    if isfinite(end):
        rail.line((start, end), lift, rgba, 2.2, Layer.NORMAL)
        rail.rung(start, (outer, lift), rgba, 1.2, Layer.NORMAL)
        told = separation_words(sat.separation, context.analysis.band, distance_beyond_sat(context.analysis))
        words = f"{axis_name(sat, sat.winner)} {told}"
        rail.label(
            words,
            0.5 * (start + end),
            lift,
            rgba,
            size=PLAIN,
            offset=(0.0, 13.0 if lift > 0.0 else -13.0),
            priority=64,
            kind="interval-numbers",
        )


def _difference(context: Context, draw: DrawList) -> None:
    if context.view.free is None or not free_axis_is_shown(context):
        return
    theme, attempt, origin = context.theme, _attempt(context.analysis, context.view.free), np.zeros(3)
    _draw_handles(context, draw, origin, attempt.axis, DIFFERENCE_HANDLES)
    # The interval of w = a - b along the axis runs from min A - max B to max A - min B.
    ends = (float(attempt.interval_a[0] - attempt.interval_b[1]), float(attempt.interval_a[1] - attempt.interval_b[0]))
    nearer = ends[1] if attempt.side > 0 else ends[0]
    rgba = separation_rgba(context, attempt.separation)
    for end in ends:
        if isfinite(end):
            _draw_plane(context, draw, end * attempt.axis, attempt.axis, rgba if end == nearer else theme.text)
    if not isfinite(nearer):
        draw.label(
            free_axis_words(attempt),
            origin,
            rgba,
            size=PLAIN,
            offset=(0.0, 28.0),
            priority=76,
            subject=RAIL,
            kind="interval-numbers",
        )
        return
    foot = nearer * attempt.axis
    draw.strong(origin, foot, rgba, 2.8, subject=RAIL)
    draw.points(foot, rgba, 4.0, shape=Marker.SQUARE, hidden=Hidden.SHOW, subject=RAIL)
    words = f"yours {value_words(attempt.separation)}"
    draw.label(
        words,
        foot,
        rgba,
        size=STRONG,
        offset=(0.0, -16.0),
        priority=76,
        subject=RAIL,
        bold=True,
        kind="interval-numbers",
    )


def _draw_plane(context: Context, draw: DrawList, foot: Array, axis: Array, rgba: Rgba) -> None:
    """Draws a plane through `foot` (3,) at right angles to the unit `axis` (3,); in 2D a line."""
    half = 0.62 * context.extent.radius
    if context.analysis.polygon is None:
        draw_sheet(draw, square_of(foot, axis, half), rgba, 0.13, 0.7)
        return
    along = 1.3 * half * np.array((-axis[1], axis[0], 0.0))
    draw.lines(foot - along, foot + along, faded(rgba, 0.85), 1.6, layer=Layer.NORMAL)


OVERLAY = Overlay(
    "free_axis",
    "Free axis",
    "",
    "An axis turned by hand, with both intervals and its planes",
    world=_world,
    difference=_difference,
    of_answer=True,
)

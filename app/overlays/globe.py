"""The globe: candidate axes as pins on a small sphere in the corner, to point at; the Gauss map can take its place.

The map has every face normal of A and of −B on one sphere, and the arcs of the edges between them. If an arc of A
crosses one of −B, their two edges build a face of the difference. Only such edge pairs can decide.
"""

from __future__ import annotations

import numpy as np

from ..draw.draw_list import DrawList, Layer, Marker, Subject
from ..words.names import axis_name
from .context import Context, Overlay
from .solids import draw_sphere
from .style import FINE, family_style

RADIUS = 0.8
"""Radius of the globe; its inset shows a ball of radius 1."""
MOST_PINS = 64
"""Most axes that have pins, those closest to winning; more would cover the globe."""


def _globe(context: Context, draw: DrawList) -> None:
    if MAPS & context.view.shown:
        # The Gauss map takes its place.
        return
    sat, theme = context.analysis.sat, context.theme
    draw_sphere(draw, theme, RADIUS, 0.22)
    # At a step of SAT the axis tried is large, and the best so far has a star in the winner's colour.
    focus, chief = context.focus, context.focus if context.moment is None else context.leader
    nearest = context.nearest_axes
    # The axis tried has a pin before its intervals are known.
    far = focus not in nearest[:MOST_PINS] and context.sat_progress.has_direction(focus)
    for row in [*nearest[:MOST_PINS], *([focus] if far else ())]:
        style, subject = family_style(sat.candidates[row].kind, theme), Subject("axis", row)
        towards_b, rgba = sat.directed.axes[row], theme.winner if row == chief else style.rgba
        tips = np.array((towards_b, -towards_b)) * RADIUS
        if row == focus:
            draw.lines(1.25 * tips[1], 1.25 * tips[0], rgba, 1.8, layer=Layer.STRONG, subject=subject, arrow_end=8.0)
        size, shape, rim = 6.0 if row == focus else 4.2, style.marker, theme.halo
        if row == context.sat_progress.best and context.sat_progress.stepping:
            size, shape = 8.0, Marker.STAR
        draw.points(tips, rgba, size, shape=shape, stroke=rim, stroke_width=1.0, subject=subject)
    name, tip = axis_name(sat, focus), 1.25 * RADIUS * sat.directed.axes[focus]
    rgba = theme.winner if focus == chief else family_style(sat.candidates[focus].kind, theme).rgba
    draw.label(name, tip, rgba, size=FINE, offset=(0.0, -10.0), priority=50, kind="axis-names")


OVERLAY = Overlay(
    "globe",
    "Globe of axes",
    "J",
    "Candidate axes as pins on a small sphere; of many, those with the largest separation",
    globe=_globe,
    of_answer=True,
    unavailable_in={2: "The globe is for 3D scenes; this scene is 2D."},
)


def _gauss(context: Context, draw: DrawList) -> None:
    from .gauss_drawing import draw_gauss_map

    draw_gauss_map(context, draw)


GAUSS = Overlay(
    "gauss",
    "Gauss map",
    "Shift+J",
    "Face normals of A and −B as points on one sphere, edges as arcs; edges whose arcs cross build a face of A − B",
    globe=_gauss,
    of_answer=True,
    unavailable_in={2: "The Gauss map is for 3D scenes; this scene is 2D."},
)


def _large(context: Context, draw: DrawList) -> None:
    if GAUSS.id not in context.view.shown:
        _gauss(context, draw)
    if LARGE.id in context.view.shown:
        # The picture's legend says which map is A's.
        from .gauss_drawing import LEGEND

        told = {words for words, _, _ in LEGEND}
        draw.labels = [label for label in draw.labels if label.text not in told]


LARGE = Overlay(
    "gauss_large",
    "Gauss map, large",
    "",
    "The Gauss map with its legend, in a whole pane",
    globe=_large,
    of_answer=True,
    unavailable_in=GAUSS.unavailable_in,
)
MAPS = frozenset({GAUSS.id, LARGE.id})
"""Ids of the overlays that show the map."""

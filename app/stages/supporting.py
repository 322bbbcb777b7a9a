"""The overlay of the supporting half-space: the plane through a step's support point, across the search direction.

All of A − B lies on one side of the plane. That side is shaded. In a 2D scene the plane is a line across the whole
pane.
"""

from __future__ import annotations

import numpy as np

from core.geometry.triple import triple
from core.geometry.vector import Array, any_perpendicular, cross, dot, length
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep, GjkStop
from core.gjk.plane_epa import EpaPolygonStep
from core.pair.support import DifferencePoint

from ..draw.draw_list import DrawList, Hidden, Layer, Rgba
from ..draw.theme import faded
from ..overlays.context import Context, Overlay
from ..overlays.registry import SUPPORTING
from ..overlays.style import PLAIN, bound_colours
from ..state.view import WHOLE
from ..words.terms import terms_of
from .step_drawing import PLANE_NORMAL, clear_of, names_in

PLANE_PARTS = frozenset({WHOLE, "lower", "upper", "bounds", "stop"})
"""The parts of steps at which the plane is known: its support point has been found."""
LINE_REACH = 24.0
"""Reach of the line and its half-plane, as a multiple of the pair's radius and the support point's distance together.

They end past the pane's edge wherever the camera is.
"""
SHADE = 0.09
"""Opacity of the strip or rectangle that A − B covers; the walls have 0.6 of it."""
WALL_DEPTH, HALF_SIDE = 0.3, 1.06
"""Depth of the walls on the shaded side in space, and half the sides of the rectangle there, as shares of half the
extent of A − B."""
LABEL_AT, EXTRA_LETTERS = 0.3, 5
"""Distance of the label from the foot of the origin, as a share of the nearest point's distance; extra room of the
label, letters."""
LINE_WIDTH, COVERING_WIDTH = 2.0, 7.0
"""Width of the line, points; the wider one is for a line along an edge of the simplex, which would cover it."""
STOPPED = (GjkStop.CONVERGED, GjkStop.REPEATED_SUPPORT)


def _difference(context: Context, draw: DrawList) -> None:
    asked = context.asked
    if context.part not in PLANE_PARTS or (asked is not None and asked.open and asked.question.place is not None):
        return
    step = None if context.moment is None else context.moment.step
    if not isinstance(step, GjkStep | EpaStep | EpaPolygonStep) or step.support is None or step.closest is None:
        return
    stopped = isinstance(step, GjkStep) and step.stop in STOPPED
    words = plane_label(context, step.support, stopped=stopped)
    draw_supporting(context, draw, step.support, length(step.closest), words, COVERING_WIDTH if stopped else LINE_WIDTH)


def plane_label(context: Context, point: DifferencePoint, *, stopped: bool) -> str:
    """The label of the plane through a point; if GJK has `stopped` at this point, the label is the reason."""
    name = names_in(context).name(point)
    if stopped:
        return f"{name} is no farther along d than v"
    return f"{terms_of(context.scene.dimension).plane} through {name}"


def draw_supporting(
    context: Context, draw: DrawList, point: DifferencePoint, size: float, words: str, width: float
) -> None:
    """Draws the plane through a support point across its direction, with the side of A − B shaded.

    `size`: the nearest point's distance from the origin, by which the label is placed. `width`: of the line, points.
    """
    direction, w, (rgba, _) = point.direction, point.w, bound_colours(context.moment, context.theme)
    foot = dot(w, direction) * direction
    if context.analysis.polygon is not None:
        way, back = _far_reach(context, w) * cross(direction, PLANE_NORMAL), -_far_reach(context, w) * direction
        low, high = w - way, w + way
        draw.sheet(np.array((low, high, high + back, low + back)), faded(rgba, SHADE))
        draw.lines(low, high, faded(rgba, 0.9), width, hidden=Hidden.SHOW, layer=Layer.GROUND)
    else:
        _draw_rectangle(context, draw, direction, w, rgba)
    along = foot - w
    # Beyond the foot of the origin, as seen from the point: the point's own label is on the near side.
    side = along / length(along) if length(along) > 1e-6 * size else cross(direction, PLANE_NORMAL)
    at = foot + LABEL_AT * size * side
    offset = clear_of(context, direction, len(words) + EXTRA_LETTERS, (0.0, -14.0))
    brief = words.replace("is no farther along d than", "no farther than")
    draw.label(words, at, rgba, size=PLAIN, offset=offset, priority=79, bold=True, brief=brief)


def _far_reach(context: Context, w: Array) -> float:
    return LINE_REACH * (context.extent.radius + length(w))


def _draw_rectangle(context: Context, draw: DrawList, direction: Array, w: Array, rgba: Rgba) -> None:
    """Draws in 3D the rectangle that A − B covers as seen along a direction, with low walls towards A − B.

    `direction` (3,): unit; `w` (3,): the support point, which the rectangle contains. Draws nothing for a pair without
    support maps.
    """
    side = any_perpendicular(direction)
    sides, offset = (side, cross(direction, side)), dot(w, direction) * direction
    maps = None if context.query is None else context.query.support_maps
    if maps is None:
        return
    # Both ends of the rectangle along each side, a little beyond A − B.
    with np.errstate(over="ignore"):  # single precision compares its numbers with doubles beyond its range
        ends = [[dot(maps.support(triple(sign * way)).w, way) for sign in (-1.0, 1.0)] for way in sides]
    (left, right), (low, high) = (
        (0.5 * (a + b) + HALF_SIDE * (end - 0.5 * (a + b)) for end in (a, b)) for a, b in ends
    )
    at = ((left, low), (right, low), (right, high), (left, high))
    corners = np.array([offset + x * sides[0] + y * sides[1] for x, y in at])
    half = 0.25 * (right - left + high - low)
    following, back = np.roll(corners, -1, axis=0), -WALL_DEPTH * half * direction
    draw.sheet(corners, faded(rgba, SHADE))
    for corner, after in zip(corners, following, strict=True):
        draw.sheet(np.array((corner, after, after + back, corner + back)), faded(rgba, 0.6 * SHADE))
    draw.lines(corners, following, faded(rgba, 0.8), 1.6, hidden=Hidden.SHOW, layer=Layer.GROUND)
    end = np.tile(faded(rgba, 0.0), (4, 1))
    draw.lines(corners, corners + back, faded(rgba, 0.8), 1.4, end_rgba=end, hidden=Hidden.SHOW, layer=Layer.GROUND)


OVERLAY = Overlay(SUPPORTING, "", "", "", difference=_difference)

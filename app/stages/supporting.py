"""The overlay of the supporting half-space: the plane through the point that a step found, across its direction.

All of A − B lies on one side of the plane, which is shaded. In the plane it is a line across the whole pane.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from core.geometry.vector import Array, cross, dot, length
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep, GjkStop
from core.gjk.plane_epa import EpaPolygonStep
from core.pair.support import DifferencePoint

from ..draw.draw_list import DrawList, Hidden, Layer
from ..draw.theme import faded
from ..overlays.context import Context, Overlay, square_of
from ..overlays.registry import SUPPORTING
from ..overlays.style import PLAIN
from ..state.view import WHOLE
from ..words.terms import terms_of
from .step_drawing import clear_of, names_in
from .sub_step_drawing import UP

PARTS = frozenset({WHOLE, "lower", "upper", "bounds", "stop"})
"""The parts of steps at which the plane is known."""
FAR = 24.0
"""Reach of the line and its half-plane, in radii of the pair: beyond every pane, however far the camera stands."""
SHADE = 0.09
WALL = 0.3
"""Depth of the walls that tell the shaded side in space, as a share of the half side of the square."""
LABEL_AT = 0.55
"""Distance of the label from the foot of the origin, as a share of the nearest point's distance."""
STOPPED = (GjkStop.CONVERGED, GjkStop.REPEATED_SUPPORT)


def _difference(context: Context, draw: DrawList) -> None:
    asked = context.asked
    if context.part not in PARTS or (asked is not None and asked.open and asked.question.place is not None):
        return
    step = None if context.moment is None else context.moment.step
    if not isinstance(step, GjkStep | EpaStep | EpaPolygonStep) or step.support is None or step.closest is None:
        return
    draw_supporting(context, draw, step.support, length(step.closest), words_of(context, step))


def words_of(context: Context, step: GjkStep | EpaStep | EpaPolygonStep) -> str:
    """The label of the plane: its point, or at GJK's stop the reason to stop."""
    name = "" if step.support is None else names_in(context).name(step.support)
    if isinstance(step, GjkStep) and step.stop in STOPPED:
        return f"{name} is no farther along d than v"
    return f"{terms_of(context.scene.dimension).plane} through {name}"


def draw_supporting(context: Context, draw: DrawList, point: DifferencePoint, size: float, words: str) -> None:
    """Draws the plane through a support point across its direction, with the side of A − B shaded.

    `size`: the nearest point's distance from the origin, by which the label is placed.
    """
    direction, w, rgba = point.direction, point.w, context.theme.overlap
    foot = dot(w, direction) * direction
    if context.analysis.polygon is not None:
        way, back = _far_reach(context, w) * cross(direction, UP), -_far_reach(context, w) * direction
        low, high = w - way, w + way
        draw.sheet(np.array((low, high, high + back, low + back)), faded(rgba, SHADE))
        draw.lines(low, high, faded(rgba, 0.9), 2.0, hidden=Hidden.SHOW, layer=Layer.GROUND)
    else:
        _draw_square(context, draw, direction, w)
    along = foot - w
    # On the other side of the origin's foot, where the point's own label does not stand.
    side = along / length(along) if length(along) > 1e-6 * size else cross(direction, UP)
    at = foot + LABEL_AT * size * side
    offset = clear_of(context, direction, len(words), (0.0, -14.0))
    draw.label(words, at, rgba, size=PLAIN, offset=offset, priority=79, bold=True)


def _far_reach(context: Context, w: Array) -> float:
    return FAR * (context.extent.radius + length(w))


def _draw_square(context: Context, draw: DrawList, direction: Array, w: Array) -> None:
    """Draws in space a square that covers A − B as seen along the direction, with low walls on its side."""
    a, b = context.scene.a, context.scene.b
    reach = a.shape.bounding_radius + b.shape.bounding_radius
    half = reach if isfinite(reach) else 1.5 * context.extent.radius
    middle = a.pose.position - b.pose.position
    corners = square_of(middle + dot(w - middle, direction) * direction, direction, half)
    rgba, following = context.theme.overlap, np.roll(corners, -1, axis=0)
    back = -WALL * half * direction
    draw.sheet(corners, faded(rgba, SHADE))
    for corner, after in zip(corners, following, strict=True):
        draw.sheet(np.array((corner, after, after + back, corner + back)), faded(rgba, 0.6 * SHADE))
    draw.lines(corners, following, faded(rgba, 0.8), 1.6, hidden=Hidden.SHOW, layer=Layer.GROUND)
    end = np.tile(faded(rgba, 0.0), (4, 1))
    draw.lines(
        corners, corners + back, faded(rgba, 0.8), 1.4, end_rgba=end, hidden=Hidden.SHOW, layer=Layer.GROUND
    )


OVERLAY = Overlay(SUPPORTING, "", "", "", difference=_difference)

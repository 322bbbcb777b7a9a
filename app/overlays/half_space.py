"""The plane of a half-space: its normal, its offset from the body's position, both sides, and the contact vertices."""

from __future__ import annotations

from core.geometry.plane import Plane
from core.geometry.vector import Array, dots, length
from core.scene import Body

from ..draw.draw_list import Dash, DrawList, Hidden, Marker
from ..draw.theme import faded
from ..words.digits import signed
from .context import Context, Overlay, patch
from .style import PLAIN, STRONG

ARROW_SHARE = 0.55
"""Length of the normal's arrow, in half sides of the square that is drawn."""
SIDE_DISTANCE = 22.0
"""Largest distance, points, of a side's label from its place; farther away it might be on the plane's other side."""
MEETING_WORDS = {"vertex": "1 contact vertex", "edge": "2 contact vertices: an edge"}


def _world(context: Context, draw: DrawList) -> None:
    for index, body in enumerate((context.scene.a, context.scene.b)):
        if body.shape.plane is not None:
            _draw_plane(context, draw, index, body, body.shape.plane)


def _draw_plane(context: Context, draw: DrawList, index: int, body: Body, plane: Plane) -> None:
    other = context.scene.body(1 - index)
    rgba = context.theme.edge(index)
    normal = dots(body.pose.matrix, plane.normal)
    square = patch(body, other)
    half = 0.5 * length(square[1] - square[0])
    # Away from the middle, where the other body is.
    foot = 0.5 * (square[1] + square[2])
    tip = foot + ARROW_SHARE * half * normal
    draw.strong(foot, tip, rgba, 2.4, arrow_end=11.0)
    draw.label("n", tip, rgba, size=STRONG, offset=(0.0, -12.0), priority=66, bold=True, kind="direction-names")
    # At the arrow's tip, far from the plane: nearer, it could be drawn below the label of the negative side.
    below = square[2] - 0.07 * half * normal
    for point, words, brief, down in (
        (tip, "positive side: n·p > d", "n·p > d", -28.0),
        (below, "negative side: solid", "solid", 8.0),
    ):
        draw.label(
            words, point, rgba, size=PLAIN, offset=(0.0, down), priority=45, brief=brief, max_distance=SIDE_DISTANCE
        )
    _draw_offset(context, draw, index, body.pose.position, normal, plane.offset)
    # While the motion is shown, the contact at the time of the impact is drawn instead.
    if not (context.under_way or "contacts" in context.reveal.overlays or context.view.shows_motion(context.scene)):
        _draw_contact(context, draw, index)


def _draw_offset(context: Context, draw: DrawList, index: int, origin: Array, normal: Array, offset: float) -> None:
    """Draws a line from the body's position, `origin` (3,), along the unit `normal` (3,) to its plane, with the offset.

    Without an offset only the position is drawn.
    """
    theme, foot = context.theme, origin + offset * normal
    draw.spots(origin, theme.dim_text, 3.6, theme.dim_text, 1.6, shape=Marker.CROSS)
    words, rgba = f"d = {signed(offset)}", theme.dim_text
    if offset:
        draw.lines(origin, foot, rgba, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_start=6.0, arrow_end=6.0)
        draw.label(f"position of {'AB'[index]}", origin, rgba, size=PLAIN, offset=(0.0, 14.0), priority=30)
    draw.label(
        words, 0.5 * (origin + foot), theme.edge(index), size=PLAIN, offset=(34.0, 0.0), priority=60, kind="distance"
    )


def _draw_contact(context: Context, draw: DrawList, index: int) -> None:
    """Draws plumb lines from the other body's contact vertices to the plane, and their number."""
    features = context.analysis.contact_vertices
    on_plane, meeting = (features.a, features.b) if index == 0 else (features.b, features.a)
    rgba = context.theme.edge(1 - index)
    if len(meeting.points) == len(on_plane.points):
        draw.lines(meeting.points, on_plane.points, faded(rgba, 0.8), 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW)
    words = MEETING_WORDS.get(meeting.kind, f"{len(meeting.points)} contact vertices: a face")
    if meeting.kind in ("vertex", "edge", "face"):
        middle = meeting.points.mean(axis=0)
        draw.label(words, middle, rgba, size=PLAIN, offset=(70.0, 22.0), priority=62, bold=True)


OVERLAY = Overlay(
    "half_space",
    "Half-space: normal and offset",
    "Shift+H",
    "The normal and offset of a half-space, its two sides, and how many vertices of a box touch its plane",
    world=_world,
    of_answer=True,
    unavailable_in={2: "There are no half-spaces in 2D."},
)

"""A small picture of a pair inside a panel: enough to see whether sizes, places and turns are what one meant."""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, imgui

from core.geometry.vector import Array
from core.scene import Scene

from ..draw.camera import Camera, Projection
from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..render.framing import body_points
from .widgets import u32

SPOT = 2.0
"""Radius of a point, pixels."""
FILL, HIDDEN = 0.45, 0.35
"""Strength of a face, and of an edge behind the body."""


def draw_pair(scene: Scene, theme: Theme, width: float, height: float, *, z_up: bool) -> None:
    """An item of this size, in imgui's units, that shows both bodies from where a new view does."""
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(width, height))
    points = np.concatenate([body_points(scene, index) for index in (0, 1)])
    projection = Projection(Camera(z_up=z_up).framed(points, width / height, 1.25), width, height)
    far_first = sorted((0, 1), key=lambda k: -projection.project(scene.body(k).pose.position[None])[0, 2])
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(at, ImVec2(at.x + width, at.y + height), True)
    for index in far_first:
        _draw_body(scene, index, theme.body(index), at, projection)
    draw.pop_clip_rect()


def _draw_body(scene: Scene, index: int, rgba: Rgba, at: ImVec2, projection: Projection) -> None:
    draw, body = imgui.get_window_draw_list(), scene.body(index)
    line, fill, hidden = u32(rgba), u32(faded(rgba, FILL)), u32(faded(rgba, HIDDEN))
    solid = body.shape.polyhedron
    if solid is None:
        outline = _placed(_outline(projection.project(body_points(scene, index))[:, :2]), at)
        draw.add_convex_poly_filled(outline, fill)
        draw.add_polyline(outline, line, 1.0, imgui.ImDrawFlags_.closed)
        return
    corners = projection.project(body.pose.to_world(solid.vertices))[:, :2]
    if not solid.faces:
        ends = _placed(corners, at)
        draw.add_line(ends[0], ends[-1], line, 1.5)
        draw.add_circle_filled(ends[0], SPOT, line)
    loops = [corners[list(loop)] for loop in solid.faces]
    for loop in sorted(loops, key=_faces_viewer):
        if _faces_viewer(loop):
            draw.add_convex_poly_filled(_placed(loop, at), fill)
        draw.add_polyline(_placed(loop, at), line if _faces_viewer(loop) else hidden, 1.0, imgui.ImDrawFlags_.closed)


def _placed(loop: Array, at: ImVec2) -> list[imgui.ImVec2Like]:
    return [ImVec2(at.x + x, at.y + y) for x, y in loop.tolist()]


def _outline(points: Array) -> Array:
    """Corners (k, 2) of the points' convex hull, clockwise on the screen: the farthest point of every direction."""
    turn = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    rows = (points @ np.stack((np.cos(turn), np.sin(turn)))).argmax(axis=0)
    corners: Array = points[rows[rows != np.roll(rows, 1)]]
    return corners


def _faces_viewer(loop: Array) -> bool:
    """Whether a face, (n, 2) in pixels, is seen from outside: with y down it then runs clockwise in numbers."""
    x, y = loop.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0.0

"""The gizmo: handles round the selected body that move, turn or resize it along one axis at a time.

It is drawn and picked like the overlays: handle n is `Subject("gizmo", n)`. It keeps its size on the screen, so
drawing needs the camera; the rest is float64 geometry that a test can call.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from math import inf

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, any_perpendicular, cross, dot, dots
from core.scene import Z_AXIS, Body, Scene

from ..draw.camera import Projection, Sight
from ..draw.draw_list import NOTHING, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..draw.meshes.mesh import corner_loop
from ..draw.theme import Theme, faded, mixed
from ..overlays.context import patch
from .grips import Grip, grips
from .manipulation import MoveTool, SizeTool, Tool, TurnTool, VertexTool, moving

ARROW = 78.0
ARROW_START = 16.0
PLANE = 30.0
RING = 66.0
OUTER_RING = 82.0
SIZE_GAP = 16.0
"""Lengths in points."""
END_ON = 0.985
"""Cosine above which an axis points at the viewer; its arrow, which could not be dragged, is left out."""
RING_PIECES = 72


class GizmoTool(StrEnum):
    """The purpose of the handles."""

    MOVE = "move"
    ROTATE = "rotate"
    SIZE = "size"


class Handle(IntEnum):
    """The first number of each family of handles; the axis (0..2) is added, or for SIZE the grip's number.

    A half-space has the one arrow NORMAL. For VERTEX the number of a polygon's vertex is added.
    """

    ARROW = 0
    PLANE = 3
    RING = 6
    OUTER_RING = 9
    SIZE = 12
    NORMAL = 18
    VERTEX = 32


class Gizmo(Struct, frozen=True, eq=False):
    """Handles for body `index` of `scene`; `local`: along the body's axes, as sizes always are, not the world's."""

    scene: Scene
    index: int
    tool: GizmoTool
    local: bool

    @property
    def body(self) -> Body:
        """The body that the handles act on."""
        return self.scene.body(self.index)

    @property
    def axes(self) -> Array:
        """The unit vectors of the arrows and rings in the world, as rows (3, 3)."""
        return self.body.pose.matrix.T if self.local else np.eye(3)

    @property
    def pivot(self) -> Array | None:
        """The point (3,) about which a half-space turns: the middle of its drawn square; None for other shapes."""
        if self.body.shape.plane is None:
            return None
        middle: Array = patch(self.body, self.scene.body(1 - self.index)).mean(axis=0)
        return middle

    @property
    def ball_radius(self) -> float:
        """The radius of the ball that turns the body: the body's bounding radius.

        For a point or a half-space, which have none, the other body's; 1 where that has none either.
        """
        radii = (self.scene.body(index).shape.bounding_radius for index in (self.index, 1 - self.index))
        return next((radius for radius in radii if 0.0 < radius < inf), 1.0)

    @property
    def centre(self) -> Array:
        """The centre (3,) of the handles."""
        return self.body.pose.position if self.pivot is None else self.pivot

    def draw(self, into: DrawList, projection: Projection, density: float, hot: Subject | None, theme: Theme) -> None:
        """Adds the handles to the draw list; `density`: pixels per point; `hot`: the handle pointed at or held."""
        centre = self.centre
        if not projection.in_front(centre):
            return
        unit = density / projection.pixels_per_unit(centre)
        pen = _Pen(into, projection, centre, unit, hot, theme)
        shape, plane, core = self.body.shape, self.body.shape.plane, self.body.shape.core
        if core is not None:
            _draw_vertices(pen, self.body.pose.to_world(core.points), corner_loop(shape), self.index)
        if self.tool is GizmoTool.ROTATE:
            _DRAW_ROTATE[shape.dimension](pen, self.axes)
        elif plane is not None:
            normal = dots(self.body.pose.matrix, plane.normal)
            _draw_arrow(pen, normal, Subject("gizmo", Handle.NORMAL), theme.edge(self.index))
        elif self.tool is GizmoTool.MOVE:
            _draw_move(pen, self.axes)
        else:
            _draw_size(pen, self.body, grips(shape))

    def grab(self, number: int, sight: Sight) -> Tool | None:
        """The tool of a drag of handle `number` that begins at `sight`; None where it cannot be dragged from there."""
        centre = self.centre
        if number >= Handle.VERTEX:
            held = sight.on_plane(centre, np.array(Z_AXIS))
            return None if held is None else VertexTool(self.scene, self.index, number - Handle.VERTEX, held)
        if number == Handle.NORMAL:
            return self._grab_normal(sight)
        if number >= Handle.SIZE:
            return self._grab_size(number - Handle.SIZE, sight)
        if number >= Handle.RING:
            axis = sight.towards if number == Handle.OUTER_RING else self.axes[number - Handle.RING]
            edge_on = abs(dot(axis, sight.direction)) < 0.1
            held = sight.on_plane(centre, sight.towards if edge_on else axis)
            return None if held is None else TurnTool(self.scene, self.index, held, axis, self.pivot)
        axis = self.axes[number % 3]
        if number >= Handle.PLANE:
            held = sight.on_plane(centre, axis)
            return None if held is None else MoveTool(self.scene, self.index, held, normal=axis)
        along = sight.along(centre, axis)
        return None if along is None else MoveTool(self.scene, self.index, centre + along * axis, axis=axis)

    def _grab_normal(self, sight: Sight) -> Tool | None:
        axis = moving(self.scene, self.index, self.centre).axis
        along = None if axis is None else sight.along(self.centre, axis)
        if axis is None or along is None:
            return None
        return MoveTool(self.scene, self.index, self.centre + along * axis, axis=axis)

    def _grab_size(self, number: int, sight: Sight) -> Tool | None:
        grip = next((grip for grip in grips(self.body.shape) if grip.number == number), None)
        if grip is None:
            return None
        foot, outward = self.body.pose.to_world(grip.anchor), dots(self.body.pose.matrix, grip.outward)
        along = sight.along(foot, outward)
        return None if along is None else SizeTool(self.scene, self.index, foot + along * outward, grip)


class _Pen(Struct, frozen=True, eq=False):
    """The means to draw a handle: the draw list, the centre, the size of a point there, and the hot handle."""

    into: DrawList
    projection: Projection
    centre: Array
    unit: float
    hot: Subject | None
    theme: Theme

    def colour(self, subject: Subject, axis: int) -> Rgba:
        """The axis's colour, or the highlight for the hot handle."""
        if subject == self.hot:
            return self.theme.hover
        return (self.theme.world_x, self.theme.world_y, self.theme.world_z)[axis]

    def line(
        self, start: Array, end: Array, rgba: Rgba, handle: Subject, subject: Subject, *, arrow_end: float = 0.0
    ) -> None:
        """Adds lines over everything, wider if `handle` is hot; `subject`: the subject picked there."""
        width, show, layer = 3.5 if handle == self.hot else 2.25, Hidden.SHOW, Layer.GIZMO
        self.into.lines(start, end, rgba, width, hidden=show, layer=layer, subject=subject, arrow_end=arrow_end)

    def end_on(self, axis: Array) -> bool:
        """Whether the axis points at the viewer."""
        return abs(dot(axis, self.projection.basis[2])) > END_ON


def _draw_move(pen: _Pen, axes: Array) -> None:
    for number in range(3):
        if pen.end_on(axes[number]):
            continue
        subject = Subject("gizmo", Handle.ARROW + number)
        _draw_arrow(pen, axes[number], subject, pen.colour(subject, number))
    for number in range(3):
        first, second = axes[(number + 1) % 3], axes[(number + 2) % 3]
        # A plane seen edge-on has no room for a handle.
        if abs(dot(axes[number], pen.projection.basis[2])) < 0.2:
            continue
        subject = Subject("gizmo", Handle.PLANE + number)
        colour = pen.colour(subject, number)
        place = pen.centre + PLANE * pen.unit * (first + second)
        pen.into.spots(place, faded(colour, 0.55), 6.0, colour, 1.5, shape=Marker.SQUARE, subject=subject)


def _draw_arrow(pen: _Pen, axis: Array, subject: Subject, rgba: Rgba) -> None:
    start, end = (pen.centre + far * pen.unit * axis for far in (ARROW_START, ARROW))
    pen.line(start, end, pen.theme.hover if subject == pen.hot else rgba, subject, subject, arrow_end=11.0)


def _draw_rotate(pen: _Pen, axes: Array) -> None:
    towards = pen.projection.basis[2]
    for number in range(3):
        subject = Subject("gizmo", Handle.RING + number)
        _ring(pen, axes[number], RING, pen.colour(subject, number), subject, towards)
    subject = Subject("gizmo", Handle.OUTER_RING)
    # Opaque, since the pieces of a translucent ring would show dots where they meet.
    colour = pen.theme.hover if subject == pen.hot else mixed(pen.theme.background_top, pen.theme.text, 0.6)
    _ring(pen, towards, OUTER_RING, colour, subject, towards)


def _draw_rotate_in_plane(pen: _Pen, _axes: Array) -> None:
    subject = Subject("gizmo", Handle.RING + 2)
    _ring(pen, np.array(Z_AXIS), RING, pen.colour(subject, 2), subject, pen.projection.basis[2])


_DRAW_ROTATE = {2: _draw_rotate_in_plane, 3: _draw_rotate}
"""The functions that draw the handles for turning, by dimension."""


def _ring(pen: _Pen, axis: Array, radius: float, colour: Rgba, subject: Subject, towards: Array) -> None:
    first = any_perpendicular(axis)
    second = cross(axis, first)
    angles = np.linspace(0.0, 2.0 * np.pi, RING_PIECES + 1)[:, None]
    spokes = np.cos(angles) * first + np.sin(angles) * second
    points = pen.centre + radius * pen.unit * spokes
    # The half behind the centre is faint and cannot be grabbed; a ring that faces the viewer is drawn whole.
    behind = dots(spokes[:-1] + spokes[1:], towards) < -0.05
    faint = mixed(pen.theme.background_top, colour, 0.35)
    for part, rgba, owner in ((~behind, colour, subject), (behind, faint, NOTHING)):
        if part.any():
            pen.line(points[:-1][part], points[1:][part], rgba, subject, owner)


def _draw_vertices(pen: _Pen, vertices: Array, ring: tuple[int, ...], index: int) -> None:
    """Draws a square at every vertex (n, 3) of a polygon that is a corner (`ring`)."""
    for number in ring:
        subject = Subject("gizmo", Handle.VERTEX + number)
        hot = subject == pen.hot
        fill, size = (pen.theme.hover, 6.5) if hot else (pen.theme.background_top, 5.0)
        rim, shape = pen.theme.edge(index), Marker.SQUARE
        pen.into.spots(vertices[number], fill, size, rim, 2.0, shape=shape, subject=subject)


def _draw_size(pen: _Pen, body: Body, all_grips: tuple[Grip, ...]) -> None:
    for grip in all_grips:
        outward = dots(body.pose.matrix, grip.outward)
        if pen.end_on(outward):
            continue
        subject = Subject("gizmo", Handle.SIZE + grip.number)
        colour = pen.colour(subject, grip.axis)
        face = body.pose.to_world(grip.anchor)
        handle = face + SIZE_GAP * pen.unit * outward
        pen.line(face, handle, colour, subject, subject)
        pen.into.spots(handle, colour, 5.5, pen.theme.halo, 1.0, shape=Marker.SQUARE, subject=subject)

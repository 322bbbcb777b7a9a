"""The gizmo: handles round the selected body that move, turn or resize it along one axis at a time.

Drawn with the vocabulary of the overlays and picked like anything else: handle n is `Subject("gizmo", n)`. It keeps
its size on the screen, so it needs the camera; everything else about it is float64 geometry that a test can call.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

import numpy as np

from core.geometry.vector import Array, any_perpendicular, cross, dot
from core.scene import Body, Scene
from core.shapes import Box

from .camera import Projection
from .draw_list import NOTHING, DrawList, Hidden, Layer, Marker, Rgba, Subject
from .manipulation import MoveTool, Sight, SizeTool, Tool, TurnTool
from .theme import Theme, faded, mixed

ARROW = 78.0
ARROW_START = 16.0
PLANE = 30.0
RING = 66.0
OUTER_RING = 82.0
SIZE_GAP = 16.0
"""Lengths in points."""

END_ON = 0.985
"""Cosine above which an axis points at the viewer, and its arrow is left out: it could not be dragged."""

RING_PIECES = 72


class GizmoTool(StrEnum):
    """What the handles do."""

    MOVE = "move"
    ROTATE = "rotate"
    SIZE = "size"


class Handle(IntEnum):
    """First number of each family of handles; the axis (0..2) is added (for SIZE twice it, plus 1 on the - side)."""

    ARROW = 0
    PLANE = 3
    RING = 6
    OUTER_RING = 9
    SIZE = 12


@dataclass(frozen=True, eq=False, slots=True)
class Gizmo:
    """Handles for body `index` of `scene`; `local`: along the body's axes instead of the world's (sizes always are)."""

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
        """Unit vectors of the handles in the world, rows, (3, 3)."""
        own = self.local or (self.tool is GizmoTool.SIZE and isinstance(self.body.shape, Box))
        return self.body.pose.matrix.T if own else np.eye(3)

    def half_sizes(self) -> Array:
        """Distance from the centre to the surface along each axis of the size handles, (3,)."""
        shape = self.body.shape
        return shape.half_extents if isinstance(shape, Box) else np.full(3, shape.radius)

    def draw(self, into: DrawList, projection: Projection, density: float, hot: Subject | None, theme: Theme) -> None:
        """Adds the handles; `density`: pixels to the point; `hot`: the handle pointed at or held."""
        centre = self.body.pose.position
        if not projection.in_front(centre):
            return
        unit = density / projection.pixels_per_unit(centre)
        pen = _Pen(into, projection, centre, unit, hot, theme)
        if self.tool is GizmoTool.MOVE:
            _draw_move(pen, self.axes)
        elif self.tool is GizmoTool.ROTATE:
            _draw_rotate(pen, self.axes)
        else:
            _draw_size(pen, self.axes, self.half_sizes())

    def grab(self, number: int, sight: Sight) -> Tool | None:
        """The drag that handle `number` begins with the pointer at `sight`; None when it cannot be dragged there."""
        centre = self.body.pose.position
        if number >= Handle.SIZE:
            return self._grab_size((number - Handle.SIZE) // 2, 1.0 - 2.0 * ((number - Handle.SIZE) % 2), sight)
        if number >= Handle.RING:
            axis = sight.towards if number == Handle.OUTER_RING else self.axes[number - Handle.RING]
            edge_on = abs(dot(axis, sight.direction)) < 0.1
            held = sight.on_plane(centre, sight.towards if edge_on else axis)
            return None if held is None else TurnTool(self.scene, self.index, held, axis)
        axis = self.axes[number % 3]
        if number >= Handle.PLANE:
            held = sight.on_plane(centre, axis)
            return None if held is None else MoveTool(self.scene, self.index, held, normal=axis)
        along = sight.along(centre, axis)
        return None if along is None else MoveTool(self.scene, self.index, centre + along * axis, axis=axis)

    def _grab_size(self, axis: int, side: float, sight: Sight) -> Tool | None:
        centre = self.body.pose.position
        outward = side * self.axes[axis]
        along = sight.along(centre, outward)
        return None if along is None else SizeTool(self.scene, self.index, centre + along * outward, axis, outward)


@dataclass(frozen=True, eq=False, slots=True)
class _Pen:
    """What drawing a handle needs: where, how large a point is there, and which handle is hot."""

    into: DrawList
    projection: Projection
    centre: Array
    unit: float
    hot: Subject | None
    theme: Theme

    def colour(self, subject: Subject, axis: int) -> Rgba:
        """The axis's colour, or the highlight."""
        if subject == self.hot:
            return self.theme.hover
        return (self.theme.world_x, self.theme.world_y, self.theme.world_z)[axis]

    def width(self, subject: Subject) -> float:
        """Line width in points."""
        return 3.5 if subject == self.hot else 2.25

    def end_on(self, axis: Array) -> bool:
        """Whether the axis points at the viewer."""
        return abs(dot(axis, self.projection.basis[2])) > END_ON


def _draw_move(pen: _Pen, axes: Array) -> None:
    for number in range(3):
        if pen.end_on(axes[number]):
            continue
        subject = Subject("gizmo", Handle.ARROW + number)
        pen.into.lines(
            pen.centre + ARROW_START * pen.unit * axes[number],
            pen.centre + ARROW * pen.unit * axes[number],
            pen.colour(subject, number),
            pen.width(subject),
            hidden=Hidden.SHOW,
            layer=Layer.GIZMO,
            subject=subject,
            arrow_end=11.0,
        )
    for number in range(3):
        first, second = axes[(number + 1) % 3], axes[(number + 2) % 3]
        # A plane seen from its side has no room for a handle.
        if abs(dot(axes[number], pen.projection.basis[2])) < 0.2:
            continue
        subject = Subject("gizmo", Handle.PLANE + number)
        colour = pen.colour(subject, number)
        pen.into.points(
            pen.centre + PLANE * pen.unit * (first + second),
            faded(colour, 0.55),
            6.0,
            shape=Marker.SQUARE,
            stroke=colour,
            stroke_width=1.5,
            subject=subject,
            hidden=Hidden.SHOW,
        )


def _draw_rotate(pen: _Pen, axes: Array) -> None:
    towards = pen.projection.basis[2]
    for number in range(3):
        subject = Subject("gizmo", Handle.RING + number)
        _ring(pen, axes[number], RING, pen.colour(subject, number), subject, towards)
    subject = Subject("gizmo", Handle.OUTER_RING)
    # Opaque: where the pieces of a translucent ring meet, their colours would add up to dots.
    colour = pen.theme.hover if subject == pen.hot else mixed(pen.theme.background_top, pen.theme.text, 0.6)
    _ring(pen, towards, OUTER_RING, colour, subject, towards)


def _ring(pen: _Pen, axis: Array, radius: float, colour: Rgba, subject: Subject, towards: Array) -> None:
    first = any_perpendicular(axis)
    second = cross(axis, first)
    angles = np.linspace(0.0, 2.0 * np.pi, RING_PIECES + 1)[:, None]
    spokes = np.cos(angles) * first + np.sin(angles) * second
    points = pen.centre + radius * pen.unit * spokes
    # The half behind the centre recedes and cannot be grabbed; a ring that faces the viewer shows all round.
    behind = (spokes[:-1] + spokes[1:]) @ towards < -0.05
    faint = mixed(pen.theme.background_top, colour, 0.35)
    for part, rgba, owner in ((~behind, colour, subject), (behind, faint, NOTHING)):
        if part.any():
            pen.into.lines(
                points[:-1][part],
                points[1:][part],
                rgba,
                pen.width(subject),
                hidden=Hidden.SHOW,
                layer=Layer.GIZMO,
                subject=owner,
            )


def _draw_size(pen: _Pen, axes: Array, half_sizes: Array) -> None:
    for number in range(3):
        for minus, side in enumerate((1.0, -1.0)):
            outward = side * axes[number]
            if pen.end_on(outward):
                continue
            subject = Subject("gizmo", Handle.SIZE + 2 * number + minus)
            colour = pen.colour(subject, number)
            face = pen.centre + half_sizes[number] * outward
            handle = face + SIZE_GAP * pen.unit * outward
            pen.into.lines(
                face,
                handle,
                colour,
                pen.width(subject),
                hidden=Hidden.SHOW,
                layer=Layer.GIZMO,
                subject=subject,
            )
            pen.into.points(
                handle,
                colour,
                5.5,
                shape=Marker.SQUARE,
                stroke=pen.theme.halo,
                stroke_width=1.0,
                subject=subject,
                hidden=Hidden.SHOW,
            )

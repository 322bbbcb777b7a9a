"""The gizmo: handles round the selected body that move, turn or resize it.

It is drawn and picked like the overlays: handle n is `Subject("gizmo", n)`. Its size on the screen is constant, so the
drawing needs the camera. The rest is float64 geometry that tests can call.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from math import hypot, inf

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, any_perpendicular, cross, dot, dots, length_rows
from core.scene import Z_AXIS, Body, Scene

from ..draw.camera import LEAST_DRAG_SINE, Projection, Sight
from ..draw.draw_list import DrawList, Hidden, Layer, Marker, Rgba, Subject
from ..draw.meshes.mesh import corner_loop
from ..draw.theme import Theme, faded, mixed
from ..overlays.context import patch
from ..state.hold import Hold
from .grips import Grip, grips
from .manipulation import MoveTool, SizeTool, Tool, TurnTool, VertexTool, moving

ARROW_LENGTH = 78.0
ARROW_START = 16.0
PLANE_DISTANCE = 30.0
RING_RADIUS = 66.0
OUTER_RING_RADIUS = 82.0
LARGEST_RING_RADIUS = 200.0
OUT_OF_BODY = 28.0
_OUTERMOST = {2: RING_RADIUS, 3: OUTER_RING_RADIUS}
SIZE_GAP = 16.0
"""Lengths in points, from ARROW_LENGTH to here."""
ROUND_BODY = 1.06
"""The radius of a hold's ring, as a multiple of the body's reach about the axis."""
GRAB_DISTANCE = 10.0
"""The distance in points from a handle within which a press grabs it."""
END_ON = 0.985
"""The cosine above which an axis points at the viewer. Its arrow could not be dragged and is left out."""
RING_PIECES = 72


class GizmoTool(StrEnum):
    """The action of the handles."""

    MOVE = "move"
    ROTATE = "rotate"
    SIZE = "size"


class Handle(IntEnum):
    """The first number of each family of handles. A handle's number is this plus its number in the family.

    The latter is the axis (0..2) for ARROW, PLANE and RING, the grip's number for SIZE, and the vertex's for VERTEX.
    OUTER_RING, HELD (the ring or arrows of a hold) and NORMAL (the arrow of a half-space) are one handle each.
    """

    ARROW = 0
    PLANE = 3
    RING = 6
    OUTER_RING = 9
    HELD = 10
    SIZE = 12
    NORMAL = 18
    VERTEX = 32


class Gizmo(Struct, frozen=True, eq=False):
    """Handles for body `index` of `scene`. `local`: along the body's axes, else along the world's.

    Handles for sizes are always along the body's axes. `hold`: the one degree of freedom, whose ring or arrows are then
    the only handles; None for none.
    """

    scene: Scene
    index: int
    tool: GizmoTool
    local: bool
    hold: Hold | None = None

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
        """The point (3,), world, about which a half-space turns: the middle of its drawn square. Else None."""
        if self.body.shape.plane is None:
            return None
        middle: Array = patch(self.body, self.scene.body(1 - self.index)).mean(axis=0)
        return middle

    @property
    def ball_radius(self) -> float:
        """The radius, scene units, for BallTool: the body's bounding radius.

        If that is 0 or infinite (a point, a half-space), the other body's; 1 if that is 0 or infinite too.
        """
        radii = (self.scene.body(index).shape.bounding_radius for index in (self.index, 1 - self.index))
        return next((radius for radius in radii if 0.0 < radius < inf), 1.0)

    @property
    def centre(self) -> Array:
        """The centre (3,), world, of the handles."""
        return self.body.pose.position if self.pivot is None else self.pivot

    def draw(self, into: DrawList, projection: Projection, density: float, hot: Subject | None, theme: Theme) -> None:
        """Adds the handles to the draw list, unless their centre is behind the camera.

        `density`: pixels per point; `hot`: the handle pointed at or dragged.
        """
        centre = self.centre
        if not projection.in_front(centre):
            return
        unit = density / projection.pixels_per_unit(centre)
        pen = _Pen(into, projection, centre, unit, hot, theme)
        if self.hold is not None:
            axis = np.array(self.hold.axis)
            if self.hold.turns:
                _draw_held_ring(
                    pen, axis, min(max(OUTER_RING_RADIUS, self._reach_about(axis) / unit), LARGEST_RING_RADIUS)
                )
            else:
                own = dots(self.body.pose.matrix.T, axis)
                ends = [float(self.body.shape.reach(way)) / unit + OUT_OF_BODY for way in (own, -own)]
                _draw_held_arrows(pen, axis, [min(max(ARROW_LENGTH, end), LARGEST_RING_RADIUS) for end in ends])
            return
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

    def _reach_about(self, axis: Array) -> float:
        """The radius, scene units, of a ring round the body about the unit `axis` (3,) through the body's centre."""
        core = self.body.shape.core
        if core is None or self.pivot is not None:
            return ROUND_BODY * self.ball_radius
        own = dots(self.body.pose.matrix.T, axis)
        arms = core.points - np.outer(dots(core.points, own), own)
        return ROUND_BODY * float(length_rows(arms).max(initial=0.0))

    def keeps_bodies(self, projection: Projection, density: float, x: float, y: float) -> bool:
        """Whether a drag that begins at the pixel (x, y) of the pane, inside the turning handles, moves no body.

        `density`: pixels per point.
        """
        if self.tool is not GizmoTool.ROTATE or self.hold is not None or not projection.in_front(self.centre):
            return False
        at = projection.project(self.centre[None])[0]
        radius = _OUTERMOST[self.body.shape.dimension] + GRAB_DISTANCE
        return hypot(float(at[0]) - x, float(at[1]) - y) <= radius * density

    def grab(self, number: int, sight: Sight) -> Tool | None:
        """The tool of a drag of handle `number` that begins at `sight`; None if it cannot be dragged from there."""
        centre = self.centre
        if number == Handle.HELD:
            return self._grab_held(sight)
        if number >= Handle.VERTEX:
            held = sight.on_plane(centre, np.array(Z_AXIS))
            return None if held is None else VertexTool(self.scene, self.index, number - Handle.VERTEX, held)
        if number == Handle.NORMAL:
            return self._grab_normal(sight)
        if number >= Handle.SIZE:
            return self._grab_size(number - Handle.SIZE, sight)
        if number >= Handle.RING:
            axis = sight.towards if number == Handle.OUTER_RING else self.axes[number - Handle.RING]
            return self._grab_ring(axis, sight)
        axis = self.axes[number % 3]
        if number >= Handle.PLANE:
            held = sight.on_plane(centre, axis)
            return None if held is None else MoveTool(self.scene, self.index, held, normal=axis)
        along = sight.distance_along(centre, axis)
        return None if along is None else MoveTool(self.scene, self.index, centre + along * axis, axis=axis)

    def _grab_ring(self, axis: Array, sight: Sight) -> Tool | None:
        edge_on = abs(dot(axis, sight.direction)) < 2.0 * LEAST_DRAG_SINE
        held = sight.on_plane(self.centre, sight.towards if edge_on else axis)
        return None if held is None else TurnTool(self.scene, self.index, held, axis, self.pivot)

    def _grab_held(self, sight: Sight) -> Tool | None:
        if self.hold is None:
            return None
        axis = np.array(self.hold.axis)
        if self.hold.turns:
            return self._grab_ring(axis, sight)
        along = sight.distance_along(self.centre, axis)
        return None if along is None else MoveTool(self.scene, self.index, self.centre + along * axis, axis=axis)

    def _grab_normal(self, sight: Sight) -> Tool | None:
        axis = moving(self.scene, self.index, self.centre).axis
        along = None if axis is None else sight.distance_along(self.centre, axis)
        if axis is None or along is None:
            return None
        return MoveTool(self.scene, self.index, self.centre + along * axis, axis=axis)

    def _grab_size(self, number: int, sight: Sight) -> Tool | None:
        grip = next((grip for grip in grips(self.body.shape) if grip.number == number), None)
        if grip is None:
            return None
        foot, outward = self.body.pose.to_world(grip.anchor), dots(self.body.pose.matrix, grip.outward)
        along = sight.distance_along(foot, outward)
        return None if along is None else SizeTool(self.scene, self.index, foot + along * outward, grip)


class _Pen(Struct, frozen=True, eq=False):
    """The means to draw handles. `centre` (3,): theirs, world; `unit`: the scene units of a point there.

    `hot`: the handle pointed at or dragged.
    """

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

    def plain(self, subject: Subject, strength: float = 0.6) -> Rgba:
        """The colour of a handle that belongs to no world axis, or the highlight for the hot handle.

        It is opaque, because the pieces of a translucent ring would show dots at their ends.
        """
        if subject == self.hot:
            return self.theme.hover
        return mixed(self.theme.background_top, self.theme.text, strength)

    def colour_along(self, subject: Subject, axis: Array) -> Rgba:
        """The colour of a handle along this unit axis (3,): that of a world axis if it is one, else the plain one."""
        number = int(np.argmax(np.abs(axis)))
        return self.colour(subject, number) if abs(axis[number]) == 1.0 else self.plain(subject, 0.9)

    def line(
        self, start: Array, end: Array, rgba: Rgba, handle: Subject, subject: Subject, *, arrow_end: float = 0.0
    ) -> None:
        """Adds lines on top of everything, wider if `handle` is hot. `subject`: the subject that is picked there."""
        hot, held = handle == self.hot, handle.number == Handle.HELD
        width, show, layer = 2.25 + 1.25 * hot + 1.0 * held, Hidden.SHOW, Layer.GIZMO
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
        # A plane seen edge-on has no handle.
        if abs(dot(axes[number], pen.projection.basis[2])) < 0.2:
            continue
        subject = Subject("gizmo", Handle.PLANE + number)
        colour = pen.colour(subject, number)
        place = pen.centre + PLANE_DISTANCE * pen.unit * (first + second)
        pen.into.spots(place, faded(colour, 0.55), 6.0, colour, 1.5, shape=Marker.SQUARE, subject=subject)


def _draw_arrow(pen: _Pen, axis: Array, subject: Subject, rgba: Rgba, length: float = ARROW_LENGTH) -> None:
    start, end = (pen.centre + far * pen.unit * axis for far in (ARROW_START, length))
    pen.line(start, end, pen.theme.hover if subject == pen.hot else rgba, subject, subject, arrow_end=11.0)


class _Ring(Struct, frozen=True, eq=False):
    """A ring to draw. `axis` (3,): its unit axis; `radius`: in points; `subject`: its handle."""

    axis: Array
    radius: float
    rgba: Rgba
    subject: Subject


def _draw_rotate(pen: _Pen, axes: Array) -> None:
    subjects = [Subject("gizmo", Handle.RING + number) for number in range(3)]
    rings = [_Ring(axes[k], RING_RADIUS, pen.colour(subject, k), subject) for k, subject in enumerate(subjects)]
    subject = Subject("gizmo", Handle.OUTER_RING)
    _rings(pen, [*rings, _Ring(pen.projection.basis[2], OUTER_RING_RADIUS, pen.plain(subject), subject)])


def _draw_rotate_in_plane(pen: _Pen, _axes: Array) -> None:
    subject = Subject("gizmo", Handle.RING + 2)
    _rings(pen, [_Ring(np.array(Z_AXIS), RING_RADIUS, pen.colour(subject, 2), subject)])


_DRAW_ROTATE = {2: _draw_rotate_in_plane, 3: _draw_rotate}
"""The functions that draw the handles for turning, by dimension."""


def _draw_held_ring(pen: _Pen, axis: Array, radius: float) -> None:
    subject = Subject("gizmo", Handle.HELD)
    _rings(pen, [_Ring(axis, radius, pen.colour_along(subject, axis), subject)])


def _draw_held_arrows(pen: _Pen, axis: Array, lengths: list[float]) -> None:
    subject = Subject("gizmo", Handle.HELD)
    if not pen.end_on(axis):
        for way, far in zip((axis, -axis), lengths, strict=True):
            _draw_arrow(pen, way, subject, pen.colour_along(subject, axis), far)


def _rings(pen: _Pen, rings: list[_Ring]) -> None:
    """Draws rings: first the halves behind the centre, faint, then those in front, which win in picking.

    A ring that faces the viewer is drawn whole.
    """
    towards = pen.projection.basis[2]
    angles = np.linspace(0.0, 2.0 * np.pi, RING_PIECES + 1)[:, None]
    for back in (True, False):
        for ring in rings:
            first = any_perpendicular(ring.axis)
            spokes = np.cos(angles) * first + np.sin(angles) * cross(ring.axis, first)
            part = (dots(spokes[:-1] + spokes[1:], towards) < -0.05) == back
            if part.any():
                points = pen.centre + ring.radius * pen.unit * spokes
                faint = mixed(pen.theme.background_top, ring.rgba, 0.7 if ring.subject == pen.hot else 0.35)
                rgba = faint if back else ring.rgba
                pen.line(points[:-1][part], points[1:][part], rgba, ring.subject, ring.subject)


def _draw_vertices(pen: _Pen, vertices: Array, ring: tuple[int, ...], index: int) -> None:
    """Draws a square at each corner of a polygon. `vertices` (n, 3): its vertices, world; `ring`: those at corners."""
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

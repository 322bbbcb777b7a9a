"""Tools that drag a body: each computes the scene from the scene at the press and the pointer's line of sight.

A tool is a frozen record made at the press. `at(sight, assist)` returns the change for one position of the pointer,
always from the scene at the press: no error accumulates, and moving the pointer back restores every digit. All
arithmetic is in float64 on the scene's own numbers. A tool that moves nothing returns the same scene object, so a click
changes nothing. Tools move, turn and resize bodies, and drag the tip of a displacement's arrow or a polygon's vertex.
"""

from __future__ import annotations

from math import atan2, degrees, hypot, pi, sqrt
from typing import ClassVar, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry import quaternion
from core.geometry.vector import Array, cross, dot, dots, length, unit
from core.pair.cores import to_local, to_world
from core.scene import Body, Scene
from core.shapes import Polygon, sharp_of, with_border

from ..draw.camera import LEAST_DRAG_SINE, Sight
from ..draw.meshes.mesh import corner_loop
from ..shapes import polygon_points, size_words
from ..state.hold import Hold
from ..words.digits import in_degrees, plain, signed
from ..words.terms import terms_of
from .alignment import directions_of, marks_of, to_rest, to_rest_about
from .grips import Grip, snapped

PARALLEL = "edge or face parallel"
"""The words added to the read-out of a turn that snapped a line of the body to a parallel."""


class Assist(Struct, frozen=True):
    """Snapping and constraint of a drag: `snap_length` (scene units) and `snap_angle` (radians) are steps, 0 for none.

    `axis`: the world axis 0..2 to which the drag is restricted, or None. `plane`: it is restricted to the plane across
    that axis instead.
    """

    snap_length: float = 0.0
    snap_angle: float = 0.0
    axis: int | None = None
    plane: bool = False

    def pressed(self, axis: int, plane: bool) -> Assist:
        """The assist after the key X, Y or Z: restricted to the axis (or plane), or free if it was so restricted."""
        if (self.axis, self.plane) == (axis, plane):
            return replace(self, axis=None, plane=False)
        return replace(self, axis=axis, plane=plane)


class DragResult(Struct, frozen=True, eq=False):
    """The result of a drag: the scene, and the read-out, words on the change."""

    scene: Scene
    readout: str


class Tool(Protocol):
    """A drag under way."""

    @property
    def body(self) -> int:
        """The dragged body, 0 or 1."""

    @property
    def label(self) -> str:
        """The name of the undo entry."""

    def held_to(self, axis: int, plane: bool) -> str:
        """Words on the restriction by the key of this world axis (`plane`: with Shift); "" if it does not restrict."""

    def at(self, sight: Sight, assist: Assist) -> DragResult | None:
        """The change with the pointer at `sight`; None if there is none, as for a sight beyond a plane's horizon."""


class BodyTool(Struct, frozen=True, eq=False):
    """The base of all tools. `start`: the scene at the press; `body`: the dragged body, 0 or 1."""

    verb: ClassVar[str]

    start: Scene
    body: int

    @property
    def label(self) -> str:
        """The name of the undo entry."""
        return f"{self.verb} {'AB'[self.body]}"

    def held_to(self, axis: int, plane: bool) -> str:  # noqa: ARG002 - every tool is asked alike
        """The empty text: rings and grips have an axis of their own."""
        return ""


class MoveTool(BodyTool, frozen=True, eq=False):
    """Moves a body so that the point `grabbed` (3,), world, follows the pointer.

    The body moves along the unit vector `axis` (3,), else in the plane across `normal` (3,), else parallel to the
    screen. `sign` is -1 in the difference, which moves by -v if B moves by v.
    """

    verb: ClassVar[str] = "Move"

    grabbed: Array
    axis: Array | None = None
    normal: Array | None = None
    sign: float = 1.0

    def held_to(self, axis: int, plane: bool) -> str:
        """The words for a line along the axis or for the plane across it; in 2D for a line along x or y.

        `axis`: 0 to 2; "" for z in 2D. `plane`: the plane across it.
        """
        names = [name.upper() for name in terms_of(self.start.dimension).axes]
        if axis >= len(names):
            return ""
        others = [name for name in names if name != names[axis]]
        if not plane:
            return f"{names[axis]} only"
        # In 2D the direction across an axis is the other axis.
        return f"plane perpendicular to {names[axis]}" if len(others) > 1 else f"{others[0]} only"

    def at(self, sight: Sight, assist: Assist) -> DragResult | None:
        """The change with the pointer at `sight`; None if `sight` does not meet the line or plane of the move."""
        shift = self._shift(sight, assist)
        if shift is None:
            return None
        x, y, z = (self.sign * shift).tolist()
        return self._moved(x, y, z)

    def _shift(self, sight: Sight, assist: Assist) -> Array | None:
        axis, normal = self.axis, self.normal
        if assist.axis is not None:
            world = np.eye(3)[assist.axis]
            axis, normal = (None, world) if assist.plane else (world, None)
        if axis is not None:
            distance = sight.distance_along(self.grabbed, axis)
            if distance is None:
                return None
            # Snaps the length along the axis rather than each coordinate, so that the move stays along the axis.
            return snapped(distance, assist.snap_length) * axis
        free = self._across(sight, normal)
        return None if free is None else np.array([snapped(float(part), assist.snap_length) for part in free])

    def _across(self, sight: Sight, normal: Array | None) -> Array | None:
        if normal is not None and abs(dot(normal, sight.direction)) >= LEAST_DRAG_SINE:
            met = sight.on_plane(self.grabbed, normal)
            return None if met is None else met - self.grabbed
        met = sight.on_plane(self.grabbed, sight.towards)
        if met is None:
            return None
        # In a plane seen edge-on the body moves along the line that the plane appears as.
        return met - self.grabbed if normal is None else _without(met - self.grabbed, normal)

    def _moved(self, x: float, y: float, z: float) -> DragResult:
        names = terms_of(self.start.dimension).axes
        moved = [f"{signed(part)} {name}" for part, name in zip((x, y, z), names, strict=False)]
        readout = f"move {'AB'[self.body]}: {', '.join(moved)}"
        if not any((x, y, z)[: len(names)]):
            return DragResult(self.start, readout)
        body = self.start.body(self.body)
        px, py, pz = body.position
        return DragResult(self.start.with_body(self.body, replace(body, position=(px + x, py + y, pz + z))), readout)


class TurnTool(BodyTool, frozen=True, eq=False):
    """Turns a body about the unit vector `axis` (3,), world, so that `grabbed` (3,), world, follows the pointer.

    The axis passes through `pivot` (3,), world, or for None through the body's position.
    """

    verb: ClassVar[str] = "Turn"

    grabbed: Array
    axis: Array
    pivot: Array | None = None

    def at(self, sight: Sight, assist: Assist) -> DragResult | None:
        """The change with the pointer at `sight`; None if `sight` does not meet the ring's plane.

        None also if the ring is seen edge-on and `grabbed` is on its axis.
        """
        centre = self.start.body(self.body).pose.position if self.pivot is None else self.pivot
        arm = _without(self.grabbed - centre, self.axis)
        if abs(dot(self.axis, sight.direction)) > 2.0 * LEAST_DRAG_SINE:
            met = sight.on_plane(centre, self.axis)
            if met is None:
                return None
            now = met - centre
            angle = atan2(dot(cross(arm, now), self.axis), dot(arm, now))
        else:
            # The ring is seen edge-on: the pointer's move along the tangent turns it like a wheel.
            met = sight.on_plane(self.grabbed, sight.towards)
            radius = length(arm)
            if met is None or radius == 0.0:
                return None
            angle = dot(met - self.grabbed, cross(self.axis, arm)) / (radius * radius)
        return turned_about(self.start, self.body, self.axis, angle, assist, self.pivot)


class BallTool(BodyTool, frozen=True, eq=False):
    """Turns a body like a ball of `radius`, scene units, under the pointer. `grabbed` (3,): the point at the press.

    Bell's trackball: a hyperbola continues the sphere, so that the pointer may leave it. `pivot`: as in TurnTool.
    `axis`: the unit vector (3,), world, about which it can only turn; None for any.
    """

    verb: ClassVar[str] = "Turn"

    grabbed: Array
    radius: float
    pivot: Array | None = None
    axis: Array | None = None

    def held_to(self, axis: int, plane: bool) -> str:  # noqa: ARG002 - every tool is asked alike
        """The words for a turn about the axis, with Shift or without."""
        return f"about {'XYZ'[axis]}"

    def at(self, sight: Sight, assist: Assist) -> DragResult | None:
        """The change with the pointer at `sight`; None if `sight` does not meet the plane through the ball's centre."""
        centre = self.start.body(self.body).pose.position if self.pivot is None else self.pivot
        met = sight.on_plane(centre, sight.towards)
        if met is None:
            return None
        held = self._raised(_without(self.grabbed - centre, sight.towards), sight.towards)
        now = self._raised(met - centre, sight.towards)
        axis = self.axis if assist.axis is None else np.eye(3)[assist.axis]
        if axis is not None:
            held, now = _without(held, axis), _without(now, axis)
            angle = atan2(dot(cross(held, now), axis), dot(held, now))
            return turned_about(self.start, self.body, axis, angle, assist, self.pivot)
        across = cross(held, now)
        ball_axis = unit(across)
        if ball_axis is None:
            return DragResult(self.start, _turn_words(self.body, 0.0))
        angle = atan2(length(across), dot(held, now))
        if assist.snap_angle:
            change = turned(self.start, self.body, ball_axis, angle, self.pivot)
            lines, marks = directions_of(change.scene.body(self.body)), marks_of(self.start, self.body)
            if rests := to_rest(lines, marks):
                return _laid(change, self.body, rests, self.pivot)
        return turned(self.start, self.body, ball_axis, snapped(angle, assist.snap_angle), self.pivot)

    def _raised(self, flat: Array, towards: Array) -> Array:
        square, ball = dot(flat, flat), self.radius * self.radius
        height = sqrt(ball - square) if square <= 0.5 * ball else 0.5 * ball / sqrt(square)
        raised: Array = flat + height * towards
        return raised


class SizeTool(BodyTool, frozen=True, eq=False):
    """Pulls a shape by a grip; the body's position stays. `grabbed` (3,), world, follows the pointer along the grip."""

    verb: ClassVar[str] = "Resize"

    grabbed: Array
    grip: Grip

    def at(self, sight: Sight, assist: Assist) -> DragResult | None:
        """The change with the pointer at `sight`; None if the shape cannot have that size.

        None also if `sight` meets no point of the grip's line.
        """
        body = self.start.body(self.body)
        pull = sight.distance_along(self.grabbed, dots(body.pose.matrix, self.grip.outward))
        if pull is None:
            return None
        try:
            shape = self.grip.pulled(pull, assist.snap_length)
        except ValueError:
            return None
        readout = f"{'AB'[self.body]}: {size_words(shape)}"
        if shape == body.shape:
            return DragResult(self.start, readout)
        return DragResult(self.start.with_body(self.body, replace(body, shape=shape)), readout)


def moving(start: Scene, index: int, grabbed: Array) -> MoveTool:
    """The tool that moves a body by the point `grabbed` (3,) parallel to the screen, a half-space along its normal.

    `index`: the body, 0 or 1.
    """
    body = start.body(index)
    plane = body.shape.plane
    if plane is not None:
        return MoveTool(start, index, grabbed, axis=dots(body.pose.matrix, plane.normal))
    return MoveTool(start, index, grabbed)


def holding(start: Scene, index: int, grabbed: Array, hold: Hold, ball: tuple[float, Array | None]) -> Tool:
    """The tool of a drag of a body by the point `grabbed` (3,), with the one degree of freedom of `hold`.

    `index`: the body, 0 or 1. `ball`: the radius and the pivot of BallTool, for a turn in space.
    """
    axis = np.array(hold.axis)
    if not hold.turns:
        return MoveTool(start, index, grabbed, axis=axis)
    turning: dict[int, Tool] = {
        2: TurnTool(start, index, grabbed, axis),
        3: BallTool(start, index, grabbed, *ball, axis),
    }
    return turning[start.dimension]


def turned(scene: Scene, index: int, axis: Array, angle: float, pivot: Array | None = None) -> DragResult:
    """The change by turning a body about the unit `axis` (3,), world, by `angle`, radians.

    `index`: the body, 0 or 1. The axis passes through the `pivot` (3,), or for None through the body's position.
    """
    words = _turn_words(index, angle)
    if angle == 0.0:
        return DragResult(scene, words)
    body = scene.body(index)
    x, y, z = axis.tolist()
    if pivot is not None:
        turn = quaternion.to_matrix(quaternion.from_axis_angle((x, y, z), angle))
        px, py, pz = (pivot + dots(turn, body.pose.position - pivot)).tolist()
        body = replace(body, position=(px, py, pz))
    return DragResult(scene.with_body(index, body.turned((angle * x, angle * y, angle * z))), words)


def turned_about(
    scene: Scene, index: int, axis: Array, angle: float, assist: Assist, pivot: Array | None = None
) -> DragResult:
    """As `turned`, but with snapping the angle snaps to a parallel if one is near, else to whole steps."""
    if assist.snap_angle:
        lines = directions_of(turned(scene, index, axis, angle, pivot).scene.body(index))
        rest = to_rest_about(axis, lines, marks_of(scene, index))
        if rest is not None:
            change = turned(scene, index, axis, angle + rest, pivot)
            return replace(change, readout=f"{change.readout}, {PARALLEL}")
    return turned(scene, index, axis, snapped(angle, assist.snap_angle), pivot)


def _laid(change: DragResult, index: int, turns: tuple[Array, ...], pivot: Array | None) -> DragResult:
    """The change followed by further turns (rotation vectors (3,), world)."""
    scene = change.scene
    for turn in turns:
        about = unit(turn)
        if about is not None:
            scene = turned(scene, index, about, length(turn), pivot).scene
    return DragResult(scene, f"{change.readout}, {PARALLEL}")


def _turn_words(index: int, angle: float) -> str:
    shown = degrees((angle + pi) % (2.0 * pi) - pi)
    return f"turn {'AB'[index]}: {'+' if shown > 0.0 else ''}{in_degrees(shown)}"


def _without(vector: Array, axis: Array) -> Array:
    """`vector` without its part along the unit vector `axis`."""
    out: Array = vector - dot(vector, axis) * axis
    return out


class ArrowTool(MoveTool, frozen=True, eq=False):
    """Moves the tip of a body's displacement arrow. The body's position stays."""

    verb: ClassVar[str] = "Displace"

    @staticmethod
    def grab(scene: Scene, index: int, sight: Sight) -> ArrowTool | None:
        """The tool of a drag that begins at `sight`, parallel to the screen; None if `sight` misses the tip's plane."""
        tip = arrow_tip(scene, index)
        held = sight.on_plane(tip, sight.towards)
        return None if held is None else ArrowTool(scene, index, held)

    def _moved(self, x: float, y: float, z: float) -> DragResult:
        body = self.start.body(self.body)
        dx, dy, dz = body.displacement
        way = (dx + x, dy + y, dz + z)
        axes = terms_of(self.start.dimension).axes
        parts = ", ".join(f"{signed(round(part, 6))} {axis}" for part, axis in zip(way, axes, strict=False))
        readout = f"{'AB'[self.body]} moves {parts}: {plain(hypot(*way))} units"
        if x == y == z == 0.0:
            return DragResult(self.start, readout)
        return DragResult(self.start.with_body(self.body, replace(body, displacement=way)), readout)


def arrow_tip(scene: Scene, index: int) -> Array:
    """The tip (3,) of a body's displacement arrow, world."""
    from ..overlays.motion import arrow_start

    tip: Array = arrow_start((scene.a, scene.b), index) + np.array(scene.body(index).displacement)
    return tip


HALVINGS, BACK = 24, 0.99
"""The steps of the bisection for the part of a vertex' move on which the polygon stays convex, and its used share.

At the end of that part three vertices would be on one line.
"""


def with_vertex(body: Body, number: int, point: tuple[float, float]) -> Body:
    """The body with the vertex `number` of its polygon at `point`, in the body's frame.

    Raises ValueError if the polygon would not be convex or would lose a corner, and TypeError for another shape.
    """
    points = polygon_points(body.shape)
    if not points:
        raise TypeError("only a polygon has vertices")
    changed = Polygon((*points[:number], point, *points[number + 1 :]))
    if len(changed.ring) < len(corner_loop(body.shape)):
        raise ValueError("a vertex would no longer be a corner")
    return replace(body, shape=with_border(changed, sharp_of(body.shape)[1]))


def _as_far_as_convex(
    body: Body, number: int, old: tuple[float, float], point: tuple[float, float]
) -> tuple[Body, tuple[float, float]]:
    """The body with its vertex moved from `old` towards `point` while it stays convex, and the vertex' new place.

    All points are in the body's frame.
    """

    def moved(share: float) -> tuple[Body, tuple[float, float]]:
        place = old[0] + share * (point[0] - old[0]), old[1] + share * (point[1] - old[1])
        return with_vertex(body, number, place), place

    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        try:
            moved(middle)
        except ValueError:
            high = middle
        else:
            low = middle
    return moved(BACK * low)


class VertexTool(BodyTool, frozen=True, eq=False):
    """Moves the vertex `number` of a polygon. `grabbed` (3,), world, follows the pointer."""

    number: int
    grabbed: Array

    @property
    def label(self) -> str:
        """The name of the undo entry."""
        return f"Move {'AB'[self.body]}.v{self.number}"

    def held_to(self, axis: int, plane: bool) -> str:
        """The words for a line along x or y, with Shift (`plane`) along the other one; "" for z."""
        return f"{'XY'[1 - axis if plane else axis]} only" if axis < 2 else ""

    def at(self, sight: Sight, assist: Assist) -> DragResult | None:
        """The change with the pointer at `sight`; None if `sight` does not meet the plane.

        The vertex stops before the polygon would no longer be convex.
        """
        body = self.start.body(self.body)
        met = sight.on_plane(self.grabbed, sight.towards)
        if met is None:
            return None
        dx, dy = (snapped(float(way), assist.snap_length) for way in (met - self.grabbed)[:2])
        if assist.axis in (0, 1):
            dx, dy = (dx, 0.0) if (assist.axis == 0) is not assist.plane else (0.0, dy)
        old = polygon_points(body.shape)[self.number]
        if dx == dy == 0.0:
            return DragResult(self.start, self._readout(old))
        x, y = to_world(body, old)
        point = to_local(body, (x + dx, y + dy))
        try:
            changed, words = with_vertex(body, self.number, point), self._readout(point)
        except ValueError:
            changed, point = _as_far_as_convex(body, self.number, old, point)
            words = f"{self._readout(point)}: the polygon stays convex"
        return DragResult(self.start.with_body(self.body, changed), words)

    def _readout(self, point: tuple[float, float]) -> str:
        return f"{'AB'[self.body]}.v{self.number}: {plain(point[0])}, {plain(point[1])} in its frame"

"""Mouse gestures in the viewport: one at a time, from a press to the release.

A state machine without a window: it receives presses, moves and releases in framebuffer pixels, and calls `Ask`. The
effects of drags are in bindings.py. A left press without a move is a click: it selects a body or pins an axis. A double
click frames the body.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, radians
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.plane import Plane
from core.geometry.vector import Array
from core.scene import Z_AXIS, Scene

from ..draw.camera import Camera, Sight
from ..draw.draw_list import Subject
from ..probes import Aim, RayProbe
from ..state.ask import Ask
from ..state.hold import Hold
from ..state.settings import Settings
from ..state.view import Pane, Panes, Seen, View, pane_at
from .bindings import Act, Held, MouseButton, PointerTarget, act_of
from .gizmo import Gizmo, GizmoTool
from .manipulation import ArrowTool, Assist, BallTool, DragResult, MoveTool, Tool, TurnTool, holding, moving
from .picking import hit_body, hit_difference

if TYPE_CHECKING:
    from .probe_tool import FlatAxisTool, FreeAxisTool, PixelTool, PointTool

CLICK_SLACK = 4.0
"""The most points that the pointer may move between press and release of a click."""
DOUBLE_CLICK = 0.35
"""The most seconds between the clicks of a double click."""
ORBIT_SPEED = radians(0.4)
"""The turn of the view, in radians, per point of the pointer's move."""
ZOOM_STEP = 1.15
"""Magnification per notch of the wheel."""
CLICK_PINS = frozenset({"axis", "pair"})
"""Kinds of subjects that a click pins."""
HANDLES = {"motion": 2, "free_axis": 4, "probe": 3}
"""Subjects of these kinds with a lower number than this are handles.

They are the tips of the bodies' arrows, the ends of the free axis in both panes, and a probe's points or the pixel of
its ray.
"""


class GestureContext(Seen, frozen=True, eq=False, kw_only=True):
    """The state that gestures act on: Seen, and the panes as drawn.

    `density`: pixels per point. `gizmo`: the handles shown, if any. `picked`: returns the subject that a pane shows at
    a pixel of the framebuffer. `answers`: returns whether a click on a subject answers the open question. `movable`:
    the bodies that can be dragged, 0 or 1.
    """

    panes: tuple[Pane, ...]
    density: float
    settings: Settings
    gizmo: Gizmo | None
    picked: Callable[[Pane, float, float], Subject | None]
    answers: Callable[[Subject], bool] = lambda _subject: False
    movable: tuple[int, ...] = (0, 1)


class _Drag(Struct):
    """A body's drag. `scene`: the scene at the press; `constraint`: that of the keys; `change`: the last result.

    `held`: a hold leaves the drag one degree of freedom, and keys do not restrict it further.
    """

    tool: Tool
    pane: Pane
    scene: Scene
    constraint: Assist
    change: DragResult | None = None
    held: bool = False


class _Turn(Struct):
    """A drag of the view. `kind`: the pane's. `pan`: the pane's camera moves, else both cameras turn.

    `start`: the view to restore.
    """

    kind: str
    pan: bool
    start: View


class _AxisTurn(Struct):
    """A drag of the free axis or a probe. `start`: the view to restore; `readout`: the words on its present state."""

    tool: FreeAxisTool | FlatAxisTool | PointTool | PixelTool
    pane: Pane
    start: View
    constraint: Assist
    readout: str | None = None


_Begin = _Drag | _Turn | _AxisTurn


class _Press(Struct):
    """A left press that may become a click. `begin`: the drag that starts if the pointer moves.

    `body`: the body under the pointer, or that of the handle there, 0 or 1; None for another thing.
    """

    pane: Pane
    subject: Subject | None
    begin: _Begin
    body: int | None


class Gestures:
    """The state machine of gestures, with the gesture under way, if any."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._press: _Press | None = None
        self._active: _Begin | None = None
        self._button: MouseButton | None = None
        self._at = (0.0, 0.0)
        self._down_at = (0.0, 0.0)
        self._last_click: tuple[float, int | None] = (-1e9, None)

    @property
    def busy(self) -> bool:
        """Whether a button that was pressed in the viewport is still down."""
        return self._button is not None

    @property
    def dragging(self) -> bool:
        """Whether a body, the free axis or a probe is being dragged."""
        return isinstance(self._active, _Drag | _AxisTurn)

    @property
    def readout(self) -> str | None:
        """The change by the drag under way, in words, with its constraint; None without a drag or before a change."""
        drag = self._active
        if not isinstance(drag, _Drag | _AxisTurn):
            return None
        words = drag.readout if isinstance(drag, _AxisTurn) else None if drag.change is None else drag.change.readout
        axis = drag.constraint.axis
        if words is None or axis is None:
            return words
        return f"{words}   ({drag.tool.held_to(axis, drag.constraint.plane)})"

    @property
    def holdable(self) -> bool:
        """Whether X, Y or Z can restrict the drag to an axis. Handles for turning or resizing have their own axis."""
        active = self._active
        if not isinstance(active, _Drag | _AxisTurn) or (isinstance(active, _Drag) and active.held):
            return False
        return active.tool.held_to(0, False) != ""

    def press(self, button: MouseButton, x: float, y: float, held: Held, at: GestureContext) -> None:
        """Handles a button's press in the viewport.

        Ignores it during a gesture, outside the panes, and if no drag begins so.
        """
        pane = pane_at(at.panes, x, y)
        if self.busy or pane is None:
            return
        subject = at.picked(pane, x, y)
        found = _found(pane, subject, pane.sight(x, y), at)
        act = act_of(button, held, found.target)
        if act is None:
            return
        self._button, self._at, self._down_at = button, (x, y), (x, y)
        if act is Act.MOVE_BODY and _inside_gizmo(pane, x, y, at):
            act = Act.ORBIT
        begin = _begin(act, found, pane, at)
        if button is MouseButton.LEFT and not held.alt:
            body = found.number if found.target is PointerTarget.BODY else None
            self._press = _Press(pane, subject, begin, begin.tool.body if isinstance(begin, _Drag) else body)
        else:
            self._active = begin

    def move(self, x: float, y: float, held: Held, at: GestureContext) -> None:
        """Handles the pointer's move with the button held."""
        if self.busy:
            self._show(self._moved(x, y, held, at))

    def _moved(self, x: float, y: float, held: Held, at: GestureContext) -> Scene | View | None:
        """Moves the pointer to the pixel (x, y). Returns the scene or view that the drag shows there, if any."""
        before, self._at = self._at, (x, y)
        if self._press is not None:
            if hypot(x - self._down_at[0], y - self._down_at[1]) <= CLICK_SLACK * at.density:
                return None
            self._active, self._press = self._press.begin, None
            before = self._down_at
        if isinstance(self._active, _Drag | _AxisTurn):
            return self._drag_to(self._active, x, y, held, at)
        if isinstance(self._active, _Turn):
            return _turned(self._active, x - before[0], y - before[1], at)
        return None

    def release(self, button: MouseButton, x: float, y: float, held: Held, now: float, at: GestureContext) -> None:
        """Handles the release of the gesture's button: carries out a click, or makes one edit of a drag.

        Ignores other buttons. `now`: the time in seconds.
        """
        if button is not self._button:
            return
        shown = self._moved(x, y, held, at)
        press, active = self._press, self._active
        self._press, self._active, self._button = None, None, None
        if press is not None:
            self._click(press, now, at)
        elif not isinstance(active, _Drag):
            self._show(shown)
        elif active.change is None or active.change.scene == active.scene:
            self._ask.preview(None)
        else:
            self._ask.edit(active.change.scene, active.tool.label)

    def _show(self, shown: Scene | View | None) -> None:
        if isinstance(shown, Scene):
            self._ask.preview(shown)
        elif shown is not None:
            self._ask.look(shown)

    def cancel(self) -> bool:
        """Ends the drag and undoes its changes (Escape). Returns False if there is no drag."""
        active = self._active
        if active is None:
            return False
        # The button is still down: its release must not be a click.
        self._active, self._press = None, None
        if isinstance(active, _Drag):
            self._ask.preview(None)
        else:
            self._ask.look(active.start)
        return True

    def key(self, axis: int, plane: bool, held: Held, at: GestureContext) -> None:
        """Handles X, Y or Z in a drag: restricts it to the axis, or with `plane` to the plane across it.

        The same key again removes the restriction.
        """
        if not isinstance(self._active, _Drag | _AxisTurn) or not self.holdable:
            return
        if axis < at.scene.dimension:
            self._active.constraint = self._active.constraint.pressed(axis, plane)
            self._show(self._drag_to(self._active, *self._at, held, at))

    def held_changed(self, held: Held, at: GestureContext) -> None:
        """Handles Ctrl pressed or released during a drag."""
        if isinstance(self._active, _Drag | _AxisTurn):
            self._show(self._drag_to(self._active, *self._at, held, at))

    def _drag_to(
        self, drag: _Drag | _AxisTurn, x: float, y: float, held: Held, at: GestureContext
    ) -> Scene | View | None:
        assist = drag.constraint
        if held.ctrl:
            steps = at.settings.snap_length, radians(at.settings.snap_angle_degrees)
            assist = replace(assist, snap_length=steps[0], snap_angle=steps[1])
        if isinstance(drag, _AxisTurn):
            view, drag.readout = drag.tool.looked(at.view, drag.pane.sight(x, y), assist)
            return view
        change = drag.tool.at(drag.pane.sight(x, y), assist)
        if change is None:
            return None
        drag.change = change
        return change.scene

    def _click(self, press: _Press, now: float, at: GestureContext) -> None:
        subject = press.subject
        if isinstance(at.view.probe, Aim):
            self._show(_shot(press.pane, self._down_at, at))
        elif subject is not None and at.answers(subject):
            self._ask.guess(subject)
        elif subject is not None and subject.kind in CLICK_PINS:
            self._ask.look(replace(at.view, pin=None if at.view.pin == subject else subject))
        else:
            self._click_body(press, now, at)

    def _click_body(self, press: _Press, now: float, at: GestureContext) -> None:
        body = press.body if press.pane.kind == "world" else None
        then, before = self._last_click
        self._last_click = (now, body)
        if body is None:
            if press.subject is None:
                self._ask.select(None)
        # The first click shows the handles, and the second may hit a handle of the body, so only bodies are compared.
        elif body == before and now - then <= DOUBLE_CLICK:
            self._ask.look(framing_body(at, body))
        else:
            self._ask.select(body)


def _shot(pane: Pane, place: tuple[float, float], at: GestureContext) -> View | None:
    """The view with a ray probe through a pixel of the world's pane; None for another pane. The cameras stay."""
    if pane.kind != "world":
        return None
    from ..probes.ray import nearest_body, ray_of

    rect = pane.rect
    pixel = (place[0] - rect.x, place[1] - rect.y)
    probe = RayProbe(pane.camera, pixel, (float(rect.width), float(rect.height)))
    probe = replace(probe, body=nearest_body(at.scene, ray_of(probe)))
    return replace(at.view, probe=probe, fitted=False)


def zoomed(x: float, y: float, notches: float, at: GestureContext) -> View | None:
    """The view after the wheel turned over a pane; None outside the panes, and for 0 notches.

    The point under the pointer stays there.
    """
    pane = pane_at(at.panes, x, y)
    if pane is None or notches == 0.0:
        return None
    rect = pane.rect
    camera = pane.camera.zoomed_to(ZOOM_STEP**notches, x - rect.x, y - rect.y, rect.width, rect.height)
    return with_camera(at.view, pane.kind, camera)


def with_camera(view: View, kind: str, camera: Camera) -> View:
    """The view with the camera of one pane replaced, and no longer `fitted`."""
    if kind == "difference":
        return replace(view, difference=camera, fitted=False)
    return replace(view, world=camera, fitted=False)


def framing_body(at: GestureContext, index: int) -> View:
    """The view with body `index` filling the world pane."""
    pane = next((pane for pane in at.panes if pane.kind == "world"), at.panes[0])
    handles = Gizmo(at.scene, index, GizmoTool.MOVE, False)
    camera = at.view.world.framed_ball(handles.centre, 1.6 * handles.ball_radius, pane.aspect)
    return replace(at.view, world=camera, fitted=False)


def _turned(turn: _Turn, dx: float, dy: float, at: GestureContext) -> View:
    pane = next((pane for pane in at.panes if pane.kind == turn.kind), at.panes[0])
    camera = at.view.difference if turn.kind == "difference" else at.view.world
    if turn.pan:
        return with_camera(at.view, turn.kind, camera.panned(dx, dy, pane.rect.height))
    speed = ORBIT_SPEED / at.density
    turned = camera.orbited(-dx * speed, dy * speed)
    return at.view.turned(turned.yaw, turned.pitch)


class _Found(Struct, frozen=True, eq=False):
    """The thing under the pointer at a press.

    `grabbed` (3,): the point there, the eye for a handle or empty space; `number`: that of the body or handle, -1 for
    empty space.
    """

    target: PointerTarget
    sight: Sight
    grabbed: Array
    number: int = -1


def _found(pane: Pane, subject: Subject | None, sight: Sight, at: GestureContext) -> _Found:
    handles = {
        "gizmo": (PointerTarget.HANDLE, at.gizmo is not None),
        "motion": (PointerTarget.ARROW, True),
        "free_axis": (PointerTarget.FREE_AXIS, at.view.free is not None),
        "probe": (PointerTarget.PROBE, at.view.probe is not None),
    }
    if subject is not None and (subject.kind == "gizmo" or is_handle(subject)):
        target, there = handles[subject.kind]
        if there:
            return _Found(target, sight, sight.origin, subject.number)
    distance, number, target = None, 1, PointerTarget.DIFFERENCE
    if pane.kind != "difference":
        bodies = at.movable if "bodies" in at.view.shown else ()
        hits = [(met, k) for k in bodies if (met := hit_body(at.scene, k, sight)) is not None]
        (distance, number), target = min(hits, default=(None, -1)), PointerTarget.BODY
    elif "difference" in at.view.shown and at.view.panes is not Panes.OVERLAID and 1 in at.movable:
        distance = hit_difference(at.scene, sight, _difference_plane(at))
    if distance is None:
        return _Found(PointerTarget.EMPTY, sight, sight.origin)
    return _Found(target, sight, sight.origin + distance * sight.direction, number)


def is_handle(subject: Subject | None) -> bool:
    """Whether the subject is a handle of the free axis, of a probe, or the tip of a motion's arrow."""
    return subject is not None and subject.number < HANDLES.get(subject.kind, 0)


def _begin(act: Act, found: _Found, pane: Pane, at: GestureContext) -> _Begin:
    # A scene of the plane is always seen straight on: a drag that would turn the view pans it.
    orbit = _Turn(pane.kind, at.scene.dimension == 2, at.view)
    tool: Tool | None
    match act:
        case Act.ORBIT:
            return orbit
        case Act.PAN:
            return _Turn(pane.kind, True, at.view)
        case Act.TURN_AXIS if at.view.free is not None:
            from .probe_tool import FlatAxisTool, FreeAxisTool

            kind = FlatAxisTool if at.scene.dimension == 2 else FreeAxisTool
            turn = kind.grab(at.analysis, at.view.free, found.number, found.sight)
            return _AxisTurn(turn, pane, at.view, Assist())
        case Act.MOVE_PROBE:
            from .probe_tool import grabbed

            held = grabbed(at.scene, at.view.probe, found.number, found.sight)
            return orbit if held is None else _AxisTurn(held, pane, at.view, Assist())
        case Act.HANDLE:
            tool = None if at.gizmo is None else at.gizmo.grab(found.number, found.sight)
        case Act.AIM_ARROW:
            tool = ArrowTool.grab(at.scene, found.number, found.sight)
        case Act.TURN_BODY:
            if at.view.hold is not None:
                tool = _holding(at.view.hold, found, at)
            elif at.scene.dimension == 2:
                tool = TurnTool(at.scene, found.number, found.grabbed, np.array(Z_AXIS))
            else:
                tool = BallTool(at.scene, found.number, found.grabbed, *_ball(found.number, at))
        case Act.MOVE_BODY if at.view.hold is not None:
            tool = _holding(at.view.hold, found, at)
        case Act.MOVE_BODY:
            tool = moving(at.scene, found.number, found.grabbed)
        case Act.MOVE_DIFFERENCE if at.view.hold is not None:
            axis = None if at.view.hold.turns else np.array(at.view.hold.axis)
            tool = None if axis is None else MoveTool(at.scene, found.number, found.grabbed, axis, sign=-1.0)
        case Act.MOVE_DIFFERENCE:
            # Dragging A - B by v moves B by -v; a half-space's difference moves along its normal only.
            axis = None if (plane := _difference_plane(at)) is None else plane.normal
            tool = MoveTool(at.scene, found.number, found.grabbed, axis, sign=-1.0)
    free = at.view.hold is None or act is Act.AIM_ARROW
    return orbit if tool is None else _Drag(tool, pane, at.scene, Assist(), held=not free)


def _inside_gizmo(pane: Pane, x: float, y: float, at: GestureContext) -> bool:
    """Whether a press at the pixel (x, y) is between the turning handles, where the view turns and no body moves."""
    if at.gizmo is None or pane.kind != "world":
        return False
    return at.gizmo.keeps_bodies(pane.projection, at.density, x - pane.rect.x, y - pane.rect.y)


def _ball(index: int, at: GestureContext) -> tuple[float, Array | None]:
    """The radius and the pivot (3,) of BallTool for a body. The pivot is None except for a half-space."""
    handles = Gizmo(at.scene, index, GizmoTool.ROTATE, False)
    return handles.ball_radius, handles.pivot


def _holding(hold: Hold, found: _Found, at: GestureContext) -> Tool:
    return holding(at.scene, found.number, found.grabbed, hold, _ball(found.number, at))


def _difference_plane(at: GestureContext) -> Plane | None:
    """The plane that bounds a difference with a half-space; None for other differences."""
    solid = at.analysis.difference
    return None if solid is None else solid.plane

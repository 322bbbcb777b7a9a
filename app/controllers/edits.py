"""Changes the document: shows another one, edits, undoes; the selected body's handles; the edge-case tools.

The edge-case tools are one table for the panel and the commands: title, function, and the sentence afterwards. Their
core modules are imported when a tool is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.quaternion import from_axis_angle, rotate
from core.geometry.triple import Triple, triple
from core.geometry.vector import Array, cross, dot, dots
from core.scene import Z_AXIS, Scene

from ..draw.camera import Camera
from ..input.gizmo import Gizmo, GizmoTool
from ..input.manipulation import turned
from ..io.presets import phase_about
from ..state.hold import Hold
from ..state.view import View
from ..state.work import Document, LeftPreset
from ..words.digits import signed
from .cameras import Cameras
from .lessons import Lessons
from .services import Services

NO_SIDE = 0.1
"""The component of a unit vector along a side of the screen below which it does not point to that side."""
FREE_STEP = radians(5.0)
"""The angle by which an arrow key turns the free axis, radians."""


class Edits:
    """Edits the document. `tool`, `local_axes`: the kind of the selected body's handles, and their axes."""

    def __init__(self, services: Services, cameras: Cameras, lessons: Lessons) -> None:
        self._work, self._preferences, self._notices = services.work, services.preferences, services.notices
        self._autosaves, self._steps, self._quiz, self._cameras = (
            services.autosaves,
            services.steps,
            services.quiz,
            cameras,
        )
        self._lessons, self._answers = lessons, services.answers
        self.tool = GizmoTool.MOVE
        self.local_axes = False
        self._looked_at_space = services.work.view
        self._told_of_edit = 0
        self.leaving: LeftPreset | None = None
        """The moved preset in whose place the next document is shown; undo brings it back."""

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles of the selected body; under a hold those of a body that can be dragged, B if both can.

        None if no such body is selected or can be dragged, or if the overlay `bodies` is hidden.
        """
        work, movable = self._work, self._lessons.movable
        index, hold = work.selection, work.view.hold
        if hold is not None and index not in movable:
            index = max(movable, default=None)
        if index is None or index not in movable or "bodies" not in work.view.shown:
            return None
        return Gizmo(work.scene, index, self.tool, self.local_axes, hold)

    def show(self, document: Document, view: View | None, preset: str | None = None, *, steady: bool = False) -> None:
        """Shows another document; without a view of its own it is framed from the present directions.

        Asking ends, and between the plane and space the selection is dropped.

        `steady`: without a view of its own the cameras stay as `Cameras.bring_back` lets them, and the place in the
        steps stays unless the view has a step. `preset`: the id of the preset that the document is, if any.
        """
        work, cameras = self._work, self._cameras
        self._quiz.stop()
        if self.leaving is not None:
            document, self.leaving = replace(document, left_preset=self.leaving), None
        before, work.document, work.opened, work.preset = work.flat, document, document.committed, preset
        if work.flat is not before:
            self._look_elsewhere()
        if steady and view is None:
            cameras.keep()
            cameras.bring_back()
            return
        cameras.frame_anew()
        cameras.opened_view = View() if view is None else view
        plain = replace(work.view, pin=None, probe=None, fitted=True, motion=None, time=None, hold=None)
        looked = plain if view is None else view
        work.view = replace(looked, hover=None, step=0, at=None).with_cameras(z_up=self._preferences.settings.z_up)
        if looked.step or looked.at is not None or not steady:
            self._steps.begin(looked.step, looked.at, phase_about(preset))

    def has_left(self) -> bool:
        """Whether another document was shown since `leaving` was set; clears `leaving`."""
        left, self.leaving = self.leaving is None, None
        return left

    def _look_elsewhere(self) -> None:
        """Stores the cameras of space when a 2D scene comes, and restores them when a 3D scene comes."""
        work, space = self._work, self._looked_at_space
        work.selection = None
        if work.flat:
            self._looked_at_space = work.view
        else:
            work.view = replace(work.view, world=space.world, difference=space.difference, motion=space.motion)

    def edit(self, scene: Scene, label: str, told: str = "") -> None:
        """Makes `scene` the document's, as one undo entry; the notice `told` goes with the next edit or undo."""
        self._edited(self._work.document.edited(scene, label), closely=True)
        if told:
            self._told_of_edit = self._notices.notify(told)

    def undo(self) -> None:
        """Undoes one edit, if any; before the first one brings back the moved preset that was left, if any."""
        document = self._work.document
        if document.position == 0 and document.left_preset is not None:
            self.show(document.left_preset.document, document.left_preset.view, document.left_preset.preset)
            self._autosaves.keep()
            return
        self._edited(self._work.document.undone())

    def redo(self) -> None:
        """Redoes one edit, if any."""
        self._edited(self._work.document.redone())

    def _edited(self, document: Document, *, closely: bool = False) -> None:
        before, self._work.document = self._work.document.committed, document
        self._notices.dismiss(self._told_of_edit)
        self._autosaves.keep()
        if all(before.body(index).shape != document.committed.body(index).shape for index in (0, 1)):
            # Both shapes changed: another pair, such as a random one.
            self._cameras.frame_anew()
        else:
            self._cameras.bring_back(closely=closely)

    def nudge(self, key: str, *, turn: bool = False) -> None:
        """Moves the selected body, else B, by one step of snapping along the world axis nearest to the key's direction.

        `key`: "left", "right", "up" or "down" on the screen. `turn`: turns the body instead, its front towards that
        side; in 2D counter-clockwise for left. If a lesson fixes the body, it stays, and `turn` turns the free axis.
        Under a hold the body only moves along or turns about the hold's axis; any other change is refused by a notice.
        """
        work = self._work
        index = 1 if work.selection is None else work.selection
        if turn and work.view.free is not None and index not in self._lessons.movable:
            self._turn_free_axis(key, work.view.free)
        if index not in self._lessons.movable:
            return
        if (hold := work.view.hold) is not None:
            if hold.turns != turn:
                self._notices.notify(f"Here {'AB'[index]} {hold.words}.")
                return
            along = (1.0 if hold_side(hold, work.view.world, key) else -1.0) * np.array(hold.axis)
            if turn:
                self._turn(index, along)
            else:
                self._move(index, along)
            return
        across, upwards = screen_axes(work.view.world, work.scene.dimension)
        sign = 1.0 if key in ("right", "up") else -1.0
        along = across if key in ("left", "right") else upwards
        if not turn:
            self._move(index, sign * along)
            return
        if work.flat:
            axis, sign = np.array(Z_AXIS), -1.0 if key in ("right", "down") else 1.0
        elif along is across:
            axis = upwards
        else:
            axis, sign = across, -sign
        self._turn(index, sign * axis)

    def _move(self, index: int, along: Array) -> None:
        """Moves a body along the unit vector `along` (3,), world, by one step of snapping."""
        scene = self._work.document.committed
        body = scene.body(index)
        x, y, z = (self._preferences.settings.snap_length * along).tolist()
        px, py, pz = body.position
        moved = replace(body, position=(px + x, py + y, pz + z))
        self.edit(scene.with_body(index, moved), f"Move {'AB'[index]}")

    def _turn(self, index: int, axis: Array) -> None:
        """Turns a body about the unit vector `axis` (3,), world, by one step of snapping."""
        scene = self._work.document.committed
        pivot = Gizmo(scene, index, self.tool, self.local_axes).pivot
        change = turned(scene, index, axis, radians(self._preferences.settings.snap_angle_degrees), pivot)
        self.edit(change.scene, f"Turn {'AB'[index]}")

    def _turn_free_axis(self, key: str, free: Triple) -> None:
        """Turns the free axis by FREE_STEP towards the key's side; it snaps to a candidate within half a step."""
        work = self._work
        across, upwards = screen_axes(work.view.world, work.scene.dimension)
        if work.flat:
            axis, angle = np.array(Z_AXIS), FREE_STEP if key in ("left", "up") else -FREE_STEP
        else:
            axis, angle = (upwards, FREE_STEP) if key in ("left", "right") else (across, FREE_STEP)
            angle = -angle if key in ("left", "up") else angle
        x, y, z = axis.tolist()
        turned_to = np.array(rotate(from_axis_angle((x, y, z), angle), free))
        axes = self._answers.analysis.sat.axes
        cosines = dots(axes, turned_to)
        nearest = int(np.argmax(np.abs(cosines)))
        if abs(float(cosines[nearest])) >= cos(0.5 * FREE_STEP):
            turned_to = np.sign(cosines[nearest]) * axes[nearest]
        work.view = replace(work.view, free=triple(turned_to))

    def reset_body(self, index: int) -> None:
        """Resets A (0) or B (1) to its state when the document was opened, as one edit."""
        scene = self._work.document.committed.with_body(index, self._work.opened.body(index))
        self.edit(scene, f"Reset {'AB'[index]}")


def screen_axes(camera: Camera, dimension: int) -> tuple[Array, Array]:
    """The signed world axes (3,) nearest to the screen's right and, among the others, to its up.

    `dimension`: 2 leaves out z.
    """
    right, up, _ = camera.basis()
    first = int(np.argmax(np.abs(right[:dimension])))
    second = max((axis for axis in range(dimension) if axis != first), key=lambda axis: abs(up[axis]))
    world = np.eye(3)
    return np.sign(right[first]) * world[first], np.sign(up[second]) * world[second]


def hold_side(hold: Hold, camera: Camera, key: str) -> bool:
    """Whether the arrow key means the positive way along or about a hold's axis.

    A body's front goes to the key's side. A key across the axis of a move, and along that of a turn, has no side: then
    left and up turn counter-clockwise about the axis, and right and up move along it.
    """
    right, up, towards = camera.basis()
    side = right if key in ("left", "right") else up
    sign = -1.0 if key in ("left", "down") else 1.0
    way = cross(np.array(hold.axis), towards) if hold.turns else np.array(hold.axis)
    reach = sign * dot(way, side)
    if abs(reach) < NO_SIDE:
        return key in (("left", "up") if hold.turns else ("right", "up"))
    return reach > 0.0


class Made(Struct, frozen=True):
    """The result of a tool: the scene, the undo entry's `label`, and a sentence to show, or ""."""

    scene: Scene
    label: str
    told: str = ""


class EdgeAction(Struct, frozen=True, eq=False):
    """An edge-case tool; `make` raises ValueError, with one sentence, where the scene does not allow it.

    `make` gets the scene to change.
    """

    id: str
    title: str
    tip: str
    make: Callable[[Scene], Made]


def nudged(scene: Scene, axis: int, ulps: int) -> Made:
    """Moves B's coordinate `axis` (0..2) by `ulps` units in the last place; of exactly 0, by those of a body's size."""
    from core.study.lab.edge_cases import nudged as nudge

    after = nudge(scene, axis, ulps)
    name = "xyz"[axis]
    return Made(after, f"Nudge B's {name}", f"B's {name} is {after.b.position[axis]!r} now.")


def shifted(scene: Scene, direction: Triple, exponent: int, sign: float) -> Made:
    """Moves B along a direction, or against it for `sign` -1, by 10^`exponent` of the larger body's size.

    Raises ValueError for a zero direction, and if rounding undoes the move.
    """
    from core.study.lab.edge_cases import shifted as shift

    return Made(shift(scene, direction, exponent, sign), f"Nudge B by 1e{exponent}")


def touching(scene: Scene, direction: Triple | None = None) -> Made:
    """Moves B until the bodies touch, along the normal or a direction.

    Raises ValueError if they never touch, and for a zero direction.
    """
    from core.study.lab.edge_cases import touching as touch

    found = touch(scene, direction)
    left = "0 exactly" if found.separation == 0.0 else signed(found.separation)
    return Made(found.scene, "Bring to touching", f"The bodies now touch; the remaining separation is {left}.")


def _made_by(name: str, label: str) -> Callable[[Scene], Made]:
    """The `make` of a function of the core's edge cases that needs only the scene."""

    def make(scene: Scene) -> Made:
        from core.study.lab import edge_cases

        return Made(getattr(edge_cases, name)(scene), label)

    return make


def random_pair(scene: Scene, kinds: tuple[str, ...]) -> Made:
    """A random pair of bodies of these kinds; without kinds, of all kinds of the scene's dimension.

    Raises ValueError for kinds of which there is no random pair.
    """
    from secrets import randbits

    import numpy as np

    from core.study.lab import random_pair as draw

    seed = randbits(32)
    rng = np.random.default_rng(seed)
    make, makers = {2: (draw.random_flat_pair, draw.FLAT_MAKERS), 3: (draw.random_pair, draw.MAKERS)}[scene.dimension]
    return Made(
        make(rng, kinds or tuple(makers)), "Random pair", f"Random pair {seed}: about half of such pairs overlap."
    )


EXPONENTS = tuple(range(-16, 0))
"""The offered exponents of ten: B moves by this power of ten times the pair's size."""

EDGE_ACTIONS: tuple[EdgeAction, ...] = (
    EdgeAction(
        "touch",
        "Bring to touching",
        "Move B along the normal until the separation is zero, as exactly as floats allow",
        touching,
    ),
    EdgeAction(
        "parallel",
        "Make edges parallel",
        "Turn B as little as possible until the two edges of the axis that decides are parallel; if a face decides, "
        "the best pair of edges. In 2D: the edge that decides and the edge of the other body nearest to it in "
        "direction",
        _made_by("edges_parallel", "Make edges parallel"),
    ),
    EdgeAction(
        "faces",
        "Align faces",
        "Turn B as little as possible until its nearest face (in 2D, edge) is parallel to A's",
        _made_by("faces_aligned", "Align faces"),
    ),
    EdgeAction(
        "centres",
        "Put the centres together",
        "Move B's position onto A's",
        _made_by("centres_together", "Put the centres together"),
    ),
    EdgeAction(
        "random",
        "Random pair",
        "Any two shapes; about half of such pairs overlap",
        lambda scene: random_pair(scene, ()),
    ),
)

"""The window's listener: passes events of mouse and keyboard to the panels, the divider, a gesture or a command.

imgui gets all events of mouse and keyboard, except a press on the divider and the wheel over the viewport. Events over
the viewport also go to the gestures. Positions are framebuffer pixels from the top left corner.
"""

from __future__ import annotations

from math import hypot
from pathlib import Path
from time import perf_counter
from typing import Protocol

from ..commands.stage_commands import press_on_stage
from ..commands.step_commands import REPEATING
from ..commands.table import CommandTable, Program, escape
from ..controllers.faults import Caught
from ..draw.draw_list import Subject
from ..input.bindings import AXIS_KEYS, Held, MouseButton
from ..input.gestures import GestureContext, Gestures, is_handle, zoomed
from ..input.gizmo import GRAB_DISTANCE
from ..input.picking import face_pointed_at, pick
from ..render.frame import FrameBuilder
from ..state.ask import Ask
from ..state.view import NARROWEST, Pane, pane_at, panes_stacked
from .imgui_host import ImguiHost

HIT_DISTANCE = 6.0
"""The distance, points, within which the pointer is on a marker or a line."""
BEHIND_GIZMO = frozenset({"body", "difference", "axis"})
"""Kinds of subjects over which a nearby part of the gizmo has priority."""
DIVIDER_REACH = 4.0
"""The distance, points, from the line between the panes within which that line can be dragged."""
SETTLING = 3
"""The frames that imgui needs after a button or a key before it is known whether a widget takes the next one."""
_EVENTS = {
    "on_mouse_motion": "Pointing",
    "on_mouse_drag": "Dragging",
    "on_mouse_press": "The press of a mouse button",
    "on_mouse_release": "The release of a mouse button",
    "on_mouse_scroll": "The mouse wheel",
    "on_key_press": "The press of a key",
    "on_key_release": "The release of a key",
    "on_text": "Typing",
    "on_file_drop": "Opening the files dropped here",
    "on_close": "Closing the window",
    "on_draw": "Drawing the window",
}
"""By pyglet's name of an event: the beginning of a sentence about a fault in its handler."""


class WindowedProgram(Program, Protocol):
    """The parts of the program that events need."""

    host: ImguiHost
    builder: FrameBuilder
    commands: CommandTable
    ask: Ask

    def run_panels(self) -> object:
        """Runs one frame of the panels."""

    def look_at_disk(self) -> None:
        """Offers to reload an open file that another program has changed."""

    def draw_frame(self) -> float | None:
        """Draws a frame; returns the seconds until the next frame is due, None if none is."""


class Events:
    """Handles the window's events, and stores the pointer's state.

    `pointer`: its position, None outside of the window. `over`: the subject of the picture under the pointer, or None.
    `hot`: the handle under the pointer, or None.
    """

    def __init__(self, app: WindowedProgram) -> None:
        self._app = app
        self.gestures = Gestures(app.ask)
        self.pointer: tuple[float, float] | None = None
        self.hot: Subject | None = None
        self.over: Subject | None = None
        self._held = Held()
        self._moved = False
        self._divider_held = False
        self._unsettled = 0
        self._ahead = False
        self._rest: tuple[float, float] | None = None

    def hearing(self, event: str) -> Caught:
        """The guard around the handler of an event; after a fault in the handler, it calls `let_go`."""
        return self._app.faults.caught(_EVENTS.get(event, "An event of the window"), mend=self.let_go)

    def let_go(self) -> None:
        """Ends drags, and forgets the subjects under the pointer."""
        self.gestures, self.hot, self.over = Gestures(self._app.ask), None, None
        self._divider_held = self._moved = False

    def over_viewport(self) -> bool:
        """Whether the pointer is over the picture and not over a window or popup."""
        if self.pointer is None:
            return False
        x, y = self.pointer
        area = self._app.cameras.area
        return area.contains(x, y) and not self._app.host.covers(x, y)

    def _situation(self) -> GestureContext:
        app = self._app
        return GestureContext(
            **app.cameras.seen.facts,
            panes=app.builder.panes,
            density=app.cameras.density,
            settings=app.preferences.settings,
            gizmo=app.edits.gizmo,
            picked=self._picked,
            answers=app.quiz.answers,
            movable=app.lessons.movable,
        )

    def _picked(self, pane: Pane, x: float, y: float) -> Subject | None:
        app = self._app
        for shown, placed in zip(app.builder.panes, app.builder.placed, strict=True):
            if shown is pane:
                where = x - pane.rect.x, y - pane.rect.y, HIT_DISTANCE * app.cameras.density
                # Subjects that can answer the open question are found even behind others.
                answer = pick(placed, *where, kinds) if (kinds := app.quiz.answering_kinds) else None
                subject = answer or pick(placed, *where)
                if (
                    answer is not None
                    or app.edits.gizmo is None
                    or (subject is not None and subject.kind not in BEHIND_GIZMO)
                ):
                    return subject
                wide = where[0], where[1], GRAB_DISTANCE * app.cameras.density
                return pick(placed, *wide, {"gizmo"}) or subject
        return None

    def on_divider(self) -> bool:
        """Whether the pointer is on the line between the panes, or drags it."""
        if self._divider_held:
            return True
        panes = self._app.builder.panes
        if len(panes) != 2 or self.pointer is None or self.gestures.busy or not self.over_viewport():
            return False
        rect, (x, y) = panes[1].rect, self.pointer
        away = y - rect.y if panes_stacked(self._app.cameras.area) else x - rect.x
        return abs(away) <= DIVIDER_REACH * self._app.cameras.density

    def pointer_moved(self, x: float, y: float, held: Held) -> None:
        """Records the pointer's position; `follow` handles it once in each frame."""
        self._ahead |= self.pointer != (x, y)
        self.pointer, self._held, self._moved = (x, y), held, True
        self._app.host.pointer(x, y)

    def pointer_left(self) -> None:
        """Forgets the pointer, when it leaves the window, unless a gesture is under way."""
        if not self.gestures.busy:
            self.pointer, self.hot, self.over = None, None, None
            self._app.cameras.point_at(None)
        self._app.host.pointer_left()

    def panels_drawn(self) -> None:
        """Records that the panels had a frame since the last event."""
        self._unsettled = max(0, self._unsettled - 1)
        self._ahead = False

    def _settle(self) -> None:
        """Runs the panels until imgui has settled: a field opens or commits its number, a dialog takes the keyboard."""
        while self._unsettled:
            self._app.run_panels()

    def follow(self) -> None:
        """Handles the pointer's last position, once in each frame, for all its moves since the last frame."""
        if not self._moved or self.pointer is None:
            return
        self._moved = False
        x, y = self.pointer
        if self._divider_held:
            area = self._app.cameras.area
            share = (y - area.y) / area.height if panes_stacked(area) else (x - area.x) / area.width
            self._app.cameras.divider = min(max(share, NARROWEST), 1.0 - NARROWEST)
        elif self.gestures.busy:
            self.gestures.move(x, y, self._held, self._situation())
            if self.gestures.dragging and self.over is not None:
                # During a drag the body itself is pointed at. With its faces, the highlighted axis would change often.
                self._app.cameras.point_at(self.over)
        elif not self._app.host.held:
            self._hover(x, y)

    def _hover(self, x: float, y: float) -> None:
        if not self.over_viewport():
            # A panel under the pointer sets the subject that is pointed at.
            self.hot, self.over = None, None
            return
        pane = pane_at(self._app.builder.panes, x, y)
        self.over = subject = None if pane is None else self._picked(pane, x, y)
        handle = subject is not None and subject.kind == "gizmo"
        if subject is not None and self._rests(x, y):
            # While the pointer rests after a drag, only bodies and handles count, so that the rail keeps the verdict.
            subject = subject if subject.kind == "body" or handle or is_handle(subject) else None
        self.hot = subject if handle or is_handle(subject) else None
        if pane is not None and subject is not None and subject.kind == "body" and not self._rests(x, y):
            beside = pane.sight(x + HIT_DISTANCE * self._app.cameras.density, y)
            subject = face_pointed_at(subject, pane.kind, pane.sight(x, y), beside, self._app.cameras.seen)
        self._app.cameras.point_at(None if handle else subject)

    def _rests(self, x: float, y: float) -> bool:
        """Whether the pointer is still at the place where it ended a drag."""
        if (
            self._rest is not None
            and hypot(x - self._rest[0], y - self._rest[1]) > HIT_DISTANCE * self._app.cameras.density
        ):
            self._rest = None
        return self._rest is not None

    def pressed(self, button: MouseButton, x: float, y: float, held: Held) -> None:
        """Handles a button's press: on a panel, on the divider, or in the viewport. Ends animations."""
        self._end_animations()
        self.pointer_moved(x, y, held)
        self.follow()
        in_viewport = self._app.questions.pending is None and self.over_viewport()
        if in_viewport and button is MouseButton.LEFT and self.on_divider():
            self._divider_held = True
            return
        if self._ahead and not in_viewport:
            # imgui's tabs take a press only if the pointer was there in the frame before, so a frame runs first.
            self._app.run_panels()
        self._tell_button(button, True)
        if in_viewport:
            if self._app.host.typing:
                # A number that is being typed becomes an edit first. The gesture begins with the scene after that edit.
                self._settle()
            self.gestures.press(button, x, y, held, self._situation())

    def released(self, button: MouseButton, x: float, y: float, held: Held) -> None:
        """Handles a button's release."""
        self.pointer_moved(x, y, held)
        self.follow()
        self._tell_button(button, False)
        if button is MouseButton.LEFT:
            self._divider_held = False
        self._rest = (x, y) if self.gestures.dragging else self._rest
        self.gestures.release(button, x, y, held, perf_counter(), self._situation())
        self._moved = True

    def _end_animations(self) -> None:
        """Ends animations, so that the user's action does not wait for them."""
        self._app.steps.end_animation()
        self._app.lessons.end_animation()

    def _tell_button(self, button: MouseButton, down: bool) -> None:
        self._app.host.button(button.value, down)
        self._unsettled = SETTLING

    def scrolled(self, x: float, y: float, across: float, up: float, held: Held) -> None:
        """Handles the wheel: zooms in the viewport, scrolls elsewhere."""
        self.pointer_moved(x, y, held)
        if self.over_viewport() and self._app.questions.pending is None:
            if (view := zoomed(x, y, up, self._situation())) is not None:
                self._app.ask.look(view)
            self._moved = True
        else:
            self._app.host.wheel(across, up)

    def key_changed(self, chord: str, name: str, down: bool, held: Held) -> None:
        """Handles a key's press or release: by the drag under way, else by a text field, else by a command.

        A press ends animations.

        `chord`: such as `Ctrl+Shift+S`, "" for a key without one. `name`: imgui's name of the key.
        """
        if down:
            self._end_animations()
        # The panels must have run with a key and its modifiers before the modifiers are released.
        if down or held != self._held:
            self._settle()
        self._held = held
        self._app.host.modifiers(held.ctrl, held.shift, held.alt, False)
        self._app.host.key(name, down)
        self._unsettled = SETTLING
        if self.gestures.dragging:
            self._key_in_drag(chord, down, held)
        elif down and chord and not self._app.host.typing and self._app.questions.pending is None:
            self._key_command(chord)

    def _key_in_drag(self, chord: str, down: bool, held: Held) -> None:
        chord = chord.removeprefix("Ctrl+")
        if not down or not chord:
            self.gestures.held_changed(held, self._situation())
        elif chord == "Escape":
            self.gestures.cancel()
        elif chord in AXIS_KEYS:
            self.gestures.key(*AXIS_KEYS[chord], held, self._situation())

    def _key_command(self, chord: str) -> None:
        if self._app.host.walked and chord != "Escape":
            # A dialog in which keys move between the widgets takes all keys but Escape, which closes it.
            return
        if self._app.host.popup_open:
            # An open menu takes the keys.
            if chord == "Escape":
                self._app.host.close_popups()
            return
        if self._app.stage.shown is not None:
            press_on_stage(self._app, chord)
            return
        chord = self._app.lessons.linked(chord)
        if self._app.lessons.press(chord):
            return
        if chord == "Escape":
            if not self.gestures.cancel():
                escape(self._app)
            return
        command = self._app.commands.on_key(chord)
        if command is not None:
            self._app.invoke(command.id)

    def key_repeated(self, name: str) -> None:
        """Handles the repeat of a held key: imgui gets a release and a press.

        A command in REPEATING runs too, if nothing else takes the key.
        """
        self._app.host.key(name, False)
        self._app.host.key(name, True)
        taken = self._app.host.typing or self._app.host.walked or self._app.questions.pending
        free = not (self.gestures.dragging or taken)
        if name in REPEATING and free and self._held == Held():
            self._app.invoke(REPEATING[name])

    def typed(self, text: str) -> None:
        """Passes typed text to imgui."""
        self._app.host.text(text)

    def focused(self, focused: bool) -> None:
        """Handles a change of the keyboard focus; on gaining it, checks the files on disk."""
        self._app.host.focus(focused)
        if focused:
            self._app.look_at_disk()

    def disk_due(self) -> None:
        """Checks the files on disk, when a check is due."""
        with self.hearing("disk"):
            self._app.look_at_disk()

    def files_dropped(self, paths: tuple[Path, ...]) -> None:
        """Opens files that were dropped on the window."""
        self._app.files.drop(paths)

    def close_asked(self) -> None:
        """Handles the user's request to close the window."""
        self._app.close_asked()

    def draw_frame(self) -> float | None:
        """Draws a frame for the window; returns the seconds until the next frame is due, None if none is."""
        return self._app.draw_frame()

"""The pyglet window: turns its events into pixels, chords and names, and draws only when something changed.

Import this module only when a window is wanted: importing pyglet's window without a display raises. `open_window`
turns every way in which that can fail into GraphicsUnavailable, one sentence.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyglet
from msgspec import Struct

# Before anything else of pyglet: a hidden second window would take the GL context, and checking every call is slow.
pyglet.options.shadow_window = False
pyglet.options.debug_gl = False

from pyglet import clock  # noqa: E402 - after pyglet's options
from pyglet.window import NoSuchConfigException, key, mouse  # noqa: E402 - after pyglet's options

from ..input.bindings import Button, Held  # noqa: E402 - after pyglet's options
from .frame_clock import AFTER_EVENT, NEXT_TURN, FrameClock  # noqa: E402 - after pyglet's options
from .keys import CHORD_NAMES, IMGUI_NAMES  # noqa: E402 - after pyglet's options
from .late_swap import LateSwap  # noqa: E402 - after pyglet's options
from .x11 import X11Manners  # noqa: E402 - after pyglet's options

if TYPE_CHECKING:
    from .events import Events

FIRST_SIZE = (1280, 800)
SMALLEST_SIZE = (480, 320)
"""Sizes in points."""
LOOK_AGAIN = 0.001
"""Seconds between two looks whether a picture has been drawn to the end, where no other frame is due."""
SOON = 0.3
"""Seconds: frames closer to each other settle as they go."""
KEY_UP_SECONDS = 0.02
"""How often is looked whether keys are up, where that matters."""

COMMANDS = (key.LCOMMAND, key.RCOMMAND)


def point_scale(density: float, dpi: float, system: str = sys.platform) -> float:
    """Pixels to the point on a screen with `density` framebuffer pixels to a pixel of the window, and so many dpi.

    Where the window system counts in pixels (X11, Windows), the dots per inch say how large a point is. macOS counts in
    points, 72 to its inch.
    """
    return density if system == "darwin" or abs(density - 1.0) > 1e-6 else dpi / 96.0


class Extent(Struct, frozen=True):
    """Size of the window in framebuffer pixels, and pixels to the point (1/96 inch times the UI scale)."""

    pixels: tuple[int, int]
    scale: float


def _heard(window: type[ProgramWindow]) -> type[ProgramWindow]:
    """The window with a guard around each of its handlers: no fault in one goes on into pyglet's loop."""

    def guarded(name: str, handler: Callable[..., None]) -> Callable[..., None]:
        def hear(self: ProgramWindow, *arguments: Any) -> None:
            with nullcontext() if self.listener is None else self.listener.hearing(name):
                handler(self, *arguments)

        return wraps(handler)(hear)

    for name, handler in list(vars(window).items()):
        if name.startswith("on_"):
            setattr(window, name, guarded(name, handler))
    return window


@_heard
class ProgramWindow(X11Manners, pyglet.window.Window):  # type: ignore[misc]  # an Any to mypy
    """A window that redraws on demand, and tells `listener` its events. `ui_scale` multiplies the size of a point.

    `swaps_late`: while a picture is drawn the next is computed.
    """

    def __init__(self, **arguments: Any) -> None:
        self.listener: Events | None = None
        self.ui_scale = 1.0
        self.swaps_late = True
        self.frames_drawn = 0
        self.clock = FrameClock(self._draw_if_seen)
        self._by_itself = False
        self._shown = True
        self._held_keys: set[str] = set()
        self._held = Held()
        self._cursor_name = "arrow"
        self._own_clipboard = ""
        self._late = LateSwap(self.swap)
        super().__init__(**arguments)

    # Size.

    @property
    def extent(self) -> Extent:
        """Read anew every frame: the density changes when the window moves to another display."""
        width = self.get_size()[0]
        pixels = self.get_framebuffer_size()
        density = pixels[0] / max(1, width)
        return Extent((pixels[0], pixels[1]), point_scale(density, self.dpi) * self.ui_scale)

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        width, height = self.get_size()
        density = self.get_framebuffer_size()[0] / max(1, width)
        return x * density, (height - 1 - y) * density

    # Drawing.

    def mark_dirty(self, frames: int = AFTER_EVENT) -> None:
        """Something changed: draw as many frames."""
        self.clock.want(frames)

    def draw(self, dt: float) -> None:
        """Draws nothing: on some systems pyglet calls this at a rate of its own, while frames come on demand."""

    def draw_frame(self, dt: float) -> None:
        """Draws a frame and shows it. `dt`: seconds since the last."""
        super().draw(dt)

    def _draw_if_seen(self, dt: float) -> bool:
        seen = self._shown and self.context is not None
        if seen:
            self.draw_frame(dt)
        return seen

    def flip(self) -> None:
        """A frame is drawn: it is shown, or will be as soon as it is ready."""
        # The first one is waited for: the next would hold it up.
        self._late.drawn(late=self.swaps_late and self.frames_drawn > 1)
        if self._late.waits:
            clock.unschedule(self._show_unless_due)
            clock.schedule_once(self._show_unless_due, NEXT_TURN)

    def swap(self) -> None:
        """Brings what was drawn to the screen."""
        super().flip()

    def show_if_ready(self) -> None:
        """Shows the picture before, if it has been drawn to the end."""
        self._late.show_if_ready()

    def show(self) -> None:
        """Shows the picture before; to be called before anything is drawn into the window."""
        self._late.show()

    def _show_unless_due(self, _dt: float) -> None:
        # Where a frame is due, that shows it between its parts.
        if not self.clock.due and self.context is not None:
            self.switch_to()
            self._late.show_if_ready()
            if self._late.waits:
                clock.schedule_once(self._show_unless_due, LOOK_AGAIN)

    def on_draw(self) -> None:
        """Draws a frame, and arranges for the next where one is wanted without an event."""
        if self.listener is None:
            return
        self.frames_drawn += 1
        by_itself, self._by_itself = self._by_itself, False
        wanted = self.listener.draw_frame()
        if wanted is not None:
            clock.unschedule(self._wanted_frame)
            clock.schedule_once(self._wanted_frame, wanted)
        if by_itself and (wanted is None or wanted > SOON):
            # The last frame of something that went on by itself changes windows as an event does.
            self.mark_dirty(AFTER_EVENT - 1)

    def _wanted_frame(self, _dt: float) -> None:
        self._by_itself = True
        self.clock.want(1)

    def on_expose(self) -> None:
        """Part of the window was uncovered."""
        self.mark_dirty()

    def on_resize(self, _width: int, _height: int) -> None:
        """The window has another size; the frame reads it."""
        self.mark_dirty()

    def on_show(self) -> None:
        """The window is on the screen again."""
        self._shown = True
        self.mark_dirty()

    def on_hide(self) -> None:
        """Nobody sees the window: draw nothing."""
        self._shown = False

    # Pointer.

    def on_mouse_motion(self, x: float, y: float, _dx: float, _dy: float) -> None:
        """The pointer moves with no button held."""
        self._moved(x, y)

    def on_mouse_drag(self, x: float, y: float, _dx: float, _dy: float, _buttons: int, modifiers: int) -> None:
        """The pointer moves with a button held."""
        self._held = held_from(modifiers)
        self._moved(x, y)

    def on_mouse_enter(self, x: float, y: float) -> None:
        """The pointer comes back."""
        self._moved(x, y)

    def _moved(self, x: float, y: float) -> None:
        self._tell(lambda listener: listener.pointer_moved(*self._pixels(x, y), self._held))

    def _tell(self, tell: Callable[[Events], None]) -> None:
        if self.listener is not None:
            tell(self.listener)
            self.mark_dirty()

    def on_mouse_leave(self, _x: float, _y: float) -> None:
        """The pointer is elsewhere."""
        self._tell(lambda listener: listener.pointer_left())

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A button goes down."""
        self._button(x, y, button, modifiers, True)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A button comes up."""
        self._button(x, y, button, modifiers, False)

    def _button(self, x: float, y: float, number: int, modifiers: int, down: bool) -> None:
        if (button := _BUTTONS.get(number)) is not None:
            self._held, at = held_from(modifiers), self._pixels(x, y)
            self._tell(lambda listener: (listener.pressed if down else listener.released)(button, *at, self._held))

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        """The wheel turns."""
        self._tell(lambda listener: listener.scrolled(*self._pixels(x, y), scroll_x, scroll_y, self._held))

    # Keyboard.

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """A key goes down. pyglet's own handler, which closes the window on Escape, is not called."""
        self._key(symbol, modifiers, True)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """A key comes up."""
        self._key(symbol, modifiers, False)

    def _key(self, symbol: int, modifiers: int, down: bool) -> None:
        self._held = held_with(held_from(modifiers), symbol, down)
        if symbol in COMMANDS and not down:
            self._let_go()
        name = _IMGUI_NAMES.get(symbol, "")
        if name and down:
            self._held_keys.add(name)
        else:
            self._held_keys.discard(name)
        self._tell(lambda listener: listener.key_changed(chord_of(symbol, self._held), name, down, self._held))

    def _let_go(self) -> None:
        """Command goes up: macOS does not say when keys go up that were pressed with it."""
        for name in sorted(self._held_keys):
            self._tell(lambda listener, name=name: listener.key_changed("", name, False, self._held))  # type: ignore[misc]
        self._held_keys.clear()

    def on_text(self, text: str) -> None:
        """Text is typed; Return comes as a key."""
        if text != "\r":
            self._tell(lambda listener: listener.typed(text))

    def on_text_motion(self, motion: int) -> None:
        """A held editing key repeats; its first press came as a key too, and pyglet tells the two not apart."""
        name = _IMGUI_NAMES.get(_MOTION_KEYS.get(motion, 0), "")
        if name:
            # A press is followed at once by its own motion event; only those after it are repeats.
            fresh = name in self._held_keys
            self._held_keys.clear()
            if not fresh:
                self._tell(lambda listener: listener.key_repeated(name))

    # The same with Shift.
    on_text_motion_select = on_text_motion

    def on_activate(self) -> None:
        """The window has the keyboard."""
        self._tell(lambda listener: listener.focused(True))

    def on_deactivate(self) -> None:
        """Another window has the keyboard: every key counts as let go."""
        self._held = Held()
        self._held_keys.clear()
        self.forget_keys()
        self._tell(lambda listener: listener.focused(False))

    # The rest.

    def on_file_drop(self, _x: int, _y: int, paths: list[str]) -> None:
        """Files are dropped on the window."""
        self._tell(lambda listener: listener.dropped(tuple(Path(path) for path in paths)))

    def on_close(self) -> None:
        """The user wants to close the window; the listener decides."""
        self._tell(lambda listener: listener.close_asked())
        if self.listener is None:
            self.close()

    def toggle_full_screen(self) -> None:
        """Fills the screen, or takes it back, once every key is up: the new window would not hear them go up."""
        clock.schedule_once(self._toggle_full_screen, 0.0)

    def _toggle_full_screen(self, _dt: float) -> None:
        if self.pressed_keys:
            clock.schedule_once(self._toggle_full_screen, KEY_UP_SECONDS)
            return
        self.show()
        self.set_fullscreen(not self.fullscreen)
        self.mark_dirty()

    def show_cursor(self, name: str) -> None:
        """The mouse cursor by imgui's name."""
        if name != self._cursor_name:
            self._cursor_name = name
            self.set_mouse_cursor(self.get_system_mouse_cursor(_CURSORS.get(name, self.CURSOR_DEFAULT)))

    def copy(self, text: str) -> None:
        """Puts text on the clipboard; what is not ASCII would be cut by the X clipboard's count of bytes."""
        self._own_clipboard = text
        if _has_clipboard(self):
            whole = text.isascii() or not hasattr(self, "_x_display")
            self.set_clipboard_text(text if whole else text.encode("ascii", "replace").decode())

    def paste(self) -> str:
        """The text on the clipboard."""
        if not _has_clipboard(self):
            return self._own_clipboard
        text: str = self.x11_clipboard() if hasattr(self, "_x_display") else self.get_clipboard_text()
        # Our own text comes back whole, whatever the window system did to it.
        if text == self._own_clipboard.encode("ascii", "replace").decode():
            return self._own_clipboard
        return text


def held_from(modifiers: int) -> Held:
    """Modifier keys of a pyglet event; Command counts as Ctrl."""
    return Held(
        ctrl=bool(modifiers & (key.MOD_CTRL | key.MOD_COMMAND)),
        shift=bool(modifiers & key.MOD_SHIFT),
        alt=bool(modifiers & key.MOD_ALT),
    )


def held_with(held: Held, symbol: int, down: bool) -> Held:
    """The modifiers after the key `symbol` itself went down or up: its own event does not count it yet."""
    ctrl = down if symbol in (key.LCTRL, key.RCTRL, *COMMANDS) else held.ctrl
    shift = down if symbol in (key.LSHIFT, key.RSHIFT) else held.shift
    alt = down if symbol in (key.LALT, key.RALT, key.LOPTION, key.ROPTION) else held.alt
    return Held(ctrl, shift, alt)


def chord_of(symbol: int, held: Held) -> str:
    """`Ctrl+Shift+S` for a key press; a sign that Shift itself makes (`?`) stands without it. "" for other keys."""
    name = _CHORD_NAMES.get(symbol, "")
    if not name:
        return ""
    if held.shift and name == "/":
        name = "?"
    shifts = held.shift and (name.isalnum() or len(name) > 1)
    return "Ctrl+" * held.ctrl + "Alt+" * held.alt + "Shift+" * shifts + name


def open_window(*, visible: bool = True) -> ProgramWindow:
    """The program's window, sized for the display. Raises what pyglet raises when there is none."""
    screen: Any = pyglet.display.get_display().get_default_screen()
    dots = 1.0 if pyglet.options.headless else point_scale(1.0, screen.get_dpi())
    width, height = (int(size * dots) for size in FIRST_SIZE)
    room = (getattr(screen, "width", None) or width, getattr(screen, "height", None) or height)
    window = ProgramWindow(
        width=min(width, room[0]),
        height=min(height, room[1]),
        caption="Separatrix",
        resizable=True,
        file_drops=True,
        visible=visible,
        config=_config(screen),
    )
    window.set_minimum_size(*SMALLEST_SIZE)
    return window


def _config(screen: Any) -> Any:
    # Unless asked for eight bits a colour, EGL may well give five, and the background comes in bands.
    wanted = pyglet.gl.Config(  # type: ignore[abstract]  # pyglet makes one of the platform of it
        double_buffer=True, red_size=8, green_size=8, blue_size=8, depth_size=24, major_version=3, minor_version=3
    )
    try:
        return screen.get_best_config(wanted)
    except NoSuchConfigException:
        return None


def _has_clipboard(window: pyglet.window.Window) -> bool:
    return not pyglet.options.headless and hasattr(window, "get_clipboard_text")


_BUTTONS = dict(zip((mouse.LEFT, mouse.RIGHT, mouse.MIDDLE, mouse.MOUSE4, mouse.MOUSE5), Button, strict=True))

_CURSORS = {
    "arrow": pyglet.window.Window.CURSOR_DEFAULT,
    "text_input": pyglet.window.Window.CURSOR_TEXT,
    "resize_all": pyglet.window.Window.CURSOR_SIZE,
    "resize_ns": pyglet.window.Window.CURSOR_SIZE_UP_DOWN,
    "resize_ew": pyglet.window.Window.CURSOR_SIZE_LEFT_RIGHT,
    "resize_nesw": pyglet.window.Window.CURSOR_SIZE_UP_RIGHT,
    "resize_nwse": pyglet.window.Window.CURSOR_SIZE_UP_LEFT,
    "hand": pyglet.window.Window.CURSOR_HAND,
    "not_allowed": pyglet.window.Window.CURSOR_NO,
}

_MOTION_KEYS = {
    key.MOTION_UP: key.UP,
    key.MOTION_DOWN: key.DOWN,
    key.MOTION_LEFT: key.LEFT,
    key.MOTION_RIGHT: key.RIGHT,
    key.MOTION_PREVIOUS_WORD: key.LEFT,
    key.MOTION_NEXT_WORD: key.RIGHT,
    key.MOTION_BEGINNING_OF_LINE: key.HOME,
    key.MOTION_END_OF_LINE: key.END,
    key.MOTION_BEGINNING_OF_FILE: key.HOME,
    key.MOTION_END_OF_FILE: key.END,
    key.MOTION_PREVIOUS_PAGE: key.PAGEUP,
    key.MOTION_NEXT_PAGE: key.PAGEDOWN,
    key.MOTION_BACKSPACE: key.BACKSPACE,
    key.MOTION_DELETE: key.DELETE,
}

_CHORD_NAMES = {getattr(key, sign): name for sign, name in CHORD_NAMES.items()}
_IMGUI_NAMES = {getattr(key, sign): name for sign, name in IMGUI_NAMES.items()}

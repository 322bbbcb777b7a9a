"""The pyglet window: converts its events into pixels, chords and key names, and draws only after a change.

This module is imported only when a window is wanted: importing pyglet's window without a display raises.
`application.main` turns every such failure into GraphicsUnavailable with one sentence.
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

# Set before other imports of pyglet: its hidden second window would take the GL context, and checks of calls are slow.
pyglet.options.shadow_window = False
pyglet.options.debug_gl = False

from pyglet import clock  # noqa: E402 - after pyglet's options
from pyglet.window import NoSuchConfigException, key, mouse  # noqa: E402 - after pyglet's options

from ..input.bindings import Held, MouseButton  # noqa: E402 - after pyglet's options
from .frame_clock import AFTER_EVENT, NEXT_TURN, FrameClock  # noqa: E402 - after pyglet's options
from .keys import CHORD_NAMES, IMGUI_NAMES  # noqa: E402 - after pyglet's options
from .late_swap import LateSwap  # noqa: E402 - after pyglet's options
from .x11 import X11Manners  # noqa: E402 - after pyglet's options

if TYPE_CHECKING:
    from .events import Events

FIRST_SIZE = (1280, 800)
SMALLEST_SIZE = (480, 320)
"""The window's first and smallest width and height, points."""
LOOK_AGAIN = 0.001
"""Seconds between checks whether GL has finished a picture, if no frame is due."""
SOON = 0.3
"""Frames at most this many seconds apart need no extra settling frames."""
KEY_UP_SECONDS = 0.02
"""Seconds between checks whether all keys are up, before full screen is toggled."""

COMMAND_KEYS = (key.LCOMMAND, key.RCOMMAND)


def point_scale(density: float, dpi: float, system: str = sys.platform) -> float:
    """The framebuffer pixels per point, on a screen with this `dpi` and `density` framebuffer pixels per window unit.

    If the window's unit is the pixel (X11, Windows), the dots per inch give the size of a point, 1/96 inch. On macOS
    the unit is the point.
    """
    return density if system == "darwin" or abs(density - 1.0) > 1e-6 else dpi / 96.0


class WindowExtent(Struct, frozen=True):
    """The window's width and height in framebuffer pixels, and `scale`, the pixels per point times the UI scale."""

    pixels: tuple[int, int]
    scale: float


def _heard(window: type[ProgramWindow]) -> type[ProgramWindow]:
    """Wraps each event handler of the class in a guard, so that no exception reaches pyglet's loop."""

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
    """A window that redraws on demand and passes its events to `listener`. `ui_scale`: multiplies the size of a point.

    `swaps_late`: whether the next frame is computed while GL draws the last one.
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
    def extent(self) -> WindowExtent:
        """The window's present size; its scale changes if the window moves to another display."""
        width = self.get_size()[0]
        pixels = self.get_framebuffer_size()
        density = pixels[0] / max(1, width)
        return WindowExtent((pixels[0], pixels[1]), point_scale(density, self.dpi) * self.ui_scale)

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        width, height = self.get_size()
        density = self.get_framebuffer_size()[0] / max(1, width)
        return x * density, (height - 1 - y) * density

    # Drawing.

    def mark_dirty(self, frames: int = AFTER_EVENT) -> None:
        """Asks for frames after a change."""
        self.clock.want(frames)

    def draw(self, dt: float) -> None:
        """Draws nothing: on some systems pyglet calls this at its own rate, but frames are drawn on demand."""

    def draw_frame(self, dt: float) -> None:
        """Draws a frame and shows it. `dt`: seconds since the last frame."""
        super().draw(dt)

    def _draw_if_seen(self, dt: float) -> bool:
        seen = self._shown and self.context is not None
        if seen:
            self.draw_frame(dt)
        return seen

    def flip(self) -> None:
        """Shows the drawn frame, at once or when GL has finished it."""
        # The first frame is shown at once: otherwise the second would delay it.
        self._late.drawn(late=self.swaps_late and self.frames_drawn > 1)
        if self._late.waits:
            clock.unschedule(self._show_unless_due)
            clock.schedule_once(self._show_unless_due, NEXT_TURN)

    def swap(self) -> None:
        """Swaps the buffers."""
        super().flip()

    def show_if_ready(self) -> None:
        """Shows the previous picture if GL has finished it."""
        self._late.show_if_ready()

    def show(self) -> None:
        """Shows the previous picture. Must be called before anything is drawn into the window."""
        self._late.show()

    def _show_unless_due(self, _dt: float) -> None:
        # If a frame is due, it shows the picture between its own parts.
        if not self.clock.due and self.context is not None:
            self.switch_to()
            self._late.show_if_ready()
            if self._late.waits:
                clock.schedule_once(self._show_unless_due, LOOK_AGAIN)

    def on_draw(self) -> None:
        """Draws a frame, and schedules the next if the listener wants one without an event."""
        if self.listener is None:
            return
        self.frames_drawn += 1
        by_itself, self._by_itself = self._by_itself, False
        wanted = self.listener.draw_frame()
        if wanted is not None:
            clock.unschedule(self._wanted_frame)
            clock.schedule_once(self._wanted_frame, wanted)
        if by_itself and (wanted is None or wanted > SOON):
            # After the last frame of an animation, imgui settles as after an event.
            self.mark_dirty(AFTER_EVENT - 1)

    def _wanted_frame(self, _dt: float) -> None:
        self._by_itself = True
        self.clock.want(1)

    def on_expose(self) -> None:
        """Redraws when a part of the window was uncovered."""
        self.mark_dirty()

    def on_resize(self, _width: int, _height: int) -> None:
        """Redraws after a change of size; the frame reads the new size."""
        self.mark_dirty()

    def on_show(self) -> None:
        """Resumes drawing when the window is visible again."""
        self._shown = True
        self.mark_dirty()

    def on_hide(self) -> None:
        """Stops drawing while the window is not visible."""
        self._shown = False

    # Pointer.

    def on_mouse_motion(self, x: float, y: float, _dx: float, _dy: float) -> None:
        """Passes on a move of the pointer without a button."""
        self._moved(x, y)

    def on_mouse_drag(self, x: float, y: float, _dx: float, _dy: float, _buttons: int, modifiers: int) -> None:
        """Passes on a move of the pointer with a button held."""
        self._held = held_from(modifiers)
        self._moved(x, y)

    def on_mouse_enter(self, x: float, y: float) -> None:
        """Passes on the pointer's return to the window."""
        self._moved(x, y)

    def _moved(self, x: float, y: float) -> None:
        self._tell(lambda listener: listener.pointer_moved(*self._pixels(x, y), self._held))

    def _tell(self, tell: Callable[[Events], None]) -> None:
        if self.listener is not None:
            tell(self.listener)
            self.mark_dirty()

    def on_mouse_leave(self, _x: float, _y: float) -> None:
        """Passes on the pointer's exit from the window."""
        self._tell(lambda listener: listener.pointer_left())

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Passes on a button's press."""
        self._button(x, y, button, modifiers, True)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Passes on a button's release."""
        self._button(x, y, button, modifiers, False)

    def _button(self, x: float, y: float, number: int, modifiers: int, down: bool) -> None:
        if (button := _BUTTONS.get(number)) is not None:
            self._held, at = held_from(modifiers), self._pixels(x, y)
            self._tell(lambda listener: (listener.pressed if down else listener.released)(button, *at, self._held))

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        """Passes on the wheel's turn."""
        self._tell(lambda listener: listener.scrolled(*self._pixels(x, y), scroll_x, scroll_y, self._held))

    # Keyboard.

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """Passes on a key's press. pyglet's own handler, which closes the window on Escape, is not called."""
        self._key(symbol, modifiers, True)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Passes on a key's release."""
        self._key(symbol, modifiers, False)

    def _key(self, symbol: int, modifiers: int, down: bool) -> None:
        self._held = held_with(held_from(modifiers), symbol, down)
        if symbol in COMMAND_KEYS and not down:
            self._let_go()
        name = _IMGUI_NAMES.get(symbol, "")
        if name and down:
            self._held_keys.add(name)
        else:
            self._held_keys.discard(name)
        self._tell(lambda listener: listener.key_changed(chord_of(symbol, self._held), name, down, self._held))

    def _let_go(self) -> None:
        """Releases held keys when Command is released: macOS does not report the release of keys pressed with it."""
        for name in sorted(self._held_keys):
            self._tell(lambda listener, name=name: listener.key_changed("", name, False, self._held))  # type: ignore[misc]
        self._held_keys.clear()

    def on_text(self, text: str) -> None:
        """Passes on typed text, without Return, which is passed on as a key."""
        if text != "\r":
            self._tell(lambda listener: listener.typed(text))

    def on_text_motion(self, motion: int) -> None:
        """Passes on the repeat of a held editing key. pyglet also calls this for the first press."""
        name = _IMGUI_NAMES.get(_MOTION_KEYS.get(motion, 0), "")
        if name:
            # The first call after a press belongs to that press; only later ones are repeats.
            fresh = name in self._held_keys
            self._held_keys.clear()
            if not fresh:
                self._tell(lambda listener: listener.key_repeated(name))

    # pyglet reports the keys with Shift by another event.
    on_text_motion_select = on_text_motion

    def on_activate(self) -> None:
        """Passes on the gain of the keyboard focus."""
        self._tell(lambda listener: listener.focused(True))

    def on_deactivate(self) -> None:
        """Passes on the loss of the keyboard focus; every key counts as released."""
        self._held = Held()
        self._held_keys.clear()
        self.forget_keys()
        self._tell(lambda listener: listener.focused(False))

    # The rest.

    def on_file_drop(self, _x: int, _y: int, paths: list[str]) -> None:
        """Passes on files dropped on the window."""
        self._tell(lambda listener: listener.files_dropped(tuple(Path(path) for path in paths)))

    def on_close(self) -> None:
        """Asks the listener to close the window; closes it if there is no listener."""
        self._tell(lambda listener: listener.close_asked())
        if self.listener is None:
            self.close()

    def toggle_full_screen(self) -> None:
        """Toggles full screen when all keys are up: the new window would not get their releases."""
        clock.schedule_once(self._toggle_full_screen, 0.0)

    def _toggle_full_screen(self, _dt: float) -> None:
        if self.pressed_keys:
            clock.schedule_once(self._toggle_full_screen, KEY_UP_SECONDS)
            return
        self.show()
        self.set_fullscreen(not self.fullscreen)
        self.mark_dirty()

    def show_cursor(self, name: str) -> None:
        """Sets the mouse cursor by imgui's name."""
        if name != self._cursor_name:
            self._cursor_name = name
            self.set_mouse_cursor(self.get_system_mouse_cursor(_CURSORS.get(name, self.CURSOR_DEFAULT)))

    def copy(self, text: str) -> None:
        """Puts text on the clipboard. On X11, where pyglet counts bytes, characters other than ASCII become `?`."""
        self._own_clipboard = text
        if _has_clipboard(self):
            whole = text.isascii() or not hasattr(self, "_x_display")
            self.set_clipboard_text(text if whole else text.encode("ascii", "replace").decode())

    def paste(self) -> str:
        """The text on the clipboard; the original of a text that this program copied."""
        if not _has_clipboard(self):
            return self._own_clipboard
        text: str = self.x11_clipboard() if hasattr(self, "_x_display") else self.get_clipboard_text()
        # A text that this program copied is returned unchanged, with the characters that X11 lost.
        if text == self._own_clipboard.encode("ascii", "replace").decode():
            return self._own_clipboard
        return text


def held_from(modifiers: int) -> Held:
    """The modifier keys of a pyglet event; Command counts as Ctrl."""
    return Held(
        ctrl=bool(modifiers & (key.MOD_CTRL | key.MOD_COMMAND)),
        shift=bool(modifiers & key.MOD_SHIFT),
        alt=bool(modifiers & key.MOD_ALT),
    )


def held_with(held: Held, symbol: int, down: bool) -> Held:
    """The modifiers after the press or release of the key `symbol`. `held`: of its event, the state before."""
    ctrl = down if symbol in (key.LCTRL, key.RCTRL, *COMMAND_KEYS) else held.ctrl
    shift = down if symbol in (key.LSHIFT, key.RSHIFT) else held.shift
    alt = down if symbol in (key.LALT, key.RALT, key.LOPTION, key.ROPTION) else held.alt
    return Held(ctrl, shift, alt)


def chord_of(symbol: int, held: Held) -> str:
    """The chord of a key press, such as `Ctrl+Shift+S`; "" for a key without one.

    A character that needs Shift, such as `?`, has no `Shift+`.
    """
    name = _CHORD_NAMES.get(symbol, "")
    if not name:
        return ""
    if held.shift and name == "/":
        name = "?"
    shifts = held.shift and (name.isalnum() or len(name) > 1)
    return "Ctrl+" * held.ctrl + "Alt+" * held.alt + "Shift+" * shifts + name


def open_window(*, visible: bool = True) -> ProgramWindow:
    """The program's window, sized for the display. Raises pyglet's exceptions if there is no display."""
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
    # Unless eight bits are requested for each colour, EGL may give five, which shows bands in the background.
    wanted = pyglet.gl.Config(  # type: ignore[abstract]  # pyglet makes the platform's class of it
        double_buffer=True, red_size=8, green_size=8, blue_size=8, depth_size=24, major_version=3, minor_version=3
    )
    try:
        return screen.get_best_config(wanted)
    except NoSuchConfigException:
        return None


def _has_clipboard(window: pyglet.window.Window) -> bool:
    return not pyglet.options.headless and hasattr(window, "get_clipboard_text")


_BUTTONS = dict(zip((mouse.LEFT, mouse.RIGHT, mouse.MIDDLE, mouse.MOUSE4, mouse.MOUSE5), MouseButton, strict=True))

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

"""X11: what pyglet's window does badly there, done well. Nothing here is called where the window system is another."""

from __future__ import annotations

from ctypes import byref, string_at
from time import monotonic, sleep
from typing import Any

KEY_RELEASE = 3
"""X11's number for the event of a key let go."""
CLIPBOARD_SECONDS = 1.0
"""How long another program may take to hand over its clipboard, or the next part of it."""
CLIPBOARD_LIMIT = 64 << 20
"""Bytes; a longer text is no scene and no pair of bodies."""


class X11Manners:
    """Stands before pyglet's window class and takes the place of some of its methods."""

    def __init__(self, **arguments: Any) -> None:
        self.pressed_keys: set[int] = set()
        self._signs: dict[int, int] = {}
        super().__init__(**arguments)

    def forget_keys(self) -> None:
        """No key counts as held any more: another window may have heard it go up."""
        self.pressed_keys.clear()
        self._signs.clear()

    # pyglet tells a held key by its sign. A key let go after its Shift would have another sign than when it went down,
    # and would count as held for ever; so a key keeps the sign that it was pressed with.

    def _event_text_symbol(self: Any, event: Any) -> tuple[str | None, int]:
        text, symbol = super()._event_text_symbol(event)  # type: ignore[misc]  # of pyglet's window
        code = event.xkey.keycode
        kept = self._signs.pop(code, symbol) if event.type == KEY_RELEASE else self._signs.setdefault(code, symbol)
        return text, kept

    # pyglet's own handlers raise for a drag that offers three types or fewer, and for one without files.

    def _event_drag_enter(self: Any, event: Any) -> None:
        words = event.xclient.data.l
        if words[1] & 1:
            super()._event_drag_enter(event)  # type: ignore[misc]  # of pyglet's window
            return
        self._xdnd_source = words[0]
        self._xdnd_version = words[1] >> 24
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_format = files if files in (words[2], words[3], words[4]) else None

    def _event_drag_drop(self: Any, event: Any) -> None:
        if self._xdnd_format:
            super()._event_drag_drop(event)  # type: ignore[misc]  # of pyglet's window

    # pyglet waits for ever for a clipboard whose owner does not answer, and raises for text that is no UTF-8.

    def x11_clipboard(self: Any) -> str:
        """The text on the clipboard; "" where its owner has none or does not answer."""
        from pyglet.libs.x11 import xlib

        if self._clipboard_str is not None:
            return str(self._clipboard_str)
        display, window, clipboard = self._x_display, self._window, self._clipboard_atom
        xlib.XConvertSelection(display, clipboard, self._utf8_atom, clipboard, window, xlib.CurrentTime)
        event = self._awaited(xlib.SelectionNotify)
        if event is None or not event.xselection.property:
            return ""
        data, kind = self._clipboard_part()
        # What comes in parts announces itself by a property of this type.
        if kind == xlib.XInternAtom(display, b"INCR", 0):
            data = self._clipboard_in_parts()
        xlib.XDeleteProperty(display, window, clipboard)
        return str(data, "utf-8", "replace")

    def _awaited(self: Any, kind: int) -> Any:
        """The next event of this kind; None where none comes in time."""
        from pyglet.libs.x11 import xlib

        event, end = xlib.XEvent(), monotonic() + CLIPBOARD_SECONDS
        while not xlib.XCheckTypedWindowEvent(self._x_display, self._window, kind, byref(event)):
            if monotonic() > end:
                return None
            sleep(0.002)
        return event

    def _clipboard_part(self: Any) -> tuple[bytes, int]:
        """The text that lies ready, and the type of what does: 0 where nothing does."""
        from pyglet.libs.x11 import xlib

        data, size, kind = self.get_single_property(self._window, self._clipboard_atom, xlib.AnyPropertyType)
        part = string_at(data, size) if data and kind == self._utf8_atom else b""
        if data:
            xlib.XFree(data)
        return part, kind

    def _clipboard_in_parts(self: Any) -> bytes:
        """A text too long for one message: each part is put down when the one before was taken away (ICCCM 2.7.2)."""
        from pyglet.libs.x11 import xlib

        event = xlib.XEvent()
        while xlib.XCheckTypedWindowEvent(self._x_display, self._window, xlib.PropertyNotify, byref(event)):
            # The announcement itself is no part.
            pass
        parts: list[bytes] = []
        while sum(map(len, parts)) <= CLIPBOARD_LIMIT:
            xlib.XDeleteProperty(self._x_display, self._window, self._clipboard_atom)
            kind = 0
            while not kind:
                if self._awaited(xlib.PropertyNotify) is None:
                    return b""
                part, kind = self._clipboard_part()
            if not part:
                return b"".join(parts)
            parts.append(part)
        return b""

"""Corrects faults of pyglet's window on X11. On other window systems, pyglet does not call the methods for events."""

from __future__ import annotations

from ctypes import byref, string_at
from time import monotonic, sleep
from typing import Any

KEY_RELEASE = 3
"""X11's number of the event for a key's release."""
CLIPBOARD_SECONDS = 1.0
"""The timeout, seconds, for a clipboard text of another program, or for its next part."""
CLIPBOARD_LIMIT = 64 << 20
"""The most bytes of a clipboard text; a scene is shorter."""


class X11Manners:
    """A mixin that overrides some methods of pyglet's window class."""

    def __init__(self, **arguments: Any) -> None:
        self.pressed_keys: set[int] = set()
        self._signs: dict[int, int] = {}
        super().__init__(**arguments)

    def forget_keys(self) -> None:
        """Forgets all held keys: another window may have got their releases."""
        self.pressed_keys.clear()
        self._signs.clear()

    # pyglet identifies a held key by its symbol. If Shift is released before the key, the key's release has another
    # symbol than its press, and the key would count as held for ever. So a key keeps the symbol of its press.

    def _event_text_symbol(self: Any, event: Any) -> tuple[str | None, int]:
        text, symbol = super()._event_text_symbol(event)  # type: ignore[misc]  # of pyglet's window
        code = event.xkey.keycode
        kept = self._signs.pop(code, symbol) if event.type == KEY_RELEASE else self._signs.setdefault(code, symbol)
        return text, kept

    # pyglet's own handlers raise for a drag with at most three types, and for a drag without files.

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

    # pyglet waits for ever if the clipboard's owner does not answer, and raises for text that is not UTF-8.

    def x11_clipboard(self: Any) -> str:
        """The text on the clipboard; "" if its owner has none or does not answer, or if it is too long."""
        from pyglet.libs.x11 import xlib

        if self._clipboard_str is not None:
            return str(self._clipboard_str)
        display, window, clipboard = self._x_display, self._window, self._clipboard_atom
        xlib.XConvertSelection(display, clipboard, self._utf8_atom, clipboard, window, xlib.CurrentTime)
        event = self._awaited(xlib.SelectionNotify)
        if event is None or not event.xselection.property:
            return ""
        data, kind = self._clipboard_part()
        # A property of this type announces a text in parts.
        if kind == xlib.XInternAtom(display, b"INCR", 0):
            data = self._clipboard_in_parts()
        xlib.XDeleteProperty(display, window, clipboard)
        return str(data, "utf-8", "replace")

    def _awaited(self: Any, kind: int) -> Any:
        """The next event of this kind; None if there is none within CLIPBOARD_SECONDS."""
        from pyglet.libs.x11 import xlib

        event, end = xlib.XEvent(), monotonic() + CLIPBOARD_SECONDS
        while not xlib.XCheckTypedWindowEvent(self._x_display, self._window, kind, byref(event)):
            if monotonic() > end:
                return None
            sleep(0.002)
        return event

    def _clipboard_part(self: Any) -> tuple[bytes, int]:
        """Returns the bytes in the clipboard's property, and the property's type, 0 if there is no property.

        The bytes are empty unless they are UTF-8 text.
        """
        from pyglet.libs.x11 import xlib

        data, size, kind = self.get_single_property(self._window, self._clipboard_atom, xlib.AnyPropertyType)
        part = string_at(data, size) if data and kind == self._utf8_atom else b""
        if data:
            xlib.XFree(data)
        return part, kind

    def _clipboard_in_parts(self: Any) -> bytes:
        """The bytes of a text that is too long for one property; b"" after a timeout or beyond CLIPBOARD_LIMIT.

        The owner writes each part after the previous one was deleted (ICCCM 2.7.2).
        """
        from pyglet.libs.x11 import xlib

        event = xlib.XEvent()
        while xlib.XCheckTypedWindowEvent(self._x_display, self._window, xlib.PropertyNotify, byref(event)):
            # Removes the events of the announcement, which is not a part.
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

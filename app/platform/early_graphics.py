"""What takes long without Python is done beside the imports of the start: on Linux, where it is an eighth of it.

A connection to the display has the system's GL choose a configuration, and so load the driver, and X11 its input
method, which reads the keyboard's compositions. pyglet goes on with both. Where anything of that is missing, nothing
happens, and the window says later what is missing.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

# The system loads one library at a time: these would wait until the driver is there, and everything else for them.
import msgspec  # noqa: F401
import numpy as np  # noqa: F401

T = TypeVar("T")

SONAMES = {
    "EGL": "libEGL.so.1",
    "GL": "libGL.so.1",
    "X11": "libX11.so.6",
    "Xext": "libXext.so.6",
    "Xinerama": "libXinerama.so.1",
    "Xrandr": "libXrandr.so.2",
    "Xrender": "libXrender.so.1",
    "Xxf86vm": "libXxf86vm.so.1",
}
"""What pyglet and moderngl ask ctypes for, which starts a process for each: their names have been these for decades."""
RENDERABLE = (ctypes.c_int * 5)(5, 1, 0x8012, 1, 0)  # GLX_DOUBLEBUFFER, GLX_X_RENDERABLE


class EarlyGraphics:
    """The driver on its way, from the first line of the start to `ready`; `close` lets go of what nobody took over."""

    def __init__(self) -> None:
        self._x11: ctypes.CDLL | None = None
        self._display: int | None = None
        self._input_method: int | None = None
        self._thread: Thread | None = None
        if sys.platform == "linux":
            ctypes.util.find_library = _found
            if os.environ.get("DISPLAY"):
                self._thread = Thread(target=self._load, name="graphics driver", daemon=True)
                self._thread.start()

    def ready(self) -> None:
        """Waits until nothing of it runs any more; to be called before the window is made."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def hand_over(self, make_display: Callable[[], T]) -> T:
        """What `make_display` gives, pyglet's display, which gets the connection and the input method of this one."""
        self.ready()
        if self._display is None:
            return make_display()
        from pyglet.libs.x11 import xlib

        opened: Any = xlib.XOpenDisplay
        ours = ctypes.cast(ctypes.c_void_p(self._display), opened.restype)
        xlib.XOpenDisplay = lambda _: ours
        try:
            display = make_display()
        finally:
            xlib.XOpenDisplay = opened
        if getattr(display, "_display", None) is ours:
            self._display = None
            if self._input_method:
                vars(display)["_x_im"] = ctypes.cast(ctypes.c_void_p(self._input_method), xlib.XIM)
        return display

    def close(self) -> None:
        """Ends the connection, if it is still its own."""
        self.ready()
        if self._display is not None and self._x11 is not None:
            self._x11.XCloseDisplay(ctypes.c_void_p(self._display))
            self._display = None

    def _load(self) -> None:
        with suppress(OSError, AttributeError):
            x11, gl = ctypes.CDLL(SONAMES["X11"]), ctypes.CDLL(SONAMES["GL"])
            x11.XInitThreads()
            x11.XOpenDisplay.restype = x11.XOpenIM.restype = ctypes.c_void_p
            self._x11, self._display = x11, x11.XOpenDisplay(None)
            if self._display:
                display = ctypes.c_void_p(self._display)
                gl.glXChooseFBConfig(display, x11.XDefaultScreen(display), RENDERABLE, ctypes.byref(ctypes.c_int()))
                # As pyglet asks for it.
                x11.XSetLocaleModifiers(b"@im=none")
                self._input_method = x11.XOpenIM(display, None, None, None)


def _found(name: str) -> str | None:
    known = SONAMES.get(name)
    with suppress(OSError):
        if known is not None:
            ctypes.CDLL(known)
            return known
    return _find_library(name)


_find_library = ctypes.util.find_library

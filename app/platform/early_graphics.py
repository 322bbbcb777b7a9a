"""The graphics driver is loaded beside the imports of the start: on Linux, where it takes as long as a tenth of them.

A connection to the display of its own has the system's GL choose a configuration, and so load the driver. Where
anything of that is missing, nothing happens, and the window says later what is missing.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread

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
    """The driver on its way, from the first line of the start to `ready`; `close` lets go of the display."""

    def __init__(self) -> None:
        self._close: Callable[[], object] | None = None
        self._thread: Thread | None = None
        if sys.platform != "linux":
            return
        ctypes.util.find_library = _found
        if os.environ.get("DISPLAY"):
            self._thread = Thread(target=self._load, name="graphics driver", daemon=True)
            self._thread.start()

    def ready(self) -> None:
        """Waits until nothing of it runs any more; to be called before the window is made."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def close(self) -> None:
        """Ends the connection; the window, if there is one, holds the driver by then."""
        self.ready()
        if self._close is not None:
            self._close()
            self._close = None

    def _load(self) -> None:
        with suppress(OSError, AttributeError):
            x11, gl = ctypes.CDLL(SONAMES["X11"]), ctypes.CDLL(SONAMES["GL"])
            x11.XInitThreads()
            x11.XOpenDisplay.restype = ctypes.c_void_p
            display = ctypes.c_void_p(x11.XOpenDisplay(None))
            if display:
                self._close = partial(x11.XCloseDisplay, display)
                gl.glXChooseFBConfig(display, x11.XDefaultScreen(display), RENDERABLE, ctypes.byref(ctypes.c_int()))


def _found(name: str) -> str | None:
    known = SONAMES.get(name)
    with suppress(OSError):
        if known is not None:
            ctypes.CDLL(known)
            return known
    return _find_library(name)


_find_library = ctypes.util.find_library

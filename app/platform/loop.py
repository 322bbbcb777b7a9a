"""Runs pyglet's event loop so that it is idle if there is nothing to do, on every system."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pyglet
from pyglet import clock

MAC_TICK = 1.0 / 120.0
"""Seconds between two turns of the loop on macOS."""


def run_loop(system: str = sys.platform) -> None:
    """Runs pyglet's loop without its redraw at 60 Hz; only `ProgramWindow.mark_dirty` asks for frames."""
    if system != "darwin":
        pyglet.app.run(interval=None)
        return
    _close_on_command_q()
    # On macOS the loop turns ten thousand times a second unless it has a redraw interval. At each interval it calls the
    # window's `draw`, which draws nothing.
    pyglet.app.run(interval=MAC_TICK)


def _close_on_command_q() -> None:
    """Makes Cmd+Q, an item of pyglet's menu, close the window, so that the program asks about unsaved work."""
    from pyglet.libs import darwin

    cocoapy: Any = darwin.cocoapy
    menu = cocoapy.ObjCClass("NSApplication").sharedApplication().mainMenu()
    items = menu.itemAtIndex_(0).submenu()
    items.itemAtIndex_(items.numberOfItems() - 1).setAction_(cocoapy.get_selector("performClose:"))


def stop_loop() -> None:
    """Leaves the loop after the current event."""
    pyglet.app.exit()


def every(seconds: float, call: Callable[[], None]) -> None:
    """Calls a function every `seconds` while the loop runs."""
    clock.schedule_interval(lambda _dt: call(), seconds)

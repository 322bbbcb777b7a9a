"""pyglet's event loop, on each system so that nothing happens while nothing is to be done."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pyglet
from pyglet import clock

MAC_TICK = 1.0 / 120.0
"""Seconds between two looks of the loop at what is due, on macOS."""


def run_loop(system: str = sys.platform) -> None:
    """Runs pyglet's loop without its redraw at 60 Hz: frames come from `mark_dirty` alone."""
    if system != "darwin":
        pyglet.app.run(interval=None)
        return
    _close_on_command_q()
    # There the loop looks ten thousand times a second for what is due unless it is told how often to redraw; the
    # window's `draw`, which it calls then, draws nothing.
    pyglet.app.run(interval=MAC_TICK)


def _close_on_command_q() -> None:
    """Has Cmd+Q, an item of the menu that pyglet makes, close the window, which asks about unsaved work."""
    from pyglet.libs import darwin

    cocoapy: Any = darwin.cocoapy
    menu = cocoapy.ObjCClass("NSApplication").sharedApplication().mainMenu()
    items = menu.itemAtIndex_(0).submenu()
    items.itemAtIndex_(items.numberOfItems() - 1).setAction_(cocoapy.get_selector("performClose:"))


def stop_loop() -> None:
    """Leaves the loop after the event at hand."""
    pyglet.app.exit()


def every(seconds: float, call: Callable[[], None]) -> None:
    """Calls a function again and again while the loop runs."""
    clock.schedule_interval(lambda _dt: call(), seconds)

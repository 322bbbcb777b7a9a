"""Schedules a window's frames: one after all waiting events, and a few settling frames for imgui.

During a drag the pointer moves some hundred times a second, and a frame may take longer than the time between two
moves. So a frame runs only after the loop has handled the waiting events. Otherwise the settling frames for one
position would be drawn before the next position is read, and a dragged body would skip two of three positions.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from pyglet import clock

AFTER_EVENT = 3
"""The number of frames that imgui needs to settle hover, focus and window sizes."""
NEXT_TURN = 1e-6
"""A delay, seconds, after which the loop has handled the waiting events."""
SETTLE = 0.02
"""Seconds between a frame and a settling frame: enough for the next move of a dragged pointer."""


class FrameClock:
    """The frame schedule of one window. `draw(dt)`: draws a frame; returns False if the window is not visible."""

    def __init__(self, draw: Callable[[float], bool]) -> None:
        self._draw = draw
        self._wanted = 0
        self.due = False

    def want(self, frames: int = AFTER_EVENT) -> None:
        """Asks for at least `frames` frames, the first at the loop's next turn."""
        self._wanted = max(self._wanted, frames)
        if not self.due:
            self.due = True
            clock.schedule_once(self.draw_due, NEXT_TURN)

    def draw_due(self, dt: float) -> None:
        """Draws the frame of this turn, and schedules a settling frame if more are wanted.

        While the window is not visible, the wanted frames stay wanted.
        """
        self.due = False
        clock.unschedule(self.settle)
        began, wanted = perf_counter(), self._wanted
        self._wanted = max(0, wanted - 1)
        if not self._draw(dt):
            self._wanted = wanted
        elif self._wanted:
            # pyglet's clock counts from the beginning of its turn, so the frame's own duration is added.
            clock.schedule_once(self.settle, perf_counter() - began + SETTLE)

    def settle(self, dt: float) -> None:
        """Draws a settling frame, unless a frame is due anyway."""
        if not self.due:
            self.draw_due(dt)

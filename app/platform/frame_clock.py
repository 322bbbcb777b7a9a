"""When a window draws: a frame for what is new, after all events that have come; and when imgui settles, a few more.

A pointer that is dragged comes some hundred times a second, and a frame may take longer than that. So what is put on
the clock here waits until the loop has heard the events: else frames that settle would be drawn for each place of the
pointer before the next is known, and a body would come to a third of the places.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from pyglet import clock

AFTER_EVENT = 3
"""imgui settles hover, focus and window sizes over as many frames."""
NEXT_TURN = 1e-6
"""Seconds: whatever is put on the clock for then waits until the loop has heard the events that have come."""
SETTLE = 0.02
"""Seconds between a frame and the next that settles: a pointer that is dragged has moved by then."""


class FrameClock:
    """Of one window. `draw`: draws a frame, given the seconds since the last; False where nobody sees it."""

    def __init__(self, draw: Callable[[float], bool]) -> None:
        self._draw = draw
        self._wanted = 0
        self.due = False

    def want(self, frames: int = AFTER_EVENT) -> None:
        """As many frames from now on, the first at the loop's next turn."""
        self._wanted = max(self._wanted, frames)
        if not self.due:
            self.due = True
            clock.schedule_once(self.draw_due, NEXT_TURN)

    def draw_due(self, dt: float) -> None:
        """The frame of this turn."""
        self.due = False
        clock.unschedule(self.settle)
        began, wanted = perf_counter(), self._wanted
        self._wanted = max(0, wanted - 1)
        if not self._draw(dt):
            self._wanted = wanted
        elif self._wanted:
            # pyglet's clock counts from the beginning of its turn.
            clock.schedule_once(self.settle, perf_counter() - began + SETTLE)

    def settle(self, dt: float) -> None:
        """One frame more for what is there already, unless one is due."""
        if not self.due:
            self.draw_due(dt)

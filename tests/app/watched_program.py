"""The program as a user starts it, telling on standard output how it stands; run as a module, with its arguments.

    TURN FRAMES RESTS

a line a turn of the event loop, some twenty a second: the number of the turn, the frames drawn so far, and 1 where the
window has drawn all that it wants to draw, else 0. Events that had come before a turn are dealt with by the second turn
after it, so whoever waits for that, and for the rest, need not guess how long the program takes.

Two limits of time are others than the user's, by variables of the environment: CLIPBOARD_SECONDS, how long another
program may take to hand over the clipboard, and NOTICE_SECONDS, how long a notice stands.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from app.__main__ import main
from app.controllers import notices
from app.platform import window, x11

EVERY = 0.05
"""Seconds between two lines."""


class WatchedWindow(window.ProgramWindow):
    """Tells how it stands, from within the event loop: never in the middle of an event."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.turn = 0
        window.clock.schedule_interval(self.tell, EVERY)

    def tell(self, _dt: float) -> None:
        self.turn += 1
        print(self.turn, self.frames_drawn, int(self.frames_drawn > 0 and not self.awaited()), flush=True)

    def awaited(self) -> bool:
        """Whether a frame, or what leads to one, is on the clock."""
        leading = (self.clock.draw_due, self.clock.settle, self._wanted_frame, self._toggle_full_screen)
        return any(item.func in leading for item in window.clock.get_default()._schedule_interval_items)


if __name__ == "__main__":
    window.ProgramWindow = WatchedWindow
    x11.CLIPBOARD_SECONDS = float(os.environ["CLIPBOARD_SECONDS"])
    notices.NOTICE_SECONDS = float(os.environ["NOTICE_SECONDS"])
    sys.exit(main(sys.argv[1:]))

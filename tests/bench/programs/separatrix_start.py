"""Our first frame: the program's own start, ended when the first frame is on the screen.

Prints {"shown": time.monotonic() when it stands}.
"""

from __future__ import annotations

import json
import time

from app.__main__ import main
from app.platform import window
from app.platform.loop import stop_loop


class FirstFrame(window.ProgramWindow):
    """The program's window, which leaves the loop after the first frame."""

    has_shown = False

    def swap(self) -> None:
        super().swap()
        if not self.has_shown:
            self.has_shown = True
            print(json.dumps({"shown": time.monotonic()}), flush=True)
            stop_loop()


window.ProgramWindow = FirstFrame
main([])

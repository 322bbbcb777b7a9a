"""Our first frame: the program's own start, ended when the first frame is on the screen.

Prints {"shown": time.monotonic() when it stands}.
"""

from __future__ import annotations

import json
import time

from app.__main__ import main
from app.platform import window


class FirstFrame(window.ProgramWindow):
    """The program's window, which leaves the loop after the first frame."""

    def flip(self) -> None:
        super().flip()
        if self.frames_drawn == 1:
            print(json.dumps({"shown": time.monotonic()}), flush=True)
            window.stop_loop()


window.ProgramWindow = FirstFrame
main([])

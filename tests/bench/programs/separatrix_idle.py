"""Our window left alone: separatrix_idle.py SECONDS counts frames and processor time once the start has settled.

Prints {"frames": number, "cpu_seconds": number}.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time

from app.__main__ import main
from app.platform import window

SETTLED = 3.0
"""Seconds after the window's making in which the start's own frames end."""

opened: queue.Queue[window.ProgramWindow] = queue.Queue()


class Watched(window.ProgramWindow):
    """The program's window, handed to the thread that watches it."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)
        opened.put(self)


def watch(seconds: float) -> None:
    left_alone = opened.get()
    time.sleep(SETTLED)
    frames, cpu = left_alone.frames_drawn, time.process_time()
    time.sleep(seconds)
    answer = {"frames": left_alone.frames_drawn - frames, "cpu_seconds": time.process_time() - cpu}
    print(json.dumps(answer), flush=True)
    os._exit(0)  # the loop sleeps until an event comes, and none will


window.ProgramWindow = Watched
threading.Thread(target=watch, args=(float(sys.argv[1]),), daemon=True).start()
main([])

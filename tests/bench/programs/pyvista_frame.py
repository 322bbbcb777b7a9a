"""The peer's side of the drag: pyvista_frame.py GEOMETRY.npz FRAMES [plain], on screen.

With PyVista's default anti-aliasing; `plain`: without any. Prints {"seconds": [one a frame], "processor": [...],
"thread": of the main thread, "loop": of a fixed loop beside each frame}.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter, process_time, thread_time

import fixed_loop
from pyvista_scene import shown

plotter, meshes = shown(sys.argv[1], plain="plain" in sys.argv)
seconds, processor, thread, loop = [], [], [], []
for frame in range(int(sys.argv[2])):
    loop.append(fixed_loop.seconds())
    began, worked, alone = perf_counter(), process_time(), thread_time()
    step = 0.01 if frame % 2 else -0.01
    for mesh in meshes:
        mesh.points += (step, 0.0, 0.0)
    plotter.render()
    seconds.append(perf_counter() - began)
    processor.append(process_time() - worked)
    thread.append(thread_time() - alone)
print(json.dumps({"seconds": seconds, "processor": processor, "thread": thread, "loop": loop}))
plotter.close()

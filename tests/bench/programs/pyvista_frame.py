"""The peer's side of the drag: pyvista_frame.py GEOMETRY.npz FRAMES [plain], on screen.

With PyVista's default anti-aliasing; `plain`: without any. Prints {"seconds": [one a frame], "processor": [...]}.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter, process_time

from pyvista_scene import shown

plotter, meshes = shown(sys.argv[1], plain="plain" in sys.argv)
seconds, processor = [], []
for frame in range(int(sys.argv[2])):
    began, worked = perf_counter(), process_time()
    step = 0.01 if frame % 2 else -0.01
    for mesh in meshes:
        mesh.points += (step, 0.0, 0.0)
    plotter.render()
    seconds.append(perf_counter() - began)
    processor.append(process_time() - worked)
print(json.dumps({"seconds": seconds, "processor": processor}))
plotter.close()

"""The peer's side of the drag: pyvista_frame.py GEOMETRY.npz FRAMES, on screen with PyVista's default anti-aliasing.

Prints {"seconds": [one a frame]}.
"""

from __future__ import annotations

import json
import sys
import time

from pyvista_scene import shown

plotter, meshes = shown(sys.argv[1])
seconds = []
for frame in range(int(sys.argv[2])):
    began = time.perf_counter()
    step = 0.01 if frame % 2 else -0.01
    for mesh in meshes:
        mesh.points += (step, 0.0, 0.0)
    plotter.render()
    seconds.append(time.perf_counter() - began)
print(json.dumps({"seconds": seconds}))
plotter.close()

"""Another peer's side of the drag: polyscope_frame.py GEOMETRY.npz FRAMES, on screen with Polyscope's own settings.

It has one view: what our two panes show stands side by side. The solids' colours are its own, as are its shadows.
Prints {"seconds": [one a frame], "processor": [...]}. The geometry file: pyvista_scene.py.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter, process_time

import numpy as np
import polyscope as ps

ps.set_verbosity(0)
ps.set_use_prefs_file(False)
ps.set_window_size(1280, 800)
ps.set_enable_vsync(False)
ps.set_frame_tick_limit_fps_mode("ignore_limits")
ps.init()
geometry = np.load(sys.argv[1])
shown = []
for column, name in enumerate(("world", "difference")):
    aside = np.array((8.0 * column, 0.0, 0.0))
    corners = geometry[f"{name}_corners"].reshape(-1, 3) + aside
    mesh = ps.register_surface_mesh(name, corners, np.arange(len(corners)).reshape(-1, 3))
    shown.append((mesh.update_vertex_positions, corners))
    ends = np.stack([geometry[f"{name}_start"], geometry[f"{name}_end"]], axis=1).reshape(-1, 3) + aside
    lines = ps.register_curve_network(f"{name} lines", ends, np.arange(len(ends)).reshape(-1, 2))
    shown.append((lines.update_node_positions, ends))
seconds, processor = [], []
for frame in range(int(sys.argv[2])):
    began, worked = perf_counter(), process_time()
    for update, points in shown:
        update(points + np.array((0.01 * (frame % 2), 0.0, 0.0)))
    ps.frame_tick()
    seconds.append(perf_counter() - began)
    processor.append(process_time() - worked)
print(json.dumps({"seconds": seconds, "processor": processor}))

"""The peer's first frame: two boxes and their edges on screen. Prints {"shown": time.monotonic() when it stands}."""

from __future__ import annotations

import json
import time

import pyvista as pv

plotter = pv.Plotter(window_size=(1280, 800))
for centre in ((0.0, 0.0, 0.0), (1.2, 0.4, 0.2)):
    box = pv.Cube(center=centre)
    plotter.add_mesh(box, opacity=0.6)
    plotter.add_mesh(box.extract_all_edges(), line_width=2)
plotter.show(interactive_update=True, auto_close=False)
print(json.dumps({"shown": time.monotonic()}), flush=True)
plotter.close()

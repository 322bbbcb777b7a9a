"""The peer's first frame of the same scene: pyvista_start.py GEOMETRY.npz.

Prints {"shown": time.monotonic() when it stands}.
"""

from __future__ import annotations

import json
import sys
import time

from pyvista_scene import shown

plotter, _ = shown(sys.argv[1])
print(json.dumps({"shown": time.monotonic()}), flush=True)
plotter.close()

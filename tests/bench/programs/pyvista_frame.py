"""The peer's side of the drag: PyVista draws the same solids and lines on screen with its default anti-aliasing.

Usage: pyvista_frame.py GEOMETRY.npz FRAMES. The file holds, for each pane, `NAME_corners` (m, 3, 3) with
`NAME_rgba` (m, 4), and `NAME_start`, `NAME_end` (n, 3) with `NAME_line_rgba` (n, 4). All lines are one mesh.
Prints {"seconds": [one a frame]}.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import pyvista as pv


def solid(corners: np.ndarray, rgba: np.ndarray) -> pv.PolyData:
    count = len(corners)
    faces = np.column_stack([np.full(count, 3), np.arange(3 * count).reshape(-1, 3)])
    mesh = pv.PolyData(corners.reshape(-1, 3), faces=faces.ravel())
    mesh.cell_data["rgba"] = (rgba * 255).astype(np.uint8)
    return mesh


def lines(start: np.ndarray, end: np.ndarray, rgba: np.ndarray) -> pv.PolyData:
    count = len(start)
    cells = np.column_stack([np.full(count, 2), np.arange(2 * count).reshape(-1, 2)])
    mesh = pv.PolyData(np.stack([start, end], axis=1).reshape(-1, 3), lines=cells.ravel())
    mesh.cell_data["rgba"] = (rgba * 255).astype(np.uint8)
    return mesh


def main(path: str, frames: int) -> None:
    geometry = np.load(path)
    plotter = pv.Plotter(shape=(1, 2), window_size=(1280, 800), border=False)
    meshes = []
    for column, name in enumerate(("world", "difference")):
        plotter.subplot(0, column)
        meshes.append(solid(geometry[f"{name}_corners"], geometry[f"{name}_rgba"]))
        plotter.add_mesh(meshes[-1], scalars="rgba", rgb=True)
        meshes.append(lines(geometry[f"{name}_start"], geometry[f"{name}_end"], geometry[f"{name}_line_rgba"]))
        plotter.add_mesh(meshes[-1], scalars="rgba", rgb=True, line_width=2)
    plotter.show(interactive_update=True, auto_close=False)
    seconds = []
    for frame in range(frames):
        began = time.perf_counter()
        step = 0.01 if frame % 2 else -0.01
        for mesh in meshes:
            mesh.points += (step, 0.0, 0.0)
        plotter.render()
        seconds.append(time.perf_counter() - began)
    print(json.dumps({"seconds": seconds}))
    plotter.close()


main(sys.argv[1], int(sys.argv[2]))

"""The same solids and lines as our window shows, in PyVista: two panes, each with its solids and its lines as one mesh.

The geometry file holds, for each pane, `NAME_corners` (m, 3, 3) with `NAME_rgba` (m, 4), and `NAME_start`, `NAME_end`
(n, 3) with `NAME_line_rgba` (n, 4).
"""

from __future__ import annotations

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


def shown(path: str, *, plain: bool = False) -> tuple[pv.Plotter, list[pv.PolyData]]:
    """A window of 1280x800 with the scene on the screen, and the scene's meshes. `plain`: without anti-aliasing."""
    geometry = np.load(path)
    if plain:
        pv.global_theme.anti_aliasing, pv.global_theme.multi_samples = None, 1
    plotter = pv.Plotter(shape=(1, 2), window_size=(1280, 800), border=False)
    meshes = []
    for column, name in enumerate(("world", "difference")):
        plotter.subplot(0, column)
        meshes.append(solid(geometry[f"{name}_corners"], geometry[f"{name}_rgba"]))
        plotter.add_mesh(meshes[-1], scalars="rgba", rgb=True)
        meshes.append(lines(geometry[f"{name}_start"], geometry[f"{name}_end"], geometry[f"{name}_line_rgba"]))
        plotter.add_mesh(meshes[-1], scalars="rgba", rgb=True, line_width=2)
    plotter.show(interactive_update=True, auto_close=False)
    return plotter, meshes

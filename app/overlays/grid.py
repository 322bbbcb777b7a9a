"""A soft ground grid just below the pair, for a sense of up and of size, and the world's axes in a corner.

In a 2D scene the grid is in the plane of the bodies. The axes have letters, so that they are not taken for candidate
axes.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor, log10

import numpy as np

from core.geometry.vector import Array, frozen, length_rows

from ..draw.draw_list import DrawList, Hidden, Layer, Rgba
from ..words.terms import terms_of
from .context import Context, Overlay
from .style import PLAIN

CELLS = 12
"""Cells from the middle to the rim."""
LINE_PIECES = 6
"""Pieces of each half of a line, so that it can fade towards the rim."""


def _world(context: Context, draw: DrawList) -> None:
    low, high = context.extent.low, context.extent.high
    cell = 10.0 ** floor(log10(max(context.extent.radius, 1e-12)) + 0.2) * 0.5
    flat = context.analysis.polygon is not None
    up = 2 if context.view.world.z_up or flat else 1
    along, across = (i for i in range(3) if i != up)
    middle = np.round(0.5 * (low + high) / (2.0 * cell)) * 2.0 * cell
    # The ground moves in steps of four cells, so that it mostly stays in place while a body is dragged.
    middle[up] = 0.0 if flat else floor((low[up] - 0.1 * cell) / (4.0 * cell)) * 4.0 * cell
    start, end, near, far = _lines(cell, along, across, context.theme.grid)
    draw.lines(start + middle, end + middle, near, 1.0, end_rgba=far, hidden=Hidden.SHOW, layer=Layer.GROUND)


@lru_cache(maxsize=8)  # the grid stays the same while a body is dragged
def _lines(cell: float, along: int, across: int, rgba: Rgba) -> tuple[Array, Array, Array, Array]:
    """Starts and ends (n, 3) of the lines' pieces about the origin, scene units, and the colours (n, 4) there.

    `cell`: the side of a cell; `along`, `across`: the indices of the ground's two axes.
    """
    steps = np.linspace(-CELLS, CELLS, 2 * LINE_PIECES + 1) * cell
    offsets = np.arange(-CELLS, CELLS + 1) * cell
    s, t = (grid.ravel() for grid in np.meshgrid(np.arange(2 * LINE_PIECES), offsets, indexing="ij"))
    start, end = np.zeros((2, 2 * len(s), 3))
    for half, (run, rest) in enumerate(((along, across), (across, along))):
        rows = slice(half * len(s), (half + 1) * len(s))
        start[rows, run], end[rows, run] = steps[s.astype(int)], steps[s.astype(int) + 1]
        start[rows, rest] = end[rows, rest] = t
    kept = np.minimum(length_rows(start), length_rows(end)) < CELLS * cell
    start, end = frozen(start[kept]), frozen(end[kept])
    return start, end, frozen(_faded(start, CELLS * cell, rgba)), frozen(_faded(end, CELLS * cell, rgba))


def _faded(points: Array, rim: float, rgba: Rgba) -> Array:
    colours = np.tile(np.array(rgba), (len(points), 1))
    colours[:, 3] *= np.clip(1.0 - (length_rows(points) / rim) ** 2, 0.0, 1.0)
    return colours


OVERLAY = Overlay(
    "grid", "Ground grid", "G", "A grid below the pair; its cells are half a power of ten wide", world=_world
)


def _triad(context: Context, draw: DrawList) -> None:
    theme = context.theme
    colours = (theme.world_x, theme.world_y, theme.world_z)
    for axis, (name, rgba) in enumerate(zip(terms_of(context.scene.dimension).axes, colours, strict=False)):
        tip = np.zeros(3)
        tip[axis] = 0.72
        draw.lines(np.zeros(3), tip, rgba, 2.2, hidden=Hidden.SHOW, arrow_end=8.0)
        draw.label(
            name.upper(), tip * 1.32, rgba, size=PLAIN, offset=(0.0, 0.0), priority=50, bold=True, kind="world-axes"
        )


TRIAD = Overlay("triad", "World axes", "I", "The world's X, Y and Z in the corner", triad=_triad)

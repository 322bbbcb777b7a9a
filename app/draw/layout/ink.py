"""Strong lines counted in a grid: how much of them a text would cover.

Everything is interpolated between grid points, so that the cover changes smoothly while the camera moves: a count by
whole cells makes labels flicker between two places of nearly equal cost.
"""

from __future__ import annotations

from math import prod

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, dots

from ..draw_list import IntArray
from ..steady import steady_pixels
from .frame import LayoutFrame
from .lines import LaidLines

CELL = 9.0
"""Points across a cell of the grid."""
SAMPLES = 2
"""Samples taken of a line for each cell that it crosses."""


class Ink(Struct, frozen=True, eq=False):
    """The length of strong lines above and left of each grid point of each pane: `total` (p, rows, columns), pixels.

    `cell` (p,) pixels across a cell; `rows`, `columns` (p,) of each pane; `total` has those of the largest.
    """

    total: Array
    cell: Array
    rows: IntArray
    columns: IntArray

    @staticmethod
    def of(lines: LaidLines, frame: LayoutFrame) -> Ink:
        """Counts the lines that text should not cover."""
        cell = CELL * frame.density
        rows, columns = ((side / cell).astype(np.int64) + 2 for side in (frame.lens.height, frame.lens.width))
        strong = np.nonzero(lines.strong)[0]
        start, end = (steady_pixels(each.take(strong, axis=0)) for each in (lines.placed.start, lines.placed.end))
        pane = lines.pane[strong]
        way = end - start
        pixels = np.sqrt(dots(way, way))
        counts = np.ceil(pixels * (SAMPLES / cell[pane])).astype(np.int64)
        line = np.repeat(np.arange(len(counts)), counts)
        nth = np.arange(len(line)) - (np.cumsum(counts) - counts)[line]
        pane = pane[line]
        at = start.take(line, axis=0) + ((nth + 0.5) / counts[line])[:, None] * way.take(line, axis=0)
        at /= cell[pane, None]
        inside = (at[:, 0] >= 0.0) & (at[:, 1] >= 0.0) & (at[:, 0] < columns[pane] - 1) & (at[:, 1] < rows[pane] - 1)
        at, pane, bit = at[inside], pane[inside], (pixels / np.maximum(counts, 1))[line[inside]]
        whole: IntArray = at.astype(np.int64)
        fx, fy = at[:, 0] - whole[:, 0], at[:, 1] - whole[:, 1]
        above, below = bit * (1.0 - fy), bit * fy
        shape = len(frame.panes), int(rows.max()), int(columns.max())
        corner = (pane * shape[1] + whole[:, 1]) * shape[2] + whole[:, 0]
        places = np.concatenate((corner, corner + 1, corner + shape[2], corner + shape[2] + 1))
        shares = np.concatenate(((1.0 - fx) * above, fx * above, (1.0 - fx) * below, fx * below))
        ink: Array = np.asarray(np.bincount(places, shares, prod(shape)), dtype=np.float64).reshape(shape)
        return Ink(ink.cumsum(1).cumsum(2), cell, rows, columns)

    def under(self, middles: Array, sizes: Array, pane: IntArray) -> Array:
        """Length of strong lines under boxes (l, c, 2) of sizes (l, 2), divided by half their width plus height.

        (l, c); `pane` (l,): the pane of each row.
        """
        half = 0.5 * sizes[:, None, :]
        # The sum up to a grid point takes in half the cell beyond it.
        (left, top), (right, bottom) = (
            np.moveaxis((middles + side * half) / self.cell[pane, None, None] - 0.5, -1, 0) for side in (-1.0, 1.0)
        )
        low, high = (self._at(right, y, pane) - self._at(left, y, pane) for y in (top, bottom))
        cover: Array = (high - low) / (0.5 * sizes.sum(axis=1))[:, None]
        return cover

    def _at(self, x: Array, y: Array, pane: IntArray) -> Array:
        """The total at positions (l, c) between grid points, clamped at the border."""
        _, rows, columns = self.total.shape
        x = np.clip(x, 0.0, self.columns[pane, None] - 1.001)
        y = np.clip(y, 0.0, self.rows[pane, None] - 1.001)
        column: IntArray = x.astype(np.int64)
        row: IntArray = y.astype(np.int64)
        share_x, share_y = x - column, y - row
        flat: Array = self.total.ravel()
        corner = (pane[:, None] * rows + row) * columns + column
        upper: Array = flat[corner] + share_x * (flat[corner + 1] - flat[corner])
        lower: Array = flat[corner + columns] + share_x * (flat[corner + columns + 1] - flat[corner + columns])
        return upper + share_y * (lower - upper)

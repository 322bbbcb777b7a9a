"""Counts strong lines in a grid, to compute the length of them that a text would cover.

All values are interpolated between grid points, so that they change smoothly while the camera moves. A count by whole
cells would make labels flicker between two places of nearly equal cost.
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
"""Width and height of a cell of the grid, points."""
SAMPLES = 2
"""Samples taken of a line for each cell's width of its length."""


class Ink(Struct, frozen=True, eq=False):
    """`total` (p, rows, columns): the length, pixels, of strong lines above and left of each grid point of each pane.

    `cell` (p,): width of a cell in pixels; `rows`, `columns` (p,): grid points of each pane; `total` has the most of
    each.
    """

    total: Array
    cell: Array
    rows: IntArray
    columns: IntArray

    @staticmethod
    def of(lines: LaidLines, frame: LayoutFrame) -> Ink:
        """Counts the lines that are `strong`, which text should not cover."""
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
        """The length of strong lines under boxes, divided by half the sum of the box's width and height; (l, c).

        `middles` (l, c, 2), pixels, of c boxes in each row; `sizes` (l, 2) of a row's boxes; `pane` (l,): of each row.
        """
        half = 0.5 * sizes[:, None, :]
        # The sum up to a grid point includes half the cell beyond it.
        (left, top), (right, bottom) = (
            np.moveaxis((middles + side * half) / self.cell[pane, None, None] - 0.5, -1, 0) for side in (-1.0, 1.0)
        )
        low, high = (self._at(right, y, pane) - self._at(left, y, pane) for y in (top, bottom))
        cover: Array = (high - low) / (0.5 * sizes.sum(axis=1))[:, None]
        return cover

    def _at(self, x: Array, y: Array, pane: IntArray) -> Array:
        """`total` at positions (l, c) between grid points, in cells; positions beyond the border count as on it."""
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

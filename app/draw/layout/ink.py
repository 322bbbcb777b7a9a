"""Lines and bodies counted in a grid: the price of a text over them.

All values are interpolated between grid points, so that they change smoothly while the camera moves. A count by whole
cells would make labels flicker between two places of nearly equal cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, prod
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.geometry.vector import Array, dots

from ..draw_list import Dash, IntArray, Layer
from ..steady import steady_pixels, steady_shares
from .frame import LayoutFrame, screen_outlines
from .lines import LaidLines

ComplexArray = NDArray[np.complex128]
Table = TypeVar("Table", Array, ComplexArray)
"""The values of a table, or some of them."""
CELL = 9.0
"""Width and height of a cell of the grid, points."""
SAMPLES = 2
"""Samples taken of a line for each cell that it crosses."""
LINE_HEIGHTS = 1.6
"""Length of a line under a text, in heights of the text, that has the line's whole price."""
LINE_PRICE, EDGE_PRICE = 11.0, 6.0
"""Prices of a line under a text: of one that a step draws, dearer than any place near by, and of a body's edge."""
PRICES: Array = np.array([{Layer.EDGES: EDGE_PRICE, Layer.GIZMO: 0.0}.get(layer, LINE_PRICE) for layer in Layer])
"""The prices by layer. The handles come and go with the pointer, and no label makes way for them."""
FULL_WEIGHT, LEAST_WEIGHT = 1.6, 0.2
"""Width in points times opacity from which a line has its whole price, and up to which it has none, as the grid.

Between them the price grows as the root: a text on a faint edge is nearly as hard to read.
"""
DRAWN: Array = np.array([{Dash.SOLID: 1.0, Dash.DOTTED: 0.4}.get(dash, 0.7) for dash in Dash])
"""The share of its length that a line of each pattern is drawn along, about."""
HIGHEST_PRICE = 25.0
"""The highest price of all lines under a text together: of places on many lines the one on the fewest is cheaper."""
CROSSED = 0.2
"""The share of its price that a line has which a leader crosses at right angles."""
ALONG = 0.5
"""The share of its price that a line has besides for each cell's length along which a leader runs on it or close to it:
the leader would be read as a part of it."""


class Ink(Struct, frozen=True, eq=False):
    """Lines and solids at each grid point of each pane, and those above and left of it.

    `here`, `lines` (p, rows, columns): pixels of length times price, about the point and in all; `ways`: those about
    the point, complex, each with twice its line's angle; `areas`: cells covered in all, and `both`: by two of them.
    `cell` (p,) pixels across a cell; `rows`, `columns` (p,) of each pane; the tables have those of the largest.
    """

    here: Array
    ways: ComplexArray
    lines: Array
    areas: Array
    both: Array
    cell: Array
    rows: IntArray
    columns: IntArray

    @staticmethod
    def of(lines: LaidLines, frame: LayoutFrame) -> Ink:
        """Counts the lines and solids that text should not cover."""
        cell = CELL * frame.density
        rows, columns = ((side / cell).astype(np.int64) + 2 for side in (frame.lens.height, frame.lens.width))
        shape = len(frame.panes), int(rows.max()), int(columns.max())
        (ink, ways), covered = _priced(lines, frame.density, cell, rows, columns, shape), _areas(frame, cell, shape)
        total, area, twice = (each.cumsum(1).cumsum(2) for each in (ink, *covered))
        return Ink(ink, ways, total, area, twice, cell, rows, columns)

    def under(self, middles: Array, sizes: Array, pane: IntArray) -> tuple[Array, Array, Array]:
        """The prices of the lines under boxes (l, c, 2) of sizes (l, 2), and the shares of each on solids and on two.

        (l, c) each. A line has its whole price along LINE_HEIGHTS, under small texts along half their width plus
        height. `pane` (l,): of each row.
        """
        half = 0.5 * sizes[:, None, :]
        # The sum up to a grid point includes half the cell beyond it.
        (left, top), (right, bottom) = (
            np.moveaxis((middles + side * half) / self.cell[pane, None, None] - 0.5, -1, 0) for side in (-1.0, 1.0)
        )
        corners = [self._at(x, y, pane) for y in (top, bottom) for x in (left, right)]
        lines, area, both = (low - high - (other - first) for first, other, high, low in zip(*corners, strict=True))
        unit = np.minimum(0.5 * sizes.sum(axis=1), LINE_HEIGHTS * sizes[:, 1])
        cells = sizes.prod(axis=1) / self.cell[pane] ** 2
        return np.minimum(lines / unit[:, None], HIGHEST_PRICE), area / cells[:, None], both / cells[:, None]

    def across(self, start: Array, way: Array, pane: IntArray) -> Array:
        """The prices (n,) of lines that leaders cross or run along; `start`, `way` (n, 2): of each, in panes (n,).

        Lines that end at the anchor are nearly the same for all its places: the first cell does not count.
        """
        cell, length = self.cell[pane], np.sqrt(dots(way, way))
        counts = np.floor(length / cell).astype(np.int64)
        leader = np.repeat(np.arange(len(counts)), counts)
        nth = np.arange(len(leader)) - (np.cumsum(counts) - counts)[leader]
        # Places out of the pane are not free, whatever they cost: with both ends in it the whole leader is.
        last = np.column_stack((self.columns, self.rows))[pane] - 1.001
        first, end = (np.clip(each / cell[:, None], 0.0, last) for each in (start, start + way))
        step = (end - first) / np.maximum(counts, 1)[:, None]
        x, y = (end[:, axis].take(leader) - nth * step[:, axis].take(leader) for axis in (0, 1))
        column: IntArray = x.astype(np.int64)
        row: IntArray = y.astype(np.int64)
        columns, share_x, share_y = self.here.shape[2], x - column, y - row
        corner = (pane.take(leader) * self.here.shape[1] + row) * columns + column
        found = _between(self.here.ravel(), corner, columns, share_x, share_y)
        inked = np.nonzero(found)[0]
        found, leader = found[inked], leader[inked]
        turned = _between(self.ways.ravel(), corner[inked], columns, share_x[inked], share_y[inked])
        twice = _twice(way, length)
        # Of a line at an angle to the leader this is the cosine of twice the angle, or 0 from half a right angle.
        along = np.maximum((turned * np.conj(twice[leader])).real, 0.0) / np.maximum(found, 1e-9)
        # A sample stands for a cell's length of the leader.
        price = (CROSSED + ALONG * along**2) * found / cell[leader]
        return np.asarray(np.bincount(leader, price, len(counts)), dtype=np.float64)

    def _at(self, x: Array, y: Array, pane: IntArray) -> Iterator[Array]:
        """The totals of lines and both areas at positions (l, c) between grid points, clamped at the border."""
        _, rows, columns = self.lines.shape
        x = np.clip(x, 0.0, self.columns[pane, None] - 1.001)
        y = np.clip(y, 0.0, self.rows[pane, None] - 1.001)
        column: IntArray = x.astype(np.int64)
        row: IntArray = y.astype(np.int64)
        share_x, share_y = x - column, y - row
        corner = (pane[:, None] * rows + row) * columns + column
        tables = (self.lines, self.areas, self.both)
        return (_between(table.ravel(), corner, columns, share_x, share_y) for table in tables)


def _twice(way: Array, length: Array) -> ComplexArray:
    """For ways (n, 2) of these lengths (n,) the complex numbers of length 1 that have twice their angles."""
    x, y = way.T
    found: ComplexArray = ((x + 1.0j * y) / np.maximum(length, 1e-9)) ** 2
    return found


def _between(flat: Table, corner: IntArray, columns: int, share_x: Array, share_y: Array) -> Table:
    """The values of a table at shares of the way from the grid points `corner` to the next column and row."""
    upper = flat[corner] + share_x * (flat[corner + 1] - flat[corner])
    lower = flat[corner + columns] + share_x * (flat[corner + columns + 1] - flat[corner + columns])
    found: Table = upper + share_y * (lower - upper)
    return found


def _priced(
    lines: LaidLines, density: Array, cell: Array, rows: IntArray, columns: IntArray, shape: tuple[int, int, int]
) -> tuple[Array, ComplexArray]:
    """The pixels of lines times their prices about each grid point, in tables of this shape: `here` and `ways` of Ink.

    `density`, `cell`, `rows`, `columns` (p,): of each pane's grid, as in Ink; `shape`: panes, most rows, most columns.
    """
    placed = lines.placed
    opacity = 0.5 * (placed.start_rgba[:, 3] + placed.end_rgba[:, 3])
    stroke = steady_shares(opacity * placed.width / density[lines.pane])
    weight = DRAWN[placed.dash] * np.sqrt(np.minimum(stroke / FULL_WEIGHT, 1.0))
    price = np.where(stroke * DRAWN[placed.dash] > LEAST_WEIGHT, weight, 0.0) * PRICES[lines.layer]
    counted = np.nonzero(price)[0]
    start, end = (steady_pixels(each.take(counted, axis=0)) for each in (placed.start, placed.end))
    pane = lines.pane[counted]
    way = end - start
    pixels = np.sqrt(dots(way, way))
    counts = np.ceil(pixels * (SAMPLES / cell[pane])).astype(np.int64)
    line = np.repeat(np.arange(len(counts)), counts)
    nth = np.arange(len(line)) - (np.cumsum(counts) - counts)[line]
    pane = pane[line]
    at = start.take(line, axis=0) + ((nth + 0.5) / counts[line])[:, None] * way.take(line, axis=0)
    at /= cell[pane, None]
    inside = (at[:, 0] >= 0.0) & (at[:, 1] >= 0.0) & (at[:, 0] < columns[pane] - 1) & (at[:, 1] < rows[pane] - 1)
    at, pane, bit = at[inside], pane[inside], (price[counted] * pixels / np.maximum(counts, 1))[line[inside]]
    whole: IntArray = at.astype(np.int64)
    fx, fy = at[:, 0] - whole[:, 0], at[:, 1] - whole[:, 1]
    above, below = bit * (1.0 - fy), bit * fy
    corner = (pane * shape[1] + whole[:, 1]) * shape[2] + whole[:, 0]
    places = np.concatenate((corner, corner + 1, corner + shape[2], corner + shape[2] + 1))
    shares = np.concatenate(((1.0 - fx) * above, fx * above, (1.0 - fx) * below, fx * below))
    twice = np.tile(_twice(way, pixels)[line[inside]], 4)
    here, *parts = (
        np.asarray(np.bincount(places, by, prod(shape)), dtype=np.float64).reshape(shape)
        for by in (shares, shares * twice.real, shares * twice.imag)
    )
    return here, parts[0] + 1.0j * parts[1]


def _areas(frame: LayoutFrame, cell: Array, shape: tuple[int, int, int]) -> tuple[Array, Array]:
    """The share of the cell about each grid point that lies on solids and flat bodies, and that on two of them.

    `cell` (p,): side of each pane's cells, pixels; `shape`, of each table: panes, most rows, most columns.
    """
    areas, both = np.zeros(shape), np.zeros(shape)
    for number, pane in enumerate(frame.panes):
        for chains in screen_outlines(pane):
            left, right = (steady_pixels(chain) / cell[number] for chain in chains)
            # Only the rows and columns that the outline reaches.
            x = np.arange(max(floor(left[:, 0].min()), 0), min(floor(right[:, 0].max()) + 2, shape[2]))
            y = np.arange(max(floor(left[0, 1]), 0), min(floor(left[-1, 1]) + 2, shape[1]))
            if len(x) and len(y):
                from_x, to_x = (np.interp(y, chain[:, 1], chain[:, 0])[:, None] for chain in (left, right))
                within = np.clip(np.minimum(x - from_x, to_x - x) + 0.5, 0.0, 1.0)
                within *= np.clip(np.minimum(y - left[0, 1], left[-1, 1] - y) + 0.5, 0.0, 1.0)[:, None]
                part, twice = (of[number, y[0] : y[-1] + 1, x[0] : x[-1] + 1] for of in (areas, both))
                np.maximum(twice, np.minimum(part, within), out=twice)
                np.maximum(part, within, out=part)
    return areas, both

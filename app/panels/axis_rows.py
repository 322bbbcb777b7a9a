"""What the axis table takes from all of its rows at once: their order, one scale, the widest texts.

Found once for each table: two hulls have thousands of axes, and the panel is drawn in every frame.
"""

from __future__ import annotations

from functools import cached_property
from math import inf

import numpy as np
from msgspec import Struct

from core.sat.sat import SatTable

from .numbers import decimals_for

MANY_ROWS = 40
"""A table with more opens in the order of winning: its winner would be out of sight in the order of the families."""

ENDLESS_SHARE = 0.2
"""Room beyond the finite ends for an interval that goes on without end, as a share of their span."""


class Scale(Struct, frozen=True):
    """Maps projections, relative to A's position, to a column of the screen."""

    low: float
    span: float

    @staticmethod
    def of(table: SatTable) -> Scale:
        """The one scale on which every row's intervals fit; rows without a direction have none.

        A half-space's end nowhere: on such a side there is room for them to go on. Of two balls about one centre the
        only row has no direction, and the scale carries nothing.
        """
        ends = np.concatenate((table.interval_a, table.interval_b))
        finite = ends[np.isfinite(ends)]
        if not len(finite):
            return Scale(0.0, 1.0)
        low, high = float(finite.min()), float(finite.max())
        room = ENDLESS_SHARE * max(high - low, 1e-300)
        low -= room if bool((ends == -inf).any()) else 0.0
        high += room if bool((ends == inf).any()) else 0.0
        return Scale(low, max(high - low, 1e-300))

    def at(self, value: float, left: float, width: float) -> float:
        """Screen x of a projection in a column from `left`, `width` wide; of an infinite one, the column's edge."""
        return left + min(max((value - self.low) / self.span, 0.0), 1.0) * width


def row_order(table: SatTable, *, by_separation: bool, descending: bool) -> list[int]:
    """Rows in the order of the table or by separation; of equal ones the winner comes first.

    Rows without a direction come last when sorted.
    """
    count = len(table.candidates)
    if not by_separation:
        return list(range(count))[:: -1 if descending else 1]
    rows = np.arange(count)
    known = ~np.isnan(table.separations)
    keys = np.where(known, table.separations, 0.0) * (-1.0 if descending else 1.0)
    order: list[int] = np.lexsort((rows, rows != table.winner, keys, ~known)).tolist()
    return order


class Rows(Struct, frozen=True, eq=False, dict=True):
    """One table's rows as the panel shows them."""

    table: SatTable

    @property
    def many(self) -> bool:
        """Whether there are more than can be looked through."""
        return len(self.table.candidates) > MANY_ROWS

    @cached_property
    def scale(self) -> Scale:
        """For every row's bars."""
        return Scale.of(self.table)

    @cached_property
    def ends(self) -> tuple[float, ...]:
        """The smallest and the largest separation, or nothing where no row has one."""
        known = self.table.separations[~np.isnan(self.table.separations)]
        return (float(known.min()), float(known.max())) if len(known) else ()

    @cached_property
    def decimals(self) -> int:
        """Of the separations, one number for the column."""
        return decimals_for(self.ends)

    @cached_property
    def longest_labels(self) -> tuple[str, ...]:
        """A few that stand for all: measuring thousands takes longer than drawing the ones in sight."""
        return tuple(sorted((candidate.label for candidate in self.table.candidates), key=len)[-8:])

    @cached_property
    def _orders(self) -> dict[tuple[bool, bool], list[int]]:
        return {}

    def order(self, *, by_separation: bool, descending: bool) -> list[int]:
        """As `row_order`."""
        key = (by_separation, descending)
        if key not in self._orders:
            self._orders[key] = row_order(self.table, by_separation=by_separation, descending=descending)
        return self._orders[key]


def count_words(table: SatTable) -> str:
    """How many axes there are: the heading of their column."""
    count = len(table.candidates)
    return f"{count:,} axes" if count > 1 else "axis"

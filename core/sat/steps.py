"""SAT as steps: one candidate axis after the other, with the best so far.

The table has every row already (all axes at once take less than two in turn), so the steps are read off it. A program
that only asks whether the bodies meet would stop at the first axis with a gap: that step is marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from ..geometry.vector import Array
from ..trace import Steps
from .table import AxisStatus


class AxisRows(Protocol):
    """The part of an axis table that its steps are read off: that of space, or of the plane."""

    @property
    def statuses(self) -> tuple[AxisStatus, ...]:
        """What each row says."""

    @property
    def separations(self) -> Array:
        """Signed, (n,); NaN on degenerate rows."""


Table = TypeVar("Table", bound=AxisRows)


class SatStep(Struct, frozen=True):
    """Row `row` was tried. `best`: the row with the largest separation so far, None while every axis was degenerate.

    `separation`: the row's own, None if degenerate. `improved`: the row became the best. `first_gap`: it is the first
    axis that separates the bodies, where a yes-or-no test ends. `ruled_out`: an earlier row had done so.
    """

    row: int
    separation: float | None
    best: int | None
    improved: bool
    first_gap: bool
    ruled_out: bool


def sat_steps(table: Table, rows: Sequence[int] | None = None) -> Steps[SatStep, Table]:
    """Every row in the table's order, or `rows` of it.

    The last `best` of all rows is the table's winner, but for rows that rounding ties.
    """
    best: int | None = None
    gap_seen = False
    for row in range(len(table.statuses)) if rows is None else rows:
        status = table.statuses[row]
        known = status is not AxisStatus.DEGENERATE
        separation = float(table.separations[row]) if known else None
        improved = separation is not None and (best is None or separation > float(table.separations[best]))
        if improved:
            best = row
        first_gap = status is AxisStatus.SEPARATING and not gap_seen
        yield SatStep(row, separation, best, improved, first_gap, gap_seen)
        gap_seen = gap_seen or first_gap
    return table

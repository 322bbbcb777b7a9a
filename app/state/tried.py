"""What is known of SAT's table at the step shown: its pictures, its table and the verdict tell no more than that."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.query.query import Query
from core.sat.sat import AxisKind, AxisStatus, SatStep, SatTable

from ..words.axis_words import reason, reason_so_far

if TYPE_CHECKING:
    from core.analysis.analysis import Analysis


class Tried(Struct, frozen=True, eq=False, dict=True):
    """The rows of `table` that are known: at a `step` of SAT those up to its own, else (None) all.

    `before`: the step before it. `number`, `count`: of how many the step is which, from 1. `faces_only`: rows of edge
    pairs are left out.
    """

    table: SatTable
    step: SatStep | None = None
    before: SatStep | None = None
    number: int = 0
    count: int = 0
    faces_only: bool = False

    @staticmethod
    def of(table: SatTable, query: Query | None, place: int) -> Tried:
        """At a place of a query about the pair of the `table`; without a query all of it is known."""
        moment = None if query is None else query.moments[place]
        if query is None or moment is None or not isinstance(moment.step, SatStep):
            return Tried(table)
        past = query.moments[place - 1].step if moment.index else None
        before = past if isinstance(past, SatStep) else None
        return Tried(table, moment.step, before, moment.index + 1, moment.count, query.knobs.faces_only)

    @property
    def last(self) -> bool:
        """Whether nothing is left to be tried; so without a step."""
        return self.number == self.count

    @property
    def best(self) -> int | None:
        """Row of the best so far, None while there is none; without a step the winner."""
        return self.table.winner if self.step is None else self.step.best

    @property
    def overtaken(self) -> int | None:
        """Row of what was the best until this step, if it is no more."""
        return self.before.best if self.step is not None and self.step.improved and self.before is not None else None

    def has(self, row: int) -> bool:
        """Whether a row is known."""
        if self.step is None:
            return True
        return row <= self.step.row and not (self.faces_only and self.table.candidates[row].kind is AxisKind.EDGES)

    @cached_property
    def rows(self) -> NDArray[np.bool_]:
        """Which rows are known (n,)."""
        count = len(self.table.candidates)
        known = np.arange(count) <= (count if self.step is None else self.step.row)
        if self.step is not None and self.faces_only:
            known &= np.array([candidate.kind is not AxisKind.EDGES for candidate in self.table.candidates])
        return known

    def ordered(self, rows: NDArray[np.int64]) -> list[int]:
        """All rows (n,) in their order, those not known last and in the table's: their place would tell of them."""
        found: list[int] = np.concatenate((rows[self.rows[rows]], np.flatnonzero(~self.rows))).tolist()
        return found

    def reason(self, analysis: Analysis, row: int) -> str:
        """Why a row of `analysis` wins or does not, as far as is known, in a few words."""
        if self.step is None:
            return reason(analysis, row)
        return reason_so_far(self.table, row, self.best) if self.has(row) else "not tried yet"

    @property
    def separates(self) -> bool:
        """Whether a gap has been found."""
        step = self.step
        return step is not None and (step.first_gap or step.ruled_out)

    def has_direction(self, row: int) -> bool:
        """Whether there is a line along the row's axis."""
        return self.table.statuses[row] is not AxisStatus.DEGENERATE

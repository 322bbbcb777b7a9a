"""What is known of SAT's table at the step shown: its pictures, its table and the verdict tell no more than that.

So at the steps of SAT, and at those that come before it: the difference built by hand, and the planes test, whose
numbers are of one side of each edge while a row has the better of both.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.minkowski.difference import BuildStep
from core.query.query import Phase, Query
from core.sat.sat import AxisKind, AxisStatus, SatStep, SatTable

from ..words.axis_words import reason, reason_alone, reason_so_far

if TYPE_CHECKING:
    from core.analysis.analysis import Analysis
    from core.sat.separating_planes import PlaneStep


NOT_YET = ("not tried yet", "SAT has not tried it yet")
"""Of a row to come: at SAT's own steps, and at those before them."""
PARTS = ("axis", "project A", "project B", "compare")
"""Sub-steps of a row of SAT's: its line, A's interval on it, B's, what lies between. The last makes it known."""


class Tried(Struct, frozen=True, eq=False, dict=True):
    """The rows of `table` that are known: while steps lead up to the verdict (`stepping`) the first `known`, else all.

    `row`: the one that the step shown is about; the rows up to it are reached. `leads`: row of the best so far, if
    there is one. `overtaken`: row of the best until this step, if it is no more.
    `winner_told`: which row decides may be told where all are known.
    `separates`: a gap has been found. `number`, `count`: how many rows are tried, of how many. `faces_only`: rows of
    edge pairs are left out. `part`: the sub-step of `row` that is shown, if its intervals are not compared yet.
    """

    table: SatTable
    stepping: bool = False
    row: int | None = None
    known: int = 0
    leads: int | None = None
    overtaken: int | None = None
    separates: bool = False
    number: int = 0
    count: int = 0
    faces_only: bool = False
    part: str = ""
    winner_told: bool = True

    @staticmethod
    def of(table: SatTable, query: Query | None, place: int, part: str = "") -> Tried:
        """At a place of a query about the pair of the `table`, at that sub-step; without a query all of it is known."""
        moment = None if query is None else query.moments[place]
        if query is not None and moment is not None:
            match moment.step:
                case SatStep() as step:
                    past = query.moments[place - 1].step if moment.index else None
                    led, faces_only = past.best if isinstance(past, SatStep) else None, query.knobs.faces_only
                    if part in PARTS[:-1]:
                        # `ruled_out`: a gap was known before this row.
                        return Tried(
                            table=table,
                            stepping=True,
                            row=step.row,
                            known=step.row,
                            leads=led,
                            separates=step.ruled_out,
                            number=moment.index,
                            count=moment.count,
                            faces_only=faces_only,
                            part=part,
                        )
                    return Tried(
                        table=table,
                        stepping=True,
                        row=step.row,
                        known=step.row + 1,
                        leads=step.best,
                        overtaken=led if step.improved else None,
                        separates=step.first_gap or step.ruled_out,
                        number=moment.index + 1,
                        count=moment.count,
                        faces_only=faces_only,
                    )
                case found if moment.phase is Phase.PLANES and not moment.last:
                    # Its edges are the first rows.
                    apart, count = cast("PlaneStep", found).apart, len(table.candidates)
                    return Tried(table, True, moment.index, separates=apart, count=count)
                case BuildStep() if not moment.last:
                    return Tried(table, True, count=len(table.candidates))
        return Tried(table)

    @property
    def best(self) -> int | None:
        """Row of the best so far, None while there is none or it is not told; without a step the winner."""
        if not self.winner_told:
            return None
        return self.leads if self.stepping else self.table.winner

    @property
    def last(self) -> bool:
        """Whether nothing is left to be tried; so without a step."""
        return self.number == self.count

    def reached(self, row: int) -> bool:
        """Whether the steps have come to a row."""
        return not self.stepping or (self.row is not None and row <= self.row)

    def bars(self, row: int) -> int:
        """How many of a row's two intervals are shown, A's first."""
        if row == self.row and self.part:
            return PARTS.index(self.part)
        return 2 * self.has(row)

    def has(self, row: int) -> bool:
        """Whether a row is known."""
        if not self.stepping:
            return True
        return row < self.known and not (self.faces_only and self.table.candidates[row].kind is AxisKind.EDGES)

    @cached_property
    def rows(self) -> NDArray[np.bool_]:
        """Which rows are known (n,)."""
        count = len(self.table.candidates)
        known = np.arange(count) < (self.known if self.stepping else count)
        if self.stepping and self.faces_only:
            known &= np.array([candidate.kind is not AxisKind.EDGES for candidate in self.table.candidates])
        return known

    def ordered(self, rows: NDArray[np.int64]) -> list[int]:
        """All rows (n,) in their order, those not known last and in the table's: their place would tell of them."""
        found: list[int] = np.concatenate((rows[self.rows[rows]], np.flatnonzero(~self.rows))).tolist()
        return found

    def reason(self, analysis: Analysis, row: int) -> str:
        """Why a row of `analysis` wins or does not, as far as is known, in a few words."""
        if not self.stepping:
            return reason(analysis, row) if self.winner_told else reason_alone(self.table, row)
        if row == self.row and self.part:
            return "not compared yet"
        return reason_so_far(self.table, row, self.best) if self.has(row) else NOT_YET[not self.number]

    def has_direction(self, row: int) -> bool:
        """Whether there is a line along the row's axis."""
        return self.table.statuses[row] is not AxisStatus.DEGENERATE

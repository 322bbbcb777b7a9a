"""The known part of SAT's table at the shown step. The pictures, the table and the verdict show only this part.

It applies to the steps of SAT and to those before SAT: the construction of the difference, and the planes test. The
planes test judges one side of each edge, whereas a row of the table has the better of both sides.
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
    from core.sat.separating_planes import PlanesTestStep


NOT_YET = ("not tried yet", "SAT has not tried it yet")
"""The reason of a row that is not known yet: at SAT's own steps, and at the steps before them."""
ROW_PARTS = ("axis", "project A", "project B", "compare")
"""Sub-steps of a row of SAT: its line, A's interval on it, B's interval, their comparison.

The row is known after the comparison.
"""


class SatProgress(Struct, frozen=True, eq=False, dict=True):
    """The known rows of `table`: the first `known` while steps lead up to the verdict (`stepping`), else all.

    `row`: the shown step's row; the rows up to it are reached. `leads`: the best row so far, if any. `overtaken`: the
    best row before this step, if it is no longer the best. `winner_told`: the deciding row may be shown when all rows
    are known. `separates`: a gap has been found. `number`, `count`: the counts of rows tried, and of all rows.
    `faces_only`: rows of edge pairs are left out. `part`: the shown sub-step of `row`, "" after the comparison.
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
    def of(table: SatTable, query: Query | None, place: int, part: str = "") -> SatProgress:
        """The known part of the `table` at a place of the query and a sub-step. Without a query all rows are known."""
        moment = None if query is None else query.moments[place]
        if query is not None and moment is not None:
            match moment.step:
                case SatStep() as step:
                    past = query.moments[place - 1].step if moment.index else None
                    led, faces_only = past.best if isinstance(past, SatStep) else None, query.settings.faces_only
                    if part in ROW_PARTS[:-1]:
                        # `ruled_out` means that a gap was known before this row.
                        return SatProgress(
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
                    return SatProgress(
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
                    # The edges of the planes test are the first rows of the table.
                    apart, count = cast("PlanesTestStep", found).apart, len(table.candidates)
                    return SatProgress(table, True, moment.index, separates=apart, count=count)
                case BuildStep() if not moment.last:
                    return SatProgress(table, True, count=len(table.candidates))
        return SatProgress(table)

    @property
    def best(self) -> int | None:
        """The best row so far, or without a step the winner; None if there is none or it may not be shown."""
        if not self.winner_told:
            return None
        return self.leads if self.stepping else self.table.winner

    @property
    def last(self) -> bool:
        """Whether all rows are tried; also true without a step."""
        return self.number == self.count

    def reached(self, row: int) -> bool:
        """Whether the steps have reached a row."""
        return not self.stepping or (self.row is not None and row <= self.row)

    def bars(self, row: int) -> int:
        """The count of a row's two intervals that are shown, 0 to 2, A's first."""
        if row == self.row and self.part:
            return ROW_PARTS.index(self.part)
        return 2 * self.has(row)

    def has(self, row: int) -> bool:
        """Whether a row is known."""
        if not self.stepping:
            return True
        return row < self.known and not (self.faces_only and self.table.candidates[row].kind is AxisKind.EDGES)

    @cached_property
    def rows(self) -> NDArray[np.bool_]:
        """The mask (n,) of known rows."""
        count = len(self.table.candidates)
        known = np.arange(count) < (self.known if self.stepping else count)
        if self.stepping and self.faces_only:
            known &= np.array([candidate.kind is not AxisKind.EDGES for candidate in self.table.candidates])
        return known

    def ordered(self, rows: NDArray[np.int64]) -> list[int]:
        """The known rows in the order of `rows` (n,), then the unknown rows in the table's order."""
        found: list[int] = np.concatenate((rows[self.rows[rows]], np.flatnonzero(~self.rows))).tolist()
        return found

    def reason(self, analysis: Analysis, row: int) -> str:
        """The reason why a row of `analysis` decides or does not, as far as known, in a few words."""
        if self.last and not self.faces_only:
            return reason(analysis, row) if self.winner_told else reason_alone(self.table, row)
        if row == self.row and self.part:
            return "not compared yet"
        return reason_so_far(self.table, row, self.best) if self.has(row) else NOT_YET[not self.number]

    def has_direction(self, row: int) -> bool:
        """Whether the row's axis has a direction."""
        return self.table.statuses[row] is not AxisStatus.DEGENERATE

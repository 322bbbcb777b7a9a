"""The panel with the table of all candidate axes: both intervals on one scale, and each axis' result.

Pointing at a row highlights its axis in all views; a click pins the axis. The line below the table gives the full
reason of the axis in focus, which would not fit a column. Values over all rows are computed once for each table: two
hulls have thousands of axes, and the panel is drawn in every frame.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from imgui_bundle import ImVec2, imgui
from numpy.typing import NDArray

from core.sat.sat import AxisStatus, SatTable

from ..draw.draw_list import Subject
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.sat_progress import SatProgress
from ..words.names import axis_name
from .axis_row import AxisRows, directed, draw_row
from .numbers import short, short_vector, vector17
from .panel import Docked
from .text import copyable, em, explain, flow, folded, say


@lru_cache(maxsize=4)
def row_order(table: SatTable, *, by_separation: bool, descending: bool) -> NDArray[np.int64]:
    """The row numbers (n,) in the order of the table or by separation; among equal separations the winner is first.

    `descending`: the other way round. Sorted by separation, rows without a direction are last either way.
    """
    rows = np.arange(len(table.candidates))
    if not by_separation:
        return rows[:: -1 if descending else 1]
    known = ~np.isnan(table.separations)
    keys = np.where(known, table.separations, 0.0) * (-1.0 if descending else 1.0)
    order: NDArray[np.int64] = np.lexsort((rows, rows != table.winner, keys, ~known))
    return order


def count_words(tried: SatProgress) -> str:
    """The heading of the labels' column: the number of axes; at SAT's steps also the number tried."""
    if tried.number:
        return f"{tried.number:,} of {tried.count:,} tried"
    count = len(tried.table.candidates)
    return f"{count:,} axes" if count > 1 else "axis"


HEADINGS = (
    "The marks: a square is a face of A, a diamond a face of B, a disc an edge of each, a triangle the closest points. "
    "At SAT's steps an arrowhead is at the axis being tried.",
    "A's bar above B's, all rows on one scale; between them the gap or the overlap.",
    "Positive: a gap. Negative: how far B must move along the axis to be free. At SAT's steps a star is at the best so "
    "far, and the best before it is crossed out.",
    "gap, overlap or touch; as A.y: along the same line as the axis A.y.",
)
"""The tooltips of the headings."""
FOLLOW = "follow when the drag rests."
SEPARATION_COLUMN = 2
"""Index of the column of separations."""
LEAST_ROWS = 6
"""The footer is drawn only if it leaves the table room for all rows or, except at SAT's steps, for this many."""
FOOTER_LINES = 3
ALL_COLUMNS_EMS = 16.0
"""The least room beside the labels, in ems, for the column of words; without it they are only in the tooltips."""
LEAST_FOR_BARS = 5.0
"""The least room, in ems, that the numbers' column leaves for the bars."""
ROW_PADDING = 2.0 / 3.0
"""The rows' padding above and below, as a share of the style's."""
MOST_FOR_LABELS = 0.38
"""The largest share of the width for labels; longer labels are cut off, and the tooltip has them in full."""


def focus_of(ui: PanelState) -> int | None:
    """The row of the axis in focus: the one pointed at, else the pinned one, else the winner.

    At a step of SAT, if none is pointed at, the row that is being tried. None if there is no such row.
    """
    tried, count = ui.sat_progress, len(ui.analysis.sat.candidates)
    for subject in (ui.view.hover, None if tried.stepping else ui.view.pin):
        if subject is not None and subject.kind == "axis" and subject.number < count:
            return subject.number
    return tried.row if tried.stepping else tried.best


class AxisTable(Docked):
    """The docked panel with the table."""

    def __init__(self) -> None:
        self._rows: AxisRows | None = None
        self._shown: tuple[int, int | None] = (0, None)
        self._height = 0.0
        self._low = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the table, and the axis in focus below it."""
        # Less padding, so that the fifteen axes of two boxes fit in beside the step's card.
        padding = imgui.get_style().cell_padding
        imgui.push_style_var(imgui.StyleVar_.cell_padding, ImVec2(padding.x, ROW_PADDING * padding.y))
        self._draw_table(ui, ask)
        imgui.pop_style_var()
        if ui.analysis.beyond_limits:
            say(f"The other axes {'are being computed…' if ui.computing else FOLLOW}", ui.theme.dim_text)
        if not self._low:
            _draw_footer(ui, ask)

    def _draw_table(self, ui: PanelState, ask: Ask) -> None:
        if self._rows is None or self._rows.table is not ui.analysis.sat:
            self._rows = AxisRows(ui.analysis.sat)
        rows = self._rows
        flags = imgui.TableFlags_.sortable | imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_h
        room = imgui.get_content_region_avail().x
        # The heading also has an arrow for the order.
        texts = (*rows.longest_labels, count_words(ui.sat_progress))
        widest = max(imgui.calc_text_size(text).x for text in texts) + (1.8 if ui.sat_progress.stepping else 1.2) * em()
        labels = min(widest, MOST_FOR_LABELS * room)
        wide = room - labels >= ALL_COLUMNS_EMS * em()
        # Each kind of table keeps its own order and widths.
        name = "axes" + ", many" * rows.many + ", narrow" * (not wide) + ", stepping" * ui.sat_progress.stepping
        if not imgui.begin_table(name, 4 if wide else 3, flags, ImVec2(0.0, self._table_height(ui))):
            return
        # Leaves room for the bars.
        decimals = rows.decimals(room - labels - LEAST_FOR_BARS * em())
        _set_up_columns(rows, ui.sat_progress, labels, rows.width(decimals), wide)
        self._draw_rows(ui, rows, decimals, wide, ask)
        imgui.end_table()

    def _table_height(self, ui: PanelState) -> float:
        """The table's height in pixels, at most that of all rows; stores in `_low` whether the footer is left out.

        While most axes are not computed, it keeps the previous height, so that the table does not jump.
        """
        footer = FOOTER_LINES * imgui.get_text_line_height_with_spacing() + imgui.get_style().item_spacing.y
        most = imgui.get_content_region_avail().y - footer
        row = imgui.get_text_line_height() + 2.0 * imgui.get_style().cell_padding.y + 1.0
        # The heading and all rows, so that the footer follows the last row.
        wanted = (len(ui.analysis.sat.candidates) + 1) * row
        if ui.analysis.beyond_limits and self._height:
            # Without the line that names the missing axes.
            wanted = self._height - imgui.get_text_line_height_with_spacing()
        # A window too low for both has only the table; the rows' tooltips contain the footer's text.
        self._low = most < min(wanted, LEAST_ROWS * row) or (ui.sat_progress.stepping and most < wanted)
        if self._low:
            most += footer
        height = max(min(most, wanted), 4.0 * em())
        if not ui.analysis.beyond_limits:
            self._height = height
        return height

    def _draw_rows(self, ui: PanelState, rows: AxisRows, decimals: int, wide: bool, ask: Ask) -> None:
        """Draws the visible rows; scrolls to the row pointed at in the viewport, a new winner, or the row tried.

        `decimals`: of the numbers.
        """
        tried = ui.sat_progress
        order = tried.ordered(_order(rows))
        count, shown = len(order), (len(order), tried.row)
        revealed = None if shown == self._shown else tried.row if tried.stepping else tried.best
        self._shown = shown
        clipper = imgui.ListClipper()
        clipper.begin(count)
        hover = ui.view.hover
        for row in (revealed, hover.number if hover is not None and hover.kind == "axis" else None):
            if row is not None and row < count:
                clipper.include_item_by_index(order.index(row))
        while clipper.step():
            for place in range(clipper.display_start, clipper.display_end):
                draw_row(ui, order[place], rows, tried, decimals, ask, wide=wide, reveal=order[place] == revealed)


def _order(rows: AxisRows) -> NDArray[np.int64]:
    specs = imgui.table_get_sort_specs()
    if specs is None or specs.specs_count == 0:
        return row_order(rows.table, by_separation=rows.many, descending=rows.many)
    spec = specs.get_specs(0)
    return row_order(
        rows.table,
        by_separation=spec.column_index == SEPARATION_COLUMN,
        descending=spec.get_sort_direction() == imgui.SortDirection.descending,
    )


def _set_up_columns(rows: AxisRows, tried: SatProgress, labels: float, numbers: float, wide: bool) -> None:
    fixed, stretch = imgui.TableColumnFlags_.width_fixed, imgui.TableColumnFlags_.width_stretch
    unsorted, down = imgui.TableColumnFlags_.no_sort, imgui.TableColumnFlags_.prefer_sort_descending
    first = imgui.TableColumnFlags_.default_sort
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_setup_column(count_words(tried) + "###axis", fixed if rows.many else fixed | first, labels)
    # At SAT's steps the count of tried axes needs more room.
    intervals = "intervals" if tried.stepping else "intervals of A and B"
    numbers = max(numbers, imgui.calc_text_size("separation").x + 1.2 * em())
    # Without room for a heading the column has none.
    left = imgui.get_content_region_avail().x - labels - numbers - 6.0 * imgui.get_style().cell_padding.x
    narrow = "A, B" if imgui.calc_text_size("A, B").x <= left else "###intervals"
    imgui.table_setup_column(intervals if wide else narrow, stretch | unsorted)
    imgui.table_setup_column("separation", fixed | down | first if rows.many else fixed | down, numbers)
    if wide:
        imgui.table_setup_column("says", fixed | unsorted, max(imgui.calc_text_size(text).x for text in rows.words))
    imgui.table_next_row(imgui.TableRowFlags_.headers, imgui.internal.table_get_header_row_height())
    for place, note in enumerate(HEADINGS[: 4 if wide else 3]):
        imgui.table_set_column_index(place)
        imgui.table_header(imgui.table_get_column_name(place))
        explain(note)


def _draw_footer(ui: PanelState, ask: Ask) -> None:
    """Draws the axis in focus, if any, and its reason, then its direction and intervals, copied with a click.

    An axis without a direction, and an axis that SAT has not reached, have no direction and intervals here.
    """
    row, table = focus_of(ui), ui.analysis.sat
    if row is None:
        return
    label = axis_name(table, row)
    pinned = ", pinned" if ui.view.pin == Subject("axis", row) else ""
    say(f"{label}{pinned}: {ui.sat_progress.reason(ui.analysis, row)}")
    explain("Separation is positive apart and negative overlapping, in scene units.")
    if table.statuses[row] is AxisStatus.DEGENERATE or not ui.sat_progress.has(row):
        return
    ends_a, ends_b, axis = directed(ui.analysis, row)
    shown = [(letter, f"{short(ends[0])} … {short(ends[1])}", ends) for letter, ends in (("A", ends_a), ("B", ends_b))]
    shown.append(("axis", short_vector(axis), axis))
    for number, (name, words, values) in enumerate(shown):
        text = f"{name} {words}"
        if number:
            flow(imgui.calc_text_size(text).x)
        copyable(
            folded(text, "," if number == 2 else " …"),
            vector17(values),
            f"{name} of {label}",
            ask,
            rgba=ui.theme.dim_text,
        )

"""The table of all candidate axes: both intervals on one scale, what each axis says, and why.

Pointing at a row points at the axis everywhere; a click pins it. The line below the table tells the reason of the
axis in focus in full, so that no column has to be cut off in a narrow panel. What is taken from all rows at once is
found once for each table: two hulls have thousands of axes, and the panel is drawn in every frame.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import inf, isnan

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.geometry.vector import Array
from core.sat.sat import AxisStatus, SatTable

from ..draw.draw_list import Rgba, Subject
from ..draw.theme import Theme, faded
from ..state.panel_state import PanelState
from ..state.requests import Look, Point
from ..words.axis_words import MINUS, arc_sentence, full, reason, shown_part
from ..words.terms import terms_of
from .numbers import decimals_for, short, short_vector, signed, vector17
from .panel import Ask, Docked
from .text import copies_on_click, copyable, em, explain, flow, on_item, say, wrapped_at, write
from .widgets import family_mark, u32

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
        ends = np.concatenate((table.directed.interval_a, table.directed.interval_b))
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


@lru_cache(maxsize=4)
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


def count_words(table: SatTable) -> str:
    """How many axes there are: the heading of their column."""
    count = len(table.candidates)
    return f"{count:,} axes" if count > 1 else "axis"


STATUS_WORDS = {
    AxisStatus.SEPARATING: "apart",
    AxisStatus.TOUCHING: "touching",
    AxisStatus.OVERLAPPING: "overlap",
    AxisStatus.DEGENERATE: "none",
}

STATUS_NOTES = {
    AxisStatus.SEPARATING: "SEPARATING: the two intervals do not meet, so this axis alone proves the bodies apart.",
    AxisStatus.TOUCHING: "TOUCHING: the intervals meet within the touching band.",
    AxisStatus.OVERLAPPING: "OVERLAPPING: the intervals overlap; the bodies may still be apart on another axis.",
    AxisStatus.DEGENERATE: "DEGENERATE: the two edges are exactly parallel, their cross product is zero: no axis.",
}

FOLLOW = "follow when the drag rests."
SEPARATION_COLUMN = 2
FOOTER_LINES = 3
ALL_COLUMNS_EMS = 16.0
"""With less room than this beside the labels the status has no column of its own and stands in the tooltip."""
MOST_FOR_LABELS = 0.38
"""Share of the width that labels may take; longer ones are cut off, and are in full in the tooltip."""


def focus_of(ui: PanelState) -> int:
    """Row of the axis in focus: pointed at, else pinned, else the winner."""
    count = len(ui.analysis.sat.candidates)
    for subject in (ui.view.hover, ui.view.pin):
        if subject is not None and subject.kind == "axis" and subject.number < count:
            return subject.number
    return ui.analysis.sat.winner


class AxisTable(Docked):
    """The docked panel with the table."""

    def __init__(self) -> None:
        self._rows: Rows | None = None
        self._shown = 0
        self._height = 0.0

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """The table, and the axis in focus below it."""
        self._draw_table(ui, ask)
        if ui.analysis.left_out:
            say(f"The other axes {'are being computed…' if ui.computing else FOLLOW}", ui.theme.dim_text)
        _draw_footer(ui, ask)

    def _draw_table(self, ui: PanelState, ask: Ask) -> None:
        if self._rows is None or self._rows.table is not ui.analysis.sat:
            self._rows = Rows(ui.analysis.sat)
        rows = self._rows
        flags = imgui.TableFlags_.sortable | imgui.TableFlags_.scroll_y | imgui.TableFlags_.borders_inner_h
        room = imgui.get_content_region_avail().x
        # The heading has a sign of its own for the order.
        texts = (*rows.longest_labels, count_words(rows.table))
        widest = max(imgui.calc_text_size(text).x for text in texts) + 1.2 * em()
        labels = min(widest, MOST_FOR_LABELS * room)
        wide = room - labels >= ALL_COLUMNS_EMS * em()
        # Each kind of table keeps its own order and widths.
        name = "axes" + ", many" * rows.many + ", narrow" * (not wide)
        if not imgui.begin_table(name, 4 if wide else 3, flags, ImVec2(0.0, self._table_height(ui))):
            return
        _set_up_columns(rows, labels, wide)
        self._draw_rows(ui, rows, wide, ask)
        imgui.end_table()

    def _table_height(self, ui: PanelState) -> float:
        """At most every row; while most of them are missing, the height from before, so that nothing jumps."""
        footer = FOOTER_LINES * imgui.get_text_line_height_with_spacing() + imgui.get_style().item_spacing.y
        most = imgui.get_content_region_avail().y - footer
        row = imgui.get_text_line_height() + 2.0 * imgui.get_style().cell_padding.y + 1.0
        # The header and every row, so that the footer follows the last one.
        wanted = (len(ui.analysis.sat.candidates) + 1) * row
        if ui.analysis.left_out and self._height:
            # Less the line that says what is missing.
            wanted = self._height - imgui.get_text_line_height_with_spacing()
        # A window too low for footer and table keeps the table, which then scrolls.
        height = max(min(most, wanted), 4.0 * em())
        if not ui.analysis.left_out:
            self._height = height
        return height

    def _draw_rows(self, ui: PanelState, rows: Rows, wide: bool, ask: Ask) -> None:
        """The rows in sight, the one pointed at in the viewport, and in a table with other axes the winner."""
        order = _order(rows)
        count, winner = len(order), rows.table.winner
        revealed = winner if count != self._shown else None
        self._shown = count
        clipper = imgui.ListClipper()
        clipper.begin(count)
        hover = ui.view.hover
        for row in (revealed, hover.number if hover is not None and hover.kind == "axis" else None):
            if row is not None and row < count:
                clipper.include_item_by_index(order.index(row))
        while clipper.step():
            for place in range(clipper.display_start, clipper.display_end):
                _draw_row(ui, order[place], rows, wide, order[place] == revealed, ask)


def _order(rows: Rows) -> list[int]:
    specs = imgui.table_get_sort_specs()
    if specs is None or specs.specs_count == 0:
        return row_order(rows.table, by_separation=rows.many, descending=rows.many)
    spec = specs.get_specs(0)
    return row_order(
        rows.table,
        by_separation=spec.column_index == SEPARATION_COLUMN,
        descending=spec.get_sort_direction() == imgui.SortDirection.descending,
    )


def _set_up_columns(rows: Rows, labels: float, wide: bool) -> None:
    fixed, stretch = imgui.TableColumnFlags_.width_fixed, imgui.TableColumnFlags_.width_stretch
    unsorted, down = imgui.TableColumnFlags_.no_sort, imgui.TableColumnFlags_.prefer_sort_descending
    first = imgui.TableColumnFlags_.default_sort
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_setup_column(count_words(rows.table) + "###axis", fixed if rows.many else fixed | first, labels)
    imgui.table_setup_column("intervals of A and B" if wide else "A, B", stretch | unsorted)
    numbers = max((imgui.calc_text_size(signed(end, rows.decimals)).x for end in rows.ends), default=0.0)
    numbers = max(numbers, imgui.calc_text_size("separation").x + 1.2 * em())
    imgui.table_setup_column("separation", fixed | down | first if rows.many else fixed | down, numbers)
    if wide:
        imgui.table_setup_column("says", fixed | unsorted, imgui.calc_text_size("touching").x)
    imgui.table_headers_row()


def _draw_row(ui: PanelState, row: int, rows: Rows, wide: bool, reveal: bool, ask: Ask) -> None:
    table, theme = ui.analysis.sat, ui.theme
    # Rows without a direction, and nearly parallel edges unless they win, are greyed.
    parallel = table.candidates[row].nearly_parallel and row != table.winner
    recedes = parallel or table.statuses[row] is AxisStatus.DEGENERATE
    ink = faded(theme.text, 0.45) if recedes else theme.winner if row == table.winner else theme.text
    subject = Subject("axis", row)
    imgui.table_next_row()
    imgui.push_id(row)
    # Pointed at, pinned and winner, each visible without the other.
    target = imgui.TableBgTarget_.row_bg0
    if ui.view.hover == subject:
        imgui.table_set_bg_color(target, u32(faded(ui.theme.hover, 0.16)))
    elif ui.view.pin == subject:
        imgui.table_set_bg_color(target, u32(faded(ui.theme.body_a, 0.26)))
    elif row == table.winner:
        imgui.table_set_bg_color(target, u32(faded(ui.theme.winner, 0.10)))

    imgui.table_next_column()
    flags = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
    clicked, _ = imgui.selectable("##row", False, flags, ImVec2(0.0, imgui.get_text_line_height()))
    if imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_overlapped_by_item):
        ask.append(Point(subject))
    elif not imgui.is_item_visible() and (reveal or (ui.view.hover == subject and not imgui.is_window_hovered())):
        # The winner of other axes, or pointed at in the viewport: the row comes into sight.
        imgui.set_scroll_here_y()
    wants_tooltip = imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip)
    _draw_label(table, row, theme, ink, recedes)
    imgui.table_next_column()
    _draw_bars(table, row, rows.scale, theme, recedes)
    imgui.table_next_column()
    on_number = _draw_separation(table, row, rows.decimals, ink, ask)
    if wide:
        imgui.table_next_column()
        write(STATUS_WORDS[table.statuses[row]], faded(theme.dim_text, 0.7) if recedes else theme.dim_text)
    if wants_tooltip and not on_number:
        _draw_tooltip(ui.analysis, row)
    if clicked and not on_number:
        ask.append(Look(replace(ui.view, pin=None if ui.view.pin == subject else subject)))
    imgui.pop_id()


def _draw_label(table: SatTable, row: int, theme: Theme, ink: Rgba, recedes: bool) -> None:
    """Marker and name over the row's first cell, the winner's name bold."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    middle = 0.5 * (low.y + high.y)
    left, top = low.x + imgui.get_style().cell_padding.x, middle - 0.5 * imgui.get_text_line_height()
    candidate = table.candidates[row]
    # A number cut off says nothing: shortened as the vertices are, `A.e12×B.e3`.
    text = candidate.label
    if imgui.calc_text_size(text).x + 1.1 * em() > imgui.get_content_region_avail().x:
        text = text.replace("edge", "e").replace("face", "f")
    family_mark(ImVec2(left + 0.35 * em(), middle), 0.32 * em(), candidate.kind, theme, 0.45 if recedes else 1.0)
    # Bold by double strike: the width stays that of the column.
    for shift in (0.0, 0.6) if row == table.winner else (0.0,):
        at = ImVec2(left + 1.1 * em() + shift, top)
        imgui.get_window_draw_list().add_text(at, u32(ink), text)


def _draw_separation(table: SatTable, row: int, decimals: int, ink: Rgba, ask: Ask) -> bool:
    """The number at the right of its cell; whether the pointer is on it, so that a click copies and does not pin."""
    value = float(table.separations[row])
    text = signed(value, decimals)
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(0.0, room))
    write(text, ink)
    if isnan(value):
        return False
    copies_on_click(full(value), f"separation on {table.candidates[row].label}", ask)
    return on_item()


def _draw_bars(table: SatTable, row: int, scale: Scale, theme: Theme, recedes: bool) -> None:
    """A's bar over B's, and between them what lies between the two ends that decide: gap or overlap."""
    at = imgui.get_cursor_screen_pos()
    width = max(8.0, imgui.get_content_region_avail().x)
    line = imgui.get_text_line_height()
    imgui.dummy(ImVec2(width, line))
    if table.statuses[row] is AxisStatus.DEGENERATE:
        return
    draw = imgui.get_window_draw_list()
    thick = max(2.0, round(0.27 * em()))
    middle = round(at.y + 0.5 * line)
    upper, lower = middle - thick - 1.0, middle + 1.0
    strength = 0.4 if recedes else 1.0
    a_low, a_high = (scale.at(float(v), at.x, width) for v in table.directed.interval_a[row])
    b_low, b_high = (scale.at(float(v), at.x, width) for v in table.directed.interval_b[row])
    apart = float(table.separations[row]) > 0.0
    left, right = round(min(a_high, b_low)), round(max(a_high, b_low))
    top, bottom, between = middle - thick - 3.0, middle + thick + 3.0, theme.gap if apart else theme.overlap
    if right - left >= 1:
        draw.add_rect_filled(ImVec2(left, top), ImVec2(right, bottom), u32(faded(between, 0.28 * strength)))
    for x in (left, right):
        draw.add_line_v(x, top, bottom, u32(faded(between, strength)), 1.0)
    for low, high, top, rgba in ((a_low, a_high, upper, theme.edge_a), (b_low, b_high, lower, theme.edge_b)):
        # The ends on whole pixels stay crisp, and a point-sized interval stays visible.
        left = round(low)
        right = max(round(high), left + 2)
        draw.add_rect_filled(ImVec2(left, top), ImVec2(right, top + thick), u32(faded(rgba, strength)))


def _draw_tooltip(analysis: Analysis, row: int) -> None:
    table = analysis.sat
    candidate, status = table.candidates[row], table.statuses[row]
    if not imgui.begin_tooltip():
        return
    with wrapped_at(30.0 * em()):
        kind = terms_of(analysis.scene.dimension).said(candidate.kind)
        imgui.text_unformatted(f"{candidate.label}: {kind}")
        imgui.text_unformatted(f"{reason(analysis, row)}.")
        if arcs := arc_sentence(analysis, row):
            imgui.text_unformatted(arcs)
        imgui.text_disabled(STATUS_NOTES[status])
        if status is not AxisStatus.DEGENERATE:
            ends_a, ends_b, axis = _directed(analysis, row)
            imgui.text_unformatted(
                f"separation  {full(float(table.separations[row])).replace('-', MINUS)}  = min B {MINUS} max A\n"
                f"A  {vector17(ends_a)}\n"
                f"B  {vector17(ends_b)}\n"
                f"axis  {vector17(axis)}  from A towards B"
            )
        imgui.text_disabled("Click to pin; click the number to copy it.")
    imgui.end_tooltip()


def _directed(analysis: Analysis, row: int) -> tuple[Array, Array, Array]:
    """A's interval and B's on a row's axis in world values, and its direction, as shown: from A towards B."""
    table = analysis.sat.directed
    shift = table.offset[row]
    return table.interval_a[row] + shift, table.interval_b[row] + shift, shown_part(analysis, table.axes[row])


def _draw_footer(ui: PanelState, ask: Ask) -> None:
    """The axis in focus and its reason in words, then its direction and its intervals, copied with a click."""
    row, table = focus_of(ui), ui.analysis.sat
    label = table.candidates[row].label
    pinned = ", pinned" if ui.view.pin == Subject("axis", row) else ""
    say(f"{label}{pinned}: {reason(ui.analysis, row)}")
    explain("Separation is positive apart and negative overlapping, in scene units.")
    if table.statuses[row] is AxisStatus.DEGENERATE:
        return
    ends_a, ends_b, axis = _directed(ui.analysis, row)
    shown = [(letter, f"{short(ends[0])} … {short(ends[1])}", ends) for letter, ends in (("A", ends_a), ("B", ends_b))]
    shown.append(("axis", short_vector(axis), axis))
    for number, (name, words, values) in enumerate(shown):
        text = f"{name} {words}"
        if number:
            flow(imgui.calc_text_size(text).x)
        copyable(text, vector17(values), f"{name} of {label}", ask, rgba=ui.theme.dim_text)

"""One row of the axis table: its label, both bars on the table's scale, its number and word, and its tooltip.

At a step of SAT, a row that the steps have not reached shows only its label.
"""

from __future__ import annotations

from functools import cached_property
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
from ..overlays.style import family_style
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.sat_progress import SatProgress
from ..words.axis_words import arc_sentence, shown_part
from ..words.digits import MINUS, full
from ..words.names import axis_name, named_axis
from ..words.right_angles import right_angle_words
from .numbers import decimals_for, short, short_vector, signed
from .step_icons import star
from .text import copies_on_click, em, on_item, tooltip_inside, wants_tip, write
from .widgets import family_mark, u32

LEAST_DECIMALS = 3
MANY_ROWS = 40
"""A table with more rows is sorted by separation at first, since its winner would otherwise not be visible."""
LONGEST_WORD = 9
"""The most characters of a word for which the last column has room; longer words are cut off."""
ENDLESS_SHARE = 0.2
"""The room for an infinite interval beyond the finite ends, as a share of their span."""


class ScreenScale(Struct, frozen=True):
    """Maps projections, relative to that of A's position, to x within a column of the table.

    `low` is at the column's left edge, `low` + `span` at its right edge, in scene units.
    """

    low: float
    span: float

    @staticmethod
    def of(table: SatTable) -> ScreenScale:
        """The common scale of all rows' intervals; a row without a direction has no intervals.

        A half-space's intervals are infinite: the scale has extra room on that side. For two balls with one centre the
        only row has no direction, and the scale is (0, 1).
        """
        ends = np.concatenate((table.directed.interval_a, table.directed.interval_b))
        finite = ends[np.isfinite(ends)]
        if not len(finite):
            return ScreenScale(0.0, 1.0)
        low, high = float(finite.min()), float(finite.max())
        room = ENDLESS_SHARE * max(high - low, 1e-300)
        low -= room if bool((ends == -inf).any()) else 0.0
        high += room if bool((ends == inf).any()) else 0.0
        return ScreenScale(low, max(high - low, 1e-300))

    def at(self, value: float, left: float, width: float) -> float:
        """The screen x of a projection in a column from `left`, `width` wide; the column's edge for an infinite one."""
        return left + min(max((value - self.low) / self.span, 0.0), 1.0) * width


class AxisRows(Struct, frozen=True, eq=False, dict=True):
    """A SAT table, with the values over all its rows that the panel computes once."""

    table: SatTable

    @property
    def many(self) -> bool:
        """Whether the list has more than MANY_ROWS rows."""
        return len(self.table.candidates) > MANY_ROWS

    @cached_property
    def scale(self) -> ScreenScale:
        """The scale of every row's bars."""
        return ScreenScale.of(self.table)

    @cached_property
    def intervals(self) -> list[list[float]]:
        """The ends of A's and of B's interval of each row, four numbers."""
        found: list[list[float]] = np.hstack((self.table.directed.interval_a, self.table.directed.interval_b)).tolist()
        return found

    @cached_property
    def ends(self) -> tuple[float, ...]:
        """The smallest and the largest separation; empty if no row has one."""
        known = self.table.separations[~np.isnan(self.table.separations)]
        return (float(known.min()), float(known.max())) if len(known) else ()

    def decimals(self, room: float) -> int:
        """The decimals of the column of separations; fewer, down to LEAST_DECIMALS, if `room` (pixels) is short."""
        count = decimals_for(self.ends)
        while count > LEAST_DECIMALS and self.width(count) > room:
            count -= 1
        return count

    def width(self, decimals: int) -> float:
        """The width of the widest separation, in pixels."""
        return max((imgui.calc_text_size(signed(end, decimals)).x for end in self.ends), default=0.0)

    def word(self, row: int) -> str:
        """A row's word: `gap`; `as A.y` if its axis lies along the axis A.y of another row; "" without a direction."""
        line = int(self.table.same_as[row])
        return STATUS_WORDS[self.table.statuses[row]] if line == row else f"as {axis_name(self.table, line)}"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words to be measured for the column's width: `overlap`, and up to MANY_ROWS words `as …`."""
        copies = np.flatnonzero(self.table.same_as != np.arange(len(self.table.same_as)))[:MANY_ROWS].tolist()
        return ("overlap", *(word for row in copies if len(word := self.word(row)) <= LONGEST_WORD))

    @cached_property
    def longest_labels(self) -> tuple[str, ...]:
        """The eight labels with the most letters, to be measured.

        To measure thousands of labels takes longer than to draw the visible rows.
        """
        return tuple(sorted((named_axis(candidate.label) for candidate in self.table.candidates), key=len)[-8:])


WHOLE_ROW = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
"""Flags of the item that is clicked: under all cells of the row."""

STATUS_WORDS = {
    AxisStatus.SEPARATING: "gap",
    AxisStatus.TOUCHING: "touch",
    AxisStatus.OVERLAPPING: "overlap",
    AxisStatus.DEGENERATE: "",
}

STATUS_NOTES = {
    AxisStatus.SEPARATING: "SEPARATING: a gap lies between the two intervals: this axis alone proves the bodies apart.",
    AxisStatus.TOUCHING: "TOUCHING: the intervals touch, within the touching tolerance.",
    AxisStatus.OVERLAPPING: "OVERLAPPING: the intervals overlap; the bodies may still be apart on another axis.",
    AxisStatus.DEGENERATE: "DEGENERATE: the two edges are exactly parallel, their cross product is zero: no axis.",
}


def draw_row(
    ui: PanelState, row: int, rows: AxisRows, tried: SatProgress, decimals: int, ask: Ask, *, wide: bool, reveal: bool
) -> None:
    """Draws a row of the table `rows`; `wide`: with a column for the word; `reveal`: scrolls to the row.

    `decimals`: of the separation. A click pins the row's axis or unpins it, except at a step of SAT; a click on the
    number copies it.
    """
    table, theme, known = tried.table, ui.theme, tried.has(row)
    # Rows without a direction, nearly parallel edges unless best, and rows not tried yet are greyed.
    parallel = table.candidates[row].nearly_parallel and row != tried.best
    recedes = parallel or not tried.has_direction(row) or not (known or tried.bars(row))
    ink = faded(theme.text, 0.45) if recedes else theme.winner if row == tried.best else theme.text
    subject = Subject("axis", row)
    imgui.table_next_row()
    imgui.push_id(row)
    if (ground := _ground(ui, row, tried)) is not None:
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg0, u32(ground))
    imgui.table_next_column()
    clicked, _ = imgui.selectable("##row", False, WHOLE_ROW, ImVec2(0.0, imgui.get_text_line_height()))
    if imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_overlapped_by_item):
        ask.point(subject)
    elif (reveal or (ui.view.hover == subject and not imgui.is_window_hovered())) and not _in_sight():
        # Scrolls to a new winner, to the row being tried, or to the row pointed at in the viewport.
        imgui.set_scroll_here_y()
    wants_tooltip = wants_tip()
    _draw_label(tried, row, theme, ink, recedes)
    imgui.table_next_column()
    on_number = False
    if known or tried.bars(row):
        comes = tried.stepping and row == tried.row and (ui.progress < 1.0 or not known)
        _draw_bars(tried, row, rows, theme, recedes, ui.progress if comes else 1.0)
        imgui.table_next_column()
        if comes:
            _write_right("…", ink)
        else:
            on_number = _draw_separation(tried, row, decimals, theme, ink, ask)
        if wide:
            imgui.table_next_column()
            write("" if comes else rows.word(row), faded(theme.dim_text, 0.7) if recedes else theme.dim_text)
    # In a lesson the tooltip would cover the bodies; the footer has the same text.
    if wants_tooltip and not on_number and ui.lesson is None:
        # The tooltip stays within the panel, since the viewport beside it highlights this axis.
        tooltip_inside(lambda: _draw_tooltip(ui.analysis, tried, row))
    # At a step of SAT the axis being tried is in focus, and rows cannot be pinned.
    if clicked and not tried.stepping and not on_number:
        ask.look(replace(ui.view, pin=None if ui.view.pin == subject else subject))
    imgui.pop_id()


def _in_sight() -> bool:
    """Whether the whole of the last item is visible in the window."""
    low, high, window = imgui.get_item_rect_min(), imgui.get_item_rect_max(), imgui.get_window_pos()
    return imgui.is_item_visible() and low.y >= window.y and high.y <= window.y + imgui.get_window_height()


def _ground(ui: PanelState, row: int, tried: SatProgress) -> Rgba | None:
    # The first state that applies gives the colour: pointed at, being tried, pinned, winner.
    theme, subject = ui.theme, Subject("axis", row)
    if ui.view.hover == subject:
        return faded(theme.hover, 0.16)
    if tried.stepping:
        family = family_style(tried.table.candidates[row].kind, theme).rgba
        return faded(family, 0.18) if row == tried.row else None
    if ui.view.pin == subject:
        return faded(theme.body_a, 0.26)
    return faded(theme.winner, 0.10) if row == tried.best else None


def _draw_label(tried: SatProgress, row: int, theme: Theme, ink: Rgba, recedes: bool) -> None:
    """Draws the family's marker and the axis' name in the row's first cell.

    The winner's name is bold; at a step of SAT that of the axis being tried, which also has an arrowhead. `recedes`:
    the mark is paler.
    """
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    middle = 0.5 * (low.y + high.y)
    left, top = low.x + imgui.get_style().cell_padding.x, middle - 0.5 * imgui.get_text_line_height()
    candidate, strong, draw = tried.table.candidates[row], tried.best, imgui.get_window_draw_list()
    if tried.stepping:
        strong = tried.row
        if row == strong:
            tip = ImVec2(left + 0.42 * em(), middle)
            back = (ImVec2(left, middle - 0.36 * em()), ImVec2(left, middle + 0.36 * em()))
            draw.add_triangle_filled(tip, back[1], back[0], u32(theme.text))
            ink = theme.text if tried.has_direction(row) else ink
        left += 0.6 * em()
    family_mark(ImVec2(left + 0.35 * em(), middle), 0.32 * em(), candidate.kind, theme, 0.45 if recedes else 1.0)
    # Bold: drawn twice, 0.6 pixels apart, so that it fits the measured column.
    for shift in (0.0, 0.6) if row == strong else (0.0,):
        draw.add_text(ImVec2(left + 1.1 * em() + shift, top), u32(ink), named_axis(candidate.label))


def _draw_separation(tried: SatProgress, row: int, decimals: int, theme: Theme, ink: Rgba, ask: Ask) -> bool:
    """Draws the number at the right of its cell; returns whether the pointer is on it, so that a click copies it.

    At a step of SAT the best so far has a star, and the previous best is struck out.
    """
    value = float(tried.table.separations[row])
    text, draw = signed(value, decimals), imgui.get_window_draw_list()
    width = imgui.calc_text_size(text).x
    at = _write_right(text, ink)
    middle = at.y + 0.5 * imgui.get_text_line_height()
    if tried.stepping and row == tried.best:
        star(draw, round(at.x - 0.65 * em()), round(middle), 0.42 * em(), u32(theme.winner))
    if row == tried.overtaken:
        draw.add_line_h(at.x, at.x + width, round(middle), u32(ink), 1.0)
    if isnan(value):
        return False
    if pointed := on_item():
        copies_on_click(full(value), f"separation on {axis_name(tried.table, row)}", ask, quiet=True)
    return pointed


def _write_right(text: str, ink: Rgba) -> ImVec2:
    """Writes text at the right of its cell; returns its screen position."""
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(0.0, room))
    at = imgui.get_cursor_screen_pos()
    write(text, ink)
    return at


def _draw_bars(tried: SatProgress, row: int, rows: AxisRows, theme: Theme, recedes: bool, share: float) -> None:
    """Draws A's bar above B's, if they are known, and the gap or overlap between A's high end and B's low end.

    `share`: the progress of the newest bars' animation from A's low end, 0 to 1; the gap or overlap is drawn once the
    row is known and the animation has ended. `recedes`: all is paler.
    """
    table = tried.table
    at = imgui.get_cursor_screen_pos()
    width = max(8.0, imgui.get_content_region_avail().x)
    line = imgui.get_text_line_height()
    imgui.dummy(ImVec2(width, line))
    if table.statuses[row] is AxisStatus.DEGENERATE:
        imgui.get_window_draw_list().add_text(at, u32(faded(theme.dim_text, 0.7)), "no direction")
        return
    draw = imgui.get_window_draw_list()
    thick = max(2.0, round(0.27 * em()))
    middle = round(at.y + 0.5 * line)
    upper, lower = middle - thick - 1.0, middle + 1.0
    strength = 0.4 if recedes else 1.0
    ends = [rows.scale.at(value, at.x, width) for value in rows.intervals[row]]
    # A bar that was there before is not animated again.
    shares = (1.0 if tried.bars(row) == 2 and not tried.has(row) else share, share)
    a_low, a_high, b_low, b_high = (ends[0] + shares[k // 2] * (end - ends[0]) for k, end in enumerate(ends))
    apart = float(table.separations[row]) > 0.0
    left, right = round(min(a_high, b_low)), round(max(a_high, b_low))
    top, bottom, between = middle - thick - 3.0, middle + thick + 3.0, theme.gap if apart else theme.overlap
    compared = tried.has(row) and share == 1.0
    if right - left >= 1 and compared:
        draw.add_rect_filled(ImVec2(left, top), ImVec2(right, bottom), u32(faded(between, 0.28 * strength)))
    for x in (left, right) if compared else ():
        draw.add_line_v(x, top, bottom, u32(faded(between, strength)), 1.0)
    bars = (a_low, a_high, upper, theme.edge_a), (b_low, b_high, lower, theme.edge_b)
    for low, high, top, rgba in bars[: tried.bars(row)]:
        # Ends on whole pixels are crisp, and an interval of length 0 stays visible.
        left = round(low)
        right = max(round(high), left + 2)
        draw.add_rect_filled(ImVec2(left, top), ImVec2(right, top + thick), u32(faded(rgba, strength)))


def _draw_tooltip(analysis: Analysis, tried: SatProgress, row: int) -> None:
    table = analysis.sat
    status = table.statuses[row]
    imgui.text_unformatted(f"{axis_name(table, row)}, {right_angle_words(analysis.scene, table, row)}")
    words = tried.reason(analysis, row)
    imgui.text_unformatted(f"{words[0].upper()}{words[1:]}." if tried.stepping else f"{words}.")
    if tried.has(row):
        _draw_numbers(analysis, row, status, pins=not tried.stepping)


def _draw_numbers(analysis: Analysis, row: int, status: AxisStatus, *, pins: bool) -> None:
    if arcs := arc_sentence(analysis, row):
        imgui.text_unformatted(arcs)
    imgui.text_disabled(STATUS_NOTES[status])
    if status is not AxisStatus.DEGENERATE:
        ends_a, ends_b, axis = directed(analysis, row)
        imgui.text_unformatted(
            f"separation  {short(float(analysis.sat.separations[row]))}  = min B {MINUS} max A\n"
            f"A  {short_vector(ends_a)}   B  {short_vector(ends_b)}\n"
            f"axis  {short_vector(axis)}  from A towards B"
        )
    imgui.text_disabled(f"{'Click to pin; click' if pins else 'Click'} the number to copy all its digits.")


def directed(analysis: Analysis, row: int) -> tuple[Array, Array, Array]:
    """The intervals of A and B, (2,) each in world coordinates, and the axis' direction from A towards B, as shown."""
    table = analysis.sat.directed
    shift = table.offset[row]
    return table.interval_a[row] + shift, table.interval_b[row] + shift, shown_part(analysis, table.axes[row])

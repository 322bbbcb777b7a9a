"""A table of words whose rows can be clicked: a row is as high as its highest cell, wrapped to its column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from ..draw.draw_list import Rgba
from .text import TIPS, explain, inked, tell_beside, wrapped_at


class Column(Struct, frozen=True):
    """A column under its `title`, which `note` explains on hover.

    The column is as wide as the text `fits`; without one it shares the remaining width by `weight`.
    """

    title: str
    note: str = ""
    fits: str = ""
    weight: float = 1.0


class TableRow(Struct, frozen=True):
    """A row: its `key`, the words and the colour of each cell, and its tooltip.

    `chosen`: the row is marked; `usable`: the row can be clicked.
    """

    key: str
    cells: tuple[tuple[str, Rgba | None], ...]
    tip: str = ""
    chosen: bool = False
    usable: bool = True


def draw_table(
    name: str, columns: Sequence[Column], lines: Iterable[TableRow], flags: int = imgui.TableFlags_.borders_inner_h
) -> str:
    """Draws the table; returns the key of the row that was clicked, "" for none. `flags`: imgui's."""
    clicked = ""
    if not imgui.begin_table(name, len(columns), flags):
        return clicked
    for column in columns:
        if column.fits:
            width = imgui.calc_text_size(column.fits).x
            imgui.table_setup_column(column.title, imgui.TableColumnFlags_.width_fixed, width)
        else:
            imgui.table_setup_column(column.title, imgui.TableColumnFlags_.width_stretch, column.weight)
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for place, column in enumerate(columns):
        imgui.table_set_column_index(place)
        imgui.table_header(column.title)
        explain(column.note)
    for line in lines:
        if _draw_line(line):
            clicked = line.key
    imgui.end_table()
    return clicked


def _draw_line(line: TableRow) -> bool:
    """Draws a row; returns whether it was clicked."""
    imgui.table_next_row()
    highest = 0.0
    for place, (words, _) in enumerate(line.cells):
        imgui.table_set_column_index(place)
        room = imgui.get_content_region_avail().x
        highest = max(highest, imgui.calc_text_size(words, False, max(room, 1.0)).y)
    imgui.table_set_column_index(0)
    corner = imgui.get_cursor_pos()
    flags = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
    imgui.begin_disabled(not line.usable)
    clicked = imgui.selectable(f"##{line.key}", line.chosen, flags, ImVec2(0.0, highest))[0]
    imgui.end_disabled()
    hovered = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled
    if line.tip and TIPS.wanted and imgui.is_item_hovered(hovered):
        tell_beside(line.tip)
    imgui.set_cursor_pos(corner)
    for place, (words, rgba) in enumerate(line.cells):
        imgui.table_set_column_index(place)
        with wrapped_at(), inked(rgba):
            imgui.text_unformatted(words)
    return bool(clicked)

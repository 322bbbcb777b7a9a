"""Several numbers in one line, each with its name, or in several lines where that leaves too little room."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from core.scene import Triple

from ..draw.theme import Theme
from .number_field import NumberField, say_refusals
from .widgets import em

FIELD_EMS = 5.4
"""Least width of a field with its name: six digits and a sign."""
NAME_GAP = 0.25
"""Air between a field's name and the field, ems."""


def with_component(triple: Triple, index: int, value: float) -> Triple:
    """`triple` with one component replaced."""
    x, y, z = (value if k == index else old for k, old in enumerate(triple))
    return (x, y, z)


def number_row(
    row: str,
    fields: list[NumberField],
    names: tuple[str, ...],
    values: tuple[float, ...],
    theme: Theme,
    check: Callable[[float], str] = lambda _: "",
    left_free: float = 0.0,
) -> tuple[int, float] | None:
    """Fields in one line, or in several where that leaves too little room; the index and number of an accepted edit.

    `left_free`: how much of the line's end is for something else.
    """
    spacing = imgui.get_style().item_inner_spacing.x
    width = imgui.get_content_region_avail().x - left_free
    start = imgui.get_cursor_pos_x()
    per_line = fields_per_line(len(fields), width, spacing)
    each = (width - spacing * (per_line - 1)) / per_line
    edited = None
    for k, (field, name, value) in enumerate(zip(fields, names, values, strict=True)):
        if k % per_line:
            imgui.same_line(0.0, spacing)
        elif k:
            imgui.set_cursor_pos_x(start)
        imgui.align_text_to_frame_padding()
        imgui.text_disabled(name)
        imgui.same_line(0.0, NAME_GAP * em())
        number = field.draw(f"##{row}{k}", value, each - imgui.calc_text_size(name).x - NAME_GAP * em(), check)
        if number is not None:
            edited = (k, number)
    say_refusals(fields, theme)
    return edited


def fields_per_line(count: int, width: float, spacing: float) -> int:
    """As many as leave each a readable width, in lines of equal length."""
    room = int((width + spacing) // (FIELD_EMS * em() + spacing))
    return next((n for n in (4, 3, 2, 1) if n <= room and count % n == 0), 1)

"""Rows of the probes' card: a dim name with its explanation, and numbers that a click copies."""

from __future__ import annotations

from collections.abc import Iterable

from imgui_bundle import imgui

from ..draw.draw_list import Rgba
from ..state.requests import Invoke
from ..words.axis_words import full
from .numbers import short, short_vector, vector17
from .panel import Ask
from .widgets import copyable, em, explain

NAME_EMS = 5.0
"""Width of the column of names."""


def titled(title: str, note: str) -> None:
    """A row's name; its value follows on the same line."""
    imgui.text_disabled(title)
    explain(note)
    imgui.same_line(imgui.get_style().window_padding.x + NAME_EMS * em())


def row(title: str, note: str, numbers: Iterable[float], ask: Ask, rgba: Rgba | None = None) -> None:
    """A vector."""
    known = [float(number) for number in numbers]
    titled(title, note)
    copyable(short_vector(known), vector17(known), title, ask, rgba=rgba)


def number_row(title: str, note: str, number: float, ask: Ask, rgba: Rgba | None = None) -> None:
    """A number with its sign."""
    titled(title, note)
    copyable(f"{'+' if number > 0.0 else ''}{short(number)}", full(number), title, ask, rgba=rgba)


def text_row(title: str, note: str, shown: str, copied: str, ask: Ask, rgba: Rgba | None = None) -> None:
    """Words that stand for numbers."""
    titled(title, note)
    copyable(shown, copied, title, ask, rgba=rgba)


def button(label: str, command: str, note: str, ask: Ask) -> None:
    """A small button that runs a command."""
    if imgui.small_button(label):
        ask.append(Invoke(command))
    explain(note)

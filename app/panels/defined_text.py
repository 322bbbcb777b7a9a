"""Text in which the glossary's terms are dotted where a card first uses them: pointed at they are defined.

A click opens the lesson that shows the term. The words lie where they lay: dots and tooltips are put over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..io.lesson_index import LessonTitle, lesson_titles
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.glossary import Term, Use, first_uses
from .rows import Size
from .style import accent
from .symbols import write_symbols
from .text import em, hand, inked, tell, unbroken
from .widgets import u32

DOT = 3.0 / 14.0
"""Length of a dot under a term, and of the gap after it, ems."""


def say_defined(texts: Sequence[str], number: int, ui: PanelState, ask: Ask, *, width: float = 0.0) -> None:
    """Text `number` of a card's `texts`, wrapped to `width`, 0 for what is left of the line, its terms dotted.

    A term is dotted in the first of the texts that uses it.
    """
    at = imgui.get_cursor_screen_pos()
    lines = lines_of(texts[number], width or imgui.get_content_region_avail().x, em())
    write_symbols(lines, ui, ask)
    uses = first_uses(tuple(texts))[number]
    if not uses:
        return
    after = imgui.get_cursor_pos()
    for use in uses:
        for part, (x, line, wide) in enumerate(_places(lines, use.start, use.end, em())):
            _draw_term(ui, use, f"##term {number} {use.start} {part}", (at.x + x, at.y + line * _line()), wide, ask)
    imgui.set_cursor_pos(after)
    imgui.dummy(ImVec2(0.0, 0.0))
    imgui.set_cursor_pos(after)


class Defined(Struct, frozen=True, eq=False):
    """The same as a row: text `number` of a card's `texts`, in `rgba`."""

    texts: tuple[str, ...]
    ui: PanelState
    number: int = 0
    rgba: Rgba | None = None

    def measure(self, room: float) -> Size:
        """As all rows."""
        size = imgui.calc_text_size(lines_of(self.texts[self.number], room, em()))
        return size.x, size.y

    def draw(self, room: float, ask: Ask) -> None:
        """As all rows."""
        with inked(self.rgba):
            say_defined(self.texts, self.number, self.ui, ask, width=room)


def _line() -> float:
    return imgui.get_text_line_height()


def _draw_term(ui: PanelState, use: Use, name: str, corner: tuple[float, float], width: float, ask: Ask) -> None:
    imgui.set_cursor_screen_pos(ImVec2(*corner))
    clicked = imgui.invisible_button(name, ImVec2(max(1.0, width), _line()))
    lesson = lesson_of(use.term)
    underline(ui.theme, corner[0], corner[0] + width, corner[1] + _line())
    # Within a lesson nothing leads away from it.
    leads = lesson is not None and ui.lesson is None
    if lesson is not None and leads:
        hand()
        if clicked:
            ask.open_lesson(lesson.id)
    if imgui.is_item_hovered():
        tell(definition(use.term, leads=leads))


def underline(theme: Theme, left: float, right: float, y: float) -> None:
    """The dots under a term, in the accent's colour."""
    draw, dash, rgba = imgui.get_window_draw_list(), DOT * em(), u32(faded(accent(theme), 0.9))
    for k in range(max(1, int((right - left) / (2.0 * dash)))):
        start = left + 2.0 * dash * k
        draw.add_line(ImVec2(start, y), ImVec2(start + dash, y), rgba, 1.0)


def definition(term: Term, *, leads: bool = False) -> str:
    """What a term means, and which lesson shows it; `leads`: a click opens that one."""
    lesson = lesson_of(term)
    if lesson is None:
        return f"{term.term}: {term.sentence}"
    shown = f"Lesson {lesson.order} shows this{': click to open it' if leads else ''}."
    return f"{term.term}: {term.sentence}\n{shown}"


def lesson_of(term: Term) -> LessonTitle | None:
    """The lesson that shows a term, if any does."""
    return next((lesson for lesson in lesson_titles() if lesson.id == term.lesson), None)


@lru_cache(maxsize=64)
def lines_of(words: str, width: float, _size: float) -> str:
    """The words in lines no wider than `width`, at the text's `_size`: names and differences are never torn apart.

    imgui itself breaks after every full stop, and A.v3 has one. Each character stays at its place in the text.
    """
    whole = (
        unbroken(words)
        .replace(" × ", "\u00a0×\u00a0")
        .replace(" → ", "\u00a0→\u00a0")
        .replace(" = ", "\u00a0=\u00a0")
        .replace(" | ", "\u00a0|\u00a0")
    )
    return "\n".join(_wrapped(line, width) for line in whole.split("\n"))


def _wrapped(line: str, width: float) -> str:
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and imgui.calc_text_size(longer).x > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


@lru_cache(maxsize=256)
def _places(lines: str, start: int, end: int, _size: float) -> tuple[tuple[float, int, float], ...]:
    """Where the characters from `start` to `end` stand: x, line and width of each stretch that a line has of them."""
    found, begin = [], 0
    for number, line in enumerate(lines.split("\n")):
        low, high = max(start - begin, 0), min(end - begin, len(line))
        if low < high:
            x = imgui.calc_text_size(line[:low]).x
            found.append((x, number, imgui.calc_text_size(line[:high]).x - x))
        begin += len(line) + 1
    return tuple(found)

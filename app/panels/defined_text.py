"""Text whose glossary terms are underlined with dots at their first use in a card; a tooltip defines them.

A click opens the lesson that shows the term, unless a lesson is open already. Dots and tooltips are drawn over the
text, and do not change its layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..io.lesson_index import LessonTitle, lesson_titles
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.glossary import Term, Use, first_uses
from .key_buttons import draw_keys
from .rows import Size
from .style import accent
from .symbols import write_symbols
from .text import em, hand, inked, tell
from .widgets import u32
from .wrapped import letter_positions, wrapped_lines

DOT = 3.0 / 14.0
"""The length of a dot under a term, and of the gap after it, in ems."""


def say_defined(texts: Sequence[str], number: int, ui: PanelState, ask: Ask, *, width: float = 0.0) -> None:
    """Writes text `number` of a card's `texts`, wrapped to `width` pixels, with its terms dotted.

    `width` 0 is the rest of the line. A term is dotted in the first of the texts that uses it.
    """
    at = imgui.get_cursor_screen_pos()
    lines = wrapped_lines(texts[number], width or imgui.get_content_region_avail().x, em())
    write_symbols(lines, ui, ask)
    after = imgui.get_cursor_pos()
    draw_keys(lines, (at.x, at.y), ui, ask)
    uses = first_uses(tuple(texts))[number]
    if not uses:
        return
    for use in uses:
        for part, (x, line, wide) in enumerate(letter_positions(lines, use.start, use.end, em())):
            _draw_term(ui, use, f"##term {number} {use.start} {part}", (at.x + x, at.y + line * _line()), wide, ask)
    imgui.set_cursor_pos(after)
    imgui.dummy(ImVec2(0.0, 0.0))
    imgui.set_cursor_pos(after)


class Defined(Struct, frozen=True, eq=False):
    """The row of text `number` of a card's `texts`, in `rgba`, with its terms dotted."""

    texts: tuple[str, ...]
    ui: PanelState
    number: int = 0
    rgba: Rgba | None = None

    def measure(self, room: float) -> Size:
        """The width and height of the row in `room` pixels."""
        size = imgui.calc_text_size(wrapped_lines(self.texts[self.number], room, em()))
        return size.x, size.y

    def draw(self, room: float, ask: Ask) -> None:
        """Draws the row."""
        with inked(self.rgba):
            say_defined(self.texts, self.number, self.ui, ask, width=room)


def _line() -> float:
    return imgui.get_text_line_height()


def _draw_term(ui: PanelState, use: Use, name: str, corner: tuple[float, float], width: float, ask: Ask) -> None:
    imgui.set_cursor_screen_pos(ImVec2(*corner))
    clicked = imgui.invisible_button(name, ImVec2(max(1.0, width), _line()))
    lesson = lesson_showing(use.term)
    underline(ui.theme, corner[0], corner[0] + width, corner[1] + _line())
    # Within a lesson a term opens no other lesson.
    leads = lesson is not None and ui.lesson is None
    if lesson is not None and leads:
        hand()
        if clicked:
            ask.open_lesson(lesson.id)
    if imgui.is_item_hovered():
        tell(definition(use.term, leads=leads))


def underline(theme: Theme, left: float, right: float, y: float) -> None:
    """Draws the dots under a term from x `left` to `right` at `y`, pixels of the screen, in the accent's colour."""
    draw, dash, rgba = imgui.get_window_draw_list(), DOT * em(), u32(faded(accent(theme), 0.9))
    for k in range(max(1, int((right - left) / (2.0 * dash)))):
        start = left + 2.0 * dash * k
        draw.add_line(ImVec2(start, y), ImVec2(start + dash, y), rgba, 1.0)


def definition(term: Term, *, leads: bool = False, here: str = "") -> str:
    """The definition of a term, and the lesson that shows it, unless it is `here`, the id of the one that is open.

    `leads`: a click opens the lesson.
    """
    lesson = lesson_showing(term)
    if lesson is None or lesson.id == here:
        return f"{term.term}: {term.sentence}"
    shown = f"Lesson {lesson.order} shows this{': click to open it' if leads else ''}."
    return f"{term.term}: {term.sentence}\n{shown}"


def lesson_showing(term: Term) -> LessonTitle | None:
    """The lesson that shows a term, if any does."""
    return next((lesson for lesson in lesson_titles() if lesson.id == term.lesson), None)

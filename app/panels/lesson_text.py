"""A lesson's text, word by word: terms with definitions, words that highlight what they name, and live numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from ..draw.draw_list import Rgba, Subject
from ..draw.theme import faded
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.glossary import term_of
from ..words.key_names import MODIFIERS, as_on_keys, chord_named
from .defined_text import definition, underline
from .key_buttons import draw_key
from .style import accent
from .text import TIPS, em, explain, tell, unbroken
from .widgets import u32

if TYPE_CHECKING:
    from ..lessons.markup import Span


class Word(Struct, frozen=True):
    """A word of a piece of text; `glued`: it follows the previous word without a space."""

    text: str
    span: Span
    glued: bool


def marked_up_words(text: str, ui: PanelState) -> list[Word]:
    """The words of a marked-up text in order, with the live numbers filled in."""
    from ..lessons.markup import SpanKind, spans

    found: list[Word] = []
    glued = True
    for span in spans(text):
        shown = span.text
        if span.kind is SpanKind.NUMBER and ui.lesson is not None:
            shown = ui.lesson.number_of(span.target)[0]
        for part in re.findall(r" +|[^ ]+", unbroken(shown)):
            if part.isspace():
                glued = False
            else:
                found.append(Word(part, span, glued))
                glued = True
    return found


def flow_text(
    text: str, ui: PanelState, ask: Ask, *, rgba: Rgba | None = None, inset: float = 0.0, terms: int | None = None
) -> int | None:
    """Writes a marked-up text, wrapped at the right edge of the line, or `inset` pixels before it.

    `terms`: the number of terms and names of keys in the card's earlier texts; returns that number with those of this
    text added. None if the keyboard cannot focus them.
    """
    left, right = imgui.get_cursor_pos_x(), imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - inset
    top, line = imgui.get_cursor_pos_y(), imgui.get_text_line_height_with_spacing()
    space = imgui.calc_text_size(" ").x
    from ..lessons.markup import SpanKind, is_stop

    x = left
    words = marked_up_words(text, ui)
    for at, word in enumerate(words):
        # Glued words stay on one line.
        width = sum(imgui.calc_text_size(part.text).x for part in _run(words, at))
        if x > left and not word.glued:
            x += space
            if x + width > right:
                x, top = left, top + line
        imgui.set_cursor_pos(ImVec2(x, top))
        new = is_stop(word.span) and (at == 0 or words[at - 1].span is not word.span)
        _draw_word(word, ui, ask, rgba or ui.theme.text)
        if terms is not None and ui.lesson is not None and is_stop(word.span):
            terms += new
            if terms - 1 == ui.lesson.term:
                _draw_focus(word, ui, defined=new and ui.lesson.defined and word.span.kind is SpanKind.TERM)
        x += imgui.calc_text_size(word.text).x
    imgui.set_cursor_pos(ImVec2(left, top + line))
    imgui.dummy(ImVec2(0.0, 0.0))
    return terms


def _draw_focus(word: Word, ui: PanelState, *, defined: bool) -> None:
    """Draws the frame of the keyboard focus round the last item, and if `defined` its term's definition below."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    imgui.get_window_draw_list().add_rect(
        ImVec2(low.x - 2.0, low.y - 1.0), ImVec2(high.x + 2.0, high.y + 2.0), u32(accent(ui.theme)), 3.0
    )
    term = term_of(word.span.target)
    if defined and term is not None:
        imgui.set_next_window_pos(ImVec2(low.x, high.y + 0.4 * em()))
        tell(definition(term, here=_open_lesson(ui)))


def _open_lesson(ui: PanelState) -> str:
    return "" if ui.lesson is None else ui.lesson.lesson.id


def _run(words: list[Word], at: int) -> list[Word]:
    end = at + 1
    while end < len(words) and words[end].glued:
        end += 1
    return words[at:end]


def _draw_word(word: Word, ui: PanelState, ask: Ask, rgba: Rgba) -> None:
    from ..lessons.markup import SpanKind

    kind, lit = word.span.kind, accent(ui.theme)
    pressed = kind is SpanKind.CODE and word.span.text not in MODIFIERS
    colour = lit if kind is SpanKind.POINTER or pressed else rgba
    imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(*colour))
    imgui.text_unformatted(as_on_keys(word.text) if kind is SpanKind.CODE else word.text)
    imgui.pop_style_color()
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw = imgui.get_window_draw_list()
    if kind is SpanKind.TERM:
        underline(ui.theme, low.x, high.x, high.y)
        term = term_of(word.span.target)
        if imgui.is_item_hovered() and term is not None and not TIPS.held:
            # Without delay, and also after a click: a reader of a lesson looks terms up.
            tell(definition(term, here=_open_lesson(ui)))
    elif kind in (SpanKind.STRONG, SpanKind.EMPHASIS):
        # In the text's colour: the accent colour marks words that highlight a subject.
        draw.add_line(ImVec2(low.x, high.y), ImVec2(high.x, high.y), u32(faded(rgba, 0.8)), 1.0)
    elif kind is SpanKind.POINTER:
        draw.add_line(ImVec2(low.x, high.y), ImVec2(high.x, high.y), u32(faded(lit, 0.5)), 1.0)
        if imgui.is_item_hovered() and (subject := subject_of_pointer(word.span.target, ui)) is not None:
            ask.point(subject)
    elif kind is SpanKind.CODE:
        if chord := chord_named(word.span.text) or word.span.text * (word.span.text in MODIFIERS):
            draw_key(chord, (low.x, low.y), (high.x, high.y), ui, ask)
    elif kind is SpanKind.NUMBER and ui.lesson is not None:
        explain(ui.lesson.number_of(word.span.target)[1])


def subject_of_pointer(target: str, ui: PanelState) -> Subject | None:
    """The subject of a pointer such as `axis:A.edge1`, `face:A.+y`, `body:b` or `vertex:A.v3`.

    None for another target, or if the table of axes lacks the axis.
    """
    from ..words.names import row_of

    kind, _, name = target.partition(":")
    if kind == "body" and name in ("a", "b"):
        return Subject("body", "ab".index(name))
    if kind in ("axis", "face"):
        # A face's axis is named like the face, without the sign.
        row = row_of(ui.analysis.sat, name.replace("+", "").replace("-", "").replace("−", ""))
        return None if row is None else Subject("axis", row)
    if kind == "vertex" and (found := re.fullmatch(r"([AB])\.v(\d+)", name)) is not None:
        return Subject(f"vertex_{found[1].lower()}", int(found[2]))
    return None

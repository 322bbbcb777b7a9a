"""Symbols in sentences: drawn in the colour of the subject that they name in the picture, and highlighted with it."""

from __future__ import annotations

import re
from functools import lru_cache

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from core.query.query import Moment
from core.sat.sat import AxisKind
from core.shapes import corners_of

from ..draw.draw_list import Rgba, Subject
from ..draw.theme import Theme, faded
from ..overlays.lit_symbol import symbol_subject
from ..overlays.style import bound_colours, family_style
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.expression import PRIME, Node, Symbol
from ..words.names import axis_name
from ..words.printers import tex, words
from ..words.right_angles import right_angle_words
from .text import em, tell_beside, wants_tip
from .widgets import u32

_GAP = "[ \u00a0]?"
_SYMBOL = re.compile(
    r"(?<![\w.])(?:"
    rf"(?P<edges>A\.\w+{_GAP}×{_GAP}B\.\w+)"
    r"|(?P<normal>[⊥⟂][AB]\.\w+)"
    r"|(?P<vertex>[AB]\.v\d+)(?![v\w])"
    r"|(?P<feature>[AB]\.[+−-]?\w+)"
    r"|(?P<corner>[ab][₀-₉]+)"
    r"|(?P<held>w[₀-₉]+)"
    r"|(?P<nearest>v)(?![\w'’])"
    r"|(?P<ahead>[wd])(?![\w'’])"
    r")"
)
"""Names of parts of the bodies and of points of the difference. A lone A may be an article and is not matched."""


_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


class SymbolPiece(Struct, frozen=True):
    """A piece of a line at (x, y) in the text, `width` wide, in pixels; `kind` is "" if it is no symbol."""

    text: str
    kind: str
    x: float
    y: float
    width: float


def write_symbols(lines: str, ui: PanelState, ask: Ask) -> None:
    """Draws lines that are already wrapped, in the current text colour except for their symbols.

    Pointing at a symbol highlights its subject in the picture, and pointing at the subject highlights the symbol.
    """
    pieces = pieces_of(lines, em())
    if not any(piece.kind for piece in pieces):
        imgui.text_unformatted(lines)
        return
    at, rgba = imgui.get_cursor_screen_pos(), imgui.get_color_u32(imgui.Col_.text)
    # One invisible item for the whole text; its pieces are drawn over it in their colours.
    imgui.push_style_color(imgui.Col_.text, 0)
    imgui.text_unformatted(lines)
    imgui.pop_style_color()
    draw, inside = imgui.get_window_draw_list(), imgui.is_item_hovered()
    for piece in pieces:
        low = ImVec2(at.x + piece.x, at.y + piece.y)
        highlight(piece, low, ImVec2(low.x + piece.width, low.y + em()), ui, ask, inside=inside)
        colour = colour_of(piece, ui.theme, ui.moment)
        draw.add_text(low, rgba if colour is None else u32(colour), piece.text)


def highlight(piece: SymbolPiece, low: ImVec2, high: ImVec2, ui: PanelState, ask: Ask, *, inside: bool) -> bool:
    """Highlights the symbol in the box from `low` to `high` while the pointer is on it or on its subject.

    The symbol of an axis has a tooltip that names the features at right angles to the axis. `inside`: the pointer is on
    the text that contains the symbol. Returns whether the pointer is on the symbol; False if it has no subject.
    """
    over = inside and imgui.is_mouse_hovering_rect(low, high)
    colour = colour_of(piece, ui.theme, ui.moment)
    subject = subject_of_symbol(piece, ui) if over or ui.view.hover is not None else None
    if subject is None or colour is None:
        return False
    if over:
        ask.point(subject)
        if subject.kind == "axis" and wants_tip():
            sat = ui.analysis.sat
            words = right_angle_words(ui.analysis.scene, sat, subject.number)
            tell_beside(f"{axis_name(sat, subject.number)}, {words}.")
    if over or subject == ui.view.hover:
        imgui.get_window_draw_list().add_rect_filled(low, high, u32(faded(colour, 0.22)), 0.2 * em())
    return over


@lru_cache(maxsize=128)
def pieces_of(lines: str, size: float) -> tuple[SymbolPiece, ...]:
    """The pieces of a text with their positions, at a font size."""
    found = []
    for number, line in enumerate(lines.split("\n")):
        end, x = 0, 0.0
        for symbol in (*_SYMBOL.finditer(line), None):
            start = len(line) if symbol is None else symbol.start()
            parts = [(line[end:start], "")]
            if symbol is not None:
                parts.append((symbol[0], symbol.lastgroup or ""))
                end = symbol.end()
            for text, kind in parts:
                if text:
                    width = imgui.calc_text_size(text).x
                    found.append(SymbolPiece(text, kind, x, number * size, width))
                    x += width
    return tuple(found)


def coloured_tex(formula: Node, theme: Theme, moment: Moment | None) -> str:
    """The TeX of a formula, with its symbols in the colours of their subjects in the picture.

    `moment`: the step shown, None for the answer.
    """

    def coloured(symbol: Symbol, written: str) -> str | None:
        piece = piece_of(symbol)
        return None if piece is None else in_colour(written, colour_of(piece, theme, moment) or theme.text)

    return in_colour(tex(formula, coloured), theme.text)


def piece_of(symbol: Symbol) -> SymbolPiece | None:
    """A symbol of a formula as a piece of a sentence, without a place; None for a letter without a subject."""
    letter, index = symbol.letter.rstrip(PRIME), symbol.index
    match letter:
        case "A" | "B":
            return SymbolPiece(letter, "feature", 0.0, 0.0, 0.0)
        case "e" if index in ("A", "B"):
            return SymbolPiece(index, "feature", 0.0, 0.0, 0.0)
        case "a" | "b" if index.isdigit() or not index:
            return SymbolPiece(words(Symbol(letter, index)), "corner", 0.0, 0.0, 0.0)
        case "w" if index:
            return SymbolPiece(words(symbol), "held", 0.0, 0.0, 0.0)
        case "v" if not index:
            return SymbolPiece(letter, "nearest", 0.0, 0.0, 0.0)
        case "w" | "d" if not index:
            return SymbolPiece(letter, "ahead", 0.0, 0.0, 0.0)
    return None


def in_colour(written: str, rgba: Rgba) -> str:
    """TeX in a colour, except for parts that have their own."""
    return rf"\fgcolor{{#{''.join(f'{round(255.0 * part):02x}' for part in rgba[:3])}}}{{{written}}}"


def colour_of(piece: SymbolPiece, theme: Theme, moment: Moment | None) -> Rgba | None:
    """The colour of a symbol in the picture of the step `moment`; None for a piece that has no colour of its own.

    `moment`: None for the answer.
    """
    index = 0 if piece.text[0] in "Aa" else 1
    match piece.kind:
        case "edges":
            return family_style(AxisKind.EDGES, theme).rgba
        case "vertex" | "feature" | "corner":
            return theme.edge(index)
        case "normal":
            return theme.edge("AB".index(piece.text[1]))
        case "held":
            return theme.winner
        case "nearest":
            return bound_colours(moment, theme)[1]
        case "ahead":
            return bound_colours(moment, theme)[0]
    return None


def subject_of_symbol(piece: SymbolPiece, ui: PanelState) -> Subject | None:
    """The subject of a symbol: an axis of the table, a vertex, a point or the direction of the step; else None."""
    if piece.kind in ("held", "nearest", "ahead"):
        return symbol_subject(piece.text)
    if piece.kind == "vertex":
        return Subject(f"vertex_{piece.text[0].lower()}", int(piece.text[3:]))
    if piece.kind == "corner" and piece.text[1:]:
        index, number = "ab".index(piece.text[0]), int(piece.text[1:].translate(_LOWERED))
        # On a curved body, a₀ is a point of the algorithm and not a vertex.
        known = corners_of(ui.document.scene.body(index).shape)
        return Subject(f"vertex_{piece.text[0]}", number) if number in known else None
    if piece.kind not in ("edges", "normal", "feature"):
        return None
    wanted = _plain(piece.text)
    table = ui.analysis.sat
    rows = (row for row in range(len(table.candidates)) if _plain(axis_name(table, row)) == wanted)
    row = next(rows, None)
    return None if row is None else Subject("axis", row)


def _plain(name: str) -> str:
    # Without its sign, a face, an edge or a normal has the name of its axis.
    return re.sub("[ \u00a0+−⊥⟂-]", "", name)

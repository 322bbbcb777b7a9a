"""Symbols in the step card's sentences: their colours, and the light between them and the picture."""

from __future__ import annotations

import re

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.theme import DARK, THEMES
from app.overlays.context import Context
from app.overlays.lit_symbol import RING_RADIUS, symbol_subject
from app.panels import formula
from app.panels import symbols as panel_symbols
from app.panels.formula import TYPESETTER, symbol_boxes
from app.panels.style import background
from app.panels.symbols import colour_of, coloured_tex, in_colour, pieces_of, subject_of_symbol
from app.render.pictures import build
from app.stages.stage import given
from app.words.expression import (
    Identifier,
    Node,
    Norm,
    Over,
    Product,
    Quotient,
    Relation,
    Said,
    Symbol,
    equation,
    most,
    symbols,
)
from app.words.printers import tex
from core.query.query import Phase

from .asked import asks
from .panel_rig import Rig, rig
from .test_step_card import at, first_of, stepping
from .test_theme import contrast

__all__ = ["rig"]

D, W, V, B = symbols("d w v b")
W12, A3, OF_EDGES = Symbol("w", "12"), Symbol("a", "3"), Product(Symbol("e", "A"), "×", Symbol("e", "B"))
SAID = "w₀ = A.v4 − b₂: A.x × B.y, ⊥B.f3 and A.+y, |v| ≤ 1, along d to w; A body, A and B's edge. Avoid v's."


def kinds(text: str, rig: Rig) -> list[tuple[str, str]]:
    rig.settle(stepping(), 2)
    imgui.new_frame()
    found = [(piece.text, piece.kind) for piece in pieces_of(text, imgui.get_font_size()) if piece.kind]
    imgui.end_frame()
    return found


def test_symbols_are_found_and_words_are_not(rig: Rig) -> None:
    assert kinds(SAID, rig) == [
        ("w₀", "held"),
        ("A.v4", "vertex"),
        ("b₂", "corner"),
        ("A.x × B.y", "edges"),
        ("⊥B.f3", "normal"),
        ("A.+y", "feature"),
        ("v", "nearest"),
        ("d", "ahead"),
        ("w", "ahead"),
    ]


def test_their_colours_can_be_read_in_every_theme(rig: Rig) -> None:
    rig.settle(stepping(), 2)
    imgui.new_frame()
    pieces = pieces_of(SAID, imgui.get_font_size())
    imgui.end_frame()
    for theme in THEMES:
        shown = [rgba for piece in pieces if (rgba := colour_of(piece, theme, None)) is not None]
        assert len(shown) == 9
        assert all(contrast(rgba, background(theme)) >= 4.5 for rgba in shown), theme.name


@pytest.mark.parametrize(
    ("phase", "name", "kind"),
    [
        (Phase.SAT, "A.y", "axis"),
        (Phase.SAT, "A.x", "axis"),
        (Phase.GJK, "a₄", "vertex_a"),
        (Phase.GJK, "w₁", "symbol w₁"),
    ],
)
def test_a_symbol_lights_what_it_names_and_is_lit_by_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, phase: Phase, name: str, kind: str
) -> None:
    rig.watch("text_unformatted")
    ui = stepping()
    ui = at(ui, first_of(ui, phase) + 1)
    rig.settle(ui, 3)
    text = next(text for text in rig.rects if name in text and "SAT" not in text)
    piece = next(piece for piece in pieces_of(text, imgui.get_style().font_size_base) if piece.text == name)
    left, top = rig.rects[text][0][:2]
    imgui.get_io().add_mouse_pos_event(left + piece.x + 0.5 * piece.width, top + piece.y + 5.0)
    subject = subject_of_symbol(piece, ui)
    assert subject is not None
    assert subject.kind == kind
    assert asks.point(subject) in rig.settle(ui, 2)
    # Away from it nothing is pointed at; what the picture points at is lit here.
    lit: list[object] = []
    true = panel_symbols.faded
    monkeypatch.setattr(panel_symbols, "faded", lambda rgba, share: lit.append(rgba) or true(rgba, share))
    rig.point_away()
    assert not any(request.kind == "point" for request in rig.settle(ui, 2))
    assert not lit
    rig.settle(replace(ui, view=replace(ui.view, hover=subject)), 1)
    assert lit


def test_an_axis_that_the_pointer_rests_on_is_told_in_words(rig: Rig) -> None:
    rig.watch("text_unformatted")
    ui = stepping()
    ui = at(ui, first_of(ui, Phase.SAT) + 1)
    rig.settle(ui, 3)
    text = next(text for text in rig.rects if "A.y" in text and "SAT" not in text)
    piece = next(piece for piece in pieces_of(text, imgui.get_style().font_size_base) if piece.text == "A.y")
    left, top = rig.rects[text][0][:2]
    imgui.get_io().add_mouse_pos_event(left + piece.x + 0.5 * piece.width, top + piece.y + 5.0)
    rig.settle(ui, 60)
    assert "A.y, at right angles to A's faces +y and −y." in rig.rects


@pytest.mark.parametrize(
    ("symbol", "panes"), [("v", {"difference"}), ("w₁", {"difference"}), ("d", {"world", "difference"})]
)
def test_a_symbol_rings_what_it_names_in_the_picture(symbol: str, panes: set[str]) -> None:
    ui = stepping()
    place = first_of(ui, Phase.GJK) + 1

    def rings(hover: Subject | None) -> dict[str, int]:
        seen = Context(ui.document.scene, ui.analysis, replace(ui.view, hover=hover), DARK, ui.query, place)
        pictures = build(seen)
        drawn = {"world": pictures.world, "difference": pictures.difference}
        return {name: sum(marks.radius == RING_RADIUS for marks in draw.marks) for name, draw in drawn.items()}

    assert rings(None) == {"world": 0, "difference": 0}
    assert {name for name, count in rings(symbol_subject(symbol)).items() if count} == panes


def test_symbols_in_formulas_have_their_colours_and_words_in_them_have_none() -> None:
    def coloured(formula: Node) -> list[str]:
        """The symbols, each in its own colour and not in the text's."""
        inside = coloured_tex(formula, DARK, None)[len(in_colour("", DARK.text)) - 1 :]
        return re.findall(r"\\fgcolor\{#\w+\}\{((?:[^{}\\]|\{\w+\})+)\}", inside)

    assert coloured(equation(Symbol("s"), Over("min", Symbol("B")) - Over("max", Symbol("A")))) == ["B", "A"]
    lower = Identifier("lower")
    assert coloured(equation(lower, most(lower, -D @ W))) == ["d", "w"]
    assert coloured(Relation(D, (("⊥", Said("feature of ", V)),))) == ["d", "v"]
    assert coloured(equation(V, Symbol("λ", "1") * W12 + A3 - B)) == ["v", "w_{12}", "a_{3}", "b"]
    assert coloured(equation(Symbol("t", "m"), Symbol("r", "A") + Symbol("v", "y"))) == ["A"]
    assert coloured(Quotient(OF_EDGES, Norm(Symbol("n")))) == ["e_A", "e_B"]
    moments = {moment.phase: moment for moment in given(stepping().query).moments}
    # In GJK the search along d proves a lower bound and v an upper one, elsewhere the other way round.
    for symbol, moment, rgba in (
        (Symbol("e", "B"), None, DARK.edge(1)),
        (Symbol("w", "3"), None, DARK.winner),
        (V, moments[Phase.GJK], DARK.upper),
        (W, moments[Phase.GJK], DARK.lower),
        (V, moments[Phase.EPA], DARK.lower),
        (W, moments[Phase.EPA], DARK.upper),
    ):
        assert coloured_tex(symbol, DARK, moment) == in_colour(in_colour(tex(symbol), rgba), DARK.text)


def test_a_coloured_formula_is_set_as_wide_as_a_plain_one(rig: Rig) -> None:
    for node in (equation(D, -V / Norm(V)), Symbol("λ", "0") * Symbol("w", "0"), Quotient(OF_EDGES, D)):
        plain, coloured = (TYPESETTER.picture(each, 30.0) for each in (tex(node), coloured_tex(node, DARK, None)))
        assert plain is not None
        assert coloured is not None
        assert abs(plain.width - coloured.width) <= 2
        assert plain.baseline_y == coloured.baseline_y


def test_symbols_in_formulas_are_found_where_their_ink_is() -> None:
    symbols_ = equation(V, Quotient(Symbol("λ", "1") * W12 - W, D @ W) + Identifier("lower"))
    found = {piece.text: box for piece, box in symbol_boxes(TYPESETTER, symbols_, 24.0) if piece.text != "w"}
    assert list(found) == ["v", "w₁₂", "d"]
    painted = TYPESETTER.picture(coloured_tex(symbols_, DARK, None), 24.0)
    assert painted is not None
    ink = np.asarray(painted.pixels_as_array()).astype(int)
    for name, rgba in (("v", DARK.lower), ("w₁₂", DARK.winner)):
        near = np.abs(ink[..., :3] - np.round(255.0 * np.array(rgba[:3]))).max(axis=2) <= 3
        y, x = np.nonzero(near & (ink[..., 3] > 64))
        assert found[name] == (x.min(), y.min(), np.ptp(x) + 1, np.ptp(y) + 1)


def test_a_symbol_of_a_formula_pointed_at_lights_what_it_names(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ui = stepping()
    ui = at(ui, first_of(ui, Phase.GJK) + 2)
    places: list[tuple[str, imgui.ImVec2, imgui.ImVec2]] = []
    true = panel_symbols.highlight

    def noted(
        piece: panel_symbols.SymbolPiece, low: imgui.ImVec2, high: imgui.ImVec2, *rest: object, **named: bool
    ) -> bool:
        places.append((piece.text, low, high))
        return true(piece, low, high, *rest, **named)

    monkeypatch.setattr(formula, "highlight", noted)
    subject = symbol_subject("v")
    rig.settle(replace(ui, view=replace(ui.view, hover=subject)), 3)
    places.clear()
    rig.settle(replace(ui, view=replace(ui.view, hover=subject)), 1)
    low, high = next((low, high) for name, low, high in places if name == "v")
    imgui.get_io().add_mouse_pos_event(0.5 * (low.x + high.x), 0.5 * (low.y + high.y))
    assert asks.point(subject) in rig.settle(ui, 2)
    # Away from all, formulas are not set a second time.
    rig.point_away()
    rig.settle(ui, 2)
    places.clear()
    rig.settle(ui, 2)
    assert not places

"""Formulas as boxes of letters and lines: held against the words of the same tree, and against each other's room."""

from __future__ import annotations

import re
from math import ceil

import pytest

from app.cli.picture import planned_picture, seen_of
from app.draw.formula import ASCENT, DESCENT, FormulaBox, typeset
from app.draw.text import measure
from app.draw.theme import PRINT
from app.io.presets import load_preset
from app.render.formula_strip import formula_strip, formulas_of
from app.render.legend import FONT_SIZE, SIDE_MARGIN
from app.state.export_options import ExportOptions
from app.words.expression import Combination, Node, Norm, Quotient, Root, Symbol, Vector
from app.words.formula import numeral, vector
from app.words.printers import words
from core.query.query import query

SIZE = 26.0
BARE = ExportOptions(step="0", crop=False, hatch=False, digits=3)
SCENES = ("skew-edges", "flat-worked-example", "tunnelling", "sphere-face-region")


def formulas() -> list[Node]:
    found: list[Node] = []
    for name in SCENES:
        seen, _ = seen_of(load_preset(name), PRINT, "1")
        assert seen.query is not None
        for place in range(0, len(query(seen.analysis).moments), 2):
            step, _ = seen_of(load_preset(name), PRINT, str(place + 1))
            found += [line for formula in formulas_of(step) for line in formula.lines]
    return found


FORMULAS = formulas()


def letters(text: str) -> list[str]:
    """The numbers in a text, with signs, each once."""
    return sorted(set(re.findall(r"\d+(?:\.\d+)?", text)))


def test_every_number_of_a_formula_is_set_and_nothing_lies_outside_or_on_another() -> None:
    assert len(FORMULAS) > 100
    for formula in FORMULAS:
        box = typeset(formula, SIZE)
        told = " ".join(piece.text for piece in box.pieces)
        exponents = letters(told)
        # Words write an index below the line and an exponent above it, which are letters of another kind.
        assert {*letters(words(formula))} <= {*exponents}, words(formula)
        assert _apart(box), words(formula)
        for piece in box.pieces:
            width, _ = measure(piece.text, piece.size)
            assert -1e-6 <= piece.x <= piece.x + width <= box.width + 0.5
            assert -box.up - 1e-6 <= piece.y - ASCENT * piece.size
            assert piece.y + DESCENT * piece.size <= box.down + 1e-6
        for a, b, c, d in box.strokes:
            assert -1.0 <= min(a, c) <= max(a, c) <= box.width + 1.0
            assert -box.up - 1.0 <= min(b, d) <= max(b, d) <= box.down + 1.0


def _apart(box: FormulaBox) -> bool:
    """Whether no letters lie on other ones; of each the band from the baseline to the height of small letters."""
    taken = [
        (piece.x, piece.y - 0.5 * piece.size, piece.x + measure(piece.text, piece.size)[0], piece.y)
        for piece in box.pieces
    ]
    return not any(
        min(one[2], other[2]) - max(one[0], other[0]) > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5
        for number, one in enumerate(taken)
        for other in taken[:number]
    )


def test_fractions_stand_over_each_other_and_columns_in_brackets() -> None:
    v, w = Symbol("v"), Symbol("w", "0")
    fraction = typeset(Quotient(v, w), SIZE)
    top, bottom = fraction.pieces[0], fraction.pieces[1]
    (line,) = fraction.strokes
    assert top.y < line[1] < bottom.y
    column = typeset(vector((1.0, -2.0, 3.0)), SIZE)
    assert [piece.text for piece in column.pieces] == ["1", "−2", "3"]
    assert column.pieces[0].y < column.pieces[1].y < column.pieces[2].y
    matrix = typeset(Combination((numeral(0.5), numeral(0.25)), (_column(1.0), _column(2.0))), SIZE)
    rows = {round(piece.y, 3) for piece in matrix.pieces}
    assert len(rows) == 5  # three of the matrix, two of its weights
    assert len(typeset(Norm(v), SIZE).strokes) == 4
    assert typeset(Root(v), SIZE).up > typeset(v, SIZE).up


def _column(value: float) -> Vector:
    found = vector((value, value, value))
    assert isinstance(found, Vector)
    return found


@pytest.mark.parametrize("width", [400, 1400])
def test_a_strip_of_formulas_keeps_within_its_width(width: int) -> None:
    seen, _ = seen_of(load_preset("skew-edges"), PRINT, "gjk:3")
    strip = formula_strip(formulas_of(seen), width, 2.0, PRINT, as_tex=False)
    assert max(label.x + label.width for label in strip.labels) <= width
    assert strip.lines.end[:, 0].max() <= width
    assert strip.lines.end[:, 1].max() <= strip.height
    whole = formula_strip(formulas_of(seen), width, 2.0, PRINT, as_tex=True)
    assert whole.height == strip.height
    assert all(label.tex.startswith(r"$\displaystyle ") for label in whole.labels)
    assert len(whole.lines.width) == 0


def test_a_formula_breaks_only_where_it_is_wider_than_its_strip() -> None:
    seen, _ = seen_of(load_preset("skew-edges"), PRINT, "epa:2")
    formula = next(each for each in formulas_of(seen) if len(each.lines) == 2)
    margin, size = 2.0 * SIDE_MARGIN, 2.0 * FONT_SIZE
    needed = ceil(2.0 * margin + sum(typeset(line, size).width for line in formula.lines))
    one, two = (len(formula_strip([formula], each, 2.0, PRINT, as_tex=True).labels) for each in (needed, needed - 2))
    assert (one, two) == (1, 2)


def test_symbols_have_their_other_names() -> None:
    seen, _ = seen_of(load_preset("skew-edges"), PRINT, "gjk:3")
    renames = (("w_0", r"$\vec{p}$"), ("v", "close"))
    letters = [label.text for label in formula_strip(formulas_of(seen), 900, 2.0, PRINT, renames, as_tex=False).labels]
    assert "close" in letters
    assert "v" not in letters
    (first, *_) = formula_strip(formulas_of(seen), 900, 2.0, PRINT, renames, as_tex=True).labels
    assert first.tex.startswith(r"$\displaystyle \text{close} = \lambda_{0} {\vec{p}}")


def test_each_picture_of_a_sheet_has_the_formulas_of_its_step_below_it() -> None:
    options = ExportOptions(steps="gjk", columns=2, theme="print", panes="difference", formulas=True, size=(900, 900))
    plan, _ = planned_picture(load_preset("skew-edges"), ".svg", options)
    strips = [(rect, pane) for rect, pane in plan.lay_out(2) if any(label.text == "λ" for label in pane.labels)]
    assert len(strips) == 3  # the first step has one point, which no weights combine
    assert len({rect.x for rect, _ in strips}) == 2
    answer, _ = planned_picture(load_preset("skew-edges"), ".svg", ExportOptions(formulas=True, step="0"))
    assert len(answer.lay_out(2)) == len(planned_picture(load_preset("skew-edges"), ".svg", BARE)[0].lay_out(2))

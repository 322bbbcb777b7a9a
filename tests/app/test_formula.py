"""Formulas as trees: their three printers, and numbers in the places of symbols."""

from __future__ import annotations

import pytest

from app.words.expression import (
    Combination,
    FunctionCall,
    Hat,
    Identifier,
    Node,
    Norm,
    Numeral,
    Over,
    Power,
    Product,
    Quotient,
    Relation,
    Root,
    Said,
    Signed,
    Symbol,
    equation,
    least,
    symbols,
    value,
)
from app.words.formula import Formula, numeral, vector
from app.words.printers import mathml, tex, words

A, B, D, N, T = symbols("a b d n t")
W3 = Symbol("w", "3")


@pytest.mark.parametrize(
    ("node", "in_tex", "in_words"),
    [
        (-D @ W3, r"-d\cdot w_{3}", "−d·w₃"),
        (N @ (A - B), r"n\cdot(a - b)", "n·(a − b)"),
        (N @ -A, r"n\cdot(-a)", "n·(−a)"),
        (A - (B - D), "a - (b - d)", "a − (b − d)"),
        (A - B - D, "a - b - d", "a − b − d"),
        (Quotient(-A, B - D), r"\dfrac{-a}{b - d}", "−a / (b − d)"),
        (A + Quotient(-B, D), r"a + \dfrac{-b}{d}", "a + (−b / d)"),
        ((A - B) / Norm(D), r"(a - b) / \lVert d\rVert", "(a − b) / |d|"),
        (T * D, r"t\,d", "t d"),
        (Symbol("λ", "0") * W3, r"\lambda_{0} w_{3}", "λ₀ w₃"),
        (Power(A, -1) * D, "a^{-1} d", "a⁻¹ d"),
        (Signed("±", Hat(N)), r"\pm\hat n", "±n"),
        (Product(A, "×", B), r"a\times b", "a × b"),
        (
            equation(Identifier("upper"), least(A, N @ B)),
            r"\mathit{upper} = \min(a,\, n\cdot b)",
            "upper = min(a, n·b)",
        ),
        (Over("max", N @ A, "a"), r"\max_a\; n\cdot a", "max n·a"),
        (FunctionCall("y", (T,)), "y(t)", "y(t)"),
        (Relation(D, (("⊥", Said("feature of ", A)),)), r"d \perp \text{feature of } a", "d ⊥ feature of a"),
        (Symbol("d′"), "d'", "d′"),
        (numeral(-2.5e-7), r"-2.5\cdot 10^{-7}", "−2.5 × 10⁻⁷"),
        (numeral(float("-inf")), r"-\infty ", "−∞"),
        (vector((1.0, -0.5, 1e-20)), r"\begin{pmatrix}1\\-0.5\\{\approx}0\end{pmatrix}", "(1, −0.5, ≈0)"),
        (vector((1.0, -0.5), lying=True), r"(1,\; -0.5)", "(1, −0.5)"),
        (Norm(vector((-3.0, 4e-7))), r"\sqrt{3^2 + (4\cdot 10^{-7})^2}", "|(−3, 4 × 10⁻⁷)|"),
        (Root(Power(numeral(3.0), 2) - Power(numeral(2.0), 2)), r"\sqrt{3^2 - 2^2}", "sqrt(3 · 3 − 2 · 2)"),
    ],
)
def test_brackets_and_spaces_follow_from_the_tree(node: Node, in_tex: str, in_words: str) -> None:
    assert tex(node) == in_tex
    assert words(node) == in_words


MINUS = '<mo form="prefix" lspace="0" rspace="0">−</mo>'
LEFT, RIGHT = '<mo form="prefix" stretchy="false">(</mo>', '<mo form="postfix" stretchy="false">)</mo>'


@pytest.mark.parametrize(
    ("node", "written"),
    [
        (Root(A - B), "<msqrt><mrow><mi>a</mi><mo>−</mo><mi>b</mi></mrow></msqrt>"),
        (-B, f"{MINUS}<mi>b</mi>"),
        (
            vector((1.0, -2.0), lying=True),
            f'{LEFT}<mn>1</mn><mo>,</mo><mspace width="0.278em"/>{MINUS}<mn>2</mn>{RIGHT}',
        ),
        (Relation(None, (("≈", numeral(2.0)),)), "<mo>≈</mo><mn>2</mn>"),
        (numeral(1e-7), f"<msup><mn>10</mn><mrow>{MINUS}<mn>7</mn></mrow></msup>"),
        # The power is of the whole bracket.
        (
            Power(numeral(4e-7), 2),
            f"<msup><mrow>{LEFT}<mn>4</mn><mo>·</mo><msup><mn>10</mn><mrow>{MINUS}<mn>7</mn></mrow></msup>{RIGHT}"
            "</mrow><mrow><mn>2</mn></mrow></msup>",
        ),
        (Symbol("d′"), '<mi>d</mi><mo class="prime" form="postfix" lspace="0" rspace="0">′</mo>'),
        (Quotient(Numeral("1", None, 1.0), D), "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>d</mi></mrow></mfrac>"),
    ],
)
def test_mathml_of(node: Node, written: str) -> None:
    assert mathml(node) == [[f'<math displaystyle="true">{written}</math>']]


def test_mathml_may_break_between_sides_and_their_terms() -> None:
    sides = mathml(equation(T, A - B, N @ D))
    terms = [
        [term.removeprefix('<math displaystyle="true">').removesuffix("</math>") for term in side] for side in sides
    ]
    assert terms == [
        ["<mi>t</mi>"],
        ["<mo>=</mo><mi>a</mi>", '<mo form="infix">−</mo><mi>b</mi>'],
        ["<mo>=</mo><mi>n</mi><mo>·</mo><mi>d</mi>"],
    ]


def test_numbers_stand_where_their_symbols_do() -> None:
    found = Formula.of(equation(T, A - Quotient(B, N @ D)), 3.0, {A: 1.0, B: 1.0, N @ D: -0.5})
    assert found.plain == "t = 1 − 1 / (−0.5) = 3"
    assert found.tex == r"t = a - \dfrac{b}{n\cdot d} = 1 - \dfrac{1}{-0.5} = 3"
    # What is added and negative is taken away, and what is rounding beside the other is nothing.
    assert Formula.of(A + B, -1.0, {A: 1.0, B: -2.0}).plain == "a + b = 1 − 2 = −1"
    assert Formula.of(A - B, 1.0, {A: 1.0, B: 1e-18}).plain == "a − b = 1 − 0 = 1"
    assert Formula.of(equation(N, A - B), vector_of(1.0, 2.0)).plain == "n = (1, 2)"


def vector_of(*parts: float) -> tuple[float, ...]:
    return parts


def test_a_result_that_the_rounded_numbers_do_not_give_is_not_called_equal() -> None:
    exact, cancelled = ({A: 1.0004, B: 1.0002}, 2e-4), ({A: 1.5, B: 1.0}, 0.5)
    signs = [Formula.of(A - B, result, values).sign for values, result in (exact, cancelled)]
    assert signs == ["≈", "="]
    dot = Formula.of(N @ A, 0.5, {N: (0.6, 0.8), A: (0.5, 0.25)})
    assert (dot.sign, dot.plain) == ("=", "n·a = (0.6, 0.8) · (0.5, 0.25) = 0.5")


def test_a_wide_expression_leaves_its_result_a_line_of_its_own() -> None:
    worked = Combination((numeral(0.25), numeral(0.75)), (vector((1.0, 0.0)), vector((0.0, 1.0))))
    found = Formula.of(equation(D, Symbol("λ", "0") * A + Symbol("λ", "1") * B), (0.25, 0.75), worked=worked)
    assert value(worked) == (0.25, 0.75)
    assert len(found.lines) == 3
    assert found.plain == "d = 0.25 (1, 0) + 0.75 (0, 1) = (0.25, 0.75)"
    assert len(Formula.of(Norm(A), 5.0, {A: (3.0, 4.0)}).lines) == 2
    assert len(Formula.of(Norm(A), 3e-7, {A: (3e-7, 0.0)}).lines) == 3

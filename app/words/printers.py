"""The three printers of formulas: TeX, words on a line, and MathML, which browsers draw by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from .digits import MINUS, superscript
from .expression import (
    PRIME,
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
    Sum,
    Symbol,
    Vector,
    total,
)

SUBSCRIPTS = str.maketrans("0123456789m", "₀₁₂₃₄₅₆₇₈₉ₘ")

SUM, TERM, FACTOR = range(3)
"""Precedences, lowest first. An operand stands in brackets if its precedence is below that of its place."""

Printer = Callable[[Node], str]
Printed = TypeVar("Printed")


def operand(
    node: Node,
    level: int,
    printed: Callable[[Node], Printed],
    fenced: Callable[[Printed], Printed],
    *,
    leads: bool = False,
) -> Printed:
    """Prints an operand, `fenced` in brackets if its precedence is below `level`.

    Brackets also stand round an operand that begins with a sign, unless it `leads` the expression.
    """
    holds = SUM if isinstance(node, Sum) else TERM if isinstance(node, Product | Quotient) else FACTOR
    stacked = isinstance(node, Quotient) and node.stacked and printed is not words
    bare = (stacked or holds >= level) and (leads or stacked or not _begins_with_sign(node))
    return printed(node) if bare else fenced(printed(node))


def _begins_with_sign(node: Node) -> bool:
    match node:
        case Numeral(digits):
            return digits.startswith(MINUS)
        case Product(first, _, _) | Quotient(first, _, _):
            return _begins_with_sign(first)
    return isinstance(node, Signed)


def words(node: Node) -> str:
    """Prints a formula on a line of text: `d·w = (0.5, 1, 0) · (1, −2, 0)`. Raises TypeError for an unknown node."""

    def held(part: Node, level: int = TERM, *, leads: bool = False) -> str:
        return operand(part, level, words, "({})".format, leads=leads)

    match node:
        case Numeral(digits, exponent, _, nearly):
            return "≈0" if nearly else digits if exponent is None else f"{digits} × 10{superscript(exponent)}"
        case Vector(items):
            return f"({', '.join(map(words, items))})"
        case Symbol(letter, index):
            low = index.translate(SUBSCRIPTS)
            return letter + ("_" * (low == index) + low if index else "")
        case Identifier(text):
            return text
        case Said(said, of):
            return said + words(of)
        case Hat(of):
            return words(of)
        case Signed(sign, of):
            return sign + held(of)
        case Sum(left, sign, right):
            return f"{words(left)} {sign} {held(right)}"
        case Product(left, sign, right):
            close = sign == "·" and not isinstance(left, Numeral | Vector)
            between = sign if close else f" {sign} " if sign else " "
            return held(left, leads=True) + between + held(right, FACTOR)
        case Quotient(top, bottom):
            return f"{held(top, leads=True)} / {held(bottom, FACTOR)}"
        case Power(base, exponent):
            square = exponent == 2 and isinstance(base, Numeral)
            return f"{words(base)} · {words(base)}" if square else held(base, FACTOR) + superscript(exponent)
        case Root(of):
            return f"sqrt({words(of)})"
        case Norm(of):
            return f"|{words(of)}|"
        case FunctionCall(name, arguments):
            return f"{name}({', '.join(map(words, arguments))})"
        case Over(name, of):
            return f"{name} {held(of)}"
        case Combination(weights, vectors):
            return " + ".join(f"{words(w)} {words(v)}" for w, v in zip(weights, vectors, strict=True))
        case Relation(first, rest):
            before = [] if first is None else [words(first)]
            return " ".join((*before, *[f"{sign} {words(side)}" for sign, side in rest]))
    raise TypeError(type(node).__name__)


_TEX = {
    MINUS: "-",
    "±": r"\pm",
    "·": r"\cdot",
    "×": r"\times",
    "≈": r"\approx ",
    "⊥": r"\perp",
    "λ": r"\lambda",
    "ω": r"\omega",
    "ε": r"\varepsilon",
    "∑": r"\sum",
    "min": r"\min",
    "max": r"\max",
}


_LISTED, _ARGUMENTS = r",\; ", r",\, "


def tex(node: Node, paint: Callable[[Symbol, str], str | None] = lambda _symbol, _tex: None) -> str:
    """Prints a formula as TeX. `paint` gets a symbol and its TeX; it returns other TeX, such as coloured, or None.

    Raises TypeError for an unknown node.
    """

    def printed(part: Node) -> str:
        return tex(part, paint)

    def held(part: Node, level: int = TERM, *, leads: bool = False) -> str:
        return operand(part, level, printed, "({})".format, leads=leads)

    match node:
        case Numeral():
            return _tex_number(node)
        case Vector(items, lying):
            return f"({_LISTED.join(map(tex, items))})" if lying else _matrix_tex(map(tex, items))
        case Symbol():
            return paint(node, _tex_symbol(node, tex)) or _tex_symbol(node, printed)
        case Identifier(text):
            return rf"\mathit{{{text}}}"
        case Said(said, of):
            return rf"\text{{{said}}} {printed(of)}"
        case Hat(of):
            return _after(r"\hat", printed(of))
        case Signed(sign, of):
            return _after(_TEX[sign], held(of))
        case Sum(left, sign, right):
            return f"{printed(left)} {_TEX.get(sign, sign)} {held(right)}"
        case Product(left, sign, right):
            first, second = held(left, leads=True), held(right, FACTOR)
            return first + _after(_TEX[sign] if sign else _gap(left, right), second)
        case Quotient(top, bottom, stacked):
            if stacked:
                return rf"\dfrac{{{printed(top)}}}{{{printed(bottom)}}}"
            return f"{held(top, leads=True)} / {held(bottom, FACTOR)}"
        case Power(base, exponent):
            raised = f"({tex(base)})" if isinstance(base, Numeral) and base.exponent is not None else held(base, FACTOR)
            return f"{raised}^{exponent}" if 0 <= exponent < 10 else f"{raised}^{{{exponent}}}"
        case Root(of):
            return rf"\sqrt{{{printed(of)}}}"
        case Norm(Vector(items)):
            return tex(Root(squares(items)))
        case Norm(of, bars):
            bar = "Vert" if bars == 2 else "vert"
            return _after(rf"\l{bar}", printed(of)) + rf"\r{bar}"
        case FunctionCall(name, arguments):
            return f"{_TEX.get(name, name)}({_ARGUMENTS.join(map(printed, arguments))})"
        case Over(name, of, index):
            return rf"{_TEX[name]}_{index}\; {held(of)}" if index else _after(_TEX[name], held(of))
        case Combination(weights, vectors):
            rows = zip(*(map(tex, vector.items) for vector in vectors), strict=True)
            return f"{_matrix_tex(map(' & '.join, rows))} {_matrix_tex(map(tex, weights))}"
        case Relation(first, rest):
            before = [] if first is None else [printed(first)]
            return " ".join((*before, *[f"{_TEX.get(sign, sign)} {printed(side)}" for sign, side in rest]))
    raise TypeError(type(node).__name__)


def _tex_number(number: Numeral) -> str:
    if number.nearly:
        return r"{\approx}0"
    digits = number.digits.replace(MINUS, "-").replace("∞", r"\infty ")
    if number.exponent is None:
        return digits
    power = rf"10^{{{number.exponent}}}"
    return power if digits == "1" else f"-{power}" if digits == "-1" else rf"{digits}\cdot {power}"


def _tex_symbol(symbol: Symbol, printed: Printer) -> str:
    letter = symbol.letter.replace(PRIME, "'")
    low = symbol.index if not symbol.index.isalpha() else printed(Symbol(symbol.index))
    return _TEX.get(letter, letter) + (f"_{{{low}}}" if symbol.index.isdigit() else f"_{low}" if low else "")


def _after(command: str, text: str) -> str:
    """A TeX command and a text, with a space between them if the text would continue the command's name."""
    return command + " " * (command[-1:].isalpha() and text[:1].isalnum()) + text


def _gap(left: Node, right: Node) -> str:
    """The TeX space between two factors without a sign: wide before a vector, thin after a number or a bare letter."""
    if isinstance(right, Vector):
        return r" \, "
    return r"\," if isinstance(left, Numeral) or (isinstance(left, Symbol) and not left.index) else " "


def _matrix_tex(rows: Iterable[str]) -> str:
    return r"\begin{pmatrix}" + r"\\".join(rows) + r"\end{pmatrix}"


def squares(items: Sequence[Numeral]) -> Node:
    """The sum of the squares of the numbers' absolute values."""
    sizes = [Numeral(item.digits.removeprefix(MINUS), item.exponent, abs(item.value)) for item in items]
    return total(Power(size, 2) for size in sizes)


_THIN, _THICK = '<mspace width="0.167em"/>', '<mspace width="0.278em"/>'
_FENCE = '<mo form="prefix" stretchy="false">{}</mo>{}<mo form="postfix" stretchy="false">{}</mo>'


def mathml(node: Node) -> list[list[str]]:
    """Prints the sides of a relation, each led by its sign, as the elements `math` of their terms.

    Any other node is one side. Raises TypeError for an unknown node. A line may break between sides, and in one that is
    longer than a line between terms. Only brackets round a matrix grow with their contents.
    """
    if not isinstance(node, Relation):
        return [_mathml_terms(node)]
    first = [] if node.first is None else [_mathml_terms(node.first)]
    return [*first, *[_mathml_terms(side, f"<mo>{sign}</mo>") for sign, side in node.rest]]


def _mathml_terms(node: Node, lead: str = "") -> list[str]:
    """The terms of a sum as elements `math`, the first after `lead`; of another node a single one."""
    terms, rest = [], node
    while isinstance(rest, Sum):
        held = operand(rest.right, TERM, _mathml, _fenced)
        terms.append(f'<mo form="infix">{rest.sign}</mo>{held}')
        rest = rest.left
    return [f'<math displaystyle="true">{term}</math>' for term in (lead + _mathml(rest), *reversed(terms))]


def _fenced(inside: str) -> str:
    return _FENCE.format("(", inside, ")")


def _mathml(node: Node) -> str:
    def held(part: Node, level: int = TERM, *, leads: bool = False) -> str:
        return operand(part, level, _mathml, _fenced, leads=leads)

    match node:
        case Numeral(digits, exponent, _, nearly):
            return _close("≈") + "<mn>0</mn>" if nearly else _mathml_number(digits, exponent)
        case Vector(items, lying):
            parts = [_mathml(item) for item in items]
            lies = f"<mo>,</mo>{_THICK}".join(parts)
            return _FENCE.format("(", lies, ")") if lying else _matrix_mathml((part,) for part in parts)
        case Symbol(letter, index):
            # The prime is not a superscript: the glyph of a text font is raised already.
            prime = f'<mo class="prime" form="postfix" lspace="0" rspace="0">{PRIME}</mo>' if PRIME in letter else ""
            made = f"<mi>{letter.rstrip(PRIME)}</mi>"
            low = f"<mn>{index}</mn>" if index.isdigit() else f"<mi>{index}</mi>"
            return (f"<msub>{made}{low}</msub>" if index else made) + prime
        case Identifier(text):
            return f'<mi class="word">{text}</mi>'
        case Said(said, of):
            return f"<mtext>{said.replace(' ', chr(0xA0))}</mtext>{_mathml(of)}"
        case Hat(of):
            return f'<mover accent="true">{_mathml(of)}<mo stretchy="false">^</mo></mover>'
        case Signed(sign, of):
            return _close(sign) + held(of)
        case Sum(left, sign, right):
            return f"{_mathml(left)}<mo>{sign}</mo>{held(right)}"
        case Product(left, sign, right):
            gap = f"<mo>{sign}</mo>" if sign else _THIN if _gap(left, right).strip() else ""
            return held(left, leads=True) + gap + held(right, FACTOR)
        case Quotient(top, bottom, stacked):
            if stacked:
                return f"<mfrac><mrow>{_mathml(top)}</mrow><mrow>{_mathml(bottom)}</mrow></mfrac>"
            return f"{held(top, leads=True)}<mo>/</mo>{held(bottom, FACTOR)}"
        case Power(base, exponent):
            fenced = isinstance(base, Numeral) and base.exponent is not None
            below = _FENCE.format("(", _mathml(base), ")") if fenced else held(base, FACTOR)
            return f"<msup><mrow>{below}</mrow>{_mathml_exponent(exponent)}</msup>"
        case Root(of):
            return f"<msqrt><mrow>{_mathml(of)}</mrow></msqrt>"
        case Norm(Vector(items)):
            return _mathml(Root(squares(items)))
        case Norm(of, bars):
            return _FENCE.format("|‖"[bars - 1], _mathml(of), "|‖"[bars - 1])
        case FunctionCall(name, arguments):
            called = _mathml_function(name, "0") if name in _TEX else f"<mi>{name}</mi>"
            return called + _FENCE.format("(", f"<mo>,</mo>{_THIN}".join(map(_mathml, arguments)), ")")
        case Over(name, of, index):
            sign = "<mo>∑</mo>" if name == "∑" else _mathml_function(name, "0.167em")
            return (f"<msub>{sign}<mi>{index}</mi></msub>{_THICK}" if index else sign) + held(of)
        case Combination(weights, vectors):
            rows = zip(*(map(_mathml, vector.items) for vector in vectors), strict=True)
            return _matrix_mathml(rows) + _matrix_mathml((_mathml(weight),) for weight in weights)
        case Relation(first, rest):
            return ("" if first is None else _mathml(first)) + "".join(
                [f"<mo>{sign}</mo>{_mathml(side)}" for sign, side in rest]
            )
    raise TypeError(type(node).__name__)


def _close(sign: str) -> str:
    """A sign without space after it."""
    return f'<mo form="prefix" lspace="0" rspace="0">{sign}</mo>'


def _mathml_function(name: str, gap: str) -> str:
    return f'<mo form="prefix" lspace="0" rspace="{gap}">{name}</mo>'


def _mathml_number(digits: str, exponent: int | None) -> str:
    sign, size = (_close(MINUS), digits[1:]) if digits.startswith(MINUS) else ("", digits)
    made = f"<mi>{size}</mi>" if size == "∞" else f"<mn>{size}</mn>"
    if exponent is None:
        return sign + made
    power = f"<msup><mn>10</mn>{_mathml_exponent(exponent)}</msup>"
    return sign + (power if size == "1" else f"{made}<mo>·</mo>{power}")


def _mathml_exponent(exponent: int) -> str:
    return f"<mrow>{_mathml_number(str(exponent).replace('-', MINUS), None)}</mrow>"


def _matrix_mathml(rows: Iterable[Iterable[str]]) -> str:
    lines = ["".join([f"<mtd>{cell}</mtd>" for cell in row]) for row in rows]
    return f"<mrow><mo>(</mo><mtable>{''.join([f'<mtr>{line}</mtr>' for line in lines])}</mtable><mo>)</mo></mrow>"

"""Formulas as trees of nodes, and their values. `app/words/printers.py` prints them.

Python's operators build a tree: `-d @ w` is −d·w, `t * v` is t v, and `a / b` is a fraction on one line. A printer
puts brackets where the tree needs them. A number holds the digits that are shown, so no printer rounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import inf, sqrt
from operator import add

from msgspec import Struct

from .digits import MINUS

PRIME = "′"


class Node(Struct, frozen=True):
    """A formula or a part of one."""

    def __add__(self, other: Node) -> Sum:
        return Sum(self, "+", other)

    def __sub__(self, other: Node) -> Sum:
        return Sum(self, MINUS, other)

    def __neg__(self) -> Signed:
        return Signed(MINUS, self)

    def __matmul__(self, other: Node) -> Product:
        return Product(self, "·", other)

    def __mul__(self, other: Node) -> Product:
        return Product(self, "", other)

    def __truediv__(self, other: Node) -> Quotient:
        return Quotient(self, other, stacked=False)


class Numeral(Node, frozen=True):
    """A number as it is shown: `digits` with `−` as minus, and the `exponent` of ten, None without a power.

    `value`: the rounded number that the digits show. `nearly`: shown as ≈0, for a component that is rounding.
    """

    digits: str
    exponent: int | None
    value: float
    nearly: bool = False


class Vector(Node, frozen=True):
    """The components of a vector, printed as a column, or as a row if `lying`. In words they are always a row."""

    items: tuple[Numeral, ...]
    lying: bool = False


class Symbol(Node, frozen=True):
    """A letter, with or without a prime, and an index, which is a number, a letter or empty: `v`, `w₃`, `r_A`, `d′`."""

    letter: str
    index: str = ""


class Identifier(Node, frozen=True):
    """A name of several letters, in italics: `upper`."""

    text: str


class Said(Node, frozen=True):
    """Words followed by a part: `feature of v`."""

    words: str
    of: Node


class Hat(Node, frozen=True):
    """A unit vector, with a hat in TeX and MathML; in words without it."""

    of: Node


class Signed(Node, frozen=True):
    """A sign before a part: − or ±."""

    sign: str
    of: Node


class Sum(Node, frozen=True):
    """A sum or difference of two parts; `sign` is + or −."""

    left: Node
    sign: str
    right: Node


class Product(Node, frozen=True):
    """A product of two parts; `sign` is ·, × or empty. For two vectors · is the dot product."""

    left: Node
    sign: str
    right: Node


class Quotient(Node, frozen=True):
    """A fraction, `stacked` or on one line. In words it is always on one line."""

    top: Node
    bottom: Node
    stacked: bool = True


class Power(Node, frozen=True):
    """A power with a whole exponent. In words the square of a number is written as the number times itself."""

    base: Node
    exponent: int


class Root(Node, frozen=True):
    """A square root."""

    of: Node


class Norm(Node, frozen=True):
    """The length of a vector, printed with two `bars` on each side, or the absolute value of a number, with one.

    TeX and MathML print the length of a `Vector` as the root of the sum of squares; words print it with bars.
    """

    of: Node
    bars: int = 2


class FunctionCall(Node, frozen=True):
    """A function of several arguments: `min(a, b)`, `y(t)`."""

    name: str
    arguments: tuple[Node, ...]


class Over(Node, frozen=True):
    """`min`, `max` or ∑ of one part: `max A`. `index`: the letter below ∑, or empty."""

    name: str
    of: Node
    index: str = ""


class Combination(Node, frozen=True):
    """A weighted sum of vectors. TeX and MathML print the matrix of the vectors times the column of the weights."""

    weights: tuple[Numeral, ...]
    vectors: tuple[Vector, ...]


class Relation(Node, frozen=True):
    """A chain of sides with =, ≈ or ⊥ before each but the first. If `first` is None, it continues the line before."""

    first: Node | None
    rest: tuple[tuple[str, Node], ...]


# Constructors.


def symbols(names: str) -> tuple[Symbol, ...]:
    """Symbols from their names, separated by spaces: `v w_0 r_A d′`."""
    return tuple(Symbol(*name.split("_")) for name in names.split())


def equation(*sides: Node) -> Relation:
    """The sides with = between them."""
    return Relation(sides[0], tuple(("=", side) for side in sides[1:]))


def least(*arguments: Node) -> FunctionCall:
    """`min` of the arguments."""
    return FunctionCall("min", arguments)


def most(*arguments: Node) -> FunctionCall:
    """`max` of the arguments."""
    return FunctionCall("max", arguments)


def total(parts: Iterable[Node]) -> Node:
    """The sum of at least one part."""
    return reduce(add, parts)


# Values.

Value = float | tuple[float, ...]


def value(node: Node) -> Value:
    """The value of an expression of numbers, each rounded as it is shown. Raises TypeError for other expressions.

    A quotient by 0 is infinite, and the root of a negative number is 0.
    """
    match node:
        case Numeral():
            return node.value
        case Vector(items):
            return tuple(item.value for item in items)
        case Signed(_, of):
            return _times(-1.0, value(of))
        case Sum(left, sign, right):
            first, second = value(left), value(right)
            if isinstance(first, tuple) and isinstance(second, tuple):
                return tuple(p + q if sign == "+" else p - q for p, q in zip(first, second, strict=True))
            return _scalar(left) + _scalar(right) if sign == "+" else _scalar(left) - _scalar(right)
        case Product(left, _, right):
            first, second = value(left), value(right)
            if isinstance(first, tuple) and isinstance(second, tuple):
                return sum(p * q for p, q in zip(first, second, strict=True))
            return _times(first, second) if isinstance(first, float) else _times(_scalar(right), first)
        case Quotient(top, bottom):
            below = _scalar(bottom)
            return _scalar(top) / below if below else inf
        case Power(base, exponent):
            return _scalar(base) ** exponent
        case Root(of):
            return sqrt(max(_scalar(of), 0.0))
        case Norm(Vector(items)):
            return sqrt(sum(item.value * item.value for item in items))
        case FunctionCall("min" | "max" as name, arguments):
            return (min if name == "min" else max)(_scalar(argument) for argument in arguments)
        case Combination(weights, vectors):
            # Summed term by term: the rounding of a matrix product depends on the processor.
            rows = [
                [weight.value * p.value for p in vector.items] for weight, vector in zip(weights, vectors, strict=True)
            ]
            return tuple(sum(parts) for parts in zip(*rows, strict=True))
    raise TypeError(f"{node} is no expression of numbers")


def _scalar(node: Node) -> float:
    found = value(node)
    assert not isinstance(found, tuple)
    return found


def _times(factor: float, what: Value) -> Value:
    return tuple(factor * part for part in what) if isinstance(what, tuple) else factor * what

"""Formulas as trees, and their values. `app/words/printers.py` writes them.

A tree is built from symbols by operators: `-d @ w` is −d·w, `t * v` is t v, `a / b` a fraction on the line. Brackets
follow from the tree. Numbers carry the digits that are shown, so that no printer rounds.
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
    """A number as it is shown: `digits`, with a true minus, and a power of ten beside them if there is one.

    `value`: the rounded number that the digits show. `nearly`: shown as ≈0, a vector's component that is only rounding.
    """

    digits: str
    exponent: int | None
    value: float
    nearly: bool = False


class Vector(Node, frozen=True):
    """A vector's components: a column, or a row if `lying`. In words always a row."""

    items: tuple[Numeral, ...]
    lying: bool = False


class Symbol(Node, frozen=True):
    """A letter, which may have a prime, with an index, which is a number or another letter: `v`, `w₃`, `r_A`, `d′`."""

    letter: str
    index: str = ""


class Identifier(Node, frozen=True):
    """A name of several letters, in italics: `upper`."""

    text: str


class Said(Node, frozen=True):
    """A part with words before it: `feature of v`."""

    words: str
    of: Node


class Hat(Node, frozen=True):
    """A unit vector; in words the letter alone."""

    of: Node


class Signed(Node, frozen=True):
    """A sign before a part: − or ±."""

    sign: str
    of: Node


class Sum(Node, frozen=True):
    """Left and right of + or −."""

    left: Node
    sign: str
    right: Node


class Product(Node, frozen=True):
    """Left and right of · (of two vectors their dot product), of × or of nothing."""

    left: Node
    sign: str
    right: Node


class Quotient(Node, frozen=True):
    """A fraction, `stacked` or on the line; in words always on the line."""

    top: Node
    bottom: Node
    stacked: bool = True


class Power(Node, frozen=True):
    """A power with a whole exponent; in words the square of a number is written as its product with itself."""

    base: Node
    exponent: int


class Root(Node, frozen=True):
    """A square root."""

    of: Node


class Norm(Node, frozen=True):
    """The length of a vector between two `bars`, or the absolute value of a number between one.

    The length of a `Vector` of numbers is written as the root of the sum of their squares, but in words.
    """

    of: Node
    bars: int = 2


class FunctionCall(Node, frozen=True):
    """A function of several arguments: `min(a, b)`, `y(t)`."""

    name: str
    arguments: tuple[Node, ...]


class Over(Node, frozen=True):
    """`min`, `max` or ∑ of one part, over an index if there is one: `max A`."""

    name: str
    of: Node
    index: str = ""


class Combination(Node, frozen=True):
    """A sum of vectors by their weights; in TeX the matrix of the vectors times the column of the weights."""

    weights: tuple[Numeral, ...]
    vectors: tuple[Vector, ...]


class Relation(Node, frozen=True):
    """A chain of =, ≈ and ⊥; without a `first` it continues the line before."""

    first: Node | None
    rest: tuple[tuple[str, Node], ...]


# Making them.


def symbols(names: str) -> tuple[Symbol, ...]:
    """Symbols by their names, as `v w_0 r_A d′`."""
    return tuple(Symbol(*name.split("_")) for name in names.split())


def equation(*sides: Node) -> Relation:
    """A chain of the sides with = between them."""
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


# The names' values.

Value = float | tuple[float, ...]


def value(node: Node) -> Value:
    """The value of an expression of numbers, worked out as on paper, with each number rounded as it is shown."""
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
            # Summed here and not by a matrix product, which rounds otherwise on another processor.
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

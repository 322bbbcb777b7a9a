"""A formula of a step: told once in symbols, and with the step's numbers put in for them.

Both show rounded numbers; where those no longer give the result, because digits cancel, the sign is ≈ and not =.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from .digits import FORMULA, MINUS, raised, scientific
from .expression import (
    Call,
    Combination,
    Length,
    Node,
    Number,
    Relation,
    Sum,
    Value,
    Vector,
    value,
)
from .printers import tex, words

NOISE = 1e-15
"""Components of a vector smaller than this share of its largest are rounding: one that is not 0 stands as ≈0."""
ROOM = 1e-6
"""Of a unit in the last digit: what the rounding of a sum of rounded numbers may take."""

Given = float | Iterable[float]
"""A number or a vector."""
Values = Mapping[Node, Given]
"""Numbers and vectors by the symbols, or by the parts of a formula, in whose places they are put."""


class Formula(Struct, frozen=True):
    """`symbols`: an equation or an expression; `name`: what the numbers are of, `worked` these in its symbols' places.

    `sign`: = or ≈ before the `result`.
    """

    symbols: Node
    name: Node
    worked: Node | None
    sign: str
    result: Node

    @staticmethod
    def of(
        symbols: Node,
        result: Given,
        values: Values | None = None,
        *,
        name: Node | None = None,
        worked: Node | None = None,
        lying: bool = False,
    ) -> Formula:
        """`values` of symbols or of parts of the last side are put in there, unless what is `worked` out is given.

        Without both the result alone stands behind the `name`, else the first of the equation's sides. `lying`: a
        vector as a result is written on the line.
        """
        sides = (symbols.first, *(side for _, side in symbols.rest)) if isinstance(symbols, Relation) else (symbols,)
        first, last = sides[0], sides[-1]
        assert first is not None
        assert last is not None
        if worked is None and values:
            worked = put_in(last, values)
        sign = "=" if worked is None else equal(value(worked), result)
        return Formula(symbols, first if name is None else name, worked, sign, shown(result, lying=lying))

    @property
    def lines(self) -> tuple[Node, ...]:
        """The whole chain: the symbols, `= …` with the numbers, and the result if it has a line of its own."""
        ending = Relation(None, ((self.sign, self.result),))
        if self.worked is None:
            return self.symbols, ending
        if _wide(self.worked):
            return self.symbols, Relation(None, (("=", self.worked),)), ending
        return self.symbols, Relation(None, (("=", self.worked), (self.sign, self.result)))

    @property
    def tex(self) -> str:
        """All of it as TeX."""
        return " ".join(map(tex, self.lines))

    @property
    def plain(self) -> str:
        """`name = expression = result`; without an expression to work out `name = result`."""
        chain = () if self.worked is None else (("=", self.worked),)
        return words(Relation(self.name, (*chain, (self.sign, self.result))))


def _wide(worked: Node) -> bool:
    """Whether the result has no room beside it: a matrix, or powers of ten under a root."""
    if isinstance(worked, Length) and isinstance(worked.of, Vector):
        return any(item.exponent is not None for item in worked.of.items)
    return isinstance(worked, Combination)


# Numbers.


def number(given: float) -> Number:
    """A number as it is shown in a formula; a whole number of things, an int, in full."""
    if isinstance(given, int):
        return Number(str(given), None, float(given))
    digits, exponent = scientific(given, raised(FORMULA))
    return Number(digits, exponent, rounded(given))


def vector(given: Iterable[float], *, lying: bool = False) -> Vector:
    """A vector as it is shown; what is rounding beside its largest component is ≈0."""
    parts = list(given)
    nearly = Number("0", None, 0.0, nearly=True)
    return Vector(
        tuple(nearly if part and not kept else number(kept) for part, kept in zip(parts, clean(parts), strict=True)),
        lying,
    )


def shown(given: Given, *, lying: bool = False) -> Node:
    """A number or a vector."""
    return vector(given, lying=lying) if isinstance(given, Iterable) else number(given)


def rounded(given: float) -> float:
    """The number that is shown."""
    return float(format(given, f".{raised(FORMULA) - 1}e"))


def clean(given: Iterable[float]) -> tuple[float, ...]:
    """The components, those that are rounding beside the largest as 0."""
    parts = list(given)
    largest = max((abs(part) for part in parts if isfinite(part)), default=0.0)
    return tuple(0.0 if abs(part) < NOISE * largest else part for part in parts)


def equal(worked: Value, result: Given) -> str:
    """`=` where rounded numbers give the result to the digits shown, of a vector in each component, else `≈`."""
    if isinstance(result, Iterable):
        assert isinstance(worked, tuple)
        return "=" if all(map(_close, clean(worked), clean(result))) else "≈"
    assert not isinstance(worked, tuple)
    return "=" if _close(worked, result) else "≈"


def _close(worked: float, result: float) -> bool:
    if worked == result:
        return True
    # Half a unit in the last digit shown, and what rounding adds; 0 of zero. The power of ten is read from the digits:
    # a logarithm's last digit would decide at 1000.
    power = int(f"{result:.17e}".partition("e")[2]) if isfinite(result) else 0
    unit = float(f"1e{power + 1 - raised(FORMULA)}") if result else 0.0
    return isfinite(worked) and abs(worked - rounded(result)) <= (0.5 + ROOM) * unit


# Numbers in the place of symbols.


def put_in(node: Node, values: Values) -> Node:
    """The expression with numbers and vectors for those of its parts that have values."""
    given = values.get(node)
    if given is not None:
        return shown(given)
    match node:
        case Sum():
            return _sum(node, values)
        case Call(name, arguments):
            return Call(name, tuple(put_in(argument, values) for argument in arguments))
    inside = {field: getattr(node, field) for field in node.__struct_fields__}
    return replace(node, **{field: put_in(of, values) for field, of in inside.items() if isinstance(of, Node)})


def _sum(node: Sum, values: Values) -> Node:
    """A sum of numbers loses what is rounding beside the other, and a number added that is negative is taken away."""
    first, second = values.get(node.left), values.get(node.right)
    if isinstance(first, float) and isinstance(second, float):
        first, second = clean((first, second))
    left = put_in(node.left, values) if first is None else shown(first)
    if node.sign == "+" and isinstance(second, float) and second < 0.0:
        return Sum(left, MINUS, number(-second))
    return Sum(left, node.sign, put_in(node.right, values) if second is None else shown(second))

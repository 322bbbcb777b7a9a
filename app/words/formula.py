"""A formula of a step: once in symbols, and once with the step's numbers in place of the symbols.

The numbers are rounded. If the rounded ones do not give the result, because digits cancel, the sign is ≈ and not =.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from .digits import FORMULA, MINUS, digits_for, only_rounding, scientific
from .expression import (
    Combination,
    FunctionCall,
    Identifier,
    Node,
    Norm,
    Numeral,
    Relation,
    Sum,
    Symbol,
    Value,
    Vector,
    value,
)
from .printers import tex, words

NOISE = 1e-15
"""Components of a vector smaller than this share of its largest are rounding: one that is not 0 stands as ≈0."""
ROUNDING_SHARE = 1e-6
"""Share of a unit in the last digit that rounding may take where rounded numbers are summed."""

NumberOrVector = float | Iterable[float]
"""A number or a vector."""
Values = Mapping[Node, NumberOrVector]
"""Numbers and vectors by the symbols, or the parts of a formula, that they replace."""


class Formula(Struct, frozen=True):
    """`symbols`: an equation or an expression; `name`: the left side of the line with numbers, as in `d = 2 · 3 = 6`.

    `worked`: the expression with numbers for symbols, if there is one; `sign`: = or ≈ before the `result`.
    """

    symbols: Node
    name: Node
    worked: Node | None
    sign: str
    result: Node

    @staticmethod
    def of(
        symbols: Node,
        result: NumberOrVector,
        values: Values | None = None,
        *,
        name: Node | None = None,
        worked: Node | None = None,
        lying: bool = False,
    ) -> Formula:
        """Makes a formula; `worked` is the last side of `symbols` with `values` put in, unless it is given.

        Without both the result follows the name at once, as does a length that is zero or rounding, which stands as 0.
        `name`: the first side of `symbols`, unless it is given. `lying`: a result that is a vector is written as a row.
        Raises TypeError if a symbol of `worked` has no value.
        """
        sides = (symbols.first, *(side for _, side in symbols.rest)) if isinstance(symbols, Relation) else (symbols,)
        first, last = sides[0], sides[-1]
        assert first is not None
        assert last is not None
        root = isinstance(last, Norm) and isinstance((values or {}).get(last.of), Iterable)
        if root and isinstance(result, float) and (result == 0.0 or only_rounding(result)):
            # The components that are squared under the root would be zeros, or rounding with many digits.
            name = first if name is None else name
            return Formula(symbols, name, None, "≈" if result else "=", Numeral("0", None, 0.0))
        if worked is None and values:
            worked = substituted(last, values)
        sign = "=" if worked is None else equal_sign(value(worked), result)
        return Formula(symbols, first if name is None else name, worked, sign, as_node(result, lying=lying))

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
        """The whole chain as TeX."""
        return " ".join(map(tex, self.lines))

    @property
    def plain(self) -> str:
        """`name = expression = result`; without an expression to work out `name = result`."""
        chain = () if self.worked is None else (("=", self.worked),)
        return words(Relation(self.name, (*chain, (self.sign, self.result))))


def _wide(worked: Node) -> bool:
    """Whether the result has no room beside it: a matrix, or powers of ten under a root."""
    if isinstance(worked, Norm) and isinstance(worked.of, Vector):
        return any(item.exponent is not None for item in worked.of.items)
    return isinstance(worked, Combination)


# Numbers.


def numeral(given: float) -> Numeral:
    """A number as it is shown in a formula; an int, which counts things, in full."""
    if isinstance(given, int):
        return Numeral(str(given), None, float(given))
    digits, exponent = scientific(given, digits_for(FORMULA))
    return Numeral(digits, exponent, rounded(given))


def vector(given: Iterable[float], *, lying: bool = False) -> Vector:
    """A vector as it is shown; a component that is rounding beside the largest is ≈0."""
    parts = list(given)
    nearly = Numeral("0", None, 0.0, nearly=True)
    return Vector(
        tuple(nearly if part and not kept else numeral(kept) for part, kept in zip(parts, clean(parts), strict=True)),
        lying,
    )


def as_node(given: NumberOrVector, *, lying: bool = False) -> Node:
    """A number or a vector as it is shown."""
    return vector(given, lying=lying) if isinstance(given, Iterable) else numeral(given)


def rounded(given: float) -> float:
    """The number rounded to the digits that are shown."""
    return float(format(given, f".{digits_for(FORMULA) - 1}e"))


def clean(given: Iterable[float]) -> tuple[float, ...]:
    """The components, with 0 for those that are rounding beside the largest."""
    parts = list(given)
    largest = max((abs(part) for part in parts if isfinite(part)), default=0.0)
    return tuple(0.0 if abs(part) < NOISE * largest else part for part in parts)


def equal_sign(worked: Value, result: NumberOrVector) -> str:
    """`=` where rounded numbers give the result to the digits shown, of a vector in each component, else `≈`."""
    if isinstance(result, Iterable):
        assert isinstance(worked, tuple)
        return "=" if all(map(_close, clean(worked), clean(result))) else "≈"
    assert not isinstance(worked, tuple)
    return "=" if _close(worked, result) else "≈"


def _close(worked: float, result: float) -> bool:
    if worked == result:
        return True
    # Half a unit in the last digit shown, and the rounding error; 0 if the result is 0. The power of ten is read from
    # the digits: a logarithm's last digit would decide at 1000.
    power = int(f"{result:.17e}".partition("e")[2]) if isfinite(result) else 0
    unit = float(f"1e{power + 1 - digits_for(FORMULA)}") if result else 0.0
    return isfinite(worked) and abs(worked - rounded(result)) <= (0.5 + ROUNDING_SHARE) * unit


# Numbers in the place of symbols.


def substituted(node: Node, values: Values) -> Node:
    """The expression, with numbers and vectors in place of the parts that have values."""
    given = values.get(node)
    if given is not None:
        return as_node(given)
    match node:
        case Sum():
            return _sum(node, values)
        case FunctionCall(name, arguments):
            return FunctionCall(name, tuple(substituted(argument, values) for argument in arguments))
    inside = {field: getattr(node, field) for field in node.__struct_fields__}
    return replace(node, **{field: substituted(of, values) for field, of in inside.items() if isinstance(of, Node)})


def other_names(node: Node, names: Mapping[str, str]) -> Node:
    """The expression with other names for symbols; `names`: by the symbol's own name in words."""

    def within(part: object) -> object:
        if isinstance(part, Node):
            return other_names(part, names)
        return tuple([within(each) for each in part]) if isinstance(part, tuple) else part

    if isinstance(node, Symbol) and words(node) in names:
        return Identifier(names[words(node)])
    return replace(node, **{field: within(getattr(node, field)) for field in node.__struct_fields__})


def _sum(node: Sum, values: Values) -> Node:
    """Puts numbers into a sum: 0 for one that is rounding beside the other; a negative one is subtracted."""
    first, second = values.get(node.left), values.get(node.right)
    if isinstance(first, float) and isinstance(second, float):
        first, second = clean((first, second))
    left = substituted(node.left, values) if first is None else as_node(first)
    if node.sign == "+" and isinstance(second, float) and second < 0.0:
        return Sum(left, MINUS, numeral(-second))
    return Sum(left, node.sign, substituted(node.right, values) if second is None else as_node(second))

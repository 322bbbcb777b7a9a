"""What the words about a step are made of: texts, formulas in two notations, names of features and points.

A formula is made once from doubles and said twice, as TeX and in a plain line. Both show the same rounded numbers;
where those no longer give the result, because digits cancel, the sign is ≈ and not =.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import floor, inf, isfinite, log10

from msgspec import Struct

from core.geometry.vector import Array, length
from core.pair.pair import PairScale
from core.pair.support import DifferencePoint
from core.query.query import Query
from core.scene import Scene

from ..words.digits import FORMULA, MINUS, plain, raised, scientific, term
from ..words.names import difference_name, numbered
from ..words.terms import terms_of

NOISE = 1e-15
"""Components of a vector smaller than this share of its largest are rounding: one that is not 0 stands as ≈0."""
ROOM = 1e-6
"""Of a unit in the last digit: what the rounding of a sum of rounded numbers may take."""
FAR_OUT = 1e3
"""Bodies this many times their size from the origin are told from A's position: their digits would be the same."""


class Formula(Struct, frozen=True):
    """`symbolic` and `numbers`: TeX, in symbols and with the step's numbers put in; `plain`: the latter as text.

    `plain` reads `name = expression = result`; without an expression to work out it is `name = result`. `result`: the
    end of `numbers` where they are too wide for one line.
    """

    symbolic: str
    numbers: str
    plain: str
    result: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The whole chain in TeX: the symbols, `= …` with the numbers, and the result if it has a line of its own."""
        return tuple(part for part in (self.symbolic, "= " + self.numbers.partition(" = ")[2], self.result) if part)

    @staticmethod
    def difference(symbolic: str, names: tuple[str, str], first: Array, second: Array) -> Formula:
        """A difference of two vectors (3,); `names` of it, plain and in TeX."""
        result = first - second
        worked_out = [rounded(p) - rounded(q) for p, q in zip(clean(first), clean(second), strict=True)]
        sign = vectors_equal(worked_out, result)
        return Formula(
            symbolic,
            rf"{names[1]} = {column(first)} - {column(second)} {tex_sign(sign)} {column(result)}",
            f"{names[0]} = {row(first)} {MINUS} {row(second)} {sign} {row(result)}",
        )

    @staticmethod
    def dot(symbolic: str, name: str, tex_name: str, vectors: tuple[Array, Array], result: float) -> Formula:
        """A product of two vectors (3,), with an optional minus in front where the `symbolic` form begins with one."""
        first, second = vectors
        sign = equals(dot_of_rounded(first, second), result)
        return Formula(
            symbolic,
            rf"{tex_name} = {column(first)}\cdot{column(second)} {tex_sign(sign)} {tex(result)}",
            f"{name} = {row(first)} · {row(second)} {sign} {term(result)}",
        )

    @staticmethod
    def chosen(which: str, name: str, symbol: str, first: float, second: float, result: float) -> Formula:
        """`name = which(name, symbol)`, the `which`, min or max, of the value before and another, by its `symbol`."""
        return Formula(
            rf"\mathit{{{name}}} = \{which}(\mathit{{{name}}},\, {symbol})",
            rf"\mathit{{{name}}} = \{which}({tex(first)},\, {tex(second)}) = {tex(result)}",
            f"{name} = {which}({term(first)}, {term(second)}) = {term(result)}",
        )

    @staticmethod
    def separation(interval_a: Sequence[float], interval_b: Sequence[float], result: float) -> Formula:
        """The separation of two intervals on an axis that runs from A towards B."""
        end_a, end_b = interval_a[1], interval_b[0]
        sign = equals(rounded(end_b) - rounded(end_a), result)
        return Formula(
            r"s = \min B - \max A",
            rf"s = {tex(end_b)} - {tex_bracketed(end_a)} {tex_sign(sign)} {tex(result)}",
            f"s = {term(end_b)} {MINUS} {bracketed(end_a)} {sign} {term(result)}",
        )

    @staticmethod
    def length(symbolic: str, name: str, tex_name: str, vector: Array, result: float) -> Formula:
        """The length of a vector (3,)."""
        sides = clean(vector)
        sign = equals(sum(rounded(v) ** 2 for v in sides) ** 0.5, result)
        powers = [has_power(v) for v in sides]
        squares = " + ".join(
            f"({tex(abs(v))})^2" if power else f"{tex(abs(v))}^2" for v, power in zip(sides, powers, strict=True)
        )
        end = f"{tex_sign(sign)} {tex(result)}"
        return Formula(
            symbolic,
            rf"{tex_name} = \sqrt{{{squares}}}" + f" {end}" * (not any(powers)),
            f"{name} = |{row(vector)}| {sign} {term(result)}",
            # Powers of ten under the root take the whole line.
            result=end * any(powers),
        )

    @staticmethod
    def value(symbolic: str, names: tuple[str, str], result: float) -> Formula:
        """A number by its name; `names`: plain and in TeX."""
        return Formula(symbolic, f"{names[1]} = {tex(result)}", f"{names[0]} = {term(result)}")

    @staticmethod
    def vector(symbolic: str, names: tuple[str, str], vector: Array) -> Formula:
        """A vector (3,) by its name."""
        return Formula(symbolic, f"{names[1]} = {column(vector)}", f"{names[0]} = {row(vector)}")

    @staticmethod
    def direction(symbolic: str, names: tuple[str, str], vector: Array) -> Formula:
        """A vector (3,) by its name, on one line in TeX as well."""
        return Formula(symbolic, f"{names[1]} = {tex_row(vector)}", f"{names[0]} = {row(vector)}")

    @staticmethod
    def nearest(points: Sequence[DifferencePoint], region: tuple[int, ...], weights: Array, closest: Array) -> Formula:
        """V, `closest` (3,) or (2,), as the weighted sum of the points of a simplex that hold it, the `region`."""
        held = [points[k].w[: len(closest)] for k in region]
        if len(held) == 1:
            return Formula.direction(rf"v = w_{{{region[0]}}}", ("v", "v"), held[0])
        shares = clean(weights)
        # Summed here and not by a matrix product, which rounds otherwise on another processor: = or ≈ hangs on it.
        rows = [
            [rounded(weight) * rounded(v) for v in clean(point)] for weight, point in zip(shares, held, strict=True)
        ]
        sign = vectors_equal([sum(sides) for sides in zip(*rows, strict=True)], closest)
        terms = " + ".join(f"{term(weight)} {row(point)}" for weight, point in zip(shares, held, strict=True))
        return Formula(
            "v = " + " + ".join(rf"\lambda_{{{k}}} w_{{{k}}}" for k in region),
            rf"v = {matrix(held)} {column(shares)}",
            f"v = {terms} {sign} {row(closest)}",
            rf"{tex_sign(sign)} {tex_row(closest)}",
        )

    @staticmethod
    def multiple(symbolic: str, names: tuple[str, str], factor: float, vector: Array, result: Array) -> Formula:
        """A vector (3,) `factor` times; `names` of the product, plain and in TeX."""
        sign = vectors_equal([rounded(factor) * rounded(part) for part in vector], result)
        return Formula(
            symbolic,
            rf"{names[1]} = {tex(factor)} \, {column(vector)} {tex_sign(sign)} {column(result)}",
            f"{names[0]} = {term(factor)} {row(vector)} {sign} {row(result)}",
        )

    @staticmethod
    def later(symbolic: str, time: float, ahead: float, slope: float, result: float) -> Formula:
        """`t′ = time − ahead / slope`: how far a plane proves a way free."""
        sign = equals(rounded(time) - rounded(ahead) / rounded(slope), result)
        return Formula(
            symbolic,
            rf"t' = {tex(time)} - \dfrac{{{tex(ahead)}}}{{{tex(slope)}}} {tex_sign(sign)} {tex(result)}",
            f"t′ = {term(time)} {MINUS} {term(ahead)} / ({term(slope)}) {sign} {term(result)}",
        )

    @staticmethod
    def sum(symbolic: str, names: tuple[str, str], parts: Sequence[float], result: float) -> Formula:
        """A sum of numbers, the negative ones taken away."""
        values = clean(parts)
        sign = equals(sum(rounded(value) for value in values), result)
        texts, texs = term(values[0]), tex(values[0])
        for value in values[1:]:
            texts += f" {MINUS if value < 0.0 else '+'} {term(abs(value))}"
            texs += f" {'-' if value < 0.0 else '+'} {tex(abs(value))}"
        return Formula(
            symbolic,
            f"{names[1]} = {texs} {tex_sign(sign)} {tex(result)}",
            f"{names[0]} = {texts} {sign} {term(result)}",
        )

    @staticmethod
    def ratio(
        symbolic: str,
        names: tuple[str, str],
        top: Sequence[float],
        bottom: float,
        result: float,
        first: float | None = None,
    ) -> Formula:
        """`first + (top[0] - top[1]) / bottom`; of one number on top without the brackets.

        Without `first` it is the ratio alone.
        """
        values = clean(top)
        over = rounded(values[0]) - sum(rounded(value) for value in values[1:])
        worked_out = (0.0 if first is None else rounded(first)) + (over / rounded(bottom) if bottom else inf)
        sign = equals(worked_out, result)
        if len(values) == 1:
            above, tex_above = bracketed(values[0]) if first is not None else term(values[0]), tex(values[0])
        else:
            above = f"({term(values[0])} {MINUS} {bracketed(values[1])})"
            tex_above = f"{tex(values[0])} - {tex_bracketed(values[1])}"
        head, tex_head = ("", "") if first is None else (f"{term(first)} + ", f"{tex(first)} + ")
        return Formula(
            symbolic,
            rf"{names[1]} = {tex_head}\dfrac{{{tex_above}}}{{{tex(bottom)}}} {tex_sign(sign)} {tex(result)}",
            f"{names[0]} = {head}{above} / {bracketed(bottom)} {sign} {term(result)}",
        )

    @staticmethod
    def height(
        symbolic: str, names: tuple[str, str], vectors: tuple[Array, Array], less: float, result: float
    ) -> Formula:
        """A product of two vectors (3,) less a number: the height of a point over a plane."""
        first, second = vectors
        sign = equals(dot_of_rounded(first, second) - rounded(less), result)
        sign_less, size = (MINUS, abs(less)) if less >= 0.0 else ("+", abs(less))
        tex_less = "-" if less >= 0.0 else "+"
        return Formula(
            symbolic,
            rf"{names[1]} = {column(first)}\cdot{column(second)} {tex_less} {tex(size)} {tex_sign(sign)} {tex(result)}",
            f"{names[0]} = {row(first)} · {row(second)} {sign_less} {term(size)} {sign} {term(result)}",
        )

    @staticmethod
    def root(symbolic: str, middle: float, radius: float, nearest: float, speed: float, result: float) -> Formula:
        """`t = middle − √(radius² − nearest²) / speed`: when a point first comes as near as `radius`."""
        inner = max(rounded(radius) ** 2 - rounded(nearest) ** 2, 0.0)
        sign = equals(rounded(middle) - inner**0.5 / rounded(speed), result)
        squares = [f"{term(value)} · {term(value)}" for value in (radius, nearest)]
        inside = f"{squares[0]} {MINUS} {squares[1]}"
        # A power of ten is squared in brackets.
        bases = [f"({tex(value)})" if has_power(value) else tex(value) for value in (radius, nearest)]
        return Formula(
            symbolic,
            rf"t = {tex(middle)} - \dfrac{{\sqrt{{{bases[0]}^2 - {bases[1]}^2}}}}{{{tex(speed)}}} "
            rf"{tex_sign(sign)} {tex(result)}",
            f"t = {term(middle)} {MINUS} sqrt({inside}) / {term(speed)} {sign} {term(result)}",
        )


class Stop(Struct, frozen=True):
    """Why an algorithm ended: its reason verbatim, what that means, and whether the answer is a good one."""

    name: str
    meaning: str
    good: bool


class StepText(Struct, frozen=True):
    """One step in words: what was known before, what it decided, and why; `number`: the one that matters, by name."""

    title: str
    known: str
    decided: str
    why: str
    formulas: tuple[Formula, ...]
    stop: Stop | None
    number: str = ""


# Numbers.


def rounded(value: float) -> float:
    """The number that `term` shows."""
    return float(format(value, f".{raised(FORMULA) - 1}e"))


def has_power(value: float) -> bool:
    """Whether `term` shows it with a power of ten."""
    return scientific(value, raised(FORMULA))[1] is not None


def tex(value: float) -> str:
    """`term` as TeX."""
    digits, exponent = scientific(value, raised(FORMULA))
    mantissa = digits.replace(MINUS, "-").replace("∞", r"\infty ")
    if exponent is None:
        return mantissa
    power = rf"10^{{{exponent}}}"
    return power if mantissa == "1" else rf"-{power}" if mantissa == "-1" else rf"{mantissa}\cdot {power}"


def bracketed(value: float) -> str:
    """`term`, in brackets where a minus would run into the sign before it."""
    return f"({term(value)})" if value < 0.0 else term(value)


def tex_bracketed(value: float) -> str:
    """`bracketed` as TeX."""
    return f"({tex(value)})" if value < 0.0 else tex(value)


def equals(worked_out: float, result: float) -> str:
    """`=` where the rounded numbers give the result to the digits shown, else `≈`."""
    if worked_out == result:
        return "="
    close = isfinite(worked_out) and abs(worked_out - rounded(result)) <= _half_unit(result)
    return "=" if close else "≈"


def _half_unit(value: float) -> float:
    """Half a unit in the last digit that `term` shows of a number, and what rounding adds; 0 of zero."""
    return (0.5 + ROOM) * 10.0 ** (floor(log10(abs(value))) + 1 - raised(FORMULA)) if value else 0.0


def tex_sign(sign: str) -> str:
    """`equals` as TeX."""
    return "=" if sign == "=" else r"\approx "


# Vectors.


def clean(vector: Iterable[float]) -> tuple[float, ...]:
    """The components, those that are rounding beside the largest as 0."""
    values = [float(v) for v in vector]
    largest = max((abs(v) for v in values if isfinite(v)), default=0.0)
    return tuple(0.0 if abs(v) < NOISE * largest else v for v in values)


def row(vector: Iterable[float], said: Callable[[float], str] = term) -> str:
    """`(x, y, z)` in a formula; in a sentence `said` as plain."""
    return "(" + ", ".join(_components(vector, said, "≈0")) + ")"


def tex_row(vector: Iterable[float]) -> str:
    """A vector on one line in TeX."""
    return "(" + r",\; ".join(_tex_components(vector)) + ")"


def column(vector: Iterable[float]) -> str:
    """A column vector in TeX."""
    return r"\begin{pmatrix}" + r"\\".join(_tex_components(vector)) + r"\end{pmatrix}"


def matrix(columns: Sequence[Iterable[float]]) -> str:
    """A matrix in TeX, from its columns."""
    rows = zip(*(_tex_components(vector) for vector in columns), strict=True)
    return r"\begin{pmatrix}" + r"\\".join(" & ".join(line) for line in rows) + r"\end{pmatrix}"


def _tex_components(vector: Iterable[float]) -> list[str]:
    return _components(vector, tex, r"{\approx}0")


def _components(vector: Iterable[float], said: Callable[[float], str], nearly: str) -> list[str]:
    """Each component in words; `nearly` for rounding beside the largest."""
    values = [float(v) for v in vector]
    return [nearly if v and not kept else said(kept) for v, kept in zip(values, clean(values), strict=True)]


def dot_of_rounded(first: Iterable[float], second: Iterable[float]) -> float:
    """The product of two vectors as they are shown."""
    return sum(rounded(p) * rounded(q) for p, q in zip(clean(first), clean(second), strict=True))


def vectors_equal(worked_out: Sequence[float], result: Iterable[float]) -> str:
    """`equals` for vectors: of every component, as it is shown."""
    sides = zip(clean(worked_out), clean(result), strict=True)
    return "=" if all(equals(p, q) == "=" for p, q in sides) else "≈"


def shown(query: Query, vector: Array) -> Array:
    """A vector as it is shown: (3,), or (2,) in the plane."""
    return vector[: query.analysis.scene.dimension]


# Words.


def counted(count: int, word: str, plural: str = "") -> str:
    """`1 face`, `3 faces`."""
    return f"{count} {word if count == 1 else plural or word + 's'}"


def in_its_world(query: Query, words: str) -> str:
    """Words about space as they are, or for the plane, where a line is what a plane is there."""
    return terms_of(query.analysis.scene.dimension).said(words)


def sentences(*parts: str) -> str:
    """The parts that are not empty, one after the other."""
    return " ".join(part for part in parts if part)


# Names of features and points.


def point_words(scene: Scene, letter: str, number: int | None, point: DifferencePoint) -> str:
    """`w₀ = a₃ − b₅`; of two curved surfaces the name alone."""
    name = numbered(letter, number)
    return name if curved(point) else f"{name} = {difference_name(scene, point, number)}"


def found_words(query: Query, point: DifferencePoint) -> str:
    """A support point and what made it: `w = a₃ − b₅`."""
    return "the support point w" if curved(point) else f"w = {difference_name(query.analysis.scene, point)}"


def curved(point: DifferencePoint) -> bool:
    """Whether neither source of the point is a vertex."""
    return point.vertex_a < 0 and point.vertex_b < 0


def from_a(query: Query) -> str:
    """That coordinates are relative to A's position, where that is not the world's origin."""
    moved = any(query.analysis.scene.a.pose.position)
    return "Coordinates are measured from A's position." if moved else ""


def far_out(query: Query) -> bool:
    """Whether the bodies are so far from the world's origin that world coordinates would all look the same."""
    scene = query.analysis.scene
    scale = PairScale.of(scene.a, scene.b)
    return length(scene.a.pose.position) > FAR_OUT * (scale.smaller or scale.extent)


def gap_so_far(method: str, tried: str, gap: tuple[float, str] | None, *, first: bool) -> tuple[str, str]:
    """What stands in the verdict's place while a method looks for a gap: a head, and the rest.

    `tried`: how much is; `gap`: the largest so far and where it is, if there is one; `first`: this step found it.
    """
    if gap is None:
        return f"{method}:", f"{tried}. No gap yet."
    if first:
        return f"Gap of {plain(gap[0])} on {gap[1]}:", "the bodies are apart."
    return "Separated:", f"largest gap so far {plain(gap[0])} on {gap[1]}. {tried[0].upper()}{tried[1:]}."

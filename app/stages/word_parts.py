"""What the words about a step are made of: texts, formulas in two notations, names of features and points.

A formula is made once from doubles and said twice, as TeX and in a plain line. Both show the same rounded numbers;
where those no longer give the result, because digits cancel, the sign is ≈ and not =.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from msgspec import Struct

from core.geometry.vector import Array, length
from core.pair.pair import PairScale
from core.pair.support import DifferencePoint
from core.query.query import Query
from core.scene import Body, Scene

from ..words.axis_words import MINUS, plain
from ..words.terms import terms_of

NOISE = 1e-15
"""Components of a vector smaller than this share of its largest are rounding, and stand as 0."""
SHOWN = 1e-5
"""What six digits say of a number, as a share of it."""
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


class Stop(Struct, frozen=True):
    """Why an algorithm ended: its reason verbatim, what that means, and whether the answer is a good one."""

    name: str
    meaning: str
    good: bool


class StepText(Struct, frozen=True):
    """One step in words: what was known before, what it decided, and why."""

    title: str
    known: str
    decided: str
    why: str
    formulas: tuple[Formula, ...]
    stop: Stop | None


# Numbers.


def rounded(value: float) -> float:
    """The number that `plain` shows."""
    return float(plain(value).replace(MINUS, "-").replace("∞", "inf")) if value == value else value


def tex(value: float) -> str:
    """`plain` as TeX."""
    text = plain(value).replace(MINUS, "-").replace("∞", r"\infty ")
    mantissa, mark, exponent = text.partition("e")
    if not mark:
        return mantissa
    power = rf"10^{{{exponent}}}"
    return power if mantissa == "1" else rf"-{power}" if mantissa == "-1" else rf"{mantissa}\cdot {power}"


def bracketed(value: float) -> str:
    """`plain`, in brackets where a minus would run into the sign before it."""
    return f"({plain(value)})" if value < 0.0 else plain(value)


def tex_bracketed(value: float) -> str:
    """`bracketed` as TeX."""
    return f"({tex(value)})" if value < 0.0 else tex(value)


def equals(worked_out: float, result: float) -> str:
    """`=` where the rounded numbers give the result to the digits shown, else `≈`."""
    if worked_out == result:
        return "="
    close = isfinite(worked_out) and abs(worked_out - result) <= SHOWN * abs(result)
    return "=" if close else "≈"


def tex_sign(sign: str) -> str:
    """`equals` as TeX."""
    return "=" if sign == "=" else r"\approx "


# Vectors.


def clean(vector: Iterable[float]) -> tuple[float, ...]:
    """The components, those that are rounding beside the largest as 0."""
    values = [float(v) for v in vector]
    largest = max((abs(v) for v in values if isfinite(v)), default=0.0)
    return tuple(0.0 if abs(v) < NOISE * largest else v for v in values)


def row(vector: Iterable[float]) -> str:
    """`(x, y, z)`."""
    return "(" + ", ".join(plain(v) for v in clean(vector)) + ")"


def tex_row(vector: Iterable[float]) -> str:
    """A vector on one line in TeX."""
    return "(" + r",\; ".join(tex(v) for v in clean(vector)) + ")"


def column(vector: Iterable[float]) -> str:
    """A column vector in TeX."""
    return r"\begin{pmatrix}" + r"\\".join(tex(v) for v in clean(vector)) + r"\end{pmatrix}"


def matrix(columns: Sequence[Iterable[float]]) -> str:
    """A matrix in TeX, from its columns."""
    rows = zip(*(clean(vector) for vector in columns), strict=True)
    return r"\begin{pmatrix}" + r"\\".join(" & ".join(tex(v) for v in line) for line in rows) + r"\end{pmatrix}"


def dot_of_rounded(first: Iterable[float], second: Iterable[float]) -> float:
    """The product of two vectors as they are shown."""
    return sum(rounded(p) * rounded(q) for p, q in zip(clean(first), clean(second), strict=True))


def vectors_equal(worked_out: Sequence[float], result: Iterable[float]) -> str:
    """`equals` for vectors: no component off by more than the digits shown of the largest."""
    values = [float(v) for v in result]
    off = max(abs(p - q) for p, q in zip(worked_out, values, strict=True))
    return "=" if off <= SHOWN * max(abs(v) for v in values) else "≈"


def shown(query: Query, vector: Array) -> Array:
    """A vector as it is shown: (3,), or (2,) in the plane."""
    return vector[: query.analysis.scene.dimension]


def difference_formula(symbolic: str, names: tuple[str, str], first: Array, second: Array) -> Formula:
    """A difference of two vectors (3,); `names` of it, plain and in TeX."""
    result = first - second
    worked_out = [rounded(p) - rounded(q) for p, q in zip(clean(first), clean(second), strict=True)]
    sign = vectors_equal(worked_out, result)
    return Formula(
        symbolic,
        rf"{names[1]} = {column(first)} - {column(second)} {tex_sign(sign)} {column(result)}",
        f"{names[0]} = {row(first)} {MINUS} {row(second)} {sign} {row(result)}",
    )


def dot_formula(symbolic: str, name: str, tex_name: str, vectors: tuple[Array, Array], result: float) -> Formula:
    """A product of two vectors (3,), with an optional minus in front where the `symbolic` form begins with one."""
    first, second = vectors
    sign = equals(dot_of_rounded(first, second), result)
    return Formula(
        symbolic,
        rf"{tex_name} = {column(first)}\cdot{column(second)} {tex_sign(sign)} {tex(result)}",
        f"{name} = {row(first)} · {row(second)} {sign} {plain(result)}",
    )


def chosen_formula(which: str, name: str, symbol: str, first: float, second: float, result: float) -> Formula:
    """`name = which(name, symbol)`, the `which`, min or max, of the value before and another, by its `symbol`."""
    return Formula(
        rf"\mathit{{{name}}} = \{which}(\mathit{{{name}}},\, {symbol})",
        rf"\mathit{{{name}}} = \{which}({tex(first)},\, {tex(second)}) = {tex(result)}",
        f"{name} = {which}({plain(first)}, {plain(second)}) = {plain(result)}",
    )


def separation_formula(interval_a: Sequence[float], interval_b: Sequence[float], result: float) -> Formula:
    """The separation of two intervals on an axis."""
    (low_a, high_a), (low_b, high_b) = interval_a, interval_b
    sign = equals(max(rounded(low_b) - rounded(high_a), rounded(low_a) - rounded(high_b)), result)
    tex_parts = (f"{tex(low_b)} - {tex_bracketed(high_a)}", f"{tex(low_a)} - {tex_bracketed(high_b)}")
    plain_parts = (f"{plain(low_b)} {MINUS} {bracketed(high_a)}", f"{plain(low_a)} {MINUS} {bracketed(high_b)}")
    return Formula(
        r"s = \max(\min B - \max A,\; \min A - \max B)",
        rf"s = \max({tex_parts[0]},\; {tex_parts[1]}) {tex_sign(sign)} {tex(result)}",
        f"s = max({plain_parts[0]}, {plain_parts[1]}) {sign} {plain(result)}",
    )


def length_formula(symbolic: str, name: str, tex_name: str, vector: Array, result: float) -> Formula:
    """The length of a vector (3,)."""
    sides = clean(vector)
    sign = equals(sum(rounded(v) ** 2 for v in sides) ** 0.5, result)
    powers = ["e" in plain(v) for v in sides]
    squares = " + ".join(
        f"({tex(abs(v))})^2" if power else f"{tex(abs(v))}^2" for v, power in zip(sides, powers, strict=True)
    )
    end = f"{tex_sign(sign)} {tex(result)}"
    return Formula(
        symbolic,
        rf"{tex_name} = \sqrt{{{squares}}}" + f" {end}" * (not any(powers)),
        f"{name} = |{row(vector)}| {sign} {plain(result)}",
        # Powers of ten under the root take the whole line.
        result=end * any(powers),
    )


# Words.


def numbered(letter: str, number: int | None) -> str:
    """`w₂`: a point by its number; the letter alone without one."""
    return letter if number is None else letter + "".join(chr(ord("₀") + int(digit)) for digit in str(number))


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


def vertex_name(body: Body, letter: str, vertex: int, number: int | None = None) -> str:
    """`A.v3`; a segment's `A.end0`, a point's `A.centre`; on a curved surface `a₂`, by the `number` of the point."""
    core = body.shape.core
    if vertex < 0 or core is None:
        return numbered(letter.lower(), number)
    if len(core.points) == 1:
        return f"{letter}.centre"
    return f"{letter}.end{vertex}" if len(core.points) == 2 else f"{letter}.v{vertex}"


def source_names(scene: Scene, point: DifferencePoint, number: int | None = None) -> str:
    """What made a point of the difference: `A.v3 − B.v5`, where B is curved `A.v3 − b₂` by the point's `number`."""
    first = vertex_name(scene.a, "A", point.vertex_a, number)
    return f"{first} {MINUS} {vertex_name(scene.b, 'B', point.vertex_b, number)}"


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


def radius_note(query: Query) -> str:
    """That the radii of rounded bodies are kept apart, if there are any."""
    maps = query.support_maps
    if maps is None or maps.radius == 0.0:
        return ""
    return f"The radii, {plain(maps.radius)} together, come off in the end."

"""Common parts of the words about steps: texts, formulas, names of features and points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from core.geometry.vector import Array, length
from core.pair.pair import PairScale
from core.pair.support import DifferencePoint
from core.query.query import Query
from core.scene import Scene

from ..words.digits import plain, told_together
from ..words.expression import Combination, Symbol, equation, symbols, total
from ..words.formula import Formula, clean, numeral, vector
from ..words.names import difference_name, numbered
from ..words.terms import terms_of
from .point_names import PointNames

FAR_OUT = 1e3
"""If A is farther from the world's origin than this many times the smaller body's size, coordinates are relative to A's
position. In world coordinates the bodies' points would read alike."""


SIMPLICES = ("", "a point", "a segment", "a triangle", "a tetrahedron")
"""Words for a simplex, by its number of points."""


class Stop(Struct, frozen=True):
    """Why an algorithm ended: the stop's name, its meaning, and whether the answer is a good one.

    `answer`: the last sentence of the meaning if a short caption must have it, else "".
    """

    name: str
    meaning: str
    good: bool
    answer: str = ""


class StepText(Struct, frozen=True):
    """One step in words: what was known before it, what it decided, and why.

    `number`: its most important number, with its name. `beside`: for a step in single precision, the comparison with
    double precision. `stop`: the end of the run, at its last step.
    """

    title: str
    known: str
    decided: str
    why: str
    formulas: tuple[Formula, ...]
    stop: Stop | None
    number: str = ""
    beside: str = ""


# Formulas.


def nearest_formula(
    names: PointNames, points: Sequence[DifferencePoint], region: tuple[int, ...], weights: Array, closest: Array
) -> Formula:
    """The formula of v, `closest` (3,) or (2,), as the weighted sum of the simplex's points in `region`."""
    (v,) = symbols("v")
    held = [points[k].w[: len(closest)] for k in region]
    named = [names.symbol(points[k]) for k in region]
    if len(held) == 1:
        return Formula.of(equation(v, named[0]), held[0], lying=True)
    terms = (Symbol("λ", point.index) * point for point in named)
    shares = tuple(numeral(weight) for weight in clean(weights))
    worked = Combination(shares, tuple(vector(point) for point in held))
    return Formula.of(equation(v, total(terms)), closest, worked=worked, lying=True)


# Vectors.


def vector_text(vector: Iterable[float]) -> str:
    """`(x, y, z)` in a sentence; a component that is only rounding beside the largest one becomes ≈0."""
    values = [float(part) for part in vector]
    parts = ("≈0" if part and not kept else plain(kept) for part, kept in zip(values, clean(values), strict=True))
    return f"({', '.join(parts)})"


def shown(query: Query, vector: Array) -> Array:
    """A vector as it is shown: (3,), or (2,) in the plane."""
    return vector[: query.analysis.scene.dimension]


# Words.


def counted(count: int, word: str, plural: str = "") -> str:
    """`1 face`, `3 faces`.

    `plural`: of `word`, if it is not made by an s.
    """
    return f"{count} {word if count == 1 else plural or word + 's'}"


def in_its_world(query: Query, words: str) -> str:
    """Words about space; for a 2D scene with the plane's nouns: planes become lines, and so on."""
    return terms_of(query.analysis.scene.dimension).worded(words)


def sentences(*parts: str) -> str:
    """Joins the parts that are not empty."""
    return " ".join(part for part in parts if part)


def between_bounds(low: float, high: float) -> str:
    """Words for a number between bounds: `lies between 1 and 2`, or `is 1` if the bounds are equal.

    If they only read alike: `is 1 to the digits shown`.
    """
    least, most = told_together(low, high)
    if least != most:
        return f"lies between {least} and {most}"
    return f"is {least}" if low == high else f"is {least} to the digits shown"


# Names of features and points.


def point_words(scene: Scene, letter: str, number: int | None, point: DifferencePoint) -> str:
    """`w₀ = a₃ − b₅`; for a point of two curved surfaces the name alone. `number`: None writes the letter alone."""
    name = numbered(letter, number)
    return name if curved(point) else f"{name} = {difference_name(scene, point, number)}"


def curved(point: DifferencePoint) -> bool:
    """Whether neither source of the point is a vertex."""
    return point.vertex_a < 0 and point.vertex_b < 0


def from_a(query: Query) -> str:
    """A sentence on the frame of the coordinates: A's position, or the world for float32 steps in the world's frame.

    "" if A is at the world's origin, because both frames are then the same.
    """
    if query.in_double is not None and query.settings.single.world:
        away = query.settings.single.away
        return f"Coordinates are the world's{f', {plain(away)} more on each axis' if away else ''}."
    moved = any(query.analysis.scene.a.pose.position)
    return "Coordinates are measured from A's position." if moved else ""


def far_out(query: Query) -> bool:
    """Whether A is so far from the world's origin that world coordinates of the bodies' points would read alike."""
    scene = query.analysis.scene
    scale = PairScale.of(scene.a, scene.b)
    return length(scene.a.pose.position) > FAR_OUT * (scale.least_half_extent or scale.extent)


def gap_so_far(method: str, tried: str, gap: tuple[float, str] | None, *, first: bool) -> tuple[str, str]:
    """The verdict line while a method looks for a gap: a head, and the rest.

    `tried`: words for the axes or edges tried. `gap`: the largest gap so far and its place, as `on A.y`; None without
    one. `first`: the gap was just found, and no step before had one.
    """
    if gap is None:
        return f"{method}:", f"{tried}. No gap yet."
    if first:
        return f"Gap of {plain(gap[0])} {gap[1]}:", "the bodies are apart."
    return "Separated:", f"largest gap so far {plain(gap[0])} {gap[1]}. {tried[0].upper()}{tried[1:]}."

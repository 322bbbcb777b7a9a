"""What the tests know of a form: texts that mean a known pair, and texts that must be refused.

A form's file here writes its texts by itself, from the manual, and never by the code that reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array
from core.scene import Body, Scene

NUMBER = re.compile(r"(?<![\w.#])[-+]?\d+\.\d+(?:e[-+]?\d+)?(?![\w.])")
"""A number with a decimal point: whole ones may be counts, indices or parts of names."""


class Sample(Struct, frozen=True):
    """`family`: code, xml or rows, which says what may be done to a text without harm. `pair`: a text and its pair.

    `variants`: the same text in other words of the form. `refused`: texts and a part of the sentence that each earns.
    """

    family: str
    pair: Callable[[np.random.Generator], tuple[str, Scene]]
    variants: Callable[[np.random.Generator, str], Iterator[str]] | None = None
    refused: tuple[tuple[str, str], ...] = ()


def decimal(value: float) -> str:
    """The number with a decimal point and all digits."""
    return repr(float(value))


def listed(values: Array | list[float] | tuple[float, ...], between: str = ", ") -> str:
    """Numbers with all digits."""
    return between.join(decimal(value) for value in np.asarray(values, dtype=float).ravel())


def turned(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """A random unit quaternion wxyz."""
    q = rng.normal(size=4)
    w, x, y, z = (q / np.sqrt((q * q).sum())).tolist()
    return w, x, y, z


def same(one: Scene, other: Scene) -> bool:
    """Whether both scenes have the same bodies as sets of points, to 1e-6 of their size."""
    return one.dimension == other.dimension and all(_alike(one.body(k), other.body(k)) for k in (0, 1))


def _alike(one: Body, other: Body) -> bool:
    if one.shape.plane is not None or other.shape.plane is not None:
        return one.shape.plane is not None and other.shape.plane is not None and np.allclose(_plane(one), _plane(other))
    rng = np.random.default_rng(1)
    ways = rng.normal(size=(24, 3)) * ((1.0, 1.0, 0.0) if one.shape.dimension == 2 else (1.0, 1.0, 1.0))
    reach = max(1.0, one.shape.bounding_radius, float(np.abs(one.pose.position).max()))
    return all(
        abs(_height(one, way) - _height(other, way)) <= 1e-6 * reach
        for way in ways / np.linalg.norm(ways, axis=1)[:, None]
    )


def _height(body: Body, way: Array) -> float:
    """How far the body reaches along a direction of the world."""
    matrix = body.pose.matrix[:3, :3]
    point = matrix @ body.shape.support(matrix.T @ way) + body.pose.position
    return float(point @ way)


def _plane(body: Body) -> Array:
    plane = body.shape.plane
    assert plane is not None
    normal = body.pose.matrix[:3, :3] @ plane.normal
    return np.append(normal, plane.offset + float(normal @ body.pose.position))


def numbers_written_otherwise(rng: np.random.Generator, text: str) -> str:
    """The same numbers with other digits: 0.5 as 5e-1, .5 or 0.500."""

    def again(match: re.Match[str]) -> str:
        said, value = match.group(), float(match.group())
        ways = [said, f"{said}00" if "e" not in said else said, f"{value:.17e}"]
        return ways[int(rng.integers(len(ways)))]

    return NUMBER.sub(again, text)


def without_harm(rng: np.random.Generator, text: str, family: str) -> Iterator[str]:
    """Yields the text with other white space, comments, line ends and numbers."""
    yield text.replace("\n", "\r\n")
    yield f"\n\n{text}\n\n"
    yield numbers_written_otherwise(rng, text)
    if family == "code":
        yield text.replace(", ", " ,  ").replace(" = ", "=")
        yield text.replace("; ", ";\n")
        yield f"// two bodies\n{text}\n/* that is all */"
    elif family == "xml":
        yield f"<!-- two bodies -->\n{text}"
        yield re.sub(r'="([^"]*)"', r"='\1'", text)
        yield re.sub(r" (\w+)=", r"\n\t\1=", text)
        yield re.sub(r"<(\w+)((?: [\w:]+=\"[^\"]*\")+)", _shuffled(rng), text)
    else:
        yield "\n".join(f"{line}  " for line in text.split("\n"))


def _shuffled(rng: np.random.Generator) -> Callable[[re.Match[str]], str]:
    def again(match: re.Match[str]) -> str:
        parts = re.findall(r" [\w:]+=\"[^\"]*\"", match.group(2))
        return f"<{match.group(1)}{''.join(parts[k] for k in rng.permutation(len(parts)))}"

    return again


def with_harm(rng: np.random.Generator, text: str, family: str) -> Iterator[tuple[str, str]]:
    """Yields kinds of harm with the text so spoilt: none of these is a pair."""
    places = list(NUMBER.finditer(text))
    one = places[int(rng.integers(len(places)))]
    yield "not a number", text[: one.start()] + "NaN" + text[one.end() :]
    yield "infinite", text[: one.start()] + "1e999" + text[one.end() :]
    yield "three numbers where four belong", text[: one.start()] + text[one.end() :]
    yield "cut in the middle", text[: one.start()]
    yield "a pair and a half", f"{text}\n{text}"
    if family == "code":
        yield "a size by variable", text[: one.start()] + "halfWidth" + text[one.end() :]
        yield "an unknown call", f"{text}\nbodyB.shearBy(0.3);"
        yield "a unit", text[: one.end()] + "cm" + text[one.end() :]
    elif family == "xml":
        yield "an unknown attribute", re.sub(r"<(\w+) ", r'<\1 tilt="0 0 30" ', text, count=1)
        yield "an unknown element", f'{text}\n<shear by="0.3"/>'
        yield "a unit", text[: one.end()] + "cm" + text[one.end() :]
    else:
        yield "a word of rotation", f"{text}\ntilted by 0.3 rad"

"""Vertices alone, in the languages that people paste: points of the world, in space or in the plane."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, sin

import numpy as np

from core.scene import Body, Scene
from core.shapes import Hull, Polygon

from .sample import Sample, decimal, listed

Rows = list[list[float]]


def _call(word: str) -> Callable[[list[float]], str]:
    return lambda point: f"{word}({listed(point)})"


def _bracket(opening: str, closing: str) -> Callable[[list[float]], str]:
    return lambda point: f"{opening}{listed(point)}{closing}"


def _list(points: Rows, one: Callable[[list[float]], str], opening: str, closing: str) -> str:
    return f"{opening}{', '.join(one(point) for point in points)}{closing}"


def _named(point: list[float]) -> str:
    return "{" + ", ".join(f"{letter}: {decimal(value)}" for letter, value in zip("xyz", point, strict=False)) + "}"


def _texts(a: Rows, b: Rows) -> tuple[str, ...]:
    """The pair in each language."""
    n = len(a[0])

    def both(before: str, between: str, after: str, *how: object) -> str:
        return f"{before}{_list(a, *how)}{between}{_list(b, *how)}{after}"  # type: ignore[arg-type]

    square, round_, curly = _bracket("[", "]"), _bracket("(", ")"), _bracket("{", "}")
    return (
        both("A = ", "\nB = ", "", square, "[", "]"),
        both("A = np.array(", ")\nB = np.array(", ")", square, "[", "]"),
        both("verts_a = ", "\nverts_b = ", "", round_, "[", "]"),
        both("double[][] a = ", ";\ndouble[][] b = ", ";", curly, "{", "}"),
        both(f"float a[{len(a)}][{n}] = ", f";\nfloat b[{len(b)}][{n}] = ", ";", curly, "{", "}"),
        both(f"std::vector<glm::vec{n}> a = ", f";\nstd::vector<glm::vec{n}> b = ", ";", curly, "{", "}"),
        both(
            f"Vector{n}[] a = new Vector{n}[] ",
            f";\nVector{n}[] b = new Vector{n}[] ",
            ";",
            _call(f"new Vector{n}"),
            "{ ",
            " }",
        ),
        both("const a = ", ";\nconst b = ", ";", _named, "[", "]"),
        both('{"A": ', ', "B": ', "}", square, "[", "]"),
        both('[{"vertices": ', '}, {"vertices": ', "}]", square, "[", "]"),
        both("let a = ", ";\nlet b = ", ";", _call(f"Vec{n}::new"), "vec![", "]"),
    )


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    if rng.integers(2):
        points = [rng.uniform(-2.0, 2.0, (5, 3)).tolist() for _ in range(2)]
        bodies = [Body(Hull(tuple((x, y, z) for x, y, z in rows))) for rows in points]
    else:
        angles = [0.2, 1.1, 2.4, 3.9, 5.3]
        centres = rng.uniform(-2.0, 2.0, (2, 2)).tolist()
        points = [[[x + cos(t), y + sin(t)] for t in angles] for x, y in centres]
        bodies = [Body.in_plane(Polygon(tuple((x, y) for x, y in rows)), (0.0, 0.0)) for rows in points]
    texts = _texts(*points)
    return texts[int(rng.integers(len(texts)))], Scene(*bodies)


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("A = ", "first = ").replace("B = ", "second = ")
    yield f"# y points up\n{text}"


TRIANGLE = "A = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\n"
FACES = "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]"
SOLID = "[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]"
REFUSED = (
    (f"p = {SOLID}\nt = {FACES}", "Line 2: this list may be the faces of the other one"),
    (f"{FACES}\n{SOLID}", "Line 1: this list may be the faces of the other one"),
    ("4\n0 0 0\n5 0 0\n0 5 0\n0 0 5\n4\n1 3 2\n1 2 4\n1 4 3\n2 3 4\n", "Line 6: this list may be the faces"),
    ("[[0. 0. 0.]\n [1. 0. 0.]\n ...\n [0. 1. 0.]]\n[[0. 0. 2.]]", "Line 3: the print is cut"),
    (
        "Polygon(((100,750),(200,750),(100,150),(200,150)))\nPolygon(((77,695),(91,695),(84,681)))",
        "the loop is not convex at point 2",
    ),
    ("a = [(0,0),(4,0),(1,1),(0,4)]\nb = [(9,0),(10,0),(9,1)]", "the loop is not convex at point 2"),
    (f"{TRIANGLE}B = [[0,0],[1,0],[0,1]]", "points of two and of three numbers stand in one pair"),
    (f"{TRIANGLE}rotation = [[1,0,0],[0,1,0],[0,0,1]]", "Line 2: rotation is not understood beside lists of points"),
    (f"{TRIANGLE}B = [[0,0,0,1],[1,0,0,1],[0,1,0,1]]", "a point has two or three numbers, got 4 numbers"),
    (f"{TRIANGLE}B = [[0,0,0],[1,0,x]]", "Line 2: B is not understood"),
    ("corner = [1, 2, 3]\nend = [2, 2, 3]", "corner has three numbers, which are no list of points"),
    (f"{TRIANGLE}posA = [[1, 2, 3]]", "Line 2: posA is not understood beside lists of points"),
    ("0 0 0\n\n1 1 1\n", "one row alone is no list of points"),
    (TRIANGLE, "Found one body, expected two"),
    ("".join(f"p{k} = [[0,0,0],[1,0,0]]\n" for k in range(101)), "Line 101: more than 100 lists of points"),
    ("4\n0 0 0\n1 0 0\n0 1 0\n", "1 more point expected by the count"),
    ('{"verts": [0,0,0, 1,0,0, 0,1,0, 0,0,1], "scale": [2,2,2]}', "Line 1: scale is not understood"),
    ("POLYGON((0 0, 4 0, 4 4, 0 0),(1 1, 2 1, 2 2, 1 1))", "more than one ring"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

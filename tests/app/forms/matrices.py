"""Matrices as numpy and Pinocchio print them; a line of ours names the shape before each."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Ellipsoid, Shape, Sphere

from .sample import Sample, listed, turned
from .tf_echo import named
from .urdf import standing


def _plain(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"box size {listed([a, b, c])}"),
        (Sphere(a), f"sphere {a!r}"),
        (Ellipsoid((a, b, c)), f"ellipsoid radii {listed([a, b, c], ' ')}"),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies, way = [], [], int(rng.integers(3))
    for _ in range(2):
        place, q = rng.uniform(-2.0, 2.0, 3), turned(rng)
        turn = quaternion.to_matrix(q)
        shape, words = _plain(rng) if way else named(rng)
        bodies.append(Body(shape, tuple(place.tolist()), q) if way else standing(shape, place, q))
        rows = np.vstack((np.column_stack((turn, place)), (0.0, 0.0, 0.0, 1.0)))
        if way == 0:
            lines += [words, "  R =", *(listed(row, " ") for row in turn), f"  p = {listed(place, ' ')}"]
        elif way == 1:
            lines += [words, "[" + "\n ".join(f"[{listed(row, '  ')}]" for row in rows) + "]"]
        else:
            lines += [words, "T = np.array([" + ",\n       ".join(f"[{listed(row)}]" for row in rows) + "])"]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield re.sub(r"(?m)^(box|sphere|capsule|cylinder|ellipsoid)", r"body: \1", text)
    yield text.replace("  p = ", "  p =\n").replace("T = np.array", "array")
    yield text.replace(",\n       [", ", [")
    yield re.sub(r"\n? ?\[0\.0,? +0\.0,? +0\.0,? +1\.0\]", "", text)


EYE = "[[1 0 0 0]\n [0 1 0 0]\n [0 0 1 0]\n [0 0 0 1]]\n"
REFUSED = (
    ("R =\n1 0 0\n0 1 0\n0 0 1\np = 0 0 0\nbox 1 1 1\nR =\n", "Line 1: a line such as box 1 1 1 must name the shape"),
    (f"box 1 1 1\n{EYE}capsule radius 1 length 2\n{EYE}", "Line 6: the axis of a capsule is not said"),
    (f"box 1 1 1\n{EYE}box 1 1 1\n{EYE}".replace("[0 0 0 1]", "[0 0 1 1]"), "Line 5: the last row of a pose must be"),
    (f"box 1 1 1\n{EYE}box 1 1 1\n{EYE}".replace("[[1 0 0 0]", "[[2 0 0 0]"), "Line 2: the rotation"),
    (f"box 1 1 1\n{EYE}box 1 1 1\n{EYE}".replace("[0 1 0 0]", "[0 1 0]"), "Line 3: a row of a matrix has 3 numbers"),
    (f"box 1 1 1\n{EYE}box 1 1 1\n", "got 0 rows"),
    ("box 1 1 1\nR =\n1 0 0\n0 1 0\n0 0 1\nbox 1 1 1\nR =\n1 0 0\n0 1 0\n0 0 1", "of 3×3 has no position"),
    (
        "box 1 1 1\nR =\n1 0 0\n0 1 0\n0 0 1\np = 0 0 1\nbox 1 1 1\nR =\n1 0 0 0\n0 1 0 0\n0 0 1 0\np = 0 0 1",
        "Line 9: the matrix has its position in it and apart",
    ),
    (f"box 1 1 1\n{EYE}box 1 1 1\n{EYE}scaled by 2", "scaled by 2 is not understood"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

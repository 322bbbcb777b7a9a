"""MoveIt's .scene files, from planning_scene.cpp: full sizes, shapes along z, quaternions xyzw, z up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Scene
from core.shapes import Box, Cylinder, Shape, Sphere

from .sample import Sample, listed, turned
from .urdf import standing


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"box\n{listed([a, b, c], ' ')}"),
        (Sphere(a), f"sphere\n{a!r}"),
        (Cylinder(a, b), f"cylinder\n{listed([a, b], ' ')}"),
    )[int(rng.integers(3))]


def _pose(rng: np.random.Generator) -> tuple[np.ndarray, quaternion.Quaternion, str]:
    place, q = rng.uniform(-2.0, 2.0, 3), turned(rng)
    w, x, y, z = q
    return place, q, f"{listed(place, ' ')}\n{listed([x, y, z, w], ' ')}\n"


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    text, bodies, newer = "(noname)+\n", [], bool(rng.integers(2))
    for name in ("table", "b 2"):
        (shape, words), (place, q, pose) = _shape(rng), _pose(rng)
        outer, end = "", ""
        if newer:
            middle, turn, outer = _pose(rng)
            place = middle + np.array(quaternion.rotate(turn, tuple(place.tolist())))
            q, end = quaternion.multiply(turn, q), "0\n"
        bodies.append(standing(shape, place, q))
        text += f"* {name}\n{outer}1\n{words}\n{pose}0 0 0 0\n{end}"
    return text + ".", Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("(noname)+", "my scene").replace("table", "floor")
    yield text.replace("\n0 0 0 0\n", "\n0.5 1 0.25 1\n")
    yield text[:-2]
    yield text + "\n"


def objects(second: str) -> str:
    return f"s\n* a\n1\nsphere\n1\n0 0 0\n0 0 0 1\n0 0 0 0\n* b\n1\n{second}\n0 0 0\n0 0 0 1\n0 0 0 0\n."


REFUSED = (
    (objects("mesh\n3 1"), "Line 11: the shape mesh is not understood"),
    (objects("plane\n0 0 1 0"), "Line 11: the shape plane is not understood"),
    (objects("box\n1 1"), "Line 12: a box's size needs 3 numbers, got 2"),
    (objects("sphere\nr"), "Line 12: a sphere's size: r is no number"),
    (objects("sphere\n1").replace("0 0 0 1", "0 0 0 2"), "a rotation's quaternion must have length 1, got 2"),
    (objects("sphere\n1") + "\nmore", "more is not understood"),
    (objects("sphere\n1").replace("* b\n1", "* b\n2"), "Line 16: the shape . is not understood"),
    ("s\n* a\n1\nsphere\n1\n0 0 0\n0 0 0 1\n0 0 0 0\n.", "Found one body, expected two"),
    ("s\n* a\n1\nsphere\n1\n0 0 0\n0 0 0 1\n* b\n1", "Line 8: a colour: * is no number"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

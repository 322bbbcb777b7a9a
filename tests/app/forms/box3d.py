"""Box3D from its headers: half widths, capsules by the centres of their caps, transforms {p, {v, s}}."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator, name: str) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"b3BoxHull {name} = b3MakeBoxHull({listed([a, b, c])});"),
        (Sphere(a), f"b3Sphere {name} = {{{{0.0, 0.0, 0.0}}, {decimal(a)}}};"),
        (Capsule(a, 2 * b), f"b3Capsule {name} = {{{{0.0, {-b}, 0.0}}, {{0.0, {b}, 0.0}}, {decimal(a)}}};"),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, line), place, q = _shape(rng, name), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        bodies.append(Body(shape, place, q))
        w, x, y, z = q
        turn = f"{{.v = {{{listed([x, y, z])}}}, .s = {decimal(w)}}}"
        if rng.integers(2):
            axis, by = quaternion.to_axis_angle(q)
            turn = f"b3MakeQuatFromAxisAngle((b3Vec3){{{listed(axis)}}}, {decimal(by)})"
        lines += [line, f"b3Transform t{name} = {{.p = {{{listed(place)}}}, .q = {turn}}};"]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace(".p = ", "").replace(".q = ", "").replace(".v = ", "").replace(".s = ", "")
    yield text.replace(".p = {", ".p = (b3Vec3){")
    lines = text.split("\n")
    yield "\n".join((lines[0], lines[2], lines[1], lines[3]))


TWO = "b3Sphere a = {{0, 0, 0}, 1};\nb3BoxHull b = b3MakeBoxHull(1, 1, 1);"
REFUSED = (
    (
        "b3Vec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};\nb3HullData* h = b3CreateHull(p, 3, 4);",
        "takes 3 points, and the list has 4",
    ),
    (f"{TWO}\nb3HullData* h = b3CreateHull(p, 4, 4);", "a hull needs its points before it"),
    (f"{TWO}\nb3Transform ta = b3Transform_identity;", "there are more shapes than poses"),
    (f"{TWO}\nb3Transform ta = b3MulTransforms(x, y);", "a transform needs p, q"),
    (f"{TWO}\nb3Transform ta = {{{{0, 0, 0}}, b3NlerpQuat(x, y)}};", "b3NlerpQuat(…) is not understood"),
    (f"{TWO}\nb3Body_SetTransform(b, p, q);", "b3Body_SetTransform(…) is not understood"),
    ("b3Sphere a = {{0, 0, 0}};\nb3BoxHull b = b3MakeBoxHull(1, 1, 1);", "a sphere needs center, radius"),
    (f"{TWO}\nb3Transform t = {{{{0, 0, 0}}, b3MakeQuatFromAxisAngle(b3Vec3_zero, 1)}};", "an axis must have length 1"),
    ("b3Sphere a = {{0, 0, 0}, 1};", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

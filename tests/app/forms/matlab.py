"""MATLAB's collision geometry, from its pages: full sizes, z up and along, poses of 4×4; and points, a row each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Hull, Shape, Sphere

from .sample import Sample, decimal, listed, turned
from .urdf import standing


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"collisionBox({listed([a, b, c])})"),
        (Sphere(a), f"collisionSphere({a!r})"),
        (Cylinder(a, b), f"collisionCylinder({a!r}, {b!r})"),
        (Capsule(a, b), f"collisionCapsule({a!r}, {b!r})"),
    )[int(rng.integers(4))]


def _pose(rng: np.random.Generator, place: np.ndarray, q: quaternion.Quaternion) -> str:
    if rng.integers(2):
        return f"trvec2tform([{listed(place, ' ')}])*quat2tform([{listed(q, ' ')}])"
    w, x, y, z = q
    turn = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    rows = [f"{listed(row, ' ')} {decimal(p)}" for row, p in zip(turn, place.tolist(), strict=True)]
    return f"[{'; '.join(rows)}; 0 0 0 1]"


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    if rng.integers(3) == 0:
        for n in "AB":
            rows = rng.uniform(-2.0, 2.0, (5, 3)).tolist()
            lines.append(f"{n} = [{'; '.join(listed(row, ' ') for row in rows)}];")
            bodies.append(Body(Hull(tuple((x, y, z) for x, y, z in rows))))
        return "\n".join(lines), Scene(bodies[0], bodies[1])
    for n in "ab":
        shape, words = _shape(rng)
        place, q = rng.uniform(-2.0, 2.0, 3), turned(rng)
        lines += [f"{n} = {words};", f"{n}.Pose = {_pose(rng, place, q)};"]
        bodies.append(standing(shape, place, q))
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield "\n".join(f"{line} % told" for line in text.split("\n"))
    yield "\n".join(f">> {line}" for line in text.split("\n"))
    yield f"clear; clc\n{text}\n[hit, d] = checkCollision(a, b)" if "Pose" in text else text
    yield text.replace(";\n", "\n")


BOX = "a = collisionBox(1, 1, 1);\n"
REFUSED = (
    (f"{BOX}b = collisionBox(1, 1);", "collisionBox(…) needs 3 values, got 2"),
    (f"{BOX}b = collisionSphere(r);", "Line 2: r is not understood here"),
    (f"{BOX}b = collisionSphere(1);\nb.Pose = eye(3);", "a pose must be 4×4 numbers"),
    (f"{BOX}b = collisionSphere(1);\nT = trvec2tform([1 0 0]);", "Line 3: T is given and nothing uses it"),
    (f"{BOX}b = collisionSphere(1);\nb.Scale = 2;", "Line 3: b.Scale is not understood"),
    (f"{BOX}b = collisionSphere(1);\nb.Pose = eul2tform([0 0 1], 'ZYZ');", 'the order "ZYZ" is not understood'),
    (f"{BOX}b = collisionSphere(1);\nb.Pose = trvec2tform([1 0]);", "a vector of 3 numbers is expected"),
    ("A = [0 0 0 0; 1 0 0 0];\nB = [0 0 0; 1 0 0];", "A is 2×4; points are rows of two or three numbers"),
    ("A = [0 0 0; 1 0];\nB = [0 0 0; 1 0 0];", "the rows of a matrix have different lengths"),
    ("a = collisionBox(1, ...\n  1, ... told\n  1);\nb = collisionSphere(r);", "Line 4: r is not understood here"),
    (BOX, "Found one body, expected two"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

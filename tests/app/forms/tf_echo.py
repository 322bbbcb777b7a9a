"""tf_echo's output, from ROS's documentation: quaternions xyzw, z up; a line of ours names the shape before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import degrees

import numpy as np

from core.geometry import quaternion
from core.scene import Scene
from core.shapes import Box, Capsule, Cylinder, Shape, Sphere

from .sample import Sample, listed
from .urdf import angles, standing


def named(rng: np.random.Generator) -> tuple[Shape, str]:
    """A shape, and the line that names it."""
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"box {listed([a, b, c], ' ')}"),
        (Sphere(a), f"sphere radius {a!r}"),
        (Capsule(a, b), f"capsule radius {a!r} length {b!r}"),
        (Cylinder(a, b), f"cylinder radius {a!r} height {b!r}"),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for _ in range(2):
        (shape, words), place, (rpy, q) = named(rng), rng.uniform(-2.0, 2.0, 3), angles(rng)
        bodies.append(standing(shape, place, q))
        w, x, y, z = q
        lines += [words, f"- Translation: [{listed(place)}]", f"- Rotation: in Quaternion [{listed([x, y, z, w])}]"]
        if rng.integers(2):
            lines.append(f"            in RPY (radian) [{listed(rpy)}]")
            lines.append(f"            in RPY (degree) [{listed([degrees(angle) for angle in rpy])}]")
        else:
            matrix = np.column_stack((quaternion.to_matrix(q), place))
            lines.append(f"- Rotation: in RPY (radian) [{listed(rpy)}]\n- Matrix:")
            lines += [f"  {listed(row, '  ')}" for row in np.vstack((matrix, (0.0, 0.0, 0.0, 1.0)))]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("- Translation", "At time 1683385337.850619099\n- Translation")
    yield text.replace("in Quaternion [", "in Quaternion (xyzw) [")
    yield re.sub(r"(?m)^(box|sphere|capsule|cylinder)", r"A: \1", text)
    yield re.sub(r"(?m)^- ", "", text)


TURN = "- Rotation: in Quaternion [0, 0, 0, 1]"
FIRST = f"box 1 1 1\n- Translation: [0, 0, 0]\n{TURN}\n"
REFUSED = (
    (f"- Translation: [0, 0, 0]\n{TURN}", "Line 1: a line such as box 1 1 1 must name the shape"),
    (f"{FIRST}box 1 1 1\n{TURN}", "Line 4: no Translation follows this shape"),
    (f"{FIRST}box 1 1 1\n- Translation: [0, 0, 0]", "Line 4: no Rotation follows this shape"),
    (f"{FIRST}box 1 1 1\n- Translation: [0, 0]\n{TURN}", "Line 5: a translation needs 3 numbers, got 2"),
    (f"{FIRST}{FIRST}in RPY (degree) [0, 0, 45]", "Line 7: this rotation is another one"),
    (f"{FIRST}{FIRST}in RPY (grad) [0, 0, 45]", "Line 7: RPY needs (radian) or (degree)"),
    (f"{FIRST}{TURN}", "Line 4: the rotation of this body is given twice"),
    (
        FIRST + FIRST.replace("box 1 1 1", "cylinder 1 2"),
        "Line 4: a cylinder needs radius and length, each with its word",
    ),
    (FIRST + FIRST.replace("box 1 1 1", "box 1 1 1 cm"), "Line 4: cm after box is not understood"),
    (FIRST + FIRST.replace("box 1 1 1", "box 1 1"), "Line 4: a box needs its size, 3 numbers"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

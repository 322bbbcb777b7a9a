"""FCL's exception, from failed_at_this_configuration.h and the shapes' operator<<: full sizes, shapes along z."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Hull, Shape, Sphere

from .sample import Sample, listed, turned

ALONG_Z: quaternion.Quaternion = (sqrt(0.5), sqrt(0.5), 0.0, 0.0)


def _shape(rng: np.random.Generator) -> tuple[Shape, str, str]:
    """A shape as operator<< and as the newer representation print it."""
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    points = ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c), (-a, -b, -c))
    code = (
        "Convex<double>(\n  std::make_shared<std::vector<Vector3<double>>>(\n"
        "    std::initializer_list<Vector3<double>>{\n      "
        + ",\n      ".join(f"Vector3<double>({listed(point)})" for point in points)
        + "}),\n  4,\n  std::make_shared<std::vector<int>>(\n    std::initializer_list<int>{\n"
        "      3, 0, 1, 2,\n      3, 0, 1, 3}),\n  false);"
    )
    return (
        (Box((a, b, c)), f"Box{listed([a, b, c], ' ')}", f"Box<double>({listed([a, b, c])});"),
        (Sphere(a), f"Sphere({a!r})", f"Sphere<double>({a!r});"),
        (Capsule(a, b), f"Capsule(r: {a!r}, lz: {b!r})", f"Capsule<double>({a!r}, {b!r});"),
        (Cylinder(a, b), f"Cylinder(r: {a!r}, lz: {b!r})", f"Cylinder<double>({a!r}, {b!r});"),
        (Hull(points), code, code),
    )[int(rng.integers(5))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies, code = ["Error with configuration", "  Original error message: no.h:(1): f(): x."], list[Body](), 0
    code = int(rng.integers(2))
    for number in (1, 2):
        (shape, old, new), place, q = _shape(rng), rng.uniform(-2.0, 2.0, 3), turned(rng)
        own = quaternion.multiply(q, ALONG_Z) if isinstance(shape, Capsule | Cylinder) else q
        bodies.append(Body(shape, tuple(place.tolist()), own))
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = quaternion.to_matrix(q), place
        lines += [f"  Shape {number}:\n{new}" if code else f"  Shape {number}: {old}", f"  X_FS{number}"]
        lines += [f"{listed(row, ', ' if code else ' ')}{',;'[k == 3] if code else ''}" for k, row in enumerate(matrix)]
    lines += ["  Solver: GjkSolver_libccd", "    collision_tolerance:      2e-14", "    max collision iterations: 500"]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text[text.index("  Shape 1") : text.index("  Solver")]
    yield f"terminate called after throwing an instance of 'std::logic_error'\n  what():  {text}"
    yield f'C++ exception with description "{text}" thrown in the test body.'
    yield re.sub(r"(?m)^ +", "", text)


IDENTITY = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"


def configured(second: str, matrix: str = IDENTITY) -> str:
    return f"Shape 1: Sphere(1)\nX_FS1\n{IDENTITY}Shape 2: {second}\nX_FS2\n{matrix}"


REFUSED = (
    (configured("Convex(v count: 8, f count: 6)"), "Line 7: a Convex is printed without its vertices"),
    (configured("Torus(r: 1)"), "Line 7: the shape Torus is not understood"),
    (configured("Box1 1"), "Line 7: Box needs 3 numbers, got 2"),
    (
        configured("Sphere(1)", IDENTITY.replace("0 0 0 1", "0 0 0 2")),
        "Line 12: the last row of a pose must be 0 0 0 1",
    ),
    (configured("Sphere(1)", "1 0 0 0\n0 1 0 0\n"), "a matrix needs four rows"),
    (configured("Sphere(1)", IDENTITY.replace("1 0 0 0", "2 0 0 0")), "Line 8: the rotation"),
    (configured("Sphere(1)").replace("Shape 2", "Shape 1"), "Line 7: Shape 1 is given twice"),
    (configured("Sphere(1)") + "scaled by 2", "Line 13: scaled by 2 is not understood"),
    (f"Shape 1: Sphere(1)\nX_FS1\n{IDENTITY}Shape 2: Sphere(1)", "Line 7: Shape 2 has no X_FS2"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

"""Chipmunk and pymunk, from their manuals: full box sizes, a border radius, positions and radians of bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon, Shape, with_border

from .sample import Sample, decimal


def _shape(rng: np.random.Generator, n: str, *, python: bool) -> tuple[Shape, str]:
    a, b, r = rng.uniform(0.2, 2.0, 3).tolist()
    corners = ((-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2))
    triangle = ((0.0, 0.0), (a, 0.0), (0.0, b))
    listed = ", ".join(f"({x!r}, {y!r})" for x, y in triangle)
    told = ", ".join(f"cpv({x!r}, {y!r})" for x, y in triangle)
    rows: tuple[tuple[Shape, str, str], ...] = (
        (Polygon(corners), f"pymunk.Poly.create_box({n}, ({a!r}, {b!r}))", f"cpBoxShapeNew({n}, {a!r}, {b!r}, 0.0)"),
        (
            with_border(Polygon(corners), r),
            f"pymunk.Poly.create_box({n}, size=({a!r}, {b!r}), radius={r!r})",
            f"cpBoxShapeNew({n}, {a!r}, {b!r}, {r!r})",
        ),
        (Circle(a), f"pymunk.Circle({n}, {a!r})", f"cpCircleShapeNew({n}, {a!r}, cpvzero)"),
        (
            with_border(Polygon(((-a, 0.0), (a, 0.5))), r),
            f"pymunk.Segment({n}, ({-a!r}, 0.0), ({a!r}, 0.5), {r!r})",
            f"cpSegmentShapeNew({n}, cpv({-a!r}, 0.0), cpv({a!r}, 0.5), {r!r})",
        ),
        (
            Polygon(triangle),
            f"pymunk.Poly({n}, [{listed}])",
            f"cpPolyShapeNew({n}, 3, verts_{n}, cpTransformIdentity, 0.0);\n//{told}",
        ),
    )
    shape, pymunk, chipmunk = rows[int(rng.integers(5))]
    return shape, pymunk if python else chipmunk


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies, python = [], [], bool(rng.integers(2))
    for n in "ab":
        shape, words = _shape(rng, n, python=python)
        (x, y), angle = rng.uniform(-2.0, 2.0, 2).tolist(), float(rng.uniform(-3.0, 3.0))
        bodies.append(Body.in_plane(shape, (x, y), angle))
        if python:
            lines += [f"{n} = pymunk.Body(1, 100)", f"{n}.position = {decimal(x)}, {decimal(y)}"]
            lines += [f"{n}.angle = {decimal(angle)}", f"s{n} = {words}", f"s{n}.friction = 1"]
            continue
        if "\n//" in words:
            words, _, told = words.partition("\n//")
            lines.append(f"cpVect verts_{n}[3] = {{{told}}};")
        lines += [f"cpBody *{n} = cpBodyNew(1, 1);", f"cpBodySetPosition({n}, cpv({decimal(x)}, {decimal(y)}));"]
        lines += [f"cpBodySetAngle({n}, {decimal(angle)});", f"cpShape *s{n} = {words.rstrip(';')};"]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"import pymunk\nspace = pymunk.Space()\n{text}\nspace.add(a, sa, b, sb)" if "pymunk" in text else text
    yield text.replace("cpBodyNew(1, 1)", "cpSpaceAddBody(space, cpBodyNew(1, 1))")
    yield re.sub(r"position = (.*)", r"position = pymunk.Vec2d(\1)", text)


HEAD = "a = pymunk.Body(1, 1)\nsa = pymunk.Circle(a, 0.5)\nb = pymunk.Body(1, 1)\n"
REFUSED = (
    (f"{HEAD}sb = pymunk.Circle(b, r)", "radius of Circle(…) must be a number, got r"),
    (f"{HEAD}sb = pymunk.Circle(c, 1)", "Line 4: c is no body here"),
    (f"{HEAD}sb = pymunk.Poly(b, [(0, 0), (1, 0)])", "a polygon needs three points, got 2"),
    (f"{HEAD}sb = pymunk.Poly(b, [(1, 1), (1, 1)])", "a polygon needs three points, got 1"),
    (f"{HEAD}sb = pymunk.Poly(b, [(0, 0), (1, 0), (0, 1)])\nsb.mass = 1\nb.angle = 1", "shape off its body's centre"),
    (f"{HEAD}sb = pymunk.Poly(b, [(0, 0), (1, 0), (0, 1)], pymunk.Transform(a=2))", "Transform(…) is not understood"),
    (f"{HEAD}sb = pymunk.Circle(b, 1)\nsc = pymunk.Circle(b, 2)", "the shape of b is given twice"),
    (f"{HEAD}sb = pymunk.Circle(b, 1)\nb.center_of_gravity = (1, 0)", "b.center_of_gravity is not understood"),
    (HEAD, "the shape of B is missing"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

"""Planck and pybox2d, from their manuals: half sizes, bodies with position and angle, y up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon

from .sample import Sample, decimal


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies, python = [], [], bool(rng.integers(2))
    for n in "ab":
        (x, y), angle = rng.uniform(-2.0, 2.0, 2).tolist(), float(rng.uniform(-3.0, 3.0))
        a, b = rng.uniform(0.2, 2.0, 2).tolist()
        at, turn = f"({decimal(x)}, {decimal(y)})", decimal(angle)
        round_ = bool(rng.integers(2))
        shape = Circle(a) if round_ else Polygon(((-a, -b), (a, -b), (a, b), (-a, b)))
        bodies.append(Body.in_plane(shape, (x, y), angle))
        if python:
            lines.append(f"{n} = world.CreateDynamicBody(position={at}, angle={turn})")
            call = f"CreateCircleFixture(radius={a!r}" if round_ else f"CreatePolygonFixture(box=({a!r}, {b!r})"
            lines.append(f"{n}.{call}, density=1, friction=1)")
            continue
        if rng.integers(2):
            lines.append(f"const {n} = world.createBody({{ type: 'dynamic', position: Vec2{at}, angle: {turn} }});")
        else:
            lines.append(f"const {n} = world.createDynamicBody(Vec2{at}, {turn});")
        shape_call = f"planck.Circle({a!r})" if round_ else f"planck.Box({a!r}, {b!r})"
        lines.append(f"{n}.createFixture({shape_call}, 1);")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("planck.", "new pl.").replace("Vec2(", "planck.Vec2(")
    yield text.replace("createFixture(", "createFixture({ shape: ").replace(", 1);", ", density: 1 });")
    yield (
        f"const world = new planck.World();\n{text}"
        if "planck" in text
        else f"world = b2World(gravity=(0, -9))\n{text}"
    )


HEAD = "const a = world.createBody({ position: planck.Vec2(0, 0) });\na.createFixture(planck.Box(1, 1));\n"
NEXT = f"{HEAD}const b = world.createBody(planck.Vec2(1, 0));\n"
REFUSED = (
    (f"{NEXT}b.createFixture(planck.Box(w, 1));", "a half size must be a number, got w"),
    (f"{NEXT}b.createFixture(planck.Edge(Vec2(0, 0), Vec2(1, 0)));", "planck.Edge(…) is no shape"),
    (f"{NEXT}b.createFixture(planck.Circle(1));\nb.createFixture(planck.Circle(2));", "is given twice"),
    (f"{NEXT}b.createFixture({{ shape: planck.Circle(1), margin: 2 }});", "margin of a fixture is not understood"),
    (f"{HEAD}const b = world.createBody({{ tilt: 2 }});", "tilt of a body is not understood"),
    (NEXT, "the shape of B is missing"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

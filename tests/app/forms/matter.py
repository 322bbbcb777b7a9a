"""matter.js, from its factories: full sizes about the centre of area, y down, so angles turn the other way here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon, Shape

from .sample import Sample, decimal


def _shape(rng: np.random.Generator) -> tuple[Shape, str, str]:
    """The shape in our axes, its factory and the values after x and y."""
    a, b = rng.uniform(0.2, 2.0, 2).tolist()
    corners = ((-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2))
    # The corner (0, 0) of a right triangle is a third of each side from its centre; y is mirrored here.
    triangle = ((-a / 3, b / 3), (2 * a / 3, b / 3), (-a / 3, -2 * b / 3))
    listed = f"[{{ x: 0, y: 0 }}, {{ x: {a!r}, y: 0 }}, {{ x: 0, y: {b!r} }}]"
    return (
        (Polygon(corners), "rectangle", f"{a!r}, {b!r}"),
        (Circle(a), "circle", f"{a!r}"),
        (Polygon(triangle), "fromVertices", listed),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for n in "ab":
        shape, factory, sizes = _shape(rng)
        (x, y), angle = rng.uniform(-2.0, 2.0, 2).tolist(), float(rng.uniform(-3.0, 3.0))
        bodies.append(Body.in_plane(shape, (x, -y), -angle))
        if rng.integers(2):
            options = f", {{ angle: {decimal(angle)}, isStatic: true }}"
            lines.append(f"const {n} = Bodies.{factory}({decimal(x)}, {decimal(y)}, {sizes}{options});")
        else:
            lines += [f"const {n} = Bodies.{factory}(0, 0, {sizes});", f"Body.setAngle({n}, {decimal(angle)});"]
            lines.append(f"Body.setPosition({n}, {{ x: {decimal(x)}, y: {decimal(y)} }});")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("Bodies.", "Matter.Bodies.").replace("Body.", "Matter.Body.")
    yield f"const {{ Engine, Bodies, Body, Composite }} = Matter;\n{text}\nComposite.add(engine.world, [a, b]);"
    yield text.replace("const ", "var ").replace("isStatic: true", "friction: 1, label: 'floor'")


HEAD = "const a = Bodies.circle(0, 0, 10);\n"
REFUSED = (
    (f"{HEAD}const b = Bodies.rectangle(0, 0, w, 10);", "rectangle(…) must be a number, got w"),
    (f"{HEAD}const b = Bodies.rectangle(0, 0, 10);", "rectangle(…) needs 4 values, got 3"),
    (f"{HEAD}const b = Bodies.rectangle(0, 0, 10, 10, {{ chamfer: 2 }});", "chamfer of a body is not understood"),
    (f"{HEAD}const b = Bodies.circle(0, 0, 10);\nBody.scale(b, 2, 2);", "scale(…) is not understood"),
    (f"{HEAD}Body.setAngle(c, 2);", "Line 2: c is no body here"),
    (f"{HEAD}const b = Bodies.fromVertices(0, 0, [{{x: 0, y: 0}}, {{x: 1, y: 0}}]);", "a polygon needs three points"),
    (HEAD, "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

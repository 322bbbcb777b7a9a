"""SAT.js, from its README: points about `pos`, setAngle in radians, a Box by its corner."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon

from .sample import Sample, decimal, listed


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in ("first", "second"):
        x, y = rng.uniform(-2.0, 2.0, 2).tolist()
        a, b, angle = rng.uniform(0.2, 2.0, 3).tolist()
        corners = ((0.0, 0.0), (a, 0.0), (a, b), (0.0, b))
        at = f"new SAT.Vector({listed([x, y])})"
        kind = int(rng.integers(3))
        if kind == 0:
            bodies.append(Body.in_plane(Circle(a), (x, y)))
            lines.append(f"var {name} = new SAT.Circle({at}, {decimal(a)});")
            continue
        bodies.append(Body.in_plane(Polygon(corners), (x, y), angle))
        points = ", ".join(f"new SAT.Vector({listed(corner)})" for corner in corners)
        made = f"Polygon({at}, [{points}])" if kind == 1 else f"Box({at}, {decimal(a)}, {decimal(b)}).toPolygon()"
        lines.append(f"var {name} = new SAT.{made};\n{name}.setAngle({decimal(angle)});")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("SAT.Vector", "V").replace("var first", "var V = SAT.Vector;\nvar first", 1)
    yield f"{text}\nvar response = new SAT.Response();\nvar hit = SAT.testPolygonPolygon(first, second, response);"
    yield text.replace("var ", "const ")


CIRCLE = "var c = new SAT.Circle(new SAT.Vector(5, 5), 2);\n"
REFUSED = (
    (f"{CIRCLE}c.rotate(0.3);", "rotate(…) is not understood"),
    (f"{CIRCLE}c.setOffset(new SAT.Vector(1, 0));\n{CIRCLE}", "setOffset(…) of a circle is not understood"),
    (f"{CIRCLE}new SAT.Box(new SAT.Vector(0, 0), w, h)", "must be a number, got w"),
    (f"{CIRCLE}new SAT.Polygon(new SAT.Vector(0, 0), points)", "needs its points in the call"),
    (f"{CIRCLE}new SAT.Box(new SAT.Vector(0, 0), 2)", "Box(…) needs 3 values, got 2"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

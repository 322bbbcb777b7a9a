"""dyn4j, from its Geometry and Transform: full sizes, radians, turns about the world's origin in the text's order."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, degrees, sin

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon, with_border

from .sample import Sample, decimal


def _shape(rng: np.random.Generator) -> tuple[object, str]:
    a, b = rng.uniform(0.2, 2.0, 2).tolist()
    long, thick = max(a, b) + 0.1, min(a, b)
    half = 0.5 * (long - thick)
    corners = ((-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2))
    third = b / 3.0
    return (
        (Polygon(corners), f"Geometry.createRectangle({a!r}, {b!r})"),
        (Circle(a), f"Geometry.createCircle({a!r})"),
        (with_border(Polygon(((-half, 0.0), (half, 0.0))), thick / 2), f"Geometry.createCapsule({long!r}, {thick!r})"),
        (with_border(Polygon(((0.0, -half), (0.0, half))), thick / 2), f"new Capsule({thick!r}, {long!r})"),
        (
            Polygon(((0.0, b - third), (-a / 2, -third), (a / 2, -third))),
            f"Geometry.createIsoscelesTriangle({a!r}, {b!r})",
        ),
        (
            Polygon(((0.0, 0.0), (a, 0.0), (0.0, b))),
            f"Geometry.createPolygon(new Vector2(0.0, 0.0), new Vector2({a!r}, 0.0), new Vector2(0.0, {b!r}))",
        ),
    )[int(rng.integers(6))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    whole, moved_first = bool(rng.integers(2)), bool(rng.integers(2))
    for n in "ab":
        shape, words = _shape(rng)
        (x, y), angle = rng.uniform(-2.0, 2.0, 2).tolist(), float(rng.uniform(-3.0, 3.0))
        if whole:
            lines += [f"Body {n} = new Body();", f"{n}.addFixture({words});", f"{n}.setMass(MassType.NORMAL);"]
        else:
            lines += [f"Convex c{n} = {words};", f"Transform {n} = new Transform();"]
        turn = f"{n}.rotate(Math.toRadians({decimal(degrees(angle))}));"
        move = f"{n}.translate({decimal(x)}, {decimal(y)});"
        lines += [move, turn] if moved_first else [turn, move]
        if moved_first:
            x, y = cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y
        bodies.append(Body.in_plane(shape, (x, y), angle))  # type: ignore[arg-type]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"import org.dyn4j.geometry.*;\n{text}"
    yield text.replace("Convex ", "final Convex ").replace("new Capsule", "Geometry.createCapsule")
    yield text.replace(".translate(", ".getTransform().translate(")


HEAD = "Convex a = Geometry.createCircle(0.5);\nTransform t = new Transform();\n"
REFUSED = (
    (f"{HEAD}Convex b = Geometry.createSquare(s);\nTransform u = new Transform();", "must be a number, got s"),
    (f"{HEAD}Convex b = Geometry.createEllipse(1, 2);", "Geometry.createEllipse(…) is not understood"),
    (f"{HEAD}Convex b = Geometry.createSquare(1);", "there are not as many transforms as shapes"),
    (f"{HEAD}Convex b = Geometry.createSquare(1);\nTransform u = new Transform();\nu.skew(1);", "skew(…) is not"),
    (f"{HEAD}Convex b = Geometry.createCapsule(1, 1);", "a capsule's width and height must differ in dyn4j"),
    (
        "Body a = new Body();\nBody b = new Body();\nb.addFixture(Geometry.createCircle(1));",
        "the shape of a is missing",
    ),
    ("Body a = new Body();\na.addFixture(Geometry.createCircle(1));", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

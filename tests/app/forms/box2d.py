"""Box2D, from its headers: half sizes, radians, a pose after its shape."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon

from .sample import Sample, decimal, listed


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    newer = bool(rng.integers(2))
    for name in "ab":
        x, y = rng.uniform(-2.0, 2.0, 2).tolist()
        a, b, angle = rng.uniform(0.2, 2.0, 3).tolist()
        if newer and rng.integers(2):
            bodies.append(Body.in_plane(Circle(a), (x, y)))
            lines.append(f"b2Circle {name} = {{{{0.0f, 0.0f}}, {decimal(a)}f}};")
        else:
            bodies.append(Body.in_plane(Polygon(((-a, -b), (a, -b), (a, b), (-a, b))), (x, y), angle))
            call = f"b2Polygon {name} = b2MakeBox" if newer else "shape.SetAsBox"
            lines.append(f"{call}({listed([a, b])});")
        if newer:
            lines.append(f"b2Transform t{name} = {{{{{listed([x, y])}}}, b2MakeRot({decimal(angle)})}};")
        else:
            lines.append(f"body{name}->SetTransform(b2Vec2({listed([x, y])}), {decimal(angle)});")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"b2FixtureDef fixture;\nfixture.density = 1.0f;\n{text}\nfixture.friction = 0.3f;"
    yield text.replace("b2Polygon ", "const b2Polygon ").replace("b2Circle ", "const b2Circle ")


BOX = "a.SetAsBox(0.5f, 0.5f);\n"
REFUSED = (
    (f"{BOX}b2Polygon p = b2MakePolygon(&hull, 0.0f);", "hull of b2MakePolygon(…) is no list of points here"),
    (f"{BOX}{BOX}b2Vec2 p[] = {{{{0, 0}}, {{1, 0}}, {{0, 1}}}};", "p is given and nothing uses it"),
    (f"{BOX}b2Transform t = {{.p = {{0, 0}}, .q = {{.c = 1, .s = 1}}}};", "c and s must have length 1"),
    (f"{BOX}b.SetAsBox(0.5f, 0.5f);\nbody.SetTransform(b2Vec2(1, 0), 0.3f);", "which body the pose belongs to"),
    (f"{BOX}b.SetAsBox(w, 0.5f);", "must be a number, got w"),
    (f"{BOX}b.SetAsBox(0.5f);", "SetAsBox(…) needs 2 or 4 values, got 1"),
    (
        f"{BOX}b2Vec2 p[] = {{{{0, 0}}, {{1, 0}}, {{1, 1}}}};\nb2Hull h = b2ComputeHull(p, 2);",
        "takes 2 points, and the list",
    ),
    (
        f"{BOX}b2Vec2 p[] = {{{{0, 0}}, {{1, 0}}, {{1, 1}}}};\nb2Hull h = b2ComputeHull(p, n);",
        "must be a number, got n",
    ),
    (f"{BOX}b2MakeCapsule(a, b, 0.1f);", "b2MakeCapsule(…) is not understood"),
    (f"{BOX}b2MakeRoundedBox(0.5f, 0.5f);", "b2MakeRoundedBox(…) needs 3 numbers, got 2"),
    (f"{BOX}b2MakeSquare(0.5f, 0.5f);", "b2MakeSquare(…) needs 1 number, got 2"),
    (f"{BOX}b2CircleShape ball; ball.m_radius = r;", "a radius must be a number, got r"),
    (f"{BOX}b2CircleShape ball; ball.m_radius = 0.5f; ball.m_p.Set(0, 1);", "ball.m_p.Set(…) is not understood"),
    (f"{BOX}b2CircleShape ball; ball.m_p.Set(0, 1); ball.m_radius = 0.5f;", "ball.m_p.Set(…) is not understood"),
    (f"{BOX}b2Circle c = {{{{1.0f, 0.0f}}, 0.5f}};", "a circle's centre in its body must be 0, 0"),
    (f"{BOX}body.SetTransform(p, 0.3f);", "a position must be a point, got p"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

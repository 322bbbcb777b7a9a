"""Rectangles by corner and size, and circles by centre and radius, in the spellings of several libraries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Circle, Polygon

from .sample import Sample, decimal


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    way = int(rng.integers(3))
    for n in "ab":
        x, y = rng.uniform(-2.0, 2.0, 2).tolist()
        w, h = rng.uniform(0.2, 2.0, 2).tolist()
        if rng.integers(2) and way == 0:
            bodies.append(Body.in_plane(Circle(w), (x, y)))
            lines.append(f"const {n} = {{ x: {decimal(x)}, y: {decimal(y)}, radius: {decimal(w)} }};")
            continue
        corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        bodies.append(Body.in_plane(Polygon(corners), (0.0, 0.0)))
        told = ", ".join(map(decimal, (x, y, w, h)))
        lines.append(
            (
                f"const {n} = {{ x: {decimal(x)}, y: {decimal(y)}, width: {decimal(w)}, height: {decimal(h)} }};",
                f"{n} = pygame.Rect({told})",
                f"{n} = {{ left: {decimal(x)}, top: {decimal(y)}, width: {decimal(w)}, height: {decimal(h)} }};",
            )[way]
        )
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("pygame.Rect", "Rect")
    yield f"{text}\nprint(a.colliderect(b))" if "pygame" in text else text
    yield text.replace("{ ", "{ color: 'red', ")


RECT = "const a = { x: 0, y: 0, width: 10, height: 10 };\n"
REFUSED = (
    (f"{RECT}const b = {{ x: 5, y: 5, width: 10, height: 10, angle: 0.5 }};", "Line 2: angle is not understood"),
    (f"{RECT}const b = {{ x: 5, y: 5, width: w, height: 10 }};", "width must be a number, got w"),
    (f"{RECT}const b = {{ x: 5, width: 3, height: 10 }};", "x, y, width and height, or x, y and radius are expected"),
    ("a = pygame.Rect(0, 0, 10)\nb = pygame.Rect(0, 0, 1, 1)", "Rect(…) needs 4 numbers, got 3"),
    ("collideRectCircle(0, 0, 50, 50, 70, 25)", "collideRectCircle(…) needs 7 numbers, got 6"),
    ("collideCirclePoly(0, 0, 50, poly)", "poly of collideCirclePoly(…) is no list of createVector(x, y)"),
    ("collideCirclePoly(0, 0, [createVector(0, 0)])", "collideCirclePoly(…) needs 4 values, got 3"),
    ("p = [createVector(0, 0, 0)]\ncollideRectPoly(0, 0, 1, 1, p)", "createVector(…) needs 2 numbers, got 3"),
    ("rectMode(CENTER)\ncollideRectRect(0, 0, 9, 9, 5, 5, 9, 9)", "rectMode(…) is not understood"),
    (RECT, "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

"""Poses in columns, from the grammar of app/forms/columns.py: full sizes, named components, our axes."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import numpy as np

from core.scene import Body, Scene
from core.shapes import Box, Capsule, Circle, Polygon, Shape, Sphere

from .sample import Sample, decimal, turned

NAMES = ("{n}{c}", "{n}_{c}", "{c}_{n}", "{n}.pos.{c}", "pos_{n}_{c}", "{c}{k}")
"""How people name the component c of the position of the body n, the k-th."""
TURNS = ("{n}q{c}", "{n}_q{c}", "q{c}_{n}", "{n}.rot.{c}", "quat_{n}_{c}", "q{c}{k}")


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"box {a!r} {b!r} {c!r}"),
        (Sphere(a), f"sphere {a!r}"),
        (Capsule(a, b), f"capsule radius {a!r} length {b!r} along y"),
    )[int(rng.integers(3))]


def _space(rng: np.random.Generator, parting: str) -> tuple[str, Scene]:
    way, before, bodies = int(rng.integers(len(NAMES))), "", []
    header, row = ["time"], ["3.5"]
    for k, n in enumerate("ab", 1):
        shape, words = _shape(rng)
        place, q = rng.uniform(-2.0, 2.0, 3), turned(rng)
        before += f"{n.upper()}: {words}\n"
        order = "wxyz" if rng.integers(2) else "xyzw"
        header += [NAMES[way].format(n=n, c=c, k=k) for c in "xyz"]
        header += [TURNS[way].format(n=n, c=c, k=k) for c in order]
        row += [*map(decimal, place), *(decimal(q["wxyz".index(c)]) for c in order)]
        bodies.append(Body(shape, tuple(place.tolist()), q))
    return f"{before}{parting.join(header)}\n{parting.join(row)}\n", Scene(bodies[0], bodies[1])


def _plane(rng: np.random.Generator, parting: str) -> tuple[str, Scene]:
    a, b, c = map(float, rng.uniform(0.1, 2.0, 3))
    (x, y), (u, v), angle = *rng.uniform(-2.0, 2.0, (2, 2)).tolist(), float(rng.uniform(-3.0, 3.0))
    corners = ((-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2))
    bodies = [Body.in_plane(Polygon(corners), (x, y), angle), Body.in_plane(Circle(c), (u, v))]
    header = ["ax", "ay", "angle_a_deg", "bx", "by"]
    row = map(decimal, (x, y, degrees(angle), u, v))
    text = f"A: rectangle {a!r} {b!r}\nB: circle {c!r}\n{parting.join(header)}\n{parting.join(row)}\n"
    return text, Scene(bodies[0], bodies[1])


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    parting = (",", ", ", "\t", " ", ";")[int(rng.integers(5))]
    return _plane(rng, parting) if rng.integers(3) == 0 else _space(rng, parting)


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"# made by hand\n{text}"
    yield text.upper().replace("E-", "e-")
    yield text.replace("time", "frame")
    yield text.replace("A: ", "# A: ").replace("B: ", "# B: ")


SHAPES = "A: box 1 1 1\nB: sphere 0.5\n"
REFUSED = (
    ("0 0 0 0 0 0 1 0.9 0 0 0 0 0 1\n", "Line 1: the columns need a header, such as ax, ay, az"),
    (f"{SHAPES}ax,ay,az,bx,by,bz,tilt\n0,0,0,1,0,0,5\n", "Line 3: the column tilt is not understood"),
    (f"{SHAPES}ax,ay,az,bx,by,bz\n0,0,0,1,0\n", "Line 4: this row has 5 cells, the header 6"),
    (f"{SHAPES}ax,ay,az,arx,ary,arz,bx,by,bz\n0,0,0,0,0,0,1,0,0\n", "the column of quaternion w is missing"),
    (f"{SHAPES}ax,ay,az,ayaw,bx,by,bz\n0,0,0,0,1,0,0\n", "the column ayaw needs deg or rad in its name"),
    (f"{SHAPES}ax,ay,az,ax,bx,by,bz\n0,0,0,0,1,0,0\n", "the column ax stands twice"),
    (f"{SHAPES}x,y,z,bx,by,bz\n0,0,0,1,0,0\n", "of which body the column x is, is not said"),
    (f"{SHAPES}ax_mm,ay_mm,az_cm,bx,by,bz\n0,0,0,1,0,0\n", "lengths are in cm and in mm"),
    (f"{SHAPES}ax_mm,ay_mm,az_mm,bx,by,bz\n0,0,0,1,0,0\n", "the column bx has no unit, and other lengths have one"),
    ("ax,ay,az,bx,by,bz\n0,0,0,1,0,0\n", "the shapes are missing: write a line such as A: box 1 1 1"),
    (f"{SHAPES}ax,ay,az,bx,by,bz\n0,0,0,1,0,0\n0,0,0,2,0,0\n", "2 rows are as many pairs"),
    (f"{SHAPES}ax,ay,az,bx,by,bz\n0,0,0,1,0,nan\n", "position z: nan is no number"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

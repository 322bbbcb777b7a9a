"""Coal: full sizes along z, Transform3s(R, p), Quaternion(w, x, y, z)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Scene

from .python_fcl import placed, rows_of, shape_of
from .sample import Sample, listed, turned


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, call), place, q = shape_of(rng), rng.uniform(-2.0, 2.0, 3).tolist(), turned(rng)
        bodies.append(placed(shape, place, q))
        turn = f"coal.Quaternion({listed(q)})" if rng.integers(2) else f"np.array([{rows_of(q)}])"
        lines.append(f"shape_{name} = coal.{call}")
        lines.append(f"T{name} = coal.Transform3s({turn}, np.array([{listed(place)}]))")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"import coal\nimport numpy as np\n{text}"
    yield text.replace("coal.", "hppfcl.").replace("Transform3s", "Transform3f")
    yield text.replace("coal.Transform3s", "pin.SE3")


TWO = "a = coal.Box(1, 1, 1)\nb = coal.Sphere(1)"
REFUSED = (
    (f"{TWO}\nc = coal.Convex.convexHull(p, False, 'Qt')", "convexHull(…) needs its points"),
    (f"{TWO}\nT = coal.Transform3s.Identity()", "there are more shapes than poses"),
    (f"{TWO}\nT = coal.Transform3s(R, np.array([1, 0, 0]))", "must be three rows of three numbers, got R"),
    (f"{TWO}\nT = coal.Transform3s.Random()", "coal.Transform3s.Random(…) is not understood"),
    (f"{TWO}\nTb = coal.Transform3s()\nTa = coal.Transform3s()", "Tb stands where the pose of a belongs"),
    ("a = coal.Box(1, 1, 1)\nb = coal.TriangleP(1, 2, 3)", "coal.TriangleP(…) is not understood"),
    ("a = coal.Box(1, 1, 1)", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

"""python-fcl from its README and fcl.pyx: full sizes along z, Transform(q wxyz or R, t)."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Shape, Sphere

from .mjcf import UP
from .sample import Sample, decimal, listed, turned


def shape_of(rng: np.random.Generator) -> tuple[Shape, str]:
    """A shape and its call, without the module."""
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"Box({listed([a, b, c])})"),
        (Sphere(a), f"Sphere({decimal(a)})"),
        (Ellipsoid((a, b, c)), f"Ellipsoid({listed([a, b, c])})"),
        (Capsule(a, b), f"Capsule({listed([a, b])})"),
        (Cone(a, b), f"Cone({listed([a, b])})"),
        (Cylinder(a, b), f"Cylinder({listed([a, b])})"),
    )[int(rng.integers(6))]


def placed(shape: Shape, place: list[float], q: quaternion.Quaternion) -> Body:
    """The body in our axes: z is up in the text, and axes lie along z there."""
    upright = isinstance(shape, Capsule | Cone | Cylinder)
    own = quaternion.multiply(q, (sqrt(0.5), sqrt(0.5), 0.0, 0.0)) if upright else q
    x, y, z = place
    return Body(shape, quaternion.rotate(UP, (x, y, z)), quaternion.multiply(UP, own))


def rows_of(q: quaternion.Quaternion) -> str:
    """A rotation matrix by rows."""
    return ", ".join(f"[{listed(row)}]" for row in quaternion.to_matrix(q))


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    whole = bool(rng.integers(2))
    for name in "ab":
        (shape, call), place, q = shape_of(rng), rng.uniform(-2.0, 2.0, 3).tolist(), turned(rng)
        bodies.append(placed(shape, place, q))
        turn = f"[{listed(q)}]" if rng.integers(2) else f"[{rows_of(q)}]"
        where = f"fcl.Transform(np.array({turn}), np.array([{listed(place)}]))"
        lines += [f"{name} = fcl.CollisionObject(fcl.{call}, {where})"] if whole else [f"fcl.{call}", where]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"import numpy as np\nimport fcl\n{text}\nret = fcl.distance(a, b)"
    yield text.replace("np.array(", "np.asarray(")


TWO = "fcl.Box(1, 1, 1)\nfcl.Sphere(1)"
REFUSED = (
    (f"{TWO}\nfcl.Transform()", "there are more shapes than poses"),
    (f"{TWO}\nfcl.Transform()\nfcl.Transform(q, np.array([1, 0, 0]))", "must be three rows of three numbers, got q"),
    (f"{TWO}\nfcl.Transform()\nfcl.Transform(np.array([2, 0, 0, 0]), np.array([1, 0, 0]))", "must have length 1"),
    ("fcl.Box(1, 1, 1)\nfcl.BVHModel()", "fcl.BVHModel(…) is not understood"),
    (f"{TWO}\nb.setTranslation(np.array([1, 0, 0]))", "b.setTranslation(…) is not understood"),
    ("fcl.Box(1, 1)\nfcl.Sphere(1)", "fcl.Box(…) needs 3 numbers, got 2"),
    ("fcl.Box(1, 1, 1)", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

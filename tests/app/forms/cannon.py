"""cannon-es from its manual: half extents, quaternions xyzw, intrinsic XYZ in radians."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Cylinder, Shape, Sphere

from .sample import Sample, decimal, listed, turned

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"Box(new CANNON.Vec3({listed([a, b, c])}))"),
        (Sphere(a), f"Sphere({decimal(a)})"),
        (Cylinder(a, b), f"Cylinder({listed([a, a, b])}, 16)"),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, call), place, q = _shape(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        if rng.integers(2):
            w, x, y, z = q
            lines.append(
                f"const {name} = new CANNON.Body({{ mass: 1, shape: new CANNON.{call}, "
                f"position: new CANNON.Vec3({listed(place)}), "
                f"quaternion: new CANNON.Quaternion({listed([x, y, z, w])}) }});"
            )
        else:
            angles = rng.uniform(-1.5, 1.5, 3).tolist()
            turns = [quaternion.from_axis_angle(axis, by) for axis, by in zip(AXES, angles, strict=True)]
            q = quaternion.multiply(turns[0], quaternion.multiply(turns[1], turns[2]))
            lines += [
                f"const {name} = new CANNON.Body({{ mass: 0 }});",
                f"{name}.addShape(new CANNON.{call});",
                f"{name}.position.set({listed(place)});",
                f"{name}.quaternion.setFromEuler({listed(angles)});",
            ]
        bodies.append(Body(shape, place, q))
    # Without the import a cylinder may be one of cannon.js, which lies along z.
    lines = ["import * as CANNON from 'cannon-es';", *lines] if "Cylinder" in "".join(lines) else lines
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"import * as CANNON from 'cannon-es'\n{text}\nworld.addBody(a);\nworld.addBody(b);"
    yield text.replace("mass: 0", "mass: 5, linearDamping: 0.1")


A = "const a = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) });"
TWO = A + "\nconst b = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) });"
REFUSED = (
    (f"{TWO}\nb.quaternion.set(0, 0, 0.7);", "a quaternion needs 4 numbers, got 3"),
    (f"{TWO}\nb.applyImpulse(1);", "applyImpulse(…) is not understood"),
    (f"{TWO}\nb.position.set(x, 0, 0);", "a position must be a number, got x"),
    (
        f"{A}\nconst b = new CANNON.Body({{ mass: 1, shape: new CANNON.Trimesh(v, i) }});",
        "CANNON.Trimesh(…) is no shape",
    ),
    (
        f"{A}\nconst b = new CANNON.Body({{ shape: new CANNON.ConvexPolyhedron({{ vertices: [], normals: [] }}) }});",
        "normals of CANNON.ConvexPolyhedron(…) is not understood",
    ),
    (f"{A}\nconst b = new CANNON.Body({{ mass: 1 }});", "the shape of B is missing"),
    (f"{A}\nconst b = new CANNON.Body({{ shape: new CANNON.Cylinder(1, 2, 1, 8) }});", "must have one radius"),
    (f"{A}\nconst b = new CANNON.Body({{ shape: new CANNON.Cylinder(1, 1, 1, 8) }});", "along z in cannon.js"),
    (f"{TWO}\nb.addShape(new CANNON.Sphere(2));", "the shape of b is given twice"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

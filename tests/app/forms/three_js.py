"""three.js from its manual: full sizes, shapes along y, intrinsic XYZ in radians, quaternions xyzw."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Shape, Sphere

from .sample import Sample, decimal, listed, turned

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"BoxGeometry({listed([a, b, c])})"),
        (Sphere(a), f"SphereGeometry({decimal(a)})"),
        (Capsule(a, b), f"CapsuleGeometry({listed([a, b])})"),
        (Cone(a, b), f"ConeGeometry({listed([a, b])})"),
        (Cylinder(a, b), f"CylinderGeometry({listed([a, a, b])})"),
    )[int(rng.integers(5))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, call), place, q = _shape(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        lines.append(f"const {name} = new THREE.Mesh(new THREE.{call});")
        lines.append(f"{name}.position.set({listed(place)});")
        angles = rng.uniform(-1.5, 1.5, 3).tolist()
        turns = [quaternion.from_axis_angle(axis, by) for axis, by in zip(AXES, angles, strict=True)]
        match int(rng.integers(3)):
            case 0:
                w, x, y, z = q
                lines.append(f"{name}.quaternion.set({listed([x, y, z, w])});")
            case 1:
                q = quaternion.multiply(turns[0], quaternion.multiply(turns[1], turns[2]))
                lines.append(f"{name}.rotation.set({listed(angles)});")
            case _:
                q = quaternion.multiply(turns[1], turns[2])
                lines += [f"{name}.rotateY({decimal(angles[1])});", f"{name}.rotateZ({decimal(angles[2])});"]
        bodies.append(Body(shape, place, q))
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("THREE.", "")
    yield f"import * as THREE from 'three';\nconst scene = new THREE.Scene();\n{text}\nscene.add(a);\nscene.add(b);"
    material = "const material = new THREE.MeshBasicMaterial({ color: 0x00ff00 });"
    yield f"{material}\n{text.replace('));', '), material);')}"
    yield f"{text}\na.castShadow = true;\nb.updateMatrixWorld();"


BALL = "const {0} = new THREE.Mesh(new THREE.SphereGeometry(0.5));"
TWO = BALL.format("a") + "\n" + BALL.format("b")
REFUSED = (
    (f"{TWO}\nb.lookAt(0, 1, 0);", "Line 3: lookAt(…) is not understood"),
    (f"{TWO}\nb.scale.set(2, 2, k);", "a scale must be a number, got k"),
    (f"{TWO}\nb.scale.set(2, -2, 2);", "a scale must be above 0"),
    (f"{TWO}\nb.scale.set(2, 2, 2); b.scale.setScalar(1);", "the scale of b is given twice"),
    (f"{TWO}\nb.scale.x = 2;", "scale.x is not understood"),
    (
        f"{BALL.format('a')}\nconst b = new THREE.Mesh(new THREE.CapsuleGeometry(1, 2)); b.scale.set(1, 2, 1);",
        "a capsule with an uneven scale is not understood",
    ),
    (f"{TWO}\nb.rotation.set(0, 0, angle);", "a rotation must be a number, got angle"),
    (f"{TWO}\nscene.rotateX(1);", "scene.rotateX(…) is not understood"),
    (f"{TWO}\ngroup.add(a);", "group.add(…) is not understood"),
    (f"{TWO}\nb.rotation.set(0, 0, 1, 'XYX');", 'the order "XYX" is not understood'),
    (
        f"{BALL.format('a')}\nconst b = new THREE.Mesh(new THREE.TorusGeometry(1, 2));",
        "TorusGeometry(…) is not understood",
    ),
    (f"{BALL.format('a')}\nconst b = new THREE.Mesh(new THREE.CylinderGeometry(1, 2, 3));", "must have one radius"),
    (BALL.format("a"), "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

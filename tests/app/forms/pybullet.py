"""PyBullet from its Quickstart Guide: half extents, capsules along z without caps, quaternions xyzw, roll pitch yaw."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Shape, Sphere

from .mjcf import UP
from .sample import Sample, decimal, listed, turned

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"GEOM_BOX, halfExtents=[{listed([a, b, c])}]"),
        (Sphere(a), f"GEOM_SPHERE, radius={decimal(a)}"),
        (Capsule(a, b), f"GEOM_CAPSULE, radius={decimal(a)}, height={decimal(b)}"),
        (Cylinder(a, b), f"GEOM_CYLINDER, radius={decimal(a)}, height={decimal(b)}"),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, words), place, q = _shape(rng), rng.uniform(-2.0, 2.0, 3), turned(rng)
        w, x, y, z = q
        said = f"[{listed([x, y, z, w])}]"
        if rng.integers(2):
            roll, pitch, yaw = rng.uniform(-1.5, 1.5, 3).tolist()
            turns = [quaternion.from_axis_angle(axis, by) for axis, by in zip(AXES, (roll, pitch, yaw), strict=True)]
            q = quaternion.multiply(turns[2], quaternion.multiply(turns[1], turns[0]))
            said = f"p.getQuaternionFromEuler([{listed([roll, pitch, yaw])}])"
        upright = isinstance(shape, Capsule | Cylinder)
        own = quaternion.multiply(q, (sqrt(0.5), sqrt(0.5), 0.0, 0.0)) if upright else q
        x, y, z = quaternion.rotate(UP, tuple(place.tolist()))
        bodies.append(Body(shape, (x, y, z), quaternion.multiply(UP, own)))
        lines.append(f"shape_{name} = p.createCollisionShape(p.{words})")
        lines.append(
            f"{name} = p.createMultiBody(baseMass=1, baseCollisionShapeIndex=shape_{name}, "
            f"basePosition=[{listed(place)}], baseOrientation={said})"
        )
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"import pybullet as p\nimport pybullet_data\np.connect(p.DIRECT)\np.setGravity(0, 0, -9.81)\n{text}"
    yield text.replace("p.", "pybullet.")
    yield text.replace("baseMass=1, baseCollisionShapeIndex=", "0, ")
    yield f"{text}\nprint(p.getClosestPoints(a, b, 1.0))"
    lines = text.split("\n")
    tails = [line[line.index("basePosition") : -1] for line in lines[1::2]]
    yield "\n".join(f"{line.split(' = ')[1]} {tail}" for line, tail in zip(lines[::2], tails, strict=True))
    loose = [line.split("(")[1][:-1].replace(",", "", 1) for line in lines[::2]]
    yield "\n".join(f"{line} {tail}" for line, tail in zip(loose, tails, strict=True))


BALL = "p.createCollisionShape(p.GEOM_SPHERE, radius=0.5)"
REFUSED = (
    (f"{BALL}\np.createCollisionShape(p.GEOM_CAPSULE, radius=0.5)", "height of GEOM_CAPSULE is missing"),
    (f"{BALL}\n{BALL} baseOrientation=[0, 0, 0.7]", "a quaternion needs 4 numbers, got 3"),
    (f"{BALL}\n{BALL} baseOrientation=q", "a quaternion must be 4 numbers, got q"),
    (f"{BALL}\n{BALL}\np.stepSimulation()", "p.stepSimulation(…) is not understood"),
    (f"{BALL}\nb = p.createMultiBody(1, shape_b)", "shape_b is no shape here"),
    (f'{BALL}\np.createCollisionShape(p.GEOM_MESH, fileName="a.obj")', "fileName of GEOM_MESH is not understood"),
    (f"{BALL}\n{BALL}\norn = [0, 0, 0, 1]", "orn is given and nothing uses it"),
    (BALL, "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

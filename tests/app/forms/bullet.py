"""Bullet in C++, from its headers: half extents, a capsule's height without caps, quaternions xyzw."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Shape, Sphere

from .sample import Sample, decimal, listed, turned

ALONG = {"": (1.0, 0.0, 0.0, 0.0), "Z": (sqrt(0.5), sqrt(0.5), 0.0, 0.0), "X": (sqrt(0.5), 0.0, 0.0, -sqrt(0.5))}
"""Quaternions that turn y to the axis of a name's end."""


def _shape(rng: np.random.Generator) -> tuple[Shape, str, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    end = ("", "Z", "X")[int(rng.integers(3))]
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"btBoxShape(btVector3({listed([a, b, c])}))", ""),
        (Sphere(a), f"btSphereShape({decimal(a)})", ""),
        (Capsule(a, b), f"btCapsuleShape{end}({listed([a, b])})", end),
        (Cone(a, b), f"btConeShape{end}({listed([a, b])})", end),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, call, end), place, q = _shape(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        bodies.append(Body(shape, place, quaternion.multiply(q, ALONG[end])))
        w, x, y, z = q
        lines.append(f"btCollisionShape* shape_{name} = new {call};")
        lines.append(f"btTransform pose_{name}(btQuaternion({listed([x, y, z, w])}), btVector3({listed(place)}));")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("shape_a", "floorShape").replace("pose_b", "trans")
    lines = text.split("\n")
    yield "\n".join((lines[0], lines[2], lines[1], lines[3]))
    yield f"{text}\nshape_a->setMargin(0.04);"


POINTS = "btVector3 p[] = {btVector3(0, 0, 0), btVector3(1, 0, 0), btVector3(0, 1, 0), btVector3(0, 0, 1)};\n"
REFUSED = (
    (f"{POINTS}btConvexHullShape a(&q[0].x(), 4, sizeof(btVector3));", "a hull needs its points before it"),
    (f"{POINTS}btConvexHullShape a(&p[0].x(), 3, sizeof(btVector3));", "takes 3 points, and the list has 4"),
    (f"{POINTS}btConvexHullShape a(&p[1].x(), 4);", "the count of points must be a number"),
    (f"{POINTS}btConvexHullShape a(&p->x(), n);", "the count of points must be a number, got n"),
    (f"{POINTS}btConvexHullShape a(&p->x(), 4); a.addPoint(btVector3(0, 0, 5));", "a.addPoint(…) is not understood"),
    ("btConvexHullShape a; a.addPoint(p);\nbtSphereShape b(0.5);", "a point must be a btVector3, got p"),
    ("btConvexHullShape a;\nbtSphereShape b(0.5);", "the shape of A is missing"),
    ("btSphereShape a(0.5);\na.setLocalScaling(btVector3(2, 2, 2));", "a.setLocalScaling(…) is not understood"),
    ("btBoxShape a(half);\nbtSphereShape b(0.5);", "half extents must be a btVector3, got half"),
    ("btSphereShape a(0.5);\nbtSphereShape b(0.5);\nbtTransform t(btQuaternion(0, 0, 0, 1));", "more shapes than"),
    ("btSphereShape a(0.5);\nbtTransform t(btQuaternion(0, 0, 0, 2), btVector3(0, 0, 0));", "must have length 1"),
    ("btCylinderShape a(btVector3(0.5, 1, 0.4));\nbtSphereShape b(0.5);", "a cylinder must be round"),
    ("btBvhTriangleMeshShape a(0.5);\nbtSphereShape b(0.5);", "btBvhTriangleMeshShape a is not understood"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

"""Jolt from its headers: half extents, half heights without caps along y, Quat xyzw, Euler as RotZ * RotY * RotX."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"BoxShape(Vec3({listed([a, b, c])}))"),
        (Sphere(a), f"SphereShape({decimal(a)})"),
        (Capsule(a, 2 * b), f"CapsuleShape({listed([b, a])})"),
        (Cylinder(a, 2 * b), f"CylinderShape({listed([b, a])})"),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    whole, angle = bool(rng.integers(2)), bool(rng.integers(2))
    for name in "ab":
        (shape, call), place, q = _shape(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        bodies.append(Body(shape, place, q))
        w, x, y, z = q
        turn = f"Quat({listed([x, y, z, w])})"
        if angle:
            axis, by = quaternion.to_axis_angle(q)
            turn = f"Quat::sRotation(Vec3({listed(axis)}), {decimal(by)})"
        if whole:
            lines.append(
                f"BodyCreationSettings {name}(new {call}, RVec3({listed(place)}), {turn}, "
                "EMotionType::Dynamic, Layers::MOVING);"
            )
        else:
            lines.append(f"Ref<Shape> shape_{name} = new {call};")
            lines.append(f"RVec3 position_{name}({listed(place)}); Quat rotation_{name} = {turn};")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("Shape(", "ShapeSettings(")
    yield text.replace("RVec3", "Vec3")
    yield text.replace("Quat::", "JPH::Quat::").replace("new ", "new JPH::")


TWO = "new SphereShape(0.5f);\nnew BoxShape(Vec3(1, 1, 1));"
REFUSED = (
    (
        "Vec3 p[] = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};\n"
        "Ref<Shape> c = ConvexHullShapeSettings(p, 3);",
        "takes 3 points, and the list has 4",
    ),
    (f"{TWO}\nJPH::Ref<Shape> c = ConvexHullShapeSettings(p, -1.0f);", "a convex radius must not be negative"),
    (f"{TWO}\nauto c = new CylinderShape(1, 2, -0.1f);", "a convex radius must not be negative"),
    (f"{TWO}\nauto c = new BoxShape(Vec3(1, 1, 1), -0.1f);", "a convex radius must not be negative"),
    (f"{TWO}\nRVec3 p(0, 0, 0);", "there are more shapes than poses"),
    (f"{TWO}\nJPH::Quat q(0, 0, 0, 2);", "must have length 1"),
    ("auto a = new SphereShape(0.5f);\nauto b = new BoxShape(half); JPH::Vec3 p(0, 0, 0);", "must be a Vec3, got half"),
    ("auto a = new SphereShape(0.5f);\nauto b = new TaperedCapsuleShape(1, 2, 3);", "TaperedCapsuleShape"),
    ("auto a = new CapsuleShape(0.5f);\nauto b = new SphereShape(0.5f);", "CapsuleShape(…) needs 2 numbers, got 1"),
    (f"{TWO}\nbody.SetRotation(JPH::Quat(0, 0, 0, 1));", "body.SetRotation(…) is not understood"),
    ("JPH::Ref<Shape> a = new SphereShape(0.5f);", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

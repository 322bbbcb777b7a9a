"""Unity's colliders, from its Scripting API: left-handed, full sizes, a height with caps, quaternions xyzw."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Body, Scene
from core.shapes import Box, Capsule, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, str, list[tuple[str, str]]]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), "BoxCollider", [("size", f"new Vector3({listed([a, b, c])})")]),
        (Sphere(a), "SphereCollider", [("radius", decimal(a))]),
        (
            Capsule(a, b),
            "CapsuleCollider",
            [("radius", decimal(a)), ("height", decimal(b + 2.0 * a)), ("direction", "1")],
        ),
    )[int(rng.integers(3))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in ("floor", "crate_"):
        (shape, kind, sizes), (x, y, z), q = _shape(rng), rng.uniform(-2.0, 2.0, 3).tolist(), turned(rng)
        # The mirror image in z: a quaternion's x and y change sign.
        bodies.append(Body(shape, (x, y, -z), (q[0], -q[1], -q[2], q[3])))
        lines.append(f"{kind} {name};")
        lines += [f"{name}.{key} = {value};" for key, value in sizes]
        lines.append(f"{name}.transform.position = new Vector3({listed([x, y, z])});")
        lines.append(f"{name}.transform.rotation = new Quaternion({listed([*q[1:], q[0]])});")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("floor", "ground").replace("crate_", "b2")
    yield "using UnityEngine;\n" + text + "\nfloor.isTrigger = false;"
    yield text.replace(");\n", "); ")
    for name in ("Box", "Sphere", "Capsule"):
        for body in ("floor", "crate_"):
            text = text.replace(f"{name}Collider {body};", f"var {body} = go_{body}.AddComponent<{name}Collider>();")
    yield text


_B = "SphereCollider b; b.radius = 0.5f;"
REFUSED = (
    (f'var a = new GameObject("a"); var c = a.AddComponent<MeshCollider>();\n{_B}', "a is not convex = true"),
    (f"Mesh m = new Mesh(); m.vertices = corners;\n{_B}", "m.vertices is not understood"),
    (f"BoxCollider a; a.size = new Vector3(w, 1, 1);\n{_B}", "must be a number, got w"),
    (f"BoxCollider a; a.size = new Vector3(1, 1);\n{_B}", "needs 3 numbers, got 2"),
    (f"BoxCollider a; a.size = Vector3.one; a.transform.Rotate(0, 45, 0);\n{_B}", "a.transform.Rotate(…) is not"),
    (f"BoxCollider a;\n{_B}", "the size of a is missing"),
    (f"SphereCollider a; a.radius = 1; a.transform.localScale = new Vector3(2, 1, 1);\n{_B}", "cannot be scaled"),
    (f"CapsuleCollider a; a.radius = 1; a.height = 1;\n{_B}", "includes both caps"),
    (_B, "Found one body, expected two"),
    ("Transform:\n  m_Father: {fileID: 7}\nBoxCollider:\n  m_Size: {x: 1, y: 1, z: 1}", "with a parent"),
    ("BoxCollider:\n  m_Size: {x: 1, y: 1, z: 1}", "the Transform of a collider is missing"),
    ("Center: (0, 0, 0), Extents: (1, 1, 1) rotated\nCenter: (1, 0, 0), Extents: (1, 1, 1)", "is not understood"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

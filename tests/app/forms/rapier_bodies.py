"""Rapier's colliders on bodies, from its manuals: half sizes along y, a collider's pose in its body's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene

from .rapier import shape_of
from .sample import Sample, decimal, listed, turned


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies, rust = [], [], bool(rng.integers(2))
    for n in "ab":
        shape, words = shape_of(rng)
        place, inner, q = rng.uniform(-2.0, 2.0, 3), rng.uniform(-1.0, 1.0, 3), turned(rng)
        moved = place + np.array(quaternion.rotate(q, tuple(inner.tolist())))
        bodies.append(Body(shape, tuple(moved.tolist()), q))
        w, x, y, z = q
        if rust:
            angle = 2.0 * np.arctan2(np.sqrt(x * x + y * y + z * z), w)
            vector = np.array([x, y, z]) / np.sqrt(x * x + y * y + z * z) * angle
            lines += [
                f"let body_{n} = RigidBodyBuilder::dynamic().translation(vector![{listed(place)}])"
                f".rotation(vector![{listed(vector)}]).build();",
                f"let handle_{n} = bodies.insert(body_{n});",
                f"let collider_{n} = ColliderBuilder::{words}.translation(vector![{listed(inner)}]).build();",
                f"colliders.insert_with_parent(collider_{n}, handle_{n}, &mut bodies);",
            ]
            continue
        words = words.replace("capsule_y", "capsule").replace("round_cuboid", "roundCuboid")
        turn = ", ".join(f"{name}: {decimal(value)}" for name, value in zip("xyzw", (x, y, z, w), strict=True))
        lines += [
            f"let desc{n} = RAPIER.RigidBodyDesc.dynamic().setTranslation({listed(place)}).setRotation({{ {turn} }});",
            f"let body{n} = world.createRigidBody(desc{n});",
            f"let col{n} = RAPIER.ColliderDesc.{words}.setTranslation({listed(inner)});",
            f"world.createCollider(col{n}, body{n});",
        ]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("dynamic()", "fixed()")
    yield text.replace(".build()", ".restitution(1).build()").replace("RAPIER.", "")
    yield text.replace("body_a", "body").replace("body_b", "body").replace("handle_a", "h").replace("handle_b", "h")


HEAD = "let a = RAPIER.RigidBodyDesc.fixed();\nlet b = world.createRigidBody(a);\n"
REFUSED = (
    (f"{HEAD}world.createCollider(RAPIER.ColliderDesc.cuboid(1, 1), b);", "cuboid(…) needs 3 numbers, got 2"),
    (f"{HEAD}world.createCollider(RAPIER.ColliderDesc.ball(r), b);", "ball(…) must be a number, got r"),
    (f"{HEAD}world.createCollider(RAPIER.ColliderDesc.ball(1), c);", "needs a collider and a body of the text"),
    (f"{HEAD}world.createCollider(RAPIER.ColliderDesc.ball(1).scale(2), b);", "scale(…) is not understood"),
    (f"{HEAD}let c = RAPIER.RigidBodyDesc.fixed();", "Line 3: c is given and nothing uses it"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

"""Rapier's builders, from docs.rs: half sizes, a rotation vector in Rust, a quaternion by names in JavaScript."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Rounded, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def shape_of(rng: np.random.Generator) -> tuple[Shape, str]:
    """A shape and its builder's call."""
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f"cuboid({listed([a, b, c])})"),
        (Sphere(a), f"ball({decimal(a)})"),
        (Capsule(a, 2 * b), f"capsule_y({listed([b, a])})"),
        (Cylinder(a, 2 * b), f"cylinder({listed([b, a])})"),
        (Rounded(Box((2 * a, 2 * b, 2 * c)), 0.25), f"round_cuboid({listed([a, b, c])}, 0.25)"),
    )[int(rng.integers(5))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    script = bool(rng.integers(2))
    for name in ("floor", "crate_"):
        (shape, call), place, q = shape_of(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        bodies.append(Body(shape, place, q))
        if script:
            w, x, y, z = q
            record = f"{{ x: {decimal(x)}, y: {decimal(y)}, z: {decimal(z)}, w: {decimal(w)} }}"
            call = call.replace("capsule_y", "capsule").replace("round_cuboid", "roundCuboid")
            lines.append(f"RAPIER.ColliderDesc.{call}.setTranslation({listed(place)}).setRotation({record});")
        else:
            axis, angle = quaternion.to_axis_angle(q)
            vector = np.array(axis) * angle
            lines.append(
                f"let {name} = ColliderBuilder::{call}.translation(vector![{listed(place)}])"
                f".rotation(vector![{listed(vector)}]);"
            )
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("floor", "ground").replace("crate_", "b2")
    yield text.replace(";", ".restitution(0.7).friction(0.5);") if "Builder" in text else text
    yield text.replace("vector![", "Vector3::new(").replace("])", "))")
    yield text.replace(").", ")\n    .")


REFUSED = (
    ("let a = ColliderBuilder::cuboid(r, r, r);\nlet b = ColliderBuilder::ball(0.5);", "must be a number, got r"),
    ("let a = ColliderBuilder::trimesh(0.5);\nlet b = ColliderBuilder::ball(0.5);", "trimesh(…) is not understood"),
    ("let a = ColliderBuilder::cuboid(0.5, 0.5);\nlet b = ColliderBuilder::ball(0.5);", "needs 3 numbers, got 2"),
    ("let b = ColliderBuilder::ball(0.5);", "Found one body, expected two"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

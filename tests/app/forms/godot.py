"""Godot's scene files, from its manual: full sizes, a capsule's height with caps, a basis by rows, then the origin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, str, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), "BoxShape3D", f"size = Vector3({listed([a, b, c])})"),
        (Sphere(a), "SphereShape3D", f"radius = {decimal(a)}"),
        (Capsule(a, b), "CapsuleShape3D", f"radius = {decimal(a)}\nheight = {decimal(b + 2.0 * a)}"),
        (Cylinder(a, b), "CylinderShape3D", f"radius = {decimal(a)}\nheight = {decimal(b)}"),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    shapes, nodes, bodies = [], ['[node name="World" type="Node3D"]'], []
    for name in ("Floor", "Crate"):
        (shape, kind, sizes), place, offset = _shape(rng), rng.uniform(-2.0, 2.0, 3), rng.uniform(-1.0, 1.0, 3)
        outer, inner = (quaternion.to_matrix(turned(rng)) for _ in range(2))
        x, y, z = (place + outer @ offset).tolist()
        bodies.append(Body(shape, (x, y, z), quaternion.from_matrix(outer @ inner)))
        shapes.append(f'[sub_resource type="{kind}" id="{name}_1"]\n{sizes}')
        nodes.append(f'[node name="{name}" type="StaticBody3D" parent="."]')
        nodes.append(f"transform = Transform3D({listed(outer)}, {listed(place)})")
        nodes.append(f'[node name="Shape" type="CollisionShape3D" parent="{name}"]')
        nodes.append(f'transform = Transform3D({listed(inner)}, {listed(offset)})\nshape = SubResource("{name}_1")')
    return "\n".join((*shapes, *nodes)), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("Floor", "Ground").replace('type="StaticBody3D"', 'type="RigidBody3D"')
    yield '[gd_scene load_steps=3 format=3 uid="uid://abc"]\n; two bodies\n' + text
    yield text.replace('parent="."]', 'parent="."]\ncollision_layer = 3')


_S = '[sub_resource type="BoxShape3D" id="1"]\nsize = Vector3(1, 1, 1)\n[node name="A" type="CollisionShape3D"]\n'
REFUSED = (
    (f'{_S}shape = SubResource("1")', "Found one body, expected two"),
    (f'{_S}shape = SubResource("2")', "the shape of A is missing"),
    (f'{_S}rotation_degrees = Vector3(0, 45, 0)\nshape = SubResource("1")', "rotation_degrees is not understood"),
    (f"{_S}transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1.4)", "needs 12 numbers, got 10"),
    (f'{_S}transform = Transform3D(1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)\nshape = SubResource("1")', "is sheared"),
    (f'{_S}shape = SubResource("1")\n[node name="B" type="CollisionShape3D" parent="X"]', "the shape of B is missing"),
    ('[sub_resource type="HeightMapShape3D" id="1"]', "HeightMapShape3D is not understood"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

"""JSON objects, from the grammar of app/forms/json_bodies.py, written by the standard library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Shape, Sphere

from .sample import Sample, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, dict[str, Any]]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), {"type": "box", "size": [a, b, c]}),
        (Box((2 * a, 2 * b, 2 * c)), {"type": "box", "halfExtents": [a, b, c]}),
        (Sphere(a), {"type": "Sphere", "radius": a}),
        (Capsule(a, b), {"type": "capsule", "radius": a, "length": b, "axis": "y"}),
        (Capsule(a, b), {"type": "capsule", "radius": a, "height": b + 2 * a, "axis": "y"}),
        (Cylinder(a, b), {"type": "cylinder", "radius": a, "height": b, "axis": "y"}),
    )[int(rng.integers(6))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    told, bodies, nested = {}, [], bool(rng.integers(2))
    for n in "ab":
        shape, record = _shape(rng)
        place, (w, x, y, z) = rng.uniform(-2.0, 2.0, 3).tolist(), turned(rng)
        bodies.append(Body(shape, (place[0], place[1], place[2]), (w, x, y, z)))
        whole = {"shape": record} if nested else dict(record)
        whole["position"] = dict(zip("xyz", place, strict=True)) if rng.integers(2) else place
        if rng.integers(2):
            whole["rotation"] = {"x": x, "y": y, "z": z, "w": w}
        else:
            whole["quaternion_xyzw"] = [x, y, z, w]
        told[n] = whole
    value: Any = told if rng.integers(2) else list(told.values())
    return json.dumps(value), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield json.dumps(json.loads(text), indent=2)
    yield text.replace('"position"', '"mass": 2, "position"')
    yield text.replace('"halfExtents"', '"half_extents"')


BALL = '[{"type": "sphere", "radius": 1, "position": [0, 0, 0]},\n'
REFUSED = (
    (f'{BALL}{{"type": "box", "size": [1, 1, 1], "rotation": [0, 0, 0, 1]}}]', "a rotation needs x, y, z, w"),
    (f'{BALL}{{"type": "box", "size": [1, 1, 1], "tilt": 3}}]', "Line 2: tilt is not understood"),
    (f'{BALL}{{"type": "box", "size": [1, 1]}}]', "a size needs 3 numbers, got 2"),
    (f'{BALL}{{"type": "torus", "radius": 1}}]', 'the shape "torus" is not understood'),
    (f'{BALL}{{"type": "box", "radius": 1}}]', "a box needs its size or its half extents"),
    (f'{BALL}{{"type": "cylinder", "radius": 1, "height": 2}}]', "a cylinder needs its axis"),
    (f'{BALL}{{"type": "sphere", "radius": 1, "height": 2}}]', "height of a sphere is not understood"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

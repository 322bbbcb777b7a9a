"""ROS messages, from their .msg files: type 1 box, 2 sphere, 3 cylinder, 4 cone (height, radius), along z, z up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Scene
from core.shapes import Box, Cone, Cylinder, Shape, Sphere

from .sample import Sample, decimal, turned
from .urdf import standing


def _shape(rng: np.random.Generator) -> tuple[Shape, int, list[float]]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), 1, [a, b, c]),
        (Sphere(a), 2, [a]),
        (Cylinder(a, b), 3, [b, a]),
        (Cone(a, b), 4, [b, a]),
    )[int(rng.integers(4))]


def _pose(rng: np.random.Generator) -> tuple[np.ndarray, quaternion.Quaternion]:
    return rng.uniform(-2.0, 2.0, 3), turned(rng)


def _mapping(names: str, values: list[float], before: str, *, flow: bool) -> str:
    pairs = [f"{name}: {decimal(value)}" for name, value in zip(names, values, strict=True)]
    if flow:
        return " {" + ", ".join(pairs) + "}\n"
    return " \n" + "".join(f"{before}  {pair}\n" for pair in pairs)


def _printed(place: np.ndarray, q: quaternion.Quaternion, before: str, *, flow: bool) -> str:
    w, x, y, z = q
    first = _mapping("xyz", place.tolist(), before, flow=flow)
    return f"{before}position:{first}{before}orientation:{_mapping('xyzw', [x, y, z, w], before, flow=flow)}"


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    text, bodies = "", []
    whole, flow, first = (bool(one) for one in rng.integers(2, size=3))
    for name in ("table", "mug"):
        shape, kind, sizes = _shape(rng)
        place, q = _pose(rng)
        numbers = f"[{', '.join(map(decimal, sizes))}]"
        if not whole:
            text += f"type: {kind}\ndimensions: {numbers}\n---\n{_printed(place, q, '', flow=flow)}---\n"
        else:
            middle, turn = _pose(rng)
            text += (
                f"header: \n  seq: 3\n  frame_id: world\npose: \n{_printed(middle, turn, '  ', flow=flow)}id: {name}\n"
            )
            if first:
                listed = "".join(f"    - {decimal(size)}\n" for size in sizes)
                text += (
                    f"primitives:\n- type: {kind}\n  dimensions:\n{listed.replace('    -', '  -')}primitive_poses:\n"
                )
                text += "-" + _printed(place, q, "  ", flow=flow)[1:]
            else:
                text += f"primitives: \n  - \n    type: {kind}\n    dimensions: {numbers}\nprimitive_poses: \n  - \n"
                text += _printed(place, q, "    ", flow=flow)
            text += "meshes: []\nplanes: []\noperation: 0\n---\n"
            place = middle + np.array(quaternion.rotate(turn, tuple(place.tolist())))
            q = quaternion.multiply(turn, q)
        bodies.append(standing(shape, place, q))
    return text, Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"$ rostopic echo /collision_object\n{text}"
    yield text.replace("seq: 3", "seq: 12345")
    yield text.replace("frame_id: world", 'frame_id: "world"  # fixed')
    yield text[:-4]


POSE = "position: {x: 0, y: 0, z: 0}\norientation: {x: 0, y: 0, z: 0, w: 1}\n"
BOX = f"type: 1\ndimensions: [1, 1, 1]\n{POSE}---\n"
INNER = POSE.replace("orient", "  orient")
WHOLE = f"primitives:\n- type: 1\n  dimensions: [1, 1, 1]\nprimitive_poses:\n- {INNER}"
REFUSED = (
    (f"{BOX}type: 5\ndimensions: [1]\n{POSE}", "Line 6: the type 5 is not understood"),
    (f"{BOX}type: 3\ndimensions: [1]\n{POSE}", "Line 7: a cylinder needs 2 dimensions, got 1"),
    (f"{BOX}type: 1\ndimensions: [1, 1, nan]\n{POSE}", "Line 7: dimensions: nan is no number"),
    (f"{BOX}type: 2\ndimensions: [1]\n{POSE.replace('w: 1', 'w: 2')}", "a rotation's quaternion must have length 1"),
    (f"{BOX}type: 2\ndimensions: [1]\n{POSE.replace(', w: 1', '')}", "orientation needs x, y, z, w"),
    (f"{BOX}type: 2\ndimensions: [1]\nscale_factor: 2\n{POSE}", "Line 8: scale_factor is not understood"),
    (f"{WHOLE}operation: 1\n---\n{WHOLE}", "Line 7: the operation 1 is not ADD"),
    (f"{WHOLE}meshes: [1]\n---\n{WHOLE}", "Line 7: meshes are not understood"),
    (
        f"header: {{frame_id: a}}\n{WHOLE}---\nheader: {{frame_id: b}}\n{WHOLE}",
        "this pose is in b, and one before it in a",
    ),
    (f"{WHOLE}  tilt: 3\n---\n{WHOLE}", "tilt is no part of a pose"),
    (WHOLE, "Found one body, expected two"),
    (POSE + POSE, "a shape is missing"),
    (f"{WHOLE}\tx: 1", "Line 7: a tab stands where spaces"),
)
SAMPLE = Sample("rows", pair, variants, REFUSED)

"""MuJoCo as an engine: `mj_geomDistance` between two geoms, signed, with a point on each; double precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from core import Box, Capsule, Cylinder, Ellipsoid, Scene, Shape, Sphere
from core.geometry.quaternion import from_matrix
from core.study.differential.answers import Answer, Engine, EngineAnswer, Unsupported
from tests.library_shapes import axes_there

MUJOCO = Engine("mujoco", "4.0.0")
KINDS = ("box", "sphere", "capsule", "cylinder", "ellipsoid")
FARTHEST, CLOSEST = 1e4, 1e-5
MODELS: dict[tuple[str, str], Any] = {}


def _size(shape: Shape) -> tuple[str, tuple[float, ...]] | None:
    match shape:
        case Box((x, y, z)):
            return "box", (x / 2, y / 2, z / 2)
        case Sphere(radius):
            return "sphere", (radius, 0.0, 0.0)
        case Capsule(radius, length):
            return "capsule", (radius, length / 2, 0.0)
        case Cylinder(radius, height):
            return "cylinder", (radius, height / 2, 0.0)
        case Ellipsoid(radii):
            return "ellipsoid", radii
    return None


def ask_mujoco(mujoco: Any, scene: Scene) -> Answer:
    """Its answer in our convention; `mujoco` is the module. Its points tell the normal."""
    sized = []
    for body in (scene.a, scene.b):
        found = _size(body.shape)
        if found is None:
            return Unsupported(body.shape.word)
        sized.append(found)
    names = sized[0][0], sized[1][0]
    if names not in MODELS:
        geoms = "".join(f'<body><freejoint/><geom type="{name}" size="1 1 1"/></body>' for name in names)
        model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
        MODELS[names] = model, mujoco.MjData(model)
    model, data = MODELS[names]
    for k, (body, (_, size)) in enumerate(zip((scene.a, scene.b), sized, strict=True)):
        model.geom_size[k] = size
        model.geom_rbound[k] = body.shape.bounding_radius
        model.geom_aabb[k] = (0.0, 0.0, 0.0, *(3 * (body.shape.bounding_radius,)))
        data.qpos[7 * k : 7 * k + 3] = body.position
        data.qpos[7 * k + 3 : 7 * k + 7] = from_matrix(axes_there(body))
    mujoco.mj_kinematics(model, data)
    ends = np.zeros(6)
    number = mujoco.mj_geomDistance(model, data, 0, 1, FARTHEST, ends)
    on_a, on_b = (tuple(map(float, row)) for row in (ends[:3], ends[3:]))
    normal = tuple(((ends[3:] - ends[:3]) / number).tolist()) if abs(number) > CLOSEST else None
    return EngineAnswer(float(number), normal, on_a, on_b)

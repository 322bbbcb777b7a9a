"""Code that fills ROS messages, as MoveIt's tutorials write it: SolidPrimitive along z, quaternions by names, z up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.scene import Scene
from core.shapes import Box, Cone, Cylinder, Shape, Sphere

from .sample import Sample, decimal, listed, turned
from .urdf import standing


def _shape(rng: np.random.Generator) -> tuple[Shape, str, list[float], tuple[str, ...]]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), "BOX", [a, b, c], ("BOX_X", "BOX_Y", "BOX_Z")),
        (Sphere(a), "SPHERE", [a], ("SPHERE_RADIUS",)),
        (Cylinder(a, b), "CYLINDER", [b, a], ("CYLINDER_HEIGHT", "CYLINDER_RADIUS")),
        (Cone(a, b), "CONE", [b, a], ("CONE_HEIGHT", "CONE_RADIUS")),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    cpp, whole = bool(rng.integers(2)), bool(rng.integers(2))
    for n in "ab":
        shape, kind, sizes, parts = _shape(rng)
        place, q = rng.uniform(-2.0, 2.0, 3), turned(rng)
        bodies.append(standing(shape, place, q))
        w, x, y, z = map(decimal, q)
        if cpp:
            lines += [f"shape_msgs::SolidPrimitive s{n};", f"s{n}.type = s{n}.{kind};"]
            lines.append(f"s{n}.dimensions.resize({len(sizes)});")
            lines += [f"s{n}.dimensions[s{n}.{part}] = {size!r};" for part, size in zip(parts, sizes, strict=True)]
            lines.append(f"geometry_msgs::Pose p{n};")
            lines += [f"p{n}.position.{k} = {decimal(v)};" for k, v in zip("xyz", place, strict=True)]
            lines += [f"p{n}.orientation.{k} = {v};" for k, v in zip("wxyz", (w, x, y, z), strict=True)]
            if whole:
                lines += [f"moveit_msgs::CollisionObject {n};", f"{n}.primitives.push_back(s{n});"]
                lines += [f"{n}.primitive_poses.push_back(p{n});", f"{n}.operation = {n}.ADD;"]
            continue
        x3, y3, z3 = map(decimal, place)
        solid = f"SolidPrimitive(type=SolidPrimitive.{kind}, dimensions=[{listed(sizes)}])"
        pose = f"Pose(position=Point(x={x3}, y={y3}, z={z3}), orientation=Quaternion(x={x}, y={y}, z={z}, w={w}))"
        if whole:
            lines.append(f"{n} = CollisionObject(id='{n}', primitives=[{solid}], primitive_poses=[{pose}])")
        else:
            lines += [f"s{n} = {solid}", f"p{n} = {pose}"]
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.replace("shape_msgs::", "shape_msgs::msg::").replace("geometry_msgs::", "geometry_msgs::msg::")
    yield text.replace("SolidPrimitive(", "shape_msgs.msg.SolidPrimitive(").replace("Pose(", "geometry_msgs.msg.Pose(")
    yield f"from shape_msgs.msg import SolidPrimitive\n{text}" if "::" not in text else f"#include <x>\n{text}"


BALL = "a = SolidPrimitive(type=2, dimensions=[0.5])\np = Pose(Point(0, 0, 0), Quaternion(0, 0, 0, 1))\n"
REFUSED = (
    (f"{BALL}b = SolidPrimitive(type=7, dimensions=[1])\nq = Pose(Point(0, 0, 0), Quaternion(0, 0, 0, 1))", "type 7"),
    (f"{BALL}b = SolidPrimitive(type=1, dimensions=[1, 1])", "a box needs 3 dimensions, got 2"),
    (f"{BALL}b = SolidPrimitive(type=2, dimensions=[r])", "dimensions: r is no number"),
    (f"{BALL}b = SolidPrimitive(type=2, dimensions=[1])\nq = Pose(Point(1, 0, 0), Quaternion())", "length 1, got 0"),
    (f"{BALL}p.twist.x = 2", "twist is no part of a pose"),
    (f"{BALL}grow(a, 2)", "grow(…) is not understood"),
    (BALL, "Found one body, expected two"),
    ("shape_msgs::SolidPrimitive a;\na.dimensions[1] = 2.0;", "Line 2: the number 0 is expected first"),
)
SAMPLE = Sample("code", pair, variants, REFUSED)

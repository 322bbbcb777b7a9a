"""URDF, from urdfdom's headers: full sizes, shapes along z, z up, roll, pitch and yaw about fixed axes, radians."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin, sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Shape, Sphere

from .sample import Sample, listed

UP: quaternion.Quaternion = (sqrt(0.5), -sqrt(0.5), 0.0, 0.0)
"""Turns the world's z to our y."""
ALONG_Z: quaternion.Quaternion = (sqrt(0.5), sqrt(0.5), 0.0, 0.0)
"""Turns our y to z."""


def angles(rng: np.random.Generator) -> tuple[list[float], quaternion.Quaternion]:
    """Roll, pitch and yaw, and the quaternion as urdfdom's setFromRPY has it."""
    roll, pitch, yaw = rng.uniform(-1.5, 1.5, 3).tolist()
    a, b, c = roll / 2, pitch / 2, yaw / 2
    x = sin(a) * cos(b) * cos(c) - cos(a) * sin(b) * sin(c)
    y = cos(a) * sin(b) * cos(c) + sin(a) * cos(b) * sin(c)
    z = cos(a) * cos(b) * sin(c) - sin(a) * sin(b) * cos(c)
    return [roll, pitch, yaw], (cos(a) * cos(b) * cos(c) + sin(a) * sin(b) * sin(c), x, y, z)


def standing(shape: Shape, place: np.ndarray, q: quaternion.Quaternion) -> Body:
    """The body in our axes, of a pose with z up and a shape along z."""
    own = quaternion.multiply(q, ALONG_Z) if isinstance(shape, Capsule | Cone | Cylinder) else q
    return Body(shape, quaternion.rotate(UP, tuple(place.tolist())), quaternion.multiply(UP, own))


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f'<box size="{listed([a, b, c], " ")}"/>'),
        (Sphere(a), f'<sphere radius="{a!r}"/>'),
        (Capsule(a, b), f'<capsule radius="{a!r}" length="{b!r}"/>'),
        (Cylinder(a, b), f'<cylinder radius="{a!r}" length="{b!r}"/>'),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, words), place, (rpy, q) = _shape(rng), rng.uniform(-2.0, 2.0, 3), angles(rng)
        bodies.append(standing(shape, place, q))
        lines.append(
            f'<link name="{name}"><collision><origin xyz="{listed(place, " ")}" rpy="{listed(rpy, " ")}"/>'
            f"<geometry>{words}</geometry></collision></link>"
        )
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f'<?xml version="1.0"?>\n<robot name="r">{text}</robot>'
    yield "\n".join(f'<robot name="r">{line}</robot>' for line in text.split("\n"))
    yield text.replace("<collision>", '<inertial><mass value="2.5"/></inertial><collision name="c">')
    joint = '<joint name="j" type="{}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
    yield f"<robot>{text}{joint.format('fixed')}</robot>"
    yield f"<robot>{text}{joint.format('continuous')}</robot>"
    yield text.replace('<link name="a">', "").replace("</link>", "", 1)


BALL = '<collision><geometry><sphere radius="1"/></geometry></collision>'
PAIR = f'<link name="a">{BALL}</link>\n<link name="b">{BALL}</link>\n'
ENDS = '<parent link="a"/><child link="b"/>'
REFUSED = (
    (f'{BALL}<collision><geometry><mesh filename="a.stl"/></geometry></collision>', "a mesh stands in a file"),
    (f'{BALL}\n<collision><geometry><cylinder radius="1"/></geometry></collision>', "Line 2: <cylinder> needs its len"),
    (f'{BALL}\n<collision><geometry><box size="1 1"/></geometry></collision>', "box size needs 3 numbers, got 2"),
    (f"{PAIR}{BALL}", "Line 3: found 3 bodies, expected two"),
    (BALL, "Found one body, expected two"),
    (f'{PAIR}<joint type="floating"/>', 'a joint of type "floating" is not understood'),
    (f'{PAIR}<joint type="fixed"><parent link="a"/></joint>', "needs a parent and a child"),
    (f'{PAIR}<joint type="fixed"><parent link="a"/><child link="c"/></joint>', "the link c of a joint is not in the"),
    (
        f'{PAIR}<joint name="j" type="prismatic">{ENDS}<limit lower="1" upper="2"/></joint>',
        "the joint j cannot be at 0",
    ),
    (f'{PAIR}<joint type="fixed">{ENDS}<mimic joint="k"/></joint>', "<mimic> in <joint>"),
    ('<link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link>', "a visual but no collision"),
    (
        f"{BALL}\n" + BALL.replace("<geometry>", '<origin xyz="0 0 0" quat="0 0 0 1"/><geometry>'),
        "Line 2: quat of <origin> is not understood",
    ),
    (f"{BALL}\n" + BALL.replace("<geometry>", "<scale>2</scale><geometry>"), "<scale> in <collision> is not"),
)
SAMPLE = Sample("xml", pair, variants, REFUSED)

"""SDFormat: full sizes, shapes along z, z up, poses x y z roll pitch yaw inside each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere

from .sample import Sample, listed
from .urdf import angles, standing


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"<box><size>{listed([a, b, c], ' ')}</size></box>"),
        (Sphere(a), f"<sphere><radius>{a!r}</radius></sphere>"),
        (Capsule(a, b), f"<capsule><radius>{a!r}</radius><length>{b!r}</length></capsule>"),
        (Cylinder(a, b), f"<cylinder><length>{b!r}</length><radius>{a!r}</radius></cylinder>"),
        (Ellipsoid((a, b, c)), f"<ellipsoid><radii>{listed([a, b, c], ' ')}</radii></ellipsoid>"),
    )[int(rng.integers(5))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], list[Body]()
    for name in "ab":
        (shape, words), inner, outer = _shape(rng), rng.uniform(-2.0, 2.0, 3), rng.uniform(-2.0, 2.0, 3)
        (rpy, q), (outer_rpy, outer_q) = angles(rng), angles(rng)
        place = outer + np.array(quaternion.rotate(outer_q, tuple(inner.tolist())))
        bodies.append(standing(shape, place, quaternion.multiply(outer_q, q)))
        if rng.integers(2):
            w, x, y, z = q
            pose = f'<pose rotation_format="quat_xyzw">{listed([*inner, x, y, z, w], " ")}</pose>'
        else:
            pose = f"<pose>{listed([*inner, *rpy], ' ')}</pose>"
        lines.append(
            f'<model name="{name}"><pose>{listed([*outer, *outer_rpy], " ")}</pose><link name="l">'
            f'<collision name="c">{pose}<geometry>{words}</geometry></collision></link></model>'
        )
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f'<?xml version="1.0"?>\n<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity>{text}</world></sdf>'
    yield text.replace("<link", "<static>true</static><link")
    yield text.replace("<geometry>", "<surface><friction/></surface><geometry>")
    yield re.sub(r"<(pose|size|radius)>", r"<\1> ", text).replace("<pose> ", "<pose>\n      ")
    yield text.replace('<link name="l">', '<link name="l"><pose>0 0 0 0 0 0</pose>')
    yield text.replace("<pose>", '<pose degrees="false">')


BALL = "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision>"


def posed(pose: str) -> str:
    """Two balls, the second with a pose, on the second line."""
    return f"{BALL}\n{BALL.replace('<geometry>', pose + '<geometry>')}"


REFUSED = (
    (posed("<pose>0 0 1</pose>"), "Line 2: a pose needs 6 numbers, got 3"),
    (posed('<pose relative_to="arm">0 0 1 0 0 0</pose>'), 'Line 2: the frame "arm" of <pose> is not understood'),
    (posed('<pose degrees="yes">0 0 1 0 0 0</pose>'), "Line 2: a pose needs euler_rpy or quat_xyzw, and degrees true"),
    (posed('<pose rotation_format="quat_xyzw">0 0 1 0 0 0 2</pose>'), "Line 2: a rotation's quaternion must have len"),
    (posed("<pose>0 0 0 0 0 0</pose><pose>0 0 1 0 0 0</pose>"), "Line 2: <collision> has more than one pose"),
    (f"{BALL}\n{BALL.replace('radius', 'diameter')}", "<diameter> in <sphere> is not understood"),
    (f"{BALL}\n{BALL.replace('sphere', 'cylinder')}", "<cylinder> needs its length"),
    (f"{BALL}\n{BALL.replace('sphere', 'heightmap')}", "<heightmap> in <geometry> is not understood"),
    (f"<model><include><uri>model://a</uri></include>{BALL}</model>", "<include> in <model> is not understood"),
    (f"{BALL}\n{BALL}\n{BALL}", "Line 3: found 3 bodies, expected two"),
    (f"<link>{BALL}<frame name='f'/></link>", "<frame> in <link> is not understood"),
)
SAMPLE = Sample("xml", pair, variants, REFUSED)

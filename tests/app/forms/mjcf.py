"""MJCF, from MuJoCo's XML reference: half sizes, shapes along z, z up, quaternions wxyz, angles in degrees."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, sqrt

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Ellipsoid, Shape, Sphere

from .sample import Sample, listed, turned

UP: quaternion.Quaternion = (sqrt(0.5), -sqrt(0.5), 0.0, 0.0)
"""Turns the world's z to our y."""


def _geom(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((2 * a, 2 * b, 2 * c)), f'type="box" size="{listed([a, b, c], " ")}"'),
        (Sphere(a), f'type="sphere" size="{listed([a], " ")}"'),
        (Capsule(a, 2 * b), f'type="capsule" size="{listed([a, b], " ")}"'),
        (Ellipsoid((a, b, c)), f'type="ellipsoid" size="{listed([a, b, c], " ")}"'),
    )[int(rng.integers(4))]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for name in "ab":
        (shape, words), place, q = _geom(rng), rng.uniform(-2.0, 2.0, 3), turned(rng)
        # Our capsules lie along y: a quarter turn about x takes y to z.
        own = quaternion.multiply(q, (sqrt(0.5), sqrt(0.5), 0.0, 0.0)) if isinstance(shape, Capsule) else q
        x, y, z = quaternion.rotate(UP, tuple(place.tolist()))
        bodies.append(Body(shape, (x, y, z), quaternion.multiply(UP, own)))
        axis, angle = quaternion.to_axis_angle(q)
        matrix = quaternion.to_matrix(q)
        turn = (
            f'quat="{listed(3.0 * np.array(q), " ")}"',
            f'axisangle="{listed([*axis, degrees(angle)], " ")}"',
            f'xyaxes="{listed([*matrix[:, 0], *matrix[:, 1]], " ")}"',
        )[int(rng.integers(3))]
        lines.append(f'<geom name="{name}" {words} pos="{listed(place, " ")}" {turn}/>')
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield f"<mujoco><worldbody>{text}</worldbody></mujoco>"
    yield "\n".join(f"<body>{line}</body>" for line in text.split("\n"))
    yield text.replace("<geom", '<geom rgba="1.0 0.0 0.0 1.0" mass="2.5"')
    yield text.replace("/>", "></geom>")


REFUSED = (
    ('<geom type="box" size="1 1"/>\n<geom size="1"/>', "Line 1: <geom> of type box needs 3 sizes, got 2"),
    ('<geom size="1"/>\n<geom size="1" class="big"/>', "Line 2: the class big is not in the text"),
    (
        '<mujoco><default><geom quat="1 0 0 0"/></default><geom size="1"/></mujoco>',
        "quat of <geom> in <default> is not",
    ),
    (
        '<mujoco><default><geom type="box" size="1 2 3"/></default><geom size="1"/><geom size="1"/></mujoco>',
        "of type box needs 3 sizes, got 1",
    ),
    ("<mujoco><default><default/></default><geom/></mujoco>", "a <default> in another one needs its class"),
    ('<mujoco><default><pair margin="2"/></default><geom/></mujoco>', "<pair> in <default> is not understood"),
    ('<geom size="1" quat="1 0 0 0" euler="0 0 9"/>\n<geom size="1"/>', "has more than one orientation"),
    ('<geom size="1"/>\n<geom type="mesh" mesh="bunny"/>', 'type "mesh" of <geom> is not understood'),
    ('<geom size="1"/>\n<geom size="one"/>', "geom size: one is no number"),
    ('<geom size="1"/>', "Found one body, expected two"),
    ('<geom size="1">\n<geom size="1"/>', "this is no whole XML"),
    ('<!DOCTYPE a [<!ENTITY b "c">]><geom size="1"/>', "is no whole XML"),
)
SAMPLE = Sample("xml", pair, variants, REFUSED)

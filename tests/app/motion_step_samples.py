"""Motions whose methods' steps are put into words and pictures; and those words."""

from __future__ import annotations

from functools import cache

from app.io.presets import load_preset, presets
from app.stages import step_text
from app.stages.word_parts import StepText
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.geometry import quaternion
from core.query.motion_steps import with_motion
from core.query.query import Moment, MotionStep, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
PRESETS = tuple(
    preset.id
    for preset in presets()
    if any(
        any(body.displacement) or any(body.angular_displacement)
        for body in (load_preset(preset.id).scene.a, load_preset(preset.id).scene.b)
    )
)
ROCK = Hull(((1.0, 0.0, 0.0), (-0.9, 0.2, 0.1), (0.0, 1.0, 0.1), (0.1, -1.0, 0.0), (0.2, 0.1, 0.8), (0.0, 0.2, -0.7)))
GROUND = Body(HalfSpace((0.0, 1.0, 0.0), 0.0), (0.3, -0.2, 0.1))
MORE: dict[str, Scene] = {
    "boxes that pass": Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 2.0, 1.0)), (3.0, 2.2, 0.4), TURNED, displacement=(-6.0, 0.2, 0.0))
    ),
    "boxes that part": Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 2.0, 1.0)), (3.0, 0.2, 0.4), TURNED, displacement=(2.0, 0.2, 0.0))
    ),
    "boxes too slow": Scene(
        Body(Box((1.0, 1.0, 1.0)), displacement=(0.3, 0.0, 0.0)), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.2, 0.1), TURNED)
    ),
    "boxes along an axis": Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 2.0, 0.0), displacement=(-4.0, 0.0, 0.0))
    ),
    "overlapping boxes": Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.6, 0.1, 0.2), TURNED, displacement=(1.0, 0.0, 0.0))
    ),
    "both at one way": Scene(
        Body(Sphere(0.5), displacement=(1.0, 0.0, 0.0)),
        Body(Sphere(0.4), (2.0, 0.0, 0.0), displacement=(1.0, 0.0, 0.0)),
    ),
    "spheres that miss": Scene(Body(Sphere(0.5)), Body(Sphere(0.4), (3.0, 1.0, 0.2), displacement=(-5.0, 0.1, 0.0))),
    "spheres far away": Scene(
        Body(Sphere(0.5), (1e5, -2e5, 3e4)), Body(Sphere(0.4), (1e5 + 3.0, -2e5, 3e4), displacement=(-4.0, 0.1, 0.0))
    ),
    "sphere to a corner": Scene(
        Body(Box((1.0, 1.2, 0.8)), rotation=TURNED), Body(Sphere(0.4), (2.0, 2.0, 2.0), displacement=(-2.2, -1.9, -2.0))
    ),
    "sphere past a corner": Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Sphere(0.3), (-2.0, 0.85, 0.85), displacement=(4.0, 0.0, 0.02))
    ),
    "sphere far from a box": Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Sphere(0.3), (-2.0, 4.0, 0.0), displacement=(4.0, 0.0, 0.0))
    ),
    "rocks": Scene(Body(ROCK), Body(ROCK, (3.0, 0.4, 0.2), TURNED, displacement=(-3.0, -0.2, 0.1))),
    "capsule and cone": Scene(
        Body(Capsule(0.3, 1.0), rotation=TURNED, displacement=(0.4, 0.1, 0.0)),
        Body(Cone(0.5, 1.0), (3.0, 0.6, 0.1), displacement=(-3.0, -0.4, 0.1)),
    ),
    "cylinder that turns": Scene(
        Body(Cylinder(0.4, 1.4)),
        Body(
            Box((1.0, 0.4, 0.6)), (2.5, 0.2, 0.0), displacement=(-2.4, 0.0, 0.1), angular_displacement=(0.3, 0.4, 2.0)
        ),
    ),
    "rock on a plane": Scene(GROUND, Body(ROCK, (0.2, 3.0, 0.1), TURNED, displacement=(0.4, -4.0, 0.2))),
    "box that leaves a plane": Scene(
        GROUND, Body(Box((1.0, 0.5, 0.8)), (0.2, 2.0, 0.1), TURNED, displacement=(0.4, 1.0, 0.2))
    ),
    "egg before a plane": Scene(
        Body(Ellipsoid((0.5, 0.9, 0.3)), (0.1, 2.0, 0.3), TURNED, displacement=(0.2, -0.4, 0.1)), GROUND
    ),
    "egg that rises": Scene(
        Body(Ellipsoid((0.5, 0.9, 0.3)), (0.1, 2.0, 0.3), TURNED, displacement=(0.2, 0.4, 0.1)), GROUND
    ),
}
ALL = (*PRESETS, *MORE)


@cache
def asked(name: str) -> Query:
    """Every step about a preset or one of MORE, those about the motion among them."""
    scene = MORE[name] if name in MORE else load_preset(name).scene
    return with_motion(query(analyse(scene)), sweep(scene))


def every_text(name: str) -> list[tuple[Query, Moment, MotionStep, StepText]]:
    """What is said about each of the motion's steps."""
    found = asked(name)
    return [
        (found, moment, moment.step, step_text(found, moment))
        for moment in found.moments
        if isinstance(moment.step, MotionStep)
    ]


def flat(name: str) -> bool:
    """Whether it is a scene of the plane."""
    return name not in MORE and load_preset(name).scene.dimension == 2

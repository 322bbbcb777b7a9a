"""Pairs whose steps are put into words, under several settings; and those words."""

from __future__ import annotations

import re
from functools import cache
from math import radians

from app.io.presets import load_preset, presets
from app.stages import stage_of, step_text
from app.stages.stage import At
from app.stages.word_parts import StepText
from core.analysis.algorithm_settings import AlgorithmSettings, SingleSettings
from core.analysis.analysis import analyse
from core.contact.policies.policy import PLANE_RULES, ContactPolicy
from core.geometry import quaternion
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.gjk.simplex import SubDistance
from core.query.query import Moment, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Circle, Cylinder, Hull, Polygon, Rounded, Sphere

from ..strategies import past_failures, read_scene, reported_cases

PRESETS = tuple(preset.id for preset in presets())

REGION = re.compile(r"<[−+01, ]+>")
"""A region of a box, as steps of motion write it."""

MORE: dict[str, Scene] = {
    "spheres with one centre": Scene(Body(Sphere(1.0), (0.3, 0.1, 0.2)), Body(Sphere(0.5), (0.3, 0.1, 0.2))),
    "crossing capsules": Scene(
        Body(Capsule(0.25, 2.0), (0.0, 0.0, 0.0)),
        Body(Capsule(0.25, 2.0), (0.1, 0.0, 0.0), quaternion.from_euler_xyz(1.2, 0.0, 0.0)),
    ),
    "aligned boxes": Scene(Body(Box((2.0, 1.0, 1.0)), (0.0, 0.0, 0.0)), Body(Box((1.0, 3.0, 1.0)), (1.3, 0.2, 0.1))),
    "a clipped face": Scene(
        Body(Box((2.0, 1.0, 2.0)), (0.0, 0.0, 0.0)),
        Body(Box((2.0, 1.0, 2.0)), (0.7, 0.95, 0.4), quaternion.from_euler_xyz(0.0, 0.7, 0.0)),
    ),
    "a tilted face": Scene(
        Body(Box((2.0, 1.0, 2.0)), (0.0, 0.0, 0.0)),
        Body(Box((1.0, 1.0, 1.0)), (0.2, 0.999, 0.1), quaternion.from_euler_xyz(0.004, 0.3, 0.002)),
    ),
    "sphere and capsule": Scene(Body(Sphere(0.5), (0.2, 0.0, 0.0)), Body(Capsule(0.3, 1.0), (1.9, 0.3, 0.0))),
    "box and cylinder": Scene(Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0)), Body(Cylinder(0.5, 1.0), (0.6, 0.5, 0.1))),
    "hull and capsule": Scene(
        Body(Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), (0.0, 0.0, 0.0)),
        Body(Capsule(0.2, 1.0), (0.8, 0.6, 0.5), quaternion.from_euler_xyz(0.3, 0.2, 0.9)),
    ),
    # Few pairs end GJK on a support point that comes back: rounding hides how the cylinders' sides are tilted.
    "cylinders side by side": Scene(
        Body(Cylinder(0.5, 1.0)),
        Body(Cylinder(0.5, 2.0), (0.0, 0.1, -1.0), quaternion.from_euler_xyz(6e-7, 3e-7, 0.0)),
    ),
    "far away": Scene(
        Body(Box((1.0, 1.0, 1.0)), (1e7, -2e7, 3e6)),
        Body(Box((1.0, 1.0, 1.0)), (1e7 + 0.9, -2e7 + 0.25, 3e6), quaternion.from_euler_xyz(0.3, 0.2, 0.9)),
    ),
}
_SQUARE = Polygon(((-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25)))
_BAR = Polygon(((-0.5, -0.25), (0.5, -0.25), (0.5, 0.25), (-0.5, 0.25)))
IN_PLANE: dict[str, Scene] = {
    "squares at an angle": Scene(Body(_BAR), Body.in_plane(_SQUARE, (-0.5, -0.5), radians(10.0))),
    "a square under another's corner": Scene(Body(_BAR), Body.in_plane(_SQUARE, (-0.5, -0.5), radians(60.0))),
    "squares with a border": Scene(
        Body(Rounded(_BAR, 0.1)), Body.in_plane(Rounded(_SQUARE, 0.05), (0.3, -0.6), radians(20.0))
    ),
    "two corners in one place": Scene(Body(_SQUARE), Body(_SQUARE, (0.5, 0.5, 0.0))),
    "square and circle": Scene(Body(_SQUARE), Body(Circle(0.5), (0.5, 0.3, 0.0))),
    "squares far away": Scene(
        Body(_BAR, (1e6, -2e6, 0.0)), Body.in_plane(_SQUARE, (1e6 - 0.5, -2e6 - 0.5), radians(10.0))
    ),
}
"""Pairs for the engines of the plane."""
OF_ENGINES = {policy.value: AlgorithmSettings(preference=policy) for policy in PLANE_RULES}
VARIANTS: dict[str, AlgorithmSettings] = {
    "defaults": AlgorithmSettings(build=True),
    "reduced": AlgorithmSettings(reduce=True),
    "clipped": AlgorithmSettings(preference=ContactPolicy.EXACT, reduce=True),
    "full support": AlgorithmSettings(rounded="full", build=True),
    "signed volumes": AlgorithmSettings(gjk=GjkSettings(sub_distance=SubDistance.SIGNED_VOLUMES)),
    "single precision": AlgorithmSettings(single=SingleSettings(steps=True)),
    "far out in single precision": AlgorithmSettings(single=SingleSettings(steps=True, world=True, away=1e5)),
    "few iterations": AlgorithmSettings(gjk=GjkSettings(iterations=2), epa=EpaSettings(iterations=2)),
}
REPORTED = {f"case {k}": read_scene(record["scene"]) for k, record in enumerate(reported_cases())}
PAST = {f"past failure {k}": scene for k, scene in enumerate(past_failures())}
SAMPLES = [(name, "defaults") for name in (*PRESETS, *MORE, *REPORTED, *PAST)] + [
    (name, variant) for name in MORE for variant in VARIANTS if variant != "defaults"
]
CLIPPED = [(name, "clipped") for name in MORE] + [(name, variant) for name in IN_PLANE for variant in OF_ENGINES]
SAMPLES += [sample for sample in CLIPPED if sample not in SAMPLES]
"""Names of pairs, each with the name of its settings."""


@cache
def asked(name: str, variant: str = "defaults") -> Query:
    """Every step about a pair under the settings of a variant."""
    known = MORE | REPORTED | PAST | IN_PLANE
    scene = known[name] if name in known else load_preset(name).scene
    return query(analyse(scene), (VARIANTS | OF_ENGINES)[variant])


def every_text(name: str, variant: str = "defaults") -> list[tuple[Query, Moment, StepText]]:
    """What is said about each of them."""
    found = asked(name, variant)
    return [(found, moment, step_text(found, moment)) for moment in found.moments]


def line_of(found: Query, moment: Moment) -> str:
    """The line of the phase's listing that a step ended on."""
    stage = stage_of(moment.phase)
    at = At[object](found, moment)
    return stage.listing_of(at).lines[stage.line(at.step)]


def check_lines(text: StepText, *, longest: int, title: int) -> None:
    """No line has a hole or code in it, no sentence more characters than `longest`, and no title more than `title`."""
    words = (text.title, text.known, text.decided, text.why, *(formula.plain for formula in text.formulas))
    if text.beside:
        words = (*words, text.beside)
    if text.stop is not None:
        words = (*words, text.stop.name.replace("_", " "), text.stop.meaning)
    for line in words:
        assert line, text
        assert line == line.strip()
        bare = REGION.sub("region", line)
        assert not re.search(r"nan|None|[{}_]|\binf\b|  |\.\.|[−-]0(?![.\d-])|array|<", bare), line
    for sentence in (text.known, text.decided, text.why):
        assert sentence.endswith("."), sentence
        assert not sentence[0].islower() or re.match(r"[dvwx] ", sentence), sentence  # a symbol keeps its case
        assert len(sentence) <= longest, sentence
    assert len(text.title) <= title, text.title
    for formula in text.formulas:
        assert len(formula.plain) <= 330, formula.plain
        assert not re.search(r"nan|None|−|∞|\d[eE]-?\d", formula.tex), formula.tex
        assert formula.tex.count("{") == formula.tex.count("}")

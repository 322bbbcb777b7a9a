"""Pairs whose steps are put into words, under several settings; and those words."""

from __future__ import annotations

import re
from functools import cache

from app.io.presets import load_preset, presets
from app.stages import stage_of, step_text
from app.stages.stage import At
from app.stages.word_parts import StepText
from core.analysis.algorithm_settings import AlgorithmSettings, SingleSettings
from core.analysis.analysis import analyse
from core.contact.policies.policy import ContactPolicy
from core.geometry import quaternion
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.gjk.simplex import SubDistance
from core.query.query import Moment, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Hull, Sphere

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
"""Names of pairs, each with the name of its settings."""


@cache
def asked(name: str, variant: str = "defaults") -> Query:
    """Every step about a pair under the settings of a variant."""
    known = MORE | REPORTED | PAST
    scene = known[name] if name in known else load_preset(name).scene
    return query(analyse(scene), VARIANTS[variant])


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

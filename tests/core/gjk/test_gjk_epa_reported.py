"""The signed distance of GJK and EPA for pairs that people reported against libraries, and some picked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.geometry.quaternion import normalized
from core.pair.pair import PairScale
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Shape, Sphere
from core.verdict import Provenance
from tests.core.gjk_samples import directions, judge

from .test_gjk_epa import answer_to

_FILE = Path(__file__).resolve().parents[3] / "assets" / "cases" / "cases.json"


def _body(entry: dict[str, Any]) -> Body:
    shape = entry["shape"]
    numbers = {key: value for key, value in shape.items() if key != "type"}
    made: Shape
    match shape["type"]:
        case "box":
            made = Box(tuple(numbers["size"]))
        case "ellipsoid":
            made = Ellipsoid(tuple(numbers["radii"]))
        case "hull":
            made = Hull.of(numbers["points"])
        case kind:
            made = {"sphere": Sphere, "capsule": Capsule, "cylinder": Cylinder, "cone": Cone}[kind](**numbers)
    position = tuple(map(float, entry["position"]))
    rotation = normalized(tuple(entry.get("rotation", (1.0, 0.0, 0.0, 0.0))))
    return Body(made, position, rotation)


CASES = [
    case
    for case in json.loads(_FILE.read_text("utf-8"))["cases"]
    if "halfspace" not in (case["scene"]["a"]["shape"]["type"], case["scene"]["b"]["shape"]["type"])
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_pair_that_somebody_reported(case: dict[str, Any]) -> None:
    scene = Scene(_body(case["scene"]["a"]), _body(case["scene"]["b"]), name=case["id"])
    scale = PairScale.of(scene.a, scene.b)
    truth = case["truth"]["separation"]
    core, full = answer_to(scene), answer_to(scene, "full")
    assert core.certainty.provenance is Provenance.CERTIFIED
    assert abs(core.separation - truth) <= 1e-13 * scale.extent
    judge(scene, core, directions(np.random.default_rng(5), 300), 1e-14)
    assert full.lower - 1e-13 * scale.extent <= truth <= full.upper + 1e-13 * scale.extent


CURVED_CASES = (
    (Cylinder(0.5, 1.0), (0.0, 0.0, 0.0), Sphere(0.3), (0.3, 0.0, 0.0), -0.5),
    (Box((1.0, 0.6, 0.4)), (0.0, 0.0, 0.0), Capsule(0.1, 1.2), (0.0, 0.1, 0.0), -0.3),
    (Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0), Capsule(0.2, 0.6), (0.0, 0.0, 0.0), -0.7),
    (Cylinder(1.0, 2.0), (0.0, 0.0, 0.0), Cylinder(1.0, 2.0), (0.0, 2.0, 0.0), 0.0),
    (Cylinder(1.0, 2.0), (0.0, 0.0, 0.0), Cylinder(1.0, 2.0), (2.0, 0.0, 0.0), 0.0),
    (Cylinder(1.0, 2.0), (0.0, 0.0, 0.0), Cylinder(1.0, 2.0), (1.95, 1.98, 0.0), -0.02),
    (Ellipsoid((1.0, 2.0, 0.5)), (0.0, 0.0, 0.0), Box((1.0, 1.0, 1.0)), (0.0, 0.0, 1.0), 0.0),
    (Cone(1.0, 2.0), (0.0, 0.0, 0.0), Cone(1.0, 2.0), (0.0, 2.0, 0.0), 0.0),
    (Cone(1.0, 2.0), (0.0, 0.0, 0.0), Sphere(0.5), (0.0, 2.0, 0.0), 0.5),
)


@pytest.mark.parametrize(("a", "at_a", "b", "at_b", "separation"), CURVED_CASES)
def test_hand_picked_curved_pairs(a: Shape, at_a: Any, b: Shape, at_b: Any, separation: float | None) -> None:
    scene = Scene(Body(a, at_a), Body(b, at_b))
    answer = answer_to(scene)
    judge(scene, answer, directions(np.random.default_rng(6), 1000), 1e-14)
    assert answer.certainty.provenance is Provenance.CERTIFIED
    if separation is not None:
        assert abs(answer.separation - separation) <= 1e-13

"""A certificate convinces a script of numpy alone, and no other number in it does."""

from __future__ import annotations

import ast
import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from app.io import scene_file
from core import Body, Box, Capsule, Circle, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Rounded, Scene, Sphere
from core.analysis.brief import distance_of
from core.geometry.quaternion import from_rotation_vector
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.certificates import certified
from core.study.differential.classes import Kind, Truth, judge
from tests.core.engine_faults import FAULTS, fault
from tests.shape_truths import truth_of

SCRIPT = Path(__file__).resolve().parents[4] / "assets" / "repro" / "certificate.py"
refutes = runpy.run_path(str(SCRIPT))["refutes"]

EXACT = Engine("exact")
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
TURN = from_rotation_vector((0.3, -0.5, 0.7))
CORNERS = [(x, y, z) for x in (-0.9, 0.8) for y in (-0.7, 1.0) for z in (-0.6, 0.6)]
SHAPES = {
    "box": Box((2.0, 1.4, 1.2)),
    "sphere": Sphere(0.9),
    "capsule": Capsule(0.6, 1.1),
    "cylinder": Cylinder(0.8, 1.3),
    "cone": Cone(1.0, 1.8),
    "ellipsoid": Ellipsoid((1.2, 0.8, 0.7)),
    "hull": Hull.of(CORNERS),
    "rounded box": Rounded(Box((1.5, 1.0, 1.2)), 0.1),
    "rounded hull": Rounded(Hull.of(CORNERS), 0.1),
}


def finding(scene: Scene, engine: Engine, answer: EngineAnswer) -> dict[str, Any]:
    """What the script reads, with the class; its certificate is None where there is none."""
    truth = Truth.of(distance_of(scene))
    found = judge(scene, truth, engine, answer)
    certificate = certified(scene, truth, answer, found)
    parts = {"scene": scene_file.to_tree(scene), "answer": answer, "tolerance": found.tolerance}
    read: dict[str, Any] = json.loads(msgspec.json.encode(parts | {"certificate": certificate, "class": found.kind}))
    return read


def altered(part: Any, by: float) -> Iterator[Any]:
    """The same with one of its numbers moved, each in turn; numbers of points stand for others."""
    rows = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in rows:
        others: list[Any] = []
        if isinstance(value, dict | list):
            others += altered(value, by)
        elif isinstance(value, float):
            others += [value + by, value - by]
        elif isinstance(value, int):
            others += [value + 1 if value == 0 else value - 1]
        for other in others:
            copy = dict(part) if isinstance(part, dict) else list(part)
            copy[key] = other
            yield copy


def convinces_alone(found: dict[str, Any], most: int = 400) -> None:
    """The certificate is accepted, and with any one number moved by a thousandth of L it is not."""
    assert found["certificate"] is not None, found["class"]
    assert refutes(found)
    others = list(altered(found["certificate"], 1e-3))
    for other in others[:: max(1, len(others) // most)]:
        assert not refutes(found | {"certificate": other})


@pytest.mark.parametrize("name", FAULTS)
def test_faults_found_before_are_proved(name: str) -> None:
    convinces_alone(finding(*fault(name)))


def apart_and_deep(name: str, apart: float, other: str = "cylinder") -> Scene:
    return Scene(Body(SHAPES[name], (0.1, 0.2, -0.3), TURN), Body(SHAPES[other], (apart, 0.2, 0.4)))


def said(scene: Scene, more: float) -> EngineAnswer:
    """The true answer, but for its number."""
    truth = distance_of(scene)
    rows = (tuple(map(float, row)) for row in (truth.normal, truth.witness_a, truth.witness_b))
    return EngineAnswer(truth.separation + more, *rows)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("other", ["cylinder", "hull"])
@pytest.mark.sampled(3, "random")
def test_every_kind_is_proved_for_every_shape(name: str, other: str) -> None:
    far, deep = apart_and_deep(name, 4.0, other), apart_and_deep(name, 0.5, other)
    cases = (
        (far, said(far, 0.1), Kind.DISTANCE_LARGE, "nearer points"),
        (far, said(far, -0.1), Kind.DISTANCE_SMALL, "wider gap"),
        (far, said(far, -100.0), Kind.FALSE, "separating plane"),
        (deep, said(deep, -0.1), Kind.DEPTH_LARGE, "shorter way out"),
        (deep, said(deep, 0.2), Kind.DEPTH_SMALL, "common point after the move"),
        (deep, said(deep, 100.0), Kind.MISSED, "common point"),
        (deep, EngineAnswer(said(deep, 0.2).separation), Kind.DEPTH_SMALL, "polytope"),
        (deep, EngineAnswer(said(deep, 0.0).separation, Y), Kind.WRONG, "normal by support values"),
    )
    for scene, answer, kind, proof in cases:
        found = finding(scene, EXACT, answer)
        assert found["class"] == kind
        if proof == "polytope" and "rounded" in name:
            continue  # of a border a polytope uses nothing, and so proves less
        assert found["certificate"]["kind"] == proof
        convinces_alone(found, 60)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("way", [0.05, -0.05])
def test_points_off_their_surface_are_proved(name: str, way: float) -> None:
    scene = apart_and_deep(name, 4.0)
    answer = said(scene, 0.0)
    assert answer.normal is not None
    assert answer.on_a is not None
    moved = tuple(p + way * n for p, n in zip(answer.on_a, answer.normal, strict=True))
    found = finding(scene, EXACT, msgspec.structs.replace(answer, on_a=moved))
    if found["certificate"] is None:
        # In the corner of a hull no ball is as large as the tolerance: then there is no finding.
        assert way < 0.0
        return
    assert found["certificate"]["kind"] == ("point outside" if way > 0.0 else "point inside")
    convinces_alone(found)


@pytest.mark.parametrize("other", SHAPES)
def test_a_half_space_is_proved_against_every_shape(other: str) -> None:
    ground = Body(HalfSpace((0.0, 2.0, 1.0), 0.4), (0.3, 0.1, 0.0), TURN)
    for height, more, proof in ((4.0, -100.0, "separating plane"), (-0.3, 100.0, "common point"), (-0.3, 0.2, "after")):
        scene = Scene(ground, Body(SHAPES[other], (0.0, height, 0.0)))
        for one, answer in ((scene, said(scene, more)), (scene.swapped(), said(scene.swapped(), more))):
            found = finding(one, EXACT, answer)
            assert proof in found["certificate"]["kind"]
            convinces_alone(found, 100)


@pytest.mark.parametrize("other", SHAPES)
@pytest.mark.parametrize("height", [-0.3, 1.2])
@pytest.mark.parametrize("turned", [0.05, 1.0, 2.0, np.pi])
@pytest.mark.sampled(3, "random")
def test_a_wrong_normal_against_a_half_space_is_proved(other: str, height: float, turned: float) -> None:
    ground = Body(HalfSpace((0.3, 1.0, -0.2), 0.4), (0.2, -0.1, 0.5), TURN)
    up = ground.pose.matrix @ np.array((0.3, 1.0, -0.2)) / np.linalg.norm((0.3, 1.0, -0.2))
    side = np.cross(up, X) / np.linalg.norm(np.cross(up, X))
    body = Body(SHAPES[other], tuple(((0.4 + float(up @ ground.position)) * up + height * up).tolist()), TURN)
    for scene, sign in ((Scene(ground, body), 1.0), (Scene(body, ground), -1.0)):
        normal = sign * (np.cos(turned) * up + np.sin(turned) * side)
        answer = EngineAnswer(distance_of(scene).separation, tuple(normal.tolist()))
        found = finding(scene, EXACT, answer)
        assert found["class"] == Kind.WRONG
        assert found["certificate"]["kind"] == "normal by points"
        convinces_alone(found, 40)
        right = found | {"answer": {**found["answer"], "normal": (sign * up).tolist()}}
        assert not refutes(right)


def test_pairs_of_the_plane_are_proved() -> None:
    square = Polygon.of([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    for shape in (square, Circle(1.0), Rounded(square, 0.05)):
        for x, more in ((4.0, 0.1), (4.0, -0.1), (4.0, -100.0), (0.5, -0.1), (0.5, 0.2), (0.5, 100.0)):
            scene = Scene(Body.in_plane(square, (0.1, 0.2), 0.3), Body.in_plane(shape, (x, 0.4), -0.4))
            convinces_alone(finding(scene, EXACT, said(scene, more)), 100)


def test_a_right_answer_has_no_certificate() -> None:
    for name in SHAPES:
        for apart in (4.0, 0.5):
            scene = apart_and_deep(name, apart)
            found = finding(scene, EXACT, said(scene, 0.0))
            assert found["class"] == Kind.AGREES
            assert found["certificate"] is None


@pytest.mark.parametrize("name", FAULTS)
def test_a_certificate_does_not_refute_a_right_answer(name: str) -> None:
    scene, engine, answer = fault(name)
    found = finding(scene, engine, answer)
    assert not refutes(found | {"answer": json.loads(msgspec.json.encode(said(scene, 0.0)))})


def test_a_polytope_with_a_hole_proves_nothing() -> None:
    scene = apart_and_deep("cone", 0.5)
    found = finding(scene, EXACT, EngineAnswer(said(scene, 0.2).separation))
    for left_out in range(0, len(found["certificate"]["faces"]), 7):
        faces = [face for k, face in enumerate(found["certificate"]["faces"]) if k != left_out]
        assert not refutes(found | {"certificate": found["certificate"] | {"faces": faces}})


def test_the_script_runs_alone_with_numpy(tmp_path: Path) -> None:
    path = tmp_path / "finding.json"
    for move, status in ((0.0, 0), (0.01, 1)):
        found = finding(*fault(FAULTS[0]))
        found["certificate"]["on_a"][0] += move
        path.write_text(json.dumps(found), "utf-8")
        done = subprocess.run([sys.executable, "-I", SCRIPT, path], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == status, done.stderr
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"json", "sys", "numpy"}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


def test_the_script_knows_shapes_as_the_definitions_do() -> None:
    """Its reach and its balls against those of tests/shape_truths.py, which share no line with it."""
    table = runpy.run_path(str(SCRIPT))["REACH_AND_INSIDE"]
    rng = np.random.default_rng(3)
    for name in ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull"):
        shape = SHAPES[name]
        tree = scene_file.to_tree(Scene(Body(shape), Body(shape)))["a"]["shape"]
        reach, inside = table[name]
        for _ in range(50):
            way = rng.normal(size=3)
            way /= np.linalg.norm(way)
            assert reach(tree, way) == pytest.approx(truth_of(shape).reach(way), abs=1e-12)
            point = 0.3 * rng.normal(size=3)
            if name != "hull":
                ball = inside(tree, point)
                assert (ball > 0.0) == (truth_of(shape).height(point) < 0.0)
                assert ball <= 0.0 or truth_of(shape).height(point + ball * way) <= 1e-12


def test_a_depth_without_a_normal_is_refuted_by_the_engines_own_points() -> None:
    deep = apart_and_deep("capsule", 0.5)
    answer = said(deep, 0.2)
    d, n = answer.signed, np.array(answer.normal)
    assert d is not None
    assert answer.on_a is not None
    on_b = tuple((np.array(answer.on_a) + d * n).tolist())
    without = EngineAnswer(d, None, answer.on_a, on_b)
    found = finding(deep, EXACT, without)
    assert (found["class"], found["certificate"]["kind"]) == (Kind.DEPTH_SMALL, "common point after the move")
    convinces_alone(found, 60)
    longer = EngineAnswer(d, None, answer.on_a, tuple((np.array(answer.on_a) + 1.1 * d * n).tolist()))
    assert finding(deep, EXACT, longer)["certificate"]["kind"] == "polytope"

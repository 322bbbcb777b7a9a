"""Every engine that is installed, on pairs whose separation is plain to see, and its adapter's imports.

The variable ENGINE_PYTHONS names further interpreters, as PATH does folders: what they have is asked as well.

Where A is a box with a face square to x and B lies beside that face, the separation is B.x - half of A - how far B
reaches back along x. All of it is turned and moved together, so that a wrong axis or order of a quaternion shows.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from scipy.optimize import nnls

from app.engines.catalogue import ADAPTERS, ENGINES, EngineSpec, found_engines
from app.engines.sample import RANGES, sample_pair
from app.engines.workers import Worker
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.quaternion import to_matrix as matrix_of
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Circle, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Shape, Sphere
from core.study.differential.answers import EngineAnswer, Speaks, Unsupported

NAMES = [entry.name for entry in ENGINES]
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
Z_UP_TO_MINUS_X = from_axis_angle((0.0, 0.0, 1.0), pi / 2)  # takes y to -x
ALL = normalized((0.3, -0.7, 0.5, 0.2))
BASE = np.array((0.7, -1.1, 0.4))
CORNERS = tuple(product((-0.5, 0.5), (-0.4, 0.4), (-0.3, 0.3)))

# B, how it is turned, and how far it reaches along -x
BESIDE: dict[str, tuple[Shape, tuple[float, float, float, float], float]] = {
    "box": (Box((1.0, 0.8, 0.6)), UPRIGHT, 0.5),
    "box turned": (Box((1.0, 0.8, 0.6)), Z_UP_TO_MINUS_X, 0.4),
    "sphere": (Sphere(0.7), UPRIGHT, 0.7),
    "capsule": (Capsule(0.3, 1.0), UPRIGHT, 0.3),
    "capsule lying": (Capsule(0.3, 1.0), Z_UP_TO_MINUS_X, 0.8),
    "cylinder": (Cylinder(0.3, 1.0), UPRIGHT, 0.3),
    "cylinder lying": (Cylinder(0.3, 1.0), Z_UP_TO_MINUS_X, 0.5),
    "cone on its side": (Cone(0.4, 1.0), Z_UP_TO_MINUS_X, 0.5),
    "ellipsoid": (Ellipsoid((0.3, 0.5, 0.7)), UPRIGHT, 0.3),
    "ellipsoid turned": (Ellipsoid((0.3, 0.5, 0.7)), Z_UP_TO_MINUS_X, 0.5),
    "hull": (Hull(CORNERS), UPRIGHT, 0.5),
    "half-space": (HalfSpace((-2.0, 0.0, 0.0), 0.4), UPRIGHT, 0.2),
}
GAPS = (-0.1, 0.3)


@cache
def workers() -> dict[str, Worker]:
    found, _ = found_engines([python for python in os.environ.get("ENGINE_PYTHONS", "").split(os.pathsep) if python])
    return {engine.entry.name: Worker(engine.entry.command(engine.python), engine.entry.name) for engine in found}


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    for worker in workers().values():
        worker.close()
    workers.cache_clear()


def asked(name: str) -> tuple[EngineSpec, Worker]:
    if name not in workers():
        pytest.skip(f"{name} is not installed")
    return next(entry for entry in ENGINES if entry.name == name), workers()[name]


def turned(body: Body) -> Body:
    """Everything turned and moved together."""
    x, y, z = (BASE + matrix_of(ALL) @ np.array(body.position)).tolist()
    return Body(body.shape, (x, y, z), multiply(ALL, body.rotation))


def pair(what: str, gap: float) -> Scene:
    shape, rotation, reach = BESIDE[what]
    a = Body(Box((2.0, 2.0, 2.0)))
    return Scene(turned(a), turned(Body(shape, (1.0 + reach + gap, 0.05, -0.03), rotation)))


def flat_pair(shape: Shape, reach: float, gap: float) -> Scene:
    square = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    c, s, x = cos(0.7), sin(0.7), 1.0 + reach + gap
    a = Body.in_plane(square, (0.4, -0.2), 0.7)
    return Scene(a, Body.in_plane(shape, (0.4 + c * x - s * 0.05, -0.2 + s * x + c * 0.05), 0.7))


def scenes(entry: EngineSpec) -> dict[str, tuple[Scene, float]]:
    """By name, with the separation."""
    if entry.module in ("Box2D", "pymunk"):
        triangle = Polygon(((-0.5, 0.2), (0.5, -0.4), (0.5, 0.6)))
        shapes = {"circle": (Circle(0.6), 0.6), "triangle": (triangle, 0.5)}
        return {f"{key} {gap}": (flat_pair(*shapes[key], gap), gap) for key in shapes for gap in GAPS}
    return {f"{key} {gap}": (pair(key, gap), gap) for key in BESIDE for gap in GAPS}


def swapped(scene: Scene) -> Scene:
    return Scene(scene.b, scene.a)


@pytest.mark.parametrize("name", NAMES)
def test_what_an_engine_says_of_pairs_that_are_plain_to_see(name: str) -> None:
    entry, worker = asked(name)
    answered = 0
    for key, (scene, true) in scenes(entry).items():
        normal = np.array((cos(0.7), sin(0.7), 0.0)) if scene.dimension == 2 else matrix_of(ALL)[:, 0]
        for given, sign in ((scene, 1.0), (swapped(scene), -1.0)):
            answer = worker.answer(given, "zero").answer
            if isinstance(answer, Unsupported):
                continue
            assert isinstance(answer, EngineAnswer), (key, answer)
            answered += 1
            within = 20.0 * entry.tolerance * sqrt(3.0) + (0.01 if name in ("sapien", "dart-bullet") else 0.0)
            if answer.signed is None:
                # A contact engine says nothing of bodies apart, and some tell contacts without a depth.
                assert bool(answer.contacts) == (true < 0.0), key
                assert entry.speaks is Speaks.CONTACTS or true < 0.0, key
            else:
                assert answer.signed == pytest.approx(true, abs=within), key
            if (answer.normal is not None and true < 0.0) or answer.on_a is not None:
                found = np.array(answer.normal or sign * normal)
                assert found @ normal * sign == pytest.approx(1.0, abs=1e-3), key
            if answer.on_a is not None and answer.on_b is not None:
                along = (np.array(answer.on_b) - np.array(answer.on_a)) @ normal * sign
                assert along == pytest.approx(true, abs=within), key
    assert answered >= 8


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sampled(4, "commands")
def test_an_engine_is_asked_every_pair_that_it_lists_and_no_other(name: str) -> None:
    _, worker = asked(name)
    worker.answer(sample_pair(1, ("sphere", "sphere"), 0))
    assert worker.ready is not None
    flat = {shape for kinds in worker.ready.pairs for shape in kinds} == {"polygon", "circle"}
    every = list(product(("polygon", "circle"), repeat=2)) if flat else list(product(KINDS, repeat=2))
    listed = {frozenset(kinds) for kinds in worker.ready.pairs}
    for kinds in every:
        if kinds != ("halfspace", "halfspace"):
            answer = worker.answer(sample_pair(1, kinds, 0), "zero").answer
            assert isinstance(answer, EngineAnswer if frozenset(kinds) in listed else Unsupported), (kinds, answer)


def test_the_last_simplex_of_box3d_is_as_far_from_the_origin_as_it_says() -> None:
    _, worker = asked("box3d-distance")
    steps = set()
    for index, kinds in product(range(12), product(("box", "hull", "capsule", "sphere"), repeat=2)):
        scene = sample_pair(1, kinds, index)
        found = worker.answer(scene, "zero").answer
        assert isinstance(found, EngineAnswer)
        assert found.simplexes
        if found.signed is None:
            continue
        points = np.array(found.simplexes[-1])
        # The nearest point of their hull: weights that are not negative and of sum 1, held by a heavy row.
        weights, _ = nnls(np.vstack((points.T, np.full(len(points), 1e4))), np.array((0.0, 0.0, 0.0, 1e4)))
        round_off = sum(getattr(body.shape, "radius", 0.0) for body in (scene.a, scene.b))
        size = np.abs(points).max()
        assert np.sqrt(((weights @ points) ** 2).sum()) - round_off == pytest.approx(found.signed, abs=1e-5 * size)
        steps.add(len(found.simplexes))
    assert len(steps) >= 3


KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull", "halfspace")


def test_coal_and_fcl_are_there() -> None:
    expected = {"fcl", "fcl-collide"} | ({"coal"} if sys.platform != "win32" else set())
    assert expected <= set(workers())


@pytest.mark.parametrize("entry", ENGINES, ids=NAMES)
def test_an_adapter_needs_its_engine_and_numpy_alone(entry: EngineSpec) -> None:
    allowed = set(sys.stdlib_module_names)
    for script, more in ((entry.script, {"protocol_loop", "numpy", entry.module}), ("protocol_loop.py", set())):
        tree = ast.parse((ADAPTERS / script).read_text("utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {name.split(".")[0] for name in names} <= allowed | more


@pytest.mark.parametrize("entry", ENGINES, ids=NAMES)
def test_an_adapter_claims_the_output_before_its_engine_is_imported(entry: EngineSpec) -> None:
    body = ast.parse((ADAPTERS / entry.script).read_text("utf-8")).body
    modules = [node.module for node in body if isinstance(node, ast.ImportFrom)]
    lines = {node.lineno for node in body if isinstance(node, ast.ImportFrom) and node.module == "protocol_loop"}
    others = [
        node.lineno
        for node in body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and entry.module in (getattr(node, "module", None) or node.names[0].name).split(".")[0]
    ]
    assert "protocol_loop" in modules
    assert max(lines) < min(others)


def test_an_interpreter_that_cannot_be_asked_is_one_sentence() -> None:
    _, refused = found_engines(("/no/such/python",))
    assert refused == ("engine_pythons: /no/such/python could not be asked: No such file or directory",)
    assert found_engines((sys.executable,)) == found_engines(())


def test_one_pair_of_the_sample_is_the_same_every_time_and_its_shares_are_those_told() -> None:
    assert sample_pair(1, ("box", "cone"), 3) == sample_pair(1, ("box", "cone"), 3)
    assert sample_pair(1, ("box", "cone"), 3) != sample_pair(2, ("box", "cone"), 3)
    one, other = (sample_pair(1, ("box", "cone"), index) for index in (0, 1))
    assert (type(one.a.shape), type(other.a.shape)) == (Box, Cone)
    assert sum(share for share, _, _ in RANGES) == pytest.approx(1.0)
    balls = [sample_pair(1, ("sphere", "sphere"), index) for index in range(200)]
    factors = [
        float(np.sqrt(((np.array(s.b.position) - np.array(s.a.position)) ** 2).sum()))
        / (s.a.shape.radius + s.b.shape.radius)  # type: ignore[union-attr]
        for s in balls
    ]
    for share, low, high in RANGES:
        inside = sum(low - 2e-3 <= factor <= high + 2e-3 for factor in factors) / len(factors)
        assert inside == pytest.approx(share, abs=0.1)

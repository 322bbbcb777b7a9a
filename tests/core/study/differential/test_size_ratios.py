"""A small body beside a large one: how far off an answer may be follows the smaller one, and rounding the larger."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from app.engines.catalogue import ENGINES
from core import Body, Box, Ellipsoid, HalfSpace, Scene, Sphere
from core.analysis.brief import distance_of
from core.geometry.triple import triple
from core.pair.pair import half_space_of
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.certificates import certified
from core.study.differential.classes import Allowed, Judgement, Kind, Truth, judge
from core.study.differential.numbers import resized, scaled, sizes
from core.study.lab.random_pair import MAKERS
from tests.oracles import extent_of, support_gap
from tests.shape_truths import truth_of

UP = (0.0, 1.0, 0.0)
FLOOR = Body(Box((474.0, 2.0, 474.0)), (0.0, -1.0, 0.0))
"""Its corners are 335 from its middle; its upper side is at y = 0."""
GROUND = Body(HalfSpace(UP, 0.0))
SHALLOW, FAR_OUT = 0.01, 200.0
BALL = Body(Sphere(0.05), (FAR_OUT, SHALLOW, FAR_OUT))
ON_THE_FLOOR = Scene(FLOOR, BALL)
"""The ball is sunk by 0.04."""
BY_NAME = {entry.name: entry for entry in ENGINES}
DOUBLE, SINGLE = Engine("double"), Engine("single", tolerance=2e-5, single=True)
RATIOS = (1.0, 10.0, 100.0, 1e3, 1e4)


def judged(scene: Scene, answer: EngineAnswer, engine: Engine = DOUBLE) -> Judgement:
    return judge(scene, Truth.of(distance_of(scene)), engine, answer)


def true_answer(scene: Scene) -> EngineAnswer:
    found = distance_of(scene)
    rows = (triple(row) for row in (found.normal, found.witness_a, found.witness_b))
    return EngineAnswer(found.separation, *rows)


def a_pair(seed: int, ratio: float, size: float = 1.0) -> Scene:
    """Two bounded bodies of any kinds, one so many times as large, no farther apart or deep than the smaller one is."""
    rng = np.random.default_rng(seed)
    kinds = [kind for kind in MAKERS if kind != "halfspace"]
    made = [Body(MAKERS[kinds[rng.integers(len(kinds))]](rng), rotation=tuple(unit4(rng))) for _ in range(2)]
    large, small = (scaled(Scene(body, body), by).a for body, by in zip(made, (ratio * size, size), strict=True))
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    ends = [
        body.pose.direction_to_world(body.shape.support(body.pose.direction_to_local(sign * way)))
        for body, sign in ((large, 1.0), (small, -1.0))
    ]
    apart = float(rng.uniform(-0.8, 0.6)) * small.shape.bounding_radius
    there = replace(small, position=triple(ends[0] - ends[1] + apart * way))
    return Scene(large, there) if seed % 2 else Scene(there, large)


def unit4(rng: np.random.Generator) -> list[float]:
    q = rng.normal(size=4)
    return list((q / np.linalg.norm(q)).tolist())


@pytest.mark.parametrize("entry", ENGINES, ids=lambda entry: entry.name)
@pytest.mark.parametrize("ground", [FLOOR, GROUND], ids=["box", "half-space"])
def test_a_ball_sunk_into_a_floor_is_not_apart_from_it(entry: object, ground: Body) -> None:
    """Four fifths of the ball are in the floor; a share of the floor's size would let it pass."""
    engine = entry.engine("1")  # type: ignore[attr-defined]
    for scene in (Scene(ground, BALL), Scene(BALL, ground)):
        found = judged(scene, EngineAnswer(0.015), engine)
        assert found.is_fault
        assert found.share == pytest.approx(0.055 / 0.04)
        if not engine.margins:
            assert found.kind is Kind.MISSED
            certificate = certified(scene, Truth.of(distance_of(scene)), EngineAnswer(0.015), found)
            assert certificate is not None
            assert certificate.kind == "common point"


def test_a_box_and_a_half_space_are_one_floor() -> None:
    for off in (1e-9, 1e-7, 1e-6, 1e-3):
        answer = EngineAnswer(-0.04 + off, UP)
        kinds = {judged(Scene(ground, BALL), answer).kind for ground in (FLOOR, GROUND)}
        assert kinds == {Kind.AGREES if off < 1.5e-7 else Kind.DEPTH_SMALL}


@pytest.mark.parametrize("name", ["coal", "mujoco", "fcl"])
def test_a_search_may_stop_at_its_own_length_whatever_the_sizes_are(name: str) -> None:
    engine = BY_NAME[name].engine("1")
    small = Scene(Body(Sphere(0.05)), Body(Sphere(0.05), (0.06, 0.0, 0.0)))
    for scene, s in ((ON_THE_FLOOR, -0.04), (small, -0.04)):
        for off, agrees in ((0.9e-6, True), (30e-6, False)):
            assert (judged(scene, EngineAnswer(s + off), engine).kind is Kind.AGREES) is agrees
    # But not where a body is hardly as large: that is told.
    dust = scaled(ON_THE_FLOOR, 1e-5)
    assert judged(dust, EngineAnswer(0.15e-6), engine).kind is Kind.MISSED


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.sampled(3, "random")
def test_the_truth_agrees_and_what_is_a_hundredth_of_the_smaller_body_off_does_not(ratio: float) -> None:
    for seed in range(40):
        scene = a_pair(seed, ratio)
        answer, small = true_answer(scene), min(truth_of(body.shape).size() for body in (scene.a, scene.b))
        assert judged(scene, answer).kind is Kind.AGREES
        assert answer.separation is not None
        for off in (0.01 * small, -0.01 * small):
            for name in ("coal", "fcl", "mujoco"):
                engine = BY_NAME[name].engine("1")
                found = judged(scene, EngineAnswer(answer.separation + off), engine)
                assert found.is_fault, (seed, name)
                assert found.share == pytest.approx(abs(off / answer.separation), rel=1e-6)


@pytest.mark.parametrize("ratio", RATIOS)
def test_what_coordinates_in_single_precision_lose_is_no_fault(ratio: float) -> None:
    """The pair with every number rounded to single precision is the best that such an engine can be asked about."""
    classes = set()
    for seed in range(40):
        scene = a_pair(seed, ratio)
        bodies = []
        for body in (scene.a, scene.b):
            shape = resized(body.shape, {path: float(np.float32(x)) for path, x in sizes(body.shape).items()})
            turn = np.array(body.rotation, dtype=np.float32).astype(float)
            place = triple(np.array(body.position, dtype=np.float32).astype(float))
            bodies.append(Body(shape, place, tuple((turn / np.linalg.norm(turn)).tolist())))
        found = judged(scene, true_answer(Scene(*bodies)), SINGLE)
        assert found.kind in (Kind.AGREES, Kind.PRECISION), seed
        classes.add(found.kind)
    assert Kind.AGREES in classes


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_bound_is_no_larger_than_of_two_small_bodies(ratio: float) -> None:
    for seed in range(20):
        scene = a_pair(seed, ratio)
        truth = Truth.of(distance_of(scene))
        small = min(truth_of(body.shape).size() for body in (scene.a, scene.b))
        allowed = Allowed.of(scene, truth, DOUBLE)
        rest = truth.gap + 8.0 * 2.0**-53 * (extent_of(scene) + float(np.abs(scene.b.position).sum()) + 1.0)
        assert allowed.search <= 1e-6 * min(extent_of(scene), 3.0 * small + abs(truth.separation)) + 3.0 * rest


@pytest.mark.parametrize("ground", [FLOOR, GROUND], ids=["box", "half-space"])
def test_a_normal_is_judged_by_what_it_proves_beside_the_smaller_body(ground: Body) -> None:
    """An angle of a millionth lifts the far end of the floor by 3e-4; beside the ball it costs a ten-millionth."""
    scene = Scene(ground, Body(Sphere(0.05), (FAR_OUT, SHALLOW, FAR_OUT)))
    for angle, kind in ((1e-9, Kind.AGREES), (1e-6, Kind.AGREES), (1e-4, Kind.IMPRECISE), (0.1, Kind.WRONG)):
        for one, sign in ((scene, 1.0), (scene.swapped(), -1.0)):
            normal = (sign * np.sin(angle), sign * np.cos(angle), 0.0)
            assert judged(one, EngineAnswer(-0.04, tuple(map(float, normal)))).kind is kind, angle


def test_a_way_out_over_the_edge_of_the_floor_is_no_tie() -> None:
    """Sunk by 0.04 at the edge a crate is out sideways by 0.06: 6e-5 of the floor's size more, half as much again."""
    crate = Box((0.1, 0.1, 0.1))
    at_edge = Scene(FLOOR, Body(crate, (237.0 + 0.05 - 0.06, SHALLOW, 0.0)))
    assert distance_of(at_edge).separation == pytest.approx(-0.04)
    sideways = (1.0, 0.0, 0.0)
    assert support_gap(at_edge, np.array(sideways)) == pytest.approx(-0.06)
    assert judged(at_edge, EngineAnswer(-0.04, sideways), BY_NAME["drake"].engine("1")).kind is Kind.WRONG
    tie = Scene(FLOOR, Body(crate, (237.0 + 0.05 - 0.04, SHALLOW, 0.0)))
    for normal in (UP, sideways):
        assert judged(tie, EngineAnswer(-0.04, normal)).kind is Kind.AGREES


def test_with_the_bodies_exchanged_it_is_the_same() -> None:
    for seed in range(30):
        scene = a_pair(seed, 1e3)
        assert half_space_of(scene.a, scene.b) is None
        truth, answer = Truth.of(distance_of(scene)), true_answer(scene)
        assert answer.normal is not None
        x, y, z = answer.normal
        for turn in (0.0, 1e-7, 1e-3, 0.3):
            turned = replace(answer, normal=(x + turn * y, y - turn * x, z), on_a=None, on_b=None)
            one = judge(scene, truth, DOUBLE, turned)
            other = judge(scene.swapped(), truth.swapped(), DOUBLE, turned.swapped())
            assert (one.kind, one.share) == (other.kind, other.share)


def test_hulls_that_an_engine_keeps_in_single_precision_lose_as_much() -> None:
    from core import Hull

    corners = [(x, y, z) for x in (-300.0, 300.0) for y in (-2.0, 0.0) for z in (-300.0, 300.0)]
    scene = Scene(Body(Hull.of(corners)), Body(Ellipsoid((0.05, 0.05, 0.05)), (0.0, SHALLOW, 0.0)))
    lost = 2.0**-24 * sqrt(300.0**2 + 2.0**2 + 300.0**2)
    for name, kind in (("mujoco", Kind.PRECISION), ("coal", Kind.DEPTH_SMALL)):
        assert judged(scene, EngineAnswer(-0.04 + 0.9 * lost), BY_NAME[name].engine("1")).kind is kind
    assert judged(scene, EngineAnswer(-0.04 + 1.1 * lost), BY_NAME["mujoco"].engine("1")).kind is Kind.DEPTH_SMALL

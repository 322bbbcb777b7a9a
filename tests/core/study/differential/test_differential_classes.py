"""Every answer of an engine falls into exactly one class, whichever body is first."""

from __future__ import annotations

from math import cos, inf, nan, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core import Body, Box, Capsule, Cylinder, HalfSpace, Hull, Scene, Sphere
from core.analysis.brief import distance_of
from core.study.differential.answers import (
    Design,
    DesignRule,
    Engine,
    EngineAnswer,
    EngineContact,
    Failed,
    NotAsked,
    Speaks,
    Unsupported,
)
from core.study.differential.classes import FAULTS, Judgement, Kind, Truth, judge
from core.study.lab.random_pair import random_flat_pair, random_pair
from tests.core.engine_faults import BY_DESIGN, FOUND, fault
from tests.oracles import extent_of, support_gap
from tests.shape_truths import truth_of

X = (1.0, 0.0, 0.0)
CUBE = Box((2.0, 2.0, 2.0))
DOUBLE = Engine("double")
GROWN = Engine("grown", margins={"hull": 0.01, "": 0.001})
RULED = Engine(
    "ruled",
    speaks=Speaks.CONTACTS,
    tolerance=2e-5,
    single=True,
    by_design=(
        DesignRule(Design.SPECULATIVE, "contacts of bodies up to 0.02 apart", within=0.02),
        DesignRule(Design.MANIFOLD, "apart, a manifold's distance"),
        DesignRule(Design.RANGE, "round edges", ranges={"box": (0.0, 0.05), "hull": (-0.1, 0.0)}),
        DesignRule(Design.FACE, "a face before two edges"),
    ),
)
MOVES = Engine("moves", tolerance=1e-4, by_design=(DesignRule(Design.MOVE, "any depth whose move separates"),))


def cubes(apart: float) -> Scene:
    """Two cubes of edge 2, side by side along x."""
    return Scene(Body(CUBE), Body(CUBE, (2.0 + apart, 0.0, 0.0)))


def judged(scene: Scene, answer: object, engine: Engine = DOUBLE) -> Judgement:
    return judge(scene, Truth.of(distance_of(scene)), engine, answer)  # type: ignore[arg-type]


FAR = Scene(Body(CUBE, (1e4, 0.0, 0.0)), Body(CUBE, (1e4 + 1.0, 0.0, 0.0)))
ON_A, ON_B = (1.0, 0.2, 0.3), (1.5, 0.2, 0.3)

CASES = [
    (cubes(-0.5), Unsupported("cone"), DOUBLE, Kind.UNSUPPORTED),
    (cubes(-0.5), Failed("error", "no such pair"), DOUBLE, Kind.UNSUPPORTED),
    (cubes(-0.5), NotAsked("start", "no module"), DOUBLE, Kind.NOT_ASKED),
    (cubes(-0.5), NotAsked("given up", "ended before"), DOUBLE, Kind.NOT_ASKED),
    *((cubes(-0.5), Failed(kind, "gone"), DOUBLE, Kind.FAILED) for kind in ("crash", "hang", "garbage")),
    (cubes(-0.5), EngineAnswer(nan, X), DOUBLE, Kind.FAILED),
    (cubes(-0.5), EngineAnswer(-0.5, (nan, 0.0, 0.0)), DOUBLE, Kind.FAILED),
    (cubes(-0.5), EngineAnswer(-0.5, X, on_b=(inf, 0.0, 0.0)), DOUBLE, Kind.FAILED),
    (cubes(-0.5), EngineAnswer(-0.5, contacts=(EngineContact((0.0, nan, 0.0)),)), DOUBLE, Kind.FAILED),
    (cubes(-0.5), EngineAnswer(0.1, X), DOUBLE, Kind.MISSED),
    (cubes(-0.5), EngineAnswer(), RULED, Kind.MISSED),
    (cubes(0.5), EngineAnswer(-0.1, X), DOUBLE, Kind.FALSE),
    (cubes(0.5), EngineAnswer(contacts=(EngineContact(ON_A),)), RULED, Kind.FALSE),
    (cubes(0.5), EngineAnswer(0.5, X, (1.0, 1.2, 0.0), ON_B), DOUBLE, Kind.POINTS_OFF),
    (cubes(0.5), EngineAnswer(0.5, X, ON_A, (1.6, 0.2, 0.3)), DOUBLE, Kind.POINTS_OFF),
    (cubes(0.5), EngineAnswer(0.5, X, ON_A, ON_B), DOUBLE, Kind.AGREES),
    (cubes(0.5), EngineAnswer(0.5), DOUBLE, Kind.AGREES),
    (cubes(0.5), EngineAnswer(0.5, (0.0, 0.0, 0.0)), DOUBLE, Kind.AGREES),
    (cubes(0.5), EngineAnswer(0.5, (7.0, 0.0, 0.0)), DOUBLE, Kind.AGREES),
    (cubes(0.5), EngineAnswer(), RULED, Kind.AGREES),
    (cubes(-0.5), EngineAnswer(contacts=(EngineContact(ON_A),)), RULED, Kind.AGREES),
    (cubes(-0.5), EngineAnswer(normal=X, contacts=(EngineContact(ON_A),)), RULED, Kind.AGREES),
    (cubes(-0.5), EngineAnswer(contacts=(EngineContact(ON_A, -0.1), EngineContact(ON_A, -0.5))), DOUBLE, Kind.AGREES),
    (cubes(-0.5), EngineAnswer(-0.5005, X), GROWN, Kind.MARGIN),
    (FAR, EngineAnswer(-1.0 - 5e-5, X), replace(RULED, by_design=()), Kind.AGREES),
    (FAR, EngineAnswer(-1.0 - 9e-4, X), replace(RULED, by_design=()), Kind.PRECISION),
    (cubes(0.01), EngineAnswer(normal=X, contacts=(EngineContact(ON_A),)), RULED, Kind.DESIGN),
    (cubes(0.5), EngineAnswer(0.7, X), RULED, Kind.DESIGN),
    (cubes(-0.5), EngineAnswer(-0.42, X), RULED, Kind.DESIGN),
    (cubes(-0.5), EngineAnswer(-2.0, (0.0, 1.0, 0.0)), MOVES, Kind.DESIGN),
    (cubes(-0.5), EngineAnswer(-1.9, (0.0, 1.0, 0.0)), MOVES, Kind.DEPTH_LARGE),
    (cubes(-0.5), EngineAnswer(-0.6, X), DOUBLE, Kind.DEPTH_LARGE),
    (cubes(-0.5), EngineAnswer(-0.4, X), DOUBLE, Kind.DEPTH_SMALL),
    (cubes(-0.5), EngineAnswer(0.0, X), DOUBLE, Kind.DEPTH_SMALL),
    (cubes(0.0), EngineAnswer(-0.1, X), DOUBLE, Kind.DEPTH_LARGE),
    (cubes(0.0), EngineAnswer(0.1, X), DOUBLE, Kind.DISTANCE_LARGE),
    (cubes(0.5), EngineAnswer(0.6, X), DOUBLE, Kind.DISTANCE_LARGE),
    (cubes(0.5), EngineAnswer(0.4, X), DOUBLE, Kind.DISTANCE_SMALL),
    (cubes(0.5), EngineAnswer(0.0, X), DOUBLE, Kind.DISTANCE_SMALL),
    (cubes(-0.5), EngineAnswer(-0.5, (1.0, 1e-4, 0.0)), DOUBLE, Kind.IMPRECISE),
    (cubes(-0.5), EngineAnswer(-0.5, (0.0, 1.0, 0.0)), DOUBLE, Kind.WRONG),
    (cubes(-0.5), EngineAnswer(-0.5, (-1.0, 0.0, 0.0)), DOUBLE, Kind.WRONG),
    (cubes(-0.5), EngineAnswer(normal=(-1.0, 0.0, 0.0), contacts=(EngineContact(ON_A),)), RULED, Kind.WRONG),
]


@pytest.mark.parametrize(("scene", "answer", "engine", "kind"), CASES)
def test_an_answer_is_in_its_class(scene: Scene, answer: object, engine: Engine, kind: Kind) -> None:
    assert judged(scene, answer, engine).kind is kind


def test_the_cases_name_every_class() -> None:
    assert {kind for *_, kind in CASES} == set(Kind)


def test_a_failure_is_told_by_what_it_was() -> None:
    for kind in ("crash", "hang", "garbage"):
        assert judged(cubes(-0.5), Failed(kind, "gone")).title == kind
    assert judged(cubes(-0.5), EngineAnswer(nan)).title == "not finite"
    assert judged(cubes(-0.5), EngineAnswer(-0.5)).title == "agrees"
    assert judged(cubes(-0.5), NotAsked("start", "gone")).title == "not asked"
    assert not judged(cubes(-0.5), NotAsked("start", "gone")).is_fault


def test_a_normal_that_points_the_other_way_is_told_from_a_wrong_one() -> None:
    assert judged(cubes(-0.5), EngineAnswer(-0.5, (-1.0, 0.0, 0.0))).opposite
    assert not judged(cubes(-0.5), EngineAnswer(-0.5, (0.0, 1.0, 0.0))).opposite


def test_directions_that_tie_agree() -> None:
    middle = Scene(Body(CUBE), Body(CUBE))
    for axis in (X, (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)):
        assert judged(middle, EngineAnswer(-2.0, axis)).kind is Kind.AGREES


def test_it_says_what_it_judged_by() -> None:
    assert judged(cubes(0.5), EngineAnswer(0.5, X)).by == "number and normal"
    assert judged(cubes(0.5), EngineAnswer(0.5, (0.0, 0.0, 0.0))).by == "number"
    assert judged(cubes(0.5), EngineAnswer()).by == "verdict"
    contact = EngineAnswer(normal=X, contacts=(EngineContact(ON_A),))
    assert judged(cubes(-0.5), contact).by == "verdict and normal"


@pytest.mark.parametrize("name", FOUND)
def test_faults_found_before_are_in_the_class_they_were_found_in(name: str) -> None:
    scene, engine, answer = fault(name)
    found = judged(scene, answer, engine)
    assert found.kind == ("by design" if name in BY_DESIGN else FOUND[name]["klass"])
    if name not in BY_DESIGN:
        assert found.severity == pytest.approx(FOUND[name]["severity"], rel=1e-3)


SHIFTED = st.tuples(
    st.sampled_from((0.0, 1e-6, -1e-6, 1e-3, -1e-3, 0.3, -0.3)), st.sampled_from(("number", "normal", "point"))
)
NUMBERS = st.one_of(
    st.floats(-3.0, 3.0),
    st.sampled_from((0.0, 1e-7, -1e-7, 1e-5, -1e-5, 0.02, -0.02, nan, inf, -inf, 1e300)),
)
ROWS = st.one_of(st.none(), st.tuples(NUMBERS, NUMBERS, NUMBERS))
CONTACTS = st.builds(EngineContact, st.tuples(NUMBERS, NUMBERS, NUMBERS), st.one_of(st.none(), NUMBERS))
ANSWERS = st.one_of(
    st.builds(EngineAnswer, st.one_of(st.none(), NUMBERS), ROWS, ROWS, ROWS, st.lists(CONTACTS, max_size=2).map(tuple)),
    st.builds(Unsupported, st.just("cone")),
    st.builds(Failed, st.sampled_from(("crash", "hang", "garbage", "error")), st.just("gone")),
    st.builds(NotAsked, st.sampled_from(("start", "given up")), st.just("gone")),
)


def near_the_truth(scene: Scene, shift: float, kind: str) -> EngineAnswer:
    """The true answer, with one part of it moved."""
    truth = distance_of(scene)
    normal = truth.normal + (shift if kind == "normal" else 0.0) * np.array((0.3, -0.7, 0.2))
    on_a = truth.witness_a + (shift if kind == "point" else 0.0) * truth.normal
    number = truth.separation + (shift if kind == "number" else 0.0)
    return EngineAnswer(number, tuple(normal.tolist()), tuple(on_a.tolist()), tuple(truth.witness_b.tolist()))


@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.one_of(ANSWERS, SHIFTED),
    st.sampled_from((DOUBLE, GROWN, RULED, MOVES)),
)
@settings(max_examples=300, deadline=None)
@pytest.mark.nightly("random")
def test_every_answer_is_in_one_class_and_in_the_same_with_a_and_b_exchanged(
    seed: int, flat: bool, said: object, engine: Engine
) -> None:
    rng = np.random.default_rng(seed)
    scene = random_flat_pair(rng) if flat else random_pair(rng)
    answer = near_the_truth(scene, *said) if isinstance(said, tuple) else said
    truth = Truth.of(distance_of(scene))
    found = judge(scene, truth, engine, answer)  # type: ignore[arg-type]
    assert found.kind in Kind
    other = answer.swapped() if isinstance(answer, EngineAnswer) else answer
    turned = judge(scene.swapped(), truth.swapped(), engine, other)  # type: ignore[arg-type]
    assert turned.kind is found.kind
    assert turned.severity == pytest.approx(found.severity, rel=1e-6, abs=1e-9)


@given(st.integers(0, 10**6), SHIFTED)
@settings(max_examples=200, deadline=None)
def test_what_it_says_is_what_the_definitions_say(seed: int, shifted: tuple[float, str]) -> None:
    shift, part = shifted
    scene = random_pair(np.random.default_rng(seed))
    answer = near_the_truth(scene, shift, part)
    truth = Truth.of(distance_of(scene))
    found = judge(scene, truth, DOUBLE, answer)
    allowed = 1e-6 * extent_of(scene) + truth.gap
    assert answer.normal is not None
    assert answer.on_a is not None
    way = np.array(answer.normal) / np.linalg.norm(answer.normal)
    half = any(isinstance(body.shape, HalfSpace) for body in (scene.a, scene.b))
    if shift and not (half and part == "normal"):
        assert found.proves == pytest.approx(support_gap(scene, way), abs=1e-9)
    if part == "number" and abs(shift) > 1.01 * allowed:
        assert found.kind in FAULTS
    if part == "point" and shift and not isinstance(scene.a.shape, Hull):
        local = scene.a.pose.to_local(np.array(answer.on_a))
        outside = truth_of(scene.a.shape).height(local)
        assert (found.kind is Kind.POINTS_OFF) >= (outside > 2.0 * allowed)
    if shift == 0.0:
        assert found.kind is Kind.AGREES


def test_without_a_face_none_is_preferred() -> None:
    """A capsule beside a box has the box's faces; two balls have none, and their depth is what it is."""
    balls = Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (1.5, 0.0, 0.0)))
    assert judged(balls, EngineAnswer(-0.6, X), RULED).kind is Kind.DEPTH_LARGE
    turned = Body(Box((2.0, 2.0, 2.0)), rotation=(cos(pi / 8), 0.0, 0.0, sin(pi / 8)))
    edge = Scene(turned, Body(Capsule(0.5, 4.0), (sqrt(2.0) + 0.4, 0.0, 0.0), (cos(pi / 4), sin(pi / 4), 0.0, 0.0)))
    face = (sqrt(0.5), sqrt(0.5), 0.0)
    least = (sqrt(2.0) + 0.4) * sqrt(0.5) - 1.5
    for depth, kind in ((least, Kind.DESIGN), (least - 1e-3, Kind.DEPTH_LARGE)):
        assert judged(edge, EngineAnswer(depth, face), RULED).kind is kind


def test_margins_add_up_by_shape() -> None:
    hull = Hull.of([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    scene = Scene(Body(hull), Body(Capsule(0.5, 1.0), (2.0, 0.0, 0.0)))
    for off, kind in ((0.0108, Kind.MARGIN), (0.0112, Kind.DISTANCE_SMALL)):
        assert judged(scene, EngineAnswer(0.5 - off, X), GROWN).kind is kind


def test_a_cylinder_is_no_box() -> None:
    scene = Scene(Body(Cylinder(1.0, 2.0)), Body(Sphere(1.0), (1.5, 0.0, 0.0)))
    assert judged(scene, EngineAnswer(-0.47, X), RULED).kind is Kind.DEPTH_SMALL

"""Other engines' answers: from where on a normal is wrong, a place the same, a shrunk fault another one."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Scene, Sphere
from core.analysis.brief import distance_of
from core.geometry.quaternion import normalized
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.classes import Kind, Truth, judge
from core.study.differential.hunt import Ask, is_concentric, is_degenerate
from core.study.differential.numbers import short_rotation
from core.study.differential.shrink import SameFault

X = (1.0, 0.0, 0.0)
CUBE = Body(Box((2.0, 2.0, 2.0)))
DOUBLE = Engine("double")


def class_of(scene: Scene, answer: EngineAnswer, engine: Engine) -> Kind:
    return judge(scene, Truth.of(distance_of(scene)), engine, answer).kind


@pytest.mark.parametrize(("share", "kind"), [(0.99, Kind.PRECISION), (1.01, Kind.DEPTH_LARGE)])
def test_single_precision_is_forgiven_what_it_loses_far_out(share: float, kind: Kind) -> None:
    """Half a spacing of its floats is 2^-24 of the position; eight such are allowed, and not nine."""
    scene = Scene(replace(CUBE, position=(1e4, 0.0, 0.0)), replace(CUBE, position=(1e4 + 1.0, 0.0, 0.0)))
    loss = 8.0 * 2.0**-24 * (1e4 + 1.0 + sqrt(3.0))
    single = Engine("single", tolerance=1e-9, single=True)
    assert class_of(scene, EngineAnswer(-1.0 - share * loss, X), single) is kind


@pytest.mark.parametrize(("share", "kind"), [(0.9, Kind.AGREES), (1.1, Kind.DEPTH_LARGE)])
def test_doubles_are_forgiven_what_they_lose_far_out(share: float, kind: Kind) -> None:
    scene = Scene(replace(CUBE, position=(1e4, 0.0, 0.0)), replace(CUBE, position=(1e4 + 1.0, 0.0, 0.0)))
    loss = 8.0 * 2.0**-53 * (1e4 + 1.0 + sqrt(3.0))
    truth = Truth.of(distance_of(scene))
    answer = EngineAnswer(truth.separation - truth.gap - share * loss, X)
    assert judge(scene, truth, Engine("exact", tolerance=0.0), answer).kind is kind


@pytest.mark.parametrize(("share", "kind"), [(0.9, Kind.PRECISION), (1.1, Kind.DEPTH_LARGE)])
def test_points_kept_in_single_precision_are_forgiven_half_a_spacing(share: float, kind: Kind) -> None:
    scene = Scene(CUBE, replace(CUBE, position=(1.5, 0.0, 0.0)))
    loss = 2.0 * 2.0**-24 * sqrt(3.0)
    keeps = Engine("keeps", tolerance=1e-12, stored_single=("box",))
    assert class_of(scene, EngineAnswer(-0.5 - share * loss, X), keeps) is kind


@pytest.mark.parametrize(("share", "kind"), [(0.9, Kind.AGREES), (1.1, Kind.DEPTH_LARGE)])
def test_a_share_is_of_three_of_the_smaller_body_and_the_separation(share: float, kind: Kind) -> None:
    large = Body(Box((2000.0, 2000.0, 2000.0)), (-1000.0, 0.0, 0.0))
    scene = Scene(large, replace(CUBE, position=(0.5, 0.0, 0.0)))
    allowed = 1e-6 * (3.0 * sqrt(3.0) + 0.5)
    assert class_of(scene, EngineAnswer(-0.5 - share * allowed, X), DOUBLE) is kind


@pytest.mark.parametrize(("share", "kind"), [(0.9, Kind.AGREES), (1.1, Kind.DEPTH_LARGE)])
def test_an_absolute_length_is_forgiven_up_to_a_thousandth_of_the_size(share: float, kind: Kind) -> None:
    scene = Scene(CUBE, replace(CUBE, position=(1.5, 0.0, 0.0)))
    allowed = 1e-3 * (sqrt(3.0) + 1.5)
    assert class_of(scene, EngineAnswer(-0.5 - share * allowed, X), Engine("coarse", absolute=1.0)) is kind


@pytest.mark.parametrize(("share", "kind"), [(0.9, Kind.IMPRECISE), (1.1, Kind.WRONG)])
def test_a_normal_is_wrong_from_a_thousandth_of_l_on(share: float, kind: Kind) -> None:
    """A normal turned by a small angle proves less by twice the half edge times the angle."""
    scene = Scene(CUBE, replace(CUBE, position=(1.5, 0.0, 0.0)))
    turn = share * 1e-3 * sqrt(3.0) / 2.0
    assert class_of(scene, EngineAnswer(-0.5, (1.0, turn, 0.0)), DOUBLE) is kind


@pytest.mark.parametrize("share", [0.5, 2.0])
def test_one_place_is_a_billionth_of_l(share: float) -> None:
    assert is_concentric(Scene(CUBE, replace(CUBE, position=(share * 1e-9 * sqrt(3.0), 0.0, 0.0)))) == (share < 1.0)
    turned = replace(CUBE, position=(3.0, 0.0, 0.0)).turned((0.6 * share * 1e-9, 0.8 * share * 1e-9, share * 1e-9))
    assert is_degenerate(Scene(CUBE, turned)) == (share < 1.0)


def test_a_short_quaternion_stands_for_the_same_turn_and_no_other() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        x, y, z = rng.uniform(-1.0, 1.0, 3).round(2).tolist()
        there = normalized((1.0, x, y, z))
        assert short_rotation(there) == (1.0, x, y, z)
        w, x, y, z = there
        beside = normalized((w + 5e-15 * x, x - 5e-15 * w, y, z))
        assert short_rotation(beside) == beside


def spheres(depth: float) -> Scene:
    return Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (0.0, 0.0, 2.0 - depth)))


def too_shallow(by: float) -> Ask:
    def ask(scene: Scene) -> EngineAnswer:
        found = distance_of(scene)
        x, y, z = found.normal.tolist()
        return EngineAnswer(found.separation + by, (x, y, z))

    return ask


def test_a_fault_is_the_same_while_as_bad_as_deep_and_with_the_same_features() -> None:
    scene, ask = spheres(0.5), too_shallow(0.1)
    truth = Truth.of(distance_of(scene))
    same = SameFault.of(DOUBLE, ask, scene, truth, judge(scene, truth, DOUBLE, ask(scene)))
    for share, kept in ((0.41, True), (0.39, False)):
        assert replace(same, ask=too_shallow(0.1 * share))(scene) is kept
    for factor, kept in ((2.4, True), (2.6, False), (1 / 2.4, True), (1 / 2.6, False)):
        assert same(spheres(0.5 * factor)) is kept
    assert not same(spheres(-0.5))
    assert not replace(same, features=("vertex", "surface"))(scene)
    assert not replace(same, depth=-1.9)(spheres(2.0))
    assert replace(same, depth=-1.9, concentric=True)(spheres(2.0))

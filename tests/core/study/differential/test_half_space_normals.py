"""What a normal proves beside a half-space, which no rounded direction bounds."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core import Body, Box, Cylinder, HalfSpace, Scene, Sphere
from core.analysis.brief import distance_of
from core.geometry.quaternion import from_axis_angle, multiply
from core.pair.pair import PairScale, half_space_of
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.classes import Judgement, Kind, Truth, judge, proof
from core.study.lab.random_pair import random_pair
from tests.oracles import support_gap

GROUND = HalfSpace((0.0, 1.0, 0.0), 0.0)
SINGLE = Engine("single", tolerance=2e-5, single=True)
BOUNDED = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull")
HIGH = 50.0
Y_TO_X = from_axis_angle((0.0, 0.0, 1.0), -0.5 * np.pi)


def random_ground(seed: int) -> Scene:
    """A body before a turned half-space that need not go through its own position."""
    rng = np.random.default_rng(seed)
    scene = random_pair(rng, ("halfspace", str(rng.choice(BOUNDED))))
    while half_space_of(scene.a, scene.b) is None:
        scene = random_pair(rng, ("halfspace", str(rng.choice(BOUNDED))))
    return scene


def cut(scene: Scene, s: float) -> Scene:
    """The half-space as a cylinder under the other body: as wide as L + |s|, its upper end in the plane."""
    found = half_space_of(scene.a, scene.b)
    assert found is not None
    m = found.space.pose.matrix @ found.plane.normal
    height = m @ (found.body.pose.position - found.space.pose.position) - found.plane.offset
    centre = found.body.pose.position - (height + 0.5 * HIGH) * m
    radius = PairScale.of(scene.a, scene.b).largest_radius + abs(s)
    under = Body(Cylinder(radius, HIGH), tuple(centre.tolist()), found.space.rotation)
    assert under.pose.matrix[:, 1] == pytest.approx(m)
    return Scene(under, found.body) if found.side > 0.0 else Scene(found.body, under)


@given(st.integers(0, 10**6), st.floats(-12.0, 0.5))
def test_it_is_that_of_the_part_beside_the_body_and_never_more_than_the_true_one(seed: int, power: float) -> None:
    scene = random_ground(seed)
    true = distance_of(scene)
    other = np.random.default_rng(seed).normal(size=3)
    normal = true.normal + 10.0**power * other
    normal /= np.linalg.norm(normal)
    found = proof(scene, normal, true.separation)
    if normal @ true.normal > 0.0:
        assert found == pytest.approx(support_gap(cut(scene, true.separation), normal), abs=1e-9)
    else:
        assert found == -inf
    assert found <= true.separation + 1e-9
    assert proof(scene, true.normal, true.separation) == pytest.approx(true.separation, abs=1e-9)
    assert proof(scene.swapped(), -normal, true.separation) == pytest.approx(found, abs=1e-9)


@given(st.integers(0, 10**6))
@pytest.mark.nightly("random")
def test_a_normal_of_single_precision_is_a_right_one(seed: int) -> None:
    scene = random_ground(seed)
    true = distance_of(scene)
    rounded = tuple(float(np.float32(part)) for part in true.normal)
    for pair, normal in ((scene, rounded), (scene.swapped(), tuple(-part for part in rounded))):
        truth = Truth.of(distance_of(pair))
        assert judge(pair, truth, SINGLE, EngineAnswer(true.separation, normal)).kind is Kind.AGREES


def tilted(scene: Scene, sine: float) -> Judgement:
    normal = (sine, np.sqrt(1.0 - sine * sine), 0.0)
    found = distance_of(scene)
    return judge(scene, Truth.of(found), Engine("double"), EngineAnswer(found.separation, normal))


@pytest.mark.parametrize("apart", [-0.5, 0.2])
@pytest.mark.parametrize(("share", "kind"), [(0.95, Kind.IMPRECISE), (1.05, Kind.WRONG)])
def test_it_is_wrong_where_the_tilt_costs_a_thousandth_of_l(apart: float, share: float, kind: Kind) -> None:
    """A ball of radius 1: L + |s| times the sine is lost, and of the cosine less than a millionth."""
    scene = Scene(Body(GROUND), Body(Sphere(1.0), (0.0, 1.0 + apart, 0.0)))
    assert tilted(scene, share * 1e-3 / (1.0 + abs(apart))).kind is kind


@pytest.mark.parametrize(("share", "kind"), [(0.9, Kind.AGREES), (1.1, Kind.IMPRECISE)])
def test_it_agrees_while_the_tilt_costs_no_more_than_the_tolerance(share: float, kind: Kind) -> None:
    """A box of half edge 1, that is tilted against as well: sqrt(3) + |s| and 1 times the sine are lost."""
    scene = Scene(Body(GROUND), Body(Box((2.0, 2.0, 2.0)), (0.0, 0.5, 0.0)))
    allowed = 1e-6 * (np.sqrt(3.0) + 0.5)
    assert tilted(scene, share * allowed / (np.sqrt(3.0) + 0.5 + 1.0)).kind is kind


def test_the_other_way_is_told() -> None:
    body = Body(Box((2.0, 2.0, 2.0)), (0.0, 0.5, 0.0))
    scene = Scene(Body(GROUND), body)
    turned = Scene(replace(Body(GROUND), rotation=multiply(Y_TO_X, Body(GROUND).rotation)), body)
    assert tilted(scene, 1.0).kind is Kind.WRONG
    assert not tilted(scene, 1.0).opposite
    found = distance_of(turned)
    back = EngineAnswer(found.separation, tuple((-found.normal).tolist()))
    judged = judge(turned, Truth.of(found), Engine("double"), back)
    assert (judged.kind, judged.opposite) == (Kind.WRONG, True)

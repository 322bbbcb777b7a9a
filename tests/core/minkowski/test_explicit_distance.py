"""Distance and witness points read off the explicit difference."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, Capsule, HalfSpace, Scene, Sphere
from core.geometry.quaternion import from_axis_angle
from core.geometry.vector import Array
from tests.core.explicit import explicit_distance
from tests.core.polyhedra_samples import POLYHEDRAL, PairFamily, extent, offset, prism, rounded, sample, turn
from tests.selection import some


def reach(body: Body, direction: Array) -> float:
    return float(body.shape.reach(body.pose.direction_to_local(direction)))


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
def test_the_answer_is_certified_by_its_normal_and_its_witnesses(family: PairFamily) -> None:
    hits = 0
    for scene in sample(family, 150, seed=21):
        a, b, size = scene.a, scene.b, extent(scene)
        found = explicit_distance(a, b)
        between = b.pose.position - a.pose.position
        certificate = float(found.normal @ between) - reach(a, found.normal) - reach(b, -found.normal)
        assert found.separation == pytest.approx(certificate, abs=1e-12 * size)
        gap = found.witness_b - found.witness_a
        assert gap == pytest.approx(found.separation * found.normal, abs=2e-12 * size)
        hits += found.separation <= 0.0
    assert some(30) <= hits <= some(130)


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
def test_swapping_the_bodies_keeps_the_distance(family: PairFamily) -> None:
    for scene in sample(family, 60, seed=22):
        there, back = explicit_distance(scene.a, scene.b), explicit_distance(scene.b, scene.a)
        assert back.separation == pytest.approx(there.separation, abs=1e-12 * extent(scene))


def test_segments_that_cross_lie_or_follow_one_another() -> None:
    capsule, quarter = Capsule(0.25, 2.0), from_axis_angle((0, 0, 1), np.pi / 2)
    for place, turned, expected in (
        ((0.0, 0.0, 0.0), quarter, -0.5),  # crossing in one point
        ((0.0, 0.0, 0.3), quarter, -0.2),
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), -0.5),  # one on the other
        ((0.0, 1.5, 0.0), (1.0, 0.0, 0.0, 0.0), -0.5),  # on one line, overlapping
        ((0.0, 3.0, 0.0), (1.0, 0.0, 0.0, 0.0), 0.5),  # on one line, apart
        ((2.0, 0.0, 0.0), quarter, 0.5),  # in one plane, apart
        ((0.0, 1.0, 0.0), quarter, -0.5),  # an end on the other's middle
    ):
        found = explicit_distance(Body(capsule), Body(capsule, place, turned))
        assert found.separation == pytest.approx(expected, abs=1e-15)
        gap = found.witness_b - found.witness_a
        assert gap == pytest.approx(found.separation * found.normal, abs=1e-15)


def test_known_answers() -> None:
    assert explicit_distance(Body(prism(6)), Body(Sphere(0.5), (0.0, 2.0, 0.0))).separation == pytest.approx(0.75)
    assert explicit_distance(Body(Box((1, 0.6, 0.4))), Body(Capsule(0.1, 1.2), (0, 0, 0.1))).separation == (
        pytest.approx(-0.2)
    )


def test_against_a_half_space() -> None:
    rng = np.random.default_rng(23)
    for _ in range(50):
        body = Body(prism(7), offset(rng), turn(rng))
        space = Body(HalfSpace((1.0, -2.0, 0.5), 0.7), offset(rng), turn(rng))
        first, second = explicit_distance(body, space), explicit_distance(space, body)
        assert first.separation == pytest.approx(second.separation, abs=1e-14)
        assert first.normal == pytest.approx(-second.normal, abs=1e-15)
        world = space.pose.to_world(HalfSpace((1.0, -2.0, 0.5), 0.7).plane.point())
        on_plane = first.witness_b + body.pose.position
        assert (on_plane - world) @ first.normal == pytest.approx(0.0, abs=1e-14)
        assert isinstance(body.shape, type(prism(3)))
        vertices = body.pose.to_world(body.shape.polyhedron.vertices)
        assert (-(vertices - world) @ first.normal).min() == pytest.approx(first.separation, abs=1e-14)


def test_scenes_far_from_the_origin_keep_their_digits() -> None:
    a = Body(prism(6), (1e6, -1e6, 1e6))
    near = explicit_distance(Body(prism(6)), Body(prism(5), (2.5, 0.25, 0.5)))
    far = explicit_distance(a, Body(prism(5), (1e6 + 2.5, 0.25 - 1e6, 1e6 + 0.5)))
    assert far.separation == pytest.approx(near.separation, abs=1e-15)
    assert extent(Scene(a, a)) > 0.0

"""Spheres in closed form: every region of the box, the centre inside, coincident centres."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from core import Body, Box, Scene, Sphere, Verdict, analyse
from core.closed_form import box_region, distance_sphere_box, distance_sphere_sphere
from tests.oracles import extent_of, sphere_box_distance
from tests.selection import some
from tests.strategies import random_box, sample, sphere_box, sphere_sphere


@pytest.mark.parametrize("sides", list(product((-1, 0, 1), repeat=3)))
def test_p5_the_27_regions_and_their_features(sides: tuple[int, int, int]) -> None:
    box = Body(Box((2.0, 4.0, 6.0)), (1.0, 2.0, 3.0))
    assert isinstance(box.shape, Box)
    half = box.shape.half_extents
    point = np.array(box.position) + np.array(sides) * (half + 0.5) + (np.array(sides) == 0) * 0.1
    region = box_region(box.pose, half, point)
    assert region.sides == sides
    assert region.outside == any(sides)
    beyond = sum(side != 0 for side in sides)
    assert region.distance == pytest.approx(0.5 * np.sqrt(beyond) if beyond else -0.9)
    assert region.closest + region.distance * region.normal == pytest.approx(point)
    assert region.name.count("v") == {0: 0, 1: 0, 2: 2, 3: 1}[beyond]
    if beyond == 3:
        vertex = box.pose.to_world(box.shape.polyhedron.vertices)[int(region.name[1:])]
        assert vertex == pytest.approx(region.closest)
    if beyond == 1:
        k = [side != 0 for side in sides].index(True)
        assert region.name == "-+"[sides[k] > 0] + "xyz"[k]
        assert region.face == k


def test_random_spheres_agree_with_six_slabs_and_meet_every_region() -> None:
    regions: Counter[int] = Counter()
    hits = 0
    scenes = list(sample(sphere_box, 400))
    for scene in scenes:
        found = analyse(scene)
        assert found.separation == pytest.approx(sphere_box_distance(scene), abs=1e-14)
        assert found.disagreements == ()
        hits += found.separation < 0.0
        boxed = scene.a if isinstance(scene.a.shape, Box) else scene.b
        ball = scene.b if boxed is scene.a else scene.a
        assert isinstance(boxed.shape, Box)
        region = box_region(boxed.pose, boxed.shape.half_extents, ball.pose.position)
        regions[sum(side != 0 for side in region.sides)] += 1
    assert 0.3 <= hits / len(scenes) <= 0.9
    assert min(regions[k] for k in range(4)) >= some(10)


def test_a_centre_inside_leaves_through_the_nearest_face() -> None:
    scene = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Sphere(0.5), (0.1, -0.8, 0.3)))
    found = analyse(scene)
    assert found.separation == pytest.approx(-0.7)
    assert found.normal.tolist() == [0.0, -1.0, 0.0]
    assert found.witness_a == pytest.approx([0.1, -1.0, 0.3])
    assert found.witness_b == pytest.approx([0.1, -0.3, 0.3])
    assert found.mtv == pytest.approx([0.0, -0.7, 0.0])


def test_a_centre_at_the_boxs_centre_leaves_along_the_shortest_axis_to_the_positive_side() -> None:
    found = analyse(Scene(Body(Box((3.0, 2.0, 3.0))), Body(Sphere(0.5))))
    assert found.separation == -1.5
    assert found.normal.tolist() == [0.0, 1.0, 0.0]
    cube = analyse(Scene(Body(Box((2.0, 2.0, 2.0))), Body(Sphere(0.5))))
    assert cube.normal.tolist() == [1.0, 0.0, 0.0]
    assert cube.sat.ties == (1, 2)


@pytest.mark.parametrize("inward", [1e-9, 1e-15, 0.0, -1e-15, -1e-9])
def test_a_centre_on_the_surface_has_no_jump(inward: float) -> None:
    found = analyse(Scene(Body(Box((2.0, 2.0, 2.0))), Body(Sphere(0.5), (0.3, 1.0 - inward, 0.2))))
    assert found.separation == pytest.approx(-0.5 - inward, abs=1e-15)
    assert found.normal.tolist() == [0.0, 1.0, 0.0]


def test_two_spheres() -> None:
    found = distance_sphere_sphere(np.zeros(3), 1.0, np.array((0.0, 0.0, -4.0)), 0.5)
    assert found.separation == 2.5
    assert found.normal.tolist() == [0.0, 0.0, -1.0]
    assert found.witness_a.tolist() == [0.0, 0.0, -1.0]
    assert found.witness_b.tolist() == [0.0, 0.0, -3.5]


def test_one_sphere_inside_another() -> None:
    found = analyse(Scene(Body(Sphere(5.0)), Body(Sphere(1.0), (1.0, 0.0, 0.0))))
    assert found.separation == -5.0
    assert found.normal.tolist() == [1.0, 0.0, 0.0]


def test_coincident_spheres_take_plus_x() -> None:
    found = analyse(Scene(Body(Sphere(2.0), (7.0, 8.0, 9.0)), Body(Sphere(2.0), (7.0, 8.0, 9.0))))
    assert found.separation == -4.0
    assert found.normal.tolist() == [1.0, 0.0, 0.0]
    assert found.witness_a.tolist() == [9.0, 8.0, 9.0]
    assert found.witness_b.tolist() == [5.0, 8.0, 9.0]
    assert found.verdict is Verdict.OVERLAPPING
    assert found.disagreements == ()


def test_spheres_a_hairs_breadth_from_coincident_know_their_direction() -> None:
    found = analyse(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (0.0, 1e-200, 0.0))))
    assert found.normal.tolist() == [0.0, 1.0, 0.0]


def test_random_spheres_agree_with_the_difference() -> None:
    hits = 0
    for scene in sample(sphere_sphere, 200):
        found = analyse(scene)
        hits += found.separation < 0.0
        assert found.disagreements == ()
    assert some(60) <= hits <= some(150)


def test_witnesses_lie_on_both_surfaces() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        box = random_box(rng)
        assert isinstance(box.shape, Box)
        centre = rng.normal(size=3)
        found = distance_sphere_box(centre, 0.3, box.pose, box.shape.half_extents)
        assert np.linalg.norm(found.witness_a - centre) == pytest.approx(0.3)
        beyond = np.abs(box.pose.to_local(found.witness_b)) - box.shape.half_extents
        assert beyond.max() == pytest.approx(0.0, abs=1e-15)
        assert found.witness_b - found.witness_a == pytest.approx(found.separation * found.normal, abs=1e-14)


def test_the_order_of_the_bodies_turns_the_normal_and_nothing_else() -> None:
    for scene in sample(sphere_box, 100, seed=5):
        one, other = analyse(scene), analyse(scene.swapped())
        size = extent_of(scene)
        assert other.separation == pytest.approx(one.separation, abs=1e-14 * size)
        # At coincident centres or on a tie any way out is right, and the positive side is taken twice.
        if one.sat.ties == () and abs(one.normal @ np.subtract(scene.b.position, scene.a.position)) > 1e-9:
            assert other.normal == pytest.approx(-one.normal, abs=1e-12)

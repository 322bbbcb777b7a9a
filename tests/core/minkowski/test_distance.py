"""The boundary point nearest the origin and its witnesses, against least squares and all pairs of features."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core import Analysis, Body, Box, Capsule, HalfSpace, Scene, Sphere, Verdict, analyse
from core.geometry.quaternion import IDENTITY, from_axis_angle
from core.minkowski.difference import difference
from core.minkowski.distance import nearest_boundary_point
from tests.oracles import extent_of, feature_distance, least_squares_distance, support_gap
from tests.strategies import (
    FAMILIES,
    GAPS,
    SPHERE_FAMILIES,
    Family,
    at_gap,
    box_scene,
    carried,
    cubes,
    general,
    moved,
    near_aligned,
    past_failures,
    sample,
    scaled,
)


def apart(family: Family, count: int, seed: int) -> list[Scene]:
    """Scenes of a family with B moved away from A: every other one a little along the normal, the rest far off."""
    rng = np.random.default_rng(seed)
    scenes = []
    for number, scene in enumerate(sample(family, count, seed)):
        if number % 2:
            scenes.append(at_gap(scene, rng.uniform(0.01, 0.5)))
            continue
        direction = rng.normal(size=3)
        away = direction / np.linalg.norm(direction) * extent_of(scene) * rng.uniform(2.0, 4.0)
        scenes.append(Scene(scene.a, moved(scene.b, away)))
    return scenes


def witnesses_fit(found: Analysis) -> None:
    """`|b - a| = |separation|`, along the normal, and each point on its body's surface."""
    scene, size = found.scene, extent_of(found.scene)
    # A position a million away is only good to its last place.
    place = 4e-16 * float(np.abs([scene.a.position, scene.b.position]).max())
    between = found.witness_b - found.witness_a
    assert np.abs(between - found.separation * found.normal).max() <= 2e-12 * size + place
    for body, point in ((scene.a, found.witness_a), (scene.b, found.witness_b)):
        local = body.pose.to_local(point)
        if isinstance(body.shape, Box):
            off = float((np.abs(local) - body.shape.half_extents).max())
        else:
            off = float(np.linalg.norm(local)) - body.shape.radius
        assert abs(off) <= 1e-14 * size + place


@pytest.mark.parametrize("family", [general, near_aligned])
def test_separated_boxes_are_as_far_apart_as_least_squares_and_all_features_say(family: Family) -> None:
    features: Counter[str] = Counter()
    for scene in apart(family, 120, 3):
        found, size = analyse(scene), extent_of(scene)
        assert found.verdict is Verdict.SEPARATED
        assert found.separation == pytest.approx(feature_distance(scene), abs=1e-12 * size)
        assert found.separation == pytest.approx(least_squares_distance(scene), abs=1e-9 * size)
        features["exact" if found.sat.exact else "bound"] += 1
        assert found.sat.separation <= found.separation + 1e-15 * size
    assert min(features.values()) >= 10


def test_sat_is_a_lower_bound_where_corners_are_nearest() -> None:
    found = analyse(cubes(0.5, 0.5, (2.0, 2.0, 2.0)))
    assert found.separation == pytest.approx(np.sqrt(3.0))
    assert found.normal == pytest.approx(np.ones(3) / np.sqrt(3.0))
    assert found.sat.separation == 1.0
    assert not found.sat.exact
    assert found.witness_a == pytest.approx([0.5, 0.5, 0.5])
    assert found.witness_b == pytest.approx([1.5, 1.5, 1.5])
    assert found.mtv is None


@pytest.mark.parametrize("family", [*FAMILIES, *SPHERE_FAMILIES])
def test_every_answer_is_certified_and_its_witnesses_fit(family: Family) -> None:
    for scene in sample(family, 150, seed=21):
        found, size = analyse(scene), extent_of(scene)
        assert found.disagreements == ()
        assert abs(np.linalg.norm(found.normal) - 1.0) <= 1e-15 * 4
        assert support_gap(scene, found.normal) == pytest.approx(found.separation, abs=2e-12 * size)
        witnesses_fit(found)


@pytest.mark.parametrize("gap", GAPS)
def test_the_normal_is_sound_however_small_the_gap(gap: float) -> None:
    corner_to_corner = cubes(0.5, 0.5, (1.0, 1.0, 1.0))
    for scene in [*sample(general, 20, seed=5), *sample(near_aligned, 40, seed=5), corner_to_corner]:
        moved_to = at_gap(scene, gap)
        found, size = analyse(moved_to), extent_of(moved_to)
        if gap >= 0.0:
            assert found.separation == pytest.approx(gap, abs=1e-12 * size)
        else:  # pushed in along a corner's diagonal, the way out may be another
            assert gap - 1e-12 * size <= found.separation <= 1e-12 * size
        # The direction proves the separation: none taken from the difference of two nearly equal points would.
        assert support_gap(moved_to, found.normal) >= found.separation - 2e-12 * size
        witnesses_fit(found)


@pytest.mark.parametrize("gap", [1e-6, 1e-9, 1e-11, 1e-13])
@pytest.mark.parametrize("feature", ["edge", "corner"])
def test_edges_and_corners_a_hair_apart_keep_a_sound_normal(gap: float, feature: str) -> None:
    diagonal = np.array((1.0, 1.0, 0.0 if feature == "edge" else 1.0))
    diagonal /= np.linalg.norm(diagonal)
    turn = from_axis_angle((1, 2, 3), 0.7)
    for size_b in ((1.0, 1.0, 1.0), (100.0, 0.01, 1.0)):
        at = 0.5 * (np.ones(3) + np.array(size_b)) * (diagonal != 0.0) + gap * diagonal
        scene = carried(box_scene((1, 1, 1), size_b, at), turn, (3.0, 4.0, 5.0))
        found, size = analyse(scene), extent_of(scene)
        assert found.separation == pytest.approx(gap, abs=4e-15 * size)
        assert support_gap(scene, found.normal) >= found.separation - 1e-14 * size


@pytest.mark.parametrize("gap", [1e-6, 1e-9, 1e-12, 1e-13])
def test_the_difference_itself_has_a_normal_that_proves_what_it_says(gap: float) -> None:
    """A corner of B beside an edge of A: the way between the nearest points is turned along it by rounding."""
    rng = np.random.default_rng(3)
    a = Body(Box((1.0, 1.0, 3.0)))
    for _ in range(20):
        way = np.array((*rng.uniform(0.2, 1.0, size=2), 0.0))
        way /= np.linalg.norm(way)
        turn = from_axis_angle(tuple(rng.normal(size=3)), float(rng.uniform(0.0, 3.0)))
        b = Body(Box((2.0, 1.0, 1.5)), rotation=turn)
        corner = b.pose.to_world(b.shape.support(b.pose.direction_to_local(-way)))
        place = np.array((0.5, 0.5, float(rng.uniform(-1.0, 1.0)))) + gap * way - corner
        scene = Scene(a, Body(b.shape, tuple(place.tolist()), turn))
        found = nearest_boundary_point(difference(scene.a, scene.b))
        assert found.separation == pytest.approx(gap, abs=2e-15)
        assert support_gap(scene, found.normal) >= found.separation - 1e-14


def test_the_nearest_point_is_minus_separation_times_normal() -> None:
    for scene in [*sample(general, 50), *apart(general, 50, 9)]:
        found = analyse(scene)
        assert found.nearest == pytest.approx(-found.separation * found.normal)
        assert found.witness_a - found.witness_b == pytest.approx(found.nearest, abs=1e-14)
        point = nearest_boundary_point(difference(scene.a, scene.b))
        core = found.difference.core
        assert point.weights @ core.vertices[point.vertices] == pytest.approx(found.nearest, abs=1e-14)
        assert point.weights.sum() == pytest.approx(1.0)
        assert point.weights.min() >= 0.0


def test_stacked_cubes_touch_in_the_middle_of_their_common_patch() -> None:
    for y in (0.9, 1.0, 1.1):
        found = analyse(cubes(0.5, 0.5, (0.0, y, 0.0)))
        assert found.witness_a == pytest.approx([0.0, 0.5, 0.0], abs=1e-15)
        assert found.witness_b == pytest.approx([0.0, y - 0.5, 0.0], abs=1e-15)


def test_a_small_box_on_a_wide_floor_touches_under_its_middle() -> None:
    found = analyse(box_scene((100, 1, 100), (1, 1, 1), (20.0, 0.9, 10.0), IDENTITY, from_axis_angle((0, 1, 0), 0.4)))
    assert np.abs(found.witness_b - (20.0, 0.4, 10.0)).max() < 0.01
    over_the_rim = analyse(box_scene((100, 1, 100), (1, 1, 1), (50.2, 0.9, 0.0)))
    assert over_the_rim.witness_a[0] <= 50.0
    assert over_the_rim.witness_b[0] >= 49.7


def test_coincident_cubes_have_finite_answers() -> None:
    found = analyse(cubes(0.5, 0.5, (0.0, 0.0, 0.0)))
    assert found.separation == -1.0
    assert found.witness_a.tolist() == [0.5, 0.0, 0.0]
    assert found.witness_b.tolist() == [-0.5, 0.0, 0.0]


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_needles_and_scales(factor: float) -> None:
    for scene in sample(general, 30, seed=13):
        one, other = analyse(scene), analyse(scaled(scene, factor))
        assert other.separation == pytest.approx(factor * one.separation, rel=1e-9, abs=1e-14 * factor)
        assert other.verdict is one.verdict


@pytest.mark.parametrize("at", [(1e12, 0.0, 0.0), (1e12, 1e12, 0.0), (1e9, 1e9, -1e9)])
def test_specks_so_far_apart_that_their_size_is_lost_still_have_an_answer(at: tuple[float, float, float]) -> None:
    for turn in (IDENTITY, from_axis_angle((1, 2, 3), 0.5), from_axis_angle((1, 0, 0), 1e-13)):
        scene = box_scene((1e-6, 1e-6, 1e-6), (1e-6, 2e-6, 1e-6), at, turn_b=turn)
        found = analyse(scene)
        assert found.separation == pytest.approx(np.linalg.norm(at), rel=1e-15, abs=5e-6)
        assert found.normal == pytest.approx(np.array(at) / np.linalg.norm(at))
        assert found.disagreements == ()
        assert np.isfinite(found.witness_a).all()


def test_the_scenes_that_went_wrong_once_are_right_now() -> None:
    scenes = past_failures()
    assert len(scenes) >= 4
    for scene in scenes:
        found, size = analyse(scene), extent_of(scene)
        assert found.disagreements == ()
        assert support_gap(scene, found.normal) == pytest.approx(found.separation, abs=2e-12 * size)
        if all(isinstance(body.shape, Box | Sphere) for body in (scene.a, scene.b)):
            witnesses_fit(found)


def test_a_segment_lost_in_rounding_is_a_point() -> None:
    found = analyse(Scene(Body(Capsule(1e-30, 1e-30)), Body(Sphere(1e-30), (3.0, 4.0, 0.0))))
    assert found.separation == 5.0
    assert found.disagreements == ()


def test_a_plane_far_from_its_body_is_measured_by_its_distance() -> None:
    space = HalfSpace((-0.08676761229249107, 8.101111428653654e-09, 0.7562305921829348), -1e12)
    turn = (-0.175787585825551, 0.8791065751181537, -0.4430241012108194, -3.8046216744722105e-09)
    found = analyse(Scene(Body(space, rotation=turn), Body(Sphere(1e-12))))
    assert found.disagreements == ()


@pytest.mark.parametrize("gap", [1e-3, 1e-9, 1e-13, 3e-15])
def test_a_hair_beside_a_segment_the_way_out_still_lies_across_it(gap: float) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        axis, side = rng.normal(size=3), rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        side = np.cross(axis, side) / np.linalg.norm(np.cross(axis, side))
        place = float(rng.uniform(-0.7, 0.7)) * axis + gap * side
        turn = np.cross((0.0, 1.0, 0.0), axis)
        angle = float(np.arctan2(np.linalg.norm(turn), axis[1]))
        rod = from_axis_angle(tuple(turn.tolist()), angle)
        a, b = Body(Capsule(0.1, 2.0), rotation=rod), Body(Sphere(0.2), tuple(place.tolist()))
        found = nearest_boundary_point(difference(a, b))
        assert float(np.linalg.norm(found.normal)) == pytest.approx(1.0, abs=1e-14)
        assert abs(float(found.normal @ a.pose.matrix[:, 1])) <= 1e-14
        assert found.separation == pytest.approx(gap - 0.1 - 0.2, abs=1e-15)

"""A batch says of every pair what the single calls say of it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest

from core import Body, Box, Hull, Scene, Sphere, Verdict, analyse
from core.batch import VERDICTS, Boxes, Hulls, Positive, Spheres, analyse_pairs, pairs
from core.geometry.quaternion import normalized
from core.geometry.tolerances import AGREEMENT
from core.gjk.gjk_epa import signed_distance
from core.pair.pair import certificate
from core.pair.support import support_maps
from tests.core.polyhedra_samples import POLYHEDRAL, PairFamily, ball_hull
from tests.core.polyhedra_samples import sample as polyhedral_sample
from tests.oracles import extent_of
from tests.strategies import FAMILIES, Family, past_failures, sample, sphere_box, sphere_sphere

COUNT = 150


def boxes(bodies: Sequence[Body]) -> Boxes:
    return Boxes(*(np.array([row(body) for body in bodies]) for row in (_size, _position, _rotation)))


def spheres(bodies: Sequence[Body]) -> Spheres:
    return Spheres(np.array([body.shape.radius for body in bodies]), np.array([_position(body) for body in bodies]))


def _size(body: Body) -> tuple[float, ...]:
    return body.shape.size


def _position(body: Body) -> tuple[float, ...]:
    return body.position


def _rotation(body: Body) -> tuple[float, ...]:
    return body.rotation


def bodies_of(scenes: Sequence[Scene], index: int) -> Boxes | Spheres:
    bodies = [scene.body(index) for scene in scenes]
    return boxes(bodies) if isinstance(bodies[0].shape, Box) else spheres(bodies)


def check_against_single_calls(scenes: Sequence[Scene]) -> None:
    found = analyse_pairs(bodies_of(scenes, 0), bodies_of(scenes, 1))
    assert np.isfinite(found.separations).all()
    assert np.isfinite(found.normals).all()
    np.testing.assert_allclose((found.normals**2).sum(axis=1), 1.0, rtol=0, atol=1e-14)
    assert not found.lower_bounds.any()
    assert not found.gaps.any()
    for k, scene in enumerate(scenes):
        single, tolerance = analyse(scene), AGREEMENT * extent_of(scene)
        assert found.separations[k] == pytest.approx(single.separation, abs=tolerance), scene
        assert found.bands[k] == pytest.approx(single.band, rel=1e-12)
        if abs(abs(single.separation) - single.band) > 1e-3 * single.band:
            assert found.verdict(k) is single.verdict, scene
        assert certificate(scene.a, scene.b, found.normals[k]) == pytest.approx(single.separation, abs=tolerance), scene


@pytest.mark.parametrize("family", FAMILIES)
def test_boxes_are_answered_like_single_pairs(family: Family) -> None:
    check_against_single_calls(list(sample(family, COUNT, seed=71)))


def test_past_failures_are_answered_like_single_pairs() -> None:
    scenes = [s for s in past_failures() if isinstance(s.a.shape, Box) and isinstance(s.b.shape, Box)]
    if scenes:
        check_against_single_calls(scenes)


@pytest.mark.parametrize("family", [sphere_box, sphere_sphere])
def test_spheres_are_answered_like_single_pairs(family: Family) -> None:
    scenes = list(sample(family, 2 * COUNT, seed=72))
    for first in (Sphere, Box):
        some = [scene for scene in scenes if isinstance(scene.a.shape, first)]
        if some:
            check_against_single_calls(some)


def test_a_ball_as_near_to_several_faces_leaves_a_box_through_that_of_the_lowest_axis() -> None:
    """And through the positive one of two opposite ones, however rounding tells their distances apart."""
    rng = np.random.default_rng(70)
    ways = {
        (0.0, 0.0, 0.0): (1.0, 0.0, 0.0),
        (0.0, 0.25, 0.25): (0.0, 1.0, 0.0),
        (-0.25, 0.25, 0.0): (-1.0, 0.0, 0.0),
        (0.25, -0.125, -0.25): (1.0, 0.0, 0.0),
        (0.0, -0.5, 0.5): (0.0, -1.0, 0.0),
    }
    local, out = (np.repeat(np.array(list(rows)), 20, axis=0) for rows in (ways.keys(), ways.values()))
    cubes = Boxes(np.full(local.shape, 2.0), np.zeros(local.shape), rng.normal(size=(len(local), 4)))
    turns = np.array([_matrix(row) for row in cubes.rotations.tolist()])
    at, along = (np.einsum("nij,nj->ni", turns, rows) for rows in (local, out))
    balls = Spheres(np.full(len(local), 0.5), at)
    deep = np.abs(local).max(axis=1) - 1.5
    for found, side in ((analyse_pairs(balls, cubes), -1.0), (analyse_pairs(cubes, balls), 1.0)):
        np.testing.assert_allclose(found.normals, side * along, atol=1e-12)
        np.testing.assert_allclose(found.separations, deep, atol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_normals_of_boxes_are_those_of_single_pairs_where_nothing_ties(family: Family) -> None:
    scenes = list(sample(family, COUNT, seed=73))
    found = analyse_pairs(bodies_of(scenes, 0), bodies_of(scenes, 1))
    for k, scene in enumerate(scenes):
        single = analyse(scene)
        clear = not single.sat.ties and abs(single.separation) > 1e-5 * extent_of(scene)
        if clear and single.separation < 0.0:
            np.testing.assert_allclose(found.normals[k], single.normal, atol=1e-9)
        elif clear:
            np.testing.assert_allclose(found.normals[k], single.normal, atol=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_bound_is_sats_gap_and_the_verdict_is_the_same(family: Family) -> None:
    scenes = list(sample(family, COUNT, seed=74))
    a, b = bodies_of(scenes, 0), bodies_of(scenes, 1)
    bound, distance = analyse_pairs(a, b, positive=Positive.BOUND), analyse_pairs(a, b)
    np.testing.assert_array_equal(bound.verdicts, distance.verdicts)
    extents = np.array([extent_of(scene) for scene in scenes])
    assert (bound.separations <= distance.separations + AGREEMENT * extents).all()
    inside = ~bound.lower_bounds
    np.testing.assert_array_equal(bound.separations[inside], distance.separations[inside])
    for k in np.flatnonzero(bound.lower_bounds):
        assert bound.separations[k] == pytest.approx(analyse(scenes[k]).sat.separation, abs=AGREEMENT * extents[k])


def as_hulls(bodies: Sequence[Body]) -> Hulls:
    points = [body.shape.points if isinstance(body.shape, Hull) else body.shape.polyhedron.vertices for body in bodies]
    return Hulls(np.array(points), np.array([b.position for b in bodies]), np.array([b.rotation for b in bodies]))


def with_equal_counts(scenes: Sequence[Scene]) -> list[list[Scene]]:
    groups: dict[tuple[int, int], list[Scene]] = {}
    for scene in scenes:
        counts = tuple(len(body.shape.points) if isinstance(body.shape, Hull) else 8 for body in (scene.a, scene.b))
        groups.setdefault((counts[0], counts[1]), []).append(scene)
    return list(groups.values())


@pytest.mark.parametrize("family", POLYHEDRAL)
def test_hulls_are_answered_like_single_pairs(family: PairFamily) -> None:
    for scenes in with_equal_counts(list(polyhedral_sample(family, 60, seed=75))):
        found = analyse_pairs(as_hulls([s.a for s in scenes]), as_hulls([s.b for s in scenes]))
        for k, scene in enumerate(scenes):
            single = signed_distance(support_maps(scene.a, scene.b))
            tolerance = 1e-10 * scene_extent(scene)
            assert found.gaps[k] <= tolerance
            assert found.separations[k] == pytest.approx(single.separation, abs=tolerance), scene
            proof = certificate(scene.a, scene.b, found.normals[k])
            assert proof == pytest.approx(single.separation, abs=tolerance), scene


def scene_extent(scene: Scene) -> float:
    radii = [body.shape.bounding_radius for body in (scene.a, scene.b)]
    return float(max(radii) + np.linalg.norm(np.subtract(scene.b.position, scene.a.position)))


def test_hulls_of_boxes_are_answered_like_boxes() -> None:
    rng = np.random.default_rng(76)
    a, b = random_boxes(rng, 300, 0.0), random_boxes(rng, 300, 0.5)
    solids = [Box(tuple(size)).polyhedron.vertices for size in np.concatenate((a.sizes, b.sizes)).tolist()]
    points = np.array(solids).reshape(2, 300, 8, 3)
    found = analyse_pairs(Hulls(points[0], a.positions, a.rotations), Hulls(points[1], b.positions, b.rotations))
    expected = analyse_pairs(a, b)
    np.testing.assert_allclose(found.separations, expected.separations, atol=1e-11)
    np.testing.assert_array_equal(found.verdicts, expected.verdicts)


def random_boxes(rng: np.random.Generator, count: int, spread: float) -> Boxes:
    return Boxes(rng.uniform(0.3, 1.0, (count, 3)), spread * rng.normal(size=(count, 3)), rng.normal(size=(count, 4)))


def test_matrices_and_quaternions_of_any_length_are_the_same_rotations() -> None:
    rng = np.random.default_rng(77)
    a, b = random_boxes(rng, 50, 0.0), random_boxes(rng, 50, 0.5)
    turned = [Boxes(x.sizes, x.positions, np.array([_matrix(row) for row in x.rotations.tolist()])) for x in (a, b)]
    first, second = analyse_pairs(a, b), analyse_pairs(*turned)
    np.testing.assert_allclose(first.separations, second.separations, atol=1e-14)
    np.testing.assert_allclose(first.normals, second.normals, atol=1e-12)
    for single in (False, True):
        usual = analyse_pairs(a, b, single=single)
        for length in (1e-300, 1e-170, 1e-24, 1e20, 1e160, 1e300):
            scaled = [Boxes(x.sizes, x.positions, x.rotations * length) for x in (a, b)]
            found = analyse_pairs(*scaled, single=single)
            np.testing.assert_allclose(found.separations, usual.separations, atol=1e-5 if single else 1e-14)


def _matrix(rotation: list[float]) -> np.ndarray:
    w, x, y, z = rotation
    return Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0), normalized((w, x, y, z))).pose.matrix


def test_the_sample_is_representative() -> None:
    rng = np.random.default_rng(78)
    found = analyse_pairs(random_boxes(rng, 20000, 0.0), random_boxes(rng, 20000, 0.5))
    hits = np.mean(found.verdicts == VERDICTS.index(Verdict.OVERLAPPING))
    assert 0.3 < hits < 0.7
    assert not found.gaps.any()


def test_chunks_do_not_change_an_answer() -> None:
    rng = np.random.default_rng(79)
    a, b = random_boxes(rng, 5000, 0.0), random_boxes(rng, 5000, 0.5)
    whole = analyse_pairs(a, b)
    tail = analyse_pairs(*(Boxes(x.sizes[4000:], x.positions[4000:], x.rotations[4000:]) for x in (a, b)))
    np.testing.assert_array_equal(whole.separations[4000:], tail.separations)
    np.testing.assert_array_equal(whole.normals[4000:], tail.normals)


def test_memory_beyond_the_answers_does_not_grow() -> None:
    rng = np.random.default_rng(80)

    def peak(count: int) -> float:
        a, b = random_boxes(rng, count, 0.0), random_boxes(rng, count, 0.5)
        tracemalloc.start()
        found = analyse_pairs(a, b)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return float(used - sum(getattr(found, name).nbytes for name in found.__struct_fields__))

    peak(1)  # The first call of all asks for memory once.
    assert peak(60000) < 1.2 * peak(15000)


def test_no_pairs_at_all() -> None:
    empty = Spheres(np.zeros(0), np.zeros((0, 3)))
    assert len(analyse_pairs(empty, empty)) == 0


def test_hulls_without_volume_are_answered_too() -> None:
    flat = np.array([[(-1.0, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]] * 3)
    still = np.array([(1.0, 0.0, 0.0, 0.0)] * 3)
    a = Hulls(flat, np.zeros((3, 3)), still)
    b = Hulls(flat, np.array([(0.0, 0, 0.5), (0.2, 0.1, 0), (3, 0, 0)]), still)
    found = analyse_pairs(a, b)
    np.testing.assert_allclose(found.separations, (0.5, 0.0, 1.0), atol=1e-12)
    assert [found.verdict(k) for k in range(3)] == [Verdict.SEPARATED, Verdict.TOUCHING, Verdict.SEPARATED]


def test_plates_that_hover_over_each_other_have_points_as_far_apart_as_they_are() -> None:
    """Every point that they share is nearest: the bounds meet long before GJK's points are over each other."""
    rng = np.random.default_rng(84)
    count, apart = 4000, 1e-3
    first, second = rng.integers(-2, 3, (2, count, 8, 3)).astype(float)
    first[..., 2] = second[..., 2] = 0.0
    places = np.concatenate((rng.integers(-2, 3, (count, 2)), np.full((count, 1), apart)), axis=1)
    still = np.tile((1.0, 0.0, 0.0, 0.0), (count, 1))
    found = analyse_pairs(Hulls(first, np.zeros((count, 3)), still), Hulls(second, places, still))
    np.testing.assert_allclose(found.witnesses_a[:, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(found.witnesses_b[:, 2], apart, atol=1e-12)
    np.testing.assert_allclose(
        found.witnesses_b - found.witnesses_a, found.separations[:, None] * found.normals, atol=1e-9
    )
    assert (found.separations < 1.0001 * apart).mean() > 0.9


def test_doubled_and_inner_points_of_a_hull_do_no_harm() -> None:
    rng = np.random.default_rng(82)
    solid = ball_hull(rng, 10)
    points = np.array(solid.points)
    more = np.concatenate((points, points[:3], 0.3 * points[3:6]))
    at, turned = rng.normal(size=(1, 3)), rng.normal(size=(1, 4))
    still = np.array([(1.0, 0.0, 0.0, 0.0)])
    plain = analyse_pairs(Hulls(points[None], np.zeros((1, 3)), still), Hulls(points[None], at, turned))
    padded = analyse_pairs(Hulls(more[None], np.zeros((1, 3)), still), Hulls(more[None], at, turned))
    np.testing.assert_allclose(plain.separations, padded.separations, atol=1e-13)


def test_of_two_ways_out_as_short_the_points_are_those_of_the_normal(monkeypatch: pytest.MonkeyPatch) -> None:
    # A line through the middle of a box leaves it either way. Nobody is asked a second time.
    monkeypatch.delattr(pairs, "_settle")
    rng = np.random.default_rng(83)
    corners = np.array(Box((1.0, 1.0, 1.0)).polyhedron.vertices) * rng.uniform(0.6, 2.0, (500, 1, 3))
    lines = rng.normal(size=(500, 1, 3)) * np.array((-1.0, -0.3, 0.4, 1.2))[:, None]
    still, nowhere = np.array([(1.0, 0.0, 0.0, 0.0)] * 500), np.zeros((500, 3))
    found = analyse_pairs(Hulls(corners, nowhere, still), Hulls(lines, nowhere, rng.normal(size=(500, 4))))
    ways = found.witnesses_b - found.witnesses_a
    np.testing.assert_allclose((ways * found.normals).sum(axis=1), found.separations, atol=1e-13)


ONE = np.ones((1, 3))
STILL = np.array([(1.0, 0.0, 0.0, 0.0)])


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Boxes(np.ones((2, 2)), ONE, STILL), r"sizes: expected shape \(n, 3\)"),
        (lambda: Boxes(-ONE, ONE, STILL), "sizes: expected numbers above 0"),
        (lambda: Boxes(ONE, np.ones((2, 3)), STILL), r"positions: expected shape \(1, 3\)"),
        (lambda: Boxes(ONE, ONE * np.nan, STILL), "positions: expected finite"),
        (lambda: Boxes(ONE, ONE, np.zeros((1, 4))), "rotations: a quaternion of length zero"),
        (lambda: Boxes(ONE, ONE, 2.0 * np.eye(3)[None]), "rotations: a matrix is no rotation"),
        (lambda: Boxes(ONE, ONE, -np.eye(3)[None]), "rotations: a matrix is no rotation"),
        (lambda: Spheres(np.zeros(1), ONE), "radii: expected numbers above 0"),
        (lambda: Spheres(np.array([np.inf]), ONE), "radii: expected finite"),
        (lambda: Hulls(np.ones((1, 0, 3)), ONE, STILL), "points: expected at least 1"),
    ],
)
def test_bad_arrays_are_refused(build: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        build()


def test_arrays_that_do_not_match_are_refused() -> None:
    one, two = Spheres(np.ones(1), np.ones((1, 3))), Spheres(np.ones(2), np.ones((2, 3)))
    with pytest.raises(ValueError, match="as many bodies"):
        analyse_pairs(one, two)
    hull = Hulls(np.ones((1, 4, 3)), ONE, STILL)
    with pytest.raises(TypeError, match="no batch for Hulls against Spheres"):
        analyse_pairs(hull, one)

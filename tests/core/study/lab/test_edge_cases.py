"""The edge-case tools do exactly what they say, move B alone, and refuse with a sentence what cannot be done."""

from __future__ import annotations

from collections import Counter
from math import inf, nextafter, ulp

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Scene, Shape, Sphere, Verdict, analyse
from core.geometry.quaternion import angle_between, from_axis_angle
from core.geometry.tolerances import EPS
from core.sat.sat import AxisKind, sat
from core.shapes import SHAPES, Circle, Rounded
from core.study.lab.edge_cases import centres_together, edges_parallel, faces_aligned, nudged, shifted, touching
from core.study.lab.random_pair import FLAT_MAKERS, MAKERS, random_pair
from tests.selection import some
from tests.strategies import FAMILIES, Family, box_scene, cubes, general, needles, random_rotation, sample, sphere_box

SKEW = next(iter(sample(general, 1, seed=3)))
GROUND = Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Box((1.0, 1.0, 1.0)), (0.2, 0.9, 0.1), SKEW.b.rotation))
HULLS = Scene(
    Body(MAKERS["hull"](np.random.default_rng(1))), Body(MAKERS["hull"](np.random.default_rng(2)), (1.0, 1.2, 1.3))
)


def only_b_moved(before: Scene, after: Scene) -> None:
    assert after.a == before.a
    assert after.b.shape == before.b.shape
    assert after.name == before.name
    assert np.linalg.norm(after.b.rotation) == pytest.approx(1.0, abs=1e-15)


def test_a_nudge_is_one_last_place() -> None:
    for axis in range(3):
        value = SKEW.b.position[axis]
        up, down = nudged(SKEW, axis, 1), nudged(SKEW, axis, -1)
        assert up.b.position[axis] == nextafter(value, inf)
        assert down.b.position[axis] == nextafter(value, -inf)
        assert nudged(up, axis, -1) == SKEW
        assert nudged(nudged(SKEW, axis, 3), axis, -3) == SKEW
        assert [up.b.position[k] == SKEW.b.position[k] for k in range(3)] == [k != axis for k in range(3)]
        only_b_moved(SKEW, up)


def test_a_nudge_from_zero_is_one_that_sums_keep() -> None:
    scene = nudged(cubes(1.0, 1.0, (2.0, 0.0, 0.0)), 1, 1)
    assert scene.b.position[1] == 2.0**-52
    assert 1.0 + scene.b.position[1] > 1.0


def test_a_nudge_of_kissing_cubes_is_seen_in_the_number() -> None:
    kissing = cubes(1.0, 1.0, (2.0, 0.0, 0.0))
    assert analyse(kissing).separation == 0.0
    assert analyse(nudged(kissing, 0, 1)).separation > 0.0
    assert analyse(nudged(kissing, 0, -1)).separation < 0.0


def test_a_shift_is_a_power_of_ten_of_the_size() -> None:
    scene = shifted(cubes(0.5, 0.5, (2.0, 0.0, 0.0)), (0.0, 3.0, 0.0), -3)
    assert scene.b.position[1] == pytest.approx(1e-3 * 0.75**0.5, rel=1e-15)
    assert (scene.b.position[0], scene.b.position[2]) == (2.0, 0.0)
    back = shifted(scene, (0.0, 1.0, 0.0), -3, -1.0)
    assert back.b.position[1] == pytest.approx(0.0, abs=1e-18)
    far = replace(scene, b=replace(scene.b, position=(1e9, 1e9, 1e9)))
    with pytest.raises(ValueError, match=r"^B cannot move by .*floating-point step of its position is larger\.$"):
        shifted(far, (1.0, 1.0, 1.0), -12)
    with pytest.raises(ValueError, match="direction"):
        shifted(scene, (0.0, 0.0, 0.0), -3)


@pytest.mark.parametrize("family", [*FAMILIES, sphere_box])
@pytest.mark.sampled(2, "random")
def test_touching_leaves_no_more_than_rounding(family: Family) -> None:
    for scene in sample(family, 5, seed=51):
        found = touching(scene)
        only_b_moved(scene, found.scene)
        after = analyse(found.scene)
        assert after.separation == found.separation
        reach = max(abs(c) for c in (*scene.a.position, *found.scene.b.position)) + scene.a.shape.bounding_radius
        assert abs(found.separation) <= 16.0 * EPS * (reach + scene.b.shape.bounding_radius)
        # Far out the last place of a position is wider than the band.
        assert after.verdict is Verdict.TOUCHING or ulp(reach) > after.band
        moved = np.linalg.norm(np.subtract(found.scene.b.position, scene.b.position))
        # Along the normal the way is the distance.
        assert moved == pytest.approx(abs(analyse(scene).separation), rel=1e-6, abs=1e-9 * reach)


@pytest.mark.parametrize(
    "scene", [GROUND, HULLS, Scene(Body(Cone(0.5, 1.0)), Body(Ellipsoid((0.5, 0.3, 0.4)), (0.1, 0.2, 0.3)))]
)
def test_touching_of_other_shapes(scene: Scene) -> None:
    found = touching(scene)
    after = analyse(found.scene)
    assert after.separation == found.separation
    assert abs(found.separation) <= 1e-13 + after.certainty.gap


def test_no_place_beside_the_touching_one_is_nearer() -> None:
    """Three roundings make one position, and the place on the line is seldom the best of those around it."""
    for scene in sample(sphere_box, 6, seed=56):
        found = touching(scene)
        beside = [analyse(nudged(found.scene, axis, ulps)).separation for axis in range(3) for ulps in (-1, 1)]
        assert abs(found.separation) <= min(map(abs, beside))


def test_touching_along_a_given_line() -> None:
    inside = cubes(1.0, 0.5, (0.25, 0.5, 0.0))
    assert touching(inside, (2.0, 0.0, 0.0)).scene.b.position == (1.5, 0.5, 0.0)
    assert touching(inside, (-1.0, 0.0, 0.0)).scene.b.position == (-1.5, 0.5, 0.0)
    apart = cubes(1.0, 0.5, (4.0, 0.5, 0.0))
    for way in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)):
        assert touching(apart, way).scene.b.position == (1.5, 0.5, 0.0)
    with pytest.raises(ValueError, match=r"passes A at a distance of 2\.5"):
        touching(apart, (0.0, 1.0, 0.0))
    beside = Scene(GROUND.a, replace(GROUND.b, position=(0.0, -3.0, 0.0)))
    with pytest.raises(ValueError, match="never leaves A"):
        touching(beside, (1.0, 0.0, 0.0))


def test_bodies_that_touch_already_stay() -> None:
    kissing = cubes(1.0, 1.0, (2.0, 0.3, 0.1))
    assert touching(kissing).scene == kissing


def sine(scene: Scene, one: int, other: int) -> float:
    along_a, along_b = scene.a.pose.matrix[:, one], scene.b.pose.matrix[:, other]
    return float(np.linalg.norm(np.cross(along_a, along_b)))


@pytest.mark.parametrize("family", [general, needles])
def test_edges_become_parallel_by_the_least_turn(family: Family) -> None:
    for scene in sample(family, 20, seed=52):
        table = sat(scene.a, scene.b)
        winner = table.candidates[table.winner]
        pair = (winner.feature_a, winner.feature_b) if winner.kind is AxisKind.EDGES else (1, 2)
        one, other = pair
        assert one is not None
        assert other is not None
        turned = edges_parallel(scene) if winner.kind is AxisKind.EDGES else edges_parallel(scene, (one, other))
        only_b_moved(scene, turned)
        assert turned.b.position == scene.b.position
        assert sine(turned, one, other) <= 4.0 * EPS
        angle = np.arcsin(min(1.0, sine(scene, one, other)))
        assert angle_between(scene.b.rotation, turned.b.rotation) == pytest.approx(angle, abs=1e-7)
        with pytest.raises(ValueError, match="parallel already"):
            edges_parallel(turned, (one, other))


def test_where_a_face_wins_some_edges_become_parallel() -> None:
    scene = box_scene((4.0, 1.0, 4.0), (1.0, 1.0, 1.0), (0.1, 1.2, 0.2), turn_b=from_axis_angle((1.0, 2.0, 3.0), 0.5))
    assert sat(scene.a, scene.b).candidates[sat(scene.a, scene.b).winner].kind is not AxisKind.EDGES
    turned = edges_parallel(scene)
    assert min(sine(turned, i, j) for i in range(3) for j in range(3)) <= 4.0 * EPS


def test_edges_of_hulls_and_capsules() -> None:
    turned = edges_parallel(HULLS)
    before, after = (sorted(_sines(scene))[0] for scene in (HULLS, turned))
    assert after <= 8.0 * EPS < before
    capsule = Scene(
        Body(Box((1.0, 1.0, 1.0))), Body(Capsule(0.2, 1.0), (0.9, 0.9, 0.1), from_axis_angle((1.0, 0.3, 0.8), 0.4))
    )
    along = edges_parallel(capsule, (1, 0)).b.pose.matrix[:, 1]
    assert np.linalg.norm(np.cross(along, (0.0, 1.0, 0.0))) <= 4.0 * EPS


def _sines(scene: Scene) -> list[float]:
    units = []
    for body in (scene.a, scene.b):
        assert isinstance(body.shape, Hull)
        along = body.shape.polyhedron.edge_directions() @ body.pose.matrix.T
        units.append(along / np.linalg.norm(along, axis=1)[:, None])
    return np.linalg.norm(np.cross(units[0][:, None], units[1][None]), axis=2).ravel().tolist()


@pytest.mark.parametrize("shape", [Sphere(1.0), Cone(1.0, 1.0), Cylinder(1.0, 1.0)])
def test_shapes_without_edges_and_faces_are_refused(shape: Shape) -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(shape, (3.0, 0.0, 0.0)))
    with pytest.raises(ValueError, match=r"^B has no edges\.$"):
        edges_parallel(scene)
    with pytest.raises(ValueError, match=r"^B has no faces\.$"):
        faces_aligned(scene)
    with pytest.raises(ValueError, match=r"^A has no edges\.$"):
        edges_parallel(scene.swapped())


@pytest.mark.parametrize(
    "scene",
    [SKEW, Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5), (1.5, 0.2), 0.4))],
    ids=["space", "plane"],
)
def test_centres_coincide(scene: Scene) -> None:
    together = centres_together(scene)
    only_b_moved(scene, together)
    assert together.b == replace(scene.b, position=scene.a.position)
    with pytest.raises(ValueError, match="coincide already"):
        centres_together(together)


def test_a_half_space_has_no_centre() -> None:
    with pytest.raises(ValueError, match="no centre"):
        centres_together(GROUND)


@pytest.mark.parametrize("scene", [*sample(general, 12, seed=53), HULLS, GROUND, GROUND.swapped()])
def test_faces_align_by_the_least_turn(scene: Scene) -> None:
    normal = analyse(scene).normal
    turned = faces_aligned(scene)
    only_b_moved(scene, turned)
    assert turned.b.position == scene.b.position
    towards_a, facing = (_face(scene.a, normal), _face(scene.b, -normal))
    kept = turned.b.pose.matrix @ scene.b.pose.matrix.T @ facing
    np.testing.assert_allclose(kept, -towards_a, atol=8.0 * EPS)
    angle = np.arctan2(np.linalg.norm(np.cross(facing, towards_a)), -float(facing @ towards_a))
    assert angle_between(scene.b.rotation, turned.b.rotation) == pytest.approx(angle, abs=1e-7)


def _face(body: Body, direction: np.ndarray) -> np.ndarray:
    if isinstance(body.shape, HalfSpace):
        return np.asarray(body.pose.matrix @ body.shape.plane.normal)
    assert body.shape.polyhedron is not None
    normals = body.shape.polyhedron.normals @ body.pose.matrix.T
    return np.asarray(normals[int((normals @ direction).argmax())])


def test_aligned_faces_are_refused() -> None:
    with pytest.raises(ValueError, match="parallel already"):
        faces_aligned(cubes(1.0, 1.0, (1.5, 0.2, 0.1)))


def test_random_pairs_have_every_shape() -> None:
    rng = np.random.default_rng(1)
    assert {type(make(rng)) for make in (*MAKERS.values(), *FLAT_MAKERS.values())} == set(SHAPES) - {Rounded}


@pytest.mark.slow
def test_random_pairs_are_representative() -> None:
    rng = np.random.default_rng(54)
    verdicts: Counter[Verdict] = Counter()
    kinds: Counter[type] = Counter()
    for _ in range(some(150)):
        scene = random_pair(rng)
        verdicts[analyse(scene).verdict] += 1
        kinds.update((type(scene.a.shape), type(scene.b.shape)))
    assert 0.3 <= verdicts[Verdict.OVERLAPPING] / some(150) <= 0.7
    assert verdicts[Verdict.TOUCHING] <= some(3)
    assert len(kinds) == len(MAKERS)


def test_random_pairs_of_given_kinds_are_repeatable() -> None:
    first, second = (random_pair(np.random.default_rng(7), ("box", "hull")) for _ in range(2))
    assert first == second
    hits = 0
    for seed in range(some(40)):
        scene = random_pair(np.random.default_rng(seed), ("box",))
        assert isinstance(scene.a.shape, Box)
        assert isinstance(scene.b.shape, Box)
        hits += analyse(scene).verdict is Verdict.OVERLAPPING
    assert some(12) <= hits <= some(28)
    for kinds in (("halfspace",), (), ("box", "torus")):
        with pytest.raises(ValueError, match="no random pair"):
            random_pair(np.random.default_rng(1), kinds)


def test_one_half_space_at_most() -> None:
    for seed in range(20):
        scene = random_pair(np.random.default_rng(seed), ("halfspace", "sphere"))
        assert not (isinstance(scene.a.shape, HalfSpace) and isinstance(scene.b.shape, HalfSpace))


def test_rotations_stay_close_to_exact_over_many_turns() -> None:
    rng = np.random.default_rng(55)
    for _ in range(30):
        scene = box_scene((1.0, 2.0, 3.0), (1.0, 1.0, 1.0), (0.0, 0.0, 4.0), random_rotation(rng), random_rotation(rng))
        turned = edges_parallel(scene, (0, 0))
        assert sine(turned, 0, 0) <= 4.0 * EPS

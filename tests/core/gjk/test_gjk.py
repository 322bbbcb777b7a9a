"""GJK alone: its steps, its stop reasons, its settings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.geometry.triple import Triple, triple
from core.geometry.vector import Array
from core.gjk.gjk import GjkAction, GjkResult, GjkSettings, GjkStep, GjkStop, gjk, gjk_steps
from core.gjk.simplex import SubDistance
from core.pair.support import Difference, Grown, Placed, Points, support_maps
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere
from core.trace import Recording, record
from tests.core.gjk_samples import FAMILIES, PLAIN, directions, general, nearly_touching, turn
from tests.selection import some


def recorded(scene: Scene, settings: GjkSettings | None = None) -> Recording[GjkStep, GjkResult]:
    return record(gjk_steps(support_maps(scene.a, scene.b), settings or GjkSettings()))


APART = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 0.2, 0.1)))


def test_two_cubes_apart() -> None:
    result = gjk(support_maps(APART.a, APART.b))
    assert result.stop is GjkStop.CONVERGED
    assert not result.overlapping
    assert result.separation == result.distance == result.upper == 2.0
    assert result.lower == 2.0
    np.testing.assert_allclose(result.normal, (1.0, 0.0, 0.0), atol=1e-15)
    np.testing.assert_allclose(result.witness_b - result.witness_a, (2.0, 0.0, 0.0), atol=1e-15)


def test_overlapping_cubes_say_so_and_no_more() -> None:
    result = gjk(support_maps(PLAIN.a, PLAIN.b))
    assert result.stop is GjkStop.OVERLAP_ENCLOSED or result.stop is GjkStop.OVERLAP_TOUCHING
    assert result.overlapping
    assert result.normal is None
    assert result.separation is None
    np.testing.assert_allclose(result.witness_a, result.witness_b, atol=1e-15)  # a point that both have


def test_radii_come_off_the_distance_of_the_cores() -> None:
    result = gjk(support_maps(Body(Sphere(0.5)), Body(Capsule(0.25, 2.0), (3.0, 0.0, 0.0))))
    assert (result.distance, result.separation) == (3.0, 2.25)
    np.testing.assert_array_equal(result.witness_a, (0.5, 0.0, 0.0))
    np.testing.assert_array_equal(result.witness_b, (2.75, 0.0, 0.0))


def test_shallow_spheres_need_no_more_than_their_centres() -> None:
    result = gjk(support_maps(Body(Sphere(1.0)), Body(Sphere(1.0), (1.5, 0.0, 0.0))))
    assert not result.overlapping  # the cores are apart, whatever the spheres are
    assert result.separation == -0.5


def test_steps_hold_what_was_known_and_decided() -> None:
    rng = np.random.default_rng(1)
    for family in FAMILIES:
        scene = family(rng)
        recording = recorded(scene)
        lower, size = 0.0, float(np.abs(scene.b.pose.position - scene.a.pose.position).max()) + 1e7
        for step in recording.steps:
            assert 1 <= len(step.simplex) <= 4
            held = [step.simplex[k] for k in step.region]
            np.testing.assert_allclose(
                step.weights @ np.array([point.w for point in held]) if len(held) < 4 else np.zeros(3),
                step.closest,
                atol=1e-15 * size,
            )
            for point in step.simplex:
                np.testing.assert_array_equal(point.a - point.b, point.w)
                assert point.xyz == tuple(point.w.tolist())
            assert step.lower >= lower
            lower = step.lower
            assert step.action is (GjkAction.ADD_SUPPORT if step.stop is None else GjkAction.STOP)
            assert (step.direction is None) == (step.support is None)
            if step.direction is not None:
                assert abs(step.direction @ step.direction - 1.0) <= 1e-14


def test_each_simplex_is_the_last_feature_and_its_support() -> None:
    rng = np.random.default_rng(2)
    for family in FAMILIES:
        steps = recorded(family(rng)).steps
        for step, following in pairwise(steps):
            assert step.support is not None
            kept = {id(point) for point in following.simplex}
            assert {id(step.simplex[k]) for k in step.region} <= kept
            assert kept <= {id(point) for point in (*step.simplex, step.support)}


def test_steps_cannot_be_changed() -> None:
    step = recorded(APART).steps[0]
    assert step.direction is not None
    for array in (step.weights, step.closest, step.direction, step.simplex[0].w, step.simplex[0].a):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        step.lower = 1.0


def test_the_bounds_close_in() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        recording = recorded(general(rng))
        result = recording.result
        assert result is not None
        if not result.overlapping:
            assert all(step.lower <= result.upper + 1e-14 for step in recording.steps)
            assert all(step.upper >= result.lower - 1e-14 for step in recording.steps)


def test_boxes_need_few_iterations() -> None:
    rng = np.random.default_rng(4)
    assert max(gjk(support_maps(s.a, s.b)).iterations for s in (general(rng) for _ in range(300))) <= 11


@pytest.mark.parametrize("method", tuple(SubDistance))
def test_curved_shapes_need_no_more_than_the_limit(method: SubDistance) -> None:
    rng = np.random.default_rng(5)
    a, b = Ellipsoid((1.0, 0.3, 2.0)), Cylinder(0.5, 1.0)
    for _ in range(50):
        x, y, z = (4.0 * rng.normal(size=3)).tolist()
        scene = Scene(Body(a, rotation=turn(rng)), Body(b, (x, y, z), turn(rng)))
        result = gjk(support_maps(scene.a, scene.b), GjkSettings(sub_distance=method))
        assert result.stop is not GjkStop.ITERATION_LIMIT
        assert result.certified


def test_close_gaps_keep_their_digits() -> None:
    """The direction is the perpendicular of the feature, with one retry: else the lower bound would be noise."""
    rng = np.random.default_rng(6)
    seen = 0
    for _ in range(200):
        scene = nearly_touching(rng)
        result = gjk(support_maps(scene.a, scene.b))
        if not result.overlapping and result.upper > 1e-13:
            seen += 1
            assert result.gap <= 1e-3 * result.upper + 1e-14
    assert seen > 40


def test_a_warm_start_ends_where_a_cold_one_does() -> None:
    rng = np.random.default_rng(7)
    saved = 0
    for _ in range(100):
        scene = general(rng)
        maps = support_maps(scene.a, scene.b)
        cold = gjk(maps)
        warm = gjk(maps, start=cold.warm_start)
        assert warm.overlapping == cold.overlapping
        assert abs(warm.upper - cold.upper) <= cold.gap + warm.gap + 1e-14
        saved += cold.iterations - warm.iterations
    assert saved > 100


def test_the_first_direction_is_a_matter_of_taste() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        scene = general(rng)
        maps = support_maps(scene.a, scene.b)
        x, y, z = rng.normal(size=3).tolist()
        one, other = gjk(maps), gjk(maps, GjkSettings(first_direction=(x, y, z)))
        assert one.overlapping == other.overlapping
        assert abs(one.upper - other.upper) <= one.gap + other.gap + 1e-14


def test_the_iteration_limit_is_a_result() -> None:
    recording = recorded(APART, GjkSettings(iterations=1))
    assert recording.result is not None
    assert recording.result.stop is GjkStop.ITERATION_LIMIT
    assert recording.result.lower <= 2.0 <= recording.result.upper


# Stop reasons, each from a support map that provokes it.


def _difference(points: Array, radius: float = 0.0) -> Difference:
    """A - B with B a single point at the origin: a difference of one's own choosing."""
    body = Points(points)
    return Difference(Grown(body, radius) if radius else body, Points(np.zeros((1, 3))), (1.0, 0.0, 0.0), 1.0, 2.0)


def test_enclosed() -> None:
    corners = np.array(((1.0, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)))
    assert gjk(_difference(corners)).stop is GjkStop.OVERLAP_ENCLOSED


@pytest.mark.parametrize(
    "corners",
    [
        ((0.0, 0.0, 0.0),),
        ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        ((-1.0, -1.0, 0.0), (2.0, -1.0, 0.0), (-1.0, 2.0, 0.0)),
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ],
)
def test_touching_from_every_simplex(corners: tuple[tuple[float, float, float], ...]) -> None:
    result = gjk(_difference(np.array(corners)))
    assert result.stop is GjkStop.OVERLAP_TOUCHING
    assert result.overlapping


class _Coarse:
    """A body whose support points are right to `step` only: what a mesh in single precision gives."""

    def __init__(self, shape: Hull, step: float) -> None:
        self.shape, self.step = shape, step

    def farthest(self, x: float, y: float, z: float) -> Triple:
        return triple(np.round(self.shape.support(np.array((x, y, z))) / self.step) * self.step)


def test_a_support_map_that_is_not_convex_ends_all_the_same() -> None:
    rng = np.random.default_rng(9)
    stops = set()
    for _ in range(some(200)):
        hull = Hull.of(directions(rng, 30) * (1.0, 0.5, 0.2))
        coarse = Placed.of(_Coarse(hull, 0.05).farthest, np.eye(3), 1.2 * rng.normal(size=3))
        result = gjk(Difference(coarse, Points(np.zeros((1, 3))), (1.0, 0.0, 0.0), 1.0, 2.0))
        stops.add(result.stop)
        assert np.isfinite((result.lower, result.upper)).all()
        assert result.iterations <= 128
    assert GjkStop.CONVERGED in stops


def test_what_counts_as_certified_does_not_grow_with_the_distance_until_rounding_does() -> None:
    cube = Box((2.0, 2.0, 2.0))
    near, far, rounded_off = (
        gjk(support_maps(Body(cube), Body(cube, (place, 0.3, 0.2)))).within for place in (3.0, 100.0, 1e12)
    )
    assert near == far <= 1e-9
    assert rounded_off > 1e3 * near

"""MPR: its verdict and its depth beside the exact ones, libccd's published numbers, its steps, every way it ends."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from core import (
    Analysis,
    Body,
    Box,
    Capsule,
    Circle,
    Cone,
    HalfSpace,
    Hull,
    Polygon,
    Rounded,
    Scene,
    Sphere,
    Verdict,
    analyse,
)
from core.geometry.tolerances import EPS
from core.geometry.vector import length
from core.mpr import DEFAULTS, MprAction, MprResult, MprSettings, MprStop, interior_point, mpr, mpr_steps
from core.pair.pair import PairScale, certificate
from core.trace import record
from tests.bench.families import FAMILIES, PAIRS, posed
from tests.strategies import CASES, moved, random_rotation, read_scene, scaled

CASE_SCENES = {case["id"]: read_scene(case["scene"]) for case in json.loads(CASES.read_text(encoding="utf-8"))["cases"]}
APART = (MprStop.EXCLUDED, MprStop.PLANE_AT_ORIGIN, MprStop.WITHIN_TOLERANCE)
NO_VERDICT = (MprStop.FLAT_DIFFERENCE, MprStop.DEGENERATE_PORTAL, MprStop.ITERATION_LIMIT)
CUBE = Body(Box((2.0, 2.0, 2.0)))


def as_libccd(scene: Scene) -> MprResult:
    """With its tolerance of 1e-4, whatever the size of the bodies."""
    return mpr(scene.a, scene.b, MprSettings(tolerance=1e-4 / PairScale.of(scene.a, scene.b).largest_radius))


def judge(scene: Scene, found: MprResult, exact: Analysis) -> None:
    """Everything that MPR claims about a pair, held against the exact answer and against the bodies themselves."""
    scale = PairScale.of(scene.a, scene.b)
    slack, gap = 1e-11 * scale.extent, exact.certainty.gap
    tolerance, coarse = DEFAULTS.tolerance * scale.largest_radius, 4.0 * DEFAULTS.on_ray * scale.largest_radius
    if found.upper is not None and found.upper_normal is not None:
        # What its planes prove holds without any other algorithm.
        assert certificate(scene.a, scene.b, found.upper_normal) == pytest.approx(-found.upper, abs=slack)
        assert found.upper >= -exact.separation - gap - slack
    if found.overlapping is None:
        assert found.stop in NO_VERDICT
        assert found.depth is found.normal is found.certainty is None
    elif found.overlapping:
        assert found.depth is not None
        assert found.normal is not None
        assert exact.separation <= (coarse if found.stop is MprStop.ON_RAY else slack)
        # Never less than the least depth, but for the tolerance.
        assert found.depth >= -exact.separation - gap - tolerance - slack
        assert abs(found.normal @ found.normal - 1.0) <= 1e-14
        assert found.certainty is not None
        assert found.certainty.provenance.value == "bound"
        # The least depth is between 0 and what the planes prove.
        assert found.certainty.gap == max(0.0, found.upper or 0.0)
        after = analyse(replace(scene, b=moved(scene.b, found.depth * found.normal)))
        assert after.separation >= -tolerance - coarse - slack
        if found.witness_a is not None and found.witness_b is not None and found.depth > slack:
            np.testing.assert_allclose(found.witness_a - found.witness_b, found.depth * found.normal, atol=slack)
    else:
        assert found.stop in APART
        assert found.depth is found.normal is None
        overlap = max(0.0, -exact.separation)
        # A miss is the early out's, and no deeper than its tolerance.
        assert overlap <= (tolerance if found.stop is MprStop.WITHIN_TOLERANCE else 0.0) + slack
        assert found.upper is not None
        assert overlap <= max(0.0, found.upper) + slack


@pytest.mark.parametrize("family", range(len(FAMILIES)), ids=[family.__name__ for family in FAMILIES])
def test_the_verdict_and_the_bounds_hold_on_every_pair_of_shapes(family: int) -> None:
    """Three of each pair: right in all that are not within a tolerance of touching, and never below the least depth."""
    stops = Counter[MprStop]()
    for pair, kinds in enumerate(PAIRS):
        for number in range(3):
            scene = posed(pair, family, number).scene
            found = mpr(scene.a, scene.b)
            stops[found.stop] += 1
            if "halfspace" in kinds:
                assert (found.stop, found.overlapping, found.upper) == (MprStop.HALF_SPACE, None, None)
            else:
                judge(scene, found, analyse(scene))
    assert stops[MprStop.DEGENERATE_PORTAL] + stops[MprStop.ITERATION_LIMIT] <= 1


@pytest.mark.parametrize("name", CASE_SCENES)
def test_reported_pairs(name: str) -> None:
    scene = CASE_SCENES[name]
    found = mpr(scene.a, scene.b)
    if found.stop is not MprStop.HALF_SPACE:
        judge(scene, found, analyse(scene))


@pytest.mark.parametrize(
    ("name", "depth", "normal"),
    [
        # The nudged ray ends in the first support point: 76 per cent too deep.
        ("libccd-boxcyl-pen7", 1.321922, (-0.897996, -0.063457, 0.435403)),
        ("libccd-boxcyl-pen8", 0.142813, (-0.476782, -0.840534, 0.257259)),
        ("libccd-cylcyl-pen3", 0.720933, (-0.947406, -0.320033, 0.000085)),
        ("libccd-boxbox-pen4", 0.607107, (1.0, 0.0, 0.0)),
        ("libccd-boxbox-pen5", 0.429289, (0.707107, -0.707107, 0.0)),
        ("libccd-boxbox-pen6", 0.648412, (0.862856, 0.0, -0.505449)),
    ],
)
def test_what_libccd_published_comes_out_digit_for_digit(
    name: str, depth: float, normal: tuple[float, float, float]
) -> None:
    """Of src/testsuites/regressions/TSMPR*.out; in Pen 7 of the boxes and Pen 3 a support point has a tie."""
    found = as_libccd(CASE_SCENES[name])
    assert found.depth == pytest.approx(depth, abs=5.1e-7)
    np.testing.assert_allclose(found.normal, normal, atol=5.1e-7)


def test_coincident_centres_start_from_a_nudge_that_the_step_tells() -> None:
    scene = CASE_SCENES["libccd-boxcyl-pen7"]
    steps = record(mpr_steps(scene.a, scene.b)).steps
    assert [step.action for step in steps] == [MprAction.CENTRE, MprAction.FIRST]
    centre, first = steps
    larger = PairScale.of(scene.a, scene.b).largest_radius
    np.testing.assert_array_equal(centre.nudge, (10.0 * EPS * larger, 0.0, 0.0))
    np.testing.assert_array_equal(centre.after[0].w, centre.nudge)
    np.testing.assert_array_equal(first.direction, (-1.0, 0.0, 0.0))
    assert first.stop is MprStop.ON_RAY
    exact = -analyse(scene).separation
    assert exact == pytest.approx(0.7506362462294328, abs=1e-15)
    found = mpr(scene.a, scene.b)
    assert found.depth == length(first.after[1].w) == pytest.approx(1.3219215579221641, abs=1e-15)
    assert found.upper is not None
    assert exact < found.upper < found.depth


def test_the_depth_of_spheres_is_the_least_one() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        radii = rng.uniform(0.1, 2.0, 2).tolist()
        away = rng.normal(size=3)
        away *= rng.uniform(0.01, 0.999) * sum(radii) / length(away)
        scene = Scene(Body(Sphere(radii[0])), moved(Body(Sphere(radii[1])), away))
        found = mpr(scene.a, scene.b)
        assert found.stop is MprStop.ON_RAY
        assert found.depth == pytest.approx(sum(radii) - length(away), abs=1e-14)
        np.testing.assert_allclose(found.normal, away / length(away), atol=1e-12)


def test_a_box_that_leaves_by_the_least_face_has_the_least_depth() -> None:
    scene = Scene(CUBE, Body(Box((1.0, 1.0, 1.0)), (0.3, 1.2, 0.2), random_rotation(np.random.default_rng(2))))
    found, exact = mpr(scene.a, scene.b), analyse(scene)
    assert found.stop is MprStop.SURFACE
    assert found.depth == pytest.approx(-exact.separation, abs=1e-14)
    assert found.upper == pytest.approx(-exact.separation, abs=1e-14)


def test_the_early_out_misses_overlaps_below_its_tolerance_and_says_that_nothing_proves_it() -> None:
    """A ball on a plate, found by trying places on a grid; two walls of which FCL's users reported other trouble."""
    ball = Scene(Body(Box((2.4, 1.0, 2.4))), Body(Sphere(0.5), (0.5, 0.99995, 0.8)))
    for scene in (ball, CASE_SCENES["fcl-399-yawed-walls"]):
        exact = analyse(scene)
        assert exact.verdict is Verdict.OVERLAPPING
        for found in (mpr(scene.a, scene.b), as_libccd(scene)):
            assert found.stop is MprStop.WITHIN_TOLERANCE
            assert found.overlapping is False
            assert not found.proved
            assert found.upper is not None
            assert found.upper >= -exact.separation
        fine = mpr(scene.a, scene.b, MprSettings(tolerance=1e-9))
        assert fine.overlapping
        assert fine.depth == pytest.approx(-exact.separation, rel=0.2)


def test_exchanging_scaling_and_carrying_the_bodies_changes_nothing_that_is_proved() -> None:
    for pair, kinds in enumerate(PAIRS):
        if "halfspace" in kinds:
            continue
        for family in range(2):
            scene = posed(pair, family, 5).scene
            exact, found = analyse(scene), mpr(scene.a, scene.b)
            scale = PairScale.of(scene.a, scene.b)
            if abs(exact.separation) < 1e-3 * scale.largest_radius or found.overlapping is None:
                continue
            exchanged = mpr(scene.b, scene.a)
            assert exchanged.overlapping == found.overlapping
            judge(Scene(scene.b, scene.a), exchanged, analyse(Scene(scene.b, scene.a)))
            for factor in (2.0**-20, 2.0**20):
                other = scaled(scene, factor)
                same = mpr(other.a, other.b)
                assert (same.stop, same.overlapping, same.iterations) == (
                    found.stop,
                    found.overlapping,
                    found.iterations,
                )
                if found.depth is not None:
                    assert same.depth == pytest.approx(factor * found.depth, rel=1e-9)
            for factor in (1e-6, 1e6):
                other = scaled(scene, factor)
                assert mpr(other.a, other.b).overlapping == found.overlapping
            far = 1e6 * np.array((1.0, -2.0, 0.5))
            carried = Scene(moved(scene.a, far), moved(scene.b, far))
            answer = mpr(carried.a, carried.b)
            assert answer.overlapping == found.overlapping
            judge(carried, answer, analyse(carried))


def test_every_step_tells_where_its_points_came_from() -> None:
    """Each step begins with the points that the one before ended with, and holds what it decided by."""
    actions = Counter[MprAction]()
    for pair in range(len(PAIRS)):
        scene = posed(pair, 0, 1).scene
        recording = record(mpr_steps(scene.a, scene.b))
        steps, found = recording.steps, recording.result
        assert found is not None
        assert [step.number for step in steps] == list(range(len(steps)))
        assert [step.stop for step in steps[:-1]] == [None] * (len(steps) - 1)
        assert steps[-1].stop is found.stop
        actions.update(step.action for step in steps)
        for before, after in pairwise(steps):
            assert before.after == after.points
            assert not before.inside or after.inside
            assert before.upper is None or (after.upper is not None and after.upper <= before.upper)
        for step in steps:
            assert (step.support is None) == (step.direction is None)
            assert len(step.after) <= 4
            if step.support is not None and step.direction is not None:
                assert step.value == pytest.approx(step.support.w @ step.direction, abs=1e-12)
                assert step.tests
            if step.placed is not None and step.support is not None:
                assert step.after[step.placed] is step.support
            if step.action is MprAction.DEEPEN:
                assert step.inside
                assert step.distance is not None
    assert set(actions) == set(MprAction)


def test_the_ray_passes_through_every_portal() -> None:
    portals = 0
    for number in range(1, 20):
        scene = posed(0, 0, number).scene
        for step in record(mpr_steps(scene.a, scene.b)).steps:
            if len(step.points) == 4:
                v0, *corners = (point.w for point in step.points)
                shares = np.linalg.solve(np.array(corners).T - v0[:, None], -v0)
                assert shares.min() >= -1e-9
                portals += 1
    assert portals >= 20


def test_half_spaces_and_the_plane_have_a_stop_of_their_own() -> None:
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    square = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    pairs = {
        MprStop.HALF_SPACE: ((ground, CUBE), (CUBE, ground), (ground, ground)),
        MprStop.SPACE_ONLY: ((Body(square), Body(Circle(1.0))),),
    }
    for stop, bodies in pairs.items():
        for a, b in bodies:
            recording = record(mpr_steps(a, b))
            assert [step.stop for step in recording.steps] == [stop]
            assert recording.steps[0].action is MprAction.STOP
            assert recording.result is not None
            assert recording.result.overlapping is None
            assert not recording.result.proved


def test_a_difference_without_volume_has_no_verdict() -> None:
    """Two plates thinner than rounding, one beside the other in one plane."""
    thin = Box((2.0, 1e-17, 1.0))
    found = mpr(Body(thin), Body(thin, (0.7, 0.0, 0.3)))
    assert found.stop is MprStop.FLAT_DIFFERENCE
    assert found.overlapping is None


def test_what_lies_on_the_ray_to_the_tolerance_proves_no_overlap_and_a_portal_past_the_origin_does() -> None:
    aligned = mpr(CUBE, replace(CUBE, position=(0.5, 0.0, 0.0)))
    assert aligned.stop is MprStop.ON_RAY
    assert not aligned.proved
    deep = mpr(CUBE, replace(CUBE, position=(0.5, 0.3, 0.2)))
    assert deep.overlapping
    assert deep.proved
    away = mpr(CUBE, replace(CUBE, position=(2.5, 0.3, 0.2)))
    assert away.stop is MprStop.EXCLUDED
    assert away.proved
    assert away.certainty is None
    # However close the portal comes, the least depth may be anything up to what its planes bound.
    for found in (aligned, deep):
        assert found.certainty is not None
        assert (found.certainty.provenance, found.certainty.gap) == ("bound", pytest.approx(found.upper))


@pytest.mark.parametrize("place", [(0.01, 0.003, 0.002), (0.5, 0.3, 0.2), (2.1, 0.3, 0.2), (0.5, 0.0, 0.0)])
def test_no_way_of_ending_depends_on_the_unit_of_length(place: tuple[float, float, float]) -> None:
    whole = mpr(CUBE, replace(CUBE, position=place))
    for size in (2.0**-20, 2.0**20):
        small = Body(Box((2.0 * size,) * 3))
        found = mpr(small, replace(small, position=tuple(size * x for x in place)))
        assert (found.stop, found.iterations) == (whole.stop, whole.iterations)
        assert found.upper == size * whole.upper


def test_touching_bodies_end_by_name() -> None:
    corner = mpr(CUBE, Body(Box((2.0, 2.0, 2.0)), (2.0, 2.0, 2.0)))
    assert (corner.stop, corner.overlapping, corner.depth) == (MprStop.TOUCHING, True, 0.0)
    assert corner.normal is not None
    face = mpr(CUBE, Body(Box((2.0, 2.0, 2.0)), (0.3, 2.0, 0.4)))
    assert analyse(Scene(CUBE, Body(Box((2.0, 2.0, 2.0)), (0.3, 2.0, 0.4)))).verdict is Verdict.TOUCHING
    assert face.stop in (MprStop.SURFACE, MprStop.PLANE_AT_ORIGIN, MprStop.WITHIN_TOLERANCE)
    spheres = mpr(Body(Sphere(1.0)), Body(Sphere(1.0), (2.0, 0.0, 0.0)))
    assert spheres.stop in (MprStop.TOUCHING, MprStop.ON_RAY, MprStop.PLANE_AT_ORIGIN)


def test_few_iterations_leave_a_bound_or_no_verdict() -> None:
    scene = CASE_SCENES["libccd-cylcyl-pen3"]
    for iterations in range(4):
        found = mpr(scene.a, scene.b, MprSettings(iterations=iterations))
        assert found.stop is MprStop.ITERATION_LIMIT
        if found.overlapping:
            assert found.depth == found.upper
        judge(scene, found, analyse(scene))
    assert mpr(scene.a, scene.b, MprSettings(iterations=4)).overlapping


def test_the_interior_point_of_a_hull_beside_its_position_is_inside_of_it() -> None:
    corners = np.array(((5.0, 5.0, 5.0), (6.0, 5.0, 5.0), (5.0, 6.0, 5.0), (5.0, 5.0, 6.0)))
    hull = Body(Hull.of(corners), rotation=random_rotation(np.random.default_rng(1)))
    inside = interior_point(hull)
    np.testing.assert_allclose(hull.pose.matrix.T @ inside, corners.mean(axis=0), atol=1e-14)
    for body in (CUBE, Body(Capsule(0.3, 0.7))):
        np.testing.assert_array_equal(interior_point(body), (0.0, 0.0, 0.0))
    scene = Scene(hull, moved(Body(Sphere(0.2)), inside))
    found = mpr(scene.a, scene.b)
    assert found.overlapping
    judge(scene, found, analyse(scene))


@pytest.mark.parametrize("size", [1e-140, 1e-100, 1e100, 1e140])
def test_extreme_sizes_end_without_an_error(size: float) -> None:
    scene = scaled(CASE_SCENES["libccd-boxbox-pen6"], size)
    assert isinstance(mpr(scene.a, scene.b).stop, MprStop)


def test_the_depth_may_be_below_the_least_one_by_the_tolerance() -> None:
    """A cone against a capsule 700 times as large: the portal is inside the difference, and its surface beyond it."""
    cone = Body(
        Cone(0.17096153850187917, 0.5283375019364557),
        (0.37039787138497665, -0.6823443590558634, 2.2109753162604777),
        (0.2386724297859375, 0.9475307867273689, 0.2067021123628716, -0.04995113821142444),
    )
    capsule = Body(
        Rounded(Capsule(0.22175635102057997, 0.9301935243175414), 686.8531131793508),
        (0.6102462540459921, -0.52150572008498, 1.7397058943610846),
        (0.5369066556007394, 0.3848522843433416, 0.06805412162243779, -0.7476554011959917),
    )
    found, least = mpr(cone, capsule), -analyse(Scene(cone, capsule)).separation
    tolerance = DEFAULTS.tolerance * PairScale.of(cone, capsule).largest_radius
    assert found.stop is MprStop.SURFACE
    assert found.depth is not None
    assert found.upper is not None
    assert least - tolerance <= found.depth < least - 0.5 * tolerance
    assert least <= found.upper <= found.depth + tolerance
    portal = np.array([point.w for point in found.portal])
    normal = np.array(found.upper_normal)
    assert (portal @ normal <= found.upper).all()
